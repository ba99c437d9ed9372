//! All integration tests in one program, so that the library is linked once: a module for each file, whose name is the
//! filter (`cargo test --test all clock::`).
//!
//! Slow tests of strength are ignored and stand in modules named `strength`. They have a run of their own:
//! `cargo test --test all strength:: -- --ignored`. What several files share stands in `support/`, `library/` and
//! `vertex/`.

#![allow(unreachable_pub, reason = "in a test program `pub` tells what a module offers to the others")]

mod analysis;
// It reads the memory of the process.
#[cfg(target_os = "linux")]
mod analysis_storm;
mod cleanup;
mod client_sessions_analysis;
mod client_sessions_gogui;
mod clock;
mod clock_told;
mod closed_games;
mod cluster;
#[cfg(all(feature = "mpi", target_os = "linux"))]
mod cluster_mpi;
mod counts;
mod dependencies;
mod endgame;
// Signals, pipes and limits of Unix, and /dev/full.
#[cfg(target_os = "linux")]
mod endings;
mod evaluators;
mod eye_spaces;
mod game_record;
mod gnugo;
mod gnugo_scoring;
mod gtp_hostile;
mod gtp_scripts;
mod gtp_session;
mod handicap;
mod input;
mod layering;
mod level;
mod library;
mod live_analysis;
#[cfg(target_os = "linux")]
mod long_run;
// Its engines are shell scripts, and so are those of the next one.
#[cfg(unix)]
mod match_openings;
#[cfg(unix)]
mod matches;
#[cfg(target_os = "linux")]
mod memory;
mod moves_and_clocks;
mod net;
mod net_search;
mod net_shipped;
mod oracle;
mod play;
mod playout_rules;
mod priors;
mod record;
mod rectangles;
mod review;
mod rule_lines;
mod rules;
mod rules_doc;
mod scoring;
mod search;
mod search_tree;
mod searcher;
mod selfplay;
mod server_sessions;
mod settings;
mod sgf;
#[cfg(target_os = "linux")]
mod sgf_limits;
mod status;
mod support;
// Its trainer is a shell script.
#[cfg(unix)]
mod teach;
mod timed_sessions;
mod timekeeper;
mod trainer;
mod turn;
mod undo;
mod vertex;
mod view;
mod web;
mod web_game;

use std::path::Path;

/// A file without its line above would never be compiled, so its tests would never run.
#[test]
fn every_file_is_a_module_of_this_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let here = include_str!("main.rs");
    for entry in std::fs::read_dir(folder).expect("tests/ can be read") {
        let path = entry.expect("tests/ can be read").path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".rs")) else { continue };
        assert!(
            name == "main" || here.lines().any(|line| line == format!("mod {name};")),
            "tests/main.rs lacks `mod {name};`"
        );
    }
}
