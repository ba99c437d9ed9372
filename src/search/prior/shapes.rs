//! The 3×3 shapes that the playouts know.

use super::{Candidate, Context};
use crate::playout::pattern::Patterns;

/// Strength of a matching shape: michi gives it 10 virtual wins, about as much as an even prior.
const SHAPE: f32 = 2.5;

/// Adjusts the strengths of the plays.
pub fn apply(context: &mut Context<'_>, candidates: &mut [Candidate]) {
    let board = context.position.board();
    let patterns = Patterns::mogo();
    for candidate in candidates {
        if let Some(p) = candidate.mv.point()
            && patterns.matches(board.around(p), context.color)
        {
            candidate.strength *= SHAPE;
        }
    }
}
