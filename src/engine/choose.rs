//! The choice of a move: its time, its search, the decision after the search, and the move itself.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::go::{Color, IllegalMove, Move, Position, vertex};
use crate::search::{EarlyStop, Limits, Report, Request};

use super::asking::Watch;
use super::memory::Key;
use super::move_start::MoveStart;
use super::outcome::STATUS_PLAYOUTS;
use super::thought::Thought;
use super::{Decision, Engine, EngineError, Interest, Level, NO_LIMIT};

/// Time of a move that is kept for the decisions after its search. A guess: life and death take less than half of it, see
/// `DECIDE_WORK`.
pub(super) const DECIDE_TIME: Duration = Duration::from_millis(150);

/// Playouts of a search for no move of a level: GoGui's displays, the clean-up. The number is that of a judgement.
const ASIDE_PLAYOUTS: u64 = STATUS_PLAYOUTS;

/// The result of choosing a move.
pub(super) struct Choice {
    /// What to do.
    pub(super) decision: Decision,
    /// The report of the search for the move, if there was a search.
    pub(super) report: Option<Arc<Report>>,
    /// Does the game look lost? `None` if the engine did not check.
    pub(super) is_lost: Option<bool>,
}

impl Choice {
    /// A move for which the engine did not check whether the game is lost.
    pub(super) fn of(mv: Move, report: Option<Arc<Report>>) -> Choice {
        Choice { decision: Decision::Move(mv), report, is_lost: None }
    }
}

impl Engine {
    /// Chooses a move for a side, plays it unless it resigns, and takes the time off that side's clock.
    ///
    /// # Errors
    /// If the search fails; the game stays as it was.
    pub fn genmove(&mut self, color: Color) -> Result<Decision, EngineError> {
        Ok(self.genmove_watched(color, &Interest::default(), &mut |_| {})?.0)
    }

    /// As [`Engine::genmove`], for the clean-up when the players do not agree on the dead stones. The engine does not
    /// pass while dead stones of the other side stand on the board.
    ///
    /// # Errors
    /// As [`Engine::genmove`].
    pub fn genmove_cleanup(&mut self, color: Color) -> Result<Decision, EngineError> {
        Ok(self.make_move(color, true, |engine| engine.choose_cleanup(color, true))?.0)
    }

    /// Chooses a move for a side. Game and clock stay as they are.
    ///
    /// # Errors
    /// As [`Engine::genmove`].
    pub fn reg_genmove(&mut self, color: Color) -> Result<Decision, EngineError> {
        Ok(self.reg_genmove_watched(color, &Interest::default(), &mut |_| {})?.0)
    }

    /// [`Engine::genmove`] with a watcher. Returns the search's report too, if there was a search.
    ///
    /// # Errors
    /// As [`Engine::genmove`].
    pub fn genmove_watched(
        &mut self,
        color: Color,
        interest: &Interest,
        watch: &mut Watch<'_>,
    ) -> Result<(Decision, Option<Arc<Report>>), EngineError> {
        self.make_move(color, true, |engine| engine.choose(color, true, interest, watch))
    }

    /// As [`Engine::genmove_watched`], but the move is not played, and the engine does not ponder. The time is taken
    /// off the side's clock: a caller that likes the move plays it.
    ///
    /// # Errors
    /// As [`Engine::genmove`].
    pub fn search_move(
        &mut self,
        color: Color,
        interest: &Interest,
        watch: &mut Watch<'_>,
    ) -> Result<(Decision, Option<Arc<Report>>), EngineError> {
        self.make_move(color, false, |engine| engine.choose(color, true, interest, watch))
    }

    /// [`Engine::reg_genmove`] with a watcher.
    ///
    /// # Errors
    /// As [`Engine::genmove`].
    pub fn reg_genmove_watched(
        &mut self,
        color: Color,
        interest: &Interest,
        watch: &mut Watch<'_>,
    ) -> Result<(Decision, Option<Arc<Report>>), EngineError> {
        // This move is no move of the game: it counts neither towards resigning nor as the last thought.
        let choice = self.choose(color, false, interest, watch)?;
        Ok((choice.decision, choice.report))
    }

