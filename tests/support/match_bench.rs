//! Matches for tests: engines that are shell scripts of a few lines, and Kosumi itself with one playout a move.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use kosumi::clock::TimeControl;
use kosumi::go::{Komi, Ruleset};
use kosumi::matches::record::Row;
use kosumi::matches::tally::Summary;
use kosumi::matches::{Counting, EngineCommand, OpeningSource, Settings};
use tempfile::TempDir;

use super::PATIENCE;
use super::stopwatch::Stopwatch;

/// A folder with scripts and results, and the clock of its matches, which only engines move.
pub struct Bench {
    pub clock: Stopwatch,
    folder: TempDir,
}

/// Plays a match. On a clock that stands still, nothing else would end one whose engine hangs.
pub fn run(settings: &Settings) -> Result<Summary, String> {
    let (sender, receiver) = channel();
    let settings = settings.clone();
    std::thread::spawn(move || _ = sender.send(kosumi::matches::run(&settings)));
    receiver.recv_timeout(PATIENCE).expect("the match ends")
}

/// Kosumi, as fast as it plays.
pub const KOSUMI: &str = concat!(env!("CARGO_BIN_EXE_kosumi"), " --no-config --playouts 1 --threads 1 --memory 1");

/// What a script does with commands that its own lines do not answer.
pub const OTHERS: &str = r"
    list_commands) printf '= list_commands\nname\nboardsize\nclear_board\nkomi\nplay\ngenmove\nquit\n\n';;
    name) printf '= Script\n\n';;
    version) printf '= 1\n\n';;
    quit) printf '=\n\n'; exit 0;;
    *) printf '=\n\n';;
";

impl Bench {
    pub fn new() -> Bench {
        let folder = TempDir::new().unwrap();
        Bench { clock: Stopwatch::start(folder.path()), folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// An engine that answers with these lines of a shell's `case`; `first` is done before anything is read. The lines
    /// may call the functions of [`Stopwatch::functions`].
    pub fn script(&self, name: &str, first: &str, cases: &str) -> EngineCommand {
        let path = self.path(name);
        let functions = self.clock.functions();
        let text = format!(
            "{functions}{first}\nwhile read -r command rest; do case $command in\n{cases}\n{OTHERS}\nesac; done\n"
        );
        fs::write(&path, text).unwrap();
        format!("sh '{}'", path.display()).parse().unwrap()
    }

    /// An engine that always passes.
    pub fn passer(&self) -> EngineCommand {
        self.script("passer", "", r"genmove) printf '= pass\n\n';;")
    }

    pub fn settings(&self, a: EngineCommand, b: EngineCommand, games: usize) -> Settings {
        Settings {
            a_is_black: false,
            engines: [a, b],
            size: 5.into(),
            komi: Komi::new(0.5).ok(),
            rules: Ruleset::default(),
            openings: OpeningSource::Empty,
            seed: 1,
            clock: TimeControl::Unlimited,
            move_time: None,
            margin: Duration::from_millis(100),
            hang: Duration::from_secs(20),
            games,
            concurrency: 1,
            max_moves: 75,
            counting: Counting::Judged,
            referee: None,
            sprt: None,
            output: Some(self.path("match")),
            quiet: true,
            json: false,
            time: self.clock.time.clone(),
            stop: Arc::default(),
        }
    }

    pub fn rows(&self) -> Vec<Row> {
        let text = fs::read_to_string(self.path("match/games.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

pub fn kosumi() -> EngineCommand {
    KOSUMI.parse().unwrap()
}
