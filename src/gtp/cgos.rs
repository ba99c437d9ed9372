//! A thought about a move, in the form that CGOS, the Computer Go Server, shows to spectators.

use serde_json::{Value, json};

use super::explain;
use crate::view::{Owners, ThoughtView, round};

/// The most moves that an analysis names: as many as viewers show. Moves without visits are left out.
const MOST_MOVES: usize = 10;

/// What CGOS's viewer reads. Win rates (0 to 1) and scores (points) are for the side to move. `pv` is the expected
/// continuation after the move.
pub fn analysis(thought: &ThoughtView) -> Value {
    let search = &thought.search;
    let moves: Vec<Value> = search
        .tried()
        .take(MOST_MOVES)
        .map(|m| {
            json!({
                "move": m.vertex,
                "visits": m.visits,
                "winrate": round(m.win_rate, 4),
                "prior": round(m.prior, 4),
                "pv": m.variation.get(1..).unwrap_or_default().join(" "),
            })
        })
        .collect();
    let mut analysis = json!({
        "winrate": round(search.win_rate, 4),
        "visits": search.visits,
        "moves": moves,
        "comment": explain::effort(search),
    });
    if let Some(lead) = search.lead {
        analysis["score"] = round(lead.points, 1).into();
    }
    if let Some(owners) = &search.owners {
        analysis["ownership"] = digits(owners).into();
    }
    analysis
}

/// Digits of the ownership, from points that are certainly the other side's to points that are certainly the side to
/// move's.
const DIGITS: &[u8; 63] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+";

/// One digit for each point, row by row from the top left.
fn digits(owners: &Owners) -> String {
    let digit = |owner: f32| {
        let share = owner.midpoint(1.0).clamp(0.0, 1.0);
        char::from(DIGITS[(share * (DIGITS.len() - 1) as f32).round() as usize])
    };
    owners.iter().map(digit).collect()
}
