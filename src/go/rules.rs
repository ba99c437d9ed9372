//! Rule sets as plain data, which search, playouts, answers and scoring all read.
//!
//! A new rule set is one constant here and its entry in [`PRESETS`]. A new part is a field of [`Ruleset`]. Code that
//! depends on every part takes the rule set apart without `..`, so the compiler finds all such code.

use super::komi::Komi;
use super::size::Size;

/// Which repetitions of the whole board are forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KoRule {
    /// Only the immediate retaking of a ko is forbidden. Longer cycles end the game, see [`LongCycle`].
    Simple,
    /// No play may recreate any earlier position of the stones.
    Positional,
    /// No play may recreate an earlier position with the same side to move.
    Situational,
}

/// What is counted at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// Stones on the board and the empty points that they surround.
    Area,
    /// Surrounded empty points and prisoners.
    Territory,
}

/// Which surrounded points do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tax {
    /// All points count.
    None,
    /// Points surrounded by chains in seki do not count.
    Seki,
    /// Points in seki do not count, nor do two points (the necessary eyes) of each living group.
    All,
}

/// White's compensation for Black's handicap stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandicapBonus {
    /// Nothing.
    None,
    /// A point for each stone but the first.
    AllButOne,
    /// A point for each stone.
    All,
}

impl HandicapBonus {
    /// White's points for this many handicap stones. One stone is no handicap: it is Black's first move.
    pub const fn points(self, stones: usize) -> i32 {
        match (self, stones as i32) {
            (HandicapBonus::None, _) | (_, 0 | 1) => 0,
            (HandicapBonus::AllButOne, n) => n - 1,
            (HandicapBonus::All, n) => n,
        }
    }
}

/// What a cycle of the whole board means where simple ko allows one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LongCycle {
    /// The game has no result.
    NoResult,
    /// The game is a draw.
    Draw,
}

/// What happens to capturable stones that still stand when both sides have passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadStones {
    /// They are taken off before counting, as the players agree or the engine judges.
    Removed,
    /// They count as living. A side that wants them off has to capture them.
    Stand,
}

/// Komi unless the user chooses another, in half points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefaultKomi {
    /// On 9×9.
    pub nine: i32,
    /// On every other size, rectangles among them.
    pub other: i32,
    /// In a handicap game, on every size; `None` where a handicap changes nothing.
    pub handicap: Option<i32>,
}

impl DefaultKomi {
    /// The same komi on every board, with and without handicap.
    pub const fn always(half_points: i32) -> DefaultKomi {
        DefaultKomi { nine: half_points, other: half_points, handicap: None }
    }
}

/// All parts in which rule systems differ.
///
/// ```
/// use kosumi::go::{Ruleset, rules};
///
/// let chinese = Ruleset::by_name("chinese").unwrap();
/// assert_eq!(chinese, rules::CHINESE);
/// assert_eq!(chinese.default_komi(9, 0).points(), 7.0);
/// // A rule set of one's own is a preset with other parts.
/// let with_suicide = Ruleset { suicide: true, ..chinese };
/// assert_eq!(with_suicide.name(), "custom");
/// assert!(with_suicide.validate().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// Forbidden repetitions.
    pub ko: KoRule,
    /// May a side make a play that captures its own stones? (A play that would change nothing, and that the ko rule
    /// forbids, stays forbidden.)
    pub suicide: bool,
    /// What is counted.
    pub scoring: Scoring,
    /// Which surrounded points are not counted.
    pub tax: Tax,
    /// White's compensation for handicap stones.
    pub handicap_bonus: HandicapBonus,
    /// Does the first side to pass receive half a point? That pass does not count towards the end.
    pub button: bool,
    /// Komi unless the user chooses another.
    pub komi: DefaultKomi,
    /// What a cycle means under simple ko.
    pub long_cycle: LongCycle,
    /// What happens to dead stones left on the board at the end.
    pub dead_stones: DeadStones,
    /// The total number of stones of a side. Captured stones return to their owner.
    pub supply: Option<u16>,
    /// Does the first capture win the game?
    pub first_capture: bool,
}

