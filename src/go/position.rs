//! A board with the side to move, the rule set, and what ko, superko and the end of the game need to know of
//! the past.

use super::board::Board;
use super::color::{Cell, Color};
use super::point::{Move, Point, PointSet};
use super::rules::{KoRule, Ruleset};
use super::zobrist;

/// Why a move may not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// There is a stone on the point (or it is no point of the board).
    #[error("the point is occupied")]
    Occupied,
    /// The stone's own chain would have no liberty, and the rule set forbids that.
    #[error("suicide is forbidden")]
    Suicide,
    /// The play retakes a ko at once.
    #[error("the ko may not be retaken yet")]
    Ko,
    /// The play recreates an earlier position.
    #[error("the position would be repeated")]
    Superko,
    /// The side has no stone left (rule sets with a limited supply).
    #[error("no stones left to play")]
    NoStones,
    /// The game has ended in a way that allows no further play.
    #[error("the game is over")]
    GameOver,
}

/// What the rules know of a game in progress, except its komi and handicap.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    to_move: Color,
    rules: Ruleset,
    /// Hash of each situation so far in the form that the ko rule compares, the present one last.
    seen: Vec<u64>,
    /// Where in `seen` the situation after the last pass stands: a cycle is made of plays alone.
    after_pass: usize,
    /// A place for trying a play out before it is made.
    scratch: Box<Board>,
    consecutive_passes: u8,
    /// Who passed first, where the rule set has a button.
    button: Option<Color>,
    /// Stones that each side has put on the board by moves, by [`Color::index`].
    played: [u32; 2],
    /// Has the present situation occurred before, by plays? (Only possible under simple ko.)
    cycle: bool,
    first_to_capture: Option<Color>,
}

impl Position {
    /// The empty board with Black to move.
    ///
    /// # Panics
    /// If `size` is not a board size, see [`Board::new`].
    pub fn new(size: usize, rules: Ruleset) -> Position {
        Position::from_board(Board::new(size), Color::Black, rules)
    }

    /// A position without a past.
    pub fn from_board(board: Board, to_move: Color, rules: Ruleset) -> Position {
        let mut position = Position {
            scratch: Box::new(board.clone()),
            board,
            to_move,
            rules,
            seen: Vec::new(),
            after_pass: 0,
            consecutive_passes: 0,
            button: None,
            played: [0; 2],
            cycle: false,
            first_to_capture: None,
        };
        position.remember();
        position
    }

    /// Goes back to `root`, from which this position has been played on. Cheaper than a clone: nothing is
    /// allocated, and the common past is not copied.
    pub fn rewind_to(&mut self, root: &Position) {
        self.board.copy_from(&root.board);
        self.to_move = root.to_move;
        self.rules = root.rules;
        self.seen.truncate(root.seen.len());
        self.after_pass = root.after_pass;
        debug_assert_eq!(self.seen, root.seen);
        self.consecutive_passes = root.consecutive_passes;
        self.button = root.button;
        self.played = root.played;
        self.cycle = root.cycle;
        self.first_to_capture = root.first_to_capture;
    }

    /// The stones.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Rows, and columns.
    pub fn size(&self) -> usize {
        self.board.size()
    }

