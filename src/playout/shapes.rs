//! Learned strengths of 3×3 shapes, for playouts: how likely good players are to move into a shape, all else being
//! equal. A shape with the last move in it has a strength of its own (a Bradley–Terry model: Coulom 2007).
//!
//! The weights in `data/shapes.bin` were learned by `examples/learn_playouts.rs`; see `docs/learning.md`.

use std::sync::LazyLock;

use super::strength::exp;
use crate::go::{Color, Neighborhood};

/// Weights in the file are natural logarithms of strengths, whole numbers of this size.
const LOG_UNIT: f32 = 1.0 / 1024.0;

/// Strengths are whole numbers of this size.
pub const UNIT: f32 = 1.0 / 1024.0;

/// Logarithm of the strength of a shape that the file does not name: the shape is rare in games. A guess, near the
/// lower quartile of the shapes in the file.
const UNKNOWN: f32 = -2.0;

// The next three are what `examples/learn_playouts.rs` prints when it makes the file.

/// Logarithm of what nearness to the last move is worth where the file does not know the shape with the move in it:
/// next to it, and diagonally.
const NEAR: [f32; 2] = [1.67, 1.97];

/// The same next to the move before the last, and diagonally: a factor in sixteenths.
pub const BEFORE: [u32; 2] = [68, 53];

/// Mean strength of an empty point anywhere, in [`UNIT`]s.
pub const MEAN: u32 = 233;

/// By the bits of a neighbourhood, seen by Black to move; then the same eight times with the last move in one of the
/// eight directions.
static TABLE: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let file: &[u8] = include_bytes!("../../data/shapes.bin");
    let number = |at: usize| u16::from_le_bytes([file[at], file[at + 1]]);
    let mut logs = vec![UNKNOWN; SHAPES];
    let shapes = 2..2 + 4 * usize::from(number(0));
    for at in shapes.clone().step_by(4) {
        for symmetry in 0..8 {
            logs[usize::from(Neighborhood::from_bits(number(at)).image(symmetry).bits())] = log(number(at + 2));
        }
    }
    for direction in 0..8 {
        for shape in 0..SHAPES {
            logs.push(logs[shape] + NEAR[direction / 4]);
        }
    }
    for at in (shapes.end..file.len()).step_by(5) {
        for symmetry in 0..8 {
            let direction = Neighborhood::direction_image(usize::from(file[at]), symmetry);
            let shape = usize::from(Neighborhood::from_bits(number(at + 1)).image(symmetry).bits());
            logs[(direction + 1) * SHAPES + shape] = logs[shape] + log(number(at + 3));
        }
    }
    logs.into_iter().map(|log| (exp(log) / UNIT).clamp(1.0, 65535.0) as u16).collect()
});

/// How many neighbourhoods there are.
const SHAPES: usize = 1 << 16;

fn log(bits: u16) -> f32 {
    f32::from(bits as i16) * LOG_UNIT
}

/// Looks strengths up, in a table that all share. A copy is cheap.
#[derive(Clone, Copy, Debug)]
pub struct Shapes(&'static [u16]);

impl Shapes {
    /// The learned strengths.
    pub fn learned() -> Shapes {
        Shapes(&TABLE)
    }

    /// The strength of a move of this side to an empty point with these cells around it, in [`UNIT`]s.
    #[inline(always)]
    pub fn strength(self, around: Neighborhood, color: Color) -> u32 {
        u32::from(self.0[usize::from(seen_by(around, color))])
    }

    /// The same where the last move lies in a direction (0–7) from the point.
    #[inline(always)]
    pub fn reply(self, around: Neighborhood, color: Color, last: usize) -> u32 {
        u32::from(self.0[(last + 1) * SHAPES + usize::from(seen_by(around, color))])
    }
}

#[inline(always)]
fn seen_by(around: Neighborhood, color: Color) -> u16 {
    match color {
        Color::Black => around.bits(),
        Color::White => around.swapped().bits(),
    }
}
