//! Folded children: four bytes for each move of a leaf, with what the evaluator says of the move.
//!
//! A net gives a policy with each of its values. Most leaves are visited once, and never need children. On 19×19 these
//! would take 362 slots and most of the time of a visit that the net leaves. So the policy is kept in an eighth of the
//! slots, and the second visit makes the children of it.

use crate::go::{Move, Point};

/// Folded children in a slot.
pub const PER_SLOT: usize = 8;

/// The bits of a number that are given up. What is left has nine significant binary digits.
const DROPPED: u32 = 15;

/// A move and its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Folded {
    /// The move.
    pub mv: Move,
    /// Its weight, finite and 0 or more.
    pub weight: f32,
}

impl Folded {
    /// In four bytes, with the weight rounded.
    pub(super) fn to_bits(self) -> u32 {
        let point = self.mv.point().map_or(0, |point| point.index() as u32);
        // The sign is 0, so sixteen bits are left.
        let weight = (self.weight.max(0.0).to_bits() + (1 << (DROPPED - 1))) >> DROPPED;
        weight << 16 | point
    }

    /// From four bytes.
    pub(super) fn from_bits(bits: u32) -> Folded {
        let mv = match Point::from_index((bits & 0xffff) as usize) {
            Some(point) if point != Point::NONE => Move::Play(point),
            _ => Move::Pass,
        };
        Folded { mv, weight: f32::from_bits((bits >> 16) << DROPPED) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folded_move_is_the_same_and_its_weight_nearly() {
        let play = Move::Play(Point::from_index(300).expect("a point"));
        for mv in [play, Move::Pass] {
            for weight in [0.0, 1e-30, 1e-6, 0.003, 0.25, 0.7, 1.0, 12.5] {
                let found = Folded::from_bits(Folded { mv, weight }.to_bits());
                assert_eq!(found.mv, mv);
                assert!((found.weight - weight).abs() <= weight / 512.0, "{weight} {found:?}");
            }
        }
    }
}
