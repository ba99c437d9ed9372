//! Convolutions of 3×3 with a third of the products (Winograd 1980, "Arithmetic complexity of computations"; Lavin and
//! Gray 2016, "Fast algorithms for convolutional neural networks": F(3×3, 3×3)).
//!
//! The board is cut into [tiles](Tile) of 3×3 points. The nine sums of a tile come from its window of 5×5 cells:
//!
//! ```text
//! sums = Aᵀ·[(G·g·Gᵀ) ⊙ (Bᵀ·d·B)]·A / 36        d: a window of one input      g: the weights of one input, one output
//! ```
//!
//! ⊙ multiplies number by number: 25 products for each pair of input and output, where the sums themselves have 81.
//! Bᵀ·d·B is the same for all outputs, and G·g·Gᵀ never changes. The numbers are those for the points 0, 1, −1, 2 and
//! infinity. G has sixths and halves, so it is taken six times, and the sums come out 36 times too large.
//!
//! All numbers stay whole, so the sums are those of the definition, bit for bit. The steps need no more than sixteen bits
//! before the products: a number of Bᵀ·d·B is at most 18·127, and one of G·g·Gᵀ at most 81·128. After the products, 32
//! bits may overflow on the way. But additions that overflow are right modulo 2³². The result is right because 36 times
//! a sum fits: a sum is at most 9·256·127·128.

use super::aligned::Aligned;
use super::conv::{GROUP, Job};
use super::grid::{POINTS, Tile, WINDOW, WINDOW_SIDE};

/// The rows of 6·G.
const WEIGHTS: [[i32; 3]; WINDOW_SIDE] = [[3, 0, 0], [-3, -3, -3], [-1, 1, -1], [1, 2, 4], [0, 0, 6]];

/// The inverse of 9 modulo 2³².
const NINTH: i32 = 954_437_177;

/// Outputs whose weights lie side by side, for each pair of inputs.
pub(super) const WIDTH: usize = 16;

/// Inputs whose windows are transformed at a time.
const INPUTS: usize = 16;
/// Outputs whose sums are made at a time.
const OUTPUTS: usize = 8;

/// The most tiles that share one pass through the weights. (18 and 30 are no faster on an AMD EPYC of the Zen 3 kind.)
const MOST_TILES: usize = 12;
/// The most tiles times inputs, so that the windows stay in the second cache.
const MOST_INPUTS: usize = 1536;

/// The weights G·g·Gᵀ of a convolution, as sixteen bits: for each [`GROUP`] of outputs, each place of a window, each
/// [`WIDTH`] outputs of the group, each pair of inputs and each output, two weights.
pub(super) fn weights(inputs: usize, outputs: usize, of: impl Fn(usize, usize, usize) -> i8) -> Aligned {
    let mut packed = Aligned::zeros(2 * WINDOW * inputs * outputs);
    let numbers: &mut [i16] = bytemuck::cast_slice_mut(&mut packed[..]);
    for output in 0..outputs {
        for input in 0..inputs {
            let rows: [[i32; 3]; 3] =
                std::array::from_fn(|row| std::array::from_fn(|column| of(3 * row + column, input, output).into()));
            let columns = rows.map(|row| WEIGHTS.map(|factors| (0..3).map(|i| factors[i] * row[i]).sum::<i32>()));
            for place in 0..WINDOW {
                let (row, column) = (place / WINDOW_SIDE, place % WINDOW_SIDE);
                let weight: i32 = (0..3).map(|i| WEIGHTS[row][i] * columns[i][column]).sum();
                let part = (output / GROUP * WINDOW + place) * (GROUP / WIDTH) + output % GROUP / WIDTH;
                let at = (part * (inputs / 2) + input / 2) * 2 * WIDTH + output % WIDTH * 2 + input % 2;
                numbers[at] = weight as i16;
            }
        }
    }
    packed
}

/// Working memory.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Bᵀ·d·B for each place of a window, each tile and each input.
    windows: Vec<i16>,
    /// The sums of products for each place of a window, each tile and each output of a group.
    products: Vec<i32>,
}

impl Scratch {
    /// Makes the arrays large enough.
    fn fit(&mut self, tiles: usize, inputs: usize) {
        let (windows, products) = (WINDOW * tiles * inputs, WINDOW * tiles * GROUP);
        if self.windows.len() < windows {
            self.windows.resize(windows, 0);
        }
        if self.products.len() < products {
            self.products.resize(products, 0);
        }
    }
}

