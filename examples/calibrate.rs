//! Measures the levels: lets neighbouring steps of the table in `src/engine/level/rungs.rs` and GNU Go play matches,
//! and says what rank each step has.
//!
//! ```text
//! cargo run --release --example calibrate -- --size 9 --games 40 --gnugo /usr/games/gnugo --anchors 7,8 matches/levels
//! ```
//!
//! The folder keeps the games. The same command goes on where it was stopped; more games or other anchors add to the
//! folder. `--fit` plays no games and only counts. `docs/levels.md` has the method and the results.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use kosumi::engine::level::rungs;
use kosumi::go::rules::CHINESE;
use kosumi::matches::{self, Counting, EngineCommand, OpeningSource, Settings};

/// Measures the levels by matches.
#[derive(Parser)]
struct Options {
    /// Folder of the matches
    folder: PathBuf,
    /// Board size
    #[arg(long, default_value_t = 9)]
    size: usize,
    /// Games of each pair
    #[arg(long, default_value_t = 40)]
    games: usize,
    /// Games at a time
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// The lowest step that plays the one above it
    #[arg(long, default_value_t = 0)]
    from: u8,
    /// The highest step that plays the one below it; the table's last if not given
    #[arg(long)]
    to: Option<u8>,
    /// The value of --net
    #[arg(long, default_value = "shipped")]
    net: String,
    /// The program to measure
    #[arg(long, default_value = "target/release/kosumi")]
    kosumi: String,
    /// GNU Go
    #[arg(long)]
    gnugo: Option<String>,
    /// Steps that play each of GNU Go's levels
    #[arg(long, value_delimiter = ',')]
    anchors: Vec<u8>,
    /// GNU Go's levels
    #[arg(long, value_delimiter = ',', default_value = "10")]
    gnugo_levels: Vec<u8>,
    /// Only count what has been played
    #[arg(long)]
    fit: bool,
}

/// The player whose rank is known.
const ANCHOR: &str = "gnugo-10";

/// Its rank in kyu.
const ANCHOR_KYU: f64 = 8.0;

/// The rating of 1 dan in the European Go Federation's system, the points of a rank, and the two constants of its
/// formula for the chance of a win: β(r) = −7·ln(3300 − r), chance = 1 / (1 + e^(β(opponent) − β(own))).
const FIRST_DAN: f64 = 2100.0;
const POINTS: f64 = 100.0;
const CEILING: f64 = 3300.0;
const SLOPE: f64 = 7.0;

/// Standard errors of a 95 % interval.
const Z: f64 = 1.96;

fn main() -> Result<(), String> {
    let options = Options::parse();
    let folder = options.folder.join(options.size.to_string());
    if !options.fit {
        for (a, b) in pairs(&options) {
            let settings = settings(&options, &folder, &a, &b)?;
            println!("{a} – {b}, {}×{0}", options.size);
            matches::run(&settings)?;
        }
    }
    print_table(&results(&folder)?);
    Ok(())
}

fn pairs(options: &Options) -> Vec<(String, String)> {
    let step = |number: u8| format!("rung-{number}");
    let ([smaller, larger], share) = rungs::around(options.net != "none", options.size);
    let table = if share < 1.0 { smaller.rungs } else { larger.rungs };
    let to = options.to.unwrap_or(table.len() as u8 - 1);
    let neighbours = (options.from..to).map(|low| (step(low), step(low + 1)));
    let gnugo = options.gnugo.iter().flat_map(|_| {
        let each = options.gnugo_levels.iter().flat_map(|level| options.anchors.iter().map(move |a| (*a, *level)));
        each.map(|(anchor, level)| (step(anchor), format!("gnugo-{level}")))
    });
    gnugo.chain(neighbours).collect()
}

/// How a player is started.
fn command(options: &Options, player: &str) -> Result<EngineCommand, String> {
    let quoted = |program: &str| shlex::try_quote(program).map(String::from).map_err(|error| error.to_string());
    let text = match (player.strip_prefix("gnugo-"), &options.gnugo) {
        (Some(level), Some(gnugo)) => format!(
            "{} --mode gtp --quiet --chinese-rules --positional-superko --level {level} --seed {{game}}",
            quoted(gnugo)?
        ),
        _ => format!(
            "{} --no-config --memory 64 --net {} --seed {{game}} --level {player}",
            quoted(&options.kosumi)?,
            quoted(&options.net)?
        ),
    };
    text.parse()
}

fn settings(options: &Options, folder: &Path, a: &str, b: &str) -> Result<Settings, String> {
    Ok(Settings {
        a_is_black: false,
        engines: [command(options, a)?, command(options, b)?],
        size: options.size.into(),
        komi: None,
        rules: CHINESE,
        openings: OpeningSource::Empty,
        seed: 0,
        clock: kosumi::clock::TimeControl::Unlimited,
        move_time: None,
        margin: std::time::Duration::from_millis(500),
        hang: std::time::Duration::from_secs(600),
        games: options.games,
        concurrency: options.concurrency,
        max_moves: 3 * options.size * options.size,
        counting: Counting::Judged,
        referee: None,
        sprt: None,
        output: Some(folder.join(format!("{a}--{b}"))),
        quiet: true,
        json: false,
        time: kosumi::time::TimeSource::system(),
        stop: std::sync::Arc::default(),
    })
}

/// The games of a pair.
#[derive(Debug)]
struct Pair {
    players: [String; 2],
    /// Wins of each player, a draw for half.
    points: [f64; 2],
}

