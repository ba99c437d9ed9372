//! The net's input for a position: planes of zeros and ones, and numbers for the whole board.
//!
//! [`PLANES`] and [`scalars`](super::scalars) list them. `docs/net.md` defines the same lists for writers of trainers.

pub use super::scalars::SCALARS;
use super::scalars::scalars;
pub use super::situation::{LAST, Situation, last_of};
use crate::go::ladder::Ladders;
use crate::go::life::Benson;
use crate::go::symmetry::turn;
use crate::go::{Board, Cell, Color, MAX_POINTS, MIN_SIZE, Point, Size};

/// The version of planes and scalars. A changed plane or scalar needs a new version.
pub const VERSION: u32 = 1;
/// Number of planes.
pub const COUNT: usize = 16;

/// The points that each plane marks. "Own" means the side to move.
pub const PLANES: [&str; COUNT] = [
    "every point of the board",
    "own stones",
    "enemy stones",
    "stones of chains with one liberty",
    "stones of chains with two liberties",
    "stones of chains with three liberties",
    "empty points where the side to move may not play: ko, superko, suicide",
    "the point of the last move",
    "the point of the move before",
    "… third-last",
    "… fourth-last",
    "… fifth-last",
    "stones of chains that a ladder catches: with two liberties if their enemy begins, with one although they begin",
    "empty points where the side to move starts a ladder that catches an enemy chain of two liberties",
    "stones and territory of own chains that live unconditionally (Benson 1976)",
    "the same of the enemy",
];

const ON_BOARD: u16 = 1;
const OWN: u16 = 1 << 1;
const ENEMY: u16 = 1 << 2;
/// Stones of chains with one liberty. The bits for two and three liberties follow.
const ONE_LIBERTY: u16 = 1 << 3;
const BARRED: u16 = 1 << 6;
/// The point of the last move. The bits of the moves before it follow.
const LAST_MOVE: u16 = 1 << 7;
const CAUGHT: u16 = 1 << 12;
const CATCHES: u16 = 1 << 13;
const OWN_LIFE: u16 = 1 << 14;
const ENEMY_LIFE: u16 = 1 << 15;

/// The most plays that are tried to read the ladder of one chain. With 500, a turn of the board changed what was read
/// on one board of 19×19 in ninety. The reader had run out of plays in one of the two. With 1000 this happened on none
/// of 4000 boards, at the same mean time. (The limit holds for each chain, so no plane depends on the order of the
/// chains.)
const LADDER_PLAYS: u32 = 2000;

/// The planes and scalars of one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Planes {
    size: Size,
    /// For each point, row by row from the bottom, a bit for each plane.
    points: [u16; MAX_POINTS],
    scalars: [f32; SCALARS],
}

impl Default for Planes {
    fn default() -> Planes {
        Planes { size: Size::square(MIN_SIZE), points: [0; MAX_POINTS], scalars: [0.0; SCALARS] }
    }
}

impl Planes {
    /// Planes from one number for each point, with a bit for each plane, and from these scalars.
    ///
    /// # Panics
    /// If there are more or fewer points than on the board, or no board has so many rows.
    pub fn from_parts(size: impl Into<Size>, points: &[u16], scalars: [f32; SCALARS]) -> Planes {
        let size = size.into();
        assert!(points.len() == size.points());
        let mut planes = Planes { size, scalars, ..Planes::default() };
        planes.points[..points.len()].copy_from_slice(points);
        planes
    }

    /// Columns and rows of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// For each point, row by row from the bottom, a bit for each plane.
    pub fn points(&self) -> &[u16] {
        &self.points[..self.size.points()]
    }

    /// The scalars.
    pub fn scalars(&self) -> &[f32; SCALARS] {
        &self.scalars
    }

    /// May the side to move play on this point? Points are counted row by row from the bottom.
    pub fn may_be_played(&self, point: usize) -> bool {
        self.points()[point] & (OWN | ENEMY | BARRED) == 0
    }

    /// The planes of the board mirrored and turned: `symmetry` as in [`turn`].
    ///
    /// # Panics
    /// If the board has no such symmetry.
    pub fn turned(&self, symmetry: usize) -> Planes {
        let size = self.size;
        let mut turned = self.clone();
        for (&bits, place) in self.points().iter().zip(size.places()) {
            let (column, row) = turn(place, size, symmetry);
            turned.points[row * size.width() + column] = bits;
        }
        turned
    }

    fn mark(&mut self, point: Point, bits: u16) {
        self.points[point.row(self.size) * self.size.width() + point.column(self.size)] |= bits;
    }
}

/// Makes planes. It keeps working memory for ladders and unconditional life.
#[derive(Debug)]
pub struct PlaneMaker {
    ladders: Ladders,
    benson: Benson,
}

impl Default for PlaneMaker {
    fn default() -> PlaneMaker {
        PlaneMaker { ladders: Ladders::new(LADDER_PLAYS), benson: Benson::default() }
    }
}

impl PlaneMaker {
    /// Writes the net's input for this situation to `planes`.
    pub fn make(&mut self, situation: &Situation<'_>, planes: &mut Planes) {
        let position = situation.position;
        let board = position.board();
        let own = position.to_move();
        planes.size = board.size();
        planes.scalars = scalars(situation);
        let repeating = position.repeating();
        for (i, point) in board.points().enumerate() {
            planes.points[i] = ON_BOARD
                | match board.cell(point).color() {
                    None if position.is_legal_but_superko(point) && !repeating.contains(point) => 0,
                    None => BARRED,
                    Some(color) if color == own => OWN,
                    Some(_) => ENEMY,
                };
        }
        for (i, &point) in situation.last.iter().enumerate() {
            if let Some(point) = point.filter(|&p| board.cell(p) != Cell::Border) {
                planes.mark(point, LAST_MOVE << i);
            }
        }
        for point in board.points() {
            if let Some(color) = board.cell(point).color()
                && board.head(point) == point
            {
                self.chain(board, own, color, point, planes);
            }
        }
        for (color, bit) in [(own, OWN_LIFE), (own.other(), ENEMY_LIFE)] {
            let safe = self.benson.find(board, color);
            safe.stones.iter().chain(safe.territory.iter()).for_each(|p| planes.mark(p, bit));
        }
    }

    /// Marks a chain's liberties and ladders.
    fn chain(&mut self, board: &Board, own: Color, color: Color, head: Point, planes: &mut Planes) {
        let mut liberties = [Point::NONE; 4];
        let count = board.first_liberties(head, &mut liberties);
        if count > 3 {
            return;
        }
        let mut bits = ONE_LIBERTY << (count - 1);
        self.ladders.refill();
        let caught = match count {
            1 => !self.ladders.escapes(board, head),
            2 if color == own => self.ladders.captures(board, own.other(), head),
            2 => {
                let mut caught = false;
                for &liberty in &liberties[..2] {
                    self.ladders.refill();
                    if self.ladders.atari_captures(board, own, head, liberty) {
                        planes.mark(liberty, CATCHES);
                        caught = true;
                    }
                }
                caught
            }
            _ => false,
        };
        bits |= if caught { CAUGHT } else { 0 };
        board.chain(head).for_each(|stone| planes.mark(stone, bits));
    }
}
