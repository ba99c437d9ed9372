//! A small part of the board as a game of its own: its rules, and what is clear about a state without search.
//!
//! Playouts judge sekis and small eyes badly: most moves there are mistakes, and playouts make them. An exhaustive
//! search finds the result that a referee would find. Both sides play as well as they can, each side moves first once,
//! and the final position decides. The stones around the part are its *walls*. Walls count as alive for good: a chain
//! that touches a wall of its own colour cannot be captured.
//!
//! Points are counted by area, since moves in one's own territory then cost nothing. The hypothetical play of the
//! Japanese rules (1989, article 7) costs nothing either. The only ko threat is a pass, as in those rules. So the bent
//! four in the corner is dead without a rule of its own.

use crate::go::{Board, Cell, Color, Point, PointSet};
use crate::wide_hash::WideHash;

/// The largest number of points of a local game: the bits of a word.
pub const MOST_POINTS: usize = 128;

/// An empty area of this many points is wide enough to connect through it: larger than any single eye that can be
/// reduced to one (six points).
const ROOM_TO_CONNECT: u32 = 7;

/// Liberties in such an area with which a chain cannot be separated from the living stones there. The enemy takes one,
/// and two are left.
const LIBERTIES_TO_SPARE: u32 = 3;

/// An empty area of this many points gives two eyes even in the corner, where nine can be too few (the carpenter's
/// square).
const ROOM_TO_LIVE: u32 = 10;

/// In an empty area that living stones surround, nobody lives on so few points off their liberties, even with the first
/// move. The smallest group with two eyes takes ten points at the side and eight in the corner, and each move is
/// answered.
const TOO_LITTLE_TO_LIVE: u32 = 12;

/// The points of a local game and what surrounds them.
#[derive(Debug)]
pub struct LocalBoard {
    points: Vec<Point>,
    /// The points of the local game next to each point.
    near: Vec<u128>,
    /// Points next to a wall of a side, by [`Color::index`].
    walls: [u128; 2],
}

/// The stones of a local game and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LocalState {
    /// By [`Color::index`].
    stones: [u128; 2],
    /// The point that a ko closes, if any, as a set.
    ko: u128,
    to_move: Color,
    /// Has the opponent just passed?
    passed: bool,
    /// Plays so far that captured something. Every repetition of a board needs captures, so no state with this number
    /// in it ever comes back. What is known of a state therefore holds for every way to it.
    captures: u8,
}

impl LocalBoard {
    /// The local game on these points. All stones next to the points are walls, and so are the points `given` to a side
    /// (by [`Color::index`]). `None` if the points are too many.
    pub fn new(board: &Board, area: &PointSet, given: &[PointSet; 2]) -> Option<LocalBoard> {
        if area.len() > MOST_POINTS {
            return None;
        }
        let wall_of = |q: Point| {
            let stone = board.cell(q).color().map(Color::index);
            stone.or_else(|| (0..2).find(|&side| given[side].contains(q)))
        };
        let points: Vec<Point> = area.iter().collect();
        let mut near = vec![0; points.len()];
        let mut walls = [0; 2];
        for (i, &p) in points.iter().enumerate() {
            for q in board.adjacent(p) {
                if let Ok(j) = points.binary_search(&q) {
                    near[i] |= 1 << j;
                } else if let Some(side) = wall_of(q) {
                    walls[side] |= 1 << i;
                }
            }
        }
        Some(LocalBoard { points, near, walls })
    }

    /// The points, in the order of their bits.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The set of one point, if the point belongs to the local game.
    pub(super) fn bit(&self, point: Point) -> Option<u128> {
        self.points.binary_search(&point).ok().map(|i| 1 << i)
    }

    /// The stones of the board in the local game, with a side to move.
    pub fn state(&self, board: &Board, to_move: Color) -> LocalState {
        let mut stones = [0; 2];
        for (i, &p) in self.points.iter().enumerate() {
            match board.cell(p) {
                Cell::Black => stones[0] |= 1 << i,
                Cell::White => stones[1] |= 1 << i,
                Cell::Empty | Cell::Border => {}
            }
        }
        LocalState { stones, ko: 0, to_move, passed: false, captures: 0 }
    }

