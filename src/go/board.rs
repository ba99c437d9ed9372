//! The board: stones, chains, the simple-ko point and the hash. No turn, no history, no rule set.
//!
//! This is the hot file. Each kind of fact about points has its own array, so an access is one instruction and a row of
//! three neighbourhoods changes at once. Chains are circular lists of stones. The head's entries hold the chain's data.
//! When two chains merge, the smaller one is relabelled.
//!
//! Liberties are pseudo-liberties, kept as sums, see [`Liberties`]. `docs/performance.md` has the measurements.

mod invariants;

use super::color::{Cell, Color};
use super::liberties::Liberties;
use super::neighborhood::Neighborhood;
use super::point::{CAPACITY, MAX_POINTS, Point, PointMap, PointSet};
use super::size::Size;
use super::zobrist;

/// Stones, chains, ko and hash. The module's text describes the representation.
///
/// ```
/// use kosumi::go::{Board, Color, Point};
///
/// let size = 9;
/// let mut board = Board::new(size);
/// // White's stone in the corner has two liberties. Black takes both.
/// board.place(Color::White, Point::new(0, 0, size));
/// board.place(Color::Black, Point::new(1, 0, size));
/// assert!(board.liberties(Point::new(0, 0, size)).is_atari());
/// let captured = board.place(Color::Black, Point::new(0, 1, size));
/// assert_eq!(captured, 1);
/// // White may not play there again: the play would be suicide.
/// assert!(!board.is_legal(Color::White, Point::new(0, 0, size)));
/// ```
#[derive(Clone, Debug)]
pub struct Board {
    /// The cells around each point.
    around: PointMap<Neighborhood>,
    cells: PointMap<Cell>,
    /// The head of the stone's chain; the point itself if the point has no stone.
    head: PointMap<Point>,
    /// The next stone of the chain, in a circle.
    next: PointMap<Point>,
    /// Number of stones of the chain with this head.
    stones: PointMap<u16>,
    /// The index of an empty point in the list of empty points.
    slot: PointMap<u16>,
    /// Liberties of the chain with this head. On empty points and walls: a bin for updates that nobody reads.
    liberties: PointMap<Liberties>,
    /// What the point adds to the liberties of a stone next to it: one liberty if the point is empty, else none.
    gives: PointMap<Liberties>,
    empties: [Point; MAX_POINTS],
    empty_count: u16,
    size: Size,
    /// Array distance to the eight neighbours, in the order of [`Neighborhood`].
    offsets: [i16; 8],
    /// Where simple ko forbids the next play, or [`Point::NONE`].
    ko: Point,
    hash: u64,
    /// Stones of each side that were captured, suicides included, by [`Color::index`].
    captured: [u32; 2],
    /// Black stones minus white stones on the board.
    stone_balance: i32,
}

/// A stone of each side in the neighbourhoods around it, row by row from above. The fourth entry of a row lies beyond
/// the neighbourhood, because one instruction changes four entries.
const MARKS: [[[u16; 4]; 3]; 2] = {
    // The directions in which the neighbours lie; 8 is none.
    let rows = [[7, 0, 4, 8], [3, 8, 1, 8], [6, 2, 5, 8]];
    let mut marks = [[[0; 4]; 3]; 2];
    let mut i = 0;
    while i < 2 * 3 * 4 {
        let direction = rows[i / 4 % 3][i % 4];
        if direction < 8 {
            marks[i / 12][i / 4 % 3][i % 4] =
                (Color::BOTH[i / 12] as u16) << Neighborhood::shift(Neighborhood::opposite(direction));
        }
        i += 1;
    }
    marks
};

