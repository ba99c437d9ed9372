//! The policy of an evaluator, such as a net, in the place of the learned strengths.

use super::{Candidate, Opening};

/// Sets the strengths of the plays to those of the policy, if there is one.
pub fn apply(opening: &mut Opening<'_>, candidates: &mut Vec<Candidate>) {
    if let Some(policy) = opening.policy {
        for candidate in candidates {
            candidate.strength = policy.strength(candidate.mv, opening.params.policy_exponent);
        }
    }
}
