//! The tree of a record: parents, children, the main line, variations.

use super::{NodeId, Record};

impl Record {
    /// The parent of a node; the root has none.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.node(node).parent.some()
    }

    /// The children of a node, the main variation first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.node(node).first_child.some(), |&child| self.node(child).next.some())
    }

    /// The next node of the main variation.
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        self.node(node).first_child.some()
    }

    /// The nodes from the root along the first children.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(NodeId::ROOT), |&node| self.first_child(node))
    }

    /// The node and its ancestors, up to the root.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(node), |&node| self.parent(node))
    }

    /// All nodes with their depth, each before its children, the children in order.
    pub fn preorder(&self) -> impl Iterator<Item = (usize, NodeId)> + '_ {
        let mut next = Some((0, NodeId::ROOT));
        std::iter::from_fn(move || {
            let here = next?;
            let (mut depth, mut node) = here;
            next = if let Some(child) = self.first_child(node) {
                Some((depth + 1, child))
            } else {
                loop {
                    if let Some(sibling) = self.node(node).next.some() {
                        break Some((depth, sibling));
                    }
                    match self.parent(node) {
                        Some(parent) => (depth, node) = (depth - 1, parent),
                        None => break None,
                    }
                }
            };
            Some(here)
        })
    }

    /// Makes a node its parent's first child.
    pub fn promote(&mut self, node: NodeId) {
        let Some(parent) = self.parent(node) else { return };
        let first = self.node(parent).first_child;
        if first == node {
            return;
        }
        let before = self.children(parent).find(|&child| self.node(child).next == node);
        if let Some(before) = before {
            self.node_mut(before).next = self.node(node).next;
            self.node_mut(node).next = first;
            self.node_mut(parent).first_child = node;
        }
    }

    /// Removes those of a node's children for which `keep` returns `false`, with all their descendants.
    pub fn retain_children(&mut self, node: NodeId, keep: impl Fn(NodeId) -> bool) {
        let kept: Vec<NodeId> = self.children(node).filter(|&child| keep(child)).collect();
        self.node_mut(node).first_child = kept.first().copied().unwrap_or(NodeId::NONE);
        for (i, &child) in kept.iter().enumerate() {
            self.node_mut(child).next = kept.get(i + 1).copied().unwrap_or(NodeId::NONE);
        }
    }
}
