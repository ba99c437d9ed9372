//! Game records from files and to files.

use std::path::Path;

use super::super::{Session, args::Args, error::CommandError, error::CommandResult};
use crate::game::Game;
use crate::{file, sgf};

/// Loads a game up to the position before a move. A file that cannot be read changes nothing.
pub(super) fn loadsgf(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let (path, until) = match args.words() {
        [] => return Err(CommandError::syntax()),
        [path] => (path.clone(), None),
        // File names with blanks come as several words; a last word that is a number is the move.
        [path @ .., last] => match args.count(args.len() - 1) {
            Ok(number) => (path.join(" "), Some(number)),
            Err(_) => (format!("{} {last}", path.join(" ")), None),
        },
    };
    match load(session, &path, until) {
        Ok(game) => {
            session.engine.load(game);
            // What is left of another game's time says nothing of this one.
            session.engine.restart_clocks();
            Ok(String::new())
        }
        Err(error) => {
            // Many controllers show no more of an answer than that there is an error.
            log::warn!("loadsgf {path:.200}: {error}");
            Err(error)
        }
    }
}

fn load(session: &Session, path: &str, until: Option<usize>) -> Result<Game, CommandError> {
    let bytes = file::read(Path::new(path), sgf::LONGEST).map_err(CommandError::cannot_load)?;
    let record = sgf::read(&bytes).map_err(CommandError::cannot_load)?;
    // Komi and rules of an earlier record do not count for this one.
    let game = session.engine.game();
    let (rules, komi) = (*game.chosen_rules(), game.chosen_komi());
    Game::load(record, until, rules, komi).map_err(CommandError::cannot_load)
}

/// Writes the record of the game to a file, or gives it as the answer. Empty lines of comments are in files alone,
/// because an empty line would end the answer.
pub(super) fn printsgf(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let result = session.engine.result();
    let text = sgf::write(&session.engine.game().to_record(result.as_deref()));
    if args.is_empty() {
        return Ok(text);
    }
    let path = args.words().join(" ");
    let written = file::write(Path::new(&path), text.as_bytes());
    written.map_err(|error| CommandError::new(format!("cannot write file: {error}")))?;
    Ok(String::new())
}
