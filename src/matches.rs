//! `kosumi match`: engine against engine over GTP, with a referee of ours, and statistics of the results.
//!
//! ```text
//! run → runner (threads, resume, SPRT) → contest (one game) → player (an engine in a game) → client (a process)
//!         │                                 ├→ timekeeper (what a move may take)
//!         │                                 └→ count (our judgement, a second referee)
//!         ├→ openings     ├→ storage (files)     └→ progress, tally → statistics, report
//! ```
//! Nothing here plays Go: it uses the rules core, `Game`, `Clock` and `Engine` (for life and death) from outside.

pub mod client;
pub mod contest;
pub mod count;
pub mod openings;
pub mod player;
pub mod progress;
pub mod record;
pub mod report;
pub mod rule_words;
pub mod runner;
pub mod settings;
pub mod statistics;
pub mod storage;
pub mod tally;
pub mod timekeeper;

pub use runner::{play, run};
pub use settings::{Counting, EngineCommand, OpeningSource, Settings};
