//! A review that the page has asked for: in progress, or finished.

use std::time::Duration;

use serde_json::{Value, json};

use crate::game::Game;
use crate::go::Color;
use crate::record::Record;
use crate::review::{Course, Finding};

/// The shortest and the longest time for a position, in seconds.
pub(super) const SECONDS: std::ops::RangeInclusive<f64> = 0.05..=60.0;

/// A review.
#[derive(Debug)]
pub(super) struct Reviewing {
    course: Course,
    /// Time for each position.
    time: Duration,
    /// Tells it from earlier reviews of the tab.
    number: u64,
}

/// A position to search for a review.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) review: u64,
    pub(super) turn: usize,
    pub(super) game: Game,
    pub(super) to_move: Color,
    pub(super) time: Duration,
}

impl Reviewing {
    pub(super) fn new(course: Course, time: Duration, number: u64) -> Reviewing {
        Reviewing { course, time, number }
    }

    /// Is a position left?
    pub(super) fn is_open(&self) -> bool {
        self.course.done() < self.course.positions()
    }

    /// The next position.
    pub(super) fn step(&self) -> Option<Step> {
        let (turn, game, to_move) = self.course.next_position()?;
        Some(Step { review: self.number, turn, game, to_move, time: self.time })
    }

    /// What was found of the position of a step. Gives whether the finding belongs to this review.
    pub(super) fn add(&mut self, review: u64, finding: Finding) -> bool {
        let is_ours = review == self.number && finding.turn == self.course.done();
        if is_ours {
            self.course.add(finding);
        }
        is_ours
    }

    /// The progress, for the page.
    pub(super) fn describe(&self) -> Value {
        let (done, all) = (self.course.done(), self.course.positions());
        json!({ "done": done, "all": all, "secondsLeft": (all - done) as f64 * self.time.as_secs_f64() })
    }

    /// The page, once all positions are searched.
    pub(super) fn page(&self) -> Option<String> {
        if self.is_open() { None } else { self.course.page().ok() }
    }

    /// The record with comments and variations, once all positions are searched.
    pub(super) fn record(&self) -> Option<Record> {
        (!self.is_open()).then(|| self.course.record())
    }
}
