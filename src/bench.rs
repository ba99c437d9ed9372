//! `kosumi bench`: a fixed workload at a fixed seed, its speed, and a signature of all its results.
//!
//! The signature changes when, and only when, behaviour changes. Two commits with the same signature differ in speed
//! alone. Searches with a net have a signature of their own, because new weights change it.

mod net;
mod workload;

use std::io::Write as _;
use std::time::Instant;

use serde::Serialize;

use crate::go::{Point, Position, Ruleset};
use crate::net::{NetError, Nets};
use crate::playout::policy::{POLICIES, PolicyKind};
use crate::playout::{Playout, PlayoutPolicy, stream, tactical::Tactical, uniform::Uniform};
use crate::search::{
    Evaluators, History, Limits, MemoryError, Request, Search, SearchError, SearchOptions, node::Node,
};

pub use net::NetSpeed;
pub use workload::Workload;
use workload::{OPENING, Signature, after, scaled};

/// Everything that was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// Hash of all results.
    pub signature: String,
    /// Playouts alone, in one thread.
    pub playouts: Vec<PlayoutSpeed>,
    /// Searches by playouts alone.
    pub search: Vec<SearchSpeed>,
    /// Hash of all results of the nets that come with the program; the same with every kernel.
    pub net_signature: String,
    /// Evaluations of these nets, in one thread.
    pub evaluations: Vec<NetSpeed>,
    /// Searches with these nets.
    pub net_search: Vec<SearchSpeed>,
}

/// Playouts of a policy from the empty board.
#[derive(Clone, Debug, Serialize)]
pub struct PlayoutSpeed {
    /// The policy.
    pub policy: &'static str,
    /// Board size.
    pub size: usize,
    /// Always 1.
    pub threads: usize,
    /// Whole playouts in a second.
    pub playouts_per_second: f64,
    /// Moves in a second.
    pub moves_per_second: f64,
}

/// Searches with a policy from set positions.
#[derive(Clone, Debug, Serialize)]
pub struct SearchSpeed {
    /// The policy of the playouts, or "net" for the usual search with a net.
    pub policy: &'static str,
    /// Board size.
    pub size: usize,
    /// Threads.
    pub threads: usize,
    /// Playouts in a second, the tree included.
    pub playouts_per_second: f64,
    /// Nodes that the last search left in the tree.
    pub nodes: usize,
    /// Memory of a node.
    pub bytes_per_node: usize,
}

/// Why there are no results.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The system refuses the memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A search found nothing.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A net that comes with the program is wrong.
    #[error("a net of the program itself is wrong: {0}")]
    Net(#[from] NetError),
}

const SIZES: [usize; 3] = [9, 13, 19];

/// Playouts on 9×9. Larger sizes get fewer, in proportion to their points.
const PLAYOUTS_UNIFORM: u64 = 200_000;
const PLAYOUTS_OTHER: u64 = 40_000;

/// Memory of the searches in MiB.
const MEMORY: usize = 256;

/// Playouts of a search on 9×9.
const SEARCH_PLAYOUTS: u64 = 30_000;

/// Seconds that the whole workload takes with one thread. (Measured on a server of two cores.)
const SECONDS: u64 = 40;

/// What is measured, and about how long that takes. Several threads make the searches shorter.
fn announcement(options: Workload) -> String {
    let most = if options.threads > 1 { "at most " } else { "" };
    let time = match SECONDS / options.divide_by.max(1) {
        0 | 1 => "a second".to_owned(),
        seconds => format!("{seconds} seconds"),
    };
    format!("measures playouts, searches and nets on 9×9, 13×13 and 19×19; this takes {most}about {time}")
}

/// Runs the workload. Standard error gets a line first, since nothing else is written for a while.
///
/// # Errors
/// If the system refuses memory or threads.
pub fn run(options: Workload) -> Result<Results, BenchError> {
    // It is no error that nobody can read it.
    let _ = writeln!(std::io::stderr(), "kosumi: {}", announcement(options));
    let mut signature = Signature::new();
    let mut playouts = Vec::new();
    let mut search = Vec::new();
    for &(name, kind) in POLICIES {
        for size in SIZES {
            playouts.push(match kind {
                PolicyKind::Uniform => time_playouts(name, Uniform, size, PLAYOUTS_UNIFORM, options, &mut signature),
                PolicyKind::Tactical => {
                    time_playouts(name, Tactical::default(), size, PLAYOUTS_OTHER, options, &mut signature)
                }
            });
        }
    }
    for &(name, kind) in POLICIES {
        for size in SIZES {
            search.push(time_search(name, &Evaluators::Playouts(kind), size, options, &mut signature)?);
        }
    }
    let signature = format!("{:016x}", signature.0);
    let mut of_nets = Signature::new();
    let (mut evaluations, mut net_search) = (Vec::new(), Vec::new());
    for size in SIZES {
        if let Some(net) = Nets::shipped()?.for_size(size) {
            evaluations.extend(net::time_kernels(net.net(), size, options, &mut of_nets));
            let evaluators = Evaluators::of(Some(net), PolicyKind::Tactical);
            net_search.push(time_search("net", &evaluators, size, options, &mut of_nets)?);
        }
    }
    let net_signature = format!("{:016x}", of_nets.0);
    Ok(Results { signature, playouts, search, net_signature, evaluations, net_search })
}

