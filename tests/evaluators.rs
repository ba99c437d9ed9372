//! Proves that an evaluator of any kind fits into the search: one that answers in batches after a delay, one that gives
//! a policy, one that counts what it is asked, one that errs, one that gives second values, one that panics.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kosumi::go::{Cell, Color, Move, Point, PointMap, Position, rules};
use kosumi::playout::Rng;
use kosumi::search::evaluate::{CERTAIN, Evaluator, Leaf};
use kosumi::search::folded::Folded;
use kosumi::search::node::Children;
use kosumi::search::transpositions::Key;
use kosumi::search::{Control, Evaluators, Params, Request, Search, SearchError, SearchOptions, WhichTree};

use crate::support::searched::{Line, alone, check_report, options, point, run, search, searcher};

/// What batches were given to an evaluator.
#[derive(Default)]
struct Batches {
    leaves: AtomicUsize,
    calls: AtomicUsize,
    largest: AtomicUsize,
}

/// Answers several leaves at once, and not at once.
struct Slow {
    batches: Arc<Batches>,
}

impl Evaluator for Slow {
    fn batch(&self) -> usize {
        6
    }

    fn evaluate(&mut self, leaf: &mut Leaf, rng: &mut Rng) {
        self.evaluate_all(&mut [leaf], rng);
    }

    fn evaluate_all(&mut self, leaves: &mut [&mut Leaf], _: &mut Rng) {
        std::thread::sleep(Duration::from_micros(200));
        self.batches.calls.fetch_add(1, Relaxed);
        self.batches.leaves.fetch_add(leaves.len(), Relaxed);
        self.batches.largest.fetch_max(leaves.len(), Relaxed);
        for leaf in leaves {
            // Whoever has more stones is ahead: a capture is worth something.
            let balance = leaf.position.board().stone_balance() as f32;
            leaf.evaluation.value = 0.5 + balance.clamp(-5.0, 5.0) / 10.0;
            leaf.evaluation.margin = balance;
        }
    }
}

#[test]
fn an_evaluator_may_answer_several_leaves_at_once_and_late() {
    for threads in [1, 3] {
        let batches = Arc::new(Batches::default());
        let shared = Arc::clone(&batches);
        let evaluators = Evaluators::made(move |_| Box::new(Slow { batches: Arc::clone(&shared) }));
        let line = Line::empty(9);
        let mut search = searcher(SearchOptions { threads, ..options() });
        let report = run(&mut search, &Request { evaluators, ..line.request(1500, None) });
        assert_eq!(report.playouts, 1500);
        assert_eq!(report.visits, 1500, "every leaf was answered, and counted once");
        check_report(&report, &line.position);
        assert_eq!(batches.leaves.load(Relaxed), 1500);
        assert_eq!(batches.largest.load(Relaxed), 6);
        assert!(batches.calls.load(Relaxed) < 1500 / 3, "{} calls", batches.calls.load(Relaxed));
        // Descents that wait count as lost visits, so they spread.
        assert!(report.moves.iter().filter(|m| m.visits > 0).count() > 6);
    }
}

#[test]
fn batches_are_the_same_every_time_with_one_thread() {
    let visits = || {
        let evaluators = Evaluators::made(|_| Box::new(Slow { batches: Arc::default() }));
        let report = run(&mut searcher(options()), &Request { evaluators, ..Line::empty(7).request(300, None) });
        report.moves.iter().map(|m| (m.mv, m.visits)).collect::<Vec<_>>()
    };
    assert_eq!(visits(), visits());
}

/// Stands for a net: it likes one point, for which it sees Black ahead, and is half sure that all is Black's.
struct Net {
    favourite: Point,
    /// Leaves for which a policy was wanted.
    opened: Arc<AtomicUsize>,
}

impl Evaluator for Net {
    fn knows_policy(&self) -> bool {
        true
    }