impl Board {
    /// An empty board.
    ///
    /// # Panics
    /// If no board has so many rows, see [`Size::square`].
    pub fn new(size: impl Into<Size>) -> Board {
        let size = size.into();
        let stride = size.stride() as i16;
        let mut board = Board {
            around: PointMap::filled(Neighborhood::EMPTY),
            cells: PointMap::filled(Cell::Border),
            head: PointMap::filled(Point::NONE),
            next: PointMap::filled(Point::NONE),
            stones: PointMap::filled(0),
            slot: PointMap::filled(0),
            liberties: PointMap::filled(Liberties::NONE),
            gives: PointMap::filled(Liberties::NONE),
            empties: [Point::NONE; MAX_POINTS],
            empty_count: 0,
            size,
            offsets: [stride, 1, -stride, -1, stride + 1, -stride + 1, -stride - 1, stride - 1],
            ko: Point::NONE,
            hash: 0,
            captured: [0; 2],
            stone_balance: 0,
        };
        for index in 0..CAPACITY {
            if let Some(p) = Point::from_index(index) {
                board.head[p] = p;
                board.next[p] = p;
            }
        }
        for p in board.points() {
            board.cells[p] = Cell::Empty;
            board.gives[p] = Liberties::of(p);
            board.push_empty(p);
        }
        for i in 0..board.empty_count as usize {
            let p = board.empties[i];
            let mut around = 0;
            for direction in 0..8 {
                if board.cell(board.toward(p, direction)) == Cell::Border {
                    around |= (Cell::Border as u16) << Neighborhood::shift(direction);
                }
            }
            board.around[p] = Neighborhood(around);
        }
        board
    }

    /// A board with these stones, in any order.
    ///
    /// # Errors
    /// The first point that was named twice, or whose stone leaves a chain without liberties.
    ///
    /// # Panics
    /// If no board has so many rows, or a point is not on a board of that size.
    pub fn with_stones(
        size: impl Into<Size>,
        stones: impl IntoIterator<Item = (Color, Point)>,
    ) -> Result<Board, Point> {
        let mut board = Board::new(size);
        for (color, point) in stones {
            assert_ne!(board.cell(point), Cell::Border, "{point:?} is no point of the board");
            // Fewer stones leave more liberties. So a chain captured on the way has no liberties at the end either.
            if board.cell(point) != Cell::Empty
                || board.is_suicide(color, point)
                || board.captures_something(color, point)
            {
                return Err(point);
            }
            board.place(color, point);
        }
        board.clear_ko();
        Ok(board)
    }

    /// Makes this board equal to another one of any size. On small boards this is cheaper than a clone: only the used
    /// part of the other board's arrays is copied.
    #[inline]
    pub fn copy_from(&mut self, other: &Board) {
        let area = other.size.padded();
        self.around.copy_prefix(&other.around, area);
        self.cells.copy_prefix(&other.cells, area);
        self.head.copy_prefix(&other.head, area);
        self.next.copy_prefix(&other.next, area);
        self.stones.copy_prefix(&other.stones, area);
        self.slot.copy_prefix(&other.slot, area);
        self.liberties.copy_prefix(&other.liberties, area);
        self.gives.copy_prefix(&other.gives, area);
        let empties = other.empty_count as usize;
        self.empties[..empties].copy_from_slice(&other.empties[..empties]);
        self.empty_count = other.empty_count;
        self.size = other.size;
        self.offsets = other.offsets;
        self.ko = other.ko;
        self.hash = other.hash;
        self.captured = other.captured;
        self.stone_balance = other.stone_balance;
    }

    /// Columns and rows.
    #[inline(always)]
    pub fn size(&self) -> Size {
        self.size
    }

    /// All points of the board, row by row from the bottom.
    pub fn points(&self) -> impl DoubleEndedIterator<Item = Point> + Clone + use<> {
        let size = self.size;
        size.places().map(move |(column, row)| Point::new(column, row, size))
    }

    /// What lies on a point.
    #[inline(always)]
    pub fn cell(&self, point: Point) -> Cell {
        self.cells[point]
    }

    /// The eight cells around a point of the board.
    #[inline(always)]
    pub fn around(&self, point: Point) -> Neighborhood {
        self.around[point]
    }

    /// The point next to another in a direction (0–7, [`Neighborhood`]'s order).
    #[inline(always)]
    pub fn toward(&self, point: Point, direction: usize) -> Point {
        point.offset(self.offsets[direction])
    }

    /// The four adjacent points, walls among them.
    #[inline(always)]
    pub fn adjacent(&self, point: Point) -> [Point; 4] {
        [0, 1, 2, 3].map(|direction| self.toward(point, direction))
    }

    /// The empty points, in no particular order.
    #[inline(always)]
    pub fn empties(&self) -> &[Point] {
        &self.empties[..self.empty_count as usize]
    }

    /// Where simple ko forbids the next play to both sides.
    #[inline(always)]
    pub fn ko(&self) -> Option<Point> {
        if self.ko == Point::NONE { None } else { Some(self.ko) }
    }

