//! Points that look like territory but have to be filled before the end (*teire*). The enemy fills the neutral points
//! and so puts a chain in atari, and only a stone on that point saves the chain. False eyes are the usual case. Where
//! stones on several neutral points would help the chain, the enemy gets only some of them. The chain's side takes the
//! last one, since that costs nothing.
//!
//! Dead stones are taken off without a play when the game is counted, but until then they stand. A chain whose only
//! other liberties are points under dead stones has to capture the dead stones first. Each play for that fills a point.

use std::cmp::Reverse;

use super::board::Board;
use super::color::Color;
use super::point::{Point, PointMap, PointSet};
use super::region::{Flood, flood};

/// The points of a side's territory that it will have to fill when the enemy has the neutral points. `owner` tells each
/// point's owner when the dead stones are off. Nobody fills the neutral points of a seki.
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
    // Chains for which no play is needed or possible.
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

/// A board on which the enemy has the neutral points and `color` has connected where necessary. Dead stones stand until
/// they have to be captured, since their points are no liberties before that.
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

    /// The chain of a stone of `color` on this point, and the points around it.
    fn chain(&self, point: Point, color: Color) -> Flood {
        flood(self.board, point, |q| self.stone(q) == Some(color))
    }

    fn liberties(&self, chain: &Flood) -> PointSet {
        chain.edge.iter().filter(|&q| self.stone(q).is_none()).collect()
    }

    /// Takes one of several neutral points around the chain that put it out of atari. The enemy can have one of them
    /// first, but not the next.
    fn take_neutral(&mut self, chain: &Flood) -> bool {
        let near: Vec<Point> = chain.edge.iter().filter(|&q| self.neutral.contains(q)).collect();
        let helping: Vec<Point> = near.into_iter().filter(|&p| self.helps(p)).collect();
        if helping.len() >= 2 {
            self.neutral.remove(helping[0]);
            self.taken.insert(helping[0]);
        }
        helping.len() >= 2
    }

    /// Would a stone of its side on this neutral point put an adjacent chain out of atari?
    fn helps(&self, neutral: Point) -> bool {
        let mut after = self.clone();
        after.neutral.remove(neutral);
        after.taken.insert(neutral);
        after.liberties(&after.chain(neutral, self.color)).len() >= 2
    }

    /// A chain of the side in atari next to living enemy stones. A chain among dead stones only is a sacrifice and not
    /// in danger. Neither is a chain whose capture a snapback answers.
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

    /// Is the chain a single stone that the side could put back at once, capturing the stones that captured it? The
    /// side then loses nothing: each side takes a prisoner.
    fn is_snapback(&self, chain: &Flood) -> bool {
        chain.inside.len() == 1
            && self.liberties(chain).iter().any(|only| {
                let captor = self.chain(only, self.color.other());
                let is_free = |&q: &Point| self.stone(q).is_none() || chain.inside.contains(q);
                // A single stone that has captured a single stone may not be recaptured: a ko.
                captor.edge.iter().filter(is_free).count() == 1 && captor.inside.len() > 1
            })
    }

    /// The board after the plays in the side's territory that help the chain: on its only liberty, or captures of dead
    /// stones next to it. `None` if no play leaves the chain a liberty: it lives by other means or not at all.
    fn rescue(&self, chain: &Flood, owner: &PointMap<Option<Color>>) -> Option<Self> {
        let stone = chain.inside.iter().next()?;
        // The number of plays that the side has time for if it moves first, because the enemy fills the neutral points
        // first.
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
