//! The dead stones, and the count of the game that follows from them; the estimate of an open game. [`status`] judges
//! the chains.

use std::time::Duration;

use crate::go::rules::DeadStones;
use crate::go::score::{Outcome, Score};
use crate::go::{Color, Statuses};
use crate::search::Ownership;

use super::memory::Key;
use super::settled::{is_closed, is_settled, last_dame};
use super::status::{Judgement, sample::Sampler, sample::share};
use super::{Engine, EngineError, status};

/// Time limit for the playouts of a judgement of life and death where a clock runs.
pub(super) const HURRIED: Duration = Duration::from_millis(1500);

/// Time limit for these playouts where no clock runs. Their number normally ends them first, so the answer is the same
/// on every machine. This limit is a safeguard only.
pub(super) const UNHURRIED: Duration = Duration::from_secs(60);

/// Playouts of a judgement, for each side to move. They take up to a quarter of a second for each side on 19×19 (`cargo
/// test --test all status:: -- --ignored`).
pub(super) const STATUS_PLAYOUTS: u64 = 1500;

/// Seed of these playouts. It is the same whatever the seed of the game, so that nobody counts a position in two ways.
const JUDGING_SEED: u64 = 0;

/// Effort for a judgement's local games, see [`status::judge`]: at most three tenths of a second by the same test. The
/// library of positions needs half of it.
const STATUS_WORK: u64 = 8_000_000;

impl Engine {
    /// The dead stones and those in seki, for scoring by the rule set in force. Where the rules let dead stones stand,
    /// all stones live.
    pub fn statuses(&mut self) -> Statuses {
        match self.game.rules().dead_stones {
            DeadStones::Removed => self.life_and_death(),
            DeadStones::Stand => Statuses::ALL_ALIVE,
        }
    }

    /// The stones that would be dead or in seki by agreement, whatever the rule set is. The same position always gets
    /// the same judgement, see [`status::sample`].
    pub fn life_and_death(&mut self) -> Statuses {
        self.judge_within(UNHURRIED)
    }

    /// [`Engine::life_and_death`] with a limit to the time of the playouts.
    pub(super) fn judge_within(&mut self, time: Duration) -> Statuses {
        if let Some(statuses) = self.memory.statuses(self.game.position(), time) {
            return statuses;
        }
        let (_, judgement) = self.judge(time);
        self.memory.note_statuses(self.game.position(), time, judgement.statuses);
        judgement.statuses
    }

    /// The owners of the points by playouts, and the judgement that follows from them.
    fn judge(&mut self, time: Duration) -> (Ownership, Judgement) {
        self.stop_pondering();
        let position = self.game.position();
        let manner = self.playout_manner();
        let (threads, policy) = (self.options.search.threads, self.options.policy);
        let clock = self.time.clone();
        let memory = share(self.options.search.memory);
        let sampler = self
            .sampler
            .get_or_insert_with(|| Sampler::new(manner.params, policy, JUDGING_SEED, clock).with_memory(memory));
        let ownership = sampler.run(position, threads, STATUS_PLAYOUTS, time);
        let judgement = status::judge(position.board(), &ownership, STATUS_WORK);
        (ownership, judgement)
    }

    /// The result of a game that has ended, in the form of SGF's RE property. A resignation comes first, then the
    /// result that the record names, then the count.
    pub fn result(&mut self) -> Option<String> {
        if let Some(winner) = self.memory.resigned(&Key::of(&self.game)).map(Color::other) {
            return Some(format!("{}+R", winner.letter()));
        }
        if let Some(recorded) = self.game.recorded_result() {
            return Some(recorded.into());
        }
        self.game.position().is_over().then(|| self.outcome().to_string())
    }

