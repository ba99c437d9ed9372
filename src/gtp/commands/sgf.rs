//! Game records from files and to files.

use std::fs::{self, File};
use std::io::{self, Read};

use super::super::{Session, args::Args, error::CommandError, error::CommandResult};
use crate::game::Game;
use crate::sgf;

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
    let bytes = read(&path).map_err(CommandError::cannot_load)?;
    let record = sgf::read(&bytes).map_err(CommandError::cannot_load)?;
    // Komi and rules of an earlier record do not count for this one.
    let game = session.engine.game();
    let (rules, komi) = (*game.chosen_rules(), game.chosen_komi());
    let game = Game::load(record, until, rules, komi).map_err(CommandError::cannot_load)?;
    session.engine.load(game);
    Ok(String::new())
}

/// The contents of a regular file, up to one byte more than the limit, so that a longer file is noticed.
fn read(path: &str) -> io::Result<Vec<u8>> {
    // The kind is checked before the file is opened: opening a pipe into which nobody writes would wait for ever.
    regular(fs::metadata(path)?.is_file())?;
    let file = File::open(path)?;
    let length = file.metadata()?.len().min(sgf::LONGEST as u64 + 1);
    let mut bytes = Vec::with_capacity(length as usize + 1);
    file.take(sgf::LONGEST as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn regular(is_file: bool) -> io::Result<()> {
    if is_file { Ok(()) } else { Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")) }
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
    // Opening a pipe would wait for a reader.
    let may_write = fs::metadata(&path).map_or(Ok(()), |there| regular(there.is_file()));
    let written = may_write.and_then(|()| fs::write(&path, text));
    written.map_err(|error| CommandError::new(format!("cannot write file: {error}")))?;
    Ok(String::new())
}
