//! Positions that a search has reached by other orders of moves. A leaf whose position is in the tree already needs no
//! evaluation: it begins with the mean of that node, which is worth more, and with the policy of that node. What lies
//! below is found there as well, visit by visit. The tree stays a tree: later visits of one of the nodes are not seen
//! in the other. (KataGo shares nodes and calls it graph search: see `docs/GraphSearch.md` of KataGo's source. A tree
//! needs no care for cycles.)
//!
//! The last moves, which a net reads too, may differ. (KataGo's cache of evaluations leaves them out as well.)

use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use super::node::NodeId;
use crate::go::rules::Scoring;
use crate::go::{Color, Point, Position};

/// Bytes of a search's memory in which one byte is for [`Transpositions`]: one entry for 16 to 32 slots of the tree. On
/// 9×9 a visit takes twelve slots or more, so few entries are lost before the tree is full. (A guess.)
pub const BYTES_A_BYTE: usize = 32;

/// What tells one position from another, as far as a search knows the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(u64);

impl Key {
    /// The key of a position: stones, side to move, ko, passes, button, prisoners where they count, and the plays that
    /// superko forbids. The past is in it no further, so two positions that differ in later repetitions can be alike.
    pub fn of(position: &Position) -> Key {
        let board = position.board();
        let mut hash = board.hash();
        // The odd multiplier is 2⁶⁴ divided by the golden ratio (Knuth, "The Art of Computer Programming", §6.4).
        let mut mix = |number: u64| {
            hash = (hash ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^= hash >> 32;
        };
        let side = |color: Option<Color>| color.map_or(0, |color| 1 + color.index() as u64);
        let ko = board.ko().map_or(0, Point::index) as u64;
        mix(side(Some(position.to_move())) | side(position.button()) << 2);
        mix(u64::from(position.consecutive_passes()) << 32 | ko);
        let captured = [Color::Black, Color::White].map(|color| u64::from(board.captured(color)));
        if position.rules().scoring == Scoring::Territory {
            mix(captured[0] << 32 | captured[1]);
        }
        if captured != [0; 2] {
            position.repeating().iter().for_each(|point| mix(point.index() as u64));
        }
        Key(hash)
    }
}

/// A node that has been evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The node.
    pub node: NodeId,
    /// Its folded children, which stay where they are when the node gets children of its own.
    pub folded: NodeId,
}

/// A table from positions to nodes of the tree. All threads use it without locks. A new entry takes the place of an old
/// one.
#[derive(Debug)]
pub struct Transpositions {
    /// Two words for each entry: the key and the nodes, xored with each other, and the nodes. So an entry that two threads
    /// have half written is none (Hyatt and Mann 2002, "A lock-less transposition-table implementation for parallel
    /// search"). A power of two in number, or none where the system gives no memory.
    entries: Box<[AtomicU64]>,
    /// How often the table has been cleared. Keys of earlier times fit no more.
    age: u64,
}

/// Words of an entry.
const WORDS: usize = 2;

impl Transpositions {
    /// An empty table, in so many bytes at most.
    pub fn new(bytes: usize) -> Transpositions {
        let entries = bytes / (WORDS * size_of::<AtomicU64>());
        let entries = if entries == 0 { 0 } else { 1 << entries.ilog2() };
        let entries = bytemuck::allocation::try_zeroed_slice_box(entries * WORDS).unwrap_or_default();
        Transpositions { entries, age: 0 }
    }

    /// Forgets all nodes. No time is spent on this: pages that nobody has written stay unwritten.
    pub fn clear(&mut self) {
        self.age += 1;
    }

    /// The key with the age of the table, and its entry.
    fn entry(&self, Key(hash): Key) -> Option<(u64, &[AtomicU64])> {
        let key = (hash ^ self.age).wrapping_mul(0xd134_2543_de82_ef95);
        let place = (key >> 20) as usize & (self.entries.len() / WORDS).checked_sub(1)?;
        Some((key, self.entries.get(WORDS * place..WORDS * (place + 1))?))
    }

