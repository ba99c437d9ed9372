//! Makes a record from a text in one pass, in time and memory proportional to the text.
//!
//! Two things are corrected on the way, as the standard asks for. A node has at most one move, and no move beside
//! set-up stones or in the root; other nodes become several nodes. `tt`, which was a pass before FF4, becomes a normal
//! pass on boards up to 19×19.

use super::meaning::has_old_pass;
use super::names::{is_move, is_set_up, stays_without_the_move};
use super::{Entry, NodeId, Record, Span, index, range};

/// A record that is being read. The calls follow the text: [`open`](Builder::open) for `(`, [`node`](Builder::node) for
/// `;`, [`property`](Builder::property), [`value`](Builder::value), [`close`](Builder::close) for `)`.
#[derive(Debug)]
pub struct Builder {
    record: Record,
    /// The parent of the next node.
    current: NodeId,
    /// May this node get properties, and has it not been divided?
    is_unfinished: bool,
    /// The nodes at which the open branches began.
    branches: Vec<NodeId>,
}

impl Builder {
    /// An empty record, with room for the most that this text can hold. (Arrays that grow step by step take twice the
    /// memory.)
    pub fn for_text(text: &str) -> Builder {
        let count = |byte: u8| text.bytes().filter(|&b| b == byte).count();
        let mut record = Record::empty();
        record.text.reserve_exact(text.len());
        record.nodes.reserve_exact(count(b';'));
        record.entries.reserve_exact(count(b'['));
        record.values.reserve_exact(count(b'['));
        Builder { record, current: NodeId::NONE, is_unfinished: false, branches: Vec::new() }
    }

    /// Is every branch closed?
    pub fn is_closed(&self) -> bool {
        self.branches.is_empty()
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.record.node_count()
    }

    /// Begins a branch at the current node.
    pub fn open(&mut self) {
        self.end_node();
        self.branches.push(self.current);
    }

    /// Ends a branch.
    pub fn close(&mut self) {
        self.end_node();
        self.current = self.branches.pop().unwrap_or(NodeId::NONE);
    }

    /// Begins a node; the first node is the root. Returns `false` for a second root: a record has one.
    #[must_use]
    pub fn node(&mut self) -> bool {
        self.end_node();
        if self.current == NodeId::NONE && self.record.node_count() > 0 {
            return false;
        }
        self.current = self.push_child(self.current);
        self.is_unfinished = true;
        true
    }

    /// A new child, put before its siblings. The list of children is reversed at the end, so no call walks through the
    /// list.
    fn push_child(&mut self, parent: NodeId) -> NodeId {
        let child = self.record.push_node(parent);
        if parent != NodeId::NONE {
            self.record.node_mut(child).next = self.record.node(parent).first_child;
            self.record.node_mut(parent).first_child = child;
        }
        child
    }

    /// Adds a property to the last node.
    pub fn property(&mut self, name: &str) {
        let name = self.record.push_text(name);
        let values = index(self.record.values.len());
        self.record.entries.push(Entry { name, values, value_count: 0 });
        self.record.node_mut(self.current).property_count += 1;
    }

    /// Adds a value to the last property, as the value stands between the brackets.
    pub fn value(&mut self, raw: &str) {
        let value = self.record.push_text(raw);
        self.record.values.push(value);
        if let Some(entry) = self.record.entries.last_mut() {
            entry.value_count += 1;
        }
    }

    /// Divides the last node, if its moves need nodes of their own.
    fn end_node(&mut self) {
        // Brackets that follow each other end a node once. Each look takes time for all of its properties.
        if !std::mem::take(&mut self.is_unfinished) {
            return;
        }
        let here = *self.record.node(self.current);
        let Record { entries, text, .. } = &mut self.record;
        let name = |entry: &Entry| &text[entry.name.start..entry.name.start + entry.name.len];
        let list = &mut entries[range(here.properties, here.property_count)];
        let is_alone = self.current != NodeId::ROOT && !list.iter().any(|entry| is_set_up(name(entry)));
        // The first move that needs another node: the second move if the first may stay.
        let mut moves = list.iter().enumerate().filter(|(_, entry)| is_move(name(entry))).map(|(at, _)| at);
        let Some(begin) = moves.nth(usize::from(is_alone)) else { return };
        // The properties behind a move go with it, except those of the whole game or of the set-up stones.
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

    /// The record; `None` if the text had no node.
    pub fn finish(mut self) -> Option<Record> {
        self.end_node();
        if self.record.node_count() == 0 {
            return None;
        }
        for i in 0..self.record.node_count() {
            self.turn_children_round(NodeId(index(i)));
        }
        if self.record.size().is_ok_and(has_old_pass) {
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