    /// Makes the move that `choose` finds, unless the choice is to resign or the move shall not be played. Takes the
    /// time off the side's clock.
    fn make_move(
        &mut self,
        color: Color,
        plays: bool,
        choose: impl FnOnce(&mut Engine) -> Result<Choice, EngineError>,
    ) -> Result<(Decision, Option<Arc<Report>>), EngineError> {
        let start = self.time.now();
        if let Some(turn_start) = self.turn_start.take() {
            self.clocks[color.index()].delay(start.saturating_duration_since(turn_start));
        }
        self.memory.note_thought(None);
        let knows_score = !self.game.position().next_pass_needs_agreement();
        let choice = choose(self);
        let before = Key::of(&self.game);
        let made = choice.map(|choice| {
            let decision = match choice.decision {
                Decision::Move(mv) if plays => {
                    Decision::Move(self.play_or_replace(color, mv, choice.report.as_deref()))
                }
                decision => decision,
            };
            if let Some(is_lost) = choice.is_lost {
                self.memory.note_lost(before.clone(), color, is_lost);
            }
            let resigned = (decision == Decision::Resign && plays).then_some(color);
            let moves_before = before.moves();
            self.memory.note_resignation(before, resigned);
            let report = choice.report.clone();
            let thought = report.map(|report| Thought::new(color, decision, moves_before, knows_score, report));
            self.memory.note_thought(thought);
            (decision, choice.report)
        });
        self.move_start = None;
        let spent = self.time.since(start);
        let clock = &mut self.clocks[color.index()];
        if plays || !self.interrupt.load(Relaxed) {
            clock.spend(spent);
            clock.spend_unseen(self.options.lag);
        } else {
            // A search that was given up takes time, but it was no move.
            clock.delay(spent);
        }
        let (decision, report) = made?;
        let ponders = plays && self.options.ponder && self.options.level == Level::Max;
        if ponders && decision != Decision::Resign && !self.game.position().is_over() {
            let mut position = self.game.position().clone();
            position.set_to_move(color.other());
            self.start_pondering(&position);
        }
        Ok((decision, report))
    }

    /// Plays the chosen move. An illegal choice would be a bug; a legal move then takes its place, so that no illegal
    /// move leaves the engine.
    fn play_or_replace(&mut self, color: Color, mv: Move, report: Option<&Report>) -> Move {
        let Err(reason) = self.game.play(color, mv) else { return mv };
        log::error!("a bug: the move chosen is illegal: {}, {reason}", vertex::of_move(mv, self.game.size()));
        let found = report.map_or(&[][..], |report| &report.moves).iter().map(|m| m.mv);
        for other in found.chain([Move::Pass]) {
            match self.game.play(color, other) {
                Ok(()) => return other,
                // A pass is right where no play is allowed any more.
                Err(IllegalMove::GameOver) => return Move::Pass,
                Err(_) => {}
            }
        }
        Move::Pass
    }

    /// The position to search and the limits of the search. If the move is on the clock, the side's time runs from now
    /// on.
    pub(super) fn begin_choice(&mut self, color: Color, on_the_clock: bool) -> (Position, Limits) {
        let start = self.time.now();
        let limits = self.limits(color, on_the_clock);
        let fair = limits.soft.or(limits.hard);
        let most = match self.clocks[color.index()].left() {
            Some(_) => Some(self.options.most_time.unwrap_or(NO_LIMIT).min(self.options.longest_move)),
            None => self.time_limit(),
        };
        self.move_start = on_the_clock.then_some(MoveStart { color, start, fair, most });
        (self.position_to_search(color), limits)
    }

    /// These limits without the time that the choice of the move has taken so far.
    pub(super) fn left_of(&self, limits: Limits) -> Limits {
        let spent = self.move_start.map_or(Duration::ZERO, |this| self.time.since(this.start));
        let left = |time: Option<Duration>| time.map(|time| time.saturating_sub(spent));
        Limits { soft: left(limits.soft), hard: left(limits.hard), ..limits }
    }

    /// The position of the game with this side to move. A game that has ended is reopened.
    pub(super) fn position_to_search(&self, color: Color) -> Position {
        let mut position = self.game.position().clone();
        position.set_to_move(color);
        if position.is_over() {
            position.reopen();
        }
        position
    }

