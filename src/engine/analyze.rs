//! Searches that a user watches: live analysis without end, and the findings about a position.

use std::sync::Arc;
use std::time::Duration;

use super::memory::Key;
use super::{Engine, EngineError, Watch};
use crate::go::{Color, Position};
use crate::search::{EarlyStop, Knowledge, Limits, Report, Request, Restriction};

/// What a user who watches a search wants besides a move. The default is nothing and costs nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interest {
    /// Moves that the search leaves out.
    pub restrictions: Vec<Restriction>,
    /// Does the report need details, that is, scores and owners for each move?
    pub details: bool,
}

impl Interest {
    /// What the search has to collect for this interest.
    pub(super) fn knowledge(&self) -> Knowledge {
        Knowledge { details: self.details, spread: true, ..Knowledge::default() }
    }
}

/// Playouts at the start of every analysis and of every search for findings, even one that is to end at once. The first
/// report comes soon and is never empty.
const FIRST_PLAYOUTS: u64 = 8;

/// A report with so many samples serves as findings. One with fewer may come from an analysis that was cut at once. (A
/// guess.)
const ENOUGH_SAMPLES: u64 = 64;

/// The longest search for findings. A user who asks for findings does not wait longer.
const FINDINGS_TIME: Duration = Duration::from_secs(1);

impl Engine {
    /// Searches the position with this side to move until an interrupt. The game and its clocks stay as they are. The
    /// tree is kept for later searches.
    ///
    /// # Errors
    /// If the search fails.
    pub fn analyze(
        &mut self,
        color: Color,
        interest: &Interest,
        watch: &mut Watch<'_>,
    ) -> Result<Arc<Report>, EngineError> {
        let position = self.position_to_analyze(color);
        let mut manner = self.usual_manner();
        if self.options.analysis_noise > 0.0 {
            manner.params.wide_root_noise = self.options.analysis_noise;
        }
        let request = Request {
            restrictions: interest.restrictions.clone(),
            knowledge: interest.knowledge(),
            ..self.request(&mut manner, &position, Limits { least: FIRST_PLAYOUTS, ..Limits::default() })
        };
        Ok(self.ask_and_remember(request, watch)?)
    }

    /// The position of the game with this side to move, as a person wants to know about it.
    fn position_to_analyze(&self, color: Color) -> Position {
        let mut position = self.game.position().clone();
        position.set_to_move(color);
        position.open_for_analysis();
        position
    }

    /// The report on the position with this side to move, with scores and owners. The last search's report serves if it
    /// is about this position and was not cut at once. Else a new search takes a move's time, at most a second.
    ///
    /// # Errors
    /// If the search fails.
    pub fn findings(&mut self, color: Color) -> Result<Arc<Report>, EngineError> {
        self.findings_watched(color, &mut |_| {})
    }

    /// [`Engine::findings`] with a watch over the search, which may end it by the interrupt.
    ///
    /// # Errors
    /// If the search fails.
    pub fn findings_watched(&mut self, color: Color, watch: &mut Watch<'_>) -> Result<Arc<Report>, EngineError> {
        let usual = self.limits(color, false);
        let most = usual.playouts.or(usual.visits);
        let enough = most.map_or(ENOUGH_SAMPLES, |most| most.clamp(1, ENOUGH_SAMPLES));
        let position = self.position_to_analyze(color);
        let passes = position.consecutive_passes();
        if let Some(known) = self.memory.report_for(&Key::of(&self.game), color, passes)
            && known.details.all().playouts() >= enough
        {
            return Ok(known);
        }
        // The best move may be clear long before the scores are. And visits of earlier searches have left no scores.
        let mut limits =
            Limits { early_stop: EarlyStop::Never, least: FIRST_PLAYOUTS, playouts: most, visits: None, ..usual };
        limits.soft = limits.soft.map(|soft| soft.min(FINDINGS_TIME));
        limits.hard = limits.hard.map(|hard| hard.min(FINDINGS_TIME));
        let mut manner = self.usual_manner();
        let knowledge = Knowledge { details: true, ..Knowledge::default() };
        let request = Request { knowledge, ..self.request(&mut manner, &position, limits) };
        Ok(self.ask_and_remember(request, watch)?)
    }
}
