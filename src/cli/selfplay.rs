//! The command line of `kosumi selfplay`.

use std::path::PathBuf;

use clap::Args;
use kosumi::dataset::row::MAX_ENTRIES;
use kosumi::go::{Komi, Ruleset};
use kosumi::net::nets::{NetChoice, NetChoiceError};
use kosumi::search::params::Tunables;
use kosumi::selfplay::{Settings, Variety};

use super::values::{points, rate, rules_or_parts, square_size, tunable, whole};

/// Options of `selfplay`.
#[derive(Args, Debug, Clone)]
pub(crate) struct SelfplayOptions {
    /// Folder for rows and games; what was begun there goes on when it is started again
    #[arg(long, value_name = "FOLDER")]
    pub output: PathBuf,
    /// Games in the folder at the end
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole(1..=u64::from(u32::MAX)))]
    pub games: u64,
    /// Games in a file; a process that is killed loses the file in progress
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = whole(1..=1_000_000u64))]
    pub file_games: u64,
    /// Board sizes, 2 to 25; the files take them in turn
    #[arg(long, visible_alias = "size", value_name = "SIZE", value_delimiter = ',', default_value = "9",
          value_parser = square_size)]
    pub sizes: Vec<usize>,
    /// Games at a time, each in a thread of its own [default: one for each core]
    #[arg(long, value_name = "N", value_parser = whole(1u16..=1024))]
    pub threads: Option<u16>,
    /// Playouts of a full search, whose position becomes a row
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = whole(1..=1_000_000_000u64))]
    pub playouts: u64,
    /// Playouts of a quick search, whose position becomes no row
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole(1..=1_000_000_000u64))]
    pub quick_playouts: u64,
    /// Share of the moves that are searched in full, 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = rate)]
    pub full_share: f32,
    /// Moves that a full search considers by Gumbel's method, for searches with few playouts; 0 for the usual search
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0u16..=1000))]
    pub gumbel_moves: u16,
    /// Visits from which positions beside the game, which a search has looked at, become rows, too; 0 for none
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0..=1_000_000_000u64))]
    pub aside_visits: u64,
    /// Rule sets; each game takes one by chance, and one that is named twice is taken twice as often
    #[arg(long, value_name = "NAME", value_delimiter = ',',
          default_value = "chinese,chinese,chinese,japanese,japanese,tromp-taylor,cgos,aga-button",
          value_parser = rules_or_parts)]
    pub rules: Vec<Ruleset>,
    /// Usual komi in points; the komi of each game is drawn around it
    #[arg(long, value_name = "POINTS", default_value = "7", allow_hyphen_values = true)]
    pub komi: Komi,
    /// Deviation of komi in points
    #[arg(long, value_name = "POINTS", default_value = "1", value_parser = points)]
    pub komi_deviation: f64,
    /// Moves drawn from the priors before the first search: their mean, as a share of the points of the board
    #[arg(long, value_name = "SHARE", default_value = "0.04", value_parser = rate)]
    pub opening_share: f32,
    /// Share of the openings of three moves and more after which komi makes the position even
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = rate)]
    pub fair_share: f32,
    /// Share of the games that begin with a long opening, the best of a few random moves, and fair komi
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = rate)]
    pub fork_share: f32,
    /// Share of the games with handicap stones
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = rate)]
    pub handicap_share: f32,
    /// Entries of the policy target [default: the points of the board and the pass, but at most 64]
    #[arg(long, value_name = "N", value_parser = whole(1..=MAX_ENTRIES))]
    pub entries: Option<usize>,
    /// Playouts from the end of each game, which tell who owned the points; 0 for none
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = whole(0u32..=100_000))]
    pub owner_playouts: u32,
    /// MiB that the search tree of a game may take
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = whole(1u64..=1 << 20))]
    pub memory: u64,
    /// Seed of the games
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = whole(0..=u64::MAX))]
    pub seed: u64,
    /// Weight file of the net that evaluates positions; none for no net, shipped for the nets in this program
    #[arg(long, value_name = "FILE", default_value = "none")]
    pub net: NetChoice,
    /// Set a tunable of the search; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = tunable)]
    pub tunables: Vec<(String, String)>,
    /// Show no progress
    #[arg(long)]
    pub quiet: bool,
}

impl SelfplayOptions {
    /// What is played.
    ///
    /// # Errors
    /// Why the weight file of the net cannot be used.
    pub(crate) fn settings(self) -> Result<Settings, NetChoiceError> {
        let mut tunables = Tunables::default();
        for (name, value) in &self.tunables {
            // The name and the value were checked when the command line was read.
            let _ = tunables.set(name, value);
        }
        let threads = self.threads.map(usize::from);
        Ok(Settings {
            folder: self.output,
            games: self.games,
            file_games: self.file_games,
            sizes: self.sizes,
            threads: threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get())),
            memory: self.memory as usize,
            seed: self.seed,
            rules: self.rules,
            komi: self.komi,
            variety: Variety {
                komi_deviation: self.komi_deviation,
                opening_share: decimal(self.opening_share),
                fair_share: decimal(self.fair_share),
                fork_share: decimal(self.fork_share),
                handicap_share: decimal(self.handicap_share),
                ..Variety::default()
            },
            nets: self.net.nets()?,
            tunables,
            playouts: self.playouts,
            quick_playouts: self.quick_playouts,
            full_share: self.full_share.into(),
            gumbel_moves: self.gumbel_moves.into(),
            aside_visits: self.aside_visits,
            entries: self.entries,
            owner_playouts: self.owner_playouts,
            quiet: self.quiet,
        })
    }
}

/// The decimal number that was typed: the f32 nearest to 0.04 is not the f64 nearest to it.
fn decimal(share: f32) -> f64 {
    share.to_string().parse().unwrap_or_else(|_| share.into())
}
