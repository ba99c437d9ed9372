//! The liberties of a chain, kept so that a play or a capture changes them by a few additions.
//!
//! A pseudo-liberty counts a point once for each stone that it touches. Three sums in one word hold the
//! pseudo-liberties of a chain: their number, the sum of their indices, and the sum of the squares. All
//! pseudo-liberties are the same point exactly when `count · Σx² = (Σx)²` (equality in Cauchy–Schwarz). So the test for
//! atari is one comparison. Source: libEGo (Lew 2010, "Modeling Go Game as a Large Decomposable Decision Process").

use super::point::Point;

/// The pseudo-liberties of a chain: their number (12 bits), the sum of their indices (21 bits) and the sum of the
/// squares of their indices (31 bits). The largest board has at most 4·625 pseudo-liberties, with indices below 704.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Liberties(u64);

impl Liberties {
    const COUNT_SHIFT: u32 = 52;
    const SUM_SHIFT: u32 = 31;
    pub(super) const NONE: Liberties = Liberties(0);

    /// One pseudo-liberty.
    #[inline(always)]
    pub(super) const fn of(point: Point) -> Liberties {
        let x = point.index() as u64;
        Liberties((1 << Self::COUNT_SHIFT) + (x << Self::SUM_SHIFT) + x * x)
    }

    #[inline(always)]
    pub(super) fn add(&mut self, other: Liberties) {
        self.0 = self.0.wrapping_add(other.0);
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, other: Liberties) {
        self.0 = self.0.wrapping_sub(other.0);
    }

    /// The number of pseudo-liberties.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        (self.0 >> Self::COUNT_SHIFT) as u32
    }

    /// Is there no liberty, so that the chain is captured?
    #[inline(always)]
    pub(super) const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Is this point the only liberty? (The sums are then a multiple of the point's.)
    #[inline(always)]
    pub(super) const fn are_all(self, one: Liberties) -> bool {
        (self.0 >> Self::COUNT_SHIFT).wrapping_mul(one.0) == self.0
    }

    /// Is there exactly one liberty?
    #[inline(always)]
    pub const fn is_atari(self) -> bool {
        let count = self.0 >> Self::COUNT_SHIFT;
        let sum = self.0 >> Self::SUM_SHIFT & 0x1f_ffff;
        let squares = self.0 & 0x7fff_ffff;
        count * squares == sum * sum
    }

    /// The liberty of a chain in atari.
    #[inline(always)]
    pub fn only(self) -> Option<Point> {
        if self.0 == 0 || !self.is_atari() {
            return None;
        }
        let sum = self.0 >> Self::SUM_SHIFT & 0x1f_ffff;
        Point::from_index((sum / (self.0 >> Self::COUNT_SHIFT)) as usize)
    }
}
