//! Playouts from the empty 9×9 board: Kosumi's uniform ones beside those of the crate `go_game_board` (libEGo's
//! board by libEGo's author, with its 3×3 sampler), interleaved in one run.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use go_game_board::Benchmark;
use kosumi::go::{Point, Position, Ruleset};
use kosumi::playout::{Playout, stream, uniform::Uniform};

/// Playouts in a sample: enough that what `go_game_board` does once a run costs nothing.
const PLAYOUTS: u64 = 2000;

fn uniform(c: &mut Criterion) {
    let mut group = c.benchmark_group("2000 playouts on 9x9");
    group.throughput(Throughput::Elements(PLAYOUTS)).sample_size(20);
    let position = Position::new(9, Ruleset::default());
    let mut playout = Playout::new(Uniform);
    let mut rng = stream(1, 0);
    group.bench_function("kosumi, uniform", |b| {
        b.iter(|| {
            let margins = (0..PLAYOUTS).map(|_| playout.run(&position, [Point::NONE; 2], None, &mut rng).margin);
            assert!(margins.map(i64::from).sum::<i64>().abs() < 81 * PLAYOUTS as i64);
        });
    });
    let mut peer = Benchmark::new();
    group.bench_function("go_game_board, sampler", |b| {
        b.iter(|| assert!(!peer.run(PLAYOUTS as usize, None).is_empty()));
    });
}

criterion_group!(benches, uniform);
criterion_main!(benches);
