//! What a playout policy is, and the table of those that can be chosen by name.

use rand::Rng as _;

use super::Rng;
use crate::go::{Board, Color, Point};

/// The situation in which a policy chooses.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The board; a policy may reorder its list of empty points, nothing else.
    pub board: &'a mut Board,
    /// Who is to move.
    pub color: Color,
    /// The last move and the one before it; [`Point::NONE`] for a pass or none.
    pub last: [Point; 2],
    /// The thread's generator.
    pub rng: &'a mut Rng,
}

/// Chooses the moves of a playout.
pub trait PlayoutPolicy: Send {
    /// A legal play (as [`Board::is_legal`] tells) that fills no eye of the side to move, or `None` to pass.
    fn choose(&mut self, turn: Turn<'_>) -> Option<Point>;

    /// The lead in stones beyond which a playout on so many points is stopped. A lead above `points` means never.
    fn mercy(&self, points: usize) -> i32 {
        points as i32 + 1
    }
}

/// The policies that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyKind {
    /// All legal plays that fill no eye, equally likely: the reference.
    Uniform,
    /// Answers ataris and shapes next to the last moves.
    Tactical,
}

/// Names, in the order in which help texts list them.
pub const POLICIES: &[(&str, PolicyKind)] = &[("uniform", PolicyKind::Uniform), ("tactical", PolicyKind::Tactical)];

impl PolicyKind {
    /// The policy of this name.
    pub fn by_name(name: &str) -> Option<PolicyKind> {
        POLICIES.iter().find(|(n, _)| *n == name).map(|&(_, kind)| kind)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        POLICIES.iter().find(|&&(_, kind)| kind == self).map_or("", |&(name, _)| name)
    }
}

/// A number below `n` (which is at least 1), as good as uniform for `n` below 2³².
#[inline(always)]
pub fn below(rng: &mut Rng, n: usize) -> usize {
    (((rng.next_u64() >> 32) * n as u64) >> 32) as usize
}

/// True `parts` times out of 256.
#[inline(always)]
pub fn chance(rng: &mut Rng, parts: u64) -> bool {
    rng.next_u64() >> 56 < parts
}

/// A legal play that fills no eye shape and that `accept` takes, all equally likely; `None` if there is none.
#[inline(always)]
pub fn random_play(
    board: &mut Board,
    color: Color,
    rng: &mut Rng,
    mut accept: impl FnMut(&Board, Point, &mut Rng) -> bool,
) -> Option<Point> {
    // Rejected points go to the end of the list, so the other points stay equally likely.
    let mut left = board.empties().len();
    while left > 0 {
        let i = below(rng, left);
        let p = board.empties()[i];
        if is_playable(board, color, p) && accept(board, p, rng) {
            return Some(p);
        }
        left -= 1;
        board.swap_empties(i, left);
    }
    None
}

/// Is a play on this empty point legal, and does it fill no eye shape?
#[inline(always)]
pub fn is_playable(board: &Board, color: Color, point: Point) -> bool {
    // Most points have an empty neighbour: a play there is legal and fills no eye. For other points `&` asks both
    // questions at once: a branch of `&&` would be mispredicted half of the time.
    let around = board.around(point);
    around.empty_adjacent() != 0 || !around.is_eye_shape(color) & board.is_legal_if_enclosed(color, point)
}
