//! Moves: played, chosen and taken back.

use super::super::{Session, args::Args, error::CommandError, error::CommandResult, explain, gogui};
use super::gogui::painted;
use crate::engine::{Decision, Interest};
use crate::go::vertex::Vertex;
use crate::view::ThoughtView;
use gogui::LiveGraphics;

/// Plays a move for a side. It need not be the turn of this side. gtp2ogs does not tell the rules of a game, and a bot
/// that refuses a move loses the game: so with gtp2ogs a move may repeat a position or be a suicide.
pub(super) fn play(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let color = args.color(0)?;
    let Vertex::On(mv) = args.vertex(1, session.engine.game().size())? else {
        return Err(CommandError::illegal_move());
    };
    let is_allowed = session.options.for_gtp2ogs;
    let game = session.engine.game_mut();
    let played = if is_allowed { game.play_as_server(color, mv) } else { game.play(color, mv) };
    played.map_err(|reason| {
        log::debug!("play refused: {reason}");
        CommandError::illegal_move()
    })?;
    Ok(String::new())
}

/// Chooses a move and plays it; `resign` changes nothing.
pub(super) fn genmove(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let color = args.color(0)?;
    let interest = interest(session);
    let (decision, _) = painted(session, color, |engine, watch| engine.genmove_watched(color, &interest, watch))?;
    Ok(made(session, decision))
}

/// Chooses a move without playing it; clocks stand still.
pub(super) fn reg_genmove(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let color = args.color(0)?;
    let interest = interest(session);
    let (decision, _) = painted(session, color, |engine, watch| engine.reg_genmove_watched(color, &interest, watch))?;
    Ok(decision.text(session.engine.game().size()))
}

/// Drawings need scores and owners, and so do the lines for gtp2ogs.
fn interest(session: &Session) -> Interest {
    let details = session.live_graphics != LiveGraphics::Off || session.options.for_gtp2ogs;
    Interest { details, ..Interest::default() }
}

/// The text of a move just made. gtp2ogs is told the thought about the move before the answer, because it takes lines
/// after the answer for pondering.
pub(super) fn made(session: &mut Session, decision: Decision) -> String {
    let size = session.engine.game().size();
    if session.options.for_gtp2ogs
        && let Some(thought) = session.engine.last_thought()
    {
        let mut lines = explain::for_gtp2ogs(&ThoughtView::of(thought, size)).join("\n");
        lines.push('\n');
        session.stream.write_aside(&lines);
    }
    decision.text(size)
}

/// Takes back a move.
pub(super) fn undo(session: &mut Session, _: &Args<'_>) -> CommandResult {
    session.engine.game_mut().undo(1).map_err(|_| CommandError::cannot_undo())?;
    Ok(String::new())
}

/// Takes back so many moves, one if no number is given: all of them or none.
pub(super) fn gg_undo(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let count = if args.is_empty() { 1 } else { args.count(0)? };
    session.engine.game_mut().undo(count).map_err(|_| CommandError::cannot_undo())?;
    Ok(String::new())
}
