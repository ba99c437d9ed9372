//! The tree: an arena of nodes of fixed size. Children of a node lie next to each other.
//!
//! Blocks are handed out in order and never given back one by one; when the arena is full, threads come to rest
//! and [`Tree::compact`] keeps what is worth keeping, sliding it to the front. A child block is always younger
//! than its parent, so it lies behind it, and sliding in order of address needs no second arena.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use super::arena::Arena;
use super::node::{BUSY, ILLEGAL, LEAF, Node};
use crate::go::Move;

/// Nodes of a position and what follows it.
pub struct Tree {
    nodes: Arena,
    /// Nodes handed out.
    used: AtomicU32,
    full: AtomicBool,
    root: u32,
}

/// Blocks that [`Tree::compact`] looks at between two questions whether to give up, and parts of the arena between which
/// it asks while it moves them: an eighth of a millisecond or so each, in a tree of 512 MiB.
const ENTRIES_A_LOOK: usize = 256;
const DRAWERS: usize = 1024;

/// A block of children that [`Tree::compact`] keeps.
struct Kept {
    first: u32,
    count: u32,
    /// The node whose children they are, and the entry of the block in which it lies.
    parent: u32,
    parent_entry: usize,
    /// Where the block goes.
    target: u32,
}

impl Tree {
    /// A tree of at most so many MiB. The memory is asked for at once but taken only as it is used.
    pub fn new(mebibytes: usize) -> Tree {
        let bytes = mebibytes.max(1) << 20;
        let capacity = (bytes / size_of::<Node>()).min(ILLEGAL as usize - 1);
        // Address 0 means "no children", so it stays unused; 1 is the root.
        let tree = Tree { nodes: Arena::new(capacity), used: AtomicU32::new(0), full: AtomicBool::new(false), root: 1 };
        let mut tree = tree;
        tree.clear();
        tree
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.root = 1;
        self.used.store(2, Relaxed);
        self.full.store(false, Relaxed);
        self.nodes[1].reset(Move::Pass, 1.0);
    }

    /// The index of the root.
    pub fn root(&self) -> u32 {
        self.root
    }

    /// A node.
    ///
    /// # Panics
    /// If the index is none that this tree gave.
    #[inline(always)]
    pub fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    /// The children of a node; empty while there are none.
    #[inline(always)]
    pub fn children(&self, node: &Node) -> &[Node] {
        match node.children_raw() {
            LEAF | BUSY | ILLEGAL => &[],
            first => &self.nodes[first as usize..first as usize + node.child_count() as usize],
        }
    }

    /// Nodes in use.
    pub fn used(&self) -> usize {
        (self.used.load(Relaxed) as usize).min(self.nodes.len())
    }

    /// Nodes that there can be.
    pub fn capacity(&self) -> usize {
        self.nodes.len()
    }

