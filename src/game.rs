//! The game so far: what was set up, the moves, undo, handicap and komi.

use crate::go::{Board, Color, IllegalMove, Komi, Move, Outcome, Point, Position, Ruleset, Statuses, score};

/// Stones in a row that are taken for a handicap: nine by custom, more on large boards.
const MOST_PLAYED_HANDICAP: usize = 9;

/// There is no move to take back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are not that many moves to take back")]
pub struct CannotUndo;

/// Why stones cannot be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// There are stones on the board.
    #[error("the board is not empty")]
    BoardNotEmpty,
    /// A point is named twice, or a chain would have no liberty.
    #[error("a point is named twice or a chain has no liberty")]
    Stones,
}

/// Why another rule set cannot be put in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number} of this game is illegal under those rules: {reason}")]
pub struct RulesConflict {
    /// The move, counted from 1.
    pub number: usize,
    /// What is wrong with it.
    pub reason: IllegalMove,
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    /// Komi if the user has chosen one.
    komi: Option<Komi>,
    start: Position,
    /// Handicap stones among those set up.
    placed_handicap: usize,
    moves: Vec<(Color, Move)>,
    position: Position,
    /// The result that a game record names, as long as nothing changes.
    recorded: Option<String>,
}

impl Game {
    /// A new game on the empty board.
    ///
    /// # Panics
    /// If `size` is not a board size, see [`Board::new`].
    pub fn new(size: usize, rules: Ruleset, komi: Option<Komi>) -> Game {
        let start = Position::new(size, rules);
        Game { komi, position: start.clone(), start, placed_handicap: 0, moves: Vec::new(), recorded: None }
    }

    /// Rows, and columns.
    pub fn size(&self) -> usize {
        self.position.size()
    }

    /// The rule set in force.
    pub fn rules(&self) -> &Ruleset {
        self.position.rules()
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position before the first move: empty, or with the stones set up.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves since the start.
    pub fn moves(&self) -> &[(Color, Move)] {
        &self.moves
    }

    /// Handicap stones: those set as such, or the stones that Black played in a row before White's first play
    /// when there are two or more of them (how many controllers set a handicap). 0 in an even game.
    ///
    /// Controllers also set up positions by plays, all of Black's first or in the order of the board. So stones in a
    /// row are a handicap only if the sides take turns from White's first play on, and if there are not more of them
    /// than handicaps have.
    pub fn handicap(&self) -> usize {
        if self.placed_handicap > 0 {
            return self.placed_handicap;
        }
        if self.start.board().empties().len() != self.size() * self.size() {
            return 0;
        }
        let mut stones = 0;
        let mut opening = 0;
        for &mv in &self.moves {
            match mv {
                (Color::Black, Move::Play(_)) => stones += 1,
                (Color::White, Move::Pass) => {}
                _ => break,
            }
            opening += 1;
        }
        let in_turn = self.moves[opening..].windows(2).all(|pair| pair[0].0 != pair[1].0);
        let most = MOST_PLAYED_HANDICAP.max(self.size() * self.size() / 20);
        if (2..=most).contains(&stones) && in_turn { stones } else { 0 }
    }

    /// Komi as get_komi reports it: the user's, or the rule set's for this size and handicap. Compensation for
    /// handicap stones comes on top, see [`Game::total_komi`].
    pub fn komi(&self) -> Komi {
        self.komi.unwrap_or_else(|| self.rules().default_komi(self.size(), self.handicap()))
    }

    /// Komi if the user has chosen one.
    pub fn chosen_komi(&self) -> Option<Komi> {
        self.komi
    }

    /// Chooses komi for this game.
    pub fn set_komi(&mut self, komi: Komi) {
        self.komi = Some(komi);
        self.recorded = None;
    }

    /// Komi and what the rule set gives White for the handicap stones.
    pub fn total_komi(&self) -> Komi {
        let bonus = self.rules().handicap_bonus.points(self.handicap());
        self.komi().plus(bonus)
    }

    /// Puts another rule set in force, for the moves so far too.
    ///
    /// # Errors
    /// If one of them is illegal under it; nothing changes then.
    pub fn set_rules(&mut self, rules: Ruleset) -> Result<(), RulesConflict> {
        let start = Position::from_board(self.start.board().clone(), self.start.to_move(), rules);
        let position =
            replay(&start, &self.moves).map_err(|(index, reason)| RulesConflict { number: index + 1, reason })?;
        self.start = start;
        self.position = position;
        self.recorded = None;
        Ok(())
    }

    /// Plays a move for a side, whose turn it need not be.
    ///
    /// # Errors
    /// If a rule in force forbids it; nothing changes then.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        let turn = self.position.to_move();
        self.position.set_to_move(color);
        if let Err(reason) = self.position.play(mv) {
            self.position.set_to_move(turn);
            return Err(reason);
        }
        self.moves.push((color, mv));
        self.recorded = None;
        Ok(())
    }

