//! Compact game records: one game a line, the result, a tab, and two letters a move.

use super::{Ending, Lesson, Step};
use crate::go::{Color, Komi, Move, Point, Position, Ruleset};

/// Reads a line: `B+1.5`, a tab, and moves in SGF's coordinates (`aa` is the top left point, column before row), in
/// turn from Black. `tt` is a pass on boards up to 19×19. `None` if the line has another form, or a move lies outside
/// the board.
pub fn read(line: &str, size: usize, komi: Komi, rules: Ruleset) -> Option<Lesson> {
    let (result, moves) = line.trim_end().split_once('\t')?;
    let (pairs, rest) = moves.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    let mut color = Color::Black;
    let mut steps = Vec::with_capacity(pairs.len());
    for &[column, row] in pairs {
        let mv = match (column.checked_sub(b'a')?.into(), row.checked_sub(b'a')?.into()) {
            (19, 19) if size <= 19 => Move::Pass,
            (column, row) if column < size && row < size => Move::Play(Point::new(column, size - 1 - row, size)),
            _ => return None,
        };
        steps.push(Step::played(color, mv));
        color = color.other();
    }
    Some(Lesson { start: Position::new(size, rules), komi, moves: steps, end: Ending::of_record(result) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_9(line: &str) -> Option<Lesson> {
        read(line, 9, Komi::from_half_points(14), Ruleset::default())
    }

    #[test]
    fn a_line_is_a_result_and_moves_from_the_top_left() {
        let lesson = read_9("W+3.5\tabtt\n").expect("a game");
        assert_eq!(lesson.end, Ending::Counted(-3.5));
        let moves: Vec<_> = lesson.moves.iter().map(|step| (step.color, step.mv)).collect();
        assert_eq!(moves, [(Color::Black, Move::Play(Point::new(0, 7, 9))), (Color::White, Move::Pass)]);
    }

    #[test]
    fn what_is_no_game_is_refused() {
        for line in ["", "B+R", "B+R\taaa", "B+R\tjj", "B+R\tA1", "B+R\t\u{e4}"] {
            assert!(read_9(line).is_none(), "{line:?}");
        }
    }

    #[test]
    fn results_say_who_won_and_by_how_much() {
        assert_eq!(Ending::of_record("B+R"), Ending::Decided(Some(Color::Black)));
        assert_eq!(Ending::of_record("W+Resign"), Ending::Decided(Some(Color::White)));
        for by_the_clock in ["W+Time", "B+T", "W+F", "B+Forfeit"] {
            assert_eq!(Ending::of_record(by_the_clock), Ending::Unknown, "{by_the_clock}");
        }
        assert_eq!(Ending::of_record("B+12"), Ending::Counted(12.0));
        assert_eq!(Ending::of_record("0"), Ending::Counted(0.0));
        assert_eq!(Ending::of_record("Void"), Ending::Unknown);
        assert_eq!(Ending::of_record("B+inf"), Ending::Decided(Some(Color::Black)));
    }
}
