//! The owners of the points at the end of many playouts, equal for equal positions, whatever the number of threads.
//!
//! The searches of the game are no help here. Their playouts depend on earlier searches and on the order of threads,
//! and in a won game they do not care for points. So two searches with one thread and a fixed seed each, one for each
//! side to move, do the sampling. Their komi makes the game close, so every point counts.

use std::time::{Duration, Instant};

use crate::go::{Color, Position};
use crate::playout::PolicyKind;
use crate::search::{Evaluators, Knowledge, Limits, Ownership, Params, Request, Search, SearchError, SearchOptions};
use crate::time::TimeSource;

/// MiB for the tree of each of the two searches. Three thousand playouts never fill the tree.
const MEMORY: usize = 32;

/// The part of the engine's memory that each of the two searches may take. So both together never take more than the
/// half.
const PART: usize = 4;

/// MiB of each of the two searches of an engine with so many MiB in all.
pub fn share(memory: usize) -> usize {
    (memory / PART).clamp(1, MEMORY)
}

/// Playouts of each search that find the komi for a close game.
const FIRST_PLAYOUTS: u64 = 200;

/// The two searches, kept from one judgement to the next.
#[derive(Debug)]
pub struct Sampler {
    /// `None` before the first judgement, or if the system refused the memory.
    searches: [Option<Search>; 2],
    params: Params,
    policy: PolicyKind,
    seed: u64,
    time: TimeSource,
    /// Memory of each search in MiB.
    memory: usize,
}

impl Sampler {
    /// A sampler whose searches use these tunables, this policy and this seed. Time limits are those of `time`.
    pub fn new(params: Params, policy: PolicyKind, seed: u64, time: TimeSource) -> Sampler {
        Sampler { searches: [None, None], params, policy, seed, time, memory: MEMORY }
    }

    /// The same with so many MiB for each of its two searches.
    pub fn with_memory(self, memory: usize) -> Sampler {
        Sampler { memory, ..self }
    }

    /// Samples a position, with each side to move once, by `playouts` playouts each. If `time` is over first, the
    /// sampling ends.
    pub fn run(&mut self, position: &Position, threads: usize, playouts: u64, time: Duration) -> Ownership {
        let start = self.time.now();
        let end = start + time;
        let (params, policy, seed, source) = (&self.params, self.policy, self.seed, &self.time);
        let side = |number: usize| Side {
            color: Color::BOTH[number],
            params,
            policy,
            seed: seed.wrapping_add(number as u64),
            playouts,
            time: source,
            memory: self.memory,
        };
        let parts: Vec<Ownership> = if threads > 1 {
            std::thread::scope(|scope| {
                let handles: Vec<_> = self
                    .searches
                    .iter_mut()
                    .enumerate()
                    .map(|(number, search)| {
                        let side = side(number);
                        scope.spawn(move || side.sample(search, position, end))
                    })
                    .collect();
                // A thread that panicked gives no owners.
                handles.into_iter().filter_map(|handle| handle.join().ok()?).collect()
            })
        } else {
            let half = start + time / 2;
            let searches = self.searches.iter_mut().enumerate().zip([half, end]);
            searches.filter_map(|((number, search), end)| side(number).sample(search, position, end)).collect()
        };
        let mut ownership = Ownership::default();
        for part in &parts {
            ownership.merge(part);
        }
        ownership
    }
}

/// The search for one side to move.
struct Side<'a> {
    color: Color,
    params: &'a Params,
    policy: PolicyKind,
    seed: u64,
    playouts: u64,
    time: &'a TimeSource,
    memory: usize,
}

impl Side<'_> {
    /// The owners that the search finds; `None` if it cannot search.
    fn sample(&self, search: &mut Option<Search>, position: &Position, end: Instant) -> Option<Ownership> {
        let report = |error: &dyn std::fmt::Display| log::error!("life and death: {error}");
        if search.is_none() {
            let options = SearchOptions { memory: self.memory, time: self.time.clone(), ..SearchOptions::default() };
            *search = Search::new(options).inspect_err(|error| report(error)).ok();
        }
        self.run(search.as_mut()?, position, end).inspect_err(|error| report(error)).ok()
    }

    fn run(&self, search: &mut Search, position: &Position, end: Instant) -> Result<Ownership, SearchError> {
        let mut position = position.clone();
        position.set_to_move(self.color);
        position.reopen();
        let mut run = |komi: i32, playouts: u64| {
            search.forget();
            let left = end.saturating_duration_since(self.time.now());
            let request = Request {
                limits: Limits { playouts: Some(playouts), hard: Some(left), ..Limits::default() },
                params: self.params.clone(),
                seed: self.seed,
                evaluators: Evaluators::Playouts(self.policy),
                knowledge: Knowledge { owners: true, ..Knowledge::default() },
                ..Request::new(position.clone(), komi)
            };
            Ok(search.run_alone(&request)?.ownership)
        };
        let first = run(0, FIRST_PLAYOUTS)?;
        // An odd number of half points excludes draws. The side that moves first still wins with this margin, so a
        // mirrored position has mirrored owners.
        let komi = (first.margin().0 as i32) * 2 - self.color.sign();
        let ownership = run(komi, self.playouts)?;
        Ok(if ownership.playouts() == 0 { first } else { ownership })
    }
}
