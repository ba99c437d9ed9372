//! Life and death for scoring: what is proven alive, and what the playouts' owners say of the rest.

use crate::go::life::unconditional;
use crate::go::region::flood;
use crate::go::{Board, Cell, Color, PointSet, Statuses};
use crate::search::Ownership;

/// Playouts from which on the owners are worth more than a new search.
pub const ENOUGH_PLAYOUTS: u32 = 400;

/// A chain is dead when its owner holds its points less often than this, on the scale of [`Ownership::of`].
const DEAD_BELOW: f32 = -0.2;

/// Judges every chain of the board.
pub fn judge(board: &Board, ownership: &Ownership) -> Statuses {
    let mut statuses = Statuses::ALL_ALIVE;
    let mut seen = PointSet::EMPTY;
    let safe = Color::BOTH.map(|color| unconditional(board, color));
    for p in board.points() {
        let Some(color) = board.cell(p).color().filter(|_| !seen.contains(p)) else { continue };
        let mut sum = 0.0;
        let mut proven_dead = true;
        for stone in board.chain(p) {
            seen.insert(stone);
            sum += ownership.of(stone) * color.sign() as f32;
            proven_dead &= safe[color.other().index()].territory.contains(stone);
        }
        if safe[color.index()].stones.contains(p) {
            continue;
        }
        let mean = sum / board.chain_len(p) as f32;
        if proven_dead || mean < DEAD_BELOW {
            for stone in board.chain(p) {
                statuses.dead.insert(stone);
            }
        }
    }
    statuses.seki = seki(board, &statuses.dead, &safe.map(|safe| safe.stones));
    statuses
}

/// Living chains without an own eye space that share liberties with living enemy chains in the same plight, none
/// of them proven alive.
fn seki(board: &Board, dead: &PointSet, safe: &[PointSet; 2]) -> PointSet {
    let mut seki = PointSet::EMPTY;
    let stone = |p| if dead.contains(p) { None } else { board.cell(p).color() };
    let mut seen = PointSet::EMPTY;
    for p in board.points() {
        if stone(p).is_some() || seen.contains(p) {
            continue;
        }
        let region = flood(board, p, |q| stone(q).is_none());
        for q in region.inside.iter() {
            seen.insert(q);
        }
        // A neutral region of a seki: both sides next to it, and neither of the chains can do without it.
        let owners: Vec<Color> = region.edge.iter().filter_map(stone).collect();
        let neutral = owners.contains(&Color::Black) && owners.contains(&Color::White);
        if !neutral || region.inside.len() > MOST_SHARED {
            continue;
        }
        let depends = |color: Color| {
            region
                .edge
                .iter()
                .filter(|&q| stone(q) == Some(color))
                .any(|q| !safe[color.index()].contains(q) && few_liberties(board, q) && !owns_eyes(board, q, dead))
        };
        if depends(Color::Black) && depends(Color::White) {
            for q in region.edge.iter() {
                if let Some(color) = stone(q) {
                    if !safe[color.index()].contains(q) && few_liberties(board, q) && !owns_eyes(board, q, dead) {
                        for s in board.chain(q) {
                            seki.insert(s);
                        }
                    }
                }
            }
        }
    }
    seki
}

/// Points that two sides of a seki share at the most, in one region.
const MOST_SHARED: usize = 4;

fn few_liberties(board: &Board, stone: crate::go::Point) -> bool {
    board.liberty_set(stone).len() <= MOST_SHARED
}

/// Does the chain touch two regions that its side alone surrounds?
fn owns_eyes(board: &Board, chain: crate::go::Point, dead: &PointSet) -> bool {
    let color = board.cell(chain);
    let stone = |p| if dead.contains(p) { Cell::Empty } else { board.cell(p) };
    let mut eyes = 0;
    let mut seen = PointSet::EMPTY;
    for s in board.chain(chain) {
        for p in board.adjacent(s) {
            if stone(p) != Cell::Empty || seen.contains(p) {
                continue;
            }
            let region = flood(board, p, |q| stone(q) == Cell::Empty);
            for q in region.inside.iter() {
                seen.insert(q);
            }
            if region.edge.iter().all(|q| stone(q) == color) {
                eyes += if region.inside.len() > 4 { 2 } else { 1 };
            }
        }
    }
    eyes >= 2
}
