//! Expected margins: of the position at the root, and after each move.
//!
//! Most moves have few samples, and margins of single playouts differ by 75 points on 19×19. So the margin after a move
//! is the position's margin, plus what the move's win rate says: the regression of margin on result over the whole
//! sample. The own samples of a move count in proportion to their number. `docs/performance.md` has the figures.

use crate::go::{Color, Move};

use super::details::{Details, Sample};

/// An expected margin after komi.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Margin {
    /// Black's expected margin in points: with so many points less for Black, the game would be even.
    pub points: f32,
    /// Standard deviation of the margin at the end of the game, in points.
    pub deviation: f32,
}

/// The error of the median of playouts, as a share of their spread: 0.16 to 0.24 by the results of 39 counted games,
/// after 20, 45 and 70 % of their moves (3000 playouts, 19×19).
const ERROR: f64 = 0.2;
/// The least error, in points. (A guess.)
const LEAST_ERROR: f64 = 1.0;
/// The standard error of a median of n values is their deviation times this over √n, for a normal distribution.
const MEDIAN_ERROR: f64 = 1.25;

/// Before the first sample the spread is taken for this many points, which count as one sample. Without it the margin of
/// one playout seemed to be certain. (Between the spreads of empty boards of 9×9 and of 19×19, 35 and 75.)
const FIRST_SPREAD: f64 = 40.0;

/// A move's win rate that differs from the position's by less than so many standard errors differs by chance. Of a
/// larger difference the part counts that a James–Stein estimator leaves (W. James and C. Stein 1961, *Estimation with
/// quadratic loss*). For 238 moves with 1 % of 8000 visits, the median difference to a search of 100 000 was 0.65
/// points, as with 1.4 standard errors; 0.72 with 1.
const CHANCE: f64 = 2.0;

/// With so many visits, the win rate of a move that looks better than the position counts one half: if it were better,
/// the search would have visited it more often. (In the same positions the largest lead of all moves exceeded the best
/// move's by 1.8 points at most; without this rule, by 4.2.)
const BETTER: f64 = 300.0;

/// With so many own samples a move's own margin counts one half. (For the same moves 400 is as good.)
const OWN: f64 = 200.0;

/// Added to the variance of the results before the slope is taken. Where nearly all playouts end alike, their results
/// differ by the share of the score alone, which says nothing of what a win rate is worth: without this number the
/// slope in a settled position was 400 points. It is the variance of results of which one in a hundred differs. (A
/// guess.)
const SETTLED: f64 = 0.01;

/// What is known of margins at the root.
#[derive(Debug)]
pub(super) struct Estimate<'a> {
    details: &'a Details,
    to_move: Color,
    /// Black's margin at the root.
    margin: f64,
    /// The share of the playouts in it; the rest is a net's.
    share: f64,
    /// Points for a win rate of 1.
    slope: f64,
    /// Black's win rate at the root.
    value: f64,
    /// See [`Report::spread_of_net`](super::Report::spread_of_net).
    spread_of_net: f32,
}

impl<'a> Estimate<'a> {
    /// An estimate from the sample; `None` if it is empty. `result` is Black's mean result of the playouts of all
    /// visits, and `value` Black's win rate, in which a net's word may count, too.
    pub(super) fn new(details: &'a Details, to_move: Color, result: f64, value: f64) -> Option<Estimate<'a>> {
        let sample = details.whole();
        let n = Some(sample.margins.total()).filter(|&total| total > 0)? as f64;
        let (mean_result, mean_margin) = means(sample);
        let variance = sample.squares / n - mean_result * mean_result;
        let covariance = sample.products / n - mean_result * mean_margin;
        let slope = (covariance / (variance + SETTLED)).max(0.0);
        // The results of all visits are known better than those of the sample.
        let median = sample.margins.median(sample.margins.won() + result - mean_result);
        let spread = ((n * sample.margins.spread().powi(2) + FIRST_SPREAD.powi(2)) / (n + 1.0)).sqrt();
        let error = (ERROR * spread).powi(2) + LEAST_ERROR.powi(2) + (MEDIAN_ERROR * spread).powi(2) / n;
        let (margin, share) = match details.opinion() {
            // Each counts by its accuracy.
            Some(opinion) => {
                let other = f64::from(opinion.deviation).powi(2).max(LEAST_ERROR.powi(2));
                let share = other / (error + other);
                (share * median + (1.0 - share) * f64::from(opinion.margin), share)
            }
            None => (median, 1.0),
        };
        Some(Estimate { details, to_move, margin, share, slope, value, spread_of_net: 0.0 })
    }

    /// The same where margins are those that a net expects at leaves, with the deviation that it expects of them.
    pub(super) fn with_spread_of_net(self, spread_of_net: f32) -> Estimate<'a> {
        Estimate { spread_of_net, ..self }
    }

