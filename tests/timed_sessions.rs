//! Sessions for which the test sets the time: how long a move takes, when lines of analysis come, and what ends a
//! search.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use kosumi::engine::{EngineOptions, Watch};
use kosumi::go::Color;
use kosumi::gtp::input::BATCH;
use kosumi::gtp::stream::Stream;
use kosumi::search::Report;
use kosumi::time::TimeSource;

use crate::support::engine as fixed;
use crate::support::lines::parse_info;
use crate::support::searched::{Line, options, search, searcher};
use crate::support::wire::{TimedSession, Typist, searched};

const SECOND: Duration = Duration::from_secs(1);
const MOMENT: Duration = Duration::from_nanos(1);

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
    let mut stream = Stream::new(std::io::sink(), std::io::sink(), input, time);
    let report = Arc::new(search(&mut searcher(options()), &Line::empty(5), 1000));
    let asked = Cell::new(0);
    let line = |_: &Report| {
        asked.set(asked.get() + 1);
        (asked.get() > 1).then(|| "a line".to_owned())
    };
    let look = || Some(Arc::clone(&report));
    stream.lines(Some(3600 * SECOND), line, |watch| (0..4).for_each(|_| watch(&look)), |(), _| None);
    assert_eq!(asked.get(), 2, "the first has no line, the second has, and the others wait for an hour");
}

#[test]
fn the_first_line_waits_for_visits_but_not_for_long() {
    let report = Arc::new(search(&mut searcher(options()), &Line::empty(5), 999));
    let look = || Some(Arc::clone(&report));
    for (interval, patience) in [(3600 * SECOND, SECOND / 10), (SECOND / 50, SECOND / 50)] {
        let time = TimeSource::stopped();
        let (_typist, input, _) = Typist::new(&time);
        let mut stream = Stream::new(std::io::sink(), std::io::sink(), input, time.clone());
        let lines = Cell::new(0);
        let line = |_: &Report| {
            lines.set(lines.get() + 1);
            Some("a line".to_owned())
        };
        let work = |watch: &mut Watch<'_>| {
            watch(&look);
            time.advance(patience - MOMENT);
            watch(&look);
            assert_eq!(lines.get(), 0);
            time.advance(MOMENT);
            watch(&look);
            assert_eq!(lines.get(), 1);
        };
        stream.lines(Some(interval), line, work, |(), has_line| {
            assert!(has_line);
            None
        });
    }
    // With one visit more it does not wait, and it shows that in a session, too.
    let mut session = TimedSession::start(fixed::options());
    session.typist.send("kata-analyze b 360000\n");
    assert_eq!(session.line(), "=");
    let first = parse_info(&session.line(), 9, true).unwrap();
    assert!(first.moves.iter().map(|m| m.visits).sum::<u32>() > 280, "{first:?}");
    session.typist.send("\n");
    assert_eq!(session.lines(), [""; 0]);
    session.end();
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
fn a_search_for_a_move_that_is_not_played_obeys_the_clock() {
    let mut session = TimedSession::start(fixed::hours());
    session.ok("time_settings 0 1 1");
    for command in ["kata-search_analyze", "kata-search_analyze_cancellable"] {
        session.typist.send(&format!("{command} b 360000\n"));
        assert_eq!(session.line(), "=");
        parse_info(&session.line(), 9, true).unwrap();
        session.time.advance(SECOND);
        let last = session.lines().pop();
        assert!(last.as_ref().is_some_and(|last| last.starts_with("play ") && last != "play cancelled"), "{last:?}");
    }
    assert!(session.ok("showboard").starts_with("Move 1, black"), "nothing has been played");
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

/// A genmove has so many playouts to do. It may end early when the best move cannot be overtaken, but not much.
fn counted() -> EngineOptions {
    EngineOptions { playouts: Some(3000), ..fixed::options() }
}

/// Reads the answers to a move and its explanation; neither was cut short.
#[track_caller]
fn read_a_whole_move(session: &mut TimedSession) {
    session.answer().success();
    let explained = session.answer().success();
    let (_, playouts) = searched(&explained).expect("it says how many playouts there were");
    assert!(playouts >= 1000, "cut short after {playouts} playouts");
}

#[test]
fn a_script_has_its_searches_done_however_late_it_comes() {
    for pause in [Duration::ZERO, 3600 * SECOND] {
        let mut session = TimedSession::start(counted());
        // Nothing was answered before it: it is the first batch.
        session.typist.pause(pause);
        session.typist.send("genmove b\ngomill-explain_last_move\nquit\n");
        read_a_whole_move(&mut session);
        session.answer().success();
        session.has_ended();
    }
}

#[test]
fn a_command_sent_together_with_quit_has_its_search_done_also_after_others() {
    let mut session = TimedSession::start(counted());
    session.ok("name");
    session.typist.pause(BATCH + MOMENT);
    session.typist.send("1 genmove b\n2 gomill-explain_last_move\n3 quit\n");
    read_a_whole_move(&mut session);
    assert_eq!(session.answer().id, "3");
    session.has_ended();
}

/// Nobody waits for a command when its client has left.
#[test]
fn quit_and_the_end_of_input_end_a_running_search() {
    for (quits, before) in [(true, None), (true, Some("name")), (false, None), (false, Some("name"))] {
        let mut session = TimedSession::start(fixed::hours());
        before.map(|command| session.ok(command));
        session.typist.send("1 genmove b\n");
        session.typist.pause(BATCH + MOMENT);
        if quits {
            session.typist.send("2 quit\n");
        } else {
            session.typist.close();
        }
        let answer = session.answer();
        assert!(answer.id == "1" && answer.ok, "{answer:?}");
        if quits {
            let answer = session.answer();
            assert!(answer.id == "2" && answer.ok, "{answer:?}");
        }
        session.has_ended();
    }
}

#[test]
fn quit_and_the_end_of_input_end_pondering() {
    for quits in [true, false] {
        let mut session = TimedSession::start(EngineOptions { ponder: true, ..fixed::hours() });
        session.begin_move("b");
        session.time.advance(24 * 3600 * SECOND);
        session.end_of_move();
        // The engine ponders now, and its clock stands still.
        if quits {
            assert_eq!(session.ok("quit"), "");
            session.has_ended();
        } else {
            session.end();
        }
    }
}

/// The one who plays in a terminal leaves without `quit`, while the engine ponders.
#[test]
fn an_engine_that_ponders_can_be_dropped() {
    let (ended, end) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let time_per_move = Duration::from_millis(1);
        let mut engine = fixed::engine(EngineOptions { ponder: true, time_per_move, ..fixed::options() });
        engine.genmove(Color::Black).expect("a move");
        drop(engine);
        ended.send(()).expect("the test waits");
    });
    end.recv_timeout(60 * SECOND).expect("the engine ends");
}

