//! The value of an eye space by exhaustive play: every placement of stones on its points and on White's liberties
//! outside.
//!
//! Slow and obvious on purpose; it shares no code with the engine. Area scoring, the game ends with two passes, no
//! stone is dead at the end. The liberties outside count for nobody, because players stop before the last neutral
//! points are filled. Positions can come again, so each value is an interval: what Black gets at least if a game
//! without end is lost for Black, and what Black gets at most if it is won. Where kos decide, the two differ.

use kosumi::go::{Color, Point, PointSet};

use super::shapes::{SIZE, Space};

/// Stones on the points of a space, one bit a point: those inside first, then White's liberties outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stones {
    /// Black's.
    pub black: u16,
    /// White's.
    pub white: u16,
}

/// The points of a space, how they touch, and the value of each placement.
pub struct Truth {
    near: Vec<u16>,
    near_wall: u16,
    near_outer: u16,
    /// The points inside.
    inside: u16,
    wall: i32,
    /// Black's least and most points minus White's, for each placement, side to move, and pass before.
    values: [Vec<i32>; 2],
}

/// Where a move leads to.
#[derive(Clone, Copy)]
enum Next {
    Place(usize),
    /// White's chain is taken: all is Black's.
    Taken,
}

impl Truth {
    /// Solves the space.
    pub fn new(space: &Space) -> Truth {
        let points: Vec<Point> = space.inside.iter().chain(&space.outside).copied().collect();
        let wall: PointSet = space.wall.iter().copied().collect();
        let touch = |a: Point, b: Point| {
            let (column, row) = (a.column(SIZE).abs_diff(b.column(SIZE)), a.row(SIZE).abs_diff(b.row(SIZE)));
            column + row == 1
        };
        let bits = |condition: &dyn Fn(Point) -> bool| -> u16 {
            points.iter().enumerate().filter(|&(_, &p)| condition(p)).map(|(i, _)| 1 << i).sum()
        };
        let mut truth = Truth {
            near: points.iter().map(|&p| bits(&|q| touch(p, q))).collect(),
            near_wall: bits(&|p| wall.iter().any(|stone| touch(p, stone))),
            near_outer: bits(&|p| space.outside.contains(&p)),
            inside: bits(&|p| space.inside.contains(&p)),
            wall: space.wall.len() as i32,
            values: [Vec::new(), Vec::new()],
        };
        truth.solve();
        truth
    }

    /// The interval of Black's points minus White's on the points of the space and its wall, over both sides moving
    /// first.
    pub fn interval(&self, stones: Stones) -> (i32, i32) {
        let place = self.place(stones);
        let of = |values: &[i32], side: usize| values[index(place, side, 0)];
        let least = of(&self.values[0], 0).min(of(&self.values[0], 1));
        (least, of(&self.values[1], 0).max(of(&self.values[1], 1)))
    }

    fn points(&self) -> usize {
        self.near.len()
    }

    fn all(&self) -> u16 {
        (1 << self.points()) - 1
    }

    fn most(&self) -> i32 {
        self.wall + self.inside.count_ones() as i32
    }

    fn place(&self, stones: Stones) -> usize {
        let digit = |i: usize| usize::from(stones.black >> i & 1) + 2 * usize::from(stones.white >> i & 1);
        (0..self.points()).rev().fold(0, |place, i| place * 3 + digit(i))
    }

    fn stones(&self, mut place: usize) -> Stones {
        let mut stones = Stones { black: 0, white: 0 };
        for i in 0..self.points() {
            match place % 3 {
                1 => stones.black |= 1 << i,
                2 => stones.white |= 1 << i,
                _ => {}
            }
            place /= 3;
        }
        stones
    }

    /// The points of `within` that hang together with `start`.
    fn flood(&self, start: u16, within: u16) -> u16 {
        let mut found = start;
        loop {
            let next = (found | self.around(found)) & within | start;
            if next == found {
                return found;
            }
            found = next;
        }
    }

    fn around(&self, points: u16) -> u16 {
        (0..self.points()).filter(|i| points >> i & 1 == 1).fold(0, |around, i| around | self.near[i])
    }