    fn evaluate(&mut self, leaf: &mut Leaf, _: &mut Rng) {
        let Leaf { position, evaluation, opens, .. } = leaf;
        let board = position.board();
        let has_it = board.cell(self.favourite) == Color::Black.cell();
        evaluation.value = if has_it { 0.75 } else { 0.25 };
        evaluation.margin = if has_it { 4.0 } else { -4.0 };
        for p in board.points() {
            evaluation.ownership[p] = CERTAIN / 2;
        }
        evaluation.knows_owners = true;
        if *opens {
            self.opened.fetch_add(1, Relaxed);
            evaluation.policy.is_known = true;
            evaluation.policy.plays = PointMap::filled(0.001);
            evaluation.policy.plays[self.favourite] = 10.0;
            evaluation.policy.pass = 0.01;
        }
    }
}

fn net(favourite: Point) -> (Evaluators, Arc<AtomicUsize>) {
    let opened = Arc::new(AtomicUsize::new(0));
    let shared = Arc::clone(&opened);
    (Evaluators::made(move |_| Box::new(Net { favourite, opened: Arc::clone(&shared) })), opened)
}

#[test]
fn a_net_can_take_the_place_of_playouts_and_prior() {
    // A point that playouts and the learned prior would hardly look at.
    let favourite = point("A1", 9);
    let (evaluators, opened) = net(favourite);
    let mut search = searcher(options());
    let report = run(&mut search, &Request { evaluators, ..Line::empty(9).request(400, None) });
    let best = &report.moves[0];
    assert_eq!(best.mv, Move::Play(favourite));
    assert!(best.prior > 0.9, "prior {}", best.prior);
    assert!((best.value - 0.75).abs() < 0.05, "value {}", best.value);
    let owned = report.ownership.of(point("E5", 9));
    assert!((owned - 0.5).abs() < 0.01, "ownership {owned}");
    // Each node with children was asked for once.
    let nodes_with_children = opened.load(Relaxed);
    assert!((2..400).contains(&nodes_with_children), "{nodes_with_children}");
}

#[test]
fn a_policy_waits_folded_until_the_second_visit_makes_children_of_it() {
    let favourite = point("A1", 9);
    let (evaluators, opened) = net(favourite);
    let params = Params { rave_equivalence: 0.0, expand_after: 0.0, exploration: 1.0, ..Params::default() };
    let mut search = searcher(options());
    run(&mut search, &Request { evaluators, params, ..Line::empty(9).request(400, None) });
    let tree = search.tree();
    let (mut folded, mut unfolded) = (0, 0);
    let mut open = vec![(tree.root(), None)];
    while let Some((id, before)) = open.pop() {
        let node = tree.node(id);
        match node.children() {
            // Nobody has been there, or two passes have ended the game.
            Children::None => assert!(node.visits() == 0 || node.mv() == Move::Pass && before == Some(Move::Pass)),
            Children::Folded(first) => {
                assert_eq!(node.visits(), 1);
                let moves: Vec<Folded> = tree.folded(first).collect();
                let pass = moves.last().expect("moves");
                assert_eq!(pass.mv, Move::Pass);
                assert!((pass.weight - 0.01).abs() < 1e-4);
                for folded in moves.iter().filter(|folded| folded.mv == Move::Play(favourite)) {
                    assert!((folded.weight - 10.0).abs() < 0.05);
                }
                folded += 1;
            }
            Children::At(first) => {
                assert!(node.visits() > 1);
                unfolded += 1;
                let before = (id != tree.root()).then(|| node.mv());
                open.extend((0..tree.siblings(first).len()).map(|i| (first.sibling(i), before)));
            }
            Children::BeingMade | Children::Barred => panic!("{:?}", node.children()),
        }
    }
    assert!(folded > 50, "{folded}");
    // Each position was asked about once.
    assert_eq!(opened.load(Relaxed), folded + unfolded);
}

/// Notes which positions it is asked about.
struct Noting {
    asked: Arc<Mutex<HashMap<Key, u32>>>,
}

impl Evaluator for Noting {
    fn knows_policy(&self) -> bool {
        true
    }

    fn evaluate(&mut self, leaf: &mut Leaf, rng: &mut Rng) {
        let key = Key::of(&leaf.position);
        if leaf.opens {
            *self.asked.lock().expect("one test").entry(key).or_default() += 1;
        }
        Hasty.evaluate(leaf, rng);
        // Positions differ, so a value that comes back is the one of its position.
        leaf.evaluation.value = (position_hash(&leaf.position) % 1000) as f32 / 1000.0;
    }
}

