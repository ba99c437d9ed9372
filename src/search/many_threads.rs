//! Small searches whose threads meet in the same few nodes.
//!
//! Miri runs these tests, too, with a different order of the threads' steps for each seed. It also lets atomics without
//! an order give values that are old, as processors may. Aliasing is left out: the crate crossbeam-epoch, below rayon,
//! does not pass the check.
//!
//! ```sh
//! MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-ignore-leaks -Zmiri-disable-stacked-borrows -Zmiri-many-seeds=0..16" \
//!     cargo +nightly miri test --lib search::many_threads
//! ```

use super::node::Children;
use super::{Evaluators, Limits, Params, Request, Search, SearchOptions};
use crate::go::{Position, Ruleset};
use crate::playout::PolicyKind;

/// Playouts of a search. Miri takes a second for each.
const PLAYOUTS: u64 = if cfg!(miri) { 12 } else { 300 };

fn request(position: Position) -> Request {
    Request {
        limits: Limits { playouts: Some(PLAYOUTS), ..Limits::default() },
        evaluators: Evaluators::Playouts(PolicyKind::Uniform),
        // Every visit makes children. Miri had not read the table of the learned strengths after five minutes.
        params: Params { expand_after: 1.0, learned: if cfg!(miri) { 0.0 } else { 1.0 }, ..Params::default() },
        ..Request::new(position, 0)
    }
}

/// Nothing is half done, and no visit is lost or counted twice.
fn check(search: &Search, visits: u64) {
    let tree = search.tree();
    assert_eq!(tree.node(tree.root()).visits(), visits);
    let mut open = vec![tree.root()];
    let mut nodes = 1;
    while let Some(id) = open.pop() {
        let node = tree.node(id);
        assert_eq!(node.descents(), 0, "a thread has not come back");
        assert_ne!(node.children(), Children::BeingMade, "a claim is left");
        let Children::At(first) = node.children() else { continue };
        let below: u64 = tree.siblings(first).iter().map(|child| child.visits()).sum();
        assert!(below <= node.visits(), "{below} of {}", node.visits());
        assert!(id != tree.root() || below == visits, "{below} of {visits}");
        nodes += tree.siblings(first).len();
        open.extend((0..tree.siblings(first).len()).map(|i| first.sibling(i)));
    }
    // One more is not used.
    assert!(nodes < tree.nodes(), "{nodes} of {}", tree.nodes());
}

#[test]
fn threads_that_meet_in_a_few_nodes_lose_no_visit() {
    let options = SearchOptions { threads: 3, memory: 1, ..SearchOptions::default() };
    let mut search = Search::new(options).expect("memory");
    let mut position = Position::new(2, Ruleset::default());
    let report = search.run_alone(&request(position.clone())).expect("a search");
    assert_eq!(report.playouts, PLAYOUTS, "not one more or less");
    check(&search, report.visits);
    // The tree below the move is kept, and the threads go on in it.
    let before = report.moves.first().expect("a move").clone();
    let color = position.to_move();
    position.play(before.mv).expect("legal");
    let mut next = request(position);
    next.history.moves.push((color, before.mv));
    next.history.start_hash = Position::new(2, Ruleset::default()).board().hash();
    let report = search.run_alone(&next).expect("a search");
    assert_eq!(report.playouts, PLAYOUTS);
    assert!(report.visits <= before.visits + PLAYOUTS);
    let tree = search.tree();
    assert_eq!(tree.node(tree.root()).visits(), report.visits);
    assert_eq!(tree.node(tree.root()).descents(), 0);
}
