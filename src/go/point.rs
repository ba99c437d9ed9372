//! Places on the board, moves, and the geometry of the padded array.
//!
//! One array stores the board row by row. A row is one entry longer than the board has columns. Its first entry is a
//! guard: the left wall of its row and the right wall of the row below. A guard row lies below and above the board. Row
//! 0 is the bottom row (GTP's row 1), column 0 the leftmost (GTP's `A`).

use std::fmt;
use std::ops::{Index, IndexMut};

use super::size::{MAX_SIZE, Size};

/// Points of the largest board.
pub const MAX_POINTS: usize = MAX_SIZE * MAX_SIZE;
/// Length of every array with an entry per [`Point`]: the padded 25×25 board needs 703.
pub const CAPACITY: usize = 704;

/// A place on the padded board: an index below [`CAPACITY`]. Never a pass.
///
/// The index is private, and every constructor keeps it below [`CAPACITY`]. [`PointMap`] relies on this bound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Point(u16);

impl Point {
    /// A corner of the padding, which is no place to play on any board. The value stands for "no point", such as no ko
    /// point.
    pub const NONE: Point = Point(0);

    /// The point in `column` (0 is `A`) and `row` (0 is the bottom row, "1") of a board of `size`.
    ///
    /// # Panics
    /// If the board has no such column or row.
    #[inline]
    pub fn new(column: usize, row: usize, size: impl Into<Size>) -> Point {
        let size = size.into();
        assert!(size.contains(column, row));
        Point(((row + 1) * size.stride() + column + 1) as u16)
    }

    /// The point with this array index, if the index is below [`CAPACITY`].
    #[inline]
    pub const fn from_index(index: usize) -> Option<Point> {
        if index < CAPACITY { Some(Point(index as u16)) } else { None }
    }

    /// The index in a padded array.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The point `delta` array entries further on. [`Point::NONE`] if that leaves the array, which no neighbour of a
    /// point on the board does.
    #[inline(always)]
    pub const fn offset(self, delta: i16) -> Point {
        let index = self.0.wrapping_add_signed(delta);
        if (index as usize) < CAPACITY { Point(index) } else { Point::NONE }
    }

    /// The point `delta` array entries further on.
    ///
    /// # Safety
    /// The result has to be an entry of the array.
    #[inline(always)]
    pub(super) const unsafe fn offset_unchecked(self, delta: i16) -> Point {
        let index = self.0.wrapping_add_signed(delta);
        debug_assert!((index as usize) < CAPACITY);
        Point(index)
    }

    /// Column, 0 for `A`, on a board of `size`.
    #[inline]
    pub fn column(self, size: impl Into<Size>) -> usize {
        (self.0 as usize % size.into().stride()).wrapping_sub(1)
    }

    /// Row, 0 at the bottom, on a board of `size`.
    #[inline]
    pub fn row(self, size: impl Into<Size>) -> usize {
        (self.0 as usize / size.into().stride()).wrapping_sub(1)
    }
}

impl Size {
    /// All points, row by row from the top, as boards are shown.
    pub fn from_the_top(self) -> impl Iterator<Item = Point> + Clone {
        (0..self.height()).rev().flat_map(move |row| (0..self.width()).map(move |column| Point::new(column, row, self)))
    }

    /// The upper right corner, whose name is the last one.
    pub fn last_point(self) -> Point {
        Point::new(self.width() - 1, self.height() - 1, self)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Point({})", self.0)
    }
}

/// A side's choice in its turn. (Resigning is not a move: it ends the game outside the board.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Put a stone on a point.
    Play(Point),
    /// Put no stone on the board.
    Pass,
}

impl Move {
    /// The point of a play.
    #[inline(always)]
    pub const fn point(self) -> Option<Point> {
        match self {
            Move::Play(point) => Some(point),
            Move::Pass => None,
        }
    }
}

/// An array with one entry per [`Point`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PointMap<T>([T; CAPACITY]);

impl<T: Copy> PointMap<T> {
    /// An array whose entries are all equal.
    #[inline]
    pub const fn filled(value: T) -> Self {
        PointMap([value; CAPACITY])
    }

    /// Replaces the first `len` entries by those of `from`.
    ///
    /// # Panics
    /// If `len` is above [`CAPACITY`].
    #[inline(always)]
    pub fn copy_prefix(&mut self, from: &Self, len: usize) {
        self.0[..len].copy_from_slice(&from.0[..len]);
    }

    /// Four entries in a row.
    ///
    /// # Safety
    /// `start + 4` must be at most [`CAPACITY`].
    #[inline(always)]
    pub(super) unsafe fn get_row_unchecked_mut(&mut self, start: usize) -> &mut [T; 4] {
        debug_assert!(start + 4 <= CAPACITY);
        // SAFETY: the caller's promise; an array of four is laid out like four entries of the larger one.
        unsafe { &mut *self.0.as_mut_ptr().add(start).cast() }
    }

    /// The entries, in array order.
    #[inline]
    pub const fn as_slice(&self) -> &[T] {
        &self.0
    }
}

impl<T> Index<Point> for PointMap<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, point: Point) -> &T {
        debug_assert!((point.0 as usize) < CAPACITY);
        // SAFETY: the index of a `Point` is below CAPACITY, whichever constructor made it.
        unsafe { self.0.get_unchecked(point.0 as usize) }
    }
}

impl<T> IndexMut<Point> for PointMap<T> {
    #[inline(always)]
    fn index_mut(&mut self, point: Point) -> &mut T {
        debug_assert!((point.0 as usize) < CAPACITY);
        // SAFETY: the index of a `Point` is below CAPACITY, whichever constructor made it.
        unsafe { self.0.get_unchecked_mut(point.0 as usize) }
    }
}

impl<T: Copy + fmt::Debug> fmt::Debug for PointMap<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter()).finish()
    }
}

/// A set of points with constant-time insertion, clearing and membership.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PointSet([u64; CAPACITY / 64]);

impl PointSet {
    /// The empty set.
    pub const EMPTY: PointSet = PointSet([0; CAPACITY / 64]);

    /// Adds a point. Returns whether the point was new.
    #[inline(always)]
    pub fn insert(&mut self, point: Point) -> bool {
        let word = &mut self.0[point.index() / 64];
        let bit = 1 << (point.index() % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Removes a point.
    #[inline(always)]
    pub fn remove(&mut self, point: Point) {
        self.0[point.index() / 64] &= !(1 << (point.index() % 64));
    }

    /// Is the point in the set?
    #[inline(always)]
    pub fn contains(&self, point: Point) -> bool {
        self.0[point.index() / 64] >> (point.index() % 64) & 1 == 1
    }

    /// How many points the set has.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Is the set empty?
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The points, in array order.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                Some(Point((i * 64 + bit) as u16))
            })
        })
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = PointSet::EMPTY;
        for point in points {
            set.insert(point);
        }
        set
    }
}
