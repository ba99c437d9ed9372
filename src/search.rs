//! Monte Carlo tree search: one lock-free tree, many threads, subtrees kept from move to move.
//!
//! [`Search::run`] takes a [`Request`] and gives a [`Report`]. The search knows no game, no clock and no protocol. The
//! thread that asks is the [`monitor`]; each thread of the pool is a [`worker`]. A [`Searcher`] runs searches in the
//! background.

pub mod advantage;
mod atomic;
pub mod beside;
pub mod bias;
pub mod control;
pub mod corrected;
pub mod criticality;
pub mod descent;
pub mod details;
pub mod error;
pub mod evaluate;
pub mod folded;
pub mod lead;
pub mod limits;
mod lineage;
#[cfg(test)]
mod many_threads;
pub mod margins;
pub mod means;
pub mod monitor;
pub mod near;
pub mod node;
pub mod opinion;
pub mod ownership;
pub mod params;
pub mod partner;
pub mod prior;
pub mod report;
pub mod request;
pub mod searcher;
pub mod secure;
pub mod select;
pub mod shared;
pub mod stages;
pub mod store;
mod threads;
pub mod transpositions;
pub mod tree;
pub mod vicinity;
pub mod walker;
pub mod win_rate;
pub mod worker;

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::go::Move;
use crate::playout::stream;
use crate::time::TimeSource;

pub use beside::Beside;
pub use control::Control;
pub use details::Details;
pub use error::SearchError;
pub use evaluate::{Evaluator, Evaluators};
pub use lead::Margin;
pub use limits::{EarlyStop, Limits};
use lineage::Grown;
pub use monitor::{Running, Watch};
pub use near::{Known, NodeNews, Reach};
use opinion::Opinion;
pub use ownership::Ownership;
pub use params::Params;
use partner::Beginning;
pub use partner::{Partner, Partnership};
pub use report::{MoveReport, Report};
pub use request::{Favours, History, Knowledge, Request, Restriction, WhichTree};
pub use searcher::{Handle, Searcher};
use shared::{End, ROUND, Shared, Sums};
pub use store::MemoryError;
use threads::Threads;
pub use threads::most_threads;
use tree::Tree;
use walker::Walker;
pub use win_rate::Means;
use worker::Worker;

/// What a search is made of, built once.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// Threads that search. With 0 a search runs in the thread that asks for it, and its watcher is called after each
    /// round of playouts.
    pub threads: usize,
    /// MiB of the trees, at the most.
    pub memory: usize,
    /// Where "now" comes from, for limits by time.
    pub time: TimeSource,
    /// Who takes part in the searches of the kept tree, such as other machines.
    pub partners: Option<Partnership>,
}

impl Default for SearchOptions {
    /// One thread, 64 MiB, the system's time.
    fn default() -> SearchOptions {
        SearchOptions { threads: 1, memory: 64, time: TimeSource::system(), partners: None }
    }
}

/// The threads of the search, and the trees that it keeps from one request to the next.
///
/// ```
/// use kosumi::go::{Position, Ruleset};
/// use kosumi::search::{Limits, Request, Search, SearchOptions};
///
/// let mut search = Search::new(SearchOptions::default())?;
/// let position = Position::new(9, Ruleset::default());
/// let komi = 14; // Half points: 7 points.
/// let mut request = Request::new(position, komi);
/// request.limits = Limits { playouts: Some(100), ..Limits::default() };
///
/// let report = search.run_alone(&request)?;
/// assert_eq!(report.playouts, 100);
/// assert_eq!(report.best(), report.moves[0].mv); // Best first.
/// assert!((0.0..=1.0).contains(&report.value)); // For Black, who is to move.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Search {
    time: TimeSource,
    threads: Threads,
    kept: Grown,
    aside: Grown,
    partners: Option<Partnership>,
    /// The number of the kept tree, for the partners.
    number: u64,
}

/// The tree for searches [aside](WhichTree::Aside) takes this part of the memory, and no more than `MOST_ASIDE` bytes.
/// Six thousand playouts on 19×19 fill a quarter of `MOST_ASIDE`.
const ASIDE_PART: usize = 8;
const MOST_ASIDE: usize = 64 << 20;

impl Search {
    /// A search with these options. The threads start with the first request. If the system refuses the memory, the
    /// search takes less, and the log says so.
    ///
    /// # Errors
    /// If the system refuses even a MiB.
    pub fn new(options: SearchOptions) -> Result<Search, MemoryError> {
        let bytes = options.memory.max(1).saturating_mul(1 << 20);
        let trees = match Search::trees(bytes) {
            Ok(trees) => trees,
            // The user has asked for both trees together.
            Err(error) => Search::smaller_trees(MemoryError { asked: options.memory, ..error })?,
        };
        let [kept, aside] = trees;
        Ok(Search {
            kept,
            aside,
            time: options.time,
            threads: Threads::new(options.threads),
            partners: options.partners,
            number: partner::tree_number(),
        })
    }

