//! A request: the position to search, and all options of one search.

use crate::go::{Color, Move, Point, PointSet, Position};

use super::evaluate::{Evaluators, LastMoves};
use super::limits::Limits;
use super::params::Params;

/// The position to search, and all options. Requests to one [`Search`](super::Search) share its threads and trees
/// alone: no option is set before a search and set back after it. An example is with [`Search`](super::Search).
#[derive(Clone, Debug)]
pub struct Request {
    /// The position.
    pub position: Position,
    /// How the game came to the position. A later search finds its subtree by the history.
    pub history: History,
    /// Komi and compensation in half points.
    pub komi: i32,
    /// When the search ends.
    pub limits: Limits,
    /// The tunables.
    pub params: Params,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Who evaluates the leaves.
    pub evaluators: Evaluators,
    /// Threads, if the search is to have fewer than there are.
    pub threads: Option<usize>,
    /// Which tree the search grows.
    pub tree: WhichTree,
    /// The moves to search; `None` means all legal ones.
    pub only: Option<Vec<Move>>,
    /// Moves to leave out.
    pub restrictions: Vec<Restriction>,
    /// What the report holds besides the visits and values of the moves.
    pub knowledge: Knowledge,
    /// On a symmetric board, search only one of several moves that are images of each other?
    pub merge_twins: bool,
    /// The moves at the root that get the virtual wins of [`Params::rank_wins`]; `None` for none.
    pub favours: Option<Favours>,
}

impl Request {
    /// A search of all moves, without history and without limits, with the default tunables and seed 0. Komi is in half
    /// points.
    pub fn new(position: Position, komi: i32) -> Request {
        Request {
            history: History::of(&position),
            position,
            komi,
            limits: Limits::default(),
            params: Params::default(),
            seed: 0,
            evaluators: Evaluators::default(),
            threads: None,
            tree: WhichTree::Kept,
            only: None,
            restrictions: Vec::new(),
            knowledge: Knowledge::default(),
            merge_twins: false,
            favours: None,
        }
    }

    /// The last moves before the position.
    pub(super) fn last_points(&self) -> LastMoves {
        let mut points = self.history.moves.iter().rev().map(|(_, mv)| mv.point().unwrap_or(Point::NONE));
        std::array::from_fn(|_| points.next().unwrap_or(Point::NONE))
    }

    /// Are twins left out? Not where the request names moves: a named move could be a twin. And not after a capture, when
    /// superko may forbid a move and not its twin.
    pub(super) fn leaves_out_twins(&self) -> bool {
        let names_moves = self.only.is_some() || !self.restrictions.is_empty();
        let may_repeat = Color::BOTH.iter().any(|&color| self.position.board().captured(color) > 0);
        self.merge_twins && self.params.mirror_moves > 0.0 && !names_moves && !may_repeat
    }
}

/// Moves at the root that a search prefers, so that the ranks of a search on several machines differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Favours {
    /// The number of the first one, in the order in which the tree has them.
    pub first: usize,
    /// From one to the next; more than `first`.
    pub step: usize,
}

impl Favours {
    /// Is the move of this number one of them?
    #[inline]
    pub fn holds_for(&self, number: usize) -> bool {
        number % self.step.max(1) == self.first
    }
}

/// The moves that led to a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// Hash of the stones before the first of `moves`.
    pub start_hash: u64,
    /// The moves, oldest first.
    pub moves: Vec<(Color, Move)>,
}

impl History {
    /// The history of a position without a past.
    pub fn of(position: &Position) -> History {
        History { start_hash: position.board().hash(), moves: Vec::new() }
    }
}

/// Which tree a search grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhichTree {
    /// The large tree. A search begins with what the tree has of its position, and its findings stay.
    #[default]
    Kept,
    /// A small tree that begins empty: for a question aside, which leaves the large tree as it is.
    Aside,
}

/// What a search finds out besides visits and values. (Owners are always collected where they cost nothing.)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Knowledge {
    /// Scores and owners for each move at the root, from a sample of the leaves.
    pub details: bool,
    /// Owners from each leaf, even if that takes longer.
    pub owners: bool,
    /// How far the end of the game may be from the expected margin, see
    /// [`Report::spread_of_net`](super::Report::spread_of_net). A search with details says it in any case.
    pub spread: bool,
}

/// Moves of one side that are left out near the root.
#[derive(Clone, Debug, PartialEq)]
pub struct Restriction {
    /// The side.
    pub color: Color,
    /// The points that the side does not play on.
    pub points: PointSet,
    /// Is its pass left out, too?
    pub pass: bool,
    /// The number of plies from the root for which this holds: 1 is the move at the root alone.
    pub plies: usize,
}

impl Restriction {
    /// Is this move left out? `ply` is 0 for the move at the root.
    pub fn forbids(&self, color: Color, mv: Move, ply: usize) -> bool {
        color == self.color
            && ply < self.plies
            && match mv {
                Move::Play(point) => self.points.contains(point),
                Move::Pass => self.pass,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_restriction_holds_for_its_side_its_moves_and_its_plies() {
        let [a1, b2] = [Point::new(0, 0, 9), Point::new(1, 1, 9)];
        let restriction =
            Restriction { color: Color::White, points: [a1].into_iter().collect(), pass: false, plies: 2 };
        assert!(restriction.forbids(Color::White, Move::Play(a1), 0));
        assert!(restriction.forbids(Color::White, Move::Play(a1), 1));
        assert!(!restriction.forbids(Color::White, Move::Play(a1), 2));
        assert!(!restriction.forbids(Color::Black, Move::Play(a1), 0));
        assert!(!restriction.forbids(Color::White, Move::Play(b2), 0));
        assert!(!restriction.forbids(Color::White, Move::Pass, 0));
    }
}