    /// The score of the game. A game that has ended is counted, and so is one in which nothing is left to play for. The
    /// score of an open game is an estimate: the lead that [`Engine::findings`] have, as a score that is possible.
    ///
    /// # Errors
    /// If the search fails.
    pub fn score(&mut self) -> Result<Outcome, EngineError> {
        let position = self.game.position();
        if position.is_over() || position.rules().first_capture {
            return Ok(self.outcome());
        }
        if !self.is_open() {
            let statuses = self.statuses();
            let position = self.game.position();
            let outcome = self.outcome_by_passes(position, &statuses);
            return Ok(match (outcome, last_dame(position, &statuses)) {
                (Outcome::Counted { board, komi }, Some(color)) => {
                    Outcome::Counted { board: Score(board.0 + Score::points(color.sign()).0), komi }
                }
                (outcome, _) => outcome,
            });
        }
        let found = self.findings(self.game.position().to_move())?;
        let Some(margin) = found.margin else { return Ok(self.outcome()) };
        let komi = self.game.total_komi();
        let board = f64::from(margin.points) + komi.points();
        Ok(Outcome::Counted { board: self.nearest_score(board), komi })
    }

    /// The score on the board that is nearest to so many points. With a button, one of the sides has half a point more
    /// at the end.
    fn nearest_score(&self, points: f64) -> Score {
        let half = i32::from(self.game.rules().button);
        Score(2 * (points - f64::from(half) / 2.0).round() as i32 + half)
    }

    /// Is there anything left to play for, or a border to close? In an open game, a judgement of life and death says
    /// little.
    pub fn is_open(&mut self) -> bool {
        if self.game.position().is_over() {
            return false;
        }
        let (owners, judgement) = self.judge(UNHURRIED);
        self.memory.note_statuses(self.game.position(), UNHURRIED, judgement.statuses);
        let closed = is_closed(self.game.position(), &owners, &judgement);
        let judgement = match self.game.rules().dead_stones {
            DeadStones::Removed => judgement,
            // Dead stones have to be captured.
            DeadStones::Stand => Judgement { statuses: Statuses::ALL_ALIVE, ..judgement },
        };
        !closed && !is_settled(self.game.position(), &owners, &judgement)
    }