    /// Every point.
    fn all(&self) -> u128 {
        if self.points.len() == MOST_POINTS { u128::MAX } else { (1 << self.points.len()) - 1 }
    }

    /// The points without a stone.
    pub(super) fn empty(&self, state: &LocalState) -> u128 {
        self.all() & !state.stones[0] & !state.stones[1]
    }

    /// The points of a set and all points next to them.
    fn spread(&self, set: u128) -> u128 {
        let mut wide = set;
        for i in bits(set) {
            wide |= self.near[i];
        }
        wide
    }

    /// The connected part of `inside` around the points of `start`.
    pub(super) fn flood(&self, start: u128, inside: u128) -> u128 {
        let mut reached = start;
        let mut new = start;
        while new != 0 {
            let wide = self.spread(new) & inside;
            new = wide & !reached;
            reached |= new;
        }
        reached
    }

    fn is_captured(&self, chain: u128, color: Color, empty: u128) -> bool {
        chain & self.walls[color.index()] == 0 && self.spread(chain) & empty == 0
    }

    /// The state after a play; `None` if a ko or a suicide forbids the play.
    pub(super) fn play(&self, state: &LocalState, point: usize) -> Option<LocalState> {
        let bit = 1 << point;
        if state.ko == bit {
            return None;
        }
        let me = state.to_move.index();
        let mut stones = state.stones;
        stones[me] |= bit;
        let mut captured = 0_u128;
        let mut enemies = self.near[point] & stones[1 - me];
        while enemies != 0 {
            let chain = self.flood(enemies & enemies.wrapping_neg(), stones[1 - me]);
            enemies &= !chain;
            if self.is_captured(chain, state.to_move.other(), self.all() & !stones[0] & !stones[1]) {
                captured |= chain;
            }
        }
        stones[1 - me] &= !captured;
        let mut ko = 0;
        let lone = self.near[point] & stones[me] == 0 && self.walls[me] & bit == 0;
        if captured == 0 {
            if self.is_captured(self.flood(bit, stones[me]), state.to_move, self.all() & !stones[0] & !stones[1]) {
                return None;
            }
        } else if lone && captured.count_ones() == 1 && self.near[point] & !stones[1 - me] == captured {
            ko = captured;
        }
        let captures = state.captures + u8::from(captured != 0);
        Some(LocalState { stones, ko, to_move: state.to_move.other(), passed: false, captures })
    }

    /// The state after a pass.
    pub(super) fn pass(state: &LocalState) -> LocalState {
        LocalState { ko: 0, to_move: state.to_move.other(), passed: true, ..*state }
    }

    /// The points of each side: its stones, and the empty areas that only its stones touch.
    pub(super) fn areas(&self, state: &LocalState) -> [u128; 2] {
        let mut areas = state.stones;
        let mut empty = self.empty(state);
        while empty != 0 {
            let region = self.flood(empty & empty.wrapping_neg(), empty);
            empty &= !region;
            let wide = self.spread(region);
            let touches = [0, 1].map(|side: usize| wide & state.stones[side] != 0 || region & self.walls[side] != 0);
            for side in 0..2 {
                if touches[side] && !touches[1 - side] {
                    areas[side] |= region;
                }
            }
        }
        areas
    }

    /// The points of each side, when a side owns all that it certainly holds, enemy stones inside included. So a line
    /// that is played out ends as soon as neither side gains by another move.
    pub(super) fn owned(&self, state: &LocalState) -> [u128; 2] {
        let [black, white] = Color::BOTH.map(|color| self.safe(state, color));
        let areas = self.areas(state);
        [areas[0] & !white | black, areas[1] & !black | white]
    }

    /// The points that are nobody's.
    pub(super) fn neutral(&self, state: &LocalState) -> u128 {
        let [black, white] = self.areas(state);
        self.all() & !black & !white
    }

