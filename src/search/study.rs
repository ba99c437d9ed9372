//! What live analysis asks of a search besides a move: moves to leave out, and what the playouts below each move say.

use std::sync::Arc;

use crate::go::{CAPACITY, Color, Move, Point, PointSet};

use super::evaluate::{Evaluation, Evaluator};
use super::ownership::Ownership;

/// How a search is to be watched. The default asks for nothing and costs nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Study {
    /// Moves to leave out.
    pub restrictions: Vec<Restriction>,
    /// Collect scores and owners for each move at the root?
    pub details: bool,
}

/// Moves of one side that are left out near the root.
#[derive(Clone, Debug, PartialEq)]
pub struct Restriction {
    /// Whose moves.
    pub color: Color,
    /// The points that it does not play on.
    pub points: PointSet,
    /// Does it not pass, either?
    pub pass: bool,
    /// For so many plies from the root on: 1 is the move at the root alone.
    pub plies: usize,
}

impl Restriction {
    /// Is this move left out? `ply` is 0 for the move at the root.
    pub fn forbids(&self, color: Color, mv: Move, ply: usize) -> bool {
        color == self.color
            && ply < self.plies
            && match mv {
                Move::Play(point) => self.points.contains(point),
                Move::Pass => self.pass,
            }
    }
}

/// What a sample of the playouts of this search says of scores and owners, in all and for each move at the root. Empty
/// unless a [`Study`] asked for it.
///
/// Playouts that a side wins by far are stopped early and tell neither, so the others alone would say that every game
/// is close. The sample's playouts are all played to their end.
#[derive(Clone, Default)]
pub struct Details {
    all: Ownership,
    /// Shared with the reports made so far: one is made many times a second, and few of the sums change until the next.
    moves: Vec<Option<Arc<Ownership>>>,
}

/// A move's own score counts as much as that of the position when it has so many samples: few say little. A guess.
const FEW: f32 = 8.0;

impl Details {
    /// Ready to collect.
    pub fn collecting() -> Details {
        Details { all: Ownership::default(), moves: vec![None; CAPACITY] }
    }

    /// Adds a playout, and the move at the root that it went through; [`Point::NONE`] stands for a pass.
    pub fn add(&mut self, point: Option<Point>, evaluation: &Evaluation, area: usize) {
        self.all.add(evaluation, area);
        if let Some(sums) = point.and_then(|point| self.moves.get_mut(point.index())) {
            Arc::make_mut(sums.get_or_insert_default()).add(evaluation, area);
        }
    }

    /// Of all samples.
    pub fn all(&self) -> &Ownership {
        &self.all
    }

    /// Of those below a move; of all if there is none.
    pub fn of(&self, mv: Move) -> &Ownership {
        let sums = self.moves.get(mv.point().unwrap_or(Point::NONE).index());
        sums.and_then(Option::as_deref).unwrap_or(&self.all)
    }

    /// Mean of Black's margin after a move, in points, and its standard deviation. Where the move has few samples of its
    /// own, those of the others count, too.
    pub fn margin_of(&self, mv: Move) -> (f32, f32) {
        let ((mean, deviation), (all, all_deviation)) = (self.of(mv).margin(), self.all.margin());
        let own = self.of(mv).playouts() as f32;
        let mix = |own_value: f32, all_value: f32| (own * own_value + FEW * all_value) / (own + FEW);
        (mix(mean, all), mix(deviation, all_deviation))
    }
}

/// Says which leaves are samples, and judges them.
pub struct Sampler {
    evaluator: Box<dyn Evaluator>,
    count: u64,
}

/// So many playouts at the beginning of a search are samples, all of them, ...
const FIRST_SAMPLES: u64 = 128;

/// ... and then one in so many: playing to the end costs up to a sixth more, so this costs less than a hundredth.
const SAMPLED: u64 = 20;

impl Sampler {
    /// Judges samples with this evaluator.
    pub fn new(evaluator: Box<dyn Evaluator>) -> Sampler {
        Sampler { evaluator, count: 0 }
    }

    /// What judges the next leaf if that is a sample.
    pub fn draw(&mut self) -> Option<&mut dyn Evaluator> {
        self.count += 1;
        (self.count <= FIRST_SAMPLES || self.count.is_multiple_of(SAMPLED)).then_some(&mut *self.evaluator)
    }
}

#[cfg(test)]
mod tests {
    use super::super::evaluate::Leaf;
    use super::*;
    use crate::playout::Rng;

    #[test]
    fn a_restriction_holds_for_its_side_its_moves_and_its_plies() {
        let [a1, b2] = [Point::new(0, 0, 9), Point::new(1, 1, 9)];
        let restriction =
            Restriction { color: Color::White, points: [a1].into_iter().collect(), pass: false, plies: 2 };
        assert!(restriction.forbids(Color::White, Move::Play(a1), 0));
        assert!(restriction.forbids(Color::White, Move::Play(a1), 1));
        assert!(!restriction.forbids(Color::White, Move::Play(a1), 2));
        assert!(!restriction.forbids(Color::Black, Move::Play(a1), 0));
        assert!(!restriction.forbids(Color::White, Move::Play(b2), 0));
        assert!(!restriction.forbids(Color::White, Move::Pass, 0));
    }

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
        // Two samples of 3 and eight of the mean of all, which is -1.
        assert!((details.margin_of(Move::Play(point)).0 - -0.2).abs() < 1e-6);
        assert_eq!(Details::default().margin_of(Move::Pass), (0.0, 0.0));
    }

    #[test]
    fn samples_are_all_at_first_and_few_later() {
        struct Nothing;
        impl Evaluator for Nothing {
            fn evaluate(&mut self, _: &Leaf<'_>, _: &mut Rng, _: &mut Evaluation) {}
        }
        let mut sampler = Sampler::new(Box::new(Nothing));
        let mut taken = |count: usize| (0..count).filter(|_| sampler.draw().is_some()).count();
        assert_eq!(taken(128), 128);
        assert_eq!(taken(2000), 100);
    }
}
