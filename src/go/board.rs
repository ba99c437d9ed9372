//! The board: stones, chains, the simple-ko point and the hash. No turn, no history, no rule set.
//!
//! This is the hot file. Each point has one record of 24 bytes, so that all that a move touches around a point
//! lies together and a playout's copy of the board is one short block. Chains are circular lists of stones with
//! the head's record holding the chain's data; on merging the smaller chain is relabelled.
//!
//! Liberties are pseudo-liberties, kept as sums, see [`Liberties`].

use super::color::{Cell, Color};
use super::liberties::Liberties;
use super::neighborhood::Neighborhood;
use super::point::{CAPACITY, MAX_POINTS, MAX_SIZE, MIN_SIZE, Point, PointMap, PointSet};
use super::zobrist;

/// What the board keeps for a point. The chain's data are those in its head's record.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// Of the chain whose head this is; on empty points and walls a bin for updates that nobody reads.
    liberties: Liberties,
    /// The cells around.
    around: Neighborhood,
    /// The head of the stone's chain; the point itself if there is no stone.
    head: Point,
    /// The next stone of the chain, in a circle.
    next: Point,
    /// Where an empty point stands in the list of empty points.
    slot: u16,
    /// Stones of the chain whose head this is.
    stones: u16,
    cell: Cell,
}

/// Stones, chains, ko and hash. See the module's text for the representation.
#[derive(Clone)]
pub struct Board {
    records: PointMap<Record>,
    empties: [Point; MAX_POINTS],
    empty_count: u16,
    size: u8,
    /// Array distance to the eight neighbours, in [`Neighborhood`]'s order.
    offsets: [i16; 8],
    /// Where simple ko forbids the next play, or [`Point::NONE`].
    ko: Point,
    hash: u64,
    /// Stones of each side that were captured (suicides included), by [`Color::index`].
    captured: [u32; 2],
    /// Black stones minus white stones on the board.
    stone_balance: i32,
}

impl Board {
    /// An empty board.
    ///
    /// # Panics
    /// If `size` is outside [`MIN_SIZE`]`..=`[`MAX_SIZE`].
    pub fn new(size: usize) -> Board {
        assert!((MIN_SIZE..=MAX_SIZE).contains(&size), "board size {size} is outside {MIN_SIZE}..={MAX_SIZE}");
        let stride = size as i16 + 1;
        let wall = Record {
            liberties: Liberties::NONE,
            around: Neighborhood::EMPTY,
            head: Point::NONE,
            next: Point::NONE,
            slot: 0,
            stones: 0,
            cell: Cell::Border,
        };
        let mut board = Board {
            records: PointMap::filled(wall),
            empties: [Point::NONE; MAX_POINTS],
            empty_count: 0,
            size: size as u8,
            offsets: [stride, 1, -stride, -1, stride + 1, -stride + 1, -stride - 1, stride - 1],
            ko: Point::NONE,
            hash: 0,
            captured: [0; 2],
            stone_balance: 0,
        };
        for index in 0..CAPACITY {
            if let Some(p) = Point::from_index(index) {
                board.records[p].head = p;
                board.records[p].next = p;
            }
        }
        for row in 0..size {
            for column in 0..size {
                let p = Point::new(column, row, size);
                board.records[p].cell = Cell::Empty;
                board.push_empty(p);
            }
        }
        for i in 0..board.empty_count as usize {
            let p = board.empties[i];
            let mut around = 0;
            for direction in 0..8 {
                if board.records[board.toward(p, direction)].cell == Cell::Border {
                    around |= (Cell::Border as u16) << Neighborhood::shift(direction);
                }
            }
            board.records[p].around = Neighborhood(around);
        }
        board
    }

