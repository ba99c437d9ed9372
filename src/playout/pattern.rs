//! The 3×3 shapes of MoGo's playouts (Gelly, Wang, Munos, Teytaud 2006, "Modification of UCT with Patterns in
//! Monte-Carlo Go", INRIA RR-6062, figure 3): hanes, cuts and moves at the edge that good players consider.
//!
//! Each is written once; rotations, reflections and the exchange of colours are made when the table is filled.

use std::sync::LazyLock;

use crate::go::{Color, Neighborhood};

/// A shape around an empty point `*`: rows from the top; `X` and `O` the two sides, `.` empty, `#` wall, `x`
/// anything but X, `o` anything but O, `?` anything but a wall.
struct Shape {
    rows: [&'static str; 3],
    /// Whose move the shape is good for.
    mover: Mover,
}

enum Mover {
    Either,
    X,
    O,
}

const SHAPES: &[Shape] = &[
    // Hane: enclosing, not cutting, magari, thick.
    Shape { rows: ["XOX", ".*.", "???"], mover: Mover::Either },
    Shape { rows: ["XO.", ".*.", "?.?"], mover: Mover::Either },
    Shape { rows: ["XO?", "X*.", "x.?"], mover: Mover::Either },
    Shape { rows: ["XOO", ".*.", "?.?"], mover: Mover::X },
    // Cuts: across a diagonal (unless the cutting stone is taken at once or connection is certain), and between.
    Shape { rows: ["XO?", "O*o", "?o?"], mover: Mover::Either },
    Shape { rows: ["XO?", "O*X", "?xx"], mover: Mover::Either },
    Shape { rows: ["?X?", "O*O", "xxx"], mover: Mover::Either },
    Shape { rows: ["OX?", "x*O", "???"], mover: Mover::Either },
    // The edge: chase, hane, blocking, connecting below, drawing back.
    Shape { rows: ["X.?", "O*?", "###"], mover: Mover::Either },
    Shape { rows: ["?X?", "o*O", "###"], mover: Mover::Either },
    Shape { rows: ["?XO", "?*?", "###"], mover: Mover::X },
    Shape { rows: ["?OX", "X*O", "###"], mover: Mover::O },
];

/// One bit for each neighbourhood with Black to move.
struct Table(Vec<u64>);

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table(vec![0; (1 << 16) / 64]);
    for shape in SHAPES {
        for symmetry in 0..8 {
            for swapped in [false, true] {
                // The table is for Black: X is Black unless the colours are exchanged.
                let fits = match shape.mover {
                    Mover::Either => true,
                    Mover::X => !swapped,
                    Mover::O => swapped,
                };
                if fits {
                    table.enter(shape, symmetry, swapped);
                }
            }
        }
    }
    table
});

/// Column and row (0–2, from the top left) of a neighbourhood's direction.
const PLACES: [(usize, usize); 8] = [(1, 0), (2, 1), (1, 2), (0, 1), (2, 0), (2, 2), (0, 2), (0, 0)];

impl Table {
    fn enter(&mut self, shape: &Shape, symmetry: usize, swapped: bool) {
        let mut allowed = [[false; 4]; 8];
        for (direction, &(column, row)) in PLACES.iter().enumerate() {
            let (mut x, mut y) = if symmetry & 4 != 0 { (row, column) } else { (column, row) };
            if symmetry & 1 != 0 {
                x = 2 - x;
            }
            if symmetry & 2 != 0 {
                y = 2 - y;
            }
            let (own, other) = if swapped { (2, 1) } else { (1, 2) };
            let set: &[usize] = match shape.rows[y].as_bytes()[x] {
                b'X' => &[own],
                b'O' => &[other],
                b'.' => &[0],
                b'#' => &[3],
                b'x' => &[0, other],
                b'o' => &[0, own],
                _ => &[0, 1, 2],
            };
            for &cell in set {
                allowed[direction][cell] = true;
            }
        }
        self.enter_all(&allowed, 0, 0);
    }

    fn enter_all(&mut self, allowed: &[[bool; 4]; 8], direction: usize, bits: u16) {
        if direction == 8 {
            self.0[bits as usize / 64] |= 1 << (bits % 64);
            return;
        }
        for (cell, &may) in allowed[direction].iter().enumerate() {
            if may {
                self.enter_all(allowed, direction + 1, bits | (cell as u16) << (2 * direction));
            }
        }
    }
}

/// Looks shapes up. Taking one is cheap; it holds the table that all share.
#[derive(Clone, Copy)]
pub struct Patterns(&'static [u64]);

impl Patterns {
    /// The shapes of the paper.
    pub fn mogo() -> Patterns {
        Patterns(&TABLE.0)
    }

    /// Is the empty point with these cells around it a good shape for a stone of this side?
    #[inline(always)]
    pub fn matches(self, around: Neighborhood, color: Color) -> bool {
        let bits = match color {
            Color::Black => around.bits(),
            Color::White => around.swapped().bits(),
        };
        self.0[bits as usize / 64] >> (bits % 64) & 1 == 1
    }
}
