//! The board as a picture in a terminal: letters everywhere, stones on wood where the terminal has colours.

use crate::go::{Board, Cell, Color, Move, Point, PointMap, handicap, vertex};

/// How a picture may be drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// May the picture have colours?
    pub colours: bool,
    /// May the picture have round stones, or only characters of ASCII?
    pub round: bool,
}

/// What a picture shows besides the stones.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// The last move.
    pub last: Option<Point>,
    /// The owners of all points and which stones are dead, at the end of a game.
    pub owners: Option<PointMap<Option<Color>>>,
}

// Colours of the palette of 256 that terminals have had since xterm: a light wood, lines on it, black, white, red.
const WOOD: &str = "\x1b[48;5;179m";
const LINE: &str = "\x1b[38;5;94m";
const BLACK: &str = "\x1b[38;5;16m";
const WHITE: &str = "\x1b[38;5;231m";
const LAST: &str = "\x1b[38;5;160m";
/// Boards with more columns have a shorter text beside them, because a terminal has 80 columns.
const WIDE: usize = 22;
/// Ends all colours.
pub(super) const PLAIN: &str = "\x1b[0m";

/// The picture, with the letters of the columns and the numbers of the rows, and a line feed behind each row.
pub(super) fn picture(board: &Board, marks: &Marks, style: Style) -> String {
    let size = board.size();
    let letters: String = (0..size.width()).map(|column| format!(" {}", vertex::letter(column))).collect();
    let mut text = format!("   {letters}\n");
    for row in (0..size.height()).rev() {
        text.push_str(&format!("{:3}", row + 1));
        if style.colours {
            text.push_str(WOOD);
        }
        for column in 0..size.width() {
            let point = Point::new(column, row, size);
            let is_last = marks.last == Some(point);
            let closes = column > 0 && marks.last == Some(Point::new(column - 1, row, size));
            text.push_str(&between(is_last, closes, style));
            text.push_str(&cell(board, point, marks, style));
        }
        let closes = marks.last == Some(Point::new(size.width() - 1, row, size));
        text.push_str(&between(false, closes, style));
        if style.colours {
            text.push_str(PLAIN);
        }
        text.push_str(&format!("{}", row + 1));
        let captured = match size.height() - 1 - row {
            0 => Some(Color::Black),
            1 => Some(Color::White),
            _ => None,
        };
        if let Some(color) = captured {
            // Round stones of both sides are the same character, which colours tell apart.
            let letter = if style.round { String::new() } else { format!(" ({})", stone(color, false, false)) };
            let captured = if size.width() > WIDE { "took" } else { "has captured" };
            text.push_str(&format!("   {color}{letter} {captured} {}", board.captured(color.other())));
        }
        text.push('\n');
    }
    text.push_str(&format!("   {letters}\n"));
    text
}

/// What the characters of a counted board mean that no other picture has.
pub(super) fn legend(style: Style) -> &'static str {
    match style.round {
        true => "▪ belongs to the colour that it is drawn in, and × is a dead stone.",
        false => "' belongs to Black and , to White; x and o are dead stones.",
    }
}

/// What stands between two points: a bracket around the last move.
fn between(opens: bool, closes: bool, style: Style) -> String {
    let text = match (opens, closes) {
        (true, _) => "(",
        (_, true) => ")",
        _ => " ",
    };
    if style.colours && text != " " { format!("{LAST}{text}") } else { text.into() }
}

fn cell(board: &Board, point: Point, marks: &Marks, style: Style) -> String {
    let owner = marks.owners.as_ref().map(|owners| owners[point]);
    let coloured = |color: &str, text: &str| if style.colours { format!("{color}{text}") } else { text.to_owned() };
    let of = |color: Color| if color == Color::Black { BLACK } else { WHITE };
    match (board.cell(point).color(), owner) {
        (Some(color), owner) => {
            // A dead stone's point belongs to the other side.
            let is_dead = owner.is_some_and(|owner| owner == Some(color.other()));
            coloured(of(color), stone(color, is_dead, style.round))
        }
        (None, Some(Some(color))) => coloured(of(color), territory(color, style.round)),
        (None, _) if is_star(board, point) => coloured(LINE, "+"),
        (None, _) => coloured(LINE, if style.round { "·" } else { "." }),
    }
}

fn stone(color: Color, is_dead: bool, round: bool) -> &'static str {
    match (color, is_dead, round) {
        (_, false, true) => "●",
        (_, true, true) => "×",
        (Color::Black, false, false) => "X",
        (Color::White, false, false) => "O",
        (Color::Black, true, false) => "x",
        (Color::White, true, false) => "o",
    }
}

/// A point of a side's territory: as a dead stone of the other side would leave it.
fn territory(color: Color, round: bool) -> &'static str {
    match (round, color) {
        (true, _) => "▪",
        (false, Color::Black) => "'",
        (false, Color::White) => ",",
    }
}

/// The points that boards mark.
fn is_star(board: &Board, point: Point) -> bool {
    let size = board.size();
    board.cell(point) == Cell::Empty
        && handicap::fixed(size, handicap::most_fixed(size)).is_ok_and(|points| points.contains(&point))
}

/// The point of a move, to be marked.
pub(super) fn last_point(moves: &[(Color, Move)]) -> Option<Point> {
    moves.last().and_then(|(_, mv)| mv.point())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::diagram;

    #[test]
    fn letters_show_stones_the_last_move_and_what_is_dead() {
        let board = diagram::parse(". X O .\nX . O .\n. X O .\n. . . X").expect("a board");
        let marks = Marks { last: Some(Point::new(3, 0, 4)), owners: None };
        assert_eq!(
            picture(&board, &marks, Style::default()),
            "    A B C D\n  4 . X O . 4   black (X) has captured 0\n  3 X . O . 3   white (O) has captured 0\n  \
             2 . X O . 2\n  1 . . .(X)1\n    A B C D\n"
        );
        let mut owners = PointMap::filled(None);
        owners[Point::new(3, 0, 4)] = Some(Color::White);
        owners[Point::new(0, 3, 4)] = Some(Color::Black);
        let picture = picture(&board, &Marks { last: None, owners: Some(owners) }, Style::default());
        assert!(picture.contains(" 4 ' X O . 4") && picture.contains(" 1 . . . x 1"), "{picture}");
    }

    #[test]
    fn colours_end_with_each_row() {
        let board = Board::new(5);
        let picture = picture(&board, &Marks::default(), Style { colours: true, round: true });
        for line in picture.lines().skip(1).take(5) {
            let (_, after) = line.rsplit_once(PLAIN).expect("an end of the colours");
            assert!(!after.contains('\x1b'), "{line:?}");
        }
    }
}
