//! A board as a picture: stones, the last move, labels, owners as shading. The picture is a list of shapes; `svg` and
//! `png` write it.

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

/// A picture: its width and height, what it is in words, and what lies on it, the lowest first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Picture {
    pub width: f32,
    pub height: f32,
    pub title: String,
    pub shapes: Vec<Shape>,
}

/// A colour: red, green, blue.
pub(super) type Paint = [u8; 3];

/// A shape. Lengths are units of the picture, from its upper left corner. The width of a line is 1 unless it is given.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Rectangle {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        paint: Paint,
        opacity: f32,
    },
    /// Lines from a point to a point, each along an axis.
    Lines {
        lines: Vec<[f32; 4]>,
        paint: Paint,
    },
    Disc {
        x: f32,
        y: f32,
        radius: f32,
        paint: Paint,
        edge: Option<Paint>,
    },
    Ring {
        x: f32,
        y: f32,
        radius: f32,
        width: f32,
        paint: Paint,
    },
    /// A text with its middle at `x` and the feet of its letters at `y`.
    Text {
        x: f32,
        y: f32,
        height: f32,
        paint: Paint,
        text: String,
    },
}

/// Units of the picture from one line of the board to the next.
const STEP: f32 = 24.0;

/// Units from the edge of the picture to the names of the lines. (Stones on the first line leave them room.)
const MARGIN: f32 = 7.0;

/// The half of the longest side of a square of shading, in units.
const SHADE: f32 = 8.0;

/// Owners nearer to "nobody's" than this are not drawn.
const LEAST_OWNER: f32 = 0.15;

const WOOD: Paint = [0xe3, 0xb6, 0x6b];
const LINE: Paint = [0x6b, 0x4a, 0x17];
const INK: Paint = [0, 0, 0];
const EDGE: Paint = [0x22, 0x22, 0x22];
const LAST: Paint = [0xcc, 0x22, 0x22];
const LABEL: Paint = [0x22, 0xaa, 0x66];
const PAPER: Paint = [0xff, 0xff, 0xff];

/// The picture of a board.
pub(super) fn picture(board: &Board, marks: &Marks<'_>) -> Picture {
    let size = board.size();
    let (width, height) = ((size.width() + 1) as f32 * STEP, (size.height() + 1) as f32 * STEP);
    let x = |column: usize| (column + 1) as f32 * STEP;
    let y = |row: usize| (size.height() - row) as f32 * STEP;
    let at = |point: Point| (x(point.column(size)), y(point.row(size)));
    let mut shapes = vec![Shape::Rectangle { x: 0.0, y: 0.0, width, height, paint: WOOD, opacity: 1.0 }];
    let rows = (0..size.height()).rev().map(|row| [STEP, y(row), width - STEP, y(row)]);
    let columns = (0..size.width()).map(|column| [x(column), STEP, x(column), height - STEP]);
    shapes.push(Shape::Lines { lines: rows.chain(columns).collect(), paint: LINE });
    for point in handicap::fixed(size, handicap::most_fixed(size)).unwrap_or_default() {
        let (x, y) = at(point);
        shapes.push(Shape::Disc { x, y, radius: 3.0, paint: LINE, edge: None });
    }
    let text = |x, y, height, paint, text| Shape::Text { x, y, height, paint, text };
    for column in 0..size.width() {
        for edge in [MARGIN, height - MARGIN] {
            shapes.push(text(x(column), edge + 3.0, 10.0, INK, vertex::letter(column).to_string()));
        }
    }
    for row in 0..size.height() {
        for edge in [MARGIN, width - MARGIN] {
            shapes.push(text(edge, y(row) + 3.0, 10.0, INK, (row + 1).to_string()));
        }
    }
    for (place, point) in size.from_the_top().enumerate() {
        let (x, y) = at(point);
        if let Some(color) = board.cell(point).color() {
            shapes.push(Shape::Disc { x, y, radius: 11.0, paint: paint(color), edge: Some(EDGE) });
        }
        let owner = marks.finding.map_or(0.0, |finding| finding.owner(place));
        if owner.abs() >= LEAST_OWNER {
            let half = SHADE * owner.abs();
            let paint = paint(if owner > 0.0 { Color::Black } else { Color::White });
            let (x, y, width, height) = (x - half, y - half, 2.0 * half, 2.0 * half);
            shapes.push(Shape::Rectangle { x, y, width, height, paint, opacity: 0.6 });
        }
    }
    if let Some((x, y)) = marks.last.map(at) {
        shapes.push(Shape::Ring { x, y, radius: 6.0, width: 2.0, paint: LAST });
    }
    for &(point, letter) in marks.labels {
        let (x, y) = at(point);
        shapes.push(Shape::Disc { x, y, radius: 9.0, paint: LABEL, edge: None });
        shapes.push(text(x, y + 5.0, 13.0, PAPER, letter.to_string()));
    }
    Picture { width, height, title: marks.title.into(), shapes }
}

fn paint(color: Color) -> Paint {
    match color {
        Color::Black => [0x11, 0x11, 0x11],
        Color::White => [0xf8, 0xf8, 0xf4],
    }
}
