//! The progress of self-play on standard error: a bar in a terminal, a line from time to time elsewhere.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::settings::Settings;
use super::tally::Tally;

/// The time between two lines where there is no terminal.
const EVERY: Duration = Duration::from_secs(60);

/// Shows the progress.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    quiet: bool,
    started: Instant,
    last_line: Instant,
    /// Games from before the start.
    known: u64,
    wanted: u64,
}

impl Progress {
    /// Begins with so many games from before the start.
    pub(super) fn start(settings: &Settings, known: u64) -> Progress {
        let bar = if settings.quiet { ProgressBar::hidden() } else { ProgressBar::new(settings.games) };
        if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos}/{len}  {wide_msg}") {
            bar.set_style(style);
        }
        bar.set_position(known);
        let now = Instant::now();
        let progress =
            Progress { bar, quiet: settings.quiet, started: now, last_line: now, known, wanted: settings.games };
        if known > 0 {
            progress.say(&format!("{known} games are there from before"));
        }
        progress
    }

    /// Shows the sums.
    pub(super) fn show(&mut self, tally: &Tally) {
        self.bar.set_position(self.known + tally.all());
        if !self.bar.is_hidden() {
            self.bar.set_message(self.describe(tally));
        } else if self.last_line.elapsed() >= EVERY {
            self.last_line = Instant::now();
            self.line(tally);
        }
    }

    /// Ends with a line that stays.
    pub(super) fn finish(&self, tally: &Tally) {
        self.bar.finish_and_clear();
        self.line(tally);
    }

    fn line(&self, tally: &Tally) {
        self.say(&format!("{}/{}  {}", self.known + tally.all(), self.wanted, self.describe(tally)));
    }

    fn say(&self, text: &str) {
        if !self.quiet {
            self.bar.suspend(|| eprintln!("{text}"));
        }
    }

    fn describe(&self, tally: &Tally) -> String {
        let seconds = self.started.elapsed().as_secs_f64().max(1e-3);
        let of_games = |count: u64| 100.0 * count as f64 / tally.games.max(1) as f64;
        let rate = tally.all() as f64 / seconds;
        let left = self.wanted.saturating_sub(self.known + tally.all()) as f64 / rate.max(1e-9);
        let left = left.round() as u64;
        format!(
            "{:.0} games/h, {} rows, {:.0} rows/s, {:.1} moves a game, Black wins {:.0} %, owners {:.0} %, doubt {:.0} %, \
             dropped {}, {}:{:02}:{:02} left",
            rate * 3600.0,
            tally.rows,
            tally.rows as f64 / seconds,
            tally.moves as f64 / tally.games.max(1) as f64,
            of_games(tally.black),
            of_games(tally.with_owners),
            of_games(tally.in_doubt),
            tally.dropped,
            left / 3600,
            left / 60 % 60,
            left % 60,
        )
    }
}
