//! The game so far: a cursor on a [`Record`] with the position there, undo, handicap and komi.
//!
//! [`line`] keeps the positions, [`cursor`] goes from node to node, [`load`] makes games from records and records from
//! games. `sgf` reads and writes the text of records.
//!
//! ```
//! use kosumi::game::Game;
//! use kosumi::go::{Color, Move, Point, rules::CHINESE};
//!
//! let mut game = Game::new(9, CHINESE, None);
//! let centre = Move::Play(Point::new(4, 4, 9));
//! game.play(Color::Black, centre)?;
//! game.undo(1)?;
//! assert!(game.moves().is_empty());
//! // The record keeps the first move. Another move becomes a variation.
//! game.play(Color::Black, Move::Pass)?;
//! game.back();
//! let variations = game.variations();
//! assert_eq!(variations.len(), 2);
//! game.go_to(variations[0])?;
//! assert_eq!(game.moves(), [(Color::Black, centre)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cursor;
pub mod error;
mod follow;
mod line;
pub mod load;

use crate::go::{Board, Color, IllegalMove, Komi, Move, Outcome, Point, Position, Ruleset, Size, Statuses, score};
use crate::record::meaning::point_value;
use crate::record::{NodeId, Record};

pub use error::{CannotFollow, CannotUndo, RulesConflict, SetupError};
use follow::follow;
use line::Line;
pub use load::LoadError;

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    record: Record,
    /// The node of the present position.
    cursor: NodeId,
    line: Line,
    /// The rule set that the user has chosen. The record may name another one.
    chosen_rules: Ruleset,
    /// Komi, if the user has chosen a value.
    komi: Option<Komi>,
    /// The komi that the record names, until the user chooses one.
    recorded_komi: Option<Komi>,
    /// The result that the record names, and the node at which the result stands.
    recorded: Option<(NodeId, String)>,
    /// Number of nodes of the record when it was loaded.
    loaded: usize,
    /// Has the game changed since it was loaded?
    changed: bool,
    /// Has the user chosen other rules since the record was loaded?
    rules_changed: bool,
}

impl Game {
    /// A new game on the empty board.
    ///
    /// # Panics
    /// If `size` is not a board size, see [`Board::new`].
    pub fn new(size: impl Into<Size>, rules: Ruleset, komi: Option<Komi>) -> Game {
        let size = size.into();
        Game {
            record: Record::new(size),
            cursor: NodeId::ROOT,
            line: Line::new(size, rules),
            chosen_rules: rules,
            komi,
            recorded_komi: None,
            recorded: None,
            loaded: 1,
            changed: false,
            rules_changed: false,
        }
    }

    /// Columns and rows of the board.
    pub fn size(&self) -> Size {
        self.line.position.size()
    }

    /// The rule set in force.
    pub fn rules(&self) -> &Ruleset {
        self.line.position.rules()
    }

    /// The rule set that the user has chosen. The next game uses it; in this game the record may name another one.
    pub fn chosen_rules(&self) -> &Ruleset {
        &self.chosen_rules
    }

    /// The present position.
    pub fn position(&self) -> &Position {
        &self.line.position
    }

    /// The position from which [`Game::moves`] are counted: the empty board, or the position after the last set-up of
    /// stones, even in mid-game.
    pub fn start(&self) -> &Position {
        &self.line.start
    }

