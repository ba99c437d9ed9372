//! The answers on their way out. A thread of its own writes them, so that a client which writes many queries before it
//! reads an answer does not stop the intake of queries.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

/// Bytes of answers that may wait before the workers wait, too. (An answer with the owners after each move on 19×19 has
/// up to 1 MB.)
const MOST_WAITING: usize = 16 << 20;

/// Bytes of answers that may wait before the intake of queries waits, too. A client that writes queries and never reads
/// would else fill the memory with complaints about them.
const MOST_UNREAD: usize = 256 << 20;

/// Bytes that a waiting line takes besides its text.
const LINE: usize = size_of::<String>();

/// Lines that wait to be written.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<String>,
    bytes: usize,
    /// No more lines will come.
    closed: bool,
    /// Nobody reads the lines any more.
    broken: bool,
}

impl Outbox {
    /// Puts a line into the box. This waits only where very much is unread.
    pub(super) fn post(&self, answer: &Value) {
        self.post_below(MOST_UNREAD, answer);
    }

    /// Puts a line into the box as soon as there is room.
    pub(super) fn post_when_there_is_room(&self, answer: &Value) {
        self.post_below(MOST_WAITING, answer);
    }

    fn post_below(&self, most: usize, answer: &Value) {
        let has_no_room = |state: &mut State| state.bytes > most && !state.broken;
        let mut state = self.changed.wait_while(self.lock(), has_no_room).unwrap_or_else(PoisonError::into_inner);
        state.add(answer);
        drop(state);
        self.changed.notify_all();
    }

    /// Does so much wait that a report on the way should be left out?
    pub(super) fn is_crowded(&self) -> bool {
        self.lock().bytes > MOST_WAITING / 2
    }

    /// Has the reader of the output gone away?
    pub(super) fn is_broken(&self) -> bool {
        self.lock().broken
    }

    /// No more lines will come.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Writes lines as they come, until the box is closed and empty, or until nobody reads.
    pub(super) fn write_to(&self, mut output: impl Write) {
        loop {
            let nothing_to_do = |state: &mut State| state.lines.is_empty() && !state.closed;
            let mut state = self.changed.wait_while(self.lock(), nothing_to_do).unwrap_or_else(PoisonError::into_inner);
            let Some(mut line) = state.lines.pop_front() else { return };
            drop(state);
            let bytes = LINE + line.len();
            line.push('\n');
            let result = output.write_all(line.as_bytes()).and_then(|()| output.flush());
            let mut state = self.lock();
            state.bytes -= bytes;
            if let Err(error) = result {
                log::warn!("cannot write: {error}");
                *state = State { broken: true, closed: true, ..State::default() };
            }
            drop(state);
            self.changed.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn add(&mut self, answer: &Value) {
        if !self.broken {
            let line = answer.to_string();
            self.bytes += LINE + line.len();
            self.lines.push_back(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lines_are_written_in_order_until_the_box_is_closed() {
        let outbox = Outbox::default();
        let mut output = Vec::new();
        std::thread::scope(|scope| {
            scope.spawn(|| outbox.write_to(&mut output));
            (0..3).for_each(|number| outbox.post(&json!(number)));
            outbox.post_when_there_is_room(&json!("last"));
            outbox.close();
        });
        assert_eq!(output, b"0\n1\n2\n\"last\"\n");
    }

    #[test]
    fn nobody_waits_for_a_reader_who_has_gone() {
        struct Gone;
        impl Write for Gone {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let outbox = Outbox::default();
        let long = json!("x".repeat(MOST_WAITING));
        std::thread::scope(|scope| {
            outbox.post(&long);
            outbox.post(&long);
            assert!(outbox.is_crowded() && !outbox.is_broken());
            scope.spawn(|| outbox.write_to(Gone));
            outbox.post_when_there_is_room(&long);
        });
        assert!(outbox.is_broken());
    }
}
