//! Who owns what at the end of many playouts: the same for the same position, however many threads there are.
//!
//! The searches of the game are no help here. Their playouts depend on what was searched before and on the order
//! in which threads happened to come, and when the game is won anyway they care for nothing. So there are two
//! searches with one thread each and fixed seeds, one for each side to move, and with a komi that makes the game
//! close, so that every point counts.

use std::time::{Duration, Instant};

use crate::go::{Color, Position};
use crate::playout::PolicyKind;
use crate::search::{Evaluators, Knowledge, Limits, Ownership, Params, Request, Search, SearchError, SearchOptions};

/// MiB for the tree of each of the two searches: three thousand playouts never fill it.
const MEMORY: usize = 32;

/// Playouts of each search that find the komi which makes the game close.
const FIRST_PLAYOUTS: u64 = 200;

/// The two searches, kept for the next judgement.
#[derive(Debug)]
pub struct Sampler {
    /// None before the first judgement, or where the system refused the memory.
    searches: [Option<Search>; 2],
    params: Params,
    policy: PolicyKind,
    seed: u64,
}

impl Sampler {
    /// Searches with these tunables, this policy and this seed.
    pub fn new(params: Params, policy: PolicyKind, seed: u64) -> Sampler {
        Sampler { searches: [None, None], params, policy, seed }
    }

    /// Samples a position, with both sides to move in turn: so many playouts each, unless the time ends before.
    pub fn run(&mut self, position: &Position, threads: usize, playouts: u64, time: Duration) -> Ownership {
        let end = Instant::now() + time;
        let (params, policy, seed) = (&self.params, self.policy, self.seed);
        let side = |number: usize| Side {
            color: Color::BOTH[number],
            params,
            policy,
            seed: seed.wrapping_add(number as u64),
            playouts,
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
                // A thread that panicked has nothing to say.
                handles.into_iter().filter_map(|handle| handle.join().ok()?).collect()
            })
        } else {
            let half = Instant::now() + time / 2;
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
}

impl Side<'_> {
    /// The owners that it finds; `None` if it cannot search.
    fn sample(&self, search: &mut Option<Search>, position: &Position, end: Instant) -> Option<Ownership> {
        let report = |error: &dyn std::fmt::Display| log::error!("life and death: {error}");
        if search.is_none() {
            let options = SearchOptions { memory: MEMORY, ..SearchOptions::default() };
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
            let left = end.saturating_duration_since(Instant::now());
            let request = Request {
                limits: Limits { playouts: Some(playouts), hard: Some(left), ..Limits::default() },
                params: self.params.clone(),
                seed: self.seed,
                evaluators: Evaluators::Playouts(self.policy),
                knowledge: Knowledge { details: false, owners: true },
                ..Request::new(position.clone(), komi)
            };
            Ok(search.run_alone(&request)?.ownership)
        };
        let first = run(0, FIRST_PLAYOUTS)?;
        // An odd number of half points: no draws.
        let komi = (first.margin().0 as i32) * 2 + 1;
        let ownership = run(komi, self.playouts)?;
        Ok(if ownership.playouts() == 0 { first } else { ownership })
    }
}
