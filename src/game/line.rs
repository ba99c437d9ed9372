//! The moves from a start to the cursor, and positions on the way, so that going back costs next to nothing.
//!
//! A position takes some 40 KB, so not all positions are kept. The last seven are kept, and fewer further back. So the
//! number of positions grows with the logarithm of the moves. To go back to another position, the moves from the kept
//! one before it are played again.

use crate::go::{Board, Color, IllegalMove, Move, Position, Ruleset, Size};
use crate::record::NodeId;
use crate::record::meaning::SetUp;

use super::error::SetupError;

/// How long a position is kept: until the cursor is this many moves beyond it, times the largest power of two that
/// divides its number. With 8, a game of 300 moves keeps 27 positions, some 1 MB. Taking its moves back one by one
/// plays 1.3 moves again for each (with 4: 15 positions, 1.8 moves; with 16: 48 positions, 0.9 moves).
const KEPT_FOR: usize = 8;

/// Positions after more moves than this are not kept. Each position has the history of the game, so its size grows with
/// its number. The longest game that we know of has about a thousand moves.
const LAST_KEPT: usize = 10_000;

/// The most stones in a row that count as a handicap: nine by custom, more on large boards.
const MOST_PLAYED_HANDICAP: usize = 9;

/// Moves from a start.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The node of the start.
    pub node: NodeId,
    /// Moves of the game before the start.
    pub before: usize,
    pub start: Box<Position>,
    pub moves: Vec<(Color, Move)>,
    pub position: Box<Position>,
    /// Some earlier positions, each with the number of moves before it.
    kept: Vec<(usize, Box<Position>)>,
    /// Number of handicap stones, if a set-up tells it. Else the moves do.
    pub placed_handicap: Option<usize>,
}

impl Line {
    /// A line without moves, on the empty board.
    pub(super) fn new(size: Size, rules: Ruleset) -> Line {
        Line::from(Position::new(size, rules))
    }

    /// A line without moves from this position, which begins a game.
    pub(super) fn from(start: Position) -> Line {
        Line {
            node: NodeId::ROOT,
            before: 0,
            position: Box::new(start.clone()),
            start: Box::new(start),
            moves: Vec::new(),
            kept: Vec::new(),
            placed_handicap: None,
        }
    }

    /// Makes a legal move.
    pub(super) fn play(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        let turn = self.position.to_move();
        self.position.set_to_move(color);
        if let Err(reason) = self.position.check(mv) {
            self.position.set_to_move(turn);
            return Err(reason);
        }
        self.add(color, mv, self.moves.len() + 1).map(|_| ())
    }

    /// Makes a recorded move, legal or not. Returns the rule that forbids it, if any. `tip` is the number of moves that
    /// the line will have.
    ///
    /// # Errors
    /// If no stone can be put on the point; nothing changes then.
    pub(super) fn add(&mut self, color: Color, mv: Move, tip: usize) -> Result<Option<IllegalMove>, IllegalMove> {
        let number = self.moves.len();
        let before = is_kept(number, tip).then(|| self.position.clone());
        let forbidden = force(&mut self.position, color, mv)?;
        self.kept.extend(before.map(|position| (number, position)));
        self.moves.push((color, mv));
        let played = self.moves.len();
        self.kept.retain(|&(number, _)| is_kept(number, played.max(tip)));
        Ok(forbidden)
    }

    /// Goes back to the position after `count` moves.
    pub(super) fn truncate(&mut self, count: usize) {
        if count >= self.moves.len() {
            return;
        }
        self.kept.retain(|&(number, _)| number <= count);
        match self.kept.last() {
            Some(&(number, _)) if number == count => {
                if let Some((_, position)) = self.kept.pop() {
                    self.position = position;
                }
                self.moves.truncate(count);
            }
            nearest => {
                let (number, position) = nearest.map_or((0, &self.start), |(number, position)| (*number, position));
                self.position = position.clone();
                let again: Vec<(Color, Move)> = self.moves[number..count].to_vec();
                self.moves.truncate(number);
                // The position is kept already.
                self.kept.retain(|&(kept, _)| kept < number);
                for (color, mv) in again {
                    // The move could be played before, so it can be played now.
                    let _ = self.add(color, mv, count);
                }
            }
        }
    }

    /// Gives the turn to a side.
    pub(super) fn set_to_move(&mut self, color: Color) {
        if self.moves.is_empty() {
            self.position.set_first_to_move(color);
            self.start.set_first_to_move(color);
        } else {
            self.position.set_to_move(color);
        }
    }

