//! What ends a running command: lines of the same batch and of later ones, the end of input, interrupts. The test
//! types, and sets the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use kosumi::gtp::input::{BATCH, Input};
use kosumi::time::TimeSource;

use crate::support::PATIENCE;
use crate::support::wire::Typist;

struct Desk {
    time: TimeSource,
    typist: Typist,
    input: Arc<Input>,
    stop: Arc<AtomicBool>,
}

fn desk() -> Desk {
    let time = TimeSource::stopped();
    let (typist, input, stop) = Typist::new(&time);
    Desk { time, typist, input, stop }
}

const MOMENT: Duration = Duration::from_nanos(1);

impl Desk {
    /// Takes up the next line; its text, and whether the command should end before it has begun.
    #[track_caller]
    fn take(&self) -> (String, bool) {
        let line = self.input.next().expect("a line");
        (String::from_utf8(line.text).expect("text"), self.stop.load(Relaxed))
    }

    /// Is the running command told to end, once all has been read?
    fn is_stopped(&mut self) -> bool {
        self.typist.until_read();
        self.stop.load(Relaxed)
    }
}

#[test]
fn an_end_in_the_same_batch_waits_for_its_turn() {
    let mut desk = desk();
    desk.typist.send("genmove b\nname\nquit\n");
    assert_eq!(desk.take(), ("genmove b".into(), false));
    assert!(!desk.is_stopped());
    // A batch goes on as long as the reader waits for no longer than this at a time.
    desk.typist.pause(BATCH);
    desk.typist.send("quit\n");
    assert!(!desk.is_stopped());
    desk.typist.pause(BATCH);
    desk.typist.close();
    desk.input.finish();
    assert_eq!(desk.take(), ("name".into(), false));
    desk.input.finish();
    assert_eq!(desk.take(), ("quit".into(), false));
}

#[test]
fn a_byte_order_mark_before_the_first_line_is_no_part_of_it() {
    let mut desk = desk();
    desk.typist.send("\u{feff}boardsize 9\n\u{feff}name\n");
    assert_eq!(desk.take().0, "boardsize 9");
    assert_eq!(desk.take().0, "\u{feff}name");
}

#[test]
fn quit_or_the_end_of_input_in_a_later_batch_ends_the_running_command() {
    for quits in [true, false] {
        let mut desk = desk();
        desk.typist.send("genmove b\ngenmove w\n");
        assert_eq!(desk.take(), ("genmove b".into(), false));
        desk.typist.pause(BATCH + MOMENT);
        assert!(!desk.is_stopped(), "a pause alone ends nothing");
        if quits {
            desk.typist.send("quit\n");
            assert!(desk.is_stopped());
        } else {
            desk.typist.close();
            let since = Instant::now();
            while !desk.stop.load(Relaxed) {
                assert!(since.elapsed() < PATIENCE, "nothing ends the command");
                std::thread::yield_now();
            }
        }
        // Nor does anybody wait for the command behind it.
        desk.input.finish();
        assert_eq!(desk.take(), ("genmove w".into(), true));
    }
}

#[test]
fn a_client_may_take_its_time_before_the_first_line() {
    let mut desk = desk();
    desk.typist.pause(Duration::from_secs(3600));
    desk.typist.send("genmove b\nquit\n");
    assert_eq!(desk.take(), ("genmove b".into(), false));
    assert!(!desk.is_stopped());
}

#[test]
fn a_line_knows_when_it_was_read() {
    let mut desk = desk();
    let start = desk.time.now();
    desk.typist.send("one\n");
    desk.typist.pause(Duration::from_secs(5));
    desk.typist.send("two\nthr");
    desk.typist.pause(Duration::from_secs(7));
    desk.typist.send("ee\n");
    let read = |desk: &Desk| desk.input.next().expect("a line").read_at.duration_since(start);
    assert_eq!(read(&desk), Duration::ZERO);
    assert_eq!(read(&desk), Duration::from_secs(5));
    // When its end was read.
    assert_eq!(read(&desk), Duration::from_secs(12));
}

#[test]
fn an_interrupt_is_about_all_that_was_asked_before_it() {
    let mut desk = desk();
    desk.typist.send("one\ntwo\n  # interrupt \r\nthree\n");
    desk.typist.until_read();
    assert_eq!(desk.take(), ("one".into(), true));
    desk.input.finish();
    assert_eq!(desk.take(), ("two".into(), true));
    desk.input.finish();
    // Its own line has had its effect.
    assert!(!desk.take().1);
    desk.input.finish();
    assert_eq!(desk.take(), ("three".into(), false));
    // While a command runs it ends that.
    desk.typist.send("# another comment\n");
    assert!(!desk.is_stopped());
    desk.typist.send("# interrupt\n");
    assert!(desk.is_stopped());
    desk.input.finish();
    assert!(
        !{
            desk.take();
            desk.take()
        }
        .1
    );
    desk.input.finish();
    // While nothing runs it is about nothing.
    desk.typist.send("# interrupt\n");
    desk.typist.send("four\n");
    desk.typist.until_read();
    assert!(
        !{
            desk.take();
            desk.input.finish();
            desk.take()
        }
        .1
    );
}

#[test]
fn any_line_ends_what_wants_to_be_ended_so() {
    for line in ["\n", "# a comment\n", "name\n"] {
        let mut desk = desk();
        desk.typist.send("lz-analyze\n");
        desk.take();
        desk.input.end_with_any_line();
        assert!(!desk.is_stopped());
        desk.typist.send(line);
        assert!(desk.is_stopped(), "{line:?}");
        // The next command is one like others.
        desk.input.finish();
        assert!(!desk.take().1);
        desk.typist.send("\n");
        assert!(!desk.is_stopped());
    }
    // A line that is there already ends it at once.
    let mut desk = desk();
    desk.typist.send("lz-analyze\nname\n");
    desk.typist.until_read();
    assert!(!desk.take().1);
    desk.input.end_with_any_line();
    assert!(desk.is_stopped());
}
