//! A thought about a move, in words for people and in the form that gtp2ogs reads. This file knows no command.

use crate::view::{MoveView, ThoughtView, View};

/// Which side is ahead, and how far.
pub fn assessment(search: &View) -> String {
    let (side, rate) = search.favourite();
    let score = match search.lead {
        Some(lead) => format!(", expected score {} ± {:.1}", lead.result(search.side), lead.spread),
        None => String::new(),
    };
    format!("{side} wins {:.1} % of my playouts{score}", rate * 100.0)
}

/// How large the search was.
pub fn effort(search: &View) -> String {
    format!("{} playouts in {:.2} s", search.playouts, search.seconds)
}

/// All that is known about a move, in a few lines.
pub fn in_full(thought: &ThoughtView) -> String {
    let search = &thought.search;
    let mut lines = vec![format!("{} {}: {}", search.to_move, thought.decision, assessment(search)), effort(search)];
    for MoveView { vertex, visits, win_rate, variation, .. } in
        search.moves.iter().take(CANDIDATES).filter(|m| m.visits > 0)
    {
        lines.push(format!("{vertex} {:.1} %, {visits} visits, expected {}", win_rate * 100.0, variation.join(" ")));
    }
    lines.join("\n")
}

/// The most moves that an explanation names.
const CANDIDATES: usize = 3;

/// Lines for gtp2ogs. The first two have the form of Leela Zero's messages, which gtp2ogs posts as a variation. The
/// last goes into the chat that the opponent cannot read before the end of the game, or says why the engine resigns.
pub fn for_gtp2ogs(thought: &ThoughtView) -> Vec<String> {
    let search = &thought.search;
    let mut lines = Vec::new();
    if let Some(made) = thought.move_made() {
        lines.push(format!(
            "{} -> {} (V: {:.2}%) (LCB: {:.2}%) (N: {:.2}%) PV: {}",
            made.vertex,
            made.visits,
            made.win_rate * 100.0,
            made.bound * 100.0,
            made.prior * 100.0,
            made.variation.join(" ")
        ));
        let View { visits, nodes, playouts, .. } = search;
        let speed = *playouts as f64 / search.seconds.max(1e-3);
        lines.push(format!("{visits} visits, {nodes} nodes, {playouts} playouts, {speed:.0} n/s"));
    }
    lines.push(match thought.resigns {
        true => format!("MAIN:I resign: {}.", assessment(search)),
        false => format!("MALKOVICH:Move {}: {}, {}.", thought.move_number, assessment(search), effort(search)),
    });
    lines
}
