//! The policy of an evaluator, such as a net, in the place of the learned strengths.

use super::{Candidate, Opening};
use crate::playout::strength::{exp, ln};

/// The least strength of a play, so that the search can find every play.
const LEAST: f32 = 1e-6;

/// Sets the strengths of the plays to the weights of the policy, to the power of
/// [`policy_exponent`](super::Params::policy_exponent), if there is a policy.
pub fn apply(opening: &mut Opening<'_>, candidates: &mut Vec<Candidate>) {
    if let Some(policy) = opening.policy {
        let exponent = opening.params.policy_exponent;
        for candidate in candidates {
            let weight = policy.of(candidate.mv).max(LEAST);
            candidate.strength = if exponent == 1.0 { weight } else { exp(exponent * ln(weight)) };
        }
    }
}
