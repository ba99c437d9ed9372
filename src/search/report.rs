//! The findings of a search.

use std::time::{Duration, Instant};

use crate::go::{Color, Move};

use super::details::Details;
use super::lead::{Estimate, Margin};
use super::node::Node;
use super::ownership::Ownership;
use super::secure::Secure;
use super::shared::{Shared, lock};
use super::tree::Tree;
use super::win_rate::{Means, WinRates};

/// The findings about one move at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReport {
    /// The move.
    pub mv: Move,
    /// Playouts through it.
    pub visits: u64,
    /// Mean result for the side to move, 0..=1; the mean of the root if the move has no visits.
    pub value: f32,
    /// How often the side to move wins with it, 0..=1; see [`win_rate`](super::win_rate).
    pub win_rate: f32,
    /// A lower bound of the win rate that allows for few visits; 0 without visits.
    pub bound: f64,
    /// The expected margin after it, if details were asked for.
    pub margin: Option<Margin>,
    /// Prior probability.
    pub prior: f32,
    /// The most visited continuation, this move first.
    pub variation: Vec<Move>,
    /// Playouts through each move of the variation.
    pub variation_visits: Vec<u64>,
}

#[cfg(test)]
impl MoveReport {
    /// A move of which a test knows visits, value and prior.
    pub(crate) fn known(mv: Move, visits: u64, value: f32, prior: f32) -> MoveReport {
        MoveReport {
            mv,
            visits,
            value,
            win_rate: value,
            bound: 0.0,
            margin: None,
            prior,
            variation: vec![mv],
            variation_visits: vec![visits],
        }
    }
}

/// The findings of a search, at its end or on the way. An example is with [`Search`](super::Search).
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The moves at the root, best first: by their values less an allowance for few visits, if
    /// [`secure`](super::Params::secure) is above 0; else by visits, then by value.
    pub moves: Vec<MoveReport>,
    /// Playouts of this search, those of other machines included.
    pub playouts: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// Mean result for the side to move, 0..=1.
    pub value: f32,
    /// How often the side to move wins, 0..=1; see [`win_rate`](super::win_rate).
    pub win_rate: f32,
    /// The means that the win rate was made of, for the side to move.
    pub means: Means,
    /// The expected margin, if details were asked for.
    pub margin: Option<Margin>,
    /// The standard deviation that a net expects of the margin, in points, if it was asked for. Where the net evaluates
    /// alone, the margins of [`Report::ownership`] are means, and the end of the game differs from them by so much. 0
    /// where playouts run.
    pub spread_of_net: f32,
    /// Playouts through the root, those of earlier searches included.
    pub visits: u64,
    /// Nodes of the tree.
    pub nodes: usize,
    /// Owners of the points at the end of the playouts of this search.
    pub ownership: Ownership,
    /// Scores and owners from a fair sample of the playouts, if they were asked for.
    pub details: Details,
}

/// The longest variation that a report holds.
const VARIATION: usize = 20;

impl Report {
    /// The report of a search in progress.
    pub(super) fn of(shared: &Shared<'_>, now: Instant) -> Report {
        let tree = shared.tree;
        let root = tree.node(tree.root());
        let params = &shared.request.params;
        let share = params.second_share_at(&shared.request.position);
        let value = 1.0 - tree.mean(root, share).unwrap_or(0.5);
        let means = Means::of(tree, root).turned();
        let win_rates = WinRates::new(params, means);
        let details = shared.details.as_ref().map(|details| lock(details).clone()).unwrap_or_default();
        let to_move = shared.request.position.to_move();
        let black = |value: f32| f64::from(if to_move == Color::Black { value } else { 1.0 - value });
        let estimate = Estimate::new(&details, to_move, black(means.playouts), black(value))
            .map(|estimate| estimate.with_spread_of_net(shared.spread_of_net))
            // Where the first capture wins, nobody counts points.
            .filter(|_| !shared.request.position.rules().first_capture);
        let mut moves: Vec<MoveReport> = tree
            .children(root)
            .iter()
            .filter(|child| !child.is_barred())
            .map(|child| {
                let (variation, variation_visits) = variation(tree, child);
                let (mv, visits) = (child.mv(), child.visits());
                let value = tree.mean(child, share).unwrap_or(value);
                let means = Means::of(tree, child);
                MoveReport {
                    mv,
                    visits,
                    value,
                    win_rate: win_rates.of(means),
                    bound: win_rates.bound(means),
                    margin: estimate.as_ref().map(|estimate| estimate.of_move(mv, visits, black(value))),
                    prior: child.prior(),
                    variation,
                    variation_visits,
                }
            })
            .collect();
        sort(&mut moves, params.secure);
        Report {
            moves,
            playouts: shared.all_playouts(),
            elapsed: now.saturating_duration_since(shared.start),
            value,
            win_rate: win_rates.of_root(),
            means,
            margin: estimate.as_ref().map(Estimate::of_root),
            spread_of_net: shared.spread_of_net,
            visits: root.visits(),
            nodes: tree.nodes(),
            ownership: lock(&shared.ownership).clone(),
            details,
        }
    }

    /// The best move; a pass if there are no moves.
    pub fn best(&self) -> Move {
        self.moves.first().map_or(Move::Pass, |m| m.mv)
    }
}

/// Sorts moves, the best first: by their [`Secure`] ranks, then by visits, then by value.
fn sort(moves: &mut [MoveReport], allowance: f32) {
    let most = moves.iter().map(|m| m.visits).max().unwrap_or(0);
    let secure = Secure::new(allowance, most);
    let rank = |m: &MoveReport| secure.map_or(0.0, |secure| secure.rank(m.value, m.visits));
    moves.sort_by(|a, b| {
        rank(b)
            .total_cmp(&rank(a))
            .then(b.visits.cmp(&a.visits))
            .then(b.value.total_cmp(&a.value))
            .then(b.prior.total_cmp(&a.prior))
    });
}

/// The most visited continuation, and the visits of each of its moves. Of moves with equal visits the first counts.
fn variation(tree: &Tree, from: &Node) -> (Vec<Move>, Vec<u64>) {
    let mut moves = vec![from.mv()];
    let mut visits = vec![from.visits()];
    let mut at = from;
    while moves.len() < VARIATION {
        match tree.children(at).iter().rev().max_by_key(|child| child.visits()) {
            Some(child) if child.visits() > 0 => {
                moves.push(child.mv());
                visits.push(child.visits());
                at = child;
            }
            _ => break,
        }
    }
    (moves, visits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::Point;

    #[test]
    fn a_move_with_a_better_value_and_visits_enough_stands_before_the_most_visited_one() {
        let mv = |column| Move::Play(Point::new(column, 0, 9));
        let report = |column, visits, value| MoveReport::known(mv(column), visits, value, 0.1);
        let order = |secure| {
            let mut moves = [
                report(0, 600, 0.50),
                report(1, 200, 0.60),
                // The allowance is larger than what these two are ahead, and the second has too few visits at all.
                report(2, 100, 0.54),
                report(3, 40, 0.90),
                report(4, 0, 0.50),
            ];
            sort(&mut moves, secure);
            moves.map(|m| m.mv)
        };
        assert_eq!(order(0.0), [0, 1, 2, 3, 4].map(mv));
        assert_eq!(order(0.8), [1, 0, 2, 3, 4].map(mv));
    }
}
