//! Strengths learned from games of strong players.

use super::features::View;
use super::model::SHIPPED;
use super::{Candidate, Context};
use crate::playout::strength::exp;

/// Sets the strengths of the plays.
pub fn apply(context: &mut Context<'_>, candidates: &mut [Candidate]) {
    let model = &*SHIPPED;
    let tools = &mut *context.tools;
    tools.ladders.refill();
    let view = View {
        board: context.position.board(),
        color: context.position.to_move(),
        last: context.last,
        spatial: &tools.spatial,
    };
    for candidate in candidates {
        if let Some(point) = candidate.mv.point() {
            candidate.strength *= exp(model.weight(&view, point, &mut tools.ladders));
        }
    }
}
