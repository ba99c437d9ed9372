//! What a search learns of the errors of its evaluator. (The method and its formulas are KataGo's, who calls it subtree
//! value bias correction: see `docs/KataGoMethods.md` of KataGo's source.)
//!
//! A net may judge the same fight wrongly in many branches of the tree. Where a search has looked deeper, it knows the
//! error: the net's value of a node less the mean of all that lies below the node. Errors are collected by
//! [situation](Situation): the last two moves and the stones around the last one. The mean error of a situation, times
//! `bias_share`, is taken off the net's value of each node in this situation:
//!
//! ```text
//! error(node)     = v − (sum − v − c)/(n − 1)          v: the evaluator's value    c: its correction
//! bias(situation) = Σ error·(n − 1)^¾ / Σ (n − 1)^¾    over the nodes in this situation
//! c(node)         = −λ·bias(situation)                 λ: bias_share
//! ```
//!
//! n is the visits of the node, and "sum" the sum of their results. v counts once in the sum of the node and of all
//! nodes above, so c counts there, too. Each visit that passes through a node counts the error of the node anew, and
//! adds the change of c to these sums.
//!
//! (KataGo takes the power 0.8. The power ¾ is made of square roots, which are the same on every machine.)

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::corrected::Corrected;
use super::node::{Children, Node};
use super::tree::Tree;
use crate::go::{Board, Cell, Color, Point};

/// Bytes of a search's memory in which one byte is for [`Biases`]: one bucket for 8 to 16 slots of the tree. On 9×9 a
/// visit takes twelve slots or more, so a full tree has about a bucket for each visit. Situations stay from search to
/// search in a game, so a tree that is filled several times in a game needs as many. (With 57 MiB, 4000 visits and 9×9,
/// which fills the tree every third move: 54 : 22 : 45 of 121 games against an eighth of the buckets.)
pub const BYTES_A_BYTE: usize = 16;

/// Sums are counted in units of 2⁻²⁰, so what is added can be taken off again exactly.
const UNIT: f64 = (1u64 << 20) as f64;

/// Columns and rows of a situation on each side of the last move (KataGo: 2).
const REACH: isize = 2;

/// What the errors of the evaluator are collected by. Situations are hashed; different ones may share a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation(u32);

impl Situation {
    /// At the root, and where nothing is collected.
    pub const NONE: Situation = Situation(0);

    /// The situation after a move of `mover` on `last`, which came after one on `before` ([`Point::NONE`] for passes):
    /// these three, the stones within two columns and rows of `last`, which of them are in atari, and the ko.
    pub fn after(mover: Color, last: Point, before: Point, board: &Board) -> Situation {
        let mut hash = 1 + mover.index() as u64;
        // The odd multiplier is 2⁶⁴ divided by the golden ratio (Knuth, "The Art of Computer Programming", §6.4).
        let mut mix = |number: u64| {
            hash = (hash ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        };
        mix((last.index() as u64) << 32 | before.index() as u64);
        mix(board.ko().map_or(0, Point::index) as u64);
        if last != Point::NONE {
            let size = board.size();
            let (column, row) = (last.column(size) as isize, last.row(size) as isize);
            for y in row - REACH..=row + REACH {
                // Three bits for a point: the five points of a row are mixed in at once.
                let mut line = 0;
                for x in column - REACH..=column + REACH {
                    let content = match (usize::try_from(x), usize::try_from(y)) {
                        (Ok(x), Ok(y)) if size.contains(x, y) => content(board, Point::new(x, y, size)),
                        _ => OUTSIDE,
                    };
                    line = line << 3 | content as u64;
                }
                mix(line);
            }
        }
        Situation((hash >> 32) as u32)
    }
}

/// The number of a point outside the board in a situation.
const OUTSIDE: usize = 7;

/// The number of a point in a situation.
fn content(board: &Board, point: Point) -> usize {
    let cell = board.cell(point);
    let is_stone = matches!(cell, Cell::Black | Cell::White);
    cell as usize * 2 + usize::from(is_stone && board.liberties(point).is_atari())
}

/// The errors of an evaluator by situation, beside the tree that a search grows. All threads add to them without locks.
#[derive(Debug)]
pub struct Biases {
    /// Two words for each bucket: the sum of the weights, and the sum of the errors times their weights. A power of two
    /// in number, or none where the system gives no memory.
    buckets: Box<[AtomicU64]>,
}

/// What a node has added to its bucket.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Told {
    /// The weight of its error.
    weight: f32,
    /// The error times the weight.
    error: f32,
}

impl Told {
    /// In units of the buckets.
    fn in_units(self) -> [u64; 2] {
        [self.weight, self.error].map(|sum| (f64::from(sum) * UNIT) as i64 as u64)
    }

    /// In eight bytes.
    fn to_bits(self) -> u64 {
        u64::from(self.weight.to_bits()) << 32 | u64::from(self.error.to_bits())
    }

    /// From eight bytes.
    fn from_bits(bits: u64) -> Told {
        Told { weight: f32::from_bits((bits >> 32) as u32), error: f32::from_bits(bits as u32) }
    }
}

/// Words of a bucket.
const WORDS: usize = 2;

