//! The statistics of the moves at the root, which searches of one position on several machines exchange. Own and
//! foreign visits are kept apart, so no visit counts twice.

use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use super::node::Node;
use super::shared::lock;
use super::tree::Tree;
use crate::go::{Move, Point};

/// Visits and results of a move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveStatistics {
    /// Index of the point played, see [`Point::index`]; 0 for a pass.
    pub point: u16,
    /// Playouts through the move.
    pub visits: u64,
    /// Sum of their results for the side that makes the move, 0..=visits.
    pub sum: f64,
}

/// Visits and results of the moves at the root.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RootStatistics {
    /// The moves that have visits.
    pub moves: Vec<MoveStatistics>,
}

impl RootStatistics {
    /// The difference to earlier statistics of the same root.
    pub fn since(&self, earlier: &RootStatistics) -> RootStatistics {
        let before = |point| earlier.moves.iter().find(|m| m.point == point).map_or((0, 0.0), |m| (m.visits, m.sum));
        let moves = self.moves.iter().map(|m| {
            let (visits, sum) = before(m.point);
            MoveStatistics { point: m.point, visits: m.visits.saturating_sub(visits), sum: (m.sum - sum).max(0.0) }
        });
        RootStatistics { moves: moves.filter(|m| m.visits > 0).collect() }
    }
}

/// The statistics that have come from outside, by point.
#[derive(Debug, Default)]
pub struct Foreign(Mutex<Vec<MoveStatistics>>);

fn point_of(child: &Node) -> u16 {
    match child.mv() {
        Move::Play(point) => point.index() as u16,
        Move::Pass => Point::NONE.index() as u16,
    }
}

impl Foreign {
    /// Forgets all foreign statistics, as for a new root.
    pub fn clear(&self) {
        lock(&self.0).clear();
    }

    /// The statistics of a tree's root without the foreign ones.
    pub fn own(&self, tree: &Tree) -> RootStatistics {
        let foreign = lock(&self.0);
        let own = |child: &Node| {
            let (point, (visits, sum)) = (point_of(child), child.visits_and_sum());
            let (others, their_sum) = foreign.iter().find(|m| m.point == point).map_or((0, 0.0), |m| (m.visits, m.sum));
            MoveStatistics { point, visits: visits.saturating_sub(others), sum: (sum - their_sum).max(0.0) }
        };
        let children = tree.children(tree.node(tree.root()));
        RootStatistics { moves: children.iter().map(own).filter(|m| m.visits > 0).collect() }
    }

    /// Adds foreign statistics to a tree's root and its children. Moves that the root does not have are left out, and
    /// so are impossible sums.
    pub fn merge(&self, tree: &Tree, statistics: &RootStatistics) {
        let mut foreign = lock(&self.0);
        let root = tree.node(tree.root());
        for more in &statistics.moves {
            let child = tree.children(root).iter().find(|child| point_of(child) == more.point && !child.is_barred());
            let Some(child) = child.filter(|_| (0.0..=more.visits as f64).contains(&more.sum)) else { continue };
            child.add_foreign(more.visits, more.sum);
            // The root's results are those of the side that has moved into it.
            root.add_foreign(more.visits, more.visits as f64 - more.sum);
            match foreign.iter_mut().find(|m| m.point == more.point) {
                Some(known) => {
                    known.visits += more.visits;
                    known.sum += more.sum;
                }
                None => foreign.push(*more),
            }
        }
    }
}
