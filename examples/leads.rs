//! Measures how sound expected scores and win rates of moves are: those of a short search against those of a long one.
//!
//! ```text
//! xz -dc games.tsv.xz | tail -4000 | cargo run --release --example leads -- leads.jsonl
//! ```
//!
//! The file gets a line for each position. The same command goes on where it was stopped. `--fit` searches nothing and
//! only counts what the file has. The usual numbers of playouts are what 2 and 60 seconds make on 19×19 with two threads
//! of a Zen 4 machine, with the net alone. Several processes can share the positions by `--from` and `--to`, each with a
//! file of its own. All their files, one after the other, are the file of the whole.
//!
//! The mean that the search goes by after 300 visits is compared with that of the short search. Whether the win rates
//! that are shown agree with results is another question, see `win_rates.rs`.
//!
//! See `support/games.rs` for the form of the records. `docs/performance.md` has what was found of leads, and
//! `docs/win-rates.md` what was found of the win rates of moves with few visits.

#[path = "support/games.rs"]
#[allow(unreachable_pub, dead_code, reason = "several programs share the file")]
mod games;

#[path = "support/asking.rs"]
#[allow(unreachable_pub, reason = "several programs share the file")]
mod asking;

#[path = "support/findings.rs"]
#[allow(unreachable_pub, reason = "several programs share the file")]
mod findings;

use std::collections::HashMap;
use std::error::Error;
use std::path::PathBuf;

use clap::Parser;
use findings::Findings;
use games::{Game, SIZE};
use kosumi::go::{Move, Position, rules, vertex};
use kosumi::net::Nets;
use kosumi::search::{History, Margin, MoveReport, Search, SearchOptions};
use serde::{Deserialize, Serialize};

/// Measures the expected scores and the win rates of moves.
#[derive(Parser)]
struct Options {
    /// File of the findings
    file: PathBuf,
    /// Playouts of the short search
    #[arg(long, default_value_t = 6_000)]
    short: u64,
    /// Playouts of the long search
    #[arg(long, default_value_t = 180_000)]
    long: u64,
    /// Positions, each of another game
    #[arg(long, default_value_t = 200)]
    positions: usize,
    /// Number of the first position to be searched
    #[arg(long, default_value_t = 0)]
    from: usize,
    /// Number of the position to stop before; after the last one if not given
    #[arg(long)]
    to: Option<usize>,
    /// Leave the net out
    #[arg(long)]
    no_net: bool,
    /// Only count what the file has
    #[arg(long)]
    fit: bool,
}

/// Komi of the games in half points: 7.5 under Chinese rules.
const KOMI: i32 = 15;
/// A move counts if it has this share of the visits of the short search.
const LEAST_SHARE: f64 = 0.01;
/// The first position lies after this share of its game, and each later one this share further on, in percent.
const STEP: usize = 37;
/// A win rate is counted if the long search gave its move so many visits: good moves, and all that were tried well.
const LATE_VISITS: [u64; 2] = [200, 10];
/// Visits of a first look.
const FIRST_LOOK: u64 = 300;
/// The most by which its mean may differ from that of the short search.
const NEAR: f32 = 0.1;

/// Numbers that two searches give to one thing: the short search, then the long one.
type Pair = [Option<f32>; 2];

/// What decides the findings besides the program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Wishes {
    /// Playouts of both searches.
    playouts: [u64; 2],
    /// How many positions there are to be: with another number, each comes from another game.
    positions: usize,
    /// The name of the net; empty without a net.
    net: String,
}

/// A position and what the searches say of it. Leads are those of the side to move, in points.
#[derive(Debug, Serialize, Deserialize)]
struct Finding {
    /// Which of the positions, from 0.
    number: usize,
    /// What the searches were asked for. Findings for other wishes are not counted together.
    #[serde(flatten)]
    wishes: Wishes,
    /// The mean that the search goes by after the first look, and that of the short search.
    win_rates: [f32; 2],
    /// The lead of the position.
    lead: Pair,
    /// By how much the largest lead that the short search shows exceeds that of its best move.
    excess: Option<f32>,
    /// The moves that count, best first, with their leads.
    moves: Vec<(String, Pair)>,
    /// The moves that the short search has tried; older findings have none.
    #[serde(default)]
    tried: Vec<Tried>,
}

/// The win rate of a move.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Tried {
    /// The visits of the move in the long search.
    visits: u64,
    /// The win rates that both searches show for it: the short one, then the long one.
    rates: [f32; 2],
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let mut findings = Findings::<Finding>::open(&options.file)?;
    let nets = if options.no_net { Nets::none() } else { Nets::shipped()? };
    let net = nets.for_size(SIZE).map(|net| net.net().description().name.clone()).unwrap_or_default();
    let wishes = Wishes { playouts: [options.short, options.long], positions: options.positions, net };
    findings.all.retain(|finding| finding.wishes == wishes);
    if !options.fit {
        let (_, games) = games::read(0);
        let step = (games.len() / options.positions.max(1)).max(1);
        let wanted = options.from..options.to.unwrap_or(options.positions);
        for (number, game) in games.iter().step_by(step).take(options.positions).enumerate() {
            if !wanted.contains(&number) || findings.all.iter().any(|finding| finding.number == number) {
                continue;
            }
            let Some(finding) = look(&wishes, &nets, number, game)? else { continue };
            findings.add(finding)?;
            eprintln!("{}", summary(&findings.all));
        }
    }
    println!("{}", summary(&findings.all));
    Ok(())
}

