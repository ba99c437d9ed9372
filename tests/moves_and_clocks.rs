//! What moves do to the engine's clocks and to its patience: the account of time between commands, the longest move,
//! and what does not count towards resigning.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use kosumi::clock::TimeControl;
use kosumi::engine::{Engine, EngineOptions, Interest, Interrupt};
use kosumi::go::Color;
use kosumi::search::Report;
use kosumi::time::TimeSource;

use crate::support::Client;
use crate::support::engine as fixed;

const SECOND: Duration = Duration::from_secs(1);

/// An engine whose time the test sets.
fn engine(playouts: Option<u64>, longest_move: Duration) -> (Engine, TimeSource) {
    let time = TimeSource::stopped();
    let mut options = EngineOptions { longest_move, playouts, ..fixed::options() };
    options.search.time = time.clone();
    (fixed::engine(options), time)
}

#[test]
fn a_turn_counts_from_its_start() {
    let (mut engine, time) = engine(Some(10), 600 * SECOND);
    engine.set_time_control(TimeControl::Absolute { main: 1000 * SECOND });
    engine.turn_started(time.now());
    time.advance(50 * SECOND);
    engine.genmove(Color::Black).expect("a search");
    assert_eq!(engine.clock(Color::Black).left(), Some((950 * SECOND, 0)));
    // That was this turn; the next one is charged for what it takes itself.
    time.advance(50 * SECOND);
    engine.genmove(Color::Black).expect("a search");
    assert_eq!(engine.clock(Color::Black).left(), Some((950 * SECOND, 0)));
    assert_eq!(engine.clock(Color::White).left(), Some((1000 * SECOND, 0)));
}

#[test]
fn no_move_takes_longer_than_the_longest() {
    let (mut engine, time) = engine(None, 60 * SECOND);
    // By its own rules a correspondence game would be thought about for hours.
    let main = 86400 * SECOND;
    engine.set_time_control(TimeControl::Fischer { main, increment: main, cap: Some(3 * main), per_move: None });
    let start = time.now();
    // The time passes once the search has begun.
    let mut has_passed = false;
    let mut watch = |report: &dyn Fn() -> Option<Arc<Report>>| {
        if !has_passed && report().is_some() {
            time.advance(60 * SECOND);
            has_passed = true;
        }
    };
    engine.genmove_watched(Color::Black, &Interest::default(), &mut watch).expect("a search");
    assert_eq!(time.since(start), 60 * SECOND);
    // All of it was charged, and the increment added.
    assert_eq!(engine.clock(Color::Black).left(), Some((2 * main - 60 * SECOND, 0)));
}

#[test]
fn a_question_is_no_step_towards_resigning() {
    let mut client =
        Client::start(&["--size", "5", "--playouts", "200", "--resign-below", "0.5", "--resign-after", "0"]);
    // Black has lost whatever it does, and enough has been played to say so.
    for command in ["komi 100", "play b A1", "play w E5", "play b B1", "play w D5", "play b C2", "play w C4"] {
        client.ok(command);
    }
    for _ in 0..3 {
        client.ok("reg_genmove b");
    }
    assert_ne!(client.ok("genmove b"), "resign", "the first move that looks lost is played");
    assert_eq!(client.ok("reg_genmove b"), "resign");
    assert_eq!(client.ok("genmove b"), "resign", "the second is not");
    client.quit();
}

#[test]
fn a_search_for_a_move_takes_a_stone_of_the_clock_unless_it_is_given_up() {
    let stop = Interrupt::default();
    let options = EngineOptions { playouts: Some(50), ..fixed::options() };
    let mut engine = Engine::new(options, Interrupt::clone(&stop)).expect("memory");
    let period = 100 * SECOND;
    engine.set_time_control(TimeControl::Canadian { main: Duration::ZERO, period, stones: 5 });
    let stones = |engine: &Engine| engine.clock(Color::Black).left().expect("a clock runs").1;
    for expected in [4, 3] {
        engine.search_move(Color::Black, &Interest::default(), &mut |_| {}).expect("a search");
        assert_eq!(stones(&engine), expected);
    }
    stop.store(true, Relaxed);
    engine.search_move(Color::Black, &Interest::default(), &mut |_| {}).expect("a search");
    assert_eq!((stones(&engine), engine.game().moves().len()), (3, 0));
}
