//! Why the game cannot do what a caller asks for.

use crate::go::IllegalMove;
use crate::record::meaning::ValueError;

/// The largest number of plays in a line that is followed. Superko compares a play with all earlier positions, so time
/// grows with the square of the number. This many plays take about a second. The longest games have a thousand.
pub const MOST_PLAYS: usize = 50_000;

/// The game has no move to take back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are not that many moves to take back")]
pub struct CannotUndo;

/// Why stones cannot be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// There are stones on the board.
    #[error("the board is not empty")]
    BoardNotEmpty,
    /// A point is named twice, or a chain would have no liberty.
    #[error("a point is named twice or a chain has no liberty")]
    Stones,
}

/// Why another rule set cannot be put in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number} of this game is illegal under those rules: {reason}")]
pub struct RulesConflict {
    /// The move, counted from 1.
    pub number: usize,
    /// The rule against the move.
    pub reason: IllegalMove,
}

/// Why the game cannot go to a node.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotFollow {
    /// A property on the way makes no sense.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// Stones are set up without liberties.
    #[error("stones are set up without liberties")]
    Setup,
    /// A move on an occupied point. (Other illegal moves are made and marked, see
    /// [`Record::forbidden`](crate::record::Record::forbidden).)
    #[error("move {number} is illegal: {reason}")]
    Illegal {
        /// The move, counted from 1.
        number: usize,
        /// The rule against the move.
        reason: IllegalMove,
    },
    /// The way to the node has more plays than the game follows.
    #[error("the game has more than {MOST_PLAYS} plays")]
    TooLong,
}

impl From<SetupError> for CannotFollow {
    fn from(_: SetupError) -> CannotFollow {
        CannotFollow::Setup
    }
}
