//! A sitting as JSON: what the page shows.

use serde_json::{Value, json};

use crate::go::{Color, Point, vertex};

use super::count::rows;
use super::sitting::Sitting;
use super::timing;

/// All that the page shows of a sitting.
pub(super) fn of(name: &str, sitting: &Sitting) -> String {
    let game = &sitting.game;
    let (size, position) = (game.size(), game.position());
    let board = position.board();
    let stone = |point: Point| match board.cell(point).color() {
        None => '.',
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
    };
    let last = game.moves().last().filter(|_| game.record().has_move(game.cursor()));
    let (siblings, sibling) = sitting.siblings();
    json!({
        "game": name,
        "revision": sitting.revision(),
        "size": size,
        "rules": game.rules().name(),
        "komi": game.komi().points(),
        "handicapPoints": game.total_komi().points() - game.komi().points(),
        "handicap": game.handicap(),
        "level": sitting.level.to_string(),
        "seconds": sitting.pace.as_secs_f64(),
        "kosumi": sitting.kosumi.map(Color::letter),
        "players": Color::BOTH.map(|color| game.record().player(color)),
        "stones": rows(size).map(stone).collect::<String>(),
        "captured": Color::BOTH.map(|color| board.captured(color.other())),
        "toMove": sitting.to_move().letter(),
        "moves": game.move_count(),
        "last": last.map(|&(color, mv)| json!({ "color": color.letter(), "move": vertex::of_move(mv, size) })),
        "comment": game.comment(),
        "over": sitting.is_over(),
        // By passes, and not because a side has given up or lost on time.
        "ended": position.is_over(),
        "result": sitting.result().map(|(short, text)| json!({ "short": short, "text": text })),
        "thinking": sitting.is_due(),
        "busy": sitting.is_busy(),
        "analyzing": sitting.is_analyzing,
        "finding": sitting.finding(),
        "line": line(sitting),
        "place": sitting.place(),
        "variations": sitting.variations(),
        "siblings": siblings,
        "sibling": sibling + 1,
        "count": count(sitting),
        "clocks": clocks(sitting),
        "review": sitting.review().map(super::reviewing::Reviewing::describe),
        "log": sitting.log().map(|(number, text)| json!({ "number": number, "text": text })).collect::<Vec<_>>(),
    })
    .to_string()
}

/// The line that is shown: for each node its move, and Black's win rate and lead where they are known.
fn line(sitting: &Sitting) -> Vec<Value> {
    let values = |node| sitting.known(node).map(|(winrate, lead)| json!([winrate, lead]));
    sitting.line().into_iter().map(|node| json!([sitting.name_of(node), values(node)])).collect()
}

fn count(sitting: &Sitting) -> Value {
    let Some(count) = sitting.count() else { return Value::Null };
    let size = sitting.game.size();
    let dead: Vec<String> = count.statuses().dead.iter().map(|point| vertex::of(point, size)).collect();
    let outcome = count.outcome(&sitting.game);
    json!({
        "dead": dead,
        "owners": count.owners(&sitting.game),
        "corrected": count.is_corrected,
        "open": count.is_open,
        "result": outcome.to_string(),
        "text": crate::play::say::outcome(outcome),
    })
}

fn clocks(sitting: &Sitting) -> Value {
    let sides = Color::BOTH.map(|color| {
        let left = timing::left(&sitting.clocks[color.index()]);
        // Whoever has lost on time has none, whatever the clock would give for another move.
        if sitting.has_lost_on_time(color) { left.map(|(_, periods)| (0.0, periods)) } else { left }
    });
    let running = sitting.running().map(|(color, used)| json!({ "side": color.letter(), "used": used.as_secs_f64() }));
    json!({ "control": timing::described(sitting.clocks[0].control()), "sides": sides, "running": running })
}
