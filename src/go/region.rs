//! Connected areas of the board, found by flooding.

use super::board::Board;
use super::color::{Cell, Color};
use super::point::{Point, PointSet};

/// The points that can be reached from `start` by steps to adjacent points for which `inside` holds, and the points
/// around them for which it does not hold. `start` always counts as inside.
pub fn flood(board: &Board, start: Point, mut inside: impl FnMut(Point) -> bool) -> Flood {
    let mut flood = Flood { inside: PointSet::EMPTY, edge: PointSet::EMPTY };
    let mut open = vec![start];
    flood.inside.insert(start);
    while let Some(at) = open.pop() {
        for near in board.adjacent(at) {
            if board.cell(near) == Cell::Border || flood.inside.contains(near) {
                continue;
            }
            if inside(near) {
                flood.inside.insert(near);
                open.push(near);
            } else {
                flood.edge.insert(near);
            }
        }
    }
    flood
}

/// The connected parts of a set of points.
pub fn connected(board: &Board, points: &PointSet) -> Vec<PointSet> {
    let mut parts = Vec::new();
    let mut seen = PointSet::EMPTY;
    for p in points.iter() {
        if !seen.contains(p) {
            let part = flood(board, p, |q| points.contains(q)).inside;
            for q in part.iter() {
                seen.insert(q);
            }
            parts.push(part);
        }
    }
    parts
}

/// The result of [`flood`].
#[derive(Clone, Copy, Debug)]
pub struct Flood {
    /// The connected area.
    pub inside: PointSet,
    /// The points of the board next to the area.
    pub edge: PointSet,
}

impl Flood {
    /// The only side with stones around the area, if there is exactly one. `color_of` tells the side of a point of the
    /// edge.
    pub fn owner(&self, mut color_of: impl FnMut(Point) -> Option<Color>) -> Option<Color> {
        let mut owner = None;
        for point in self.edge.iter() {
            let color = color_of(point)?;
            if owner.is_some_and(|o| o != color) {
                return None;
            }
            owner = Some(color);
        }
        owner
    }
}
