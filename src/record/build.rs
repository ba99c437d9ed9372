//! Makes a record from a text that is read from its beginning to its end, in time and memory proportional to it.
//!
//! Two things are put right on the way, as the standard asks for. A node has one move at the most, and none beside
//! stones that are set up or in the root: such a node becomes several. And `tt`, which was a pass before FF4, is
//! written as one on boards up to 19×19.

use super::meaning::OLD_PASS_SIZE;
use super::names::{is_move, is_set_up, stays_without_the_move};
use super::{Entry, NodeId, Record, Span, index, range};

/// A record that is being read. The calls follow the text: [`open`](Builder::open) for `(`, [`node`](Builder::node) for
/// `;`, [`property`](Builder::property), [`value`](Builder::value), [`close`](Builder::close) for `)`.
#[derive(Debug)]
pub struct Builder {
    record: Record,
    /// The node that the next one is a child of.
    current: NodeId,
    /// The nodes at which the open branches began.
    branches: Vec<NodeId>,
}

impl Builder {
    /// Nothing yet, with room for what this text can have at the most. (What grows bit by bit takes twice the memory.)
    pub fn for_text(text: &str) -> Builder {
        let count = |byte: u8| text.bytes().filter(|&b| b == byte).count();
        let mut record = Record::empty();
        record.text.reserve_exact(text.len());
        record.nodes.reserve_exact(count(b';'));
        record.entries.reserve_exact(count(b'['));
        record.values.reserve_exact(count(b'['));
        Builder { record, current: NodeId::NONE, branches: Vec::new() }
    }

    /// Is every branch closed?
    pub fn is_closed(&self) -> bool {
        self.branches.is_empty()
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.record.node_count()
    }

    /// A branch begins at the current node.
    pub fn open(&mut self) {
        self.end_node();
        self.branches.push(self.current);
    }

    /// A branch ends.
    pub fn close(&mut self) {
        self.end_node();
        self.current = self.branches.pop().unwrap_or(NodeId::NONE);
    }

    /// A node begins, the first one of all as the root. Says whether it could: a record has one root.
    #[must_use]
    pub fn node(&mut self) -> bool {
        self.end_node();
        if self.current == NodeId::NONE && self.record.node_count() > 0 {
            return false;
        }
        self.current = self.push_child(self.current);
        true
    }

    /// A new child. It is put before its sisters, for the list of children is turned round at the end: so it need not be
    /// walked through for each child.
    fn push_child(&mut self, parent: NodeId) -> NodeId {
        let child = self.record.push_node(parent);
        if parent != NodeId::NONE {
            self.record.node_mut(child).next = self.record.node(parent).first_child;
            self.record.node_mut(parent).first_child = child;
        }
        child
    }

    /// A property of the node that has begun last.
    pub fn property(&mut self, name: &str) {
        let name = self.record.push_text(name);
        let values = index(self.record.values.len());
        self.record.entries.push(Entry { name, values, value_count: 0 });
        self.record.node_mut(self.current).property_count += 1;
    }

    /// A value of the property that has begun last, as it stands between the brackets.
    pub fn value(&mut self, raw: &str) {
        let value = self.record.push_text(raw);
        self.record.values.push(value);
        if let Some(entry) = self.record.entries.last_mut() {
            entry.value_count += 1;
        }
    }

    /// Divides the node that has begun last, if its moves need nodes of their own.
    fn end_node(&mut self) {
        // Only the last node may still have no end; a branch that closes comes back to one that has.
        if self.current == NodeId::NONE || self.current.0 as usize + 1 != self.record.node_count() {
            return;
        }
        let here = *self.record.node(self.current);
        let Record { entries, text, .. } = &mut self.record;
        let name = |entry: &Entry| &text[entry.name.start..entry.name.start + entry.name.len];
        let list = &mut entries[range(here.properties, here.property_count)];
        let is_alone = self.current != NodeId::ROOT && !list.iter().any(|entry| is_set_up(name(entry)));
        // The first move that needs another node: the second one if the first may stay.
        let mut moves = list.iter().enumerate().filter(|(_, entry)| is_move(name(entry))).map(|(at, _)| at);
        let Some(begin) = moves.nth(usize::from(is_alone)) else { return };
        // A move takes what follows it along, but for what belongs to the whole game or to the stones set up.
        let behind = &mut list[begin..];
        let staying = behind.iter().filter(|entry| stays_without_the_move(name(entry))).count();
        if staying > 0 {
            behind.sort_by_key(|entry| !stays_without_the_move(name(entry)));
        }
        let first = begin + staying;
        self.record.node_mut(self.current).property_count = index(first);
        for at in range(here.properties, here.property_count).skip(first) {
            if is_move(self.record.part(self.record.entries[at].name)) {
                self.current = self.push_child(self.current);
                self.record.node_mut(self.current).properties = index(at);
            }
            self.record.node_mut(self.current).property_count += 1;
        }
    }

    /// The record; `None` if there is no node.
    pub fn finish(mut self) -> Option<Record> {
        self.end_node();
        if self.record.node_count() == 0 {
            return None;
        }
        for i in 0..self.record.node_count() {
            self.turn_children_round(NodeId(index(i)));
        }
        if self.record.size().is_ok_and(|size| size <= OLD_PASS_SIZE) {
            self.rewrite_passes();
        }
        self.record.nodes.shrink_to_fit();
        self.record.entries.shrink_to_fit();
        self.record.values.shrink_to_fit();
        self.record.text.shrink_to_fit();
        Some(self.record)
    }

    fn turn_children_round(&mut self, parent: NodeId) {
        let mut turned = NodeId::NONE;
        let mut left = self.record.node(parent).first_child;
        while left != NodeId::NONE {
            let next = std::mem::replace(&mut self.record.node_mut(left).next, turned);
            (turned, left) = (left, next);
        }
        self.record.node_mut(parent).first_child = turned;
    }

    fn rewrite_passes(&mut self) {
        let record = &mut self.record;
        for entry in &record.entries {
            if !is_move(&record.text[entry.name.start..entry.name.start + entry.name.len]) {
                continue;
            }
            for value in &mut record.values[range(entry.values, entry.value_count)] {
                if &record.text[value.start..value.start + value.len] == "tt" {
                    *value = Span { start: value.start, len: 0 };
                }
            }
        }
    }
}
