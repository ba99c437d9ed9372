//! The moves that a search looks at, drawn by Gumbel's method (Danihelka, Guez, Schrittwieser and Silver 2022, "Policy
//! improvement by planning with Gumbel"). A few visits then give a better policy than the prior, on average, and the
//! visits themselves need not be shared out well: the policy follows from the values.
//!
//! Each move gets the logarithm of its prior and a random number of Gumbel's distribution. The highest sums are
//! candidates. Rounds of visits halve their number. σ(q) turns a value into what is added to a logarithm:
//!
//! ```text
//! σ(q) = (c_visit + the most visits of a move) · c_scale · q
//! ```

use crate::go::Move;
use crate::playout::Rng;
use crate::search::MoveReport;

use crate::chance::{exp, gumbel, ln};

/// c_visit and c_scale of the paper for Go (its §5 and appendix). Values here are 0 to 1.
const VISITS: f64 = 50.0;
const SCALE: f64 = 1.0;

/// So many visits of a move count as much as what is known without them. A guess: on 9×9, the value of a net differs from
/// that of a search by 0.14 (the root of the mean square, `docs/net.md`), which is more than most moves differ by.
const DOUBT: f64 = 6.0;

/// The shares of the improved policy are whole numbers whose sum is about this.
const SHARES: f64 = 60_000.0;

/// The least prior that counts, so that every move has a logarithm.
const LEAST_PRIOR: f64 = 1e-9;

/// A move that the search may visit.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Candidate {
    /// The move.
    pub mv: Move,
    /// The logarithm of its prior plus Gumbel's number.
    score: f64,
}

/// Draws so many candidates, highest first. Fewer, if there are fewer moves.
pub(super) fn draw(moves: &[MoveReport], most: usize, rng: &mut Rng) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = moves.iter().map(|m| Candidate { mv: m.mv, score: logit(m) + gumbel(rng) }).collect();
    all.sort_by(|a, b| b.score.total_cmp(&a.score));
    all.truncate(most.max(1));
    all
}

/// Rounds until so many candidates are halved to one; at least one round.
pub(super) fn rounds(candidates: usize) -> u64 {
    u64::from(candidates.max(2).next_power_of_two().trailing_zeros())
}

/// Halves the candidates: the better half by score and value stays. `moves` has the visits and values so far.
pub(super) fn halve(candidates: &mut Vec<Candidate>, moves: &[MoveReport]) {
    let scale = scale(moves);
    let value = |mv: Move| moves.iter().find(|m| m.mv == mv).map_or(0.0, |m| f64::from(m.value));
    candidates.sort_by(|a, b| (b.score + scale * value(b.mv)).total_cmp(&(a.score + scale * value(a.mv))));
    candidates.truncate(candidates.len().div_ceil(2));
}

/// The improved policy, and the value of the position under it. The visits of each move become its share of the policy.
/// `root` is the value of the position before any of these visits. A move without visits counts as the mixture of this
/// value and of the visited moves' values (the paper's appendix D). A move with n visits counts as n parts of its value
/// and [`DOUBT`] parts of this mixture, because values of few visits are mostly error. Best first.
pub(super) fn improve(moves: &mut [MoveReport], root: f32) -> f32 {
    let visits: u64 = moves.iter().map(|m| m.visits).sum();
    let visited = || moves.iter().filter(|m| m.visits > 0).map(|m| (prior(m), f64::from(m.value)));
    let mass: f64 = visited().map(|(prior, _)| prior).sum();
    let mean = visited().map(|(prior, value)| prior * value).sum::<f64>() / mass.max(LEAST_PRIOR);
    let mixed = (f64::from(root) + visits as f64 * mean) / (1.0 + visits as f64);
    let scale = scale(moves);
    let completed = |m: &MoveReport| if m.visits > 0 { f64::from(m.value) } else { mixed };
    let trusted = |m: &MoveReport| {
        let visits = m.visits as f64;
        mixed + (completed(m) - mixed) * visits / (visits + DOUBT)
    };
    let logits: Vec<f64> = moves.iter().map(|m| logit(m) + scale * trusted(m)).collect();
    let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logits.iter().map(|logit| exp(logit - largest)).collect();
    let sum: f64 = weights.iter().sum();
    let value = moves.iter().zip(&weights).map(|(m, weight)| weight * completed(m)).sum::<f64>() / sum;
    for (m, weight) in moves.iter_mut().zip(&weights) {
        m.value = completed(m) as f32;
        m.visits = (SHARES * weight / sum).round() as u64;
    }
    moves.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.value.total_cmp(&a.value)).then(b.prior.total_cmp(&a.prior)));
    value as f32
}

