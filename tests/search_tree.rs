//! The tree: its invariants under many threads, bounded memory, and its reuse from move to move.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use kosumi::go::rules::TROMP_TAYLOR;
use kosumi::go::{Move, Point, Position};
use kosumi::playout::{PolicyKind, Rng, stream};
use kosumi::search::evaluate::{self, Evaluation, Evaluator, Leaf};
use kosumi::search::node::{BUSY, ILLEGAL, LEAF};
use kosumi::search::prior::Tools;
use kosumi::search::tree::Tree;
use kosumi::search::worker::{self, Choice, Shared, Worker};
use kosumi::search::{Limits, Options, Ownership, Params, Report, Search};

use crate::support::searched::{Line, check_report, options, search};

#[test]
fn reports_hold_together_with_eight_threads() {
    for size in [2, 5, 9, 13, 19] {
        let line = Line::empty(size);
        let mut searcher = Search::new(Options { threads: 8, ..options() });
        let report = search(&mut searcher, &line, 2000);
        check_report(&report, &line.position);
        assert_eq!(report.playouts, 2000, "not one playout more or less");
        let below: u32 = report.moves.iter().map(|m| m.visits).sum();
        assert_eq!(below, report.visits, "each playout goes through one child of the root");
        // On the smallest boards some ways down end at superko; they are no visits.
        assert!(u64::from(report.visits) <= report.playouts);
        if size >= 9 {
            assert_eq!(u64::from(report.visits), report.playouts);
            // Playouts that were stopped early know nothing of owners.
            assert!((1..=2000).contains(&report.ownership.playouts()));
        }
    }
}

/// The whole tree after a search with eight threads, which the reports do not show.
#[test]
fn a_tree_of_eight_threads_is_sound() {
    let line = Line::empty(9);
    let tree = Tree::new(16);
    let params = Params { expand_after: 2.0, ..Params::default() };
    let (stop, no) = (AtomicBool::new(false), [Point::NONE; 2]);
    assert!(tree.node(tree.root()).claim());
    let mut evaluator = evaluate::playouts(PolicyKind::Tactical, &params, false);
    let mut tools = Tools::new(line.position.size());
    worker::expand(&tree, tree.root(), &line.position, no, &mut *evaluator, &mut tools, &mut Vec::new());
    let shared = Shared {
        choice: Choice::default(),
        details: None,
        tree: &tree,
        root: &line.position,
        last: no,
        komi: 15,
        params: &params,
        limits: Limits { playouts: Some(4000), ..Limits::default() },
        start: Instant::now(),
        playouts: AtomicU64::new(0),
        stop: &stop,
        done: AtomicBool::new(false),
        ownership: Mutex::new(Ownership::default()),
    };
    std::thread::scope(|scope| {
        for i in 0..8 {
            let shared = &shared;
            scope.spawn(move || {
                Worker::new(shared, evaluate::playouts(PolicyKind::Tactical, &Params::default(), false), stream(1, i))
                    .run(None)
            });
        }
    });
    assert_eq!(tree.node(tree.root()).visits(), 4000);
    let mut nodes = 1;
    let mut paths = vec![(tree.root(), line.position.clone())];
    while let Some((index, position)) = paths.pop() {
        let node = tree.node(index);
        assert_eq!(node.virtual_losses(), 0, "a thread has not come back");
        assert_ne!(node.children_raw(), BUSY, "children are left half made");
        let value = node.value().unwrap_or(0.5);
        assert!((0.0..=1.0).contains(&value), "{value}");
        let (weight, mean) = node.amaf();
        assert!(weight >= 0.0 && (0.0..=1.0).contains(&mean), "{weight} {mean}");
        if matches!(node.children_raw(), LEAF | ILLEGAL) {
            continue;
        }
        let children = tree.children(node);
        nodes += children.len();
        let below: u32 = children.iter().map(|child| child.visits()).sum();
        // Threads that arrive while another makes the children end their way there, and so do the first visits.
        assert!(below <= node.visits(), "{below} of {}", node.visits());
        if index == tree.root() {
            assert_eq!(below, node.visits());
        }
        let priors: f32 = children.iter().map(|child| child.prior()).sum();
        assert!((0.98..=1.001).contains(&priors), "priors are shares of one: {priors}");
        for (i, child) in children.iter().enumerate() {
            let mut after = position.clone();
            let legal = after.play(child.mv()).is_ok();
            assert!(legal || child.children_raw() == ILLEGAL || child.visits() == 0, "an illegal move was played");
            if legal {
                paths.push((node.children_raw() + i as u32, after));
            }
        }
    }
    // Two are there from the start: the one that is not used, and the root.
    assert!(nodes < tree.used() && tree.used() <= nodes + 1 + 81 * 8, "{nodes} nodes reached, {} in use", tree.used());
}

