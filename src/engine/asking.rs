//! How the engine asks its searcher: with the user's settings or a level's, and how it waits for the answer.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::go::Position;
use crate::search::{Evaluators, Handle, History, Knowledge, Limits, Params, Report, Request, SearchError, WhichTree};

use super::Engine;
use super::level::rungs;
use super::memory::Key;

/// A function that the engine calls every few milliseconds during a search. Its argument makes a report of that moment;
/// the report is `None` if there is none yet, or if the search has failed.
pub type Watch<'a> = dyn FnMut(&dyn Fn() -> Option<Arc<Report>>) + 'a;

/// Time between two checks of the interrupt, and between two calls of the watcher.
const TICK: Duration = Duration::from_millis(5);

/// Pondering ends after this time. The next command may be far off: an opponent sleeps, or has left. A guess.
const LONGEST_PONDERING: Duration = Duration::from_secs(600);

/// The settings of a search: the user's, or a level's.
#[derive(Clone, Debug)]
pub(super) struct Manner {
    /// The tunables.
    pub(super) params: Params,
    /// Who evaluates the leaves.
    pub(super) evaluators: Evaluators,
    /// Seed of the first search with these settings.
    pub(super) seed: u64,
    /// Searches with these settings so far; `None` if the engine's memory counts them.
    pub(super) searches: Option<u64>,
    /// Number of threads; `None` for all.
    pub(super) threads: Option<usize>,
    /// The tree of the search for the move itself.
    pub(super) tree: WhichTree,
}

/// The distance between the seeds of one search and the next: an odd number without pattern (the multiplier of PCG 64).
const SEED_STEP: u64 = 0xd134_2543_de82_ef95;

impl Engine {
    /// The user's settings.
    pub(super) fn usual_manner(&self) -> Manner {
        let net = self.options.nets.for_game(self.game.size(), self.game.rules());
        self.manner(Evaluators::of(net, self.options.policy))
    }

    /// The user's settings, with the net of levels and the weight of its values.
    pub(super) fn level_manner(&self) -> Manner {
        let size = self.game.size();
        let net = self.options.nets.for_level_game(size, self.game.rules());
        let manner = self.manner(Evaluators::of(net, self.options.policy));
        let second_share = rungs::second_share(size);
        let usual = manner.evaluators.beside_playouts(size);
        let measured = Params { second_share, second_share_opening: 0.0, policy_exponent: 1.0, ..usual };
        Manner { params: manner.evaluators.over(measured, size, &self.options.tunables), ..manner }
    }

    /// The user's settings for a search by playouts alone.
    pub(super) fn playout_manner(&self) -> Manner {
        self.manner(Evaluators::Playouts(self.options.policy))
    }

    fn manner(&self, evaluators: Evaluators) -> Manner {
        Manner {
            params: evaluators.params(self.game.size(), &self.options.tunables),
            evaluators,
            seed: self.options.seed,
            searches: None,
            threads: None,
            tree: WhichTree::Kept,
        }
    }

    /// A search of a position of the game, in the tree of the manner.
    pub(super) fn request(&mut self, manner: &mut Manner, position: &Position, limits: Limits) -> Request {
        let number = match &mut manner.searches {
            Some(searches) => {
                *searches += 1;
                *searches - 1
            }
            None => self.memory.count_search(),
        };
        Request {
            history: History { start_hash: self.game.start_key(), moves: self.game.moves().to_vec() },
            limits,
            params: manner.params.clone(),
            seed: manner.seed.wrapping_add(number.wrapping_mul(SEED_STEP)),
            evaluators: manner.evaluators.clone(),
            threads: manner.threads,
            tree: manner.tree,
            ..Request::new(position.clone(), self.game.total_komi().half_points())
        }
    }

