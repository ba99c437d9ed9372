//! Rule sets as one word: KataGo's keys in a row, such as `koSIMPLEscoreAREAtaxNONEsui0button0whb0fpok1`, and our own
//! keys for parts without a key of KataGo's. Game records use this word for a rule set without a name.
//!
//! Every function takes a [`Ruleset`] apart without `..`, so a new part does not compile before it has a key.

use super::rules::{CHINESE, DeadStones, DefaultKomi, HandicapBonus, KoRule, LongCycle, Ruleset, Scoring, Tax};

/// A part of a rule set whose values have names.
pub trait Named: Copy + 'static {
    /// All values with their names, longest first where one name begins another.
    const NAMES: &'static [(&'static str, Self)];

    /// The name of this value.
    fn name(self) -> &'static str;
}

/// Gives each value its name. A value without a name does not compile.
macro_rules! names {
    ($part:ident: $($value:ident $name:literal),+) => {
        impl Named for $part {
            const NAMES: &'static [(&'static str, $part)] = &[$(($name, $part::$value)),+];

            fn name(self) -> &'static str {
                match self {
                    $($part::$value => $name),+
                }
            }
        }
    };
}

// KataGo's names.
names!(KoRule: Simple "SIMPLE", Positional "POSITIONAL", Situational "SITUATIONAL");
names!(Scoring: Area "AREA", Territory "TERRITORY");
names!(Tax: None "NONE", Seki "SEKI", All "ALL");
names!(HandicapBonus: None "0", AllButOne "N-1", All "N");
// KataGo asks whether a pass is friendly: are dead stones taken off without being captured?
names!(DeadStones: Stand "0", Removed "1");
// Our own names.
names!(LongCycle: NoResult "NORESULT", Draw "DRAW");

impl Named for bool {
    const NAMES: &'static [(&'static str, bool)] = &[("0", false), ("1", true)];

    fn name(self) -> &'static str {
        if self { "1" } else { "0" }
    }
}

/// Sets the parts that KataGo assumes when they are not named. Ko, scoring, komi and the meaning of a cycle stay.
pub fn usual(rules: &Ruleset) -> Ruleset {
    Ruleset {
        ko: rules.ko,
        suicide: false,
        scoring: rules.scoring,
        tax: Tax::None,
        handicap_bonus: HandicapBonus::None,
        button: false,
        komi: rules.komi,
        long_cycle: rules.long_cycle,
        dead_stones: DeadStones::Removed,
        supply: None,
        first_capture: false,
    }
}

/// Writes a rule set: KataGo's keys, and our own for parts that KataGo does not have.
pub fn write(rules: &Ruleset) -> String {
    let Ruleset {
        komi,
        long_cycle,
        supply,
        first_capture,
        // `katago` writes these parts.
        ko: _,
        suicide: _,
        scoring: _,
        tax: _,
        handicap_bonus: _,
        button: _,
        dead_stones: _,
    } = *rules;
    let mut text = katago(rules);
    if long_cycle != CHINESE.long_cycle {
        text += &format!("cycle{}", long_cycle.name());
    }
    if let Some(stones) = supply {
        text += &format!("supply{stones}");
    }
    if first_capture {
        text += &format!("first{}", first_capture.name());
    }
    if komi != rules.usual_komi() {
        let DefaultKomi { nine, other, handicap } = komi;
        text += &format!("komi{nine}/{other}/");
        text += &handicap.map_or("N".into(), |half_points| half_points.to_string());
    }
    text
}

/// Writes the parts for which KataGo has keys.
pub fn katago(rules: &Ruleset) -> String {
    let Ruleset {
        ko,
        suicide,
        scoring,
        tax,
        handicap_bonus,
        button,
        dead_stones,
        // KataGo has no keys for these parts.
        komi: _,
        long_cycle: _,
        supply: _,
        first_capture: _,
    } = *rules;
    format!(
        "ko{}score{}tax{}sui{}button{}whb{}fpok{}",
        ko.name(),
        scoring.name(),
        tax.name(),
        suicide.name(),
        button.name(),
        handicap_bonus.name(),
        dead_stones.name(),
    )
}

