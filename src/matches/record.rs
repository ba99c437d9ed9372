//! The stored form of a game: one row of `games.jsonl`, and an SGF file.

use serde::{Deserialize, Serialize};

use crate::game::Game;
use crate::go::Color;
use crate::record::NodeId;
use crate::sgf;

/// One of the two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// The first engine of the command line.
    A,
    /// The second engine of the command line.
    B,
}

impl Side {
    /// Both engines.
    pub const BOTH: [Side; 2] = [Side::A, Side::B];

    /// The other engine.
    pub const fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }

    /// An index into tables with an entry for each engine.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// A side resigned.
    Resignation,
    /// Two passes, then counted.
    Count,
    /// Too many moves, then counted.
    MoveLimit,
    /// A rule without counting: a first capture, or a cycle.
    Rule,
    /// The loser's move was illegal or unreadable.
    Illegal,
    /// The loser answered a necessary command with an error, so the game cannot go on.
    Refusal,
    /// The loser's process ended.
    Crash,
    /// The loser did not answer.
    Hang,
    /// The loser's time was up.
    Time,
}

impl Ending {
    /// Every way, in the order in which reports name them.
    pub const ALL: [Ending; 9] = [
        Ending::Resignation,
        Ending::Count,
        Ending::MoveLimit,
        Ending::Rule,
        Ending::Illegal,
        Ending::Refusal,
        Ending::Crash,
        Ending::Hang,
        Ending::Time,
    ];

    /// Did the game end by a fault of the loser?
    pub const fn is_fault(self) -> bool {
        matches!(self, Ending::Illegal | Ending::Refusal | Ending::Crash | Ending::Hang | Ending::Time)
    }

    /// The name of this ending in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Resignation => "resignation",
            Ending::Count => "count",
            Ending::MoveLimit => "move limit",
            Ending::Rule => "rule",
            Ending::Illegal => "illegal move",
            Ending::Refusal => "refusal",
            Ending::Crash => "crash",
            Ending::Hang => "hang",
            Ending::Time => "time",
        }
    }

    /// The word after the winner's letter in SGF, where there is no margin.
    pub const fn mark(self) -> &'static str {
        match self {
            Ending::Resignation => "R",
            Ending::Time => "T",
            Ending::Count | Ending::MoveLimit | Ending::Rule => "",
            Ending::Illegal | Ending::Refusal | Ending::Crash | Ending::Hang => "F",
        }
    }
}

/// An engine's part in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// Moves that it chose.
    pub moves: u32,
    /// Wall time for them, in seconds.
    pub seconds: f64,
    /// The longest of these times, in seconds.
    pub longest: f64,
    /// CPU time that the engine says it used, in seconds.
    pub cpu_seconds: Option<f64>,
}

/// The score of a second referee.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opinion {
    /// Its answer to `final_score`, or its error.
    pub result: String,
    /// Does the answer agree with our count?
    pub agrees: bool,
}

/// Where [`Opinion::result`] holds an error, it begins so.
const ERROR: &str = "error: ";

impl Opinion {
    /// The opinion of a referee that gave no score.
    pub fn failed(error: &str) -> Opinion {
        Opinion { result: format!("{ERROR}{error}"), agrees: false }
    }

    /// Why there is no score, if there is none. That is no difference of opinion.
    pub fn error(&self) -> Option<&str> {
        self.result.strip_prefix(ERROR)
    }

    /// Is there a score, and another one than ours?
    pub fn differs(&self) -> bool {
        !self.agrees && self.error().is_none()
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Its number, from 1.
    pub game: usize,
    /// What A and B call themselves.
    pub names: [String; 2],
    /// Name of its opening.
    pub opening: String,
    /// The engine that had Black.
    pub black: Side,
    /// The engine that won; `None` in a draw or a game without result.
    pub winner: Option<Side>,
    /// SGF's result.
    pub result: String,
    /// How it ended.
    pub ending: Ending,
    /// More about a fault.
    pub detail: Option<String>,
    /// Moves of the opening among `moves`.
    pub opening_moves: usize,
    /// All moves in GTP's form, in turn from the first.
    pub moves: String,
    /// A's part.
    pub a: Share,
    /// B's part.
    pub b: Share,
    /// The score of the second referee, if there is one and the game was counted.
    pub referee: Option<Opinion>,
    /// Wall time of the whole game, in seconds.
    pub seconds: f64,
}

impl Row {
    /// An engine's part.
    pub fn share(&self, side: Side) -> &Share {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }

    /// The engine that lost by a fault of its own.
    pub fn at_fault(&self) -> Option<Side> {
        self.winner.filter(|_| self.ending.is_fault()).map(Side::other)
    }

    /// The game as SGF.
    pub fn sgf(&self, game: &Game) -> String {
        let mut record = game.to_record(Some(&self.result));
        let black = &self.names[self.black.index()];
        let white = &self.names[self.black.other().index()];
        for (name, value) in [("PB", black), ("PW", white), ("RO", &self.game.to_string())] {
            record.set_text(NodeId::ROOT, name, value);
        }
        let mut comment = format!("opening: {}; end: {}", self.opening, self.ending.name());
        if let Some(detail) = &self.detail {
            comment.push_str(&format!(" ({detail})"));
        }
        if let Some(opinion) = &self.referee {
            comment.push_str(&format!("; second referee: {}", opinion.result));
        }
        for color in Color::BOTH {
            let side = if color == Color::Black { self.black } else { self.black.other() };
            let share = self.share(side);
            comment.push_str(&format!("; {color}: {} moves in {:.2} s", share.moves, share.seconds));
        }
        record.set_text(NodeId::ROOT, "GC", &comment);
        sgf::write(&record) + "\n"
    }
}
