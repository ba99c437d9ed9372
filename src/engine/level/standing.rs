//! What is known of the strength of a rank: on this board, with this net. The table of steps knows the measured ranks;
//! this file says in a sentence how far they reach.

use std::fmt;

use super::rungs::{Rung, around, tables};
use super::{Level, Rank};
use crate::go::Size;
use crate::net::Nets;

/// What is known of the strength that a rank has on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The rank that was asked for.
    pub asked: Rank,
    /// The rank that the engine plays like. It differs where the table has no step as strong or as weak.
    pub like: Rank,
    /// How this is known.
    pub basis: Basis,
    /// Columns and rows of the board.
    pub size: Size,
}

/// How the strength of a rank is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// By matches on boards of this size.
    Measured,
    /// By matches on the sizes of the tables, and this board has another size.
    OtherSizes {
        /// Is there a net for the board? Then there are more tables.
        with_net: bool,
    },
    /// By matches with another net.
    OtherNet,
    /// No step as strong was measured.
    Beyond {
        /// The strongest measured rank.
        strongest: Rank,
    },
}

impl Standing {
    /// What is known of a level on a board of this size, with these nets; `None` for a level that is no rank.
    pub fn of(level: Level, size: Size, nets: &Nets) -> Option<Standing> {
        let net = nets.for_level(size).map(|net| net.net().description().name.as_str());
        Standing::with_net(level, size, net)
    }

    /// The level, and in brackets what it plays like where this is not what the level says.
    pub fn in_words(level: Level, size: Size, nets: &Nets) -> String {
        match Standing::of(level, size, nets).filter(|standing| !standing.is_as_asked()) {
            Some(standing) => format!("{level} ({standing})"),
            None => level.to_string(),
        }
    }

    fn with_net(level: Level, size: impl Into<Size>, net: Option<&str>) -> Option<Standing> {
        let size = size.into();
        let Level::Rank(asked) = level else { return None };
        let ([smaller, larger], share) = around(net.is_some(), size);
        let in_use = || [(smaller, 1.0 - share), (larger, share)].into_iter().filter(|(_, share)| *share > 0.0);
        // The mean over both tables, as far as each of them reaches.
        let mean_of = |end: fn(&[Rung]) -> f32, pick: fn(f32, f32) -> f32| {
            in_use().map(|(table, share)| share * pick(f32::from(asked.kyu()), end(table.rungs))).sum::<f32>()
        };
        let weakest = |table: &[Rung]| table.first().map_or(f32::INFINITY, |rung| rung.kyu);
        let strongest = |table: &[Rung]| table.last().map_or(f32::NEG_INFINITY, |rung| rung.kyu);
        let like = if mean_of(strongest, f32::max) > f32::from(asked.kyu()) {
            mean_of(strongest, f32::max)
        } else {
            mean_of(weakest, f32::min)
        };
        let like = Rank::nearest(like);
        let measured = |table: &[Rung]| {
            table.iter().filter(|rung| rung.measured).map(|rung| rung.kyu).fold(f32::INFINITY, f32::min)
        };
        let limit = Rank::nearest(in_use().map(|(table, share)| share * measured(table.rungs)).sum());
        let basis = if in_use().all(|(table, _)| size != table.size) {
            Basis::OtherSizes { with_net: net.is_some() }
        } else if in_use().any(|(table, _)| table.net.is_some() && table.net != net) {
            Basis::OtherNet
        } else if like.kyu() < limit.kyu() {
            Basis::Beyond { strongest: limit }
        } else {
            Basis::Measured
        };
        Some(Standing { asked, like, basis, size })
    }

    /// Does the engine play like the rank that was asked for, and is this measured?
    pub fn is_as_asked(&self) -> bool {
        self.like == self.asked && self.basis == Basis::Measured
    }
}