    /// Identifies the start as far as rules and scoring depend on it: by the stones, and by prisoners and button. Only
    /// a set-up in mid-game leaves prisoners or a button; without them the key is the hash of the board.
    pub fn start_key(&self) -> u64 {
        let start = self.start();
        let board = start.board();
        // Odd constants, so that different counts below 2^32 give different keys (the fractions of the golden ratio and
        // of √2).
        let mut key = board.hash();
        key ^= u64::from(board.captured(Color::Black)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        key ^= u64::from(board.captured(Color::White)).wrapping_mul(0x6a09_e667_f3bc_c909);
        if let Some(color) = start.button() {
            key = key.rotate_left(1 + color.index() as u32);
        }
        key
    }

    /// The moves since the start, including recorded moves that the rule set forbids.
    pub fn moves(&self) -> &[(Color, Move)] {
        &self.line.moves
    }

    /// Number of handicap stones, 0 in an even game. Stones set as a handicap count. So do two or more stones that
    /// Black played in a row before White's first play, as many controllers set a handicap.
    ///
    /// Controllers also set up positions by plays, all of Black's first or in the order of the board. So stones in a
    /// row count as a handicap under two conditions only: the sides take turns from White's first play on (up to the
    /// first two passes in a row), and the number is one that handicaps have. Some send a position's black stones as a
    /// handicap and the white ones as plays: two plays of White's at once are no answer to a handicap.
    pub fn handicap(&self) -> usize {
        self.line.handicap()
    }

    /// Komi as `get_komi` reports it: the record's, the user's, or the rule set's for this size and handicap.
    /// Compensation for handicap stones is added in [`Game::total_komi`].
    pub fn komi(&self) -> Komi {
        let given = self.recorded_komi.or(self.komi);
        given.unwrap_or_else(|| self.rules().default_komi(self.size(), self.handicap()))
    }

    /// Komi, if the user has chosen a value. The next game uses it; in this game the record may name another value.
    pub fn chosen_komi(&self) -> Option<Komi> {
        self.komi
    }

    /// Chooses komi for this game.
    pub fn set_komi(&mut self, komi: Komi) {
        self.komi = Some(komi);
        self.recorded_komi = None;
        self.change();
    }

    /// Komi plus the rule set's compensation for the handicap stones.
    pub fn total_komi(&self) -> Komi {
        let bonus = self.rules().handicap_bonus.points(self.handicap());
        self.komi().plus(bonus)
    }

    /// Puts another rule set in force, for the moves so far too.
    ///
    /// # Errors
    /// If the new rule set forbids a move that the present one allows; nothing changes then.
    pub fn set_rules(&mut self, rules: Ruleset) -> Result<(), RulesConflict> {
        let mut line = Line::new(self.size(), rules);
        let mut way: Vec<NodeId> = self.record.ancestors(self.cursor).collect();
        way.reverse();
        let mut conflict = None;
        let mut number = 0;
        let mut marks = Vec::new();
        let followed = follow(&self.record, &mut line, &way, |node, forbidden| {
            number += 1;
            marks.push((node, forbidden));
            match forbidden {
                Some(reason) if self.record.forbidden(node).is_none() => {
                    conflict = Some(RulesConflict { number, reason });
                    Err(CannotFollow::Illegal { number, reason })
                }
                _ => Ok(()),
            }
        });
        if let Some(conflict) = conflict {
            return Err(conflict);
        }
        // The stones after a move do not depend on rules. So a line that could be followed before can be followed now.
        followed.map_err(|_| RulesConflict { number, reason: IllegalMove::Occupied })?;
        self.line = line;
        for (node, forbidden) in marks {
            self.record.mark(node, forbidden);
        }
        self.chosen_rules = rules;
        self.rules_changed = true;
        self.change();
        Ok(())
    }

    /// Chooses the rule set of the next game. This game keeps its own.
    pub fn set_rules_of_next_game(&mut self, rules: Ruleset) {
        self.chosen_rules = rules;
    }

    /// Plays a move for a side, even out of turn. If the record has the move already, the game continues in the record.
    /// Else the move becomes a variation.
    ///
    /// # Errors
    /// If a rule in force forbids the move; nothing changes then.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        self.line.play(color, mv)?;
        self.follow(color, mv, None);
        Ok(())
    }

    /// Plays a move that a server has allowed. The move may be a suicide or repeat an earlier position, whatever the rules
    /// in force say of this. The record then has the mark of a forbidden move.
    ///
    /// # Errors
    /// If another rule forbids the move; nothing changes then.
    pub fn play_as_server(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        match self.play(color, mv) {
            Err(IllegalMove::Superko | IllegalMove::Suicide) => {
                let tip = self.line.moves.len() + 1;
                let forbidden = self.line.add(color, mv, tip)?;
                self.follow(color, mv, forbidden);
                Ok(())
            }
            result => result,
        }
    }

    /// Goes on in the record to a move that has been played, and adds the move where the record lacks it.
    fn follow(&mut self, color: Color, mv: Move, forbidden: Option<IllegalMove>) {
        let size = self.size();
        match self.record.child_with_move(self.cursor, color, mv, size) {
            Some(child) => self.cursor = child,
            None => {
                self.cursor = self.record.add_move(self.cursor, color, mv, size);
                // The result still stands at the end of the recorded line.
                self.changed = true;
            }
        }
        self.record.mark(self.cursor, forbidden);
    }

