//! The count of a position by the owners that a net expects. Near the end of a game the net knows owners better than
//! the chance to win. The count tells a draw from a win by a point, which a net's value hardly does.

use crate::go::rules::{Scoring, Tax};
use crate::go::{Color, PointMap, Position};

use super::finished::win_share;
use super::{CERTAIN, Evaluation};

/// A point whose owner is less sure than a fifth counts for nobody, as in a seki. Among 0, 0.1, 0.2, 0.34 and 0.5, a
/// fifth came nearest to KataGo's win rate on 9×9 (`docs/strength.md`, "Settled positions are misjudged").
const NOBODY: i32 = CERTAIN as i32 / 5;

/// The points of the board, counted for their likelier owners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    /// Black's margin in points, komi included.
    pub margin: f32,
    /// Black's result: 1 won, 0.5 drawn, 0 lost. Between them where it depends on a point of nobody, or on the button.
    pub result: f32,
    /// How much is still open: the sum of (1 − |owner|)² over the points of the board. A point whose owner is certain
    /// adds 0, a point of nobody 1.
    pub open: f32,
}

impl Count {
    /// The count, with komi in half points, by owners from [`CERTAIN`] for Black to −`CERTAIN` for White. `None` under
    /// rules by which the area alone does not decide: territory, taxes, first capture, a limited supply of stones.
    pub fn by_owners(position: &Position, komi: i32, owners: &PointMap<i8>) -> Option<Count> {
        let rules = position.rules();
        let is_plain = rules.scoring == Scoring::Area && rules.tax == Tax::None;
        if !is_plain || rules.first_capture || rules.supply.is_some() {
            return None;
        }
        let (mut points, mut of_nobody, mut open) = (0, 0, 0);
        for p in position.board().points() {
            let owner = i32::from(owners[p]);
            if owner.abs() < NOBODY {
                of_nobody += 1;
            } else {
                points += owner.signum();
            }
            open += (i32::from(CERTAIN) - owner.abs()).pow(2);
        }
        // The sides fill points of nobody in turn, so an odd one goes to either side.
        let odd = 2 * (of_nobody % 2);
        let button = match position.button() {
            Some(holder) => [holder.sign(); 2],
            None if rules.button => [Color::Black.sign(), Color::White.sign()],
            None => [0; 2],
        };
        let on_board = 2 * points - komi;
        let results = button.map(|half| win_share(on_board + half - odd) + win_share(on_board + half + odd));
        Some(Count {
            margin: on_board as f32 / 2.0 + button.iter().sum::<i32>() as f32 / 4.0,
            result: results.iter().sum::<f32>() / 4.0,
            open: open as f32 / f32::from(CERTAIN).powi(2),
        })
    }

    /// Lets the count take a part of value and margin. The part is 1 / (1 + x), where x is what is open divided by
    /// `settled` ([`Params::settled`](crate::search::Params::settled)).
    pub(super) fn mix_into(&self, evaluation: &mut Evaluation, settled: f32) {
        let part = 1.0 / (1.0 + self.open / settled);
        evaluation.value += part * (self.result - evaluation.value);
        evaluation.margin += part * (self.margin - evaluation.margin);
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
        let settled = |margin, result| Some(Count { margin, result, open: 0.0 });
        assert_eq!(count(rules::CHINESE, 13, CERTAIN), settled(0.5, 1.0));
        assert_eq!(count(rules::CHINESE, 14, CERTAIN), settled(0.0, 0.5));
        assert_eq!(count(rules::CHINESE, 15, CERTAIN), settled(-0.5, 0.0));
        let unsure = Count { margin: -0.5, result: 0.0, open: 49.0 / 16.0 };
        assert_eq!(count(rules::CHINESE, 15, CERTAIN / 4 * 3), Some(unsure));
    }

    #[test]
    fn points_of_nobody_count_for_no_side_and_an_odd_one_for_either() {
        let with_nobody = |points: usize, komi: i32| {
            let position = Position::new(7, rules::CHINESE);
            let mut owners = owners(CERTAIN);
            // The column on the left is Black's.
            for p in position.board().points().step_by(7).take(points) {
                owners[p] = CERTAIN / 10;
            }
            Count::by_owners(&position, komi, &owners).expect("area decides")
        };
        let two = with_nobody(2, 10);
        assert_eq!((two.margin, two.result), (0.0, 0.5));
        assert!((two.open - 2.0 * 0.81).abs() < 1e-5, "{}", two.open);
        assert_eq!(with_nobody(1, 12).result, 0.5, "won or lost by a point");
        assert_eq!(with_nobody(1, 14).result, 0.25, "lost by two points, or drawn");
        assert_eq!(with_nobody(1, 16).result, 0.0);
    }

    #[test]
    fn a_button_is_half_a_point_for_its_taker() {
        let rules = Ruleset { button: true, ..rules::CHINESE };
        assert_eq!(count(rules, 14, CERTAIN).map(|count| count.result), Some(0.5), "nobody has taken it yet");
        assert_eq!(count(rules, 12, CERTAIN).map(|count| count.result), Some(1.0), "whoever takes it");
        let mut position = Position::new(7, rules);
        position.play(Move::Pass).expect("a pass is legal");
        let count = Count::by_owners(&position, 14, &owners(CERTAIN)).expect("area decides");
        assert_eq!((count.margin, count.result), (0.5, 1.0), "Black has the button");
    }

    #[test]
    fn other_rules_have_no_count() {
        assert_eq!(count(rules::JAPANESE, 13, CERTAIN), None);
        assert_eq!(count(Ruleset { tax: Tax::All, ..rules::CHINESE }, 13, CERTAIN), None);
        assert_eq!(count(Ruleset { first_capture: true, ..rules::CHINESE }, 13, CERTAIN), None);
        assert_eq!(count(Ruleset { supply: Some(20), ..rules::CHINESE }, 13, CERTAIN), None);
    }

    #[test]
    fn a_count_takes_the_more_the_less_is_open() {
        let mixed = |open: f32| {
            let mut evaluation = Evaluation { value: 0.9, margin: 5.0, ..Evaluation::default() };
            Count { margin: 1.0, result: 0.5, open }.mix_into(&mut evaluation, 2.0);
            (evaluation.value, evaluation.margin)
        };
        assert_eq!(mixed(0.0), (0.5, 1.0));
        assert_eq!(mixed(2.0), (0.7, 3.0), "half of the way");
        assert!(mixed(98.0).0 > 0.89);
    }
}
