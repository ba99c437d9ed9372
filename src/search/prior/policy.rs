//! The policy of an evaluator, such as a net, in the place of the learned strengths.

use super::{Candidate, Opening};

/// The least strength of a play, so that the search can find every play.
const LEAST: f32 = 1e-6;

/// Sets the strengths of the plays to the weights of the policy, if there is one.
pub fn apply(opening: &mut Opening<'_>, candidates: &mut Vec<Candidate>) {
    if let Some(policy) = opening.policy {
        for candidate in candidates {
            candidate.strength = policy.of(candidate.mv).max(LEAST);
        }
    }
}
