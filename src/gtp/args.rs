//! The words after a command, read as what the command expects.

use std::str::FromStr;
use std::time::Duration;

use super::error::CommandError;
use crate::go::vertex::{self, Vertex};
use crate::go::{Color, Move, Size};

/// The arguments of a call.
#[derive(Debug)]
pub struct Args<'a>(&'a [String]);

/// Longest time that a clock can be set to: more than a year, so that sums of times stay in range.
const LONGEST_SECONDS: f64 = 4e7;

impl<'a> Args<'a> {
    /// The words of a call.
    pub fn new(words: &'a [String]) -> Args<'a> {
        Args(words)
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Are there no words?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All words.
    pub fn words(&self) -> &'a [String] {
        self.0
    }

    /// A word as it is.
    ///
    /// # Errors
    /// `syntax error` if there is none at this place.
    pub fn word(&self, index: usize) -> Result<&'a str, CommandError> {
        self.0.get(index).map(String::as_str).ok_or_else(CommandError::syntax)
    }

    /// A word read as a value of a type.
    ///
    /// # Errors
    /// `syntax error` if there is none or it cannot be read so.
    pub fn parse<T: FromStr>(&self, index: usize) -> Result<T, CommandError> {
        self.word(index)?.parse().map_err(|_| CommandError::syntax())
    }

    /// A whole number, 0 or more.
    ///
    /// # Errors
    /// `syntax error` if it is none.
    pub fn count(&self, index: usize) -> Result<usize, CommandError> {
        let word = self.word(index)?;
        // A number that is too large for the type is a number, too: it counts as the largest.
        if !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) {
            Ok(word.parse().unwrap_or(usize::MAX))
        } else {
            Err(CommandError::syntax())
        }
    }

    /// Seconds, with or without a fraction, 0 or more.
    ///
    /// # Errors
    /// `syntax error` if the word is no such number.
    pub fn seconds(&self, index: usize) -> Result<Duration, CommandError> {
        let seconds: f64 = self.parse(index)?;
        if seconds.is_nan() || seconds < 0.0 {
            return Err(CommandError::syntax());
        }
        Ok(Duration::from_secs_f64(seconds.min(LONGEST_SECONDS)))
    }

    /// Seconds as above; `None` for a negative number.
    ///
    /// # Errors
    /// `syntax error` if the word is no number.
    pub fn seconds_or_none(&self, index: usize) -> Result<Option<Duration>, CommandError> {
        if self.parse::<f64>(index)? < 0.0 { Ok(None) } else { self.seconds(index).map(Some) }
    }

    /// `b`, `black`, `w` or `white` in any case.
    ///
    /// # Errors
    /// `syntax error` if it is none of them.
    pub fn color(&self, index: usize) -> Result<Color, CommandError> {
        Color::by_name(self.word(index)?).ok_or_else(CommandError::syntax)
    }

    /// A vertex or `pass`. The vertex may lie outside the board.
    ///
    /// # Errors
    /// `syntax error` if the word is no vertex.
    pub fn vertex(&self, index: usize, size: Size) -> Result<Vertex, CommandError> {
        vertex::parse(self.word(index)?, size).ok_or_else(CommandError::syntax)
    }

    /// A point of the board.
    ///
    /// # Errors
    /// `syntax error` if it is none.
    pub fn point(&self, index: usize, size: Size) -> Result<crate::go::Point, CommandError> {
        match self.vertex(index, size)? {
            Vertex::On(Move::Play(point)) => Ok(point),
            _ => Err(CommandError::syntax()),
        }
    }
}