    /// A board with these stones, in any order.
    ///
    /// # Errors
    /// The first point that was named twice, or whose stone would leave a chain without liberties.
    ///
    /// # Panics
    /// If `size` is outside [`MIN_SIZE`]`..=`[`MAX_SIZE`], or a point is not on a board of that size.
    pub fn with_stones(size: usize, stones: impl IntoIterator<Item = (Color, Point)>) -> Result<Board, Point> {
        let mut board = Board::new(size);
        for (color, point) in stones {
            assert_ne!(board.cell(point), Cell::Border, "{point:?} is no point of the board");
            // Fewer stones only leave more liberties, so what is captured on the way has none at the end either.
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

    /// Makes this board equal to another one of any size. Cheaper than a clone on small boards: only the part
    /// of the arrays that the other board uses is copied.
    #[inline]
    pub fn copy_from(&mut self, other: &Board) {
        let size = other.size as usize;
        self.records.copy_prefix(&other.records, (size + 2) * (size + 1) + 1);
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

    /// Rows, and columns.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.size as usize
    }

    /// All points of the board, row by row from the bottom.
    pub fn points(&self) -> impl DoubleEndedIterator<Item = Point> + Clone + use<> {
        let size = self.size();
        (0..size * size).map(move |i| Point::new(i % size, i / size, size))
    }

    /// What lies on a point.
    #[inline(always)]
    pub fn cell(&self, point: Point) -> Cell {
        self.records[point].cell
    }

    /// The eight cells around a point of the board.
    #[inline(always)]
    pub fn around(&self, point: Point) -> Neighborhood {
        self.records[point].around
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

    /// Ends the prohibition of the ko point, as a pass or a play elsewhere does.
    #[inline(always)]
    pub fn clear_ko(&mut self) {
        self.ko = Point::NONE;
    }

    /// A hash of the stones alone (Zobrist): equal boards have equal hashes.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Stones of this side that have been taken off, by capture or suicide.
    #[inline(always)]
    pub fn captured(&self, color: Color) -> u32 {
        self.captured[color.index()]
    }

    /// Black stones minus white stones on the board.
    #[inline(always)]
    pub fn stone_balance(&self) -> i32 {
        self.stone_balance
    }

    /// How many stones a side has on the board.
    #[inline]
    pub fn stones(&self, color: Color) -> u32 {
        let all = (self.size() * self.size()) as i32 - i32::from(self.empty_count);
        ((all + color.sign() * self.stone_balance) / 2) as u32
    }

    /// The head of the chain of the stone on this point: the name of the chain until the next play.
    #[inline(always)]
    pub fn head(&self, stone: Point) -> Point {
        self.records[stone].head
    }

    /// The liberties of the chain of the stone on this point.
    #[inline(always)]
    pub fn liberties(&self, stone: Point) -> Liberties {
        self.records[self.records[stone].head].liberties
    }

    /// How many stones the chain of the stone on this point has.
    #[inline(always)]
    pub fn chain_len(&self, stone: Point) -> usize {
        self.records[self.records[stone].head].stones as usize
    }

    /// The stones of the chain of the stone on this point.
    #[inline]
    pub fn chain(&self, stone: Point) -> impl Iterator<Item = Point> + '_ {
        let mut at = stone;
        let mut left = self.chain_len(stone);
        std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let here = at;
            at = self.records[at].next;
            Some(here)
        })
    }

    /// The distinct liberties of a chain, up to as many as `found` has room for. Gives how many were written.
    /// Long chains with many liberties cost little: the walk ends as soon as `found` is full.
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

    /// May this side play here as far as the board knows: the point is empty, not the ko point, and the play is
    /// no suicide? (Superko is [`Position`](super::Position)'s to know.)
    #[inline(always)]
    pub fn is_legal(&self, color: Color, point: Point) -> bool {
        let record = &self.records[point];
        if record.cell != Cell::Empty {
            return false;
        }
        record.around.empty_adjacent() != 0 || self.is_legal_if_enclosed(color, point)
    }

    /// The same for an empty point without an empty neighbour, on which alone a play can be forbidden.
    #[inline]
    pub fn is_legal_if_enclosed(&self, color: Color, point: Point) -> bool {
        !self.is_ko(color, point) && !self.is_suicide(color, point)
    }

    /// Would this play retake a ko at once? (The side that has just taken it may fill it.)
    #[inline(always)]
    pub fn is_ko(&self, color: Color, point: Point) -> bool {
        point == self.ko && !self.records[point].around.is_surrounded_by(color)
    }

    /// Would a stone of this side on an empty point capture something?
    #[inline]
    pub fn captures_something(&self, color: Color, point: Point) -> bool {
        let mut enemy = self.records[point].around.adjacent(color.other());
        while enemy != 0 {
            let stone = self.toward(point, enemy.trailing_zeros() as usize / 2);
            if self.liberties(stone).is_atari() {
                return true;
            }
            enemy &= enemy - 1;
        }
        false
    }

    /// Would a stone of this side on an empty point leave its own chain without liberties, capturing nothing?
    #[inline]
    pub fn is_suicide(&self, color: Color, point: Point) -> bool {
        let around = self.records[point].around;
        if around.empty_adjacent() != 0 {
            return false;
        }
        // The point is a liberty of every chain around it, so a chain in atari has no other.
        let mut own = around.adjacent(color);
        while own != 0 {
            let stone = self.toward(point, own.trailing_zeros() as usize / 2);
            if !self.liberties(stone).is_atari() {
                return false;
            }
            own &= own - 1;
        }
        !self.captures_something(color, point)
    }

