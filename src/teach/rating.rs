//! Ratings from results: the Elo numbers that make all results of a run most likely, after R. A. Bradley and M. E.
//! Terry 1952 ("Rank analysis of incomplete block designs", Biometrika 39). A draw counts as half a win and half a
//! loss.
//!
//! The maximum is found by Newton's method. The same matrix of second derivatives gives the intervals: its inverse is
//! the covariance of the ratings. Each pair that met also gets one drawn game that nobody played. So a player who won
//! every game has a rating that is finite.

use std::collections::BTreeMap;

use super::record::Met;

/// Drawn games that each pair is given. One for a pair is the smallest whole number; a guess.
const PRIOR_DRAWS: f64 = 1.0;

/// Elo for each unit of the logarithm of the odds: 400/ln 10.
const ELO: f64 = 173.717_792_761_248_36;

/// The 97.5 % quantile of the normal distribution: an interval of 95 %.
const Z95: f64 = 1.959_963_984_540_054;

/// A rating.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rating {
    /// The player.
    pub name: String,
    /// Elo; the first player has 0.
    pub elo: f64,
    /// Half of the width of the interval of 95 % around the difference to the first player.
    pub margin: f64,
    /// Games played.
    pub games: u32,
}

/// The ratings of all players, in the order in which they first appear, `anchor` before all others. Players who have no
/// chain of games to the anchor are left out.
pub(super) fn ratings(matches: &[Met], anchor: &str) -> Vec<Rating> {
    let matches: Vec<&Met> = matches.iter().filter(|met| met.score().is_some() && met.a != met.b).collect();
    let mut names: Vec<&str> = vec![anchor];
    // Only what is linked to the anchor can be compared with it.
    loop {
        let next = matches.iter().find_map(|met| match (names.contains(&&*met.a), names.contains(&&*met.b)) {
            (true, false) => Some(&*met.b),
            (false, true) => Some(&*met.a),
            _ => None,
        });
        match next {
            Some(name) => names.push(name),
            None => break,
        }
    }
    let count = names.len();
    let index: BTreeMap<&str, usize> = names.iter().enumerate().map(|(i, &name)| (name, i)).collect();
    let mut points = vec![vec![0.0; count]; count];
    let mut games = vec![0; count];
    for met in &matches {
        let (Some(&a), Some(&b)) = (index.get(&*met.a), index.get(&*met.b)) else { continue };
        let all = met.wins + met.draws + met.losses;
        let won = f64::from(met.wins) + f64::from(met.draws) / 2.0;
        if points[a][b] + points[b][a] == 0.0 {
            points[a][b] += PRIOR_DRAWS / 2.0;
            points[b][a] += PRIOR_DRAWS / 2.0;
        }
        points[a][b] += won;
        points[b][a] += f64::from(all) - won;
        games[a] += all;
        games[b] += all;
    }
    let mut strength = vec![0.0; count];
    let mut covariance = vec![vec![0.0; count]; count];
    for _ in 0..MOST_STEPS {
        let (gradient, information) = derivatives(&points, &strength);
        let Some(inverse) = inverted(information) else { break };
        let step: Vec<f64> =
            inverse.iter().map(|row| row.iter().zip(&gradient).map(|(a, b)| a * b).sum::<f64>()).collect();
        covariance = inverse;
        let largest = step.iter().fold(0.0_f64, |most, step| most.max(step.abs()));
        // A step that is too long could lead away from the maximum.
        let scale = (LONGEST_STEP / largest).min(1.0);
        for (value, step) in strength[1..].iter_mut().zip(&step) {
            *value += scale * step;
        }
        if largest < 1e-9 {
            break;
        }
    }
    let margin = |i: usize| match i.checked_sub(1).and_then(|i| covariance.get(i)?.get(i)) {
        Some(variance) => ELO * Z95 * variance.max(0.0).sqrt(),
        None => 0.0,
    };
    (names.iter().enumerate())
        .map(|(i, &name)| Rating { name: name.into(), elo: ELO * strength[i], margin: margin(i), games: games[i] })
        .collect()
}

