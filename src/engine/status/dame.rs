//! Outside liberties that are too many to read out and that only gain time.
//!
//! A group in the open has twenty outside liberties or more. A local game with all of them is too large to solve.
//! Consider an empty region whose every point touches a sure enemy stone: no eye can be made there. If only one chain
//! borders on the region, nothing can be connected through it. Such a region gives its chain only time, and outside a
//! race a few of its liberties are as good as many. So the enemy is given the others.

use crate::go::region::{Flood, flood};
use crate::go::{Board, Cell, Color, Point, PointSet};

/// Liberties that such a region keeps. In theory, shapes differ by none, one or two outside liberties (the rectangle of
/// six in the corner dies, fights a ko, lives). With four, the square four in the open was not solved within the effort
/// allowed (`tests/positions/outside.txt`).
const KEPT: usize = 2;

/// Enemy stones of the part that make it a race, in which every liberty counts. Fewer stones are the usual placements.
const RACERS: usize = 4;

/// Empty points of an open part that count as filled, by the [`Color::index`] of the side that fills them. `solid` are
/// the stones that surely live.
pub(super) fn surplus(board: &Board, part: &PointSet, solid: &PointSet) -> [PointSet; 2] {
    let mut surplus = [PointSet::EMPTY; 2];
    let mut seen = PointSet::EMPTY;
    for p in part.iter() {
        if board.cell(p) != Cell::Empty || seen.contains(p) {
            continue;
        }
        let region = flood(board, p, |q| board.cell(q) == Cell::Empty);
        for q in region.inside.iter() {
            seen.insert(q);
        }
        let Some(color) = surrounded_chain(board, &region, solid) else { continue };
        let enemy = color.other();
        let touches = |q: Point, wanted: &dyn Fn(Point) -> bool| board.adjacent(q).into_iter().any(wanted);
        let by_wall = |s: Point| solid.contains(s) && board.cell(s) == enemy.cell();
        let racers = part.iter().filter(|&q| board.cell(q) == enemy.cell()).count();
        if racers >= RACERS || !region.inside.iter().all(|q| touches(q, &by_wall)) {
            continue;
        }
        let kept: PointSet =
            region.inside.iter().filter(|&q| touches(q, &|s| board.cell(s) == color.cell())).take(KEPT).collect();
        for q in region.inside.iter().filter(|&q| !kept.contains(q)) {
            surplus[enemy.index()].insert(q);
        }
    }
    surplus
}

/// The colour of the one chain in doubt that borders on the region, if all else around it are sure stones of the enemy.
fn surrounded_chain(board: &Board, region: &Flood, solid: &PointSet) -> Option<Color> {
    let mut in_doubt = region.edge.iter().filter(|&s| !solid.contains(s));
    let first = in_doubt.next()?;
    let color = board.cell(first).color()?;
    let is_wall = |s: Point| solid.contains(s) && board.cell(s) == color.other().cell();
    let alone = region.edge.iter().all(|s| is_wall(s) || !solid.contains(s) && board.head(s) == board.head(first));
    alone.then_some(color)
}
