//! What a sitting wants of the engine, and what the engine's answers change.

use std::time::Duration;

use crate::clock::Clock;
use crate::engine::{Decision, Level, LostMoves};
use crate::game::Game;
use crate::go::{Color, Move, vertex};
use crate::play::say;
use crate::review::Finding;

use super::count::Count;
use super::reviewing::{Reviewing, Step};
use super::sitting::{Loss, Sitting};
use super::timing::is_too_long;

/// What a person is told who counts too early.
const STILL_OPEN: &str = "The game is still open, so a count says little.";

/// What a sitting wants of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    Move(Color),
    Hint,
    Count,
    Analysis,
    Review,
}

/// The same with what the work is about.
#[derive(Clone, Debug)]
pub(super) enum Wish {
    /// A move of this side.
    Move(Color),
    /// A sentence about what it would play.
    Hint,
    /// Which stones are dead.
    Count,
    /// Findings about the position, again and again.
    Analysis,
    /// A position of a review.
    Review(Box<Step>),
}

/// A wish, with all that a worker needs for it.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) wish: Wish,
    /// The epoch in which the wish was made.
    pub(super) epoch: u64,
    pub(super) game: Game,
    pub(super) level: Level,
    /// Time for a move where no clock runs.
    pub(super) pace: Duration,
    pub(super) clocks: [Clock; 2],
    pub(super) lost: LostMoves,
    /// May the move be to resign? Kosumi gives up its own games alone, not the person's.
    pub(super) may_resign: bool,
    /// The number of the tab's game.
    pub(super) number: u64,
}

impl Sitting {
    /// What is wanted of the engine most. Analysis and review are only done for somebody who looks.
    pub(super) fn wanted(&self, is_watched: bool) -> Option<Want> {
        let reviews = is_watched && self.is_reviewing();
        let analyzes = is_watched && self.is_analyzing && !self.game.position().is_over();
        match self.due {
            Some(color) => Some(Want::Move(color)),
            None if self.wants_count => Some(Want::Count),
            None if self.wants_hint => Some(Want::Hint),
            None if reviews && !(analyzes && self.reviewed_last) => Some(Want::Review),
            None if analyzes => Some(Want::Analysis),
            None => None,
        }
    }

    /// Is a review in progress? Then an analysis leaves it half of the time.
    pub(super) fn is_reviewing(&self) -> bool {
        self.review.as_ref().is_some_and(Reviewing::is_open)
    }

    /// Does the page have to ask for news?
    pub(super) fn is_busy(&self) -> bool {
        self.wanted(true).is_some()
    }

    /// The next piece of work. The clock of a move starts now.
    pub(super) fn task(&mut self, is_watched: bool) -> Option<Task> {
        let want = self.wanted(is_watched)?;
        self.reviewed_last = want == Want::Review;
        let wish = match want {
            Want::Move(color) => {
                if self.since.is_some() {
                    self.since = Some(self.time.now());
                }
                Wish::Move(color)
            }
            Want::Hint => Wish::Hint,
            Want::Count => Wish::Count,
            Want::Analysis => Wish::Analysis,
            Want::Review => Wish::Review(Box::new(self.review.as_ref()?.step()?)),
        };
        let may_resign = matches!(wish, Wish::Move(color) if self.kosumi == Some(color));
        let game = if let Wish::Review(step) = &wish { step.game.clone() } else { self.game.clone() };
        Some(Task {
            wish,
            epoch: self.epoch,
            game,
            level: self.level,
            pace: self.pace,
            clocks: self.clocks,
            lost: self.lost.clone(),
            may_resign,
            number: self.games,
        })
    }

    /// The engine's move, with the clocks after it, what it found before it, and a sentence about who is ahead.
    pub(super) fn moved(
        &mut self,
        color: Color,
        decision: Decision,
        clocks: [Clock; 2],
        found: Option<Finding>,
        ahead: &str,
    ) {
        let before = self.clocks[color.index()];
        let used = self.since.map_or(Duration::ZERO, |since| self.time.since(since));
        self.clocks = clocks;
        if let Some(finding) = found {
            self.found(finding);
        }
        if is_too_long(&before, used) {
            return self.lose(color, Loss::Time);
        }
        let Decision::Move(mv) = decision else {
            self.say("Kosumi resigns.".into());
            return self.lose(color, Loss::Resigned);
        };
        // The worker has played it on a copy of this game.
        if let Err(reason) = self.game.play(color, mv) {
            log::error!("a bug: the engine's move is illegal: {reason}");
            return self.leave();
        }
        let what = match mv {
            Move::Pass => "Kosumi passes.".into(),
            Move::Play(_) => format!("Kosumi ({color}) plays {}.", vertex::of_move(mv, self.game.size())),
        };
        // A game that is over is counted; a forecast beside the count would only confuse.
        let ahead = if self.game.position().is_over() { "" } else { ahead };
        self.say(format!("{what} {ahead}").trim_end().into());
        self.follow_main_line();
        // A hint or a count that was asked for meanwhile is about the game after the move.
        let (hint, count) = (self.wants_hint, self.wants_count);
        self.leave();
        // Kosumi may have made a move for the person.
        self.ask_for_move();
        if !self.is_over() {
            (self.wants_hint, self.wants_count) = (hint, count);
        }
        self.start_clock();
    }

    /// What the engine found about the present position.
    pub(super) fn found(&mut self, finding: Finding) {
        let node = self.game.cursor();
        self.known.insert(node, (finding.winrate, finding.lead));
        self.finding = Some((node, finding));
        self.revision += 1;
    }

    /// What the engine would play.
    pub(super) fn hinted(&mut self, text: String, finding: Finding) {
        self.wants_hint = false;
        self.found(finding);
        self.say(text);
    }

    /// Somebody wants to know the score. The count of a game that has ended stays, with what the person has corrected.
    pub(super) fn ask_for_count(&mut self) {
        match self.counts.get(&self.game.cursor()) {
            Some(count) if self.game.position().is_over() => self.say(say::outcome(count.outcome(&self.game))),
            _ => self.wants_count = true,
        }
    }

    /// Which stones are dead.
    pub(super) fn counted(&mut self, count: Count) {
        self.wants_count = false;
        let board = self.game.position().board();
        let dead = say::dead(board, &count.statuses().dead).replace('\n', " ");
        let outcome = say::outcome(count.outcome(&self.game));
        let text = match self.game.position().is_over() {
            true => outcome,
            false if count.is_open => format!("{STILL_OPEN} If both sides passed now: {outcome}"),
            false => format!("If both sides passed now: {outcome}"),
        };
        self.counts.insert(self.game.cursor(), count);
        self.say(format!("{dead} {text}").trim_start().into());
        self.revision += 1;
    }

    /// What the engine found about a position of a review.
    pub(super) fn reviewed(&mut self, review: u64, finding: Finding) {
        let Some(reviewing) = &mut self.review else { return };
        if reviewing.add(review, finding) {
            if !reviewing.is_open() {
                self.say("The review is complete.".into());
            }
            self.revision += 1;
        }
    }

    /// The engine could not do what was wanted.
    pub(super) fn failed(&mut self, error: &str) {
        self.leave();
        (self.is_analyzing, self.review) = (false, None);
        self.say(format!("Kosumi cannot think: {error}."));
    }
}
