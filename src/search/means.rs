//! Weighted means by hash, beside the tree that a search grows: what a search learns of positions and moves that look
//! alike. Different ones may share a place. All threads add to the means without locks.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Sums are counted in units of 2⁻²⁰, so what is added can be taken off again exactly.
const UNIT: f64 = (1u64 << 20) as f64;

/// Words of a place: the sum of the weights, and the sum of the numbers times their weights.
const WORDS: usize = 2;

/// A table of weighted means.
#[derive(Debug)]
pub struct Means {
    /// A power of two of places, or none where the system gives no memory.
    places: Box<[AtomicU64]>,
}

/// Numbers that count in a mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weighted {
    /// The sum of their weights.
    pub weight: f32,
    /// The sum of the numbers, each times its weight.
    pub sum: f32,
}

impl Weighted {
    fn in_units(self) -> [u64; WORDS] {
        [self.weight, self.sum].map(|sum| (f64::from(sum) * UNIT) as i64 as u64)
    }
}

impl Means {
    /// No numbers yet, in so many bytes at most.
    pub fn new(bytes: usize) -> Means {
        let places = bytes / (WORDS * size_of::<AtomicU64>());
        let places = if places == 0 { 0 } else { 1 << places.ilog2() };
        Means { places: bytemuck::allocation::try_zeroed_slice_box(places * WORDS).unwrap_or_default() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for word in &mut self.places {
            // Pages that nobody has written stay unwritten, and take no memory.
            if *word.get_mut() != 0 {
                *word.get_mut() = 0;
            }
        }
    }

    fn place(&self, hash: u32) -> Option<&[AtomicU64]> {
        let place = hash as usize & (self.places.len() / WORDS).checked_sub(1)?;
        self.places.get(WORDS * place..WORDS * (place + 1))
    }

    /// The mean of numbers from −1 to 1, as if numbers of the weight `least` had been 0. 0 where nothing is known.
    pub fn mean(&self, hash: u32, least: f32) -> f32 {
        let Some([weight, sum]) = self.place(hash) else { return 0.0 };
        let (weight, sum) = (weight.load(Relaxed) as i64, sum.load(Relaxed) as i64);
        // Another thread may have changed one sum, and not yet the other.
        if weight <= 0 {
            return 0.0;
        }
        (sum as f64 / (weight as f64 + f64::from(least) * UNIT)).clamp(-1.0, 1.0) as f32
    }

    /// Takes `before` off the sums, and adds `now`.
    pub fn replace(&self, hash: u32, before: Weighted, now: Weighted) {
        let sums = self.place(hash).unwrap_or_default().iter();
        for ((sum, now), before) in sums.zip(now.in_units()).zip(before.in_units()) {
            sum.fetch_add(now.wrapping_sub(before), Relaxed);
        }
    }

    /// Adds to the sums.
    pub fn add(&self, hash: u32, now: Weighted) {
        self.replace(hash, Weighted::default(), now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_weighted_and_what_was_added_can_be_taken_off() {
        let mut means = Means::new(1 << 12);
        assert_eq!(means.mean(5, 0.0), 0.0);
        means.add(5, Weighted { weight: 1.0, sum: 0.5 });
        means.add(5, Weighted { weight: 3.0, sum: -0.3 });
        assert!((means.mean(5, 0.0) - 0.05).abs() < 1e-6 && (means.mean(5, 4.0) - 0.025).abs() < 1e-6);
        assert_eq!(means.mean(6, 0.0), 0.0);
        means.replace(5, Weighted { weight: 3.0, sum: -0.3 }, Weighted::default());
        assert_eq!(means.mean(5, 0.0), 0.5);
        means.clear();
        assert_eq!(means.mean(5, 0.0), 0.0);
    }

    #[test]
    fn without_memory_nothing_is_kept() {
        let means = Means::new(0);
        means.add(5, Weighted { weight: 1.0, sum: 1.0 });
        assert_eq!(means.mean(5, 0.0), 0.0);
    }
}
