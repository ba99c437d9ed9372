//! A GTP client for tests: starts the program, sends bytes, reads answers and insists that each is well formed.
//!
//! Nothing here waits for ever: an answer or an exit that does not come within [`PATIENCE`] fails the test.

pub mod browser;
pub mod engine;
pub mod lines;
#[cfg(unix)]
pub mod match_bench;
pub mod positions;
pub mod queries;
pub mod searched;
#[cfg(unix)]
pub mod stopwatch;
pub mod wire;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest wait for anything that is sure to come. Only a broken program takes so long.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// An answer of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// `=` rather than `?`.
    pub ok: bool,
    /// The number, as it was written.
    pub id: String,
    /// What follows the first blank or, where the status stands alone on its line, the first line feed; lines are
    /// separated by line feeds.
    pub text: String,
}

impl Answer {
    /// Reads one answer without the empty line that ends it.
    ///
    /// # Errors
    /// What is wrong with its form.
    pub fn parse(raw: &str) -> Result<Answer, String> {
        let wrong = |what: &str| Err(format!("{what}: {:?}", raw.chars().take(300).collect::<String>()));
        let Some(ok) = raw.chars().next().and_then(|c| match c {
            '=' => Some(true),
            '?' => Some(false),
            _ => None,
        }) else {
            return wrong("an answer starts with = or ?");
        };
        if raw.contains(|c: char| c != '\n' && (c < ' ' || c == '\x7f')) {
            return wrong("an answer holds no control characters");
        }
        if raw.split('\n').any(str::is_empty) {
            return wrong("an answer holds no empty line");
        }
        let rest = &raw[1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (id, text) = rest.split_at(digits);
        // Live analysis writes its lines below the status.
        let text = match text.strip_prefix([' ', '\n']) {
            Some(text) if !text.starts_with([' ', '\n']) && !text.is_empty() => text,
            None if text.is_empty() => "",
            _ => return wrong("one blank or line feed and then the text follow the number"),
        };
        Ok(Answer { ok, id: id.into(), text: text.into() })
    }

    /// The text of a success.
    #[track_caller]
    pub fn success(self) -> String {
        assert!(self.ok, "the program refused: {}", self.text);
        self.text
    }

    /// The text of a failure.
    #[track_caller]
    pub fn failure(self) -> String {
        assert!(!self.ok, "the program did not refuse: {}", self.text);
        self.text
    }
}

/// Cuts all that a program has written into answers.
#[track_caller]
pub fn parse_all(output: &[u8]) -> Vec<Answer> {
    let text = std::str::from_utf8(output).expect("answers are UTF-8");
    if text.is_empty() {
        return Vec::new();
    }
    let text = text.strip_suffix("\n\n").expect("the last answer ends with an empty line");
    text.split("\n\n").map(|raw| Answer::parse(raw).unwrap()).collect()
}

/// The program's command line for tests: one thread, a fixed seed, and these further arguments.
pub fn program(args: &[&str]) -> Command {
    seeded("1", args)
}

/// The same with another seed.
pub fn seeded(seed: &str, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kosumi"));
    command.args(["--no-config", "--threads", "1", "--seed", seed]).args(args);
    forget_settings(&mut command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Takes the user's own settings out of the program's environment.
pub fn forget_settings(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("KOSUMI_")) {
            command.env_remove(name);
        }
    }
}

/// What came of a run from start to end.
pub struct Run {
    /// All answers.
    pub answers: Vec<Answer>,
    /// Standard error.
    pub errors: String,
    /// How it ended.
    pub status: ExitStatus,
}

/// Sends all of `input` at once, closes the input, and reads to the end.
#[track_caller]
pub fn run(mut command: Command, input: impl Into<Vec<u8>>) -> Run {
    let input = input.into();
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    let mut stdout = child.stdout.take().expect("piped");
    let mut stderr = child.stderr.take().expect("piped");
    let writer = thread::spawn(move || {
        // After `quit` nobody reads the rest; that is no fault.
        let _ = stdin.write_all(&input);
    });
    let reader = thread::spawn(move || {
        let mut output = Vec::new();
        stdout.read_to_end(&mut output).expect("its output can be read");
        output
    });
    let errors = thread::spawn(move || {
        let mut output = String::new();
        stderr.read_to_string(&mut output).expect("its messages can be read");
        output
    });
    let status = wait(&mut child, PATIENCE);
    writer.join().expect("the writer ends");
    let output = reader.join().expect("the reader ends");
    Run { answers: parse_all(&output), errors: errors.join().expect("the reader ends"), status }
}

/// Waits for the end of a process; kills it and fails the test if that takes longer than `limit`.
#[track_caller]
pub fn wait(child: &mut Child, limit: Duration) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return status;
        }
        if start.elapsed() > limit {
            let _ = child.kill();
            panic!("the program had not ended after {limit:?}");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// A running program, spoken to line by line.
pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Client {
    /// Starts it with these arguments besides those of [`program`].
    #[track_caller]
    pub fn start(args: &[&str]) -> Client {
        Client::spawn(program(args))
    }

    /// Starts a command.
    #[track_caller]
    pub fn spawn(mut command: Command) -> Client {
        let mut child = command.stderr(Stdio::null()).spawn().expect("the program starts");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("piped");
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            let mut line = String::new();
            while stdout.read_line(&mut line).is_ok_and(|read| read > 0) {
                let text = line.strip_suffix('\n').expect("a line ends with a line feed").to_owned();
                if sender.send(text).is_err() {
                    return;
                }
                line.clear();
            }
        });
        Client { child, stdin, lines }
    }

    /// The number of the process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends bytes as they are.
    #[track_caller]
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(bytes.as_ref()).and_then(|()| stdin.flush()).expect("the program reads");
    }

    /// The next line.
    #[track_caller]
    pub fn line(&mut self) -> String {
        self.line_within(PATIENCE).unwrap_or_else(|| panic!("no line within {PATIENCE:?}"))
    }

    /// The next line, if it comes in time.
    pub fn line_within(&mut self, limit: Duration) -> Option<String> {
        self.lines.recv_timeout(limit).ok()
    }

    /// The lines up to the next empty one, each of which has to come in time.
    #[track_caller]
    fn lines_within(&mut self, limit: Duration) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(limit) {
                Ok(line) if line.is_empty() => return lines,
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Timeout) => panic!("no answer within {limit:?}"),
                Err(RecvTimeoutError::Disconnected) => panic!("the program ended without an answer"),
            }
        }
    }

    /// The lines up to the next empty one.
    #[track_caller]
    pub fn lines(&mut self) -> Vec<String> {
        self.lines_within(PATIENCE)
    }

    /// The next answer.
    #[track_caller]
    pub fn answer(&mut self) -> Answer {
        self.answer_within(PATIENCE)
    }

    /// The next answer, each line of which has to come in time.
    #[track_caller]
    pub fn answer_within(&mut self, limit: Duration) -> Answer {
        Answer::parse(&self.lines_within(limit).join("\n")).unwrap()
    }

    /// Sends a command and reads its answer.
    #[track_caller]
    pub fn ask(&mut self, command: &str) -> Answer {
        self.send(format!("{command}\n"));
        self.answer()
    }

    /// Sends a command that has to succeed; the text of its answer.
    #[track_caller]
    pub fn ok(&mut self, command: &str) -> String {
        let answer = self.ask(command);
        assert!(answer.ok, "{command}: refused: {}", answer.text);
        answer.text
    }

    /// Sends a command that has to fail; the text of its answer.
    #[track_caller]
    pub fn refused(&mut self, command: &str) -> String {
        let answer = self.ask(command);
        assert!(!answer.ok, "{command}: not refused: {}", answer.text);
        answer.text
    }

    /// Closes the input.
    pub fn close(&mut self) {
        self.stdin = None;
    }

    /// The exit of the program, which has to come in time. No line may be left unread.
    #[track_caller]
    pub fn exit_within(mut self, limit: Duration) -> ExitStatus {
        let status = wait(&mut self.child, limit);
        // The thread that reads ends with the output of the program, so this does not wait for long.
        if let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            panic!("a line too many: {line:?}");
        }
        status
    }

    /// Quits in good order.
    #[track_caller]
    pub fn quit(mut self) {
        assert_eq!(self.ok("quit"), "");
        let status = self.exit_within(PATIENCE);
        assert!(status.success(), "quit: {status}");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
