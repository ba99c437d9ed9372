//! The progress of a running match on standard error: a bar in a terminal, a line from time to time elsewhere.

use std::io::Write as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::settings::Settings;
use super::statistics::elo;
use super::tally::Standing;

/// The time between two lines where there is no terminal.
const EVERY: Duration = Duration::from_secs(60);

/// Shows the progress of a match.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    quiet: bool,
    started: Instant,
    /// Games from before the start, which do not count for the speed.
    known: u32,
    last_line: Instant,
}

impl Progress {
    /// Begins with so many games from before the start.
    pub fn start(settings: &Settings, known: usize) -> Progress {
        let bar = if settings.quiet { ProgressBar::hidden() } else { ProgressBar::new(settings.games as u64) };
        if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos}/{len}  {wide_msg}") {
            bar.set_style(style);
        }
        bar.set_position(known as u64);
        let now = settings.time.now();
        Progress { bar, quiet: settings.quiet, started: now, known: known as u32, last_line: now }
    }

    /// Shows the score.
    pub fn show(&mut self, settings: &Settings, standing: &Standing) {
        let text = self.describe(settings, standing);
        self.bar.set_message(text.clone());
        self.bar.set_position(u64::from(standing.counts.games()));
        if self.bar.is_hidden() && !self.quiet && settings.time.since(self.last_line) >= EVERY {
            self.last_line = settings.time.now();
            let _ = writeln!(std::io::stderr(), "{}/{}  {text}", standing.counts.games(), settings.games);
        }
    }

    /// Writes a message on a line of its own.
    pub fn say(&self, text: &str) {
        if self.bar.is_hidden() {
            if !self.quiet {
                let _ = writeln!(std::io::stderr(), "{text}");
            }
        } else {
            self.bar.println(text);
        }
    }

    /// Removes the bar, so that the report can follow.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn describe(&self, settings: &Settings, standing: &Standing) -> String {
        let counts = &standing.counts;
        let mut text = format!("A {} : {} B", counts.points(), f64::from(counts.games()) - counts.points());
        if let (Some(score), Some((low, high))) = (counts.score(), counts.interval()) {
            text.push_str(&format!(", Elo {:+.0} ({:+.0}..{:+.0})", elo(score), elo(low), elo(high)));
        }
        if let Some(sprt) = &settings.sprt {
            let (lower, upper) = sprt.bounds();
            text.push_str(&format!(", LLR {:.2} ({lower:.2}..{upper:.2})", sprt.llr(counts)));
        }
        let played = f64::from(counts.games() - self.known.min(counts.games()));
        if played > 0.0 {
            let hours = settings.time.since(self.started).as_secs_f64() / 3600.0;
            let rate = played / hours.max(1e-9);
            let left = settings.games.saturating_sub(counts.games() as usize) as f64 / rate * 3600.0;
            text.push_str(&format!(", {rate:.0} games/h, {} left", clock(left)));
        }
        text
    }
}

/// Seconds as hours, minutes and seconds.
pub fn clock(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    format!("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
}
