//! A convolution of 3×3 by windows, see `winograd.rs`. An instruction set brings the products and the activations.

use crate::net::conv::Job;
use crate::net::grid::WINDOW;
use crate::net::winograd::{self, WIDTH};

/// The most windows that share one pass through the weights. (18 and 30 were no faster on an AMD EPYC of the Zen 3
/// kind.)
const MOST: usize = 12;
/// The most windows times inputs, so that the numbers stay in the second-level cache. A guess: 12 windows of 128
/// inputs.
const MOST_INPUTS: usize = 1536;

/// Computes a convolution of 3×3 for the points that have a [square](crate::net::grid::Square). Its code becomes that
/// of the caller's instruction set.
///
/// `multiply(windows, weights, products)` sets the products of one place of the windows: for each window and each of
/// [`WIDTH`] outputs, the sum over all inputs. `finish(job, cell, channel, sums)` makes activations of the sums of
/// [`WIDTH`] outputs, which begin at `channel`. The cell is one of the job's, and so are all of the outputs.
///
/// # Panics
/// If the convolution is one of 1×1, or has a number of inputs that no net has.
#[inline(always)]
pub(super) fn run(
    job: &mut Job<'_>,
    multiply: impl Fn(&[i16], &[i16], &mut [i32]),
    finish: impl Fn(&mut Job<'_>, u16, usize, &[i32; WIDTH]),
) {
    let (inputs, all) = (job.inputs(), job.squares());
    let weights = job.winograd();
    let most = (MOST_INPUTS / inputs).clamp(1, MOST);
    // All passes are about as long as one another.
    let at_a_time = all.len().div_ceil(all.len().div_ceil(most));
    let mut scratch = std::mem::take(job.scratch());
    scratch.fit(WINDOW * at_a_time * inputs, WINDOW * at_a_time * WIDTH);
    let mut sums = [[0; WIDTH]; 9];
    for squares in all.chunks(at_a_time) {
        let count = squares.len();
        let windows = &mut scratch.windows[..WINDOW * count * inputs];
        for (s, square) in squares.iter().enumerate() {
            winograd::transform(job.input(), inputs, &square.window, windows, (s * inputs, count * inputs));
        }
        for (block, weights) in weights.chunks_exact(WINDOW * inputs * WIDTH).enumerate() {
            let channel = block * WIDTH;
            let products = &mut scratch.products[..WINDOW * count * WIDTH];
            let places = windows.chunks_exact(count * inputs).zip(weights.chunks_exact(inputs * WIDTH));
            for ((windows, weights), products) in places.zip(products.chunks_exact_mut(count * WIDTH)) {
                multiply(windows, weights, products);
            }
            for (s, square) in squares.iter().enumerate() {
                let init = &job.init()[channel..channel + WIDTH];
                winograd::add_up(products, (s * WIDTH, count * WIDTH), init, &mut sums);
                for (cell, sums) in square.cells().zip(&sums) {
                    if let Some(cell) = cell {
                        finish(job, cell, channel, sums);
                    }
                }
            }
        }
    }
    *job.scratch() = scratch;
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::go::Size;
    use crate::net::conv::{Conv, GROUP, Scratch};
    use crate::net::grid::Grid;

    /// The products in plain loops.
    fn multiply(inputs: usize, windows: &[i16], weights: &[i16], products: &mut [i32]) {
        for (window, products) in windows.chunks_exact(inputs).zip(products.chunks_exact_mut(WIDTH)) {
            for (output, product) in products.iter_mut().enumerate() {
                let weight = |input: usize| weights[2 * (input / 2 * WIDTH + output) + input % 2];
                *product = (0..inputs)
                    .fold(0, |sum: i32, input| sum.wrapping_add(i32::from(window[input]) * i32::from(weight(input))));
            }
        }
    }

    /// Compares the sums of all squares with their definition. `weight(output, input, tap)` are the weights, and
    /// `activation(column, row, input)` the cells.
    fn compare(
        size: Size,
        inputs: usize,
        weight: impl Fn(usize, usize, usize) -> i8,
        activation: impl Fn(usize, usize, usize) -> u8,
    ) {
        let grid = Grid::new(size);
        let weight = &weight;
        let weights = (0..GROUP)
            .flat_map(|output| (0..inputs).flat_map(move |input| (0..9).map(move |tap| weight(output, input, tap))));
        let bias: Vec<i32> = (0..GROUP as i32).map(|output| 1000 * output - 7).collect();
        let conv = Conv::new(9, inputs, &weights.collect::<Vec<_>>(), bias, vec![1.0; GROUP]);
        let mut input = vec![0; grid.room() * inputs];
        for (&cell, (column, row)) in grid.cells().iter().zip(size.places()) {
            let cell = &mut input[usize::from(cell) * inputs..][..inputs];
            cell.iter_mut().enumerate().for_each(|(i, x)| *x = activation(column, row, i));
        }
        let (mut output, mut scratch) = (vec![0; grid.room() * GROUP], Scratch::default());
        let mut job = Job::new(&grid, &conv, &input, &conv.bias, None, &mut output, &mut scratch);
        let seen = RefCell::new(0);
        run(
            &mut job,
            |windows, weights, products| multiply(inputs, windows, weights, products),
            |job, cell, channel, sums| {
                *seen.borrow_mut() += sums.len();
                for (i, &sum) in sums.iter().enumerate() {
                    let products = job.taps().iter().enumerate().flat_map(|(tap, &offset)| {
                        let from = usize::from(cell).wrapping_add_signed(offset) * inputs;
                        let x = job.input()[from..from + inputs].iter().enumerate();
                        x.map(move |(input, &x)| i32::from(x) * i32::from(weight(channel + i, input, tap)))
                    });
                    assert_eq!(sum, conv.bias[channel + i] + products.sum::<i32>(), "{size}, output {}", channel + i);
                }
            },
        );
        assert_eq!(seen.into_inner(), (grid.points() - grid.left().1) * GROUP);
    }

    #[test]
    fn sums_are_those_of_the_definition() {
        let random = |a: usize, b: usize, c: usize| {
            let mix = (a as u64 * 1009 + b as u64 * 31 + c as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mix >> 40) as u8
        };
        let sizes = [(2, 2), (3, 3), (4, 7), (5, 9), (9, 9), (13, 2), (25, 25)];
        // Miri is slow.
        for (width, height) in sizes.into_iter().filter(|&(width, height)| !cfg!(miri) || width * height < 10) {
            let size = Size::new(width, height).expect("a size");
            let inputs = if width == 9 { 256 } else { 32 };
            compare(size, inputs, |a, b, c| random(a, b, c) as i8, |a, b, c| random(a, b, c) & 127);
        }
    }

    #[test]
    fn sums_whose_products_overflow_are_right() {
        let inputs = if cfg!(miri) { 16 } else { 256 };
        let weight = |output: usize, input: usize, tap: usize| {
            let is_low = [false, true, tap.is_multiple_of(2), input.is_multiple_of(2)][output % 4];
            if is_low { -128 } else { 127 }
        };
        // Every pattern of full cells in three columns and three rows. One of them takes the number of the middle place
        // of Bᵀ·d·B to −10·127, and its product with −81·128 for 256 inputs beyond 32 bits.
        for pattern in (0..512).step_by(if cfg!(miri) { 73 } else { 1 }) {
            let is_full = |column: usize, row: usize| pattern >> (row % 3 * 3 + column % 3) & 1 == 1;
            let activation = |column: usize, row: usize, _: usize| if is_full(column, row) { 127 } else { 0 };
            compare(Size::square(5), inputs, weight, activation);
        }
    }
}
