//! Rule sets as records and KataGo's protocols have them (its documents *GTP Extensions* and *Analysis Engine*): a JSON
//! object of the parts, the name of a preset, or keys strung together.
//!
//! Every function takes a [`Ruleset`] apart without `..`. So a new part does not compile before it has its form in
//! JSON.

use serde_json::{Map, Value, json};

use crate::go::Ruleset;
use crate::go::rule_keys::{self, Named, usual};
use crate::go::rules::{DeadStones, Scoring, Tax};

/// Names of rule sets in records and on servers, besides the names of presets.
const RULE_NAMES: &[(&str, &str)] = &[
    ("cn", "chinese"),
    ("area", "chinese"),
    ("french", "aga"),
    ("tt", "tromp-taylor"),
    ("nz", "new-zealand"),
    ("jp", "japanese"),
    ("territory", "japanese"),
    ("中国", "chinese"),
    ("中國", "chinese"),
    ("중국", "chinese"),
    ("日本", "japanese"),
    ("일본", "japanese"),
    ("韩国", "korean"),
    ("韓国", "korean"),
    ("韓國", "korean"),
    ("한국", "korean"),
];

/// Words for "rules" that may follow the name of a rule set.
const WORDS_FOR_RULES: &[&str] = &["rules", "rule", "ruleset", "规则", "規則", "ルール", "룰", "규칙"];

/// The rule set that a record names.
pub fn by_name(name: &str) -> Option<Ruleset> {
    let name = without_word_for_rules(name.trim());
    let known = RULE_NAMES.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map_or(name, |(_, preset)| preset);
    Ruleset::by_name(known)
}

/// "Japanese" of "Japanese rules".
fn without_word_for_rules(name: &str) -> &str {
    let before = |word: &&str| {
        let at = name.len().checked_sub(word.len())?;
        let (before, end) = name.split_at_checked(at)?;
        end.eq_ignore_ascii_case(word).then_some(before)
    };
    let found = WORDS_FOR_RULES.iter().find_map(before);
    found.map_or(name, |before| before.trim_end_matches([' ', '-', '_']))
}

/// A text that restores a rule set exactly: its name, or its parts if it has no name.
pub fn value_of(rules: &Ruleset) -> String {
    let name = rules.name();
    if Ruleset::by_name(name) == Some(*rules) { name.into() } else { rule_keys::write(rules) }
}

/// Why a text or a value names no rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRules {
    /// The text begins as a JSON object and is none.
    #[error("not a JSON object")]
    NotAnObject,
    /// The text is no name of a rule set, nor keys strung together.
    #[error("unknown rules")]
    UnknownRules,
    /// The object has a key that stands for no part.
    #[error("unknown rule {0}")]
    UnknownRule(String),
    /// The value is none of those that the part can have.
    #[error("{rule} must be one of {}", known.join(", "))]
    NoSuchValue {
        /// The part.
        rule: String,
        /// The values that the part can have.
        known: Vec<&'static str>,
    },
    /// The part is a switch, and its value is neither `true` nor `false`.
    #[error("{0} must be true or false")]
    NoFlag(String),
}

/// The object of a rule set.
pub fn to_json(rules: &Ruleset) -> Value {
    let Ruleset {
        ko,
        suicide,
        scoring,
        tax,
        handicap_bonus,
        button,
        dead_stones,
        // KataGo's object has no keys for these.
        komi: _,
        long_cycle: _,
        supply: _,
        first_capture: _,
    } = *rules;
    json!({
        "friendlyPassOk": dead_stones == DeadStones::Removed,
        "hasButton": button,
        "ko": ko.name(),
        "scoring": scoring.name(),
        "suicide": suicide,
        "tax": tax.name(),
        "whiteHandicapBonus": handicap_bonus.name(),
    })
}

/// The rule set of a text in any of the three forms. An object changes the parts that it names of the rule set in
/// force.
///
/// # Errors
/// What is wrong with the text. [`Ruleset::validate`] says whether the parts go together.
pub fn read(text: &str, in_force: &Ruleset) -> Result<Ruleset, NoRules> {
    let text = text.trim();
    if text.starts_with('{') {
        let Ok(Value::Object(object)) = serde_json::from_str(text) else { return Err(NoRules::NotAnObject) };
        return from_object(&object, in_force);
    }
    by_name(text).or_else(|| rule_keys::read(text)).ok_or(NoRules::UnknownRules)
}

