//! Height above the edge, in the opening: where no stone is near, the third and fourth lines are worth most.

use super::{Candidate, Context};
use crate::go::{Cell, Point};

/// Strength of the first to fourth line (Coulom 2007, table 1); further in is 1.
const LINES: [f32; 4] = [0.89, 1.49, 1.75, 1.28];

/// The same where no stone lies within [`EMPTY_REACH`]: nobody opens on the first two lines. These steps are our
/// own, after michi's empty-area prior.
const EMPTY_LINES: [f32; 4] = [0.02, 0.15, 2.5, 2.0];
const EMPTY_REACH: usize = 3;

/// Adjusts the strengths of the plays.
pub fn apply(context: &mut Context<'_>, candidates: &mut [Candidate]) {
    let board = context.position.board();
    let size = board.size();
    for candidate in candidates {
        let Some(p) = candidate.mv.point() else { continue };
        let (x, y) = (p.column(size), p.row(size));
        let line = x.min(y).min(size - 1 - x).min(size - 1 - y);
        let table = if size >= 9 && is_empty_area(context, x, y) { &EMPTY_LINES } else { &LINES };
        candidate.strength *= table.get(line).copied().unwrap_or(1.0);
    }
}

fn is_empty_area(context: &Context<'_>, x: usize, y: usize) -> bool {
    let board = context.position.board();
    let size = board.size();
    let range = |at: usize| at.saturating_sub(EMPTY_REACH)..=(at + EMPTY_REACH).min(size - 1);
    range(x).all(|column| range(y).all(|row| board.cell(Point::new(column, row, size)) == Cell::Empty))
}
