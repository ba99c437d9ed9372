//! Measures how sound the expected scores of moves are: those of a short search against those of a long one.
//!
//! ```text
//! xz -dc games.tsv.xz | tail -4000 | cargo run --release --example leads -- 20000 300000 100
//! ```
//!
//! The arguments are the playouts of the short and of the long search, and which of the games count: every hundredth
//! here, each with one position. The win rate after 300 visits, which the first line of an analysis shows, is compared
//! with that of the short search. A fourth argument `none` leaves the net out. See `support/games.rs` for the form of
//! the records, and `docs/performance.md` for what was found.

#[path = "support/games.rs"]
#[allow(unreachable_pub, dead_code, reason = "several programs share the file")]
mod games;

use std::collections::HashMap;
use std::error::Error;

use games::SIZE;
use kosumi::go::{Move, Position, rules};
use kosumi::net::Nets;
use kosumi::playout::PolicyKind;
use kosumi::search::{Evaluators, History, Report, Request, Search, SearchError, SearchOptions};

/// Komi of the games in half points: 7.5 under Chinese rules.
const KOMI: i32 = 15;
/// A move counts if it has this share of the visits of the short search.
const LEAST_SHARE: f64 = 0.01;
/// The first position lies after this share of its game, and each later one this share further on, in percent.
const STEP: usize = 37;
/// Visits of the first line of an analysis, unless a tenth of a second ends before.
const FIRST_LINE: u64 = 300;
/// The most by which its win rate may differ from that of the short search.
const NEAR: f32 = 0.1;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [short, long, every, rest @ ..] = &args[..] else {
        return Err("the arguments are: playouts, more playouts, every how many games".into());
    };
    let (short, long, every): (u64, u64, usize) = (short.parse()?, long.parse()?, every.parse()?);
    let nets = if rest.is_empty() { Nets::shipped()? } else { Nets::none() };
    let (_, games) = games::read(0);
    let mut search = Search::new(SearchOptions { memory: 1024, ..SearchOptions::default() })?;
    let [mut now, mut before] = [Findings::default(), Findings::default()];
    let mut near = 0;
    for (number, game) in games.iter().step_by(every.max(1)).enumerate() {
        let at = game.len() * (number * STEP % 100) / 100;
        let mut position = Position::new(SIZE, rules::CHINESE);
        let mut history = History::of(&position);
        let mut plays = game[..at].iter();
        if plays.any(|&mv| {
            history.moves.push((position.to_move(), mv));
            position.play(mv).is_err()
        }) {
            continue;
        }
        position.reopen();
        let evaluators = Evaluators::of(nets.for_size(SIZE), PolicyKind::Tactical);
        let mut request = Request::new(position, KOMI);
        request.history = history;
        request.params = evaluators.defaults(SIZE);
        request.evaluators = evaluators;
        request.knowledge.details = true;
        let mut run = |playouts, seed| -> Result<Report, SearchError> {
            search.forget();
            request.seed = seed;
            request.limits.playouts = Some(playouts);
            search.run_alone(&request)
        };
        let (first, second) = (run(short, 1)?, run(long, 2)?);
        near += usize::from((run(FIRST_LINE, 3)?.value - first.value).abs() <= NEAR);
        let sign = request.position.to_move().sign() as f32;
        now.add(&first, &second, |report, mv| sign * margin(report, mv));
        before.add(&first, &second, |report, mv| sign * own_mean(report, mv));
        eprintln!("game {number} of {}, {at} moves: {now}; {near} first lines near", games.len() / every.max(1));
    }
    println!("{near} of {} first lines have a win rate within {NEAR} of the short search's", now.positions.len());
    println!("now: {now}\nby own samples alone, as before: {before}");
    Ok(())
}

/// Black's expected margin as the report has it, of a move or of the position.
fn margin(report: &Report, mv: Option<Move>) -> f32 {
    let found = match mv {
        Some(mv) => report.moves.iter().find(|m| m.mv == mv).and_then(|m| m.margin),
        None => report.margin,
    };
    found.map_or(f32::NAN, |margin| margin.points)
}

/// The mean of a move's own samples and eight of the position, which was shown before November 2026.
fn own_mean(report: &Report, mv: Option<Move>) -> f32 {
    const FEW: f32 = 8.0;
    let all = report.details.all().margin().0;
    let Some(own) = mv.and_then(|mv| report.details.below(mv)) else { return all };
    let n = own.ownership.playouts() as f32;
    (n * own.ownership.margin().0 + FEW * all) / (n + FEW)
}

/// Differences between short and long searches, in points.
#[derive(Default)]
struct Findings {
    positions: Vec<f32>,
    moves: Vec<f32>,
    /// By how much the largest lead of all moves exceeds that of the best move.
    tops: Vec<f32>,
}

impl Findings {
    fn add(&mut self, short: &Report, long: &Report, lead: impl Fn(&Report, Option<Move>) -> f32) {
        self.positions.push((lead(short, None) - lead(long, None)).abs());
        let there: HashMap<_, _> = long.moves.iter().map(|m| (m.mv, lead(long, Some(m.mv)))).collect();
        for m in short.moves.iter().filter(|m| m.visits as f64 >= LEAST_SHARE * short.visits as f64) {
            self.moves.extend(there.get(&m.mv).map(|there| (lead(short, Some(m.mv)) - there).abs()));
        }
        let tried = short.moves.iter().filter(|m| m.visits > 0).map(|m| lead(short, Some(m.mv)));
        self.tops.push(tried.fold(f32::NEG_INFINITY, f32::max) - lead(short, Some(short.best())));
    }
}

impl std::fmt::Display for Findings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let at = |values: &[f32], share: f64| {
            let mut sorted = values.to_vec();
            sorted.sort_by(f32::total_cmp);
            sorted.get((share * sorted.len() as f64) as usize).copied().unwrap_or(f32::NAN)
        };
        write!(
            f,
            "{} positions, median difference {:.2}; {} moves, median {:.2}, nine in ten below {:.2}; the largest lead \
             exceeds the best move's by {:.2} in the median and {:.2} at most",
            self.positions.len(),
            at(&self.positions, 0.5),
            self.moves.len(),
            at(&self.moves, 0.5),
            at(&self.moves, 0.9),
            at(&self.tops, 0.5),
            self.tops.iter().copied().fold(f32::NEG_INFINITY, f32::max),
        )
    }
}