    /// Has a request for nodes failed since the last [`Tree::compact`]?
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.full.load(Relaxed)
    }

    /// Takes a block of nodes; `None` when there is no room, and from then on.
    pub fn allocate(&self, count: usize) -> Option<u32> {
        if self.is_full() {
            return None;
        }
        let first = self.used.fetch_add(count as u32, Relaxed);
        if first as usize + count > self.nodes.len() {
            // What was taken too much is found again by the compaction that follows.
            self.full.store(true, Relaxed);
            return None;
        }
        Some(first)
    }

    /// Makes the child of the root with this move the root; `false` (and nothing changes) if there is none.
    pub fn advance(&mut self, mv: Move) -> bool {
        let root = self.node(self.root);
        let Some(offset) = self.children(root).iter().position(|child| child.mv() == mv) else { return false };
        let index = root.children_raw() + offset as u32;
        if self.node(index).children_raw() == ILLEGAL {
            return false;
        }
        self.root = index;
        true
    }

    /// Frees what no path from the root reaches, and below nodes with fewer than `least` visits everything. Only
    /// while no thread uses the tree. `false` if `give_up`, which is asked every fraction of a millisecond, wanted to
    /// go on with something else: nothing is freed then, and all that is worth keeping is still there.
    pub fn compact(&mut self, least: u32, give_up: &dyn Fn() -> bool) -> bool {
        let mut kept = vec![Kept { first: self.root, count: 1, parent: 0, parent_entry: 0, target: 1 }];
        let mut next = 0;
        // Breadth first: an entry's parent stands before it.
        while next < kept.len() {
            if next.is_multiple_of(ENTRIES_A_LOOK) && give_up() {
                return false;
            }
            for index in kept[next].first..kept[next].first + kept[next].count {
                let node = &self.nodes[index as usize];
                match node.children_raw() {
                    LEAF | ILLEGAL => {}
                    BUSY => node.make_leaf(),
                    _ if node.visits() < least && index != self.root => node.make_leaf(),
                    first => kept.push(Kept {
                        first,
                        count: u32::from(node.child_count()),
                        parent: index,
                        parent_entry: next,
                        target: 0,
                    }),
                }
            }
            next += 1;
        }
        // Sorted by address in drawers: all at once would take too long to be given up.
        let drawer_nodes = self.nodes.len() / DRAWERS + 1;
        let mut drawers: Vec<Vec<usize>> = vec![Vec::new(); DRAWERS];
        for (entry, block) in kept.iter().enumerate() {
            drawers[block.first as usize / drawer_nodes].push(entry);
        }
        let mut free = 1;
        for mut entries in drawers {
            if give_up() {
                // What has moved is linked where it is now, what has not where it was.
                return false;
            }
            entries.sort_unstable_by_key(|&entry| kept[entry].first);
            for entry in entries {
                let Kept { first, count, parent, parent_entry, .. } = kept[entry];
                kept[entry].target = free;
                for i in 0..count {
                    if free != first {
                        self.nodes[(free + i) as usize].copy_from(&self.nodes[(first + i) as usize]);
                    }
                }
                if parent != 0 {
                    let moved = kept[parent_entry].target + (parent - kept[parent_entry].first);
                    self.nodes[moved as usize].publish(free, count as u16);
                } else {
                    self.root = free;
                }
                free += count;
            }
        }
        self.used.store(free, Relaxed);
        self.full.store(false, Relaxed);
        true
    }

    /// Goes on as if the tree were not full: the next request for nodes may find that it is.
    pub fn reopen(&mut self) {
        self.used.store(self.used() as u32, Relaxed);
        self.full.store(false, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::go::Point;
    use crate::playout::policy::below;
    use crate::playout::{Rng, stream};

    /// A tree that has grown at random until it was full.
    fn grown(rng: &mut Rng) -> Tree {
        let tree = Tree::new(1);
        let mut leaves = vec![tree.root()];
        while !leaves.is_empty() {
            let leaf = leaves.swap_remove(below(rng, leaves.len()));
            let count = 1 + below(rng, 60);
            let Some(first) = tree.allocate(count) else { break };
            for index in first..first + count as u32 {
                let point = Point::from_index(1 + (index - first) as usize).unwrap_or(Point::NONE);
                tree.node(index).reset(Move::Play(point), 0.5);
                (0..below(rng, 40)).for_each(|_| tree.node(index).add(0.5));
                leaves.push(index);
            }
            tree.node(leaf).publish(first, count as u16);
        }
        assert!(tree.is_full());
        tree
    }

    /// Moves and visits of all that the root reaches, in order.
    fn content(tree: &Tree) -> Vec<(Move, u32, usize)> {
        let mut content = Vec::new();
        let mut open = vec![tree.node(tree.root())];
        while let Some(node) = open.pop() {
            let children = tree.children(node);
            content.push((node.mv(), node.visits(), children.len()));
            open.extend(children);
        }
        content
    }

    #[test]
    fn compaction_can_be_given_up_at_any_time() {
        for asked in (0..2000).step_by(23) {
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
            assert!(if done { tree.used() == before.len() + 1 } else { tree.used() == used });
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
