//! Nearness to the last two moves.

use super::{Candidate, Context};
use crate::go::Point;

/// Strength by distance to the last move and to the one before, from distance 2 on (Coulom 2007, table 1; the
/// values that lie between those printed there are interpolated).
const LAST: [f32; 16] = [4.32, 2.84, 2.22, 1.58, 1.33, 1.23, 1.18, 1.14, 1.11, 1.07, 1.04, 1.02, 1.0, 0.97, 0.93, 0.9];
const BEFORE_LAST: [f32; 16] =
    [3.08, 2.38, 2.27, 1.68, 1.64, 1.49, 1.36, 1.25, 1.16, 1.08, 1.03, 1.0, 0.98, 0.95, 0.92, 0.9];

/// The distance of that paper: |dx| + |dy| + max(|dx|, |dy|).
fn distance(a: Point, b: Point, size: usize) -> usize {
    let dx = a.column(size).abs_diff(b.column(size));
    let dy = a.row(size).abs_diff(b.row(size));
    dx + dy + dx.max(dy)
}

/// Adjusts the strengths of the plays.
pub fn apply(context: &mut Context<'_>, candidates: &mut [Candidate]) {
    let size = context.position.size();
    for (center, table) in context.last.into_iter().zip([&LAST, &BEFORE_LAST]) {
        if center == Point::NONE {
            continue;
        }
        for candidate in candidates.iter_mut() {
            if let Some(p) = candidate.mv.point() {
                let place = distance(p, center, size).saturating_sub(2).min(table.len() - 1);
                candidate.strength *= table[place];
            }
        }
    }
}
