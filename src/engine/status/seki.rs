//! Seki by shape, where a local game is too large to solve.

use crate::go::region::{connected, flood};
use crate::go::{Board, Cell, Color, Point, PointSet};

/// The largest number of points in an area that two sides of a seki share, and of liberties of a chain in that area.
const MOST_SHARED: usize = 4;

/// Living chains without enough eyes and without a way out, that share liberties with living enemy chains in the same
/// state. `solid` are the stones that surely live.
pub(super) fn by_shape(board: &Board, dead: &PointSet, solid: &PointSet) -> PointSet {
    let mut seki = PointSet::EMPTY;
    let stone = |p| if dead.contains(p) { None } else { board.cell(p).color() };
    let mut seen = PointSet::EMPTY;
    for p in board.points() {
        if stone(p).is_some() || seen.contains(p) {
            continue;
        }
        let area = flood(board, p, |q| stone(q).is_none());
        for q in area.inside.iter() {
            seen.insert(q);
        }
        if area.inside.len() > MOST_SHARED {
            continue;
        }
        let in_need = |color: Color| -> Vec<Point> {
            area.edge
                .iter()
                .filter(|&q| stone(q) == Some(color) && !solid.contains(q))
                .filter(|&q| board.liberty_set(q).len() <= MOST_SHARED && eyes(board, q, dead) < 2)
                .filter(|&q| is_locked_in(board, q, dead, solid))
                .collect()
        };
        let [black, white] = Color::BOTH.map(in_need);
        if black.is_empty() || white.is_empty() {
            continue;
        }
        for q in black.into_iter().chain(white) {
            for s in board.chain(q) {
                seki.insert(s);
            }
        }
    }
    seki
}

/// The parts of the board that these stones and the empty points next to them make.
pub(super) fn parts(board: &Board, seki: &PointSet) -> Vec<PointSet> {
    let mut area = *seki;
    for p in seki.iter().flat_map(|stone| board.adjacent(stone)) {
        if board.cell(p) == Cell::Empty && !area.contains(p) {
            for q in flood(board, p, |q| board.cell(q) == Cell::Empty).inside.iter() {
                area.insert(q);
            }
        }
    }
    connected(board, &area)
}

/// Do all liberties of the chain lie in small areas? These areas have no connection to surely living stones or to two
/// eyes, and no dead enemy stones to capture.
fn is_locked_in(board: &Board, chain: Point, dead: &PointSet, solid: &PointSet) -> bool {
    let color = board.cell(chain);
    let stone = |p| if dead.contains(p) { Cell::Empty } else { board.cell(p) };
    let around: PointSet = board.chain(chain).flat_map(|s| board.adjacent(s)).collect();
    let free = |p: Point| board.cell(p) != Cell::Border && stone(p) == Cell::Empty;
    !around.iter().any(|p| board.cell(p) != Cell::Empty && free(p))
        && around.iter().filter(|&p| free(p)).all(|p| {
            let area = flood(board, p, |q| stone(q) == Cell::Empty);
            area.inside.len() <= MOST_SHARED
                && !area.edge.iter().any(|q| {
                    let lives = || solid.contains(q) || board.head(q) != board.head(chain) && eyes(board, q, dead) >= 2;
                    stone(q) == color && lives()
                })
                && !area.inside.iter().any(|q| dead.contains(q))
        })
}

/// The areas that the chain touches and that only its side surrounds; a large area counts twice.
fn eyes(board: &Board, chain: Point, dead: &PointSet) -> usize {
    let color = board.cell(chain);
    let stone = |p| if dead.contains(p) { Cell::Empty } else { board.cell(p) };
    let mut eyes = 0;
    let mut seen = PointSet::EMPTY;
    for s in board.chain(chain) {
        for p in board.adjacent(s) {
            if stone(p) != Cell::Empty || seen.contains(p) {
                continue;
            }
            let area = flood(board, p, |q| stone(q) == Cell::Empty);
            for q in area.inside.iter() {
                seen.insert(q);
            }
            if area.edge.iter().all(|q| stone(q) == color) {
                eyes += if area.inside.len() > 4 { 2 } else { 1 };
            }
        }
    }
    eyes
}
