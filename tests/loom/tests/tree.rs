//! What threads do at once in the tree, in every order that a processor may choose.

use kosumi_loom::go::{Move, Point};
use kosumi_loom::search::folded::Folded;
use kosumi_loom::search::node::{Children, Node, NodeId};
use kosumi_loom::search::tree::Tree;
use loom::sync::Arc;
use loom::thread;

/// Bytes of a slot of the tree.
const SLOT: usize = 32;

fn tree(slots: usize) -> Tree {
    Tree::new(slots * SLOT).expect("this store refuses nothing")
}

/// The second point of the board, far from what a node says before it is written.
fn point() -> Point {
    Point::from_index(2).expect("a point")
}

/// Children as the search makes them.
fn grow(tree: &Tree, parent: NodeId, count: usize) -> bool {
    tree.add_children(parent, count, |_, child| {
        child.reset(Move::Play(point()), 1.0);
        child.add_amaf(0.0, 20.0);
    })
}

/// A descent through the root: the first to come makes the children, who sees children goes through the first one.
fn descend(tree: &Tree, count: usize) {
    let root = tree.node(tree.root());
    root.enter();
    if root.children() == Children::None && root.claim() {
        grow(tree, tree.root(), count);
    }
    if let Children::At(first) = root.children() {
        assert_eq!(tree.block(first).count(), count);
        let child = tree.node(first);
        assert_eq!((child.mv(), child.prior()), (Move::Play(point()), 1.0), "a child is shown before it is written");
        assert!(child.amaf().0 >= 20.0);
        child.enter();
        child.add_and_leave(0.5);
        tree.block(first).add_second(0.25);
    }
    root.add_and_leave(0.5);
}

/// Runs `work` in two threads on one tree, and then `check` in one.
fn two(slots: usize, work: fn(&Tree), check: fn(&Tree)) {
    two_after(slots, |_| (), work, check);
}

/// The same on a tree that `prepare` has begun.
fn two_after(slots: usize, prepare: fn(&Tree), work: fn(&Tree), check: fn(&Tree)) {
    loom::model(move || {
        let tree = Arc::new(tree(slots));
        prepare(&tree);
        let other = {
            let tree = Arc::clone(&tree);
            thread::spawn(move || work(&tree))
        };
        work(&tree);
        other.join().expect("no thread panics");
        check(&tree);
    });
}

#[test]
fn children_are_made_once_and_shown_whole() {
    two(
        8,
        |tree| descend(tree, 2),
        |tree| {
            let root = tree.node(tree.root());
            assert_eq!((root.visits(), root.descents()), (2, 0));
            let Children::At(first) = root.children() else { panic!("{:?}", root.children()) };
            // Root and two children, and no second block.
            assert_eq!((tree.nodes(), tree.used()), (4, 5));
            let children = tree.siblings(first);
            assert!(children.iter().all(|child| child.descents() == 0));
            // A descent ends at the root while the other one makes the children.
            let visits = children[0].visits();
            assert!((1..=2).contains(&visits) && children[1].visits() == 0);
            assert_eq!(tree.block(first).second_visits_and_sum(), (visits, visits as f64 * 0.25));
        },
    );
}

/// A descent that finds folded children: the first to come makes children of them.
fn unfold(tree: &Tree) {
    let root = tree.node(tree.root());
    root.enter();
    if let Children::Folded(first) = root.children()
        && root.claim_folded(first)
    {
        let folded: Vec<Folded> = tree.folded(first).collect();
        assert_eq!(
            folded,
            [Folded { mv: Move::Play(point()), weight: 0.5 }; 2],
            "they are shown before they are written"
        );
        grow(tree, tree.root(), folded.len());
    } else if root.children() == Children::None && root.claim() {
        tree.fold_children(tree.root(), [Folded { mv: Move::Play(point()), weight: 0.5 }; 2].into_iter());
    }
    root.add_and_leave(0.5);
}

