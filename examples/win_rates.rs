//! Measures how often the side that a search prefers wins its game, and fits the weights of the win rate that is shown
//! (`src/search/win_rate.rs`).
//!
//! ```text
//! cargo run --release --example win_rates -- found.jsonl matches/9x9/games
//! xz -dc games.tsv.xz | tail -4000 | cargo run --release --example win_rates -- found.jsonl --size 19 --komi 7.5
//! ```
//!
//! Games are SGF files, folders of them, or compact records on standard input (`docs/net.md` has their form). The file
//! gets a line for each position. The same command goes on where it was stopped. `--fit` searches nothing and only
//! counts what the file has. `docs/win-rates.md` has what was found.

#[path = "support/asking.rs"]
#[allow(unreachable_pub, reason = "several programs share the file")]
mod asking;

#[path = "support/findings.rs"]
#[allow(unreachable_pub, reason = "several programs share the file")]
mod findings;

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use clap::Parser;
use findings::Findings;
use kosumi::dataset::{Ending, Lesson, record};
use kosumi::game::Game;
use kosumi::go::{Color, Komi, rules};
use kosumi::net::Nets;
use kosumi::search::{History, Search, SearchOptions};
use serde::{Deserialize, Serialize};

/// Measures win rates by the winners of games.
#[derive(Parser)]
struct Options {
    /// File of the findings
    file: PathBuf,
    /// SGF files, and folders of them; without any, compact records are read from standard input
    games: Vec<PathBuf>,
    /// Board size of compact records
    #[arg(long, default_value_t = 19)]
    size: usize,
    /// Komi of games that do not state it
    #[arg(long, default_value = "7.5")]
    komi: Komi,
    /// Playouts of a search
    #[arg(long, default_value_t = 600)]
    playouts: u64,
    /// The most games; they are taken from everywhere in the records
    #[arg(long, default_value_t = 200)]
    most: usize,
    /// Leave the net out
    #[arg(long)]
    no_net: bool,
    /// Only count what the file has
    #[arg(long)]
    fit: bool,
}

/// The positions that are searched lie after these shares of a game, in percent.
const SHARES: [usize; 5] = [30, 50, 70, 85, 100];

/// What the search of a position found, for the side to move.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Finding {
    /// The number of the game.
    game: usize,
    /// The share of the game's moves before the position, in percent.
    share: usize,
    /// Mean result of the playouts.
    playouts: f64,
    /// Mean value by the net.
    net: Option<f64>,
    /// The mean that the search goes by.
    value: f64,
    /// The win rate that is shown.
    shown: f64,
    /// The result of the game: 1 won, ½ drawn, 0 lost.
    came: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let mut findings = Findings::<Finding>::open(&options.file)?;
    if !options.fit {
        let known: HashSet<_> = findings.all.iter().map(|finding| (finding.game, finding.share)).collect();
        let nets = if options.no_net { Nets::none() } else { Nets::shipped()? };
        let lessons = lessons(&options)?;
        let step = (lessons.len() / options.most.max(1)).max(1);
        for (game, lesson) in lessons.iter().enumerate().step_by(step).take(options.most) {
            for share in SHARES {
                if !known.contains(&(game, share))
                    && let Some(finding) = look(&options, &nets, game, lesson, share)?
                {
                    findings.add(finding)?;
                }
            }
        }
    }
    report(&findings.all);
    Ok(())
}

/// The games, in the order of the records or of the files' names.
fn lessons(options: &Options) -> Result<Vec<Lesson>, Box<dyn Error>> {
    if options.games.is_empty() {
        let lines = io::stdin().lock().lines();
        let lessons = lines.map(|line| Ok(record::read(&line?, options.size, options.komi, rules::CHINESE)));
        return lessons.filter_map(Result::transpose).collect();
    }
    let mut files = Vec::new();
    for path in &options.games {
        if path.is_dir() {
            let entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
            files.extend(entries.into_iter().filter(|path| path.extension().is_some_and(|it| it == "sgf")));
        } else {
            files.push(path.clone());
        }
    }
    files.sort();
    files.iter().map(|path| read(path, options.komi)).collect()
}

fn read(path: &Path, komi: Komi) -> Result<Lesson, Box<dyn Error>> {
    let named = |error: &dyn Error| format!("{}: {error}", path.display());
    let record = kosumi::sgf::read(&fs::read(path)?).map_err(|error| named(&error))?;
    let game = Game::load(record, None, rules::CHINESE, Some(komi)).map_err(|error| named(&error))?;
    Ok(Lesson::of_game(&game))
}

