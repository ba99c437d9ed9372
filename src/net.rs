//! A small net of whole numbers: its input ([`planes`]), its weights ([`description`], [`mod@file`]), and the code that
//! evaluates a position ([`kernel`]). The net knows no search and no playout; `docs/net.md` describes its arithmetic.
//!
//! Activations have seven bits, weights eight, sums 32. The few floating-point operations are done in a fixed order. So
//! every instruction set gives the same bits, and one thread and a seed give the same moves on every machine.
//!
//! ```
//! use kosumi::go::{Komi, Move, Position, Ruleset};
//! use kosumi::net::planes::{PlaneMaker, Planes, Situation};
//! use kosumi::net::{Net, Workspace, random};
//!
//! let net = Net::from_bytes(&random::file(&random::description(2, 32), 1))?;
//! let position = Position::new(9, Ruleset::default());
//! let situation = Situation { position: &position, last: [None; 5], komi: Komi::from_half_points(14) };
//! let mut planes = Planes::default();
//! PlaneMaker::default().make(&situation, &mut planes);
//! let mut workspace = Workspace::new(&net);
//! let output = net.evaluate(&mut workspace, &planes, 0);
//! assert!(output.probability(Move::Pass) < 1.0);
//! # Ok::<(), kosumi::net::NetError>(())
//! ```

pub mod conv;
pub mod description;
mod exp;
pub mod file;
mod grid;
mod heads;
pub mod kernel;
mod matrix;
#[cfg(test)]
mod naive;
pub mod planes;
pub mod random;
pub mod scalars;
#[cfg(test)]
mod tests;

pub use description::Description;
pub use file::NetError;
pub use heads::{Output, Raw};
pub use kernel::Kernel;

use conv::{Conv, Job};
use grid::{Grid, SLACK};
use heads::{HeadSpace, Heads, Trunk};
use matrix::{Matrix, pool};
use planes::Planes;

use crate::go::symmetry::{SYMMETRIES, turn};
use crate::go::{CAPACITY, MAX_POINTS, MIN_SIZE, Point};

/// The weights of a net, ready for use.
pub struct Net {
    description: Description,
    kernel: Kernel,
    input: Conv,
    scalars: Matrix,
    blocks: Vec<Block>,
    heads: Heads,
}

/// A residual block.
struct Block {
    first: Conv,
    second: Conv,
    /// The factor of the block's input when it is added to the block's output.
    ratio: f32,
    /// The matrix by which the pooled output of the first convolution shifts the second one's bias.
    pool: Option<Matrix>,
}

impl Net {
    fn new(description: Description, input: Conv, scalars: Matrix, blocks: Vec<Block>, heads: Heads) -> Net {
        Net { description, kernel: Kernel::best(), input, scalars, blocks, heads }
    }

    /// Reads a weight file, and chooses the fastest kernel of the machine.
    ///
    /// # Errors
    /// Why the bytes are no net.
    pub fn from_bytes(bytes: &[u8]) -> Result<Net, NetError> {
        file::read(bytes)
    }

    /// The same net with another kernel: slower or faster, with the same bits.
    ///
    /// # Panics
    /// If the machine lacks the kernel, see [`Kernel::is_available`].
    #[must_use]
    pub fn with_kernel(self, kernel: Kernel) -> Net {
        assert!(kernel.is_available(), "this machine has no {kernel}");
        Net { kernel, ..self }
    }

