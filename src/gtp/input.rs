//! Standard input, read in a thread of its own, so that lines are noticed while the engine searches.
//!
//! `quit`, the end of input and GoGui's `# interrupt` end a running search. The end of a script that is piped in comes
//! at once, and must not cut its searches short. So input is divided into batches. A new batch begins where the reader
//! had to wait for longer than [`BATCH`]. An end in a later batch than the running command means that the user leaves.
//! An end in the same batch waits for its turn, so that every command gets a proper answer.
//!
//! `# interrupt` concerns all commands before it: the running one, and those that still wait. Any line ends live
//! analysis, see [`Input::end_with_any_line`].

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::protocol;
use crate::time::TimeSource;

/// Input for which the reader waits no longer than this counts as one batch: a client writes a batch at once, and the
/// `quit` of a user comes later. Only the waiting counts, so a busy machine makes no batches. Clients that wait for an
/// exit allow at least half a second.
pub const BATCH: Duration = Duration::from_millis(200);

/// Longer lines are cut, and answered with an error. A play sequence of a whole game takes 8 bytes for each move.
pub const LONGEST_LINE: usize = 4 << 20;

/// The most bytes that wait. Beyond them the reader waits, and then the operating system makes the sender wait.
const MOST_WAITING: usize = 64 << 20;

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// A line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputLine {
    /// Its bytes, without the line feed.
    pub text: Vec<u8>,
    /// Was it longer than [`LONGEST_LINE`], and cut?
    pub cut: bool,
    /// When its end was read.
    pub read_at: Instant,
    /// The batch in which its end came, counted from 0.
    batch: u64,
}

/// The lines that wait, and what has been read of the end of input and of interrupts.
#[derive(Default, Debug)]
struct Queue {
    waiting: VecDeque<InputLine>,
    waiting_bytes: usize,
    /// No more lines will come.
    closed: bool,
    /// The batch in which the input ended, by `quit` or by its end; `None` if the input has not ended.
    end: Option<u64>,
    /// The batch of the running command's line.
    running: Option<u64>,
    /// Lines that say `# interrupt` among those that wait.
    interrupts: usize,
    /// Does any line end the running command?
    any_line_ends: bool,
}

/// The lines of an input, as they come.
#[derive(Debug)]
pub struct Input {
    queue: Mutex<Queue>,
    changed: Condvar,
    stop: Arc<AtomicBool>,
}

