//! From text to records.

use crate::record::Record;
use crate::record::build::Builder;

use super::encoding::{self, decode};
use super::{LONGEST, SgfError};

/// Reads the first game of a text. Text before its `(;` is skipped.
///
/// The result is a record of FF4 in UTF-8 and says so. [`Builder`] tells what is corrected.
///
/// # Errors
/// See [`SgfError`].
pub fn read(bytes: &[u8]) -> Result<Record, SgfError> {
    read_first(bytes).map(|(record, _)| record)
}

/// [`read`], and whether another game follows in the text.
///
/// # Errors
/// See [`SgfError`].
pub fn read_first(bytes: &[u8]) -> Result<(Record, bool), SgfError> {
    if bytes.len() > LONGEST {
        return Err(SgfError::TooLong);
    }
    let text = decode(bytes);
    let start = beginning(text.as_bytes()).ok_or(SgfError::NoGame)?;
    Reader::new(&text, start, 1).run()
}

/// Reads all games of a text, each as [`read`] does. A game that breaks the format is an error, and the others are read.
///
/// # Errors
/// If the text is too long, or there is no game.
pub fn read_all(bytes: &[u8]) -> Result<Vec<Result<Record, SgfError>>, SgfError> {
    if bytes.len() > LONGEST {
        return Err(SgfError::TooLong);
    }
    let text = decode(bytes);
    let mut games = Vec::new();
    let (mut rest, mut line) = (&text[..], 1);
    while let Some(start) = beginning(rest.as_bytes()) {
        let (game, after) = rest.split_at(end(rest.as_bytes(), start));
        games.push(Reader::new(game, start, line).run().map(|(record, _)| record));
        line += lines(game.as_bytes());
        rest = after;
    }
    if games.is_empty() { Err(SgfError::NoGame) } else { Ok(games) }
}

/// The index behind the bracket that closes the game which begins at `start`; the length of the text if none does.
fn end(text: &[u8], start: usize) -> usize {
    let (mut depth, mut in_value, mut is_escaped) = (0_usize, false, false);
    for (at, &byte) in text.iter().enumerate().skip(start) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_value => is_escaped = true,
            b']' => in_value = false,
            _ if in_value => {}
            b'[' => in_value = true,
            b'(' => depth += 1,
            b')' if depth <= 1 => return at + 1,
            b')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// The index of the first `(;`, with or without white space inside.
fn beginning(text: &[u8]) -> Option<usize> {
    let mut bracket = None;
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'(' => bracket = Some(at),
            b';' if bracket.is_some() => return bracket,
            byte if is_blank(byte) => {}
            _ => bracket = None,
        }
    }
    None
}

/// White space, or a control character that some editors leave behind.
fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

/// Ends of lines.
fn lines(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte == b'\n').count()
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// The line in which the text begins, counted from 1.
    first_line: usize,
    builder: Builder,
    /// Is a node open, so that a property can follow?
    in_node: bool,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, at: usize, first_line: usize) -> Reader<'a> {
        Reader { text, at, first_line, builder: Builder::for_text(&text[at..]), in_node: false }
    }

    fn run(mut self) -> Result<(Record, bool), SgfError> {
        while let Some(byte) = self.next() {
            match byte {
                b'(' => {
                    self.builder.open();
                    self.in_node = false;
                    self.at += 1;
                }
                b')' => {
                    self.builder.close();
                    self.in_node = false;
                    self.at += 1;
                    if self.builder.is_closed() {
                        let others = beginning(&self.text.as_bytes()[self.at..]).is_some();
                        return self.builder.finish().map(|record| (record, others)).ok_or(SgfError::NoGame);
                    }
                }
                b';' => {
                    if !self.builder.node() {
                        return Err(self.error("the game has a second root"));
                    }
                    self.in_node = true;
                    self.at += 1;
                }
                byte if byte.is_ascii_alphabetic() => self.property()?,
                _ => return Err(self.error("this is no node and no property")),
            }
        }
        Err(self.error("the text ends before the game does"))
    }

    /// The next byte that is not white space.
    fn next(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|&&byte| is_blank(byte)).count();
        self.text.as_bytes().get(self.at).copied()
    }

    fn property(&mut self) -> Result<(), SgfError> {
        if !self.in_node {
            return Err(self.error("a property stands outside of a node"));
        }
        let rest = &self.text[self.at..];
        let length = rest.bytes().take_while(|&byte| byte.is_ascii_alphanumeric() || byte == b'_').count();
        let written = &rest[..length];
        self.at += length;
        // Before FF4 a name could have small letters without a meaning ("GaMe").
        let short: String = written.chars().filter(|c| !c.is_ascii_lowercase()).collect();
        // Some programs write all letters small, which no version allows.
        let large = written.to_ascii_uppercase();
        let name = if short.starts_with(|c: char| c.is_ascii_uppercase()) { &short } else { &large };
        if self.next() != Some(b'[') {
            return Err(self.error("a property has no value"));
        }
        self.builder.property(name);
        let is_root = self.builder.node_count() == 1;
        while self.next() == Some(b'[') {
            let value = self.value()?;
            self.builder.value(match name.as_str() {
                "CA" if is_root => encoding::NAME,
                "FF" if is_root && matches!(value.trim(), "1" | "2" | "3") => "4",
                _ => value,
            });
        }
        Ok(())
    }

    /// The text between a bracket and its counterpart, with the escapes.
    fn value(&mut self) -> Result<&'a str, SgfError> {
        let start = self.at + 1;
        let mut escaped = false;
        for (i, &byte) in self.text.as_bytes()[start..].iter().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b']' => {
                    self.at = start + i + 1;
                    return Ok(&self.text[start..start + i]);
                }
                _ => {}
            }
        }
        Err(self.error("a value has no end"))
    }

    fn error(&self, what: &'static str) -> SgfError {
        let before = &self.text.as_bytes()[..self.at.min(self.text.len())];
        SgfError::Format { line: self.first_line + lines(before), what }
    }
}
