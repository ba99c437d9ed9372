//! What the search has learned of moves elsewhere in the tree (see `search/advantage.rs`).

use super::{Candidate, Opening};
use crate::playout::strength::exp;

/// A factor is e to this power at the most. A guess.
const MOST: f32 = 3.0;

/// Multiplies the strengths of plays that were better elsewhere than the positions before them.
pub fn apply(opening: &mut Opening<'_>, candidates: &mut Vec<Candidate>) {
    let Some(advantages) = opening.advantages else { return };
    let (position, params) = (opening.position, opening.params);
    let surroundings = &mut opening.tools.surroundings;
    surroundings.look(position.board());
    for candidate in candidates {
        if let Some(point) = candidate.mv.point() {
            let key = surroundings.key(position.to_move(), point, opening.last[0]);
            let mean = advantages.mean(key, params.advantage_least);
            if mean > 0.0 {
                candidate.strength *= exp((params.advantage * mean).min(MOST));
            }
        }
    }
}
