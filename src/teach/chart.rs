//! A chart as SVG: lines over a common axis, with intervals where there are some.

use std::fmt::Write;

/// The size of a chart in its own units, and the room for the numbers at its sides.
const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 48.0;
const BELOW: f64 = 34.0;
const ABOVE: f64 = 10.0;
const RIGHT: f64 = 10.0;

/// Colours of the lines, which differ for people with the usual kinds of colour blindness, too (Okabe and Ito 2008).
const COLORS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#888"];

/// A line of a chart.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    /// What it shows.
    pub name: String,
    /// Its points: x, y, and half of the width of an interval around y.
    pub points: Vec<(f64, f64, f64)>,
}

/// The chart. `escape` makes text fit for HTML. A chart without points is an empty text.
pub(super) fn svg(title: &str, x_name: &str, lines: &[Line], escape: impl Fn(&str) -> String) -> String {
    let points = || lines.iter().flat_map(|line| &line.points).filter(|(x, y, _)| x.is_finite() && y.is_finite());
    if points().next().is_none() {
        return String::new();
    }
    let (x_low, x_high) = range(points().map(|&(x, ..)| x));
    let (y_low, y_high) = range(points().flat_map(|&(_, y, margin)| [y - margin, y + margin]));
    let x = |value: f64| LEFT + (value - x_low) / (x_high - x_low) * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| HEIGHT - BELOW - (value - y_low) / (y_high - y_low) * (HEIGHT - BELOW - ABOVE);
    let mut text = format!(
        "<figure><figcaption>{0}</figcaption>\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{0}\">\n",
        escape(title)
    );
    for value in ticks(y_low, y_high, 0.0) {
        let at = y(value);
        let _ = writeln!(
            text,
            "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 4.0,
            at + 4.0,
            short(value)
        );
    }
    // There is no half of a generation.
    let least = if x_name == "generation" { 1.0 } else { 0.0 };
    for value in ticks(x_low, x_high, least) {
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(value),
            HEIGHT - BELOW + 14.0,
            short(value)
        );
    }
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        (LEFT + WIDTH) / 2.0,
        HEIGHT - 4.0,
        escape(x_name)
    );
    for (i, line) in lines.iter().enumerate() {
        let color = COLORS[i % COLORS.len()];
        let mut path = String::new();
        for &(at, value, margin) in line.points.iter().filter(|(x, y, _)| x.is_finite() && y.is_finite()) {
            let _ = write!(path, "{}{:.1} {:.1}", if path.is_empty() { 'M' } else { 'L' }, x(at), y(value));
            if margin > 0.0 {
                let (low, high) = (y(value - margin), y(value + margin));
                let _ = writeln!(
                    text,
                    "<path class=\"interval\" stroke=\"{color}\" d=\"M{:.1} {low:.1}V{high:.1}\"/>",
                    x(at)
                );
            }
            let _ = writeln!(text, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.5\" fill=\"{color}\"/>", x(at), y(value));
        }
        let _ = writeln!(text, "<path class=\"line\" stroke=\"{color}\" d=\"{path}\"/>");
    }
    text.push_str("</svg>\n<p class=\"faint\">");
    for (i, line) in lines.iter().enumerate().filter(|(_, line)| !line.points.is_empty()) {
        let _ =
            write!(text, "<span style=\"color:{}\">━</span> {} &nbsp; ", COLORS[i % COLORS.len()], escape(&line.name));
    }
    text.push_str("</p></figure>\n");
    text
}

/// The least and the greatest of these numbers, or a range around them if they are equal.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if high - low < 1e-9 { (low - 0.5, high + 0.5) } else { (low, high) }
}

/// About five round numbers within a range, not nearer to each other than `least`.
fn ticks(low: f64, high: f64, least: f64) -> Vec<f64> {
    let rough = ((high - low) / 5.0).max(least);
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|&step| step >= rough);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step).ceil() as i64;
    (first..).map(|i| i as f64 * step).take_while(|&value| value <= high + step * 1e-6).take(12).collect()
}

/// A number in few characters: 1.5k, 20M.
fn short(value: f64) -> String {
    let digits = |value: f64| {
        let text = format!("{value:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    match value.abs() {
        large if large >= 1e9 => digits(value / 1e9) + "G",
        large if large >= 1e6 => digits(value / 1e6) + "M",
        large if large >= 1e4 => digits(value / 1e3) + "k",
        _ => digits(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_range() {
        assert_eq!(ticks(0.0, 10.0, 0.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks(-130.0, 420.0, 0.0), [0.0, 200.0, 400.0]);
        assert_eq!(ticks(1.0, 2.0, 1.0), [1.0, 2.0]);
        assert_eq!([short(0.25), short(1500.0), short(20_000.0), short(3.5e6)], ["0.25", "1500", "20k", "3.5M"]);
    }

    #[test]
    fn points_lie_inside_and_names_are_escaped() {
        let line = Line { name: "a<b".into(), points: vec![(0.0, 1.0, 0.5), (1.0, f64::NAN, 0.0), (2.0, 3.0, 0.0)] };
        let text = svg("T", "x", &[line], |text| text.replace('<', "&lt;"));
        assert!(text.contains("a&lt;b") && !text.contains("NaN"), "{text}");
        assert!(text.contains(&format!("M{LEFT:.1} ")) && text.contains(&format!("L{:.1} {ABOVE:.1}", WIDTH - RIGHT)));
        assert_eq!(svg("T", "x", &[Line::default()], str::to_owned), "");
    }
}
