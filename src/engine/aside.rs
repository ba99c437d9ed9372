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

    /// Limits of a search besides the one for the move. On the clock, such a search gets a small part of the time that the
    /// search for the move has, and of the rest of the clock. Without a clock and with a fixed number of playouts, a search
    /// ends at the same playout on every machine.
    pub(super) fn side_limits(&self, playouts: u64) -> Limits {
        let on_the_clock = self.move_start.and_then(|MoveStart { color, start, fair }| {
            let left = self.clock(color).longest()?.saturating_sub(self.time.since(start));
            let left = clock::without(left, self.options().lag) / 8;
            Some(fair.map_or(SIDE_TIME, |fair| (fair / 6).clamp(LEAST_SIDE_TIME, SIDE_TIME)).min(left))
        });
        let hard = on_the_clock.or_else(|| (!self.has_fixed_playouts()).then_some(SIDE_TIME));
        Limits { playouts: Some(playouts), hard, early_stop: EarlyStop::Never, ..Limits::default() }
    }
}
