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

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::go::{Board, Cell, Color, Point, Size};

/// Bytes of a search's memory in which one byte is for [`Advantages`]: half as many buckets as `bias.rs` has.
pub const BYTES_A_BYTE: usize = 32;

/// Sums are counted in units of 2⁻²⁰.
const UNIT: f64 = (1u64 << 20) as f64;

/// Columns and rows of the surroundings on each side of the point.
const REACH: usize = 2;

/// Points in a row of the surroundings.
const WIDTH: usize = 2 * REACH + 1;

/// A move with its surroundings, hashed. Different ones may share a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveKey(u32);

impl MoveKey {
    /// For passes, and where nothing is collected.
    pub const NONE: MoveKey = MoveKey(0);

    /// The number of a move of `mover` after one on `last` ([`Point::NONE`] for a pass), with these rows around it.
    fn new(mover: Color, point: Point, last: Point, rows: [u16; WIDTH]) -> MoveKey {
        let [a, b, c, d, e] = rows.map(u64::from);
        let ends = (mover.index() as u64) << 48 | (last.index() as u64) << 32 | (point.index() as u64) << 16 | e;
        // The odd multiplier is 2⁶⁴ divided by the golden ratio (Knuth, "The Art of Computer Programming", §6.4).
        let mix = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let hash = mix(mix(mix(a << 45 | b << 30 | c << 15 | d) ^ ends));
        // The lowest bit tells a move from none.
        MoveKey((hash >> 32) as u32 | 1)
    }

    /// The move of `mover` on `point` after one on `last` ([`Point::NONE`] for a pass), before the move is made.
    pub fn before(mover: Color, point: Point, last: Point, board: &Board) -> MoveKey {
        let size = board.size();
        let (column, row) = (point.column(size), point.row(size));
        let rows = std::array::from_fn(|i| {
            let mut line = 0;
            for j in 0..WIDTH {
                // Below 0, the sum wraps to a large number, which is outside, too.
                let (x, y) = ((column + j).wrapping_sub(REACH), (row + i).wrapping_sub(REACH));
                let inside = size.contains(x, y);
                line = line << BITS | if inside { content(board, Point::new(x, y, size)) } else { OUTSIDE };
            }
            line
        });
        MoveKey::new(mover, point, last, rows)
    }
}

/// Bits of the number of a point in the surroundings.
const BITS: usize = 3;

/// The number of a point outside the board.
const OUTSIDE: u16 = 7;

/// Five points outside the board.
const ALL_OUTSIDE: u16 = (1 << (BITS * WIDTH)) - 1;

/// The number of a point: what is there, and whether it is in atari.
fn content(board: &Board, point: Point) -> u16 {
    let cell = board.cell(point);
    let is_stone = matches!(cell, Cell::Black | Cell::White);
    cell as u16 * 2 + u16::from(is_stone && board.liberties(point).is_atari())
}

/// The surroundings of all points of a board at once: faster than [`MoveKey::before`] for each move of a node.
#[derive(Debug)]
pub struct Surroundings {
    size: Size,
    /// For each point, the five points around it in its row. Two rows outside come before the first row and after the
    /// last one.
    rows: Vec<u16>,
}

impl Surroundings {
    /// For boards of this size.
    pub fn new(size: Size) -> Surroundings {
        Surroundings { size, rows: vec![ALL_OUTSIDE; size.width() * (size.height() + 2 * REACH)] }
    }

    /// Looks at a board of the size.
    pub fn look(&mut self, board: &Board) {
        let width = self.size.width();
        for (row, line) in self.rows.chunks_exact_mut(width).skip(REACH).take(self.size.height()).enumerate() {
            let mut seen = ALL_OUTSIDE;
            for column in 0..width + REACH {
                let next = if column < width { content(board, Point::new(column, row, self.size)) } else { OUTSIDE };
                seen = (seen << BITS | next) & ALL_OUTSIDE;
                if let Some(entry) = column.checked_sub(REACH).and_then(|i| line.get_mut(i)) {
                    *entry = seen;
                }
            }
        }
    }

    /// The move of `mover` on `point` after one on `last`, before the move is made.
    pub fn key(&self, mover: Color, point: Point, last: Point) -> MoveKey {
        let width = self.size.width();
        let above = point.row(self.size) * width + point.column(self.size);
        MoveKey::new(mover, point, last, std::array::from_fn(|i| self.rows[above + i * width]))
    }
}

/// The advantages of moves, beside the tree that a search grows. All threads add to them without locks.
#[derive(Debug)]
pub struct Advantages {
    /// Two words for each bucket: the sum of the weights, and the sum of the advantages times their weights. A power of
    /// two in number, or none where the system gives no memory.
    buckets: Box<[AtomicU64]>,
}

/// Words of a bucket.
const WORDS: usize = 2;

