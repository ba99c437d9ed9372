//! Errors of commands. The texts that the specification fixes stand in this file and nowhere else.

use std::fmt;

use crate::engine::EngineError;

/// Why a command failed: the text after the `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandError(String);

impl From<EngineError> for CommandError {
    fn from(error: EngineError) -> CommandError {
        CommandError::new(error.to_string())
    }
}

impl CommandError {
    /// An error with this text, which becomes one line.
    pub fn new(text: impl Into<String>) -> CommandError {
        let text: String = text.into();
        CommandError(text.split(['\n', '\r']).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; "))
    }

    /// No such command (§3.1.1).
    pub fn unknown_command() -> CommandError {
        CommandError::new("unknown command")
    }

    /// Arguments missing or not of their type (§3.1.1).
    pub fn syntax() -> CommandError {
        CommandError::new("syntax error")
    }

    /// `boardsize` (§6.3.2).
    pub fn unacceptable_size() -> CommandError {
        CommandError::new("unacceptable size")
    }

    /// `play` (§6.3.3).
    pub fn illegal_move() -> CommandError {
        CommandError::new("illegal move")
    }

    /// `undo` (§6.3.3).
    pub fn cannot_undo() -> CommandError {
        CommandError::new("cannot undo")
    }

    /// `final_score` of a game that has none, and why.
    pub fn cannot_score(reason: &str) -> CommandError {
        CommandError::new(format!("cannot score: {reason}"))
    }

    /// `loadsgf` (§6.3.6), and why the file cannot be loaded.
    pub fn cannot_load(reason: impl fmt::Display) -> CommandError {
        CommandError::new(format!("cannot load file: {reason}"))
    }

    /// `fixed_handicap`, `place_free_handicap` (§6.3.2).
    pub fn invalid_handicap() -> CommandError {
        CommandError::new("invalid number of stones")
    }

    /// `fixed_handicap` and the like when stones are on the board (§6.3.2).
    pub fn board_not_empty() -> CommandError {
        CommandError::new("board not empty")
    }

    /// `set_free_handicap` (§6.3.2).
    pub fn bad_vertex_list() -> CommandError {
        CommandError::new("bad vertex list")
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a command gives: the text after the `=`.
pub type CommandResult = Result<String, CommandError>;
