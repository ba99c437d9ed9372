//! How the engine asks its searcher: the user's way of searching or a level's, and waiting for the answer.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::go::Position;
use crate::search::{Evaluators, Handle, History, Knowledge, Limits, Memory, Params, Report, Request, SearchError};

use super::Engine;
use super::memory::Key;

/// Called every few milliseconds while the engine searches, with a way to get a report of that moment. There is none if
/// the search has broken off.
pub type Watch<'a> = dyn FnMut(&dyn Fn() -> Option<Arc<Report>>) + 'a;

/// Between two looks at the interrupt and at who watches.
const TICK: Duration = Duration::from_millis(5);

/// A way of searching: the user's, or a level's.
#[derive(Clone, Debug)]
pub(super) struct Manner {
    /// The tunables.
    pub(super) params: Params,
    /// Seed of the first search in this manner.
    pub(super) seed: u64,
    /// Searches in this manner so far, if they are counted here and not in the engine's memory.
    pub(super) searches: Option<u64>,
    /// Threads, if not all.
    pub(super) threads: Option<usize>,
    /// The tree of the search for the move itself.
    pub(super) memory: Memory,
}

/// Seeds of one search and the next lie so far apart: an odd number without pattern (that of the generator PCG 64).
const SEED_STEP: u64 = 0xd134_2543_de82_ef95;

impl Engine {
    /// The user's way of searching.
    pub(super) fn usual_manner(&self) -> Manner {
        Manner {
            params: self.options.params.clone(),
            seed: self.options.seed,
            searches: None,
            threads: None,
            memory: Memory::Kept,
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
            history: History { start_hash: self.game.start().board().hash(), moves: self.game.moves().to_vec() },
            limits,
            params: manner.params.clone(),
            seed: manner.seed.wrapping_add(number.wrapping_mul(SEED_STEP)),
            evaluators: Evaluators::Playouts(self.options.policy),
            threads: manner.threads,
            memory: manner.memory,
            ..Request::new(position.clone(), self.game.total_komi().half_points())
        }
    }

    /// A question beside the one for the move: it plays every playout to its end and leaves the kept tree as it is.
    pub(super) fn request_aside(&mut self, manner: &mut Manner, position: &Position, limits: Limits) -> Request {
        let request = self.request(manner, position, limits);
        Request { memory: Memory::Aside, knowledge: Knowledge { details: false, owners: true }, ..request }
    }

    /// Searches, with somebody watching, who is called once at the least. An interrupt ends it.
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
            watch(&|| handle.report());
            is_watched = true;
        }
    }

    /// The same for a position of the game; what it found is remembered.
    pub(super) fn ask_and_remember(
        &mut self,
        request: Request,
        watch: &mut Watch<'_>,
    ) -> Result<Arc<Report>, SearchError> {
        let to_move = request.position.to_move();
        let report = self.ask(request, watch)?;
        self.memory.note_report(Key::of(&self.game), to_move, &report);
        Ok(report)
    }

    /// Thinks on the opponent's time, about the game as it is with the side to move that is given in the position.
    pub(super) fn start_pondering(&mut self, position: &Position) {
        let mut manner = self.usual_manner();
        let limits = Limits { playouts: self.options.playouts, ..Limits::default() };
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
