//! The time of one side in a game, as the referee counts it: how long the next move may take, whether a move was late,
//! and what the engine is told.
//!
//! Nothing is measured here: the contest says how long a move took. Time is counted exactly; only the words of
//! `time_left` are rounded, and always down.

use std::time::Duration;

use crate::clock::{Clock, TimeControl};

/// Keeps the time of one side.
#[derive(Clone, Copy, Debug)]
pub struct Timekeeper {
    clock: Clock,
    /// Longest time for a move, besides the clock.
    move_time: Option<Duration>,
    /// The time by which each move may exceed that limit.
    margin: Duration,
    /// The rest of the margin of the clock. There is one margin for the whole game.
    reserve: Duration,
}

/// A move that took too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{:.2} s for a move, {:.2} s left", used.as_secs_f64(), left.as_secs_f64())]
pub struct Late {
    /// The time that the move took.
    pub used: Duration,
    /// The time that the move might have taken, without any margin.
    pub left: Duration,
}

impl Timekeeper {
    /// At the start of a game.
    pub fn new(control: TimeControl, move_time: Option<Duration>, margin: Duration) -> Timekeeper {
        Timekeeper { clock: Clock::new(control), move_time, margin, reserve: margin }
    }

    /// The longest that the next move may take, margins included; `None` without a limit.
    pub fn limit(&self) -> Option<Duration> {
        let by_clock = self.until_flag().map(|left| left + self.reserve);
        least(by_clock, self.move_time.map(|most| most + self.margin))
    }

    /// Takes a move's time off the clock. Time beyond the clock comes off the margin.
    ///
    /// # Errors
    /// If the move took longer than [`Timekeeper::limit`].
    pub fn spend(&mut self, used: Duration) -> Result<(), Late> {
        let on_clock = self.until_flag();
        let late = self.limit().is_some_and(|limit| used > limit);
        if let Some(left) = on_clock {
            self.reserve = self.reserve.saturating_sub(used.saturating_sub(left));
        }
        self.clock.spend(used);
        if late { Err(Late { used, left: least(on_clock, self.move_time).unwrap_or_default() }) } else { Ok(()) }
    }

    /// What `time_left` says after the colour: seconds, and stones to be played in them (0 in main time). `None`
    /// without a clock.
    ///
    /// With `fractions` there are milliseconds. GTP itself has whole seconds only (version 2 draft 2, §4.2), and `0 0`
    /// would mean that the time is over. So the last part of a second of main time is left out where a period follows.
    pub fn words(&self, fractions: bool) -> Option<String> {
        let (left, stones) = self.clock.left()?;
        Some(match self.clock.control() {
            TimeControl::Canadian { period, stones, .. }
                if left.as_secs() == 0 && !fractions && self.in_main_time() =>
            {
                format!("{} {stones}", period.as_secs())
            }
            _ if fractions && left.subsec_millis() > 0 => {
                format!("{}.{:03} {stones}", left.as_secs(), left.subsec_millis())
            }
            _ => format!("{} {stones}", left.as_secs()),
        })
    }

    fn in_main_time(&self) -> bool {
        self.clock.left().is_some_and(|(_, stones)| stones == 0)
    }

    /// How long the next move may take before the clock has run out.
    fn until_flag(&self) -> Option<Duration> {
        let (left, _) = self.clock.left()?;
        Some(match self.clock.control() {
            TimeControl::Canadian { period, .. } if self.in_main_time() => left + period,
            TimeControl::Canadian { .. } | TimeControl::Absolute { .. } | TimeControl::Fischer { .. } => left,
            // A match has no such clocks.
            TimeControl::ByoYomi { .. } | TimeControl::Unlimited => left,
        })
    }
}

fn least(a: Option<Duration>, b: Option<Duration>) -> Option<Duration> {
    a.into_iter().chain(b).min()
}
