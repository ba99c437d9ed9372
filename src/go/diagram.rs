//! Boards as text pictures: `X` Black, `O` White, `.` or `+` empty, rows from the top, blanks ignored.

use super::board::Board;
use super::color::{Cell, Color};
use super::point::Point;
use super::size::{MAX_SIZE, MIN_SIZE, Size};

/// Why a picture is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiagramError {
    /// The size of no board, or rows of different lengths.
    #[error("{rows} rows, and one of {columns} points: a board has {MIN_SIZE} to {MAX_SIZE} rows of equal length")]
    Size {
        /// Rows of the picture.
        rows: usize,
        /// Points of the first row with a wrong length.
        columns: usize,
    },
    /// A character without a meaning.
    #[error("{0:?} is none of X, O, . and +")]
    Character(char),
    /// A chain without liberties.
    #[error("a chain in the picture has no liberty")]
    NoLiberty,
}

/// Reads a picture.
///
/// # Errors
/// See [`DiagramError`].
pub fn parse(picture: &str) -> Result<Board, DiagramError> {
    let rows: Vec<Vec<char>> = picture
        .lines()
        .map(|line| line.chars().filter(|c| !c.is_whitespace()).collect::<Vec<_>>())
        .filter(|row| !row.is_empty())
        .collect();
    let columns = rows.first().map_or(0, Vec::len);
    let no_board = |columns| DiagramError::Size { rows: rows.len(), columns };
    let size = Size::new(columns, rows.len()).ok_or(no_board(columns))?;
    if let Some(row) = rows.iter().find(|row| row.len() != columns) {
        return Err(no_board(row.len()));
    }
    let mut stones = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        for (column, &c) in row.iter().enumerate() {
            let color = match c {
                'X' | 'x' | '#' => Color::Black,
                'O' | 'o' => Color::White,
                '.' | '+' | ',' => continue,
                _ => return Err(DiagramError::Character(c)),
            };
            stones.push((color, Point::new(column, size.height() - 1 - i, size)));
        }
    }
    Board::with_stones(size, stones).map_err(|_| DiagramError::NoLiberty)
}

/// Draws a board: one line a row, points separated by blanks.
pub fn draw(board: &Board) -> String {
    let size = board.size();
    let mut text = String::new();
    for row in (0..size.height()).rev() {
        for column in 0..size.width() {
            if column > 0 {
                text.push(' ');
            }
            text.push(match board.cell(Point::new(column, row, size)) {
                Cell::Black => 'X',
                Cell::White => 'O',
                Cell::Empty | Cell::Border => '.',
            });
        }
        text.push('\n');
    }
    text
}
