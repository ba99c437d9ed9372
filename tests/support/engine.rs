//! An engine for tests that need no program around it: one thread, a fixed seed, little memory, no clock, all strength,
//! and it never resigns.

use std::time::Duration;

use kosumi::engine::{Engine, EngineOptions, Interrupt};
use kosumi::search;

/// Its options on 9×9, a second for a move.
pub fn options() -> EngineOptions {
    EngineOptions {
        search: search::SearchOptions { memory: 16, ..search::SearchOptions::default() },
        seed: 1,
        size: 9,
        time_per_move: Duration::from_secs(1),
        ..EngineOptions::default()
    }
}

/// An engine with these options.
pub fn engine(options: EngineOptions) -> Engine {
    Engine::new(options, Interrupt::default()).expect("memory")
}