    /// The node with this position, if it is known.
    pub fn find(&self, key: Key) -> Option<Known> {
        let (key, entry) = self.entry(key)?;
        let [mixed, nodes] = entry else { return None };
        // Acquire: who sees the nodes sees what was written there.
        let nodes = nodes.load(Acquire);
        let (node, folded) = (NodeId((nodes >> 32) as u32), NodeId(nodes as u32));
        (nodes != 0 && mixed.load(Relaxed) ^ nodes == key).then_some(Known { node, folded })
    }

    /// Remembers a node with this position. Its folded children must have been written.
    pub fn insert(&self, key: Key, Known { node, folded }: Known) {
        if let Some((key, [mixed, nodes])) = self.entry(key) {
            let word = u64::from(node.0) << 32 | u64::from(folded.0);
            mixed.store(key ^ word, Relaxed);
            nodes.store(word, Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::rules::{CHINESE, JAPANESE};
    use crate::go::{Move, Ruleset};

    fn after(moves: &[Option<(usize, usize)>], rules: Ruleset) -> Key {
        let mut position = Position::new(9, rules);
        for mv in moves {
            let mv = mv.map_or(Move::Pass, |(column, row)| Move::Play(Point::new(column, row, 9)));
            position.play(mv).expect("a legal move");
        }
        Key::of(&position)
    }

    #[test]
    fn another_order_of_moves_is_the_same_position() {
        let [a, b, c] = [Some((2, 2)), Some((6, 6)), Some((2, 6))];
        assert_eq!(after(&[a, b, c], CHINESE), after(&[c, b, a], CHINESE));
        let others = [after(&[a, c, b], CHINESE), after(&[a, b], CHINESE), after(&[a, b, c, None], CHINESE)];
        for (i, other) in others.iter().enumerate() {
            assert_ne!(*other, after(&[a, b, c], CHINESE), "{i}");
        }
        // The side to move counts, and a pass that can end the game.
        assert_ne!(after(&[a, None, b, None], CHINESE), after(&[a, b], CHINESE));
        assert_ne!(after(&[None], CHINESE), after(&[], CHINESE));
    }

    #[test]
    fn ko_and_prisoners_tell_positions_apart() {
        // White's stone on (1, 1) and Black's on (2, 1) can take each other in turns.
        let shape = [(1, 0), (2, 0), (0, 1), (3, 1), (1, 2), (2, 2), (8, 8), (1, 1)].map(Some);
        let then = |moves: &[(usize, usize)], rules| {
            let moves: Vec<_> = shape.into_iter().chain(moves.iter().copied().map(Some)).collect();
            after(&moves, rules)
        };
        // The same stones, but in one of the two Black has just taken.
        let (early, late) = ([(2, 1), (8, 0), (8, 1)], [(8, 1), (8, 0), (2, 1)]);
        assert_ne!(then(&early, CHINESE), then(&late, CHINESE));
        // The same stones, but in one of the two each side has taken one. That counts where prisoners do.
        let plain = [(8, 1), (8, 0), (8, 2), (8, 3)];
        let taken = [(2, 1), (8, 0), (8, 1), (1, 1), (8, 2), (8, 3)];
        assert_eq!(then(&plain, CHINESE), then(&taken, CHINESE));
        assert_ne!(then(&plain, JAPANESE), then(&taken, JAPANESE));
    }

    #[test]
    fn a_table_finds_what_it_knows_until_it_is_cleared() {
        let mut table = Transpositions::new(1 << 12);
        let known = |i: u32| Known { node: NodeId(i), folded: NodeId(i + 7) };
        let key = |i: u32| Key(u64::from(i).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        assert_eq!(table.find(key(1)), None);
        (1..1000).for_each(|i| table.insert(key(i), known(i)));
        let found: Vec<u32> = (1..1000).filter(|&i| table.find(key(i)) == Some(known(i))).collect();
        assert!((1..1000).all(|i| table.find(key(i)).is_none_or(|found| found == known(i))));
        assert!((100..=256).contains(&found.len()), "256 entries hold {}", found.len());
        table.clear();
        assert!((1..1000).all(|i| table.find(key(i)).is_none()));
        let nothing = Transpositions::new(0);
        nothing.insert(key(1), known(1));
        assert_eq!(nothing.find(key(1)), None);
    }
}