fn time_playouts(
    name: &'static str,
    policy: impl PlayoutPolicy,
    size: usize,
    workload: u64,
    options: Workload,
    signature: &mut Signature,
) -> PlayoutSpeed {
    let position = Position::new(size, Ruleset::default());
    let mut playout = Playout::new(policy);
    let mut rng = stream(1, size as u64);
    let count = scaled(workload, size, options);
    let mut moves = 0;
    let mut margins = 0i64;
    let start = Instant::now();
    for _ in 0..count {
        let end = playout.run(&position, [Point::NONE; 2], Some(0), &mut rng);
        moves += playout.moves().len() as u64;
        margins += i64::from(end.margin);
    }
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    signature.add(moves);
    signature.add(margins as u64);
    PlayoutSpeed {
        policy: name,
        size,
        threads: 1,
        playouts_per_second: count as f64 / seconds,
        moves_per_second: moves as f64 / seconds,
    }
}

fn time_search(
    name: &'static str,
    evaluators: &Evaluators,
    size: usize,
    options: Workload,
    signature: &mut Signature,
) -> Result<SearchSpeed, BenchError> {
    let mut search =
        Search::new(SearchOptions { threads: options.threads, memory: MEMORY, ..SearchOptions::default() })?;
    let count = scaled(SEARCH_PLAYOUTS, size, options);
    let mut done = 0;
    let mut nodes = 0;
    let mut seconds = 0.0;
    for opening in [&[][..], OPENING] {
        let (position, moves) = after(size, opening);
        let limits = Limits { playouts: Some(count), ..Limits::default() };
        let mut request = Request::new(position, 15);
        request.history = History { start_hash: 0, moves };
        request.limits = limits;
        request.seed = 1;
        request.evaluators = evaluators.clone();
        request.params = evaluators.defaults(size);
        search.forget();
        let report = search.run_alone(&request)?;
        done += report.playouts;
        nodes = report.nodes;
        seconds += report.elapsed.as_secs_f64();
        if options.threads == 1 {
            for mv in &report.moves {
                signature.add(mv.mv.point().map_or(0, Point::index) as u64);
                signature.add(mv.visits);
            }
            signature.add(nodes as u64);
        }
    }
    Ok(SearchSpeed {
        policy: name,
        size,
        threads: options.threads,
        playouts_per_second: done as f64 / f64::max(seconds, 1e-9),
        nodes,
        bytes_per_node: size_of::<Node>(),
    })
}

impl Results {
    /// The results as a table for people.
    pub fn table(&self) -> String {
        let mut lines = vec![format!("{:<10} {:>5} {:>12} {:>12}", "playouts", "size", "playouts/s", "moves/s")];
        for row in &self.playouts {
            lines.push(format!(
                "{:<10} {:>5} {:>12.0} {:>12.0}",
                row.policy, row.size, row.playouts_per_second, row.moves_per_second
            ));
        }
        lines.push(format!(
            "{:<10} {:>5} {:>12} {:>12} {:>8} {:>11}",
            "search", "size", "playouts/s", "nodes", "threads", "bytes/node"
        ));
        for row in self.search.iter().chain(&self.net_search) {
            lines.push(format!(
                "{:<10} {:>5} {:>12.0} {:>12} {:>8} {:>11}",
                row.policy, row.size, row.playouts_per_second, row.nodes, row.threads, row.bytes_per_node
            ));
        }
        lines.push(format!("{:<12} {:>3} {:>15}  {}", "kernel", "size", "evaluations/s", "net"));
        for row in &self.evaluations {
            let NetSpeed { net, kernel, size, evaluations_per_second } = row;
            lines.push(format!("{kernel:<12} {size:>3} {evaluations_per_second:>15.0}  {net}"));
        }
        lines.push(format!("signature {}, with the nets {}", self.signature, self.net_signature));
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_workload_takes_a_part_of_the_time() {
        let said = |threads, divide_by| announcement(Workload { threads, divide_by });
        assert!(said(1, 1).ends_with("19×19; this takes about 40 seconds"));
        assert!(said(2, 4).ends_with("this takes at most about 10 seconds"));
        assert!(said(1, u64::MAX).ends_with("about a second"));
    }
}
