//! What lies far from every stone in doubt, in a part of the board that is too wide to be solved.
//!
//! Where a border is open, the part around a few stones in doubt takes in the whole territory behind it. Their life does
//! not hang on points that are a few steps away and surely somebody's: those count as his, as if they were filled.

use crate::go::{Board, Cell, Color, Point, PointSet};
use crate::search::Ownership;

/// Steps over empty points from a stone in doubt that belong to its fight. This and the next are guesses that the library
/// of positions bears out.
const NEAR: usize = 3;

/// Points farther away count as one side's when it owns them in so many of the playouts (on the scale of −1 to 1).
const OWNED: f32 = 0.3;

/// Empty points of an open part far from the stones in it, by the [`Color::index`] of their owner.
pub fn far(board: &Board, part: &PointSet, ownership: &Ownership) -> [PointSet; 2] {
    let mut near: PointSet = part.iter().filter(|&p| board.cell(p) != Cell::Empty).collect();
    let mut rim: Vec<Point> = near.iter().collect();
    for _ in 0..NEAR {
        let next = rim.iter().flat_map(|&p| board.adjacent(p)).filter(|&q| part.contains(q));
        rim = next.filter(|&q| near.insert(q)).collect();
    }
    Color::BOTH.map(|color| {
        let owned = |p: Point| ownership.of(p) * color.sign() as f32 >= OWNED;
        part.iter().filter(|&p| !near.contains(p) && owned(p)).collect()
    })
}