impl Input {
    /// Starts reading. `stop` is set when a running command should end at once; `time` says when lines come.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn start(
        source: impl Read + Send + 'static,
        stop: Arc<AtomicBool>,
        time: TimeSource,
    ) -> std::io::Result<Arc<Input>> {
        let input = Arc::new(Input { queue: Mutex::default(), changed: Condvar::new(), stop });
        let reader = Arc::clone(&input);
        let source = BufReader::new(Batches { source, time, batch: None });
        std::thread::Builder::new().name("input".into()).spawn(move || reader.read(source))?;
        Ok(input)
    }

    /// The next line; waits for it. `None` at the end of input.
    pub fn next(&self) -> Option<InputLine> {
        let mut queue = self.lock();
        loop {
            if let Some(line) = queue.waiting.pop_front() {
                queue.waiting_bytes -= size(&line);
                queue.interrupts -= usize::from(is_interrupt(&line));
                queue.running = Some(line.batch);
                self.stop.store(queue.is_leaving() || queue.interrupts > 0, Relaxed);
                self.changed.notify_all();
                return Some(line);
            }
            if queue.closed {
                return None;
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The command of the last line has been answered.
    pub fn finish(&self) {
        let mut queue = self.lock();
        queue.running = None;
        queue.any_line_ends = false;
    }

    /// From now on any line, or the end of input, ends the running command: at once if there is one already.
    pub fn end_with_any_line(&self) {
        let mut queue = self.lock();
        queue.any_line_ends = true;
        if queue.closed || !queue.waiting.is_empty() {
            self.stop.store(true, Relaxed);
        }
    }

    /// Ends the running command at once.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Is another line waiting?
    pub fn has_line(&self) -> bool {
        let queue = self.lock();
        !queue.waiting.is_empty() || queue.closed
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, mut source: BufReader<Batches<impl Read>>) {
        let mut is_first = true;
        while let Some(mut line) = read_line(&mut source) {
            // Editors of Windows begin a file with a byte order mark.
            if std::mem::take(&mut is_first) && line.text.starts_with(MARK) {
                line.text.drain(..MARK.len());
            }
            let interrupt = is_interrupt(&line);
            let quit = protocol::calls(&line.text, "quit");
            let mut queue = self.lock();
            while queue.waiting_bytes > MOST_WAITING {
                queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
            if quit && queue.end.is_none() {
                queue.end = Some(line.batch);
            }
            if queue.any_line_ends || interrupt && queue.running.is_some() || queue.is_leaving() {
                self.stop.store(true, Relaxed);
            }
            queue.interrupts += usize::from(interrupt);
            queue.waiting_bytes += size(&line);
            queue.waiting.push_back(line);
            self.changed.notify_all();
        }
        let batch = source.get_ref().batch.unwrap_or_default();
        let mut queue = self.lock();
        queue.closed = true;
        queue.end.get_or_insert(batch);
        if queue.any_line_ends || queue.is_leaving() {
            self.stop.store(true, Relaxed);
        }
        self.changed.notify_all();
    }
}

impl Queue {
    /// Did the input end in such a way that nobody waits for the running command?
    fn is_leaving(&self) -> bool {
        match (self.running, self.end) {
            (Some(running), Some(end)) => end > running,
            _ => false,
        }
    }
}

/// The memory that a waiting line takes, in bytes: an empty line takes some, too.
fn size(line: &InputLine) -> usize {
    size_of::<InputLine>() + line.text.capacity()
}

/// Is the line GoGui's interrupt, which ends the running command?
fn is_interrupt(line: &InputLine) -> bool {
    line.text.trim_ascii() == protocol::INTERRUPT
}

/// A source that counts the batches in which its bytes come.
struct Batches<R> {
    source: R,
    time: TimeSource,
    /// The present batch; `None` before the first byte. The wait for the first byte does not count.
    batch: Option<u64>,
}

impl<R: Read> Read for Batches<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let start = self.time.now();
        let read = self.source.read(buffer);
        self.batch = match self.batch {
            Some(batch) if self.time.since(start) > BATCH => Some(batch + 1),
            Some(batch) => Some(batch),
            None => Some(0),
        };
        read
    }
}

/// Reads up to a line feed or the end of input; `None` if there is nothing more, or reading fails.
fn read_line(source: &mut BufReader<Batches<impl Read>>) -> Option<InputLine> {
    let mut text = Vec::new();
    let read = source.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut text);
    let read = read.inspect_err(|error| log::error!("standard input: cannot read: {error}")).ok()?;
    if read == 0 {
        return None;
    }
    let read_at = source.get_ref().time.now();
    let batch = source.get_ref().batch.unwrap_or_default();
    let complete = text.last() == Some(&b'\n');
    if complete {
        text.pop();
    }
    let cut = !complete && text.len() == LONGEST_LINE && skip_line(source);
    Some(InputLine { text, cut, read_at, batch })
}

/// Skips the rest of a line; `false` if there was none.
fn skip_line(source: &mut impl BufRead) -> bool {
    let mut skipped = false;
    loop {
        let Ok(buffer) = source.fill_buf() else { return skipped };
        if buffer.is_empty() {
            return skipped;
        }
        let (used, end) = match buffer.iter().position(|&byte| byte == b'\n') {
            Some(at) => {
                skipped |= at > 0;
                (at + 1, true)
            }
            None => {
                skipped = true;
                (buffer.len(), false)
            }
        };
        source.consume(used);
        if end {
            return skipped;
        }
    }
}
