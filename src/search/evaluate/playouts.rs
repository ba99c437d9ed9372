//! Evaluation by playouts: one for each leaf.

use crate::go::rules::Scoring;
use crate::go::{Color, Position, score};
use crate::playout::{
    Playout, PlayoutPolicy, PolicyKind, Rng,
    shapes::MEAN,
    tactical::{Shares, Tactical},
    uniform::Uniform,
};
use crate::search::params::Params;

use super::finished::win_share;
use super::{CERTAIN, Evaluator, Leaf};

/// Evaluates each leaf by one playout.
#[derive(Debug)]
pub struct PlayoutEvaluator<P> {
    playout: Playout<P>,
}

impl<P: PlayoutPolicy> PlayoutEvaluator<P> {
    /// An evaluator with this policy.
    pub fn new(policy: P) -> Self {
        PlayoutEvaluator { playout: Playout::new(policy) }
    }
}

/// The evaluator for a kind of policy.
pub fn evaluator(kind: PolicyKind, params: &Params) -> Box<dyn Evaluator> {
    let parts = |share: f32| (share * 256.0).round() as u64;
    match kind {
        PolicyKind::Uniform => Box::new(PlayoutEvaluator::new(Uniform)),
        PolicyKind::Tactical => Box::new(PlayoutEvaluator::new(Tactical::new(Shares {
            atari: parts(params.playout_atari),
            two_liberties: parts(params.playout_two_liberties),
            nakade: parts(params.playout_nakade),
            self_atari: parts(params.playout_self_atari),
            elsewhere: (params.playout_elsewhere * MEAN as f32) as u32,
        }))),
    }
}

impl<P: PlayoutPolicy> Evaluator for PlayoutEvaluator<P> {
    fn evaluate(&mut self, leaf: &mut Leaf, rng: &mut Rng) {
        let bonus = correction(&leaf.position) - leaf.komi;
        let early = (!leaf.owners_wanted).then_some(bonus / 2);
        let end = self.playout.run(&leaf.position, [leaf.last[0], leaf.last[1]], early, rng);
        let margin = 2 * end.margin + bonus;
        let evaluation = &mut leaf.evaluation;
        evaluation.margin = margin as f32 / 2.0;
        // A first capture decides the game whatever komi is.
        let by_capture = end.decided && leaf.position.rules().first_capture;
        evaluation.value = win_share(if by_capture { end.margin } else { margin });
        evaluation.moves.clear();
        evaluation.moves.extend_from_slice(self.playout.moves());
        evaluation.knows_owners = !end.decided;
        if end.decided {
            return;
        }
        let board = self.playout.board();
        for p in board.points() {
            evaluation.ownership[p] = score::playout_owner(board, p).map_or(0, |color| color.sign() as i8 * CERTAIN);
        }
    }
}

/// What the rule set adds to the area margin of a playout, in half points.
///
/// Under territory scoring a side's stones on the board do not count, but prisoners do. Let s be the stones that a side
/// has put on the board up to the leaf. Then territory margin = area margin − (s_black − s_white), if both sides play
/// equally many stones in the rest of the game. They do so until one side passes.
fn correction(position: &Position) -> i32 {
    let board = position.board();
    let mut half_points = 0;
    if position.rules().scoring == Scoring::Territory {
        let put = |color| (board.stones(color) + board.captured(color)) as i32;
        half_points -= 2 * (put(Color::Black) - put(Color::White));
    }
    if let Some(color) = position.button() {
        half_points += color.sign();
    }
    half_points
}
