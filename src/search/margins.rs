//! How often each margin was seen, with medians and other quantiles.

use std::collections::BTreeMap;

/// Shares of a margin's number that differ by less are equal.
const EQUAL: f64 = 1e-9;

/// Black's margins after komi, and how often each was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Margins {
    /// From the margin in half points to its number.
    counts: BTreeMap<i32, u64>,
    total: u64,
    won: u64,
    lost: u64,
}

impl Margins {
    /// Adds a margin in points.
    pub fn add(&mut self, points: f32) {
        let half_points = (2.0 * points).round() as i32;
        *self.counts.entry(half_points).or_default() += 1;
        self.total += 1;
        self.won += u64::from(half_points > 0);
        self.lost += u64::from(half_points < 0);
    }

    /// Margins seen.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The share of the margins that Black won by.
    pub fn won(&self) -> f64 {
        self.won as f64 / self.total.max(1) as f64
    }

    /// The median, in points. Black's wins count together with this share, 0..=1, and White's with the rest. The median
    /// lies between two margins where their shares say so.
    pub fn median(&self, won: f64) -> f64 {
        let weight = |count: u64, share: f64| if count == 0 { 0.0 } else { share / count as f64 };
        // A side without a single margin cannot get a share.
        if self.won == 0 || self.lost == 0 {
            return self.quantile(0.5, [1.0; 2]);
        }
        let won = won.clamp(0.0, 1.0);
        self.quantile(0.5, [weight(self.lost, 1.0 - won), weight(self.won, won)])
    }

    /// Half of the range of the middle two thirds, in points: the standard deviation if the margins have a normal
    /// distribution. A few large margins, as of groups that die by accident, do not count.
    pub fn spread(&self) -> f64 {
        (self.quantile(0.84, [1.0; 2]) - self.quantile(0.16, [1.0; 2])) / 2.0
    }

    /// The margin below which this share of the margins lies. `weights` are those of a loss and of a win of Black.
    fn quantile(&self, share: f64, weights: [f64; 2]) -> f64 {
        let weight = |half_points: i32| match half_points.signum() {
            1 => weights[1],
            -1 => weights[0],
            _ => weights[0].midpoint(weights[1]),
        };
        let all: f64 = self.counts.iter().map(|(&margin, &count)| weight(margin) * count as f64).sum();
        let (mut below, mut edge) = (0.0, 0.0);
        for (&margin, &count) in &self.counts {
            let here = weight(margin) * count as f64;
            if here == 0.0 {
                continue;
            }
            let part = (share * all - below) / here;
            // The share may end between two margins.
            if part <= EQUAL {
                return f64::midpoint(edge, f64::from(margin) / 2.0 - 0.5);
            }
            edge = f64::from(margin) / 2.0 + 0.5;
            // Within a point, all margins are as frequent.
            if part < 1.0 - EQUAL {
                return edge - 1.0 + part;
            }
            below += here;
        }
        edge
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(points: &[f32]) -> Margins {
        let mut margins = Margins::default();
        points.iter().for_each(|&points| margins.add(points));
        margins
    }

    #[test]
    fn the_median_ignores_how_large_the_largest_are() {
        let calm = of(&[-2.5, 0.5, 3.5, 5.5, 6.5]);
        assert_eq!(calm.median(0.8), of(&[-90.5, 0.5, 3.5, 5.5, 200.5]).median(0.8));
        assert!((calm.median(calm.won()) - 3.5).abs() < 0.1);
        assert_eq!((of(&[]).median(0.5), of(&[]).spread(), of(&[]).won()), (0.0, 0.0, 0.0));
        // What is settled has no spread to speak of.
        assert_eq!((of(&[7.5; 20]).median(1.0), of(&[7.5; 20]).won()), (7.5, 1.0));
        assert!(of(&[7.5; 20]).spread() < 0.5);
        let normal: Vec<f32> = (-100..=100).map(|i| i as f32 / 10.0).collect();
        assert!((of(&normal).spread() - 6.8).abs() < 0.5);
    }

    #[test]
    fn a_known_share_of_wins_moves_the_median() {
        let margins = of(&[-30.0, -20.0, -10.0, -1.0, 1.0, 10.0, 20.0, 30.0]);
        let at = |won| margins.median(won);
        assert!(at(0.5).abs() <= 1.0);
        assert_eq!((at(0.0), at(0.5), at(1.0)), (-15.0, 0.0, 15.0));
        assert!([0.0, 0.2, 0.4, 0.5, 0.6, 0.8, 1.0].map(at).is_sorted());
        // Draws belong to nobody, and stay in the middle.
        assert!(of(&[-5.0, 0.0, 0.0, 0.0, 5.0]).median(0.5).abs() <= 0.5);
        assert_eq!(of(&[4.0, 4.0]).median(0.1), 4.0);
    }
}
