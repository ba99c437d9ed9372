//! Sessions for which the test sets the time: how long a move takes, and when lines of analysis come.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use kosumi::engine::EngineOptions;
use kosumi::gtp::stream::Stream;
use kosumi::search::Report;
use kosumi::time::TimeSource;

use crate::support::engine as fixed;
use crate::support::lines::parse_info;
use crate::support::searched::{Line, options, search, searcher};
use crate::support::wire::{TimedSession, Typist};

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn analysis_has_a_line_at_once_and_one_at_each_interval() {
    let mut session = TimedSession::start(fixed::options());
    session.typist.send("kata-analyze b 500\n");
    assert_eq!(session.line(), "=");
    for _ in 0..4 {
        parse_info(&session.line(), 9, true).unwrap();
        // An interval is not over before its end.
        session.time.advance(5 * SECOND - Duration::from_nanos(1));
        session.time.advance(Duration::from_nanos(1));
    }
    // The fifth interval's line, and nothing before the end that any input makes.
    parse_info(&session.line(), 9, true).unwrap();
    session.typist.send("\n");
    let rest = session.lines();
    assert!(rest.len() <= 1, "{rest:?}");
    session.end();
}

/// The first report of a busy machine may know nothing. The line that comes at once is then the next one's.
#[test]
fn a_report_without_a_line_does_not_put_off_the_next_one() {
    let time = TimeSource::stopped();
    let (_typist, input, _) = Typist::new(&time);
    let mut stream = Stream::new(std::io::sink(), input, time);
    let report = Arc::new(search(&mut searcher(options()), &Line::empty(5), 10));
    let asked = Cell::new(0);
    let line = |_: &Report| {
        asked.set(asked.get() + 1);
        (asked.get() > 1).then(|| "a line".to_owned())
    };
    let look = || Some(Arc::clone(&report));
    stream.lines(Some(3600 * SECOND), line, |watch| (0..4).for_each(|_| watch(&look)), |()| None);
    assert_eq!(asked.get(), 2, "the first has no line, the second has, and the others wait for an hour");
}

#[test]
fn a_move_takes_the_time_that_it_was_given() {
    let mut session = TimedSession::start(EngineOptions { time_per_move: 3600 * SECOND, ..fixed::options() });
    session.typist.send("lz-genmove_analyze b 100\n");
    assert_eq!(session.line(), "=");
    // Its first line shows that the search has begun. No time has passed since then.
    parse_info(&session.line(), 9, false).unwrap();
    session.time.advance(3600 * SECOND);
    let lines = session.lines();
    assert!(lines.last().is_some_and(|last| last.starts_with("play ")), "{lines:?}");
    let explained = session.ok("gomill-explain_last_move");
    assert!(explained.contains(" playouts in 3600.00 s"), "{explained}");
    session.end();
}

#[test]
fn an_interrupted_move_has_taken_no_time() {
    let mut session = TimedSession::start(EngineOptions { time_per_move: 3600 * SECOND, ..fixed::options() });
    session.typist.send("genmove b\n# interrupt\n");
    assert!(session.lines()[0].starts_with("= "));
    assert!(session.ok("gomill-explain_last_move").contains(" playouts in 0.00 s"));
    session.end();
}

/// Nobody waits for a command when its client has left.
#[test]
fn who_leaves_later_ends_a_search_and_who_left_at_once_has_it_done() {
    let mut session = TimedSession::start(EngineOptions { playouts: Some(2000), ..fixed::options() });
    session.typist.send("genmove b\ngomill-explain_last_move\nquit\n");
    assert!(session.line().starts_with("= "));
    session.line();
    let explained = session.lines().join("\n");
    let done = explained.lines().find_map(|line| line.split_once(" playouts in ")).expect("it says how many");
    assert!(done.0.parse::<u64>().is_ok_and(|done| done > 1000), "{explained}");
    assert_eq!(session.lines(), ["="]);
    let mut session = TimedSession::start(EngineOptions { time_per_move: 3600 * SECOND, ..fixed::options() });
    session.typist.send("1 genmove b\n");
    session.typist.pause(SECOND);
    session.typist.send("2 quit\n");
    assert!(session.lines()[0].starts_with("=1 "));
    assert_eq!(session.lines(), ["=2"]);
}
