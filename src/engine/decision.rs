//! What the engine answers when it is asked for a move.

use crate::go::{Move, Size, vertex};

/// The engine's answer to a request for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This move.
    Move(Move),
    /// No move: the engine resigns.
    Resign,
}

impl Decision {
    /// The vertex of the move, or `resign`.
    pub fn text(self, size: impl Into<Size>) -> String {
        match self {
            Decision::Resign => "resign".into(),
            Decision::Move(mv) => vertex::of_move(mv, size),
        }
    }
}
