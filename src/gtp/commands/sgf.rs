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
            // The time left in another game does not count for this one.
            let goes_on = continues(session.engine.game(), &game);
            session.engine.load(game);
            if !goes_on {
                session.engine.restart_clocks();
            }
            Ok(String::new())
        }
        Err(error) => {
            // Many controllers show no more of an answer than that there is an error.
            log::warn!("loadsgf {path:.200}: {error}");
            Err(error)
        }
    }
}

/// Is one of the games the other one, some moves later? A game without moves continues no game that has some.
fn continues(old: &Game, new: &Game) -> bool {
    let moves = old.moves().len().min(new.moves().len());
    let start = |game: &Game| (game.start_key(), game.size());
    let begins_anew = new.moves().is_empty() && !old.moves().is_empty();
    !begins_anew && start(old) == start(new) && old.moves()[..moves] == new.moves()[..moves]
}

fn load(session: &Session, path: &str, until: Option<usize>) -> Result<Game, CommandError> {
    let bytes = file::read(Path::new(path), sgf::LONGEST).map_err(CommandError::cannot_load)?;
    let record = sgf::read(&bytes).map_err(CommandError::cannot_load)?;
    if let Some(name) = record.unknown_rules() {
        log::warn!("loadsgf {path:.200}: the rules {name:.200} are not known, so those in force stay");
    }
    // Komi and rules of an earlier record do not count for this one.
    let game = session.engine.game();
    let (rules, komi) = (*game.chosen_rules(), game.chosen_komi());
    Game::load(record, until, rules, komi).map_err(CommandError::cannot_load)
}

/// Writes the record of the game to a file, or gives it as the answer. `-` stands for no file, as in KataGo. Empty lines of comments are in files alone,
/// because an empty line would end the answer.
pub(super) fn printsgf(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let result = session.engine.result();
    let text = sgf::write(&session.engine.game().to_record(result.as_deref()));
    if args.is_empty() || args.words() == ["-"] {
        return Ok(without_escaped_controls(&text));
    }
    let path = args.words().join(" ");
    let written = file::write(Path::new(&path), text.as_bytes());
    written.map_err(|error| CommandError::new(format!("cannot write file: {error}")))?;
    Ok(String::new())
}

/// A record without control characters that a backslash stands before, and without this backslash. An answer leaves out
/// control characters, and the backslash would then change the meaning of the next character. Line ends stay.
fn without_escaped_controls(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match (c, rest.as_str().chars().next()) {
            ('\\', Some('\n' | '\t') | None) => out.push(c),
            ('\\', Some('\r')) if rest.as_str().starts_with("\r\n") => out.push(c),
            ('\\', Some(next)) => {
                rest.next();
                if !next.is_control() {
                    out.extend([c, next]);
                }
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{Color, Komi, Move, Point, rules};

    #[test]
    fn a_control_character_goes_with_its_backslash() {
        for (text, left) in [
            ("C[a\\\u{1}];B[aa]", "C[a];B[aa]"),
            ("C[a\\\r]", "C[a]"),
            ("C[a\\\u{85}\\]]", "C[a\\]]"),
            ("C[\\\\\u{1}]", "C[\\\\\u{1}]"),
            ("C[a\\\nb\\\r\nc\\]d\\", "C[a\\\nb\\\r\nc\\]d\\"),
        ] {
            assert_eq!(without_escaped_controls(text), left, "{text:?}");
        }
    }

    #[test]
    fn a_game_goes_on_if_its_moves_do() {
        let game = |columns: &[usize]| {
            let mut game = Game::new(9, rules::CHINESE, Some(Komi::new(7.0).expect("a komi")));
            for (&column, color) in columns.iter().zip([Color::Black, Color::White].into_iter().cycle()) {
                game.play(color, Move::Play(Point::new(column, 4, 9))).expect("a legal move");
            }
            game
        };
        assert!(continues(&game(&[1, 2]), &game(&[1, 2, 3])) && continues(&game(&[1, 2, 3]), &game(&[1])));
        assert!(!continues(&game(&[1, 2]), &game(&[1, 3, 2])));
        assert!(!continues(&game(&[1, 2]), &game(&[])), "another game begins");
        let large = Game::new(13, rules::CHINESE, None);
        assert!(!continues(&game(&[]), &large) && continues(&game(&[]), &game(&[])));
        let mut other = game(&[]);
        other.set_up([(Color::Black, Point::new(0, 0, 9))], Color::White).expect("a position");
        assert!(!continues(&game(&[]), &other));
    }
}
