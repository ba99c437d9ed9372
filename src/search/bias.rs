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

use super::corrected::Corrected;
use super::means::{Means, Weighted};
use super::node::{Children, Node};
use super::tree::Tree;
use super::vicinity;
use crate::go::{Board, Color, Point};

/// Bytes of a search's memory in which one byte is for [`Biases`]: one bucket for 8 to 16 slots of the tree. On 9×9 a
/// visit takes twelve slots or more, so a full tree has about a bucket for each visit. Situations stay from search to
/// search in a game, so a tree that is filled several times in a game needs as many. (With 57 MiB, 4000 visits and 9×9,
/// which fills the tree every third move: 54 : 22 : 45 of 121 games against an eighth of the buckets.)
pub const BYTES_A_BYTE: usize = 16;

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
            // The five points of a row are mixed in at once.
            vicinity::around(last, board).into_iter().for_each(|line| mix(u64::from(line)));
        }
        Situation((hash >> 32) as u32)
    }
}

/// The errors of an evaluator by situation.
#[derive(Debug)]
pub struct Biases {
    means: Means,
}

/// What a node has told, in eight bytes.
fn to_bits(Weighted { weight, sum }: Weighted) -> u64 {
    u64::from(weight.to_bits()) << 32 | u64::from(sum.to_bits())
}

/// What a node has told, from eight bytes.
fn from_bits(bits: u64) -> Weighted {
    Weighted { weight: f32::from_bits((bits >> 32) as u32), sum: f32::from_bits(bits as u32) }
}

impl Biases {
    /// Nothing learned yet, in so many bytes at most.
    pub fn new(bytes: usize) -> Biases {
        Biases { means: Means::new(bytes) }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.means.clear();
    }

    /// The mean error in a situation, −1..=1; 0 where nothing is known.
    fn mean(&self, Situation(hash): Situation) -> f32 {
        self.means.mean(hash, 0.0)
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
        let told = Weighted { weight, sum: weight * (own.value() - mean) };
        let before = from_bits(block.swap_told(to_bits(told)));
        self.means.replace(situation.0, before, told);
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
}
