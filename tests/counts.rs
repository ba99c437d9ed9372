//! Proves which boards are legal: among all colourings, [`Board::with_stones`] must accept exactly as many as
//! there are legal positions (Tromp and Farnebäck; OEIS A094777).

use kosumi::go::{Board, Color, Point};

/// How many of the 3^(size²) colourings are boards on which every chain has a liberty.
fn legal_positions(size: usize) -> u64 {
    let points = size * size;
    let colorings = 3_u64.pow(points as u32);
    let is_legal = |coloring: &u64| {
        let stones = (0..points).filter_map(|i| {
            let color = match coloring / 3_u64.pow(i as u32) % 3 {
                0 => return None,
                1 => Color::Black,
                _ => Color::White,
            };
            Some((color, Point::new(i % size, i / size, size)))
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

#[test]
#[ignore = "takes about a minute"]
fn four_by_four() {
    assert_eq!(legal_positions(4), 24_318_165);
}
