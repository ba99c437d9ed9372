//! What the net is asked about: a position, the last moves, and komi.

use crate::go::{Komi, Move, Point, Position};

/// How many of the last moves are shown.
pub const LAST: usize = 5;

/// A position and what of its past the net looks at.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The position.
    pub position: &'a Position,
    /// Where the last moves were played, the latest first; `None` for a pass, and before the first move.
    pub last: [Option<Point>; LAST],
    /// White's points from outside the board: komi and compensation for handicap.
    pub komi: Komi,
}

/// The last moves of a game, the latest first, as [`Situation::last`] wants them.
pub fn last_of(moves: impl DoubleEndedIterator<Item = Move>) -> [Option<Point>; LAST] {
    let mut last = [None; LAST];
    for (last, mv) in last.iter_mut().zip(moves.rev()) {
        *last = mv.point();
    }
    last
}
