//! What the engine thought of a move that it was asked for, kept for later questions.

use std::sync::Arc;

use crate::go::Color;
use crate::search::{Margin, Report};

use super::decision::Decision;

/// Playouts from which the owners of the points show the score.
const LEAST_SAMPLES: u64 = 50;

/// A move that the engine was asked for, and the report of the search for it. A [`Report`] is what a search found; a
/// thought adds what the engine decided.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The side that was to move.
    pub color: Color,
    /// The engine's decision.
    pub decision: Decision,
    /// Moves of the game before this move.
    pub moves_before: usize,
    /// Does the report tell the score? It does not where the next pass would have needed an agreement: such a search sees
    /// its own pass end the game with all dead stones on the board.
    pub knows_score: bool,
    /// The search's report. The decision can differ from the report's best move: it is a pass where nothing is left to
    /// play for.
    pub report: Arc<Report>,
}

impl Thought {
    /// A decision for a side after so many moves of the game, with the search's report.
    pub(super) fn new(
        color: Color,
        decision: Decision,
        moves_before: usize,
        knows_score: bool,
        report: Arc<Report>,
    ) -> Thought {
        Thought { color, decision, moves_before, knows_score, report }
    }

    /// The expected margin. A search without details knows that of the playouts that were played to their end, and
    /// `None` after too few of them.
    pub fn margin(&self) -> Option<Margin> {
        let of_playouts = || {
            let (points, deviation) = self.report.ownership.margin();
            Margin { points, deviation: deviation.hypot(self.report.spread_of_net) }
        };
        self.report.margin.or_else(|| (self.report.ownership.playouts() >= LEAST_SAMPLES).then(of_playouts))
    }
}
