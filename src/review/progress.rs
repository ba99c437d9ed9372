//! The progress of reviews: which game, and how long the rest will take.

use std::time::Instant;

use crate::progress::{Bar, clock, time_left};

/// Shows the progress.
#[derive(Debug)]
pub(super) struct Progress {
    bar: Bar,
    started: Instant,
    /// All positions, those that are done, and those that were done before the start.
    all: usize,
    done: usize,
    known: usize,
    game: String,
}

impl Progress {
    /// Begins with so many positions to search.
    pub(super) fn start(all: usize, quiet: bool) -> Progress {
        let bar = Bar::start(all as u64, quiet);
        Progress { bar, started: Instant::now(), all, done: 0, known: 0, game: String::new() }
    }

    /// Another game begins, of which so many positions are known from before.
    pub(super) fn game(&mut self, name: &str, known: usize) {
        self.game = name.into();
        self.known += known;
        self.done += known;
        self.show();
    }

    /// A position has been searched.
    pub(super) fn step(&mut self) {
        self.done += 1;
        self.show();
    }

    /// Shows how long the rest will take.
    pub(super) fn show(&mut self) {
        let (searched, left) = (self.done - self.known, self.all.saturating_sub(self.done));
        let left = || time_left(self.started.elapsed(), searched as u64, left as u64);
        let text = || match left() {
            Some(left) => format!("{}, {} left", self.game, clock(left)),
            None => self.game.clone(),
        };
        self.bar.show(self.done as u64, text);
    }

    /// Writes a line that stays.
    pub(super) fn say(&self, text: &str) {
        self.bar.say(text);
    }

    /// Writes a line that stays, wanted or not.
    pub(super) fn warn(&self, text: &str) {
        self.bar.warn(text);
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        self.bar.finish();
    }
}
