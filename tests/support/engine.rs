//! An engine for tests that need no program around it: one thread, a fixed seed, little memory, no clock, all strength,
//! and it never resigns.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use kosumi::engine::{Engine, Level, Options};
use kosumi::go::Ruleset;
use kosumi::playout::PolicyKind;
use kosumi::search::{self, Params};

/// Its options on 9×9, a second for a move.
pub fn options() -> Options {
    Options {
        search: search::Options {
            threads: 1,
            memory: 16,
            seed: 1,
            policy: PolicyKind::Tactical,
            params: Params::default(),
        },
        size: 9,
        komi: None,
        rules: Ruleset::default(),
        time_per_move: Duration::from_secs(1),
        longest_move: Duration::from_secs(600),
        playouts: None,
        lag: Duration::ZERO,
        resign_below: 0.0,
        resign_after: 0,
        ponder: false,
        level: Level::Max,
    }
}

/// An engine with these options.
pub fn engine(options: Options) -> Engine {
    Engine::new(options, Arc::new(AtomicBool::new(false)))
}