#[test]
fn folded_children_are_seen_whole() {
    two(10, unfold, |tree| {
        let root = tree.node(tree.root());
        assert_eq!((root.visits(), root.descents()), (2, 0));
        // The second descent has found them, or has ended at the root while they were written.
        match root.children() {
            Children::At(first) => assert_eq!((tree.siblings(first).len(), tree.used()), (2, 7)),
            children => assert!(matches!(children, Children::Folded(_)) && tree.used() == 4, "{children:?}"),
        }
    });
}

#[test]
fn folded_children_are_unfolded_once() {
    two_after(10, unfold, unfold, |tree| {
        let root = tree.node(tree.root());
        assert_eq!((root.visits(), root.descents()), (3, 0));
        let Children::At(first) = root.children() else { panic!("{:?}", root.children()) };
        assert_eq!(tree.siblings(first).len(), 2);
        // Root, a slot of folded children and two children; two heads and the unused slot.
        assert_eq!((tree.nodes(), tree.used()), (5, 7));
    });
}

#[test]
fn one_block_that_has_room_is_given_to_one_thread() {
    // Room for the root and one block of two.
    two(
        5,
        |tree| {
            if let Some(first) = tree.allocate(2) {
                assert_eq!(tree.block(first).count(), 2);
                for child in tree.siblings(first) {
                    child.reset(Move::Pass, 0.5);
                    child.add(1.0);
                    assert_eq!(child.visits(), 1, "another thread has the same block");
                }
            }
        },
        |tree| {
            assert!(tree.is_full());
            assert_eq!(tree.allocate(1), None);
            let made = tree.siblings(tree.root().sibling(2));
            assert_eq!(made.iter().map(Node::visits).sum::<u64>(), 2);
        },
    );
}

#[test]
fn a_claim_is_given_up_when_there_is_no_room() {
    two(
        4,
        |tree| descend(tree, 2),
        |tree| {
            let root = tree.node(tree.root());
            assert_eq!(root.children(), Children::None);
            assert_eq!((root.visits(), root.descents()), (2, 0));
            assert!(tree.is_full());
        },
    );
}

#[test]
fn no_visit_and_no_foreign_visit_is_lost() {
    two(
        2,
        |tree| {
            let root = tree.node(tree.root());
            root.enter();
            // What another machine tells comes between, and whoever looks sees a mean within its range.
            root.add_foreign(3, 1.5);
            assert!(root.value().is_some_and(|value| (0.0..=1.0).contains(&value)));
            root.add_and_leave(1.0);
        },
        |tree| {
            let root = tree.node(tree.root());
            assert_eq!((root.visits_and_sum(), root.descents()), ((8, 5.0), 0));
        },
    );
}

#[test]
fn a_lost_all_moves_as_first_observation_leaves_a_mean() {
    two(
        2,
        |tree| tree.node(tree.root()).add_amaf(1.0, 1.0),
        |tree| {
            // One of two observations at once may be lost, as `node.rs` says.
            let (weight, mean) = tree.node(tree.root()).amaf();
            assert!(weight == 1.0 || weight == 2.0);
            assert_eq!(mean, 1.0);
        },
    );
}

#[test]
fn what_the_threads_have_left_is_there_for_the_next_search() {
    // All orders would take minutes. Loom's own guide says that few interruptions show nearly all faults.
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let tree = Arc::new(tree(8));
        let other = {
            let tree = Arc::clone(&tree);
            thread::spawn(move || descend(&tree, 1))
        };
        descend(&tree, 1);
        other.join().expect("no thread panics");
        let mut tree = Arc::try_unwrap(tree).expect("the only one");
        let before = tree.node(tree.root().sibling(2)).visits();
        assert!(tree.advance(Move::Play(point())));
        // Another thread than the ones before.
        let next = thread::spawn(move || {
            descend(&tree, 1);
            tree
        });
        let tree = next.join().expect("no thread panics");
        let root = tree.node(tree.root());
        assert_eq!((root.visits(), root.descents()), (before + 1, 0));
        assert!(matches!(root.children(), Children::At(_)));
    });
}
