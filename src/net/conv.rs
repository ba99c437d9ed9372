//! A convolution of whole numbers: its weights in the order in which kernels read them, and one call of it.

use super::aligned::Aligned;
use super::grid::Grid;

/// Number of output channels in a group. The size of every layer is a multiple of it.
pub const GROUP: usize = 32;
/// Number of input channels taken at a time, as in the instructions for sums of products.
pub const QUAD: usize = 4;
/// The most quads that a convolution has: 256 inputs, nine taps.
pub const MAX_QUADS: usize = 9 * 256 / QUAD;
/// Number of output channels that share their runs (see [`Job::runs`]). It divides [`GROUP`].
pub const BLOCK: usize = 16;
/// The largest activation.
const LARGEST: i32 = 127;

/// Weights, biases and multipliers of a convolution of 3×3 (nine taps) or 1×1 (one tap).
#[derive(Clone, Debug)]
pub struct Conv {
    taps: usize,
    inputs: usize,
    outputs: usize,
    /// Four weights for each tap, each four inputs and each output, in this order.
    weights: Aligned,
    /// See [`Job::runs`]: for each block of outputs its runs, and where in this list they begin.
    runs: Vec<u8>,
    first_runs: Vec<usize>,
    /// The start of each output's sum, before shifts.
    pub bias: Vec<i32>,
    /// The factor that turns each output's sum into an activation.
    multiplier: Vec<f32>,
}

impl Conv {
    /// Orders weights given as `[output][input][tap]`.
    ///
    /// # Panics
    /// If the lengths do not fit, or `inputs` and `outputs` are no multiples of [`QUAD`] and [`GROUP`].
    pub fn new(taps: usize, inputs: usize, weights: &[i8], bias: Vec<i32>, multiplier: Vec<f32>) -> Conv {
        let outputs = bias.len();
        assert!(taps == 1 || taps == 9);
        assert!(inputs > 0 && inputs.is_multiple_of(QUAD) && outputs > 0 && outputs.is_multiple_of(GROUP));
        assert!(weights.len() == taps * inputs * outputs && multiplier.len() == outputs);
        let mut packed = Aligned::zeros(weights.len());
        let bytes: &mut [i8] = bytemuck::cast_slice_mut(&mut packed[..]);
        let mut from = weights.iter();
        for output in 0..outputs {
            for input in 0..inputs {
                let at = (input / QUAD * outputs + output) * QUAD + input % QUAD;
                for (tap, &weight) in from.by_ref().take(taps).enumerate() {
                    bytes[tap * inputs * outputs + at] = weight;
                }
            }
        }
        let (mut runs, mut first_runs) = (Vec::new(), vec![0]);
        for block in (0..outputs).step_by(BLOCK) {
            let quads = bytes.chunks_exact(outputs * QUAD).map(|quad| &quad[block * QUAD..][..BLOCK * QUAD]);
            add_runs(quads, &mut runs);
            first_runs.push(runs.len());
        }
        Conv { taps, inputs, outputs, weights: packed, runs, first_runs, bias, multiplier }
    }

    /// Number of input channels.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Number of output channels.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Number of multiply-adds for one point.
    pub fn work(&self) -> usize {
        self.taps * self.inputs * self.outputs
    }
}

