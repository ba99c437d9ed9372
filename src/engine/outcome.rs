//! How the game stands: which stones are dead, and the count that follows from it. [`status`] judges the chains.

use std::time::Duration;

use crate::go::rules::DeadStones;
use crate::go::score::Outcome;
use crate::go::{Color, Statuses};

use super::memory::Key;
use super::status::sample::Sampler;
use super::{Engine, status};

/// How long the playouts of a judgement of life and death may take where a clock runs.
pub(super) const HURRIED: Duration = Duration::from_millis(1500);

/// The same elsewhere. Effort limits them, so that the answer is the same on every machine; this only ends them where
/// something is very wrong.
pub(super) const UNHURRIED: Duration = Duration::from_secs(60);

/// Playouts of such a judgement, for each side to move. `cargo test --test all status:: -- --ignored` prints what they cost:
/// on 19×19 up to a quarter of a second for each side.
pub(super) const STATUS_PLAYOUTS: u64 = 1500;

/// Effort for its local games, see [`status::judge`]: by the same figures three tenths of a second at the most. The
/// library needs half of it.
const STATUS_WORK: u64 = 8_000_000;

impl Engine {
    /// Which stones are dead or in seki, for scoring by the rule set in force: where stones are left to stand, all of
    /// them live.
    pub fn statuses(&mut self) -> Statuses {
        match self.game.rules().dead_stones {
            DeadStones::Removed => self.life_and_death(),
            DeadStones::Stand => Statuses::ALL_ALIVE,
        }
    }

    /// Which stones would be dead or in seki by agreement, whatever the rule set makes of it. The same position is
    /// judged the same way each time, see [`status::sample`].
    pub fn life_and_death(&mut self) -> Statuses {
        self.judge_within(UNHURRIED)
    }

    /// The same with a limit to the time of the playouts.
    pub(super) fn judge_within(&mut self, time: Duration) -> Statuses {
        self.stop_pondering();
        let position = self.game.position();
        if let Some(statuses) = self.memory.statuses(position, time) {
            return statuses;
        }
        let manner = self.usual_manner();
        let (threads, policy) = (self.options.search.threads, self.options.policy);
        let sampler = self.sampler.get_or_insert_with(|| Sampler::new(manner.params, policy, manner.seed));
        let ownership = sampler.run(position, threads, STATUS_PLAYOUTS, time);
        let statuses = status::judge(position.board(), &ownership, STATUS_WORK).statuses;
        self.memory.note_statuses(position, time, statuses);
        statuses
    }

    /// The result of a game that has ended, as SGF's RE property has it: by resignation, the one that its record
    /// names, or the count.
    pub fn result(&mut self) -> Option<String> {
        if let Some(winner) = self.memory.resigned(&Key::of(&self.game)).map(Color::other) {
            return Some(format!("{}+R", winner.letter()));
        }
        if let Some(recorded) = self.game.recorded_result() {
            return Some(recorded.into());
        }
        self.game.position().is_over().then(|| self.outcome().to_string())
    }

    /// The outcome if the game ended now.
    pub fn outcome(&mut self) -> Outcome {
        let statuses = self.statuses();
        self.game.outcome(&statuses)
    }
}
