//! A node of the tree: 32 bytes of atomics, which threads share without locks. Beside it the head of a block of
//! children: the number of children, and the second value of their parent. Children can also be folded: eight of them in
//! the bytes of a node (see `folded.rs`).
//!
//! Which updates can be lost? Visits and values are added atomically, so none is lost, though a reader may see one
//! before the other. All-moves-as-first averages are read, changed and written back without a lock. When two threads
//! do so at once, one observation is lost. A playout makes hundreds of observations, so the loss does not matter.

use super::atomic::{
    AtomicU16, AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use super::corrected::Corrected;
use super::folded::PER_SLOT;
use crate::go::{Move, Point};

/// The place of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The sibling `offset` places behind this node.
    #[inline(always)]
    pub fn sibling(self, offset: usize) -> NodeId {
        NodeId(self.0 + offset as u32)
    }

    /// The number of its slot.
    #[inline(always)]
    pub(super) fn slot(self) -> usize {
        self.0 as usize
    }
}

/// What is below a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Children {
    /// Nothing yet.
    None,
    /// A thread is making the children.
    BeingMade,
    /// Nothing ever: the move into this node is forbidden, by superko on this very path or by the request.
    Barred,
    /// The children, the first of which is here.
    At(NodeId),
    /// The children are folded, the first eight of them here.
    Folded(NodeId),
}

/// How [`Children`] are written in a node. No block of children begins at these numbers: slot 0 is unused, and a tree
/// has [`MOST_SLOTS`] slots at most.
const NONE: u32 = 0;
const BEING_MADE: u32 = u32::MAX;
const BARRED: u32 = u32::MAX - 1;
/// Added to the slot of folded children.
const FOLDED: u32 = 1 << 31;

/// Slots that a tree can have at the most: 64 GiB.
pub const MOST_SLOTS: usize = (BARRED - FOLDED) as usize - 1;

/// Results are summed in units of 2⁻²⁰, exact to a millionth over 2⁴⁴ visits.
const UNIT: f64 = (1u64 << 20) as f64;

/// A node's visits take the low 48 bits of their word: three years at three million playouts a second. The open
/// descents through the node take the rest.
const VISIT_BITS: u32 = 48;
const DESCENT: u64 = 1 << VISIT_BITS;
const VISITS: u64 = DESCENT - 1;

/// Descents that may be open at once in a search. Each descent counts in the nodes of its path.
pub const MOST_DESCENTS: usize = u16::MAX as usize;

/// Statistics of a move, seen from the side that makes it: 1 is a win for that side.
#[repr(C, align(32))]
#[derive(Debug, Default)]
#[cfg_attr(not(model), derive(bytemuck::Zeroable))]
pub struct Node {
    /// Sum of results.
    value: AtomicU64,
    /// All-moves-as-first: the weight of the observations and their mean, two `f32`. The weight stops growing at 2²⁴,
    /// where it no longer matters. The mean then follows the last 2²⁴ observations.
    amaf: AtomicU64,
    /// Visits, and the open descents through this node.
    visits: AtomicU64,
    /// See [`Children`].
    children: AtomicU32,
    /// Index of the point played, 0 for a pass.
    mv: AtomicU16,
    /// Prior probability in units of 1/65535, at least one.
    prior: AtomicU16,
}

impl Node {
    /// Makes the node a new, unvisited child.
    pub fn reset(&self, mv: Move, prior: f32) {
        self.value.store(0, Relaxed);
        self.amaf.store(0, Relaxed);
        self.visits.store(0, Relaxed);
        self.children.store(NONE, Relaxed);
        self.mv.store(mv.point().map_or(0, |p| p.index() as u16), Relaxed);
        self.set_prior(prior);
    }

