//! The eight points around a point, packed into sixteen bits, and what these bits show.

use super::color::{Cell, Color};
use super::symmetry::turn;

/// The eight cells around a point: two bits each (the number of the [`Cell`]), in the order north, east, south, west,
/// north-east, south-east, south-west, north-west. The board keeps one neighbourhood for each point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Neighborhood(pub(super) u16);

/// Column and row (0–2, from the top left) of each direction.
pub const PLACES: [(usize, usize); 8] = [(1, 0), (2, 1), (1, 2), (0, 1), (2, 0), (2, 2), (0, 2), (0, 0)];

/// The low bit of each of the four adjacent cells' fields.
const ADJACENT_LOW: u16 = 0x0055;

impl Neighborhood {
    /// Nothing but empty points around.
    pub const EMPTY: Neighborhood = Neighborhood(0);

    /// Bit shift of a direction's field.
    #[inline(always)]
    pub(super) const fn shift(direction: usize) -> u32 {
        2 * direction as u32
    }

    /// The opposite of a direction: where a point lies seen from its neighbour.
    #[inline(always)]
    pub const fn opposite(direction: usize) -> usize {
        direction ^ 2
    }

    /// The raw bits: an index for pattern tables.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// A neighbourhood from raw bits.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Self {
        Neighborhood(bits)
    }

    /// The neighbourhood with Black and White exchanged.
    #[inline(always)]
    pub const fn swapped(self) -> Self {
        // Empty (00) and walls (11) do not change.
        Neighborhood((self.0 & 0x5555) << 1 | (self.0 >> 1) & 0x5555)
    }

    /// The neighbourhood mirrored and turned: `symmetry` is 0 to 7, 0 for no change.
    pub fn image(self, symmetry: usize) -> Self {
        (0..8).fold(Neighborhood::EMPTY, |image, direction| {
            let to = Self::direction_image(direction, symmetry);
            Neighborhood(image.0 | (self.0 >> Self::shift(direction) & 3) << Self::shift(to))
        })
    }

    /// The direction (0–7) to which a direction is mirrored and turned.
    pub fn direction_image(direction: usize, symmetry: usize) -> usize {
        let image = turn(PLACES[direction], 3, symmetry);
        PLACES.iter().position(|&place| place == image).unwrap_or(direction)
    }

    /// The cell in a direction (0–7).
    #[inline(always)]
    pub const fn cell(self, direction: usize) -> Cell {
        match self.0 >> Self::shift(direction) & 3 {
            0 => Cell::Empty,
            1 => Cell::Black,
            2 => Cell::White,
            _ => Cell::Border,
        }
    }

    /// The adjacent empty points, as a mask with bit `2·direction` set for each.
    #[inline(always)]
    pub const fn empty_adjacent(self) -> u16 {
        !(self.0 | self.0 >> 1) & ADJACENT_LOW
    }

    /// The adjacent stones of a side, as a mask with bit `2·direction` set for each.
    #[inline(always)]
    pub const fn adjacent(self, color: Color) -> u16 {
        let (low, high) = (self.0, self.0 >> 1);
        match color {
            Color::Black => low & !high & ADJACENT_LOW,
            Color::White => high & !low & ADJACENT_LOW,
        }
    }

    /// Are all four adjacent points the side's own stones or walls?
    #[inline(always)]
    pub const fn is_surrounded_by(self, color: Color) -> bool {
        // Black and walls have the low bit of their field set, White and walls the high one.
        (self.0 >> color.index()) & ADJACENT_LOW == ADJACENT_LOW
    }

    /// Is the point an eye by the rule of the first Monte Carlo programs (Bouzy & Helmstetter 2003)? All adjacent
    /// points are the side's own, and at most one diagonal point is the enemy's (none at the edge). The rule looks at
    /// shape only: the eye can still be false where chains are cut elsewhere.
    #[inline(always)]
    pub const fn is_eye_shape(self, color: Color) -> bool {
        // There is no branch between the two conditions, because it could not be predicted.
        self.is_surrounded_by(color) & (BROKEN[(self.0 >> 8) as usize] >> color.index() & 1 == 0)
    }
}

/// For each byte of diagonal cells: do they break an eye of Black (bit 0), of White (bit 1)? Walls among the diagonal
/// cells mark the edge of the board.
static BROKEN: [u8; 256] = {
    let mut table = [0; 256];
    let mut diagonal = 0;
    while diagonal < 256 {
        let (low, high) = (diagonal as u16, diagonal as u16 >> 1);
        let at_edge = (low & high & ADJACENT_LOW != 0) as u32;
        let black = (low & !high & ADJACENT_LOW).count_ones();
        let white = (high & !low & ADJACENT_LOW).count_ones();
        table[diagonal] = (white + at_edge >= 2) as u8 | ((black + at_edge >= 2) as u8) << 1;
        diagonal += 1;
    }
    table
};
