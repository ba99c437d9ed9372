//! Matrices of f32 with a fixed order of operations, and pooling. Every machine gives the same bits: each product is
//! rounded before it is added, row by row.

use crate::go::Size;

/// A matrix, row by row: an input is a row, an output a column.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    columns: usize,
    entries: Vec<f32>,
}

/// Columns whose sums are made at a time.
const BLOCK: usize = 16;
/// The largest shift of a bias.
const LARGEST_SHIFT: f32 = (1 << 28) as f32;

impl Matrix {
    /// A matrix of these entries, row by row.
    ///
    /// # Panics
    /// If the entries do not fill whole rows.
    pub(super) fn new(columns: usize, entries: Vec<f32>) -> Matrix {
        assert!(columns > 0 && entries.len().is_multiple_of(columns));
        Matrix { columns, entries }
    }

    /// Adds the rows, each times its input, to `out`.
    ///
    /// # Panics
    /// If the lengths are not those of the matrix.
    pub(super) fn apply(&self, inputs: &[f32], out: &mut [f32]) {
        assert!(inputs.len() * self.columns == self.entries.len() && out.len() == self.columns);
        // So many sums stay in registers while all rows are added to them.
        let mut blocks = out.chunks_exact_mut(BLOCK);
        let mut first = 0;
        for block in &mut blocks {
            let mut sums: [f32; BLOCK] = std::array::from_fn(|k| block[k]);
            for (row, &input) in self.entries.chunks_exact(self.columns).zip(inputs) {
                let row = &row[first..first + BLOCK];
                for k in 0..BLOCK {
                    sums[k] += input * row[k];
                }
            }
            block.copy_from_slice(&sums);
            first += BLOCK;
        }
        let rest = blocks.into_remainder();
        for (row, &input) in self.entries.chunks_exact(self.columns).zip(inputs) {
            for (sum, &entry) in rest.iter_mut().zip(&row[first..]) {
                *sum += input * entry;
            }
        }
    }

    /// Writes to `out` each bias plus the sum of the rows, each row times its input. The sum is rounded, halves to
    /// even. `sums` is working memory for as many numbers.
    ///
    /// # Panics
    /// If the lengths are not those of the matrix.
    pub(super) fn shift(&self, inputs: &[f32], bias: &[i32], sums: &mut [f32], out: &mut [i32]) {
        assert!(bias.len() == self.columns && out.len() == self.columns);
        let sums = &mut sums[..self.columns];
        sums.fill(0.0);
        self.apply(inputs, sums);
        for ((out, bias), sum) in out.iter_mut().zip(bias).zip(sums) {
            *out = bias + round(sum.clamp(-LARGEST_SHIFT, LARGEST_SHIFT));
        }
    }
}

/// The nearest whole number, halves to even, of a number whose magnitude is at most 2²⁸.
fn round(value: f32) -> i32 {
    // From 2²³ on every f32 is a whole number. Below, adding and subtracting 1.5 · 2²³ rounds.
    const WHOLE: f32 = 12_582_912.0;
    if value.abs() < 4_194_304.0 { (value + WHOLE - WHOLE) as i32 } else { value.round_ties_even() as i32 }
}

/// The pooled channels of a board: all means over its points, all means times (size − 14)/10, all maxima. Of a
/// rectangle, the size is the geometric mean of its sides. `cells` are activations with the `channels` of a cell side by
/// side. `at` lists the cells that are points. `out` has three numbers for each channel.
///
/// # Panics
/// If an array is too short.
pub(super) fn pool(cells: &[u8], channels: usize, at: &[u16], size: Size, out: &mut [f32]) {
    assert!(out.len() == 3 * channels);
    let points = at.len() as f32;
    // (size − 14)/10 as in Wu 2019: about −1 to 1 over all sizes.
    let by_size = (size.mean_side() - 14.0) / 10.0;
    const WIDTH: usize = 16;
    for first in (0..channels).step_by(WIDTH) {
        let mut sums = [0_u32; WIDTH];
        let mut maxima = [0_u8; WIDTH];
        // Sixteen bits hold the sum of 257 bytes, and take half the time of 32 bits.
        for at in at.chunks(257) {
            let mut short = [0_u16; WIDTH];
            for &cell in at {
                let here = &cells[usize::from(cell) * channels + first..][..WIDTH];
                for k in 0..WIDTH {
                    short[k] += u16::from(here[k]);
                    maxima[k] = maxima[k].max(here[k]);
                }
            }
            for k in 0..WIDTH {
                sums[k] += u32::from(short[k]);
            }
        }
        for k in 0..WIDTH {
            let mean = sums[k] as f32 / points;
            out[first + k] = mean;
            out[channels + first + k] = mean * by_size;
            out[2 * channels + first + k] = f32::from(maxima[k]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_to_the_nearest_even_number() {
        for (value, wanted) in [
            (0.5, 0),
            (1.5, 2),
            (-0.5, 0),
            (-2.5, -2),
            (2.6, 3),
            (4_194_303.5, 4_194_304),
            (-8_388_607.5, -8_388_608),
            (LARGEST_SHIFT, 1 << 28),
        ] {
            assert_eq!(round(value), wanted, "{value}");
        }
    }

    #[test]
    fn rows_are_added_in_order_and_shifts_rounded() {
        let matrix = Matrix::new(2, vec![1.0, 0.5, 2.0, 0.25]);
        let mut out = [10.0, 0.0];
        matrix.apply(&[3.0, 2.0], &mut out);
        assert_eq!(out, [17.0, 2.0]);
        let mut shifted = [0; 2];
        matrix.shift(&[1.0, 4.0], &[100, -1], &mut [0.0; 2], &mut shifted);
        assert_eq!(shifted, [109, 1], "9 and 1.5, which is rounded to 2");
    }

    #[test]
    fn pooling_gives_means_and_maxima_of_points_alone() {
        let mut cells = vec![99; 4 * 16];
        for (cell, value) in [(1, 3), (3, 8)] {
            cells[cell * 16..][..16].fill(value);
        }
        let mut out = [0.0; 48];
        pool(&cells, 16, &[1, 3], Size::square(9), &mut out);
        assert_eq!((out[0], out[16], out[47]), (5.5, 5.5 * -0.5, 8.0));
    }
}
