//! What is measured: how much of it, on which positions, and the hash of the results.

use crate::go::{Color, Move, Point, Position, Ruleset};

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Search threads. The searches give the same results each time only with one thread. With more threads the
    /// signature leaves them out.
    pub threads: usize,
    /// The workload is the standard one divided by this.
    pub divide_by: u64,
}

/// FNV-1a (Fowler, Noll, Vo 1991) over 64-bit words.
pub(super) struct Signature(pub(super) u64);

impl Signature {
    pub(super) fn new() -> Signature {
        Signature(0xcbf2_9ce4_8422_2325)
    }

    pub(super) fn add(&mut self, value: u64) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Moves (column, row, from the lower left) that lead to the second position of each size. Every size has room for
/// them.
pub(super) const OPENING: &[(usize, usize)] =
    &[(2, 2), (6, 6), (6, 2), (2, 6), (4, 2), (5, 3), (5, 2), (4, 3), (3, 3), (3, 4), (2, 4), (3, 5)];

/// The size of a workload that is given for 9×9: in proportion to the points of the board.
pub(super) fn scaled(workload: u64, size: usize, options: Workload) -> u64 {
    (workload * 81 / (size * size) as u64 / options.divide_by.max(1)).max(1)
}

/// The position after moves by alternating sides from the empty board.
pub(super) fn after(size: usize, places: &[(usize, usize)]) -> (Position, Vec<(Color, Move)>) {
    let mut position = Position::new(size, Ruleset::default());
    let mut moves = Vec::new();
    for &(column, row) in places {
        let (color, mv) = (position.to_move(), Move::Play(Point::new(column, row, size)));
        if position.play(mv).is_ok() {
            moves.push((color, mv));
        }
    }
    (position, moves)
}
