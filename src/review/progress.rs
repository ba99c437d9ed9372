//! The progress of reviews on standard error: a bar in a terminal, a line from time to time elsewhere.

use std::io::Write as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// The time between two lines where there is no terminal.
const EVERY: Duration = Duration::from_secs(60);

/// Shows the progress.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    quiet: bool,
    started: Instant,
    last_line: Instant,
    /// All positions, those that are done, and those that were done before the start.
    all: usize,
    done: usize,
    known: usize,
    game: String,
}

impl Progress {
    /// Begins with so many positions to search.
    pub(super) fn start(all: usize, quiet: bool) -> Progress {
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(all as u64) };
        if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos}/{len}  {wide_msg}") {
            bar.set_style(style);
        }
        let now = Instant::now();
        Progress { bar, quiet, started: now, last_line: now, all, done: 0, known: 0, game: String::new() }
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
        self.bar.set_position(self.done as u64);
        if !self.bar.is_hidden() {
            self.bar.set_message(self.describe());
        } else if self.last_line.elapsed() >= EVERY {
            self.last_line = Instant::now();
            self.say(&format!("{}/{}  {}", self.done, self.all, self.describe()));
        }
    }

    /// Writes a line that stays.
    pub(super) fn say(&self, text: &str) {
        if !self.quiet {
            self.warn(text);
        }
    }

    /// Writes a line that stays, wanted or not.
    pub(super) fn warn(&self, text: &str) {
        self.bar.suspend(|| _ = writeln!(std::io::stderr(), "{text}"));
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn describe(&self) -> String {
        let left = time_left(self.started.elapsed(), self.done - self.known, self.all.saturating_sub(self.done));
        let left = left.map_or_else(String::new, |left| format!(", {} left", clock(left)));
        format!("{}{left}", self.game)
    }
}

/// The time that the rest takes, if it goes on as before; `None` before the first position is done.
fn time_left(elapsed: Duration, done: usize, left: usize) -> Option<Duration> {
    (done > 0).then(|| elapsed.mul_f64(left as f64 / done as f64))
}

/// Hours, minutes and seconds.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_takes_as_long_for_each_position_as_before() {
        assert_eq!(time_left(Duration::from_secs(10), 0, 5), None);
        let left = time_left(Duration::from_secs(100), 50, 200).expect("a time");
        assert_eq!(clock(left), "0:06:40");
        assert_eq!(clock(Duration::from_secs(3725)), "1:02:05");
    }
}
