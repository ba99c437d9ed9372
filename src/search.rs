//! Monte Carlo tree search: one lock-free tree, many threads, subtrees kept from move to move.
//!
//! It takes a [`Position`] and [`Limits`]; it knows no game, no clock and no protocol.

pub mod arena;
pub mod criticality;
pub mod evaluate;
pub mod limits;
pub mod node;
pub mod ownership;
pub mod params;
pub mod prior;
pub mod report;
pub mod select;
pub mod study;
pub mod tree;
pub mod worker;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use crate::go::{Color, Move, Point, Position};
use crate::playout::{PolicyKind, stream};

pub use evaluate::Evaluator;
pub use limits::{EarlyStop, Limits};
pub use ownership::Ownership;
pub use params::Params;
pub use report::{MoveReport, Report};
pub use study::{Details, Restriction, Study};
use tree::Tree;
use worker::{Choice, Shared, Worker, shared_lock};

/// What a search is made of, chosen once.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Threads that search.
    pub threads: usize,
    /// MiB of the tree, at the most.
    pub memory: usize,
    /// Seed of the random numbers.
    pub seed: u64,
    /// What plays the playouts.
    pub policy: PolicyKind,
    /// The tunables of the search.
    pub params: Params,
}

/// What is to be searched.
pub struct Request<'a> {
    /// The position.
    pub position: &'a Position,
    /// Hash of the stones before the first of `moves`.
    pub start_hash: u64,
    /// The moves that led to it from the start of the game: what lets a later search find its subtree again.
    pub moves: &'a [(Color, Move)],
    /// Komi and compensation in half points.
    pub komi: i32,
    /// When to end.
    pub limits: Limits,
    /// The moves to look at; all legal ones if there are none named.
    pub only: Option<&'a [Move]>,
    /// Play every playout to its end, for the sake of who owns what?
    pub to_the_end: bool,
    /// Of moves that are images of each other on a symmetric board, look at one alone?
    pub merge_twins: bool,
}

impl<'a> Request<'a> {
    /// A search of all moves of a position of which no history is known, without limits.
    pub fn new(position: &'a Position, komi: i32) -> Request<'a> {
        Request {
            position,
            start_hash: 0,
            moves: &[],
            komi,
            limits: Limits::default(),
            only: None,
            to_the_end: false,
            merge_twins: false,
        }
    }
}

/// What the tree belongs to.
#[derive(Clone, PartialEq)]
struct Lineage {
    start_hash: u64,
    moves: Vec<(Color, Move)>,
    to_move: Color,
    komi: i32,
    rules: crate::go::Ruleset,
    size: usize,
    only: Option<Vec<Move>>,
    restrictions: Vec<Restriction>,
    /// Have twins been left out in some of it?
    merged_twins: bool,
}

/// Makes the evaluators of the threads.
type Evaluators = dyn Fn(&Options, bool) -> Box<dyn Evaluator> + Send + Sync;

/// A search and what it remembers.
pub struct Search {
    options: Options,
    evaluators: Box<Evaluators>,
    tree: Tree,
    pool: Option<rayon::ThreadPool>,
    lineage: Option<Lineage>,
    searches: u64,
}

/// Nodes with fewer visits lose their children when the tree is full (Fuego: 16).
const PRUNE_BELOW: u32 = 16;

/// A search of no more playouts than this answers at once: it makes no room in the tree, which takes tenths of a second
/// when much memory is in use, and ends when there is none. Live analysis begins with one.
const BRIEF: u64 = 8;

/// Stack of a search thread: the deepest recursion is a ladder across the largest board.
const STACK_BYTES: usize = 4 << 20;

impl Search {
    /// A search by playouts with these options. Threads are started with the first search.
    pub fn new(options: Options) -> Search {
        Search::with_evaluators(options, |options, to_the_end| {
            evaluate::playouts(options.policy, &options.params, to_the_end)
        })
    }

