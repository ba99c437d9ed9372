//! Rule sets as one word: KataGo's keys strung together, such as `koSIMPLEscoreAREAtaxNONEsui0button0whb0fpok1`, and
//! keys of our own for what KataGo has no key for. A game record names a rule set without a name in this way.

use super::rules::{CHINESE, DeadStones, DefaultKomi, HandicapBonus, KoRule, LongCycle, Ruleset, Scoring, Tax};

/// KataGo's names of the kinds of ko.
pub const KO: &[(&str, KoRule)] =
    &[("SIMPLE", KoRule::Simple), ("POSITIONAL", KoRule::Positional), ("SITUATIONAL", KoRule::Situational)];
/// KataGo's names of the kinds of counting.
pub const SCORING: &[(&str, Scoring)] = &[("AREA", Scoring::Area), ("TERRITORY", Scoring::Territory)];
/// KataGo's names of the taxes.
pub const TAX: &[(&str, Tax)] = &[("NONE", Tax::None), ("SEKI", Tax::Seki), ("ALL", Tax::All)];
/// KataGo's names of the compensations for handicap stones, longest first where one begins another.
pub const BONUS: &[(&str, HandicapBonus)] =
    &[("0", HandicapBonus::None), ("N-1", HandicapBonus::AllButOne), ("N", HandicapBonus::All)];
const CYCLE: &[(&str, LongCycle)] = &[("NORESULT", LongCycle::NoResult), ("DRAW", LongCycle::Draw)];
const FLAG: &[(&str, bool)] = &[("0", false), ("1", true)];

/// The name of a value in one of the tables above.
pub fn name_of<T: Copy + PartialEq>(names: &[(&'static str, T)], value: T) -> &'static str {
    names.iter().find(|(_, v)| *v == value).map_or("", |(name, _)| name)
}

/// The parts that KataGo assumes when they are not named. Komi and what a cycle means stay as they are.
pub fn usual(rules: &Ruleset) -> Ruleset {
    Ruleset {
        suicide: false,
        tax: Tax::None,
        handicap_bonus: HandicapBonus::None,
        button: false,
        dead_stones: DeadStones::Removed,
        supply: None,
        first_capture: false,
        ..*rules
    }
}

/// Writes a rule set: KataGo's keys, and our own where a part differs from what KataGo has.
pub fn write(rules: &Ruleset) -> String {
    let mut text = katago(rules);
    if rules.long_cycle != CHINESE.long_cycle {
        text += &format!("cycle{}", name_of(CYCLE, rules.long_cycle));
    }
    if let Some(stones) = rules.supply {
        text += &format!("supply{stones}");
    }
    if rules.first_capture {
        text += "first1";
    }
    if rules.komi != CHINESE.komi {
        let DefaultKomi { nine, other, handicap } = rules.komi;
        text += &format!("komi{nine}/{other}/");
        text += &handicap.map_or("N".into(), |half_points| half_points.to_string());
    }
    text
}

/// Writes the parts for which KataGo has keys.
pub fn katago(rules: &Ruleset) -> String {
    let removed = rules.dead_stones == DeadStones::Removed;
    format!(
        "ko{}score{}tax{}sui{}button{}whb{}fpok{}",
        name_of(KO, rules.ko),
        name_of(SCORING, rules.scoring),
        name_of(TAX, rules.tax),
        name_of(FLAG, rules.suicide),
        name_of(FLAG, rules.button),
        name_of(BONUS, rules.handicap_bonus),
        name_of(FLAG, removed),
    )
}

/// Reads a rule set; parts that are not named are the usual ones. `None` if this is not the form, or if the parts do
/// not go together.
pub fn read(text: &str) -> Option<Ruleset> {
    let mut rules = usual(&Ruleset::default());
    let mut rest = text;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        rest = read_one(&mut rules, rest)?;
    }
    Some(rules)
}

/// Reads one key and its value; gives what follows.
fn read_one<'a>(rules: &mut Ruleset, text: &'a str) -> Option<&'a str> {
    // `komi` before `ko`, which begins it.
    if let Some(rest) = text.strip_prefix("komi") {
        let (nine, rest) = integer(rest)?;
        let (other, rest) = integer(rest.strip_prefix('/')?)?;
        let rest = rest.strip_prefix('/')?;
        let (handicap, rest) = match rest.strip_prefix('N') {
            Some(rest) => (None, rest),
            None => integer(rest).map(|(half_points, rest)| (Some(half_points), rest))?,
        };
        rules.komi = DefaultKomi { nine, other, handicap };
        return Some(rest);
    }
    if let Some(rest) = text.strip_prefix("supply") {
        let (stones, rest) = integer(rest)?;
        rules.supply = Some(u16::try_from(stones).ok()?);
        return Some(rest);
    }
    if let Some(rest) = text.strip_prefix("ko") {
        value(KO, rest, &mut rules.ko)
    } else if let Some(rest) = text.strip_prefix("score") {
        value(SCORING, rest, &mut rules.scoring)
    } else if let Some(rest) = text.strip_prefix("tax") {
        value(TAX, rest, &mut rules.tax)
    } else if let Some(rest) = text.strip_prefix("sui") {
        value(FLAG, rest, &mut rules.suicide)
    } else if let Some(rest) = text.strip_prefix("button") {
        value(FLAG, rest, &mut rules.button)
    } else if let Some(rest) = text.strip_prefix("whb") {
        value(BONUS, rest, &mut rules.handicap_bonus)
    } else if let Some(rest) = text.strip_prefix("cycle") {
        value(CYCLE, rest, &mut rules.long_cycle)
    } else if let Some(rest) = text.strip_prefix("first") {
        value(FLAG, rest, &mut rules.first_capture)
    } else {
        let mut removed = true;
        let rest = value(FLAG, text.strip_prefix("fpok")?, &mut removed)?;
        rules.dead_stones = if removed { DeadStones::Removed } else { DeadStones::Stand };
        Some(rest)
    }
}

fn value<'a, T: Copy>(names: &[(&str, T)], text: &'a str, into: &mut T) -> Option<&'a str> {
    names.iter().find_map(|&(name, value)| {
        let rest = text.strip_prefix(name)?;
        *into = value;
        Some(rest)
    })
}

/// A number at the start of a text, and what follows. Half points of any sensible komi are below a million.
fn integer(text: &str) -> Option<(i32, &str)> {
    let sign = usize::from(text.starts_with('-'));
    let end = text[sign..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |end| end + sign);
    let number = text[..end].parse::<i32>().ok().filter(|number| number.abs() < 1_000_000)?;
    Some((number, &text[end..]))
}
