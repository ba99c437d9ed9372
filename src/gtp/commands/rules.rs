//! Rule sets by name and by parts: our own names, KGS's, and KataGo's (its GTP_Extensions document: preset names, a
//! JSON object, or keys strung together such as `koSIMPLEscoreAREAtaxNONEsui0`).

use serde_json::{Map, Value, json};

use super::super::{Session, args::Args, error::CommandError, error::CommandResult};
use crate::go::Ruleset;
use crate::go::rule_keys::{self, BONUS, KO, SCORING, TAX, name_of, usual};
use crate::go::rules::DeadStones;
use crate::record::meaning::rules_by_name;

fn set(session: &mut Session, rules: Ruleset) -> CommandResult {
    rules.validate().map_err(|error| CommandError::new(error.to_string()))?;
    session.engine.set_rules(rules).map_err(|error| CommandError::new(error.to_string()))?;
    Ok(String::new())
}

/// Shows or sets the rule set by name.
pub fn kosumi_rules(session: &mut Session, args: &Args<'_>) -> CommandResult {
    if args.is_empty() {
        return Ok(session.engine.game().rules().name().into());
    }
    let Some(rules) = Ruleset::by_name(&args.words().join(" ")) else {
        let names: Vec<_> = Ruleset::names().collect();
        return Err(CommandError::new(format!("no such rule set; there are {}", names.join(", "))));
    };
    set(session, rules)
}

/// The rules of a game on KGS: `japanese`, `chinese`, `aga`, `new_zealand`; further words are for later versions.
pub fn kgs_rules(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let rules = Ruleset::by_name(args.word(0)?).ok_or_else(|| CommandError::new("unknown rules"))?;
    set(session, rules)
}

/// The rule set in force as KataGo's JSON object.
pub fn kata_get_rules(session: &mut Session, _: &Args<'_>) -> CommandResult {
    let rules = session.engine.game().rules();
    Ok(json!({
        "friendlyPassOk": rules.dead_stones == DeadStones::Removed,
        "hasButton": rules.button,
        "ko": name_of(KO, rules.ko),
        "scoring": name_of(SCORING, rules.scoring),
        "suicide": rules.suicide,
        "tax": name_of(TAX, rules.tax),
        "whiteHandicapBonus": name_of(BONUS, rules.handicap_bonus),
    })
    .to_string())
}

/// A preset, a JSON object, or keys strung together.
pub fn kata_set_rules(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let text = args.words().join(" ");
    let text = text.trim();
    if text.is_empty() {
        return Err(CommandError::syntax());
    }
    let rules = if text.starts_with('{') {
        let Ok(Value::Object(object)) = serde_json::from_str(text) else { return Err(CommandError::syntax()) };
        from_object(*session.engine.game().rules(), &object)?
    } else if let Some(rules) = rules_by_name(text) {
        rules
    } else {
        rule_keys::read(text).ok_or_else(|| CommandError::new("unknown rules"))?
    };
    set(session, rules)
}

/// One part of the rule set.
pub fn kata_set_rule(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let (key, value) = (args.word(0)?, args.word(1)?);
    let value = match value.to_ascii_lowercase().as_str() {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => Value::String(value.into()),
    };
    let mut rules = *session.engine.game().rules();
    change(&mut rules, key, &value)?;
    set(session, rules)
}

fn by_name<T: Copy>(names: &[(&'static str, T)], key: &str, value: &Value) -> Result<T, CommandError> {
    let text = match value {
        Value::String(text) => text.to_ascii_uppercase(),
        other => other.to_string(),
    };
    names.iter().find(|(name, _)| *name == text).map(|&(_, v)| v).ok_or_else(|| {
        let known: Vec<_> = names.iter().map(|(name, _)| *name).collect();
        CommandError::new(format!("{key} must be one of {}", known.join(", ")))
    })
}

fn flag(key: &str, value: &Value) -> Result<bool, CommandError> {
    value.as_bool().ok_or_else(|| CommandError::new(format!("{key} must be true or false")))
}

/// Changes one part, named as in KataGo's JSON.
fn change(rules: &mut Ruleset, key: &str, value: &Value) -> Result<(), CommandError> {
    match key {
        "ko" => rules.ko = by_name(KO, key, value)?,
        "score" | "scoring" => rules.scoring = by_name(SCORING, key, value)?,
        "tax" => rules.tax = by_name(TAX, key, value)?,
        "whiteHandicapBonus" | "whb" => rules.handicap_bonus = by_name(BONUS, key, value)?,
        "suicide" | "sui" => rules.suicide = flag(key, value)?,
        "hasButton" | "button" => rules.button = flag(key, value)?,
        "friendlyPassOk" | "fpok" => {
            rules.dead_stones = if flag(key, value)? { DeadStones::Removed } else { DeadStones::Stand };
        }
        _ => return Err(CommandError::new(format!("unknown rule {key}"))),
    }
    Ok(())
}

fn from_object(mut rules: Ruleset, object: &Map<String, Value>) -> Result<Ruleset, CommandError> {
    // An object that names ko and scoring is a whole rule set; what it leaves out has KataGo's usual value.
    if object.contains_key("ko") && (object.contains_key("scoring") || object.contains_key("score")) {
        rules = usual(&rules);
    }
    for (key, value) in object {
        change(&mut rules, key, value)?;
    }
    Ok(rules)
}
