//! Commands about the engine and the session.

use super::super::{Session, args::Args, error::CommandError, error::CommandResult};
use crate::engine::level::NoLevel;
use crate::search::params::PARAMS;
use crate::time;

/// The version of the protocol: 2.
pub(super) fn protocol_version(_: &mut Session, _: &Args<'_>) -> CommandResult {
    Ok("2".into())
}

/// The engine's name, or the one that the user has chosen.
pub(super) fn name(session: &mut Session, _: &Args<'_>) -> CommandResult {
    Ok(session.options.name.clone().unwrap_or_else(|| "Kosumi".into()))
}

/// The engine's version, as Cargo has it.
pub(super) fn version(_: &mut Session, _: &Args<'_>) -> CommandResult {
    Ok(env!("CARGO_PKG_VERSION").into())
}

/// Ends the session after this reply.
pub(super) fn quit(session: &mut Session, _: &Args<'_>) -> CommandResult {
    session.quitting = true;
    Ok(String::new())
}

/// Processor time of the process in seconds, all threads together.
pub(super) fn cputime(_: &mut Session, _: &Args<'_>) -> CommandResult {
    let used = time::processor_time().ok_or_else(|| CommandError::new("no processor time on this system"))?;
    Ok(format!("{:.3}", used.as_secs_f64()))
}

/// Shows or sets how strong the engine plays. The answer says what a rank plays like where it is not what it says.
pub(super) fn level(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let Some(word) = args.words().first() else { return Ok(session.engine.level_in_words()) };
    let level = word.parse().map_err(|error: NoLevel| CommandError::new(format!("the level {error}")))?;
    session.engine.set_level(level);
    let standing = session.engine.standing().filter(|standing| !standing.is_as_asked());
    Ok(standing.map_or_else(String::new, |standing| standing.to_string()))
}

/// Shows or sets a tunable of the search.
pub(super) fn param(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let params = session.engine.params();
    match args.words() {
        [] => Ok(PARAMS
            .iter()
            .map(|param| format!("{} {}", param.name, param.get(&params)))
            .collect::<Vec<_>>()
            .join("\n")),
        [name] => {
            let plain = name.replace('-', "_");
            let param = PARAMS.iter().find(|param| param.name == plain);
            let param = param.ok_or_else(|| CommandError::new("no such parameter"))?;
            Ok(param.get(&params).to_string())
        }
        [name, value, ..] => {
            session.engine.set_tunable(name, value).map_err(|error| CommandError::new(error.to_string()))?;
            Ok(String::new())
        }
    }
}
