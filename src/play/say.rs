//! Sentences for the person: who is ahead, what to play, how a game has ended.

use crate::game::Game;
use crate::go::score::Outcome;
use crate::go::{Board, Color, PointSet, vertex};
use crate::view::View;

/// Below this win rate of the side that is ahead, a game is called even. (A guess.)
const EVEN: f32 = 0.55;

/// Moves that a hint names.
const HINTS: usize = 3;

/// Moves of a continuation that a hint names.
const CONTINUATION: usize = 6;

/// What a person is told whose file has further games.
pub const FIRST_OF_SEVERAL: &str = "The file holds several games, and only the first one is read.";

/// A word at the beginning of a sentence.
pub fn capital(word: impl ToString) -> String {
    let word = word.to_string();
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Komi, and what the rule set gives White for the handicap.
pub fn komi(game: &Game) -> String {
    let komi = game.komi();
    let bonus = game.total_komi().points() - komi.points();
    if bonus == 0.0 { format!("komi {komi}") } else { format!("komi {komi} and {bonus} for the handicap") }
}

/// Who is ahead, by how much.
pub fn ahead(view: &View) -> String {
    let (side, rate) = view.favourite();
    let lead = view.lead.map_or_else(String::new, |lead| format!(", expected score {}", lead.result(view.side)));
    let rate_text = format!("{side} wins {:.0} %{lead}", rate * 100.0);
    match rate < EVEN {
        true => format!("The game is even ({rate_text})."),
        false => format!("{} is ahead ({rate_text}).", capital(side)),
    }
}

/// What the engine would play for the side of the view, the best move first.
pub fn hint(view: &View) -> String {
    let mut lines = Vec::new();
    for (number, m) in view.tried().take(HINTS).enumerate() {
        let lead = m.lead.map_or_else(String::new, |lead| format!(", {}", lead.result(view.side)));
        let rest: Vec<&str> = m.variation.iter().skip(1).take(CONTINUATION).map(String::as_str).collect();
        let rest = if rest.is_empty() { String::new() } else { format!(", then {}", rest.join(" ")) };
        let first = if number == 0 { "I would play" } else { "or" };
        lines.push(format!("{first} {} ({} wins {:.0} %{lead}){rest}", m.vertex, view.side, m.win_rate * 100.0));
    }
    if lines.is_empty() { "I see no move but a pass.".into() } else { lines.join("\n") }
}

/// How a game ended.
pub fn outcome(outcome: Outcome) -> String {
    match (outcome, outcome.winner()) {
        (Outcome::Counted { .. }, Some(color)) => {
            let result = outcome.to_string();
            let margin = result.split_once('+').map_or("", |(_, margin)| margin);
            let points = if margin == "1" { "point" } else { "points" };
            format!("{} wins by {margin} {points} ({result}).", capital(color))
        }
        (Outcome::Won(_), Some(color)) => format!("{} wins: it made the first capture.", capital(color)),
        (Outcome::NoResult, _) => "The game has no result: the position repeats without end.".into(),
        _ => "The game is a draw.".into(),
    }
}

/// Which stones are dead; empty if none are.
pub fn dead(board: &Board, dead: &PointSet) -> String {
    let of = |color: Color| {
        let stones: Vec<_> = dead.iter().filter(|&p| board.cell(p).color() == Some(color)).collect();
        (!stones.is_empty()).then(|| format!("Dead {color} stones: {}.", vertex::list(stones, board.size())))
    };
    Color::BOTH.into_iter().filter_map(of).collect::<Vec<_>>().join("\n")
}
