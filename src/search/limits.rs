//! When a search ends: durations and counts. Clocks belong to the engine.

use std::time::Duration;

/// What ends a search. The first limit that is reached counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Playouts of this search, in all threads together.
    pub playouts: Option<u64>,
    /// Visits of the root, those of earlier searches included. A search makes one playout at least.
    pub visits: Option<u64>,
    /// Playouts that the search makes first, whatever stops or other limits say: so there is something to report.
    pub least: u64,
    /// Time after which the search ends, unless the best move is in doubt.
    pub soft: Option<Duration>,
    /// Time after which the search ends in any case.
    pub hard: Option<Duration>,
    /// May the search end before its limits?
    pub early_stop: EarlyStop,
}

/// When a search ends early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EarlyStop {
    /// Never.
    #[default]
    Never,
    /// When next to all playouts go to one move. But where a net evaluates alone and the game is open, the search goes
    /// on: most of its visits serve the next search.
    Obvious,
    /// Also when no other move can overtake the best one within the limits. More playouts would serve the next search
    /// only.
    Decided,
}