    /// The points next to a point.
    pub(super) fn near(&self, point: usize) -> u128 {
        self.near[point]
    }

    /// Does any of these points touch a wall of this side?
    pub(super) fn touches_wall(&self, set: u128, color: Color) -> bool {
        set & self.walls[color.index()] != 0
    }

    /// Black's points minus White's.
    pub(super) fn score(&self, state: &LocalState) -> i32 {
        let [black, white] = self.areas(state);
        black.count_ones() as i32 - white.count_ones() as i32
    }

    /// The points that a side keeps even if it always passes, or can keep whenever it answers. They include its
    /// unconditionally living chains (Benson 1976; walls count as living chains) and the chains with two connections to
    /// those. They also include the areas among them with no room for two enemy eyes (after Müller 1997, "Playing it
    /// safe").
    pub(super) fn safe(&self, state: &LocalState, color: Color) -> u128 {
        let (side, enemy_walls) = (color.index(), self.walls[color.other().index()]);
        let own = state.stones[side];
        let empty = self.empty(state);
        let chains: Vec<u128> = self.parts(own).collect();
        let wide: Vec<u128> = chains.iter().map(|&chain| self.spread(chain)).collect();
        let by_wall = |chain: &u128| chain & self.walls[side] != 0;
        let mut alive: Vec<bool> = chains.iter().map(by_wall).collect();
        if !alive.iter().all(|&alive| alive) {
            let mut areas: Vec<u128> = self.parts(self.all() & !own).filter(|area| area & enemy_walls == 0).collect();
            let mut candidate = vec![true; chains.len()];
            loop {
                let eyes = |i: usize| {
                    let closed = |area: &&u128| (0..chains.len()).all(|j| candidate[j] || **area & wide[j] == 0);
                    areas.iter().filter(closed).filter(|&&area| area & empty & !wide[i] == 0).count()
                };
                let dropped: Vec<usize> =
                    (0..chains.len()).filter(|&i| candidate[i] && !alive[i] && eyes(i) < 2).collect();
                if dropped.is_empty() {
                    break;
                }
                for i in dropped {
                    candidate[i] = false;
                }
            }
            alive = candidate;
            areas.retain(|area| area & !empty == 0 && area.count_ones() >= ROOM_TO_CONNECT);
            self.spread_life(&areas, &wide, &mut alive, self.walls[side]);
            self.connect(&wide, &mut alive, empty, self.walls[side]);
        }
        let sure = chains.iter().zip(&alive).filter(|&(_, &alive)| alive).fold(0, |all, (chain, _)| all | chain);
        let reached = self.spread(sure) | self.walls[side];
        let mut safe = sure;
        for area in self.parts(self.all() & !sure) {
            let inner = area & !reached;
            let unvisited = area & !empty == 0 && inner.count_ones() <= TOO_LITTLE_TO_LIVE;
            if area & enemy_walls == 0 && (unvisited || self.is_one_eye(inner, own)) {
                safe |= area;
            }
        }
        safe
    }

    /// Chains at a large empty area that only their side surrounds, as after the capture of many stones. The enemy
    /// would have to live there, or to separate a chain with liberties to spare from the living stones around. Around
    /// the largest areas, one chain makes two eyes by itself.
    fn spread_life(&self, areas: &[u128], wide: &[u128], alive: &mut [bool], wall: u128) {
        for &area in areas {
            let around: Vec<usize> = (0..wide.len()).filter(|&i| wide[i] & area != 0).collect();
            if area & wall != 0 || around.iter().any(|&i| alive[i]) {
                for i in around {
                    alive[i] |= (wide[i] & area).count_ones() >= LIBERTIES_TO_SPARE;
                }
            } else if let [only] = around[..] {
                alive[only] |= area.count_ones() >= ROOM_TO_LIVE;
            }
        }
    }

