//! Scores and owners from a sample of the leaves, for the whole sample and for each move at the root.

use std::sync::Arc;

use crate::go::{CAPACITY, Move, Point};

use super::evaluate::Evaluation;
use super::margins::Margins;
use super::opinion::Opinion;
use super::ownership::Ownership;

/// Scores and owners from a sample of the leaves, for the whole sample and for each move at the root. The sample is
/// empty unless the request asks for [`Knowledge::details`](super::Knowledge). It is kept with the tree.
///
/// A net alone gives score and owners of each leaf. Most playouts end early when a side is far ahead, and then give
/// neither. The means of the other playouts alone would show every game as close. So every playout of the sample is
/// played to its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Details {
    all: Arc<Sample>,
    /// The reports so far share these sums. Reports are frequent, and few sums change between two reports.
    moves: Vec<Option<Arc<Sample>>>,
    opinion: Option<Opinion>,
}

/// Sums over playouts of the sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// The owners of each point, and the margins' mean.
    pub ownership: Ownership,
    /// Each margin, and how often it was seen.
    pub margins: Margins,
    /// Sum of Black's results, 0..=1 each.
    pub results: f64,
    /// Sum of their squares.
    pub squares: f64,
    /// Sum of the products of result and margin.
    pub products: f64,
    /// Playouts in which a long cycle in the tree made the game void.
    pub void: u64,
}

/// A playout of the sample.
#[derive(Clone, Copy, Debug)]
pub struct Sampled<'a> {
    /// What the playout found.
    pub evaluation: &'a Evaluation,
    /// Black's result as the tree counts it, 0..=1.
    pub result: f32,
    /// Did a long cycle in the tree make the game void?
    pub is_void: bool,
}

impl Sample {
    fn add(&mut self, sampled: &Sampled<'_>, area: usize) {
        let Sampled { evaluation, result, is_void } = *sampled;
        self.ownership.add(evaluation, area);
        self.margins.add(evaluation.margin);
        let (result, margin) = (f64::from(result), f64::from(evaluation.margin));
        self.results += result;
        self.squares += result * result;
        self.products += result * margin;
        self.void += u64::from(is_void);
    }

    /// The share of playouts that a long cycle made void, 0..=1.
    pub fn void_share(&self) -> f32 {
        self.void as f32 / self.margins.total().max(1) as f32
    }
}

impl Details {
    /// Details without any sample yet, with room for the moves.
    pub fn collecting() -> Details {
        Details { moves: vec![None; CAPACITY], ..Details::default() }
    }

    /// The same samples, with what a net says of the position.
    pub(super) fn with_opinion(self, opinion: Option<Opinion>) -> Details {
        Details { opinion, ..self }
    }

    /// What a net says of the position, if there is one.
    pub fn opinion(&self) -> Option<Opinion> {
        self.opinion
    }

    /// Adds a playout. `point` is the playout's move at the root. [`Point::NONE`] stands for a pass.
    pub fn add(&mut self, point: Option<Point>, sampled: &Sampled<'_>, area: usize) {
        Arc::make_mut(&mut self.all).add(sampled, area);
        if let Some(sums) = point.and_then(|point| self.moves.get_mut(point.index())) {
            Arc::make_mut(sums.get_or_insert_default()).add(sampled, area);
        }
    }

    /// The details of the position after a move: the samples below the move become the whole sample.
    pub(super) fn after(&self, mv: Move) -> Details {
        Details { all: self.sample_of(mv).cloned().unwrap_or_default(), ..Details::collecting() }
    }

    /// The owners in the whole sample.
    pub fn all(&self) -> &Ownership {
        &self.all.ownership
    }

    /// The sums over the whole sample.
    pub fn whole(&self) -> &Sample {
        &self.all
    }

    /// The owners in the samples below a move, or in the whole sample if the move has no samples.
    pub fn of(&self, mv: Move) -> &Ownership {
        &self.below(mv).unwrap_or(&self.all).ownership
    }

    /// The sums over the samples below a move; `None` if there are none.
    pub fn below(&self, mv: Move) -> Option<&Sample> {
        self.sample_of(mv).map(|sums| &**sums)
    }

    fn sample_of(&self, mv: Move) -> Option<&Arc<Sample>> {
        self.moves.get(mv.point().unwrap_or(Point::NONE).index()).and_then(Option::as_ref)
    }
}

/// Chooses the leaves of the sample.
#[derive(Debug)]
pub struct Sampling {
    count: u64,
}

/// The first so many playouts of a search all belong to the sample, unless there are as many samples of an earlier
/// search. (A guess.)
const FIRST_SAMPLES: u64 = 128;

/// After these, one playout in so many belongs to the sample. Such a playout costs up to a sixth more, so the sample
/// costs less than 1 %.
const SAMPLED: u64 = 20;

impl Sampling {
    /// A choice for a search with so many samples at its start.
    pub fn after(samples: u64) -> Sampling {
        Sampling { count: samples.min(FIRST_SAMPLES) }
    }

    /// Is the next leaf in the sample?
    pub fn draw(&mut self) -> bool {
        self.count += 1;
        self.count <= FIRST_SAMPLES || self.count.is_multiple_of(SAMPLED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_kept_by_move_and_go_with_it() {
        let point = Point::new(0, 0, 9);
        let mut details = Details::collecting();
        let mut add = |point: Option<Point>, margin: f32, is_void: bool| {
            let evaluation = Evaluation { margin, ..Evaluation::default() };
            let result = if margin > 0.0 { 1.0 } else { 0.0 };
            details.add(point, &Sampled { evaluation: &evaluation, result, is_void }, CAPACITY);
        };
        add(Some(point), 4.0, false);
        add(Some(point), 2.0, true);
        add(Some(Point::NONE), -9.0, false);
        add(None, -1.0, false);
        assert_eq!(details.of(Move::Play(point)).margin(), (3.0, 1.0));
        assert_eq!((details.of(Move::Pass).playouts(), details.all().playouts()), (1, 4));
        assert_eq!(details.of(Move::Play(Point::new(1, 0, 9))).playouts(), 4, "no sample of its own");
        let whole = details.whole();
        assert_eq!((whole.results, whole.squares, whole.products), (2.0, 2.0, 6.0));
        assert_eq!((whole.void_share(), whole.margins.won()), (0.25, 0.5));
        let after = details.after(Move::Play(point));
        assert_eq!((after.all().margin(), after.whole().void), ((3.0, 1.0), 1));
        assert!(after.below(Move::Play(point)).is_none(), "nothing is known of the moves after the move");
        assert_eq!(details.after(Move::Play(Point::new(1, 0, 9))), Details::collecting());
        assert_eq!(Details::default().of(Move::Pass).margin(), (0.0, 0.0));
    }

    #[test]
    fn samples_are_all_at_first_and_few_later() {
        let mut sampling = Sampling::after(0);
        let mut taken = |count: usize| (0..count).filter(|_| sampling.draw()).count();
        assert_eq!(taken(128), 128);
        assert_eq!(taken(2000), 100);
        // An earlier search has had its first samples.
        let mut sampling = Sampling::after(100);
        assert_eq!((0..28).filter(|_| sampling.draw()).count(), 28);
        let mut sampling = Sampling::after(5000);
        assert_eq!((0..2000).filter(|_| sampling.draw()).count(), 100);
    }
}