    /// The kept tree and the one aside, which take so many bytes together.
    fn trees(bytes: usize) -> Result<[Grown; 2], MemoryError> {
        let aside = (bytes / ASIDE_PART).min(MOST_ASIDE);
        Ok([Grown::new(bytes - aside)?, Grown::new(aside)?])
    }

    /// Trees that take half of what the system would give, for it has refused more. The other half is for the threads,
    /// the nets and all the rest of the program.
    fn smaller_trees(refused: MemoryError) -> Result<[Grown; 2], MemoryError> {
        let mut memory = refused.most / 2;
        while memory > 0 {
            if let Ok(trees) = Search::trees(memory << 20) {
                log::warn!("{refused}; the search takes {memory} MiB");
                return Ok(trees);
            }
            memory /= 2;
        }
        Err(refused)
    }

    /// Changes the number of threads for all later searches.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = Threads::new(threads);
    }

    /// Empties both trees.
    pub fn forget(&mut self) {
        self.kept.forget();
        self.aside.forget();
    }

    /// The tree that is [kept](WhichTree::Kept), for inspection.
    pub fn tree(&self) -> &Tree {
        &self.kept.tree
    }

    /// The positions of the [kept](WhichTree::Kept) tree with at least so many visits, but for the root and for those
    /// after the move that is played. The tunables are those of the search.
    pub fn beside(&self, params: &Params, least: u64, played: Move) -> Vec<Beside> {
        beside::collect(&self.kept.tree, params, least, played)
    }

    /// Searches until a limit is reached or `control` stops the search. `watch` is called every few milliseconds, in
    /// the calling thread.
    ///
    /// # Errors
    /// If a thread panicked. Both trees are empty then.
    pub fn run(&mut self, request: &Request, control: &Control, watch: &mut Watch<'_>) -> Result<Report, SearchError> {
        let report = self.search(request, control, watch);
        match &report {
            Err(SearchError::Broken) => self.forget(),
            Ok(report) if request.knowledge.details && request.tree == WhichTree::Kept => {
                self.kept.details = Some(report.details.clone());
            }
            Ok(_) => {}
        }
        report
    }

    /// Searches until a limit is reached. Nobody can stop or watch the search.
    ///
    /// # Errors
    /// See [`Search::run`].
    pub fn run_alone(&mut self, request: &Request) -> Result<Report, SearchError> {
        self.run(request, &Control::new(), &mut |_| {})
    }

    fn search(&mut self, request: &Request, control: &Control, watch: &mut Watch<'_>) -> Result<Report, SearchError> {
        let pool = self.threads.pool();
        let time = &self.time;
        let start = time.now();
        let grown = match request.tree {
            WhichTree::Kept => &mut self.kept,
            WhichTree::Aside => &mut self.aside,
        };
        if request.tree == WhichTree::Aside {
            grown.forget();
        }
        let moves = grown.find_root(request);
        let beginning = Beginning { request, tree: self.number, moves: moves.as_deref() };
        let mut partner = partner::Part::begin(self.partners.as_ref(), &beginning);
        let round = partner.round();
        let watch: &mut Watch<'_> = &mut |running| {
            partner.look(running, control);
            watch(running);
        };
        let mut limits = request.limits;
        if let Some(visits) = limits.visits {
            let missing = visits.saturating_sub(grown.tree.node(grown.tree.root()).visits()).max(1);
            limits.playouts = Some(limits.playouts.map_or(missing, |most| most.min(missing)));
        }
        let give_up = || control.is_stopped() || limits.hard.is_some_and(|hard| time.since(start) >= hard);
        let mut part = Part { request, pool, time, start, control, round, number: 0 };
        let details = request.knowledge.details.then(|| grown.details.take().unwrap_or_else(Details::collecting));
        let knowledge = request.knowledge;
        let opinion = (knowledge.details || knowledge.spread).then(|| Opinion::of(request)).flatten();
        let is_alone = request.params.second_share_at(&request.position) >= 1.0;
        let spread_of_net = opinion.filter(|_| is_alone).map_or(0.0, |opinion| opinion.deviation);
        let details = details.map(|details| details.with_opinion(opinion));
        let mut sums = Sums { details, spread_of_net, ..Sums::default() };
        if limits.least > 0 {
            // No room is made here: that takes tenths of a second in a large tree, and somebody waits.
            grown.tree.reopen();
            let first = Limits { playouts: Some(limits.least), ..Limits::default() };
            let (report, why);
            (sums, report, why) = part.run(grown, first, sums, false, watch)?;
            if why == End::Broken {
                return Err(SearchError::Broken);
            }
            if control.is_stopped() || limits.playouts.is_some_and(|most| most <= limits.least) {
                return Ok(report);
            }
        }
        grown.prepare(&give_up);
        loop {
            let (report, why);
            (sums, report, why) = part.run(grown, limits, sums, true, watch)?;
            match why {
                End::Broken => return Err(SearchError::Broken),
                // A search ends at once. The next search makes room.
                End::Done => return Ok(report),
                End::Running | End::Full => {
                    if control.is_stopped() || !grown.make_room(&give_up) {
                        return Ok(report);
                    }
                }
            }
        }
    }
}