/// Reads a rule set. Parts that are not named are the [`usual`] ones, but for the tax of territory. `None` if the text
/// has another form. [`Ruleset::validate`] says whether the parts go together.
pub fn read(text: &str) -> Option<Ruleset> {
    let mut rules = usual(&Ruleset::default());
    let mut rest = text;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        rest = read_one(&mut rules, rest)?.trim_start();
    }
    // As in KataGo, the tax follows from the scoring unless it is named. No value has "tax" in its name.
    if rules.scoring == Scoring::Territory && !text.contains("tax") {
        rules.tax = Tax::Seki;
    }
    rules.take_dead_stones_off_territory();
    if !text.contains("komi") {
        rules.komi = rules.usual_komi();
    }
    Some(rules)
}

/// Reads one key and its value. Returns the rest of the text.
fn read_one<'a>(rules: &mut Ruleset, text: &'a str) -> Option<&'a str> {
    let Ruleset {
        ko,
        suicide,
        scoring,
        tax,
        handicap_bonus,
        button,
        komi,
        long_cycle,
        dead_stones,
        supply,
        first_capture,
    } = rules;
    // `komi` comes before `ko`, because `komi` begins with `ko`.
    if let Some(rest) = text.strip_prefix("komi") {
        let (nine, rest) = match integer(rest) {
            Some(nine) if nine.1.starts_with('/') => nine,
            _ => {
                let (half_points, rest) = points(rest)?;
                *komi = DefaultKomi::always(half_points);
                return Some(rest);
            }
        };
        let (other, rest) = integer(rest.strip_prefix('/')?)?;
        let rest = rest.strip_prefix('/')?;
        let (handicap, rest) = match rest.strip_prefix('N') {
            Some(rest) => (None, rest),
            None => integer(rest).map(|(half_points, rest)| (Some(half_points), rest))?,
        };
        *komi = DefaultKomi { nine, other, handicap };
        return Some(rest);
    }
    if let Some(rest) = text.strip_prefix("supply") {
        let (stones, rest) = integer(rest)?;
        *supply = Some(u16::try_from(stones).ok()?);
        return Some(rest);
    }
    if let Some(rest) = text.strip_prefix("ko") {
        value(rest, ko)
    } else if let Some(rest) = text.strip_prefix("scoring").or_else(|| text.strip_prefix("score")) {
        value(rest, scoring)
    } else if let Some(rest) = text.strip_prefix("tax") {
        value(rest, tax)
    } else if let Some(rest) = text.strip_prefix("sui") {
        value(rest, suicide)
    } else if let Some(rest) = text.strip_prefix("button") {
        value(rest, button)
    } else if let Some(rest) = text.strip_prefix("whb") {
        value(rest, handicap_bonus)
    } else if let Some(rest) = text.strip_prefix("cycle") {
        value(rest, long_cycle)
    } else if let Some(rest) = text.strip_prefix("first") {
        value(rest, first_capture)
    } else {
        value(text.strip_prefix("fpok")?, dead_stones)
    }
}

/// Reads the name of a value. Returns the rest of the text.
fn value<'a, T: Named>(text: &'a str, into: &mut T) -> Option<&'a str> {
    T::NAMES.iter().find_map(|&(name, value)| {
        let rest = text.trim_start().strip_prefix(name)?;
        *into = value;
        Some(rest)
    })
}

/// KataGo's komi at the start of a text, in half points, and the rest of the text. KataGo's own bound is 400 points for
/// queries.
fn points(text: &str) -> Option<(i32, &str)> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit() && !"+-.".contains(c)).unwrap_or(text.len());
    let half_points = text[..end].parse::<f64>().ok()? * 2.0;
    let is_sound = half_points.fract() == 0.0 && half_points.abs() <= 800.0;
    is_sound.then(|| (half_points as i32, &text[end..]))
}

/// A number at the start of a text, and the rest of the text. Half points of any sensible komi are below a million.
fn integer(text: &str) -> Option<(i32, &str)> {
    let sign = usize::from(text.starts_with('-'));
    let end = text[sign..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |end| end + sign);
    let number = text[..end].parse::<i32>().ok().filter(|number| number.unsigned_abs() < 1_000_000)?;
    Some((number, &text[end..]))
}
