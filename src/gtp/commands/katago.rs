//! Commands of KataGo that clients send, beside those about analysis, rules and time.

use serde_json::{Map, Value, json};

use super::super::params::{self, PARAMS};
use super::super::{Session, args::Args, error::CommandError, error::CommandResult};
use super::board;
use crate::game::Game;
use crate::go::{Color, Point};

/// The names of the parameters, separated by blanks.
pub(super) fn kata_list_params(_: &mut Session, _: &Args<'_>) -> CommandResult {
    Ok(PARAMS.iter().map(|param| param.name).collect::<Vec<_>>().join(" "))
}

/// The value of a parameter.
pub(super) fn kata_get_param(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let name = args.word(0)?;
    let param = params::by_name(name);
    let param = param.ok_or_else(|| CommandError::new(format!("Invalid parameter: {name}")))?;
    Ok((param.get)(session).to_string())
}

/// All values, as a JSON object.
pub(super) fn kata_get_params(session: &mut Session, _: &Args<'_>) -> CommandResult {
    let values: Map<String, Value> = PARAMS.iter().map(|param| (param.name.to_owned(), (param.get)(session))).collect();
    Ok(Value::Object(values).to_string())
}

/// Sets a parameter.
pub(super) fn kata_set_param(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let change = params::read(args.word(0)?, args.words().get(1).map_or("", String::as_str))?;
    params::apply(session, &[change]);
    Ok(String::new())
}

/// Sets all parameters of a JSON object, or none.
pub(super) fn kata_set_params(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let Ok(Value::Object(values)) = serde_json::from_str(&args.words().join(" ")) else {
        return Err(CommandError::new("Could not set params: Argument must be a json object"));
    };
    let read = |(name, value): (&String, &Value)| match value {
        Value::String(text) => params::read(name, text),
        other => params::read(name, &other.to_string()),
    };
    let changes = values.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    params::apply(session, &changes);
    Ok(String::new())
}

/// The nets, as a JSON array of objects with KataGo's keys.
pub(super) fn kata_get_models(session: &mut Session, _: &Args<'_>) -> CommandResult {
    let nets = session.engine.options().nets.all().iter().map(|net| {
        let description = net.net().description();
        json!({
            "name": description.name,
            "internalName": description.name,
            // Each thread asks about one position at a time, in whole numbers.
            "maxBatchSize": 1,
            "usesHumanSLProfile": false,
            "usingFP16": "false",
            "version": description.planes,
        })
    });
    Ok(Value::Array(nets.collect()).to_string())
}

/// Starts again from these stones, `COLOR VERTEX COLOR VERTEX ...`, with Black to move; from an empty board if there
/// are none.
pub(super) fn set_position(session: &mut Session, args: &Args<'_>) -> CommandResult {
    if args.is_empty() {
        return board::clear_board(session, args);
    }
    if !args.len().is_multiple_of(2) {
        return Err(CommandError::syntax());
    }
    let size = session.engine.game().size();
    let stones: Result<Vec<(Color, Point)>, CommandError> =
        (0..args.len()).step_by(2).map(|i| Ok((args.color(i)?, args.point(i + 1, size)?))).collect();
    let stones = stones?;
    // As KataGo has it, black stones alone are a handicap.
    let handicap = if stones.iter().all(|&(color, _)| color == Color::Black) { stones.len() } else { 0 };
    let before = session.engine.game();
    // As after `clear_board`, the komi and rules of a record do not count any more.
    let mut game = Game::new(size, *before.chosen_rules(), before.chosen_komi());
    game.set_up(stones, Color::Black)
        .map_err(|_| CommandError::new("Illegal stone placements - overlapping stones or stones with no liberties?"))?;
    if handicap >= 2 {
        game.set_handicap(handicap);
    }
    session.engine.load(game);
    session.engine.restart_clocks();
    Ok(String::new())
}

/// Forgets what was found: the next search begins anew.
pub(super) fn clear_cache(session: &mut Session, _: &Args<'_>) -> CommandResult {
    session.engine.forget_findings();
    Ok(String::new())
}

/// Ends pondering, as nearly every command does.
pub(super) fn stop(_: &mut Session, _: &Args<'_>) -> CommandResult {
    Ok(String::new())
}