impl Advantages {
    /// Nothing learned yet, in so many bytes at most.
    pub fn new(bytes: usize) -> Advantages {
        let buckets = bytes / (WORDS * size_of::<AtomicU64>());
        let buckets = if buckets == 0 { 0 } else { 1 << buckets.ilog2() };
        Advantages { buckets: bytemuck::allocation::try_zeroed_slice_box(buckets * WORDS).unwrap_or_default() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for word in &mut self.buckets {
            // Pages that nobody has written stay unwritten, and take no memory.
            if *word.get_mut() != 0 {
                *word.get_mut() = 0;
            }
        }
    }

    fn bucket(&self, MoveKey(hash): MoveKey) -> Option<&[AtomicU64]> {
        let place = (hash >> 1) as usize & (self.buckets.len() / WORDS).checked_sub(1)?;
        self.buckets.get(WORDS * place..WORDS * (place + 1))
    }

    /// The mean advantage of a move, −1..=1, as if `least` more visits had had an advantage of 0. 0 where nothing is
    /// known.
    pub fn mean(&self, key: MoveKey, least: f32) -> f32 {
        let Some([weight, sum]) = self.bucket(key) else { return 0.0 };
        // Another thread may have changed one sum, and not yet the other.
        let (weight, sum) = (weight.load(Relaxed) as i64 as f32, sum.load(Relaxed) as i64 as f32);
        if weight > 0.0 { (sum / (weight + least * UNIT as f32)).clamp(-1.0, 1.0) } else { 0.0 }
    }

    /// Adds the advantage of a visit, the last one of `visits` of its node.
    pub fn tell(&self, key: MoveKey, visits: u64, advantage: f32) {
        if let Some([weights, sums]) = self.bucket(key) {
            let weight = 1.0 / f64::from((visits.max(1) as f32).sqrt().sqrt());
            let in_units = |sum: f64| (sum * UNIT) as i64 as u64;
            weights.fetch_add(in_units(weight), Relaxed);
            sums.fetch_add(in_units(weight * f64::from(advantage)), Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_its_point_the_last_move_and_the_stones_around_it() {
        let (black, white) = (Color::Black, Color::White);
        let place = |column, row| Point::new(column, row, 9);
        let play = |stones: &[(Color, usize, usize)], mover, point, last| {
            let mut board = Board::new(9);
            stones.iter().for_each(|&(color, column, row)| {
                board.place(color, place(column, row));
            });
            MoveKey::before(mover, point, last, &board)
        };
        let two = [(black, 0, 1), (white, 3, 3)];
        let usual = play(&two, black, place(1, 2), place(3, 3));
        assert_ne!(usual, MoveKey::NONE);
        // A stone far away makes no difference.
        assert_eq!(usual, play(&[two[0], two[1], (black, 7, 7)], black, place(1, 2), place(3, 3)));
        let others = [
            play(&[two[0], two[1], (black, 1, 4)], black, place(1, 2), place(3, 3)),
            play(&two, white, place(1, 2), place(3, 3)),
            play(&two, black, place(1, 2), place(0, 1)),
            play(&two, black, place(2, 2), place(3, 3)),
            // The stone is in atari.
            play(&[two[0], two[1], (white, 0, 0), (white, 0, 2)], black, place(1, 2), place(3, 3)),
        ];
        assert!(others.iter().all(|other| *other != usual));
    }

    #[test]
    fn all_surroundings_at_once_are_those_of_each_move() {
        for (width, height) in [(9, 9), (2, 2), (5, 7), (25, 19)] {
            let size = Size::new(width, height).expect("a size");
            let mut board = Board::new(size);
            let mut surroundings = Surroundings::new(size);
            for i in 0..width * height / 3 {
                let point = Point::new(7 * i % width, 11 * i % height, size);
                let color = Color::BOTH[i % 2];
                if board.is_legal(color, point) {
                    board.place(color, point);
                }
            }
            surroundings.look(&board);
            for point in board.points() {
                let expected = MoveKey::before(Color::White, point, Point::NONE, &board);
                assert_eq!(surroundings.key(Color::White, point, Point::NONE), expected, "{size:?} {point:?}");
            }
        }
    }

    #[test]
    fn a_move_that_did_better_than_its_node_has_an_advantage() {
        let mut advantages = Advantages::new(1 << 12);
        let (here, elsewhere) = (MoveKey(5), MoveKey(7));
        assert_eq!(advantages.mean(here, 2.0), 0.0);
        advantages.tell(here, 1, 0.5);
        advantages.tell(here, 16, 0.25);
        // 1 and a half visit, and two more without an advantage.
        assert!((advantages.mean(here, 2.0) - 0.625 / 3.5).abs() < 1e-5);
        assert_eq!(advantages.mean(elsewhere, 2.0), 0.0);
        advantages.clear();
        assert_eq!(advantages.mean(here, 2.0), 0.0);
    }

    #[test]
    fn without_memory_nothing_is_learned() {
        let advantages = Advantages::new(0);
        advantages.tell(MoveKey(5), 1, 1.0);
        assert_eq!(advantages.mean(MoveKey(5), 0.0), 0.0);
    }
}
