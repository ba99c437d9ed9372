//! Strengths learned from games of strong players.

use super::features::Surroundings;
use super::model::SHIPPED;
use super::{Candidate, Opening};
use crate::playout::strength::exp;

/// Sets the strengths of the plays, unless a policy has set them.
pub fn apply(opening: &mut Opening<'_>, candidates: &mut Vec<Candidate>) {
    if opening.policy.is_some() && opening.params.policy > 0.0 {
        return;
    }
    let model = &*SHIPPED;
    let tools = &mut *opening.tools;
    tools.ladders.refill();
    let view = Surroundings {
        board: opening.position.board(),
        color: opening.position.to_move(),
        last: opening.last,
        spatial: &tools.spatial,
    };
    for candidate in candidates {
        if let Some(point) = candidate.mv.point() {
            candidate.strength *= exp(model.weight(&view, point, &mut tools.ladders));
        }
    }
}
