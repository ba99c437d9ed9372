//! The count of a position by the owners that a net expects. Near the end of a game the owners are known better than
//! the chance to win: the count tells a draw from a win by a point, and a net's value hardly does.

use crate::go::rules::{Scoring, Tax};
use crate::go::{Color, PointMap, Position};

use super::CERTAIN;
use super::finished::win_share;

/// What the likelier owner of each point adds up to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    /// Black's result by the count: 1 won, 0.5 drawn, 0 lost.
    pub result: f32,
    /// How much is still open: the sum of 1 − |owner| over the points of the board. 0 if each owner is certain.
    pub open: f32,
}

impl Count {
    /// The count, with komi in half points, by owners from [`CERTAIN`] for Black to −`CERTAIN` for White. `None` under
    /// rules by which points of the board alone do not decide: territory, taxes, first capture, a button still to be
    /// taken.
    pub fn by_owners(position: &Position, komi: i32, owners: &PointMap<i8>) -> Option<Count> {
        let rules = position.rules();
        if rules.scoring != Scoring::Area || rules.tax != Tax::None || rules.first_capture {
            return None;
        }
        let button = match position.button() {
            None if rules.button => return None,
            holder => holder.map_or(0, Color::sign),
        };
        let (mut points, mut open) = (0, 0);
        for p in position.board().points() {
            let owner = i32::from(owners[p]);
            points += owner.signum();
            open += i32::from(CERTAIN) - owner.abs();
        }
        let result = win_share(2 * points + button - komi);
        Some(Count { result, open: open as f32 / f32::from(CERTAIN) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{Move, Ruleset, rules};

    /// Black owns four columns of 7×7, White three. So Black has seven points more.
    fn owners(surety: i8) -> PointMap<i8> {
        let mut owners = PointMap::filled(0);
        for (i, p) in Position::new(7, Ruleset::default()).board().points().enumerate() {
            owners[p] = if i % 7 < 4 { surety } else { -surety };
        }
        owners
    }

    fn count(rules: Ruleset, komi: i32, surety: i8) -> Option<Count> {
        Count::by_owners(&Position::new(7, rules), komi, &owners(surety))
    }

    #[test]
    fn each_point_counts_for_its_likelier_owner() {
        assert_eq!(count(rules::CHINESE, 13, CERTAIN), Some(Count { result: 1.0, open: 0.0 }));
        assert_eq!(count(rules::CHINESE, 14, CERTAIN), Some(Count { result: 0.5, open: 0.0 }));
        assert_eq!(count(rules::CHINESE, 15, CERTAIN), Some(Count { result: 0.0, open: 0.0 }));
        assert_eq!(count(rules::CHINESE, 15, CERTAIN / 4 * 3), Some(Count { result: 0.0, open: 49.0 * 0.25 }));
    }

    #[test]
    fn a_button_is_half_a_point_for_its_taker() {
        let rules = Ruleset { button: true, ..rules::CHINESE };
        assert_eq!(count(rules, 14, CERTAIN), None, "nobody has taken the button yet");
        let mut position = Position::new(7, rules);
        position.play(Move::Pass).expect("a pass is legal");
        let count = Count::by_owners(&position, 14, &owners(CERTAIN)).expect("area decides");
        assert_eq!(count.result, 1.0, "Black has the button");
    }

    #[test]
    fn other_rules_have_no_count() {
        assert_eq!(count(rules::JAPANESE, 13, CERTAIN), None);
        assert_eq!(count(Ruleset { tax: Tax::All, ..rules::CHINESE }, 13, CERTAIN), None);
        assert_eq!(count(Ruleset { first_capture: true, ..rules::CHINESE }, 13, CERTAIN), None);
    }
}
