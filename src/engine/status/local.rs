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

/// Captures after which a line is counted as it stands: few but endless kos reach it.
const MOST_CAPTURES: u8 = 8;

/// Moves after which a line that is played out ends.
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
    /// Plays so far that captured something: every repetition of a board needs some, so with their number in it no
    /// state ever comes back, and what is known of a state holds however it was reached.
    captures: u8,
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
        State { stones, ko: 0, to_move, passed: false, captures: 0 }
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
        let captures = state.captures + u8::from(captured != 0);
        Some(State { stones, ko, to_move: state.to_move.other(), passed: false, captures })
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

    /// The points that a side keeps even if it always passes, or as soon as it cares: its unconditionally living
    /// chains (Benson 1976, with the walls as chains that live), and the areas among them in which the enemy finds no
    /// room for two eyes (after Müller 1997, "Playing it safe").
    fn safe(&self, state: &State, color: Color) -> u128 {
        let (side, enemy_walls) = (color.index(), self.walls[color.other().index()]);
        let own = state.stones[side];
        let empty = self.all() & !state.stones[0] & !state.stones[1];
        let chains: Vec<u128> = self.parts(own).collect();
        let wide: Vec<u128> = chains.iter().map(|&chain| self.spread(chain)).collect();
        let by_wall = |chain: &u128| chain & self.walls[side] != 0;
        let mut alive: Vec<bool> = chains.iter().map(by_wall).collect();
        if !alive.iter().all(|&alive| alive) {
            let areas: Vec<u128> = self.parts(self.all() & !own).filter(|area| area & enemy_walls == 0).collect();
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
        }
        let sure = chains.iter().zip(&alive).filter(|&(_, &alive)| alive).fold(0, |all, (chain, _)| all | chain);
        let reached = self.spread(sure) | self.walls[side];
        let mut safe = sure;
        for area in self.parts(self.all() & !sure) {
            let inner = area & !reached;
            let one_eye = match inner.count_ones() {
                0 | 1 => true,
                2 => inner & self.spread(inner & inner.wrapping_neg()) == inner,
                _ => false,
            };
            if one_eye && area & enemy_walls == 0 {
                safe |= area;
            }
        }
        safe
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

    /// The side to which everything will belong, because the other one has no stone here and no wall to start from.
    /// (Somebody might live in a very large arena, but those are not solved.) It must have a wall itself: within
    /// stones that just captured, the enemy may still play in the middle of the empty points and kill.
    fn sole_owner(&self, state: &State) -> Option<Color> {
        let empty = self.all() & !state.stones[0] & !state.stones[1];
        Color::BOTH.into_iter().find(|color| {
            let (own, other) = (color.index(), color.other().index());
            state.stones[other] == 0 && self.walls[other] & empty == 0 && self.walls[own] != 0
        })
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
        if goal <= -all || goal > all {
            return Ok(goal <= -all);
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
        if let Some(owner) = self.arena.sole_owner(state) {
            return Ok(owner.sign() * all >= goal);
        }
        let [black, white] = Color::BOTH.map(|color| self.arena.safe(state, color));
        if self.nodes % 200_003 == 0 {
            eprintln!(
                "goal {goal} {} passed {} captures {} black {} white {} known {}",
                state.to_move,
                state.passed,
                state.captures,
                black.count_ones(),
                white.count_ones(),
                self.known.len()
            );
            let pts = &self.arena.points;
            for r in (0..11).rev() {
                let mut l = String::new();
                for c in 0..11 {
                    let p = Point::new(c, r, 11);
                    l.push(match pts.binary_search(&p) {
                        Ok(i) => {
                            if state.stones[0] >> i & 1 == 1 {
                                'x'
                            } else if state.stones[1] >> i & 1 == 1 {
                                'o'
                            } else {
                                '_'
                            }
                        }
                        _ => '.',
                    });
                    l.push(' ');
                }
                if l.contains(['x', 'o', '_']) {
                    eprintln!("{l}");
                }
            }
        }
        if 2 * black.count_ones() as i32 - all >= goal {
            return Ok(true);
        }
        if all - 2 * (white.count_ones() as i32) < goal {
            return Ok(false);
        }
        let score = self.arena.score(state);
        if state.captures >= MOST_CAPTURES {
            return Ok(score >= goal);
        }
        let wish = state.to_move == Color::Black;
        // Where the board as it stands is what the side to move wants, a pass is the first thing to try.
        let stands = (score >= goal) == wish;
        let mut found = stands && (state.passed || self.reaches(&Arena::pass(state), goal)? == wish);
        let mut reason = u8::MAX;
        if !found {
            let mut plays = self.plays(state, best, black | white);
            while let Some((_, point, next)) = plays.pop() {
                if self.reaches(&next, goal)? == wish {
                    (found, reason) = (true, point);
                    break;
                }
            }
        }
        if !found && !stands && !state.passed {
            found = self.reaches(&Arena::pass(state), goal)? == wish;
        }
        let result = found == wish;
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
    fn plays(&self, state: &State, best: u8, settled: u128) -> Vec<(u32, u8, State)> {
        let mut plays = Vec::with_capacity(16);
        // Nobody gains by a play where everything is settled.
        let empty = self.arena.all() & !state.stones[0] & !state.stones[1] & !settled;
        let enemy = state.to_move.other().index();
        for point in bits(empty) {
            if self.arena.is_own_eye(state, point) {
                continue;
            }
            let Some(next) = self.arena.play(state, point) else { continue };
            let captured = (state.stones[enemy] & !next.stones[enemy]).count_ones();
            let near = self.arena.near[point];
            let friends = near & state.stones[1 - enemy];
            let joined = if friends == 0 { 0 } else { self.arena.parts(friends).count() as u32 };
            let urgency = if point as u8 == best { 1000 } else { 0 }
                + 8 * captured
                + 3 * joined.saturating_sub(1)
                + 2 * (near & empty).count_ones()
                + (near & state.stones[enemy]).count_ones();
            plays.push((urgency, point as u8, next));
        }
        plays.sort_by_key(|&(urgency, point, _)| (urgency, point));
        plays
    }
}

#[cfg(test)]
mod dbg {
    use super::*;
    use crate::go::diagram;
    #[test]
    fn dbg() {
        let t = std::fs::read_to_string("/tmp/pos/dbg.txt").unwrap();
        for part in t.split("\n\n") {
            let rows: Vec<&str> = part.lines().filter(|l| !l.starts_with('=') && !l.trim().is_empty()).collect();
            if rows.is_empty() {
                continue;
            }
            // arena: all points that are lower case or empty marked by `_`
            let plain: String = rows.iter().map(|r| r.replace('_', ".").to_uppercase() + "\n").collect();
            let board = diagram::parse(&plain).unwrap();
            let n = board.size();
            let marks: Vec<char> = rows.iter().rev().flat_map(|r| r.chars().filter(|c| !c.is_whitespace())).collect();
            let area: PointSet =
                board.points().zip(&marks).filter(|(_, c)| c.is_lowercase() || **c == '_').map(|(p, _)| p).collect();
            let arena = Arena::new(&board, &area).unwrap();
            for color in Color::BOTH {
                let mut solver = Solver::new(&arena, 20_000_000);
                let s = arena.state(&board, color);
                solver.path = vec![s.board()];
                match solver.value(&s) {
                    Ok(v) => println!("{color} first: value {v} now {}", arena.score(&s)),
                    Err(_) => {
                        println!("out");
                        continue;
                    }
                }
                println!("nodes {}", 20_000_000 - solver.nodes);
                let end = solver.play_out(s);
                for b in &solver.path {
                    for r in (0..n).rev() {
                        let mut l = String::new();
                        for c in 0..n {
                            let p = Point::new(c, r, n);
                            let ch = match arena.points.binary_search(&p) {
                                Ok(i) => {
                                    if b[0] >> i & 1 == 1 {
                                        'x'
                                    } else if b[1] >> i & 1 == 1 {
                                        'o'
                                    } else {
                                        '_'
                                    }
                                }
                                Err(_) => match board.cell(p) {
                                    Cell::Black => 'X',
                                    Cell::White => 'O',
                                    _ => '.',
                                },
                            };
                            l.push(ch);
                            l.push(' ');
                        }
                        println!("   {l}");
                    }
                    println!();
                }
                println!("ended {}", end.is_ok());
            }
        }
    }
}
