//! The curves of a game as an SVG picture: Black's win rate, and Black's lead in points.

use std::fmt::Write;

use super::finding::Finding;

/// The size of the picture, in its own units.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 200.0;

/// The scale of the lead is at least this many points from the middle to the edge.
const LEAST_SCALE: f64 = 10.0;

/// The picture. `moves` is the number of moves of the game.
pub(super) fn svg(findings: &[Finding], moves: usize) -> String {
    let x = |turn: usize| turn as f64 * WIDTH / moves.max(1) as f64;
    let scale = findings.iter().map(|finding| finding.lead.abs()).fold(LEAST_SCALE, f64::max);
    let rate = |finding: &Finding| (1.0 - finding.winrate) * HEIGHT;
    let lead = |finding: &Finding| (1.0 - finding.lead / scale) / 2.0 * HEIGHT;
    let line = |y: &dyn Fn(&Finding) -> f64| {
        let mut path = String::new();
        for (i, finding) in findings.iter().enumerate() {
            let _ = write!(path, "{}{:.1} {:.1}", if i == 0 { 'M' } else { 'L' }, x(finding.turn), y(finding));
        }
        path
    };
    let (rates, leads) = (line(&rate), line(&lead));
    let (from, to) = (findings.first().map_or(0.0, |f| x(f.turn)), findings.last().map_or(0.0, |f| x(f.turn)));
    let area =
        if findings.is_empty() { String::new() } else { format!("{rates}L{to:.1} {HEIGHT}L{from:.1} {HEIGHT}Z") };
    let middle = HEIGHT / 2.0;
    format!(
        "<svg id=\"curve\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"Black's win rate and lead by move\" data-scale=\"{scale}\">\n\
         <path class=\"area\" d=\"{area}\"/>\n<path class=\"middle\" d=\"M0 {middle}H{WIDTH}\"/>\n\
         <path class=\"lead\" d=\"{leads}\"/>\n<path class=\"rate\" d=\"{rates}\"/>\n\
         <path class=\"here\" id=\"here\" d=\"M0 0V{HEIGHT}\"/>\n</svg>"
    )
}
