//! A game record: a tree of nodes, each with its properties in order, as SGF knows them (FF4, www.red-bean.com/sgf).
//!
//! A record keeps all properties, known or not. Values are kept as they stand between the brackets, escapes included.
//! [`meaning`] says what known properties mean. [`build`] makes a record from a text in one pass. `sgf` reads and
//! writes records, and `game` knows the positions in a record.
//!
//! The nodes lie in one vector, and so do the properties, the values and their text. A node takes 20 bytes, a property
//! 24, a value 16. No function is recursive, so the depth of a tree does not matter.
//!
//! ```
//! use kosumi::go::{Color, Move, Point};
//! use kosumi::record::{NodeId, Record};
//! use kosumi::sgf;
//!
//! let mut record = Record::new(9);
//! let first = record.add_move(NodeId::ROOT, Color::Black, Move::Play(Point::new(4, 4, 9)), 9);
//! record.set_text(first, "C", "The centre.");
//! assert_eq!(record.property(first, "B").unwrap().value(), "ee");
//! // The text form has the same tree and properties.
//! let again = sgf::read(sgf::write(&record).as_bytes())?;
//! assert_eq!(again.text(first, "C").unwrap(), "The centre.");
//! # Ok::<(), sgf::SgfError>(())
//! ```

pub mod build;
pub mod meaning;
pub mod names;
pub mod rules;
pub mod text;
mod tree;

use std::collections::BTreeMap;

use crate::go::{IllegalMove, Size};

/// A node of a record. The id has no meaning in another record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The root, which every record has.
    pub const ROOT: NodeId = NodeId(0);
    /// No node: the end of a list.
    const NONE: NodeId = NodeId(u32::MAX);

    /// Is this node one of the first `count` nodes of the record?
    pub fn is_among_first(self, count: usize) -> bool {
        (self.0 as usize) < count
    }

    fn some(self) -> Option<NodeId> {
        (self != NodeId::NONE).then_some(self)
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: NodeId,
    first_child: NodeId,
    /// The next child of the same parent.
    next: NodeId,
    /// The first of the node's properties. They lie next to each other.
    properties: u32,
    property_count: u32,
}

/// A property: its name, and the first of its values. The values lie next to each other.
#[derive(Clone, Copy, Debug)]
struct Entry {
    name: Span,
    values: u32,
    value_count: u32,
}

/// A part of the record's text.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: usize,
    len: usize,
}

/// A game record. Two records are equal if their trees and all properties are equal, including the order.
#[derive(Clone, Debug)]
pub struct Record {
    nodes: Vec<Node>,
    entries: Vec<Entry>,
    values: Vec<Span>,
    /// The names and values, one after the other. Replaced text stays here unused.
    text: String,
    /// The moves that the rule set in force forbids, and why.
    forbidden: BTreeMap<NodeId, IllegalMove>,
}

/// A property of a node.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    record: &'a Record,
    entry: Entry,
}

impl<'a> Property<'a> {
    /// The name, such as `AB`.
    pub fn name(&self) -> &'a str {
        self.record.part(self.entry.name)
    }

    /// The values as they stand between the brackets.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &'a str> + use<'a> {
        let record = self.record;
        record.values[range(self.entry.values, self.entry.value_count)].iter().map(|&span| record.part(span))
    }

    /// The first value as it stands between the brackets; empty if there is none.
    pub fn value(&self) -> &'a str {
        self.values().next().unwrap_or_default()
    }
}

/// A size as a value: FF4 forbids two numbers for a square.
fn size_value(size: Size) -> String {
    if size.is_square() { size.width().to_string() } else { format!("{}:{}", size.width(), size.height()) }
}

impl Record {
    /// A record of a game on an empty board.
    pub fn new(size: impl Into<Size>) -> Record {
        let mut record = Record::empty();
        record.push_node(NodeId::NONE);
        let size = size_value(size.into());
        let program = concat!("Kosumi:", env!("CARGO_PKG_VERSION"));
        for (name, value) in [("GM", "1"), ("FF", "4"), ("CA", "UTF-8"), ("AP", program), ("SZ", &size)] {
            record.set(NodeId::ROOT, name, &[value]);
        }
        record
    }

    /// A record without a node, not even a root.
    fn empty() -> Record {
        Record {
            nodes: Vec::new(),
            entries: Vec::new(),
            values: Vec::new(),
            text: String::new(),
            forbidden: BTreeMap::new(),
        }
    }

