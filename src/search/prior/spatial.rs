//! Hashes of the patterns around a point. A pattern is the contents of all points within some distance. Its hash is the
//! same for all eight symmetries. Stones are own or enemy stones, so the hash is the same for both colours, too.

use std::sync::LazyLock;

use crate::go::symmetry::{SYMMETRIES, turn};
use crate::go::{Board, Cell, Color, Point, Size};

/// Number of points around the centre in the pattern of each level. They lie within the distances 3, 4, 5, 7 and 9.
/// The distance is |dx| + |dy| + max(|dx|, |dy|), as in Pachi. It comes from Stern, Herbrich and Graepel 2006,
/// "Bayesian pattern ranking for move prediction in the game of Go".
pub const LEVELS: [usize; 5] = [8, 12, 20, 36, 60];

/// Levels with a second hash, which includes the place of the last move, if the last move is near. A good reply depends
/// on which stone was played last (the "response patterns" of Silver et al. 2016).
const REPLIES: [usize; 3] = [12, 20, 36];

/// The largest number of hashes of a candidate: one for each level, then one for each level of replies.
pub const HASHES: usize = LEVELS.len() + REPLIES.len();

/// Number of points in the largest pattern.
const POINTS: usize = LEVELS[LEVELS.len() - 1];

/// The points are chosen among so many columns and rows on each side of the centre.
const SPAN: i8 = 5;

/// One number for each symmetry. A processor can add all eight at once.
type Lanes = [u32; SYMMETRIES];

struct Table {
    /// Column and row distance of the points, nearest first.
    offsets: [(i8, i8); POINTS],
    /// The numbers of each point, by its contents: empty, own, enemy, outside the board.
    values: Vec<[Lanes; 4]>,
    /// The numbers of each point for a last move there.
    marks: Vec<Lanes>,
    /// A number for each kind of hash, so that the same sum gives different hashes at different levels.
    starts: [u32; HASHES],
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut around: Vec<(i8, i8)> = (-SPAN..=SPAN).flat_map(|y| (-SPAN..=SPAN).map(move |x| (x, y))).collect();
    let distance = |&(x, y): &(i8, i8)| {
        let (x, y) = (x.unsigned_abs(), y.unsigned_abs());
        (x + y + x.max(y), x.max(y))
    };
    around.retain(|offset| distance(offset).0 > 0);
    around.sort_by_key(|offset| (distance(offset), *offset));
    around.truncate(POINTS);
    let mut seed = 0x6b6f_7375_6d69_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (seed ^ seed >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as u32
    };
    let base: Vec<[u32; 4]> = (0..POINTS).map(|_| [0, random(), random(), random()]).collect();
    let last: Vec<u32> = (0..POINTS).map(|_| random()).collect();
    let mut values = vec![[[0; SYMMETRIES]; 4]; POINTS];
    let mut marks = vec![[0; SYMMETRIES]; POINTS];
    let turned = |(x, y): (i8, i8), symmetry| {
        let place = ((x + SPAN) as usize, (y + SPAN) as usize);
        let (x, y) = turn(place, 2 * SPAN as usize + 1, symmetry);
        (x as i8 - SPAN, y as i8 - SPAN)
    };
    for (point, &place) in around.iter().enumerate() {
        for symmetry in 0..SYMMETRIES {
            let image = around.iter().position(|&offset| offset == turned(place, symmetry)).unwrap_or(point);
            for (lanes, value) in values[point].iter_mut().zip(base[image]) {
                lanes[symmetry] = value;
            }
            marks[point][symmetry] = last[image];
        }
    }
    let starts = std::array::from_fn(|_| random());
    Table { offsets: std::array::from_fn(|i| around[i]), values, marks, starts }
});

/// Hashes patterns on boards of one size.
#[derive(Clone, Debug)]
pub struct Spatial {
    size: Size,
    /// The distances of the points in the board's array, for centres far enough from the edges.
    deltas: [i16; POINTS],
}

/// The least line (counted from 1) on which a centre has all its points within the padded array.
const REACH: usize = 4;

impl Spatial {
    /// For boards of this size.
    pub fn new(size: Size) -> Spatial {
        let stride = size.stride() as i16;
        Spatial { size, deltas: TABLE.offsets.map(|(x, y)| i16::from(y) * stride + i16::from(x)) }
    }

    /// The board size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Calls `visit` with the hashes of the patterns around an empty point, for a play of `color`. The hash of each
    /// level comes before the hash of its reply. The hashes end when `visit` gives `false` for a level, which means
    /// that it does not know the pattern. Larger patterns contain this pattern, so they are rarer still. `last` is the
    /// last move; [`Point::NONE`] stands for a pass.
    #[inline]
    pub fn hashes(&self, board: &Board, point: Point, color: Color, last: Point, mut visit: impl FnMut(u32) -> bool) {
        let table = &*TABLE;
        let size = self.size;
        let (x, y) = (point.column(size), point.row(size));
        let inside = x.min(y) + 1 >= REACH && x + REACH <= size.width() && y + REACH <= size.height();
        let mark = self.mark(x, y, last);
        let mut lanes: Lanes = [0; SYMMETRIES];
        let hash = |kind: usize, lanes: &Lanes| {
            let least = lanes.iter().copied().fold(u32::MAX, u32::min);
            least.wrapping_mul(0x9e37_79b1) ^ table.starts[kind]
        };
        let mut from = 0;
        for (level, &to) in LEVELS.iter().enumerate() {
            for i in from..to {
                let cell = if inside { board.cell(point.offset(self.deltas[i])) } else { self.cell(board, x, y, i) };
                let seen = match (cell, color) {
                    (Cell::Empty, _) => continue,
                    (Cell::Black, Color::Black) | (Cell::White, Color::White) => 1,
                    (Cell::Border, _) => 3,
                    _ => 2,
                };
                add(&mut lanes, &table.values[i][seen]);
            }
            from = to;
            if !visit(hash(level, &lanes)) {
                return;
            }
            if let Some(mark) = mark
                && let Some(reply) = REPLIES.iter().position(|&points| points == to)
            {
                let mut marked = lanes;
                add(&mut marked, mark);
                visit(hash(LEVELS.len() + reply, &marked));
            }
        }
    }

    /// The cell of the `i`-th point around column `x` and row `y`. The point may lie outside the board.
    fn cell(&self, board: &Board, x: usize, y: usize, i: usize) -> Cell {
        let (dx, dy) = TABLE.offsets[i];
        let (cx, cy) = (x as i32 + i32::from(dx), y as i32 + i32::from(dy));
        match (usize::try_from(cx), usize::try_from(cy)) {
            (Ok(column), Ok(row)) if self.size.contains(column, row) => board.cell(Point::new(column, row, self.size)),
            _ => Cell::Border,
        }
    }

    /// The numbers of the last move, if the last move lies in the largest pattern around column `x` and row `y`.
    fn mark(&self, x: usize, y: usize, last: Point) -> Option<&'static Lanes> {
        if last == Point::NONE {
            return None;
        }
        let (dx, dy) = (last.column(self.size) as i32 - x as i32, last.row(self.size) as i32 - y as i32);
        if dx.abs().max(dy.abs()) > REACH as i32 {
            return None;
        }
        let i = TABLE.offsets.iter().position(|&(ox, oy)| (i32::from(ox), i32::from(oy)) == (dx, dy))?;
        Some(&TABLE.marks[i])
    }
}

fn add(lanes: &mut Lanes, values: &Lanes) {
    for (lane, value) in lanes.iter_mut().zip(values) {
        *lane = lane.wrapping_add(*value);
    }
}
