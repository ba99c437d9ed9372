//! How the background searcher is asked about the positions of a game. Each position is searched with an empty tree, so
//! what is found of it depends on no other position: a review that was stopped and gone on with is the same.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::engine::EngineOptions;
use crate::game::Game;
use crate::go::Color;
use crate::search::searcher::StartError;
use crate::search::{EarlyStop, Evaluators, History, Knowledge, Limits, Request, SearchError, Searcher};

use super::finding::Finding;

/// Playouts at the start of every search, so that no finding is empty. (The same number as in live analysis.)
const FIRST_PLAYOUTS: u64 = 8;

/// Time between two looks at the progress and at the flag that stops the review.
const TICK: Duration = Duration::from_millis(100);

/// The end of each search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    Time(Duration),
    Visits(u64),
}

/// Asks about positions.
#[derive(Debug)]
pub(super) struct Asker<'a> {
    options: &'a EngineOptions,
    searcher: Searcher,
    stop: &'a AtomicBool,
}

impl<'a> Asker<'a> {
    /// Takes the memory and starts the searching thread. While `stop` is set, there are no findings.
    ///
    /// # Errors
    /// If the system refuses the memory or the thread.
    pub(super) fn new(options: &'a EngineOptions, stop: &'a AtomicBool) -> Result<Asker<'a>, StartError> {
        Ok(Asker { options, searcher: Searcher::new(options.search.clone())?, stop })
    }

    /// What a search finds about the position of a game with this side to move. `tick` is called while the search runs.
    /// `None` if the review was stopped meanwhile.
    ///
    /// # Errors
    /// If the search fails.
    pub(super) fn finding(
        &self,
        turn: usize,
        game: &Game,
        to_move: Color,
        limit: Limit,
        mut tick: impl FnMut(),
    ) -> Result<Option<Finding>, SearchError> {
        let size = game.size();
        let evaluators = Evaluators::of(self.options.nets.for_game(size, game.rules()), self.options.policy);
        let mut position = game.position().clone();
        position.set_to_move(to_move);
        // A game may go on after two passes, and its end is looked at, too.
        position.open_for_analysis();
        let (playouts, hard) = match limit {
            Limit::Time(time) => (None, Some(time)),
            Limit::Visits(visits) => (Some(visits), None),
        };
        let least = playouts.map_or(FIRST_PLAYOUTS, |most| most.min(FIRST_PLAYOUTS));
        let request = Request {
            history: History { start_hash: game.start_key(), moves: game.moves().to_vec() },
            limits: Limits { playouts, least, hard, early_stop: EarlyStop::Never, ..Limits::default() },
            params: evaluators.params(size, &self.options.tunables),
            seed: self.options.seed,
            evaluators,
            knowledge: Knowledge { details: true, ..Knowledge::default() },
            ..Request::new(position, game.total_komi().half_points())
        };
        self.searcher.forget();
        let handle = self.searcher.start(request);
        while !handle.wait(TICK) {
            tick();
            if self.stop.load(Relaxed) {
                handle.stop();
            }
        }
        let report = handle.join()?;
        Ok((!self.stop.load(Relaxed)).then(|| Finding::of(turn, &report, to_move, size)))
    }
}
