//! Playouts of First Capture, where the first capture wins: nobody misses one, and nobody leaves an atari unanswered.

use crate::go::shape::liberties_after;
use crate::go::{Board, Color, Point};

/// What is forced in such a game.
pub enum Forced {
    /// The side to move captures.
    Won,
    /// It cannot keep the opponent from capturing.
    Lost,
    /// The only way out of an atari.
    Play(Point),
    /// Nothing.
    Nothing,
}

impl Forced {
    /// What is forced for `color` after the last move and the one before it, where nothing could be captured before.
    pub fn of(board: &Board, color: Color, last: [Point; 2]) -> Forced {
        // A chain of the enemy comes into atari by his own play or by ours.
        let [theirs, ours] = last;
        let enemy = color.other();
        let is_prey = |p: Point| board.cell(p) == enemy.cell() && board.liberties(p).is_atari();
        if theirs != Point::NONE && is_prey(theirs)
            || ours != Point::NONE && board.adjacent(ours).into_iter().any(is_prey)
        {
            return Forced::Won;
        }
        let mut way_out = None;
        let in_danger = |p: Point| (board.cell(p) == color.cell()).then(|| board.liberties(p).only()).flatten();
        let near = |p: Point| if p == Point::NONE { None } else { Some(board.adjacent(p)) };
        let around = near(theirs).into_iter().flatten().chain(Some(ours).filter(|&p| p != Point::NONE));
        for liberty in around.filter_map(in_danger) {
            match way_out {
                Some(known) if known == liberty => {}
                // Two ataris at once.
                Some(_) => return Forced::Lost,
                None if liberties_after(board, color, liberty, 2) >= 2 => way_out = Some(liberty),
                None => return Forced::Lost,
            }
        }
        way_out.map_or(Forced::Nothing, Forced::Play)
    }
}

/// Can a side capture anything on the board?
pub fn can_capture(board: &Board, color: Color) -> bool {
    board.points().any(|p| board.cell(p) == color.other().cell() && board.liberties(p).is_atari())
}
