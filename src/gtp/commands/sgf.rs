//! Games from and to files.

use std::fs::File;
use std::io::Read;

use super::super::{Session, args::Args, error::CommandError, error::CommandResult};
use crate::sgf;

/// Loads a game up to the position before a move. A file that cannot be read changes nothing.
pub fn loadsgf(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let (path, until) = match args.words() {
        [] => return Err(CommandError::syntax()),
        [path] => (path.clone(), None),
        // File names with blanks come as several words; a last word that is a number is the move.
        [path @ .., last] => match args.count(args.len() - 1) {
            Ok(number) => (path.join(" "), Some(number)),
            Err(_) => (format!("{} {last}", path.join(" ")), None),
        },
    };
    let fail = |reason: String| {
        log::info!("{path}: {reason}");
        CommandError::cannot_load()
    };
    let mut bytes = Vec::new();
    // One byte more than is taken, so that a longer file is seen to be too long.
    let read = File::open(&path).and_then(|file| {
        if file.metadata()?.is_file() { file.take(sgf::LONGEST as u64 + 1).read_to_end(&mut bytes) } else { Ok(0) }
    });
    read.map_err(|error| fail(error.to_string()))?;
    let (rules, komi) = (*session.engine.game().rules(), session.engine.game().chosen_komi());
    let text = String::from_utf8_lossy(&bytes);
    let game = sgf::load(&text, until, rules, komi).map_err(|error| fail(error.to_string()))?;
    session.engine.load(game);
    Ok(String::new())
}

/// Writes the game to a file, or gives it as the answer.
pub fn printsgf(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let result = session.engine.result();
    let text = sgf::save(session.engine.game(), result.as_deref());
    if args.is_empty() {
        return Ok(text);
    }
    let path = args.words().join(" ");
    std::fs::write(&path, text).map_err(|error| {
        log::info!("{path}: {error}");
        CommandError::new("cannot write file")
    })?;
    Ok(String::new())
}
