//! Life and death for scoring: what is proven, what local games show, and the playouts' owners for the rest.
//!
//! 1. Benson's algorithm (1976) finds stones that live and stones that die for certain.
//! 2. Groups with enough room count as alive ([`frame`]). Between them lie the parts of the board that may be in doubt.
//! 3. Each small part, or its surroundings of the stones in doubt, is solved as a game of its own ([`local`],
//!    [`solve`]). Each side moves first once.
//! 4. Where a part is too large, or the first move decides, the owners of the points in playouts decide ([`sample`]).

mod dame;
pub mod frame;
pub mod local;
mod outskirts;
pub mod sample;
mod seki;
mod share;
pub mod solve;

use crate::go::life::unconditional;
use crate::go::region::{connected, flood};
use crate::go::{Board, Cell, Color, Point, PointSet, Statuses};
use crate::search::Ownership;
use frame::Frame;
use local::{LocalBoard, LocalState, bits};

/// A chain is dead when its side's ownership of its points is below this, on the scale of [`Ownership::of`].
const DEAD_BELOW: f32 = -0.2;

/// The largest number of empty points of a part that the solver tries.
const MOST_EMPTY: usize = 24;

/// A judgement of life and death: the [`Statuses`], and which points local games settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The dead stones and those in seki. All other stones live.
    pub statuses: Statuses,
    /// Points of solved parts that belong to the same side at the end, whoever moves first.
    pub settled: PointSet,
    /// Points of solved parts whose owner depends on who moves first.
    pub unsettled: PointSet,
}

/// Judges every chain of the board. `work` is the effort for local games, see [`solve::Solver::new`].
pub fn judge(board: &Board, ownership: &Ownership, work: u64) -> Judgement {
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
    let frame = Frame::new(board, &dead, &proven_dead, &proven, ownership);
    let mut seki = PointSet::EMPTY;
    let mut settled = PointSet::EMPTY;
    let mut unsettled = PointSet::EMPTY;
    let mut undecided = PointSet::EMPTY;
    let mut sure: PointSet = proven.iter().chain(proven_dead.iter()).collect();
    let parts = small_parts(board, &frame, ownership);
    let local_boards: Vec<LocalBoard> =
        parts.iter().filter_map(|(part, given)| LocalBoard::new(board, part, given)).collect();
    for (local, ends) in local_boards.iter().zip(share::solve_all(board, &local_boards, work)) {
        let Some(ends) = ends else { continue };
        let mut open = false;
        for (chain, fate) in fates(board, local, &ends) {
            open |= fate == Fate::Open;
            for stone in board.chain(chain) {
                if fate == Fate::Open {
                    undecided.insert(stone);
                    continue;
                }
                sure.insert(stone);
                dead.remove(stone);
                match fate {
                    Fate::Dead => _ = dead.insert(stone),
                    Fate::Seki => _ = seki.insert(stone),
                    Fate::Alive | Fate::Open => {}
                }
            }
        }
        let areas = ends.map(|end| local.owned(&end));
        for i in bits(areas[0][0] & areas[1][0] | areas[0][1] & areas[1][1]) {
            settled.insert(local.points()[i]);
        }
        if open {
            for &p in local.points().iter().filter(|&&p| !settled.contains(p)) {
                unsettled.insert(p);
            }
        }
    }
    revive(board, &mut dead, &sure);
    for stone in
        seki::by_shape(board, &dead, &frame.solid).iter().filter(|&p| !sure.contains(p) && !undecided.contains(p))
    {
        seki.insert(stone);
    }
    Judgement { statuses: Statuses { dead, seki }, settled, unsettled }
}

fn stones_where(board: &Board, condition: impl Fn(Point, Color) -> bool) -> PointSet {
    board.points().filter(|&p| board.cell(p).color().is_some_and(|color| condition(p, color))).collect()
}

