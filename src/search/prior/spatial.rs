//! Hashes of the surroundings of a point: what lies within some distance, the same for all eight symmetries and,
//! seen from the side to move, for both colours.

use std::sync::LazyLock;

use crate::go::{Board, Cell, Color, Point};

/// How many points around the centre each level covers: those within distance 3, 4, 5 and 7 of |dx| + |dy| +
/// max(|dx|, |dy|), the metric of Stern, Herbrich & Graepel 2006 ("Bayesian pattern ranking for move prediction in
/// the game of Go") and of Pachi.
pub const LEVELS: [usize; 4] = [8, 12, 20, 36];

const POINTS: usize = LEVELS[LEVELS.len() - 1];
const SYMMETRIES: usize = 8;

/// One number for each symmetry, in eight lanes that a machine can handle at once.
type Lanes = [u32; SYMMETRIES];

struct Table {
    /// Column and row distance of the points, nearest first.
    offsets: [(i8, i8); POINTS],
    /// By point and by what lies there: empty, own, enemy, outside.
    values: Vec<[Lanes; 4]>,
    /// What lies within a level starts from its own number, so that levels never share a hash.
    starts: [u32; LEVELS.len()],
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut around: Vec<(i8, i8)> = (-4..=4i8).flat_map(|y| (-4..=4i8).map(move |x| (x, y))).collect();
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
    let mut values = vec![[[0; SYMMETRIES]; 4]; POINTS];
    for (point, &(x, y)) in around.iter().enumerate() {
        for symmetry in 0..SYMMETRIES {
            let (mut a, mut b) = if symmetry & 4 != 0 { (y, x) } else { (x, y) };
            if symmetry & 1 != 0 {
                a = -a;
            }
            if symmetry & 2 != 0 {
                b = -b;
            }
            let image = around.iter().position(|&offset| offset == (a, b)).unwrap_or(point);
            for (lanes, value) in values[point].iter_mut().zip(base[image]) {
                lanes[symmetry] = value;
            }
        }
    }
    let starts = std::array::from_fn(|_| random());
    Table { offsets: std::array::from_fn(|i| around[i]), values, starts }
});

/// Hashes the surroundings of points of one board size.
#[derive(Clone)]
pub struct Spatial {
    size: usize,
    /// Array distances of the points, for points far enough inside.
    deltas: [i16; POINTS],
}

/// Points at least this far from every edge have all their surroundings within the padded array.
const REACH: usize = 4;

impl Spatial {
    /// For boards of this size.
    pub fn new(size: usize) -> Spatial {
        let stride = size as i16 + 1;
        Spatial { size, deltas: TABLE.offsets.map(|(x, y)| i16::from(y) * stride + i16::from(x)) }
    }

    /// The board size that it is for.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The hashes of all levels around an empty point, seen from a side.
    pub fn hashes(&self, board: &Board, point: Point, color: Color) -> [u32; LEVELS.len()] {
        let table = &*TABLE;
        let size = self.size;
        let (x, y) = (point.column(size), point.row(size));
        let inside = x.min(y) + 1 >= REACH && x.max(y) + REACH <= size;
        let mut lanes: Lanes = [0; SYMMETRIES];
        let mut hashes = [0; LEVELS.len()];
        let mut level = 0;
        for i in 0..POINTS {
            let cell = if inside {
                board.cell(point.offset(self.deltas[i]))
            } else {
                let (dx, dy) = table.offsets[i];
                let (cx, cy) = (x as i32 + i32::from(dx), y as i32 + i32::from(dy));
                let range = 0..size as i32;
                if range.contains(&cx) && range.contains(&cy) {
                    board.cell(Point::new(cx as usize, cy as usize, size))
                } else {
                    Cell::Border
                }
            };
            let seen = match (cell, color) {
                (Cell::Empty, _) => 0,
                (Cell::Black, Color::Black) | (Cell::White, Color::White) => 1,
                (Cell::Border, _) => 3,
                _ => 2,
            };
            let values = &table.values[i][seen];
            for (lane, value) in lanes.iter_mut().zip(values) {
                *lane = lane.wrapping_add(*value);
            }
            if i + 1 == LEVELS[level] {
                let least = lanes.iter().copied().fold(u32::MAX, u32::min);
                hashes[level] = least.wrapping_mul(0x9e37_79b1) ^ table.starts[level];
                level += 1;
                if level == LEVELS.len() {
                    break;
                }
            }
        }
        hashes
    }
}