/// Appends the lengths of runs: how many quads, one after the other, can be summed up in sixteen bits. A quad has four
/// weights for each output. A sum of sixteen bits gets two of them, so there are two such sums for each output.
fn add_runs<'a>(quads: impl Iterator<Item = &'a [i8]>, runs: &mut Vec<u8>) {
    // The least and the largest that each sum of a run can become.
    let mut bounds = [[0_i32; 2]; 2 * BLOCK];
    let mut length = 0_u8;
    for quad in quads {
        let mut own = [[0; 2]; 2 * BLOCK];
        for (own, pair) in own.iter_mut().zip(quad.chunks_exact(2)) {
            let products = pair.iter().map(|&weight| i32::from(weight) * LARGEST);
            *own = products.fold([0, 0], |[low, high], product| [low + product.min(0), high + product.max(0)]);
        }
        let longer: [[i32; 2]; 2 * BLOCK] =
            std::array::from_fn(|i| [bounds[i][0] + own[i][0], bounds[i][1] + own[i][1]]);
        let fits = |[low, high]: &[i32; 2]| *low >= i32::from(i16::MIN) && *high <= i32::from(i16::MAX);
        if length < u8::MAX && longer.iter().all(fits) {
            (bounds, length) = (longer, length + 1);
        } else {
            // A quad alone always fits.
            runs.push(length);
            (bounds, length) = (own, 1);
        }
    }
    runs.push(length);
}

/// One call of a convolution. [`Job::new`] checks that every array is long enough, and kernels rely on that check.
#[derive(Debug)]
pub struct Job<'a> {
    taps: &'a [isize],
    cells: &'a [u16],
    points: usize,
    conv: &'a Conv,
    input: &'a [u8],
    init: &'a [i32],
    residual: Option<(&'a [u8], f32)>,
    output: &'a mut [u8],
}

impl<'a> Job<'a> {
    /// A convolution of `input` to `output`, arrays of cells in the order of `grid`, with the channels of a cell side
    /// by side. `init` is the start of the sums. `residual` has as many channels as the output, and is added times its
    /// ratio. Only the cells of points are written.
    ///
    /// # Panics
    /// If an array is too short.
    pub fn new(
        grid: &'a Grid,
        conv: &'a Conv,
        input: &'a [u8],
        init: &'a [i32],
        residual: Option<(&'a [u8], f32)>,
        output: &'a mut [u8],
    ) -> Job<'a> {
        assert!(input.len() >= grid.room() * conv.inputs && output.len() >= grid.room() * conv.outputs);
        assert!(residual.is_none_or(|(cells, _)| cells.len() >= grid.room() * conv.outputs));
        assert!(init.len() == conv.outputs);
        let taps = grid.taps(conv.taps);
        Job { taps, cells: grid.padded_cells(), points: grid.points(), conv, input, init, residual, output }
    }

