//! The features of a candidate move: some numbers of a fixed list, and the patterns around the point.

use super::spatial::Spatial;
use crate::go::ladder::Ladders;
use crate::go::shape::{for_enemy_neighbors, liberties_after};
use crate::go::{Board, Cell, Color, Point};

/// A feature of the fixed list.
pub type Feature = u16;

/// The first number of each group of features. The learned weights have this order.
const LINE: Feature = 0; // 6 lines × stones or none around
const LAST: Feature = LINE + 12; // distance to the last move
const BEFORE: Feature = LAST + DISTANCES; // distance to the move before
/// Features with smaller numbers are about place and distance. This one and larger ones are about tactics.
pub const TACTICS: Feature = BEFORE + DISTANCES;
const LIBERTIES: Feature = TACTICS; // liberties of the new chain: 0–1, 2, 3, 4 or more
const SELF_ATARI: Feature = LIBERTIES + 4; // own chain in atari, 4 lengths
const CAPTURE: Feature = SELF_ATARI + 4; // 4 lengths × own stones saved or not × escape possible or not
const ATARI: Feature = CAPTURE + 16; // 3 lengths × caught in a ladder or not
const ATARI_IN_KO: Feature = ATARI + 6; // an atari while a ko forbids a point
const ESCAPE: Feature = ATARI_IN_KO + 1; // own chain out of atari, 3 lengths × caught, two liberties, more
const LIMIT: Feature = ESCAPE + 9; // an enemy chain from three liberties to two, 3 lengths
const EXTEND: Feature = LIMIT + 3; // an own chain from two liberties to more, 3 lengths
const CONNECT: Feature = EXTEND + 3; // connects own chains, the weakest has 1, 2, 3 or more liberties
const CONTACT: Feature = CONNECT + 3; // next to the last move's chain, which has 1, 2, 3, 4 or more liberties
const KO: Feature = CONTACT + 4; // takes a ko
/// Number of features in the list.
pub const FEATURES: usize = KO as usize + 1;

/// Number of distances that are told apart. Larger ones count as the last.
const DISTANCES: Feature = 18;

/// The largest number of features of one candidate.
const MOST: usize = 24;

/// The features of a candidate, out of the fixed list.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    list: [Feature; MOST],
    len: usize,
}

impl Seen {
    /// The numbers of the features.
    pub fn features(&self) -> &[Feature] {
        &self.list[..self.len]
    }

    fn push(&mut self, feature: Feature) {
        if self.len < MOST && !self.list[..self.len].contains(&feature) {
            self.list[self.len] = feature;
            self.len += 1;
        }
    }
}

/// A board with all that features depend on.
#[derive(Debug)]
pub struct Surroundings<'a> {
    /// The board.
    pub board: &'a Board,
    /// The side to move.
    pub color: Color,
    /// The last move and the move before. [`Point::NONE`] stands for a pass.
    pub last: [Point; 2],
    /// The hashing of patterns, for this board size.
    pub spatial: &'a Spatial,
}