#[test]
fn a_full_tree_is_pruned_and_never_outgrows_its_memory() {
    let params = Params { expand_after: 1.0, ..Params::default() };
    let capacity = Tree::new(1).capacity();
    assert!(capacity * size_of::<kosumi::search::node::Node>() <= 1 << 20);
    for (threads, size) in [(1, 9), (8, 9), (8, 19), (3, 25)] {
        let mut searcher = Search::new(Options {
            threads,
            memory: 1,
            params: params.clone(),
            policy: PolicyKind::Uniform,
            ..options()
        });
        let mut line = Line::empty(size);
        for _ in 0..2 {
            let most = Mutex::new(0);
            let mut watch = |report: &dyn Fn() -> Report| {
                let mut most = most.lock().unwrap();
                *most = report().nodes.max(*most);
            };
            let request = line.request(3000, None);
            let report = searcher.run(&request, &AtomicBool::new(false), &mut watch);
            // Without pruning it would hold a child for each point at each playout.
            assert!(report.playouts * (size * size / 2) as u64 > capacity as u64, "the tree was never full");
            assert_eq!(report.playouts, 3000, "the search goes on when the tree is full");
            assert!(report.nodes <= capacity && *most.lock().unwrap() <= capacity);
            check_report(&report, &line.position);
            let below: u32 = report.moves.iter().map(|m| m.visits).sum();
            assert!(below <= report.visits && u64::from(below) >= 3000, "{below} of {}", report.visits);
            line.play(report.best());
        }
    }
}

/// Sets a stop flag after so many evaluations.
struct Stopper {
    left: u32,
    stop: Arc<AtomicBool>,
}

impl Evaluator for Stopper {
    fn evaluate(&mut self, _: &Leaf<'_>, _: &mut Rng, evaluation: &mut Evaluation) {
        *evaluation = Evaluation::default();
        self.left = self.left.saturating_sub(1);
        self.stop.fetch_or(self.left == 0, Relaxed);
    }
}

#[test]
fn a_search_that_ends_with_a_full_tree_is_gone_on_with() {
    let params = Params { expand_after: 1.0, ..Params::default() };
    let line = Line::empty(25);
    // Some number of playouts fills the tree with the very last of them.
    let (mut searcher, stopped) = (1..200)
        .find_map(|playouts| {
            let stop = Arc::new(AtomicBool::new(false));
            let flag = Arc::clone(&stop);
            let options = Options { memory: 1, params: params.clone(), ..options() };
            let mut searcher = Search::with_evaluators(options, move |_, _| {
                Box::new(Stopper { left: playouts, stop: Arc::clone(&flag) })
            });
            let report = searcher.run(&line.request(10_000, None), &stop, &mut |_| {});
            (report.nodes == Tree::new(1).capacity()).then_some((searcher, report))
        })
        .expect("a search that ends with a full tree");
    let go_on = |searcher: &mut Search, playouts| {
        searcher.run(&line.request(playouts, None), &AtomicBool::new(false), &mut |_| {})
    };
    // One that is to end at once, and a brief one, which makes no room, know what was found.
    let report = searcher.run(&line.request(1000, None), &AtomicBool::new(true), &mut |_| {});
    assert_eq!((report.playouts, report.visits), (0, stopped.visits));
    assert_eq!(report.moves.len(), stopped.moves.len());
    let brief = go_on(&mut searcher, 8);
    assert!((1..=8).contains(&brief.playouts), "{} playouts", brief.playouts);
    assert_eq!(u64::from(brief.visits), u64::from(stopped.visits) + brief.playouts);
    let long = go_on(&mut searcher, 500);
    assert_eq!(long.playouts, 500);
    assert_eq!(u64::from(long.visits), u64::from(brief.visits) + 500);
    check_report(&long, &line.position);
}

#[test]
fn the_tree_is_kept_from_move_to_move() {
    let mut searcher = Search::new(options());
    let mut line = Line::empty(9);
    let first = search(&mut searcher, &line, 2000);
    let (ours, theirs) = (first.moves[0].mv, first.moves[0].variation[1]);
    line.play(ours);
    line.play(theirs);
    let second = search(&mut searcher, &line, 1);
    assert_eq!(second.playouts, 1);
    assert!(second.visits > 10, "{} visits come from the first search", second.visits);
    assert!(second.visits < first.moves[0].visits);
    check_report(&second, &line.position);
    // The same position by another way, another game, other rules or komi: from scratch.
    let mut other = line.clone();
    other.moves[0].1 = Move::Pass;
    assert_eq!(search(&mut searcher, &other, 1).visits, 1);
    for change in 0..4 {
        let mut searcher = Search::new(options());
        let mut line = Line::empty(9);
        let best = search(&mut searcher, &line, 1000).best();
        line.play(best);
        if change == 3 {
            line.position = Position::new(9, TROMP_TAYLOR);
            line.position.play(best).expect("a legal move");
        }
        let mut request = line.request(1, None);
        match change {
            0 => request.start_hash ^= 1,
            1 => request.komi += 1,
            2 => searcher.forget(),
            _ => {}
        }
        let report = searcher.run(&request, &AtomicBool::new(false), &mut |_| {});
        assert_eq!(report.visits, 1, "change {change}");
    }
    // Undo, too.
    let mut searcher = Search::new(options());
    let before = line.clone();
    line.play(Move::Pass);
    search(&mut searcher, &line, 100);
    assert_eq!(search(&mut searcher, &before, 1).visits, 1);
}
