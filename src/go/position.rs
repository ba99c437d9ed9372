//! A board with the side to move, the rule set, and the past as far as ko, superko and the end of the game need it.

pub mod snapshot;

use super::board::Board;
use super::color::{Cell, Color};
use super::point::{Move, Point, PointSet};
use super::rules::{DeadStones, KoRule, Ruleset, Scoring};
use super::size::Size;
use super::zobrist;

/// Why a move may not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// A stone is on the point, or the point is not on the board.
    #[error("the point is occupied")]
    Occupied,
    /// The stone's own chain would have no liberty, and the rule set forbids suicide.
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
    /// The game has ended, and the rules allow no further play.
    #[error("the game is over")]
    GameOver,
}

/// What the rules know of a game in progress, except komi and handicap.
///
/// ```
/// use kosumi::go::{Color, IllegalMove, Move, Point, Position, rules::CHINESE};
///
/// let mut position = Position::new(9, CHINESE);
/// let centre = Move::Play(Point::new(4, 4, 9));
/// position.play(centre)?;
/// assert_eq!(position.to_move(), Color::White);
/// // An illegal move changes nothing.
/// assert_eq!(position.play(centre), Err(IllegalMove::Occupied));
/// position.play(Move::Pass)?;
/// position.play(Move::Pass)?;
/// assert!(position.is_over());
/// # Ok::<(), IllegalMove>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    to_move: Color,
    rules: Ruleset,
    /// Hash of each situation so far in the form that the ko rule compares. The present situation is the last.
    seen: Vec<u64>,
    /// The index in `seen` of the situation after the last pass. A cycle consists of plays alone.
    after_pass: usize,
    /// A board for trying out a play before it is made.
    scratch: Box<Board>,
    consecutive_passes: u8,
    /// The side that passed first, where the rule set has a button.
    button: Option<Color>,
    /// Stones that each side has put on the board by moves, by [`Color::index`].
    played: [u32; 2],
    /// Has the present situation occurred before, by plays alone? (Possible only under simple ko.)
    cycle: bool,
    first_to_capture: Option<Color>,
}

impl Position {
    /// The empty board with Black to move.
    ///
    /// # Panics
    /// If no board has so many rows, see [`Size::square`].
    pub fn new(size: impl Into<Size>, rules: Ruleset) -> Position {
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

    /// Goes back to `root`, from which this position has been played on. This is cheaper than a clone: nothing is
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

    /// Columns and rows of the board.
    pub fn size(&self) -> Size {
        self.board.size()
    }

    /// Whose turn it is.
    #[inline(always)]
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// Gives the turn to a side, because controllers may ask any side for a move. The ko point stays.
    pub fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
    }

    /// Says which side moves first, where no move has been made. The situation that must not come back is one of this
    /// side to move.
    pub fn set_first_to_move(&mut self, color: Color) {
        self.to_move = color;
        if let [first] = self.seen.as_mut_slice() {
            *first = situation(self.rules.ko, &self.board, color);
        }
    }

    /// Puts these stones on the board during a game, as records can, and gives the turn to a side. Prisoners, stones
    /// played and the button stay. The ko, the passes, the end of the game and all earlier situations are forgotten.
    pub fn set_up(&mut self, mut board: Board, to_move: Color) {
        board.inherit_captured(&self.board);
        let (played, button) = (self.played, self.button);
        *self = Position { played, button, ..Position::from_board(board, to_move, self.rules) };
    }

    /// The rule set in force.
    #[inline(always)]
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// Passes in a row up to now, without the one that took the button; 255 for more.
    pub fn consecutive_passes(&self) -> u8 {
        self.consecutive_passes
    }

    /// The side that has taken the button, where the rule set has one.
    pub fn button(&self) -> Option<Color> {
        self.button
    }

    /// Stones that a side has put on the board by moves, without set-up and handicap stones.
    pub fn played(&self, color: Color) -> u32 {
        self.played[color.index()]
    }

    /// Has the whole board returned to an earlier situation under simple ko, by plays alone? (A side that answers with
    /// a pass need not repeat anything, so sending two and returning one gains nothing. By plays alone, both sides have
    /// lost as many stones as they have played, so prisoners are even.)
    pub fn is_cycle(&self) -> bool {
        self.cycle
    }

    /// The side that made the first capture, where the first capture decides the game.
    pub fn first_to_capture(&self) -> Option<Color> {
        self.first_to_capture
    }

    /// Is the game over by two passes in a row, a cycle, or a first capture that decides it?
    pub fn is_over(&self) -> bool {
        self.consecutive_passes >= 2 || self.cycle || self.first_to_capture.is_some()
    }

    /// Reopens a game that has ended, because controllers ask for moves after two passes.
    pub fn reopen(&mut self) {
        self.consecutive_passes = 0;
        self.cycle = false;
    }

