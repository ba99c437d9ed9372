//! A node of the tree: 32 bytes of atomics, so that threads share it without locks.
//!
//! Which updates can be lost: none of the visits and values, which are added atomically, though a reader may see
//! the one before the other. All-moves-as-first averages are read, changed and written back without a lock: when
//! two threads do so at once, one observation is lost, which their number (hundreds a playout) can bear.

use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::go::{Move, Point};

/// Children are not made yet.
pub const LEAF: u32 = 0;
/// A thread is making the children.
pub const BUSY: u32 = u32::MAX;
/// The move into this node is forbidden by superko on this very path: never select it.
pub const ILLEGAL: u32 = u32::MAX - 1;

/// Results are summed in units of 2⁻²⁰, exact to a millionth over 2⁴⁴ visits.
const UNIT: f64 = (1u64 << 20) as f64;

/// Statistics of a move, seen from the side that makes it: 1 is a win for that side.
#[repr(C, align(32))]
#[derive(bytemuck::Zeroable)]
pub struct Node {
    /// Sum of results.
    value: AtomicU64,
    /// All-moves-as-first: the weight of the observations and their mean, two `f32`.
    amaf: AtomicU64,
    visits: AtomicU32,
    /// Index of the first child, or [`LEAF`], [`BUSY`], [`ILLEGAL`].
    children: AtomicU32,
    child_count: AtomicU16,
    /// Index of the point played, 0 for a pass.
    mv: AtomicU16,
    /// Prior probability in units of 1/65535.
    prior: AtomicU16,
    /// Threads below this node now.
    virtual_losses: AtomicU16,
}

impl Node {
    /// Makes the node a new, unvisited child.
    pub fn reset(&self, mv: Move, prior: f32) {
        self.value.store(0, Relaxed);
        self.amaf.store(0, Relaxed);
        self.visits.store(0, Relaxed);
        self.children.store(LEAF, Relaxed);
        self.child_count.store(0, Relaxed);
        self.mv.store(mv.point().map_or(0, |p| p.index() as u16), Relaxed);
        self.prior.store((prior.clamp(0.0, 1.0) * 65535.0) as u16, Relaxed);
        self.virtual_losses.store(0, Relaxed);
    }

    /// Takes over all of another node but its virtual losses. No other thread may use either at the time.
    pub fn copy_from(&self, other: &Node) {
        self.value.store(other.value.load(Relaxed), Relaxed);
        self.amaf.store(other.amaf.load(Relaxed), Relaxed);
        self.visits.store(other.visits.load(Relaxed), Relaxed);
        self.children.store(other.children.load(Relaxed), Relaxed);
        self.child_count.store(other.child_count.load(Relaxed), Relaxed);
        self.mv.store(other.mv.load(Relaxed), Relaxed);
        self.prior.store(other.prior.load(Relaxed), Relaxed);
        self.virtual_losses.store(0, Relaxed);
    }

    /// The move that leads here.
    #[inline(always)]
    pub fn mv(&self) -> Move {
        match Point::from_index(self.mv.load(Relaxed) as usize) {
            Some(point) if point != Point::NONE => Move::Play(point),
            _ => Move::Pass,
        }
    }

    /// The point of the move; [`Point::NONE`] for a pass.
    #[inline(always)]
    pub fn point(&self) -> Point {
        Point::from_index(self.mv.load(Relaxed) as usize).unwrap_or(Point::NONE)
    }

    /// Playouts through this node.
    #[inline(always)]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Sum of their results, 0..=visits.
    #[inline(always)]
    pub fn value_sum(&self) -> f32 {
        (self.value.load(Relaxed) as f64 / UNIT) as f32
    }

    /// Mean of their results; `None` before the first.
    pub fn value(&self) -> Option<f32> {
        let visits = self.visits();
        (visits > 0).then(|| self.value_sum() / visits as f32)
    }

    /// Prior probability, 0..=1.
    #[inline(always)]
    pub fn prior(&self) -> f32 {
        f32::from(self.prior.load(Relaxed)) * (1.0 / 65535.0)
    }

    /// Weight and mean of the all-moves-as-first observations.
    #[inline(always)]
    pub fn amaf(&self) -> (f32, f32) {
        let bits = self.amaf.load(Relaxed);
        (f32::from_bits((bits >> 32) as u32), f32::from_bits(bits as u32))
    }

    /// Adds an all-moves-as-first observation.
    #[inline(always)]
    pub fn add_amaf(&self, result: f32, weight: f32) {
        let (old, mean) = self.amaf();
        let new = old + weight;
        let mean = mean + (result - mean) * (weight / new);
        self.amaf.store(u64::from(new.to_bits()) << 32 | u64::from(mean.to_bits()), Relaxed);
    }

    /// Adds the result of a playout, 0..=1.
    #[inline(always)]
    pub fn add(&self, result: f32) {
        self.value.fetch_add((f64::from(result) * UNIT) as u64, Relaxed);
        self.visits.fetch_add(1, Relaxed);
    }

    /// Threads below this node now.
    #[inline(always)]
    pub fn virtual_losses(&self) -> u16 {
        self.virtual_losses.load(Relaxed)
    }

    /// A thread goes down through this node.
    #[inline(always)]
    pub fn enter(&self) {
        self.virtual_losses.fetch_add(1, Relaxed);
    }

    /// A thread has come back from it.
    #[inline(always)]
    pub fn leave(&self) {
        self.virtual_losses.fetch_sub(1, Relaxed);
    }

    /// Index of the first child, or one of the marks [`LEAF`], [`BUSY`], [`ILLEGAL`].
    #[inline(always)]
    pub fn children_raw(&self) -> u32 {
        // Acquire: who sees the index sees the children that were written before it.
        self.children.load(std::sync::atomic::Ordering::Acquire)
    }

    /// How many children there are, once they are made.
    #[inline(always)]
    pub fn child_count(&self) -> u16 {
        self.child_count.load(Relaxed)
    }

    /// Claims the making of the children; `false` if another thread was first.
    #[inline]
    pub fn claim(&self) -> bool {
        self.children.compare_exchange(LEAF, BUSY, Relaxed, Relaxed).is_ok()
    }

    /// Shows the children, all written, to the other threads.
    pub fn publish(&self, first: u32, count: u16) {
        self.child_count.store(count, Relaxed);
        self.children.store(first, std::sync::atomic::Ordering::Release);
    }

    /// Forgets the children, or a claim on making them.
    pub fn make_leaf(&self) {
        self.children.store(LEAF, Relaxed);
        self.child_count.store(0, Relaxed);
    }

    /// Bars the move for good.
    pub fn forbid(&self) {
        self.children.store(ILLEGAL, Relaxed);
    }
}
