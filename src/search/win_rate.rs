//! The win rate that is shown: how often the side would win, if two strong players went on.
//!
//! The search goes by the mean result of its playouts and by the mean of a net's values. Both are closer to ½ than real
//! games: random players lose leads that players keep. So the win rate has its own formula, in log-odds:
//!
//! ```text
//! logit w = a·logit p + b·logit q        logit x = ln(x / (1 − x))
//! p: mean of the playouts    a: Params::win_rate_playouts
//! q: mean of the net         b: Params::win_rate_net
//! ```
//!
//! This is a logistic regression of the winners of finished games on both means. `examples/win_rates.rs` makes it, and
//! `docs/win-rates.md` has its figures. The search, the choice of a move and the lead use the means themselves.

use super::node::Node;
use super::params::Params;
use super::tree::Tree;

/// What the visits of a node say of the result, for one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Means {
    /// Visits.
    pub visits: u64,
    /// Mean result of the visits, 0..=1.
    pub playouts: f32,
    /// Mean value by the net, 0..=1; `None` if the net was not asked.
    pub net: Option<f32>,
}

impl Means {
    /// The means of a node, for the side that moved into it.
    pub(super) fn of(tree: &Tree, node: &Node) -> Means {
        Means { visits: node.visits(), playouts: node.value().unwrap_or(0.5), net: tree.second(node) }
    }

    /// The win rate by these visits alone, 0..=1. No visits are assumed before them, so few visits give a rate that is
    /// often wrong, but as often too high as too low: what a net can learn from.
    pub fn win_rate(self, params: &Params) -> f32 {
        WinRates::new(params, self).rate(f64::from(self.playouts), None) as f32
    }

    /// The same for the other side.
    pub(super) fn turned(self) -> Means {
        Means { playouts: 1.0 - self.playouts, net: self.net.map(|net| 1.0 - net), ..self }
    }
}

/// The root's mean counts as if so many more visits had ended half won, half lost. (A guess: one playout that is won is
/// no reason to say more than 60 %.)
const BEFORE_THE_ROOT: f64 = 10.0;

/// The mean of a move counts as if so many more visits had ended like those of the root. Chance moves the mean of a
/// hundred playouts by five points, and the good moves of a position differ less. (After 1000 visits, rates of moves
/// come nearest to those of a long search with 30 to 60 on 9×9 and with 100 and more on 19×19, see
/// `docs/win-rates.md`.)
const BEFORE_A_MOVE: f64 = 60.0;

/// Means are kept so far from 0 and 1, where log-odds have no end. (A guess.)
const LEAST: f64 = 0.002;

/// The lower bound of a mean lies so many standard errors below it. One in 40 means is lower still (Wilson's
/// interval).
const DEVIATIONS: f64 = 1.96;

/// The formula, ready for the moves of one report.
#[derive(Clone, Copy, Debug)]
pub(super) struct WinRates {
    playouts: f64,
    net: f64,
    /// The means of the root, for the side to move: what is known of a move before its first visit.
    before: (f64, Option<f64>),
}

impl WinRates {
    /// The formula with these parameters, for moves from a root with these means.
    pub(super) fn new(params: &Params, root: Means) -> WinRates {
        let (playouts, net) = (f64::from(params.win_rate_playouts), f64::from(params.win_rate_net));
        WinRates { playouts, net, before: (mean(root, BEFORE_THE_ROOT, 0.5), root.net.map(f64::from)) }
    }

    /// The win rate of the root.
    pub(super) fn of_root(&self) -> f32 {
        self.rate(self.before.0, None) as f32
    }

    /// The win rate after a move with these means, for the side that makes the move.
    pub(super) fn of(&self, means: Means) -> f32 {
        self.rate(self.after(means), means.net) as f32
    }

    /// A bound of the same win rate that allows for few visits; 0 without visits.
    pub(super) fn bound(&self, means: Means) -> f64 {
        if means.visits == 0 {
            return 0.0;
        }
        self.rate(lower_bound(self.after(means), means.visits), means.net)
    }

    /// The mean of the playouts after a move, in which the root counts as some visits.
    fn after(&self, means: Means) -> f64 {
        mean(means, BEFORE_A_MOVE, self.before.0)
    }

