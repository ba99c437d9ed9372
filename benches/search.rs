//! Selection among children, priors of a node, and whole searches, by the functions that a search calls.

use criterion::{Criterion, criterion_group, criterion_main};
use kosumi::go::{Point, Position, Ruleset};
use kosumi::search::node::Children;
use kosumi::search::prior::{Candidate, Opening, Tools};
use kosumi::search::select::Formula;
use kosumi::search::{Evaluators, Params, Request, Search, SearchOptions, stages};

const SIZES: [usize; 3] = [9, 13, 19];

/// A search from the empty board, and the request that made it.
fn searched(size: usize, playouts: u64) -> (Search, Request) {
    let mut request = Request::new(Position::new(size, Ruleset::default()), 15);
    request.limits.playouts = Some(playouts);
    request.seed = 1;
    let mut search = Search::new(SearchOptions::default()).expect("memory");
    assert_eq!(search.run_alone(&request).expect("a search").playouts, playouts);
    (search, request)
}

fn selection(c: &mut Criterion) {
    for size in SIZES {
        let (search, request) = searched(size, 1000);
        let tree = search.tree();
        let root = tree.node(tree.root());
        let Children::At(first) = root.children() else { panic!("the root has children") };
        let formula = Formula::new(&request, &*Evaluators::default().evaluator(&request.params));
        assert!(formula.best(tree, root, first, true).is_some());
        c.bench_function(&format!("search/select among {}/{size}", tree.siblings(first).len()), |b| {
            b.iter(|| formula.best(tree, root, first, true));
        });
    }
}

fn priors(c: &mut Criterion) {
    for size in SIZES {
        let position = Position::new(size, Ruleset::default());
        let (mut tools, params) = (Tools::new(size.into()), Params::default());
        let mut list: Vec<Candidate> = Vec::new();
        c.bench_function(&format!("search/priors of a node/{size}"), |b| {
            b.iter(|| {
                let mut opening = Opening {
                    position: &position,
                    last: [Point::NONE; 2],
                    policy: None,
                    criticality: None,
                    advantages: None,
                    merge_twins: false,
                    restrictions: &[],
                    favours: None,
                    ply: 0,
                    params: &params,
                    tools: &mut tools,
                };
                stages::candidates(&mut opening, &mut list);
                assert_eq!(list.len(), size * size + 1);
            });
        });
    }
}

fn searches(c: &mut Criterion) {
    let mut group = c.benchmark_group("search/500 playouts");
    group.sample_size(20);
    for size in SIZES {
        let (mut search, request) = searched(size, 500);
        group.bench_function(format!("{size}"), |b| {
            b.iter(|| {
                search.forget();
                assert_eq!(search.run_alone(&request).expect("a search").playouts, 500);
            });
        });
    }
}

criterion_group!(benches, selection, priors, searches);
criterion_main!(benches);
