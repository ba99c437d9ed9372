//! Random numbers of a distribution. All are made of sums, products and roots that are exact by IEEE 754, so a seed
//! gives the same numbers on every machine.

use rand::Rng as _;

use crate::playout::Rng;

/// The longest row of successes that [`geometric`] gives.
const LONGEST: usize = 10_000;

/// A number from 0 up to, but not including, 1.
pub(super) fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// True with this probability.
pub(super) fn happens(rng: &mut Rng, probability: f64) -> bool {
    unit(rng) < probability
}

/// A whole number from the geometric distribution with this mean. (It is the exponential distribution in whole
/// numbers.)
pub(super) fn geometric(rng: &mut Rng, mean: f64) -> usize {
    let again = mean / (1.0 + mean);
    (0..LONGEST).take_while(|_| happens(rng, again)).count()
}

/// A number from a distribution with mean 0 and deviation 1 that is next to the normal one: a sum of twelve uniform
/// numbers (Irwin and Hall).
pub(super) fn normal(rng: &mut Rng) -> f64 {
    (0..12).map(|_| unit(rng)).sum::<f64>() - 6.0
}

/// An index, drawn in proportion to the weights, which are 0 or more. `None` if all are 0.
pub(super) fn weighted(rng: &mut Rng, weights: &[f64]) -> Option<usize> {
    let sum: f64 = weights.iter().sum();
    let mut left = unit(rng) * sum;
    let mut last = None;
    for (i, &weight) in weights.iter().enumerate().filter(|&(_, &weight)| weight > 0.0) {
        if left < weight {
            return Some(i);
        }
        left -= weight;
        // The sum is rounded, so what is left may be above 0 after the last weight.
        last = Some(i);
    }
    last
}

/// `base`, 0 to 1, to the power of so many quarters.
pub(super) fn power(base: f64, quarters: u32) -> f64 {
    let (mut factor, mut left, mut result) = (base.sqrt().sqrt(), quarters, 1.0);
    while left > 0 {
        if left & 1 == 1 {
            result *= factor;
        }
        factor *= factor;
        left >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::stream;

    /// Mean and deviation of many draws.
    fn moments(mut draw: impl FnMut(&mut Rng) -> f64) -> (f64, f64) {
        const DRAWS: usize = 20_000;
        let mut rng = stream(1, 0);
        let drawn: Vec<f64> = (0..DRAWS).map(|_| draw(&mut rng)).collect();
        let mean = drawn.iter().sum::<f64>() / DRAWS as f64;
        (mean, (drawn.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / DRAWS as f64).sqrt())
    }

    #[test]
    fn distributions_have_their_means_and_deviations() {
        let (mean, deviation) = moments(normal);
        assert!(mean.abs() < 0.03 && (deviation - 1.0).abs() < 0.03, "{mean} {deviation}");
        let (mean, deviation) = moments(|rng| geometric(rng, 3.24) as f64);
        // The variance of a geometric distribution is mean + mean².
        assert!((mean - 3.24).abs() < 0.1 && (deviation - 3.71).abs() < 0.2, "{mean} {deviation}");
        assert_eq!(moments(|rng| geometric(rng, 0.0) as f64), (0.0, 0.0));
    }

    #[test]
    fn an_index_is_drawn_as_often_as_its_weight_says() {
        let (mean, _) = moments(|rng| f64::from(u8::from(weighted(rng, &[1.0, 0.0, 3.0]) == Some(2))));
        assert!((mean - 0.75).abs() < 0.02, "{mean}");
        assert_eq!(weighted(&mut stream(1, 0), &[0.0, 0.0]), None);
    }

    #[test]
    fn powers_are_those_of_the_quarters() {
        for (base, quarters) in [(0.5_f64, 5), (0.25, 27), (1.0, 9), (0.0, 4), (0.3, 0)] {
            let wanted = base.powf(f64::from(quarters) / 4.0);
            assert!((power(base, quarters) - wanted).abs() < 1e-12, "{base} {quarters}");
        }
    }
}
