//! Why a move is illegal, in a sentence for people.

use crate::go::rules::KoRule;
use crate::go::{Color, IllegalMove, Move, Position, vertex};

/// Why a side may not make this move in this position.
pub fn refusal(position: &Position, color: Color, mv: Move, reason: IllegalMove) -> String {
    let Move::Play(point) = mv else { return format!("{color} cannot pass: {reason}") };
    let name = vertex::of(point, position.size());
    let rules = position.rules().name();
    match reason {
        IllegalMove::Occupied => match position.board().cell(point).color() {
            Some(stone) => format!("{name} is taken: a {stone} stone stands there"),
            None => format!("{name} is no point of this board"),
        },
        IllegalMove::Suicide => format!(
            "{name} would be suicide: the {color} stone would have no liberty and would capture nothing, which the {rules} \
             rules forbid"
        ),
        IllegalMove::Ko => {
            format!("{name} would retake the ko at once: {color} has to play elsewhere first, or pass")
        }
        IllegalMove::Superko => {
            let same = match position.rules().ko {
                KoRule::Situational => "the same stones with the same side to move",
                KoRule::Simple | KoRule::Positional => "the same stones on the whole board",
            };
            format!("{name} would repeat an earlier position ({same}), which the {rules} rules forbid")
        }
        IllegalMove::NoStones => format!("{color} has no stone left to play; {color} has to pass"),
        IllegalMove::GameOver => "the game is over".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::rules::CHINESE;
    use crate::go::{Point, diagram};

    #[test]
    fn each_rule_has_its_sentence() {
        let board = diagram::parse(". X O .\nX O . O\n. X O .\n. . . .").expect("a board");
        let mut position = Position::from_board(board, Color::Black, CHINESE);
        let at = |column, row| Move::Play(Point::new(column, row, 4));
        let told = |position: &Position, mv| {
            let reason = position.clone().check(mv).expect_err("an illegal move");
            refusal(position, position.to_move(), mv, reason)
        };
        assert_eq!(told(&position, at(1, 2)), "B3 is taken: a white stone stands there");
        position.play(at(2, 2)).expect("Black takes the ko");
        assert_eq!(
            told(&position, at(1, 2)),
            "B3 would retake the ko at once: white has to play elsewhere first, or pass"
        );
        assert!(told(&position, at(0, 3)).starts_with("A4 would be suicide: the white stone would have no liberty"));
    }
}
