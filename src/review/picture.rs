//! A board as an SVG picture that stands alone: stones, the last move, labels, owners as shading.

use std::fmt::Write;

use crate::go::{Board, Color, Point, handicap, vertex};

use super::finding::Finding;

/// What a picture shows besides the stones.
#[derive(Debug, Default)]
pub(super) struct Marks<'a> {
    /// The last move.
    pub last: Option<Point>,
    /// Points with a letter each.
    pub labels: &'a [(Point, char)],
    /// The owners of the points.
    pub finding: Option<&'a Finding>,
    /// What the picture is, for those who cannot see it.
    pub title: &'a str,
}

/// Units of the picture from one line of the board to the next.
const STEP: usize = 24;

/// The half of the longest side of a square of shading, in units.
const SHADE: f32 = 8.0;

/// Owners nearer to "nobody's" than this are not drawn.
const LEAST_OWNER: f32 = 0.15;

/// The picture.
pub(super) fn svg(board: &Board, marks: &Marks<'_>) -> String {
    let size = board.size();
    let side = (size + 1) * STEP;
    let x = |column: usize| (column + 1) * STEP;
    let y = |row: usize| (size - row) * STEP;
    let (first, last) = (STEP, size * STEP);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" width=\"{side}\" height=\"{side}\" \
         role=\"img\" font-family=\"sans-serif\" text-anchor=\"middle\">\n<title>{}</title>\n\
         <rect width=\"{side}\" height=\"{side}\" fill=\"#e3b66b\"/>\n",
        escape(marks.title)
    );
    text.push_str("<path stroke=\"#6b4a17\" fill=\"none\" d=\"");
    for line in (first..=last).step_by(STEP) {
        let _ = write!(text, "M{first} {line}H{last}M{line} {first}V{last}");
    }
    text.push_str("\"/>\n");
    for point in handicap::fixed(size, handicap::most_fixed(size)).unwrap_or_default() {
        let _ = writeln!(
            text,
            "<circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"#6b4a17\"/>",
            x(point.column(size)),
            y(point.row(size))
        );
    }
    for column in 0..size {
        for at in [STEP / 2, side - STEP / 2] {
            let letter = vertex::letter(column);
            let _ = writeln!(text, "<text x=\"{}\" y=\"{}\" font-size=\"10\">{letter}</text>", x(column), at + 3);
            let (row, at_row) = (column + 1, y(column) + 3);
            let _ = writeln!(text, "<text x=\"{at}\" y=\"{at_row}\" font-size=\"10\">{row}</text>");
        }
    }
    for point in board.points() {
        let (column, row) = (point.column(size), point.row(size));
        if let Some(color) = board.cell(point).color() {
            let _ = writeln!(
                text,
                "<circle cx=\"{}\" cy=\"{}\" r=\"11\" fill=\"{}\" stroke=\"#222\"/>",
                x(column),
                y(row),
                fill(color)
            );
        }
        let owner = marks.finding.map_or(0.0, |finding| finding.owner((size - 1 - row) * size + column));
        if owner.abs() >= LEAST_OWNER {
            let half = SHADE * owner.abs();
            let color = if owner > 0.0 { Color::Black } else { Color::White };
            let _ = writeln!(
                text,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\" opacity=\"0.6\"/>",
                x(column) as f32 - half,
                y(row) as f32 - half,
                2.0 * half,
                2.0 * half,
                fill(color)
            );
        }
    }
    if let Some(last) = marks.last {
        let _ = writeln!(
            text,
            "<circle cx=\"{}\" cy=\"{}\" r=\"6\" fill=\"none\" stroke=\"#c22\" stroke-width=\"2\"/>",
            x(last.column(size)),
            y(last.row(size))
        );
    }
    for &(point, letter) in marks.labels {
        let (x, y) = (x(point.column(size)), y(point.row(size)));
        let _ = writeln!(
            text,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"9\" fill=\"#2a6\"/>\n<text x=\"{x}\" y=\"{}\" font-size=\"13\" \
             fill=\"#fff\">{letter}</text>",
            y + 5
        );
    }
    text.push_str("</svg>\n");
    text
}

fn fill(color: Color) -> &'static str {
    match color {
        Color::Black => "#111",
        Color::White => "#f8f8f4",
    }
}

/// Text for HTML and SVG, between tags and within quotes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // XML has no other control characters.
            c if c.is_control() && !matches!(c, '\n' | '\t') => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
