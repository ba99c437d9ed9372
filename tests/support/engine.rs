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
        size: 9.into(),
        time_per_move: Duration::from_secs(1),
        ..EngineOptions::default()
    }
}

/// Options with which a move takes hours. So a move that is there at all has not waited for its end.
pub fn hours() -> EngineOptions {
    let hours = Duration::from_secs(24 * 3600);
    EngineOptions { time_per_move: hours, longest_move: hours, ..options() }
}

/// An engine with these options.
pub fn engine(options: EngineOptions) -> Engine {
    Engine::new(options, Interrupt::default()).expect("memory")
}
