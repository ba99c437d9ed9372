//! What a leaf of the tree is worth: the question, the answer, and who may be asked (`evaluators`). Playouts are in `playouts`; what
//! the rules alone say of a game that has ended is in `finished`.

mod evaluators;
pub mod finished;
pub mod playouts;

use crate::go::{Color, Move, Point, PointMap, Position};
use crate::playout::Rng;

pub use evaluators::{Evaluators, MakeEvaluator};

/// A leaf of the tree, to be evaluated.
#[derive(Debug)]
pub struct Leaf {
    /// The position.
    pub position: Position,
    /// The last move and the one before; [`Point::NONE`] for passes.
    pub last: [Point; 2],
    /// Komi and compensation in half points.
    pub komi: i32,
    /// Are children made of it next? Only then is a policy of use.
    pub opens: bool,
    /// Does the evaluation have to know owners, though that may take longer?
    pub owners_wanted: bool,
    /// The answer.
    pub evaluation: Evaluation,
}

impl Leaf {
    /// The position at the root of a search.
    pub fn new(position: Position, komi: i32) -> Leaf {
        let last = [Point::NONE; 2];
        Leaf { position, last, komi, opens: false, owners_wanted: false, evaluation: Evaluation::default() }
    }
}

/// What an evaluator says of a leaf. Reused, so that nothing is allocated.
#[derive(Debug)]
pub struct Evaluation {
    /// Black's share of the win: 1 won, 0.5 drawn, 0 lost.
    pub value: f32,
    /// Black's margin in points after komi.
    pub margin: f32,
    /// A second judgement beside `value`, such as a net's beside a playout's result: Black's share of the win. The tree
    /// sums it up apart from the first; see `second_share` in the tunables.
    pub second: Option<f32>,
    /// Moves of the game that led to the result, for all-moves-as-first; empty if there was none.
    pub moves: Vec<(Color, Point)>,
    /// Who owns each point: from [`CERTAIN`] for Black to −`CERTAIN` for White. Only points of the board mean
    /// anything.
    pub ownership: PointMap<i8>,
    /// Does `ownership` say anything? Not after a playout that was stopped early: what could still be captured
    /// stands on its board.
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
    /// Forgets what was said of another leaf.
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
    /// Does the rest say anything?
    pub is_known: bool,
    /// Of each play, 0 or more. They need not add up to 1; plays that are illegal do not count.
    pub plays: PointMap<f32>,
    /// Of a pass, on the same scale.
    pub pass: f32,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy { is_known: false, plays: PointMap::filled(0.0), pass: 0.0 }
    }
}

impl Policy {
    /// What it says of a move.
    pub fn of(&self, mv: Move) -> f32 {
        mv.point().map_or(self.pass, |point| self.plays[point])
    }
}

/// Owner of a point beyond doubt, in [`Evaluation::ownership`].
pub const CERTAIN: i8 = 100;

/// Judges leaves. Each thread of a search has its own.
///
/// A playout is one, a net is another; one may ask several others and mix their answers. The evaluation of a leaf is
/// asked for once at each visit. Every field of [`Evaluation`] that it knows nothing of stays as it finds it.
pub trait Evaluator: Send {
    /// How many leaves it likes to be given at once, at least 1. A thread then keeps so many descents open.
    fn batch(&self) -> usize {
        1
    }

    /// Does it know a policy? Then children are made after the leaf has been evaluated, with what the policy says.
    /// Otherwise they are made before, and the first visit of one of them is evaluated instead.
    fn knows_policy(&self) -> bool {
        false
    }

    /// Does it ever give a [second value](Evaluation::second)?
    fn gives_second(&self) -> bool {
        false
    }

    /// Writes the judgement of a leaf into `leaf.evaluation`.
    fn evaluate(&mut self, leaf: &mut Leaf, rng: &mut Rng);

    /// The same for several leaves: at most as many as [`Evaluator::batch`] says.
    fn evaluate_all(&mut self, leaves: &mut [&mut Leaf], rng: &mut Rng) {
        leaves.iter_mut().for_each(|leaf| self.evaluate(leaf, rng));
    }
}
