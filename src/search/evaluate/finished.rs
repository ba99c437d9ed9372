//! The result of a game that has ended in the tree, as far as the rules alone tell it.

use crate::go::rules::Scoring;
use crate::go::{Board, PointMap, PointSet, Position, Statuses, score};

use super::Evaluation;

/// The first visits of an ended game, which are evaluated like those of any other leaf. Then the mean result stands.
///
/// The owners at the end of playouts say which stones are dead. The engine wants to know the dead stones, and under
/// territory scoring the result depends on them. The number is a guess: 24 playouts tell 40 % from 60 % in two cases of
/// three. A net alone says the same each time, so there one look is enough.
pub const LOOKS: u64 = 24;

/// Black's margin in half points after komi, if the game has ended and the rules alone tell the margin: after a first
/// capture, a cycle, or two passes under area scoring.
///
/// Under area scoring every stone on the board counts. (By agreement dead stones would be taken off; the search does
/// not rely on an agreement.)
pub fn by_rules(position: &Position, komi: i32) -> Option<i32> {
    if !position.is_over() {
        return None;
    }
    if let Some(color) = position.first_to_capture() {
        // The whole board, as in playouts: no capture is worth more than another, so the next one is best.
        return Some(color.sign() * 2 * position.size().points() as i32);
    }
    if position.is_cycle() {
        return Some(0);
    }
    match position.rules().scoring {
        Scoring::Area => Some(score::count(position, &Statuses::ALL_ALIVE).0 - komi),
        Scoring::Territory => None,
    }
}

/// Black's margin under territory scoring. The owners at the end of a playout say which chains are dead; points that no
/// border closes stay neutral. `None` if the game goes on or the playout knows no owners.
pub fn by_owners(position: &Position, komi: i32, playout: &Evaluation) -> Option<i32> {
    if !position.is_over() || !playout.knows_owners {
        return None;
    }
    let statuses = Statuses { dead: lost_chains(position.board(), &playout.ownership), ..Statuses::ALL_ALIVE };
    Some(score::count(position, &statuses).0 - komi)
}

/// The chains most of whose points the other side owns.
fn lost_chains(board: &Board, ownership: &PointMap<i8>) -> PointSet {
    let mut lost = PointSet::EMPTY;
    for p in board.points().filter(|&p| board.cell(p).color().is_some() && board.head(p) == p) {
        let owned: i32 = board.chain(p).map(|stone| i32::from(ownership[stone])).sum();
        if board.cell(p).color().is_some_and(|color| owned * color.sign() < 0) {
            for stone in board.chain(p) {
                lost.insert(stone);
            }
        }
    }
    lost
}

/// Black's value for a margin: 1 won, 0.5 drawn, 0 lost.
pub fn win_share(margin: i32) -> f32 {
    match margin.signum() {
        1 => 1.0,
        0 => 0.5,
        _ => 0.0,
    }
}

impl Evaluation {
    /// Replaces value and margin by the result of a game that has ended.
    pub(in crate::search) fn settle(&mut self, margin: i32) {
        self.margin = margin as f32 / 2.0;
        self.value = win_share(margin);
        self.moves.clear();
    }
}
