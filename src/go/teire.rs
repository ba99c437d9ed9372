//! Points that look like territory but have to be filled before the end (*teire*): where the enemy, having filled the
//! neutral points, puts a chain in atari that only a stone on that point connects. False eyes are the usual case.
//! Where there are several neutral points around the chain, the enemy fills only some of them: the last one is its
//! side's own if a stone there helps, since that costs nothing.

use super::board::Board;
use super::color::Color;
use super::point::{Point, PointMap, PointSet};
use super::region::flood;

/// The points of a side's territory that it will have to fill, when the neutral points are the enemy's. `owner` says
/// whose each point is when the dead stones are off; nobody fills the neutral points of a seki.
pub fn must_be_filled(
    board: &Board,
    dead: &PointSet,
    seki: &PointSet,
    owner: &PointMap<Option<Color>>,
    color: Color,
) -> PointSet {
    let left = |p: Point| if dead.contains(p) { None } else { board.cell(p).color() };
    let mut position = Filled {
        board,
        dead,
        color,
        neutral: neutral(board, seki, owner, left),
        connected: PointSet::EMPTY,
        taken: PointSet::EMPTY,
    };
    let unsafe_to_fill: Vec<Point> =
        position.neutral.iter().filter(|&p| position.liberties(p, color.other()).len() < 2).collect();
    for p in unsafe_to_fill {
        position.neutral.remove(p);
    }
    while let Some((stone, point)) = position.atari(seki, owner) {
        if !position.take_neutral(stone) {
            position.connected.insert(point);
        }
    }
    position.connected
}

/// The neutral points outside sekis.
fn neutral(
    board: &Board,
    seki: &PointSet,
    owner: &PointMap<Option<Color>>,
    left: impl Fn(Point) -> Option<Color>,
) -> PointSet {
    let mut neutral = PointSet::EMPTY;
    let mut seen = PointSet::EMPTY;
    for p in board.points() {
        if owner[p].is_some() || left(p).is_some() || seen.contains(p) {
            continue;
        }
        let region = flood(board, p, |q| left(q).is_none());
        let in_seki = region.edge.iter().any(|q| seki.contains(q));
        for q in region.inside.iter() {
            seen.insert(q);
            if !in_seki {
                neutral.insert(q);
            }
        }
    }
    neutral
}

/// A board on which the dead are off, the enemy has the neutral points, and `color` has connected where it had to.
struct Filled<'a> {
    board: &'a Board,
    dead: &'a PointSet,
    color: Color,
    neutral: PointSet,
    connected: PointSet,
    /// Neutral points that `color` takes in time.
    taken: PointSet,
}

impl Filled<'_> {
    fn stone(&self, p: Point) -> Option<Color> {
        if self.connected.contains(p) || self.taken.contains(p) {
            Some(self.color)
        } else if self.neutral.contains(p) {
            Some(self.color.other())
        } else if self.dead.contains(p) {
            None
        } else {
            self.board.cell(p).color()
        }
    }

    /// The liberties of the chain that a stone of a side on this point belongs to.
    fn liberties(&self, point: Point, color: Color) -> PointSet {
        let chain = flood(self.board, point, |q| self.stone(q) == Some(color));
        chain.edge.iter().filter(|&q| self.stone(q).is_none()).collect()
    }

    /// Takes one of several neutral points around the chain of this stone, so that it is in atari no more.
    fn take_neutral(&mut self, stone: Point) -> bool {
        let chain = flood(self.board, stone, |q| self.stone(q) == Some(self.color));
        let near: Vec<Point> = chain.edge.iter().filter(|&q| self.neutral.contains(q)).collect();
        if near.len() < 2 {
            return false;
        }
        near.into_iter().any(|p| {
            self.neutral.remove(p);
            self.taken.insert(p);
            let helps = self.liberties(p, self.color).len() >= 2;
            if !helps {
                self.taken.remove(p);
                self.neutral.insert(p);
            }
            helps
        })
    }

    /// A stone of the side in atari, and the point of its territory that connects it.
    fn atari(&self, seki: &PointSet, owner: &PointMap<Option<Color>>) -> Option<(Point, Point)> {
        let mut seen = PointSet::EMPTY;
        self.board.points().find_map(|p| {
            if self.stone(p) != Some(self.color) || seen.contains(p) {
                return None;
            }
            let chain = flood(self.board, p, |q| self.stone(q) == Some(self.color));
            for q in chain.inside.iter() {
                seen.insert(q);
            }
            let mut liberties = chain.edge.iter().filter(|&q| self.stone(q).is_none());
            let only = liberties.next().filter(|_| liberties.next().is_none() && !seki.contains(p))?;
            // Where connecting leaves no liberty either, the chain lives by other means or not at all.
            (owner[only] == Some(self.color) && !self.liberties(only, self.color).is_empty()).then_some((p, only))
        })
    }
}
