//! Criticality: the covariance, over playouts, of owning a point and winning the game. A point that the winner mostly
//! owns, whoever wins, is worth fighting for. (R. Coulom 2009, "Criticality: a Monte-Carlo heuristic for Go programs",
//! takes half of what is computed here.)

use crate::go::{Board, PointMap};
use crate::playout::strength::exp;

use super::evaluate::{CERTAIN, Evaluation};
use super::params::Params;

/// Playouts before the first computation. The matches that set `criticality` were played with this number and the next.
const LEAST_SAMPLES: f32 = 300.0;

/// Samples between two computations: covariances change slowly.
const INTERVAL: f32 = 100.0;

/// The largest board, in points, without criticality: on 9×9 it scored 44 % (95 %: 35–54) of 100 games, 1000 playouts.
const LARGEST_WITHOUT: usize = 81;

/// Sums over the playouts of one thread's search, with owner and result from −1 (White) to 1 (Black).
#[derive(Debug)]
pub struct Criticality {
    weight: f32,
    owners: PointMap<f32>,
    products: PointMap<f32>,
    results: f32,
    samples: f32,
    factors: Option<PointMap<f32>>,
}

impl Criticality {
    /// Sums before the first playout. `points` are those of the board.
    pub fn new(params: &Params, points: usize) -> Criticality {
        // On small boards nearly every point decides the game.
        let weight = if points > LARGEST_WITHOUT { params.criticality } else { 0.0 };
        Criticality {
            weight,
            owners: PointMap::filled(0.0),
            products: PointMap::filled(0.0),
            results: 0.0,
            samples: 0.0,
            factors: None,
        }
    }

    /// Adds a playout that was played to its end.
    pub fn add(&mut self, board: &Board, evaluation: &Evaluation) {
        if self.weight == 0.0 {
            return;
        }
        let result = 2.0 * evaluation.value - 1.0;
        self.samples += 1.0;
        self.results += result;
        for p in board.points() {
            let owner = f32::from(evaluation.ownership[p]) / f32::from(CERTAIN);
            self.owners[p] += owner;
            self.products[p] += owner * result;
        }
        if self.samples >= LEAST_SAMPLES && self.samples % INTERVAL == 0.0 {
            let share = 1.0 / self.samples;
            let factors = self.factors.get_or_insert_with(|| PointMap::filled(1.0));
            for p in board.points() {
                let covariance = share * (self.products[p] - self.owners[p] * self.results * share);
                factors[p] = exp(self.weight * covariance.max(0.0));
            }
        }
    }

    /// The factor for the strength of a play on each point, at least 1; `None` before the first computation.
    pub fn factors(&self) -> Option<&PointMap<f32>> {
        self.factors.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::Point;

    #[test]
    fn a_point_that_goes_with_the_game_counts_more() {
        let board = Board::new(13);
        let [decides, settled, random] = [0, 1, 2].map(|column| Point::new(column, 0, 13));
        let mut criticality = Criticality::new(&Params::default(), 169);
        let mut evaluation = Evaluation::default();
        for number in 0..1000 {
            let won = number % 2 == 0;
            evaluation.value = f32::from(u8::from(won));
            evaluation.ownership[decides] = if won { CERTAIN } else { -CERTAIN };
            evaluation.ownership[settled] = CERTAIN;
            evaluation.ownership[random] = if number % 4 < 2 { CERTAIN } else { -CERTAIN };
            criticality.add(&board, &evaluation);
        }
        let factors = criticality.factors().expect("enough samples");
        assert!(factors[decides] > 100.0, "{}", factors[decides]);
        assert!((factors[settled] - 1.0).abs() < 0.01 && (factors[random] - 1.0).abs() < 0.01);
    }

    #[test]
    fn on_small_boards_all_points_are_equal() {
        let board = Board::new(9);
        let mut criticality = Criticality::new(&Params::default(), 81);
        let evaluation = Evaluation { value: 1.0, ownership: PointMap::filled(CERTAIN), ..Evaluation::default() };
        (0..1000).for_each(|_| criticality.add(&board, &evaluation));
        assert!(criticality.factors().is_none());
    }
}
