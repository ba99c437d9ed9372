//! The policy of an evaluator, such as a net: it takes the place of the learned strengths.

use super::{Candidate, Opening};

/// Of a play that the policy gives nothing; so every play can still be found.
const LEAST: f32 = 1e-6;

/// Sets the strengths of the plays to what the policy says, if there is one.
pub fn apply(opening: &mut Opening<'_>, candidates: &mut Vec<Candidate>) {
    if let Some(policy) = opening.policy {
        for candidate in candidates {
            candidate.strength = policy.of(candidate.mv).max(LEAST);
        }
    }
}
