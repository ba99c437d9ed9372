//! Searches that somebody watches: live analysis without end, and what is known of a position.

use std::sync::Arc;
use std::time::Duration;

use super::memory::Key;
use super::{Engine, EngineError, Watch};
use crate::go::Color;
use crate::search::{EarlyStop, Knowledge, Limits, Report, Request, Restriction};

/// What somebody who looks on wants besides a move. The default is nothing, and costs nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interest {
    /// Moves to leave out.
    pub restrictions: Vec<Restriction>,
    /// Scores and owners for each move?
    pub details: bool,
}

impl Interest {
    /// What a search has to know for it.
    pub(super) fn knowledge(&self) -> Knowledge {
        Knowledge { details: self.details, owners: false }
    }
}

/// Playouts with which every analysis begins, also one that is to end at once: there is always something to report,
/// and soon.
const FIRST_PLAYOUTS: u64 = 8;

/// Somebody who only wants to see what is known does not wait longer.
const FINDINGS_TIME: Duration = Duration::from_secs(1);

impl Engine {
    /// Searches the position with this side to move until it is interrupted. The game and its clocks stay as they
    /// are; the tree is kept for what follows.
    ///
    /// # Errors
    /// If the search breaks off.
    pub fn analyze(
        &mut self,
        color: Color,
        interest: &Interest,
        watch: &mut Watch<'_>,
    ) -> Result<Arc<Report>, EngineError> {
        let position = self.position_to_search(color);
        let mut manner = self.usual_manner();
        let request = Request {
            restrictions: interest.restrictions.clone(),
            knowledge: interest.knowledge(),
            ..self.request(&mut manner, &position, Limits { least: FIRST_PLAYOUTS, ..Limits::default() })
        };
        Ok(self.ask_and_remember(request, watch)?)
    }

    /// What is known of the position with this side to move, scores and owners among it: the findings of the last
    /// search if they are about it, else those of a search as long as for a move, but no longer than a second.
    ///
    /// # Errors
    /// If the search breaks off.
    pub fn findings(&mut self, color: Color) -> Result<Arc<Report>, EngineError> {
        if let Some(known) = self.memory.report_for(&Key::of(&self.game), color)
            && known.details.all().playouts() > 0
        {
            return Ok(known);
        }
        let mut position = self.game.position().clone();
        position.set_to_move(color);
        position.reopen();
        // What the best move is may be clear long before the scores are.
        let mut limits = Limits { early_stop: EarlyStop::Never, ..self.limits(color, false) };
        limits.soft = limits.soft.map(|soft| soft.min(FINDINGS_TIME));
        limits.hard = limits.hard.map(|hard| hard.min(FINDINGS_TIME));
        let mut manner = self.usual_manner();
        let knowledge = Knowledge { details: true, owners: false };
        let request = Request { knowledge, ..self.request(&mut manner, &position, limits) };
        Ok(self.ask_and_remember(request, &mut |_| {})?)
    }
}
