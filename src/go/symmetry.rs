//! Mirrored and turned boards.

use super::Point;

/// There are so many, the board as it is (number 0) among them.
pub const SYMMETRIES: usize = 8;

/// Where a place of a square goes. Bit 0 mirrors columns, bit 1 rows, bit 2 (before these) the main diagonal.
pub fn turn((column, row): (usize, usize), size: usize, symmetry: usize) -> (usize, usize) {
    let (column, row) = if symmetry & 4 != 0 { (row, column) } else { (column, row) };
    let column = if symmetry & 1 != 0 { size - 1 - column } else { column };
    let row = if symmetry & 2 != 0 { size - 1 - row } else { row };
    (column, row)
}

/// Where a point of the board goes.
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
