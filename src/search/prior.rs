//! Priors: the probability of a move before the move is tried. Each candidate has a strength, and its prior is its
//! share of all strengths (a Bradley–Terry model: Coulom 2007, "Computing Elo ratings of move patterns in the game of
//! Go").
//!
//! Knowledge is applied in stages, listed in [`stages`](super::stages). A new kind of knowledge is a file here and a
//! row there.

pub mod advantage;
pub mod features;
pub mod ladders;
pub mod learned;
pub mod model;
pub mod policy;
pub mod spatial;
pub mod spread;
pub mod twins;

use super::advantage::Advantages;
use super::evaluate::Policy;
use super::params::Params;
use super::request::{Favours, Restriction};
use super::vicinity::Vicinities;
use crate::go::ladder::Ladders;
use crate::go::rules::Scoring;
use crate::go::{Cell, Move, Point, PointMap, Position, Size};
use spatial::Spatial;

/// A node whose children are being made.
#[derive(Debug)]
pub struct Opening<'a> {
    /// The position; its side to move chooses.
    pub position: &'a Position,
    /// The last move and the one before; [`Point::NONE`] for passes.
    pub last: [Point; 2],
    /// The policy of the evaluator, if there is one.
    pub policy: Option<&'a Policy>,
    /// The factor of criticality for a play on each point, once there are enough samples.
    pub criticality: Option<&'a PointMap<f32>>,
    /// What the search has learned of moves; `None` if the search does not.
    pub advantages: Option<&'a Advantages>,
    /// Leave out moves that are images of others on a symmetric board?
    pub merge_twins: bool,
    /// Moves to leave out.
    pub restrictions: &'a [Restriction],
    /// What sets the rank of a search on several machines apart; `None` for the first rank and on one machine.
    pub favours: Option<Favours>,
    /// 0 for the children of the root.
    pub ply: usize,
    /// The tunables.
    pub params: &'a Params,
    /// Working memory.
    pub tools: &'a mut Tools,
}

impl Opening<'_> {
    /// Has the pass to be tried like a play in this node?
    pub fn weighs_pass(&self) -> bool {
        self.ply < PASS_PLIES && self.policy.is_some() && weighs_pass(self.position, self.params)
    }
}

/// Nodes above this ply from the root may weigh the pass: the root and its children.
pub const PASS_PLIES: usize = 2;

/// Has the pass to be tried like a play near the root, where an evaluator knows a policy? Under territory scoring a play
/// where nothing is left costs a point, and so does the answer. A net that knows people's records gives a pass nothing,
/// because records leave passes out. So the root and its children weigh the pass, or an analysis would fill the side's
/// own territory.
pub fn weighs_pass(position: &Position, params: &Params) -> bool {
    position.rules().scoring == Scoring::Territory && params.policy > 0.0 && params.weigh_pass > 0.0
}

/// The least prior of a pass that is weighed among so many children, the pass included: that of the mean play.
pub fn least_of_pass(children: usize) -> f32 {
    1.0 / children.max(1) as f32
}

/// Working memory, one for each thread.
#[derive(Debug)]
pub struct Tools {
    /// Reads ladders.
    pub ladders: Ladders,
    /// Hashes the surroundings of learned strengths.
    pub spatial: Spatial,
    /// The surroundings of moves that the search learns of.
    pub vicinities: Vicinities,
}

/// Plays that the ladder reader may try for all candidates of a node. A ladder across 19×19 needs about 60.
const LADDER_BUDGET: u32 = 200;

impl Tools {
    /// For boards of this size.
    pub fn new(size: Size) -> Tools {
        Tools { ladders: Ladders::new(LADDER_BUDGET), spatial: Spatial::new(size), vicinities: Vicinities::new(size) }
    }
}

/// A move that may become a child.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// The strength: 1 means no knowledge, more is better.
    pub strength: f32,
}

/// The prior of a pass, and of a pass after a pass. A first pass is seldom right. Where it is, the search finds out.
/// Both are guesses.
const PASS: f32 = 0.002;
const PASS_AFTER_PASS: f32 = 0.1;

/// Turns strengths into priors that add up to 1, and adds the pass. The prior of the pass is the policy's, or a small
/// one; where the pass has to be weighed, at least that of the mean play.
pub fn shares(opening: &mut Opening<'_>, candidates: &mut Vec<Candidate>) {
    let sum: f32 = candidates.iter().map(|c| c.strength).sum();
    let pass = match opening.policy.filter(|_| opening.params.policy > 0.0) {
        Some(policy) => {
            let pass = policy.strength(Move::Pass, opening.params.policy_exponent);
            let pass = pass / (pass + sum).max(f32::MIN_POSITIVE);
            let least = if opening.weighs_pass() { least_of_pass(candidates.len() + 1) } else { 0.0 };
            pass.max(least)
        }
        None if opening.position.consecutive_passes() > 0 => PASS_AFTER_PASS,
        None => PASS,
    };
    for candidate in candidates.iter_mut() {
        candidate.strength *= (1.0 - pass) / sum;
    }
    candidates.push(Candidate { mv: Move::Pass, strength: if candidates.is_empty() { 1.0 } else { pass } });
}

/// Multiplies the strengths of plays by factors. The sum of all strengths stays the same.
pub fn multiply(candidates: &mut [Candidate], factors: &PointMap<f32>) {
    let sum = |candidates: &[Candidate]| candidates.iter().map(|c| c.strength).sum::<f32>();
    let before = sum(candidates);
    for candidate in candidates.iter_mut() {
        candidate.strength *= candidate.mv.point().map_or(1.0, |p| factors[p]);
    }
    let rest = before / sum(candidates);
    candidates.iter_mut().for_each(|candidate| candidate.strength *= rest);
}

/// Fills `candidates` with the legal plays that fill no own eye, each of strength 1, in an order that depends on
/// the position alone.
pub fn plays(position: &Position, candidates: &mut Vec<Candidate>) {
    candidates.clear();
    let is_foolish = |c: &Candidate| c.mv.point().is_some_and(|p| fills_eye(position, p));
    candidates.extend(legal(position).filter(|candidate| !is_foolish(candidate)));
}

/// The legal plays, each of strength 1, in the order of their points. (Superko may forbid some.)
pub fn legal(position: &Position) -> impl Iterator<Item = Candidate> + '_ {
    let is_legal = |&p: &Point| position.board().cell(p) == Cell::Empty && position.is_legal_but_superko(p);
    position.board().points().filter(is_legal).map(|p| Candidate { mv: Move::Play(p), strength: 1.0 })
}

/// Puts the candidates in the order of their priors, the highest first. Equal ones go by their points, and the pass comes
/// after the plays of its prior.
pub fn order(candidates: &mut [Candidate]) {
    let place = |c: &Candidate| c.mv.point().map_or(usize::MAX, Point::index);
    candidates.sort_unstable_by(|a, b| b.strength.total_cmp(&a.strength).then_with(|| place(a).cmp(&place(b))));
}

/// Is a play there a suicide, or does it fill an own eye none of whose chains is in atari?
fn fills_eye(position: &Position, point: Point) -> bool {
    let board = position.board();
    let color = position.to_move();
    board.is_suicide(color, point)
        || board.around(point).is_eye_shape(color)
            && !board
                .adjacent(point)
                .into_iter()
                .any(|p| board.cell(p) == color.cell() && board.liberties(p).is_atari())
}
