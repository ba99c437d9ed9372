//! Unconditional life (Benson 1976, "Life in the Game of Go"): chains that cannot be captured even if their owner
//! always passes, and the areas that these chains enclose.

use super::board::Board;
use super::color::{Cell, Color};
use super::point::{Point, PointMap, PointSet};

/// What Benson's algorithm proves for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Safe {
    /// Stones of unconditionally living chains.
    pub stones: PointSet,
    /// Points of the enclosed areas that are vital to at least one of these chains. Enemy stones there cannot live
    /// without the owner's help.
    pub territory: PointSet,
}

/// An area of the side's enemy and empty points that is vital to a chain.
#[derive(Clone, Copy, Debug)]
struct Area {
    /// Start and end of its points in [`Benson::members`].
    members: (usize, usize),
    /// Start and end, in [`Benson::chains`], of the heads of the side's chains around the area.
    chains: (usize, usize),
    /// The heads of the chains that touch every empty point of the area, and their number: four at most, as many as
    /// touch one point.
    vital_to: ([Point; 4], usize),
}

/// Benson's algorithm with its own storage, so that a repeated call allocates nothing.
#[derive(Debug)]
pub struct Benson {
    areas: Vec<Area>,
    members: Vec<Point>,
    chains: Vec<Point>,
    /// The last area that touched this head, counted from 1.
    met: PointMap<u16>,
    /// Number of vital areas of each head.
    eyes: PointMap<u8>,
}

impl Default for Benson {
    fn default() -> Benson {
        Benson {
            areas: Vec::new(),
            members: Vec::new(),
            chains: Vec::new(),
            met: PointMap::filled(0),
            eyes: PointMap::filled(0),
        }
    }
}

/// The unconditionally living chains of a side and their territory.
pub fn unconditional(board: &Board, color: Color) -> Safe {
    Benson::default().find(board, color)
}

impl Benson {
    /// The unconditionally living chains of a side and their territory.
    pub fn find(&mut self, board: &Board, color: Color) -> Safe {
        self.find_areas(board, color);
        let mut safe = Safe { stones: PointSet::EMPTY, territory: PointSet::EMPTY };
        if self.areas.len() < 2 {
            return safe;
        }
        let mut alive: PointSet = self.areas.iter().flat_map(|area| area.vital()).copied().collect();
        // A chain stays while it has two vital areas whose surrounding chains all stay.
        loop {
            alive.iter().for_each(|head| self.eyes[head] = 0);
            for area in self.areas.iter().filter(|area| area.is_closed(&self.chains, &alive)) {
                area.vital().iter().for_each(|&head| self.eyes[head] += 1);
            }
            let before = alive.len();
            let eyes = &self.eyes;
            alive = alive.iter().filter(|&head| eyes[head] >= 2).collect();
            if alive.len() == before {
                break;
            }
        }
        for head in alive.iter() {
            board.chain(head).for_each(|stone| _ = safe.stones.insert(stone));
        }
        for area in self.areas.iter().filter(|area| area.is_closed(&self.chains, &alive)) {
            self.members[area.members.0..area.members.1].iter().for_each(|&p| _ = safe.territory.insert(p));
        }
        safe
    }

