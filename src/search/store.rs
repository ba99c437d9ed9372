//! Memory for a tree: slots of 32 bytes, zeroed. The system gives the memory page by page, as slots are used. A slot is
//! a [`Node`], or the [`Block`] before the children of a node.

use std::sync::atomic::AtomicU64;

use super::node::{Block, Node};

/// The system has refused memory for a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system refuses {asked} MiB for the search; it would give about {most} MiB")]
pub struct MemoryError {
    /// The memory that was asked for, in MiB.
    pub asked: usize,
    /// About the most that the system would have given, in MiB.
    pub most: usize,
}

/// Slots, zeroed at first.
///
/// Why not `Box<[Node]>`? For an alignment above 16 bytes the standard library's allocator writes the zeros itself. The
/// writing takes all of the memory, and half a second, before the first move. Words come zeroed from the system, page
/// by page as they are touched. The slots start at the first word that is aligned for a slot.
#[derive(Debug)]
pub struct NodeStore {
    words: Box<[AtomicU64]>,
    /// Words before the first slot.
    skipped: usize,
    len: usize,
}

/// Bytes of a slot.
pub const SLOT_BYTES: usize = size_of::<Node>();

const WORD_BYTES: usize = size_of::<AtomicU64>();
const WORDS: usize = SLOT_BYTES / WORD_BYTES;
const _: () = assert!(size_of::<Block>() == SLOT_BYTES && align_of::<Block>() == align_of::<Node>());

impl NodeStore {
    /// A store of `len` slots.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn new(len: usize) -> Result<NodeStore, MemoryError> {
        let words = allocate(len).ok_or_else(|| refused(len))?;
        let misaligned = words.as_ptr().addr() % align_of::<Node>();
        let skipped = (align_of::<Node>() - misaligned) % align_of::<Node>() / WORD_BYTES;
        Ok(NodeStore { words, skipped, len })
    }

    /// How many slots there are.
    pub fn slots(&self) -> usize {
        self.len
    }

    /// All slots, seen as nodes.
    #[inline(always)]
    pub fn nodes(&self) -> &[Node] {
        // SAFETY: `new` has asked for enough words that `len` slots lie behind the skipped ones, and chosen the number
        // of those so that the first slot is aligned. All zeros is a node (it is `Zeroable`), and so is every block:
        // both are made of atomics of the same bytes, which may be written behind shared references.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().add(self.skipped).cast(), self.len) }
    }

    /// A slot, seen as the head of a block of children.
    ///
    /// # Panics
    /// If there is no such slot.
    #[inline(always)]
    pub fn block(&self, slot: usize) -> &Block {
        let node: *const Node = &self.nodes()[slot];
        // SAFETY: the slot is there (`nodes()[slot]` has looked), a block has the size and alignment of a node, and any
        // bytes are a block, since it is made of atomic integers alone.
        unsafe { &*node.cast() }
    }

    /// Copies a slot, be it a node or a head.
    pub fn copy(&mut self, from: usize, to: usize) {
        for i in 0..WORDS {
            let word = *self.words[self.skipped + from * WORDS + i].get_mut();
            *self.words[self.skipped + to * WORDS + i].get_mut() = word;
        }
    }
}

/// Words enough for `slots` slots, wherever the first aligned word lies.
fn allocate(slots: usize) -> Option<Box<[AtomicU64]>> {
    let spare = align_of::<Node>() / WORD_BYTES - 1;
    let words = slots.checked_mul(WORDS)?.checked_add(spare)?;
    bytemuck::allocation::try_zeroed_slice_box(words).ok()
}

/// The error, with the memory that the system would have given: found by halving.
fn refused(slots: usize) -> MemoryError {
    let in_mebibytes = |slots: usize| ((slots >> 10) * SLOT_BYTES) >> 10;
    let (mut given, mut refused) = (0, slots);
    // To a sixteenth. Closer to the limit, an allocation that the system refuses at first can succeed on the
    // allocator's second way, which writes the zeros itself: all memory of the machine was taken so, and the
    // process killed.
    while in_mebibytes(refused - given) > 1 + in_mebibytes(given) / 16 {
        let middle = given + (refused - given) / 2;
        // An allocation that nobody looks at would be optimized away, and be taken for granted.
        match std::hint::black_box(allocate(middle)) {
            Some(_) => given = middle,
            None => refused = middle,
        }
    }
    MemoryError { asked: in_mebibytes(slots), most: in_mebibytes(given) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "Miri has no address space of its own to be refused")]
    fn memory_that_is_refused_is_an_error_that_names_what_there_is() {
        // More than any address space.
        let error = NodeStore::new(1 << 50).expect_err("no machine has it");
        assert_eq!(error.asked, 1 << 35);
        assert!(error.most < error.asked, "{error}");
        assert!(NodeStore::new(usize::MAX).is_err());
        // What is named can be had, give or take what other programs do meanwhile.
        let slots = |mebibytes: usize| (mebibytes << 20) / SLOT_BYTES;
        assert!(NodeStore::new(slots(error.most / 2)).is_ok());
        assert!(NodeStore::new(slots(error.most * 2)).is_err(), "{error}");
    }

    #[test]
    fn slots_are_zeroed_aligned_and_apart() {
        let mut store = NodeStore::new(100).expect("memory");
        assert_eq!(store.nodes().len(), 100);
        assert_eq!(store.nodes().as_ptr().addr() % SLOT_BYTES, 0);
        assert!(store.nodes().iter().all(|node| node.visits() == 0));
        store.nodes()[7].add(1.0);
        store.copy(7, 9);
        let visits: Vec<u64> = store.nodes().iter().map(|node| node.visits()).collect();
        assert_eq!((visits[7], visits[9], visits.iter().sum::<u64>()), (1, 1, 2));
    }
}
