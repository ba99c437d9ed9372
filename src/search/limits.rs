//! When a search ends. The search knows durations and counts; clocks are the engine's.

use std::time::Duration;

/// What ends a search; whichever comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Playouts of this search, in all threads together.
    pub playouts: Option<u64>,
    /// Playouts that it makes at the least, at once and whatever else it is told, so that there is something to report.
    pub least: u64,
    /// Time after which it ends unless the best move is still in doubt.
    pub soft: Option<Duration>,
    /// Time after which it ends whatever it has found.
    pub hard: Option<Duration>,
    /// May it end before that?
    pub early_stop: EarlyStop,
}

/// When a search ends early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EarlyStop {
    /// Never.
    #[default]
    Never,
    /// When next to all playouts go to one move.
    Obvious,
    /// Also when no other move can overtake the best one within the limits. What could still be learned then is of use
    /// to the next search only.
    Decided,
}
