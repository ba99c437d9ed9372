//! Strengths learned from games of strong players.

use super::features::Surroundings;
use super::model::SHIPPED;
use super::{Candidate, Opening, ladders};
use crate::playout::strength::exp;
use crate::search::params::Params;

/// Multiplies the strengths of the plays by the learned ones. Beside a policy these count by an exponent.
pub fn apply(opening: &mut Opening<'_>, candidates: &mut Vec<Candidate>) {
    let has_policy = opening.policy.is_some() && opening.params.policy > 0.0;
    let exponent = if has_policy { beside_policy(opening) } else { 1.0 };
    if exponent == 0.0 {
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
            candidate.strength *= exp(exponent * model.weight(&view, point, &mut tools.ladders));
        }
    }
}

fn beside_policy(opening: &Opening<'_>) -> f32 {
    let Params { learned_beside, learned_in_ladders, .. } = *opening.params;
    if learned_in_ladders > learned_beside && ladders::may_go_on(opening) { learned_in_ladders } else { learned_beside }
}
