//! What was thought of a move, in words for people and in the form that gtp2ogs reads. It knows no command.

use crate::engine::{Decision, thought::Thought};
use crate::go::{Color, Move};

use super::vertex;

/// A margin as results are written: `B+3.5`.
pub fn score(margin: f32) -> String {
    let side = if margin < 0.0 { Color::White } else { Color::Black };
    format!("{}+{:.1}", side.letter(), margin.abs())
}

/// What was decided: a vertex or `resign`.
pub fn decision(decision: Decision, size: usize) -> String {
    match decision {
        Decision::Move(mv) => vertex::of_move(mv, size),
        Decision::Resign => "resign".into(),
    }
}

/// Who is ahead, and how far.
pub fn assessment(thought: &Thought) -> String {
    let black = thought.black_win_rate();
    let (side, rate) = if black < 0.5 { (Color::White, 1.0 - black) } else { (Color::Black, black) };
    let score = match thought.margin() {
        Some((margin, deviation)) => format!(", expected score {} ± {deviation:.1}", score(margin)),
        None => String::new(),
    };
    format!("{side} wins {:.1} % of my playouts{score}", rate * 100.0)
}

/// How much was looked at.
pub fn effort(thought: &Thought) -> String {
    let report = &thought.report;
    format!("{} playouts in {:.2} s", report.playouts, report.elapsed.as_secs_f64())
}

/// All that is known about a move, in a few lines.
pub fn in_full(thought: &Thought, size: usize) -> String {
    let mut lines = vec![
        format!("{} {}: {}", thought.color, decision(thought.decision, size), assessment(thought)),
        effort(thought),
    ];
    for candidate in thought.report.moves.iter().take(CANDIDATES).filter(|m| m.visits > 0) {
        lines.push(format!(
            "{} {:.1} %, {} visits, expected {}",
            vertex::of_move(candidate.mv, size),
            candidate.value * 100.0,
            candidate.visits,
            variation(&candidate.variation, size)
        ));
    }
    lines.join("\n")
}

/// Moves that an explanation names.
const CANDIDATES: usize = 3;

/// Vertices of a variation, separated by blanks.
pub fn variation(moves: &[Move], size: usize) -> String {
    moves.iter().map(|&mv| vertex::of_move(mv, size)).collect::<Vec<_>>().join(" ")
}

/// The lower bound of a win rate is so many standard errors below it: one in 40 lies below (Wilson's interval).
const LCB_DEVIATIONS: f64 = 1.96;

/// The lower end of Wilson's interval for a rate from so many observations; 0 if there was none.
pub fn lower_bound(rate: f64, visits: u64) -> f64 {
    if visits == 0 {
        return 0.0;
    }
    let n = visits as f64;
    let z2 = LCB_DEVIATIONS * LCB_DEVIATIONS;
    let rate = rate.clamp(0.0, 1.0);
    let spread = LCB_DEVIATIONS * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).sqrt();
    ((rate + z2 / (2.0 * n) - spread) / (1.0 + z2 / n)).clamp(0.0, 1.0)
}

/// Lines for gtp2ogs. The first two have the form of Leela Zero's messages, which gtp2ogs posts as a variation; the
/// last goes into the game's chat where the opponent cannot read it before the end, or says why the game is given up.
pub fn for_gtp2ogs(thought: &Thought, size: usize) -> Vec<String> {
    let report = &thought.report;
    let mut lines = Vec::new();
    let made = match thought.decision {
        Decision::Move(mv) => report.moves.iter().find(|m| m.mv == mv && m.visits > 0),
        Decision::Resign => None,
    };
    if let Some(made) = made {
        lines.push(format!(
            "{} -> {} (V: {:.2}%) (LCB: {:.2}%) (N: {:.2}%) PV: {}",
            vertex::of_move(made.mv, size),
            made.visits,
            made.value * 100.0,
            lower_bound(made.value.into(), made.visits) * 100.0,
            made.prior * 100.0,
            variation(&made.variation, size)
        ));
        let speed = report.playouts as f64 / report.elapsed.as_secs_f64().max(1e-3);
        lines.push(format!(
            "{} visits, {} nodes, {} playouts, {speed:.0} n/s",
            report.visits, report.nodes, report.playouts
        ));
    }
    lines.push(match thought.decision {
        Decision::Resign => format!("MAIN:I resign: {}.", assessment(thought)),
        Decision::Move(_) => {
            format!("MALKOVICH:Move {}: {}, {}.", thought.moves_before + 1, assessment(thought), effort(thought))
        }
    });
    lines
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
