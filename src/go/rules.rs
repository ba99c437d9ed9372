//! Rule sets as plain data: what the search, the playouts, the answers and the scoring all read.
//!
//! A new rule set is one constant here and its entry in [`PRESETS`]. A new part is a field of [`Ruleset`]: who has to
//! answer for every part takes the rule set apart without `..`, so the compiler names them all.

use super::komi::Komi;

/// Which repetitions of the whole board are forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KoRule {
    /// Only the immediate retaking of a ko. Longer cycles end the game, see [`LongCycle`].
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

/// Which surrounded points do not count after all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tax {
    /// All points count.
    None,
    /// Points surrounded by chains in seki do not.
    Seki,
    /// Neither do those, nor two points (the eyes it needs) of each living group.
    All,
}

/// What White receives for the handicap stones of Black.
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
    /// White's points for this many handicap stones.
    pub const fn points(self, stones: usize) -> i32 {
        match (self, stones as i32) {
            (HandicapBonus::None, _) | (_, 0) => 0,
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

/// What becomes of stones that could be captured but still stand when both sides have passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadStones {
    /// They are taken off before counting, as the players agree (or the engine judges).
    Removed,
    /// They count as living: who wants them off has to capture them.
    Stand,
}

/// Komi unless the user chooses another, in half points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefaultKomi {
    /// On 9×9.
    pub nine: i32,
    /// On every other size.
    pub other: i32,
    /// In a handicap game, on every size; `None` where a handicap changes nothing.
    pub handicap: Option<i32>,
}

impl DefaultKomi {
    const fn always(half_points: i32) -> DefaultKomi {
        DefaultKomi { nine: half_points, other: half_points, handicap: None }
    }
}

/// All that differs between rule systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// Forbidden repetitions.
    pub ko: KoRule,
    /// May a side play so that its own stones are captured? (Never when it would change nothing that the ko
    /// rule in force forbids.)
    pub suicide: bool,
    /// What is counted.
    pub scoring: Scoring,
    /// What is not counted after all.
    pub tax: Tax,
    /// White's compensation for handicap stones.
    pub handicap_bonus: HandicapBonus,
    /// Does the first side to pass receive half a point (that pass not counting towards the end)?
    pub button: bool,
    /// Komi unless the user says otherwise.
    pub komi: DefaultKomi,
    /// What a cycle means under simple ko.
    pub long_cycle: LongCycle,
    /// Dead stones left on the board at the end.
    pub dead_stones: DeadStones,
    /// Stones that a side has in all; captured ones return to their owner.
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

/// The rules of the American Go Association, counted by area: pass stones make territory counting the same.
pub const AGA: Ruleset = Ruleset {
    ko: KoRule::Situational,
    handicap_bonus: HandicapBonus::AllButOne,
    komi: DefaultKomi { nine: 15, other: 15, handicap: Some(1) },
    ..CHINESE
};

/// The same with a button: the first pass takes half a point, and komi is a whole number.
pub const AGA_BUTTON: Ruleset =
    Ruleset { button: true, komi: DefaultKomi { nine: 14, other: 14, handicap: Some(0) }, ..AGA };

/// The Japanese rules of 1989, and the Korean ones: simple ko, territory and prisoners, nothing in a seki.
pub const JAPANESE: Ruleset = Ruleset {
    ko: KoRule::Simple,
    scoring: Scoring::Territory,
    tax: Tax::Seki,
    handicap_bonus: HandicapBonus::None,
    komi: DefaultKomi { nine: 13, other: 13, handicap: Some(1) },
    ..CHINESE
};

/// Ancient Chinese counting: stones that can be on the board, so that each group loses the two eyes it needs.
pub const STONE_SCORING: Ruleset = Ruleset {
    ko: KoRule::Simple,
    tax: Tax::All,
    handicap_bonus: HandicapBonus::None,
    komi: DefaultKomi::always(0),
    ..CHINESE
};

/// FridgeGo (Goss 2005): 40 stones a side, counted by filling in, nothing taken off, no komi.
pub const FRIDGE_GO: Ruleset = Ruleset { supply: Some(40), komi: DefaultKomi::always(0), ..TROMP_TAYLOR };

/// The Internet Gaming Zone's page: Japanese counting without komi; a cycle such as three kos is a draw.
pub const GAMING_ZONE: Ruleset = Ruleset { komi: DefaultKomi::always(0), long_cycle: LongCycle::Draw, ..JAPANESE };

/// First Capture, from FridgeGo's page: who captures first wins. Without a capture the area decides.
pub const FIRST_CAPTURE: Ruleset = Ruleset { first_capture: true, supply: None, ..FRIDGE_GO };

/// Every rule set that can be chosen by name; the first name of an entry is the one that is printed.
pub const PRESETS: &[(&[&str], Ruleset)] = &[
    (&["chinese", "chinese-ogs", "chinese-kgs"], CHINESE),
    (&["new-zealand"], NEW_ZEALAND),
    (&["aga", "bga"], AGA),
    (&["aga-button"], AGA_BUTTON),
    (&["tromp-taylor"], TROMP_TAYLOR),
    (&["cgos"], CGOS),
    (&["japanese", "korean"], JAPANESE),
    (&["stone-scoring"], STONE_SCORING),
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
    /// Filling in is area counting.
    #[error("a limited supply of stones needs area scoring")]
    SupplyWithTerritory,
    /// Territory is what dead stones do not defend.
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

    /// Do the parts go together?
    ///
    /// # Errors
    /// Which ones do not, and why.
    pub fn validate(&self) -> Result<(), Impossible> {
        let Ruleset {
            scoring,
            button,
            supply,
            dead_stones,
            // These go with everything.
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

    /// The name of the preset that this rule set equals but for its usual komi, or `custom`.
    pub fn name(&self) -> &'static str {
        let same = |rules: &Ruleset| Ruleset { komi: self.komi, ..*rules } == *self;
        PRESETS.iter().find(|(_, rules)| same(rules)).map_or("custom", |(names, _)| names[0])
    }

    /// The first names of all presets.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PRESETS.iter().map(|(names, _)| names[0])
    }

    /// Komi for a game on this size with this many handicap stones, unless the user says otherwise.
    pub fn default_komi(&self, size: usize, handicap: usize) -> Komi {
        Komi::from_half_points(match self.komi.handicap {
            Some(half_points) if handicap > 0 => half_points,
            _ if size == 9 => self.komi.nine,
            _ => self.komi.other,
        })
    }
}

impl Default for Ruleset {
    fn default() -> Self {
        CHINESE
    }
}
