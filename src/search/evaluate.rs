//! What a leaf is worth: playouts today; a net can join as another [`Evaluator`].

use crate::go::rules::Scoring;
use crate::go::{Board, Color, Point, PointMap, PointSet, Position, Statuses, score};
use crate::playout::{
    Playout, PlayoutPolicy, PolicyKind, Rng,
    shapes::MEAN,
    tactical::{Shares, Tactical},
    uniform::Uniform,
};

use super::params::Params;
use super::prior;

/// A leaf of the tree, to be evaluated.
pub struct Leaf<'a> {
    /// The position.
    pub position: &'a Position,
    /// The last move and the one before; [`Point::NONE`] for passes.
    pub last: [Point; 2],
    /// Komi and compensation in half points.
    pub komi: i32,
}

impl Leaf<'_> {
    /// The margin in half points after komi if the game has ended here: by a first capture, a cycle, or two passes.
    ///
    /// Under area scoring every stone on the board counts then. (By agreement dead stones would be taken off; the
    /// search does not rely on that.) Under territory scoring nobody has to capture what is dead, so there the
    /// owners at the end of a playout say which chains are; what no border closes is still nobody's.
    pub fn ended(&self, playout: &Evaluation) -> Option<i32> {
        let position = self.position;
        if !position.is_over() {
            return None;
        }
        if let Some(color) = position.first_to_capture() {
            // The whole board, as in playouts: no capture is worth more than another, so the next one is best.
            return Some(color.sign() * 2 * (position.size() * position.size()) as i32);
        }
        if position.is_cycle() {
            return Some(0);
        }
        let statuses = match position.rules().scoring {
            Scoring::Area => Statuses::ALL_ALIVE,
            Scoring::Territory if playout.knows_owners => {
                Statuses { dead: lost_chains(position.board(), &playout.ownership), ..Statuses::ALL_ALIVE }
            }
            Scoring::Territory => return None,
        };
        Some(score::count(position, &statuses).0 - self.komi)
    }
}

/// The chains most of whose points the other side owns.
fn lost_chains(board: &Board, ownership: &PointMap<i8>) -> PointSet {
    let mut lost = PointSet::EMPTY;
    for p in board.points().filter(|&p| board.cell(p).color().is_some() && board.head(p) == p) {
        let owned: i32 = board.chain(p).map(|stone| i32::from(ownership[stone])).sum();
        if board.cell(p).color().is_some_and(|color| owned * color.sign() < 0) {
            for stone in board.chain(p) {
                lost.insert(stone);
            }
        }
    }
    lost
}

/// What an evaluator says of a leaf. Reused, so that nothing is allocated.
pub struct Evaluation {
    /// Black's share of the win: 1 won, 0.5 drawn, 0 lost.
    pub value: f32,
    /// Black's margin in points after komi.
    pub margin: f32,
    /// Moves of the game that led to the result, for all-moves-as-first; empty if there was none.
    pub moves: Vec<(Color, Point)>,
    /// Who owns each point: from [`CERTAIN`] for Black to −`CERTAIN` for White. Only points of the board mean
    /// anything.
    pub ownership: PointMap<i8>,
    /// Does `ownership` say anything? Not after a playout that was stopped early: what could still be captured
    /// stands on its board.
    pub knows_owners: bool,
}

impl Default for Evaluation {
    fn default() -> Self {
        Evaluation {
            value: 0.5,
            margin: 0.0,
            moves: Vec::with_capacity(1024),
            ownership: PointMap::filled(0),
            knows_owners: false,
        }
    }
}

impl Evaluation {
    /// Puts the result of a game that has ended by the rules in the place of a judgement.
    pub fn settle(&mut self, margin: i32) {
        self.margin = margin as f32 / 2.0;
        self.value = win_share(margin);
        self.moves.clear();
    }
}

/// Black's share of a win by a margin.
fn win_share(margin: i32) -> f32 {
    match margin.signum() {
        1 => 1.0,
        0 => 0.5,
        _ => 0.0,
    }
}

/// Owner of a point beyond doubt, in [`Evaluation::ownership`].
pub const CERTAIN: i8 = 100;

/// Judges leaves, and knows something of moves before they are tried. Each thread has its own.
///
/// A net that gives value, owners and probabilities of moves is one of these; it may keep what it has computed for a
/// position from one of the two calls to the other. See [`Search::with_evaluators`](super::Search::with_evaluators).
pub trait Evaluator: Send {
    /// Changes the strengths of the plays of a node whose children are being made (passes are left alone): by default
    /// all [`SOURCES`](prior::SOURCES) do, one after another.
    fn strengths(&mut self, context: &mut prior::Context<'_>, candidates: &mut [prior::Candidate]) {
        for (_, source) in prior::SOURCES {
            source(context, candidates);
        }
    }

    /// Writes the judgement of a leaf into `evaluation`.
    fn evaluate(&mut self, leaf: &Leaf<'_>, rng: &mut Rng, evaluation: &mut Evaluation);
}

/// One playout a leaf.
pub struct PlayoutEvaluator<P> {
    playout: Playout<P>,
    to_the_end: bool,
}

impl<P: PlayoutPolicy> PlayoutEvaluator<P> {
    /// Evaluates by playouts of this policy.
    /// `to_the_end`: never stop one early.
    pub fn new(policy: P, to_the_end: bool) -> Self {
        PlayoutEvaluator { playout: Playout::new(policy), to_the_end }
    }
}

/// The evaluator that plays playouts of a policy chosen by name.
pub fn playouts(kind: PolicyKind, params: &Params, to_the_end: bool) -> Box<dyn Evaluator> {
    let parts = |share: f32| (share * 256.0).round() as u64;
    match kind {
        PolicyKind::Uniform => Box::new(PlayoutEvaluator::new(Uniform, to_the_end)),
        PolicyKind::Tactical => Box::new(PlayoutEvaluator::new(
            Tactical::new(Shares {
                atari: parts(params.playout_atari),
                two_liberties: parts(params.playout_two_liberties),
                nakade: parts(params.playout_nakade),
                self_atari: parts(params.playout_self_atari),
                elsewhere: (params.playout_elsewhere * MEAN as f32) as u32,
            }),
            to_the_end,
        )),
    }
}

impl<P: PlayoutPolicy> Evaluator for PlayoutEvaluator<P> {
    fn evaluate(&mut self, leaf: &Leaf<'_>, rng: &mut Rng, evaluation: &mut Evaluation) {
        let bonus = correction(leaf.position) - leaf.komi;
        let early = (!self.to_the_end).then_some(bonus / 2);
        let end = self.playout.run(leaf.position, leaf.last, early, rng);
        let margin = 2 * end.margin + bonus;
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
/// Under territory scoring a side's stones on the board do not count but its prisoners do. With s stones put on the
/// board by a side up to the leaf, territory margin = area margin − (s_black − s_white), provided both sides play
/// equally many stones in the rest of the game, as they do until one of them would rather pass.
pub fn correction(position: &Position) -> i32 {
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