    /// Puts a stone on an empty point, takes off what it captures (or its own chain, if it captures nothing and
    /// has no liberty left) and sets the ko point. Gives the number of enemy stones captured.
    ///
    /// Asks nothing: the caller has asked [`Board::is_legal`], or wants the suicide.
    #[inline]
    pub fn place(&mut self, color: Color, point: Point) -> u32 {
        assert!(self.records[point].cell == Cell::Empty, "a stone can only be put on an empty point");
        self.take_empty(point);
        self.hash ^= zobrist::stone(color, point);
        self.stone_balance += color.sign();
        self.ko = Point::NONE;

        let i = point.index();
        // An empty point lies on the board.
        let near = self.adjacent_indices(i);
        let around = self.records[point].around;
        let empty = u64::from(around.empty_adjacent());
        let gone = Liberties::of(point);
        let mut own = Liberties::NONE;
        let mut breathless = 0;
        for (direction, &j) in near.iter().enumerate() {
            // All ones where the neighbour is empty: an addition without a branch.
            let mask = (empty >> (2 * direction) & 1).wrapping_neg();
            own.add_masked(Liberties::of_index(j), mask);
            let head = self.at(j).head;
            let liberties = &mut self.records[head].liberties;
            liberties.remove(gone);
            breathless |= u16::from(liberties.is_none()) << (2 * direction);
        }
        self.flip_around(i, color);
        let record = &mut self.records[point];
        record.cell = color.cell();

        let mut friends = around.adjacent(color);
        if friends == 0 {
            record.liberties = own;
            record.stones = 1;
        } else {
            // The stone joins the first chain without a comparison of lengths.
            let stone = Point::from_board_index(near[friends.trailing_zeros() as usize / 2]);
            friends &= friends - 1;
            let head = self.records[stone].head;
            let chain = &mut self.records[head];
            chain.liberties.add(own);
            chain.stones += 1;
            let second = std::mem::replace(&mut chain.next, point);
            let record = &mut self.records[point];
            record.head = head;
            record.next = second;
            while friends != 0 {
                let stone = Point::from_board_index(near[friends.trailing_zeros() as usize / 2]);
                friends &= friends - 1;
                self.join(point, stone);
            }
        }
        // The last subtraction from a chain tells whether it has no liberty left.
        let mut dying = breathless & around.adjacent(color.other());
        let mut captured = 0;
        let mut last_captured = Point::NONE;
        while dying != 0 {
            let stone = Point::from_board_index(near[dying.trailing_zeros() as usize / 2]);
            dying &= dying - 1;
            if self.records[stone].cell == color.other().cell() {
                captured += self.remove_chain(stone, color.other());
                last_captured = stone;
            }
        }
        if captured == 0 {
            if self.liberties(point).is_none() {
                self.remove_chain(point, color);
            }
        } else if captured == 1 && self.chain_len(point) == 1 && self.liberties(point) == Liberties::of(last_captured) {
            // A lone stone that took a lone stone and has no other liberty: retaking would repeat the board.
            self.ko = last_captured;
        }
        captured
    }

    /// The array indices of the four points next to a point of the board.
    #[inline(always)]
    fn adjacent_indices(&self, i: usize) -> [usize; 4] {
        let stride = self.size as usize + 1;
        [i + stride, i + 1, i - stride, i - 1]
    }

    /// The record at an array index next to a point of the board.
    #[inline(always)]
    fn at(&mut self, i: usize) -> &mut Record {
        debug_assert!(i < CAPACITY);
        // SAFETY: only this file calls it, with indices of points next to an empty point or a stone; those lie on
        // the board, and their eight neighbours within the padded array, which is shorter than CAPACITY.
        unsafe { self.records.get_unchecked_mut(i) }
    }

    /// Marks a stone as come or gone in the neighbourhoods of the eight points around it.
    #[inline(always)]
    fn flip_around(&mut self, i: usize, color: Color) {
        let stride = self.size as usize + 1;
        let (up, down) = (i + stride, i - stride);
        let around = [up, i + 1, down, i - 1, up + 1, down + 1, down - 1, up - 1];
        for (direction, j) in around.into_iter().enumerate() {
            self.at(j).around.0 ^= (color as u16) << Neighborhood::shift(Neighborhood::opposite(direction));
        }
    }

