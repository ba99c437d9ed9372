//! The commands of kgsGtp, KGS's bridge, beyond the specification. Its time settings are in `time.rs`, its rules in
//! `rules.rs`.

use super::super::{Session, args::Args, error::CommandError, error::CommandResult, explain};
use super::moves;
use crate::engine::Level;
use crate::view::ThoughtView;

/// As `genmove`, but no pass while dead stones of the other side stand on the board.
pub(super) fn kgs_genmove_cleanup(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let color = args.color(0)?;
    let decision = session.engine.genmove_cleanup(color)?;
    Ok(moves::made(session, decision))
}

/// The game is over. Pondering has ended with this command, so there is nothing to do.
pub(super) fn kgs_game_over(_: &mut Session, _: &Args<'_>) -> CommandResult {
    Ok(String::new())
}

/// A person's chat line to the engine. The answer is the engine's chat line. After an error kgsGtp says the line of its
/// own settings.
pub(super) fn kgs_chat(session: &mut Session, args: &Args<'_>) -> CommandResult {
    if !matches!(args.word(0)?, "game" | "private") {
        return Err(CommandError::syntax());
    }
    args.word(1)?;
    let said = args.words()[2..].join(" ").to_lowercase();
    let words: Vec<&str> = said.split(|c: char| !c.is_alphanumeric()).collect();
    let asks = |about: &[&str]| about.iter().any(|word| words.contains(word));
    if asks(&["version", "engine", "program", "bot", "robot"]) || said.contains("who are you") {
        let options = session.engine.options();
        let how = match (options.level, options.search.threads) {
            (Level::Max, 1) => "with one search thread".into(),
            (Level::Max, threads) => format!("with {threads} search threads"),
            _ => format!("playing at {}", session.engine.level_in_words()),
        };
        return Ok(format!("I am Kosumi {}, a Go program, {how}.", env!("CARGO_PKG_VERSION")));
    }
    let about_game = asks(&["win", "wins", "winning", "winner", "winrate", "won"])
        || asks(&["lose", "loses", "losing", "lost", "score", "ahead", "behind", "lead", "leads", "leading"]);
    let about_effort = asks(&["playout", "playouts", "speed", "fast", "slow", "think", "thinking"]);
    let size = session.engine.game().size();
    match session.engine.last_thought().map(|thought| ThoughtView::of(thought, size)) {
        _ if !about_game && !about_effort => {
            Err(CommandError::new("ask me for my win rate, the score, my playouts or my version"))
        }
        None => Ok("I have not thought about this game yet.".into()),
        Some(thought) if about_game && !thought.knows_score => {
            Ok(format!("At move {}: after a pass I do not estimate the score.", thought.move_number))
        }
        Some(thought) if about_game => {
            Ok(format!("At move {}: {}.", thought.move_number, explain::assessment(&thought.search)))
        }
        Some(thought) => Ok(format!("For my last move: {}.", explain::effort(&thought.search))),
    }
}
