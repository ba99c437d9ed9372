//! The owners of the points, in the order in which boards are shown: row by row from the top.

use serde::Serialize;

use crate::go::{Color, Size, vertex};
use crate::search::Ownership;

/// An owner for each point, from 1 (the side that sees the report) to −1 (the other side).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Owners {
    #[serde(skip)]
    size: Size,
    rows: Vec<Vec<f32>>,
}

impl Owners {
    /// The owners that the playouts found, for a side.
    pub(super) fn of(ownership: &Ownership, side: Color, size: Size) -> Owners {
        let sign = side.sign() as f32;
        // Adding zero turns −0, which would be printed as "-0", into 0.
        let owners: Vec<f32> = size.from_the_top().map(|point| ownership.of(point) * sign + 0.0).collect();
        Owners { size, rows: owners.chunks(size.width()).map(<[f32]>::to_vec).collect() }
    }

    /// Every point is nobody's. This is for forms that have to give a number where nothing is known.
    pub fn nobody(size: Size) -> Owners {
        Owners { size, rows: vec![vec![0.0; size.width()]; size.height()] }
    }

    /// The owners for the other side.
    pub(super) fn turned(mut self) -> Owners {
        for owner in self.rows.iter_mut().flatten() {
            *owner = 0.0 - *owner;
        }
        self
    }

    /// The rows from the top to the bottom, each from the left to the right.
    pub fn rows(&self) -> &[Vec<f32>] {
        &self.rows
    }

    /// All owners, row by row from the top.
    pub fn iter(&self) -> impl Iterator<Item = f32> {
        self.rows.iter().flatten().copied()
    }

    /// How far the owner of each point differs between playouts: the standard deviation, row by row from the top. A
    /// point is owned by either side at the end of a playout, so the mean tells the deviation. (Where points can stay
    /// nobody's, as in seki, the number is an upper bound.)
    pub fn deviations(&self) -> impl Iterator<Item = f32> {
        self.iter().map(|mean| (1.0 - mean * mean).max(0.0).sqrt())
    }

    /// All owners with the names of their points, row by row from the top.
    pub fn by_vertex(&self) -> impl Iterator<Item = (String, f32)> {
        self.size.from_the_top().zip(self.iter()).map(|(point, owner)| (vertex::of(point, self.size), owner))
    }
}
