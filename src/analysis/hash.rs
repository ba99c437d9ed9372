//! Texts that stand for a position: `thisHash` and `symHash` of KataGo's answers.

use crate::go::symmetry::turn;
use crate::go::{Cell, Color, Position};

/// What tells positions apart: 32 hexadecimal digits. They depend on the stones, the side to move and the point of a
/// simple ko.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hashes {
    /// Of the position as it is.
    pub this: String,
    /// The same for a position and all that are equal to it when the board is turned or mirrored.
    pub symmetric: String,
}

impl Hashes {
    /// The texts of a position.
    pub(super) fn of(position: &Position) -> Hashes {
        let hashes = (0..position.size().symmetries()).map(|symmetry| hash(position, symmetry));
        let text = |hash: u128| format!("{hash:032X}");
        Hashes { this: text(hash(position, 0)), symmetric: text(hashes.min().unwrap_or_default()) }
    }
}

/// Codes of what lies on a point. A side to move and a size have codes beyond those of points.
const KO: u64 = 3;
const TO_MOVE: u64 = 1 << 20;

fn hash(position: &Position, symmetry: usize) -> u128 {
    let (board, size) = (position.board(), position.size());
    let sides = size.width() as u64 + if size.is_square() { 0 } else { (size.height() as u64) << 8 };
    let mut hash = word(TO_MOVE + 64 * (position.to_move() == Color::White) as u64 + sides);
    for point in board.points() {
        let content = match board.cell(point) {
            Cell::Black => 1,
            Cell::White => 2,
            _ if board.ko() == Some(point) => KO,
            _ => continue,
        };
        let (column, row) = turn((point.column(size), point.row(size)), size, symmetry);
        hash ^= word(((row * size.width() + column) as u64) << 2 | content);
    }
    hash
}

/// A number without pattern for a code (SplitMix64 twice: Steele, Lea and Flood, *Fast Splittable Pseudorandom Number
/// Generators*, 2014). The exclusive or of such numbers is a Zobrist hash.
fn word(code: u64) -> u128 {
    let mix = |seed: u64| {
        let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    // Codes are small, so that the two seeds never meet.
    u128::from(mix(code)) << 64 | u128::from(mix(!code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::rules::CHINESE;
    use crate::go::symmetry::SYMMETRIES;
    use crate::go::{Board, Move, Point, Size, diagram};

    fn position(size: impl Into<Size>, stones: &[(Color, (usize, usize))]) -> Position {
        let size = size.into();
        let stones = stones.iter().map(|&(color, (column, row))| (color, Point::new(column, row, size)));
        Position::from_board(Board::with_stones(size, stones).expect("stones"), Color::Black, CHINESE)
    }

    #[test]
    fn equal_positions_share_both_texts_and_images_one() {
        let (black, white) = (Color::Black, Color::White);
        let first = Hashes::of(&position(9, &[(black, (2, 3)), (white, (0, 1))]));
        assert_eq!((first.this.len(), first.symmetric.len()), (32, 32));
        for symmetry in 1..SYMMETRIES {
            let stones = [(black, turn((2, 3), 9, symmetry)), (white, turn((0, 1), 9, symmetry))];
            let image = Hashes::of(&position(9, &stones));
            assert!(image.this != first.this && image.symmetric == first.symmetric, "{symmetry}");
        }
        let rectangle = Size::new(9, 5).expect("a size");
        let first_of_rectangle = Hashes::of(&position(rectangle, &[(black, (2, 3))]));
        for symmetry in 1..rectangle.symmetries() {
            let image = Hashes::of(&position(rectangle, &[(black, turn((2, 3), rectangle, symmetry))]));
            assert!(image.this != first_of_rectangle.this && image.symmetric == first_of_rectangle.symmetric);
        }
        let empty = |width, height| Hashes::of(&position(Size::new(width, height).expect("a size"), &[])).this;
        assert!(empty(9, 5) != empty(5, 9) && empty(9, 5) != empty(9, 9));
        for other in [position(9, &[(black, (2, 3))]), position(9, &[]), position(10, &[])] {
            assert_ne!(Hashes::of(&other).symmetric, first.symmetric);
        }
    }

    #[test]
    fn the_side_to_move_and_a_ko_count() {
        let mut position = position(9, &[]);
        let black = Hashes::of(&position);
        position.set_to_move(Color::White);
        assert_ne!(Hashes::of(&position), black);

        let board = diagram::parse(". X O .\nX O . O\n. X O .\n. . . .").expect("a board");
        let mut ko = Position::from_board(board, Color::Black, CHINESE);
        ko.play(Move::Play(Point::new(2, 2, 4))).expect("a capture");
        let without = Position::from_board(
            Board::with_stones(4, ko.board().points().filter_map(|p| Some((ko.board().cell(p).color()?, p))))
                .expect("stones"),
            Color::White,
            CHINESE,
        );
        assert_ne!(Hashes::of(&ko).this, Hashes::of(&without).this);
    }
}