fn position_hash(position: &Position) -> u64 {
    position.board().hash() >> 7
}

#[test]
fn a_position_that_another_order_of_moves_has_reached_is_not_evaluated_again() {
    let search_with = |transpositions: f32, memory: usize, playouts: u64| {
        let asked = Arc::new(Mutex::new(HashMap::new()));
        let shared = Arc::clone(&asked);
        let evaluators = Evaluators::made(move |_| Box::new(Noting { asked: Arc::clone(&shared) }));
        let params = Params {
            rave_equivalence: 0.0,
            expand_after: 0.0,
            exploration: 1.0,
            bias_share: 0.35,
            transpositions,
            ..Params::default()
        };
        let mut search = searcher(SearchOptions { memory, ..options() });
        let request = Request { evaluators, params, ..Line::empty(9).request(playouts, None) };
        let report = run(&mut search, &request);
        assert_eq!((report.playouts, report.visits), (playouts, playouts));
        check_report(&report, &request.position);
        // The policy that is taken over is the one of the position: the few points that are liked, and no others.
        let liked = ["B2", "C2", "G2", "G3", "B8", "B7", "G8", "H8"].map(|name| point(name, 9));
        let tree = search.tree();
        let mut open = vec![tree.root()];
        while let Some(id) = open.pop() {
            let node = tree.node(id);
            let (visits, wins) = node.visits_and_sum();
            assert!((-1e-3..=visits as f64 + 1e-3).contains(&wins));
            match node.children() {
                Children::Folded(first) => {
                    let weights = tree.folded(first).filter(|folded| folded.weight > 0.5);
                    assert!(weights.into_iter().all(|Folded { mv, .. }| liked.iter().any(|&p| mv == Move::Play(p))));
                }
                Children::At(first) => open.extend((0..tree.siblings(first).len()).map(|i| first.sibling(i))),
                _ => {}
            }
        }
        let asked = asked.lock().expect("one test");
        (asked.len() as u32, asked.values().sum::<u32>())
    };
    let (positions, evaluations) = search_with(0.0, 64, 4000);
    assert!(evaluations > positions + 400, "orders of moves were expected: {evaluations} of {positions} positions");
    let (positions, evaluations) = search_with(1.0, 64, 4000);
    let again = evaluations - positions;
    assert!(again < positions / 20, "{again} of {positions} positions more than once: more than share an entry");
    assert!(evaluations < 3600, "{evaluations}");
    // When nodes of a full tree have moved, nothing is found at their old places.
    let (positions, evaluations) = search_with(1.0, 1, 4000);
    assert!(evaluations > positions, "a tree of this size was expected to be full");
}

/// Stops its search after so many evaluations. Values differ by position, so a wrong node shows.
struct Stopping {
    left: Arc<AtomicUsize>,
    control: Arc<Mutex<Arc<Control>>>,
}

impl Evaluator for Stopping {
    fn knows_policy(&self) -> bool {
        true
    }

    fn evaluate(&mut self, leaf: &mut Leaf, rng: &mut Rng) {
        Hasty.evaluate(leaf, rng);
        leaf.evaluation.value = (position_hash(&leaf.position) % 1000) as f32 / 1000.0;
        if self.left.fetch_sub(1, Relaxed) == 1 {
            self.control.lock().expect("one test").stop();
        }
    }
}

