//! The clocks of a game with a person: when a side has used up its time.

use std::time::Duration;

use serde_json::{Value, json};

use crate::clock::{Clock, TimeControl};
use crate::go::Color;

use super::sitting::{Loss, Sitting};

/// Is a move of this length too long for the clock?
pub(super) fn is_too_long(clock: &Clock, used: Duration) -> bool {
    let Some((left, periods)) = clock.left() else { return false };
    match clock.control() {
        TimeControl::ByoYomi { period, periods: all, .. } => {
            let most = if periods == 0 { left + period * all } else { left + period * (periods - 1) };
            used > most
        }
        // A page offers no Canadian time.
        TimeControl::Unlimited
        | TimeControl::Absolute { .. }
        | TimeControl::Fischer { .. }
        | TimeControl::Canadian { .. } => used > left,
    }
}

/// A time control as the page shows it.
pub(super) fn described(control: TimeControl) -> Value {
    match control {
        TimeControl::Absolute { main } => json!({ "kind": "absolute", "main": main.as_secs_f64() }),
        TimeControl::Fischer { main, increment, .. } => {
            json!({ "kind": "fischer", "main": main.as_secs_f64(), "increment": increment.as_secs_f64() })
        }
        TimeControl::ByoYomi { main, period, periods } => json!({
            "kind": "byo-yomi", "main": main.as_secs_f64(), "period": period.as_secs_f64(), "periods": periods,
        }),
        TimeControl::Unlimited | TimeControl::Canadian { .. } => json!({ "kind": "none" }),
    }
}

/// A clock as the page shows it: seconds left, and periods left (0 in main time).
pub(super) fn left(clock: &Clock) -> Option<(f64, u32)> {
    clock.left().map(|(left, periods)| (left.as_secs_f64(), periods))
}

impl Sitting {
    /// Has this side used up its time at the present position?
    pub(super) fn has_lost_on_time(&self, color: Color) -> bool {
        self.loss_here() == Some((color, Loss::Time))
    }

    /// The side whose clock runs, and how long it has run.
    pub(super) fn running(&self) -> Option<(Color, Duration)> {
        self.since.map(|since| (self.to_move(), self.time.since(since)))
    }

    /// Ends the game if the person has used up the time.
    pub(super) fn look_at_clock(&mut self) {
        if let Some((color, used)) = self.running()
            && self.due.is_none()
            && is_too_long(&self.clocks[color.index()], used)
        {
            self.clocks[color.index()].spend(used);
            self.lose(color, Loss::Time);
        }
    }

    /// Takes the time that the side to move has used so far off its clock. No move is made yet.
    pub(super) fn charge(&mut self) {
        if let Some((color, used)) = self.running().filter(|_| self.due.is_none()) {
            self.clocks[color.index()].charge(used);
            self.since = Some(self.time.now());
        }
    }

    /// Starts the clock of the side to move, if there is one.
    pub(super) fn start_clock(&mut self) {
        let runs = self.clocks[0].left().is_some() && !self.is_over();
        self.since = runs.then(|| self.time.now());
        self.stopped_at = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_runs_out_after_its_last_period() {
        let seconds = Duration::from_secs;
        let clock = Clock::new(TimeControl::ByoYomi { main: seconds(60), period: seconds(10), periods: 3 });
        assert!(!is_too_long(&clock, seconds(90)) && is_too_long(&clock, seconds(91)));
        let mut late = clock;
        late.spend(seconds(65));
        late.spend(seconds(15));
        assert_eq!(left(&late), Some((10.0, 2)));
        assert!(!is_too_long(&late, seconds(20)) && is_too_long(&late, seconds(21)));
        let clock = Clock::new(TimeControl::Absolute { main: seconds(60) });
        assert!(!is_too_long(&clock, seconds(60)) && is_too_long(&clock, seconds(61)));
        assert!(!is_too_long(&Clock::new(TimeControl::Unlimited), seconds(1_000_000)));
    }
}
