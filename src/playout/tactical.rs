//! The policy in use, after MoGo: answer ataris, chains with two liberties, small eyes and 3×3 shapes next to the last
//! moves. Otherwise play at random, without most self-ataris.
//!
//! The order and the shares of the tactics follow what is published of MoGo (Gelly et al. 2006) and of Pachi and
//! michi; which shapes are good is learned from games (see `shapes.rs`).

use super::Rng;
use super::policy::{PlayoutPolicy, Turn, below, chance, is_playable, random_play};
use super::shapes::{BEFORE, MEAN, Shapes};
use crate::go::shape::{for_enemy_neighbors, is_self_atari, joined_len, liberties_after};
use crate::go::{Board, Cell, Color, Neighborhood, Point};

/// How often each rule is asked, in 256ths.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    /// Captures and escapes next to the last move, if few stones are at stake.
    pub atari: u64,
    /// Chains with two liberties next to the last move.
    pub two_liberties: u64,
    /// Vital points of small eyes next to the last move.
    pub nakade: u64,
    /// Self-ataris refused among random moves.
    pub self_atari: u64,
    /// Strength that each empty point of the board has against the moves next to the last two, in
    /// [`UNIT`](super::shapes::UNIT)s.
    pub elsewhere: u32,
}

impl Default for Shares {
    fn default() -> Self {
        // michi asks captures 0.9 and refuses self-atari 0.5 of the time; Pachi asks two-liberty moves 0.8 and nakade
        // 0.8 of the time. Elsewhere: see `playout_elsewhere` in `search/params.rs`.
        Shares { atari: 240, two_liberties: 205, nakade: 205, self_atari: 200, elsewhere: MEAN / 10 }
    }
}

/// The policy that the text of this module describes.
#[derive(Clone, Copy, Debug)]
pub struct Tactical {
    shares: Shares,
    shapes: Shapes,
}

impl Default for Tactical {
    fn default() -> Self {
        Tactical::new(Shares::default())
    }
}

impl Tactical {
    /// The policy with these shares.
    pub fn new(shares: Shares) -> Tactical {
        Tactical { shares, shapes: Shapes::learned() }
    }
}

/// Candidates of one rule.
struct Candidates {
    points: [Point; 16],
    len: usize,
}

impl Candidates {
    const fn new() -> Candidates {
        Candidates { points: [Point::NONE; 16], len: 0 }
    }

    #[inline(always)]
    fn push(&mut self, point: Point) {
        if self.len < self.points.len() && !self.points[..self.len].contains(&point) {
            self.points[self.len] = point;
            self.len += 1;
        }
    }

    #[inline(always)]
    fn pick(&self, rng: &mut Rng) -> Option<Point> {
        match self.len {
            0 => None,
            1 => Some(self.points[0]),
            n => Some(self.points[below(rng, n)]),
        }
    }
}

impl PlayoutPolicy for Tactical {
    #[inline]
    fn choose(&mut self, turn: Turn<'_>) -> Option<Point> {
        let Turn { board, color, last, rng } = turn;
        if last[0] != Point::NONE
            && let Some(p) = self.reply(board, color, last, rng)
        {
            return Some(p);
        }
        let refuse = self.shares.self_atari;
        random_play(board, color, rng, |board, p, rng| {
            if !is_self_atari(board, color, p) {
                return true;
            }
            // A lone stone thrown in may be good style; more stones seldom are, unless they kill what takes them.
            match joined_len(board, color, p) {
                1 => !chance(rng, refuse / 2),
                2..=LARGEST_NAKADE => !chance(rng, refuse),
                _ => false,
            }
        })
    }

    fn mercy(&self, points: usize) -> i32 {
        // Fuego stops at a lead of 30 % of the points; a little more is safe for large eyes to be filled.
        points as i32 * 2 / 5
    }
}

