//! Moves, played, chosen and taken back.

use super::super::{Session, args::Args, error::CommandError, error::CommandResult, vertex};
use crate::engine::Decision;
use vertex::Vertex;

/// Plays a move for a side, whose turn it need not be.
pub fn play(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let color = args.color(0)?;
    let Vertex::On(mv) = args.vertex(1, session.engine.game().size())? else {
        return Err(CommandError::illegal_move());
    };
    session.engine.game_mut().play(color, mv).map_err(|reason| {
        log::debug!("play refused: {reason}");
        CommandError::illegal_move()
    })?;
    Ok(String::new())
}

/// Chooses a move and plays it; `resign` changes nothing.
pub fn genmove(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let color = args.color(0)?;
    let size = session.engine.game().size();
    Ok(text(session.engine.genmove(color), size))
}

/// Chooses a move without playing it; clocks stand still.
pub fn reg_genmove(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let color = args.color(0)?;
    let size = session.engine.game().size();
    Ok(text(session.engine.reg_genmove(color), size))
}

fn text(decision: Decision, size: usize) -> String {
    match decision {
        Decision::Move(mv) => vertex::of_move(mv, size),
        Decision::Resign => "resign".into(),
    }
}

/// Takes back a move.
pub fn undo(session: &mut Session, _: &Args<'_>) -> CommandResult {
    session.engine.game_mut().undo(1).map_err(|_| CommandError::cannot_undo())?;
    Ok(String::new())
}

/// Takes back so many moves, one if no number is given: all of them or none.
pub fn gg_undo(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let count = if args.is_empty() { 1 } else { args.count(0)? };
    session.engine.game_mut().undo(count).map_err(|_| CommandError::cannot_undo())?;
    Ok(String::new())
}
