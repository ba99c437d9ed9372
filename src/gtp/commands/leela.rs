//! Commands of Leela Zero that clients send, beside those about analysis. (Its source, `GTP.cpp`, has their forms.)

use std::fmt::Write as _;
use std::time::Duration;

use super::super::params::{self, Change};
use super::super::{Session, args::Args, error::CommandError, error::CommandResult};
use crate::go::{Move, Size};

/// The options, as Leela Zero names and describes them.
const OPTIONS: &[&str] = &[
    "option name Visits type spin default 0 min 0 max 1000000000",
    "option name Playouts type spin default 0 min 0 max 1000000000",
    "option name Lagbuffer type spin default 0 min 0 max 3000",
    "option name Resign Percentage type spin default -1 min -1 max 30",
    "option name Pondering type check default true",
];

/// `name NAME value VALUE`; without arguments the options. The names may be in any case.
pub(super) fn lz_setoption(session: &mut Session, args: &Args<'_>) -> CommandResult {
    if args.is_empty() {
        return Ok(OPTIONS.join("\n"));
    }
    let words: Vec<String> = args.words().iter().map(|word| word.to_ascii_lowercase()).collect();
    let at = words.iter().position(|word| word == "value").ok_or_else(CommandError::syntax)?;
    let (Some("name"), Some(value)) = (words.first().map(String::as_str), words.get(at + 1)) else {
        return Err(CommandError::syntax());
    };
    let wrong = || CommandError::new("incorrect value");
    let whole =
        |low: i64, high: i64| value.parse().ok().filter(|number| (low..=high).contains(number)).ok_or_else(wrong);
    // 0 means that there is no limit.
    let count = || whole(0, 1_000_000_000).map(|most| (most > 0).then_some(most.unsigned_abs()));
    let change = match words[1..at].join(" ").as_str() {
        "visits" => Change::Visits(count()?),
        "playouts" => Change::Playouts(count()?),
        "pondering" => Change::Pondering(value.parse().map_err(|_| wrong())?),
        "lagbuffer" => {
            let lag = Duration::from_millis(10 * whole(0, 3000)?.unsigned_abs());
            session.engine.change(|options| options.lag = lag);
            return Ok(String::new());
        }
        "resign percentage" => {
            let usual = session.resign_below;
            // −1 means the engine's own choice.
            let rate = match whole(-1, 30)? {
                -1 => usual,
                percent => percent as f32 / 100.0,
            };
            session.engine.change(|options| options.resign_below = rate);
            return Ok(String::new());
        }
        "maximum memory use (mib)" | "percentage of memory for cache" => {
            return Err(CommandError::new("memory is set at the start, with --memory"));
        }
        _ => return Err(CommandError::new("no such option")),
    };
    params::apply(session, &[change]);
    Ok(String::new())
}

/// What the net alone thinks of each move, in thousandths, row by row from the top: with one of the board's symmetries,
/// with `all` of them one after the other, or their `average`. A line above each map says which. LizzieYzy counts the
/// lines that begin with a blank or a digit, and the line of the status is none of them.
pub(super) fn heatmap(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let size = session.engine.game().size();
    let all = size.symmetries();
    let wrong = || CommandError::new(format!("the symmetry is a number from 0 to {}, all, or average", all - 1));
    let (symmetries, averages) = match args.words().first().map(|word| word.to_ascii_lowercase()).as_deref() {
        None => (0..1, false),
        Some("all") => (0..all, false),
        Some("average" | "avg") => (0..all, true),
        Some(number) => {
            let number = number.parse().ok().filter(|number| *number < all).ok_or_else(wrong)?;
            (number..number + 1, false)
        }
    };
    let Some(mut inquiry) = session.engine.inquiry(session.engine.game().position().to_move()) else {
        let has_nets = !session.engine.options().nets.all().is_empty();
        return Err(CommandError::new(if has_nets { "no net knows boards of this size" } else { "there is no net" }));
    };
    let titles = symmetries.clone().map(|symmetry| format!("symmetry {symmetry}"));
    let mut titles: Vec<String> = titles.collect();
    let mut maps: Vec<Map> = symmetries.map(|symmetry| Map::of(inquiry.ask(symmetry), size)).collect();
    if averages {
        (titles, maps) = (vec![format!("average of {all} symmetries")], vec![Map::mean(&maps)]);
    }
    let texts = titles.iter().zip(&maps).map(|(title, map)| format!("{title}\n{}", map.text(size)));
    Ok(texts.collect::<Vec<_>>().join("\n"))
}

/// What the net says, row by row from the top, of the pass, and of the game.
struct Map {
    plays: Vec<f32>,
    pass: f32,
    win_rate: f32,
}

impl Map {
    fn of(output: &crate::net::Output, size: Size) -> Map {
        Map {
            plays: size.from_the_top().map(|point| output.probability(Move::Play(point))).collect(),
            pass: output.probability(Move::Pass),
            win_rate: output.win_rate(),
        }
    }

    fn mean(maps: &[Map]) -> Map {
        let share = 1.0 / maps.len().max(1) as f32;
        let places = maps.first().map_or(0, |map| map.plays.len());
        Map {
            plays: (0..places).map(|i| share * maps.iter().map(|map| map.plays[i]).sum::<f32>()).collect(),
            pass: share * maps.iter().map(|map| map.pass).sum::<f32>(),
            win_rate: share * maps.iter().map(|map| map.win_rate).sum::<f32>(),
        }
    }

    fn text(&self, size: Size) -> String {
        let mut text = String::new();
        for row in self.plays.chunks(size.width()) {
            let cells: Vec<String> = row.iter().map(|share| format!("{:3}", thousandths(*share))).collect();
            text += &format!("{}\n", cells.join(" "));
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "pass: {}\nwinrate: {:.6}", thousandths(self.pass), self.win_rate);
        text
    }
}

/// As Leela Zero rounds: down.
fn thousandths(share: f32) -> u32 {
    (share * 1000.0) as u32
}
