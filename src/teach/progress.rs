//! The line that tells how a run goes: rewritten in place in a terminal, written from time to time elsewhere.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::record::Written;

/// The time between two lines where there is no terminal.
const EVERY: Duration = Duration::from_secs(60);

/// Shows the progress.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    quiet: bool,
    last_line: Instant,
    /// What is known of the newest net: losses and rating.
    standing: String,
    /// What there was at the start of the present self-play, for the rates.
    before: Option<Before>,
}

/// The numbers from which rates count.
#[derive(Clone, Debug)]
struct Before {
    elapsed: Duration,
    /// Games of all processes.
    games: u64,
    /// The sums of this process.
    sums: Written,
}

impl Progress {
    /// Begins.
    pub(super) fn start(quiet: bool) -> Progress {
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            bar.set_style(style);
        }
        Progress { bar, quiet, last_line: Instant::now(), standing: String::new(), before: None }
    }

    /// Says something in a line that stays.
    pub(super) fn say(&self, text: &str) {
        if !self.quiet {
            self.bar.suspend(|| eprintln!("{text}"));
        }
    }

    /// Says what somebody has to know even where no progress is shown.
    pub(super) fn warn(&self, text: &str) {
        self.bar.suspend(|| eprintln!("{text}"));
    }

    /// What is said of the newest net in every line: its losses and its rating.
    pub(super) fn set_standing(&mut self, text: String) {
        self.standing = text;
        self.before = None;
    }

    /// Shows self-play: games of all processes, those that are wanted (0 if no number is), the sums of this process, and
    /// the time since it began to play with this net. Positions and playouts are those of this process, since the others
    /// tell theirs now and then only.
    pub(super) fn playing(&mut self, games: u64, wanted: u64, sums: &Written, elapsed: Duration) {
        // With another net, the time begins again.
        if self.before.as_ref().is_some_and(|before| before.elapsed > elapsed) {
            self.before = None;
        }
        let before = self.before.get_or_insert_with(|| Before { elapsed, games, sums: sums.clone() });
        let seconds = elapsed.saturating_sub(before.elapsed).as_secs_f64();
        let rate =
            |now: u64, before: u64| if seconds > 0.0 { now.saturating_sub(before) as f64 / seconds } else { 0.0 };
        let games_rate = rate(games, before.games);
        let (rows, playouts) = (rate(sums.rows, before.sums.rows), rate(sums.playouts, before.sums.playouts));
        let left = match wanted {
            0 => String::new(),
            _ if games_rate <= 0.0 => String::new(),
            _ => format!(", next net in {}", clock(wanted.saturating_sub(games) as f64 / games_rate)),
        };
        let of = if wanted > 0 { format!("/{wanted}") } else { String::new() };
        let text = format!(
            "plays: {games}{of} games, {:.0} games/h, {rows:.0} positions/s, {playouts:.0} playouts/s{left}",
            games_rate * 3600.0
        );
        self.show(&text);
    }

    /// Shows that the trainer is tried, which takes some seconds.
    pub(super) fn trying(&mut self, command: &str) {
        self.show(&format!("tries the trainer: {command}"));
    }

    /// Shows training: a line of the trainer.
    pub(super) fn training(&mut self, generation: u64, line: &str) {
        self.before = None;
        self.show(&format!("learns net {generation}: {line}"));
    }

    /// Shows the judge at work.
    pub(super) fn judging(&mut self, generation: u64, what: &str) {
        self.before = None;
        self.show(&format!("judges net {generation}: {what}"));
    }

    fn show(&mut self, text: &str) {
        let text = if self.standing.is_empty() { text.to_owned() } else { format!("{} · {text}", self.standing) };
        if !self.bar.is_hidden() {
            self.bar.set_message(text);
            self.bar.tick();
        } else if self.last_line.elapsed() >= EVERY {
            self.last_line = Instant::now();
            self.say(&text);
        }
    }
}

/// Seconds as hours, minutes and seconds.
pub(super) fn clock(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    format!("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
}