impl Tactical {
    fn reply(&self, board: &Board, color: Color, last: [Point; 2], rng: &mut Rng) -> Option<Point> {
        if board.cell(last[0]) == color.other().cell() {
            let least = if chance(rng, self.shares.atari) { 1 } else { ALWAYS_SAVED };
            if let Some(p) = answer_atari(board, color, last[0], least).pick(rng) {
                return Some(p);
            }
            if let Some(p) = capture_ignored(board, color, last[1]).pick(rng) {
                return Some(p);
            }
            if chance(rng, self.shares.two_liberties)
                && let Some(p) = two_liberty_moves(board, color, last[0]).pick(rng)
            {
                return Some(p);
            }
            if chance(rng, self.shares.nakade)
                && let Some(p) = nakade(board, color, last[0])
            {
                return Some(p);
            }
        }
        self.local(board, color, last, rng)
    }

    /// A move next to the last two, or none: by the learned strengths, against what the rest of the board is worth.
    fn local(&self, board: &Board, color: Color, last: [Point; 2], rng: &mut Rng) -> Option<Point> {
        let mut points = [Point::NONE; 16];
        // Sums of the strengths up to each point.
        let mut sums = [0; 16];
        let mut count = 0;
        let mut sum = 0;
        let mut add = |p: Point, strength: u32| {
            sum += strength;
            points[count] = p;
            sums[count] = sum;
            count += 1;
        };
        for direction in 0..8 {
            let p = board.toward(last[0], direction);
            if board.cell(p) == Cell::Empty {
                add(p, self.shapes.reply(board.around(p), color, Neighborhood::opposite(direction)));
            }
        }
        if last[1] != Point::NONE {
            for direction in 0..8 {
                let p = board.toward(last[1], direction);
                if board.cell(p) == Cell::Empty {
                    add(p, self.shapes.strength(board.around(p), color) * BEFORE[direction / 4] / 16);
                }
            }
        }
        let all = sum + self.shares.elsewhere * board.empties().len() as u32;
        for _ in 0..TRIES {
            let drawn = below(rng, all as usize) as u32;
            let p = points[sums[..count].iter().position(|&s| drawn < s)?];
            if is_playable(board, color, p) && !is_self_atari(board, color, p) {
                return Some(p);
            }
        }
        None
    }
}

/// Draws of a move near the last two, before one anywhere. More than two are hardly ever needed.
const TRIES: usize = 2;

/// The largest chain that kills the group that captures it: six stones ("rabbity six").
const LARGEST_NAKADE: usize = 6;

/// Stones at stake in an atari that no playout overlooks. 2, 3 and 4 were equally good at foretelling the results of
/// games of 9-dan players (`docs/strength.md`).
const ALWAYS_SAVED: usize = 3;

/// Captures of the stone just played, and ways out for own chains that it put in atari: those with the most stones at
/// stake, if these are `least` or more.
fn answer_atari(board: &Board, color: Color, last: Point, least: usize) -> Candidates {
    let mut found = Candidates::new();
    let mut most = least;
    let mut push = |p: Point, stones: usize| {
        if stones > most {
            found = Candidates::new();
            most = stones;
        }
        if stones == most {
            found.push(p);
        }
    };
    if let Some(p) = board.liberties(last).only()
        && board.is_legal(color, p)
        && !is_hopeless(board, color, p)
    {
        push(p, board.chain_len(last));
    }
    let mut own = board.around(last).adjacent(color);
    while own != 0 {
        let stone = board.toward(last, own.trailing_zeros() as usize / 2);
        own &= own - 1;
        let Some(liberty) = board.liberties(stone).only() else { continue };
        let len = board.chain_len(stone);
        if board.is_legal(color, liberty) && liberties_after(board, color, liberty, 2) >= 2 {
            push(liberty, len);
        }
        for_enemy_neighbors(board, stone, |near| {
            if let Some(p) = board.liberties(near).only()
                && board.is_legal(color, p)
                && !is_hopeless(board, color, p)
            {
                push(p, len + board.chain_len(near));
            }
            true
        });
    }
    found
}