impl Biases {
    /// Nothing learned yet, in so many bytes at most.
    pub fn new(bytes: usize) -> Biases {
        let buckets = bytes / (WORDS * size_of::<AtomicU64>());
        let buckets = if buckets == 0 { 0 } else { 1 << buckets.ilog2() };
        Biases { buckets: bytemuck::allocation::try_zeroed_slice_box(buckets * WORDS).unwrap_or_default() }
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

    fn bucket(&self, Situation(hash): Situation) -> Option<&[AtomicU64]> {
        let place = hash as usize & (self.buckets.len() / WORDS).checked_sub(1)?;
        self.buckets.get(WORDS * place..WORDS * (place + 1))
    }

    /// The mean error in a situation, −1..=1; 0 where nothing is known.
    fn mean(&self, situation: Situation) -> f32 {
        let Some([weight, errors]) = self.bucket(situation) else { return 0.0 };
        let (weight, errors) = (weight.load(Relaxed) as i64, errors.load(Relaxed) as i64);
        // Another thread may have changed one sum, and not yet the other.
        if weight > 0 { (errors as f64 / weight as f64).clamp(-1.0, 1.0) as f32 } else { 0.0 }
    }

    /// Takes `before` off the sums of a situation and adds `now`.
    fn tell(&self, situation: Situation, before: Told, now: Told) {
        let sums = self.bucket(situation).unwrap_or_default().iter();
        for ((sum, now), before) in sums.zip(now.in_units()).zip(before.in_units()) {
            sum.fetch_add(now.wrapping_sub(before), Relaxed);
        }
    }

    /// The value of a new leaf with the correction of its situation. The mean error is taken off `share` times.
    pub fn correct(&self, situation: Situation, value: f32, share: f32) -> Corrected {
        Corrected::new(value).with(-share * self.mean(situation))
    }

    /// Counts the error of a node anew, whose sums include the last visit, and gives the change of its correction. The
    /// caller adds the change to the sums of this node and of all nodes above.
    pub fn learn(&self, tree: &Tree, node: &Node, situation: Situation, share: f32) -> f32 {
        let Children::At(first) = node.children() else { return 0.0 };
        let block = tree.block(first);
        let below = node.visits() as f32 - 1.0;
        let Some(own) = block.own().filter(|_| below > 0.0) else { return 0.0 };
        let mean = (node.value_sum() - own.value() - own.correction()) / below;
        let root = below.sqrt();
        let weight = root * root.sqrt();
        let told = Told { weight, error: weight * (own.value() - mean) };
        let before = Told::from_bits(block.swap_told(told.to_bits()));
        self.tell(situation, before, told);
        let corrected = own.with(-share * self.mean(situation));
        // Another thread may have changed the correction meanwhile. So the change is the one from what is replaced.
        let replaced = block.swap_own(corrected).unwrap_or(own);
        corrected.correction() - replaced.correction()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::Move;

    #[test]
    fn a_situation_is_the_last_two_moves_and_the_stones_near_the_last_one() {
        let (black, white) = (Color::Black, Color::White);
        let place = |column, row| Point::new(column, row, 9);
        let before = place(3, 3);
        let situation = |stones: &[(Color, usize, usize)], mover, last, before| {
            let mut board = Board::new(9);
            stones.iter().for_each(|&(color, column, row)| {
                board.place(color, place(column, row));
            });
            Situation::after(mover, last, before, &board)
        };
        let two = [(black, 0, 1), (white, 3, 3)];
        let usual = situation(&two, black, place(0, 1), before);
        // A stone far away makes no difference.
        assert_eq!(usual, situation(&[two[0], two[1], (black, 7, 7)], black, place(0, 1), before));
        let others = [
            situation(&[two[0], two[1], (black, 2, 3)], black, place(0, 1), before),
            situation(&two, black, place(0, 1), Point::NONE),
            situation(&two, white, place(0, 1), before),
            situation(&two, black, place(1, 1), before),
            // White's stone in the corner is in atari, or it is not.
            situation(&[two[0], (white, 0, 0)], black, place(0, 1), before),
            situation(&[two[0], (white, 0, 0), (white, 1, 0), (white, 2, 0)], black, place(0, 1), before),
        ];
        assert!(others.iter().all(|other| *other != usual));
        assert_ne!(others[4], others[5]);
    }

    #[test]
    fn an_error_that_the_search_has_found_is_taken_off_in_the_same_situation() {
        let mut biases = Biases::new(1 << 12);
        let tree = Tree::new(1 << 12).expect("memory");
        let (here, elsewhere) = (Situation(5), Situation(6));
        assert_eq!(biases.correct(here, 0.75, 0.5), Corrected::new(0.75));
        // The evaluator says 0.75; what lies below comes to 0.25 in 16 visits.
        let root = tree.node(tree.root());
        assert!(root.claim() && tree.add_children(tree.root(), 1, |_, child| child.reset(Move::Pass, 1.0)));
        let Children::At(first) = root.children() else { unreachable!("just made") };
        tree.block(first).set_own(Corrected::new(0.75));
        root.add(0.75);
        assert_eq!(biases.learn(&tree, root, here, 0.5), 0.0, "nothing lies below yet");
        (0..16).for_each(|_| root.add(0.25));
        assert_eq!(biases.learn(&tree, root, here, 0.5), -0.25);
        root.add_change(-0.25);
        // The same error, told again, is the same error.
        assert_eq!(biases.learn(&tree, root, here, 0.5), 0.0);
        assert_eq!(biases.correct(here, 0.5, 0.5), Corrected::new(0.5).with(-0.25));
        assert_eq!(biases.correct(elsewhere, 0.5, 0.5), Corrected::new(0.5));
        biases.clear();
        assert_eq!(biases.correct(here, 0.5, 0.5), Corrected::new(0.5));
    }

    #[test]
    fn without_memory_nothing_is_learned() {
        let biases = Biases::new(0);
        biases.tell(Situation(5), Told::default(), Told { weight: 1.0, error: 1.0 });
        assert_eq!(biases.mean(Situation(5)), 0.0);
    }
}
