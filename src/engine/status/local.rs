//! A small part of the board as a game of its own, and its exact solution.
//!
//! Playouts are poor judges of sekis and of small eyes: in both, most moves are mistakes, and playouts make them.
//! There an exhaustive search says what a referee would: let both sides play as well as they can, each of them
//! moving first once, and look at what stands at the end. Around the part lie stones that are taken to live for
//! good, its *walls*: a chain that touches a wall of its own colour cannot be captured.
//!
//! Points are counted by area, since then moves in one's own territory cost nothing, as in the hypothetical play
//! of the Japanese rules (1989, article 7), which does not count at all. There are no ko threats but a pass, as
//! those rules want it too: so the bent four in the corner is dead without a rule of its own.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::go::{Board, Cell, Color, Point, PointSet};

/// Points that a local game can have: the bits of a word.
pub const MOST_POINTS: usize = 128;

/// Moves after which a line is counted as it stands. Only endless captures and recaptures reach it.
const LONGEST_LINE: usize = 90;

/// The points of a local game and what surrounds them.
pub struct Arena {
    points: Vec<Point>,
    /// The points of the arena next to each point.
    near: Vec<u128>,
    /// Points next to a wall of a side, by [`Color::index`].
    walls: [u128; 2],
}

/// The stones of a local game and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// By [`Color::index`].
    stones: [u128; 2],
    /// The point that a ko closes, if any, as a set.
    ko: u128,
    to_move: Color,
    /// Has the opponent just passed?
    passed: bool,
}

impl Arena {
    /// The arena of these points, with all stones next to it as walls. `None` if they are too many.
    pub fn new(board: &Board, area: &PointSet) -> Option<Arena> {
        if area.len() > MOST_POINTS {
            return None;
        }
        let points: Vec<Point> = area.iter().collect();
        let mut near = vec![0; points.len()];
        let mut walls = [0; 2];
        for (i, &p) in points.iter().enumerate() {
            for q in board.adjacent(p) {
                if let Ok(j) = points.binary_search(&q) {
                    near[i] |= 1 << j;
                } else if let Some(color) = board.cell(q).color() {
                    walls[color.index()] |= 1 << i;
                }
            }
        }
        Some(Arena { points, near, walls })
    }

    /// The points, in the order of their bits.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The stones of the board in the arena, with a side to move.
    pub fn state(&self, board: &Board, to_move: Color) -> State {
        let mut stones = [0; 2];
        for (i, &p) in self.points.iter().enumerate() {
            match board.cell(p) {
                Cell::Black => stones[0] |= 1 << i,
                Cell::White => stones[1] |= 1 << i,
                Cell::Empty | Cell::Border => {}
            }
        }
        State { stones, ko: 0, to_move, passed: false }
    }

    fn all(&self) -> u128 {
        if self.points.len() == MOST_POINTS { u128::MAX } else { (1 << self.points.len()) - 1 }
    }

    /// The points next to those of a set, its own among them.
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

    /// The state after a play; `None` where a ko or a suicide forbids it.
    fn play(&self, state: &State, point: usize) -> Option<State> {
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
        Some(State { stones, ko, to_move: state.to_move.other(), passed: false })
    }

    fn pass(state: &State) -> State {
        State { ko: 0, to_move: state.to_move.other(), passed: true, ..*state }
    }

