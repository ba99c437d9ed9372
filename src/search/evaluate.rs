//! What a leaf of the tree is worth: the question ([`Leaf`]), the answer ([`Evaluation`]), and who is asked
//! ([`Evaluator`]). [`playouts`] evaluates by playouts, [`net`] by a net alone or beside them. [`Count`] is what the
//! owners that a net expects come to. [`finished`] holds what the rules alone say of an ended game.

mod count;
mod evaluators;
pub mod finished;
pub mod net;
pub mod playouts;

use crate::go::{Color, Move, Point, PointMap, Position};
use crate::net::planes::LAST;
use crate::playout::Rng;
use crate::playout::strength::{exp, ln};

pub use count::Count;
pub use evaluators::{Evaluators, MakeEvaluator};

/// The last moves before a position, the latest first: as many as a net looks at.
pub type LastMoves = [Point; LAST];

/// A leaf of the tree, to be evaluated.
#[derive(Debug)]
pub struct Leaf {
    /// The position.
    pub position: Position,
    /// The last moves, the latest first; [`Point::NONE`] for a pass, and before the first move.
    pub last: LastMoves,
    /// Komi and compensation in half points.
    pub komi: i32,
    /// Are the children of this leaf made next? Only then is a policy of use.
    pub opens: bool,
    /// Does the evaluation have to know owners, even if that takes longer?
    pub owners_wanted: bool,
    /// The answer.
    pub evaluation: Evaluation,
}

impl Leaf {
    /// The position at the root of a search.
    pub fn new(position: Position, komi: i32) -> Leaf {
        let last = [Point::NONE; LAST];
        Leaf { position, last, komi, opens: false, owners_wanted: false, evaluation: Evaluation::default() }
    }
}

/// What an evaluator says of a leaf. The search reuses it, so nothing is allocated.
#[derive(Debug)]
pub struct Evaluation {
    /// Black's result or chance to win: 1 won, 0.5 drawn, 0 lost.
    pub value: f32,
    /// Black's margin in points after komi.
    pub margin: f32,
    /// A second value for Black beside `value`, such as a net's beside a playout's result. The tree sums the two
    /// apart; see [`Params::second_share`](super::Params::second_share).
    pub second: Option<f32>,
    /// Moves of the playout that led to the value, for all-moves-as-first; empty if there was no playout.
    pub moves: Vec<(Color, Point)>,
    /// Who owns each point: from [`CERTAIN`] for Black to −`CERTAIN` for White. Only points of the board count.
    pub ownership: PointMap<i8>,
    /// Is `ownership` known? Not after a playout that was stopped early: dead stones still stand on its board.
    pub knows_owners: bool,
    /// How good the moves are.
    pub policy: Policy,
}

impl Default for Evaluation {
    fn default() -> Self {
        Evaluation {
            value: 0.5,
            margin: 0.0,
            second: None,
            moves: Vec::with_capacity(1024),
            ownership: PointMap::filled(0),
            knows_owners: false,
            policy: Policy::default(),
        }
    }
}

impl Evaluation {
    /// Forgets the evaluation of another leaf.
    pub(super) fn clear(&mut self) {
        self.second = None;
        self.moves.clear();
        self.knows_owners = false;
        self.policy.is_known = false;
    }
}

/// How good the moves at a leaf are.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Are the other fields known?
    pub is_known: bool,
    /// The weight of each play, 0 or more. Weights need not add up to 1; those of illegal plays do not count.
    pub plays: PointMap<f32>,
    /// The weight of a pass, on the same scale.
    pub pass: f32,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy { is_known: false, plays: PointMap::filled(0.0), pass: 0.0 }
    }
}

impl Policy {
    /// The weight of a move.
    pub fn of(&self, mv: Move) -> f32 {
        mv.point().map_or(self.pass, |point| self.plays[point])
    }

    /// The strength of a move as a prior: its weight, or a small one, to the power of `exponent`
    /// ([`policy_exponent`](super::Params::policy_exponent)).
    pub fn strength(&self, mv: Move, exponent: f32) -> f32 {
        let weight = self.of(mv).max(LEAST);
        if exponent == 1.0 { weight } else { exp(exponent * ln(weight)) }
    }
}

/// The least weight of a move in its strength, so that the search can find every move. (A guess.)
const LEAST: f32 = 1e-6;

/// Owner of a point beyond doubt, in [`Evaluation::ownership`].
pub const CERTAIN: i8 = 100;

/// Evaluates leaves. Each thread of a search has its own evaluator.
///
/// One evaluator plays playouts, another asks a net, and a third may mix the answers of other evaluators. A leaf is
/// evaluated once at each visit. An evaluator leaves the fields of [`Evaluation`] that it does not know as they are.
///
/// ```
/// use kosumi::go::{Color, Position, Ruleset};
/// use kosumi::playout::Rng;
/// use kosumi::search::evaluate::Leaf;
/// use kosumi::search::{Evaluator, Evaluators, Request, Search, SearchOptions};
///
/// /// Whoever has more stones on the board is ahead.
/// struct Stones;
///
/// impl Evaluator for Stones {
///     fn evaluate(&mut self, leaf: &mut Leaf, _rng: &mut Rng) {
///         let board = leaf.position.board();
///         let margin = board.stones(Color::Black) as f32 - board.stones(Color::White) as f32;
///         leaf.evaluation.margin = margin;
///         leaf.evaluation.value = 0.5 + 0.5 * margin.signum() * (margin != 0.0) as u8 as f32;
///     }
/// }
///
/// let mut request = Request::new(Position::new(9, Ruleset::default()), 0);
/// request.evaluators = Evaluators::made(|_params| Box::new(Stones));
/// request.limits.playouts = Some(100);
/// let report = Search::new(SearchOptions::default())?.run_alone(&request)?;
/// assert_eq!(report.playouts, 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Evaluator: Send {
    /// How many leaves the evaluator likes at once, at least 1. A thread keeps so many descents open.
    fn batch(&self) -> usize {
        1
    }

    /// Does the evaluator know a policy? Then the search makes children after the evaluation of the leaf, by the
    /// policy. Otherwise the search makes the children first, and evaluates one of them instead.
    fn knows_policy(&self) -> bool {
        false
    }

    /// Does the evaluator ever give a [second value](Evaluation::second)?
    fn gives_second(&self) -> bool {
        false
    }

    /// Evaluates a leaf: writes into `leaf.evaluation`.
    fn evaluate(&mut self, leaf: &mut Leaf, rng: &mut Rng);

    /// Evaluates several leaves, [`Evaluator::batch`] at most.
    fn evaluate_all(&mut self, leaves: &mut [&mut Leaf], rng: &mut Rng) {
        leaves.iter_mut().for_each(|leaf| self.evaluate(leaf, rng));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strength_of_the_pass_is_its_weight_to_the_same_power() {
        let policy = Policy { pass: 0.04, ..Policy::default() };
        assert!((policy.strength(Move::Pass, 0.5) - 0.2).abs() < 1e-4);
        assert_eq!(policy.strength(Move::Pass, 1.0), 0.04);
        assert!(Policy::default().strength(Move::Pass, 1.0) > 0.0, "every move can be found");
    }
}
