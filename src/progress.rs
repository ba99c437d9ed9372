//! The progress of long work on standard error: a bar in a terminal, a line from time to time elsewhere. Whoever works
//! says what stands beside the bar.

use std::io::Write as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// The time between two lines where there is no terminal.
const EVERY: Duration = Duration::from_secs(60);

/// A bar.
#[derive(Debug)]
pub struct Bar {
    bar: ProgressBar,
    quiet: bool,
    all: u64,
    last_line: Instant,
}

impl Bar {
    /// A bar for so many pieces of work. A quiet bar shows nothing.
    pub fn start(all: u64, quiet: bool) -> Bar {
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(all) };
        if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos}/{len}  {wide_msg}") {
            bar.set_style(style);
        }
        Bar { bar, quiet, all, last_line: Instant::now() }
    }

    /// Shows that so many pieces are done.
    pub fn show(&mut self, done: u64, describe: impl FnOnce() -> String) {
        self.bar.set_position(done);
        if !self.bar.is_hidden() {
            self.bar.set_message(describe());
        } else if self.last_line.elapsed() >= EVERY {
            self.last_line = Instant::now();
            self.line(done, &describe());
        }
    }

    /// Writes a line that stays, with the number of pieces that are done.
    pub fn line(&self, done: u64, text: &str) {
        self.say(&format!("{done}/{}  {text}", self.all));
    }

    /// Writes a line that stays, unless the bar is quiet.
    pub fn say(&self, text: &str) {
        if !self.quiet {
            self.warn(text);
        }
    }

    /// Writes a line that stays, wanted or not.
    pub fn warn(&self, text: &str) {
        self.bar.suspend(|| _ = writeln!(std::io::stderr(), "{text}"));
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The time that the rest takes, if it goes on as before; `None` before the first piece is done.
pub fn time_left(elapsed: Duration, done: u64, left: u64) -> Option<Duration> {
    (done > 0).then(|| elapsed.mul_f64(left as f64 / done as f64))
}

/// Hours, minutes and seconds.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_takes_as_long_for_each_piece_as_before() {
        assert_eq!(time_left(Duration::from_secs(10), 0, 5), None);
        let left = time_left(Duration::from_secs(100), 50, 200).expect("a time");
        assert_eq!(clock(left), "0:06:40");
        assert_eq!(clock(Duration::from_secs(3725)), "1:02:05");
    }
}