    /// The margin at the root.
    pub(super) fn of_root(&self) -> Margin {
        Margin { points: self.margin as f32, deviation: self.spread(self.details.all().margin().1) }
    }

    /// The deviation of margins from that of the sample.
    fn spread(&self, sampled: f32) -> f32 {
        sampled.hypot(self.spread_of_net)
    }

    /// The margin after a move with so many visits and this win rate for Black.
    pub(super) fn of_move(&self, mv: Move, visits: u64, value: f64) -> Margin {
        let difference = value - self.value;
        let is_better = difference * f64::from(self.to_move.sign()) > 0.0;
        // A node without visits has the position's win rate.
        let visits = visits as f64;
        let variance = 0.25 / visits.max(1.0);
        let beyond_chance = 1.0 - CHANCE * CHANCE * variance / (difference * difference).max(f64::MIN_POSITIVE);
        let held = if is_better { visits / (visits + BETTER) } else { 1.0 };
        let mut shift = self.slope * difference * held * beyond_chance.max(0.0);
        let mut deviation = self.details.all().margin().1;
        if let Some(own) = self.details.below(mv) {
            let n = own.margins.total() as f64;
            let weight = n / (n + OWN);
            let beside = |sample: &Sample| {
                let (result, margin) = means(sample);
                margin - self.slope * result
            };
            shift += weight * (beside(own) - beside(self.details.whole()));
            deviation += weight as f32 * (own.ownership.margin().1 - deviation);
        }
        Margin { points: (self.margin + self.share * shift) as f32, deviation: self.spread(deviation) }
    }
}

/// Mean result and mean margin.
fn means(sample: &Sample) -> (f64, f64) {
    (sample.results / sample.margins.total().max(1) as f64, f64::from(sample.ownership.margin().0))
}

#[cfg(test)]
mod tests {
    use super::super::details::Sampled;
    use super::super::evaluate::Evaluation;
    use super::super::opinion::Opinion;
    use super::*;
    use crate::go::{CAPACITY, Point};

    fn play(column: usize) -> Move {
        Move::Play(Point::new(column, 0, 9))
    }

    /// Samples of a move with margins around a mean, in steps of four points.
    fn add(details: &mut Details, mv: Move, mean: f32, count: usize) {
        for i in 0..count {
            let margin = mean + 4.0 * ((i * 8) % 21) as f32 - 40.0;
            let evaluation = Evaluation { margin, ..Evaluation::default() };
            let result = if margin > 0.0 { 1.0 } else { 0.0 };
            details.add(mv.point(), &Sampled { evaluation: &evaluation, result, is_void: false }, CAPACITY);
        }
    }

