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
    /// while no thread uses the tree.
    pub fn compact(&mut self, least: u32) {
        let mut kept = vec![Kept { first: self.root, count: 1, parent: 0, parent_entry: 0, target: 1 }];
        let mut next = 0;
        // Breadth first: an entry's parent stands before it.
        while next < kept.len() {
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
        let mut by_address: Vec<usize> = (0..kept.len()).collect();
        by_address.sort_unstable_by_key(|&entry| kept[entry].first);
        let mut free = 1;
        for entry in by_address {
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
            }
            free += count;
        }
        self.root = 1;
        self.used.store(free, Relaxed);
        self.full.store(false, Relaxed);
    }
}
