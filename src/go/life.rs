//! Unconditional life (Benson 1976, "Life in the Game of Go"): chains that cannot be captured even if their
//! owner always passes, and the areas that they enclose.

use super::board::Board;
use super::color::{Cell, Color};
use super::point::{Point, PointSet};
use super::region::flood;

/// What Benson's algorithm proves for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Safe {
    /// Stones of unconditionally living chains.
    pub stones: PointSet,
    /// Points of the areas that these chains enclose and that are vital to at least one of them: a play of the
    /// enemy there cannot live without the owner's help.
    pub territory: PointSet,
}

struct Area {
    points: PointSet,
    /// Heads of the side's chains around the area.
    chains: PointSet,
    /// Heads of those chains to which each empty point of the area is adjacent.
    vital_to: PointSet,
}

/// The unconditionally living chains of a side and their territory.
pub fn unconditional(board: &Board, color: Color) -> Safe {
    let own = color.cell();
    let mut areas = Vec::new();
    let mut seen = PointSet::EMPTY;
    for p in board.points() {
        if board.cell(p) == own || seen.contains(p) {
            continue;
        }
        let region = flood(board, p, |q| board.cell(q) != own);
        let chains: PointSet = region.edge.iter().map(|q| board.head(q)).collect();
        let mut vital_to = chains;
        for q in region.inside.iter() {
            seen.insert(q);
            if board.cell(q) != Cell::Empty {
                continue;
            }
            let near: PointSet =
                board.adjacent(q).into_iter().filter(|&r| board.cell(r) == own).map(|r| board.head(r)).collect();
            vital_to = vital_to.iter().filter(|&head| near.contains(head)).collect();
        }
        areas.push(Area { points: region.inside, chains, vital_to });
    }
    let mut alive: PointSet = board.points().filter(|&p| board.cell(p) == own).map(|p| board.head(p)).collect();
    // A chain stays while it has two vital areas all of whose surrounding chains stay.
    loop {
        let closed: Vec<&Area> = areas.iter().filter(|a| a.chains.iter().all(|head| alive.contains(head))).collect();
        let dropped: Vec<Point> =
            alive.iter().filter(|&head| closed.iter().filter(|a| a.vital_to.contains(head)).count() < 2).collect();
        for &head in &dropped {
            alive.remove(head);
        }
        if dropped.is_empty() {
            break;
        }
    }
    let mut safe = Safe { stones: PointSet::EMPTY, territory: PointSet::EMPTY };
    for head in alive.iter() {
        for stone in board.chain(head) {
            safe.stones.insert(stone);
        }
    }
    for area in &areas {
        let enclosed = area.chains.iter().all(|head| alive.contains(head)) && !area.vital_to.is_empty();
        if enclosed {
            for p in area.points.iter() {
                safe.territory.insert(p);
            }
        }
    }
    safe
}
