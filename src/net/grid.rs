//! The order of a board's cells in an array of activations. A border of zeros surrounds the cells, so a convolution
//! needs no test for edges.

use crate::go::{MAX_POINTS, MAX_SIZE, Point, Size};

/// Kernels work on several points at a time. So the list of cells repeats the last cell this often.
pub(super) const SPARE: usize = 16;

/// Extra cells at the end of an array, for kernels that read several cells in a row.
pub(super) const SLACK: usize = 32;

/// Points of a [`Square`] in a row.
const SIDE: usize = 3;
/// Points of a square.
const POINTS: usize = SIDE * SIDE;
/// Cells of a window in a row: what a 3×3 kernel on the points of a square reads.
pub(super) const WINDOW_SIDE: usize = SIDE + 2;
/// Cells of a window.
pub(super) const WINDOW: usize = WINDOW_SIDE * WINDOW_SIDE;
/// The most squares of a board.
const MOST_SQUARES: usize = squares_in(MAX_SIZE) * squares_in(MAX_SIZE);
/// The most points of a board without a square: a column and a row.
const MOST_LEFT: usize = 2 * MAX_SIZE - 1;
/// A point of a square that lies beyond the edge.
const BEYOND: u16 = u16::MAX;

/// A square of 3×3 points, which may reach beyond the edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Square {
    /// The cells around the points, row by row from below. Cells beyond the edge are those of the border.
    pub window: [u16; WINDOW],
    points: [u16; POINTS],
}

impl Square {
    /// The cells of the points, row by row from below, `None` beyond the edge.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only kernels of x86-64 go by windows"))]
    pub(super) fn cells(&self) -> impl Iterator<Item = Option<u16>> {
        self.points.iter().map(|&cell| (cell != BEYOND).then_some(cell))
    }
}

/// The number of squares along so many points. A square of which a single column or row lies on the board would take
/// longer than its points without a square.
const fn squares_in(length: usize) -> usize {
    if length % SIDE == 1 { length / SIDE } else { length.div_ceil(SIDE) }
}

/// The cells of a board of one size. A row has one cell more than the board has columns. Its first cell is always zero:
/// the left border of its row and the right border of the row below. A row of zeros lies below and above. (A cell has
/// the index of its [`Point`].)
#[derive(Debug)]
pub struct Grid {
    size: Size,
    /// The cells of the points, row by row from the bottom. The remaining entries repeat the last cell.
    cells: [u16; MAX_POINTS + SPARE],
    /// The offsets of the nine inputs of a 3×3 kernel, row by row from below.
    taps: [isize; 9],
    squares: [Square; MOST_SQUARES],
    square_count: usize,
    /// The cells of the points without a square. The remaining entries repeat the last of them.
    left: [u16; MOST_LEFT + SPARE],
    left_count: usize,
}

impl Grid {
    /// The grid of a board.
    ///
    /// # Panics
    /// If no board has so many rows, see [`Size::square`].
    pub fn new(size: impl Into<Size>) -> Grid {
        let size = size.into();
        let last = size.last_point().index() as u16;
        let mut cells = [last; MAX_POINTS + SPARE];
        for (cell, (column, row)) in cells.iter_mut().zip(size.places()) {
            *cell = Point::new(column, row, size).index() as u16;
        }
        let stride = size.stride() as isize;
        let taps = std::array::from_fn(|i| (i as isize / 3 - 1) * stride + i as isize % 3 - 1);
        let mut squares = [Square { window: [0; WINDOW], points: [BEYOND; POINTS] }; MOST_SQUARES];
        let (across, up) = (squares_in(size.width()), squares_in(size.height()));
        let square_count = across * up;
        // Cell 0 lies on the border.
        let cell = |column: usize, row: usize, other: u16| {
            if size.contains(column, row) { Point::new(column, row, size).index() as u16 } else { other }
        };
        for (s, square) in squares[..square_count].iter_mut().enumerate() {
            let (column, row) = (s % across * SIDE, s / across * SIDE);
            square.points = std::array::from_fn(|i| cell(column + i % SIDE, row + i / SIDE, BEYOND));
            // The window begins one cell before the square. Before the edge, the subtraction wraps far beyond it.
            let from = |first: usize, i: usize| (first + i).wrapping_sub(1);
            square.window = std::array::from_fn(|i| cell(from(column, i % WINDOW_SIDE), from(row, i / WINDOW_SIDE), 0));
        }
        let is_left = |&(column, row): &(usize, usize)| column >= across * SIDE || row >= up * SIDE;
        let mut left = [last; MOST_LEFT + SPARE];
        let mut left_count = 0;
        for (cell, (column, row)) in left.iter_mut().zip(size.places().filter(is_left)) {
            *cell = Point::new(column, row, size).index() as u16;
            left_count += 1;
        }
        Grid { size, cells, taps, squares, square_count, left, left_count }
    }

