//! Who owned each point at the end of the playouts.

use crate::go::{CAPACITY, Point};

use super::evaluate::{CERTAIN, Evaluation};

/// Sums over playouts: the owners of each point, and the margins.
#[derive(Clone, Debug, PartialEq)]
pub struct Ownership {
    /// Sums of the owners, in units of [`CERTAIN`].
    balance: Box<[i64]>,
    playouts: u64,
    margin: f64,
    margin_squares: f64,
}

impl Default for Ownership {
    fn default() -> Self {
        Ownership { balance: vec![0; CAPACITY].into(), playouts: 0, margin: 0.0, margin_squares: 0.0 }
    }
}

impl Ownership {
    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Ownership::default();
    }

    /// Adds a playout; only the first `area` entries of the point array are read.
    pub fn add(&mut self, evaluation: &Evaluation, area: usize) {
        for (sum, &owner) in self.balance[..area].iter_mut().zip(evaluation.ownership.as_slice()) {
            *sum += i64::from(owner);
        }
        self.playouts += 1;
        self.margin += f64::from(evaluation.margin);
        self.margin_squares += f64::from(evaluation.margin) * f64::from(evaluation.margin);
    }

    /// Adds the sums of others.
    pub fn merge(&mut self, other: &Ownership) {
        for (sum, more) in self.balance.iter_mut().zip(&other.balance) {
            *sum += more;
        }
        self.playouts += other.playouts;
        self.margin += other.margin;
        self.margin_squares += other.margin_squares;
    }

    /// Playouts added.
    pub fn playouts(&self) -> u64 {
        self.playouts
    }

    /// Mean owner of a point: 1 always Black, −1 always White; 0 before the first playout.
    pub fn of(&self, point: Point) -> f32 {
        let sum = self.balance[point.index()] as f64;
        (sum / (f64::from(CERTAIN) * self.playouts.max(1) as f64)) as f32
    }

    /// Mean of Black's margin after komi, in points, and its standard deviation.
    pub fn margin(&self) -> (f32, f32) {
        let n = self.playouts.max(1) as f64;
        let mean = self.margin / n;
        (mean as f32, (self.margin_squares / n - mean * mean).max(0.0).sqrt() as f32)
    }
}
