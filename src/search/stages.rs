//! The stages, all of them in one place, each with its switch among the tunables. [`PRIOR_STAGES`] turn the legal moves
//! of a node into children with prior probabilities. [`VALUE_STAGES`] turn the evaluation of a leaf into the result
//! that is backed up.

use crate::go::Move;

use super::evaluate::Evaluation;
use super::params::Params;
use super::prior::{self, Candidate, Opening};

/// A step on the way from legal moves to children with prior probabilities.
#[derive(Debug)]
pub struct PriorStage {
    /// Its name.
    pub name: &'static str,
    /// Is it on?
    pub is_on: fn(&Params) -> bool,
    /// Changes the candidates.
    pub apply: fn(&mut Opening<'_>, &mut Vec<Candidate>),
}

/// The prior stages in order. Before `shares` the candidates are plays with strengths. From `shares` on the pass is a
/// candidate, too, and strengths are probabilities.
pub const PRIOR_STAGES: &[PriorStage] = &[
    PriorStage { name: "policy", is_on: |params| params.policy > 0.0, apply: prior::policy::apply },
    PriorStage { name: "learned", is_on: |params| params.learned > 0.0, apply: prior::learned::apply },
    PriorStage { name: "ladders", is_on: |params| params.ladders > 0.0, apply: prior::ladders::apply },
    PriorStage { name: "advantage", is_on: |params| params.advantage > 0.0, apply: prior::advantage::apply },
    PriorStage { name: "shares", is_on: |_| true, apply: prior::shares },
    PriorStage { name: "criticality", is_on: |params| params.criticality > 0.0, apply: criticality },
    PriorStage { name: "mirror_moves", is_on: |params| params.mirror_moves > 0.0, apply: mirror_moves },
    PriorStage { name: "restrictions", is_on: |_| true, apply: restrictions },
    PriorStage { name: "rank_spread", is_on: |params| params.rank_spread > 0.0, apply: prior::spread::apply },
];

/// Fills `candidates` with the moves that become children, and their prior probabilities.
pub fn candidates(opening: &mut Opening<'_>, candidates: &mut Vec<Candidate>) {
    prior::plays(opening.position, candidates);
    for stage in PRIOR_STAGES {
        if (stage.is_on)(opening.params) {
            (stage.apply)(opening, candidates);
        }
    }
}

#[expect(clippy::ptr_arg, reason = "all stages have one type")]
fn criticality(opening: &mut Opening<'_>, candidates: &mut Vec<Candidate>) {
    if let Some(factors) = opening.criticality {
        prior::multiply(candidates, factors);
    }
}

fn mirror_moves(opening: &mut Opening<'_>, candidates: &mut Vec<Candidate>) {
    if opening.merge_twins {
        prior::twins::merge(opening.position, candidates);
    }
}

fn restrictions(opening: &mut Opening<'_>, candidates: &mut Vec<Candidate>) {
    let (color, ply) = (opening.position.to_move(), opening.ply);
    let is_forbidden = |mv: Move| opening.restrictions.iter().any(|r| r.forbids(color, mv, ply));
    let before = candidates.len();
    candidates.retain(|candidate| !is_forbidden(candidate.mv));
    if candidates.len() < before {
        share_out(candidates);
    }
    if candidates.is_empty() {
        // What is left to ask about are plays that fill an own eye.
        candidates.extend(prior::legal(opening.position).filter(|candidate| !is_forbidden(candidate.mv)));
        let share = 1.0 / candidates.len().max(1) as f32;
        candidates.iter_mut().for_each(|candidate| candidate.strength = share);
    }
}

/// Makes the probabilities of what is left add up to 1. Otherwise a search would look at one of the moves that are left
/// and never at the others, whose priors may be tiny.
fn share_out(candidates: &mut [Candidate]) {
    let sum: f32 = candidates.iter().map(|candidate| candidate.strength).sum();
    if sum > 0.0 {
        candidates.iter_mut().for_each(|candidate| candidate.strength /= sum);
    }
}

/// A step on the way from an evaluation to the result that is backed up.
#[derive(Debug)]
pub struct ValueStage {
    /// Its name.
    pub name: &'static str,
    /// Is it on?
    pub is_on: fn(&Params) -> bool,
    /// Gives Black's new result, 0..=1, from the result so far. The last argument is the number of points of the
    /// board.
    pub apply: fn(f32, &Evaluation, &Params, usize) -> f32,
}

/// The value stages in order. The first is given the value of the evaluation.
pub const VALUE_STAGES: &[ValueStage] =
    &[ValueStage { name: "score", is_on: |params| params.score_share > 0.0, apply: score }];

/// Black's result, 0..=1, of an evaluation on a board of `points` points.
pub fn result(evaluation: &Evaluation, params: &Params, points: usize) -> f32 {
    let mut result = evaluation.value;
    for stage in VALUE_STAGES {
        if (stage.is_on)(params) {
            result = (stage.apply)(result, evaluation, params, points);
        }
    }
    result
}

/// Takes a share of the result from the margin.
fn score(result: f32, evaluation: &Evaluation, params: &Params, points: usize) -> f32 {
    let full = params.score_range * points as f32;
    let by_margin = 0.5 + 0.5 * (evaluation.margin / full).clamp(-1.0, 1.0);
    result + params.score_share * (by_margin - result)
}