    /// The net's shape and origin.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The kernel that evaluates the net.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Evaluates a position. `symmetry` turns the board before the evaluation and turns the output back; 0 changes
    /// nothing. No memory is allocated, unless the workspace was made for a net of another shape.
    ///
    /// # Panics
    /// If `symmetry` is not below [`SYMMETRIES`].
    pub fn evaluate<'a>(&self, workspace: &'a mut Workspace, planes: &Planes, symmetry: usize) -> &'a Output {
        let space = workspace;
        space.fit(self);
        space.turn_to(planes.size(), symmetry);
        for (&bits, &cell) in planes.points().iter().zip(&space.image) {
            let at = usize::from(cell) * planes::COUNT;
            space.planes[at..at + 8].copy_from_slice(&spread(bits as u8));
            space.planes[at + 8..at + 16].copy_from_slice(&spread((bits >> 8) as u8));
        }
        let (kernel, grid) = (self.kernel, &space.grid);
        let channels = self.description.channels;
        let init = &mut space.init[..channels];
        self.scalars.shift(planes.scalars(), &self.input.bias, &mut space.sums, init);
        kernel.run(Job::new(grid, &self.input, &space.planes, init, None, &mut space.trunk));
        for block in &self.blocks {
            kernel.run(Job::new(grid, &block.first, &space.trunk, &block.first.bias, None, &mut space.middle));
            let init = match &block.pool {
                None => &block.second.bias[..],
                Some(matrix) => {
                    let pooled = &mut space.pooled[..3 * channels];
                    pool(&space.middle, channels, grid.cells(), grid.size(), pooled);
                    matrix.shift(pooled, &block.second.bias, &mut space.sums, &mut space.init[..channels]);
                    &space.init[..channels]
                }
            };
            let residual = Some((&space.trunk[..], block.ratio));
            kernel.run(Job::new(grid, &block.second, &space.middle, init, residual, &mut space.next));
            std::mem::swap(&mut space.trunk, &mut space.next);
        }
        let trunk = Trunk { kernel, grid, cells: &space.trunk, image: &space.image[..grid.points()] };
        self.heads.run(&trunk, planes, &mut space.heads, &mut space.output);
        &space.output
    }
}

/// Eight bits as eight bytes of 0 or 1, the lowest first.
fn spread(bits: u8) -> [u8; 8] {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const OWN_BIT: u64 = 0x8040_2010_0804_0201;
    let alone = u64::from(bits).wrapping_mul(EACH) & OWN_BIT;
    // A value other than 0 carries into the highest bit of its byte.
    ((alone + 0x7f * EACH) >> 7 & EACH).to_le_bytes()
}

/// Cells of an array for boards of every size.
const CELLS: usize = CAPACITY + SLACK;

/// Working memory for an evaluation. Each thread needs its own.
pub struct Workspace {
    grid: Grid,
    symmetry: usize,
    /// The cell of each point of the board.
    image: [u16; MAX_POINTS],
    channels: [usize; 4],
    planes: Vec<u8>,
    trunk: Vec<u8>,
    middle: Vec<u8>,
    next: Vec<u8>,
    init: Vec<i32>,
    sums: Vec<f32>,
    pooled: Vec<f32>,
    heads: HeadSpace,
    output: Output,
}

impl Workspace {
    /// Working memory for evaluations of this net, on boards of any size.
    pub fn new(net: &Net) -> Workspace {
        let d = &net.description;
        let (c, v, q) = (d.channels, d.value_channels, d.policy_channels);
        let widest = c.max(v).max(q);
        let mut space = Workspace {
            grid: Grid::new(MIN_SIZE),
            symmetry: 0,
            image: [0; MAX_POINTS],
            channels: [c, v, q, d.hidden],
            planes: vec![0; CELLS * planes::COUNT],
            trunk: vec![0; CELLS * c],
            middle: vec![0; CELLS * c],
            next: vec![0; CELLS * c],
            init: vec![0; widest],
            sums: vec![0.0; widest],
            pooled: vec![0.0; 3 * c],
            heads: HeadSpace {
                cells: vec![0; CELLS * v.max(q)],
                pooled: vec![0.0; 3 * v],
                sums: vec![0.0; widest],
                init: vec![0; widest],
                hidden: vec![0.0; d.hidden],
            },
            output: Output::default(),
        };
        space.place();
        space
    }

    /// The last evaluation.
    pub fn output(&self) -> &Output {
        &self.output
    }

    /// Fits the memory to a net of another shape.
    fn fit(&mut self, net: &Net) {
        let d = &net.description;
        if self.channels != [d.channels, d.value_channels, d.policy_channels, d.hidden] {
            *self = Workspace::new(net);
        }
    }

    /// Arranges the arrays for a board of this size in this symmetry.
    fn turn_to(&mut self, size: usize, symmetry: usize) {
        assert!(symmetry < SYMMETRIES, "there are {SYMMETRIES} symmetries");
        if self.grid.size() != size {
            self.grid = Grid::new(size);
            // The border of this size may lie on the board of another size.
            for cells in [&mut self.planes, &mut self.trunk, &mut self.middle, &mut self.next] {
                cells.fill(0);
            }
        } else if self.symmetry == symmetry {
            return;
        }
        self.symmetry = symmetry;
        self.place();
    }

    fn place(&mut self) {
        let size = self.grid.size();
        for i in 0..self.grid.points() {
            let (column, row) = turn((i % size, i / size), size, self.symmetry);
            self.image[i] = Point::new(column, row, size).index() as u16;
        }
    }
}
