//! The summary of a match for people.

use super::progress::clock;
use super::tally::{EngineSummary, Summary};

/// The summary, in some lines.
pub fn text(summary: &Summary) -> String {
    let [a, b] = &summary.engines;
    let mut lines = vec![format!("A  {}  [{}]", a.name, a.command), format!("B  {}  [{}]", b.name, b.command)];
    lines.push(format!("{}: A {}, B {}, drawn {}", games(summary), a.wins, b.wins, summary.draws));
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
    lines.extend(second_referee(summary));
    let repeated = match summary.repeated {
        0 => None,
        1 => Some("1 game repeats an earlier one and tells".to_owned()),
        repeated => Some(format!("{repeated} games repeat an earlier one and tell")),
    };
    lines.extend(repeated.map(|repeated| format!("{repeated} nothing new: use more openings or seeds")));
    lines.push(format!("time of all games together: {}", clock(summary.seconds)));
    lines.join("\n")
}

/// How many games there are. A folder may hold more games than were asked for this time.
fn games(summary: &Summary) -> String {
    let (games, planned) = (summary.games, summary.planned);
    if games as usize > planned {
        format!("{games} games, of which {planned} {} asked for", if planned == 1 { "was" } else { "were" })
    } else {
        format!("{games} of {planned} games")
    }
}

/// What the second referee found, in a line for its scores and a line for its failures.
fn second_referee(summary: &Summary) -> Vec<String> {
    let list = |games: &[usize]| games.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let of = |games: &[usize], all: usize| match all {
        1 => format!("in the counted game: {}", list(games)),
        all => format!("in {} of {all} counted games: {}", games.len(), list(games)),
    };
    let (differ, failed) = (&summary.referees_differ, &summary.referee_failed);
    let counted = summary.second_referee as usize;
    let mut lines = Vec::new();
    if counted == 1 && differ.is_empty() {
        lines.push("the second referee agrees in the game that it counted".into());
    } else if counted > 0 && differ.is_empty() {
        lines.push(format!("the second referee agrees in all {counted} games that it counted"));
    } else if counted > 0 {
        lines.push(format!("the second referee differs {}", of(differ, counted)));
    }
    if !failed.is_empty() {
        lines.push(format!("the second referee gave no score {}", of(failed, counted + failed.len())));
    }
    lines
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
