//! A client that reads line by line, as those that show live analysis do, and what they expect of the lines.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use super::support::{Answer, PATIENCE, program, wait};

/// A running program whose lines are read as they come.
pub struct LineClient {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl LineClient {
    /// Starts the engine with these arguments besides those of [`program`].
    #[track_caller]
    pub fn start(args: &[&str]) -> LineClient {
        LineClient::spawn(program(args))
    }

    /// Starts a command.
    #[track_caller]
    pub fn spawn(mut command: Command) -> LineClient {
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
        LineClient { child, stdin, lines }
    }

    /// Sends bytes as they are.
    #[track_caller]
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(bytes.as_ref()).and_then(|()| stdin.flush()).expect("the program reads");
    }

    /// Closes the input.
    pub fn close(&mut self) {
        self.stdin = None;
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

    /// The lines up to the next empty one.
    #[track_caller]
    pub fn lines(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.line() {
                line if line.is_empty() => return lines,
                line => lines.push(line),
            }
        }
    }

    /// The next answer.
    #[track_caller]
    pub fn answer(&mut self) -> Answer {
        Answer::parse(&self.lines().join("\n")).unwrap()
    }

    /// Sends a command that has to succeed; the text of its answer.
    #[track_caller]
    pub fn ok(&mut self, command: &str) -> String {
        self.send(format!("{command}\n"));
        let answer = self.answer();
        assert!(answer.ok, "{command}: refused: {}", answer.text);
        answer.text
    }

    /// The exit of the program, which has to come in time and after all lines have been read.
    #[track_caller]
    pub fn exit_within(mut self, limit: Duration) -> ExitStatus {
        let status = wait(&mut self.child, limit);
        assert_eq!(self.lines.recv_timeout(PATIENCE).ok(), None, "a line too many");
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

impl Drop for LineClient {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One move of a line of live analysis, as clients read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// The move.
    pub vertex: String,
    /// Its visits.
    pub visits: u32,
    /// Its win rate, 0 to 1.
    pub winrate: f64,
    /// The score, if the line says one.
    pub lead: Option<f64>,
    /// The expected continuation.
    pub pv: Vec<String>,
}

/// A line of live analysis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InfoLine {
    /// The moves, best first.
    pub moves: Vec<Info>,
    /// Owners of the points from the top row to the bottom row; empty if the line says nothing of them.
    pub ownership: Vec<f64>,
}

/// Is the word the name of a point of the board, or `pass`?
pub fn is_vertex(word: &str, size: usize) -> bool {
    let mut chars = word.chars();
    let Some(column) = chars.next().and_then(|letter| "ABCDEFGHJKLMNOPQRSTUVWXYZ".find(letter)) else {
        return word == "pass";
    };
    let row: usize = chars.as_str().parse().unwrap_or(0);
    column < size && (1..=size).contains(&row) && !chars.as_str().starts_with('0')
}

/// Reads a line by the rules that Sabaki and Lizzie go by, and insists on all that they take for granted.
///
/// Sabaki cuts off what follows `ownership` and takes it for size² numbers; it cuts the rest at each `info`, takes the
/// vertices at the end of a part for the variation, and the words before it for pairs of a key and a value. A win rate
/// with a point is a share, one without is in ten thousandths.
///
/// Lizzie cuts at ` info `, cuts the parts at single blanks, and reads pairs up to `pv` and moves to the end after it.
/// Visits, and in Leela Zero's form win rates, have to be whole numbers, or it stops reading for good.
///
/// # Errors
/// What a client would stumble over.
pub fn parse_info(line: &str, size: usize, is_katago: bool) -> Result<InfoLine, String> {
    let fail = |what: &str| Err(format!("{what}: {}", line.chars().take(600).collect::<String>()));
    if !line.starts_with("info move ") {
        return fail("the line does not start with `info move`");
    }
    if line.contains("  ") || line.trim() != line || !line.chars().all(|c| (' '..='~').contains(&c)) {
        return fail("words are separated by one blank each");
    }
    let (text, ownership) = match line.split_once(" ownership ") {
        Some((text, numbers)) => (text, numbers.split(' ').map(str::parse::<f64>).collect::<Result<Vec<_>, _>>()),
        None => (line, Ok(Vec::new())),
    };
    let Ok(ownership) = ownership else { return fail("an owner is no number") };
    if !ownership.is_empty() && ownership.len() != size * size {
        return fail("there is not one owner for each point");
    }
    if ownership.iter().any(|owner| !(-1.0..=1.0).contains(owner)) {
        return fail("an owner is out of range");
    }
    let mut moves: Vec<Info> = Vec::new();
    let mut seen = HashSet::new();
    for (order, part) in text["info ".len()..].split(" info ").enumerate() {
        let words: Vec<&str> = part.split(' ').collect();
        let Some(at) = words.iter().position(|&word| word == "pv") else { return fail("a move without variation") };
        let pv: Vec<String> = words[at + 1..].iter().map(|&word| word.to_owned()).collect();
        if pv.is_empty() || !pv.iter().all(|word| is_vertex(word, size)) {
            return fail("something else than vertices follows `pv`");
        }
        if at % 2 != 0 {
            return fail("a key has no value");
        }
        let value = |key: &str| words[..at].chunks(2).find(|pair| pair[0] == key).map(|pair| pair[1]);
        let keys: HashSet<&str> = words[..at].chunks(2).map(|pair| pair[0]).collect();
        if keys.len() * 2 != at || !keys.iter().all(|key| key.chars().all(|c| c.is_ascii_alphabetic())) {
            return fail("a key comes twice or is no word");
        }
        let vertex = value("move").unwrap_or_default().to_owned();
        if vertex != pv[0] || !seen.insert(vertex.clone()) {
            return fail("the variation starts with another move, or a move comes twice");
        }
        if value("order").and_then(|order| order.parse().ok()) != Some(order) {
            return fail("the moves do not come in their order");
        }
        let Some(visits) = value("visits").and_then(|visits| visits.parse().ok()) else { return fail("no visits") };
        let rate = |key: &str| {
            let word = value(key)?;
            match is_katago {
                true => word.contains('.').then(|| word.parse().ok()).flatten(),
                false => word.parse::<u32>().ok().map(|rate| f64::from(rate) / 10000.0),
            }
        };
        let (Some(winrate), Some(prior), Some(lcb)) = (rate("winrate"), rate("prior"), rate("lcb")) else {
            return fail("a rate is missing or has the other form");
        };
        if [winrate, prior, lcb].iter().any(|rate| !(0.0..=1.0).contains(rate)) || lcb > winrate + 1e-4 {
            return fail("a rate is out of range");
        }
        let number = |key: &str| value(key).and_then(|word| word.parse::<f64>().ok()).filter(|n| n.is_finite());
        let lead = number("scoreLead");
        if is_katago != lead.is_some() || lead != number("scoreMean") || is_katago != number("scoreStdev").is_some() {
            return fail("the score is missing, or where it should not be");
        }
        moves.push(Info { vertex, visits, winrate, lead, pv });
    }
    if !moves.is_sorted_by(|a, b| a.visits >= b.visits) {
        return fail("the moves do not come in the order of their visits");
    }
    Ok(InfoLine { moves, ownership })
}