    /// Finds the areas without stones of the side that are vital to at least one chain. Other areas prove nothing.
    fn find_areas(&mut self, board: &Board, color: Color) {
        let own = color.cell();
        self.areas.clear();
        self.members.clear();
        self.chains.clear();
        self.met = PointMap::filled(0);
        let mut seen = PointSet::EMPTY;
        let mut number = 0;
        for start in board.points() {
            if board.cell(start) == own || !seen.insert(start) {
                continue;
            }
            number += 1;
            let (first, first_chain) = (self.members.len(), self.chains.len());
            self.members.push(start);
            let mut vital: Option<([Point; 4], usize)> = None;
            let mut next = first;
            while let Some(&at) = self.members.get(next) {
                next += 1;
                let (mut near, mut count) = ([Point::NONE; 4], 0);
                for direction in 0..4 {
                    let beside = board.toward(at, direction);
                    let cell = board.cell(beside);
                    if cell == own {
                        let head = board.head(beside);
                        (near[count], count) = (head, count + 1);
                        if self.met[head] != number {
                            self.met[head] = number;
                            self.chains.push(head);
                        }
                    } else if cell != Cell::Border && seen.insert(beside) {
                        self.members.push(beside);
                    }
                }
                if board.cell(at) == Cell::Empty {
                    let near = &near[..count];
                    let (heads, known) = vital.get_or_insert_with(|| distinct(near));
                    let mut kept = 0;
                    for i in 0..*known {
                        if near.contains(&heads[i]) {
                            (heads[kept], kept) = (heads[i], kept + 1);
                        }
                    }
                    *known = kept;
                }
            }
            match vital {
                Some(vital_to) if vital_to.1 > 0 => {
                    let members = (first, self.members.len());
                    self.areas.push(Area { members, chains: (first_chain, self.chains.len()), vital_to });
                }
                _ => {
                    self.members.truncate(first);
                    self.chains.truncate(first_chain);
                }
            }
        }
    }
}

impl Area {
    fn vital(&self) -> &[Point] {
        &self.vital_to.0[..self.vital_to.1]
    }

    /// Do all chains around the area stay?
    fn is_closed(&self, chains: &[Point], alive: &PointSet) -> bool {
        chains[self.chains.0..self.chains.1].iter().all(|&head| alive.contains(head))
    }
}

/// Each of up to four points once.
fn distinct(points: &[Point]) -> ([Point; 4], usize) {
    let (mut found, mut count) = ([Point::NONE; 4], 0);
    for &point in points {
        if !found[..count].contains(&point) {
            (found[count], count) = (point, count + 1);
        }
    }
    (found, count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::region::flood;

    struct SlowArea {
        points: PointSet,
        /// Heads of the side's chains around the area.
        chains: PointSet,
        /// Heads of those chains to which each empty point of the area is adjacent.
        vital_to: PointSet,
    }

    /// The same in sets of points, slowly.
    fn slow(board: &Board, color: Color) -> Safe {
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
            areas.push(SlowArea { points: region.inside, chains, vital_to });
        }
        let mut alive: PointSet = board.points().filter(|&p| board.cell(p) == own).map(|p| board.head(p)).collect();
        // A chain stays while it has two vital areas all of whose surrounding chains stay.
        loop {
            let closed: Vec<&SlowArea> =
                areas.iter().filter(|a| a.chains.iter().all(|head| alive.contains(head))).collect();
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

    /// Random games without a playout: any legal point, in an order that looks random.
    #[test]
    fn areas_and_chains_are_those_of_the_slow_way() {
        let mut benson = Benson::default();
        let mut found = 0;
        // Miri takes minutes for a few games.
        let games: u64 = if cfg!(miri) { 3 } else { 60 };
        for seed in 1..=games {
            let size = 4 + (seed % 4) as usize;
            let mut board = Board::new(size);
            let mut color = Color::Black;
            let mut state = seed;
            for _ in 0..size * size * 2 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let empties = board.empties();
                let legal = |p: Point| board.is_legal(color, p) && !board.around(p).is_eye_shape(color);
                let from = (state >> 33) as usize % empties.len().max(1);
                let Some(p) = empties.iter().cycle().skip(from).take(empties.len()).copied().find(|&p| legal(p)) else {
                    break;
                };
                board.place(color, p);
                color = color.other();
                for side in Color::BOTH {
                    let safe = benson.find(&board, side);
                    assert_eq!(safe, slow(&board, side));
                    found += safe.stones.len();
                }
            }
        }
        assert!(found > 15 * games as usize, "the games have living chains");
    }
}
