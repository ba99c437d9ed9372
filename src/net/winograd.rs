//! The numbers of 3×3 convolutions with a third of the products (Winograd 1980, "Arithmetic complexity of
//! computations"; Lavin and Gray 2016, "Fast algorithms for convolutional neural networks": F(3×3, 3×3)).
//! `kernel/windows.rs` computes them.
//!
//! The board is cut into [squares](super::grid::Square) of 3×3 points. The nine sums of a square come from its window
//! of 5×5 cells:
//!
//! ```text
//! sums = Aᵀ·[(G·g·Gᵀ) ⊙ (Bᵀ·d·B)]·A / 36        d: a window of one input      g: the weights of one input, one output
//! ```
//!
//! ⊙ multiplies number by number. That makes 25 products for each input and output, where the sums themselves have 81.
//! Bᵀ·d·B is the same for all outputs, and G·g·Gᵀ never changes. The matrices are those of the points 0, 1, −1, 2 and
//! infinity. Lavin and Gray's G has halves and sixths. Ours is six times theirs, so the division by 36 is left.
//!
//! All numbers stay whole, so the sums are those of the definition, bit for bit. Sixteen bits hold the factors: a
//! number of Bᵀ·d·B is at most 18·127, and one of G·g·Gᵀ at most 81·128. After the products, 32 bits may overflow on
//! the way. But sums that overflow are right modulo 2³², and 36 times the result fits.

use super::aligned::Aligned;
use super::grid::{WINDOW, WINDOW_SIDE};

/// The rows of G.
const G: [[i32; 3]; WINDOW_SIDE] = [[3, 0, 0], [-3, -3, -3], [-1, 1, -1], [1, 2, 4], [0, 0, 6]];

/// The inverse of 9 modulo 2³².
const NINTH: i32 = 954_437_177;

/// Outputs whose weights lie side by side.
pub(super) const WIDTH: usize = 16;

/// Number of inputs that are transformed at a time. It divides the inputs of every net.
const INPUTS: usize = 16;
/// Number of outputs whose sums are made at a time.
const OUTPUTS: usize = 8;

/// The transformed weights of a convolution, as sixteen bits: for each [`WIDTH`] outputs, each place of a window, each
/// pair of inputs and each output, two weights. `of(tap, input, output)` is a weight.
///
/// # Panics
/// If the inputs are no multiple of 16 or so many that 32 bits may not hold 36 times a sum, or if the outputs are no
/// multiple of [`WIDTH`].
pub(super) fn weights(inputs: usize, outputs: usize, of: impl Fn(usize, usize, usize) -> i8) -> Aligned {
    assert!(inputs.is_multiple_of(INPUTS) && outputs.is_multiple_of(WIDTH));
    assert!(36 * 9 * inputs * 127 * 128 < 1 << 31);
    let mut packed = Aligned::zeros(2 * WINDOW * inputs * outputs);
    let numbers: &mut [i16] = bytemuck::cast_slice_mut(&mut packed[..]);
    for output in 0..outputs {
        for input in 0..inputs {
            let rows: [[i32; 3]; 3] =
                std::array::from_fn(|row| std::array::from_fn(|column| of(3 * row + column, input, output).into()));
            let columns = rows.map(|row| G.map(|factors| (0..3).map(|i| factors[i] * row[i]).sum::<i32>()));
            for place in 0..WINDOW {
                let (row, column) = (place / WINDOW_SIDE, place % WINDOW_SIDE);
                let weight: i32 = (0..3).map(|i| G[row][i] * columns[i][column]).sum();
                let pair = (output / WIDTH * WINDOW + place) * (inputs / 2) + input / 2;
                numbers[2 * (pair * WIDTH + output % WIDTH) + input % 2] = weight as i16;
            }
        }
    }
    packed
}

/// Sets Bᵀ·d·B of a window, given by its cells, for all inputs. The numbers of a place of the window begin at
/// `at + place * step`.
#[inline(always)]
pub(super) fn transform(
    input: &[u8],
    inputs: usize,
    window: &[u16; WINDOW],
    to: &mut [i16],
    (at, step): (usize, usize),
) {
    for first in (0..inputs).step_by(INPUTS) {
        let mut columns = [[[0; INPUTS]; WINDOW_SIDE]; WINDOW_SIDE];
        for (column, differences) in columns.iter_mut().enumerate() {
            let mut cells = [[0; INPUTS]; WINDOW_SIDE];
            for (row, numbers) in cells.iter_mut().enumerate() {
                let from = usize::from(window[row * WINDOW_SIDE + column]) * inputs + first;
                let bytes = &input[from..from + INPUTS];
                numbers.iter_mut().zip(bytes).for_each(|(number, &byte)| *number = byte.into());
            }
            *differences = difference(cells);
        }
        let [a, b, c, d, e] = &columns;
        for row in 0..WINDOW_SIDE {
            let numbers = difference([a[row], b[row], c[row], d[row], e[row]]);
            for (column, numbers) in numbers.iter().enumerate() {
                let at = at + (row * WINDOW_SIDE + column) * step + first;
                to[at..at + INPUTS].copy_from_slice(numbers);
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

/// Makes the sums of nine points and [`WIDTH`] outputs, row by row from below, and adds the start of each output's sum.
/// The products of a place of the window begin at `at + place * step`.
#[inline(always)]
pub(super) fn add_up(products: &[i32], (at, step): (usize, usize), init: &[i32], sums: &mut [[i32; WIDTH]; 9]) {
    for first in (0..WIDTH).step_by(OUTPUTS) {
        let mut rows = [[[0; OUTPUTS]; 3]; WINDOW_SIDE];
        for (row, totals) in rows.iter_mut().enumerate() {
            let mut places = [[0; OUTPUTS]; WINDOW_SIDE];
            for (column, numbers) in places.iter_mut().enumerate() {
                let at = at + (row * WINDOW_SIDE + column) * step + first;
                numbers.copy_from_slice(&products[at..at + OUTPUTS]);
            }
            *totals = total(places);
        }
        let [a, b, c, d, e] = &rows;
        for column in 0..3 {
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
