//! Eye spaces: all shapes of connected points, and boards on which White has one of them as its only eye space.

use kosumi::go::{Board, Cell, Color, Point, diagram};

/// Points of a shape as (column, row), from (0, 0), sorted.
pub type Shape = Vec<(usize, usize)>;

/// The boards are so large that a row of six points has room for its wall, Black's stones around it and Black's eyes.
pub const SIZE: usize = 11;

/// All shapes of `points` connected points, each in one of its turned and mirrored forms.
pub fn shapes(points: usize) -> Vec<Shape> {
    let mut shapes = vec![vec![(0, 0)]];
    for _ in 1..points {
        let mut larger: Vec<Shape> = shapes.iter().flat_map(grown).map(|shape| forms(&shape)[0].clone()).collect();
        larger.sort();
        larger.dedup();
        shapes = larger;
    }
    shapes
}

/// The shape with one more point, each of the ways.
fn grown(shape: &Shape) -> Vec<Shape> {
    // Moved by one, so that no coordinate is negative.
    let moved: Shape = shape.iter().map(|&(x, y)| (x + 1, y + 1)).collect();
    let near = |&(x, y): &(usize, usize)| [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
    let free = |p: &(usize, usize)| !moved.contains(p);
    moved.iter().flat_map(near).filter(free).map(|p| normal(moved.iter().copied().chain([p]).collect())).collect()
}

/// Moved to the corner and sorted.
fn normal(mut shape: Shape) -> Shape {
    let left = shape.iter().map(|p| p.0).min().unwrap_or(0);
    let low = shape.iter().map(|p| p.1).min().unwrap_or(0);
    shape.iter_mut().for_each(|p| *p = (p.0 - left, p.1 - low));
    shape.sort_unstable();
    shape
}

/// The turned and mirrored forms that differ, in a fixed order.
fn forms(shape: &Shape) -> Vec<Shape> {
    let end = shape.iter().map(|&(x, y)| x.max(y)).max().unwrap_or(0);
    let mut forms: Vec<Shape> = (0..8)
        .map(|form| {
            let turn = |&(x, y): &(usize, usize)| {
                let (x, y) = if form & 1 == 0 { (x, y) } else { (y, x) };
                let x = if form & 2 == 0 { x } else { end - x };
                (x, if form & 4 == 0 { y } else { end - y })
            };
            normal(shape.iter().map(turn).collect())
        })
        .collect();
    forms.sort();
    forms.dedup();
    forms
}

/// A board on which one White chain surrounds an eye space, and one Black chain with two eyes holds all the rest.
pub struct Space {
    /// What it is, for messages.
    pub name: String,
    /// The stones; the eye space is empty.
    pub board: Board,
    /// The points of the eye space.
    pub inside: Vec<Point>,
    /// White's liberties outside.
    pub outside: Vec<Point>,
    /// White's stones.
    pub wall: Vec<Point>,
}

/// The spaces of a shape: in the middle, in all forms at the side and in the corner, with none to two liberties
/// outside. Those where White's stones are not one chain are left out.
pub fn spaces(shape: &Shape) -> Vec<Space> {
    let middle = [(forms(shape)[0].clone(), "middle", (2, 2))];
    let side = forms(shape).into_iter().map(|form| (form, "side", (0, 2)));
    let corner = forms(shape).into_iter().map(|form| (form, "corner", (0, 0)));
    middle
        .into_iter()
        .chain(side)
        .chain(corner)
        .flat_map(|(form, place, corner)| (0..=2).filter_map(move |liberties| space(&form, place, corner, liberties)))
        .collect()
}

fn space(form: &Shape, place: &str, corner: (usize, usize), liberties: usize) -> Option<Space> {
    let inside: Shape = form.iter().map(|&(x, y)| (x + corner.0, y + corner.1)).collect();
    let distance =
        |x: usize, y: usize| inside.iter().map(|&(a, b)| a.abs_diff(x).max(b.abs_diff(y))).min().unwrap_or(0);
    let mut picture = vec![[b'X'; SIZE]; SIZE];
    for (y, row) in picture.iter_mut().enumerate() {
        for (x, point) in row.iter_mut().enumerate() {
            match distance(x, y) {
                0 => *point = b'.',
                1 => *point = b'O',
                _ => {}
            }
        }
    }
    let eyes = [(SIZE - 1, SIZE - 1), (SIZE - 1, 0)];
    eyes.iter().for_each(|&(x, y)| picture[y][x] = b'.');
    // Not next to each other, so that no stone there has a liberty of its own.
    let near = |x: usize, y: usize| [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
    let at = |picture: &[[u8; SIZE]], (x, y): (usize, usize)| picture.get(y).and_then(|row| row.get(x)).copied();
    let mut outside = Vec::new();
    for y in (0..SIZE).rev() {
        for x in (0..SIZE).rev() {
            let around = near(x, y).map(|p| at(&picture, p));
            let free =
                at(&picture, (x, y)) == Some(b'X') && around.contains(&Some(b'O')) && !around.contains(&Some(b'.'));
            if outside.len() < liberties && free {
                picture[y][x] = b'.';
                outside.push((x, y));
            }
        }
    }
    let text: String = picture.iter().rev().map(|row| String::from_utf8_lossy(row).into_owned() + "\n").collect();
    let board = diagram::parse(&text).ok()?;
    let points =
        |shape: &[(usize, usize)]| -> Vec<Point> { shape.iter().map(|&(x, y)| Point::new(x, y, SIZE)).collect() };
    let stones = |color: Color| -> Vec<Point> { board.points().filter(|&p| board.cell(p) == color.cell()).collect() };
    let one_chain =
        |color: Color| stones(color).first().is_some_and(|&p| board.chain_len(p) as usize == stones(color).len());
    let name = format!("{place}, {liberties} outside");
    (one_chain(Color::White) && one_chain(Color::Black) && outside.len() == liberties).then(|| Space {
        name,
        inside: points(&inside),
        outside: points(&outside),
        wall: board.points().filter(|&p| board.cell(p) == Cell::White).collect(),
        board: board.clone(),
    })
}
