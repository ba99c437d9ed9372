//! What is kept about each generation, as JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How a net was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Made {
    /// The number of the net, from 1.
    pub generation: u64,
    /// Games that there were before it was made.
    pub games: u64,
    /// Rows to learn from that there were.
    pub rows: u64,
    /// Playouts of all searches of self-play.
    pub playouts: u64,
    /// Steps of the trainer, from the first.
    pub steps: u64,
    /// Rows that the net was shown, from the first step.
    pub samples: u64,
    /// Rows of the window.
    pub window: u64,
    /// Losses of the last steps by name.
    pub losses: BTreeMap<String, f64>,
    /// Figures on held-out rows by board size, and by name.
    pub held_out: BTreeMap<String, BTreeMap<String, f64>>,
    /// Seconds of self-play and of training for this generation, on the machine that trains.
    pub play_seconds: f64,
    pub train_seconds: f64,
    /// Seconds since 1970 when it was made.
    pub at: u64,
}

/// What the judge found of a net.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Judged {
    /// The number of the net.
    pub generation: u64,
    /// Did it do well enough to play in the place of the one before?
    pub accepted: bool,
    /// Its matches.
    pub matches: Vec<Met>,
    /// The positions with known answers.
    pub exam: Exam,
    /// Seconds that the judge took.
    pub seconds: f64,
}

/// A match of a net.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Met {
    /// The net: `net 3`.
    pub a: String,
    /// The opponent: `net 2`, or the name of an opponent that stays.
    pub b: String,
    /// Games that the net won, drew, lost.
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

impl Met {
    /// Points of the net per game; `None` without games.
    pub(super) fn score(&self) -> Option<f64> {
        let games = self.wins + self.draws + self.losses;
        (games > 0).then(|| (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games))
    }
}

/// Answers to positions with known answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Exam {
    /// Positions.
    pub positions: u32,
    /// Positions in which the move that the net itself finds likeliest is right.
    pub policy: u32,
    /// Positions in which a short search with the net is right.
    pub search: u32,
    /// Wrong answers of the search, by the name of the problem.
    pub wrong: Vec<String>,
}

/// What a process that plays has done, from its start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Written {
    /// Its name: host, process, and a random number.
    pub writer: String,
    /// Games, rows and playouts.
    pub games: u64,
    pub rows: u64,
    pub playouts: u64,
    /// Moves of all games, and games that were too long.
    pub moves: u64,
    pub dropped: u64,
    /// Games that Black won.
    pub black: u64,
    /// Seconds of self-play.
    pub seconds: f64,
    /// Games at a time.
    pub threads: usize,
    /// Seconds since 1970 of the last change.
    pub at: u64,
}

/// The name of a generation in matches and tables.
pub(super) fn net_name(generation: u64) -> String {
    format!("net {generation}")
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
