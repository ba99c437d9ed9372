//! Whole playouts from the empty board, by policy and size.

use criterion::{Criterion, criterion_group, criterion_main};
use kosumi::go::{Point, Position, Ruleset};
use kosumi::playout::{Playout, PlayoutPolicy, stream, tactical::Tactical, uniform::Uniform};

fn policy(c: &mut Criterion, name: &str, policy: impl PlayoutPolicy + Clone) {
    for size in [9, 13, 19] {
        let position = Position::new(size, Ruleset::default());
        let mut playout = Playout::new(policy.clone());
        let mut rng = stream(1, 0);
        c.bench_function(&format!("playout/{name}/{size}"), |b| {
            b.iter(|| {
                let end = playout.run(&position, [Point::NONE; 2], Some(0), &mut rng);
                assert!(end.margin.unsigned_abs() as usize <= size * size);
                end
            });
        });
        playout.board().check();
    }
}

fn playouts(c: &mut Criterion) {
    policy(c, "uniform", Uniform);
    policy(c, "tactical", Tactical::default());
}

criterion_group!(benches, playouts);
criterion_main!(benches);
