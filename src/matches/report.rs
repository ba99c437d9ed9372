//! The summary of a match for people.

use super::progress::clock;
use super::tally::{EngineSummary, Summary};

/// The summary, in some lines.
pub fn text(summary: &Summary) -> String {
    let [a, b] = &summary.engines;
    let mut lines = vec![format!("A  {}  [{}]", a.name, a.command), format!("B  {}  [{}]", b.name, b.command)];
    lines.push(format!(
        "{} of {} games: A {}, B {}, drawn {}",
        summary.games, summary.planned, a.wins, b.wins, summary.draws
    ));
    if let (Some(score), Some((low, high))) = (summary.score, summary.score_interval) {
        lines.push(format!("A scores {:.1} % (95 %: {:.1} to {:.1})", score * 100.0, low * 100.0, high * 100.0));
    }
    if let (Some(elo), Some((low, high))) = (summary.elo, summary.elo_interval) {
        lines.push(format!("Elo of A above B: {elo:+.0} (95 %: {low:+.0} to {high:+.0})"));
    }
    if let Some(sprt) = &summary.sprt {
        let verdict = match sprt.verdict {
            Some("H1") => format!("accepts Elo {}", sprt.elo1),
            Some(_) => format!("accepts Elo {}", sprt.elo0),
            None => "undecided".into(),
        };
        lines.push(format!("SPRT: {verdict}, LLR {:.2} ({:.2} to {:.2})", sprt.llr, sprt.lower, sprt.upper));
    }
    let endings: Vec<String> = summary.endings.iter().map(|(name, games)| format!("{name} {games}")).collect();
    lines.push(format!("ended by: {}", endings.join(", ")));
    lines.push(String::new());
    lines.push(table_row([
        "", "won", "as Black", "illegal", "refused", "crashed", "hung", "time", "s/move", "longest", "CPU s",
    ]));
    for (name, engine) in [("A", a), ("B", b)] {
        lines.push(engine_row(name, engine));
    }
    lines.push(String::new());
    if summary.second_referee > 0 {
        let differ: Vec<String> = summary.referees_differ.iter().map(usize::to_string).collect();
        lines.push(match differ.as_slice() {
            [] => format!("the second referee agrees in all {} counted games", summary.second_referee),
            _ => format!(
                "the second referee differs in {} of {} counted games: {}",
                differ.len(),
                summary.second_referee,
                differ.join(", ")
            ),
        });
    }
    if summary.repeated > 0 {
        lines.push(format!(
            "{} games repeat an earlier one and tell nothing new: use more openings or seeds",
            summary.repeated
        ));
    }
    lines.push(format!("time of all games together: {}", clock(summary.seconds)));
    lines.join("\n")
}

fn engine_row(name: &str, engine: &EngineSummary) -> String {
    let seconds = |value: Option<f64>| value.map_or_else(|| "-".into(), |seconds| format!("{seconds:.3}"));
    table_row([
        name,
        &engine.wins.to_string(),
        &format!("{}/{}", engine.wins_as_black, engine.games_as_black),
        &engine.illegal_moves.to_string(),
        &engine.refusals.to_string(),
        &engine.crashes.to_string(),
        &engine.hangs.to_string(),
        &engine.time_losses.to_string(),
        &seconds(engine.mean_seconds),
        &seconds(Some(engine.longest_seconds)),
        &seconds(engine.mean_cpu_seconds),
    ])
}

fn table_row(cells: [&str; 11]) -> String {
    let [name, rest @ ..] = cells;
    rest.iter().fold(format!("{name:1}"), |row, cell| format!("{row} {cell:>8}"))
}
