//! A review whose positions are searched elsewhere, one after another: the page of `kosumi web` has its own engines.

use std::time::Duration;

use serde_json::{Value, json};

use crate::game::{Game, LoadError};
use crate::go::{Color, Komi, Ruleset};
use crate::record::Record;

use super::finding::Finding;
use super::page::Review;
use super::settings::Effort;
use super::turns::Turns;
use super::{annotate, losses};

/// Why there is nothing to review.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoCourse {
    /// The record is no game.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// There is nothing to say of a game without moves. The text says why there are none.
    #[error("{0}")]
    NoMoves(String),
}

/// A review in progress.
///
/// ```
/// use std::time::Duration;
///
/// use kosumi::go::Ruleset;
/// use kosumi::review::{Course, Finding};
/// use kosumi::search::{Limits, Request, Search, SearchOptions};
/// use kosumi::sgf;
///
/// let record = sgf::read(b"(;GM[1]SZ[5];B[cc];W[bc])")?;
/// let mut course = Course::new(record, Ruleset::default(), None, "a game", Duration::from_secs(1))?;
/// let mut search = Search::new(SearchOptions::default())?;
/// while let Some((turn, game, to_move)) = course.next_position() {
///     let mut request = Request::new(game.position().clone(), game.total_komi().half_points());
///     request.limits = Limits { playouts: Some(20), ..Limits::default() };
///     request.knowledge.details = true;
///     course.add(Finding::of(turn, &search.run_alone(&request)?, to_move, game.size()));
/// }
/// assert_eq!((course.done(), course.positions()), (3, 3));
/// assert!(course.page()?.starts_with("<!doctype html>"));
/// assert_eq!(course.record().main_line().count(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Course {
    turns: Turns,
    findings: Vec<Finding>,
    name: String,
    effort: Effort,
    identity: Value,
}

impl Course {
    /// The review of a record's main line, with so much time for each position. `rules` and `komi` are in force if the
    /// record names none.
    ///
    /// # Errors
    /// See [`NoCourse`].
    pub fn new(
        record: Record,
        rules: Ruleset,
        komi: Option<Komi>,
        name: &str,
        time: Duration,
    ) -> Result<Course, NoCourse> {
        let turns = Turns::of(record, rules, komi)?;
        if let Some(why) = turns.no_moves() {
            return Err(NoCourse::NoMoves(why));
        }
        let identity = json!({ "program": concat!("Kosumi ", env!("CARGO_PKG_VERSION")) });
        Ok(Course { turns, findings: Vec::new(), name: name.into(), effort: Effort::TimePerMove(time), identity })
    }

    /// Positions to search, those that have been searched included.
    pub fn positions(&self) -> usize {
        self.turns.positions()
    }

    /// Positions that have been searched.
    pub fn done(&self) -> usize {
        self.findings.len()
    }

    /// The next position to search: moves before it, the game there, and the side to move. `None` after the last one.
    pub fn next_position(&self) -> Option<(usize, Game, Color)> {
        let mut found = None;
        let walked = self.turns.walk(|turn, game, to_move| -> Result<bool, std::convert::Infallible> {
            if turn == self.done() {
                found = Some((turn, game.clone(), to_move));
            }
            Ok(found.is_none())
        });
        walked.ok().and(found)
    }

    /// Adds what a search found of the next position.
    pub fn add(&mut self, finding: Finding) {
        if self.done() < self.positions() {
            self.findings.push(Finding { turn: self.done(), ..finding });
        }
    }

    /// The page, with what has been found so far.
    ///
    /// # Errors
    /// If a number of a finding is none.
    pub fn page(&self) -> Result<String, serde_json::Error> {
        let losses = losses::losses(&self.turns, &self.findings);
        let review = Review::of(&self.name, &self.identity, &self.turns, &self.findings, &losses);
        review.page(&self.effort.describe())
    }

    /// The record with comments, marks and variations, as far as something has been found.
    pub fn record(&self) -> Record {
        let losses = losses::losses(&self.turns, &self.findings);
        annotate::annotated(&self.turns, &self.findings, &losses, &self.effort.describe())
    }
}
