//! The choice of a move from the findings of a search. Early in the game the draw is wide, so that games differ. Later
//! the most visited move is played nearly always.

use crate::go::{Move, Position};
use crate::playout::Rng;
use crate::search::{MoveReport, Report};

use crate::chance::{power, weighted};

/// The temperature of the draw at the beginning and late in the game (KataGo 1.15, `chosenMoveTemperatureEarly` and
/// `chosenMoveTemperature` of its self-play).
const FIRST_TEMPERATURE: f64 = 0.8;
const LAST_TEMPERATURE: f64 = 0.15;

/// A pass that leaves many points open must have a value higher than every play's by this much. (The engine asks the
/// same of its passes.)
const PASS_GAIN: f32 = 0.1;

/// The temperature of the draw after so many moves. The distance to the last temperature halves in as many moves as the
/// board has columns (KataGo: 19 on 19×19, and in proportion on other boards). Between the halvings it falls in a line.
pub(super) fn temperature(moves: usize, size: usize) -> f64 {
    let halvings = (moves / size).min(60);
    let part = (moves % size) as f64 / size as f64;
    let share = (1.0 - part / 2.0) / (1_u64 << halvings) as f64;
    LAST_TEMPERATURE + (FIRST_TEMPERATURE - LAST_TEMPERATURE) * share
}

/// Draws one of these moves. The weight of a move is its visits to the power of 1/temperature. A pass is drawn only if
/// it is the first move. `None` if there are no moves.
pub(super) fn by_visits(moves: &[MoveReport], temperature: f64, rng: &mut Rng) -> Option<Move> {
    let most = moves.iter().map(|m| m.visits).max().unwrap_or(0).max(1) as f64;
    let quarters = (4.0 / temperature).round() as u32;
    let weight = |(i, m): (usize, &MoveReport)| match m.mv {
        Move::Pass if i > 0 => 0.0,
        _ => power(m.visits as f64 / most, quarters),
    };
    let weights: Vec<f64> = moves.iter().enumerate().map(weight).collect();
    let drawn = weighted(rng, &weights).unwrap_or(0);
    moves.get(drawn).map(|m| m.mv)
}

/// Draws a play by its prior. `None` if there is none.
pub(super) fn by_prior(moves: &[MoveReport], rng: &mut Rng) -> Option<Move> {
    let weights: Vec<f64> = moves.iter().map(|m| if m.mv == Move::Pass { 0.0 } else { f64::from(m.prior) }).collect();
    weighted(rng, &weights).map(|i| moves[i].mv)
}

/// The moves of the report that the rules allow.
pub(super) fn legal(position: &Position, report: &Report) -> Vec<MoveReport> {
    let mut position = position.clone();
    report.moves.iter().filter(|m| position.check(m.mv).is_ok()).cloned().collect()
}

/// Is a pass wrong here although the search found it best? So it is if there is a play that is about as good.
pub(super) fn passes_early(moves: &[MoveReport]) -> bool {
    let pass = moves.iter().find(|m| m.mv == Move::Pass);
    let play = moves.iter().find(|m| m.mv != Move::Pass && m.visits > 0);
    matches!((pass, play), (Some(pass), Some(play)) if play.value >= pass.value - PASS_GAIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::Point;
    use crate::playout::stream;

    fn report(mv: Move, visits: u64, value: f32) -> MoveReport {
        MoveReport::known(mv, visits, value, 0.5)
    }

    #[test]
    fn the_temperature_falls_by_half_in_a_width_of_the_board() {
        assert_eq!(temperature(0, 9), 0.8);
        assert!((temperature(9, 9) - 0.475).abs() < 1e-12);
        assert!((temperature(18, 9) - 0.3125).abs() < 1e-12);
        assert!((temperature(10_000, 9) - 0.15).abs() < 1e-12);
        assert!((1..200).all(|moves| temperature(moves, 9) < temperature(moves - 1, 9)));
    }

    #[test]
    fn a_low_temperature_prefers_what_has_more_visits() {
        let play = |column| Move::Play(Point::new(column, 0, 9));
        let moves = [report(play(0), 200, 0.5), report(play(1), 100, 0.5), report(Move::Pass, 100, 0.5)];
        let mut rng = stream(1, 0);
        let mut share = |temperature| {
            let drawn: Vec<_> = (0..4000).filter_map(|_| by_visits(&moves, temperature, &mut rng)).collect();
            assert!(drawn.iter().all(|&mv| mv != Move::Pass), "a pass that is not the best move");
            drawn.iter().filter(|&&mv| mv == play(1)).count() as f64 / drawn.len() as f64
        };
        assert!((share(1.0) - 1.0 / 3.0).abs() < 0.03);
        assert!(share(0.15) < 0.02);
        assert_eq!(by_visits(&[report(Move::Pass, 0, 0.5)], 1.0, &mut rng), Some(Move::Pass));
    }

    #[test]
    fn a_pass_is_early_unless_every_play_destroys_something() {
        let play = Move::Play(Point::new(0, 0, 9));
        assert!(passes_early(&[report(Move::Pass, 9, 0.9), report(play, 5, 0.85)]));
        assert!(!passes_early(&[report(Move::Pass, 9, 0.9), report(play, 5, 0.2)]));
        assert!(!passes_early(&[report(Move::Pass, 9, 0.9)]));
    }
}
