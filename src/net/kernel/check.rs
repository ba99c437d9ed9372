//! A small convolution that every kernel has to compute right before the program chooses the kernel.

use super::plain;
use crate::go::Size;
use crate::net::conv::{Conv, Job, Scratch};
use crate::net::grid::Grid;

/// Columns, rows and inputs. Kernels have code of their own for each of these numbers of inputs. The boards have nine
/// squares, six, and one with points beside it, so that blocks of windows have one, two, four, five and six of them.
const CASES: [(usize, usize, usize); 3] = [(9, 9, 16), (9, 6, 32), (4, 4, 64)];
const OUTPUTS: usize = 96;

/// Does a kernel give the same bits as the plain kernel? The check is small: it does not show in the 20 ms that a start of
/// the program takes.
pub(super) fn agrees(kernel: impl Fn(Job<'_>)) -> bool {
    CASES.into_iter().all(|case| agrees_on(case, &kernel))
}

fn agrees_on((width, height, inputs): (usize, usize, usize), kernel: &impl Fn(Job<'_>)) -> bool {
    let Some(size) = Size::new(width, height) else { return false };
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as usize
    };
    let grid = Grid::new(size);
    let weights: Vec<i8> = (0..9 * inputs * OUTPUTS).map(|_| (next() % 255) as i32 - 127).map(|w| w as i8).collect();
    let bias: Vec<i32> = (0..OUTPUTS).map(|_| (next() % 200_000) as i32 - 100_000).collect();
    let multiplier = (0..OUTPUTS).map(|_| (next() % 1000) as f32 / 1e6).collect();
    let conv = Conv::new(9, inputs, &weights, bias, multiplier);
    let mut input = vec![0; grid.room() * inputs];
    let mut residual = vec![0; grid.room() * OUTPUTS];
    for &cell in grid.cells() {
        input[usize::from(cell) * inputs..][..inputs].fill_with(|| (next() % 128) as u8);
        residual[usize::from(cell) * OUTPUTS..][..OUTPUTS].fill_with(|| (next() % 128) as u8);
    }
    let run = |kernel: &dyn Fn(Job<'_>)| {
        let mut output = vec![0; grid.room() * OUTPUTS];
        kernel(Job::new(
            &grid,
            &conv,
            &input,
            &conv.bias,
            Some((&residual, 0.7)),
            &mut output,
            &mut Scratch::default(),
        ));
        output
    };
    run(&plain::run) == run(kernel)
}
