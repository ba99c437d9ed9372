//! The tree: its invariants under many threads, bounded memory, and its reuse from move to move.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use kosumi::go::rules::TROMP_TAYLOR;
use kosumi::go::{Color, Move, Position};
use kosumi::playout::{PolicyKind, Rng};
use kosumi::search::evaluate::{Evaluator, Leaf};
use kosumi::search::node::Children;
use kosumi::search::{Control, Evaluators, Params, Report, Request, Running, Search, SearchOptions};

use crate::support::searched::{Line, check_report, options, point, run, search, searcher};

#[test]
fn reports_hold_together_with_eight_threads() {
    for size in [2, 5, 9, 13, 19] {
        let line = Line::empty(size);
        let mut searcher = searcher(SearchOptions { threads: 8, ..options() });
        let report = search(&mut searcher, &line, 2000);
        check_report(&report, &line.position);
        assert_eq!(report.playouts, 2000, "not one playout more or less");
        let below: u64 = report.moves.iter().map(|m| m.visits).sum();
        assert_eq!(below, report.visits, "each playout goes through one child of the root");
        // On the smallest boards some ways down end at superko; they are no visits.
        assert!(report.visits <= report.playouts);
        if size >= 9 {
            assert_eq!(report.visits, report.playouts);
            // Playouts that were stopped early know nothing of owners.
            assert!((1..=2000).contains(&report.ownership.playouts()));
        }
    }
}

/// The whole tree after a search, which the reports do not show.
#[test]
fn a_tree_of_many_threads_is_sound() {
    for threads in [1, 2, 3, 8, 64] {
        for seed in 0..3 {
            look_at_the_tree(threads, seed);
        }
    }
}

fn look_at_the_tree(threads: usize, seed: u64) {
    let line = Line::empty(9);
    let mut searcher = searcher(SearchOptions { threads, ..options() });
    let params = Params { expand_after: 2.0, ..Params::default() };
    run(&mut searcher, &Request { params, seed, ..line.request(4000, None) });
    let tree = searcher.tree();
    assert_eq!(tree.node(tree.root()).visits(), 4000);
    let mut nodes = 1;
    let mut paths = vec![(tree.root(), line.position.clone())];
    while let Some((index, position)) = paths.pop() {
        let node = tree.node(index);
        assert_eq!(node.descents(), 0, "a thread has not come back");
        assert_ne!(node.children(), Children::BeingMade, "children are left half made");
        let value = node.value().unwrap_or(0.5);
        assert!((0.0..=1.0).contains(&value), "{value}");
        let (weight, mean) = node.amaf();
        assert!(weight >= 0.0 && (0.0..=1.0).contains(&mean), "{weight} {mean}");
        let Children::At(first) = node.children() else { continue };
        let children = tree.siblings(first);
        nodes += children.len();
        let below: u64 = children.iter().map(|child| child.visits()).sum();
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
            assert!(legal || child.is_barred() || child.visits() == 0, "an illegal move was played");
            if legal {
                paths.push((first.sibling(i), after));
            }
        }
    }
    // Two are there from the start: the one that is not used, and the root.
    let used = tree.nodes();
    assert!(nodes < used && used <= nodes + 1 + 81 * threads, "{nodes} nodes reached, {used} in use");
}

#[test]
fn a_full_tree_is_pruned_and_never_outgrows_its_memory() {
    let params = Params { expand_after: 1.0, ..Params::default() };
    let capacity = searcher(SearchOptions { memory: 1, ..options() }).tree().capacity();
    assert!(capacity * size_of::<kosumi::search::node::Node>() <= 1 << 20);
    for (threads, size) in [(1, 9), (8, 9), (8, 19), (3, 25)] {
        let mut searcher = searcher(SearchOptions { threads, memory: 1, ..options() });
        let mut line = Line::empty(size);
        for _ in 0..2 {
            let most = Cell::new(0);
            let request = Request {
                params: params.clone(),
                evaluators: Evaluators::Playouts(PolicyKind::Uniform),
                ..line.request(3000, None)
            };
            let report = searcher
                .run(&request, &Control::new(), &mut |running| most.set(running.report().nodes.max(most.get())))
                .expect("a search");
            // Without pruning it would hold a child for each point at each playout.
            assert!(report.playouts * (size * size / 2) as u64 > capacity as u64, "the tree was never full");
            assert_eq!(report.playouts, 3000, "the search goes on when the tree is full");
            assert!(report.nodes <= capacity && most.get() <= capacity);
            check_report(&report, &line.position);
            let below: u64 = report.moves.iter().map(|m| m.visits).sum();
            assert!(below <= report.visits && below >= 3000, "{below} of {}", report.visits);
            line.play(report.best());
        }
    }
}

