//! Every tunable of the search: default, range and source, in one table.
//!
//! A row here is at once a field of [`Params`], a value for `--set` on the command line and a GTP parameter. A row may
//! have other defaults for a search with a net: one for 9×9 and smaller boards, one for 19×19 and larger boards.
//! Between the two sizes the default lies on a line. Where it depends on the net more than on the board, `from` says at
//! which size the second value begins, and `medium` is the value from 12×12 to 16×16, which have a net of their own.

use std::ops::RangeInclusive;

use crate::go::{Position, Size};

macro_rules! params {
    (@net $default:literal) => { [$default; 2] };
    (@net $default:literal, $small:literal, $large:literal) => { [$small, $large] };
    (@from) => { None };
    (@from $value:literal) => { Some($value) };
    (@alone) => { None };
    (@alone $small:literal, $large:literal) => { Some([$small, $large]) };
    ($(
        $(#[doc = $doc:literal])+
        $name:ident = $default:literal
            $(, net $small:literal to $large:literal)?
            $(, alone $alone_small:literal to $alone_large:literal $(from $alone_from:literal)? $(medium $medium:literal)?)?
            , in $low:literal ..= $high:literal;
    )+) => {
        /// The tunables. The default is for a search without a net.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Params {
            $($(#[doc = $doc])+ pub $name: f32,)+
        }

        impl Default for Params {
            fn default() -> Params {
                Params { $($name: $default,)+ }
            }
        }

        /// All rows, in the order of this file.
        pub const PARAMS: &[Param] = &[$(Param {
            name: stringify!($name),
            default: $default,
            with_net: params!(@net $default $(, $small, $large)?),
            alone: params!(@alone $($alone_small, $alone_large)?),
            alone_from: params!(@from $($($alone_from)?)?),
            medium: params!(@from $($($medium)?)?),
            low: $low,
            high: $high,
            doc: concat!($($doc,)+),
            get: |params| params.$name,
            set: |params, value| params.$name = value,
        },)+];
    };
}

params! {
    /// Playouts that a leaf gets before its children are made (Pachi and michi: 8, Fuego: 3). With a net it is
    /// evaluated then. On 9×9, 1 against 3: 57 : 4 : 39 of 100 games of 400 playouts, for 11 % more processor time.
    expand_after = 4.0, net 1.0 to 4.0, alone 0.0 to 0.0, in 0.0 ..= 1000.0;
    /// Visits at which all-moves-as-first counts as much as the real average; 0 leaves it out (Pachi 3000–4000, michi
    /// 3500; with the learned prior 300 scored 62 % against 3000 in 40 games of 1000 playouts on 9×9, and 83 % against
    /// 1 in 60).
    rave_equivalence = 300.0, alone 0.0 to 0.0, in 0.0 ..= 1000000.0;
    /// Virtual visits of every new move at an even result (Pachi 14–20, michi 10). A net alone has few of them and of
    /// those below: 63 % of 60 games of 1000 visits on 9×9 (`docs/strength.md`, "alone by policy"). With 0.1 of both
    /// and `exploration` 0.7 against 2, 2 and 0.45: 45 : 30 : 24 of 99 games on 9×9, 0.4 s a move.
    prior_even = 10.0, alone 0.1 to 2.0 from 12, in 0.0 ..= 1000.0;
    /// Virtual wins of a move with prior probability p are this many times √p (Pachi: 300 at full weight). 65 is a
    /// guess between the two best of these: in 60 games of 700 playouts on 13×13 against 100: 50 scored 57 %, 200 15 %;
    /// 25 scored 33 % against 50. 40 scored 48 % against 100 in 60 games of 1000 on 9×9.
    prior_scale = 65.0, alone 0.1 to 2.0 from 12, in 0.0 ..= 10000.0;
    /// Weight of the exploration term c·p·√N/(1+n) (Silver et al. 2016, without a net most engines use none).
    /// With a net, 0.15 scored 59 % against 0.6 in 443 games of 800 playouts on 9×9. For a net alone, 0.3 and 0.7 gave
    /// moves no better than 0.45 gave, by KataGo's net. (See `docs/strength.md`.)
    /// The net for 13×13 learned values that are less sure: with it, 0.25 scored 60 of 94 games against the net before
    /// (with 0.45), and 0.45 scored 6 of 17. On 9×9 with `nine` 2, 0.25 scored 14 : 9 : 14 against `nine` 1, and 0.45 24 :
    /// 10 : 12 (see `docs/net.md`). With next to no virtual visits 0.7 was better: see `prior_even`.
    exploration = 0.0, net 0.3 to 0.3, alone 0.7 to 0.45 from 12 medium 0.25, in 0.0 ..= 10.0;
    /// How much of the mean error of a net alone, in the same local situation elsewhere in the tree, is taken off its
    /// values (see `bias.rs`; KataGo: 0.35). On 9×9, 1000 visits, against 0: 136 : 61 : 109 of 306 games with 0.35, and
    /// 50 : 22 : 30 of 102 with 0.6. On 19×19, 400 visits, 0.5 against 0: 14 : 0 : 14.
    bias_share = 0.0, alone 0.5 to 0.35, in 0.0 ..= 1.0;
    /// How much the prior of a move goes up in a search by a net alone, where the move was better elsewhere in the tree
    /// than the positions before it (see `advantage.rs`); 0 is off. Against 0, by equal time: 53 : 0 : 28 of 81 games
    /// on 13×13 (0.3 s a move), 70 : 37 : 60 of 167 on 9×9 (0.4 s) and 17 : 0 : 13 of 30 on 19×19 (0.3 s).
    advantage = 0.0, alone 20.0 to 0.0 from 17, in 0.0 ..= 100.0;
    /// Visits without an advantage that are added to those of each move, so that one visit says little. A guess.
    advantage_least = 2.0, in 0.0 ..= 1000.0;
    /// The best move is the one with the highest value less this divided by the root of its visits (see `secure.rs`).
    /// With 0, the best move is the one with the most visits. On 9×9, 1000 visits, 0.8 against 0: 81 : 44 : 60 of 185
    /// games. On other sizes it is not measured.
    secure = 0.0, alone 0.8 to 0.8, in 0.0 ..= 10.0;
    /// Switch of transpositions: does a leaf whose position is in the tree already, by another order of moves, begin with
    /// the mean that was found there (see `transpositions.rs`)? 0 is off, 1 on. On 9×9, 0.25 s a move, 1 against 0: 74 :
    /// 22 : 40 of 136 games.
    transpositions = 0.0, alone 1.0 to 1.0, in 0.0 ..= 1.0;
    /// Where so much is open, a count of the points weighs as much as the value and the lead of a net alone (see
    /// `evaluate/count.rs`). What is open is the sum of (1 − |owner|)² by the net. 0 is off. Of 0.5, 0.7, 1, 1.5 and 2, 1
    /// came nearest to KataGo's win rate on 9×9 (`docs/strength.md`, "Settled positions are misjudged"). On other sizes it
    /// is not measured.
    settled = 0.0, alone 1.0 to 1.0, in 0.0 ..= 1000.0;
    /// Share of a result that comes from the margin instead of from winning (Pachi val_scale: 0.04).
    score_share = 0.04, in 0.0 ..= 0.5;
    /// Margin, in share of the points of the board, at which that share is full. A guess (Pachi val_points: 40 points
    /// on 19×19, or 0.11). In a design of twelve matches 0.4 against 0.1 made no difference (`docs/strength.md`).
    score_range = 0.2, in 0.01 ..= 1.0;
    /// Lost playouts that a thread on its way through a node stands for (Segal 2010: 1).
    virtual_loss = 1.0, in 0.0 ..= 100.0;
    /// How much criticality counts in the prior on boards larger than 9×9: strengths are multiplied by e to this times
    /// the covariance of owner and result (see `criticality.rs`). Against 0: 54 % of 160 games on 13×13 and 61 % of 64
    /// on 19×19, of 700 to 1200 playouts.
    criticality = 5.0, alone 0.0 to 0.0, in 0.0 ..= 20.0;
    /// Switch of the prior stage `policy`: does the policy of an evaluator that knows one take the place of the learned
    /// strengths? 0 is off, 1 on.
    policy = 1.0, in 0.0 ..= 1.0;
    /// The policy counts to this power: less than 1 makes it less sure of its first moves. The small net learned from
    /// its own games and is too sure of them. With 0.7 it foretells another net's moves best. The net alone, 0.7 against
    /// 1: 67 : 35 : 45 of 147 games on 9×9 (0.1 s a move), 17 : 0 : 8 on 13×13 (800 visits). The large net, on 17×17
    /// and above, learned people's moves: 3 : 0 : 11 on 19×19, and 4 : 0 : 6 for 1.25 against 1 (700 visits).
    policy_exponent = 1.0, net 0.7 to 1.0, alone 0.7 to 1.0 from 17, in 0.1 ..= 2.0;
    /// Switch of the prior stage `learned`: strengths learned from games of strong players. 0 is off, 1 on.
    learned = 1.0, in 0.0 ..= 1.0;
    /// Beside a policy the learned strengths count with this exponent: 0 not at all, 1 as much as the policy. A net alone
    /// goes without them: 0 and another `policy_exponent` (0.7 and 0.85) against the line from 0 on 9×9 to 0.6 on 19×19
    /// won 24 of 31 games on 13×13 and 12 of 15 on 19×19 (0.1 s a move, see `docs/strength.md`).
    learned_beside = 0.0, net 0.0 to 0.6, alone 0.0 to 0.0, in 0.0 ..= 2.0;
    /// The exponent where a ladder may be going on (see `prior/ladders.rs`), if it is more than that of
    /// `learned_beside`. The net for 19×19 overlooks chains that have to run: without this and `ladder_escape` the
    /// engine fails two of the ladders in `gtp-scripts` (1000 playouts, five seeds), with both none.
    learned_in_ladders = 0.0, alone 0.0 to 0.6 from 17, in 0.0 ..= 2.0;
    /// Switch of the prior stage `ladders`: whoever is caught in a ladder does not run (65 % of 40 games on 19×19
    /// against off, by playouts alone). 0 is off, 1 on. The stage makes all other moves of a node up to 55 times less
    /// likely. In a search by a net alone, these moves are then hardly tried: of 24 blunders against KataGo on 9×9, eight
    /// were seen at once without the stage (see `docs/strength.md`). The nets see ladders in their input.
    ladders = 1.0, alone 0.0 to 1.0 from 17, in 0.0 ..= 1.0;
    /// Factor of the stage `ladders` for running in a ladder that does not work. A policy hardly knows such moves, because
    /// people and nets do not begin such ladders. 20 is a guess, as e³ is for the factor of the other side; see
    /// `docs/strength.md` for the match.
    ladder_escape = 1.0, alone 1.0 to 20.0 from 17, in 1.0 ..= 1000.0;
    /// Switch: under territory scoring, has the pass near the root at least the prior of the mean play? 0 is off, 1 on.
    weigh_pass = 1.0, in 0.0 ..= 1.0;
    /// Switch of the prior stage `mirror_moves`: one of several images of a move on a symmetric board stands for all. 0
    /// is off, 1 on.
    mirror_moves = 1.0, in 0.0 ..= 1.0;
    /// How much the second value of a node, such as a net's, counts beside the first in its mean: 0 not at all, 1
    /// alone. With 1 there are no playouts. (Silver et al. 2016 took 0.5. With nets of 4 × 64, 1 against 0.35 on 9×9 and
    /// against 0.2 on 19×19, 0.1 and 0.2 s a move: 88 : 6 : 21 of 115 games on 9×9, 42 : 0 : 6 on 13×13 and 11 : 0 : 1 on
    /// 19×19. With nets of 4 × 32 both were alike, see `docs/strength.md`, "A net alone".)
    second_share = 0.5, net 1.0 to 1.0, in 0.0 ..= 1.0;
    /// By how much the share of second values, if it is below 1, is more on an empty board. The surplus falls on a
    /// line, and is gone when a fifth of the points have stones. In the opening the playouts of all moves come to about
    /// the same result, and chance would choose: on 19×19, with 2500 playouts, 2 of 128 opening moves had a probability
    /// below 3 % by the net with 0, and none with 0.4. (0.4 against 0: 34 of 60 games of 400 playouts.)
    second_share_opening = 0.0, net 0.0 to 0.4, in 0.0 ..= 1.0;
    /// In a search with second values, a new move begins at the mean of its node less this (KataGo's first-play
    /// urgency: 0.2 times a root). On 9×9 with 0.1 and the first small net, the loser of a finished game played into a
    /// seki in `gtp-scripts`, with 0.2 in none of three seeds. A net alone, 9×9, 1000 visits, 0.2 against 0.1: 40 : 12 :
    /// 16 of 68 games; 0.35 against 0.2: 15 : 8 : 16 (see `docs/strength.md`).
    first_play = 0.1, net 0.2 to 0.1, alone 0.2 to 0.1, in 0.0 ..= 1.0;
    /// Weight of the playouts' log-odds in the win rate that is shown, or of the log-odds of a net alone (a fit to
    /// winners, see `docs/win-rates.md`).
    win_rate_playouts = 2.4, net 1.7 to 1.2, alone 1.9 to 1.26 medium 2.2, in 0.0 ..= 20.0;
    /// Weight of the net's log-odds in the win rate that is shown (of the same fit).
    win_rate_net = 0.0, net 0.9 to 0.9, alone 0.0 to 0.0, in 0.0 ..= 20.0;
    /// Noise at the root, so that an analysis looks at more moves (KataGo's `analysisWideRootNoise`, see `select.rs`).
    wide_root_noise = 0.0, in 0.0 ..= 5.0;
    /// Virtual wins by rank, for a search on several machines, so that the ranks differ (see `select.rs`; Pachi's
    /// distributed engine: 30 at the root).
    rank_wins = 0.0, in 0.0 ..= 10000.0;
    /// Only moves with this share of the root's visits get virtual wins by rank (Pachi: moves with 1000 visits). A
    /// guess.
    rank_wins_share = 0.02, in 0.0 ..= 1.0;
    /// `wide_root_noise` of all ranks but the first, if it is more.
    rank_noise = 0.0, in 0.0 ..= 5.0;
    /// Switch of the prior stage `rank_spread`: how far priors differ from rank to rank in a search on several machines
    /// (the deviation of their logarithms). Eight ranks of 100 playouts on 9×9, 0.5 against 0: 109 : 13 : 78 of 200
    /// games. Of 32 playouts on 19×19: 4 : 0 : 16 of 20.
    rank_spread = 0.0, net 0.5 to 0.0, in 0.0 ..= 3.0;
    /// Share of playout moves that look at captures and escapes of one or two stones next to the last move (michi: 0.9
    /// of the time at any). 0.94 is a guess near michi's.
    playout_atari = 0.94, in 0.0 ..= 1.0;
    /// Share that looks at chains with two liberties next to the last move (Pachi: 0.8).
    playout_two_liberties = 0.8, in 0.0 ..= 1.0;
    /// Share that looks at vital points of small eyes next to the last move (Pachi: 0.8).
    playout_nakade = 0.8, in 0.0 ..= 1.0;
    /// What an empty point elsewhere counts against the learned strengths of moves next to the last two, where 1 is
    /// the mean of all points in games of people (0.1 against 0.5: 58 % of 40 games of 400 playouts on 19×19).
    playout_elsewhere = 0.1, in 0.0 ..= 10.0;
    /// Share of random self-ataris that are refused (michi: 0.5, Pachi: 0.6).
    playout_self_atari = 0.78, in 0.0 ..= 1.0;
}

/// The share of points with stones at which the surplus of [`Params::second_share_opening`] is gone. A guess.
const OPENING: f32 = 0.2;

impl Params {
    /// The share of second values in a search from a position.
    pub fn second_share_at(&self, position: &Position) -> f32 {
        let points = position.size().points() as f32;
        let stones = points - position.board().empties().len() as f32;
        let surplus = self.second_share_opening * (1.0 - stones / (OPENING * points)).max(0.0);
        (self.second_share + surplus).min(1.0)
    }
}

/// The sizes that the two defaults with a net stand for.
const SMALL: usize = 9;
const LARGE: usize = 19;

/// The sizes of the net for 13×13.
const MEDIUM: RangeInclusive<usize> = 12..=16;

/// A default on a board of this size, where it has one value on 9×9 and another one on 19×19. Sizes between them lie on
/// a line.
fn on_size([small, large]: [f32; 2], size: Size) -> f32 {
    let share = (size.like_square().clamp(SMALL, LARGE) - SMALL) as f32 / (LARGE - SMALL) as f32;
    small + share * (large - small)
}

/// One row of the table.
#[derive(Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its value unless set, in a search without a net.
    pub default: f32,
    /// The same in a search with a net, on 9×9 and on 19×19.
    pub with_net: [f32; 2],
    /// The same where a net evaluates alone, if that is another value.
    pub alone: Option<[f32; 2]>,
    /// The size from which the second of these values holds, if they do not lie on a line.
    pub alone_from: Option<usize>,
    /// The value of a net alone from 12×12 to 16×16, if it is not between the two.
    pub medium: Option<f32>,
    /// The smallest allowed value.
    pub low: f32,
    /// The largest allowed value.
    pub high: f32,
    /// What it does and where its default comes from.
    pub doc: &'static str,
    get: fn(&Params) -> f32,
    set: fn(&mut Params, f32),
}

/// Why a parameter was not set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParamError {
    /// There is none of that name.
    #[error("no parameter is called {0}")]
    Unknown(String),
    /// The value is outside the range.
    #[error("{name} takes a number from {low} to {high}")]
    Range {
        /// The parameter.
        name: &'static str,
        /// The smallest allowed value.
        low: f32,
        /// The largest allowed value.
        high: f32,
    },
}