    /// Whose turn it is.
    #[inline(always)]
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// Gives the turn to a side (controllers may ask any side for a move). The ko stays as it is.
    pub fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
    }

    /// The rule set in force.
    #[inline(always)]
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// Passes in a row up to now (the one that took the button not counted), 255 for more.
    pub fn consecutive_passes(&self) -> u8 {
        self.consecutive_passes
    }

    /// Who has taken the button, where the rule set has one.
    pub fn button(&self) -> Option<Color> {
        self.button
    }

    /// Stones that a side has put on the board by moves, not counting set-up and handicap stones.
    pub fn played(&self, color: Color) -> u32 {
        self.played[color.index()]
    }

    /// Has the whole board come back to an earlier situation under simple ko, and by plays alone? (Who answers
    /// with a pass is not forced to repeat anything: sending two and returning one gains nothing. By plays alone,
    /// the sides taking turns, both have lost as many stones as they have played, so prisoners are even.)
    pub fn is_cycle(&self) -> bool {
        self.cycle
    }

    /// Who made the first capture, where that decides the game.
    pub fn first_to_capture(&self) -> Option<Color> {
        self.first_to_capture
    }

    /// Is the game over: two passes in a row, a cycle, or a first capture that decides it?
    pub fn is_over(&self) -> bool {
        self.consecutive_passes >= 2 || self.cycle || self.first_to_capture.is_some()
    }

    /// Forgets that the game has ended, so that it can go on: controllers ask for moves after two passes.
    pub fn reopen(&mut self) {
        self.consecutive_passes = 0;
        self.cycle = false;
    }

    /// May the side to move make this move under all rules in force?
    ///
    /// # Errors
    /// The reason why not.
    pub fn check(&mut self, mv: Move) -> Result<(), IllegalMove> {
        // A pass is legal at any time, even when there is nothing left to win.
        let Move::Play(point) = mv else { return Ok(()) };
        if self.first_to_capture.is_some() {
            return Err(IllegalMove::GameOver);
        }
        let Ruleset {
            ko,
            suicide: suicide_is_legal,
            supply,
            // What a move changes: `make` and `is_over`.
            button: _,
            long_cycle: _,
            first_capture: _,
            // What counts at the end: `score`.
            scoring: _,
            tax: _,
            dead_stones: _,
            handicap_bonus: _,
            komi: _,
        } = self.rules;
        let color = self.to_move;
        if self.board.cell(point) != Cell::Empty {
            return Err(IllegalMove::Occupied);
        }
        if supply.is_some_and(|supply| self.board.stones(color) >= u32::from(supply)) {
            return Err(IllegalMove::NoStones);
        }
        if self.board.is_ko(color, point) {
            return Err(IllegalMove::Ko);
        }
        let suicide = self.board.is_suicide(color, point);
        if suicide && !suicide_is_legal {
            return Err(IllegalMove::Suicide);
        }
        // Without a capture anywhere no position can come back.
        let may_repeat = suicide
            || self.board.captured(Color::Black) + self.board.captured(Color::White) > 0
            || self.board.captures_something(color, point);
        if ko != KoRule::Simple && may_repeat {
            self.scratch.copy_from(&self.board);
            self.scratch.place(color, point);
            let after = situation(ko, &self.scratch, color.other());
            if self.seen.contains(&after) {
                return Err(IllegalMove::Superko);
            }
        }
        Ok(())
    }

    /// Makes a move for the side to move.
    ///
    /// # Errors
    /// If a rule in force forbids it; the position is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.check(mv)?;
        self.make(mv);
        Ok(())
    }

    /// Makes a move that only superko can still forbid: the caller has asked [`Board::is_legal`]. Says whether
    /// it was legal; if not, the position is spoilt and has to be rewound.
    #[must_use]
    pub fn play_checking_superko(&mut self, mv: Move) -> bool {
        let known = self.seen.len();
        self.make(mv);
        self.rules.ko == KoRule::Simple || mv == Move::Pass || {
            let after = self.seen[known];
            !self.seen[..known].contains(&after)
        }
    }

    /// Makes a move without asking whether it is legal.
    fn make(&mut self, mv: Move) {
        let color = self.to_move;
        self.to_move = color.other();
        match mv {
            Move::Play(point) => {
                let captured = self.board.place(color, point);
                self.played[color.index()] += 1;
                self.consecutive_passes = 0;
                if captured > 0 && self.rules.first_capture {
                    self.first_to_capture = Some(color);
                }
                self.remember();
                if self.rules.ko == KoRule::Simple {
                    let (now, past) = self.seen.split_last().expect("remember has just pushed");
                    self.cycle = past[self.after_pass..].contains(now);
                }
            }
            Move::Pass => {
                self.board.clear_ko();
                self.cycle = false;
                if self.rules.button && self.button.is_none() {
                    self.button = Some(color);
                    self.consecutive_passes = 0;
                } else {
                    self.consecutive_passes = self.consecutive_passes.saturating_add(1);
                }
                self.after_pass = self.seen.len();
                self.remember();
            }
        }
    }

    fn remember(&mut self) {
        self.seen.push(situation(self.rules.ko, &self.board, self.to_move));
    }

    /// What playouts ask too, with the rule set's suicide and supply: everything but superko.
    #[inline]
    pub fn is_legal_but_superko(&self, point: Point) -> bool {
        let color = self.to_move;
        self.board.cell(point) == Cell::Empty
            && !self.board.is_ko(color, point)
            && (self.rules.suicide || !self.board.is_suicide(color, point))
            && self.rules.supply.is_none_or(|supply| self.board.stones(color) < u32::from(supply))
    }

    /// The empty points where a play of the side to move, legal otherwise, would bring back a situation that superko
    /// forbids. Nothing is tried out: what a play takes off tells the hash of the board after it.
    pub fn repeating(&self) -> PointSet {
        let mut found = PointSet::EMPTY;
        let (color, board) = (self.to_move, &self.board);
        if self.rules.ko == KoRule::Simple {
            return found;
        }
        // Most hashes are not among those seen, which one look at a table of bits tells (Bloom 1970).
        const BITS: u64 = 4096;
        let place = |hash: u64| ((hash % BITS / 64) as usize, 1 << (hash % 64));
        let mut known = [0_u64; (BITS / 64) as usize];
        for &hash in &self.seen {
            let (word, bit) = place(hash);
            known[word] |= bit;
        }
        let any_capture = board.captured(Color::Black) + board.captured(Color::White) > 0;
        for &point in board.empties() {
            let captures = board.captures_something(color, point);
            // Without a capture anywhere no position can come back.
            if !any_capture && !captures && !board.is_suicide(color, point) {
                continue;
            }
            let after = self.situation_after(point, captures);
            let (word, bit) = place(after);
            if known[word] & bit != 0 && self.seen.contains(&after) {
                found.insert(point);
            }
        }
        found
    }

    /// What the ko rule would compare after a play of the side to move on an empty point.
    fn situation_after(&self, point: Point, captures: bool) -> u64 {
        let (color, board) = (self.to_move, &self.board);
        let mut after = board.hash() ^ zobrist::stone(color, point);
        let suicide = !captures && board.is_suicide(color, point);
        if captures || suicide {
            let mut gone = [Point::NONE; 4];
            for (i, near) in board.adjacent(point).into_iter().enumerate() {
                let Some(side) = board.cell(near).color() else { continue };
                let head = board.head(near);
                // A suicide takes the chains around off, and the stone itself.
                let goes = if suicide { side == color } else { side != color && board.liberties(near).is_atari() };
                if goes && !gone[..i].contains(&head) {
                    gone[i] = head;
                    after = board.chain(near).fold(after, |hash, stone| hash ^ zobrist::stone(side, stone));
                }
            }
            if suicide {
                after ^= zobrist::stone(color, point);
            }
        }
        if self.rules.ko == KoRule::Situational {
            after ^= zobrist::to_move(color.other());
        }
        after
    }
}

/// What the ko rule compares: the stones alone, or the stones and the side to move. (Cycles under simple ko are
/// situations too.)
fn situation(ko: KoRule, board: &Board, to_move: Color) -> u64 {
    match ko {
        KoRule::Positional => board.hash(),
        KoRule::Situational | KoRule::Simple => board.hash() ^ zobrist::to_move(to_move),
    }
}