    /// Lifts the ban on the ko point, as a pass or a play elsewhere does.
    #[inline(always)]
    pub fn clear_ko(&mut self) {
        self.ko = Point::NONE;
    }

    /// A hash of the stones alone (Zobrist): equal boards have equal hashes.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Stones of this side that were captured or lost by suicide.
    #[inline(always)]
    pub fn captured(&self, color: Color) -> u32 {
        self.captured[color.index()]
    }

    /// Adds the stones that were captured on another board to this board's count.
    pub(super) fn inherit_captured(&mut self, other: &Board) {
        self.captured = other.captured;
    }

    /// Sets what the stones do not tell of the past.
    pub(super) fn set_past(&mut self, ko: Option<Point>, captured: [u32; 2]) {
        (self.ko, self.captured) = (ko.unwrap_or(Point::NONE), captured);
    }

    /// Black stones minus white stones on the board.
    #[inline(always)]
    pub fn stone_balance(&self) -> i32 {
        self.stone_balance
    }

    /// How many stones a side has on the board.
    #[inline]
    pub fn stones(&self, color: Color) -> u32 {
        let all = self.size.points() as i32 - i32::from(self.empty_count);
        ((all + color.sign() * self.stone_balance) / 2) as u32
    }

    /// The head of the chain of the stone on this point. The head identifies the chain until the next play.
    #[inline(always)]
    pub fn head(&self, stone: Point) -> Point {
        self.head[stone]
    }

    /// The liberties of the chain of the stone on this point.
    #[inline(always)]
    pub fn liberties(&self, stone: Point) -> Liberties {
        self.liberties[self.head[stone]]
    }

    /// Number of stones of the chain of the stone on this point.
    #[inline(always)]
    pub fn chain_len(&self, stone: Point) -> usize {
        self.stones[self.head[stone]] as usize
    }