    /// Takes back the last `count` moves. Stones that were set up before them stay. The record keeps the moves, and
    /// [`Game::forward`] makes them again.
    ///
    /// # Errors
    /// If the game has fewer moves; nothing changes then.
    pub fn undo(&mut self, count: usize) -> Result<(), CannotUndo> {
        let mut to = self.cursor;
        let mut left = count;
        while left > 0 {
            left -= usize::from(self.record.has_move(to));
            to = self.record.parent(to).ok_or(CannotUndo)?;
        }
        if to != self.cursor {
            self.retreat(to);
        }
        Ok(())
    }

    /// Puts Black's handicap stones on the empty board, with White to move. A new record begins. Passes before it are
    /// forgotten: Sabaki sends them where a node before the stones has one.
    ///
    /// # Errors
    /// If stones or plays exist already, or a point is named twice; nothing changes then.
    pub fn place_handicap(&mut self, points: &[Point]) -> Result<(), SetupError> {
        let untouched = self.start().board().empties().len() == self.size().points();
        let has_plays = self.moves().iter().any(|&(_, mv)| mv != Move::Pass);
        if self.line.before > 0 || has_plays || !untouched {
            return Err(SetupError::BoardNotEmpty);
        }
        self.begin(points.iter().map(|&p| (Color::Black, p)), Color::White, points.len())
    }

    /// Starts again from these stones, with a new record.
    ///
    /// # Errors
    /// If the stones are no position; nothing changes then.
    pub fn set_up(
        &mut self,
        stones: impl IntoIterator<Item = (Color, Point)>,
        to_move: Color,
    ) -> Result<(), SetupError> {
        self.begin(stones, to_move, 0)
    }

    fn begin(
        &mut self,
        stones: impl IntoIterator<Item = (Color, Point)>,
        to_move: Color,
        handicap: usize,
    ) -> Result<(), SetupError> {
        let size = self.size();
        let board = Board::with_stones(size, stones).map_err(|_| SetupError::Stones)?;
        let mut record = Record::new(size);
        let has_stones = board.empties().len() < size.points();
        if handicap >= 2 {
            record.set(NodeId::ROOT, "HA", &[&handicap.to_string()]);
        }
        for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
            let stones = board.points().filter(|&p| board.cell(p) == color.cell());
            let values: Vec<String> = stones.map(|p| point_value(p, size)).collect();
            if !values.is_empty() {
                record.set(NodeId::ROOT, name, &values.iter().map(String::as_str).collect::<Vec<_>>());
            }
        }
        if has_stones || to_move != Color::Black {
            record.set(NodeId::ROOT, "PL", &[&to_move.letter().to_string()]);
        }
        self.line = Line::from(Position::from_board(board, to_move, *self.rules()));
        self.line.placed_handicap = has_stones.then_some(handicap);
        self.record = record;
        self.cursor = NodeId::ROOT;
        self.loaded = 1;
        self.change();
        Ok(())
    }

    /// Sets the side that moves first. Moves made already stay.
    pub fn set_first_player(&mut self, color: Color) {
        self.line.start.set_first_to_move(color);
        if self.line.moves.is_empty() {
            self.line.position.set_first_to_move(color);
        }
        self.record.set(self.line.node, "PL", &[&color.letter().to_string()]);
        self.change();
    }

    /// Sets how many of the set-up stones are handicap stones.
    pub fn set_handicap(&mut self, stones: usize) {
        self.line.placed_handicap = Some(stones).filter(|&stones| stones > 0 || self.line.placed_handicap.is_some());
        self.record.set(self.line.node, "HA", &[&stones.to_string()]);
    }

    /// The result that the record of this game names (`B+R`, `W+T`, `B+3.5`). The players' result stands at the end of
    /// the main line, and nowhere else. It goes when komi, rules or the start change.
    pub fn recorded_result(&self) -> Option<&str> {
        self.recorded.as_ref().filter(|(node, _)| *node == self.cursor).map(|(_, result)| result.as_str())
    }

    /// Remembers the result that the record of this game names.
    pub fn set_recorded_result(&mut self, result: &str) {
        self.recorded = Some((self.cursor, result.into()));
    }

    /// Notes that the game differs from the recorded one.
    fn change(&mut self) {
        self.recorded = None;
        self.changed = true;
    }

    /// The outcome if the game ended here, with these stones judged dead or in seki.
    pub fn outcome(&self, statuses: &Statuses) -> Outcome {
        score::outcome(self.position(), statuses, self.total_komi())
    }
}
