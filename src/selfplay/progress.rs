//! The progress of self-play: speeds, and what the games are like.

use std::time::{Duration, Instant};

use crate::progress::{Bar, clock, time_left};

use super::settings::Settings;
use super::tally::Tally;

/// Shows the progress.
#[derive(Debug)]
pub(super) struct Progress {
    bar: Bar,
    started: Instant,
    /// Games from before the start.
    known: u64,
    wanted: u64,
}

impl Progress {
    /// Begins with so many games from before the start.
    pub(super) fn start(settings: &Settings, known: u64) -> Progress {
        let mut bar = Bar::start(settings.games, settings.quiet);
        bar.show(known, String::new);
        if known > 0 {
            bar.say(&format!("{known} games are there from before"));
        }
        Progress { bar, started: Instant::now(), known, wanted: settings.games }
    }

    /// Shows the sums.
    pub(super) fn show(&mut self, tally: &Tally) {
        let (elapsed, left) = (self.started.elapsed(), self.left(tally));
        self.bar.show(self.known + tally.all(), || describe(tally, elapsed, left));
    }

    /// Ends with a line that stays.
    pub(super) fn finish(&self, tally: &Tally) {
        self.bar.finish();
        self.bar.line(self.known + tally.all(), &describe(tally, self.started.elapsed(), self.left(tally)));
    }

    /// Games that are still to be played.
    fn left(&self, tally: &Tally) -> u64 {
        self.wanted.saturating_sub(self.known + tally.all())
    }
}

fn describe(tally: &Tally, elapsed: Duration, left: u64) -> String {
    let seconds = elapsed.as_secs_f64().max(1e-3);
    let of_games = |count: u64| 100.0 * count as f64 / tally.games.max(1) as f64;
    let left = time_left(elapsed, tally.all(), left).map_or_else(String::new, |left| format!(", {} left", clock(left)));
    format!(
        "{:.0} games/h, {} rows, {:.0} rows/s, {:.1} moves a game, Black wins {:.0} %, owners {:.0} %, doubt {:.0} %, \
         dropped {}{left}",
        tally.all() as f64 / seconds * 3600.0,
        tally.rows,
        tally.rows as f64 / seconds,
        tally.moves as f64 / tally.games.max(1) as f64,
        of_games(tally.black),
        of_games(tally.with_owners),
        of_games(tally.in_doubt),
        tally.dropped,
    )
}
