//! Since when the clock of the side to move may be running. Controllers that never send `time_left` (gogui-twogtp)
//! count the time between their sending a command and reading its answer. So our clock must not start later.

use std::time::Instant;

use super::input::BATCH;

/// Follows the lines of a session.
#[derive(Debug)]
pub struct TurnStart {
    /// When the line came that gave us the move; `None` if there was no such line just now.
    since: Option<Instant>,
    /// When the last answer was given. A line that was read before waited for this answer, which is no fault of the
    /// side to move.
    answered: Instant,
}

/// Commands that give the move to the other side, or say what its clock shows at that moment.
const BEGINS: &[&str] = &["play", "gogui-play_sequence", "time_left"];

/// Commands that controllers send between those and the request for a move.
const CONTINUES: &[&str] = &["time_settings", "kgs-time_settings", "kata-time_settings", "komi"];

impl TurnStart {
    /// The session begins.
    pub fn new(now: Instant) -> TurnStart {
        TurnStart { since: None, answered: now }
    }

    /// A command begins whose line was read at the given time. Gives the time from which a move that the command asks
    /// for counts.
    pub fn command(&mut self, name: &str, read_at: Instant) -> Instant {
        let read_at = read_at.max(self.answered);
        // After a longer wait than a batch has, no clock of a program has been running, whoever made the last move.
        let goes_on = read_at.saturating_duration_since(self.answered) <= BATCH;
        let before = self.since.take().filter(|_| goes_on);
        if BEGINS.contains(&name) {
            self.since = Some(read_at);
        } else if CONTINUES.contains(&name) {
            self.since = before;
        }
        before.unwrap_or(read_at)
    }

    /// The command has been answered.
    pub fn answered(&mut self, now: Instant) {
        self.answered = now;
    }
}