    /// A search with evaluators of one's own, such as a net: `make` is called for each thread of each search, with
    /// what [`Request::to_the_end`] says.
    pub fn with_evaluators(
        options: Options,
        make: impl Fn(&Options, bool) -> Box<dyn Evaluator> + Send + Sync + 'static,
    ) -> Search {
        let evaluators = Box::new(make);
        Search { tree: Tree::new(options.memory), options, evaluators, pool: None, lineage: None, searches: 0 }
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes options; what was searched before is forgotten.
    pub fn set_options(&mut self, options: Options) {
        if options.memory != self.options.memory {
            self.tree = Tree::new(options.memory);
        }
        if options.threads != self.options.threads {
            self.pool = None;
        }
        self.options = options;
        self.forget();
    }

    /// Forgets what was searched before. The next search is as good as the first.
    pub fn forget(&mut self) {
        self.tree.clear();
        self.lineage = None;
        self.searches = 0;
    }

    /// Searches until a limit is reached or `stop` is set. `progress` is called many times a second with a way to
    /// make an intermediate report.
    pub fn run(
        &mut self,
        request: &Request<'_>,
        stop: &AtomicBool,
        progress: &mut (dyn FnMut(&dyn Fn() -> Report) + Send),
    ) -> Report {
        self.study(request, &Study::default(), stop, progress)
    }

    /// The same, with what live analysis asks for besides.
    pub fn study(
        &mut self,
        request: &Request<'_>,
        study: &Study,
        stop: &AtomicBool,
        progress: &mut (dyn FnMut(&dyn Fn() -> Report) + Send),
    ) -> Report {
        let start = Instant::now();
        let limits = request.limits;
        let give_up = || stop.load(Relaxed) || limits.hard.is_some_and(|hard| start.elapsed() >= hard);
        let is_brief = limits.playouts.is_some_and(|playouts| playouts <= BRIEF);
        self.find_root(request, study);
        if is_brief {
            self.tree.reopen();
        } else if self.tree.used() > self.tree.capacity() / 2 {
            self.tree.compact(0, &give_up);
        }
        let last = last_points(request);
        let mut ownership = Ownership::default();
        let mut details = study.details.then(Details::collecting);
        let mut playouts = 0;
        let seed = self.options.seed.wrapping_add(self.searches.wrapping_mul(0xd134_2543_de82_ef95));
        self.searches += 1;
        let mut passes = 0;
        loop {
            self.open_root(request, choice(request, study), last);
            let pool = pool(&mut self.pool, self.options.threads);
            let shared = Shared {
                tree: &self.tree,
                root: request.position,
                last,
                komi: request.komi,
                params: &self.options.params,
                limits,
                start,
                playouts: AtomicU64::new(playouts),
                stop,
                done: AtomicBool::new(false),
                ownership: Mutex::new(std::mem::take(&mut ownership)),
                choice: choice(request, study),
                details: details.take().map(Mutex::new),
            };
            let progress = Mutex::new(&mut *progress);
            pool.broadcast(|thread| {
                let rng = stream(seed.wrapping_add(passes), thread.index() as u64);
                let evaluator = (self.evaluators)(&self.options, request.to_the_end);
                let mut worker = Worker::new(&shared, evaluator, rng);
                if study.details {
                    worker.sample_with((self.evaluators)(&self.options, true));
                }
                if thread.index() == 0 {
                    let mut progress = shared_lock(&progress);
                    let mut watch = |shared: &Shared<'_>| {
                        shared.check_limits();
                        progress(&|| report(shared));
                    };
                    worker.run(Some(&mut watch));
                } else {
                    worker.run(None);
                }
            });
            playouts = shared.playouts.load(Relaxed);
            let ended = shared.done.load(Relaxed) || stop.load(Relaxed);
            let full = self.tree.is_full();
            let result = report(&shared);
            ownership = shared.ownership.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
            details = shared.details.map(|kept| kept.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner));
            // A search that ends does so at once: making room is left to the next one.
            if ended || !full || is_brief || !self.make_room(&give_up) {
                return result;
            }
            passes += 1;
        }
    }

    /// Moves the root to the position of the request if the tree knows it; starts afresh otherwise.
    fn find_root(&mut self, request: &Request<'_>, study: &Study) {
        let lineage = Lineage {
            start_hash: request.start_hash,
            moves: request.moves.to_vec(),
            to_move: request.position.to_move(),
            komi: request.komi,
            rules: *request.position.rules(),
            size: request.position.size(),
            only: request.only.map(<[Move]>::to_vec),
            restrictions: study.restrictions.clone(),
            merged_twins: request.merge_twins,
        };
        let old = self.lineage.take();
        let merged = old.as_ref().is_some_and(|old| old.merged_twins);
        // Twins may have been left out before that are wanted now.
        let lacks_twins = merged && !request.merge_twins && prior::twins::are_possible(request.position.board());
        let kept = !lacks_twins && old.is_some_and(|old| self.advance_to(&old, &lineage));
        if !kept {
            self.tree.clear();
        }
        self.lineage = Some(Lineage { merged_twins: request.merge_twins || kept && merged, ..lineage });
    }

    fn advance_to(&mut self, old: &Lineage, new: &Lineage) -> bool {
        let same_game =
            (old.komi, old.rules, old.size, old.start_hash) == (new.komi, new.rules, new.size, new.start_hash);
        // A tree in which moves were left out serves no other search.
        if !same_game || old.only.is_some() || new.only.is_some() || !new.moves.starts_with(&old.moves) {
            return false;
        }
        let unrestricted = old.restrictions.is_empty() && new.restrictions.is_empty();
        if !unrestricted && (&old.restrictions, &old.moves) != (&new.restrictions, &new.moves) {
            return false;
        }
        let mut to_move = old.to_move;
        for &(color, mv) in &new.moves[old.moves.len()..] {
            if color != to_move || !self.tree.advance(mv) {
                return false;
            }
            to_move = color.other();
        }
        to_move == new.to_move
    }

