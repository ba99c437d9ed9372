//! Lines of live analysis, in the form that Leela Zero and KataGo have made common: see KataGo's document
//! *GTP Extensions*. What is for whom: docs/clients/.

use std::fmt::Write;

use super::explain::{self, lower_bound};
use crate::engine::Decision;
use crate::go::{Color, Point, vertex};
use crate::search::{MoveReport, Ownership, Report};

/// Whose form a line has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Rates are whole numbers from 0 to 10000; nothing is said of the score.
    LeelaZero,
    /// Rates are numbers from 0 to 1, with the score in points.
    KataGo,
}

/// What a line says and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// Whose form it has.
    pub dialect: Dialect,
    /// Whose view it takes: the side to move.
    pub color: Color,
    /// Rows of the board.
    pub size: usize,
    /// Name so many moves even if they have not been tried.
    pub min_moves: usize,
    /// Name no more moves.
    pub max_moves: usize,
    /// Say who owns the points?
    pub ownership: bool,
    /// Say it for each move?
    pub moves_ownership: bool,
    /// Say how often each move of a variation was visited, under these keys?
    pub variation_visits: Vec<&'static str>,
    /// Say what is known of the position itself?
    pub root_info: bool,
}

impl Form {
    /// A line without its line feed; `None` if there is nothing to say: no move has been tried, or there is none.
    pub fn line(&self, report: &Report) -> Option<String> {
        let tried = report.moves.iter().filter(|m| m.visits > 0).count();
        let count = tried.max(self.min_moves).min(self.max_moves);
        let mut line = String::new();
        for (order, m) in report.moves.iter().take(count).enumerate() {
            if order > 0 {
                line.push(' ');
            }
            self.add_move(&mut line, order, m, report);
        }
        if line.is_empty() {
            return None;
        }
        if self.root_info && self.dialect == Dialect::KataGo {
            self.add_root(&mut line, report);
        }
        if self.ownership && self.dialect == Dialect::KataGo {
            self.add_ownership(&mut line, "ownership", report.details.all());
        }
        Some(line)
    }

    fn add_move(&self, line: &mut String, order: usize, m: &MoveReport, report: &Report) {
        let name = vertex::of_move(m.mv, self.size);
        let (visits, value, prior) = (m.visits, f64::from(m.value), f64::from(m.prior));
        let lcb = lower_bound(value, visits);
        match self.dialect {
            Dialect::LeelaZero => add(
                line,
                format_args!(
                    "info move {name} visits {visits} winrate {} prior {} lcb {} order {order}",
                    in_10000(value),
                    in_10000(prior),
                    in_10000(lcb)
                ),
            ),
            Dialect::KataGo => {
                let (mean, deviation) = self.score(report.details.margin_of(m.mv));
                add(
                    line,
                    format_args!(
                        "info move {name} visits {visits} utility {:.6} winrate {value:.6} scoreMean {mean:.3} \
                         scoreStdev {deviation:.3} scoreLead {mean:.3} scoreSelfplay {mean:.3} prior {prior:.6} \
                         lcb {lcb:.6} utilityLcb {:.6} weight {visits} order {order}",
                        utility(value),
                        utility(lcb)
                    ),
                );
            }
        }
        line.push_str(" pv");
        for &mv in &m.variation {
            line.push(' ');
            line.push_str(&vertex::of_move(mv, self.size));
        }
        for key in &self.variation_visits {
            line.push(' ');
            line.push_str(key);
            for visits in &m.variation_visits {
                add(line, format_args!(" {visits}"));
            }
        }
        if self.moves_ownership && self.dialect == Dialect::KataGo {
            self.add_ownership(line, "movesOwnership", report.details.of(m.mv));
        }
    }

    fn add_root(&self, line: &mut String, report: &Report) {
        let (value, visits) = (f64::from(report.value), report.visits);
        let (mean, deviation) = self.score(report.details.all().margin());
        add(
            line,
            format_args!(
                " rootInfo visits {visits} utility {:.6} winrate {value:.6} scoreMean {mean:.3} \
                 scoreStdev {deviation:.3} scoreLead {mean:.3} scoreSelfplay {mean:.3} weight {visits}",
                utility(value)
            ),
        );
    }

    /// Every point from the top row to the bottom row: 1 is this side's, −1 the other's.
    fn add_ownership(&self, line: &mut String, key: &str, ownership: &Ownership) {
        line.push(' ');
        line.push_str(key);
        for row in (0..self.size).rev() {
            for column in 0..self.size {
                let owner = ownership.of(Point::new(column, row, self.size)) * self.color.sign() as f32;
                // Plus zero: no "-0.000".
                add(line, format_args!(" {:.3}", owner + 0.0));
            }
        }
    }

    /// Mean and spread of the score in points, for this side.
    fn score(&self, (mean, deviation): (f32, f32)) -> (f32, f32) {
        (mean * self.color.sign() as f32 + 0.0, deviation)
    }
}

/// The line that ends the choice of a move.
pub fn play_line(decision: Decision, size: usize) -> String {
    format!("play {}", explain::decision(decision, size))
}

fn add(line: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = line.write_fmt(text);
}

fn in_10000(rate: f64) -> u32 {
    (rate.clamp(0.0, 1.0) * 10000.0).round() as u32
}

/// KataGo's measure of success, from −1 to 1; ours knows wins alone.
fn utility(rate: f64) -> f64 {
    2.0 * rate - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_become_whole_numbers_of_leela_zero() {
        assert_eq!([0.0, 0.00004, 0.52345, 1.0, 1.00001].map(in_10000), [0, 0, 5235, 10000, 10000]);
    }
}
