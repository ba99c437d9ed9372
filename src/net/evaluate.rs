//! One evaluation: from the planes through the trunk to the output.

use super::aligned::Aligned;
use super::conv::{Conv, Job, Scratch};
use super::description::Description;
use super::grid::{Grid, SLACK};
use super::heads::{HeadSpace, Heads, Output, Trunk};
use super::kernel::Kernel;
use super::matrix::{Matrix, pool};
use super::planes::{self, Planes};

use crate::go::symmetry::turn;
use crate::go::{CAPACITY, MAX_POINTS, MIN_SIZE, Point, Size};

/// The weights of a net, ready for evaluations.
#[derive(Clone, Debug)]
pub struct Net {
    description: Description,
    pub(super) kernel: Kernel,
    input: Conv,
    scalars: Matrix,
    blocks: Vec<Block>,
    heads: Heads,
}

/// A residual block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The first convolution.
    pub first: Conv,
    /// The second convolution.
    pub second: Conv,
    /// The factor of the block's input, which is added to the output of the second convolution.
    pub ratio: f32,
    /// The matrix from the pooled output of the first convolution to a shift of the second one's biases.
    pub pool: Option<Matrix>,
}

impl Net {
    /// A net of these layers, with the fastest kernel of the machine.
    pub(super) fn new(description: Description, input: Conv, scalars: Matrix, blocks: Vec<Block>, heads: Heads) -> Net {
        Net { description, kernel: Kernel::best(), input, scalars, blocks, heads }
    }

    /// The same net with another kernel. The kernel changes the speed, not the output.
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

    /// The net's output for a position. `symmetry` turns the board before the evaluation, and turns the output back. 0
    /// turns nothing. Memory is allocated at the first evaluation, and for a larger board or a net of another shape.
    ///
    /// # Panics
    /// If the board has no such symmetry, see [`Size::symmetries`].
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
        let scratch = &mut space.scratch;
        kernel.run(Job::new(grid, &self.input, &space.planes, init, None, &mut space.trunk, scratch));
        for block in &self.blocks {
            kernel.run(Job::new(grid, &block.first, &space.trunk, &block.first.bias, None, &mut space.middle, scratch));
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
            kernel.run(Job::new(grid, &block.second, &space.middle, init, residual, &mut space.next, scratch));
            std::mem::swap(&mut space.trunk, &mut space.next);
        }
        let trunk = Trunk { kernel, grid, cells: &space.trunk, image: &space.image[..grid.points()] };
        self.heads.run(&trunk, planes, &mut space.heads, &mut space.scratch, &mut space.output);
        &space.output
    }
}

/// Eight bits as eight bytes of 0 or 1, the lowest first.
fn spread(bits: u8) -> [u8; 8] {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const OWN_BIT: u64 = 0x8040_2010_0804_0201;
    let alone = u64::from(bits).wrapping_mul(EACH) & OWN_BIT;
    // The addition sets the highest bit of every byte that is not 0.
    ((alone + 0x7f * EACH) >> 7 & EACH).to_le_bytes()
}

/// Number of cells of an array that fits boards of every size.
const CELLS: usize = CAPACITY + SLACK;

/// Working memory for evaluations. Each thread has its own.
#[derive(Debug)]
pub struct Workspace {
    pub(super) grid: Grid,
    symmetry: usize,
    /// The cell of each point of the board.
    image: [u16; MAX_POINTS],
    channels: [usize; 4],
    planes: Aligned,
    pub(super) trunk: Aligned,
    middle: Aligned,
    next: Aligned,
    init: Vec<i32>,
    sums: Vec<f32>,
    pooled: Vec<f32>,
    scratch: Scratch,
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
            planes: Aligned::zeros(CELLS * planes::COUNT),
            trunk: Aligned::zeros(CELLS * c),
            middle: Aligned::zeros(CELLS * c),
            next: Aligned::zeros(CELLS * c),
            init: vec![0; widest],
            sums: vec![0.0; widest],
            pooled: vec![0.0; 3 * c],
            scratch: Scratch::default(),
            heads: HeadSpace {
                cells: Aligned::zeros(CELLS * v.max(q)),
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

    /// The output of the last evaluation.
    pub fn output(&self) -> &Output {
        &self.output
    }

    /// Enlarges the arrays if this net needs more than the last one.
    fn fit(&mut self, net: &Net) {
        let d = &net.description;
        if self.channels != [d.channels, d.value_channels, d.policy_channels, d.hidden] {
            *self = Workspace::new(net);
        }
    }

    /// Prepares the arrays for a board of this size, turned by this symmetry.
    fn turn_to(&mut self, size: Size, symmetry: usize) {
        assert!(symmetry < size.symmetries(), "a board of {size} has {} symmetries", size.symmetries());
        if self.grid.size() != size {
            self.grid = Grid::new(size);
            // Cells of this size's border held activations of the last size's board.
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
        for (image, place) in self.image.iter_mut().zip(size.places()) {
            let (column, row) = turn(place, size, self.symmetry);
            *image = Point::new(column, row, size).index() as u16;
        }
    }
}