impl Surroundings<'_> {
    /// Calls `visit` with the hashes of the patterns around a legal play, see [`Spatial::hashes`].
    #[inline]
    pub fn patterns(&self, point: Point, visit: impl FnMut(u32) -> bool) {
        self.spatial.hashes(self.board, point, self.color, self.last[0], visit);
    }

    /// The features of a legal play, without the patterns around the play.
    pub fn of(&self, point: Point, ladders: &mut Ladders) -> Seen {
        let mut seen = Seen { list: [0; MOST], len: 0 };
        self.place(point, &mut seen);
        self.tactics(point, ladders, &mut seen);
        seen
    }

    fn place(&self, point: Point, seen: &mut Seen) {
        let size = self.board.size();
        let (x, y) = (point.column(size), point.row(size));
        let line = size.line(x, y).min(5);
        seen.push(LINE + 2 * line as Feature + Feature::from(self.is_empty_around(x, y)));
        for (center, first) in self.last.into_iter().zip([LAST, BEFORE]) {
            if center != Point::NONE {
                let dx = x.abs_diff(center.column(size));
                let dy = y.abs_diff(center.row(size));
                seen.push(first + ((dx + dy + dx.max(dy)) as Feature).min(DISTANCES - 1));
            }
        }
        let last = self.last[0];
        if last != Point::NONE
            && self.board.cell(last) == self.color.other().cell()
            && self
                .board
                .adjacent(point)
                .into_iter()
                .any(|p| self.board.cell(p) == self.color.other().cell() && self.board.head(p) == self.board.head(last))
        {
            seen.push(CONTACT + count_liberties(self.board, last) as Feature - 1);
        }
    }

    /// Are all points within three columns and three rows empty?
    fn is_empty_around(&self, x: usize, y: usize) -> bool {
        let size = self.board.size();
        let range = |at: usize, side: usize| at.saturating_sub(3)..=(at + 3).min(side - 1);
        range(y, size.height()).all(|row| {
            range(x, size.width()).all(|column| self.board.cell(Point::new(column, row, size)) == Cell::Empty)
        })
    }

    fn tactics(&self, point: Point, ladders: &mut Ladders, seen: &mut Seen) {
        let (board, color) = (self.board, self.color);
        let after = liberties_after(board, color, point, 4);
        seen.push(LIBERTIES + after.saturating_sub(1).min(3) as Feature);
        let mut own = [Point::NONE; 4];
        let mut chains = 0;
        let mut weakest = 4;
        let mut stones = 1;
        let mut captures = false;
        for near in board.adjacent(point) {
            let cell = board.cell(near);
            if cell == color.other().cell() {
                captures |= board.liberties(near).is_atari();
                self.against(point, near, ladders, seen);
            } else if cell == color.cell() && !own[..chains].contains(&board.head(near)) {
                own[chains] = board.head(near);
                chains += 1;
                stones += board.chain_len(near);
                let liberties = count_liberties(board, near);
                weakest = weakest.min(liberties);
                self.rescue(point, near, liberties, after, ladders, seen);
            }
        }
        if chains >= 2 {
            seen.push(CONNECT + weakest.min(3) as Feature - 1);
        }
        if after <= 1 && !captures {
            seen.push(SELF_ATARI + bucket(stones, &[1, 2, 4]));
        }
    }

    /// Adds the features of a play next to an enemy chain.
    fn against(&self, point: Point, prey: Point, ladders: &mut Ladders, seen: &mut Seen) {
        let (board, color) = (self.board, self.color);
        let stones = board.chain_len(prey);
        match count_liberties(board, prey) {
            1 => {
                let mut saves = false;
                for_enemy_neighbors(board, prey, |near| {
                    saves |= board.liberties(near).is_atari();
                    !saves
                });
                let escapes = ladders.escapes(board, prey);
                let kind = 2 * Feature::from(saves) + Feature::from(escapes);
                seen.push(CAPTURE + 4 * bucket(stones, &[1, 2, 5]) + kind);
                if stones == 1 && board.around(point).is_surrounded_by(color.other()) {
                    seen.push(KO);
                }
            }
            2 => {
                if board.ko().is_some() {
                    seen.push(ATARI_IN_KO);
                }
                let caught = ladders.atari_captures(board, color, prey, point);
                seen.push(ATARI + 2 * bucket(stones, &[1, 2]) + Feature::from(caught));
            }
            3 => seen.push(LIMIT + bucket(stones, &[1, 3])),
            _ => {}
        }
    }

    /// Adds the features of a play next to an own chain with few liberties.
    fn rescue(
        &self,
        point: Point,
        chain: Point,
        liberties: usize,
        after: usize,
        ladders: &mut Ladders,
        seen: &mut Seen,
    ) {
        let stones = self.board.chain_len(chain);
        if liberties == 1 && after >= 2 {
            let kind = match after {
                2 if ladders.is_caught_after(self.board, self.color, point, chain) => 0,
                2 => 1,
                _ => 2,
            };
            seen.push(ESCAPE + 3 * bucket(stones, &[1, 2]) + kind);
        }
        if liberties == 2 && after >= 3 {
            seen.push(EXTEND + bucket(stones, &[1, 3]));
        }
    }
}

/// Number of distinct liberties of a chain. Four and more count as 4.
fn count_liberties(board: &Board, stone: Point) -> usize {
    if board.liberties(stone).is_atari() {
        return 1;
    }
    board.first_liberties(stone, &mut [Point::NONE; 4])
}

/// The index of the first bound that is at least the value. Without such a bound, the number of bounds.
fn bucket(value: usize, bounds: &[usize]) -> Feature {
    bounds.iter().position(|&bound| value <= bound).unwrap_or(bounds.len()) as Feature
}