    /// Changes the prior probability. It is never 0, or a search would never come to the move.
    pub(super) fn set_prior(&self, prior: f32) {
        self.prior.store(((prior.clamp(0.0, 1.0) * 65535.0) as u16).max(1), Relaxed);
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
    pub fn visits(&self) -> u64 {
        self.visits.load(Relaxed) & VISITS
    }

    /// Has the node neither visits nor open descents, though the move into it is allowed?
    #[inline(always)]
    pub(super) fn is_untouched(&self) -> bool {
        self.visits.load(Relaxed) == 0 && !self.is_barred()
    }

    /// Visits and open descents at once, as numbers for a formula.
    #[inline(always)]
    pub(super) fn visits_and_descents(&self) -> (f32, f32) {
        let word = self.visits.load(Relaxed);
        // Signed integers are what processors turn into floating-point numbers at once; both fit.
        ((word & VISITS) as i64 as f32, (word >> VISIT_BITS) as i32 as f32)
    }

    /// Sum of the results, 0..=visits, rounded to 24 binary digits.
    #[inline(always)]
    pub fn value_sum(&self) -> f32 {
        (self.value.load(Relaxed) as i64 as f64 / UNIT) as f32
    }

    /// Mean of the results, 0..=1; `None` before the first visit. Another thread may add a result between the two
    /// reads, so the mean is kept within its range.
    pub fn value(&self) -> Option<f32> {
        let visits = self.visits();
        (visits > 0).then(|| (self.value_sum() / visits as f32).clamp(0.0, 1.0))
    }

    /// Prior probability, above 0, at most 1.
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

    /// Adds the result of an open descent through this node, and closes the descent.
    #[inline(always)]
    pub fn add_and_leave(&self, result: f32) {
        self.value.fetch_add((f64::from(result) * UNIT) as u64, Relaxed);
        self.visits.fetch_sub(DESCENT - 1, Relaxed);
    }

    /// Changes the sum of the results.
    #[inline(always)]
    pub fn add_change(&self, change: f32) {
        self.value.fetch_add((f64::from(change) * UNIT) as i64 as u64, Relaxed);
    }

    /// Adds visits of another search and the sum of their results.
    pub fn add_foreign(&self, visits: u64, sum: f64) {
        self.value.fetch_add((sum * UNIT) as u64, Relaxed);
        self.visits.fetch_add(visits & VISITS, Relaxed);
    }

    /// Visits and the exact sum of the results. Rounding can make a sum with changes a little less than 0, which counts
    /// as 0.
    pub fn visits_and_sum(&self) -> (u64, f64) {
        (self.visits(), (self.value.load(Relaxed) as i64).max(0) as f64 / UNIT)
    }

    /// Open descents through this node.
    #[inline(always)]
    pub fn descents(&self) -> u64 {
        self.visits.load(Relaxed) >> VISIT_BITS
    }

    /// Opens a descent through this node.
    #[inline(always)]
    pub fn enter(&self) {
        self.visits.fetch_add(DESCENT, Relaxed);
    }

    /// Closes a descent without a result.
    #[inline(always)]
    pub fn leave(&self) {
        self.visits.fetch_sub(DESCENT, Relaxed);
    }

    /// The state of the children.
    #[inline(always)]
    pub fn children(&self) -> Children {
        // Acquire: a thread that sees the number sees the children, which were written before the number.
        match self.children.load(Acquire) {
            NONE => Children::None,
            BEING_MADE => Children::BeingMade,
            BARRED => Children::Barred,
            first if first >= FOLDED => Children::Folded(NodeId(first - FOLDED)),
            first => Children::At(NodeId(first)),
        }
    }

    /// Is the move into this node forbidden?
    #[inline(always)]
    pub fn is_barred(&self) -> bool {
        self.children.load(Relaxed) == BARRED
    }

    /// Claims the making of the children; `false` if another thread was first.
    #[inline]
    pub fn claim(&self) -> bool {
        self.children.compare_exchange(NONE, BEING_MADE, Relaxed, Relaxed).is_ok()
    }

    /// Claims the making of children from folded ones; `false` if another thread was first.
    #[inline]
    pub fn claim_folded(&self, first: NodeId) -> bool {
        self.children.compare_exchange(FOLDED + first.0, BEING_MADE, Acquire, Relaxed).is_ok()
    }

    /// Shows the children to the other threads. All of them must have been written.
    pub fn publish(&self, first: NodeId) {
        self.children.store(first.0, Release);
    }

    /// Shows folded children to the other threads. All of them must have been written.
    pub fn publish_folded(&self, first: NodeId) {
        self.children.store(FOLDED + first.0, Release);
    }

    /// Writes eight folded children in the place of a node.
    pub(super) fn write_folded(&self, [a, b, c, d, e, f, g, h]: [u32; PER_SLOT]) {
        let pair = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
        self.value.store(pair(a, b), Relaxed);
        self.amaf.store(pair(c, d), Relaxed);
        self.visits.store(pair(e, f), Relaxed);
        self.children.store(g, Relaxed);
        self.mv.store(h as u16, Relaxed);
        self.prior.store((h >> 16) as u16, Relaxed);
    }

    /// The eight folded children in the place of a node.
    pub(super) fn folded(&self) -> [u32; PER_SLOT] {
        let [ab, cd, ef] = [&self.value, &self.amaf, &self.visits].map(|word| word.load(Relaxed));
        let last = u32::from(self.prior.load(Relaxed)) << 16 | u32::from(self.mv.load(Relaxed));
        let (low, high) = (|word: u64| word as u32, |word: u64| (word >> 32) as u32);
        [low(ab), high(ab), low(cd), high(cd), low(ef), high(ef), self.children.load(Relaxed), last]
    }

    /// Forgets the children, or a claim on making them.
    pub fn make_leaf(&self) {
        self.children.store(NONE, Relaxed);
    }

    /// Bars the move into this node for good.
    pub fn forbid(&self) {
        self.children.store(BARRED, Relaxed);
    }
}

/// The head of a block of children: their number, and what is known of their parent besides its results. That is a
/// second value, such as a net's, or what the search has learned of the evaluator's own value (see `bias.rs`). Nodes
/// without children, folded or not, have none of these.
#[repr(C, align(32))]
#[derive(Debug, Default)]
#[cfg_attr(not(model), derive(bytemuck::Zeroable))]
pub struct Block {
    /// Sum of the second values of the node's visits, for the side that has moved into the node.
    second: AtomicU64,
    /// Visits with a second value.
    second_visits: AtomicU64,
    /// What the parent has told the biases, as they write it.
    told: AtomicU64,
    /// The evaluator's own value of the parent and its correction; 0 if there is none.
    own: AtomicU32,
    count: AtomicU16,
}

impl Block {
    /// Makes this the head of a new block of `count` children.
    pub fn reset(&self, count: usize) {
        self.second.store(0, Relaxed);
        self.second_visits.store(0, Relaxed);
        self.told.store(0, Relaxed);
        self.own.store(0, Relaxed);
        self.count.store(count as u16, Relaxed);
    }