    /// Do these points, some with stones of the surrounding side, lack the room for two eyes? Of three points in a row
    /// the side has to have the middle: the enemy can take the middle only after the ends are filled.
    fn is_one_eye(&self, room: u128, own: u128) -> bool {
        match room.count_ones() {
            0 | 1 => true,
            2 => room & self.spread(room & room.wrapping_neg()) == room,
            3 => bits(room & own).any(|middle| (self.near[middle] & room).count_ones() == 2),
            _ => false,
        }
    }

    /// Chains that share two liberties with living chains: the enemy can take only one of the two. `wide` are the
    /// chains with their liberties, `wall` the points next to the side's walls. Each liberty serves one chain alone, so
    /// no play takes two at once.
    fn connect(&self, wide: &[u128], alive: &mut [bool], empty: u128, wall: u128) {
        let mut free = empty;
        loop {
            let reached = wide.iter().zip(alive.iter()).filter(|&(_, &alive)| alive).fold(wall, |all, (w, _)| all | w);
            let ways = |i: usize| wide[i] & reached & free;
            let Some(i) = (0..wide.len()).find(|&i| !alive[i] && ways(i).count_ones() >= 2) else { return };
            for way in bits(ways(i)).take(2).collect::<Vec<_>>() {
                free &= !(1 << way);
            }
            alive[i] = true;
        }
    }

    /// The connected parts of a set.
    fn parts(&self, set: u128) -> impl Iterator<Item = u128> + '_ {
        let mut left = set;
        std::iter::from_fn(move || {
            let part = self.flood(left & left.wrapping_neg(), left);
            left &= !part;
            (part != 0).then_some(part)
        })
    }

    /// The side to which every point will belong, because the other side has no stone and no wall. (The other side
    /// might live in a very large local game, but such games are not solved.) The sole owner needs a wall: stones
    /// that have just captured may still be killed by a play in their middle.
    pub(super) fn sole_owner(&self, state: &LocalState) -> Option<Color> {
        let empty = self.empty(state);
        Color::BOTH.into_iter().find(|color| {
            let (own, other) = (color.index(), color.other().index());
            state.stones[other] == 0 && self.walls[other] & empty == 0 && self.walls[own] != 0
        })
    }

    /// Is the point an eye of the side to move that one chain alone surrounds? Nobody fills such an eye.
    pub(super) fn is_own_eye(&self, state: &LocalState, point: usize) -> bool {
        let me = state.to_move.index();
        let near = self.near[point];
        if near & !state.stones[me] != 0 || self.walls[1 - me] >> point & 1 == 1 {
            return false;
        }
        let chain = if near == 0 { 0 } else { self.flood(near & near.wrapping_neg(), state.stones[me]) };
        let by_wall = self.walls[me] >> point & 1 == 1;
        if by_wall {
            bits(near).all(|i| self.flood(1 << i, state.stones[me]) & self.walls[me] != 0)
        } else {
            near & !chain == 0
        }
    }
}

/// The indices of the points of a set.
pub(super) fn bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let i = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (i < MOST_POINTS).then_some(i)
    })
}

impl LocalState {
    /// The stones of both sides, by which repetitions are told.
    pub fn board(&self) -> [u128; 2] {
        self.stones
    }

    /// A hash of everything in the state. Two states practically never share it.
    pub(super) fn key(&self) -> u128 {
        let LocalState { stones: [black, white], ko, to_move, passed, captures } = *self;
        let rest = to_move.index() as u64 | u64::from(passed) << 1 | u64::from(captures) << 2;
        let rest = rest | u64::from(ko.trailing_zeros()) << 16;
        let mut hash = WideHash::new();
        [black as u64, (black >> 64) as u64, white as u64, (white >> 64) as u64, rest]
            .into_iter()
            .for_each(|word| hash.add(word));
        hash.get()
    }

    /// Whose turn it is.
    pub(super) fn turn(&self) -> Color {
        self.to_move
    }

    /// Has the opponent just passed?
    pub(super) fn is_passed(&self) -> bool {
        self.passed
    }

    /// Plays so far that captured something.
    pub(super) fn captures(&self) -> u8 {
        self.captures
    }
}