/// Searches the position after a share of a game; `None` if the game has no winner or an illegal move.
fn look(
    options: &Options,
    nets: &Nets,
    number: usize,
    lesson: &Lesson,
    share: usize,
) -> Result<Option<Finding>, Box<dyn Error>> {
    let black = match lesson.end {
        Ending::Unknown => return Ok(None),
        Ending::Decided(winner) => winner.map_or(0.0, |color| f64::from(color.sign())),
        Ending::Counted(margin) => f64::from(margin.partial_cmp(&0.0).map_or(0, |order| order as i8)),
    };
    let mut position = lesson.start.clone();
    let mut history = History::of(&position);
    for step in &lesson.moves[..lesson.moves.len() * share / 100] {
        position.set_to_move(step.color);
        history.moves.push((step.color, step.mv));
        if position.play(step.mv).is_err() {
            return Ok(None);
        }
    }
    let sign = if position.to_move() == Color::Black { 1.0 } else { -1.0 };
    let mut request = asking::request(position, history, lesson.komi.half_points(), nets);
    request.limits.playouts = Some(options.playouts);
    let mut search = Search::new(SearchOptions { memory: 256, threads: 1, ..SearchOptions::default() })?;
    let found = search.run_alone(&request)?;
    Ok(Some(Finding {
        game: number,
        share,
        playouts: found.means.playouts.into(),
        net: found.means.net.map(f64::from),
        value: found.value.into(),
        shown: found.win_rate.into(),
        came: 0.5 + 0.5 * sign * black,
    }))
}

/// Weights of the log-odds of playouts and net.
type Weights = [f64; 2];

fn log_odds(rate: f64) -> f64 {
    let rate = rate.clamp(0.002, 0.998);
    (rate / (1.0 - rate)).ln()
}

fn inputs(finding: &Finding) -> Weights {
    [log_odds(finding.playouts), finding.net.map_or(0.0, log_odds)]
}

fn said(weights: Weights, finding: &Finding) -> f64 {
    let [playouts, net] = inputs(finding);
    1.0 / (1.0 + (-weights[0] * playouts - weights[1] * net).exp())
}

/// The weights that a logistic regression gives, by Newton's method.
fn fit<'a>(findings: impl Iterator<Item = &'a Finding> + Clone) -> Weights {
    let mut weights = [1.0, 0.0];
    for _ in 0..50 {
        // A little that keeps the matrix regular without a net.
        let (mut gradient, mut curvature) = ([0.0; 2], [[1e-6, 0.0], [0.0, 1e-6]]);
        for finding in findings.clone() {
            let (x, rate) = (inputs(finding), said(weights, finding));
            for i in 0..2 {
                gradient[i] += (finding.came - rate) * x[i];
                for j in 0..2 {
                    curvature[i][j] += rate * (1.0 - rate) * x[i] * x[j];
                }
            }
        }
        let [[a, b], [c, d]] = curvature;
        let determinant = a * d - b * c;
        weights[0] += (d * gradient[0] - b * gradient[1]) / determinant;
        weights[1] += (a * gradient[1] - c * gradient[0]) / determinant;
    }
    weights
}

/// The mean of the negative logarithm of what was said of what came: ln 2 = 0.693 says nothing.
fn loss<'a>(findings: impl Iterator<Item = &'a Finding>, said: impl Fn(&Finding) -> f64) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for finding in findings {
        let rate = said(finding).clamp(1e-4, 1.0 - 1e-4);
        sum -= finding.came * rate.ln() + (1.0 - finding.came) * (1.0 - rate).ln();
        count += 1.0;
    }
    sum / count
}

fn report(findings: &[Finding]) {
    // Two games of a match share their opening, so both go into the same half; the product mixes numbers of any step.
    let is_in =
        |finding: &Finding, half: usize| (finding.game as u32 / 2).wrapping_mul(0x9e37_79b9) >> 31 == half as u32;
    let half = |number| findings.iter().filter(move |finding| is_in(finding, number));
    println!("{} positions", findings.len());
    println!("loss of the mean that the search goes by {:.4}", loss(findings.iter(), |finding| finding.value));
    println!("loss of the win rate that is shown       {:.4}", loss(findings.iter(), |finding| finding.shown));
    let [playouts, net] = fit(findings.iter());
    let best = loss(findings.iter(), |finding| said([playouts, net], finding));
    println!("fit: playouts {playouts:.2}, net {net:.2}: loss {best:.4}");
    for number in 0..2 {
        let weights @ [playouts, net] = fit(half(number));
        let other = loss(half(1 - number), |finding| said(weights, finding));
        println!("fit to half of the games: playouts {playouts:.2}, net {net:.2}: loss in the others {other:.4}");
    }
    println!("win rate shown: positions, mean, how often that side won");
    for (low, high) in [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0].windows(2).map(|pair| (pair[0], pair[1])) {
        let there: Vec<(f64, f64)> = findings
            .iter()
            .map(|f| if f.shown < 0.5 { (1.0 - f.shown, 1.0 - f.came) } else { (f.shown, f.came) })
            .filter(|&(shown, _)| low <= shown && (shown < high || high == 1.0))
            .collect();
        let mean = |part: fn(&(f64, f64)) -> f64| there.iter().map(part).sum::<f64>() / there.len() as f64;
        println!("{low:.2}–{high:.2}: {:5}  {:.3}  {:.3}", there.len(), mean(|pair| pair.0), mean(|pair| pair.1));
    }
}