    /// The stones of the chain of the stone on this point.
    #[inline]
    pub fn chain(&self, stone: Point) -> impl Iterator<Item = Point> + '_ {
        let mut at = stone;
        let mut left = self.chain_len(stone);
        std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let here = at;
            at = self.next[at];
            Some(here)
        })
    }

    /// The distinct liberties of a chain, up to the length of `found`. Returns the number written. Long chains with
    /// many liberties cost little, because the walk ends as soon as `found` is full.
    #[inline]
    pub fn first_liberties(&self, stone: Point, found: &mut [Point]) -> usize {
        let mut count = 0;
        for at in self.chain(stone) {
            let mut empty = self.around(at).empty_adjacent();
            while empty != 0 {
                let p = self.toward(at, empty.trailing_zeros() as usize / 2);
                empty &= empty - 1;
                if !found[..count].contains(&p) {
                    if count == found.len() {
                        return count;
                    }
                    found[count] = p;
                    count += 1;
                    if count == found.len() {
                        return count;
                    }
                }
            }
        }
        count
    }

    /// All distinct liberties of a chain.
    pub fn liberty_set(&self, stone: Point) -> PointSet {
        let mut set = PointSet::EMPTY;
        for at in self.chain(stone) {
            for p in self.adjacent(at) {
                if self.cell(p) == Cell::Empty {
                    set.insert(p);
                }
            }
        }
        set
    }

    /// May this side play here, as far as the board knows? The point must be empty and not the ko point, and the play
    /// no suicide. ([`Position`](super::Position) knows superko.)
    #[inline(always)]
    pub fn is_legal(&self, color: Color, point: Point) -> bool {
        self.cells[point] == Cell::Empty
            && (self.around[point].empty_adjacent() != 0 || self.is_legal_if_enclosed(color, point))
    }

    /// [`Board::is_legal`] for an empty point without an empty neighbour. Only there can a play be forbidden.
    #[inline]
    pub fn is_legal_if_enclosed(&self, color: Color, point: Point) -> bool {
        !self.is_ko(color, point) && self.has_breath(color, point)
    }

    /// Would this play retake a ko at once? (The side that has just captured in the ko may fill it.)
    #[inline(always)]
    pub fn is_ko(&self, color: Color, point: Point) -> bool {
        point == self.ko && !self.around[point].is_surrounded_by(color)
    }

    /// Would a stone of this side on an empty point capture a chain?
    #[inline]
    pub fn captures_something(&self, color: Color, point: Point) -> bool {
        self.around[point].adjacent(color.other()) & self.only_here(point) != 0
    }

    /// Would a stone of this side on an empty point capture nothing and leave its own chain without liberties?
    #[inline]
    pub fn is_suicide(&self, color: Color, point: Point) -> bool {
        self.around[point].empty_adjacent() == 0 && !self.has_breath(color, point)
    }

    /// Does a stone on an enclosed point get a liberty, from a chain of its side or from a capture?
    #[inline(always)]
    fn has_breath(&self, color: Color, point: Point) -> bool {
        let around = self.around[point];
        let last = self.only_here(point);
        around.adjacent(color) & !last | around.adjacent(color.other()) & last != 0
    }

    /// The adjacent stones whose chains have this empty point as their only liberty. The result is a mask with bit
    /// `2·direction` set for each; other bits mean nothing. The code has no branch, because none could be predicted.
    #[inline(always)]
    fn only_here(&self, point: Point) -> u16 {
        if self.cells[point] != Cell::Empty {
            return 0;
        }
        let here = self.gives[point];
        let mut mask = 0;
        // SAFETY: an empty point lies on the board.
        let around = unsafe { self.adjacent_on_board(point) };
        for (direction, near) in around.into_iter().enumerate() {
            mask |= u16::from(self.liberties(near).are_all(here)) << (2 * direction);
        }
        mask
    }

    /// Puts a stone on an empty point and sets the ko point. Captured chains are taken off; without a capture, so is
    /// the stone's own chain if it has no liberty. Returns the number of enemy stones captured.
    ///
    /// This method checks nothing: the caller has asked [`Board::is_legal`], or wants the suicide.
    ///
    /// # Panics
    /// If the point is not empty.
    #[inline(always)]
    pub fn place(&mut self, color: Color, point: Point) -> u32 {
        assert!(self.cells[point] == Cell::Empty, "a stone can only be put on an empty point");
        self.take_empty(point);
        self.hash ^= zobrist::stone(color, point);
        self.stone_balance += color.sign();
        self.ko = Point::NONE;

        let around = self.around[point];
        let gone = self.gives[point];
        let mut own = Liberties::NONE;
        let mut breathless = 0;
        // SAFETY: an empty point lies on the board.
        let adjacent = unsafe { self.adjacent_on_board(point) };
        for (direction, near) in adjacent.into_iter().enumerate() {
            own.add(self.gives[near]);
            let liberties = &mut self.liberties[self.head[near]];
            liberties.remove(gone);
            breathless |= u16::from(liberties.is_none()) << (2 * direction);
        }
        self.flip_around(point, color);
        self.cells[point] = color.cell();
        self.gives[point] = Liberties::NONE;

        // The stone joins the first adjacent chain without a comparison of lengths. Without an adjacent chain the stone
        // joins itself, a chain without stones and liberties so far. That saves a branch that could not be predicted.
        self.liberties[point] = Liberties::NONE;
        self.stones[point] = 0;
        let mut friends = around.adjacent(color);
        let first = match friends {
            0 => point,
            _ => self.toward(point, friends.trailing_zeros() as usize / 2),
        };
        let head = self.head[first];
        self.liberties[head].add(own);
        self.stones[head] += 1;
        self.head[point] = head;
        self.next[point] = std::mem::replace(&mut self.next[head], point);
        let mut strangers = 0;
        for (direction, near) in adjacent.into_iter().enumerate() {
            strangers |= u16::from(self.head[near] != head) << (2 * direction);
        }
        friends &= strangers;
        while friends != 0 {
            let stone = self.toward(point, friends.trailing_zeros() as usize / 2);
            friends &= friends - 1;
            self.join(point, stone);
        }
        // The last subtraction from a chain shows whether the chain has a liberty left.
        let mut dying = breathless & around.adjacent(color.other());
        let mut captured = 0;
        let mut last_captured = Point::NONE;
        while dying != 0 {
            let stone = self.toward(point, dying.trailing_zeros() as usize / 2);
            dying &= dying - 1;
            if self.cells[stone] == color.other().cell() {
                captured += self.remove_chain(stone, color.other());
                last_captured = stone;
            }
        }
        if captured == 0 {
            if self.liberties(point).is_none() {
                self.remove_chain(point, color);
            }
        } else if captured == 1 && self.chain_len(point) == 1 && self.liberties(point) == Liberties::of(last_captured) {
            // A single stone captured a single stone and has no other liberty: a retake would repeat the board.
            self.ko = last_captured;
        }
        captured
    }

    /// The four adjacent points, without a check that they lie in the array.
    ///
    /// # Safety
    /// The point must lie on the board.
    #[inline(always)]
    unsafe fn adjacent_on_board(&self, point: Point) -> [Point; 4] {
        let stride = self.size.stride() as i16;
        // SAFETY: a guard row lies below and above every point of the board, and an entry to the left and right.
        [stride, 1, -stride, -1].map(|delta| unsafe { point.offset_unchecked(delta) })
    }

    /// Adds or removes a stone in the neighbourhoods of the eight points around it.
    #[inline(always)]
    fn flip_around(&mut self, point: Point, color: Color) {
        let i = point.index();
        let stride = self.size.stride();
        for (start, marks) in [i + stride - 1, i - 1, i - stride - 1].into_iter().zip(&MARKS[color.index()]) {
            // SAFETY: only this file calls this function, with points of the board. The first entry is at most 675, for
            // the last point of the largest board, plus 26 − 1. With the three entries behind, the last is 703, below
            // CAPACITY.
            let row = unsafe { self.around.get_row_unchecked_mut(start) };
            for (near, mark) in row.iter_mut().zip(marks) {
                near.0 ^= mark;
            }
        }
    }

    /// Merges the chains of two stones of one side, if the chains differ.
    #[inline(always)]
    fn join(&mut self, a: Point, b: Point) {
        let (a, b) = (self.head[a], self.head[b]);
        if a == b {
            return;
        }
        let (long, short) = if self.stones[a] >= self.stones[b] { (a, b) } else { (b, a) };
        let joined = self.liberties[short];
        self.liberties[long].add(joined);
        self.stones[long] += self.stones[short];
        let mut at = short;
        loop {
            self.head[at] = long;
            at = self.next[at];
            if at == short {
                break;
            }
        }
        let next = self.next[long];
        self.next[long] = std::mem::replace(&mut self.next[short], next);
    }

    /// Takes a chain off the board. Returns its number of stones.
    fn remove_chain(&mut self, stone: Point, color: Color) -> u32 {
        let mut removed = 0;
        let mut at = stone;
        loop {
            self.push_empty(at);
            self.hash ^= zobrist::stone(color, at);
            self.flip_around(at, color);
            let free = Liberties::of(at);
            // SAFETY: a stone lies on the board.
            for near in unsafe { self.adjacent_on_board(at) } {
                // For a stone of the captured chain itself, the sum goes to a bin.
                self.liberties[self.head[near]].add(free);
            }
            self.cells[at] = Cell::Empty;
            self.gives[at] = free;
            self.head[at] = at;
            removed += 1;
            at = std::mem::replace(&mut self.next[at], at);
            if at == stone {
                break;
            }
        }
        self.captured[color.index()] += removed;
        self.stone_balance -= color.sign() * removed as i32;
        removed
    }

    #[inline(always)]
    fn push_empty(&mut self, point: Point) {
        let slot = self.empty_count as usize;
        self.empties[slot] = point;
        self.slot[point] = slot as u16;
        self.empty_count += 1;
    }

    #[inline(always)]
    fn take_empty(&mut self, point: Point) {
        self.empty_count -= 1;
        let last = self.empties[self.empty_count as usize];
        let slot = self.slot[point];
        self.empties[slot as usize] = last;
        self.slot[last] = slot;
    }

    /// Exchanges two entries of the list of empty points. A playout sets rejected points aside in this way.
    #[inline(always)]
    pub fn swap_empties(&mut self, a: usize, b: usize) {
        let (p, q) = (self.empties[a], self.empties[b]);
        self.empties[a] = q;
        self.empties[b] = p;
        self.slot[q] = a as u16;
        self.slot[p] = b as u16;
    }
}

/// Boards are equal when they have the same size, the same stones and the same ko point.
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.size == other.size && self.ko == other.ko && self.points().all(|p| self.cell(p) == other.cell(p))
    }
}

impl Eq for Board {}
