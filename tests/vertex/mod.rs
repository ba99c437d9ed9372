//! Names points the way GTP does (`D4`), so that tests read like game records. Shared by several tests.

use kosumi::go::{Board, Point, PointSet, Size};

/// The point of this name, `A1` being the lower left corner and the letter I left out.
pub fn point(name: &str, size: impl Into<Size>) -> Point {
    let letter = name.as_bytes()[0];
    let column = usize::from(letter - b'A') - usize::from(letter > b'I');
    let row: usize = name[1..].parse().unwrap_or_else(|_| panic!("{name} is no point"));
    Point::new(column, row - 1, size)
}

/// The points of these names, separated by blanks.
pub fn points(names: &str, board: &Board) -> PointSet {
    names.split_whitespace().map(|name| point(name, board.size())).collect()
}
