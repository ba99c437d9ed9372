//! The exact solution of a local game: best play for both sides, to the end.
//!
//! The solver is a proof-number search (Allis 1994) in its depth-first form (Nagai 2002). Alpha-beta looks at millions
//! of states in which both sides throw stones into each other's eyes before it finds the deciding capture. The proofs
//! themselves are short, and proof-number search tries the shortest first.

use crate::go::Color;

use super::known::{Effort, Known, MemoryOfGame};
use super::local::{LocalBoard, LocalState, bits};

/// After this many captures a line is counted as it stands. Only endless kos have so many captures.
const MOST_CAPTURES: u8 = 12;

/// After this many moves a line that is played out ends.
const LONGEST_LINE: usize = 90;

/// The effort allowed is used up, and there is no result.
#[derive(Debug)]
pub struct OutOfWork;

/// Solves local games within a limit of effort.
#[derive(Debug)]
pub struct Solver<'a> {
    local: &'a LocalBoard,
    memory: MemoryOfGame<'a>,
    /// The boards of the line that is played out. None of them may occur again.
    line: Vec<[u128; 2]>,
    /// Effort left. One look at a state costs the number of the local game's points.
    work: u64,
}

impl<'a> Solver<'a> {
    /// A solver with this much effort, see the field `work`. It goes on from what is remembered of the game.
    pub(super) fn new(local: &'a LocalBoard, memory: MemoryOfGame<'a>, work: u64) -> Solver<'a> {
        Solver { local, memory, line: Vec::new(), work }
    }

    /// Effort that is left.
    pub fn work_left(&self) -> u64 {
        self.work
    }

    /// Plays to the end with best moves for both sides. Neutral points are filled where that costs nothing. Otherwise
    /// no side plays without gain. So the points that stay neutral belong to a seki.
    ///
    /// # Errors
    /// If the effort does not suffice.
    pub fn play_out(&mut self, start: LocalState) -> Result<LocalState, OutOfWork> {
        let mut state = start;
        self.line = vec![start.board()];
        // Filled neutral points (the state, its place on the line, the point), and those whose filling failed.
        let mut filled: Vec<(LocalState, usize, usize)> = Vec::new();
        let mut vain: Vec<(LocalState, usize)> = Vec::new();
        while self.line.len() < LONGEST_LINE {
            let value = self.value(&state)?;
            let neutral = self.local.neutral(&state);
            let worth = vain.iter().filter(|(at, _)| *at == state).fold(neutral, |worth, &(_, p)| worth & !(1 << p));
            if let Some((point, next)) = self.play_that_keeps(&state, worth, value)? {
                filled.push((state, self.line.len(), point));
                state = next;
            } else if self.pass_keeps(&state, value)? {
                if state.is_passed() {
                    return Ok(state);
                }
                state = LocalBoard::pass(&state);
                continue;
            } else if let Some((_, next)) = self.play_that_keeps(&state, self.local.empty(&state) & !neutral, value)? {
                state = next;
            } else {
                // Only the repetitions that this line bars lead here. If the cycle began with the filling of a neutral
                // point (two stones sent, one returned), that point cannot be filled in this way.
                let start = self.repetition_that_keeps(&state, value)?;
                let Some(&(before, length, point)) = filled.iter().rfind(|&&(_, length, _)| Some(length) == start)
                else {
                    return Ok(state);
                };
                vain.push((before, point));
                filled.retain(|&(_, earlier, _)| earlier < length);
                self.line.truncate(length);
                state = before;
                continue;
            }
            self.line.push(state.board());
        }
        Ok(state)
    }

    /// The length of the line up to a board that a play may repeat and still reach `value`.
    fn repetition_that_keeps(&mut self, state: &LocalState, value: i32) -> Result<Option<usize>, OutOfWork> {
        for point in
            bits(self.local.empty(state)).filter(|&point| !self.local.is_own_eye(state, point)).collect::<Vec<_>>()
        {
            let Some(next) = self.local.play(state, point) else { continue };
            let start = self.line.iter().rposition(|&board| board == next.board());
            if start.is_some() && self.keeps(&next, state.turn(), value)? {
                return Ok(start.map(|i| i + 1));
            }
        }
        Ok(None)
    }

    fn play_that_keeps(
        &mut self,
        state: &LocalState,
        points: u128,
        value: i32,
    ) -> Result<Option<(usize, LocalState)>, OutOfWork> {
        for point in bits(points).filter(|&point| !self.local.is_own_eye(state, point)).collect::<Vec<_>>() {
            let next = self.local.play(state, point).filter(|next| !self.line.contains(&next.board()));
            if let Some(next) = next
                && self.keeps(&next, state.turn(), value)?
            {
                return Ok(Some((point, next)));
            }
        }
        Ok(None)
    }

    fn pass_keeps(&mut self, state: &LocalState, value: i32) -> Result<bool, OutOfWork> {
        if state.is_passed() {
            return Ok((self.local.score(state) - value) * state.turn().sign() >= 0);
        }
        self.keeps(&LocalBoard::pass(state), state.turn(), value)
    }

    /// Does `mover` still get `value` after the move to this state?
    fn keeps(&mut self, next: &LocalState, mover: Color, value: i32) -> Result<bool, OutOfWork> {
        Ok(match mover {
            Color::Black => self.reaches(next, value)?,
            Color::White => !self.reaches(next, value + 1)?,
        })
    }

    /// Black's margin with best play. A few yes-or-no searches find it, each with the results of those before (as in
    /// MTD(f), Plaat et al. 1996). The first guess is the margin of the stones as they stand; otherwise one side mostly
    /// takes everything.
    fn value(&mut self, state: &LocalState) -> Result<i32, OutOfWork> {
        let all = self.local.points().len() as i32;
        let (mut least, mut most) = (-all, all);
        let guess = self.local.score(state);
        let mut extreme_is_open = true;
        while least < most {
            let goal = if guess > least && guess <= most {
                guess
            } else if guess == least {
                guess + 1
            } else if extreme_is_open {
                extreme_is_open = false;
                if guess > most { least + 1 } else { most }
            } else {
                if guess > most { most } else { least + 1 }
            };
            if self.reaches(state, goal)? {
                least = goal;
            } else {
                most = goal - 1;
            }
        }
        Ok(least)
    }

    /// Does Black get at least `goal` points more than White?
    fn reaches(&mut self, state: &LocalState, goal: i32) -> Result<bool, OutOfWork> {
        let goal = goal as i16;
        let mut effort = self.effort(state, goal)?;
        if effort.prove != 0 && effort.refute != 0 {
            effort = self.search(state, goal, Effort::UNLIMITED)?;
        }
        Ok((effort.prove == 0) == (state.turn() == Color::Black))
    }

    /// The effort left at a state, from the point of view of the side to move.
    fn effort(&mut self, state: &LocalState, goal: i16) -> Result<Effort, OutOfWork> {
        let known = match self.memory.known(state) {
            Some(known) => known,
            None => self.look_at(state)?,
        };
        let black = state.turn() == Color::Black;
        if known.least >= goal {
            return Ok(Effort::of(black));
        }
        if known.most < goal {
            return Ok(Effort::of(!black));
        }
        Ok(self.memory.effort(state, goal).unwrap_or(Effort::UNKNOWN))
    }

    /// Takes off the effort for a look at a state.
    fn spend_a_look(&mut self) -> Result<(), OutOfWork> {
        self.work = self.work.checked_sub(self.local.points().len() as u64).ok_or(OutOfWork)?;
        Ok(())
    }

    /// The first look at a state: the points that are settled whatever happens.
    fn look_at(&mut self, state: &LocalState) -> Result<Known, OutOfWork> {
        self.spend_a_look()?;
        let all = self.local.points().len() as i16;
        let exactly = |score: i16| Known { least: score, most: score, settled: 0 };
        let known = if let Some(owner) = self.local.sole_owner(state) {
            exactly(owner.sign() as i16 * all)
        } else if state.captures() >= MOST_CAPTURES {
            exactly(self.local.score(state) as i16)
        } else {
            let [black, white] = Color::BOTH.map(|color| self.local.safe(state, color));
            Known {
                least: 2 * black.count_ones() as i16 - all,
                most: all - 2 * white.count_ones() as i16,
                settled: black | white,
            }
        };
        self.memory.note_known(state, known);
        Ok(known)
    }

    /// Searches below a state until one of the two efforts has reached its limit. Returns both efforts.
    fn search(&mut self, state: &LocalState, goal: i16, limit: Effort) -> Result<Effort, OutOfWork> {
        // The search returns to its states many times and makes their moves anew each time.
        self.spend_a_look()?;
        let settled = self.memory.known(state).map_or(0, |known| known.settled);
        let mut moves = self.plays(state, settled);
        if !state.is_passed() {
            moves.push(LocalBoard::pass(state));
        } else if (self.local.score(state) >= i32::from(goal)) == (state.turn() == Color::Black) {
            // A second pass ends the game, and the side to move reaches its goal.
            return Ok(self.settle(state, goal, true));
        }
        let mut efforts = Vec::with_capacity(moves.len());
        for next in &moves {
            let effort = self.effort(next, goal)?;
            if effort.refute == 0 {
                return Ok(self.settle(state, goal, true));
            }
            efforts.push(effort);
        }
        loop {
            // One move that the opponent cannot answer proves a state. Answers to all moves refute it.
            let (mut first, mut prove, mut second, mut refute) = (0, Effort::NEVER, Effort::NEVER, 0_u32);
            for (i, effort) in efforts.iter().enumerate() {
                refute = (refute + effort.prove).min(Effort::NEVER);
                if effort.refute < prove {
                    (first, second, prove) = (i, prove, effort.refute);
                } else {
                    second = second.min(effort.refute);
                }
            }
            if prove == 0 || refute == 0 {
                return Ok(self.settle(state, goal, prove == 0));
            }
            let here = Effort { prove, refute };
            if prove >= limit.prove || refute >= limit.refute {
                self.memory.note_effort(state, goal, here);
                return Ok(here);
            }
            // A little more than the second best, which avoids repeated changes between the two (Pawlewicz & Lew 2006).
            let below = Effort {
                prove: (limit.refute - refute).saturating_add(efforts[first].prove).min(Effort::NEVER),
                refute: limit.prove.min(second.saturating_add(second / 4 + 1)),
            };
            efforts[first] = self.search(&moves[first], goal, below)?;
        }
    }

    /// Remembers whether the side to move reaches its goal.
    fn settle(&mut self, state: &LocalState, goal: i16, achieved: bool) -> Effort {
        if let Some(known) = self.memory.known_mut(state) {
            if achieved == (state.turn() == Color::Black) {
                known.least = known.least.max(goal);
            } else {
                known.most = known.most.min(goal - 1);
            }
        }
        Effort::of(achieved)
    }

    /// The states after each sensible play of the side to move. No play gains where all points are settled.
    fn plays(&self, state: &LocalState, settled: u128) -> Vec<LocalState> {
        bits(self.local.empty(state) & !settled)
            .filter(|&point| !self.local.is_own_eye(state, point))
            .filter_map(|point| self.local.play(state, point))
            .collect()
    }
}