/// "plays like 8k, the strongest rank measured on 19x19"
impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Standing { asked, like, basis, size } = *self;
        write!(f, "plays like {like}")?;
        match basis {
            Basis::Measured if like == asked => write!(f, ", as measured on {size}"),
            Basis::Measured if like.kyu() > asked.kyu() => write!(f, ", the strongest rank on {size}"),
            Basis::Measured => write!(f, ", the weakest rank on {size}"),
            Basis::OtherSizes { with_net } => {
                let sizes: Vec<String> = tables(with_net).iter().map(|table| format!("{0}x{0}", table.size)).collect();
                let (last, others) = sizes.split_last().map_or(("", &[][..]), |(last, others)| (last.as_str(), others));
                write!(f, " by an estimate: ranks are measured on {} and {last}", others.join(", "))
            }
            Basis::OtherNet => write!(f, " by an estimate: ranks are measured with another net"),
            Basis::Beyond { strongest } => {
                write!(f, " by an estimate: nothing above {strongest} is measured on {size}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn net_of(size: usize) -> Option<&'static str> {
        tables(true).iter().find(|table| table.size == size).and_then(|table| table.net)
    }

    fn standing(level: &str, size: usize, net: Option<&str>) -> Standing {
        let level = level.parse::<Level>().expect("a level");
        Standing::with_net(level, size, net).expect("a rank")
    }

    #[test]
    fn a_rank_in_the_table_is_what_it_says() {
        for (level, size, net) in [
            ("12k", 9, None),
            ("2d", 9, None),
            ("12k", 9, net_of(9)),
            ("10k", 13, net_of(13)),
            ("15k", 19, net_of(19)),
            ("8k", 19, None),
        ] {
            let found = standing(level, size, net);
            assert!(found.is_as_asked(), "{found:?}");
            assert_eq!(found.to_string(), format!("plays like {level}, as measured on {size}x{size}"));
        }
    }

    #[test]
    fn a_rank_beyond_the_table_is_named_by_its_end() {
        for (size, net) in [(9, None), (9, net_of(9))] {
            let table = &tables(net.is_some())[0];
            let end = Rank::nearest(table.rungs.last().expect("a step").kyu);
            let found = standing("9d", size, net);
            assert_eq!((found.like, found.basis), (end, Basis::Measured));
            assert_eq!(found.to_string(), format!("plays like {end}, the strongest rank on {size}x{size}"));
            assert_eq!(standing(&end.to_string(), size, net).like, end);
        }
    }

    #[test]
    fn what_is_not_measured_is_called_an_estimate() {
        let found = standing("12k", 13, None);
        assert_eq!(found.basis, Basis::OtherSizes { with_net: false });
        assert_eq!(found.to_string(), "plays like 12k by an estimate: ranks are measured on 9x9 and 19x19");
        let found = standing("12k", 15, net_of(13));
        assert_eq!(found.to_string(), "plays like 12k by an estimate: ranks are measured on 9x9, 13x13 and 19x19");
        assert_eq!(standing("12k", 5, None).basis, Basis::OtherSizes { with_net: false });
        assert_eq!(standing("12k", 19, Some("somebody's")).basis, Basis::OtherNet);
        let eight = Rank::nearest(8.0);
        let found = standing("3k", 19, None);
        assert_eq!((found.like.to_string().as_str(), found.basis), ("3k", Basis::Beyond { strongest: eight }));
        assert_eq!(found.to_string(), "plays like 3k by an estimate: nothing above 8k is measured on 19x19");
        assert_eq!(standing("9d", 19, None).like.to_string(), "2k");
        let found = standing("9d", 19, net_of(19));
        assert_eq!((found.like, found.basis), (Rank::nearest(-1.9), Basis::Beyond { strongest: Rank::nearest(3.2) }));
        // On 13×13 both tables play, so the end lies between their ends.
        let [small, large] = [0, 1].map(|number| tables(false)[number].rungs);
        let end = standing("9d", 13, None).like.kyu();
        assert!(f32::from(end) > small[small.len() - 1].kyu && f32::from(end) < large[large.len() - 1].kyu, "{end}");
        assert_eq!(Standing::with_net(Level::Max, 19, None), None);
    }
}
