//! Points far from every stone in doubt, in a part of the board that is too wide to solve.
//!
//! Where a border is open, the part around a few stones in doubt includes the whole territory behind the border. The
//! life of these stones does not depend on points that are a few steps away and surely owned. Such points count as
//! filled by their owner.

use crate::go::{Board, Cell, Color, Point, PointSet};
use crate::search::Ownership;

/// Steps over empty points from a stone in doubt that belong to its fight. This value and the next are guesses; the
/// library of positions supports them.
const NEAR: usize = 3;

/// A point farther away counts as one side's when the side's ownership of it in the playouts reaches this value (scale
/// −1 to 1).
const OWNED: f32 = 0.3;

/// Empty points of an open part far from the stones in it, by the [`Color::index`] of their owner.
pub(super) fn far(board: &Board, part: &PointSet, ownership: &Ownership) -> [PointSet; 2] {
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
