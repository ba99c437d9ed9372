//! What moves do to the engine's clocks and to its patience: the account of time between commands, the longest move,
//! and what does not count towards resigning.

use std::time::{Duration, Instant};

use kosumi::clock::TimeControl;
use kosumi::engine::{Engine, Options};
use kosumi::go::Color;

use crate::support::Client;
use crate::support::engine as fixed;

const SECOND: Duration = Duration::from_secs(1);

fn engine(playouts: Option<u64>, longest_move: Duration) -> Engine {
    fixed::engine(Options { longest_move, playouts, ..fixed::options() })
}

#[test]
fn a_turn_counts_from_its_start() {
    let mut engine = engine(Some(10), 600 * SECOND);
    engine.set_time_control(TimeControl::Absolute { main: 1000 * SECOND });
    let Some(start) = Instant::now().checked_sub(50 * SECOND) else { return };
    engine.turn_started(start);
    engine.genmove(Color::Black).expect("a search");
    let (left, _) = engine.clock(Color::Black).left().expect("a clock runs");
    assert!(left <= 950 * SECOND && left > 800 * SECOND, "{left:?}");
    // That was this turn; the next one is charged for what it takes itself.
    engine.genmove(Color::Black).expect("a search");
    let (after, _) = engine.clock(Color::Black).left().expect("a clock runs");
    assert!(after <= left && after > left - 50 * SECOND, "{after:?}");
    assert_eq!(engine.clock(Color::White).left(), Some((1000 * SECOND, 0)));
}

#[test]
fn no_move_takes_longer_than_the_longest() {
    let mut engine = engine(None, SECOND / 10);
    // By its own rules a correspondence game would be thought about for hours.
    let main = 86400 * SECOND;
    engine.set_time_control(TimeControl::Fischer { main, increment: main, cap: Some(3 * main), per_move: None });
    let start = Instant::now();
    engine.genmove(Color::Black).expect("a search");
    assert!(start.elapsed() < 60 * SECOND, "{:?}", start.elapsed());
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
