//! In the place of `src/search/store.rs`, whose zeroed words can be no atomics of loom. Each slot is a node and a head
//! of a block.

use super::node::{Block, Node};

/// Memory is never refused here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryError {}

/// Bytes of a slot of the real store.
pub const SLOT_BYTES: usize = 32;

/// Slots for nodes and heads.
#[derive(Debug)]
pub struct NodeStore {
    nodes: Vec<Node>,
    blocks: Vec<Block>,
}

impl NodeStore {
    /// A store of `len` slots.
    ///
    /// # Errors
    /// None.
    pub fn new(len: usize) -> Result<NodeStore, MemoryError> {
        let nodes = (0..len).map(|_| Node::default()).collect();
        Ok(NodeStore { nodes, blocks: (0..len).map(|_| Block::default()).collect() })
    }

    /// How many slots there are.
    pub fn slots(&self) -> usize {
        self.nodes.len()
    }

    /// All slots, seen as nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A slot, seen as the head of a block.
    pub fn block(&self, slot: usize) -> &Block {
        &self.blocks[slot]
    }

    /// Nothing is moved in these models: all trees are small enough.
    ///
    /// # Panics
    /// Always.
    pub fn copy(&mut self, from: usize, to: usize) {
        panic!("slot {from} would be copied to {to}");
    }
}
