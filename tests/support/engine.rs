//! An engine for tests that need no program around it: one thread, a fixed seed, little memory, no clock, all strength,
//! and it never resigns.

use std::time::Duration;

use kosumi::engine::{Engine, Interrupt, Options};
use kosumi::search;

/// Its options on 9×9, a second for a move.
pub fn options() -> Options {
    Options {
        search: search::Options { memory: 16, ..search::Options::default() },
        seed: 1,
        size: 9,
        time_per_move: Duration::from_secs(1),
        ..Options::default()
    }
}

/// An engine with these options.
pub fn engine(options: Options) -> Engine {
    Engine::new(options, Interrupt::default()).expect("memory")
}