/// What the parts of one search have in common. A part ends when the tree is full; the next begins when there is room.
struct Part<'a> {
    request: &'a Request,
    /// `None` if the system gives no thread: the search runs in this one.
    pool: Option<&'a rayon::ThreadPool>,
    time: &'a TimeSource,
    start: std::time::Instant,
    control: &'a Control,
    /// Playouts between two looks, without a pool.
    round: u64,
    /// Parts so far.
    number: u64,
}

impl Part<'_> {
    /// Searches until a limit is reached or the tree is full. `heed` says whether limits by time and stops from outside
    /// count.
    fn run(
        &mut self,
        grown: &mut Grown,
        limits: Limits,
        sums: Sums,
        heed: bool,
        watch: &mut Watch<'_>,
    ) -> Result<(Sums, Report, End), SearchError> {
        let seed = self.request.seed.wrapping_add(self.number);
        self.number += 1;
        let threads = self.pool.map_or(1, rayon::ThreadPool::current_num_threads);
        let threads = self.request.threads.map_or(threads, |wanted| wanted.clamp(1, threads));
        let sums = self.open_root(grown, seed, sums)?;
        let shared = Shared::new(grown, self.request, limits, (self.start, self.time.now()), sums);
        walker::bar_root_moves(&shared);
        let running = Running { shared: &shared, time: self.time };
        let (request, control) = (self.request, self.control);
        if heed && control.is_stopped() {
            shared.end(End::Done);
        }
        let round = if self.pool.is_some() { ROUND } else { self.round };
        let work = |thread: usize, each_round: &mut dyn FnMut()| {
            let work = || {
                let rng = stream(seed, thread as u64);
                let evaluator = request.evaluators.evaluator(&request.params);
                Worker::new(&shared, evaluator, rng, thread == 0).run(round, each_round);
            };
            if catch_unwind(AssertUnwindSafe(work)).is_err() {
                shared.end(End::Broken);
            }
            shared.rest();
            control.call();
        };
        match self.pool {
            Some(pool) => pool.in_place_scope(|scope| {
                for thread in 0..threads {
                    let work = &work;
                    scope.spawn(move |_| work(thread, &mut || {}));
                }
                monitor::run(&running, threads, control, heed, watch);
            }),
            None => {
                work(0, &mut || monitor::look(&running, control, heed, watch));
                // The watcher is called at least once.
                monitor::look(&running, control, heed, watch);
            }
        }
        let (report, why) = (running.report(), shared.why());
        if !heed {
            watch(&running);
        }
        Ok((shared.into_sums(), report, why))
    }

    /// Makes the children of the root if the root has none. A tree without room for them is emptied first.
    fn open_root(&self, grown: &mut Grown, seed: u64, mut sums: Sums) -> Result<Sums, SearchError> {
        for attempt in 0..2 {
            let shared = Shared::new(grown, self.request, Limits::default(), (self.start, self.start), sums);
            let open = || {
                let mut evaluator = self.request.evaluators.evaluator(&self.request.params);
                // The root has a stream of random numbers of its own.
                let mut rng = stream(seed, u64::MAX);
                Walker::new(&shared, &*evaluator).open_root(&mut *evaluator, &mut rng);
            };
            catch_unwind(AssertUnwindSafe(open)).map_err(|_| SearchError::Broken)?;
            sums = shared.into_sums();
            let root = grown.tree.node(grown.tree.root());
            if attempt == 0 && grown.tree.is_full() && grown.tree.children(root).is_empty() {
                // The positions of the tree are forgotten, too. Otherwise they would lead to nodes of others.
                grown.clear();
            } else {
                break;
            }
        }
        Ok(sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{Position, Ruleset};

    #[test]
    fn without_a_thread_the_search_runs_in_the_one_that_asks() {
        let search = || Search::new(SearchOptions { memory: 4, ..SearchOptions::default() }).expect("memory");
        let mut request = Request::new(Position::new(5, Ruleset::default()), 15);
        request.limits.playouts = Some(500);
        let usual = search().run_alone(&request).expect("a report");
        let mut poor = search();
        poor.threads = Threads::refused();
        let report = poor.run_alone(&request).expect("a report");
        let visits = |report: &Report| report.moves.iter().map(|mv| (mv.mv, mv.visits)).collect::<Vec<_>>();
        assert_eq!(visits(&report), visits(&usual));
        // It can be watched and stopped, and time ends it.
        request.limits.playouts = None;
        let control = Control::new();
        let mut looks = 0;
        poor.run(&request, &control, &mut |_| {
            looks += 1;
            if looks == 3 {
                control.stop();
            }
        })
        .expect("a report");
        assert!(looks >= 3);
        request.limits.hard = Some(std::time::Duration::from_millis(5));
        poor.run_alone(&request).expect("a report");
    }
}