/// The rule set of an object. An object that names ko and scoring is a whole rule set: a part that it leaves out has
/// KataGo's usual value, and komi is the usual one of these parts. But where the object says the rule set in force, that
/// one stays as it is. Any other object changes the rule set in force. As in KataGo, the tax follows from the scoring
/// where the object names the scoring alone: under territory scoring points in a seki do not count.
///
/// # Errors
/// What is wrong with a key or a value.
pub fn from_object(object: &Map<String, Value>, in_force: &Ruleset) -> Result<Ruleset, NoRules> {
    let is_whole = object.contains_key("ko") && (object.contains_key("scoring") || object.contains_key("score"));
    let mut rules = if is_whole { usual(&Ruleset::default()) } else { *in_force };
    for (key, value) in object {
        set(&mut rules, key, value)?;
    }
    rules.take_dead_stones_off_territory();
    let names_scoring = object.contains_key("scoring") || object.contains_key("score");
    if names_scoring && !object.contains_key("tax") {
        rules.tax = if rules.scoring == Scoring::Territory { Tax::Seki } else { Tax::None };
    }
    if is_whole {
        let Ruleset { komi, long_cycle, .. } = *in_force;
        if (Ruleset { komi, long_cycle, ..rules }) == *in_force {
            return Ok(*in_force);
        }
        rules.komi = rules.usual_komi();
    }
    Ok(rules)
}

/// Changes one part, named as in the object, or by its short name as in the keys.
///
/// # Errors
/// What is wrong with the key or the value; the rule set is unchanged then.
pub fn change(rules: &mut Ruleset, key: &str, value: &Value) -> Result<(), NoRules> {
    set(rules, key, value)?;
    rules.take_dead_stones_off_territory();
    Ok(())
}

fn set(rules: &mut Ruleset, key: &str, value: &Value) -> Result<(), NoRules> {
    let Ruleset {
        ko,
        suicide,
        scoring,
        tax,
        handicap_bonus,
        button,
        dead_stones,
        komi: _,
        long_cycle: _,
        supply: _,
        first_capture: _,
    } = rules;
    match key {
        "ko" => *ko = one_of(key, value)?,
        "score" | "scoring" => *scoring = one_of(key, value)?,
        "tax" => *tax = one_of(key, value)?,
        "whiteHandicapBonus" | "whb" => *handicap_bonus = one_of(key, value)?,
        "suicide" | "sui" => *suicide = flag(key, value)?,
        "hasButton" | "button" => *button = flag(key, value)?,
        "friendlyPassOk" | "fpok" => {
            *dead_stones = if flag(key, value)? { DeadStones::Removed } else { DeadStones::Stand };
        }
        _ => return Err(NoRules::UnknownRule(key.into())),
    }
    Ok(())
}

fn one_of<T: Named>(key: &str, value: &Value) -> Result<T, NoRules> {
    let text = match value {
        Value::String(text) => text.to_ascii_uppercase(),
        other => other.to_string(),
    };
    let found = T::NAMES.iter().find(|(name, _)| *name == text);
    found.map(|&(_, value)| value).ok_or_else(|| NoRules::NoSuchValue {
        rule: key.into(),
        known: T::NAMES.iter().map(|&(name, _)| name).collect(),
    })
}

