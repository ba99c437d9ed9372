//! The owners of the points in a game that was counted. The game is played out from its end many times, and the owners
//! that nearly all playouts agree on are taken.

use crate::go::rules::Scoring;
use crate::go::score::playout_owner;
use crate::go::{Color, Point, PointSet, Position};
use crate::playout::{Playout, stream, tactical::Tactical};

/// The points that each side owned at the end of a game. The other points were neutral or disputed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owners {
    of: [PointSet; 2],
}

impl Owners {
    /// The points of a side.
    pub fn of(&self, color: Color) -> &PointSet {
        &self.of[color.index()]
    }
}

/// The share of playouts that has to agree on a point. A guess; most points of finished games have more.
const AGREED: f32 = 0.75;
/// The largest difference in points between area and result; with a larger one the owners are rejected. Area scoring
/// leaves a disputed point or two. Territory scoring adds the difference between the two ways to count.
const TOLERANCE: f32 = 3.0;

/// Plays games out.
#[derive(Debug)]
pub struct OwnerFinder {
    playout: Playout<Tactical>,
}

impl Default for OwnerFinder {
    fn default() -> OwnerFinder {
        OwnerFinder { playout: Playout::new(Tactical::default()) }
    }
}

impl OwnerFinder {
    /// The owners at the end of a game that Black has won by `margin` points before komi. `None` if the playouts
    /// disagree with the result.
    pub fn find(&mut self, end: &Position, margin: f32, playouts: u32, seed: u64) -> Option<Owners> {
        let board = end.board();
        let mut balance = vec![0_i32; crate::go::CAPACITY];
        let mut rng = stream(seed, 0);
        for _ in 0..playouts {
            self.playout.run(end, [Point::NONE; 2], None, &mut rng);
            for point in board.points() {
                balance[point.index()] += playout_owner(self.playout.board(), point).map_or(0, Color::sign);
            }
        }
        let mut of = [PointSet::EMPTY; 2];
        // A side with AGREED of the playouts has this much more than the other side.
        let least = (2.0 * AGREED - 1.0) * playouts as f32;
        for point in board.points() {
            let owned = balance[point.index()];
            if owned as f32 >= least {
                of[Color::Black.index()].insert(point);
            } else if -owned as f32 >= least {
                of[Color::White.index()].insert(point);
            }
        }
        let area = of[0].len() as f32 - of[1].len() as f32;
        // Under territory scoring, the side that has put more stones on the board, those of a handicap among them, has as
        // many points more by area.
        let put = |color| (board.stones(color) + board.captured(color)) as f32;
        let more_stones = match end.rules().scoring {
            Scoring::Area => 0.0,
            Scoring::Territory => put(Color::Black) - put(Color::White),
        };
        ((area - more_stones - margin).abs() <= TOLERANCE).then_some(Owners { of })
    }
}
