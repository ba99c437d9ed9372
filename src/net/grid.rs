//! The order of a board's cells in an array of activations. A border of zeros surrounds the cells, so a convolution
//! needs no test for edges.

use crate::go::{MAX_POINTS, Point, Size};

/// Kernels work on several points at a time. So the list of cells repeats the last cell this often.
pub(super) const SPARE: usize = 16;

/// Extra cells at the end of an array, for kernels that read several cells in a row.
pub(super) const SLACK: usize = 32;

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
        Grid { size, cells, taps }
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