fn flag(key: &str, value: &Value) -> Result<bool, NoRules> {
    value.as_bool().ok_or_else(|| NoRules::NoFlag(key.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::rules::{CHINESE, FRIDGE_GO, HandicapBonus, JAPANESE, KoRule, PRESETS};

    /// Rule sets with every value of every part that the object has, and the other parts of another.
    fn all() -> impl Iterator<Item = Ruleset> {
        fn values<T: Named>() -> impl Iterator<Item = T> + Clone {
            T::NAMES.iter().map(|&(_, value)| value)
        }
        values::<KoRule>().flat_map(|ko| {
            values::<Scoring>().flat_map(move |scoring| {
                values::<Tax>().flat_map(move |tax| {
                    values::<HandicapBonus>().flat_map(move |handicap_bonus| {
                        values::<bool>().flat_map(move |suicide| {
                            values::<bool>().flat_map(move |button| {
                                values::<DeadStones>().map(move |dead_stones| Ruleset {
                                    ko,
                                    scoring,
                                    tax,
                                    handicap_bonus,
                                    suicide,
                                    button,
                                    dead_stones,
                                    ..FRIDGE_GO
                                })
                            })
                        })
                    })
                })
            })
        })
    }

    #[test]
    fn friendly_passes_mean_nothing_under_territory_scoring() {
        use crate::go::rules::TROMP_TAYLOR;
        // What KataGo answers under Japanese rules.
        let mut katagos = to_json(&JAPANESE);
        katagos["friendlyPassOk"] = json!(false);
        let keys = "koSIMPLEscoreTERRITORYtaxSEKIsui0fpok0";
        for text in [&katagos.to_string(), keys, r#"{"friendlyPassOk":false,"scoring":"TERRITORY"}"#] {
            let rules = read(text, &TROMP_TAYLOR).expect("rules");
            assert_eq!((rules.scoring, rules.validate()), (Scoring::Territory, Ok(())), "{text}");
        }
        let mut rules = JAPANESE;
        change(&mut rules, "friendlyPassOk", &json!(false)).expect("a rule");
        assert_eq!(rules, JAPANESE);
        // From territory to area in one object, the flag counts.
        let area = read(r#"{"friendlyPassOk":false,"scoring":"AREA"}"#, &JAPANESE).expect("rules");
        assert_eq!((area.scoring, area.dead_stones), (Scoring::Area, DeadStones::Stand));
    }

    #[test]
    fn an_object_says_every_part_that_it_has_a_key_for() {
        let mut count = 0;
        for mut rules in all() {
            let Value::Object(object) = to_json(&rules) else { panic!("no object") };
            // Where the flag means nothing, it is read and forgotten.
            rules.take_dead_stones_off_territory();
            let mut whole = Ruleset { supply: None, first_capture: false, long_cycle: CHINESE.long_cycle, ..rules };
            whole.komi = whole.usual_komi();
            assert_eq!(from_object(&object, &FRIDGE_GO), Ok(whole), "{object:?}");
            let mut changed = FRIDGE_GO;
            for (key, value) in &object {
                assert_eq!(change(&mut changed, key, value), Ok(()), "{key}");
            }
            assert_eq!(changed, rules, "the other parts stay as they are");
            count += 1;
        }
        assert_eq!(count, 3 * 2 * 3 * 3 * 2 * 2 * 2);
    }

    #[test]
    fn a_rule_set_is_read_from_an_object_a_name_or_keys() {
        let in_force = PRESETS[0].1;
        let territory = Ruleset { scoring: Scoring::Territory, tax: Tax::Seki, ..in_force };
        assert_eq!(read(r#" {"scoring":"territory"} "#, &in_force), Ok(territory));
        assert_eq!(read("japanese", &in_force).map(|rules| rules.name()), Ok("japanese"));
        for (_, rules) in PRESETS {
            assert_eq!(read(&rule_keys::write(rules), &in_force), Ok(*rules));
        }
        // Whoever says Japanese rules by their parts gets the komi of Japanese rules, too.
        for text in [
            "koSIMPLEscoreTERRITORYtaxSEKI",
            "koSIMPLE scoringTERRITORY tax SEKI",
            r#"{"ko":"SIMPLE","scoring":"TERRITORY","tax":"SEKI","suicide":false}"#,
        ] {
            assert_eq!(read(text, &FRIDGE_GO), Ok(JAPANESE), "{text}");
        }
    }

    #[test]
    fn the_tax_follows_from_the_scoring_unless_it_is_named() {
        let tax = |text: &str| read(text, &FRIDGE_GO).map(|rules| rules.tax);
        assert_eq!(tax(r#"{"ko":"SIMPLE","scoring":"TERRITORY"}"#), Ok(Tax::Seki));
        assert_eq!(tax(r#"{"ko":"SIMPLE","score":"AREA"}"#), Ok(Tax::None));
        assert_eq!(tax(r#"{"ko":"SIMPLE","scoring":"TERRITORY","tax":"NONE"}"#), Ok(Tax::None));
        assert_eq!(tax(r#"{"scoring":"TERRITORY"}"#), Ok(Tax::Seki));
        assert_eq!(tax(r#"{"suicide":true}"#), Ok(FRIDGE_GO.tax), "nothing is said of scoring");
        assert_eq!(tax("koSIMPLEscoreTERRITORY"), Ok(Tax::Seki));
        assert_eq!(tax("scoreAREAkoSIMPLE"), Ok(Tax::None));
        assert_eq!(tax("koSIMPLEtaxNONEscoreTERRITORY"), Ok(Tax::None));
    }

    #[test]
    fn records_name_rules_in_many_ways() {
        for (text, name) in [
            ("Japanese rules", "japanese"),
            ("JAPANESE RULE", "japanese"),
            ("AGA-rules", "aga"),
            ("中国规则", "chinese"),
            ("日本ルール", "japanese"),
            ("한국 룰", "japanese"),
            ("cn", "chinese"),
        ] {
            assert_eq!(by_name(text).map(|rules| rules.name()), Some(name), "{text}");
        }
        for text in ["", "rules", " Rules ", "my rules", "规则", "é"] {
            assert_eq!(by_name(text), None, "{text}");
        }
    }

    #[test]
    fn what_says_nothing_of_rules_is_told() {
        let error = |text: &str| read(text, &FRIDGE_GO).expect_err("it says nothing").to_string();
        assert_eq!(error("{\"ko\":"), "not a JSON object");
        assert_eq!(error("my own"), "unknown rules");
        assert_eq!(error("komi-2147483648/0/N"), "unknown rules", "half points beyond any komi");
        assert_eq!(error(r#"{"kos":"SIMPLE"}"#), "unknown rule kos");
        assert_eq!(error(r#"{"ko":3}"#), "ko must be one of SIMPLE, POSITIONAL, SITUATIONAL");
        assert_eq!(error(r#"{"sui":"YES"}"#), "sui must be true or false");
    }
}