/// Newton's steps at the most, and the longest of them.
const MOST_STEPS: usize = 200;
const LONGEST_STEP: f64 = 1.0;

/// The gradient of the log-likelihood and minus its second derivatives, for all players but the first.
fn derivatives(points: &[Vec<f64>], strength: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let count = strength.len();
    let mut gradient = vec![0.0; count - 1];
    let mut information = vec![vec![0.0; count - 1]; count - 1];
    for a in 0..count {
        for b in 0..count {
            let games = points[a][b] + points[b][a];
            if a == b || games == 0.0 {
                continue;
            }
            let expected = 1.0 / (1.0 + (strength[b] - strength[a]).exp());
            let weight = games * expected * (1.0 - expected);
            if let Some(i) = a.checked_sub(1) {
                gradient[i] += points[a][b] - games * expected;
                information[i][i] += weight;
                if let Some(j) = b.checked_sub(1) {
                    information[i][j] -= weight;
                }
            }
        }
    }
    (gradient, information)
}

/// The inverse of a matrix by Gauss and Jordan's elimination; `None` if it has none.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let unit = |i: usize| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect();
    let mut inverse: Vec<Vec<f64>> = (0..n).map(unit).collect();
    for column in 0..n {
        let pivot = (column..n).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-12 {
            return None;
        }
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let scale = matrix[column][column];
        for j in 0..n {
            matrix[column][j] /= scale;
            inverse[column][j] /= scale;
        }
        for row in (0..n).filter(|&row| row != column) {
            let factor = matrix[row][column];
            for j in 0..n {
                matrix[row][j] -= factor * matrix[column][j];
                inverse[row][j] -= factor * inverse[column][j];
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(a: &str, b: &str, wins: u32, losses: u32) -> Met {
        Met { a: a.into(), b: b.into(), wins, draws: 0, losses }
    }

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() < tolerance, "{found} is not {expected}");
    }

    /// With two players the most likely rating is that of the score: here of 300.5 points in 401 games.
    #[test]
    fn two_players_have_the_elo_of_their_score() {
        let found = ratings(&[met("b", "a", 300, 100)], "a");
        let score: f64 = 300.5 / 401.0;
        close(found[1].elo, 400.0 * (score / (1.0 - score)).log10(), 1e-6);
        // The variance of the logarithm of the odds is 1/(n·p·(1−p)).
        close(found[1].margin, ELO * Z95 / (401.0 * score * (1.0 - score)).sqrt(), 1e-6);
        assert_eq!((found[0].elo, found[0].margin, found[0].games), (0.0, 0.0, 400));
    }

    /// Results that Bradley and Terry's model fits exactly, of players 0, 120 and 300 Elo apart.
    #[test]
    fn ratings_behind_exact_results_are_found_again() {
        let truth = [("a", 0.0), ("b", 120.0), ("c", 300.0)];
        let mut matches = Vec::new();
        for (i, (a, of_a)) in truth.iter().enumerate() {
            for (b, of_b) in &truth[..i] {
                let wins = 1e6 / (1.0 + 10f64.powf((of_b - of_a) / 400.0));
                matches.push(met(a, b, wins.round() as u32, (1e6 - wins).round() as u32));
            }
        }
        for rating in ratings(&matches, "a") {
            let expected = truth.iter().find(|(name, _)| *name == rating.name).map(|(_, elo)| *elo);
            close(rating.elo, expected.expect("a player"), 0.01);
        }
    }

    #[test]
    fn who_wins_every_game_has_a_finite_rating_and_a_wide_interval() {
        let found = ratings(&[met("b", "a", 20, 0), met("c", "b", 20, 0), met("x", "y", 3, 1)], "a");
        assert_eq!(found.iter().map(|rating| &*rating.name).collect::<Vec<_>>(), ["a", "b", "c"]);
        assert!(found[2].elo > found[1].elo && found[1].elo > 300.0 && found[2].elo < 3000.0, "{found:?}");
        assert!(found[2].margin > found[1].margin && found[1].margin > 100.0, "{found:?}");
        assert_eq!(ratings(&[], "a").len(), 1);
    }
}