/// The open parts with stones that the solver tries, those with the fewest empty points first. Each comes with the
/// points around it that are given to each side.
fn small_parts(board: &Board, frame: &Frame, ownership: &Ownership) -> Vec<(PointSet, [PointSet; 2])> {
    let empties = |part: &PointSet| part.iter().filter(|&p| board.cell(p) == Cell::Empty).count();
    let mut parts = Vec::new();
    for part in &frame.open {
        let surplus = dame::surplus(board, part, &frame.solid);
        let left: PointSet = part.iter().filter(|&p| surplus.iter().all(|given| !given.contains(p))).collect();
        if empties(&left) <= MOST_EMPTY {
            parts.push((left, surplus));
        } else {
            let far = outskirts::far(board, part, ownership);
            let near: PointSet = part.iter().filter(|&p| far.iter().all(|far| !far.contains(p))).collect();
            parts.extend(connected(board, &near).into_iter().map(|near| (near, far)));
        }
    }
    let mut parts: Vec<_> = parts.into_iter().map(|(part, given)| (empties(&part), part, given)).collect();
    parts.retain(|(empty, part, _)| *empty <= MOST_EMPTY && *empty < part.len());
    parts.sort_by_key(|&(empty, ..)| empty);
    parts.into_iter().map(|(_, part, given)| (part, given)).collect()
}

/// The fate of a chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Alive,
    Dead,
    Seki,
    /// The first move decides whether the chain lives.
    Open,
}

/// The fates of the chains of a local game, each chain named by one of its stones.
fn fates(board: &Board, local: &LocalBoard, ends: &[LocalState; 2]) -> Vec<(Point, Fate)> {
    let mut fates = Vec::new();
    let mut seen = PointSet::EMPTY;
    for &p in local.points() {
        let Some(color) = board.cell(p).color().filter(|_| seen.insert(board.head(p))) else { continue };
        let chain = board.chain(p).filter_map(|stone| local.bit(stone)).fold(0, |chain, bit| chain | bit);
        let [first, second] = [0, 1].map(|i: usize| fate(local, &ends[i], color, chain));
        fates.push((
            p,
            match (first, second) {
                (first, second) if first == second => first,
                (Fate::Dead, _) | (_, Fate::Dead) => Fate::Open,
                // The chain lives, and whoever moves first can end the seki.
                _ => Fate::Alive,
            },
        ));
    }
    fates
}

fn fate(local: &LocalBoard, end: &LocalState, color: Color, chain: u128) -> Fate {
    let areas = local.owned(end);
    let own = areas[color.index()];
    let theirs = areas[color.other().index()];
    if (chain & theirs).count_ones() > (chain & own).count_ones() {
        return Fate::Dead;
    }
    // The group: chains connected by stones and territory. A group is in seki if it touches a neutral point that nobody
    // could fill (Japanese rules of 1989, article 8: living stones with dame are in seki).
    let group = local.flood(chain & own, own);
    let stones = group & end.board()[color.index()];
    let dame = bits(stones).any(|i| local.near(i) & !own & !theirs != 0);
    if dame && !local.touches_wall(group, color) { Fate::Seki } else { Fate::Alive }
}

/// Revives stones that look dead but have only their own side around them when all dead-looking stones are taken off.
/// The chains of one group share one fate. `sure` are the stones whose fate is certain.
fn revive(board: &Board, dead: &mut PointSet, sure: &PointSet) {
    let mut seen = PointSet::EMPTY;
    let before = *dead;
    let stone = |p: Point| if before.contains(p) { None } else { board.cell(p).color() };
    for p in before.iter() {
        if seen.contains(p) {
            continue;
        }
        let area = flood(board, p, |q| stone(q).is_none());
        let owner = area.owner(stone);
        for q in area.inside.iter() {
            seen.insert(q);
            if owner.is_some() && board.cell(q).color() == owner && !sure.contains(q) {
                dead.remove(q);
            }
        }
    }
}
