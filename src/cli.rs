//! The command line. The comments here are the help texts.

mod matches;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use kosumi::engine;
use kosumi::go::{Komi, MAX_SIZE, MIN_SIZE, Ruleset};
use kosumi::playout::PolicyKind;
use kosumi::search::{self, Params};

/// A Go (weiqi, baduk) engine that speaks the Go Text Protocol (GTP) on standard input and output.
///
/// Without a subcommand it starts `gtp`, which is what Sabaki, GoGui and other programs expect.
#[derive(Parser, Debug)]
#[command(version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Options of `gtp`, which may stand without its name.
    #[command(flatten)]
    pub gtp: GtpOptions,
}

/// The subcommands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Play over the Go Text Protocol on standard input and output (the default).
    Gtp(GtpOptions),
    /// Let two engines play a match, and say what it shows.
    Match(Box<matches::MatchOptions>),
    /// Measure the speed of playouts and search with a fixed workload, and print a signature of the results
    Bench(BenchOptions),
}

/// Options of `bench`.
#[derive(Args, Debug, Clone)]
pub struct BenchOptions {
    /// Search threads (playouts alone run in one)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Do the workload divided by this
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub divide_by: u64,
    /// Print JSON instead of a table
    #[arg(long)]
    pub json: bool,
}

/// Options of a playing engine.
#[derive(Args, Debug, Clone)]
pub struct GtpOptions {
    /// Search threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Playouts for a move; with it only a running clock limits the time [default: as many as the time allows]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub playouts: Option<u64>,
    /// Seconds for a move when no clock runs
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    pub time_per_move: Duration,
    /// MiB that the search tree may take
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub memory: u64,
    /// Seed of the random numbers; with one thread and --playouts it fixes every game
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub seed: u64,
    /// Board size at the start, 2 to 25
    #[arg(long, value_name = "SIZE", default_value = "19", value_parser = board_size)]
    pub size: usize,
    /// Komi in points [default: that of the rule set: for Chinese rules 7 on 9×9, 7.5 elsewhere]
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    pub komi: Option<Komi>,
    /// Rule set
    #[arg(long, value_name = "NAME", default_value = "chinese", value_parser = rules)]
    pub rules: Ruleset,
    /// Resign when the win rate stays below this (0 to 1; 0 never resigns)
    #[arg(long, value_name = "RATE", default_value = "0.08", value_parser = rate)]
    pub resign_below: f32,
    /// Moves of a game before which it does not resign (never before a fifth of the points has been played)
    #[arg(long, value_name = "MOVES", default_value_t = 20)]
    pub resign_after: usize,
    /// Think on the opponent's time
    #[arg(long)]
    pub ponder: bool,
    /// Seconds kept back on every clock for delays between this program and the clock
    #[arg(long, value_name = "SECONDS", default_value = "0.3", value_parser = seconds)]
    pub lag: Duration,
    /// What plays the playouts: uniform or tactical
    #[arg(long, value_name = "NAME", default_value = "tactical", value_parser = policy)]
    pub policy: PolicyKind,
    /// Set a tunable of the search, see `kosumi-param` over GTP; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = tunable)]
    pub tunables: Vec<(String, String)>,
    /// What is logged: off, error, warn, info, debug
    #[arg(long, value_name = "LEVEL", default_value = "warn")]
    pub log_level: log::LevelFilter,
    /// File that the log is added to [default: standard error]
    #[arg(long, value_name = "FILE")]
    pub log_file: Option<PathBuf>,
}

impl GtpOptions {
    /// What the engine is made of.
    pub fn engine(&self) -> engine::Options {
        let mut params = Params::default();
        for (name, value) in &self.tunables {
            // Checked when the command line was read.
            let _ = params.set(name, value);
        }
        let threads = self.threads.map(usize::from);
        engine::Options {
            search: search::Options {
                threads: threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get())),
                memory: self.memory as usize,
                seed: self.seed,
                policy: self.policy,
                params,
            },
            size: self.size,
            komi: self.komi,
            rules: self.rules,
            time_per_move: self.time_per_move,
            playouts: self.playouts,
            lag: self.lag,
            resign_below: self.resign_below,
            resign_after: self.resign_after,
            ponder: self.ponder,
        }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let range = "must be a number of seconds from 0 to 86400, such as 2.5";
    let seconds: f64 = text.parse().map_err(|_| range)?;
    if (0.0..=86400.0).contains(&seconds) { Ok(Duration::from_secs_f64(seconds)) } else { Err(range.into()) }
}

fn board_size(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(size) if (MIN_SIZE..=MAX_SIZE).contains(&size) => Ok(size),
        _ => Err(format!("must be a whole number from {MIN_SIZE} to {MAX_SIZE}")),
    }
}

fn rate(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(rate) if (0.0..=1.0).contains(&rate) => Ok(rate),
        _ => Err("must be a number from 0 to 1, such as 0.1".into()),
    }
}

fn rules(text: &str) -> Result<Ruleset, String> {
    Ruleset::by_name(text).ok_or_else(|| format!("must be one of {}", Ruleset::names().collect::<Vec<_>>().join(", ")))
}

fn policy(text: &str) -> Result<PolicyKind, String> {
    PolicyKind::by_name(text).ok_or_else(|| "must be uniform or tactical".into())
}

fn tunable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("must have the form NAME=VALUE")?;
    Params::default().set(name, value).map_err(|error| error.to_string())?;
    Ok((name.into(), value.into()))
}