    fn rate(&self, playouts: f64, net: Option<f32>) -> f64 {
        let net = net.map(f64::from).or(self.before.1).map_or(0.0, log_odds);
        1.0 / (1.0 + (-self.playouts * log_odds(playouts) - self.net * net).exp())
    }
}

/// The mean of the playouts, if there had been so many more visits with this mean before.
fn mean(means: Means, visits_before: f64, before: f64) -> f64 {
    let visits = means.visits as f64;
    (visits * f64::from(means.playouts) + visits_before * before) / (visits + visits_before)
}

fn log_odds(rate: f64) -> f64 {
    let rate = rate.clamp(LEAST, 1.0 - LEAST);
    (rate / (1.0 - rate)).ln()
}

/// The lower end of Wilson's interval for a rate from so many observations; 0 without observations.
pub fn lower_bound(rate: f64, visits: u64) -> f64 {
    if visits == 0 {
        return 0.0;
    }
    let n = visits as f64;
    let z2 = DEVIATIONS * DEVIATIONS;
    let rate = rate.clamp(0.0, 1.0);
    let spread = DEVIATIONS * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).sqrt();
    ((rate + z2 / (2.0 * n) - spread) / (1.0 + z2 / n)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates(root: f32, net: Option<f32>) -> WinRates {
        let params = Params { win_rate_playouts: 2.0, win_rate_net: 0.5, ..Params::default() };
        WinRates::new(&params, Means { visits: 1_000_000, playouts: root, net })
    }

    fn means(visits: u64, playouts: f32, net: Option<f32>) -> Means {
        Means { visits, playouts, net }
    }

    #[test]
    fn playouts_say_less_than_they_know() {
        let near = |a: f32, b: f32| assert!((a - b).abs() < 1e-3, "{a} {b}");
        near(rates(0.5, None).of_root(), 0.5);
        // Odds of 1.5 squared.
        near(rates(0.6, None).of_root(), 2.25 / 3.25);
        // The net's odds of 4 count as 2.
        near(rates(0.6, Some(0.8)).of_root(), 4.5 / 5.5);
        // What one side wins, the other side loses.
        near(rates(0.4, Some(0.2)).of_root(), 1.0 - 4.5 / 5.5);
        assert!(rates(1.0, None).of_root() > 0.999 && rates(0.0, Some(0.0)).of_root() < 0.001);
    }

    #[test]
    fn a_few_visits_say_little() {
        let rates = rates(0.5, Some(0.6));
        let at = |visits, playouts| rates.of(means(visits, playouts, None));
        assert_eq!(at(0, 0.0), rates.of_root());
        assert!((0.5..0.7).contains(&at(1, 1.0)) && at(1, 1.0) > at(1, 0.0), "{} {}", at(1, 1.0), at(1, 0.0));
        assert!([1, 10, 100, 10_000].map(|visits| at(visits, 0.7)).is_sorted());
        assert!(at(100, 0.7) < rates.of(means(100, 0.7, Some(0.9))), "the net's own word on the move counts");
    }

    #[test]
    fn the_bound_lies_below_the_rate_and_comes_closer() {
        for (root, after) in [(0.05, 1.0), (0.9, 0.0), (0.5, 0.5)] {
            let rates = rates(root, Some(0.4));
            for visits in [1, 20, 200] {
                let means = means(visits, after, Some(0.3));
                assert!(rates.bound(means) <= rates.of(means).into(), "{root} {after} {visits}");
            }
        }
        let rates = rates(0.5, None);
        assert_eq!(rates.bound(means(0, 0.7, None)), 0.0);
        let bounds = [1, 10, 100, 10_000].map(|visits| rates.bound(means(visits, 0.6, None)));
        assert!(
            bounds.is_sorted() && bounds.into_iter().all(|bound| bound < rates.of(means(10_000, 0.6, None)).into())
        );
    }

    #[test]
    fn the_lower_bound_comes_closer_with_visits() {
        assert_eq!(lower_bound(0.7, 0), 0.0);
        // Wilson's interval of 8 in 10 is 0.4902 to 0.9433.
        assert!((lower_bound(0.8, 10) - 0.4902).abs() < 1e-4);
        let bounds = [1, 10, 100, 10_000].map(|visits| lower_bound(0.6, visits));
        assert!(bounds.is_sorted() && bounds[3] < 0.6 && bounds[3] > 0.59, "{bounds:?}");
        assert_eq!(lower_bound(0.0, 5), 0.0);
    }
}
