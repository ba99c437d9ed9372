//! The input of the planes: a position, the last moves, and komi.

use crate::go::{Komi, Move, Point, Position};

/// The number of last moves that the net reads.
pub const LAST: usize = 5;

/// A position with the part of its past that the net reads.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The position.
    pub position: &'a Position,
    /// The points of the last moves, the latest first. `None` stands for a pass, and for no move.
    pub last: [Option<Point>; LAST],
    /// White's points from outside the board: komi and compensation for handicap.
    pub komi: Komi,
}

/// The points of a game's last moves, the latest first, for [`Situation::last`].
pub fn last_of(moves: impl DoubleEndedIterator<Item = Move>) -> [Option<Point>; LAST] {
    let mut last = [None; LAST];
    for (last, mv) in last.iter_mut().zip(moves.rev()) {
        *last = mv.point();
    }
    last
}