    /// The number of nodes that the record has had. Later nodes have larger ids.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    fn part(&self, span: Span) -> &str {
        &self.text[span.start..span.start + span.len]
    }

    fn entries_of(&self, node: NodeId) -> &[Entry] {
        let node = self.node(node);
        // A node without properties may name a place behind the end, where a list has become shorter.
        if node.property_count == 0 {
            return &[];
        }
        &self.entries[range(node.properties, node.property_count)]
    }

    /// A node's properties in order.
    pub fn properties(&self, node: NodeId) -> impl ExactSizeIterator<Item = Property<'_>> + DoubleEndedIterator {
        self.entries_of(node).iter().map(|&entry| Property { record: self, entry })
    }

    /// A node's first property of this name.
    pub fn property(&self, node: NodeId, name: &str) -> Option<Property<'_>> {
        self.properties(node).find(|property| property.name() == name)
    }

    /// Gives a node a property with these values, written as between brackets. A property of the same name is replaced
    /// in its place. A new property becomes the last one.
    pub fn set(&mut self, node: NodeId, name: &str, values: &[&str]) {
        let at = self.properties(node).position(|property| property.name() == name);
        match at {
            Some(at) => self.put(node, at, true, name, values),
            None => self.put(node, usize::MAX, false, name, values),
        }
    }

    /// As [`Record::set`], but a new property stands behind the last of the properties named in `after`.
    pub fn set_behind(&mut self, node: NodeId, name: &str, values: &[&str], after: &[&str]) {
        if self.property(node, name).is_some() {
            return self.set(node, name, values);
        }
        let behind = self.properties(node).rposition(|property| after.contains(&property.name()));
        self.put(node, behind.map_or(0, |at| at + 1), false, name, values);
    }

    /// Gives a node a property whose value is this text. See [`Record::set`].
    pub fn set_text(&mut self, node: NodeId, name: &str, text: &str) {
        self.set(node, name, &[&text::escape(text)]);
    }

    /// The text of a node's first property of this name, without escapes.
    pub fn text(&self, node: NodeId, name: &str) -> Option<String> {
        self.property(node, name).map(|property| text::unescape(property.value()))
    }

    /// Removes all properties of this name from a node.
    pub fn remove(&mut self, node: NodeId, name: &str) {
        let mut left = self.entries_of(node).to_vec();
        left.retain(|entry| self.part(entry.name) != name);
        self.replace_entries(node, left);
    }

    /// Puts a property at an index in a node's list, at the end at the latest. With `replace`, the property there is
    /// replaced.
    fn put(&mut self, node: NodeId, at: usize, replace: bool, name: &str, values: &[&str]) {
        let entry =
            Entry { name: self.push_text(name), values: index(self.values.len()), value_count: index(values.len()) };
        for value in values {
            let span = self.push_text(value);
            self.values.push(span);
        }
        let mut list = self.entries_of(node).to_vec();
        let at = at.min(list.len());
        if replace {
            list[at] = entry;
        } else {
            list.insert(at, entry);
        }
        self.replace_entries(node, list);
    }

    fn replace_entries(&mut self, node: NodeId, list: Vec<Entry>) {
        let count = index(list.len());
        let old = *self.node(node);
        // The last node's properties lie at the end, where they can grow.
        if range(old.properties, old.property_count).end == self.entries.len() {
            self.entries.truncate(old.properties as usize);
        }
        let properties = index(self.entries.len());
        self.entries.extend(list);
        let node = self.node_mut(node);
        (node.properties, node.property_count) = (properties, count);
    }

    fn push_text(&mut self, text: &str) -> Span {
        let start = self.text.len();
        self.text.push_str(text);
        Span { start, len: text.len() }
    }

    /// A new node, its parent's last child. The time grows with the number of children.
    pub fn add_child(&mut self, parent: NodeId) -> NodeId {
        let last = self.children(parent).last();
        let child = self.push_node(parent);
        match last {
            Some(last) => self.node_mut(last).next = child,
            None => self.node_mut(parent).first_child = child,
        }
        child
    }

    /// A new node that is in no list yet.
    fn push_node(&mut self, parent: NodeId) -> NodeId {
        let id = NodeId(index(self.nodes.len()));
        let properties = index(self.entries.len());
        let (first_child, next) = (NodeId::NONE, NodeId::NONE);
        self.nodes.push(Node { parent, first_child, next, properties, property_count: 0 });
        id
    }

    /// Why the rule set in force forbids the node's move; `None` if the move is legal. The code that follows the record
    /// sets this mark.
    pub fn forbidden(&self, node: NodeId) -> Option<IllegalMove> {
        self.forbidden.get(&node).copied()
    }

    /// Marks a move as forbidden, or removes the mark.
    pub fn mark(&mut self, node: NodeId, reason: Option<IllegalMove>) {
        match reason {
            Some(reason) => self.forbidden.insert(node, reason),
            None => self.forbidden.remove(&node),
        };
    }
}

impl PartialEq for Record {
    fn eq(&self, other: &Record) -> bool {
        let same = |a: NodeId, b: NodeId| {
            self.entries_of(a).len() == other.entries_of(b).len()
                && self
                    .properties(a)
                    .zip(other.properties(b))
                    .all(|(a, b)| a.name() == b.name() && a.values().eq(b.values()))
        };
        let (mut ours, mut theirs) = (self.preorder(), other.preorder());
        loop {
            match (ours.next(), theirs.next()) {
                (None, None) => return true,
                (Some((depth, a)), Some((other_depth, b))) if depth == other_depth && same(a, b) => {}
                _ => return false,
            }
        }
    }
}

impl Eq for Record {}

/// # Panics
/// For 2³² and more: memory ends before, since each node, property and value takes 16 bytes and more.
fn index(count: usize) -> u32 {
    u32::try_from(count).ok().filter(|&count| count != u32::MAX).expect("a record has fewer than 2^32 nodes and values")
}

fn range(first: u32, count: u32) -> std::ops::Range<usize> {
    first as usize..first as usize + count as usize
}
