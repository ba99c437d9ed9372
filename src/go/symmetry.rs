//! Mirrored and turned boards.

use super::Point;

/// Number of symmetries. Number 0 is the board as it is.
pub const SYMMETRIES: usize = 8;

/// The image of a place of a square. Bit 0 mirrors columns, bit 1 rows. Bit 2 mirrors the main diagonal, before the
/// others.
pub fn turn((column, row): (usize, usize), size: usize, symmetry: usize) -> (usize, usize) {
    let (column, row) = if symmetry & 4 != 0 { (row, column) } else { (column, row) };
    let column = if symmetry & 1 != 0 { size - 1 - column } else { column };
    let row = if symmetry & 2 != 0 { size - 1 - row } else { row };
    (column, row)
}

/// The image of a point of the board.
pub fn image(point: Point, size: usize, symmetry: usize) -> Point {
    let (column, row) = turn((point.column(size), point.row(size)), size, symmetry);
    Point::new(column, row, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_a_point_stay_on_the_board_and_apart() {
        for size in [2, 9, 19, 25] {
            let point = Point::new(0, 1, size);
            let images: std::collections::HashSet<_> = (0..SYMMETRIES).map(|s| image(point, size, s)).collect();
            assert_eq!(images.len(), if size == 2 { 4 } else { 8 });
            assert!(images.iter().all(|p| p.column(size) < size && p.row(size) < size));
        }
    }
}
