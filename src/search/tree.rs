//! The tree: a store with a fixed number of slots. The children of a node are one block, behind the head of the block.
//!
//! Blocks are handed out in order and never given back one by one. When the store is full, the threads come to rest and
//! [`Tree::compact`] slides the blocks that are kept to the front. A block of children is always younger than the
//! parent, so the block lies behind the parent. Sliding in order of address therefore needs no second store.

use super::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use super::folded::{Folded, PER_SLOT};
use super::node::{Block, Children, MOST_SLOTS, Node, NodeId};
use super::store::{MemoryError, NodeStore, SLOT_BYTES};
use crate::go::Move;

/// The nodes of a position and of the positions after it.
#[derive(Debug)]
pub struct Tree {
    store: NodeStore,
    /// Slots handed out, and those asked for in vain. 64 bits, so that the number cannot wrap.
    used: AtomicU64,
    /// Heads of blocks among the slots handed out.
    blocks: AtomicU64,
    full: AtomicBool,
    /// See [`Tree::has_foreign`].
    has_foreign: AtomicBool,
    root: NodeId,
}

/// [`Tree::compact`] asks whether to give up after each `ENTRIES_A_LOOK` blocks. While it moves blocks, it asks after
/// each of `DRAWERS` parts of the store: about every eighth of a millisecond in a tree of 512 MiB.
const ENTRIES_A_LOOK: usize = 256;
const DRAWERS: usize = 1024;

/// The root of a new tree. Slot 0 stays unused: it means "no children".
const FIRST_ROOT: NodeId = NodeId(1);

/// Slots of a block that are no children: its head.
const HEAD: usize = 1;

/// A block of slots that [`Tree::compact`] keeps: a head and children, or the root alone. Slots and entries have 32
/// bits, because the list of a tree of small blocks is long.
struct Kept {
    /// The first slot.
    start: u32,
    /// The slot of the children's parent (0 for the root), and the entry of the block that the parent lies in.
    parent: u32,
    parent_entry: u32,
    /// The first slot after the move.
    target: u32,
    /// The number of slots.
    slots: u16,
    /// Are the children folded?
    is_folded: bool,
}

impl Kept {
    /// The slots of its nodes.
    fn nodes(&self) -> std::ops::Range<usize> {
        if self.is_folded {
            return 0..0;
        }
        let head = if self.parent == 0 { 0 } else { HEAD };
        self.start as usize + head..self.start as usize + usize::from(self.slots)
    }
}