/// The next move takes the second that it has, so nothing has cut it short.
#[track_caller]
fn a_move_takes_its_second(session: &mut TimedSession, color: &str) {
    session.ok("time_settings 0 1 1");
    session.begin_move(color);
    session.time.advance(SECOND);
    session.end_of_move();
    assert_eq!(session.last_search().0, SECOND, "cut short");
}

#[test]
fn an_interrupt_makes_a_running_search_answer() {
    let mut session = TimedSession::start(fixed::hours());
    session.ok("name");
    session.begin_move("b");
    session.typist.pause(BATCH + MOMENT);
    session.typist.send("# interrupt\n");
    assert_ne!(session.end_of_move(), "");
    // The comment had no answer, and the next search is not cut short.
    assert_eq!(session.ok("protocol_version"), "2");
    a_move_takes_its_second(&mut session, "w");
    session.ok("undo");
    assert_eq!(session.refused("gg-undo 2"), "cannot undo");
    session.ok("undo");
    session.end();
}

#[test]
fn an_interrupt_is_about_all_that_was_asked_before_it() {
    // In one go: it is read before its command is taken up.
    let mut session = TimedSession::start(fixed::hours());
    session.ok("name");
    for script in ["genmove b\n# interrupt\n", "name\n1 genmove b\n  # interrupt  \r\n2 name\n"] {
        session.typist.send(script);
        let commands = script.lines().filter(|line| !line.contains('#')).count();
        for _ in 0..commands {
            assert!(session.answer().ok);
        }
    }
    // While a search runs, with another one behind it: both end.
    session.begin_move("b");
    session.typist.send("genmove w\n");
    session.typist.pause(BATCH + MOMENT);
    session.typist.send("# interrupt\n");
    session.end_of_move();
    assert!(session.answer().ok);
    // While nothing runs it is about nothing: the next search takes its time.
    session.typist.send("# interrupt\n");
    a_move_takes_its_second(&mut session, "b");
    session.end();
}