#[test]
fn a_full_tree_that_is_emptied_takes_its_positions_along() {
    let params =
        Params { rave_equivalence: 0.0, expand_after: 0.0, exploration: 1.0, transpositions: 1.0, ..Params::default() };
    // In the calling thread, so that it is certain when the search hears of the stop.
    let small = || searcher(SearchOptions { threads: 0, memory: 1, ..options() });
    let (left, control) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Arc::new(Control::new()))));
    let shared = (Arc::clone(&left), Arc::clone(&control));
    let evaluators =
        Evaluators::made(move |_| Box::new(Stopping { left: shared.0.clone(), control: shared.1.clone() }));
    let request =
        |line: &Line| Request { params: params.clone(), evaluators: evaluators.clone(), ..line.request(9000, None) };
    // A search that is stopped just when the tree is full leaves the tree full.
    let mut line = Line::empty(9);
    let mut search = (1..500)
        .find_map(|tries| {
            let mut search = small();
            left.store(20 * tries, Relaxed);
            let fresh = Arc::new(Control::new());
            *control.lock().expect("one test") = Arc::clone(&fresh);
            search.run(&request(&line), &fresh, &mut |_| {}).expect("a search");
            search.tree().is_full().then_some(search)
        })
        .expect("a search that ends with a full tree");
    // The moves lead to a node without children of its own, and there is no room for them. But the position comes about
    // by other moves, too. The next search has to begin at once.
    let tree = search.tree();
    let mut open = VecDeque::from([(tree.root(), Vec::new())]);
    let moves = loop {
        let (id, moves) = open.pop_front().expect("a node that was visited once");
        match tree.node(id).children() {
            Children::Folded(_) => break moves,
            Children::At(first) => open.extend((0..tree.siblings(first).len()).map(|i| {
                let child = first.sibling(i);
                (child, [&moves[..], &[tree.node(child).mv()]].concat())
            })),
            _ => {}
        }
    };
    moves.into_iter().for_each(|mv| line.play(mv));
    assert!((1..6).contains(&line.moves.len()), "{:?}", line.moves);
    let mut next = request(&line);
    next.limits.least = 300;
    left.store(usize::MAX, Relaxed);
    let stopped = Control::new();
    stopped.stop();
    let found = |search: &mut Search| {
        let report = search.run(&next, &stopped, &mut |_| {}).expect("a search");
        assert_eq!(report.playouts, 300);
        report.moves.iter().map(|m| (m.mv, m.visits)).collect::<Vec<_>>()
    };
    // Where an entry lies in the table of positions depends on how often the table was cleared: twice in both.
    let mut fresh = small();
    fresh.forget();
    assert_eq!(found(&mut search), found(&mut fresh));
}

/// Believes that whoever has just played has won something by the move, as a net does that overlooks the answers.
struct Hasty;

impl Evaluator for Hasty {
    fn knows_policy(&self) -> bool {
        true
    }

    fn evaluate(&mut self, leaf: &mut Leaf, _: &mut Rng) {
        let has_passed = leaf.last[0] == Point::NONE;
        leaf.evaluation.value = match leaf.position.to_move() {
            _ if has_passed => 0.5,
            Color::Black => 0.2,
            Color::White => 0.8,
        };
        leaf.evaluation.policy.is_known = true;
        // Fights in the four corners, which come about in every order.
        leaf.evaluation.policy.plays = PointMap::filled(1e-6);
        for name in ["B2", "C2", "G2", "G3", "B8", "B7", "G8", "H8"] {
            leaf.evaluation.policy.plays[point(name, 9)] = 1.0;
        }
        leaf.evaluation.policy.pass = 1e-6;
    }
}

#[test]
fn an_error_that_comes_again_is_taken_off_and_every_sum_stays_right() {
    let mean_correction = |bias_share: f32| {
        let evaluators = Evaluators::made(|_| Box::new(Hasty));
        let params =
            Params { rave_equivalence: 0.0, expand_after: 0.0, exploration: 1.0, bias_share, ..Params::default() };
        let mut search = searcher(options());
        run(&mut search, &Request { evaluators, params, ..Line::empty(9).request(3000, None) });
        let tree = search.tree();
        let (mut corrections, mut nodes) = (0.0, 0);
        let mut open = vec![tree.root()];
        while let Some(id) = open.pop() {
            let node = tree.node(id);
            let (Children::At(first) | Children::Folded(first)) = node.children() else { continue };
            let mut sum = 0.0;
            if let Some(own) = tree.block(first).own() {
                corrections += own.correction();
                nodes += 1;
                sum += f64::from(own.value() + own.correction());
            } else {
                assert!(id == tree.root() || bias_share == 0.0);
            }
            for child in tree.children(node) {
                let (visits, wins) = child.visits_and_sum();
                sum += visits as f64 - wins;
            }
            let (visits, wins) = node.visits_and_sum();
            assert!(bias_share == 0.0 || (wins - sum).abs() < 1e-4 * visits as f64, "{visits}: {wins}, not {sum}");
            if let Children::At(first) = node.children() {
                open.extend((0..tree.siblings(first).len()).map(|i| first.sibling(i)));
            }
        }
        corrections / nodes.max(1) as f32
    };
    assert_eq!(mean_correction(0.0), 0.0);
    let (some, much) = (mean_correction(0.35), mean_correction(1.0));
    assert!(some < -0.03 && much < 2.0 * some, "{some} {much}");
}