    /// Takes back the last `count` moves. Stones that were set up stay.
    ///
    /// # Errors
    /// If there are fewer; nothing changes then.
    pub fn undo(&mut self, count: usize) -> Result<(), CannotUndo> {
        let left = self.moves.len().checked_sub(count).ok_or(CannotUndo)?;
        if count > 0 {
            // These moves have been played under these rules before, so they can be again; if not, nothing changes.
            self.position = replay(&self.start, &self.moves[..left]).map_err(|_| CannotUndo)?;
            self.moves.truncate(left);
            self.recorded = None;
        }
        Ok(())
    }

    /// Starts from handicap stones on the empty board: Black's, with White to move.
    ///
    /// # Errors
    /// If there are stones or moves already, or a point is named twice; nothing changes then.
    pub fn place_handicap(&mut self, points: &[Point]) -> Result<(), SetupError> {
        let untouched = self.start.board().empties().len() == self.size() * self.size();
        if !self.moves.is_empty() || !untouched {
            return Err(SetupError::BoardNotEmpty);
        }
        self.set_up(points.iter().map(|&p| (Color::Black, p)), Color::White)?;
        self.placed_handicap = points.len();
        Ok(())
    }

    /// Starts anew from these stones.
    ///
    /// # Errors
    /// If they are no position; nothing changes then.
    pub fn set_up(
        &mut self,
        stones: impl IntoIterator<Item = (Color, Point)>,
        to_move: Color,
    ) -> Result<(), SetupError> {
        let board = Board::with_stones(self.size(), stones).map_err(|_| SetupError::Stones)?;
        self.start = Position::from_board(board, to_move, *self.rules());
        self.position = self.start.clone();
        self.moves.clear();
        self.placed_handicap = 0;
        self.recorded = None;
        Ok(())
    }

    /// Says who moves first; moves made already stay.
    pub fn set_first_player(&mut self, color: Color) {
        self.start.set_to_move(color);
        if self.moves.is_empty() {
            self.position.set_to_move(color);
        }
        self.recorded = None;
    }

    /// Says how many of the stones set up are handicap stones.
    pub fn set_handicap(&mut self, stones: usize) {
        self.placed_handicap = stones;
    }

    /// The result that the record of this game names (`B+R`, `W+T`, `B+3.5`): what the players agreed on stands,
    /// until the game goes on or something else about it changes.
    pub fn recorded_result(&self) -> Option<&str> {
        self.recorded.as_deref()
    }

    /// Remembers the result that the record of this game names.
    pub fn set_recorded_result(&mut self, result: &str) {
        self.recorded = Some(result.into());
    }

    /// The outcome if the game ended here with these stones judged dead or in seki.
    pub fn outcome(&self, statuses: &Statuses) -> Outcome {
        score::outcome(&self.position, statuses, self.total_komi())
    }
}

/// Plays moves from a start; gives the index of the first illegal one and the reason.
fn replay(start: &Position, moves: &[(Color, Move)]) -> Result<Position, (usize, IllegalMove)> {
    let mut position = start.clone();
    for (i, &(color, mv)) in moves.iter().enumerate() {
        position.set_to_move(color);
        position.play(mv).map_err(|reason| (i, reason))?;
    }
    Ok(position)
}
