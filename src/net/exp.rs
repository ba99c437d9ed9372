//! The exponential function by arithmetic that is equal on every machine, and functions made from it. (The standard
//! library's exponential depends on the platform.)

/// The natural logarithm of 2 in two parts. The first part has few bits, so its product with a whole number is exact.
const LN_2_HIGH: f32 = 0.693_359_4;
const LN_2_LOW: f32 = -2.121_944_4e-4;

/// e to a power, with a relative error below 10⁻⁶. Powers are clipped to ±87.
///
/// The result is a power of 2 times the exponential of a rest, which the first terms of its series give. The rest's
/// magnitude is at most 0.35, so the first omitted term is below 10⁻⁷.
pub(super) fn exp(x: f32) -> f32 {
    // Added to a number of this size, 1.5 · 2²³ rounds it, and the low bits of the sum are the whole number.
    const WHOLE: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 87.0);
    let moved = x * std::f32::consts::LOG2_E + WHOLE;
    let doublings = moved - WHOLE;
    let exponent = moved.to_bits().wrapping_sub(WHOLE.to_bits());
    let rest = (x - doublings * LN_2_HIGH) - doublings * LN_2_LOW;
    let series = 1.0 / 720.0;
    let series = series * rest + 1.0 / 120.0;
    let series = series * rest + 1.0 / 24.0;
    let series = series * rest + 1.0 / 6.0;
    let series = series * rest + 0.5;
    let series = series * rest + 1.0;
    let series = series * rest + 1.0;
    series * f32::from_bits(exponent.wrapping_add(127) << 23)
}

/// The hyperbolic tangent.
pub(super) fn tanh(x: f32) -> f32 {
    1.0 - 2.0 / (1.0 + exp(2.0 * x.clamp(-10.0, 10.0)))
}

/// Turns logits into probabilities: e to each logit, divided by the sum of all. The sum is added up in order. Minus
/// infinity becomes 0. If all logits are minus infinity, all become 0.
pub(super) fn softmax(logits: &mut [f32]) {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    // The sum has a loop of its own, so that the compiler can make several exponentials at a time.
    for logit in &mut *logits {
        let power = exp(*logit - largest);
        *logit = if *logit == f32::NEG_INFINITY { 0.0 } else { power };
    }
    let mut sum = 0.0;
    logits.iter().for_each(|share| sum += share);
    if sum > 0.0 {
        logits.iter_mut().for_each(|share| *share /= sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_near_that_of_the_standard_library() {
        // Miri takes minutes for all of them.
        for i in (-87_000..=87_000).step_by(if cfg!(miri) { 997 } else { 1 }) {
            let x = i as f32 / 1000.0;
            let right = f64::from(x).exp();
            let error = (f64::from(exp(x)) - right).abs() / right;
            assert!(error < 1e-6, "{x}: {error}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(1000.0), exp(87.0));
    }

    #[test]
    fn the_tangent_is_near_that_of_the_standard_library() {
        for i in -2000..=2000 {
            let x = i as f32 / 100.0;
            assert!((tanh(x) - x.tanh()).abs() < 1e-6, "{x}");
        }
    }

    #[test]
    fn shares_sum_to_one_and_keep_what_is_barred_out() {
        let mut shares = [1.0, f32::NEG_INFINITY, 2.0];
        softmax(&mut shares);
        assert_eq!(shares[1], 0.0);
        assert!(
            (shares[0] + shares[2] - 1.0).abs() < 1e-6 && (shares[2] / shares[0] - std::f32::consts::E).abs() < 1e-5
        );
        let mut none = [f32::NEG_INFINITY; 2];
        softmax(&mut none);
        assert_eq!(none, [0.0; 2]);
    }
}
