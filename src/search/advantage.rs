//! What a search learns of moves. (A history heuristic: Schaeffer 1989, "The history heuristic and alpha-beta search
//! enhancements in practice".)
//!
//! A net may overlook the same move in many branches of the tree, or hope for the same bad one. Where a search has
//! tried a move, it knows the advantage of the move: how much better the results after it are than those of the node
//! before it. Advantages are collected by [move](MoveKey): the point, the last move and the stones around the point.
//! Where a net alone makes children, the strength of each in the prior is multiplied by a power of e:
//!
//! ```text
//! advantage(visit) = result − mean of the node before           both for the side that moves
//! mean(move)       = Σ advantage·n^−¼ / (Σ n^−¼ + least)        over the visits of all nodes with this move
//! strength'        = strength·e^max(0, scale·mean)
//! ```
//!
//! n is the visits of the node with this one, so a node counts about n^¾ in all, as in `bias.rs`. "least" is the
//! tunable `advantage_least`, and "scale" is `advantage`. The power of e is the policy that is best for a search which
//! has to stay near its prior (Grill and others 2020, "Monte-Carlo tree search as regularized policy optimization").
//! A move that did badly elsewhere keeps its strength, so that the search goes on trying moves. (Matches of both ways are
//! in `docs/strength.md`, "Moves that were good elsewhere".)

use super::means::{Means, Weighted};
use super::vicinity::{self, BITS, WIDTH};
use crate::go::{Board, Color, Point};

/// Bytes of a search's memory in which one byte is for [`Advantages`]: half of what `bias.rs` has. A guess.
pub const BYTES_A_BYTE: usize = 32;

/// A move with its surroundings, hashed. Different ones may share a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveKey(u32);

impl MoveKey {
    /// The move of `mover` on `point` after one on `last` ([`Point::NONE`] for a pass). `rows` are the stones around the
    /// point before the move.
    pub fn new(mover: Color, point: Point, last: Point, rows: [u16; WIDTH]) -> MoveKey {
        let [a, b, c, d, e] = rows.map(u64::from);
        let ends = (mover.index() as u64) << 48 | (last.index() as u64) << 32 | (point.index() as u64) << 16 | e;
        // The odd multiplier is 2⁶⁴ divided by the golden ratio (Knuth, "The Art of Computer Programming", §6.4).
        let mix = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let line = BITS * WIDTH;
        let hash = mix(mix(mix(a << (3 * line) | b << (2 * line) | c << line | d) ^ ends));
        MoveKey((hash >> 32) as u32)
    }

    /// The move of `mover` on `point` after one on `last`, before the move is made on the board.
    pub fn before(mover: Color, point: Point, last: Point, board: &Board) -> MoveKey {
        MoveKey::new(mover, point, last, vicinity::around(point, board))
    }
}

/// The advantages of moves.
#[derive(Debug)]
pub struct Advantages {
    means: Means,
}

impl Advantages {
    /// Nothing learned yet, in so many bytes at most.
    pub fn new(bytes: usize) -> Advantages {
        Advantages { means: Means::new(bytes) }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.means.clear();
    }

    /// The mean advantage of a move, −1..=1, as if `least` more visits had had an advantage of 0. 0 where nothing is
    /// known.
    pub fn mean(&self, MoveKey(hash): MoveKey, least: f32) -> f32 {
        self.means.mean(hash, least)
    }

    /// Adds the advantage of a visit, the last one of `visits` of its node.
    pub fn tell(&self, MoveKey(hash): MoveKey, visits: u64, advantage: f32) {
        let weight = 1.0 / (visits.max(1) as f32).sqrt().sqrt();
        self.means.add(hash, Weighted { weight, sum: weight * advantage });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_its_point_the_last_move_and_the_stones_around_it() {
        let (black, white) = (Color::Black, Color::White);
        let place = |column, row| Point::new(column, row, 9);
        let key = |stones: &[(Color, usize, usize)], mover, point, last| {
            let mut board = Board::new(9);
            stones.iter().for_each(|&(color, column, row)| {
                board.place(color, place(column, row));
            });
            MoveKey::before(mover, point, last, &board)
        };
        let two = [(black, 0, 1), (white, 3, 3)];
        let usual = key(&two, black, place(1, 2), place(3, 3));
        // A stone far away makes no difference.
        assert_eq!(usual, key(&[two[0], two[1], (black, 7, 7)], black, place(1, 2), place(3, 3)));
        let others = [
            key(&[two[0], two[1], (black, 1, 4)], black, place(1, 2), place(3, 3)),
            key(&two, white, place(1, 2), place(3, 3)),
            key(&two, black, place(1, 2), place(0, 1)),
            key(&two, black, place(2, 2), place(3, 3)),
        ];
        assert!(others.iter().all(|other| *other != usual));
        // Stones outside the surroundings may put a chain in atari that reaches into them.
        let near = [(black, 4, 2), (black, 5, 2), (white, 3, 2), (white, 4, 1), (white, 4, 3)];
        let in_atari = [&near[..], &[(white, 5, 1), (white, 5, 3)]].concat();
        let key_near = |stones: &[_]| key(stones, black, place(2, 2), place(3, 3));
        assert_ne!(key_near(&near), key_near(&in_atari));
        assert_eq!(key_near(&near), key_near(&[&near[..], &[(white, 5, 1)]].concat()));
    }

    #[test]
    fn a_move_that_did_better_than_its_node_has_an_advantage() {
        let mut advantages = Advantages::new(1 << 12);
        let (here, elsewhere) = (MoveKey(5), MoveKey(6));
        advantages.tell(here, 1, 0.5);
        advantages.tell(here, 16, 0.25);
        // One visit and half a visit, and two more without an advantage.
        assert!((advantages.mean(here, 2.0) - 0.625 / 3.5).abs() < 1e-5);
        assert_eq!(advantages.mean(elsewhere, 2.0), 0.0);
        advantages.clear();
        assert_eq!(advantages.mean(here, 2.0), 0.0);
    }
}