    /// Carries out what a node sets up. `named` is the handicap that the node names.
    ///
    /// # Errors
    /// If a chain has no liberties; nothing changes then.
    pub(super) fn set_up(&mut self, node: NodeId, set_up: &SetUp, named: Option<usize>) -> Result<(), SetupError> {
        if !set_up.changes_stones() {
            let Some(color) = set_up.to_move else { return Ok(()) };
            self.set_to_move(color);
            if self.moves.is_empty() {
                self.node = node;
            }
            return Ok(());
        }
        let size = self.position.size();
        let fresh = self.before == 0 && self.moves.is_empty() && is_empty(self.start.board());
        let stones = set_up.stones(self.position.board());
        let count = stones.len();
        let black_only = stones.iter().all(|(color, _)| *color == Color::Black);
        let white_answers = fresh && black_only && count > 0;
        let usual = if white_answers { Color::White } else { self.position.to_move() };
        // A record that says whose turn it is sets up a position. Without a named handicap that is no handicap.
        let gives_handicap = black_only && (named.is_some() || count >= 2 && set_up.to_move.is_none());
        let handicap = match (fresh, gives_handicap) {
            (false, _) => Some(self.handicap()),
            (true, _) if count == 0 => None,
            (true, true) => Some(named.unwrap_or(count)),
            (true, false) => Some(0),
        };
        let board = Board::with_stones(size, stones).map_err(|_| SetupError::Stones)?;
        self.position.set_up(board, set_up.to_move.unwrap_or(usual));
        self.start = self.position.clone();
        self.node = node;
        self.before += self.moves.len();
        self.moves.clear();
        self.kept.clear();
        self.placed_handicap = handicap;
        Ok(())
    }

    /// See [`super::Game::handicap`].
    pub(super) fn handicap(&self) -> usize {
        if let Some(stones) = self.placed_handicap {
            // A controller that sets up a position may send its black stones as a handicap, and the others as plays.
            let is_set_up =
                matches!(&self.moves[..], [(Color::White, Move::Play(_)), (Color::White, Move::Play(_)), ..]);
            return if is_set_up { 0 } else { stones };
        }
        let (mut stones, mut opening) = (0, 0);
        for &mv in &self.moves {
            match mv {
                (Color::Black, Move::Play(_)) => stones += 1,
                (Color::White, Move::Pass) => {}
                _ => break,
            }
            opening += 1;
        }
        // Two passes end the game. Whoever resumes it may move first, and this changes no handicap.
        let rest = &self.moves[opening..];
        let passes = |pair: &[(Color, Move)]| pair.iter().all(|&(_, mv)| mv == Move::Pass);
        let end = rest.windows(2).position(passes).map_or(rest.len(), |first| first + 2);
        let in_turn = rest[..end].windows(2).all(|pair| pair[0].0 != pair[1].0);
        // Where White has never played, White has passed instead of taking a handicap.
        let is_over = rest.iter().all(|&(_, mv)| mv == Move::Pass) && self.position.is_over();
        let most = MOST_PLAYED_HANDICAP.max(self.position.size().points() / 20);
        if (2..=most).contains(&stones) && in_turn && !is_over { stones } else { 0 }
    }
}

/// Is the position after `number` moves kept when the line has `tip` moves?
fn is_kept(number: usize, tip: usize) -> bool {
    (1..=LAST_KEPT).contains(&number) && tip - number < KEPT_FOR << number.trailing_zeros()
}

fn is_empty(board: &Board) -> bool {
    board.empties().len() == board.size().points()
}

/// Makes a move, legal or not. Returns the rule that forbids it, if any.
///
/// # Errors
/// If the point has a stone; nothing changes then.
fn force(position: &mut Position, color: Color, mv: Move) -> Result<Option<IllegalMove>, IllegalMove> {
    let turn = position.to_move();
    position.set_to_move(color);
    match position.play(mv) {
        Ok(()) => Ok(None),
        Err(IllegalMove::Occupied) => {
            position.set_to_move(turn);
            Err(IllegalMove::Occupied)
        }
        Err(reason) => {
            // The caller knows that the move is illegal.
            let _ = position.play_checking_superko(mv);
            Ok(Some(reason))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::rules::CHINESE;

    #[test]
    fn few_positions_are_kept_and_the_last_ones_are_at_hand() {
        let mut line = Line::new(9.into(), CHINESE);
        let mut color = Color::Black;
        for played in 1..=1000 {
            line.play(color, Move::Pass).expect("a pass");
            color = color.other();
            for back in 1..KEPT_FOR.min(played) {
                assert!(line.kept.iter().any(|&(number, _)| number == played - back), "{back} back from {played}");
            }
            let limit = KEPT_FOR * (played.ilog2() as usize + 1);
            assert!(line.kept.len() <= limit, "{} of {played}", line.kept.len());
        }
        // Moves taken back one by one: how many are played again?
        let mut again = 0;
        for left in (0..1000).rev() {
            let nearest = line.kept.iter().map(|&(number, _)| number).filter(|&number| number <= left).max();
            again += left - nearest.unwrap_or(0);
            line.truncate(left);
            assert_eq!(line.moves.len(), left);
        }
        assert!(again < 2 * 1000, "{again} moves were played again");
        assert!(line.kept.is_empty());
    }

    #[test]
    fn lines_beyond_all_measure_keep_no_more() {
        let mut line = Line::new(2.into(), CHINESE);
        for _ in 0..LAST_KEPT + 1000 {
            line.play(Color::Black, Move::Pass).expect("a pass");
        }
        assert!(line.kept.len() <= KEPT_FOR * (LAST_KEPT.ilog2() as usize + 1));
        line.truncate(LAST_KEPT + 10);
        assert_eq!(line.moves.len(), LAST_KEPT + 10);
    }
}