    fn choose(
        &mut self,
        color: Color,
        on_the_clock: bool,
        interest: &Interest,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, EngineError> {
        let (mut position, limits) = self.begin_choice(color, on_the_clock);
        if position.first_to_capture().is_some() {
            return Ok(Choice::of(Move::Pass, None));
        }
        let mut choice = if self.options.level == Level::Max {
            let mut manner = self.usual_manner();
            let request = Request {
                restrictions: interest.restrictions.clone(),
                knowledge: interest.knowledge(),
                // A user who watches expects to see all moves.
                merge_twins: !interest.details,
                ..self.request(&mut manner, &position, limits)
            };
            let report = self.ask_and_remember(request, watch)?;
            self.decide(&mut position, report, &mut manner)?
        } else {
            self.choose_at_level(&mut position, limits, interest, watch)?
        };
        let Some(report) = choice.report.clone() else { return Ok(choice) };
        if let Decision::Move(mv) = choice.decision
            && interest.restrictions.iter().any(|restriction| restriction.forbids(color, mv, 0))
        {
            choice.decision = Decision::Move(self.legal_best(&mut position, &report));
        }
        log::info!(
            "{color}: {} after {} playouts in {:.2} s, {:.0}/s, win rate {:.1} %, {} nodes",
            choice.decision.text(position.size()),
            report.playouts,
            report.elapsed.as_secs_f64(),
            report.playouts as f64 / report.elapsed.as_secs_f64().max(1e-6),
            report.win_rate * 100.0,
            report.nodes,
        );
        Ok(choice)
    }

    /// The limits of the search for a side's next move.
    pub(super) fn limits(&self, color: Color, on_the_clock: bool) -> Limits {
        let points = self.game.size().points();
        let budget = if on_the_clock {
            self.clocks[color.index()].budget(self.options.lag, points, self.played())
        } else {
            None
        };
        // A level has its own number of playouts for its moves. Every other search at that level needs a limit too.
        let playouts = if self.options.level == Level::Max { self.options.playouts } else { Some(ASIDE_PLAYOUTS) };
        // Where the clock saves no time, the rest of a move's time would be lost. The search uses the rest for the tree
        // of the next move. (Levels were measured without this.)
        let saves = budget.is_some() && self.clocks[color.index()].saves();
        let early_stop =
            if saves || self.options.level != Level::Max { EarlyStop::Decided } else { EarlyStop::Obvious };
        let visits = self.options.visits.filter(|_| self.options.level == Level::Max);
        let mut limits = Limits { playouts, visits, early_stop, ..Limits::default() };
        let longest = self.options.longest_move;
        match budget {
            Some(budget) => {
                let hard = self.without_decisions(budget.hard.min(longest));
                // Playouts are a further limit, however many they are. Only levels have searches of one length.
                limits.soft = (self.options.level == Level::Max).then_some(budget.soft.min(hard));
                limits.hard = Some(hard);
            }
            None => {
                let decides = |limit| if on_the_clock { self.without_decisions(limit) } else { limit };
                let limit = self.time_limit().map(decides);
                (limits.soft, limits.hard) = (limit, limit);
            }
        }
        if let Some(most) = self.options.most_time {
            limits.soft = limits.soft.map(|soft| soft.min(most));
            limits.hard = limits.hard.map(|hard| hard.min(most));
        }
        limits
    }

    /// The part of a move's time that is the search's. The judgement after it, whether the game is over, takes time too.
    fn without_decisions(&self, time: Duration) -> Duration {
        time - (time / 8).min(if self.may_end_soon() { DECIDE_TIME } else { DECIDE_TIME / 5 })
    }

    /// May the next move be one of the last, so that the end of the game has to be judged? In a search by a net alone,
    /// the net says when, and this is hardly before half of the points have stones. Playouts are judged at every move.
    fn may_end_soon(&self) -> bool {
        let position = self.game.position();
        let manner = self.usual_manner();
        !manner.evaluators.is_net_alone(&manner.params)
            || position.consecutive_passes() > 0
            || 2 * position.board().empties().len() <= self.game.size().points()
    }

    /// The longest time for a move when no clock runs; `None` if the number of playouts alone ends a search.
    pub fn time_limit(&self) -> Option<Duration> {
        let usual = match self.options.most_time {
            Some(NO_LIMIT) => self.options.longest_move,
            Some(most) => return Some(most),
            None => self.options.time_per_move,
        };
        (!self.has_fixed_playouts()).then_some(usual)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{EngineOptions, Interrupt};
    use crate::go::Point;

    #[test]
    fn what_a_choice_has_taken_comes_off_its_limits() {
        let mut options = EngineOptions { size: 9.into(), ..EngineOptions::default() };
        options.search.time = crate::time::TimeSource::stopped();
        let time = options.search.time.clone();
        let mut engine = Engine::new(options, Interrupt::default()).expect("an engine");
        let limits =
            Limits { soft: Some(Duration::from_secs(1)), hard: Some(Duration::from_secs(4)), ..Limits::default() };
        engine.begin_choice(Color::Black, true);
        time.advance(Duration::from_secs(3));
        let left = engine.left_of(limits);
        assert_eq!((left.soft, left.hard), (Some(Duration::ZERO), Some(Duration::from_secs(1))));
        engine.begin_choice(Color::Black, false);
        assert_eq!(engine.left_of(limits).hard, limits.hard, "no clock runs");
    }

    #[test]
    fn without_a_limit_of_time_the_longest_move_ends_a_search_that_has_no_number_of_playouts() {
        let mut engine = Engine::new(EngineOptions::default(), Interrupt::default()).expect("an engine");
        let longest = engine.options.longest_move;
        engine.change(|options| options.most_time = Some(NO_LIMIT));
        assert_eq!(engine.limits(Color::Black, false).hard, Some(longest));
        engine.change(|options| options.playouts = Some(10));
        assert_eq!(engine.limits(Color::Black, false).hard, None);
    }

    #[test]
    fn an_illegal_choice_is_never_answered() {
        let mut engine =
            Engine::new(EngineOptions { size: 9.into(), ..EngineOptions::default() }, Interrupt::default())
                .expect("an engine");
        let taken = Move::Play(Point::new(4, 4, 9));
        engine.game_mut().play(Color::Black, taken).expect("a legal move");
        let (decision, _) = engine.make_move(Color::White, true, |_| Ok(Choice::of(taken, None))).expect("a move");
        assert_eq!(decision, Decision::Move(Move::Pass), "nothing else was found");
        assert_eq!(engine.game().moves().last(), Some(&(Color::White, Move::Pass)));
    }
}