/// The written Chinese rules: no whole-board repetition, no suicide, area counting. Komi 7 on 9×9.
pub const CHINESE: Ruleset = Ruleset {
    ko: KoRule::Positional,
    suicide: false,
    scoring: Scoring::Area,
    tax: Tax::None,
    handicap_bonus: HandicapBonus::All,
    button: false,
    komi: DefaultKomi { nine: 14, other: 15, handicap: None },
    long_cycle: LongCycle::NoResult,
    dead_stones: DeadStones::Removed,
    supply: None,
    first_capture: false,
};

/// The rules of Tromp and Taylor, as computer tournaments use them: every stone left on the board counts.
pub const TROMP_TAYLOR: Ruleset = Ruleset {
    suicide: true,
    handicap_bonus: HandicapBonus::None,
    komi: DefaultKomi::always(15),
    dead_stones: DeadStones::Stand,
    ..CHINESE
};

/// Ing's rules as KataGo has them (its `rules.cpp`): area counting with suicide. No rule set here has Ing's own ko rule.
/// His komi of 8, where Black wins a tie, is one of 7.5.
pub const ING: Ruleset =
    Ruleset { suicide: true, handicap_bonus: HandicapBonus::None, komi: DefaultKomi::always(15), ..CHINESE };

/// The rules of CGOS, the Computer Go Server: those of Tromp and Taylor without suicide, komi 7 on 9×9.
pub const CGOS: Ruleset =
    Ruleset { suicide: false, komi: DefaultKomi { nine: 14, other: 15, handicap: None }, ..TROMP_TAYLOR };

/// The rules of New Zealand: situational superko, suicide, and no komi in a handicap game.
pub const NEW_ZEALAND: Ruleset = Ruleset {
    ko: KoRule::Situational,
    suicide: true,
    handicap_bonus: HandicapBonus::None,
    komi: DefaultKomi { nine: 14, other: 14, handicap: Some(0) },
    ..CHINESE
};

/// The rules of the American Go Association, counted by area. Pass stones make territory counting equal to area
/// counting.
pub const AGA: Ruleset = Ruleset {
    ko: KoRule::Situational,
    handicap_bonus: HandicapBonus::AllButOne,
    komi: DefaultKomi { nine: 15, other: 15, handicap: Some(1) },
    ..CHINESE
};

/// [`AGA`] with a button: the first pass takes half a point, and komi is a whole number.
pub const AGA_BUTTON: Ruleset =
    Ruleset { button: true, komi: DefaultKomi { nine: 14, other: 14, handicap: Some(0) }, ..AGA };

/// The Japanese rules of 1989, and the Korean rules: simple ko, territory and prisoners, no points in a seki.
pub const JAPANESE: Ruleset = Ruleset {
    ko: KoRule::Simple,
    scoring: Scoring::Territory,
    tax: Tax::Seki,
    handicap_bonus: HandicapBonus::None,
    komi: DefaultKomi { nine: 13, other: 13, handicap: Some(1) },
    ..CHINESE
};

/// Ancient Chinese counting: the stones that could be on the board. So each group loses the two eyes that it needs.
pub const STONE_SCORING: Ruleset = Ruleset {
    ko: KoRule::Simple,
    tax: Tax::All,
    handicap_bonus: HandicapBonus::None,
    komi: DefaultKomi::always(0),
    ..CHINESE
};

/// The same tax under territory scoring, in KataGo's form.
pub const ANCIENT_TERRITORY: Ruleset = Ruleset { tax: Tax::All, komi: DefaultKomi::always(0), ..JAPANESE };

/// FridgeGo (Goss 2005): 40 stones a side, counted by filling in, no stones taken off, no komi.
pub const FRIDGE_GO: Ruleset = Ruleset { supply: Some(40), komi: DefaultKomi::always(0), ..TROMP_TAYLOR };

/// The rules on the Internet Gaming Zone's page: Japanese counting without komi; a cycle such as three kos is a draw.
pub const GAMING_ZONE: Ruleset = Ruleset { komi: DefaultKomi::always(0), long_cycle: LongCycle::Draw, ..JAPANESE };

/// First Capture, from FridgeGo's page: the first side to capture wins. Without a capture the area decides.
pub const FIRST_CAPTURE: Ruleset = Ruleset { first_capture: true, supply: None, ..FRIDGE_GO };

