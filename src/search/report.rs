//! What came of a search.

use std::time::Duration;

use crate::go::{Color, Move};

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

/// The standard deviation of a sum of many small steps of scale 1 by the logistic distribution: π/√3.
const LOGISTIC: f32 = 1.813_799_4;

/// Standard deviation of margins where too few playouts were played to their end to tell: about that of an open game on
/// 19×19, which is where so few come to an end.
const DEVIATION: f32 = 20.0;
const LEAST_SAMPLES: u32 = 50;

impl Report {
    /// What the report would be with so many half points more for Black. Margins are as exact as before; win rates are
    /// estimated as if margins were distributed by the logistic curve.
    pub fn give_black(&mut self, half_points: i32, to_move: Color) {
        let points = half_points as f32 / 2.0;
        let deviation = match self.ownership.playouts() {
            LEAST_SAMPLES.. => self.ownership.margin().1.max(1.0),
            _ => DEVIATION,
        };
        self.ownership.give_black(points.into());
        self.details.give_black(points.into());
        let shift = to_move.sign() as f32 * points * LOGISTIC / deviation;
        let moved = |value: f32| {
            let odds = value / (1.0 - value).max(1e-6) * shift.exp();
            odds / (1.0 + odds)
        };
        self.value = moved(self.value);
        for mv in &mut self.moves {
            mv.value = moved(mv.value);
        }
    }

    /// The best move: a pass if there is no other.
    pub fn best(&self) -> Move {
        self.moves.first().map_or(Move::Pass, |m| m.mv)
    }
}