/// Knows that White wins by C3 and Black loses by it, but seldom thinks of playing there.
struct Overlooking;

impl Evaluator for Overlooking {
    fn knows_policy(&self) -> bool {
        true
    }

    fn evaluate(&mut self, leaf: &mut Leaf, rng: &mut Rng) {
        Hasty.evaluate(leaf, rng);
        let c3 = point("C3", 9);
        let is_open = leaf.position.board().cell(c3) == Cell::Empty;
        leaf.evaluation.value = if is_open { 0.5 } else { 0.2 };
        // Nothing else happens near C3.
        leaf.evaluation.policy.plays[point("B2", 9)] = 1e-6;
        leaf.evaluation.policy.plays[point("C2", 9)] = 1e-6;
        leaf.evaluation.policy.plays[c3] = 0.3;
    }
}

#[test]
fn a_move_that_was_good_elsewhere_in_the_tree_is_tried_sooner() {
    // The mean prior of C3 below the children of the root, whose own are made before much is known: White's and Black's.
    let mean_priors = |advantage: f32| {
        let evaluators = Evaluators::made(|_| Box::new(Overlooking));
        let params = Params { advantage, ..alone() };
        let mut search = searcher(options());
        run(&mut search, &Request { evaluators, params, ..Line::empty(9).request(3000, None) });
        let tree = search.tree();
        let mut priors = [(0.0, 0); 2];
        let mut open = vec![(tree.node(tree.root()), 0)];
        while let Some((node, depth)) = open.pop() {
            let children = tree.children(node);
            if let Some(child) = children.iter().find(|child| child.point() == point("C3", 9) && depth > 1) {
                let sum: f32 = children.iter().map(|child| child.prior()).sum();
                assert!((sum - 1.0).abs() < 0.02, "{sum}");
                let (priors, nodes) = &mut priors[depth % 2];
                *priors += child.prior();
                *nodes += 1;
            }
            open.extend(children.iter().map(|child| (child, depth + 1)));
        }
        priors.map(|(priors, nodes)| {
            assert!(nodes > 20, "{nodes}");
            priors / nodes as f32
        })
    };
    let ([black, white], [black_learned, white_learned]) = (mean_priors(0.0), mean_priors(20.0));
    // 0.3 of six liked points and this one, or of fewer where some of them have stones.
    assert!((0.04..0.15).contains(&white) && (0.04..0.15).contains(&black), "{white} {black}");
    assert!(white_learned > 2.0 * white, "{white_learned}, not {white}");
    assert!(black_learned < 1.5 * black, "{black_learned}, not {black}");
}

#[test]
fn the_policy_has_a_switch_and_ladders_work_beside_it() {
    let favourite = point("A1", 9);
    let prior = |params: Params, line: &Line, at: &str| {
        let request = Request { evaluators: net(favourite).0, params, ..line.request(50, None) };
        let report = run(&mut searcher(options()), &request);
        report.moves.iter().find(|m| m.mv == Move::Play(point(at, 9))).map_or(0.0, |m| m.prior)
    };
    assert!(prior(Params::default(), &Line::empty(9), "A1") > 0.9);
    assert!(prior(Params { policy: 0.0, ..Params::default() }, &Line::empty(9), "A1") < 0.01);
    // Black runs at E4 in a ladder that works: White's next atari is at F4, whatever the policy thinks of it.
    let mut line = Line::picture(
        "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . X . . . . .
        . . X O . . . . .
        . . X O X . . . .
        . . . X . . . . .
        . . . . . . . . .",
        Color::White,
    );
    line.play(Move::Play(point("E4", 9)));
    let with = prior(Params::default(), &line, "F4");
    let without = prior(Params { ladders: 0.0, ..Params::default() }, &line, "F4");
    assert!(with > 20.0 * without, "{with} and {without}");
}

