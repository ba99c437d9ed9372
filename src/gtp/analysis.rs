//! Lines of live analysis, in the form that Leela Zero and KataGo have made common (KataGo's document *GTP
//! Extensions*). Which client reads what stands in docs/clients/.

use std::fmt::Write;

use crate::engine::Decision;
use crate::go::{Color, Size};
use crate::search::Report;
use crate::view::{Lead, MoveView, Owners, View};

/// Whose form a line has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Rates are whole numbers from 0 to 10000; nothing is said of the score.
    LeelaZero,
    /// Rates are numbers from 0 to 1, with the score in points.
    KataGo,
}

/// What a line says, and in which form.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// Whose form it has.
    pub dialect: Dialect,
    /// The side to move, whose view it takes.
    pub color: Color,
    /// Columns and rows of the board.
    pub size: Size,
    /// Name at least so many moves, even if they have not been tried.
    pub min_moves: usize,
    /// Name at most so many moves.
    pub max_moves: usize,
    /// Say who owns the points?
    pub ownership: bool,
    /// Say how far the owners differ between playouts?
    pub ownership_deviation: bool,
    /// Say who owns the points after each move?
    pub moves_ownership: bool,
    /// Say how far these owners differ?
    pub moves_ownership_deviation: bool,
    /// Say how often a long cycle made the game void?
    pub no_result: bool,
    /// Say how often each move of a variation was visited, under these keys?
    pub variation_visits: Vec<&'static str>,
    /// Say what is known of the position itself?
    pub root_info: bool,
}

impl Form {
    /// A line without its line feed; `None` if no move has been tried, or there is none.
    pub fn line(&self, report: &Report) -> Option<String> {
        let make = if self.moves_ownership || self.moves_ownership_deviation { View::in_full } else { View::of };
        let view = make(report, self.color, self.size);
        let count = view.tried().count().max(self.min_moves).min(self.max_moves);
        let mut line = String::new();
        for m in view.moves.iter().take(count) {
            if m.order > 0 {
                line.push(' ');
            }
            self.add_move(&mut line, m);
        }
        if line.is_empty() {
            return None;
        }
        if self.root_info && self.dialect == Dialect::KataGo {
            self.add_root(&mut line, &view);
        }
        if self.dialect == Dialect::KataGo {
            if self.ownership {
                self.add_owners(&mut line, "ownership", view.owners.as_ref(), Owners::iter);
            }
            if self.ownership_deviation {
                self.add_owners(&mut line, "ownershipStdev", view.owners.as_ref(), Owners::deviations);
            }
        }
        Some(line)
    }

    fn add_move(&self, line: &mut String, m: &MoveView) {
        let MoveView { vertex, order, visits, bound, .. } = m;
        let (value, prior) = (f64::from(m.win_rate), f64::from(m.prior));
        match self.dialect {
            Dialect::LeelaZero => add(
                line,
                format_args!(
                    "info move {vertex} visits {visits} winrate {} prior {} lcb {} order {order}",
                    in_10000(value),
                    in_10000(prior),
                    in_10000(*bound)
                ),
            ),
            Dialect::KataGo => {
                let Lead { points, spread } = m.lead.unwrap_or_default();
                add(
                    line,
                    format_args!(
                        "info move {vertex} visits {visits} edgeVisits {visits} utility {:.6} winrate {value:.6} \
                         scoreMean {points:.3} scoreStdev {spread:.3} scoreLead {points:.3} scoreSelfplay {points:.3}",
                        utility(value)
                    ),
                );
                if self.no_result {
                    add(line, format_args!(" noResultValue {:.6}", m.no_result));
                }
                add(
                    line,
                    format_args!(
                        " prior {prior:.6} lcb {bound:.6} utilityLcb {:.6} weight {visits} order {order}",
                        utility(*bound)
                    ),
                );
            }
        }
        line.push_str(" pv");
        for vertex in &m.variation {
            line.push(' ');
            line.push_str(vertex);
        }
        for key in &self.variation_visits {
            line.push(' ');
            line.push_str(key);
            for visits in &m.variation_visits {
                add(line, format_args!(" {visits}"));
            }
        }
        if self.dialect == Dialect::KataGo {
            if self.moves_ownership {
                self.add_owners(line, "movesOwnership", m.owners.as_ref(), Owners::iter);
            }
            if self.moves_ownership_deviation {
                self.add_owners(line, "movesOwnershipStdev", m.owners.as_ref(), Owners::deviations);
            }
        }
    }

    fn add_root(&self, line: &mut String, view: &View) {
        let (value, visits) = (f64::from(view.win_rate), view.visits);
        let Lead { points, spread } = view.lead.unwrap_or_default();
        add(
            line,
            format_args!(
                " rootInfo visits {visits} utility {:.6} winrate {value:.6} scoreMean {points:.3} \
                 scoreStdev {spread:.3} scoreLead {points:.3} scoreSelfplay {points:.3} weight {visits}",
                utility(value)
            ),
        );
    }

    /// Some numbers of the owners, one for each point. Where no owner is known, every point is nobody's.
    fn add_owners<'a, I: Iterator<Item = f32>>(
        &self,
        line: &mut String,
        key: &str,
        owners: Option<&'a Owners>,
        numbers: impl Fn(&'a Owners) -> I,
    ) {
        line.push(' ');
        line.push_str(key);
        match owners {
            Some(owners) => numbers(owners).for_each(|number| add(line, format_args!(" {number:.3}"))),
            None => (0..self.size.points()).for_each(|_| line.push_str(" 0.000")),
        }
    }
}

/// The line that ends the choice of a move.
pub fn play_line(decision: Decision, size: impl Into<Size>) -> String {
    format!("play {}", decision.text(size))
}

fn add(line: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = line.write_fmt(text);
}

fn in_10000(rate: f64) -> u32 {
    (rate.clamp(0.0, 1.0) * 10000.0).round() as u32
}

/// KataGo's utility, from −1 to 1. Ours depends on wins alone.
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
