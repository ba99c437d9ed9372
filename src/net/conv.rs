//! A convolution of whole numbers: its weights in the order in which kernels read them, and one call of it.

use std::sync::OnceLock;

use super::aligned::Aligned;
use super::grid::{Grid, Square};
use super::winograd;

/// Number of output channels in a group. The size of every layer is a multiple of it.
pub const GROUP: usize = 32;
/// Number of input channels taken at a time, as in the instructions for sums of products.
pub const QUAD: usize = 4;

/// Weights, biases and multipliers of a convolution of 3×3 (nine taps) or 1×1 (one tap).
#[derive(Clone, Debug)]
pub struct Conv {
    taps: usize,
    inputs: usize,
    outputs: usize,
    /// Four weights for each tap, each four inputs and each output, in this order.
    weights: Aligned,
    /// The same for [`winograd`], made when a kernel asks for them.
    winograd: OnceLock<Aligned>,
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
        Conv { taps, inputs, outputs, weights: packed, winograd: OnceLock::new(), bias, multiplier }
    }

    /// Number of input channels.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Number of output channels.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// The weight of a tap, an input and an output.
    fn weight(&self, tap: usize, input: usize, output: usize) -> i8 {
        let quad = tap * self.inputs / QUAD + input / QUAD;
        self.weights[(quad * self.outputs + output) * QUAD + input % QUAD] as i8
    }

    /// Number of multiply-adds for one point.
    pub fn work(&self) -> usize {
        self.taps * self.inputs * self.outputs
    }
}

/// Working memory of kernels that go by windows.
#[derive(Debug, Default)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only kernels of x86-64 go by windows"))]
pub struct Scratch {
    /// The transformed inputs: for each place of a window, each window and each input.
    pub(super) windows: Vec<i16>,
    /// The products: for each place of a window, each window and each output of a block.
    pub(super) products: Vec<i32>,
}

#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only kernels of x86-64 go by windows"))]
impl Scratch {
    /// Makes the arrays at least so long.
    pub(super) fn fit(&mut self, windows: usize, products: usize) {
        if self.windows.len() < windows {
            self.windows.resize(windows, 0);
        }
        if self.products.len() < products {
            self.products.resize(products, 0);
        }
    }
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
    squares: &'a [Square],
    left: (&'a [u16], usize),
    scratch: &'a mut Scratch,
}

impl<'a> Job<'a> {
    /// A convolution of `input` to `output`, arrays of cells in the order of `grid`, with the channels of a cell side
    /// by side. `init` is the start of the sums. `residual` has as many channels as the output, and is added times its
    /// ratio. Only the cells of points are written. `scratch` is memory that a kernel may need.
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
        scratch: &'a mut Scratch,
    ) -> Job<'a> {
        assert!(input.len() >= grid.room() * conv.inputs && output.len() >= grid.room() * conv.outputs);
        assert!(residual.is_none_or(|(cells, _)| cells.len() >= grid.room() * conv.outputs));
        assert!(init.len() == conv.outputs);
        let taps = grid.taps(conv.taps);
        let (cells, squares, left) = (grid.padded_cells(), grid.squares(), grid.left());
        Job { taps, cells, points: grid.points(), conv, input, init, residual, output, squares, left, scratch }
    }

    /// The offsets of the inputs, in cells: one tap or nine.
    #[inline(always)]
    pub fn taps(&self) -> &'a [isize] {
        self.taps
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

    /// The cells of the points without a square, and then the last cell `SPARE` times more; and how many points these
    /// are.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only kernels of x86-64 go by windows"))]
    pub(super) fn left(&self) -> (&'a [u16], usize) {
        self.left
    }

    /// The squares. They cover the board but for the points that are [left](Job::left).
    #[inline(always)]
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only kernels of x86-64 go by windows"))]
    pub(super) fn squares(&self) -> &'a [Square] {
        self.squares
    }

    /// The [weights](winograd::weights) for windows. They are made at the first call.
    #[inline]
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only kernels of x86-64 go by windows"))]
    pub(super) fn winograd(&self) -> &'a [i16] {
        let conv = self.conv;
        assert!(conv.taps == 9, "windows are for convolutions of 3×3");
        let weight = |tap, input, output| conv.weight(tap, input, output);
        bytemuck::cast_slice(conv.winograd.get_or_init(|| winograd::weights(conv.inputs, conv.outputs, weight)))
    }

    /// Memory for kernels that go by windows.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only kernels of x86-64 go by windows"))]
    pub(super) fn scratch(&mut self) -> &mut Scratch {
        self.scratch
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
    use crate::go::Size;
    use crate::net::kernel::Kernel;

    #[test]
    fn every_kernel_gives_the_plain_bits_on_every_board() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as usize
        };
        // 256 inputs are the most that a net has. Fewer windows share a pass then.
        let boards =
            (2..=25).map(|side| (side, side, 32)).chain([(9, 13, 32), (25, 4, 32), (2, 25, 64), (19, 19, 256)]);
        for (width, height, inputs) in boards.filter(|&(width, ..)| !cfg!(miri) || width == 2) {
            let grid = Grid::new(Size::new(width, height).expect("a size"));
            let weights: Vec<i8> = (0..9 * inputs * GROUP).map(|_| next() as i8).collect();
            let bias = (0..GROUP).map(|_| next() as i32 % 20_000).collect();
            let conv = Conv::new(9, inputs, &weights, bias, vec![2e-4; GROUP]);
            let (mut input, mut residual) = (vec![0; grid.room() * inputs], vec![0; grid.room() * GROUP]);
            for &cell in grid.cells() {
                input[usize::from(cell) * inputs..][..inputs].fill_with(|| (next() & 127) as u8);
                residual[usize::from(cell) * GROUP..][..GROUP].fill_with(|| (next() & 127) as u8);
            }
            let output = |kernel: Kernel| {
                let (mut output, mut scratch) = (vec![0; grid.room() * GROUP], Scratch::default());
                let residual = Some((&residual[..], 0.3));
                kernel.run(Job::new(&grid, &conv, &input, &conv.bias, residual, &mut output, &mut scratch));
                output
            };
            let plain = output(Kernel::Plain);
            for kernel in Kernel::ALL.into_iter().filter(|kernel| kernel.is_available()) {
                assert!(output(kernel) == plain, "{kernel} on {width}x{height}");
            }
        }
    }
}