    fn even(to_move: Color, details: &Details) -> Estimate<'_> {
        Estimate::new(details, to_move, 0.5, 0.5).expect("there are samples")
    }

    #[test]
    fn a_position_is_worth_what_makes_it_even() {
        let mut details = Details::collecting();
        assert!(Estimate::new(&details, Color::Black, 0.5, 0.5).is_none(), "nothing is known");
        add(&mut details, play(0), 0.5, 2100);
        let share = details.whole().results / 2100.0;
        let at = |result| Estimate::new(&details, Color::Black, result, result).expect("samples").of_root().points;
        assert!((at(share) - 0.5).abs() < 2.5, "{}", at(share));
        assert!((0..=10).map(|i| at(f64::from(i) / 10.0)).is_sorted());
        assert!((at(0.7) - 15.0).abs() < 8.0, "{}", at(0.7));
        assert!((even(Color::Black, &details).of_root().deviation - 24.2).abs() < 0.5);
    }

    #[test]
    fn a_move_without_samples_is_worth_what_its_win_rate_says() {
        let mut details = Details::collecting();
        add(&mut details, play(0), 0.5, 2100);
        for (color, sign) in [(Color::Black, 1.0), (Color::White, -1.0)] {
            let estimate = even(color, &details);
            let root = estimate.of_root().points;
            let at = |visits, better: f64| {
                sign * (estimate.of_move(play(1), visits, 0.5 + f64::from(sign) * better).points - root)
            };
            assert_eq!((at(0, 0.3), at(1000, 0.0)), (0.0, 0.0));
            // One win in one playout tells nothing, and many tell what the regression says.
            assert!((0.0..0.3).contains(&at(1, 0.5)), "{}", at(1, 0.5));
            assert!((3.0..5.0).contains(&at(1_000_000, 0.1)), "{}", at(1_000_000, 0.1));
            // A small difference in few visits is chance.
            assert_eq!((at(30, -0.1), at(30, 0.1)), (0.0, 0.0));
            // Bad moves get few visits, and still look bad.
            assert!(at(30, -0.4) < -7.0 && at(30, -0.4) < -4.0 * at(30, 0.4), "{}", at(30, -0.4));
        }
    }

    #[test]
    fn in_a_settled_position_win_rates_move_no_points() {
        let mut details = Details::collecting();
        for i in 0..2000 {
            // Black wins every playout, by a point more or less, of which the result knows a little.
            let margin = 5.5 + [-1.0, 0.0, 0.0, 1.0][i % 4];
            let evaluation = Evaluation { margin, ..Evaluation::default() };
            let result = 0.98 + 0.0025 * (margin - 5.5);
            details.add(play(0).point(), &Sampled { evaluation: &evaluation, result, is_void: false }, CAPACITY);
        }
        let estimate = Estimate::new(&details, Color::Black, 0.98, 0.9).expect("samples");
        assert!((estimate.of_root().points - 5.5).abs() < 0.6, "{:?}", estimate.of_root());
        for value in [0.8, 0.95, 1.0] {
            let shift = estimate.of_move(play(1), 5000, value).points - estimate.of_root().points;
            assert!(shift.abs() < 0.5, "{value}: {shift}");
        }
    }

    #[test]
    fn own_samples_count_in_hundreds() {
        let lead = |own: usize| {
            let mut details = Details::collecting();
            add(&mut details, play(0), 0.5, 42_000);
            add(&mut details, play(1), 20.5, own);
            // The win rate of B says nothing of its larger margins.
            let estimate = even(Color::Black, &details);
            estimate.of_move(play(1), 20 * own as u64, 0.5).points - estimate.of_root().points
        };
        let leads = [21, 210, 2100].map(lead);
        assert!(leads[0] < 0.3 * leads[1] && leads[1] < 0.7 * leads[2] && leads[0] > 0.1, "{leads:?}");
    }

    #[test]
    fn what_a_net_expects_spreads_as_the_net_says() {
        let mut details = Details::collecting();
        add(&mut details, play(0), 0.5, 2100);
        let sampled = even(Color::Black, &details).of_root().deviation;
        let estimate = even(Color::Black, &details).with_spread_of_net(10.0);
        for margin in [estimate.of_root(), estimate.of_move(play(1), 10, 0.6)] {
            assert!((margin.deviation - sampled.hypot(10.0)).abs() < 1e-3, "{margin:?}");
        }
    }

    #[test]
    fn a_net_counts_by_its_accuracy() {
        let mut details = Details::collecting();
        add(&mut details, play(0), 0.5, 2100);
        let alone = even(Color::Black, &details).of_root().points;
        let with = |margin, deviation| {
            let details = details.clone().with_opinion(Some(Opinion { margin, deviation }));
            let estimate = even(Color::Black, &details);
            (estimate.of_root().points, estimate.of_move(play(1), 1_000_000, 0.6).points)
        };
        assert!((with(30.0, 1000.0).0 - alone).abs() < 0.1);
        let (root, better) = with(30.0, 1.0);
        assert!(root > 25.0 && (0.0..2.0).contains(&(better - root)), "{root} {better}");
        let mut one = Details::collecting();
        add(&mut one, play(0), 160.0, 1);
        let one = one.with_opinion(Some(Opinion { margin: 0.0, deviation: 10.0 }));
        let root = even(Color::Black, &one).of_root().points;
        assert!((0.0..20.0).contains(&root), "one playout of 120 points says little: {root}");
        let between = with(30.0, 5.0).0;
        assert!(alone + 8.0 < between && between < 22.0, "{between}");
    }
}