/// Searches a position of a game.
fn look(wishes: &Wishes, nets: &Nets, number: usize, game: &Game) -> Result<Option<Finding>, Box<dyn Error>> {
    let at = game.len() * (number * STEP % 100) / 100;
    let mut position = Position::new(SIZE, rules::CHINESE);
    let mut history = History::of(&position);
    for &mv in &game[..at] {
        history.moves.push((position.to_move(), mv));
        if position.play(mv).is_err() {
            return Ok(None);
        }
    }
    let color = position.to_move();
    let mut request = asking::request(position, history, KOMI, nets);
    request.knowledge.details = true;
    let mut search = Search::new(SearchOptions { memory: 1024, threads: 1, ..SearchOptions::default() })?;
    let mut run = |playouts, seed| {
        search.forget();
        request.seed = seed;
        request.limits.playouts = Some(playouts);
        search.run_alone(&request)
    };
    let [short, long] = wishes.playouts;
    let [first, short, long] = [run(FIRST_LOOK, 3)?, run(short, 1)?, run(long, 2)?];
    let lead = |margin: Option<Margin>| Some(color.sign() as f32 * margin?.points);
    let there: HashMap<Move, &MoveReport> = long.moves.iter().map(|m| (m.mv, m)).collect();
    let shown = || short.moves.iter().filter(|m| m.visits > 0).filter_map(|m| lead(m.margin));
    let counted = short.moves.iter().filter(|m| m.visits as f64 >= LEAST_SHARE * short.visits as f64);
    Ok(Some(Finding {
        number,
        wishes: wishes.clone(),
        win_rates: [first.value, short.value],
        lead: [lead(short.margin), lead(long.margin)],
        excess: shown().next().map(|best| shown().fold(f32::NEG_INFINITY, f32::max) - best),
        moves: counted
            .map(|m| (vertex::of_move(m.mv, SIZE), [lead(m.margin), there.get(&m.mv).and_then(|m| lead(m.margin))]))
            .collect(),
        tried: short
            .moves
            .iter()
            .filter(|m| m.visits > 0)
            .filter_map(|m| there.get(&m.mv).map(|late| (m, late)))
            .map(|(m, late)| Tried { visits: late.visits, rates: [m.win_rate, late.win_rate] })
            .collect(),
    }))
}

/// Differences between short and long searches, in points.
fn summary(findings: &[Finding]) -> String {
    let apart = |pair: &Pair| Some((pair[0]? - pair[1]?).abs());
    let near = findings.iter().filter(|f| (f.win_rates[0] - f.win_rates[1]).abs() <= NEAR).count();
    let positions: Vec<f32> = findings.iter().filter_map(|finding| apart(&finding.lead)).collect();
    let moves: Vec<f32> = findings.iter().flat_map(|f| &f.moves).filter_map(|(_, leads)| apart(leads)).collect();
    let tops: Vec<f32> = findings.iter().filter_map(|finding| finding.excess).collect();
    let at = |values: &[f32], share: f64| {
        let mut sorted = values.to_vec();
        sorted.sort_by(f32::total_cmp);
        sorted.get((share * sorted.len() as f64) as usize).copied().unwrap_or(f32::NAN)
    };
    let within = |values: &[f32], most: f32| values.iter().filter(|&&value| value <= most).count();
    let rates = LATE_VISITS.map(|least| {
        let tried = findings.iter().flat_map(|finding| &finding.tried).filter(|tried| tried.visits >= least);
        let off: Vec<f32> = tried.map(|tried| 100.0 * (tried.rates[0] - tried.rates[1]).abs()).collect();
        let square = (off.iter().map(|off| off * off).sum::<f32>() / off.len() as f32).sqrt();
        format!(
            "\n{} moves with {least} late visits: win rates differ by {square:.1} points (root mean square), nine in ten \
             by less than {:.1}",
            off.len(),
            at(&off, 0.9)
        )
    });
    format!(
        "{} positions, median difference {:.2}; {} moves, median {:.2}, nine in ten below {:.2}, {} within 3 points; the \
         largest lead exceeds the best move's by {:.2} in the median and {:.2} at most, by at most 5 points in {}; {near} \
         first looks have a mean within {NEAR} of the short search's{}",
        positions.len(),
        at(&positions, 0.5),
        moves.len(),
        at(&moves, 0.5),
        at(&moves, 0.9),
        within(&moves, 3.0),
        at(&tops, 0.5),
        tops.iter().copied().fold(f32::NEG_INFINITY, f32::max),
        within(&tops, 5.0),
        rates.concat(),
    )
}
