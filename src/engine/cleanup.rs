//! Clean-up after the game (KGS's `kgs-genmove_cleanup`): the players do not agree on the dead stones, so dead stones
//! have to be captured. The result of the game does not count. Every dead stone has to go, and no chain of one's own
//! may die.

use std::sync::Arc;
use std::time::Duration;

use crate::go::life::unconditional;
use crate::go::region::flood;
use crate::go::shape::is_self_atari;
use crate::go::{Board, Cell, Color, Move, Point, PointSet, Position};

use super::choose::Choice;
use super::decide::{CLEANUP_PLAYOUTS, owners_of};
use super::memory::Key;
use super::outcome::{HURRIED, UNHURRIED};
use super::settled::is_settled;
use super::{Engine, EngineError, status};

/// With less time for the move than this, a quick judgement of life and death has to do. A guess: an
/// unhurried one takes half a second, and three at most (`docs/counting.md`).
const TIME_TO_JUDGE: Duration = Duration::from_secs(4);

impl Engine {
    /// A move of the clean-up. First choice: a move that helps to capture dead stones of the other side. Without dead
    /// stones: a pass if nothing is left to play for, else a normal move. The engine never resigns here.
    pub(super) fn choose_cleanup(&mut self, color: Color, on_the_clock: bool) -> Result<Choice, EngineError> {
        let (mut position, limits) = self.begin_choice(color, on_the_clock);
        let mut manner = self.usual_manner();
        let long_enough = limits.hard.is_none_or(|hard| hard >= TIME_TO_JUDGE);
        let statuses = if long_enough {
            // Fixed playouts do not stop the clock either.
            self.judge_within(if on_the_clock && limits.hard.is_some() { HURRIED } else { UNHURRIED })
        } else {
            let report = self.side_search(&position, CLEANUP_PLAYOUTS, &mut manner)?;
            status::judge(position.board(), &report.ownership, self.decide_work()).statuses
        };
        let key = Key::of(&self.game);
        let board = position.board();
        let condemned = self.memory.condemned(&key, color);
        let is_dead = |&p: &Point| statuses.dead.contains(p) || condemned.contains(p);
        let theirs = board.points().filter(|&p| board.cell(p) == color.other().cell());
        let dead: PointSet = theirs.filter(is_dead).collect();
        self.memory.note_condemned(key, color, dead);
        if !dead.is_empty() {
            let moves = taking_moves(&position, color, &dead);
            if !moves.is_empty() {
                let report = self.search_for_points(&position, &moves, &mut manner)?;
                let mv = report.moves.iter().map(|m| m.mv).find(|mv| moves.contains(mv)).unwrap_or(moves[0]);
                let connections = connecting_moves(&position, color, &dead);
                let connection = match connections.is_empty() {
                    true => Move::Pass,
                    false => self.search_apart(&position, &connections, &mut manner)?.best(),
                };
                let mv = self.unless_worse(&position, mv, connection, &mut manner)?;
                return Ok(Choice::of(mv, Some(report)));
            }
        }
        if dead.is_empty() && (position.consecutive_passes() > 0 || self.game.position().is_over()) {
            // Neither side has any stone left to capture.
            return Ok(Choice::of(Move::Pass, None));
        }
        // The judgement has taken a part of the move's time.
        let request = self.request(&mut manner, &position, self.left_of(limits));
        let report = self.ask_and_remember(request, &mut |_| {})?;
        // Few playouts reach their end when a side is far ahead. All playouts of a side search do.
        let sampled = match owners_of(&report, &manner) {
            Some(_) => Arc::clone(&report),
            None => self.side_search(&position, CLEANUP_PLAYOUTS, &mut manner)?,
        };
        let judgement = status::judge(position.board(), &sampled.ownership, self.decide_work());
        let settled = is_settled(&position, &sampled.ownership, &judgement);
        let mv = if settled { Move::Pass } else { self.legal_best(&mut position, &report) };
        Ok(Choice::of(mv, Some(report)))
    }
}

/// Plays that bring the capture of these stones nearer and cost no life. Of three kinds the first that exists: on their
/// liberties and safe from capture, on their liberties, or next to them.
fn taking_moves(position: &Position, color: Color, dead: &PointSet) -> Vec<Move> {
    let board = position.board();
    let empties_around = |points: &PointSet| -> PointSet {
        let neighbours = points.iter().flat_map(|p| board.adjacent(p));
        neighbours.filter(|&p| board.cell(p) == Cell::Empty).collect()
    };
    let liberties = empties_around(dead);
    let near: PointSet = dead
        .iter()
        .flat_map(|p| flood(board, p, |q| board.cell(q) != color.cell()).inside.iter().collect::<Vec<_>>())
        .filter(|&p| board.cell(p) == Cell::Empty)
        .collect();
    let safe = unconditional(board, color);
    let mut position = position.clone();
    let mut allowed = |points: &PointSet, careful: bool| -> Vec<Move> {
        points
            .iter()
            .filter(|&p| !board.around(p).is_eye_shape(color))
            .filter(|&p| !careful || !is_self_atari(board, color, p))
            .filter(|&p| keeps_life(board, color, p, &safe.stones))
            .map(Move::Play)
            .filter(|&mv| position.check(mv).is_ok())
            .collect()
    };
    let kinds = [(&liberties, true), (&near, true), (&liberties, false), (&near, false)];
    kinds
        .into_iter()
        .map(|(points, careful)| allowed(points, careful))
        .find(|moves| !moves.is_empty())
        .unwrap_or_default()
}

/// A chain with so few liberties may have to be saved before a capture. (A guess.)
const FEW_LIBERTIES: usize = 2;

/// Plays on liberties of the side's own weak chains around these stones. One of them may connect what a capture would
/// leave in atari.
fn connecting_moves(position: &Position, color: Color, dead: &PointSet) -> Vec<Move> {
    let board = position.board();
    let edges =
        dead.iter().flat_map(|p| flood(board, p, |q| board.cell(q) != color.cell()).edge.iter().collect::<Vec<_>>());
    let around: PointSet = edges.collect();
    let liberties =
        around.iter().map(|stone| board.liberty_set(stone)).filter(|liberties| liberties.len() <= FEW_LIBERTIES);
    let points: PointSet = liberties.flat_map(|liberties| liberties.iter().collect::<Vec<_>>()).collect();
    let mut position = position.clone();
    let plays = points.iter().filter(|&p| !board.around(p).is_eye_shape(color)).map(Move::Play);
    plays.filter(|&mv| position.check(mv).is_ok()).collect()
}

/// Do all stones that live for certain still live after this play? A capture makes room, and more room is no danger to
/// them, although Benson's proof may fail in it.
fn keeps_life(board: &Board, color: Color, p: Point, safe: &PointSet) -> bool {
    if safe.is_empty() || !board.is_legal(color, p) {
        return true;
    }
    let mut after = board.clone();
    after.place(color, p);
    let enemy = color.other();
    if after.captured(enemy) > board.captured(enemy) && after.liberty_set(p).len() > 1 {
        return true;
    }
    let still = unconditional(&after, color).stones;
    safe.iter().all(|stone| still.contains(stone))
}