    /// How many children there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        usize::from(self.count.load(Relaxed))
    }

    /// The evaluator's own value of the parent, for the side that has moved into it, and its correction.
    #[inline]
    pub fn own(&self) -> Option<Corrected> {
        Corrected::from_bits(self.own.load(Relaxed))
    }

    /// Sets the evaluator's own value of the parent and its correction.
    #[inline]
    pub fn set_own(&self, own: Corrected) {
        self.own.store(own.to_bits(), Relaxed);
    }

    /// Sets the evaluator's own value of the parent and its correction, and gives what they were before.
    #[inline]
    pub fn swap_own(&self, own: Corrected) -> Option<Corrected> {
        Corrected::from_bits(self.own.swap(own.to_bits(), Relaxed))
    }

    /// Sets what the parent has told the biases, and gives what it had told before.
    #[inline]
    pub fn swap_told(&self, told: u64) -> u64 {
        self.told.swap(told, Relaxed)
    }

    /// Adds a second value, 0..=1.
    pub fn add_second(&self, value: f32) {
        self.second.fetch_add((f64::from(value) * UNIT) as u64, Relaxed);
        self.second_visits.fetch_add(1, Relaxed);
    }

    /// Adds second values of another search: their number and their sum.
    pub fn add_foreign(&self, visits: u64, sum: f64) {
        self.second.fetch_add((sum * UNIT) as u64, Relaxed);
        self.second_visits.fetch_add(visits, Relaxed);
    }

