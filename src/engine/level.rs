//! Weaker play on purpose: a rank to choose, from 30 kyu up.
//!
//! A weak player does not play random moves: the player sees fewer of the good moves and reads less far. So a weak
//! level looks at a few moves only. The level draws them by the likelihood that a player plays them (the learned
//! prior), and searches them for a fixed number of playouts. Strong levels look at all moves and only read less.
//! Nothing depends on time, so a level has the same strength on every machine.
//!
//! This file holds the names of levels. `rungs` has the measured steps, `draw` says which step plays a move, `choose`
//! chooses the move, `standing` says what is known of a rank's strength.

mod choose;
mod draw;
pub mod rungs;
pub mod standing;

use std::fmt;
use std::str::FromStr;

/// How strong the engine plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// The full strength that time and playouts allow.
    #[default]
    Max,
    /// Like a player of this rank.
    Rank(Rank),
    /// A step of the table, by its number. Used to measure the table.
    Rung(u8),
}

/// An amateur's rank: 30 kyu, …, 1 kyu, 1 dan, …, 9 dan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank(i8);

impl Rank {
    /// All ranks as kyu, from 9 dan to 30 kyu.
    const ALL: std::ops::RangeInclusive<i8> = -8..=30;

    /// The rank in kyu, continued below 1: 30 for 30 kyu, 1 for 1 kyu, 0 for 1 dan, −8 for 9 dan.
    pub fn kyu(self) -> i8 {
        self.0
    }

    /// The rank that is nearest to a strength in kyu.
    fn nearest(kyu: f32) -> Rank {
        // The cast cannot lose anything within the range of the ranks.
        Rank(kyu.round().clamp(f32::from(*Rank::ALL.start()), f32::from(*Rank::ALL.end())) as i8)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            kyu @ 1.. => write!(f, "{kyu}k"),
            kyu => write!(f, "{}d", 1 - kyu),
        }
    }
}

/// The text is no level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a rank from 30k to 1k or 1d to 9d, such as 12k, or max")]
pub struct NoLevel;

impl FromStr for Level {
    type Err = NoLevel;

    fn from_str(text: &str) -> Result<Level, NoLevel> {
        let text = text.to_ascii_lowercase();
        if text == "max" {
            return Ok(Level::Max);
        }
        if let Some(number) = text.strip_prefix("rung-") {
            let number = number.parse().map_err(|_| NoLevel)?;
            return if usize::from(number) < rungs::COUNT { Ok(Level::Rung(number)) } else { Err(NoLevel) };
        }
        let read = |number: &str| number.parse::<i8>().ok().filter(|number| *number >= 1).ok_or(NoLevel);
        let kyu = match (text.strip_suffix('k'), text.strip_suffix('d')) {
            (Some(number), _) => read(number)?,
            (_, Some(number)) => 1 - read(number)?,
            _ => return Err(NoLevel),
        };
        if Rank::ALL.contains(&kyu) { Ok(Level::Rank(Rank(kyu))) } else { Err(NoLevel) }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Level::Max => write!(f, "max"),
            Level::Rank(rank) => rank.fmt(f),
            Level::Rung(number) => write!(f, "rung-{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_read_and_written() {
        for text in ["30k", "12k", "1k", "1d", "9d", "max", "rung-0"] {
            assert_eq!(text.parse::<Level>().map(|level| level.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("5K".parse::<Level>().map(|level| level.to_string()), Ok("5k".into()));
        for text in ["", "k", "0k", "31k", "10d", "0d", "-3k", "3", "rung-200", "maximum", "999k", "３k"] {
            assert_eq!(text.parse::<Level>(), Err(NoLevel), "{text}");
        }
    }
}
