//! Selection, expansion, back-up into the children of a node, and searches as a whole.

use std::sync::atomic::AtomicBool;

use criterion::{Criterion, criterion_group, criterion_main};
use kosumi::go::{Color, Point, PointMap, Position, Ruleset};
use kosumi::playout::PolicyKind;
use kosumi::search::evaluate::playouts;
use kosumi::search::prior::{Candidate, Context, Tools, candidates};
use kosumi::search::select::Formula;
use kosumi::search::tree::Tree;
use kosumi::search::{Limits, Options, Params, Request, Search, worker};

const SIZES: [usize; 3] = [9, 13, 19];

fn selection(c: &mut Criterion) {
    for size in SIZES {
        let position = Position::new(size, Ruleset::default());
        let tree = Tree::new(16);
        let root = tree.root();
        assert!(tree.node(root).claim());
        let mut evaluator = playouts(PolicyKind::Tactical, &Params::default(), false);
        let mut tools = Tools::new(size);
        worker::expand(&tree, root, &position, [Point::NONE; 2], &mut *evaluator, &mut tools, &mut Vec::new());
        let formula = Formula::new(&Params::default());
        let children = tree.children(tree.node(root));
        for (i, child) in children.iter().enumerate() {
            child.add(0.5);
            child.add_amaf((i % 2) as f32, 1.0);
        }
        assert!(formula.best(children, 100).is_some());
        c.bench_function(&format!("search/select among {}/{size}", children.len()), |b| {
            b.iter(|| formula.best(children, 100));
        });
        // What a worker does at each node of its way: every other child was played later in the game.
        let mut first = PointMap::filled(0);
        for child in children.iter().step_by(2) {
            first[child.point()] = Color::Black as u8;
        }
        c.bench_function(&format!("search/back up into {}/{size}", children.len()), |b| {
            b.iter(|| {
                tree.node(root).add(0.5);
                for child in children {
                    if first[child.point()] == Color::Black as u8 {
                        child.add_amaf(0.5, 1.0);
                    }
                }
            });
        });
    }
}

fn priors(c: &mut Criterion) {
    for size in SIZES {
        let position = Position::new(size, Ruleset::default());
        let mut tools = Tools::new(size);
        let mut evaluator = playouts(PolicyKind::Tactical, &Params::default(), false);
        let mut list: Vec<Candidate> = Vec::new();
        c.bench_function(&format!("search/priors of a node/{size}"), |b| {
            b.iter(|| {
                let mut context = Context { position: &position, last: [Point::NONE; 2], tools: &mut tools };
                candidates(&mut context, &mut *evaluator, &mut list);
                assert_eq!(list.len(), size * size + 1);
            });
        });
    }
}

fn searches(c: &mut Criterion) {
    let mut group = c.benchmark_group("search/500 playouts");
    group.sample_size(20);
    for size in SIZES {
        let position = Position::new(size, Ruleset::default());
        let options =
            Options { threads: 1, memory: 64, seed: 1, policy: PolicyKind::Tactical, params: Params::default() };
        let mut search = Search::new(options);
        let limits = Limits { playouts: Some(500), ..Limits::default() };
        let request = Request { limits, ..Request::new(&position, 15) };
        group.bench_function(format!("{size}"), |b| {
            b.iter(|| {
                search.forget();
                let report = search.run(&request, &AtomicBool::new(false), &mut |_| {});
                assert_eq!(report.playouts, 500);
            });
        });
    }
}

criterion_group!(benches, selection, priors, searches);
criterion_main!(benches);
