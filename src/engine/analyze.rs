//! Searches that somebody watches: live analysis without end, and the choice of a move with intermediate reports.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use super::{Decision, Engine, Judged, Scope, request};
use crate::go::Color;
use crate::search::{EarlyStop, Limits, Report, Study};

/// Called many times a second with a way to make an intermediate report.
pub type Watch<'a> = dyn FnMut(&dyn Fn() -> Report) + Send + 'a;

/// Playouts with which every analysis begins, also one that is to end at once: there is always something to report,
/// and soon.
const FIRST_PLAYOUTS: u64 = 8;

/// Somebody who only wants to see what is known does not wait longer.
const FINDINGS_TIME: Duration = Duration::from_secs(1);

impl Engine {
    /// Searches the position with this side to move until the stop flag is set. The game and its clocks stay as they
    /// are; the tree is kept for what follows.
    pub fn analyze(&mut self, color: Color, study: &Study, watch: &mut Watch<'_>) -> Report {
        let position = self.position_to_search(color);
        self.searcher.end();
        let first = Limits { playouts: Some(FIRST_PLAYOUTS), ..Limits::default() };
        let mut request = request(&self.game, &position, first);
        let mut report = self.searcher.search().study(&request, study, &AtomicBool::new(false), &mut |_| {});
        watch(&|| report.clone());
        if !self.stop.load(Relaxed) {
            request.limits = Limits::default();
            report = self.searcher.search().study(&request, study, &self.stop, watch);
        }
        self.last = Some(Judged { key: self.key(), to_move: color, report: report.clone() });
        report
    }

    /// [`Engine::genmove`] with somebody watching. Gives what the search found, too, if there was one.
    pub fn genmove_watched(
        &mut self,
        color: Color,
        study: &Study,
        watch: &mut Watch<'_>,
    ) -> (Decision, Option<Report>) {
        self.make_move(color, |engine| engine.choose(color, true, study, watch))
    }

    /// [`Engine::reg_genmove`] with somebody watching.
    pub fn reg_genmove_watched(
        &mut self,
        color: Color,
        study: &Study,
        watch: &mut Watch<'_>,
    ) -> (Decision, Option<Report>) {
        let (lost_moves, thought) = (self.lost_moves, self.thought.take());
        let chosen = self.choose(color, false, study, watch);
        // It is no move of the game: neither a step towards resigning nor the last move thought of.
        self.lost_moves = lost_moves;
        self.thought = thought;
        chosen
    }

    /// What is known of the position with this side to move, scores and owners among it: the findings of the last
    /// search if they are about it, else those of a search as long as for a move, but no longer than a second.
    pub fn findings(&mut self, color: Color) -> Report {
        let key = self.key();
        if let Some(last) = &self.last
            && (&last.key, last.to_move) == (&key, color)
            && last.report.details.all().playouts() > 0
        {
            return last.report.clone();
        }
        let mut position = self.game.position().clone();
        position.set_to_move(color);
        position.reopen();
        // What the best move is may be clear long before the scores are.
        let mut limits = Limits { early_stop: EarlyStop::Never, ..self.limits(color, false) };
        limits.soft = limits.soft.map(|soft| soft.min(FINDINGS_TIME));
        limits.hard = limits.hard.map(|hard| hard.min(FINDINGS_TIME));
        let study = Study { details: true, ..Study::default() };
        self.search_watched(&position, limits, Scope::default(), &study, &mut |_| {})
    }
}