/// Every rule set that can be chosen by name. The first name of an entry is the one that is printed.
pub const PRESETS: &[(&[&str], Ruleset)] = &[
    (&["chinese", "chinese-ogs", "chinese-kgs"], CHINESE),
    (&["new-zealand"], NEW_ZEALAND),
    (&["aga", "bga"], AGA),
    (&["aga-button"], AGA_BUTTON),
    (&["ing", "goe"], ING),
    (&["tromp-taylor"], TROMP_TAYLOR),
    (&["cgos"], CGOS),
    (&["japanese", "korean"], JAPANESE),
    (&["stone-scoring", "ancient-area"], STONE_SCORING),
    (&["ancient-territory"], ANCIENT_TERRITORY),
    (&["fridge-go"], FRIDGE_GO),
    (&["gaming-zone"], GAMING_ZONE),
    (&["first-capture"], FIRST_CAPTURE),
];

/// Why parts do not make a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Impossible {
    /// The button replaces the last pass of area counting.
    #[error("a button needs area scoring")]
    ButtonWithTerritory,
    /// Filling in, which a limited supply is for, is area counting.
    #[error("a limited supply of stones needs area scoring")]
    SupplyWithTerritory,
    /// Territory counting needs the removal of dead stones.
    #[error("dead stones left standing need area scoring")]
    StandingWithTerritory,
}

impl Ruleset {
    /// The rule set of this name; case, blanks, `_` and `-` make no difference.
    pub fn by_name(name: &str) -> Option<Ruleset> {
        let plain = |text: &str| -> String {
            text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
        };
        let wanted = plain(name);
        PRESETS.iter().find(|(names, _)| names.iter().any(|n| plain(n) == wanted)).map(|&(_, rules)| rules)
    }

    /// Takes dead stones off where the territory counts. KataGo's flag for friendly passes stands in its rules for
    /// territory, too, and means nothing there (its `gtp.cpp` asks for it under area scoring alone).
    pub fn take_dead_stones_off_territory(&mut self) {
        if self.scoring == Scoring::Territory {
            self.dead_stones = DeadStones::Removed;
        }
    }

    /// Checks that the parts are compatible.
    ///
    /// # Errors
    /// The parts that are incompatible, and why.
    pub fn validate(&self) -> Result<(), Impossible> {
        let Ruleset {
            scoring,
            button,
            supply,
            dead_stones,
            // These parts are compatible with every other part.
            ko: _,
            suicide: _,
            tax: _,
            handicap_bonus: _,
            komi: _,
            long_cycle: _,
            first_capture: _,
        } = *self;
        match scoring {
            Scoring::Area => Ok(()),
            Scoring::Territory if button => Err(Impossible::ButtonWithTerritory),
            Scoring::Territory if supply.is_some() => Err(Impossible::SupplyWithTerritory),
            Scoring::Territory if dead_stones == DeadStones::Stand => Err(Impossible::StandingWithTerritory),
            Scoring::Territory => Ok(()),
        }
    }

    /// The name of the preset that equals this rule set except for the default komi, or `custom`.
    pub fn name(&self) -> &'static str {
        let same = |rules: &Ruleset| Ruleset { komi: self.komi, ..*rules } == *self;
        PRESETS.iter().find(|(_, rules)| same(rules)).map_or("custom", |(names, _)| names[0])
    }

    /// The default komi of the preset whose other parts are these. Where there is none, that of Japanese rules for
    /// territory, that of AGA rules with a button, and else that of Chinese rules: 6.5, 7 and 7.5 on 19×19, as in
    /// KataGo.
    pub fn usual_komi(&self) -> DefaultKomi {
        let same = |rules: &Ruleset| Ruleset { komi: self.komi, ..*rules } == *self;
        PRESETS.iter().find(|(_, rules)| same(rules)).map_or_else(
            || match self.scoring {
                Scoring::Territory => JAPANESE.komi,
                Scoring::Area if self.button => AGA_BUTTON.komi,
                Scoring::Area => CHINESE.komi,
            },
            |(_, rules)| rules.komi,
        )
    }

    /// The first names of all presets.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PRESETS.iter().map(|(names, _)| names[0])
    }

    /// Komi for a game on this size with this many handicap stones, unless the user chooses another.
    pub fn default_komi(&self, size: impl Into<Size>, handicap: usize) -> Komi {
        Komi::from_half_points(match self.komi.handicap {
            Some(half_points) if handicap > 0 => half_points,
            _ if size.into() == 9 => self.komi.nine,
            _ => self.komi.other,
        })
    }
}

impl Default for Ruleset {
    fn default() -> Self {
        CHINESE
    }
}
