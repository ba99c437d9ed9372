//! What the clients of CGOS, the Computer Go Server, ask for. An error to any of these would end their session, so
//! words that say nothing are taken, too.

use serde_json::{Value, json};

use super::super::{Session, args::Args, error::CommandResult, explain, vertex};
use super::moves;
use crate::engine::thought::Thought;
use crate::go::Point;

/// The opponent's name: for the log.
pub fn cgos_opponent_name(_: &mut Session, args: &Args<'_>) -> CommandResult {
    log::info!("opponent: {}", args.words().join(" "));
    Ok(String::new())
}

/// The opponent's rating, with a question mark where that is not certain: for the log.
pub fn cgos_opponent_rating(_: &mut Session, args: &Args<'_>) -> CommandResult {
    log::info!("opponent's rating: {}", args.words().join(" "));
    Ok(String::new())
}

/// The result, such as `B+3.5`, `W+Resign`, `B+Time`: it becomes the result of the game's record.
pub fn cgos_gameover(session: &mut Session, args: &Args<'_>) -> CommandResult {
    if let [result, ..] = args.words()
        && (result == "0" || result.starts_with("B+") || result.starts_with("W+"))
    {
        session.engine.game_mut().set_recorded_result(result);
    }
    Ok(String::new())
}

/// A move as by `genmove`, with what was thought of it before: a line of JSON, then `play VERTEX`.
pub fn cgos_genmove_analyze(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let color = args.color(0)?;
    let decision = session.engine.genmove(color)?;
    let mv = moves::made(session, decision);
    let size = session.engine.game().size();
    let analysis = session.engine.last_thought().map(|thought| analysis(thought, size));
    Ok(format!("{}\nplay {mv}", analysis.unwrap_or_else(|| json!({ "moves": [] }))))
}

/// Moves that an analysis names: those with visits, and no more than viewers show.
const MOST_MOVES: usize = 10;

/// What CGOS's viewer reads: win rates 0 to 1 and scores in points, both for the side to move; `pv` is what follows
/// the move.
fn analysis(thought: &Thought, size: usize) -> Value {
    let report = &thought.report;
    let sign = thought.color.sign() as f32;
    let round = |value: f32, unit: f32| f64::from((value * unit).round()) / f64::from(unit);
    let moves: Vec<Value> = report
        .moves
        .iter()
        .filter(|m| m.visits > 0)
        .take(MOST_MOVES)
        .map(|m| {
            json!({
                "move": vertex::of_move(m.mv, size),
                "visits": m.visits,
                "winrate": round(m.value, 1e4),
                "prior": round(m.prior, 1e4),
                "pv": explain::variation(m.variation.get(1..).unwrap_or_default(), size),
            })
        })
        .collect();
    let mut analysis = json!({
        "winrate": round(report.value, 1e4),
        "visits": report.visits,
        "moves": moves,
        "comment": explain::effort(thought),
    });
    if let Some((margin, _)) = thought.margin() {
        analysis["score"] = round(margin * sign, 1e1).into();
        analysis["ownership"] = ownership(thought, size).into();
    }
    analysis
}

/// Digits of the ownership, from "the other side's for certain" to "the side to move's for certain".
const DIGITS: &[u8; 63] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+";

/// One digit a point, row by row from the top left.
fn ownership(thought: &Thought, size: usize) -> String {
    let sign = thought.color.sign() as f32;
    let points = (0..size).rev().flat_map(|row| (0..size).map(move |column| Point::new(column, row, size)));
    points
        .map(|point| {
            let share = (thought.report.ownership.of(point) * sign).midpoint(1.0).clamp(0.0, 1.0);
            char::from(DIGITS[(share * (DIGITS.len() - 1) as f32).round() as usize])
        })
        .collect()
}
