//! Vertices: the names of points, as people and GTP write them: `A1` in the lower left corner, letters without I.

use super::point::{MAX_SIZE, Move, Point};

const LETTERS: &[u8; MAX_SIZE] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// What a word says in the place of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vertex {
    /// A move on this board.
    On(Move),
    /// The name of a point, but of a larger board.
    OffBoard,
}

/// Reads a vertex in any case. `None` if the word is no name of a point on any board, and not `pass`.
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
