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
    /// The longest time that the settings give to the move, with all that comes after its search; `None` if they set no
    /// limit. The clock may leave less.
    pub(super) most: Option<Duration>,
}
