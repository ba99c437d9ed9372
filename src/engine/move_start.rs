//! A move on the clock.

use std::time::{Duration, Instant};

use crate::go::Color;

/// A move on the clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveStart {
    /// The side to move.
    pub(super) color: Color,
    /// Since when the move runs.
    pub(super) start: Instant,
    /// A fair share of time for the search; `None` if no time limits the search.
    pub(super) fair: Option<Duration>,
}
