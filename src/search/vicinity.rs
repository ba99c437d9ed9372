//! The stones around a point as numbers, to be hashed: two columns and rows on each side, and which stones are in atari.

use crate::go::{Board, Cell, Point, Size};

/// Columns and rows on each side of the point (KataGo takes as many for what `bias.rs` does).
const REACH: usize = 2;

/// Points in a row of the vicinity.
pub const WIDTH: usize = 2 * REACH + 1;

/// Bits of the number of a point, so five points of a row take fifteen.
pub const BITS: usize = 3;

/// The number of a point outside the board.
const OUTSIDE: u16 = 7;

/// The number of five points outside the board.
const ALL_OUTSIDE: u16 = (1 << (BITS * WIDTH)) - 1;

/// The number of a point: what is there, and whether it is in atari.
fn content(board: &Board, point: Point) -> u16 {
    let cell = board.cell(point);
    let is_stone = matches!(cell, Cell::Black | Cell::White);
    cell as u16 * 2 + u16::from(is_stone && board.liberties(point).is_atari())
}

/// The rows around a point, a number for each five points in a row.
pub fn around(point: Point, board: &Board) -> [u16; WIDTH] {
    let size = board.size();
    let (column, row) = (point.column(size), point.row(size));
    std::array::from_fn(|i| {
        let mut line = 0;
        for j in 0..WIDTH {
            // Below 0, the difference wraps to a large number, which is outside, too.
            let (x, y) = ((column + j).wrapping_sub(REACH), (row + i).wrapping_sub(REACH));
            let number = if size.contains(x, y) { content(board, Point::new(x, y, size)) } else { OUTSIDE };
            line = line << BITS | number;
        }
        line
    })
}

/// The vicinities of all points of a board at once, which is faster than [`around`] for each.
#[derive(Debug)]
pub struct Vicinities {
    size: Size,
    /// For each point, the five points around it in its row. Two rows outside come before the first row and after the
    /// last one.
    rows: Vec<u16>,
}

impl Vicinities {
    /// For boards of this size.
    pub fn new(size: Size) -> Vicinities {
        Vicinities { size, rows: vec![ALL_OUTSIDE; size.width() * (size.height() + 2 * REACH)] }
    }

    /// Looks at a board of the size.
    pub fn look(&mut self, board: &Board) {
        let width = self.size.width();
        for (row, line) in self.rows.chunks_exact_mut(width).skip(REACH).take(self.size.height()).enumerate() {
            let mut seen = ALL_OUTSIDE;
            for column in 0..width + REACH {
                let next = if column < width { content(board, Point::new(column, row, self.size)) } else { OUTSIDE };
                seen = (seen << BITS | next) & ALL_OUTSIDE;
                if let Some(entry) = column.checked_sub(REACH).and_then(|i| line.get_mut(i)) {
                    *entry = seen;
                }
            }
        }
    }

    /// The rows around a point of the board, as [`around`] gives them.
    pub fn around(&self, point: Point) -> [u16; WIDTH] {
        let width = self.size.width();
        let above = point.row(self.size) * width + point.column(self.size);
        std::array::from_fn(|i| self.rows[above + i * width])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::Color;

    #[test]
    fn all_vicinities_at_once_are_those_of_each_point() {
        for (width, height) in [(9, 9), (2, 2), (5, 7), (25, 19)] {
            let size = Size::new(width, height).expect("a size");
            let mut board = Board::new(size);
            for i in 0..width * height / 3 {
                let point = Point::new(7 * i % width, 11 * i % height, size);
                if board.is_legal(Color::BOTH[i % 2], point) {
                    board.place(Color::BOTH[i % 2], point);
                }
            }
            let mut vicinities = Vicinities::new(size);
            vicinities.look(&board);
            for point in board.points() {
                assert_eq!(vicinities.around(point), around(point, &board), "{size:?} {point:?}");
            }
        }
    }
}