    /// A search beside the one for the move, by playouts alone. Every playout is played to its end, and the kept tree
    /// stays as it is.
    pub(super) fn request_aside(&mut self, manner: &mut Manner, position: &Position, limits: Limits) -> Request {
        let mut request = self.request(manner, position, limits);
        if matches!(request.evaluators, Evaluators::Net(..)) {
            let playouts = self.playout_manner();
            (request.params, request.evaluators) = (playouts.params, playouts.evaluators);
        }
        Request { tree: WhichTree::Aside, knowledge: Knowledge { owners: true, ..Knowledge::default() }, ..request }
    }

    /// Runs a search and calls `watch` during it. If no call has seen a playout, the watcher is called once more at the
    /// end. An interrupt ends the search.
    pub(super) fn ask(&mut self, request: Request, watch: &mut Watch<'_>) -> Result<Arc<Report>, SearchError> {
        self.stop_pondering();
        let handle = self.searcher.start(request);
        let mut is_watched = false;
        loop {
            if self.interrupt.load(Relaxed) {
                handle.stop();
            }
            if handle.wait(TICK) {
                let report = handle.join()?;
                if !is_watched {
                    watch(&|| Some(Arc::clone(&report)));
                }
                return Ok(report);
            }
            // On a busy machine the first playout may not have ended yet. Such a look does not count.
            let is_early = Cell::new(false);
            watch(&|| {
                let report = handle.report();
                is_early.set(report.as_ref().is_none_or(|report| report.playouts == 0));
                report
            });
            is_watched |= !is_early.get();
        }
    }

    /// Runs a search of a position of the game, as `ask` does, and remembers its report.
    pub(super) fn ask_and_remember(
        &mut self,
        request: Request,
        watch: &mut Watch<'_>,
    ) -> Result<Arc<Report>, SearchError> {
        let seen = (request.position.to_move(), request.position.consecutive_passes());
        // What leaves moves out is no answer to a question about all moves.
        let is_whole = request.restrictions.is_empty() && request.only.is_none();
        let report = self.ask(request, watch)?;
        if is_whole {
            self.memory.note_report(Key::of(&self.game), seen, &report);
        }
        Ok(report)
    }

    /// Starts pondering: a search of `position` on the opponent's time.
    pub(super) fn start_pondering(&mut self, position: &Position) {
        let mut manner = self.usual_manner();
        let limits = Limits {
            playouts: self.options.playouts,
            visits: self.options.visits,
            hard: Some(LONGEST_PONDERING),
            ..Limits::default()
        };
        let request = Request { merge_twins: true, ..self.request(&mut manner, position, limits) };
        self.stop_pondering();
        self.pondering = Some(self.searcher.start(request));
    }

    /// Ends pondering, if the engine ponders.
    pub fn stop_pondering(&mut self) {
        if let Some(handle) = self.pondering.take() {
            handle.stop();
            if let Err(error) = Handle::join(handle) {
                log::error!("pondering: {error}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{EngineOptions, Interrupt};
    use crate::go::Color;

    #[test]
    fn pondering_ends_when_no_command_comes() {
        let mut options = EngineOptions { size: 5.into(), ponder: true, ..EngineOptions::default() };
        options.search.time = crate::time::TimeSource::stopped();
        options.search.memory = 4;
        let time = options.search.time.clone();
        let mut engine = Engine::new(options, Interrupt::default()).expect("an engine");
        // The time passes once the search has begun.
        let mut watch = |report: &dyn Fn() -> Option<Arc<Report>>| {
            if report().is_some() {
                time.advance(Duration::from_secs(10));
            }
        };
        engine.genmove_watched(Color::Black, &crate::engine::Interest::default(), &mut watch).expect("a search");
        let pondering = engine.pondering.as_ref().expect("the engine ponders");
        // A report says that the search has begun, so that its time counts from before the next step of the clock.
        while pondering.report().is_none() && !pondering.is_over() {}
        assert!(!pondering.is_over());
        time.advance(LONGEST_PONDERING);
        assert!(pondering.wait(Duration::from_secs(60)), "the search goes on");
    }
}
