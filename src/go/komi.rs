//! Komi as the user gave it, and as the search and the scoring count it.

use std::fmt;
use std::str::FromStr;

/// Points given to White. Any finite value; multiples of a half are exact.
///
/// Boards score in whole points, so a finer komi decides every game exactly as the half point between its neighbours
/// would: 7.25 wins and loses the same games as 7.5. [`Komi::half_points`] gives that value; the margin in a result
/// is computed from the exact one. With the button boards score in half points, too: a score of just that half point
/// is then a draw to the search, and a win by less than half a point in the result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Komi(f64);

/// Beyond this many points komi decides every game on every board, so more makes no difference.
const LARGEST_COUNTED: f64 = 1e6;

impl Komi {
    /// No komi.
    pub const ZERO: Komi = Komi(0.0);

    /// Komi of this many points.
    ///
    /// # Errors
    /// If the value is infinite or not a number.
    pub fn new(points: f64) -> Result<Komi, KomiError> {
        // Adding zero turns −0 into 0, which would otherwise be printed as "-0".
        if points.is_finite() { Ok(Komi(points + 0.0)) } else { Err(KomiError) }
    }

    /// Komi of this many half points.
    pub const fn from_half_points(half_points: i32) -> Komi {
        Komi(half_points as f64 / 2.0)
    }

    /// The points as given.
    pub const fn points(self) -> f64 {
        self.0
    }

    /// In half points; finer values go to the odd half point between the whole points around them (which decides the
    /// same games where boards score in whole points), values beyond a million points are taken as a million.
    pub fn half_points(self) -> i32 {
        let doubled = self.0.clamp(-LARGEST_COUNTED, LARGEST_COUNTED) * 2.0;
        if doubled.fract() == 0.0 { doubled as i32 } else { self.0.floor() as i32 * 2 + 1 }
    }

    /// Is the value a multiple of half a point (and small enough to be counted exactly)?
    pub fn is_exact(self) -> bool {
        (self.0 * 2.0).fract() == 0.0 && self.0.abs() <= LARGEST_COUNTED
    }
}

/// Points from here on are written with an exponent: their digits say nothing, and there may be three hundred.
const EXPONENT_FROM: f64 = 1e15;

/// Writes points as short as they can be written.
pub(super) fn write_points(f: &mut fmt::Formatter<'_>, points: f64) -> fmt::Result {
    if points.abs() >= EXPONENT_FROM { write!(f, "{points:e}") } else { write!(f, "{points}") }
}

/// As short as it can be written: `7`, `7.5`, `3.75`, `1e300`.
impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_points(f, self.0)
    }
}

impl FromStr for Komi {
    type Err = KomiError;

    fn from_str(text: &str) -> Result<Komi, KomiError> {
        text.parse().map_err(|_| KomiError).and_then(Komi::new)
    }
}

/// The text or value is no finite number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("komi must be a finite number, such as 7.5")]
pub struct KomiError;
