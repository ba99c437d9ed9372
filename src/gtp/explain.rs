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

/// All that is known about a move, in a few lines. Where the search does not know the score, only its size.
pub fn in_full(thought: &ThoughtView) -> String {
    let search = &thought.search;
    if !thought.knows_score {
        return format!("{} {}\n{}", search.to_move, thought.decision, effort(search));
    }
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

/// Lines for gtp2ogs. The first two have the form of KataGo's messages, which gtp2ogs posts as a variation with the
/// score. gtp2ogs knows the form by KataGo's name in an earlier line. The last line goes into the chat that the
/// opponent cannot read before the end of the game, or says why the engine resigns. Where the search does not know the
/// score, that line is the only one, and tells the size of the search.
pub fn for_gtp2ogs(thought: &ThoughtView) -> Vec<String> {
    let search = &thought.search;
    let mut lines = Vec::new();
    if !thought.knows_score && !thought.resigns {
        return vec![format!("MALKOVICH:Move {}: {}.", thought.move_number, effort(search))];
    }
    if let (Some(made), Some(lead)) = (thought.move_made(), search.lead) {
        let lead = made.lead.unwrap_or(lead);
        lines.push("The next line has the form of KataGo's messages.".into());
        lines.push(format!(
            "CHAT:Visits {} Winrate {:.2}% ScoreLead {:.1} ScoreStdev {:.1} PV {}",
            search.visits,
            made.win_rate * 100.0,
            lead.points,
            lead.spread,
            made.variation.join(" ")
        ));
    }
    lines.push(match thought.resigns {
        true => format!("MAIN:I resign: {}.", assessment(search)),
        false => format!("MALKOVICH:Move {}: {}, {}.", thought.move_number, assessment(search), effort(search)),
    });
    lines
}
