//! Mirrored and turned boards.

use super::{Board, Point};

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

/// The symmetries other than number 0 under which the board looks the same.
pub fn of(board: &Board) -> impl Iterator<Item = usize> + '_ {
    let size = board.size();
    let same = move |symmetry| {
        let mut stones = board.points().filter(|&p| board.cell(p).color().is_some());
        stones.all(|p| board.cell(image(p, size, symmetry)) == board.cell(p))
    };
    (1..SYMMETRIES).filter(move |&symmetry| same(symmetry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::Color;

    fn symmetries(stones: &[(usize, usize)]) -> Vec<usize> {
        let stones = stones.iter().map(|&(column, row)| (Color::Black, Point::new(column, row, 9)));
        of(&Board::with_stones(9, stones).expect("a board")).collect()
    }

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
    fn a_board_is_as_symmetric_as_its_stones() {
        assert_eq!(symmetries(&[]), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(symmetries(&[(4, 4)]).len(), 7);
        assert_eq!(symmetries(&[(2, 2)]), [4], "the diagonal that it lies on");
        assert_eq!(symmetries(&[(4, 2)]), [1], "left and right");
        assert!(symmetries(&[(2, 3)]).is_empty());
        assert_eq!(symmetries(&[(2, 2), (6, 6)]), [3, 4, 7]);
    }
}
