//! Memory for the nodes of a tree: zeroed, and taken from the system only as it is used.

use std::ops::Deref;
use std::sync::atomic::AtomicU64;

use super::node::Node;

/// A slice of nodes, zeroed at first.
///
/// `Box<[Node]>` would do but for this: for an alignment above 16 bytes the standard library's allocator writes the
/// zeros itself, which takes all of the memory, and half a second, before the first move. Words come zeroed from the
/// system, page by page as they are touched; the nodes start at the first word that is aligned for them.
pub struct Arena {
    words: Box<[AtomicU64]>,
    /// Words before the first node.
    skipped: usize,
    len: usize,
}

const WORDS_PER_NODE: usize = size_of::<Node>() / size_of::<AtomicU64>();

impl Arena {
    /// So many nodes.
    pub fn new(len: usize) -> Arena {
        let spare = align_of::<Node>() / size_of::<AtomicU64>() - 1;
        let words: Box<[AtomicU64]> = bytemuck::allocation::zeroed_slice_box(len * WORDS_PER_NODE + spare);
        let misaligned = words.as_ptr().addr() % align_of::<Node>();
        let skipped = (align_of::<Node>() - misaligned) % align_of::<Node>() / size_of::<AtomicU64>();
        Arena { words, skipped, len }
    }
}

impl Deref for Arena {
    type Target = [Node];

    #[inline(always)]
    fn deref(&self) -> &[Node] {
        // SAFETY: `new` has asked for enough words that `len` nodes lie behind the skipped ones, and chosen the number
        // of those so that the first node is aligned. All zeros is a node (it is `Zeroable`), and the words are only
        // ever written through nodes. Both types are made of atomics, so they may be written behind shared references.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().add(self.skipped).cast(), self.len) }
    }
}
