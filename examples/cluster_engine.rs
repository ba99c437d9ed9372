//! An engine for matches that stands for several ranks of a cluster: they take turns in one thread, so what counts is
//! the number of playouts, not the machine. Speaks GTP. `docs/cluster.md` has the results.
//!
//! ```text
//! cargo build --release --example cluster_engine
//! kosumi match --games 60 "target/release/examples/cluster_engine --ranks 8 --playouts 1600 --seed {game}" \
//!     "kosumi --threads 1 --playouts 1600 --seed {game}"
//! ```

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Parser;
use kosumi::cluster::simulation::Simulation;
use kosumi::engine::{Engine, EngineOptions};
use kosumi::gtp::{self, SessionOptions, input::Input};
use kosumi::net::nets::NetChoice;
use kosumi::search::params::Tunables;
use kosumi::search::{Partnership, Reach, SearchOptions};

/// Several ranks of a cluster in one thread.
#[derive(Parser)]
struct Options {
    /// Ranks
    #[arg(long, default_value_t = 8)]
    ranks: usize,
    /// Playouts that a rank makes between two exchanges
    #[arg(long, default_value_t = 8)]
    round: u64,
    /// Playouts for a move, of all ranks together
    #[arg(long, default_value_t = 1600)]
    playouts: u64,
    /// Moves from the root that are told
    #[arg(long, default_value_t = Reach::default().depth)]
    depth: usize,
    /// The share of the root's visits that a node needs to be told
    #[arg(long, default_value_t = Reach::default().share)]
    share: f64,
    /// Tell all-moves-as-first sums, too
    #[arg(long)]
    rave: bool,
    /// A tunable, such as rank_wins=30; may stand several times
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Board size at the start
    #[arg(long, default_value_t = 9)]
    size: usize,
    /// Weight file of the net; none for no net, shipped for the nets of the program
    #[arg(long, default_value = "shipped")]
    net: NetChoice,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// MiB of each rank's trees: enough for a few thousand playouts.
const MEMORY: usize = 64;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    let nets = options.net.nets()?;
    let reach = Reach { depth: options.depth, share: options.share, rave: options.rave, ..Reach::default() };
    let simulation = Simulation::new(options.ranks, options.round, reach, MEMORY, nets.clone())?;
    let partners = Some(Partnership::new(simulation));
    let mut tunables = Tunables::default();
    for setting in &options.set {
        let (name, value) = setting.split_once('=').ok_or("--set takes NAME=VALUE")?;
        tunables.set(name, value)?;
    }
    let stop = Arc::new(AtomicBool::new(false));
    let engine = EngineOptions {
        search: SearchOptions { threads: 0, memory: MEMORY, partners, ..SearchOptions::default() },
        nets,
        tunables,
        size: options.size.into(),
        playouts: Some(options.playouts),
        seed: options.seed,
        // As the program's own defaults.
        resign_below: 0.005,
        resign_after: 20,
        ..EngineOptions::default()
    };
    let input = Input::start(std::io::stdin(), Arc::clone(&stop), engine.search.time.clone())?;
    let engine = Engine::new(engine, stop)?;
    gtp::run(engine, SessionOptions::default(), &input, std::io::stdout(), std::io::stderr())?;
    Ok(())
}
