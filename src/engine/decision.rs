//! What the engine answers when it is asked for a move.

use crate::go::{Move, vertex};

/// An answer to "your move".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This move.
    Move(Move),
    /// No move: the game is given up.
    Resign,
}

impl Decision {
    /// The vertex of the move, or `resign`, as people name it.
    pub fn text(self, size: usize) -> String {
        match self {
            Decision::Resign => "resign".into(),
            Decision::Move(mv) => vertex::of_move(mv, size),
        }
    }
}
