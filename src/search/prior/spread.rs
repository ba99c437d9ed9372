//! Priors that differ from rank to rank in a search on several machines, so that the ranks try different moves.

use rand::RngExt as _;

use super::{Candidate, Opening};
use crate::playout::stream;
use crate::playout::strength::exp;
use crate::search::select::normal;

/// Multiplies the priors by e^(s·x), where s is the tunable `rank_spread` and x a normal number that depends on the
/// rank, the stones and the move. The sum of the priors stays. The first rank, and a search on one machine, keep their
/// priors.
///
/// This is the last stage, so that all ranks have the same moves: of several images of a move the same one stays.
#[expect(clippy::ptr_arg, reason = "all stages have one type")]
pub fn apply(opening: &mut Opening<'_>, candidates: &mut Vec<Candidate>) {
    let Some(favours) = opening.favours else { return };
    let sum = |candidates: &[Candidate]| candidates.iter().map(|candidate| candidate.strength).sum::<f32>();
    let before = sum(candidates);
    let mut rng = stream(opening.position.board().hash(), favours.first as u64);
    for candidate in candidates.iter_mut() {
        candidate.strength *= exp(opening.params.rank_spread * normal(rng.random()));
    }
    let rest = before / sum(candidates);
    candidates.iter_mut().for_each(|candidate| candidate.strength *= rest);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{Move, Point, Position, Ruleset};
    use crate::search::params::Params;
    use crate::search::prior::Tools;
    use crate::search::request::Favours;
    use crate::search::stages;

    /// The moves on an empty board and their priors.
    fn opened(rank: Option<usize>, rank_spread: f32) -> (Vec<Move>, Vec<f32>) {
        let position = Position::new(9, Ruleset::default());
        let params = Params { rank_spread, ..Params::default() };
        let mut opening = Opening {
            position: &position,
            last: [Point::NONE; 2],
            policy: None,
            criticality: None,
            advantages: None,
            merge_twins: true,
            restrictions: &[],
            favours: rank.map(|rank| Favours { first: rank - 1, step: 7 }),
            ply: 0,
            params: &params,
            tools: &mut Tools::new(position.size()),
        };
        let mut candidates = Vec::new();
        stages::candidates(&mut opening, &mut candidates);
        candidates.iter().map(|candidate| (candidate.mv, candidate.strength)).unzip()
    }

    #[test]
    fn ranks_differ_by_as_much_as_they_are_told_to() {
        let (moves, plain) = opened(None, 0.0);
        assert_eq!(opened(None, 0.5).1, plain, "the first rank keeps its priors");
        assert_eq!(opened(Some(1), 0.0).1, plain);
        assert_eq!(opened(Some(1), 0.5), opened(Some(1), 0.5), "a rank opens a node in one way");
        assert_ne!(opened(Some(1), 0.5).1, opened(Some(2), 0.5).1);
        let mut squares = Vec::new();
        for rank in 1..=50 {
            let (same, spread) = opened(Some(rank), 0.5);
            assert_eq!(same, moves, "all ranks have the same moves");
            assert!((spread.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            let logarithms: Vec<f32> = spread.iter().zip(&plain).map(|(spread, plain)| (spread / plain).ln()).collect();
            let mean = logarithms.iter().sum::<f32>() / moves.len() as f32;
            squares.extend(logarithms.iter().map(|logarithm| (logarithm - mean).powi(2)));
        }
        let deviation = (squares.iter().sum::<f32>() / squares.len() as f32).sqrt();
        assert!((0.45..0.55).contains(&deviation), "{deviation}");
    }
}
