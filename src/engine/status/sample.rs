//! Who owns what at the end of many playouts: the same for the same position, however many threads there are.
//!
//! The searches of the game are no help here. Their playouts depend on what was searched before and on the order
//! in which threads happened to come, and when the game is won anyway they care for nothing. So there are two
//! searches with one thread each and fixed seeds, one for each side to move, and with a komi that makes the game
//! close, so that every point counts.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::go::{Color, Position};
use crate::search::{Limits, Options, Ownership, Request, Search};

/// MiB for the tree of each of the two searches: three thousand playouts never fill it.
const MEMORY: usize = 32;

/// Playouts of each search that find the komi which makes the game close.
const FIRST_PLAYOUTS: u64 = 200;

/// The two searches, kept for the next judgement.
pub struct Sampler {
    searches: [Search; 2],
}

impl Sampler {
    /// Searches with the tunables, the policy and the seed of the given options.
    pub fn new(options: &Options) -> Sampler {
        Sampler {
            searches: [0, 1].map(|n: u64| {
                let seed = options.seed.wrapping_add(n);
                Search::new(Options { threads: 1, memory: MEMORY, seed, ..options.clone() })
            }),
        }
    }

    /// Samples a position, with both sides to move in turn: so many playouts each, unless the time ends before.
    pub fn run(&mut self, position: &Position, threads: usize, playouts: u64, time: Duration) -> Ownership {
        let end = Instant::now() + time;
        let parts: Vec<Ownership> = if threads > 1 {
            std::thread::scope(|scope| {
                let handles: Vec<_> = Color::BOTH
                    .into_iter()
                    .zip(&mut self.searches)
                    .map(|(color, search)| scope.spawn(move || sample(search, position, color, playouts, end)))
                    .collect();
                // A thread that panicked has nothing to say.
                handles.into_iter().filter_map(|handle| handle.join().ok()).collect()
            })
        } else {
            let half = Instant::now() + time / 2;
            Color::BOTH
                .into_iter()
                .zip(&mut self.searches)
                .zip([half, end])
                .map(|((color, search), end)| sample(search, position, color, playouts, end))
                .collect()
        };
        let mut ownership = Ownership::default();
        for part in &parts {
            ownership.merge(part);
        }
        ownership
    }
}

fn sample(search: &mut Search, position: &Position, color: Color, playouts: u64, end: Instant) -> Ownership {
    let mut position = position.clone();
    position.set_to_move(color);
    position.reopen();
    let mut run = |komi: i32, playouts: u64| {
        search.forget();
        let left = end.saturating_duration_since(Instant::now());
        let limits = Limits { playouts: Some(playouts), soft: None, hard: Some(left), ..Limits::default() };
        let request = Request { limits, to_the_end: true, ..Request::new(&position, komi) };
        search.run(&request, &AtomicBool::new(false), &mut |_| {}).ownership
    };
    let first = run(0, FIRST_PLAYOUTS);
    // An odd number of half points: no draws.
    let komi = (first.margin().0 as i32) * 2 + 1;
    let mut ownership = run(komi, playouts);
    if ownership.playouts() == 0 {
        ownership = first;
    }
    ownership
}