/// Stops the search after so many evaluations.
struct Stopper {
    left: u32,
    control: Arc<Control>,
    /// Set when the monitor has noticed.
    noticed: Arc<AtomicBool>,
}

impl Evaluator for Stopper {
    fn evaluate(&mut self, _: &mut Leaf, _: &mut Rng) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.control.stop();
            while !self.noticed.load(Relaxed) {
                std::thread::yield_now();
            }
        }
    }
}

#[test]
fn a_search_that_ends_with_a_full_tree_is_gone_on_with() {
    let params = Params { expand_after: 1.0, ..Params::default() };
    let line = Line::empty(25);
    let full = |search: &Search| search.tree().is_full();
    // Some number of playouts fills the tree with the very last of them.
    let (mut searcher, stopped, evaluators) = (1..200)
        .find_map(|playouts| {
            let control = Arc::new(Control::new());
            let noticed = Arc::new(AtomicBool::new(false));
            let shared = (Arc::clone(&control), Arc::clone(&noticed));
            let evaluators = Evaluators::made(move |_| {
                let (control, noticed) = shared.clone();
                Box::new(Stopper { left: playouts, control, noticed })
            });
            let mut searcher = searcher(SearchOptions { memory: 1, ..options() });
            let request =
                Request { params: params.clone(), evaluators: evaluators.clone(), ..line.request(10_000, None) };
            // The monitor looks at the control before it calls its watcher. So it has noticed what the watcher saw the
            // last time.
            let mut was_stopped = false;
            let mut watch = |_: &Running<'_>| {
                noticed.fetch_or(was_stopped, Relaxed);
                was_stopped = control.is_stopped();
            };
            let report = searcher.run(&request, &control, &mut watch).expect("a search");
            full(&searcher).then_some((searcher, report, evaluators))
        })
        .expect("a search that ends with a full tree");
    let request =
        |playouts| Request { params: params.clone(), evaluators: evaluators.clone(), ..line.request(playouts, None) };
    // One that is to end at once, and one that has only to begin, which makes no room, know what was found.
    let stopped_at_once = Control::new();
    stopped_at_once.stop();
    let report = searcher.run(&request(1000), &stopped_at_once, &mut |_| {}).expect("a search");
    assert_eq!((report.playouts, report.visits), (0, stopped.visits));
    assert_eq!(report.moves.len(), stopped.moves.len());
    let mut brief = request(1000);
    brief.limits.least = 8;
    let brief = searcher.run(&brief, &stopped_at_once, &mut |_| {}).expect("a search");
    assert!((1..=8).contains(&brief.playouts), "{} playouts", brief.playouts);
    assert_eq!(brief.visits, stopped.visits + brief.playouts);
    let long = run(&mut searcher, &request(500));
    assert_eq!(long.playouts, 500);
    assert_eq!(long.visits, brief.visits + 500);
    check_report(&long, &line.position);
}

