//! Searches besides the one for the move: short ones for the decisions after it.

use std::sync::Arc;
use std::time::Duration;

use crate::clock;
use crate::go::{Move, Position};
use crate::search::{EarlyStop, Limits, Report, Request, WhichTree};

use super::asking::Manner;
use super::move_start::MoveStart;
use super::{Engine, EngineError};

/// The longest time of a search besides the one for the move. A guess: a person hardly notices it.
const SIDE_TIME: Duration = Duration::from_millis(200);

/// A move has up to ten such searches. Where it has next to no time, each of them gets so much, if the clock has it: a
/// hundred playouts on 19×19. (A guess, as is the sixth of the time for the move.)
const LEAST_SIDE_TIME: Duration = Duration::from_millis(10);

/// Playouts, at the most, of each search that compares moves. A guess.
const COMPARE_PLAYOUTS: u64 = 600;

/// The share of the margin in the value of such a search. A guess.
const POINTS_SHARE: f32 = 0.5;

impl Engine {
    /// A short search whose playouts are all played to their end. The kept tree stays as it is.
    pub(super) fn side_search(
        &mut self,
        position: &Position,
        playouts: u64,
        manner: &mut Manner,
    ) -> Result<Arc<Report>, EngineError> {
        let limits = self.side_limits(playouts);
        let request = self.request_aside(manner, position, limits);
        Ok(self.ask(request, &mut |_| {})?)
    }

    /// A short search of these moves alone by playouts, in which points count as much as the game. The kept tree stays
    /// as it is.
    pub(super) fn search_for_points(
        &mut self,
        position: &Position,
        only: &[Move],
        manner: &mut Manner,
    ) -> Result<Arc<Report>, EngineError> {
        let limits = self.side_limits(COMPARE_PLAYOUTS);
        let request = self.request_aside(manner, position, limits);
        self.ask_for_points(request, only)
    }

    /// A short search of these moves alone by the usual evaluators, in which points count as much as the game. The kept
    /// tree stays as it is.
    pub(super) fn search_apart(
        &mut self,
        position: &Position,
        only: &[Move],
        manner: &mut Manner,
    ) -> Result<Arc<Report>, EngineError> {
        let limits = self.side_limits(COMPARE_PLAYOUTS);
        let request = Request { tree: WhichTree::Aside, ..self.request(manner, position, limits) };
        self.ask_for_points(request, only)
    }

    fn ask_for_points(&mut self, mut request: Request, only: &[Move]) -> Result<Arc<Report>, EngineError> {
        request.params.score_share = POINTS_SHARE;
        request.only = Some(only.to_vec());
        Ok(self.ask(request, &mut |_| {})?)
    }

    /// Limits of a search besides the one for the move. Such a search gets a small part of the time that the search for
    /// the move has, of the rest of the clock, and of what the settings leave for this move. With a fixed number of
    /// playouts and without a clock, it ends at the same playout on every machine.
    pub(super) fn side_limits(&self, playouts: u64) -> Limits {
        let on_the_clock = self.move_start.and_then(|MoveStart { color, start, fair, most }| {
            let spent = self.time.since(start);
            let clock = self.clock(color).longest().map(|left| left.saturating_sub(spent));
            let clock = clock.map(|left| clock::without(left, self.options().lag) / 8);
            let rest = most.map(|most| (most.saturating_sub(spent) / 2).max(LEAST_SIDE_TIME));
            let left = clock.into_iter().chain(rest).min()?;
            Some(fair.map_or(SIDE_TIME, |fair| (fair / 6).clamp(LEAST_SIDE_TIME, SIDE_TIME)).min(left))
        });
        let hard = on_the_clock.or_else(|| (!self.has_fixed_playouts()).then_some(SIDE_TIME));
        Limits { playouts: Some(playouts), hard, early_stop: EarlyStop::Never, ..Limits::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TimeControl;
    use crate::engine::{EngineOptions, Interrupt};
    use crate::go::Color;

    const fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// The longest time of a side search when the choice of a move of 0.4 s has taken so long.
    fn longest(spent: Duration, control: TimeControl) -> Option<Duration> {
        let mut options = EngineOptions { time_per_move: millis(400), longest_move: millis(400), ..Default::default() };
        options.search.time = crate::time::TimeSource::stopped();
        let time = options.search.time.clone();
        let mut engine = Engine::new(options, Interrupt::default()).expect("an engine");
        engine.set_time_control(control);
        engine.begin_choice(Color::Black, true);
        time.advance(spent);
        engine.side_limits(100).hard
    }

    #[test]
    fn decisions_get_what_the_settings_leave_of_a_move() {
        for control in [TimeControl::Unlimited, TimeControl::Absolute { main: millis(3_600_000) }] {
            assert_eq!(longest(millis(360), control), Some(millis(20)), "half of the rest");
            assert_eq!(longest(millis(900), control), Some(LEAST_SIDE_TIME), "the time is over");
            assert!(longest(Duration::ZERO, control) <= Some(millis(400) / 6), "a small part of the search's time");
        }
    }
}