/// The results in the folders `A--B`.
fn results(folder: &Path) -> Result<Vec<Pair>, String> {
    let said = |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let mut pairs = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| said(folder, &error))? {
        let path = entry.map_err(|error| said(folder, &error))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let Some((a, b)) = name.split_once("--") else { continue };
        let file = path.join("games.jsonl");
        let text = fs::read_to_string(&file).map_err(|error| said(&file, &error))?;
        let mut points = [0.0; 2];
        for line in text.lines() {
            let row: serde_json::Value = serde_json::from_str(line).map_err(|error| said(&file, &error))?;
            match row["winner"].as_str() {
                Some("A" | "a") => points[0] += 1.0,
                Some("B" | "b") => points[1] += 1.0,
                _ => points = points.map(|p| p + 0.5),
            }
        }
        pairs.push(Pair { players: [a.into(), b.into()], points });
    }
    Ok(pairs)
}

/// A player's strength: natural logarithm of the odds against the anchor, and its standard error.
#[derive(Clone, Copy, Debug)]
struct Strength {
    log_odds: f64,
    error: f64,
}

/// The most likely strengths under the Bradley–Terry model, by Newton's method. Each pair counts one draw more, so that
/// strengths stay finite where one player won all games.
fn fit(pairs: &[Pair]) -> BTreeMap<String, Strength> {
    let names: BTreeSet<&str> = pairs.iter().flat_map(|pair| pair.players.iter().map(String::as_str)).collect();
    let names: Vec<&str> = names.into_iter().filter(|&name| name != ANCHOR).collect();
    let place = |name: &str| names.iter().position(|&other| other == name);
    let n = names.len();
    let mut strength: Vec<f64> = vec![0.0; n];
    let mut inverse = Vec::new();
    for _ in 0..100 {
        let mut gradient = vec![0.0; n];
        let mut information = vec![vec![0.0; n]; n];
        for pair in pairs {
            let [i, j] = [place(&pair.players[0]), place(&pair.players[1])];
            let at = |place: Option<usize>| place.map_or(0.0, |place| strength[place]);
            let chance = 1.0 / (1.0 + (at(j) - at(i)).exp());
            let games = pair.points[0] + pair.points[1] + 1.0;
            let surprise = pair.points[0] + 0.5 - games * chance;
            let weight = games * chance * (1.0 - chance);
            for (me, sign) in [(i, 1.0), (j, -1.0)] {
                let Some(me) = me else { continue };
                gradient[me] += sign * surprise;
                information[me][me] += weight;
                let other = if me == i.unwrap_or(n) { j } else { i };
                if let Some(other) = other {
                    information[me][other] -= weight;
                }
            }
        }
        for (i, row) in information.iter_mut().enumerate() {
            // Players without a link to the anchor keep their strength, with an unbounded error.
            row[i] += 1e-6;
        }
        inverse = invert(information);
        for (own, row) in strength.iter_mut().zip(&inverse) {
            let step: f64 = row.iter().zip(&gradient).map(|(a, b)| a * b).sum();
            *own += step.clamp(-1.0, 1.0);
        }
    }
    let result = |i: usize| Strength { log_odds: strength[i], error: inverse[i][i].sqrt() };
    names.iter().enumerate().map(|(i, name)| ((*name).to_owned(), result(i))).collect()
}

/// The inverse of a positive definite matrix, by elimination.
fn invert(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let mut inverse: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let scale = |row: &mut [f64], factor: f64| row.iter_mut().for_each(|x| *x *= factor);
    let take = |row: &mut [f64], from: &[f64], factor: f64| {
        row.iter_mut().zip(from).for_each(|(x, y)| *x -= factor * y);
    };
    for i in 0..n {
        let pivot = matrix[i][i];
        scale(&mut matrix[i], 1.0 / pivot);
        scale(&mut inverse[i], 1.0 / pivot);
        let (of_matrix, of_inverse) = (matrix[i].clone(), inverse[i].clone());
        for row in (0..n).filter(|&row| row != i) {
            let factor = matrix[row][i];
            take(&mut matrix[row], &of_matrix, factor);
            take(&mut inverse[row], &of_inverse, factor);
        }
    }
    inverse
}

/// The rank in kyu (0 is 1 dan, −1 is 2 dan) at these odds against the anchor.
fn kyu(log_odds: f64) -> f64 {
    let anchor = FIRST_DAN - POINTS * ANCHOR_KYU;
    let rating = CEILING - (CEILING - anchor) * (-log_odds / SLOPE).exp();
    (FIRST_DAN - rating) / POINTS
}

fn print_table(pairs: &[Pair]) {
    println!("\n| player | score against the one above | games | Elo to GNU Go 10 | 95 % | kyu | 95 % |");
    println!("|---|---|---|---|---|---|---|");
    let mut players: Vec<(String, Strength)> = fit(pairs).into_iter().collect();
    players.push((ANCHOR.into(), Strength { log_odds: 0.0, error: 0.0 }));
    players.sort_by(|a, b| a.1.log_odds.total_cmp(&b.1.log_odds));
    let elo = |log_odds: f64| log_odds * 400.0 / std::f64::consts::LN_10;
    for (name, Strength { log_odds, error }) in players {
        let games: f64 = pairs.iter().filter(|p| p.players.contains(&name)).map(|p| p.points[0] + p.points[1]).sum();
        let up = pairs.iter().find(|pair| pair.players[0] == name && pair.players[1].starts_with("rung-"));
        let score = up.map_or_else(String::new, |p| format!("{} of {}", p.points[0], p.points[0] + p.points[1]));
        let (low, high) = (log_odds - Z * error, log_odds + Z * error);
        println!(
            "| {name} | {score} | {games} | {:+.0} | {:+.0} to {:+.0} | {:.1} | {:.1} to {:.1} |",
            elo(log_odds),
            elo(low),
            elo(high),
            kyu(log_odds),
            kyu(low),
            kyu(high)
        );
    }
}
