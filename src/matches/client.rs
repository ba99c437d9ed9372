//! An engine's process, and the controller's end of GTP.
//!
//! Commands carry no number and are sent one at a time, so the order of the answers says to which command each belongs.
//! Lines that are no part of an answer are dropped. `=text` is read as `= text`. Standard error is read all the time,
//! so that an engine never waits for a reader. Its last lines are kept for the message when the process of the engine
//! ends.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::child::keep_apart;
use crate::time::TimeSource;

/// Why there is no usable answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The engine answered with an error.
    #[error("{command}: {text}")]
    Refused {
        /// The command.
        command: String,
        /// The engine's message.
        text: String,
    },
    /// Somebody has stopped the match.
    #[error("the match was stopped")]
    Stopped,
    /// The engine's process has ended.
    #[error("{0}")]
    Died(String),
    /// No answer came in time.
    #[error("no answer to {command} within {:.1} s", within.as_secs_f64())]
    Silent {
        /// The command.
        command: String,
        /// How long the client waited.
        within: Duration,
    },
}

/// The most lines that wait to be read. Beyond them the engine waits.
const MOST_WAITING: usize = 4096;

/// The program that stands for this one where the system knows none of the name.
const OWN_NAME: &str = "kosumi";

/// The longest answer in bytes. (A guess: many times the length of any record or list.)
const LONGEST_ANSWER: usize = 64 << 20;

/// Longer lines are cut into pieces.
const LONGEST_LINE: u64 = 1 << 20;

/// Lines of standard error that are remembered.
const LAST_WORDS: usize = 5;

/// The time after `quit` in which an engine's process has to end.
const FAREWELL: Duration = Duration::from_secs(2);

/// A running engine.
#[derive(Debug)]
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    last_words: Arc<Mutex<VecDeque<String>>>,
    /// Closed when standard error has been read to its end.
    all_said: Receiver<()>,
    time: TimeSource,
    stop: Arc<AtomicBool>,
}

/// The longest time without a look at whether the match was stopped.
const LOOK: Duration = Duration::from_millis(50);

impl Client {
    /// Starts a program; `kosumi` is this one, unless the system finds another of the name. The limits to its answers are times of `time`. When `stop` is set, no answer is waited for.
    ///
    /// # Errors
    /// If the command has no words, or the system cannot start the program.
    pub fn start(words: &[String], time: TimeSource, stop: Arc<AtomicBool>) -> std::io::Result<Client> {
        let (program, arguments) = words.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
        let launch = |program: &OsStr| {
            let mut command = Command::new(program);
            command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            keep_apart(&mut command);
            command.spawn()
        };
        let mut child = launch(program.as_ref()).or_else(|error| match std::env::current_exe() {
            // Who has built the program and not installed it names it all the same.
            Ok(itself) if program == OWN_NAME && error.kind() == ErrorKind::NotFound => launch(itself.as_os_str()),
            _ => Err(error),
        })?;
        let (sender, lines) = sync_channel(MOST_WAITING);
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let input = child.stdin.take();
        let (output, errors) = (child.stdout.take(), child.stderr.take());
        // From here on dropping the client ends the process.
        let (saying, all_said) = sync_channel(0);
        let client = Client { child, input, lines, last_words: Arc::clone(&last_words), all_said, time, stop };
        if let (Some(output), Some(errors)) = (output, errors) {
            std::thread::Builder::new().name("engine-output".into()).spawn(move || pass_on(output, &sender))?;
            std::thread::Builder::new().name("engine-errors".into()).spawn(move || {
                remember(errors, &last_words);
                drop(saying);
            })?;
        }
        Ok(client)
    }

    /// Sends a command and waits for the text of its answer.
    ///
    /// # Errors
    /// See [`Fault`]. After [`Fault::Died`] and [`Fault::Silent`] the client cannot be used any more.
    pub fn ask(&mut self, command: &str, within: Duration) -> Result<String, Fault> {
        let start = self.time.now();
        let line = format!("{command}\n");
        let sent = self.input.as_mut().is_some_and(|input| input.write_all(line.as_bytes()).is_ok());
        if !sent {
            return Err(self.died(command));
        }
        let mut answer: Option<(bool, String)> = None;
        let mut late_lines = 0;
        loop {
            let left = within.saturating_sub(self.time.since(start));
            if self.stop.load(Relaxed) {
                return Err(Fault::Stopped);
            }
            // What waits when the time is over has come in time. But an engine may write for ever.
            late_lines += usize::from(left.is_zero());
            let is_endless = answer.as_ref().is_some_and(|(_, text)| text.len() > LONGEST_ANSWER);
            if late_lines > MOST_WAITING || is_endless {
                return Err(Fault::Silent { command: command.into(), within });
            }
            let line = match self.lines.recv_timeout(self.time.nap(left).min(LOOK)) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) if !left.is_zero() => continue,
                Err(RecvTimeoutError::Timeout) => return Err(Fault::Silent { command: command.into(), within }),
                Err(RecvTimeoutError::Disconnected) => return Err(self.died(command)),
            };
            match &mut answer {
                None => {
                    if let Some(text) = line.strip_prefix('=') {
                        answer = Some((true, text.trim().into()));
                    } else if let Some(text) = line.strip_prefix('?') {
                        answer = Some((false, text.trim().into()));
                    }
                }
                Some((good, text)) if line.is_empty() => {
                    let text = text.trim().to_string();
                    return if *good { Ok(text) } else { Err(Fault::Refused { command: command.into(), text }) };
                }
                Some((_, text)) => {
                    text.push('\n');
                    text.push_str(&line);
                }
            }
        }
    }

    fn died(&mut self, command: &str) -> Fault {
        // The end of the output may be seen a moment before the end of the process.
        let status = self.wait(Duration::from_millis(500));
        let mut text = match status {
            Some(status) => format!("ended ({status}) at {command}"),
            None => format!("closed its output at {command}"),
        };
        // The end of standard error may come later, too. A child process of the engine can even keep it open.
        let _ = self.all_said.recv_timeout(Duration::from_millis(500));
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        if !words.is_empty() {
            text.push_str("; it said: ");
            text.push_str(&words.iter().map(String::as_str).collect::<Vec<_>>().join(" | "));
        }
        Fault::Died(text)
    }

    fn wait(&mut self, most: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + most;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
                _ => return None,
            }
        }
    }

    /// Sends `quit`, and kills a process that does not end.
    pub fn quit(mut self) {
        if let Some(mut input) = self.input.take() {
            let _ = input.write_all(b"quit\n");
        }
        self.wait(FAREWELL);
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.input = None;
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Sends lines without control characters on, until the output ends or the receiver has gone.
fn pass_on(output: impl Read, lines: &SyncSender<String>) {
    each_line(output, |line| lines.send(line).is_ok());
}

fn remember(errors: impl Read, last_words: &Mutex<VecDeque<String>>) {
    each_line(errors, |line| {
        let line: String = line.trim().chars().take(200).collect();
        if !line.is_empty() {
            let mut words = last_words.lock().unwrap_or_else(PoisonError::into_inner);
            if words.len() == LAST_WORDS {
                words.pop_front();
            }
            words.push_back(line);
        }
        true
    });
}

fn each_line(source: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut source = BufReader::new(source);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match source.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let text = String::from_utf8_lossy(&bytes).replace('\t', " ");
                if !take(text.chars().filter(|c| !c.is_control()).collect()) {
                    return;
                }
            }
        }
    }
}
