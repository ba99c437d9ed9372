//! How far a win rate can be trusted.

/// The lower bound of a win rate lies so many standard errors below it. One in 40 rates is lower still (Wilson's
/// interval).
const DEVIATIONS: f64 = 1.96;

/// The lower end of Wilson's interval for a rate from so many observations; 0 without observations.
pub fn lower_bound(rate: f64, visits: u64) -> f64 {
    if visits == 0 {
        return 0.0;
    }
    let n = visits as f64;
    let z2 = DEVIATIONS * DEVIATIONS;
    let rate = rate.clamp(0.0, 1.0);
    let spread = DEVIATIONS * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).sqrt();
    ((rate + z2 / (2.0 * n) - spread) / (1.0 + z2 / n)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_bound_comes_closer_with_visits() {
        assert_eq!(lower_bound(0.7, 0), 0.0);
        // Wilson's interval of 8 in 10 is 0.4902 to 0.9433.
        assert!((lower_bound(0.8, 10) - 0.4902).abs() < 1e-4);
        let bounds = [1, 10, 100, 10_000].map(|visits| lower_bound(0.6, visits));
        assert!(bounds.is_sorted() && bounds[3] < 0.6 && bounds[3] > 0.59, "{bounds:?}");
        assert_eq!(lower_bound(0.0, 5), 0.0);
    }
}
