//! Evaluations of random nets, by kernel, net and board size: how many in a second of one thread's processor time, and
//! how many multiply-adds that is. Processor time keeps the influence of other programs small.
//!
//! Every kernel has to give the bits of the plain one before it is timed.

use std::hint::black_box;
use std::time::Duration;

use kosumi::go::{Komi, Move, Position, Ruleset};
use kosumi::net::planes::{PlaneMaker, Planes, Situation, last_of};
use kosumi::net::{Kernel, Net, Workspace, random};
use kosumi::playout::{Playout, stream, uniform::Uniform};
use kosumi::time::processor_time;

const SIZES: [usize; 3] = [9, 13, 19];
/// Blocks and channels.
const NETS: [(usize, usize); 4] = [(4, 32), (6, 64), (6, 96), (10, 128)];
/// The shortest measurement. Of several measurements the best counts.
const SHORTEST: Duration = Duration::from_millis(150);
const REPEATS: usize = 3;

/// A position in the middle of a random game, and its last moves.
fn middle(size: usize) -> (Position, Vec<Move>) {
    let start = Position::new(size, Ruleset::default());
    let mut playout = Playout::new(Uniform);
    playout.run(&start, [kosumi::go::Point::NONE; 2], None, &mut stream(1, 0));
    let mut position = start;
    let mut moves = Vec::new();
    for &(color, point) in playout.moves().iter().take(size * size / 3) {
        position.set_to_move(color);
        if position.play(Move::Play(point)).is_ok() {
            moves.push(Move::Play(point));
        }
    }
    (position, moves)
}

/// Processor time of one call.
fn time(mut call: impl FnMut()) -> f64 {
    let once = |call: &mut dyn FnMut()| {
        let mut calls = 0_u32;
        // One thread runs here, so its time is the time of the process.
        let start = processor_time().expect("the system tells it");
        let elapsed = || processor_time().expect("the system tells it") - start;
        while elapsed() < SHORTEST {
            for _ in 0..4 {
                call();
            }
            calls += 4;
        }
        elapsed().as_secs_f64() / f64::from(calls)
    };
    (0..REPEATS).map(|_| once(&mut call)).fold(f64::INFINITY, f64::min)
}

fn main() {
    let missing = Kernel::ALL.into_iter().filter(|kernel| !kernel.is_available());
    println!("not on this machine: {}", missing.map(Kernel::name).collect::<Vec<_>>().join(", "));
    println!("{:<12} {:>7} {:>5} {:>14} {:>10}", "kernel", "net", "size", "evaluations/s", "G mul-adds");
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    for (blocks, channels) in NETS {
        let file = random::file(&random::description(blocks, channels), 1);
        let net = || Net::from_bytes(&file).expect("a random net is a net");
        for kernel in Kernel::ALL.into_iter().filter(|kernel| kernel.is_available()) {
            if only.as_ref().is_some_and(|only| only != kernel.name()) {
                continue;
            }
            let (net, plain) = (net().with_kernel(kernel), net().with_kernel(Kernel::Plain));
            let mut workspace = Workspace::new(&net);
            for size in SIZES {
                let (position, moves) = middle(size);
                let last = last_of(moves.iter().copied());
                let situation = Situation { position: &position, last, komi: Komi::from_half_points(15) };
                let mut planes = Planes::default();
                PlaneMaker::default().make(&situation, &mut planes);
                assert_eq!(
                    net.evaluate(&mut workspace, &planes, 0).raw,
                    plain.evaluate(&mut Workspace::new(&plain), &planes, 0).raw
                );
                let seconds = time(|| {
                    black_box(net.evaluate(&mut workspace, black_box(&planes), 0));
                });
                let work = (net.description().work() * size * size) as f64;
                let name = format!("{blocks}x{channels}");
                println!("{kernel:<12} {name:>7} {size:>5} {:>14.0} {:>10.1}", 1.0 / seconds, work / seconds / 1e9);
            }
        }
    }
    let mut maker = PlaneMaker::default();
    for size in SIZES {
        let (position, moves) = middle(size);
        let last = last_of(moves.iter().copied());
        let situation = Situation { position: &position, last, komi: Komi::from_half_points(15) };
        let mut planes = Planes::default();
        let seconds = time(|| maker.make(black_box(&situation), &mut planes));
        println!("planes {:>19} {:>14.0} a second, {:.1} µs", size, 1.0 / seconds, seconds * 1e6);
    }
}