#[test]
fn the_tree_is_kept_from_move_to_move() {
    let mut kept = searcher(options());
    let mut line = Line::empty(9);
    let first = search(&mut kept, &line, 2000);
    let (ours, theirs) = (first.moves[0].mv, first.moves[0].variation[1]);
    line.play(ours);
    line.play(theirs);
    let second = search(&mut kept, &line, 1);
    assert_eq!(second.playouts, 1);
    assert!(second.visits > 10, "{} visits come from the first search", second.visits);
    assert!(second.visits < first.moves[0].visits);
    check_report(&second, &line.position);
    // The same position by another way, another game, other rules or komi: from scratch.
    let mut other = line.clone();
    other.moves[0].1 = Move::Pass;
    assert_eq!(search(&mut kept, &other, 1).visits, 1);
    for change in 0..4 {
        let mut kept = searcher(options());
        let mut line = Line::empty(9);
        let best = search(&mut kept, &line, 1000).best();
        line.play(best);
        if change == 3 {
            line.position = Position::new(9, TROMP_TAYLOR);
            line.position.play(best).expect("a legal move");
        }
        let mut request = line.request(1, None);
        match change {
            0 => request.history.start_hash ^= 1,
            1 => request.komi += 1,
            2 => kept.forget(),
            _ => {}
        }
        let report = run(&mut kept, &request);
        assert_eq!(report.visits, 1, "change {change}");
    }
    // Undo, too.
    let mut kept = searcher(options());
    let before = line.clone();
    line.play(Move::Pass);
    search(&mut kept, &line, 100);
    assert_eq!(search(&mut kept, &before, 1).visits, 1);
}

#[test]
fn a_game_that_is_played_on_begins_without_the_result_of_its_end() {
    let mut kept = searcher(options());
    // White has nothing to play but a pass, which ends the game.
    let picture = "
        . O O O O
        O O O O O
        O O O O O
        O O O O O
        O O O O .";
    let mut line = Line::picture(picture, Color::Black);
    line.play(Move::Pass);
    let first = search(&mut kept, &line, 2000);
    assert_eq!((first.moves.len(), first.moves[0].mv, first.moves[0].visits), (1, Move::Pass, 2000));
    line.play(Move::Pass);
    assert!(line.position.is_over());
    line.position.reopen();
    assert_eq!(search(&mut kept, &line, 1).visits, 1);
}

#[test]
fn an_analysis_that_forgets_a_pass_does_not_go_on_in_a_tree_that_knows_it() {
    let mut kept = searcher(options());
    let mut known = Line::empty(5);
    known.play(Move::Play(point("C3", 5)));
    search(&mut kept, &known, 300);
    known.play(Move::Pass);
    let mut forgotten = known.clone();
    forgotten.position.open_for_analysis();
    assert_eq!(forgotten.position.consecutive_passes(), 0, "dead stones come off by agreement");
    assert_eq!(search(&mut kept, &forgotten, 100).visits, 100);
    assert_eq!(search(&mut kept, &forgotten, 1).visits, 101);
    assert_eq!(search(&mut kept, &known, 100).visits, 100);
    assert_eq!(search(&mut kept, &known, 1).visits, 101);
    // After a further move, both know the same.
    let best = search(&mut kept, &forgotten, 1000).best();
    assert_ne!(best, Move::Pass);
    forgotten.play(best);
    assert!(search(&mut kept, &forgotten, 1).visits > 100);
}

#[test]
fn samples_are_kept_with_the_tree() {
    let detailed = |line: &Line, playouts| {
        let mut request = line.request(playouts, None);
        request.knowledge.details = true;
        request
    };
    let samples = |report: &Report| report.details.all().playouts();
    let mut line = Line::empty(9);
    let mut searcher = searcher(options());
    let first = run(&mut searcher, &detailed(&line, 1000));
    assert_eq!(samples(&first), 128 + 44, "all at first, then one in twenty");
    // A search that is not asked for details has none, and leaves the sample as it is.
    let plain = search(&mut searcher, &line, 10);
    assert_eq!((samples(&plain), plain.margin), (0, None));
    let again = run(&mut searcher, &detailed(&line, 20));
    assert_eq!(samples(&again), samples(&first) + 1);
    // The samples of the move that is made are those of the next position.
    let below = again.details.below(again.best()).expect("the best move has samples").margins.total();
    line.play(again.best());
    let after = run(&mut searcher, &detailed(&line, 1));
    assert!((below..=below + 1).contains(&samples(&after)), "{} after {below}", samples(&after));
    // Another game knows nothing of this one.
    assert_eq!(samples(&run(&mut searcher, &detailed(&Line::empty(7), 10))), 10);
}
