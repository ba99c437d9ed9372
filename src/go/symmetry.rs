//! Mirrored and turned boards.

use super::{Point, Size};

/// Number of symmetries of a square. Number 0 is the board as it is.
pub const SYMMETRIES: usize = 8;

/// Number of symmetries of a rectangle that is no square: the first ones, which exchange no columns and rows.
pub const RECTANGLE_SYMMETRIES: usize = 4;

impl Size {
    /// Number of symmetries, see [`turn`]: eight on a square, four on another rectangle.
    pub const fn symmetries(self) -> usize {
        if self.is_square() { SYMMETRIES } else { RECTANGLE_SYMMETRIES }
    }
}

/// The image of a place. Bit 0 mirrors columns, bit 1 rows. Bit 2 mirrors the main diagonal of a square, before the
/// others.
///
/// # Panics
/// If the board has no such symmetry, see [`Size::symmetries`].
#[inline]
pub fn turn((column, row): (usize, usize), size: impl Into<Size>, symmetry: usize) -> (usize, usize) {
    let size = size.into();
    assert!(symmetry < size.symmetries(), "a board of {size} has {} symmetries", size.symmetries());
    let (column, row) = if symmetry & 4 != 0 { (row, column) } else { (column, row) };
    let column = if symmetry & 1 != 0 { size.width() - 1 - column } else { column };
    let row = if symmetry & 2 != 0 { size.height() - 1 - row } else { row };
    (column, row)
}

/// The image of a point of the board.
pub fn image(point: Point, size: impl Into<Size>, symmetry: usize) -> Point {
    let size = size.into();
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

    #[test]
    fn a_rectangle_has_two_mirrors_and_one_rotation() {
        let size = Size::new(3, 5).expect("a size");
        let images = |place| (0..size.symmetries()).map(|s| turn(place, size, s)).collect::<Vec<_>>();
        assert_eq!(images((0, 1)), [(0, 1), (2, 1), (0, 3), (2, 3)]);
        assert_eq!(images((1, 2)), [(1, 2); 4], "the centre");
        assert!(std::panic::catch_unwind(|| turn((0, 1), size, RECTANGLE_SYMMETRIES)).is_err());
    }
}
