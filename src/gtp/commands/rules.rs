//! Rule sets by name and by parts: our own names, KGS's names, and KataGo's forms, which `record/rules.rs` reads.

use serde_json::Value;

use super::super::{Session, args::Args, error::CommandError, error::CommandResult};
use crate::go::Ruleset;
use crate::record::rules::{self, NoRules};

/// Sets the rules. They can come before the command that clears the board. If the last game has a move that they forbid,
/// they hold from the next game on.
fn set(session: &mut Session, rules: Ruleset) -> CommandResult {
    rules.validate().map_err(|error| CommandError::new(error.to_string()))?;
    session.engine.set_rules(rules).map_err(|error| {
        session.engine.set_rules_of_next_game(rules);
        CommandError::new(format!("{error}; the next game has them"))
    })?;
    Ok(String::new())
}

/// Shows or sets the rule set by name.
pub(super) fn kosumi_rules(session: &mut Session, args: &Args<'_>) -> CommandResult {
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
pub(super) fn kgs_rules(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let rules = Ruleset::by_name(args.word(0)?).ok_or_else(|| CommandError::new("unknown rules"))?;
    let is_over = session.engine.game().position().is_over();
    match set(session, rules) {
        // The bridge may name the rules of the next game before it clears the board of the last one.
        Err(error) if is_over => {
            log::info!("kgs-rules: {error}");
            Ok(String::new())
        }
        answer => answer,
    }
}

/// The rule set in force as KataGo's JSON object.
pub(super) fn kata_get_rules(session: &mut Session, _: &Args<'_>) -> CommandResult {
    Ok(rules::to_json(session.engine.game().rules()).to_string())
}

/// A preset, a JSON object, or keys strung together.
pub(super) fn kata_set_rules(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let text = args.words().join(" ");
    if text.trim().is_empty() {
        return Err(CommandError::syntax());
    }
    let rules = rules::read(&text, session.engine.game().rules()).map_err(refusal)?;
    set(session, rules)
}

/// One part of the rule set.
pub(super) fn kata_set_rule(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let (key, value) = (args.word(0)?, args.word(1)?);
    let value = match value.to_ascii_lowercase().as_str() {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => Value::String(value.into()),
    };
    let mut rules = *session.engine.game().rules();
    rules::change(&mut rules, key, &value).map_err(refusal)?;
    set(session, rules)
}

fn refusal(error: NoRules) -> CommandError {
    match error {
        NoRules::NotAnObject => CommandError::syntax(),
        error => CommandError::new(error.to_string()),
    }
}
