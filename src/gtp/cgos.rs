//! What was thought of a move in the form that CGOS, the Computer Go Server, shows to those who look on.

use serde_json::{Value, json};

use super::explain;
use crate::engine::thought::Thought;
use crate::go::{Point, vertex};

/// Moves that an analysis names: those with visits, and no more than viewers show.
const MOST_MOVES: usize = 10;

/// What CGOS's viewer reads: win rates 0 to 1 and scores in points, both for the side to move; `pv` is what follows
/// the move.
pub fn analysis(thought: &Thought, size: usize) -> Value {
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
