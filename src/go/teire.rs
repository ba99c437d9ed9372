//! Points that look like territory but have to be filled before the end (*teire*): where the enemy, having filled the
//! neutral points, puts a chain in atari that only a stone on that point connects. False eyes are the usual case.
//! Where there are several neutral points around the chain, the enemy fills only some of them: the last one is its
//! side's own if a stone there helps, since that costs nothing.
//!
//! Dead stones are taken off without a play when the game is counted, but until then they stand: a chain that has no
//! other liberties than the points under them has to take them first, and each play for that fills a point.

use std::cmp::Reverse;

use super::board::Board;
use super::color::Color;
use super::point::{Point, PointMap, PointSet};
use super::region::{Flood, flood};

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
        captured: PointSet::EMPTY,
    };
    let is_safe = |p: &Point| position.liberties(&position.chain(*p, color.other())).len() >= 2;
    position.neutral = position.neutral.iter().filter(is_safe).collect();
    // Chains about which nothing is to be done.
    let mut settled = *seki;
    while let Some(chain) = position.atari(&settled) {
        if position.take_neutral(&chain) {
            continue;
        }
        match position.rescue(&chain, owner) {
            Some(after) => position = after,
            None => settled = settled.iter().chain(chain.inside.iter()).collect(),
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

/// A board on which the enemy has the neutral points, and `color` has connected where it had to. The dead stand until
/// they have to be taken, since they are no liberties before that.
#[derive(Clone)]
struct Filled<'a> {
    board: &'a Board,
    dead: &'a PointSet,
    color: Color,
    neutral: PointSet,
    connected: PointSet,
    /// Neutral points that `color` takes in time.
    taken: PointSet,
    /// Dead enemy stones that `color` takes when it connects.
    captured: PointSet,
}

impl Filled<'_> {
    fn stone(&self, p: Point) -> Option<Color> {
        if self.connected.contains(p) || self.taken.contains(p) {
            return Some(self.color);
        }
        if self.neutral.contains(p) {
            return Some(self.color.other());
        }
        self.board.cell(p).color().filter(|_| !self.captured.contains(p))
    }

    /// The chain that a stone of a side on this point belongs to, and what lies around it.
    fn chain(&self, point: Point, color: Color) -> Flood {
        flood(self.board, point, |q| self.stone(q) == Some(color))
    }

    fn liberties(&self, chain: &Flood) -> PointSet {
        chain.edge.iter().filter(|&q| self.stone(q).is_none()).collect()
    }

    /// Takes one of several neutral points around the chain, so that it is in atari no more.
    fn take_neutral(&mut self, chain: &Flood) -> bool {
        let near: Vec<Point> = chain.edge.iter().filter(|&q| self.neutral.contains(q)).collect();
        if near.len() < 2 {
            return false;
        }
        near.into_iter().any(|p| {
            self.neutral.remove(p);
            self.taken.insert(p);
            let helps = self.liberties(&self.chain(p, self.color)).len() >= 2;
            if !helps {
                self.taken.remove(p);
                self.neutral.insert(p);
            }
            helps
        })
    }

    /// A chain of the side in atari next to living enemy stones. Among dead ones alone it is bait, not in danger, and so
    /// is one whose capture can be answered by taking as much.
    fn atari(&self, settled: &PointSet) -> Option<Flood> {
        let mut seen: PointSet = settled.iter().chain(self.dead.iter()).collect();
        self.board.points().find_map(|p| {
            if self.stone(p) != Some(self.color) || seen.contains(p) {
                return None;
            }
            let chain = self.chain(p, self.color);
            for q in chain.inside.iter() {
                seen.insert(q);
            }
            let lives = |q: Point| self.stone(q) == Some(self.color.other()) && !self.dead.contains(q);
            let in_danger =
                self.liberties(&chain).len() < 2 && chain.edge.iter().any(lives) && !self.is_snapback(&chain);
            in_danger.then_some(chain)
        })
    }

    /// Could the side take all the stones that capture the chain? It loses nothing then: a prisoner for the enemy and a
    /// point of territory more for each stone of the chain, a prisoner more and a point less for the play that takes back.
    fn is_snapback(&self, chain: &Flood) -> bool {
        self.liberties(chain).iter().any(|only| {
            let captor = self.chain(only, self.color.other());
            let liberties = captor.edge.iter().filter(|&q| self.stone(q).is_none() || chain.inside.contains(q)).count();
            // A single stone that has taken a single one may not be taken back: a ko.
            liberties == 1 && captor.inside.len() > 1
        })
    }

    /// The board after the plays in the side's territory that help the chain: at its only liberty, or those that take
    /// dead stones next to it. `None` where nothing leaves it a liberty: it lives by other means or not at all.
    fn rescue(&self, chain: &Flood, owner: &PointMap<Option<Color>>) -> Option<Self> {
        let stone = chain.inside.iter().next()?;
        // As many as the side has time for if it begins: the enemy fills the neutral points first.
        let most = 1 + chain.edge.iter().filter(|&q| self.neutral.contains(q)).count();
        let dead = chain.edge.iter().filter(|&q| self.stone(q) == Some(self.color.other()) && self.dead.contains(q));
        let captures = dead.map(|q| self.liberties(&self.chain(q, self.color.other())));
        let ways = std::iter::once(self.liberties(chain)).chain(captures);
        ways.filter(|way| (1..=most).contains(&way.len()) && way.iter().all(|p| owner[p] == Some(self.color)))
            .map(|way| (way.len(), self.after(&way)))
            .map(|(plays, after)| (plays, after.liberties(&after.chain(stone, self.color)).len(), after))
            .filter(|&(_, liberties, _)| liberties > 0)
            .min_by_key(|&(plays, liberties, _)| (plays, Reverse(liberties)))
            .map(|(.., after)| after)
    }

    /// The board after plays of the side on these points.
    fn after(&self, points: &PointSet) -> Self {
        let mut after = self.clone();
        for q in points.iter().flat_map(|p| self.board.adjacent(p)) {
            if self.stone(q) != Some(self.color.other()) {
                continue;
            }
            let enemy = self.chain(q, self.color.other());
            if self.liberties(&enemy).iter().all(|p| points.contains(p)) {
                for stone in enemy.inside.iter() {
                    after.captured.insert(stone);
                }
            }
        }
        for p in points.iter() {
            after.connected.insert(p);
        }
        after
    }
}
