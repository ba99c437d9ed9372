//! The two ends of a session's pipes in the test's own process, so that the test sets the time: what it sends, and what
//! it reads. No time passes but by [`Typist::pause`] and by what the test does with the time source itself.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use kosumi::engine::{Engine, EngineOptions};
use kosumi::gtp;
use kosumi::gtp::input::Input;
use kosumi::time::TimeSource;

use super::{Answer, PATIENCE};

/// An interval between lines of analysis that no test lets pass, in hundredths of a second.
const HOUR: &str = "360000";

/// Who types: the sending end of an input.
pub struct Typist {
    wire: Option<Sender<Vec<u8>>>,
    /// The reader says here that it waits for more.
    waits: Receiver<()>,
    is_waited_for: bool,
    time: TimeSource,
}

/// The receiving end.
struct Keyboard {
    wire: Receiver<Vec<u8>>,
    waits: Sender<()>,
}

impl Read for Keyboard {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Nobody listens once the test is over.
        let _ = self.waits.send(());
        let Ok(bytes) = self.wire.recv() else { return Ok(0) };
        assert!(bytes.len() <= buffer.len(), "one reading takes all that is sent at once");
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

impl Typist {
    /// An input whose lines this typist types. The flag is set when a running command should end.
    pub fn new(time: &TimeSource) -> (Typist, Arc<Input>, Arc<AtomicBool>) {
        let (wire, receiver) = channel();
        let (sender, waits) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let keyboard = Keyboard { wire: receiver, waits: sender };
        let input = Input::start(keyboard, Arc::clone(&stop), time.clone()).expect("a thread");
        (Typist { wire: Some(wire), waits, is_waited_for: false, time: time.clone() }, input, stop)
    }

    /// Waits until all that was sent has been read, and the reader waits for more.
    pub fn until_read(&mut self) {
        if !self.is_waited_for {
            self.waits.recv_timeout(PATIENCE).expect("the reader reads");
            self.is_waited_for = true;
        }
    }

    /// Sends this in one go.
    pub fn send(&mut self, text: &str) {
        self.until_read();
        self.is_waited_for = false;
        self.wire.as_ref().expect("the input is open").send(text.as_bytes().to_vec()).expect("somebody reads");
    }

    /// Lets time pass while the reader waits.
    pub fn pause(&mut self, time: Duration) {
        self.until_read();
        self.time.advance(time);
    }

    /// Ends the input.
    pub fn close(&mut self) {
        self.until_read();
        self.wire = None;
    }
}

/// A sink that passes each line on.
struct Paper {
    lines: Sender<String>,
    rest: String,
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.push_str(std::str::from_utf8(bytes).expect("answers are UTF-8"));
        while let Some((line, rest)) = self.rest.split_once('\n') {
            // Nobody listens once the test is over.
            let _ = self.lines.send(line.to_owned());
            self.rest = rest.to_owned();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A session for which the test sets the time.
pub struct TimedSession {
    /// Who types.
    pub typist: Typist,
    /// Its time.
    pub time: TimeSource,
    lines: Receiver<String>,
    asides: Receiver<String>,
    session: JoinHandle<io::Result<()>>,
}

impl TimedSession {
    /// Starts a session of an engine with these options, whose time stands still.
    pub fn start(mut options: EngineOptions) -> TimedSession {
        let time = TimeSource::stopped();
        options.search.time = time.clone();
        let (typist, input, stop) = Typist::new(&time);
        let engine = Engine::new(options, stop).expect("memory");
        let paper = || {
            let (sender, lines) = channel();
            (Paper { lines: sender, rest: String::new() }, lines)
        };
        let ((answers, lines), (notes, asides)) = (paper(), paper());
        let session = thread::spawn(move || gtp::run(engine, gtp::SessionOptions::default(), &input, answers, notes));
        TimedSession { typist, time, lines, asides, session }
    }

    /// Asks for a move of this side whose search takes until the test lets the time pass. When this returns, the search
    /// has begun: it has a line of analysis. The answer's last line will be `play VERTEX`.
    #[track_caller]
    pub fn begin_move(&mut self, color: &str) {
        self.typist.send(&format!("lz-genmove_analyze {color} {HOUR}\n"));
        assert_eq!(self.line(), "=");
        let line = self.line();
        assert!(line.starts_with("info "), "{line}");
    }

    /// The end of the answer that [`TimedSession::begin_move`] began; the move.
    #[track_caller]
    pub fn end_of_move(&mut self) -> String {
        let lines = self.lines();
        let mv = lines.last().and_then(|last| last.strip_prefix("play "));
        mv.unwrap_or_else(|| panic!("no move: {lines:?}")).to_owned()
    }

    /// How long the search for the last move took, and its playouts, as `gomill-explain_last_move` says.
    #[track_caller]
    pub fn last_search(&mut self) -> (Duration, u64) {
        let explained = self.ok("gomill-explain_last_move");
        searched(&explained).unwrap_or_else(|| panic!("neither time nor playouts: {explained}"))
    }

    /// The next line.
    #[track_caller]
    pub fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("a line comes")
    }

    /// The lines up to the next empty one.
    #[track_caller]
    pub fn lines(&self) -> Vec<String> {
        std::iter::repeat_with(|| self.line()).take_while(|line| !line.is_empty()).collect()
    }

    /// The next line, if it comes in this time. That is time of the machine.
    pub fn line_within(&self, limit: Duration) -> Option<String> {
        self.lines.recv_timeout(limit).ok()
    }

    /// The next line besides the answers, without its line feed.
    #[track_caller]
    pub fn aside(&self) -> String {
        self.asides.recv_timeout(PATIENCE).expect("an aside comes")
    }

    /// The next line besides the answers, if it comes in this time. That is time of the machine.
    pub fn aside_within(&self, limit: Duration) -> Option<String> {
        self.asides.recv_timeout(limit).ok()
    }

    /// The next answer.
    #[track_caller]
    pub fn answer(&mut self) -> Answer {
        Answer::parse(&self.lines().join("\n")).unwrap()
    }

    /// Sends a command that has to succeed; the text of its answer.
    #[track_caller]
    pub fn ok(&mut self, command: &str) -> String {
        self.typist.send(&format!("{command}\n"));
        self.answer().success()
    }

    /// Sends a command that has to fail; the text of its answer.
    #[track_caller]
    pub fn refused(&mut self, command: &str) -> String {
        self.typist.send(&format!("{command}\n"));
        self.answer().failure()
    }

    /// Ends the input and waits for the end of the session, after which no line is left.
    #[track_caller]
    pub fn end(mut self) {
        self.typist.close();
        self.has_ended();
    }

    /// Waits for the end of a session whose input is over or says `quit`. No line may be left, of answers or asides.
    #[track_caller]
    pub fn has_ended(self) {
        for lines in [&self.lines, &self.asides] {
            match lines.recv_timeout(PATIENCE) {
                Ok(line) => panic!("a line too many: {line:?}"),
                Err(RecvTimeoutError::Timeout) => panic!("the session has no end"),
                // The session has let go of what it writes to.
                Err(RecvTimeoutError::Disconnected) => {}
            }
        }
        self.session.join().expect("no panic").expect("all could be written");
    }
}

/// Time and playouts of a search in an explanation that says `123 playouts in 4.56 s`.
pub fn searched(explanation: &str) -> Option<(Duration, u64)> {
    let words: Vec<&str> = explanation.split_whitespace().collect();
    words.windows(4).find_map(|words| {
        let &[count, "playouts", "in", seconds] = words else { return None };
        Some((Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?, count.parse().ok()?))
    })
}
