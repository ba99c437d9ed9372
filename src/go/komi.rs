//! Komi as the user gave it, and as search and scoring count it.

use std::fmt;
use std::str::FromStr;

/// Points given to White: a value within a million, rounded to a thousandth.
///
/// Boards score in whole points. So a komi finer than a half point decides every game as the half point between its
/// neighbours: 7.25 decides the same games as 7.5. [`Komi::half_points`] returns that half point. The margin in a
/// result comes from the exact komi. With the button, boards score in half points too. A score of exactly that half
/// point is then a draw to the search, and a win by less than half a point in the result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Komi(f64);

/// The largest komi. The largest board has 625 points, and controllers send a few hundred at most to make komi decide.
/// Without a bound, a record could have a number of three hundred digits, which other programs cannot read.
const LARGEST: f64 = 1e6;

/// The smallest parts of a point. Nobody counts finer, and further digits of binary fractions mean nothing.
const PARTS: f64 = 1000.0;

impl Komi {
    /// No komi.
    pub const ZERO: Komi = Komi(0.0);

    /// Komi of this many points, rounded to a thousandth. Rounding never moves a value onto a half point or off one,
    /// because half points decide games.
    ///
    /// # Errors
    /// If the value is no number within a million.
    pub fn new(points: f64) -> Result<Komi, KomiError> {
        if !(-LARGEST..=LARGEST).contains(&points) {
            return Err(KomiError);
        }
        let is_half = |points: f64| (points * 2.0).fract() == 0.0;
        let parts = (points * PARTS).round();
        let moved = is_half(parts / PARTS) && !is_half(points);
        let parts = if moved { parts + (points - parts / PARTS).signum() } else { parts };
        // The addition of zero turns −0 into 0. Otherwise −0 is printed as "-0".
        Ok(Komi(parts / PARTS + 0.0))
    }

    /// Komi of this many half points.
    pub const fn from_half_points(half_points: i32) -> Komi {
        Komi(half_points as f64 / 2.0)
    }

    /// This komi plus a number of whole points.
    pub fn plus(self, points: i32) -> Komi {
        Komi(self.0 + f64::from(points))
    }

    /// The points as given.
    pub const fn points(self) -> f64 {
        self.0
    }

    /// Komi in half points. A finer value becomes the odd half point between the whole points around it; that decides
    /// the same games where boards score in whole points.
    pub fn half_points(self) -> i32 {
        let doubled = self.0 * 2.0;
        if doubled.fract() == 0.0 { doubled as i32 } else { self.0.floor() as i32 * 2 + 1 }
    }
}

/// In the shortest form: `7`, `7.5`, `3.75`.
impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Komi {
    type Err = KomiError;

    fn from_str(text: &str) -> Result<Komi, KomiError> {
        text.parse().map_err(|_| KomiError).and_then(Komi::new)
    }
}

/// The text or value is not a number, or out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("komi must be a number from -1000000 to 1000000, such as 7.5")]
pub struct KomiError;