    /// Visits with a second value, and the exact sum of these values.
    pub fn second_visits_and_sum(&self) -> (u64, f64) {
        (self.second_visits.load(Relaxed), self.second.load(Relaxed) as f64 / UNIT)
    }

    /// Mean of the second values; `None` before the first.
    #[inline]
    pub fn second(&self) -> Option<f32> {
        let visits = self.second_visits.load(Relaxed);
        (visits > 0).then(|| (self.second.load(Relaxed) as f64 / UNIT / visits as f64) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node() -> Node {
        bytemuck::Zeroable::zeroed()
    }

    #[test]
    fn no_prior_is_zero() {
        let node = node();
        for (prior, least) in [(0.0, 1e-5), (1e-6, 1e-5), (0.25, 0.249), (1.0, 1.0)] {
            node.reset(Move::Pass, prior);
            assert!(node.prior() >= least && node.prior() <= prior + 2e-5, "{prior} {}", node.prior());
        }
    }

    #[test]
    fn visits_and_sums_go_on_counting_where_smaller_numbers_end() {
        let node = node();
        // As many visits as 32 bits count, and more than 24 binary digits tell apart.
        node.add_foreign(u64::from(u32::MAX), f64::from(u32::MAX));
        for _ in 0..10 {
            node.add(1.0);
        }
        let visits = u64::from(u32::MAX) + 10;
        assert_eq!(node.visits_and_sum(), (visits, visits as f64));
        assert!((node.value().expect("visits") - 1.0).abs() < 1e-6);
        // Nor do open descents disturb them.
        (0..1000).for_each(|_| node.enter());
        assert_eq!((node.visits(), node.descents()), (visits, 1000));
        (0..400).for_each(|_| node.add_and_leave(0.0));
        (0..600).for_each(|_| node.leave());
        assert_eq!((node.visits(), node.descents()), (visits + 400, 0));
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes hours")]
    fn all_moves_as_first_follows_what_comes_after_many_observations() {
        let node = node();
        (0..1 << 20).for_each(|_| node.add_amaf(0.0, 1.0));
        // The largest weight.
        node.amaf.store(u64::from(((1u32 << 24) as f32).to_bits()) << 32, Relaxed);
        (0..1 << 22).for_each(|_| node.add_amaf(1.0, 1.0));
        let (weight, mean) = node.amaf();
        assert_eq!(weight, (1u32 << 24) as f32);
        assert!((0.15..0.25).contains(&mean), "{mean}");
    }

    #[test]
    fn children_are_what_was_said_of_them() {
        let node = node();
        assert_eq!(node.children(), Children::None);
        assert!(node.claim() && !node.claim());
        assert_eq!(node.children(), Children::BeingMade);
        node.publish(NodeId(77));
        assert_eq!(node.children(), Children::At(NodeId(77)));
        node.make_leaf();
        assert!(node.claim());
        node.publish_folded(NodeId(78));
        assert_eq!(node.children(), Children::Folded(NodeId(78)));
        assert!(!node.claim() && !node.claim_folded(NodeId(77)) && !node.is_barred());
        assert!(node.claim_folded(NodeId(78)) && !node.claim_folded(NodeId(78)));
        assert_eq!(node.children(), Children::BeingMade);
        node.forbid();
        assert!(node.is_barred() && node.children() == Children::Barred);
        // The last slot is no other mark.
        node.publish_folded(NodeId(MOST_SLOTS as u32));
        assert_eq!(node.children(), Children::Folded(NodeId(MOST_SLOTS as u32)));
    }

    #[test]
    fn a_node_holds_eight_folded_children() {
        let node = node();
        let written = std::array::from_fn(|i| 0x8765_4321_u32.rotate_left(5 * i as u32));
        node.write_folded(written);
        assert_eq!(node.folded(), written);
    }

    #[test]
    fn a_block_knows_the_second_value() {
        let block: Block = bytemuck::Zeroable::zeroed();
        block.reset(12);
        assert_eq!((block.count(), block.second()), (12, None));
        block.add_second(0.25);
        block.add_second(0.75);
        assert_eq!(block.second(), Some(0.5));
    }
}
