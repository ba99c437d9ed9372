//! From the trunk to the outputs: moves, result, score, owners.

use super::aligned::Aligned;
use super::conv::{Conv, Job, Scratch};
use super::exp::{exp, softmax, tanh};
use super::grid::Grid;
use super::kernel::Kernel;
use super::matrix::{Matrix, pool};
use super::planes::Planes;
use crate::go::{MAX_POINTS, MIN_SIZE, Move, Point, Size};

/// The lead in points for the output 1.
const LEAD_UNIT: f32 = 20.0;

/// The layers after the trunk.
#[derive(Clone, Debug)]
pub(super) struct Heads {
    pub value: Conv,
    pub policy: Conv,
    pub policy_pool: Matrix,
    pub policy_out: Vec<i16>,
    pub policy_scale: f32,
    pub owner_out: Vec<i16>,
    pub owner_scale: f32,
    pub owner_bias: f32,
    pub hidden: Matrix,
    pub hidden_bias: Vec<f32>,
    pub results: Matrix,
    pub results_bias: Vec<f32>,
}

/// The raw output: equal bit by bit on every machine and in the trainer's integer form.
#[derive(Clone, Debug, PartialEq)]
pub struct Raw {
    /// A logit for each point, row by row from the bottom, then the logit of the pass.
    pub logits: [f32; MAX_POINTS + 1],
    /// For each point, the ownership before the tangent.
    pub owner: [f32; MAX_POINTS],
    /// Logits of win, draw and loss; lead; spread.
    pub results: [f32; 5],
}

/// The net's output for a position, for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    size: Size,
    /// The raw output behind these values.
    pub raw: Raw,
    policy: [f32; MAX_POINTS + 1],
    ownership: [f32; MAX_POINTS],
    /// The probability of a win.
    pub win: f32,
    /// The probability of a draw.
    pub draw: f32,
    /// The probability of a loss.
    pub loss: f32,
    /// Expected lead at the end, in points, komi included.
    pub lead: f32,
    /// Standard deviation of the final score, in points.
    pub spread: f32,
}

impl Default for Output {
    fn default() -> Output {
        Output {
            size: Size::square(MIN_SIZE),
            raw: Raw { logits: [0.0; MAX_POINTS + 1], owner: [0.0; MAX_POINTS], results: [0.0; 5] },
            policy: [0.0; MAX_POINTS + 1],
            ownership: [0.0; MAX_POINTS],
            win: 0.0,
            draw: 0.0,
            loss: 0.0,
            lead: 0.0,
            spread: 0.0,
        }
    }
}

impl Output {
    /// Columns and rows of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The probabilities of the moves: of each point, row by row from the bottom, then of the pass. Occupied and
    /// forbidden points have 0.
    pub fn policy(&self) -> &[f32] {
        &self.policy[..self.size.points() + 1]
    }

    /// The expected owner of each point, row by row from the bottom: −1 to 1, 1 for the side to move.
    pub fn ownership(&self) -> &[f32] {
        &self.ownership[..self.size.points()]
    }

    /// The probability of a move on this board.
    ///
    /// # Panics
    /// If the point is not on the board.
    pub fn probability(&self, mv: Move) -> f32 {
        match mv {
            Move::Play(point) => self.policy[self.index(point)],
            Move::Pass => self.policy[self.size.points()],
        }
    }

    /// The expected owner of a point of this board, −1 to 1, 1 for the side to move.
    ///
    /// # Panics
    /// If the point is not on the board.
    pub fn owner(&self, point: Point) -> f32 {
        self.ownership[self.index(point)]
    }

    /// The probability of a win, where a draw counts as half a win.
    pub fn win_rate(&self) -> f32 {
        self.win + 0.5 * self.draw
    }

    fn index(&self, point: Point) -> usize {
        let (column, row) = (point.column(self.size), point.row(self.size));
        assert!(self.size.contains(column, row), "{point:?} is no point of the board");
        row * self.size.width() + column
    }
}

