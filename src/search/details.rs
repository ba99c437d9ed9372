//! Scores and owners from a sample of the leaves, for the whole sample and for each move at the root.

use std::sync::Arc;

use crate::go::{CAPACITY, Move, Point};

use super::evaluate::Evaluation;
use super::ownership::Ownership;

/// Scores and owners from a sample of this search's playouts, for the whole sample and for each move at the root. The
/// sample is empty unless the request asks for [`Knowledge::details`](super::Knowledge).
///
/// Most playouts end early when a side is far ahead, and then give neither score nor owners. The means of the other
/// playouts alone would show every game as close. So every playout of the sample is played to its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Details {
    all: Ownership,
    /// The reports so far share these sums. Reports are frequent, and few sums change between two reports.
    moves: Vec<Option<Arc<Ownership>>>,
}

/// With this number of samples of a move, the move's own score counts as much as the score of the whole sample. (A
/// guess.)
const FEW: f32 = 8.0;

impl Details {
    /// Details without any sample yet, with room for the moves.
    pub fn collecting() -> Details {
        Details { all: Ownership::default(), moves: vec![None; CAPACITY] }
    }

    /// Adds a playout. `point` is the playout's move at the root. [`Point::NONE`] stands for a pass.
    pub fn add(&mut self, point: Option<Point>, evaluation: &Evaluation, area: usize) {
        self.all.add(evaluation, area);
        if let Some(sums) = point.and_then(|point| self.moves.get_mut(point.index())) {
            Arc::make_mut(sums.get_or_insert_default()).add(evaluation, area);
        }
    }

    /// The sums over the whole sample.
    pub fn all(&self) -> &Ownership {
        &self.all
    }

    /// The sums over the samples below a move, or over the whole sample if the move has no samples.
    pub fn of(&self, mv: Move) -> &Ownership {
        let sums = self.moves.get(mv.point().unwrap_or(Point::NONE).index());
        sums.and_then(Option::as_deref).unwrap_or(&self.all)
    }

    /// Mean and standard deviation of Black's margin after a move, in points. The whole sample counts like [`FEW`] more
    /// samples of the move. This matters where the move has few samples.
    pub fn margin_of(&self, mv: Move) -> (f32, f32) {
        let ((mean, deviation), (all, all_deviation)) = (self.of(mv).margin(), self.all.margin());
        let own = self.of(mv).playouts() as f32;
        let mix = |own_value: f32, all_value: f32| (own * own_value + FEW * all_value) / (own + FEW);
        (mix(mean, all), mix(deviation, all_deviation))
    }
}

/// Chooses the leaves of the sample.
#[derive(Debug, Default)]
pub struct Sampling {
    count: u64,
}

/// The first so many playouts of a search all belong to the sample. (A guess.)
const FIRST_SAMPLES: u64 = 128;

/// After these, one playout in so many belongs to the sample. Such a playout costs up to a sixth more, so the sample
/// costs less than 1 %.
const SAMPLED: u64 = 20;

impl Sampling {
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
    fn details_are_kept_by_move() {
        let point = Point::new(0, 0, 9);
        let evaluation = |margin: f32| Evaluation { margin, ..Evaluation::default() };
        let mut details = Details::collecting();
        details.add(Some(point), &evaluation(4.0), CAPACITY);
        details.add(Some(point), &evaluation(2.0), CAPACITY);
        details.add(Some(Point::NONE), &evaluation(-9.0), CAPACITY);
        details.add(None, &evaluation(-1.0), CAPACITY);
        assert_eq!(details.of(Move::Play(point)).margin(), (3.0, 1.0));
        assert_eq!((details.of(Move::Pass).playouts(), details.all().playouts()), (1, 4));
        assert_eq!(details.of(Move::Play(Point::new(1, 0, 9))).playouts(), 4, "no sample of its own");
        // The mean of two samples of 3 and eight times −1, the mean of the whole sample.
        assert!((details.margin_of(Move::Play(point)).0 - -0.2).abs() < 1e-6);
        assert_eq!(Details::default().margin_of(Move::Pass), (0.0, 0.0));
    }

    #[test]
    fn samples_are_all_at_first_and_few_later() {
        let mut sampling = Sampling::default();
        let mut taken = |count: usize| (0..count).filter(|_| sampling.draw()).count();
        assert_eq!(taken(128), 128);
        assert_eq!(taken(2000), 100);
    }
}