impl Tree {
    /// An empty tree of `bytes` at most. The system gives the memory only as slots are used.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn new(bytes: usize) -> Result<Tree, MemoryError> {
        let slots = (bytes / SLOT_BYTES).clamp(2, MOST_SLOTS);
        let (used, blocks, full) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
        let has_foreign = AtomicBool::new(false);
        let mut tree = Tree { store: NodeStore::new(slots)?, used, blocks, full, has_foreign, root: FIRST_ROOT };
        tree.clear();
        Ok(tree)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.root = FIRST_ROOT;
        self.set_used(FIRST_ROOT.slot() + 1, 0);
        self.node(FIRST_ROOT).reset(Move::Pass, 1.0);
        self.has_foreign.store(false, Relaxed);
    }

    /// Has a node got visits of a search on another machine?
    #[inline(always)]
    pub fn has_foreign(&self) -> bool {
        self.has_foreign.load(Relaxed)
    }

    /// Says that a node gets visits of a search on another machine.
    pub fn note_foreign(&self) {
        self.has_foreign.store(true, Relaxed);
    }

    fn set_used(&mut self, used: usize, blocks: usize) {
        self.used.store(used as u64, Relaxed);
        self.blocks.store(blocks as u64, Relaxed);
        self.full.store(false, Relaxed);
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// A node.
    ///
    /// # Panics
    /// If the tree has no such slot.
    #[inline(always)]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.store.nodes()[id.slot()]
    }

    /// The children of a node; empty while there are none.
    #[inline(always)]
    pub fn children(&self, node: &Node) -> &[Node] {
        match node.children() {
            Children::At(first) => self.siblings(first),
            Children::None | Children::BeingMade | Children::Barred | Children::Folded(_) => &[],
        }
    }

    /// A first child and its siblings.
    #[inline(always)]
    pub fn siblings(&self, first: NodeId) -> &[Node] {
        &self.store.nodes()[first.slot()..first.slot() + self.block(first).count()]
    }

    /// The head of the block whose first child this is.
    #[inline(always)]
    pub fn block(&self, first: NodeId) -> &Block {
        self.store.block(first.slot() - HEAD)
    }

    /// The mean of the second values at and below a node; `None` if there are none.
    #[inline]
    pub fn second(&self, node: &Node) -> Option<f32> {
        match node.children() {
            Children::At(first) => self.block(first).second(),
            Children::None | Children::BeingMade | Children::Barred | Children::Folded(_) => None,
        }
    }

    /// The mean result of a node, 0..=1; `None` before the first visit. The second values count with this share, if
    /// there are any.
    #[inline]
    pub fn mean(&self, node: &Node, second_share: f32) -> Option<f32> {
        let value = node.value()?;
        Some(self.second(node).map_or(value, |second| value + second_share * (second - value)))
    }

    /// Slots in use, heads of blocks included.
    pub fn used(&self) -> usize {
        (self.used.load(Relaxed) as usize).min(self.store.slots())
    }

    /// Nodes in use. Eight folded children count as one.
    pub fn nodes(&self) -> usize {
        self.used().saturating_sub(self.blocks.load(Relaxed) as usize)
    }

    /// Slots of the store.
    pub fn capacity(&self) -> usize {
        self.store.slots()
    }

    /// Has an allocation failed since the last [`Tree::compact`]?
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.full.load(Relaxed)
    }

    /// Takes a block for `count` children and gives the first child. `None` when there is no room, and from then on.
    pub fn allocate(&self, count: usize) -> Option<NodeId> {
        self.allocate_slots(count, count)
    }

    /// Takes a block with so many slots for `count` children.
    fn allocate_slots(&self, slots: usize, count: usize) -> Option<NodeId> {
        if self.is_full() {
            return None;
        }
        let slots = HEAD + slots;
        let start = self.used.fetch_add(slots as u64, Relaxed);
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        if start.checked_add(slots).is_none_or(|end| end > self.store.slots()) {
            // The compaction that follows corrects the number of slots in use.
            self.full.store(true, Relaxed);
            return None;
        }
        self.blocks.fetch_add(1, Relaxed);
        self.store.block(start).reset(count);
        Some(NodeId((start + HEAD) as u32))
    }

    /// Makes the children of a node that this thread has claimed, and shows them to the other threads. `write` gets
    /// each child with its number, and must reset it. `false`, and the claim is given up, if there is no room.
    pub fn add_children(&self, parent: NodeId, count: usize, mut write: impl FnMut(usize, &Node)) -> bool {
        let Some(first) = self.allocate(count) else {
            self.node(parent).make_leaf();
            return false;
        };
        (0..count).for_each(|i| write(i, self.node(first.sibling(i))));
        self.node(parent).publish(first);
        true
    }

    /// Folds the children of a node that this thread has claimed, shows them to the other threads, and says where they
    /// begin. `None`, and the claim is given up, if there is no room.
    pub fn fold_children(&self, parent: NodeId, mut moves: impl ExactSizeIterator<Item = Folded>) -> Option<NodeId> {
        let count = moves.len();
        let slots = count.div_ceil(PER_SLOT);
        let Some(first) = self.allocate_slots(slots, count) else {
            self.node(parent).make_leaf();
            return None;
        };
        for slot in 0..slots {
            let bits = std::array::from_fn(|_| moves.next().map_or(0, Folded::to_bits));
            self.node(first.sibling(slot)).write_folded(bits);
        }
        self.node(parent).publish_folded(first);
        Some(first)
    }

    /// Folds the same children for a node that this thread has claimed as those that begin at `from`, and shows them to
    /// the other threads. `false`, and the claim is given up, if there is no room.
    pub fn copy_folded(&self, parent: NodeId, from: NodeId) -> bool {
        let count = self.block(from).count();
        let slots = count.div_ceil(PER_SLOT);
        let Some(first) = self.allocate_slots(slots, count) else {
            self.node(parent).make_leaf();
            return false;
        };
        for slot in 0..slots {
            self.node(first.sibling(slot)).write_folded(self.node(from.sibling(slot)).folded());
        }
        self.node(parent).publish_folded(first);
        true
    }

    /// The folded children that begin here.
    pub fn folded(&self, first: NodeId) -> impl Iterator<Item = Folded> + '_ {
        let count = self.block(first).count();
        let slots = (0..count.div_ceil(PER_SLOT)).map(move |slot| self.node(first.sibling(slot)));
        slots.flat_map(Node::folded).take(count).map(Folded::from_bits)
    }

    /// Makes the root's child with this move the root. `false`, and nothing changes, if there is no such child.
    pub fn advance(&mut self, mv: Move) -> bool {
        let Children::At(first) = self.node(self.root).children() else { return false };
        let Some(offset) = self.siblings(first).iter().position(|child| child.mv() == mv) else { return false };
        let child = first.sibling(offset);
        if self.node(child).is_barred() {
            return false;
        }
        self.root = child;
        true
    }

    /// Frees all nodes that no path from the root reaches, and all nodes below one with fewer than `least` visits. No
    /// thread may search meanwhile. `give_up` is asked every fraction of a millisecond. If it says `true`, this gives
    /// `false`: no slot is freed then, and every node that is to be kept is still there.
    pub fn compact(&mut self, least: u64, give_up: &dyn Fn() -> bool) -> bool {
        let root = self.root.slot();
        // No more blocks than there are: a list that grew by doubling would take twice the memory.
        let mut kept = Vec::with_capacity(self.blocks.load(Relaxed) as usize + 1);
        kept.push(Kept { start: root as u32, parent: 0, parent_entry: 0, target: 0, slots: 1, is_folded: false });
        let mut next = 0;
        // Breadth first: an entry's parent stands before it.
        while next < kept.len() {
            if next.is_multiple_of(ENTRIES_A_LOOK) && give_up() {
                return false;
            }
            for slot in kept[next].nodes() {
                let node = &self.store.nodes()[slot];
                let (first, is_folded) = match node.children() {
                    Children::None | Children::Barred => continue,
                    Children::BeingMade => {
                        node.make_leaf();
                        continue;
                    }
                    Children::At(first) => (first, false),
                    Children::Folded(first) => (first, true),
                };
                if node.visits() < least && slot != root {
                    node.make_leaf();
                    continue;
                }
                let count = self.block(first).count();
                kept.push(Kept {
                    start: (first.slot() - HEAD) as u32,
                    parent: slot as u32,
                    parent_entry: next as u32,
                    target: 0,
                    slots: (HEAD + if is_folded { count.div_ceil(PER_SLOT) } else { count }) as u16,
                    is_folded,
                });
            }
            next += 1;
        }
        // Sorted by address, one part of the store after the other: one sort of all could not be given up in time.
        let drawer_slots = self.store.slots() / DRAWERS + 1;
        let mut drawers: Vec<Vec<u32>> = vec![Vec::new(); DRAWERS];
        for (entry, block) in kept.iter().enumerate() {
            drawers[block.start as usize / drawer_slots].push(entry as u32);
        }
        let mut free = FIRST_ROOT.slot();
        for mut entries in drawers {
            if give_up() {
                // Every block is linked where it is now, moved or not.
                return false;
            }
            entries.sort_unstable_by_key(|&entry| kept[entry as usize].start);
            for entry in entries {
                let block = &mut kept[entry as usize];
                block.target = free as u32;
                let Kept { start, slots, is_folded, parent, parent_entry, .. } = *block;
                let (start, slots) = (start as usize, usize::from(slots));
                if free != start {
                    (0..slots).for_each(|i| self.store.copy(start + i, free + i));
                }
                if parent != 0 {
                    let above = &kept[parent_entry as usize];
                    let moved = (above.target + (parent - above.start)) as usize;
                    let (parent, first) = (&self.store.nodes()[moved], NodeId((free + HEAD) as u32));
                    if is_folded { parent.publish_folded(first) } else { parent.publish(first) }
                } else {
                    self.root = NodeId(free as u32);
                }
                free += slots;
            }
        }
        self.set_used(free, kept.len() - 1);
        true
    }

    /// Forgets that the tree is full. The next allocation may find it full again.
    pub fn reopen(&mut self) {
        self.set_used(self.used(), self.blocks.load(Relaxed) as usize);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::go::Point;
    use crate::playout::policy::below;
    use crate::playout::{Rng, stream};

    /// Bytes of a tree, and one more than the most visits of a node. Miri takes longer for each step in a larger tree.
    const BYTES: usize = if cfg!(miri) { 1 << 13 } else { 1 << 20 };
    const VISITS: usize = if cfg!(miri) { 3 } else { 40 };

    /// A tree that has grown at random until it was full.
    fn grown(rng: &mut Rng) -> Tree {
        let tree = Tree::new(BYTES).expect("memory");
        let mut leaves = vec![tree.root()];
        while !leaves.is_empty() {
            let leaf = leaves.swap_remove(below(rng, leaves.len()));
            let count = 1 + below(rng, 60);
            if below(rng, 3) == 0 && leaf != tree.root() {
                let moves = (0..count).map(|i| Folded {
                    mv: Point::from_index(i).map_or(Move::Pass, Move::Play),
                    weight: i as f32 / 64.0,
                });
                assert!(tree.node(leaf).claim());
                tree.fold_children(leaf, moves);
                continue;
            }
            let Some(first) = tree.allocate(count) else { break };
            for child in (0..count).map(|i| first.sibling(i)) {
                let point = Point::from_index(1 + (child.slot() - first.slot())).unwrap_or(Point::NONE);
                tree.node(child).reset(Move::Play(point), 0.5);
                (0..below(rng, VISITS)).for_each(|_| tree.node(child).add(0.5));
                leaves.push(child);
            }
            tree.block(first).add_second(count as f32 / 100.0);
            tree.node(leaf).publish(first);
        }
        assert!(tree.is_full());
        tree
    }

    /// What a node holds.
    #[derive(Debug, PartialEq)]
    struct Content {
        mv: Move,
        visits: u64,
        children: usize,
        second: Option<f32>,
        folded: Vec<Folded>,
    }

    /// All that the root reaches, in order.
    fn content(tree: &Tree) -> Vec<Content> {
        let mut content = Vec::new();
        let mut open = vec![tree.node(tree.root())];
        while let Some(node) = open.pop() {
            let children = tree.children(node);
            let second = match node.children() {
                Children::At(first) => tree.block(first).second(),
                _ => None,
            };
            let folded = match node.children() {
                Children::Folded(first) => tree.folded(first).collect(),
                _ => Vec::new(),
            };
            content.push(Content { mv: node.mv(), visits: node.visits(), children: children.len(), second, folded });
            open.extend(children);
        }
        content
    }

    #[test]
    fn compaction_can_be_given_up_at_any_time() {
        for asked in (0..2000).step_by(if cfg!(miri) { 997 } else { 23 }) {
            let mut tree = grown(&mut stream(5, 0));
            // What lies beside the new root is garbage.
            let root = tree.root();
            let largest = tree.children(tree.node(root)).iter().max_by_key(|child| tree.children(child).len());
            let mv = largest.expect("children").mv();
            assert!(tree.advance(mv));
            let before = content(&tree);
            let used = tree.used();
            let left = Cell::new(asked);
            let patience = || match left.get() {
                0 => true,
                more => {
                    left.set(more - 1);
                    false
                }
            };
            let done = tree.compact(0, &patience);
            assert_eq!(content(&tree), before, "given up after {asked} questions: {}", !done);
            assert_eq!(done, !tree.is_full(), "only what is done makes room");
            let nodes = before.len() + before.iter().map(|node| node.folded.len().div_ceil(PER_SLOT)).sum::<usize>();
            assert!(if done { tree.nodes() == nodes + 1 } else { tree.used() == used });
            // Another attempt finds nothing in its way.
            assert!(tree.compact(0, &|| false));
            assert_eq!(content(&tree), before);
        }
        // Pruning that is given up may have forgotten what it meant to forget, but nothing else.
        let mut tree = grown(&mut stream(6, 0));
        let visits = |tree: &Tree| tree.children(tree.node(tree.root())).iter().map(Node::visits).collect::<Vec<_>>();
        let before = visits(&tree);
        let asked = Cell::new(0);
        assert!(!tree.compact(16, &|| asked.replace(asked.get() + 1) > 2));
        assert_eq!(visits(&tree), before);
    }

    #[test]
    fn a_full_tree_that_is_reopened_is_full_again_at_the_next_request() {
        let mut tree = grown(&mut stream(7, 0));
        let before = content(&tree);
        tree.reopen();
        assert!(!tree.is_full() && tree.used() == tree.capacity());
        assert_eq!(tree.allocate(1), None);
        assert!(tree.is_full());
        assert_eq!(content(&tree), before);
    }
}
