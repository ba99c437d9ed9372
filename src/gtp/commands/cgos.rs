//! The commands of the clients of CGOS, the Computer Go Server. An error to any of these would end the client's
//! session, so words without a meaning are accepted.

use serde_json::json;

use super::super::{Session, args::Args, cgos, error::CommandResult};
use super::moves;
use crate::engine::Interest;
use crate::view::ThoughtView;

/// The opponent's name: for the log.
pub(super) fn cgos_opponent_name(_: &mut Session, args: &Args<'_>) -> CommandResult {
    log::info!("opponent: {}", args.words().join(" "));
    Ok(String::new())
}

/// The opponent's rating, with a question mark where the rating is uncertain: for the log.
pub(super) fn cgos_opponent_rating(_: &mut Session, args: &Args<'_>) -> CommandResult {
    log::info!("opponent's rating: {}", args.words().join(" "));
    Ok(String::new())
}

/// The result, such as `B+3.5`, `W+Resign`, `B+Time`: it becomes the result of the game's record.
pub(super) fn cgos_gameover(session: &mut Session, args: &Args<'_>) -> CommandResult {
    if let [result, ..] = args.words()
        && (result == "0" || result.starts_with("B+") || result.starts_with("W+"))
    {
        session.engine.game_mut().set_recorded_result(result);
    }
    Ok(String::new())
}

/// A move as by `genmove`. First comes a line of JSON with the thought about the move, then `play VERTEX`.
pub(super) fn cgos_genmove_analyze(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let color = args.color(0)?;
    // Spectators see score and owners.
    let interest = Interest { details: true, ..Interest::default() };
    let (decision, _) = session.engine.genmove_watched(color, &interest, &mut |_| {})?;
    let mv = moves::made(session, decision);
    let size = session.engine.game().size();
    let analysis = session.engine.last_thought().map(|thought| cgos::analysis(&ThoughtView::of(thought, size)));
    Ok(format!("{}\nplay {mv}", analysis.unwrap_or_else(|| json!({ "moves": [] }))))
}
