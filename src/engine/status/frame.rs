//! The frame of a finished game: the groups that surely live, and the parts of the board between them that have
//! to be looked at more closely.

use crate::go::region::{Flood, flood};
use crate::go::{Board, Cell, Color, Point, PointMap, PointSet};

/// An empty area of so many points gives its owner two eyes, whatever the enemy tries: the largest areas that can
/// be reduced to one eye have six.
const TWO_EYES: usize = 7;

/// So much room around enemy stones that look dead: enough for two eyes even if those have to be captured.
const TWO_EYES_AROUND_DEAD: usize = 10;

/// Space of this many points, bordered by several chains of one side, is at least one eye; smaller ones may be
/// false.
const ONE_EYE: usize = 4;

/// An area without living stones.
struct Area {
    flood: Flood,
    owner: Option<Color>,
    /// Enemy stones inside that look dead without a proof.
    doubtful: usize,
}

impl Area {
    /// Points without doubtful stones.
    fn room(&self) -> usize {
        self.flood.inside.len() - self.doubtful
    }
}

/// What is sure, and what is not.
pub struct Frame {
    /// Stones that surely live.
    pub solid: PointSet,
    /// The connected parts of the board outside the sure stones and their undisputed territory.
    pub open: Vec<PointSet>,
}

impl Frame {
    /// Finds the frame. `dead` are the stones that look dead, `proven_dead` those that certainly are, `proven` those
    /// that cannot be captured.
    pub fn new(board: &Board, dead: &PointSet, proven_dead: &PointSet, proven: &PointSet) -> Frame {
        let areas = areas(board, dead, proven_dead);
        let (group, eyes) = groups(board, dead, &areas);
        let is_solid = |p: Point| proven.contains(p) || !dead.contains(p) && eyes[group[board.head(p)]] >= 2;
        let solid: PointSet = board.points().filter(|&p| board.cell(p) != Cell::Empty && is_solid(p)).collect();
        let mut closed = solid;
        for area in &areas {
            let sure = area.owner.is_some() && area.flood.edge.iter().all(|p| solid.contains(p));
            if sure && area.doubtful == 0 {
                for p in area.flood.inside.iter() {
                    closed.insert(p);
                }
            }
        }
        let mut open = Vec::new();
        let mut seen = closed;
        for p in board.points() {
            if !seen.contains(p) {
                let part = flood(board, p, |q| !closed.contains(q)).inside;
                for q in part.iter() {
                    seen.insert(q);
                }
                open.push(part);
            }
        }
        Frame { solid, open }
    }
}

fn areas(board: &Board, dead: &PointSet, proven_dead: &PointSet) -> Vec<Area> {
    let mut areas = Vec::new();
    let mut seen = PointSet::EMPTY;
    let stone = |p: Point| if dead.contains(p) { None } else { board.cell(p).color() };
    for p in board.points() {
        if stone(p).is_some() || seen.contains(p) {
            continue;
        }
        let flood = flood(board, p, |q| stone(q).is_none());
        for q in flood.inside.iter() {
            seen.insert(q);
        }
        let doubtful = flood.inside.iter().filter(|&q| dead.contains(q) && !proven_dead.contains(q)).count();
        areas.push(Area { owner: flood.owner(stone), flood, doubtful });
    }
    areas
}

/// The group of each chain's head, by number, and the eyes that each group surely has, two at the most.
fn groups(board: &Board, dead: &PointSet, areas: &[Area]) -> (PointMap<usize>, Vec<usize>) {
    let mut group = PointMap::filled(0);
    let mut count = 0;
    let heads: Vec<Point> =
        board.points().filter(|&p| board.cell(p) != Cell::Empty && !dead.contains(p) && board.head(p) == p).collect();
    for &head in &heads {
        group[head] = count;
        count += 1;
    }
    let around = |area: &Area| -> Vec<Point> {
        let heads: PointSet = area.flood.edge.iter().map(|p| board.head(p)).collect();
        heads.iter().collect()
    };
    // Stones that only look dead may still part the chains around them.
    let joins = |area: &&Area| area.owner.is_some() && (area.doubtful == 0 || area.room() >= TWO_EYES_AROUND_DEAD);
    for area in areas.iter().filter(joins) {
        let chains = around(area);
        for &other in &chains[1..] {
            let (from, to) = (group[other], group[chains[0]]);
            for &head in &heads {
                if group[head] == from {
                    group[head] = to;
                }
            }
        }
    }
    let mut eyes = vec![0; count];
    for area in areas.iter().filter(|area| area.owner.is_some()) {
        let chains = around(area);
        let joined = chains.iter().all(|&head| group[head] == group[chains[0]]);
        if !joined {
            continue;
        }
        let points = area.flood.inside.len();
        eyes[group[chains[0]]] += match area.doubtful {
            0 if points >= TWO_EYES => 2,
            0 if points >= ONE_EYE || chains.len() == 1 => 1,
            0 => 0,
            _ if area.room() >= TWO_EYES_AROUND_DEAD => 2,
            _ if area.room() >= TWO_EYES => 1,
            _ => 0,
        };
    }
    (group, eyes)
}