impl Param {
    /// The value in force.
    pub fn get(&self, params: &Params) -> f32 {
        (self.get)(params)
    }
}

impl Params {
    /// The defaults for a search with a net, on a board of this size. A rectangle gets those of
    /// [the square that is like it](Size::like_square). The net evaluates alone, unless the user sets
    /// [`Params::second_share`]. The other tunables then have these defaults; else those of
    /// [`for_net_alone`](Params::for_net_alone) take their place.
    pub fn with_net(size: impl Into<Size>) -> Params {
        let size = size.into();
        let mut params = Params::default();
        for param in PARAMS {
            (param.set)(&mut params, on_size(param.with_net, size));
        }
        params
    }

    /// These tunables with the defaults of a search that a net evaluates alone, in place of playouts with a net beside
    /// them: the formula of Silver et al. 2016, without all-moves-as-first and without visits that are twice the same.
    /// The docs have the matches on 9×9 that set these numbers (`docs/strength.md`, "A net alone").
    #[must_use]
    pub fn for_net_alone(mut self, size: impl Into<Size>) -> Params {
        let size = size.into();
        for param in PARAMS {
            if let Some([small, large]) = param.alone {
                let value = match (param.medium.filter(|_| MEDIUM.contains(&size.like_square())), param.alone_from) {
                    (Some(medium), _) => medium,
                    (None, Some(from)) if size.like_square() >= from => large,
                    (None, Some(_)) => small,
                    (None, None) => on_size([small, large], size),
                };
                (param.set)(&mut self, value);
            }
        }
        self
    }