    /// The squares. They cover the board but for the points that are [left](Grid::left).
    pub(super) fn squares(&self) -> &[Square] {
        &self.squares[..self.square_count]
    }

    /// The cells of the points without a square, and then the last cell [`SPARE`] times more; and how many points these
    /// are.
    pub(super) fn left(&self) -> (&[u16], usize) {
        (&self.left[..self.left_count + SPARE], self.left_count)
    }

    /// Columns and rows.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Number of points of the board.
    pub fn points(&self) -> usize {
        self.size.points()
    }

    /// The cells of the points, row by row from the bottom.
    pub fn cells(&self) -> &[u16] {
        &self.cells[..self.points()]
    }

    /// The cells of the points, and then the last cell [`SPARE`] times more.
    pub fn padded_cells(&self) -> &[u16] {
        &self.cells[..self.points() + SPARE]
    }

    /// Number of cells that a 3×3 kernel on a point may read.
    fn len(&self) -> usize {
        self.size.padded()
    }

    /// Number of cells that an array needs. Kernels that read cells in a row read this far.
    pub fn room(&self) -> usize {
        self.len() + SLACK
    }

    /// The offsets, in cells, of a kernel's inputs: of 3×3 (nine taps) or of 1×1 (one tap).
    pub fn taps(&self, taps: usize) -> &[isize] {
        if taps == 1 { &self.taps[4..5] } else { &self.taps }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_point_has_one_square_or_is_left_and_windows_are_neighborhoods() {
        for size in [(2, 2), (3, 5), (4, 7), (9, 9), (13, 19), (25, 2), (25, 25)]
            .map(|(width, height)| Size::new(width, height).unwrap())
        {
            let grid = Grid::new(size);
            let (left, count) = grid.left();
            let mut seen = left[..count].to_vec();
            for square in grid.squares() {
                for (i, cell) in square.cells().enumerate().filter_map(|(i, cell)| Some((i, cell?))) {
                    seen.push(cell);
                    for (t, tap) in grid.taps(9).iter().enumerate() {
                        let at = usize::from(cell).wrapping_add_signed(*tap) as u16;
                        let window = square.window[(i / SIDE + t / 3) * WINDOW_SIDE + i % SIDE + t % 3];
                        assert_eq!(window, if grid.cells().contains(&at) { at } else { 0 });
                    }
                }
            }
            seen.sort_unstable();
            assert_eq!(seen, grid.cells());
        }
    }

    #[test]
    fn every_tap_of_every_point_lies_in_the_array_and_beyond_the_edge_on_the_border() {
        // Miri takes hours for large boards.
        let squares = (2..=if cfg!(miri) { 5 } else { 25 }).map(Size::square);
        let rectangles = [(2, 25), (25, 2), (9, 13), (19, 13)].map(|(width, height)| Size::new(width, height).unwrap());
        for size in squares.chain(rectangles.into_iter().filter(|_| !cfg!(miri))) {
            let grid = Grid::new(size);
            let on_board = |cell: isize| grid.cells().iter().any(|&c| c as isize == cell);
            for (&cell, (column, row)) in grid.cells().iter().zip(size.places()) {
                for (t, tap) in grid.taps(9).iter().enumerate() {
                    let at = cell as isize + tap;
                    assert!((0..grid.len() as isize).contains(&at));
                    let (column, row) = ((column + t % 3).checked_sub(1), (row + t / 3).checked_sub(1));
                    let inside = column.zip(row).is_some_and(|(column, row)| size.contains(column, row));
                    assert_eq!(on_board(at), inside);
                }
            }
        }
    }
}