    /// Has a side passed, so that the next pass ends the game, and come dead stones off by agreement before the area is
    /// counted? A search knows no agreement: after its pass, the dead stones count as they stand.
    pub fn next_pass_needs_agreement(&self) -> bool {
        let by_agreement = self.rules.scoring == Scoring::Area && self.rules.dead_stones == DeadStones::Removed;
        by_agreement && self.consecutive_passes > 0
    }

    /// Lets a search look at the position for a person: a game that has ended is reopened, and a pass just made is
    /// forgotten where [the next one needs an agreement](Position::next_pass_needs_agreement).
    pub fn open_for_analysis(&mut self) {
        if self.next_pass_needs_agreement() || self.is_over() {
            self.reopen();
        }
    }

    /// Checks whether the side to move may make this move under all rules in force.
    ///
    /// # Errors
    /// The rule that forbids the move.
    pub fn check(&mut self, mv: Move) -> Result<(), IllegalMove> {
        // A pass is legal at any time, even when there is nothing left to win.
        let Move::Play(point) = mv else { return Ok(()) };
        // First of all: a record can go on after the end of the game, but never onto a stone.
        if self.board.cell(point) != Cell::Empty {
            return Err(IllegalMove::Occupied);
        }
        if self.first_to_capture.is_some() {
            return Err(IllegalMove::GameOver);
        }
        let Ruleset {
            ko,
            suicide: suicide_is_legal,
            supply,
            // These parts matter in `make` and `is_over`.
            button: _,
            long_cycle: _,
            first_capture: _,
            // These parts matter in `score`.
            scoring: _,
            tax: _,
            dead_stones: _,
            handicap_bonus: _,
            komi: _,
        } = self.rules;
        let color = self.to_move;
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
        // A position can occur again only after a capture.
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
    /// If a rule in force forbids the move; the position is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.check(mv)?;
        self.make(mv);
        Ok(())
    }

    /// Makes a move that only superko can still forbid: the caller has asked [`Board::is_legal`]. Returns whether the
    /// move was legal. If not, the position is invalid and has to be rewound.
    #[must_use]
    pub fn play_checking_superko(&mut self, mv: Move) -> bool {
        let known = self.seen.len();
        self.make(mv);
        self.rules.ko == KoRule::Simple || mv == Move::Pass || {
            let after = self.seen[known];
            !self.seen[..known].contains(&after)
        }
    }

    /// Makes a move without a check.
    fn make(&mut self, mv: Move) {
        let color = self.to_move;
        self.to_move = color.other();
        match mv {
            Move::Play(point) => {
                let captured = self.board.place(color, point);
                self.played[color.index()] += 1;
                self.consecutive_passes = 0;
                if captured > 0 && self.rules.first_capture {
                    // Records can go on after the end.
                    self.first_to_capture.get_or_insert(color);
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

    /// The check that playouts use too: every rule but superko.
    #[inline]
    pub fn is_legal_but_superko(&self, point: Point) -> bool {
        let color = self.to_move;
        self.board.cell(point) == Cell::Empty
            && !self.board.is_ko(color, point)
            && (self.rules.suicide || !self.board.is_suicide(color, point))
            && self.rules.supply.is_none_or(|supply| self.board.stones(color) < u32::from(supply))
    }

    /// The empty points where superko alone forbids a play of the side to move. No play is tried out: the stones that a
    /// play captures give the hash of the board after it.
    pub fn repeating(&self) -> PointSet {
        let mut found = PointSet::EMPTY;
        let (color, board) = (self.to_move, &self.board);
        if self.rules.ko == KoRule::Simple {
            return found;
        }
        // Most hashes are not in `seen`. One look at a table of bits shows that (Bloom 1970).
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
            // A position can occur again only after a capture.
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

    /// The hash that the ko rule would compare after a play of the side to move on an empty point.
    fn situation_after(&self, point: Point, captures: bool) -> u64 {
        let (color, board) = (self.to_move, &self.board);
        let mut after = board.hash() ^ zobrist::stone(color, point);
        let suicide = !captures && board.is_suicide(color, point);
        if captures || suicide {
            let mut gone = [Point::NONE; 4];
            for (i, near) in board.adjacent(point).into_iter().enumerate() {
                let Some(side) = board.cell(near).color() else { continue };
                let head = board.head(near);
                // A suicide takes off the chains around the stone, and the stone itself.
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

/// The hash that the ko rule compares: of the stones alone, or of the stones and the side to move. (Cycles under simple
/// ko compare the latter too.)
fn situation(ko: KoRule, board: &Board, to_move: Color) -> u64 {
    match ko {
        KoRule::Positional => board.hash(),
        KoRule::Situational | KoRule::Simple => board.hash() ^ zobrist::to_move(to_move),
    }
}
