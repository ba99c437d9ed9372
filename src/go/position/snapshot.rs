//! A position as plain data, to be sent to another machine: the stones, and all that the rules know of the past.

use serde::{Deserialize, Serialize};

use super::Position;
use crate::go::{Color, Point, diagram, rule_keys};

/// A position as plain data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// The stones, as `diagram` writes them.
    stones: String,
    /// Is it Black's turn?
    black_to_move: bool,
    /// The rule set, as `rule_keys` writes it.
    rules: String,
    /// Column and row of the point where simple ko forbids the next play.
    ko: Option<[usize; 2]>,
    captured: [u32; 2],
    /// Hashes of the situations so far.
    seen: Vec<u64>,
    after_pass: usize,
    consecutive_passes: u8,
    /// Has Black taken the button? `None` if nobody has.
    button_is_black: Option<bool>,
    played: [u32; 2],
    cycle: bool,
    black_captured_first: Option<bool>,
}

/// Why plain data is no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} of a position cannot be read")]
pub struct SnapshotError(&'static str);

fn is_black(color: Color) -> bool {
    color == Color::Black
}

fn color(is_black: bool) -> Color {
    if is_black { Color::Black } else { Color::White }
}

impl Snapshot {
    /// A position as plain data.
    pub fn of(position: &Position) -> Snapshot {
        let Position {
            board,
            to_move,
            rules,
            seen,
            after_pass,
            scratch: _,
            consecutive_passes,
            button,
            played,
            cycle,
            first_to_capture,
        } = position;
        Snapshot {
            stones: diagram::draw(board),
            black_to_move: is_black(*to_move),
            rules: rule_keys::write(rules),
            ko: board.ko().map(|ko| [ko.column(board.size()), ko.row(board.size())]),
            captured: Color::BOTH.map(|color| board.captured(color)),
            seen: seen.clone(),
            after_pass: *after_pass,
            consecutive_passes: *consecutive_passes,
            button_is_black: button.map(is_black),
            played: *played,
            cycle: *cycle,
            black_captured_first: first_to_capture.map(is_black),
        }
    }

    /// The position.
    ///
    /// # Errors
    /// Which part is wrong.
    pub fn position(&self) -> Result<Position, SnapshotError> {
        let mut board = diagram::parse(&self.stones).map_err(|_| SnapshotError("the board"))?;
        let size = board.size();
        let rules = rule_keys::read(&self.rules).filter(|rules| rules.validate().is_ok());
        let rules = rules.ok_or(SnapshotError("the rule set"))?;
        if self.ko.is_some_and(|[column, row]| !size.contains(column, row)) {
            return Err(SnapshotError("the ko point"));
        }
        let ko = self.ko.map(|[column, row]| Point::new(column, row, size));
        if self.seen.is_empty() || self.after_pass > self.seen.len() {
            return Err(SnapshotError("the past"));
        }
        board.set_past(ko, self.captured);
        Ok(Position {
            seen: self.seen.clone(),
            after_pass: self.after_pass,
            consecutive_passes: self.consecutive_passes,
            button: self.button_is_black.map(color),
            played: self.played,
            cycle: self.cycle,
            first_to_capture: self.black_captured_first.map(color),
            ..Position::from_board(board, color(self.black_to_move), rules)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng as _;
    use rand::SeedableRng as _;

    use crate::go::{Move, Ruleset, Size, rules};

    /// Both positions allow the same moves, now and after each of them.
    fn agree(a: &Position, b: &Position) {
        assert_eq!(Snapshot::of(a), Snapshot::of(b));
        assert_eq!((a.board().hash(), a.is_over(), a.is_cycle()), (b.board().hash(), b.is_over(), b.is_cycle()));
        for point in a.board().points() {
            let mv = Move::Play(point);
            assert_eq!(a.clone().check(mv), b.clone().check(mv));
        }
    }

    #[test]
    fn positions_of_random_games_come_back_as_they_were() {
        let sizes = [Size::square(4), Size::new(3, 5).expect("a size"), Size::new(5, 3).expect("a size")];
        let custom = Ruleset { suicide: true, ..rules::CHINESE };
        for (number, rules) in
            [Ruleset::default(), rules::JAPANESE, rules::TROMP_TAYLOR, custom].into_iter().enumerate()
        {
            let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(number as u64);
            let mut position = Position::new(sizes[number % sizes.len()], rules);
            for _ in 0..if cfg!(miri) { 8 } else { 150 } {
                let text = serde_json::to_string(&Snapshot::of(&position)).expect("JSON");
                let snapshot: Snapshot = serde_json::from_str(&text).expect("a snapshot");
                let back = snapshot.position().expect("a position");
                agree(&position, &back);
                if position.is_over() {
                    position.reopen();
                }
                let points: Vec<Point> = position.board().points().collect();
                let mv = match (rng.next_u64() >> 32) as usize % (points.len() + 1) {
                    i if i < points.len() => Move::Play(points[i]),
                    _ => Move::Pass,
                };
                let mut back = back;
                back.reopen();
                position.reopen();
                assert_eq!(position.play(mv), back.play(mv));
                agree(&position, &back);
            }
        }
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let good = Snapshot::of(&Position::new(5, Ruleset::default()));
        let bad = |change: &dyn Fn(&mut Snapshot)| {
            let mut snapshot = good.clone();
            change(&mut snapshot);
            snapshot.position().expect_err("no position").to_string()
        };
        assert_eq!(bad(&|snapshot| snapshot.stones.clear()), "the board of a position cannot be read");
        assert_eq!(bad(&|snapshot| snapshot.rules = "no rules".into()), "the rule set of a position cannot be read");
        assert_eq!(bad(&|snapshot| snapshot.ko = Some([0, 5])), "the ko point of a position cannot be read");
        let rectangle = Snapshot::of(&Position::new(Size::new(2, 5).expect("a size"), Ruleset::default()));
        for (ko, is_on_board) in [([1, 4], true), ([4, 1], false)] {
            let snapshot = Snapshot { ko: Some(ko), ..rectangle.clone() };
            assert_eq!(snapshot.position().is_ok(), is_on_board, "{ko:?}");
        }
        assert_eq!(bad(&|snapshot| snapshot.seen.clear()), "the past of a position cannot be read");
        assert_eq!(bad(&|snapshot| snapshot.after_pass = 7), "the past of a position cannot be read");
    }
}
