//! Since when the clock of the side to move may be running. Controllers that never send `time_left` (gogui-twogtp)
//! count what lies between their sending a command and reading its answer, so ours must not begin any later.

use std::time::Instant;

use super::input::BATCH;

/// Follows the lines of a session.
#[derive(Debug)]
pub struct TurnStart {
    /// When the line came that gave us the move, if it was one just now.
    since: Option<Instant>,
    /// When the last answer was given. What was read before waited for it, and that was no fault of the side to move.
    answered: Instant,
}

/// Commands that give the move to the other side, or say what its clock shows at that moment.
const BEGINS: &[&str] = &["play", "gogui-play_sequence", "time_left"];

/// Commands that controllers send between them and the request for a move.
const CONTINUES: &[&str] = &["time_settings", "kgs-time_settings", "kata-time_settings", "komi"];

impl TurnStart {
    /// The session begins.
    pub fn new(now: Instant) -> TurnStart {
        TurnStart { since: None, answered: now }
    }

    /// A command is taken up whose line was read at that time. Gives the time from which a move that it asks for
    /// counts.
    pub fn command(&mut self, name: &str, read_at: Instant) -> Instant {
        let read_at = read_at.max(self.answered);
        // A pause: whoever made the move before it, the clock has not been running for a program since.
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
