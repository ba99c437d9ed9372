//! Since when a move is charged to a clock: the account that is kept for controllers that never say what is left.

use std::time::{Duration, Instant};

use kosumi::gtp::input::BATCH;
use kosumi::gtp::turn::TurnStart;

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Takes up commands one after another, each read so long after the start and answered so long after that; from when
/// each of them counts.
fn times(commands: &[(&str, Duration, Duration)]) -> Vec<Duration> {
    let start = Instant::now();
    let mut turn = TurnStart::new(start);
    let mut times = Vec::new();
    for &(name, read, answered) in commands {
        times.push(turn.command(name, start + read).saturating_duration_since(start));
        turn.answered(start + answered);
    }
    times
}

#[test]
fn a_move_counts_from_when_its_line_was_read() {
    assert_eq!(times(&[("genmove", millis(500), millis(900))]), [millis(500)]);
}

#[test]
fn it_counts_from_the_opponents_move_when_that_has_just_come() {
    let read = millis(1000);
    let counted = times(&[
        ("genmove", millis(10), millis(500)),
        ("play", read, read + millis(20)),
        ("genmove", read + millis(25), read + millis(100)),
    ]);
    assert_eq!(counted[2], read);
    // Settings of the clock between them change nothing.
    let counted = times(&[
        ("play", read, read + millis(20)),
        ("komi", read + millis(25), read + millis(30)),
        ("time_settings", read + millis(35), read + millis(40)),
        ("genmove", read + millis(45), read + millis(100)),
    ]);
    assert_eq!(counted[3], read);
}

#[test]
fn a_clock_that_is_told_runs_from_then() {
    let read = millis(1000);
    let counted = times(&[
        ("play", read, read + millis(20)),
        ("time_left", read + millis(30), read + millis(31)),
        ("time_left", read + millis(40), read + millis(41)),
        ("genmove", read + millis(50), read + millis(100)),
    ]);
    assert_eq!(counted[3], read + millis(40));
}

#[test]
fn a_pause_or_another_command_ends_the_account() {
    let late = millis(20) + BATCH + millis(1);
    // Somebody has put a stone on the board and asks for a move later on.
    assert_eq!(times(&[("play", millis(0), millis(20)), ("genmove", late, late + millis(1))])[1], late);
    // What took long belongs to nobody's clock.
    let counted = times(&[
        ("play", millis(0), millis(20)),
        ("final_status_list", millis(25), millis(1500)),
        ("genmove", millis(1505), millis(1600)),
    ]);
    assert_eq!(counted[2], millis(1505));
}

#[test]
fn commands_sent_in_one_go_are_not_charged_for_each_other() {
    let counted = times(&[
        ("genmove", millis(0), millis(2000)),
        ("genmove", millis(0), millis(4000)),
        ("play", millis(0), millis(4001)),
        ("genmove", millis(0), millis(6000)),
    ]);
    assert_eq!(counted, [millis(0), millis(2000), millis(4000), millis(4000)]);
}