    /// Do searches with these tunables grow the same tree below the root?
    pub(super) fn grow_alike(&self, other: &Params) -> bool {
        let Params { wide_root_noise, rank_wins, rank_wins_share, rank_noise, .. } = *self;
        let Params { win_rate_playouts, win_rate_net, .. } = *self;
        let here = Params { wide_root_noise, rank_wins, rank_wins_share, rank_noise, ..other.clone() };
        *self == Params { win_rate_playouts, win_rate_net, ..here }
    }
}

/// The tunables that the user has set. The others have their defaults, which depend on the search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tunables {
    /// Row of the table and value, in the order of setting.
    set: Vec<(usize, f32)>,
}

impl Tunables {
    /// Sets a tunable from its text form.
    ///
    /// # Errors
    /// If there is none of that name, or the text is no number in its range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        let plain = name.replace('-', "_");
        let unknown = || ParamError::Unknown(name.chars().take(40).collect());
        let row = PARAMS.iter().position(|param| param.name == plain).ok_or_else(unknown)?;
        let param = &PARAMS[row];
        match value.parse::<f32>() {
            Ok(number) if (param.low..=param.high).contains(&number) => {
                self.set.retain(|&(other, _)| other != row);
                self.set.push((row, number));
                Ok(())
            }
            _ => Err(ParamError::Range { name: param.name, low: param.low, high: param.high }),
        }
    }

    /// These defaults with what the user has set.
    pub fn over(&self, mut defaults: Params) -> Params {
        for &(row, value) in &self.set {
            (PARAMS[row].set)(&mut defaults, value);
        }
        defaults
    }

    /// Those that were set before, and these, which count where both set a tunable.
    #[must_use]
    pub fn after(&self, before: &Tunables) -> Tunables {
        let is_set = |row: usize| self.set.iter().any(|&(own, _)| own == row);
        let left = before.set.iter().filter(|&&(row, _)| !is_set(row));
        Tunables { set: left.chain(&self.set).copied().collect() }
    }

    /// The rows that the user has set, with their values.
    pub fn changed(&self) -> impl Iterator<Item = (&'static Param, f32)> {
        self.set.iter().map(|&(row, value)| (&PARAMS[row], value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{Move, Point, Ruleset};

    #[test]
    fn a_default_may_change_at_a_size() {
        let exponent = |size: usize| Params::with_net(size).for_net_alone(size).policy_exponent;
        assert_eq!([9, 16, 17, 25].map(exponent), [0.7, 0.7, 1.0, 1.0]);
        let exploration = |size: usize| Params::with_net(size).for_net_alone(size).exploration;
        assert_eq!([11, 12, 16, 17].map(exploration), [0.7, 0.25, 0.25, 0.45]);
        let ladders = |size: usize| Params::with_net(size).for_net_alone(size).ladders;
        assert_eq!([9, 16, 17, 19].map(ladders), [0.0, 0.0, 1.0, 1.0]);
        assert_eq!(Params::with_net(9).ladders, 1.0, "playouts do not see ladders");
    }

    #[test]
    fn a_net_alone_takes_its_own_defaults_and_leaves_what_the_user_has_set() {
        let mut tunables = Tunables::default();
        tunables.set("exploration", "0.7").expect("a tunable");
        let alone = tunables.over(Params::with_net(9).for_net_alone(9));
        assert_eq!((alone.second_share, alone.expand_after, alone.rave_equivalence), (1.0, 0.0, 0.0));
        assert_eq!(alone.exploration, 0.7);
        assert_eq!(alone.score_share, Params::with_net(9).score_share);
    }

    #[test]
    fn the_surplus_of_the_opening_falls_with_each_stone() {
        let params = Params { second_share: 0.25, second_share_opening: 0.5, ..Params::default() };
        let mut position = Position::new(10, Ruleset::default());
        let mut shares = vec![params.second_share_at(&position)];
        for column in 0..10 {
            for row in [1, 3, 5] {
                position.play(Move::Play(Point::new(column, row, 10))).expect("a legal move");
                shares.push(params.second_share_at(&position));
            }
        }
        assert_eq!((shares[0], shares[10], shares[20], shares[30]), (0.75, 0.5, 0.25, 0.25));
        assert!(shares.windows(2).all(|pair| pair[0] >= pair[1]), "{shares:?}");
        let alone = Params { second_share: 1.0, ..params };
        assert_eq!(alone.second_share_at(&Position::new(10, Ruleset::default())), 1.0);
    }

    #[test]
    fn what_is_set_later_counts() {
        let of = |pairs: &[(&str, &str)]| {
            let mut tunables = Tunables::default();
            pairs.iter().for_each(|(name, value)| tunables.set(name, value).expect("a tunable"));
            tunables
        };
        let before = of(&[("exploration", "0.7"), ("criticality", "0.3")]);
        let params = of(&[("exploration", "0.2")]).after(&before).over(Params::default());
        assert_eq!((params.exploration, params.criticality), (0.2, 0.3));
    }
}
