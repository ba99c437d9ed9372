//! The statistics of a score: Elo, its interval, and when to stop.
//!
//! * Interval: E. B. Wilson 1927, "Probable inference, the law of succession, and statistical inference", J. Am. Stat.
//!   Assoc. 22; checked against R. G. Newcombe 1998, Statistics in Medicine 17, table I. A draw counts as half a win,
//!   which makes the interval a little too wide when there are draws.
//! * Elo: A. E. Elo 1978; the logistic form, −400·log10(1/s − 1) for a score of s.
//! * Stop: A. Wald 1945, "Sequential tests of statistical hypotheses", with the likelihoods of wins, draws and losses
//!   maximised under each hypothesis's expected score (generalised SPRT: X. Li, J. Liu, Z. Ying 2014, "Generalized
//!   sequential probability ratio test for separate families of hypotheses"; as M. Van den Bergh worked it out for
//!   fishtest, "A practical introduction to the GSPRT").

use std::str::FromStr;

/// The 97.5 % quantile of the normal distribution: an interval of 95 %.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Games by their result for one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won.
    pub wins: u32,
    /// Drawn, or without a result.
    pub draws: u32,
    /// Lost.
    pub losses: u32,
}

impl Counts {
    /// All games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points: a win is one, a draw is one half.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// Points per game, 0..=1. `None` without games.
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / f64::from(self.games()))
    }

    /// The Wilson interval of 95 % around the score. `None` without games.
    pub fn interval(&self) -> Option<(f64, f64)> {
        (self.games() > 0).then(|| wilson(self.points(), f64::from(self.games()), Z95))
    }
}

/// The score interval for `successes` of `trials` (which are more than 0), `z` standard deviations to each side.
pub fn wilson(successes: f64, trials: f64, z: f64) -> (f64, f64) {
    let p = successes / trials;
    let z2 = z * z;
    let center = p + z2 / (2.0 * trials);
    let half = z * (p * (1.0 - p) / trials + z2 / (4.0 * trials * trials)).sqrt();
    let scale = 1.0 + z2 / trials;
    (((center - half) / scale).max(0.0), ((center + half) / scale).min(1.0))
}

/// The Elo difference that a score stands for; infinite at 0 and 1.
pub fn elo(score: f64) -> f64 {
    // At 0 and 1 the sign has to be right, and rounding may have gone past them.
    match score {
        s if s <= 0.0 => f64::NEG_INFINITY,
        s if s >= 1.0 => f64::INFINITY,
        s => 400.0 * (s / (1.0 - s)).log10(),
    }
}

/// The expected score at an Elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A sequential test: is the Elo difference `elo0`, or `elo1`?
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// Hypothesis 0, usually "no gain".
    pub elo0: f64,
    /// Hypothesis 1, above it.
    pub elo1: f64,
    /// How often hypothesis 1 may be accepted though 0 is true.
    pub alpha: f64,
    /// How often hypothesis 0 may be accepted though 1 is true.
    pub beta: f64,
}

/// The verdict of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Hypothesis 0: reject the change.
    H0,
    /// Hypothesis 1: keep the change.
    H1,
}

/// The number of games for an outcome that has not occurred, beside outcomes that have (fishtest uses the same).
const NONE_YET: f64 = 1e-3;

impl Sprt {
    /// The log-likelihood ratios at which the test ends: log(β/(1−α)) and log((1−β)/α).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of hypothesis 1 over hypothesis 0.
    pub fn llr(&self, counts: &Counts) -> f64 {
        let (s0, s1) = (expected_score(self.elo0), expected_score(self.elo1));
        let [wins, draws, losses] = [counts.wins, counts.draws, counts.losses].map(f64::from);
        if draws == 0.0 {
            // Two outcomes: the expected score fixes their probabilities.
            return wins * (s1 / s0).ln() + losses * ((1.0 - s1) / (1.0 - s0)).ln();
        }
        let outcomes = [(0.0, losses.max(NONE_YET)), (0.5, draws), (1.0, wins.max(NONE_YET))];
        let (p0, p1) = (most_likely(&outcomes, s0), most_likely(&outcomes, s1));
        outcomes.iter().zip(p0.iter().zip(p1)).map(|(&(_, n), (p0, p1))| n * (p1 / p0).ln()).sum()
    }

    /// Has the test ended?
    pub fn verdict(&self, counts: &Counts) -> Option<Verdict> {
        let (lower, upper) = self.bounds();
        match self.llr(counts) {
            llr if llr >= upper => Some(Verdict::H1),
            llr if llr <= lower => Some(Verdict::H0),
            _ => None,
        }
    }
}

/// The probabilities of outcomes (value, how often it was seen) that make what was seen most likely, among those
/// with this expected value: p̂/(1 + θ·(value − expected)), where θ is such that they have it.
fn most_likely<const N: usize>(outcomes: &[(f64, f64); N], expected: f64) -> [f64; N] {
    let total: f64 = outcomes.iter().map(|(_, n)| n).sum();
    let slope = |theta: f64| -> f64 {
        outcomes.iter().map(|&(value, n)| n / total * (value - expected) / (1.0 + theta * (value - expected))).sum()
    };
    // All denominators are positive between these; the sum falls from +∞ to −∞.
    let (mut low, mut high) = (-1.0 / (1.0 - expected), 1.0 / expected);
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let theta = low + (high - low) / 2.0;
    outcomes.map(|(value, n)| n / total / (1.0 + theta * (value - expected)))
}

impl FromStr for Sprt {
    type Err = String;