    /// The points of each side: its stones, and the empty areas that touch it alone.
    pub(super) fn areas(&self, state: &State) -> [u128; 2] {
        let mut areas = state.stones;
        let mut empty = self.all() & !state.stones[0] & !state.stones[1];
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

    /// The points that are nobody's.
    pub(super) fn neutral(&self, state: &State) -> u128 {
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
    fn score(&self, state: &State) -> i32 {
        let [black, white] = self.areas(state);
        black.count_ones() as i32 - white.count_ones() as i32
    }

    /// Is the point an eye of the side to move's that one chain alone surrounds? Nobody fills those.
    fn is_own_eye(&self, state: &State, point: usize) -> bool {
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

impl State {
    /// The stones of a side.
    pub(super) fn stones(&self, color: Color) -> u128 {
        self.stones[color.index()]
    }

    /// The states that differ from this one in whose turn it is: what superko compares.
    fn board(&self) -> [u128; 2] {
        self.stones
    }
}

/// Mixes the few words of a [`State`] (they are no input of an enemy's, so any good mixer serves).
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }
    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(23) ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    fn write_u128(&mut self, n: u128) {
        self.write_u64(n as u64);
        self.write_u64((n >> 64) as u64);
    }
    fn write_isize(&mut self, n: isize) {
        self.write_u64(n as u64);
    }
}

/// The score of a state lies between these.
#[derive(Clone, Copy)]
struct Bounds {
    least: i16,
    most: i16,
    /// The play that proved a bound last: the first to try again. `u8::MAX` if there is none.
    best: u8,
}

/// The effort allowed is used up, and nothing is known.
pub struct OutOfNodes;

/// Solves local games, within a number of nodes.
pub struct Solver<'a> {
    arena: &'a Arena,
    known: HashMap<State, Bounds, BuildHasherDefault<Mixer>>,
    /// The boards on the way to the present state: none of them may come back.
    path: Vec<[u128; 2]>,
    nodes: u64,
}

impl<'a> Solver<'a> {
    /// A solver that looks at so many nodes at the most.
    pub fn new(arena: &'a Arena, nodes: u64) -> Solver<'a> {
        Solver { arena, known: HashMap::default(), path: Vec::new(), nodes }
    }

    /// Nodes that are left.
    pub fn nodes_left(&self) -> u64 {
        self.nodes
    }

    /// Plays to the end with best moves for both sides. What is neutral and can be filled without loss is filled,
    /// and otherwise nobody plays without gain: so what stays neutral is a seki's.
    pub fn play_out(&mut self, start: State) -> Result<State, OutOfNodes> {
        let mut state = start;
        self.path = vec![start.board()];
        let mut value = self.value(&state)?;
        loop {
            if self.path.len() >= LONGEST_LINE {
                return Ok(state);
            }
            let neutral = self.arena.neutral(&state);
            let empty = self.arena.all() & !state.stones[0] & !state.stones[1];
            if let Some(next) = self.play_that_keeps(&state, neutral, value)? {
                state = next;
            } else if self.keeps(&Arena::pass(&state), state.to_move, state.passed, value)? {
                if state.passed {
                    return Ok(state);
                }
                state = Arena::pass(&state);
                continue;
            } else if let Some(next) = self.play_that_keeps(&state, empty & !neutral, value)? {
                state = next;
            } else {
                // Only repetitions on this very line can lead here.
                return Ok(state);
            }
            self.path.push(state.board());
            value = self.value(&state)?;
        }
    }

    fn play_that_keeps(&mut self, state: &State, points: u128, value: i32) -> Result<Option<State>, OutOfNodes> {
        for point in bits(points) {
            if self.arena.is_own_eye(state, point) {
                continue;
            }
            let Some(next) = self.arena.play(state, point).filter(|next| !self.path.contains(&next.board())) else {
                continue;
            };
            if self.keeps(&next, state.to_move, false, value)? {
                return Ok(Some(next));
            }
        }
        Ok(None)
    }

    /// Does `mover` still get `value` after this move of theirs?
    fn keeps(&mut self, next: &State, mover: Color, ended: bool, value: i32) -> Result<bool, OutOfNodes> {
        if ended {
            return Ok((self.arena.score(next) - value) * mover.sign() >= 0);
        }
        Ok(match mover {
            Color::Black => self.reaches(next, value)?,
            Color::White => !self.reaches(next, value + 1)?,
        })
    }

    /// The score with best play: a few yes-or-no searches, each starting where the last one ended (Plaat et al.
    /// 1996, MTD(f)).
    pub fn value(&mut self, state: &State) -> Result<i32, OutOfNodes> {
        let all = self.arena.points.len() as i32;
        let (mut least, mut most) = (-all, all);
        let mut guess = self.arena.score(state);
        while least < most {
            let goal = if guess == least { guess + 1 } else { guess };
            if self.reaches(state, goal)? {
                least = goal;
                guess = (goal + 1).min(most);
            } else {
                most = goal - 1;
                guess = (goal - 1).max(least);
            }
        }
        Ok(least)
    }

    /// Does Black get at least `goal` points more than White?
    fn reaches(&mut self, state: &State, goal: i32) -> Result<bool, OutOfNodes> {
        let all = self.arena.points.len() as i32;
        if goal <= -all {
            return Ok(true);
        }
        if goal > all {
            return Ok(false);
        }
        let mut best = u8::MAX;
        if let Some(bounds) = self.known.get(state) {
            if i32::from(bounds.least) >= goal {
                return Ok(true);
            }
            if i32::from(bounds.most) < goal {
                return Ok(false);
            }
            best = bounds.best;
        }
        self.nodes = self.nodes.checked_sub(1).ok_or(OutOfNodes)?;
        let score = self.arena.score(state);
        if self.path.len() >= LONGEST_LINE {
            return Ok(score >= goal);
        }
        let wish = state.to_move == Color::Black;
        // Where the board as it stands is what the side to move wants, a pass is the first thing to try.
        let stands = (score >= goal) == wish;
        let mut result = !wish;
        let mut reason = u8::MAX;
        if stands && (state.passed || self.reaches(&Arena::pass(state), goal)? == wish) {
            result = wish;
        }
        if result != wish {
            let mut plays = self.plays(state, best);
            while let Some((_, point, next)) = plays.pop() {
                self.path.push(next.board());
                let found = self.reaches(&next, goal);
                self.path.pop();
                if found? == wish {
                    result = wish;
                    reason = point;
                    break;
                }
            }
        }
        if result != wish && !stands && !state.passed && self.reaches(&Arena::pass(state), goal)? == wish {
            result = wish;
        }
        let bounds = self.known.entry(*state).or_insert(Bounds { least: -all as i16, most: all as i16, best: u8::MAX });
        if result {
            bounds.least = bounds.least.max(goal as i16);
        } else {
            bounds.most = bounds.most.min(goal as i16 - 1);
        }
        if reason != u8::MAX {
            bounds.best = reason;
        }
        Ok(result)
    }

    /// The plays of the side to move, the most promising last.
    fn plays(&self, state: &State, best: u8) -> Vec<(u32, u8, State)> {
        let empty = self.arena.all() & !state.stones[0] & !state.stones[1];
        let enemy = state.to_move.other().index();
        let mut plays = Vec::with_capacity(16);
        for point in bits(empty) {
            if self.arena.is_own_eye(state, point) {
                continue;
            }
            let Some(next) = self.arena.play(state, point) else { continue };
            if self.path.contains(&next.board()) {
                continue;
            }
            let captured = (state.stones[enemy] & !next.stones[enemy]).count_ones();
            let near = self.arena.near[point];
            let urgency = if point as u8 == best { 1000 } else { 0 }
                + 8 * captured
                + 2 * (near & empty).count_ones()
                + (near & state.stones[enemy]).count_ones();
            plays.push((urgency, point as u8, next));
        }
        plays.sort_by_key(|&(urgency, point, _)| (urgency, point));
        plays
    }
}
