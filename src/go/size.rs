//! The size of a board: its columns and its rows.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// Smallest number of columns, and of rows.
pub const MIN_SIZE: usize = 2;
/// Largest number of columns, and of rows: 25, the last that GTP's letters (A–Z without I) can name.
pub const MAX_SIZE: usize = 25;

/// Columns and rows of a board, each within [`MIN_SIZE`]`..=`[`MAX_SIZE`]. Most boards are squares, so every function
/// that takes a size also takes a number of rows.
///
/// ```
/// use kosumi::go::{Board, Size};
///
/// assert_eq!(Board::new(9).size(), Size::square(9));
/// let rectangle: Size = "9x13".parse()?;
/// assert_eq!((rectangle.width(), rectangle.height(), rectangle.points()), (9, 13, 117));
/// assert_eq!(Size::new(9, 26), None);
/// # Ok::<(), kosumi::go::size::NoSize>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u8,
    height: u8,
}

/// A text that is no board size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a board size is a number of rows from {MIN_SIZE} to {MAX_SIZE}, or columns and rows such as 9x13")]
pub struct NoSize;

impl Size {
    /// The size with these columns and rows; `None` if one of them is outside [`MIN_SIZE`]`..=`[`MAX_SIZE`].
    pub const fn new(width: usize, height: usize) -> Option<Size> {
        if width < MIN_SIZE || width > MAX_SIZE || height < MIN_SIZE || height > MAX_SIZE {
            return None;
        }
        Some(Size { width: width as u8, height: height as u8 })
    }

    /// The square with so many rows.
    ///
    /// # Panics
    /// If `side` is outside [`MIN_SIZE`]`..=`[`MAX_SIZE`].
    pub const fn square(side: usize) -> Size {
        match Size::new(side, side) {
            Some(size) => size,
            None => panic!("no board has so many rows"),
        }
    }

    /// Number of columns.
    #[inline(always)]
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Number of rows.
    #[inline(always)]
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Number of points.
    #[inline(always)]
    pub const fn points(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Are there as many columns as rows?
    #[inline(always)]
    pub const fn is_square(self) -> bool {
        self.width == self.height
    }

    /// The number of columns or of rows, whichever is larger.
    pub const fn longer_side(self) -> usize {
        if self.width > self.height { self.width as usize } else { self.height as usize }
    }

    /// The side of the square with about as many points, which is the side itself for a square.
    ///
    /// Nets, tunables and levels are known for squares only. A rectangle takes those of this square, because games
    /// last about as many moves on it. (The choice is a guess. KataGo's nets see the same mean of both sides.)
    pub fn like_square(self) -> usize {
        (self.mean_side().round() as usize).clamp(MIN_SIZE, MAX_SIZE)
    }

    /// The side of a square with as many points: the geometric mean of both sides. The root of a square number is exact
    /// (IEEE 754), so the mean is the side itself for a square.
    pub fn mean_side(self) -> f32 {
        (self.points() as f32).sqrt()
    }

    /// Is there a point in this column and this row, both counted from 0?
    #[inline(always)]
    pub const fn contains(self, column: usize, row: usize) -> bool {
        column < self.width as usize && row < self.height as usize
    }

    /// Number of points between a point and the nearest edge, by its column and its row: 0 on the first line.
    #[inline(always)]
    pub fn line(self, column: usize, row: usize) -> usize {
        column.min(row).min(self.width() - 1 - column).min(self.height() - 1 - row)
    }

    /// Entries of the padded array from a point to the point above it.
    #[inline(always)]
    pub const fn stride(self) -> usize {
        self.width as usize + 1
    }

    /// Array entries of the padded board, from the first to the last that a neighbour of a point may have.
    #[inline(always)]
    pub const fn padded(self) -> usize {
        (self.height as usize + 2) * (self.width as usize + 1) + 1
    }

    /// All columns and rows, row by row from the bottom.
    pub fn places(self) -> impl DoubleEndedIterator<Item = (usize, usize)> + ExactSizeIterator + Clone {
        let width = self.width();
        (0..self.points()).map(move |i| (i % width, i / width))
    }
}

/// The square with so many rows.
///
/// # Panics
/// See [`Size::square`].
impl From<usize> for Size {
    #[inline]
    fn from(side: usize) -> Size {
        Size::square(side)
    }
}

/// Is this the size of the square with so many rows?
impl PartialEq<usize> for Size {
    fn eq(&self, side: &usize) -> bool {
        self.is_square() && self.width() == *side
    }
}

/// Columns and rows, such as `9x13`; `{:#}` writes `9×13`, as in sentences.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if f.alternate() { '×' } else { 'x' };
        write!(f, "{}{sign}{}", self.width, self.height)
    }
}

/// The number of rows of a square, or a text such as `9x13`. [`FromStr`] reads both as text.
impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_square() { serializer.serialize_u8(self.width) } else { serializer.collect_str(self) }
    }
}

/// A number of rows, or columns and rows with `x` between them.
impl FromStr for Size {
    type Err = NoSize;

    fn from_str(text: &str) -> Result<Size, NoSize> {
        let (width, height) = text.split_once(['x', 'X', '×']).unwrap_or((text, text));
        let side = |text: &str| text.trim().parse::<usize>().map_err(|_| NoSize);
        Size::new(side(width)?, side(height)?).ok_or(NoSize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_of_sizes_lead_back_to_them() {
        for (width, height) in [(2, 2), (2, 3), (9, 13), (25, 2), (19, 19)] {
            let size = Size::new(width, height).expect("a size");
            assert_eq!(size.to_string().parse(), Ok(size));
            let json = serde_json::to_string(&size).expect("JSON");
            assert_eq!(json.trim_matches('"').parse(), Ok(size), "{json}");
        }
        assert_eq!(serde_json::to_string(&[Size::square(9), Size { width: 9, height: 13 }]).unwrap(), "[9,\"9x13\"]");
        assert_eq!(" 9 x 13 ".parse(), Ok(Size { width: 9, height: 13 }));
        assert_eq!("9×13".parse(), Ok(Size { width: 9, height: 13 }));
        assert_eq!(format!("{:#}", Size { width: 9, height: 13 }), "9×13");
        assert_eq!("13".parse(), Ok(Size::square(13)));
        for text in ["", "x", "9x", "x9", "1", "1x9", "9x26", "9x9x9", "-9", "9:13", "999999999999999999999"] {
            assert_eq!(text.parse::<Size>(), Err(NoSize), "{text}");
        }
    }

    #[test]
    fn a_square_is_like_itself_and_a_rectangle_like_a_square_of_as_many_points() {
        for side in MIN_SIZE..=MAX_SIZE {
            let square = Size::square(side);
            assert_eq!((square.like_square(), square.mean_side()), (side, side as f32));
        }
        for ((width, height), like) in [((9, 13), 11), ((13, 7), 10), ((25, 2), 7), ((19, 13), 16), ((2, 3), 2)] {
            assert_eq!(Size::new(width, height).expect("a size").like_square(), like);
        }
    }

    #[test]
    fn places_cover_the_board_once() {
        let size = Size::new(3, 2).expect("a size");
        assert_eq!(size.places().collect::<Vec<_>>(), [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]);
        assert_eq!((size.line(1, 1), Size::square(5).line(3, 2)), (0, 1));
    }
}
