//! Vertices, the names of points in GTP and among people: `A1` is the lower left corner; the letters have no I.

use super::point::{Move, Point};
use super::size::{MAX_SIZE, Size};

const LETTERS: &[u8; MAX_SIZE] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The meaning of a word in the place of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vertex {
    /// A move on this board.
    On(Move),
    /// The name of a point that only a larger board has.
    OffBoard,
}

/// Reads a vertex in upper or lower case. `None` if the word is neither a point of any board nor `pass`.
pub fn parse(word: &str, size: impl Into<Size>) -> Option<Vertex> {
    let size = size.into();
    if word.eq_ignore_ascii_case("pass") {
        return Some(Vertex::On(Move::Pass));
    }
    let (letter, number) = (word.as_bytes().first()?.to_ascii_uppercase(), word.get(1..)?);
    let column = LETTERS.iter().position(|&l| l == letter)?;
    if number.is_empty() || number.len() > 2 || !number.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let row: usize = number.parse().ok()?;
    match row.checked_sub(1).filter(|&row| size.contains(column, row)) {
        Some(row) => Some(Vertex::On(Move::Play(Point::new(column, row, size)))),
        None => Some(Vertex::OffBoard),
    }
}

/// The letter of a column.
///
/// # Panics
/// If `column` is not below [`MAX_SIZE`].
pub fn letter(column: usize) -> char {
    char::from(LETTERS[column])
}

/// The name of a point.
pub fn of(point: Point, size: impl Into<Size>) -> String {
    let size = size.into();
    format!("{}{}", letter(point.column(size)), point.row(size) + 1)
}

/// The name of a point, or `pass`.
pub fn of_move(mv: Move, size: impl Into<Size>) -> String {
    mv.point().map_or_else(|| "pass".into(), |p| of(p, size))
}

/// Names of points, separated by blanks.
pub fn list(points: impl IntoIterator<Item = Point>, size: impl Into<Size>) -> String {
    let size = size.into();
    points.into_iter().map(|p| of(p, size)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_a_name_that_leads_back_to_it() {
        let sizes = [(2, 2), (9, 9), (19, 19), (MAX_SIZE, MAX_SIZE), (2, MAX_SIZE), (MAX_SIZE, 2), (9, 13)];
        for size in sizes.map(|(width, height)| Size::new(width, height).expect("a size")) {
            for (column, row) in size.places() {
                let mv = Move::Play(Point::new(column, row, size));
                let name = of_move(mv, size);
                assert_eq!(parse(&name, size), Some(Vertex::On(mv)), "{name}");
                assert_eq!(parse(&name.to_lowercase(), size), Some(Vertex::On(mv)), "{name}");
            }
        }
        let rectangle = Size::new(3, 2).expect("a size");
        assert_eq!(list(rectangle.from_the_top(), rectangle), "A2 B2 C2 A1 B1 C1");
        assert_eq!(of(rectangle.last_point(), rectangle), "C2");
        assert_eq!(of(Point::new(15, 3, 19), 19), "Q4");
        assert_eq!(of(Point::new(8, 8, 9), 9), "J9");
        assert_eq!((of_move(Move::Pass, 9), parse("PASS", 9)), ("pass".into(), Some(Vertex::On(Move::Pass))));
    }

    #[test]
    fn names_of_points_beyond_the_board_are_told_from_no_names() {
        for name in ["K1", "A10", "Z25", "T19", "A0"] {
            assert_eq!(parse(name, 9), Some(Vertex::OffBoard), "{name}");
        }
        let narrow = Size::new(2, 13).expect("a size");
        assert_eq!((parse("C1", narrow), parse("B14", narrow)), (Some(Vertex::OffBoard), Some(Vertex::OffBoard)));
        for word in ["", "I5", "A", "5", "A-1", "A+1", "A100", "É5", "resign", "passes"] {
            assert_eq!(parse(word, 9), None, "{word}");
        }
    }
}