/// A playout's result for nobody, and a second value that likes one point.
struct Twofold {
    favourite: Point,
}

impl Evaluator for Twofold {
    fn gives_second(&self) -> bool {
        true
    }

    fn evaluate(&mut self, leaf: &mut Leaf, _: &mut Rng) {
        leaf.evaluation.value = 0.5;
        leaf.evaluation.margin = 0.0;
        let has_it = leaf.position.board().cell(self.favourite) == Color::Black.cell();
        leaf.evaluation.second = Some(if has_it { 0.9 } else { 0.1 });
    }
}

#[test]
fn a_second_value_counts_as_much_as_it_is_told_to() {
    let favourite = point("C7", 9);
    let best = |second_share: f32| {
        let params = Params { second_share, expand_after: 1.0, ..Params::default() };
        let evaluators = Evaluators::made(move |_| Box::new(Twofold { favourite }));
        let request = Request { params, evaluators, ..Line::empty(9).request(3000, None) };
        run(&mut searcher(options()), &request).moves.iter().find(|m| m.mv == Move::Play(favourite)).map(|m| m.visits)
    };
    let (without, with) = (best(0.0), best(0.9));
    assert!(with > without.map(|visits| 5 * visits), "{without:?} and {with:?}");
}

/// Counts the leaves in which the game has ended.
struct Undertaker {
    ended: Arc<AtomicUsize>,
}

impl Evaluator for Undertaker {
    fn evaluate(&mut self, leaf: &mut Leaf, _: &mut Rng) {
        self.ended.fetch_add(usize::from(leaf.position.is_over()), Relaxed);
        leaf.evaluation.value = 0.4;
        leaf.evaluation.margin = -1.0;
        leaf.evaluation.knows_owners = true;
    }
}

#[test]
fn an_ended_game_is_not_evaluated_again_at_each_visit() {
    for rules in [rules::CHINESE, rules::JAPANESE] {
        let ended = Arc::new(AtomicUsize::new(0));
        let shared = Arc::clone(&ended);
        let evaluators = Evaluators::made(move |_| Box::new(Undertaker { ended: Arc::clone(&shared) }));
        // Black is ahead on the empty board without komi, and White has passed: so Black passes.
        let mut line = Line::from(kosumi::go::Position::new(5, rules));
        line.position.set_to_move(Color::White);
        line.play(Move::Pass);
        let only = [Move::Pass];
        let request = Request { evaluators, komi: -10, ..line.request(500, Some(&only)) };
        let report = run(&mut searcher(options()), &request);
        assert_eq!(report.visits, 500);
        assert!(report.value > 0.95, "the result of the rules: {}", report.value);
        assert!((1..=24).contains(&ended.load(Relaxed)), "{} evaluations", ended.load(Relaxed));
    }
}

struct Bomb {
    left: u32,
}

impl Evaluator for Bomb {
    fn evaluate(&mut self, _: &mut Leaf, _: &mut Rng) {
        self.left -= 1;
        assert!(self.left > 0, "this panic is meant");
    }
}

#[test]
fn a_panic_in_a_worker_ends_the_search_at_once_and_leaves_nothing_behind() {
    for threads in [1, 4] {
        for tree in [WhichTree::Kept, WhichTree::Aside] {
            let mut search = searcher(SearchOptions { threads, ..options() });
            let line = Line::empty(9);
            assert_eq!(self::search(&mut search, &line, 100).visits, 100);
            let evaluators = Evaluators::made(|_| Box::new(Bomb { left: 40 }));
            let request = Request { evaluators, tree, ..line.request(u64::MAX, None) };
            assert!(matches!(search.run_alone(&request), Err(SearchError::Broken)));
            // No node stays claimed, and no descent open: the next search is as good as the first.
            let report = self::search(&mut search, &line, 500);
            assert_eq!(report.visits, 500, "the tree was forgotten");
            check_report(&report, &line.position);
        }
    }
}