/// Captures of many stones that an own move put in atari and that the opponent did not save.
fn capture_ignored(board: &Board, color: Color, own: Point) -> Candidates {
    let mut found = Candidates::new();
    if own == Point::NONE || board.cell(own) != color.cell() {
        return found;
    }
    let mut enemies = board.around(own).adjacent(color.other());
    while enemies != 0 {
        let near = board.toward(own, enemies.trailing_zeros() as usize / 2);
        enemies &= enemies - 1;
        if let Some(p) = board.liberties(near).only()
            && board.chain_len(near) >= ALWAYS_SAVED
            && board.is_legal(color, p)
        {
            found.push(p);
        }
    }
    found
}

/// Would many stones stand in atari after this play, capture or not?
fn is_hopeless(board: &Board, color: Color, point: Point) -> bool {
    is_self_atari(board, color, point) && joined_len(board, color, point) > 3
}

/// For own chains with two liberties next to the last move: plays that add liberties. For the chain of the last move,
/// if it has two: ataris that are no self-ataris.
fn two_liberty_moves(board: &Board, color: Color, last: Point) -> Candidates {
    let mut found = Candidates::new();
    let mut liberties = [Point::NONE; 3];
    if board.first_liberties(last, &mut liberties) == 2 {
        for &p in &liberties[..2] {
            if board.is_legal(color, p) && liberties_after(board, color, p, 3) >= 2 && limits(board, color, last, p) {
                found.push(p);
            }
        }
    }
    let mut own = board.around(last).adjacent(color);
    while own != 0 {
        let stone = board.toward(last, own.trailing_zeros() as usize / 2);
        own &= own - 1;
        if board.first_liberties(stone, &mut liberties) != 2 {
            continue;
        }
        for &p in &liberties[..2] {
            let is_eye = board.around(p).is_eye_shape(color);
            if !is_eye && board.is_legal(color, p) && liberties_after(board, color, p, 3) >= 3 {
                found.push(p);
            }
        }
    }
    found
}

/// Does a play on one of the prey's two liberties leave it short? It is not short if it can run from the other liberty.
fn limits(board: &Board, color: Color, prey: Point, point: Point) -> bool {
    let mut liberties = [Point::NONE; 3];
    let known = board.first_liberties(prey, &mut liberties);
    let Some(&escape) = liberties[..known].iter().find(|&&p| p != point) else { return true };
    // One liberty is taken by the atari, so an extension must find two others.
    liberties_after(board, color.other(), escape, 3) < 3
}

/// The vital point of an enemy eye of three to six points next to the last move.
fn nakade(board: &Board, color: Color, last: Point) -> Option<Point> {
    let mut free = board.around(last).empty_adjacent();
    while free != 0 {
        let start = board.toward(last, free.trailing_zeros() as usize / 2);
        free &= free - 1;
        if let Some(p) = vital_point(board, color, start) {
            return Some(p);
        }
    }
    None
}

/// The point of a small empty region, closed by `color`'s enemy alone, whose neighbours in the region make one eye
/// of it: where one point has more of them than every other one.
fn vital_point(board: &Board, color: Color, start: Point) -> Option<Point> {
    let mut region = [Point::NONE; 6];
    region[0] = start;
    let mut len = 1;
    let mut at = 0;
    while at < len {
        let p = region[at];
        at += 1;
        if board.around(p).adjacent(color) != 0 {
            return None;
        }
        let mut free = board.around(p).empty_adjacent();
        while free != 0 {
            let q = board.toward(p, free.trailing_zeros() as usize / 2);
            free &= free - 1;
            if !region[..len].contains(&q) {
                if len == region.len() {
                    return None;
                }
                region[len] = q;
                len += 1;
            }
        }
    }
    if len < 3 {
        return None;
    }
    let degree = |p: Point| board.around(p).empty_adjacent().count_ones();
    let best = region[..len].iter().copied().max_by_key(|&p| degree(p))?;
    let most = degree(best);
    let unique = region[..len].iter().filter(|&&p| degree(p) == most).count() == 1;
    // Four in a row has two middles, the square four none: neither is a nakade.
    (unique && most >= 2 && board.is_legal(color, best)).then_some(best)
}