    /// Joins the chains of two stones of one side, if they are two.
    #[inline(always)]
    fn join(&mut self, a: Point, b: Point) {
        let (a, b) = (self.records[a].head, self.records[b].head);
        if a == b {
            return;
        }
        let (long, short) = if self.records[a].stones >= self.records[b].stones { (a, b) } else { (b, a) };
        let joined = self.records[short];
        self.records[long].liberties.add(joined.liberties);
        self.records[long].stones += joined.stones;
        let mut at = short;
        loop {
            let record = &mut self.records[at];
            record.head = long;
            at = record.next;
            if at == short {
                break;
            }
        }
        self.records[short].next = self.records[long].next;
        self.records[long].next = joined.next;
    }

    /// Takes a chain off the board; gives its number of stones.
    fn remove_chain(&mut self, stone: Point, color: Color) -> u32 {
        let mut removed = 0;
        let mut at = stone;
        loop {
            let next = self.records[at].next;
            let i = at.index();
            self.push_empty(at);
            self.hash ^= zobrist::stone(color, at);
            self.flip_around(i, color);
            let free = Liberties::of(at);
            for j in self.adjacent_indices(i) {
                let head = self.at(j).head;
                self.records[head].liberties.add(free);
            }
            self.records[at].cell = Cell::Empty;
            removed += 1;
            at = next;
            if at == stone {
                break;
            }
        }
        // Heads are reset only now: while stones are taken off, their liberties must go to the dying chain.
        loop {
            let next = self.records[at].next;
            self.records[at].head = at;
            self.records[at].next = at;
            at = next;
            if self.records[at].next == at {
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
        self.records[point].slot = slot as u16;
        self.empty_count += 1;
    }

    #[inline(always)]
    fn take_empty(&mut self, point: Point) {
        self.empty_count -= 1;
        let last = self.empties[self.empty_count as usize];
        let slot = self.records[point].slot;
        self.empties[slot as usize] = last;
        self.records[last].slot = slot;
    }

    /// Exchanges two entries of the list of empty points: how a playout sets points aside that it has rejected.
    #[inline(always)]
    pub fn swap_empties(&mut self, a: usize, b: usize) {
        let (p, q) = (self.empties[a], self.empties[b]);
        self.empties[a] = q;
        self.empties[b] = p;
        self.records[q].slot = a as u16;
        self.records[p].slot = b as u16;
    }

    /// Checks every invariant against a computation from the stones alone.
    ///
    /// # Panics
    /// If one does not hold. For tests and debugging: it is slow.
    pub fn check(&self) {
        let mut hash = 0;
        let mut balance = 0;
        let mut empties = 0;
        for p in self.points() {
            let record = &self.records[p];
            for direction in 0..8 {
                assert_eq!(record.around.cell(direction), self.cell(self.toward(p, direction)), "around {p:?}");
            }
            let Some(color) = record.cell.color() else {
                empties += 1;
                assert_eq!(self.empties[record.slot as usize], p, "slot of {p:?}");
                assert_eq!((record.head, record.next), (p, p), "an empty point has no chain");
                continue;
            };
            hash ^= zobrist::stone(color, p);
            balance += color.sign();
            let head = self.head(p);
            let mut liberties = Liberties::NONE;
            let mut members = PointSet::EMPTY;
            for stone in self.chain(p) {
                assert!(members.insert(stone), "the circle of a chain closes early");
                assert_eq!(self.head(stone), head, "stones of a chain share the head");
                assert_eq!(self.cell(stone), record.cell);
                for near in self.adjacent(stone) {
                    match self.cell(near) {
                        Cell::Empty => liberties.add(Liberties::of(near)),
                        cell if cell == record.cell => assert_eq!(self.head(near), head, "adjacent, one chain"),
                        _ => {}
                    }
                }
            }
            assert!(members.contains(head));
            assert_eq!(self.liberties(p), liberties, "liberties of the chain at {p:?}");
            assert!(!liberties.is_none(), "a chain without liberties stays on the board");
            let distinct = self.liberty_set(p);
            assert_eq!(liberties.is_atari(), distinct.len() == 1);
            assert_eq!(liberties.only(), if distinct.len() == 1 { distinct.iter().next() } else { None });
        }
        assert_eq!(self.hash, hash, "incremental hash");
        assert_eq!(self.stone_balance, balance, "stone balance");
        assert_eq!(self.empties().len(), empties, "number of empty points");
    }
}

/// Boards are equal when the same stones lie on the same size of board and the same ko is forbidden.
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.size == other.size && self.ko == other.ko && self.points().all(|p| self.cell(p) == other.cell(p))
    }
}

impl Eq for Board {}
