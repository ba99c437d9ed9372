//! The very end of a game under territory scoring. Neutral points are worth nothing, unless filling one makes a side
//! fill its own territory (*teire*). Stones in atari have to be connected or captured. Playouts hardly see a single
//! point; this file counts them exactly.

use crate::go::score::{area, count};
use crate::go::teire::must_be_filled;
use crate::go::{Board, Cell, Color, Move, Point, PointMap, PointSet, Position, Statuses};

/// Points that are compared, at the most. Each point is compared with every other one.
const MOST_POINTS: usize = 32;

/// The play that gains a point or prevents the opponent's gain, where everything else is settled. `None` if a pass is
/// as good.
pub(super) fn last_point(position: &Position, statuses: &Statuses) -> Option<Move> {
    let color = position.to_move();
    let points = open_points(position.board(), statuses);
    let before = Before::of(position, statuses);
    let loss_by_pass = before.best_gain(color.other(), &points);
    let mut best = (-loss_by_pass, None);
    for &p in &points {
        let Some((after, gain)) = before.gain(color, p) else { continue };
        let value = gain - Before::of(&after, statuses).best_gain(color.other(), &points);
        if value > best.0 {
            best = (value, Some(Move::Play(p)));
        }
    }
    best.1
}

/// If there are points to be filled: those points and the neutral points outside sekis.
fn open_points(board: &Board, statuses: &Statuses) -> Vec<Point> {
    let owner = area(board, &statuses.dead);
    let mut points: PointSet = Color::BOTH
        .into_iter()
        .flat_map(|color| {
            must_be_filled(board, &statuses.dead, &statuses.seki, &owner, color).iter().collect::<Vec<_>>()
        })
        .collect();
    if points.is_empty() {
        return Vec::new();
    }
    let near_seki = |p: Point| board.adjacent(p).into_iter().any(|q| statuses.seki.contains(q));
    for p in board.points() {
        if board.cell(p) == Cell::Empty && owner[p].is_none() && !near_seki(p) {
            points.insert(p);
        }
    }
    points.iter().take(MOST_POINTS).collect()
}

/// A position before a play, with what does not depend on the play.
struct Before<'a> {
    position: &'a Position,
    statuses: &'a Statuses,
    owner: PointMap<Option<Color>>,
    /// Black's score in half points.
    score: i32,
}

impl<'a> Before<'a> {
    fn of(position: &'a Position, statuses: &'a Statuses) -> Before<'a> {
        let owner = area(position.board(), &statuses.dead);
        Before { position, statuses, owner, score: count(position, statuses).0 }
    }

    /// A side's gain by its best play, in half points; 0 where a pass is best.
    fn best_gain(&self, color: Color, points: &[Point]) -> i32 {
        points.iter().filter_map(|&p| self.gain(color, p)).map(|(_, gain)| gain).fold(0, i32::max)
    }

    /// The position after a play, and the gain in half points. `None` if the play is illegal or a mere sacrifice.
    fn gain(&self, color: Color, point: Point) -> Option<(Position, i32)> {
        let Before { position, statuses, .. } = *self;
        let captures = position.board().captures_something(color, point);
        if self.owner[point] == Some(color.other()) && !captures {
            return None;
        }
        let mut after = position.clone();
        after.set_to_move(color);
        after.play(Move::Play(point)).ok()?;
        if !captures && after.board().liberties(point).is_atari() {
            return None;
        }
        let dead = statuses.dead.iter().filter(|&p| after.board().cell(p) != Cell::Empty).collect();
        let seki = statuses.seki.iter().filter(|&p| after.board().cell(p) != Cell::Empty).collect();
        let gain = (count(&after, &Statuses { dead, seki }).0 - self.score) * color.sign();
        Some((after, gain))
    }
}
