//! What came of a search.

use std::time::Duration;

use crate::go::Move;

use super::ownership::Ownership;
use super::study::Details;

/// A move at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReport {
    /// The move.
    pub mv: Move,
    /// Playouts through it.
    pub visits: u32,
    /// Mean result for the side to move, 0..=1; the root's where the move was never tried.
    pub value: f32,
    /// Prior probability.
    pub prior: f32,
    /// The expected continuation, this move first.
    pub variation: Vec<Move>,
    /// Playouts through each move of it.
    pub variation_visits: Vec<u32>,
}

/// The end or an intermediate state of a search.
#[derive(Clone)]
pub struct Report {
    /// The moves at the root, best first: most visits, then higher value.
    pub moves: Vec<MoveReport>,
    /// Playouts of this search.
    pub playouts: u64,
    /// Time it took.
    pub elapsed: Duration,
    /// Mean result for the side to move, 0..=1.
    pub value: f32,
    /// Playouts below the root, those of earlier searches included.
    pub visits: u32,
    /// Nodes in use.
    pub nodes: usize,
    /// Owners of the points at the end of the playouts of this search.
    pub ownership: Ownership,
    /// Scores and owners from a fair sample of the playouts, if that was asked for.
    pub details: Details,
}

impl Report {
    /// The best move: a pass if there is no other.
    pub fn best(&self) -> Move {
        self.moves.first().map_or(Move::Pass, |m| m.mv)
    }
}