fn scale(moves: &[MoveReport]) -> f64 {
    (VISITS + moves.iter().map(|m| m.visits).max().unwrap_or(0) as f64) * SCALE
}

fn prior(m: &MoveReport) -> f64 {
    f64::from(m.prior).max(LEAST_PRIOR)
}

fn logit(m: &MoveReport) -> f64 {
    ln(prior(m))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::Point;
    use crate::playout::stream;

    fn report(column: usize, prior: f32, visits: u64, value: f32) -> MoveReport {
        MoveReport::known(Move::Play(Point::new(column, 0, 9)), visits, value, prior)
    }

    #[test]
    fn candidates_are_drawn_as_often_as_their_priors_say() {
        let moves = [report(0, 0.6, 0, 0.5), report(1, 0.3, 0, 0.5), report(2, 0.1, 0, 0.5)];
        let mut rng = stream(1, 0);
        let draws: Vec<_> = (0..4000).map(|_| draw(&moves, 2, &mut rng)).collect();
        assert!(draws.iter().all(|drawn| drawn.len() == 2 && drawn[0].mv != drawn[1].mv));
        for m in &moves {
            let share = draws.iter().filter(|drawn| drawn[0].mv == m.mv).count() as f32 / 4000.0;
            assert!((share - m.prior).abs() < 0.03, "{share} {}", m.prior);
        }
        assert_eq!(draw(&moves, 9, &mut rng).len(), 3);
    }

    #[test]
    fn rounds_halve_the_candidates_to_one() {
        assert_eq!([1, 2, 3, 4, 5, 8, 9, 16].map(rounds), [1, 1, 2, 2, 3, 3, 4, 4]);
        let moves =
            [report(0, 0.25, 1, 0.2), report(1, 0.25, 1, 0.9), report(2, 0.25, 1, 0.8), report(3, 0.25, 1, 0.1)];
        let mut left: Vec<Candidate> = moves.iter().map(|m| Candidate { mv: m.mv, score: logit(m) }).collect();
        halve(&mut left, &moves);
        assert_eq!(left.iter().map(|c| c.mv).collect::<Vec<_>>(), [moves[1].mv, moves[2].mv]);
        halve(&mut left, &moves);
        assert_eq!(left.iter().map(|c| c.mv).collect::<Vec<_>>(), [moves[1].mv]);
    }

    #[test]
    fn the_improved_policy_prefers_what_was_found_better() {
        // Equal values leave the prior as it is.
        let mut even = [report(0, 0.7, 4, 0.5), report(1, 0.2, 2, 0.5), report(2, 0.1, 0, 0.5)];
        assert!((improve(&mut even, 0.5) - 0.5).abs() < 1e-6);
        let shares = even.each_ref().map(|m| m.visits as f64 / SHARES);
        assert!((shares[0] - 0.7).abs() < 1e-3 && (shares[1] - 0.2).abs() < 1e-3 && (shares[2] - 0.1).abs() < 1e-3);
        // A better value outweighs a prior; what was not visited counts as the mixture.
        let mut moves = [report(0, 0.7, 4, 0.4), report(1, 0.2, 4, 0.6), report(2, 0.1, 0, 0.9)];
        let value = improve(&mut moves, 0.5);
        assert_eq!(moves[0].mv, report(1, 0.2, 0, 0.0).mv);
        // By hand: the mixture is 0.451. Of four visits, 0.4 and 0.6 count as 0.430 and 0.510, times 54.
        let share = moves[0].visits as f64 / SHARES;
        assert!((0.93..0.95).contains(&share) && (0.55..=0.6).contains(&value), "{share} {value}");
        // Of few visits, a better value outweighs less.
        let mut few = [report(0, 0.7, 1, 0.4), report(1, 0.2, 1, 0.6), report(2, 0.1, 0, 0.9)];
        improve(&mut few, 0.5);
        assert!(few.iter().any(|m| m.mv == moves[0].mv && m.visits < moves[0].visits), "{few:?}");
        let unvisited = moves.iter().find(|m| m.mv == report(2, 0.1, 0, 0.0).mv).map(|m| m.value);
        assert!(unvisited.is_some_and(|value| (0.4..0.5).contains(&value)), "{unvisited:?}");
    }
}
