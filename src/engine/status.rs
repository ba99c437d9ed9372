//! Life and death for scoring: what is proven, what local games show, and what the playouts' owners say of the rest.
//!
//! 1. Benson's algorithm (1976) finds stones that live and stones that die for certain.
//! 2. Groups with room enough are taken to live ([`frame`]); between them lie the parts of the board where something
//!    may be in doubt.
//! 3. Each of those parts that is small is solved as a game of its own ([`local`]), with each side moving first.
//! 4. Where a part is too large, or who moves first matters, the owners of the points in the playouts decide
//!    ([`sample`]).

pub mod frame;
pub mod local;
pub mod sample;
mod seki;

use crate::go::life::unconditional;
use crate::go::{Board, Cell, Color, Point, PointSet, Statuses};
use crate::search::Ownership;
use frame::Frame;
use local::{Arena, OutOfNodes, Solver, State, bits};

/// A chain is dead when its owner holds its points less often than this, on the scale of [`Ownership::of`].
const DEAD_BELOW: f32 = -0.2;

/// Empty points of a part that is worth a try to solve.
const MOST_EMPTY: usize = 20;

/// Judges every chain of the board. `nodes` is the effort that goes into local games.
pub fn judge(board: &Board, ownership: &Ownership, nodes: u64) -> Statuses {
    let safe = Color::BOTH.map(|color| unconditional(board, color));
    let proven: PointSet = safe.iter().flat_map(|safe| safe.stones.iter()).collect();
    let proven_dead = stones_where(board, |p, color| safe[color.other().index()].territory.contains(p));
    let looks_dead = |p: Point, color: Color| {
        let sum: f32 = board.chain(p).map(|stone| ownership.of(stone) * color.sign() as f32).sum();
        sum / (board.chain_len(p) as f32) < DEAD_BELOW
    };
    let mut dead = stones_where(board, |p, color| {
        proven_dead.contains(p) || !proven.contains(p) && looks_dead(board.head(p), color)
    });
    let frame = Frame::new(board, &dead, &proven_dead, &proven);
    let mut seki = PointSet::EMPTY;
    let mut solved = PointSet::EMPTY;
    let empties = |part: &PointSet| part.iter().filter(|&p| board.cell(p) == Cell::Empty).count();
    let mut parts: Vec<&PointSet> =
        frame.open.iter().filter(|part| part.iter().any(|p| board.cell(p) != Cell::Empty)).collect();
    parts.sort_by_key(|part| empties(part));
    let mut left = nodes;
    for part in parts {
        if empties(part) > MOST_EMPTY {
            continue;
        }
        let Some(arena) = Arena::new(board, part) else { continue };
        let Ok(ends) = solve(board, &arena, &mut left) else { continue };
        for (chain, fate) in fates(board, &arena, &ends) {
            for stone in board.chain(chain) {
                solved.insert(stone);
                dead.remove(stone);
                match fate {
                    Fate::Dead => _ = dead.insert(stone),
                    Fate::Seki => _ = seki.insert(stone),
                    Fate::Alive => {}
                }
            }
        }
    }
    for stone in seki::by_shape(board, &dead, &frame.solid).iter().filter(|&p| !solved.contains(p)) {
        seki.insert(stone);
    }
    Statuses { dead, seki }
}

fn stones_where(board: &Board, condition: impl Fn(Point, Color) -> bool) -> PointSet {
    board.points().filter(|&p| board.cell(p).color().is_some_and(|color| condition(p, color))).collect()
}

/// How a local game ends when each side in turn moves first.
fn solve(board: &Board, arena: &Arena, nodes: &mut u64) -> Result<[State; 2], OutOfNodes> {
    let mut solver = Solver::new(arena, *nodes);
    let black = solver.play_out(arena.state(board, Color::Black));
    let white = black.and_then(|black| Ok([black, solver.play_out(arena.state(board, Color::White))?]));
    *nodes = solver.nodes_left();
    white
}

/// What becomes of a chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Alive,
    Dead,
    Seki,
}

/// What becomes of the chains of an arena (a stone of each is given), where the two ends agree.
fn fates(board: &Board, arena: &Arena, ends: &[State; 2]) -> Vec<(Point, Fate)> {
    let mut fates = Vec::new();
    let mut seen = PointSet::EMPTY;
    for &p in arena.points() {
        let Some(color) = board.cell(p).color().filter(|_| seen.insert(board.head(p))) else { continue };
        let mut chain = 0;
        for stone in board.chain(p) {
            if let Ok(i) = arena.points().binary_search(&stone) {
                chain |= 1 << i;
            }
        }
        let [first, second] = [0, 1].map(|i: usize| fate(arena, &ends[i], color, chain));
        if first == second {
            fates.push((p, first));
        } else if first != Fate::Dead && second != Fate::Dead {
            fates.push((p, Fate::Alive));
        }
    }
    fates
}

fn fate(arena: &Arena, end: &State, color: Color, chain: u128) -> Fate {
    let areas = arena.areas(end);
    let own = areas[color.index()];
    let theirs = areas[color.other().index()];
    if (chain & theirs).count_ones() > (chain & own).count_ones() {
        return Fate::Dead;
    }
    // The group: what hangs together by stones and territory. It is in seki if it touches a neutral point that
    // nobody could fill.
    let group = arena.flood(chain & own, own);
    let neutral = arena.neutral(end);
    let dame = bits(group & end.stones(color)).any(|i| arena.near(i) & neutral != 0);
    if dame && !arena.touches_wall(group, color) { Fate::Seki } else { Fate::Alive }
}
