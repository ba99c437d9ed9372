//! What is to be searched, and everything that is special about one search.

use crate::go::{Color, Move, Point, PointSet, Position};

use super::evaluate::Evaluators;
use super::limits::Limits;
use super::params::Params;

/// What is to be searched, and how. Two searches of one [`Search`](super::Search) share nothing but its threads and its
/// memory: nothing is set before a search and set back after it.
#[derive(Clone, Debug)]
pub struct Request {
    /// The position.
    pub position: Position,
    /// How the game came to it: what lets a later search find its subtree again.
    pub history: History,
    /// Komi and compensation in half points.
    pub komi: i32,
    /// When to end.
    pub limits: Limits,
    /// The tunables.
    pub params: Params,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Who judges the leaves.
    pub evaluators: Evaluators,
    /// Threads, if it is to have fewer than there are.
    pub threads: Option<usize>,
    /// Which tree it grows.
    pub memory: WhichTree,
    /// The moves to look at; all legal ones if there are none named.
    pub only: Option<Vec<Move>>,
    /// Moves to leave out.
    pub restrictions: Vec<Restriction>,
    /// What to find out besides the visits and values of the moves.
    pub knowledge: Knowledge,
    /// Of moves that are images of each other on a symmetric board, look at one alone?
    pub merge_twins: bool,
}

impl Request {
    /// A search of all moves of a position of which no history is known, without limits, with the default tunables and
    /// seed 0.
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
            memory: WhichTree::Kept,
            only: None,
            restrictions: Vec::new(),
            knowledge: Knowledge::default(),
            merge_twins: false,
        }
    }

    /// The points of the last two moves before the position, the later one first; [`Point::NONE`] for a pass or none.
    pub(super) fn last_points(&self) -> [Point; 2] {
        let mut points = self.history.moves.iter().rev().map(|(_, mv)| mv.point().unwrap_or(Point::NONE));
        [points.next().unwrap_or(Point::NONE), points.next().unwrap_or(Point::NONE)]
    }

    /// Are twins left out? One of them could be just the move that is asked for, so they stay then.
    pub(super) fn leaves_out_twins(&self) -> bool {
        self.merge_twins && self.only.is_none() && self.restrictions.is_empty() && self.params.mirror_moves > 0.0
    }
}

/// The way to a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// Hash of the stones before the first of `moves`.
    pub start_hash: u64,
    /// The moves since.
    pub moves: Vec<(Color, Move)>,
}

impl History {
    /// A position without a past.
    pub fn of(position: &Position) -> History {
        History { start_hash: position.board().hash(), moves: Vec::new() }
    }
}

/// Which of its trees a search grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhichTree {
    /// The large one: it begins with what is known of the position, and what it finds is kept for the next search.
    #[default]
    Kept,
    /// A small one that begins empty: a question aside, which leaves the large tree as it is.
    Aside,
}

/// What a search finds out besides the visits and values of the moves, and owners as far as they come for nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Knowledge {
    /// Scores and owners for each move at the root, from a sample of the leaves.
    pub details: bool,
    /// Owners from each leaf, though that takes longer.
    pub owners: bool,
}

/// Moves of one side that are left out near the root.
#[derive(Clone, Debug, PartialEq)]
pub struct Restriction {
    /// Whose moves.
    pub color: Color,
    /// The points that it does not play on.
    pub points: PointSet,
    /// Does it not pass, either?
    pub pass: bool,
    /// For so many plies from the root on: 1 is the move at the root alone.
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
