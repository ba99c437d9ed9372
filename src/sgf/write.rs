//! From records to text.

use crate::record::{NodeId, Record};

/// Writes a record with all its variations. Each node of the main line has a line of its own. A side variation is one
/// line.
pub fn write(record: &Record) -> String {
    let mut text = String::from("(");
    let mut left = vec![Piece::Node { node: NodeId::ROOT, main: true }];
    while let Some(piece) = left.pop() {
        match piece {
            Piece::Open { main: true } => text.push_str("(\n"),
            Piece::Open { main: false } => text.push('('),
            Piece::Close { in_main: true } => text.push_str(")\n"),
            Piece::Close { in_main: false } => text.push(')'),
            Piece::Node { node, main } => {
                write_node(&mut text, record, node);
                if main {
                    text.push('\n');
                }
                let Some(first) = record.first_child(node) else { continue };
                let begin = left.len();
                let branches = record.children(node).nth(1).is_some();
                for child in record.children(node) {
                    let main_child = main && child == first;
                    let inner = Piece::Node { node: child, main: main_child };
                    if branches {
                        left.extend([Piece::Open { main: main_child }, inner, Piece::Close { in_main: main }]);
                    } else {
                        left.push(inner);
                    }
                }
                // The list is taken from its end, so the first part to be written is the last in the list.
                left[begin..].reverse();
            }
        }
    }
    text.push(')');
    // Without CA a text is ISO 8859-1 (FF4).
    if !text.is_ascii() && record.property(NodeId::ROOT, "CA").is_none() {
        text.insert_str("(;".len(), CA);
    }
    text
}

/// What a record says of its encoding.
const CA: &str = "CA[UTF-8]";

/// A part that is still to be written.
#[derive(Clone, Copy)]
enum Piece {
    /// A node and its descendants.
    Node {
        node: NodeId,
        /// Does it belong to the main line?
        main: bool,
    },
    /// The beginning of a variation.
    Open { main: bool },
    /// The end of a variation that begins in the main line or elsewhere.
    Close { in_main: bool },
}

fn write_node(text: &mut String, record: &Record, node: NodeId) {
    text.push(';');
    for property in record.properties(node) {
        text.push_str(property.name());
        // A property without a value would not be valid, so it gets an empty value.
        let none = if property.values().len() == 0 { Some("") } else { None };
        for value in property.values().chain(none) {
            text.push('[');
            text.push_str(value);
            text.push(']');
        }
    }
}
