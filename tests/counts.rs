//! Proves which boards are legal: among all colourings, [`Board::with_stones`] must accept exactly as many as
//! there are legal positions (Tromp and Farnebäck; OEIS A094777).

use kosumi::go::{Board, Color, Point, Size};

/// How many of the 3^points colourings are boards on which every chain has a liberty.
fn legal_positions(size: impl Into<Size>) -> u64 {
    let size = size.into();
    let points = size.points();
    let colorings = 3_u64.pow(points as u32);
    let is_legal = |coloring: &u64| {
        let stones = size.places().enumerate().filter_map(|(i, (column, row))| {
            let color = match coloring / 3_u64.pow(i as u32) % 3 {
                0 => return None,
                1 => Color::Black,
                _ => Color::White,
            };
            Some((color, Point::new(column, row, size)))
        });
        Board::with_stones(size, stones).is_ok()
    };
    (0..colorings).filter(is_legal).count() as u64
}

#[test]
fn two_by_two() {
    assert_eq!(legal_positions(2), 57);
}

#[test]
fn three_by_three() {
    assert_eq!(legal_positions(3), 12_675);
}

/// The numbers of Tromp and Farnebäck's table for m×n boards (*Combinatorics of Go*, 2007).
#[test]
fn rectangles() {
    for (sides, number) in [((2, 3), 489), ((3, 2), 489), ((4, 2), 4125), ((2, 5), 35_117)] {
        assert_eq!(legal_positions(Size::new(sides.0, sides.1).expect("a size")), number, "{sides:?}");
    }
}

#[test]
#[ignore = "takes about a minute"]
fn four_by_four() {
    assert_eq!(legal_positions(4), 24_318_165);
}
