//! The speed of a net alone, with every kernel of the machine.

use std::time::Instant;

use serde::Serialize;

use super::workload::{OPENING, Signature, Workload, after, scaled};
use crate::go::Komi;
use crate::net::planes::{PlaneMaker, Planes, Situation, last_of};
use crate::net::{Kernel, Net, Workspace};

/// Evaluations of the net for a board size, on positions one after the other.
#[derive(Clone, Debug, Serialize)]
pub struct NetSpeed {
    /// The net.
    pub net: String,
    /// The kernel.
    pub kernel: &'static str,
    /// Board size.
    pub size: usize,
    /// Evaluations in a second, planes included.
    pub evaluations_per_second: f64,
}

/// Evaluations on 9×9.
const EVALUATIONS: u64 = 4_000;
/// The plain kernel is slow; it gets one evaluation for so many of the others.
const SLOWER: u64 = 20;

/// Times all kernels on the positions of an opening. Their results have to be equal.
pub(super) fn time_kernels(net: &Net, size: usize, options: Workload, signature: &mut Signature) -> Vec<NetSpeed> {
    let kernels = Kernel::ALL.into_iter().filter(|kernel| kernel.is_available());
    let mut speeds = Vec::new();
    let mut before = None;
    for kernel in kernels {
        let mut results = Signature::new();
        let share = if kernel == Kernel::Plain { SLOWER } else { 1 };
        let net = net.clone().with_kernel(kernel);
        let count = scaled(EVALUATIONS, size, options) / share;
        let evaluations_per_second = time(&net, size, count.max(1), &mut results);
        assert!(before.is_none_or(|before| before == results.0), "{kernel} gives other numbers than slower kernels");
        before = Some(results.0);
        speeds.push(NetSpeed {
            net: net.description().name.clone(),
            kernel: kernel.name(),
            size,
            evaluations_per_second,
        });
    }
    before.into_iter().for_each(|results| signature.add(results));
    speeds
}

/// Evaluates the positions of the opening in turn, `count` of them, and each at least once. Each position's results
/// count once.
fn time(net: &Net, size: usize, count: u64, results: &mut Signature) -> f64 {
    let (mut maker, mut planes, mut workspace) = (PlaneMaker::default(), Planes::default(), Workspace::new(net));
    let mut evaluated = 0;
    let mut seconds = 0.0;
    for end in 0..=OPENING.len() {
        let (position, moves) = after(size, &OPENING[..end]);
        let last = last_of(moves.iter().map(|&(_, mv)| mv));
        let situation = Situation { position: &position, last, komi: Komi::from_half_points(15) };
        let repeats = (count / (OPENING.len() as u64 + 1)).max(1);
        let start = Instant::now();
        for _ in 0..repeats {
            maker.make(&situation, &mut planes);
            net.evaluate(&mut workspace, &planes, 0);
        }
        seconds += start.elapsed().as_secs_f64();
        evaluated += repeats;
        let output = workspace.output();
        let numbers = output.raw.logits[..=size * size].iter().chain(&output.raw.results);
        numbers.for_each(|number| results.add(u64::from(number.to_bits())));
    }
    evaluated as f64 / f64::max(seconds, 1e-9)
}