/// Computes a convolution of 3×3. Its code becomes that of the caller's instruction set.
///
/// `multiply(windows, weights, products)` sets the products of one place of a window: for each tile and each output of a
/// group, the sum over all inputs. `finish(job, cell, channel, sums)` makes activations of the sums of a [`GROUP`] of
/// outputs, which begins at `channel`.
///
/// # Panics
/// If the convolution is one of 1×1.
#[inline(always)]
pub(super) fn run(
    job: &mut Job<'_>,
    multiply: impl Fn(&[i16], &[i16], &mut [i32]),
    finish: impl Fn(&mut Job<'_>, u16, usize, &[i32; GROUP]),
) {
    let (inputs, outputs) = (job.inputs(), job.outputs());
    let all = job.tiles();
    let most = (MOST_INPUTS / inputs).clamp(1, MOST_TILES);
    let at_a_time = all.len().div_ceil(all.len().div_ceil(most));
    let mut scratch = std::mem::take(job.scratch());
    scratch.fit(at_a_time, inputs);
    let weights = job.winograd();
    let mut sums = [[0; GROUP]; POINTS];
    for tiles in all.chunks(at_a_time) {
        let count = tiles.len();
        let windows = &mut scratch.windows[..WINDOW * count * inputs];
        for (t, tile) in tiles.iter().enumerate() {
            transform(job.input(), inputs, tile, t, windows);
        }
        for (group, weights) in weights.chunks_exact(WINDOW * inputs * GROUP).take(outputs / GROUP).enumerate() {
            let products = &mut scratch.products[..WINDOW * count * GROUP];
            let places = windows.chunks_exact(count * inputs).zip(weights.chunks_exact(inputs * GROUP));
            for ((windows, weights), products) in places.zip(products.chunks_exact_mut(count * GROUP)) {
                multiply(windows, weights, products);
            }
            for (t, tile) in tiles.iter().enumerate() {
                add_up(products, t, &job.init()[group * GROUP..][..GROUP], &mut sums);
                for (cell, sums) in tile.cells().zip(&sums) {
                    if let Some(cell) = cell {
                        finish(job, cell, group * GROUP, sums);
                    }
                }
            }
        }
    }
    *job.scratch() = scratch;
}

/// Sets Bᵀ·d·B of a tile for all inputs.
#[inline(always)]
fn transform(input: &[u8], inputs: usize, tile: &Tile, t: usize, windows: &mut [i16]) {
    let of_place = windows.len() / WINDOW;
    for first in (0..inputs).step_by(INPUTS) {
        let mut columns = [[[0; INPUTS]; WINDOW_SIDE]; WINDOW_SIDE];
        for (column, differences) in columns.iter_mut().enumerate() {
            let mut cells = [[0; INPUTS]; WINDOW_SIDE];
            for (row, numbers) in cells.iter_mut().enumerate() {
                let from = usize::from(tile.window[row * WINDOW_SIDE + column]) * inputs + first;
                let bytes = &input[from..from + INPUTS];
                numbers.iter_mut().zip(bytes).for_each(|(number, &byte)| *number = byte.into());
            }
            *differences = difference(cells);
        }
        for row in 0..WINDOW_SIDE {
            let [a, b, c, d, e] = &columns;
            let numbers = difference([a[row], b[row], c[row], d[row], e[row]]);
            for (column, numbers) in numbers.iter().enumerate() {
                let at = (row * WINDOW_SIDE + column) * of_place + t * inputs + first;
                windows[at..at + INPUTS].copy_from_slice(numbers);
            }
        }
    }
}

/// Bᵀ times a column.
#[inline(always)]
fn difference(d: [[i16; INPUTS]; WINDOW_SIDE]) -> [[i16; INPUTS]; WINDOW_SIDE] {
    let mut out = [[0; INPUTS]; WINDOW_SIDE];
    for i in 0..INPUTS {
        let [a, b, c, d, e] = [d[0][i], d[1][i], d[2][i], d[3][i], d[4][i]];
        let ends = d - b;
        out[0][i] = 2 * (a - c) + ends;
        out[1][i] = ends - b - c;
        out[2][i] = d + 2 * b - 3 * c;
        out[3][i] = ends;
        out[4][i] = e - c - 2 * ends;
    }
    out
}

/// Makes the sums of a tile's points of its products, and adds the start of each output's sum.
#[inline(always)]
fn add_up(products: &[i32], t: usize, init: &[i32], sums: &mut [[i32; GROUP]; POINTS]) {
    let of_place = products.len() / WINDOW;
    for first in (0..GROUP).step_by(OUTPUTS) {
        let mut rows = [[[0; OUTPUTS]; 3]; WINDOW_SIDE];
        for (row, totals) in rows.iter_mut().enumerate() {
            let mut places = [[0; OUTPUTS]; WINDOW_SIDE];
            for (column, numbers) in places.iter_mut().enumerate() {
                let at = (row * WINDOW_SIDE + column) * of_place + t * GROUP + first;
                numbers.copy_from_slice(&products[at..at + OUTPUTS]);
            }
            *totals = total(places);
        }
        for column in 0..3 {
            let [a, b, c, d, e] = &rows;
            let totals = total([a[column], b[column], c[column], d[column], e[column]]);
            for (row, numbers) in totals.iter().enumerate() {
                let sums = &mut sums[3 * row + column][first..first + OUTPUTS];
                for (i, sum) in sums.iter_mut().enumerate() {
                    // The number is 36 times the sum. The product with the inverse of 9 leaves 4 times the sum.
                    *sum = (numbers[i].wrapping_mul(NINTH) >> 2) + init[first + i];
                }
            }
        }
    }
}

/// Aᵀ times a column.
#[inline(always)]
fn total(m: [[i32; OUTPUTS]; WINDOW_SIDE]) -> [[i32; OUTPUTS]; 3] {
    let mut out = [[0; OUTPUTS]; 3];
    for i in 0..OUTPUTS {
        let [a, b, c, d, e] = [m[0][i], m[1][i], m[2][i], m[3][i], m[4][i]];
        let (sum, difference) = (b.wrapping_add(c), b.wrapping_sub(c));
        out[0][i] = a.wrapping_add(sum).wrapping_add(d);
        out[1][i] = difference.wrapping_add(d << 1);
        out[2][i] = sum.wrapping_add(d << 2).wrapping_add(e);
    }
    out
}
