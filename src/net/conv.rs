//! A convolution of whole numbers: its weights in the order in which kernels read them, and one call of it.

use super::aligned::Aligned;
use super::grid::Grid;

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
        Conv { taps, inputs, outputs, weights: packed, bias, multiplier }
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