    /// Makes the children of the root if it has none, and bars those that superko forbids.
    fn open_root(&mut self, request: &Request<'_>, choice: Choice<'_>, last: [Point; 2]) {
        for attempt in 0..2 {
            let root = self.tree.root();
            let is_leaf = self.tree.children(self.tree.node(root)).is_empty();
            if is_leaf && self.tree.node(root).claim() {
                let mut candidates = Vec::new();
                let mut tools = prior::Tools::new(request.position.size());
                let mut evaluator = (self.evaluators)(&self.options, request.to_the_end);
                let mut context = prior::Context { position: request.position, last, tools: &mut tools };
                let evaluator = &mut *evaluator;
                worker::expand_within(&self.tree, root, &mut context, evaluator, choice, 0, &mut candidates);
            }
            if attempt == 0 && is_leaf && self.tree.is_full() {
                self.tree.clear();
            }
        }
        worker::bar_root_moves(&self.tree, request.position, request.only);
    }

    /// Throws away the least visited nodes until a quarter of the tree is free. `false` if it gave up.
    fn make_room(&mut self, give_up: &dyn Fn() -> bool) -> bool {
        let mut least = PRUNE_BELOW;
        loop {
            if !self.tree.compact(least, give_up) {
                return false;
            }
            if self.tree.used() <= self.tree.capacity() / 4 * 3 || least > u32::MAX / 4 {
                return true;
            }
            least *= 2;
        }
    }
}

fn pool(pool: &mut Option<rayon::ThreadPool>, threads: usize) -> &rayon::ThreadPool {
    pool.get_or_insert_with(|| {
        // A machine that refuses that many threads may still give one.
        [threads.max(1), 1]
            .into_iter()
            .find_map(|n| {
                rayon::ThreadPoolBuilder::new()
                    .num_threads(n)
                    .stack_size(STACK_BYTES)
                    .thread_name(|i| format!("search-{i}"))
                    .build()
                    .map_err(|error| log::error!("cannot start {n} search threads: {error}"))
                    .ok()
            })
            .expect("the system gives a process no second thread")
    })
}

/// Which moves get children. One of twins could be just the one that is asked for, so they stay then.
fn choice<'a>(request: &Request<'_>, study: &'a Study) -> Choice<'a> {
    let restrictions = &study.restrictions[..];
    let merge_twins = request.merge_twins && request.only.is_none() && restrictions.is_empty();
    Choice { restrictions, merge_twins, factors: None }
}

/// The points of the last two moves.
fn last_points(request: &Request<'_>) -> [Point; 2] {
    let mut points = request.moves.iter().rev().map(|(_, mv)| mv.point().unwrap_or(Point::NONE));
    [points.next().unwrap_or(Point::NONE), points.next().unwrap_or(Point::NONE)]
}

/// The longest variation that a report holds.
const VARIATION: usize = 20;

fn report(shared: &Shared<'_>) -> Report {
    let tree = shared.tree;
    let root = tree.node(tree.root());
    let value = 1.0 - root.value().unwrap_or(0.5);
    let mut moves: Vec<MoveReport> = tree
        .children(root)
        .iter()
        .filter(|child| child.children_raw() != node::ILLEGAL)
        .map(|child| {
            let (variation, variation_visits) = variation(tree, child);
            MoveReport {
                mv: child.mv(),
                visits: child.visits(),
                value: child.value().unwrap_or(value),
                prior: child.prior(),
                variation,
                variation_visits,
            }
        })
        .collect();
    moves.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.value.total_cmp(&a.value)).then(b.prior.total_cmp(&a.prior)));
    Report {
        moves,
        playouts: shared.playouts.load(Relaxed),
        elapsed: shared.start.elapsed(),
        value,
        visits: root.visits(),
        nodes: tree.used(),
        ownership: shared_lock(&shared.ownership).clone(),
        details: shared.details.as_ref().map(|details| shared_lock(details).clone()).unwrap_or_default(),
    }
}

/// The expected continuation, and the visits of each of its moves.
fn variation(tree: &Tree, from: &node::Node) -> (Vec<Move>, Vec<u32>) {
    let mut moves = vec![from.mv()];
    let mut visits = vec![from.visits()];
    let mut at = from;
    while moves.len() < VARIATION {
        match tree.children(at).iter().max_by_key(|child| child.visits()) {
            Some(child) if child.visits() > 0 => {
                moves.push(child.mv());
                visits.push(child.visits());
                at = child;
            }
            _ => break,
        }
    }
    (moves, visits)
}