/// Working memory for the layers after the trunk.
#[derive(Debug)]
pub(super) struct HeadSpace {
    pub cells: Aligned,
    pub pooled: Vec<f32>,
    pub sums: Vec<f32>,
    pub init: Vec<i32>,
    pub hidden: Vec<f32>,
}

/// The trunk's output.
pub(super) struct Trunk<'a> {
    /// The kernel that evaluates the heads.
    pub kernel: Kernel,
    /// The order of the trunk's cells.
    pub grid: &'a Grid,
    /// The cells.
    pub cells: &'a [u8],
    /// The cell of each point of the board.
    pub image: &'a [u16],
}

impl Heads {
    /// Evaluates the heads on the trunk.
    pub(super) fn run(
        &self,
        trunk: &Trunk<'_>,
        planes: &Planes,
        space: &mut HeadSpace,
        scratch: &mut Scratch,
        out: &mut Output,
    ) {
        let Trunk { kernel, grid, cells: trunk, image } = *trunk;
        let (size, points) = (grid.size(), grid.points());
        out.size = size;
        let channels = self.value.outputs();
        kernel.run(Job::new(grid, &self.value, trunk, &self.value.bias, None, &mut space.cells, scratch));
        let pooled = &mut space.pooled[..3 * channels];
        pool(&space.cells, channels, grid.cells(), size, pooled);
        for (i, &cell) in image.iter().enumerate() {
            let sum = dot(&space.cells[usize::from(cell) * channels..], &self.owner_out);
            out.raw.owner[i] = sum as f32 * self.owner_scale + self.owner_bias;
        }

        let hidden = &mut space.hidden[..self.hidden_bias.len()];
        hidden.copy_from_slice(&self.hidden_bias);
        self.hidden.apply(pooled, hidden);
        hidden.iter_mut().for_each(|h| *h = h.max(0.0));
        let mut results = [0.0; 6];
        results.copy_from_slice(&self.results_bias);
        self.results.apply(hidden, &mut results);
        let [win, draw, loss, lead, spread, pass] = results;

        let channels = self.policy.outputs();
        let init = &mut space.init[..channels];
        self.policy_pool.shift(pooled, &self.policy.bias, &mut space.sums, init);
        kernel.run(Job::new(grid, &self.policy, trunk, init, None, &mut space.cells, scratch));
        for (i, &cell) in image.iter().enumerate() {
            let sum = dot(&space.cells[usize::from(cell) * channels..], &self.policy_out);
            out.raw.logits[i] = sum as f32 * self.policy_scale;
        }
        out.raw.logits[points] = pass;
        out.raw.results = [win, draw, loss, lead, spread];
        out.finish(planes);
    }
}

impl Output {
    /// Turns the raw output into probabilities.
    fn finish(&mut self, planes: &Planes) {
        let points = self.size.points();
        for i in 0..points {
            self.policy[i] = if planes.may_be_played(i) { self.raw.logits[i] } else { f32::NEG_INFINITY };
        }
        for (owner, &raw) in self.ownership[..points].iter_mut().zip(&self.raw.owner[..points]) {
            *owner = tanh(raw);
        }
        self.policy[points] = self.raw.logits[points];
        softmax(&mut self.policy[..=points]);
        let [win, draw, loss, lead, spread] = self.raw.results;
        let mut result = [win, draw, loss];
        softmax(&mut result);
        [self.win, self.draw, self.loss] = result;
        self.lead = LEAD_UNIT * lead;
        self.spread = exp(spread.clamp(-3.0, 5.0));
    }
}

/// The sum of activations times weights, over the number of weights.
fn dot(activations: &[u8], weights: &[i16]) -> i32 {
    activations.iter().zip(weights).map(|(&a, &w)| i32::from(a) * i32::from(w)).sum()
}