    /// The chain of the point's stone has a liberty. Black's chains that touch the outer stones always have one.
    fn breathes(&self, stones: Stones, i: usize) -> bool {
        let empty = self.all() & !stones.black & !stones.white;
        if stones.black >> i & 1 == 1 {
            let chain = self.flood(1 << i, stones.black);
            return (self.around(chain) & empty) | (chain & self.near_outer) != 0;
        }
        let chain = self.flood(1 << i, stones.white);
        if chain & self.near_wall != 0 { self.wall_breathes(stones) } else { self.around(chain) & empty != 0 }
    }

    fn wall_breathes(&self, stones: Stones) -> bool {
        let empty = self.all() & !stones.black & !stones.white;
        let attached = self.flood(stones.white & self.near_wall, stones.white);
        (self.near_wall | self.around(attached)) & empty != 0
    }

    /// Has every chain a liberty?
    pub fn is_position(&self, stones: Stones) -> bool {
        let occupied = stones.black | stones.white;
        self.wall_breathes(stones) && (0..self.points()).all(|i| occupied >> i & 1 == 0 || self.breathes(stones, i))
    }

    /// What a stone on point `i` leads to; nothing if it may not be played.
    fn play(&self, stones: Stones, color: Color, i: usize) -> Option<Next> {
        let mut after = stones;
        match color {
            Color::Black => after.black |= 1 << i,
            Color::White => after.white |= 1 << i,
        }
        let victims = match color {
            Color::Black => stones.white,
            Color::White => stones.black,
        };
        if color == Color::Black && !self.wall_breathes(after) {
            return Some(Next::Taken);
        }
        let taken = (0..self.points())
            .filter(|&v| victims >> v & 1 == 1 && !self.breathes(after, v))
            .fold(0, |taken, v| taken | 1 << v);
        after.black &= !(if color == Color::White { taken } else { 0 });
        after.white &= !(if color == Color::Black { taken } else { 0 });
        self.is_position(after).then(|| Next::Place(self.place(after)))
    }

    /// Black's points minus White's if the game ends here.
    fn score(&self, stones: Stones) -> i32 {
        let empty = self.all() & !stones.black & !stones.white;
        let counted = |points: u16| (points & self.inside).count_ones() as i32;
        let mut score = counted(stones.black) - counted(stones.white) - self.wall;
        let mut left = empty;
        while left != 0 {
            let region = self.flood(left & left.wrapping_neg(), empty);
            left &= !region;
            let around = self.around(region);
            let black = around & stones.black != 0 || region & self.near_outer != 0;
            let white = around & stones.white != 0 || region & self.near_wall != 0;
            score += counted(region) * (i32::from(black) - i32::from(white)) * i32::from(black != white);
        }
        score
    }

    fn solve(&mut self) {
        let places = 3usize.pow(self.points() as u32);
        let legal: Vec<bool> = (0..places).map(|place| self.is_position(self.stones(place))).collect();
        let mut moves: Vec<[Vec<Next>; 2]> = Vec::with_capacity(places);
        for (place, &legal) in legal.iter().enumerate() {
            let stones = self.stones(place);
            let empty = self.all() & !stones.black & !stones.white;
            let of = |color: Color| -> Vec<Next> {
                (0..self.points())
                    .filter(|i| legal && empty >> i & 1 == 1)
                    .filter_map(|i| self.play(stones, color, i))
                    .collect()
            };
            moves.push([of(Color::Black), of(Color::White)]);
        }
        let scores: Vec<i32> = (0..places).map(|place| self.score(self.stones(place))).collect();
        let most = self.most();
        // From the worst end for Black upwards: games without end keep the worst. And the other way round.
        self.values = [-most, most].map(|start| {
            let mut values = vec![start; places * 4];
            loop {
                let mut changed = false;
                for place in (0..places).filter(|&place| legal[place]) {
                    for (side, passed) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                        let pass = if passed == 1 { scores[place] } else { values[index(place, 1 - side, 1)] };
                        let plays = moves[place][side].iter().map(|next| match *next {
                            Next::Taken => most,
                            Next::Place(after) => values[index(after, 1 - side, 0)],
                        });
                        let best = plays.fold(pass, |best, v| if side == 0 { best.max(v) } else { best.min(v) });
                        let value = &mut values[index(place, side, passed)];
                        changed |= *value != best;
                        *value = best;
                    }
                }
                if !changed {
                    return values;
                }
            }
        });
    }
}

fn index(place: usize, side: usize, passed: usize) -> usize {
    place * 4 + side * 2 + passed
}
