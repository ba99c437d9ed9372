//! Random numbers of a distribution. All are made of sums, products and roots that are exact by IEEE 754, so a seed
//! gives the same numbers on every machine.

use rand::Rng as _;

use crate::playout::Rng;

/// The longest row of successes that [`geometric`] gives.
const LONGEST: usize = 10_000;

/// A number from 0 up to, but not including, 1.
pub(crate) fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// True with this probability.
pub(crate) fn happens(rng: &mut Rng, probability: f64) -> bool {
    unit(rng) < probability
}

/// A whole number from the geometric distribution with this mean. (It is the exponential distribution in whole
/// numbers.)
pub(crate) fn geometric(rng: &mut Rng, mean: f64) -> usize {
    let again = mean / (1.0 + mean);
    (0..LONGEST).take_while(|_| happens(rng, again)).count()
}

/// A number from a distribution with mean 0 and deviation 1 that is next to the normal one: a sum of twelve uniform
/// numbers (Irwin and Hall).
pub(crate) fn normal(rng: &mut Rng) -> f64 {
    (0..12).map(|_| unit(rng)).sum::<f64>() - 6.0
}

/// An index, drawn in proportion to the weights, which are 0 or more. `None` if all are 0.
pub(crate) fn weighted(rng: &mut Rng, weights: &[f64]) -> Option<usize> {
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
pub(crate) fn power(base: f64, quarters: u32) -> f64 {
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

/// The natural logarithm of a positive number. The number is a power of 2 times a rest of about 1, and the series of
/// the area hyperbolic tangent gives the logarithm of the rest.
pub(crate) fn ln(x: f64) -> f64 {
    const MANTISSA: u64 = (1 << 52) - 1;
    let bits = x.to_bits();
    let (mut doublings, mut rest) = ((bits >> 52) as i64 - 1023, f64::from_bits(bits & MANTISSA | 1023 << 52));
    if rest > std::f64::consts::SQRT_2 {
        (doublings, rest) = (doublings + 1, rest / 2.0);
    }
    let z = (rest - 1.0) / (rest + 1.0);
    // |z| is 0.172 at the most, so the first term that is left out is below 10⁻¹⁹.
    let series = (0..12).rev().fold(0.0, |sum, k| sum * z * z + 1.0 / f64::from(2 * k + 1));
    doublings as f64 * std::f64::consts::LN_2 + 2.0 * z * series
}

/// e to a power of 0 or less; 0 below −700.
pub(crate) fn exp(x: f64) -> f64 {
    if x < -700.0 {
        return 0.0;
    }
    let doublings = (x * std::f64::consts::LOG2_E).round();
    let rest = x - doublings * std::f64::consts::LN_2;
    // |rest| is 0.35 at the most, so the first term that is left out is below 10⁻¹⁷.
    let series = (1..14).rev().fold(1.0, |sum, k| 1.0 + sum * rest / f64::from(k));
    series * f64::from_bits(((doublings as i64 + 1023) as u64) << 52)
}

/// A number from Gumbel's distribution: −ln(−ln u) of a uniform number u.
pub(crate) fn gumbel(rng: &mut Rng) -> f64 {
    // Half a step above 0, so that no logarithm is infinite.
    let uniform = unit(rng) + 0.5 / (1_u64 << 53) as f64;
    // Above 1 − 10⁻¹⁶ the inner logarithm would round to 0.
    -ln((-ln(uniform)).max(f64::EPSILON / 2.0))
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
    fn logarithms_and_exponentials_are_those_of_the_library() {
        for x in [1e-300, 1e-9, 0.1, 0.5, 0.999, 1.0, 1.414, 1.415, 2.0, 3.0, 1e9] {
            assert!((ln(x) - f64::ln(x)).abs() <= 1e-13 * f64::ln(x).abs().max(1e-3), "{x}");
        }
        for x in [0.0, -1e-9, -0.3, -0.347, -1.0, -20.0, -600.0, -1000.0] {
            let wanted = if x < -700.0 { 0.0 } else { f64::exp(x) };
            assert!((exp(x) - wanted).abs() <= 1e-13 * wanted, "{x}");
        }
    }

    #[test]
    fn gumbels_numbers_have_their_mean_and_deviation() {
        let (mean, deviation) = moments(gumbel);
        // Euler's constant, and π/√6.
        assert!((mean - 0.5772).abs() < 0.03 && (deviation - 1.2825).abs() < 0.05, "{mean} {deviation}");
    }

    #[test]
    fn powers_are_those_of_the_quarters() {
        for (base, quarters) in [(0.5_f64, 5), (0.25, 27), (1.0, 9), (0.0, 4), (0.3, 0)] {
            let wanted = base.powf(f64::from(quarters) / 4.0);
            assert!((power(base, quarters) - wanted).abs() < 1e-12, "{base} {quarters}");
        }
    }
}