    /// `elo0,elo1,alpha,beta`, such as `0,10,0.05,0.05`.
    fn from_str(text: &str) -> Result<Sprt, String> {
        let numbers: Vec<f64> = text.split(',').filter_map(|word| word.trim().parse().ok()).collect();
        match (numbers.as_slice(), text.split(',').count()) {
            (&[elo0, elo1, alpha, beta], 4)
                if elo0 < elo1
                    && elo0.abs().max(elo1.abs()) <= 2000.0
                    && [alpha, beta].iter().all(|&error| error > 0.0 && error < 0.5) =>
            {
                Ok(Sprt { elo0, elo1, alpha, beta })
            }
            _ => Err("must be elo0,elo1,alpha,beta with elo0 < elo1 and errors below 0.5: 0,10,0.05,0.05".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
    }

    /// Newcombe 1998, table I, method 3.
    #[test]
    fn wilson_intervals_are_those_of_newcombe() {
        for (successes, trials, low, high) in [
            (81.0, 263.0, 0.2553, 0.3662),
            (15.0, 148.0, 0.0624, 0.1605),
            (0.0, 20.0, 0.0, 0.1611),
            (1.0, 29.0, 0.0061, 0.1718),
        ] {
            let (l, h) = wilson(successes, trials, Z95);
            close(l, low, 5e-5);
            close(h, high, 5e-5);
        }
    }

    #[test]
    fn elo_and_score_are_inverse() {
        close(elo(0.5), 0.0, 1e-12);
        close(elo(10.0 / 11.0), 400.0, 1e-9);
        close(elo(0.75), 190.8485, 1e-4);
        close(expected_score(elo(0.3)), 0.3, 1e-12);
        assert_eq!(elo(0.0), f64::NEG_INFINITY);
        assert_eq!(elo(1.0), f64::INFINITY);
    }

    #[test]
    fn bounds_are_wald_s() {
        let (lower, upper) = "0,5,0.05,0.05".parse::<Sprt>().unwrap().bounds();
        close(lower, -2.9444, 5e-5);
        close(upper, 2.9444, 5e-5);
        let (lower, upper) = "0,5,0.05,0.1".parse::<Sprt>().unwrap().bounds();
        close(lower, (0.1f64 / 0.95).ln(), 1e-12);
        close(upper, (0.9f64 / 0.05).ln(), 1e-12);
    }

    /// Without draws the test is the classical one: each win is worth log(s1/s0), each loss log((1−s1)/(1−s0)).
    #[test]
    fn likelihood_ratio_without_draws() {
        // 400·log10(3): an expected score of 3/4 against 1/2.
        let sprt = Sprt { elo0: 0.0, elo1: 400.0 * 3f64.log10(), alpha: 0.05, beta: 0.05 };
        let counts = Counts { wins: 7, draws: 0, losses: 3 };
        close(sprt.llr(&counts), 7.0 * 1.5f64.ln() + 3.0 * 0.5f64.ln(), 1e-9);
        assert_eq!(sprt.verdict(&counts), None);
        assert_eq!(sprt.verdict(&Counts { wins: 8, ..Counts::default() }), Some(Verdict::H1));
        assert_eq!(sprt.verdict(&Counts { losses: 5, ..Counts::default() }), Some(Verdict::H0));
    }

    /// 100 wins, 200 draws, 100 losses have the expected score 1/2 as they are. Under 10/17 the most likely
    /// probabilities are 6/17, 8/17, 3/17: with θ = −17/24 they are (1/4)/(17/24), (1/2)/(17/16), (1/4)/(17/12).
    #[test]
    fn likelihood_ratio_with_draws() {
        let sprt = Sprt { elo0: 0.0, elo1: 400.0 * (10f64 / 7.0).log10(), alpha: 0.05, beta: 0.05 };
        let counts = Counts { wins: 100, draws: 200, losses: 100 };
        let by_hand = 100.0 * (24f64 / 17.0).ln() + 200.0 * (16f64 / 17.0).ln() + 100.0 * (12f64 / 17.0).ln();
        close(sprt.llr(&counts), by_hand, 1e-9);
    }

    /// Near the hypotheses the ratio agrees with the normal approximation N·(s1−s0)·(2s−s0−s1)/(2σ²).
    #[test]
    fn likelihood_ratio_is_close_to_the_normal_one() {
        let sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
        let counts = Counts { wins: 5200, draws: 10000, losses: 4800 };
        let (s0, s1) = (0.5, expected_score(5.0));
        let variance = (5200.0 + 2500.0) / 20000.0 - 0.51f64.powi(2);
        let normal = 20000.0 * (s1 - s0) * (2.0 * 0.51 - s0 - s1) / (2.0 * variance);
        close(sprt.llr(&counts) / normal, 1.0, 0.01);
    }

    #[test]
    fn one_sided_results_stay_finite() {
        let sprt = Sprt { elo0: -5.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
        let all = [(9, 3, 0), (0, 3, 9), (0, 3, 0), (0, 0, 0)];
        let llr = all.map(|(wins, draws, losses)| sprt.llr(&Counts { wins, draws, losses }));
        assert!(llr.iter().all(|llr| llr.is_finite()), "{llr:?}");
        assert!(llr[0] > 0.0 && llr[1] < 0.0);
        close(llr[2], 0.0, 1e-9);
        assert!("5,0,0.05,0.05".parse::<Sprt>().is_err());
        assert!("0,5,0.05".parse::<Sprt>().is_err());
        assert!("0,5,0.05,0.05,1".parse::<Sprt>().is_err());
        assert!("nan,5,0.05,0.05".parse::<Sprt>().is_err());
    }
}
