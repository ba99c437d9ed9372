//! The command lines of `kosumi net` and `kosumi dataset`.

use std::path::PathBuf;

use clap::Args;
use kosumi::dataset::row::MAX_ENTRIES;
use kosumi::go::{Komi, Ruleset};
use kosumi::net::Kernel;

use super::values::{points, rules_or_parts, square_size, whole};

/// Options of `net`.
#[derive(Args, Debug, Clone)]
pub(crate) struct NetOptions {
    /// The weight file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Evaluate every row of this file of training rows, and print a line of JSON for each
    #[arg(long, value_name = "ROWS")]
    pub rows: Option<PathBuf>,
    /// The code that evaluates: plain, neon, neon-dot, sse41, avx2, avx-vnni, avx512-vnni or amx [default: the fastest
    /// that there is]
    #[arg(long, value_name = "NAME", requires = "rows", value_parser = kernel)]
    pub kernel: Option<Kernel>,
}

/// A kernel that this machine has.
pub(super) fn kernel(text: &str) -> Result<Kernel, String> {
    let kernel: Kernel = text.parse().map_err(|error: kosumi::net::kernel::UnknownKernel| error.to_string())?;
    if kernel.is_available() { Ok(kernel) } else { Err("this machine lacks the instructions".into()) }
}

/// Options of `dataset`.
#[derive(Args, Debug, Clone)]
pub(crate) struct DatasetOptions {
    /// SGF files; without any, compact records are read from standard input: a game a line, the result, a tab, two
    /// letters a move
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The file that the rows are written to
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Board size, 2 to 25; games on other boards, such as rectangles, are left out
    #[arg(long, value_name = "SIZE", default_value = "19", value_parser = square_size)]
    pub size: usize,
    /// Komi of the compact records, and of games that name none, in points
    #[arg(long, value_name = "POINTS", default_value = "6.5", allow_hyphen_values = true)]
    pub komi: Komi,
    /// Rule sets of the compact records, and of games that name none; the games take them in turn
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "chinese", value_parser = rules_or_parts)]
    pub rules: Vec<Ruleset>,
    /// One position in so many becomes a row, drawn by chance
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=u64::MAX))]
    pub one_in: u64,
    /// Playouts from the end of each game that was counted, which tell who owned the points; 0 for none
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = whole(0u32..=100_000))]
    pub owner_playouts: u32,
    /// Entries of the policy target, and of the one for the reply
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=MAX_ENTRIES))]
    pub entries: usize,
    /// The number of the first game
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = whole(0..=u64::MAX))]
    pub first_game: u64,
    /// Half of the rows of counted games get another komi, and the result that follows from it: deviation of the
    /// difference in points. Close games then teach what a lead is worth
    #[arg(long, value_name = "POINTS", default_value = "0", value_parser = points)]
    pub komi_spread: f64,
    /// Seed of the draws
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = whole(0..=u64::MAX))]
    pub seed: u64,
}
