//! What the engine thought of a move that it was asked for: for those who want to know afterwards.

use std::sync::Arc;

use crate::go::Color;
use crate::search::Report;

use super::decision::Decision;

/// Playouts from which the owners of the points tell the score.
const LEAST_SAMPLES: u64 = 50;

/// A move that was asked for, and the search before it.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The side that was to move.
    pub color: Color,
    /// What it decided.
    pub decision: Decision,
    /// Moves of the game before it.
    pub moves_before: usize,
    /// What the search for it found. What was decided can be another move than the best found: a pass where nothing
    /// is left, for one.
    pub report: Arc<Report>,
}

impl Thought {
    /// What a search for a side's move found, and what was decided after so many moves of the game.
    pub(super) fn new(color: Color, decision: Decision, moves_before: usize, report: Arc<Report>) -> Thought {
        Thought { color, decision, moves_before, report }
    }

    /// Black's expected margin after komi in points and its standard deviation; `None` after too few playouts.
    pub fn margin(&self) -> Option<(f32, f32)> {
        (self.report.ownership.playouts() >= LEAST_SAMPLES).then(|| self.report.ownership.margin())
    }
}
