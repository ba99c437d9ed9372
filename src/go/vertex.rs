//! Vertices, the names of points in GTP and among people: `A1` is the lower left corner; the letters have no I.

use super::point::{MAX_SIZE, Move, Point};

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
pub fn parse(word: &str, size: usize) -> Option<Vertex> {
    if word.eq_ignore_ascii_case("pass") {
        return Some(Vertex::On(Move::Pass));
    }
    let (letter, number) = (word.as_bytes().first()?.to_ascii_uppercase(), word.get(1..)?);
    let column = LETTERS.iter().position(|&l| l == letter)?;
    if number.is_empty() || number.len() > 2 || !number.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let row: usize = number.parse().ok()?;
    if column < size && (1..=size).contains(&row) {
        Some(Vertex::On(Move::Play(Point::new(column, row - 1, size))))
    } else {
        Some(Vertex::OffBoard)
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
pub fn of(point: Point, size: usize) -> String {
    format!("{}{}", letter(point.column(size)), point.row(size) + 1)
}

/// The name of a point, or `pass`.
pub fn of_move(mv: Move, size: usize) -> String {
    mv.point().map_or_else(|| "pass".into(), |p| of(p, size))
}

/// Names of points, separated by blanks.
pub fn list(points: impl IntoIterator<Item = Point>, size: usize) -> String {
    points.into_iter().map(|p| of(p, size)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_a_name_that_leads_back_to_it() {
        for size in [2, 9, 19, MAX_SIZE] {
            for (column, row) in (0..size).flat_map(|column| (0..size).map(move |row| (column, row))) {
                let mv = Move::Play(Point::new(column, row, size));
                let name = of_move(mv, size);
                assert_eq!(parse(&name, size), Some(Vertex::On(mv)), "{name}");
                assert_eq!(parse(&name.to_lowercase(), size), Some(Vertex::On(mv)), "{name}");
            }
        }
        assert_eq!(of(Point::new(15, 3, 19), 19), "Q4");
        assert_eq!(of(Point::new(8, 8, 9), 9), "J9");
        assert_eq!((of_move(Move::Pass, 9), parse("PASS", 9)), ("pass".into(), Some(Vertex::On(Move::Pass))));
    }

    #[test]
    fn names_of_points_beyond_the_board_are_told_from_no_names() {
        for name in ["K1", "A10", "Z25", "T19", "A0"] {
            assert_eq!(parse(name, 9), Some(Vertex::OffBoard), "{name}");
        }
        for word in ["", "I5", "A", "5", "A-1", "A+1", "A100", "É5", "resign", "passes"] {
            assert_eq!(parse(word, 9), None, "{word}");
        }
    }
}