    /// The outcome if the game ended now.
    pub fn outcome(&mut self) -> Outcome {
        let statuses = self.statuses();
        self.game.outcome(&statuses)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use std::sync::Arc;

    use super::*;
    use crate::engine::{EngineOptions, Interest, Interrupt};
    use crate::go::rules::{CHINESE, JAPANESE};
    use crate::go::{Move, Point, Ruleset};
    use crate::search::Report;

    #[test]
    fn an_open_game_is_estimated_even_after_an_interrupt() {
        let interrupt = Interrupt::default();
        let options = EngineOptions { size: 9.into(), ..EngineOptions::default() };
        let mut engine = Engine::new(options, Interrupt::clone(&interrupt)).expect("an engine");
        for (color, column, row) in [(Color::Black, 4, 4), (Color::White, 6, 2), (Color::Black, 2, 6)] {
            engine.game_mut().play(color, Move::Play(Point::new(column, row, 9))).expect("a legal move");
        }
        interrupt.store(true, Relaxed);
        let as_it_stands = engine.outcome();
        let estimate = engine.score().expect("a score");
        assert_ne!(estimate.to_string(), as_it_stands.to_string());
        let found = engine.findings(Color::White).expect("findings");
        assert!(found.margin.is_some() && found.playouts >= 8, "{} playouts", found.playouts);
    }

    /// A game on 19×19 with a wall of three columns for each side, eight more white stones, and no stone on these rows
    /// of the two inner columns.
    fn walls(gap: std::ops::Range<usize>, rules: Ruleset) -> Engine {
        let options = EngineOptions { rules, ..EngineOptions::default() };
        let mut engine = Engine::new(options, Interrupt::default()).expect("an engine");
        let mut put = |color, column, row| {
            engine.game_mut().play(color, Move::Play(Point::new(column, row, 19))).expect("a legal move");
        };
        for row in 0..19 {
            let columns = if gap.contains(&row) { [7, 8, 11, 12].as_slice() } else { &[7, 8, 9, 10, 11, 12] };
            columns.iter().for_each(|&column| put(if column < 10 { Color::Black } else { Color::White }, column, row));
        }
        [2, 3, 4, 9, 10, 14, 15, 16].iter().for_each(|&row| put(Color::White, 13, row));
        engine
    }

    #[test]
    fn a_game_with_closed_borders_is_counted_though_a_territory_is_large() {
        // Playouts leave Black less than nine tenths of the 133 points behind his wall.
        for (rules, board) in [(CHINESE, Score::points(190 - 171)), (JAPANESE, Score::points(133 - 106))] {
            let mut engine = walls(0..0, rules);
            assert!(!engine.is_open());
            let Outcome::Counted { board: counted, .. } = engine.score().expect("a score") else { panic!("no count") };
            assert_eq!(counted, board);
            assert!(walls(7..12, rules).is_open(), "five rows of two points are nobody's");
        }
    }

    #[test]
    fn a_handicap_is_no_territory() {
        let mut engine = Engine::new(EngineOptions::default(), Interrupt::default()).expect("an engine");
        for (column, row) in [3, 9, 15].into_iter().flat_map(|column| [3, 9, 15].map(|row| (column, row))) {
            engine.game_mut().play(Color::Black, Move::Play(Point::new(column, row, 19))).expect("a legal move");
        }
        assert!(engine.is_open());
        engine.game_mut().play(Color::White, Move::Play(Point::new(2, 2, 19))).expect("a legal move");
        assert!(engine.is_open());
    }

    #[test]
    fn the_statuses_of_an_open_game_are_those_of_the_question_whether_it_is_open() {
        let mut engine = walls(7..12, CHINESE);
        assert!(engine.memory.statuses(engine.game.position(), UNHURRIED).is_none());
        assert!(engine.is_open());
        let known = engine.memory.statuses(engine.game.position(), UNHURRIED).expect("a judgement");
        assert_eq!(known, engine.life_and_death());
    }

    #[test]
    fn an_analysis_that_was_cut_at_once_is_no_ground_for_a_score() {
        let interrupt = Interrupt::default();
        let options = EngineOptions { size: 9.into(), playouts: Some(300), ..EngineOptions::default() };
        let mut engine = Engine::new(options, Interrupt::clone(&interrupt)).expect("an engine");
        let interest = Interest { details: true, ..Interest::default() };
        interrupt.store(true, Relaxed);
        let cut = engine.analyze(Color::Black, &interest, &mut |_| {}).expect("a report");
        assert!(cut.details.all().playouts() < 64, "{}", cut.details.all().playouts());
        interrupt.store(false, Relaxed);
        let found = engine.findings(Color::Black).expect("findings");
        assert!(found.details.all().playouts() >= 64, "{}", found.details.all().playouts());
        // This report serves from now on.
        assert!(Arc::ptr_eq(&found, &engine.findings(Color::Black).expect("findings")));
    }

    #[test]
    fn a_score_does_not_rest_on_the_visits_of_searches_that_collected_none() {
        let options = EngineOptions { size: 9.into(), visits: Some(300), ..EngineOptions::default() };
        let interrupt = Interrupt::default();
        let mut engine = Engine::new(options, Interrupt::clone(&interrupt)).expect("an engine");
        let mut watch = |running: &dyn Fn() -> Option<Arc<Report>>| {
            interrupt.fetch_or(running().is_some_and(|report| report.visits >= 300), Relaxed);
        };
        engine.analyze(Color::Black, &Interest::default(), &mut watch).expect("a report");
        interrupt.store(false, Relaxed);
        let found = engine.findings(Color::Black).expect("findings");
        assert!(found.details.all().playouts() >= 64, "{}", found.details.all().playouts());
    }
}
