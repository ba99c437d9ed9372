//! The settings of a match: all that the command line chose, checked.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::clock::TimeControl;
use crate::go::{Komi, Ruleset, Size};
use crate::time::TimeSource;

use super::statistics::Sprt;

/// The placeholder in a command for the number of the game.
const GAME: &str = "{game}";

/// How an engine is started: the words of its command, split as a shell would split them. No shell is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    text: String,
    words: Vec<String>,
}

impl EngineCommand {
    /// The text that the user gave.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Does the command differ from game to game, so that the engine is started anew for each?
    pub fn changes(&self) -> bool {
        self.words.iter().any(|word| word.contains(GAME))
    }

    /// Program and arguments for a game.
    pub fn words(&self, game: usize) -> Vec<String> {
        self.words.iter().map(|word| word.replace(GAME, &game.to_string())).collect()
    }
}

impl FromStr for EngineCommand {
    type Err = String;

    fn from_str(text: &str) -> Result<EngineCommand, String> {
        let words = shlex::split(text).filter(|words| !words.is_empty());
        let words = words.ok_or("must be a program and its arguments, quotes in pairs")?;
        Ok(EngineCommand { text: text.trim().into(), words })
    }
}

/// Where games begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// From the empty board.
    Empty,
    /// From the SGF files of a folder, one SGF file, or a text file with a list of moves on each line.
    Path {
        /// Folder or file.
        path: PathBuf,
        /// Moves of each opening that are played; all if there is no number.
        moves: Option<usize>,
    },
    /// After so many random moves that leave the game about even, others for each pair of games.
    Random {
        /// The number of moves, of both sides together.
        plies: usize,
    },
}

/// How a game without resignation is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Our engine judges which stones are dead, where the rules take dead stones off.
    Judged,
    /// Every stone on the board lives.
    AsItStands,
}

/// A match.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The commands of A and B.
    pub engines: [EngineCommand; 2],
    /// Is A Black in every game, as where a handicap is tried? Otherwise A is Black in the games of odd number.
    pub a_is_black: bool,
    /// Columns and rows of the board.
    pub size: Size,
    /// Komi; `None` for the komi of the rule set.
    pub komi: Option<Komi>,
    /// The rules that the referee applies.
    pub rules: Ruleset,
    /// Where games begin.
    pub openings: OpeningSource,
    /// Seed of random openings.
    pub seed: u64,
    /// The clocks: none, absolute, or Canadian byo-yomi.
    pub clock: TimeControl,
    /// Longest time for a move; engines are not told.
    pub move_time: Option<Duration>,
    /// How far a side may exceed a limit before it loses the game.
    pub margin: Duration,
    /// An engine whose answer takes longer hangs.
    pub hang: Duration,
    /// Games in all.
    pub games: usize,
    /// Games at a time.
    pub concurrency: usize,
    /// Moves after which a game is stopped and counted.
    pub max_moves: usize,
    /// How games are counted.
    pub counting: Counting,
    /// An engine whose `final_score` is compared with our count.
    pub referee: Option<EngineCommand>,
    /// When to stop early.
    pub sprt: Option<Sprt>,
    /// Folder of what is written.
    pub output: Option<PathBuf>,
    /// No progress on standard error.
    pub quiet: bool,
    /// The summary on standard output is JSON.
    pub json: bool,
    /// The clock that measures the engines' moves: the system's, or one that a test sets.
    pub time: TimeSource,
    /// When this is set, the match ends with the games played so far. The games in progress are dropped.
    pub stop: Arc<AtomicBool>,
}

impl Settings {
    /// Has somebody stopped the match?
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

impl Settings {
    /// The settings that decide how the games are played. A match can only be resumed with the same ones. The number of
    /// games, the concurrency, the patience and the test may change.
    pub fn identity(&self) -> Map<String, Value> {
        let (openings, opening_moves, plies) = match &self.openings {
            OpeningSource::Empty => (None, None, None),
            OpeningSource::Path { path, moves } => (Some(path.display().to_string()), *moves, None),
            OpeningSource::Random { plies } => (None, None, Some(*plies)),
        };
        let value = json!({
            "a": self.engines[0].text(),
            "b": self.engines[1].text(),
            "size": self.size,
            "komi": self.komi.map(Komi::points),
            "rules": self.rules.name(),
            "openings": openings,
            "opening_moves": opening_moves,
            "random_openings": plies,
            "seed": plies.map(|_| self.seed),
            "time": time_words(self.clock),
            "move_time": self.move_time.map(|limit| limit.as_secs_f64()),
            "margin": self.margin.as_secs_f64(),
            "max_moves": self.max_moves,
            "count_as_it_stands": self.counting == Counting::AsItStands,
            "referee": self.referee.as_ref().map(EngineCommand::text),
        });
        let mut map = match value {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        if self.a_is_black {
            // The key is left out otherwise, so that matches from before this option can be resumed.
            map.insert("a_is_black".into(), true.into());
        }
        map
    }
}

/// The arguments of GTP's `time_settings`; `None` without a clock.
pub fn time_words(control: TimeControl) -> Option<String> {
    match control {
        TimeControl::Absolute { main } => Some(format!("{} 0 0", main.as_secs())),
        TimeControl::Canadian { main, period, stones } => {
            Some(format!("{} {} {stones}", main.as_secs(), period.as_secs()))
        }
        TimeControl::Unlimited | TimeControl::ByoYomi { .. } | TimeControl::Fischer { .. } => None,
    }
}