    /// The offsets of the inputs, in cells: one tap or nine.
    #[inline(always)]
    pub fn taps(&self) -> &'a [isize] {
        self.taps
    }

    /// For each quad of all taps, in the order of [`Job::weights`], how far its first input lies behind the first input
    /// of the point's cell.
    #[inline]
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only kernels of x86-64 go by runs"))]
    pub fn offsets<'b>(&self, room: &'b mut [isize; MAX_QUADS]) -> &'b [isize] {
        let (inputs, quads) = (self.inputs(), self.inputs() / QUAD);
        for (tap, offsets) in self.taps.iter().zip(room.chunks_exact_mut(quads)) {
            for (quad, offset) in offsets.iter_mut().enumerate() {
                *offset = tap * inputs as isize + (quad * QUAD) as isize;
            }
        }
        &room[..self.taps.len() * quads]
    }

    /// Number of points.
    #[inline(always)]
    pub fn points(&self) -> usize {
        self.points
    }

    /// The cells of the points, and then the last cell `SPARE` times more.
    #[inline(always)]
    pub fn cells(&self) -> &'a [u16] {
        self.cells
    }

    /// Number of input channels, a multiple of [`QUAD`].
    #[inline(always)]
    pub fn inputs(&self) -> usize {
        self.conv.inputs
    }

    /// Number of output channels, a multiple of [`GROUP`].
    #[inline(always)]
    pub fn outputs(&self) -> usize {
        self.conv.outputs
    }

    /// Four weights for each tap, each four inputs and each output, in this order.
    #[inline(always)]
    pub fn weights(&self) -> &'a [i8] {
        bytemuck::cast_slice(&self.conv.weights[..])
    }

    /// The runs of the [`BLOCK`] outputs that begin at `channel`. The quads of all taps, in the order of
    /// [`Job::weights`], are cut into runs. Over the quads of a run, sixteen bits hold the sum of the products of the
    /// first two inputs of each quad for any activations, and the sum of the products of the other two as well.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only kernels of x86-64 go by runs"))]
    pub fn runs(&self, channel: usize) -> &'a [u8] {
        let block = channel / BLOCK;
        &self.conv.runs[self.conv.first_runs[block]..self.conv.first_runs[block + 1]]
    }

    /// The start of each output's sum.
    #[inline(always)]
    pub fn init(&self) -> &'a [i32] {
        self.init
    }

    /// The multiplier of each output.
    #[inline(always)]
    pub fn multiplier(&self) -> &'a [f32] {
        &self.conv.multiplier
    }

    /// The input's cells.
    #[inline(always)]
    pub fn input(&self) -> &'a [u8] {
        self.input
    }

    /// The residual's cells and ratio, if there is one.
    #[inline(always)]
    pub fn residual(&self) -> Option<(&'a [u8], f32)> {
        self.residual
    }

    /// The output's cells.
    #[inline(always)]
    pub fn output(&mut self) -> &mut [u8] {
        self.output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nine taps of eight quads, every weight of an output being a number of its own.
    fn conv(weight: impl Fn(usize) -> i8) -> Conv {
        let weights: Vec<i8> = (0..GROUP).flat_map(|output| [weight(output)].repeat(9 * 32)).collect();
        Conv::new(9, 32, &weights, vec![0; GROUP], vec![1.0; GROUP])
    }

    #[test]
    fn a_run_is_as_long_as_sixteen_bits_allow_and_all_runs_hold_all_quads() {
        // 2 · 127 · weight · length has to fit: 32 767 above, 32 768 below.
        for (weight, length) in [(127, 1), (65, 1), (64, 2), (43, 3), (32, 4), (-127, 1), (-64, 2), (-65, 1), (-43, 3)]
        {
            // The second block has weights of 0.
            let conv = conv(|output| if output == 5 { weight } else { 0 });
            let runs = &conv.runs[..conv.first_runs[1]];
            assert!(runs[..runs.len() - 1].iter().all(|&run| run == length), "{weight}: {runs:?}");
            assert_eq!(runs.iter().map(|&run| u32::from(run)).sum::<u32>(), 72);
            assert_eq!(conv.runs[conv.first_runs[1]..], [72]);
        }
    }

    #[test]
    fn sums_at_the_edge_of_sixteen_bits_are_right_on_every_kernel() {
        use crate::net::grid::Grid;
        use crate::net::kernel::Kernel;
        let grid = Grid::new(3);
        // Full activations, so that each run of an output of the same weights becomes as large as it can.
        let input = vec![127; grid.room() * 32];
        for weight in (-127..=127).step_by(if cfg!(miri) { 40 } else { 1 }) {
            let mut conv = conv(|output| if output % 2 == 0 { weight } else { -weight });
            // The middle of the board has 9 · 32 products.
            conv.multiplier = vec![100.0 / (9.0 * 32.0 * 127.0 * f32::from(weight.max(1))); GROUP];
            let kernels = Kernel::ALL.into_iter().filter(|kernel| kernel.is_available());
            let outputs = kernels.map(|kernel| {
                let mut output = vec![0; grid.room() * GROUP];
                kernel.run(Job::new(&grid, &conv, &input, &conv.bias, None, &mut output));
                (kernel, output)
            });
            let outputs: Vec<_> = outputs.collect();
            for (kernel, output) in &outputs {
                assert_eq!(*output, outputs[0].1, "{kernel} with weights of {weight}");
            }
            let middle = usize::from(grid.cells()[4]) * GROUP;
            assert_eq!(outputs[0].1[middle], if weight > 0 { 100 } else { 0 });
        }
    }
}
