//! Playouts of First Capture, where the first capture wins: both sides capture when they can, and answer every atari.

use crate::go::shape::liberties_after;
use crate::go::{Board, Color, Point};

/// What is forced in such a game.
pub(super) enum Forced {
    /// The side to move captures.
    Won,
    /// The side to move cannot prevent a capture.
    Lost,
    /// The only way out of an atari.
    Play(Point),
    /// Nothing.
    Nothing,
}

impl Forced {
    /// What is forced for `color` on a board on which anything may be in atari.
    pub(super) fn at_first(board: &Board, color: Color) -> Forced {
        let in_atari = |side: Color| board.points().filter(move |&p| is_in_atari(board, p, side));
        if in_atari(color.other()).next().is_some() {
            return Forced::Won;
        }
        answer(board, color, in_atari(color))
    }

    /// What is forced for `color` after the last two moves, if no chain was in atari before them. Only a play by its
    /// own side, or one next to it, puts a chain in atari.
    pub(super) fn after(board: &Board, color: Color, last: [Point; 2]) -> Forced {
        let near = |p: Point| {
            let on_board = p != Point::NONE;
            on_board.then(|| board.adjacent(p).into_iter().chain([p])).into_iter().flatten()
        };
        let all = || last.into_iter().flat_map(near);
        if all().any(|p| is_in_atari(board, p, color.other())) {
            return Forced::Won;
        }
        answer(board, color, all().filter(|&p| is_in_atari(board, p, color)))
    }
}

fn is_in_atari(board: &Board, point: Point, side: Color) -> bool {
    board.cell(point) == side.cell() && board.liberties(point).is_atari()
}

/// What a side has to do about stones of its own in atari.
fn answer(board: &Board, color: Color, in_atari: impl Iterator<Item = Point>) -> Forced {
    let mut way_out = None;
    for liberty in in_atari.filter_map(|p| board.liberties(p).only()) {
        match way_out {
            Some(known) if known == liberty => {}
            None if liberties_after(board, color, liberty, 2) >= 2 => way_out = Some(liberty),
            // Two ataris at once, or one without a way out.
            _ => return Forced::Lost,
        }
    }
    way_out.map_or(Forced::Nothing, Forced::Play)
}
