//! Texts that stand for a position: `thisHash` and `symHash` of KataGo's answers.
//!
//! They are KataGo's own numbers, because Ogatak compares `thisHash` with its table of them. KataGo draws a number of 128
//! bits for each side to move, for each stone at each place, for each point of a ko, and for each width and height
//! (`Board::initHash` in its `board.cpp`). A position has the exclusive or of those that apply to it.

use std::sync::LazyLock;

use crate::go::{Cell, Color, MAX_SIZE, Point, Position};

/// What tells positions apart: 32 hexadecimal digits. They depend on the stones, the side to move and the point of a
/// simple ko.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hashes {
    /// Of the position as it is.
    pub this: String,
    /// The same for a position and all that are equal to it when the board is turned or mirrored: the least of their
    /// numbers.
    pub symmetric: String,
}

impl Hashes {
    /// The texts of a position.
    pub(super) fn of(position: &Position) -> Hashes {
        let this = hash(position, 0);
        let least = (1..IMAGES).map(|image| hash(position, image)).fold(this, u128::min);
        let text = |hash: u128| format!("{hash:032X}");
        Hashes { this: text(this), symmetric: text(least) }
    }
}

/// Images of a board. Unlike the symmetries of [`turn`](crate::go::symmetry::turn), some exchange width and height of a
/// rectangle.
const IMAGES: usize = 8;

fn hash(position: &Position, image: usize) -> u128 {
    let (board, size, table) = (position.board(), position.size(), &*TABLE);
    let sides = |(width, height): (usize, usize)| if image & 4 != 0 { (height, width) } else { (width, height) };
    let (width, height) = sides((size.width(), size.height()));
    let place = |point: Point| {
        let (column, row) = sides((point.column(size), size.height() - 1 - point.row(size)));
        let column = if image & 1 != 0 { width - 1 - column } else { column };
        let row = if image & 2 != 0 { height - 1 - row } else { row };
        // KataGo's boards have a border of one point.
        &table.places[column + 1 + (row + 1) * (width + 1)]
    };
    let mut hash = table.to_move[position.to_move().index()] ^ table.widths[width] ^ table.heights[height];
    for point in board.points() {
        hash ^= match board.cell(point) {
            Cell::Black => place(point).stones[Color::Black.index()],
            Cell::White => place(point).stones[Color::White.index()],
            _ if board.ko() == Some(point) => place(point).ko,
            _ => 0,
        };
    }
    hash
}

/// The numbers of a place.
#[derive(Clone, Copy, Default)]
struct Place {
    stones: [u128; 2],
    ko: u128,
}

/// All numbers.
struct Table {
    to_move: [u128; 2],
    places: Vec<Place>,
    widths: [u128; MAX_SIZE + 1],
    heights: [u128; MAX_SIZE + 1],
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut draw = Generator::new(STONES);
    // Two of the four sides are an empty point and a wall. Three numbers follow that say a phase of a game under Japanese
    // rules. After each of a place's stones comes a number for a marked stone. Nothing here needs these.
    let [_, black, white, ..]: [u128; 7] = std::array::from_fn(|_| draw.number());
    let place = |_| {
        let [black, _, white, _, ko]: [u128; 5] = std::array::from_fn(|_| draw.number());
        Place { stones: [black, white], ko }
    };
    let places = (0..(MAX_SIZE + 1) * (MAX_SIZE + 2)).map(place).collect();
    let mut draw = Generator::new(SIZES);
    let (mut widths, mut heights) = ([0; MAX_SIZE + 1], [0; MAX_SIZE + 1]);
    for (width, height) in widths.iter_mut().zip(&mut heights) {
        (*width, *height) = (draw.number(), draw.number());
    }
    Table { to_move: [black, white], places, widths, heights }
});

/// The state of KataGo's generator: sixteen words of XorShift1024* (Vigna 2016, *An experimental exploration of
/// Marsaglia's xorshift generators, scrambled*) and one of PCG (O'Neill 2014, `XSH-RR`).
type State = [u64; 17];

/// The state that KataGo makes of the text `Board::initHash()`, by MD5 and SHA-256.
const STONES: State = [
    0x8529_bcaa_32ee_1153,
    0xd6c0_2840_163c_fd58,
    0x661e_734d_d183_30aa,
    0x6976_3dad_c5f7_cf1c,
    0xbcce_dad7_211d_446c,
    0x2f88_2a76_eefd_2087,
    0x0c93_73dc_8577_368e,
    0x3c56_74d8_241d_748a,
    0x9f44_ad0b_874b_3d15,
    0x0dbb_4cdb_929b_8149,
    0xffe1_f77e_f042_d660,
    0x527a_813c_87f4_a148,
    0x24ba_17f1_1024_c0b3,
    0xac50_fb22_6a9c_62cd,
    0xe3a4_5493_a2d0_d60f,
    0xd432_d2cc_ce05_70f9,
    0xd3b4_7647_f67d_21ae,
];

/// The same for the text `Board::initHash() for ZOBRIST_SIZE hashes`.
const SIZES: State = [
    0x5c7e_a045_2608_5d79,
    0x4617_729b_165f_56db,
    0x43e7_c38c_20e6_c7e8,
    0x6d15_4788_806c_d7f8,
    0xa74e_852b_707a_05c8,
    0xb44c_b8ee_202e_eddc,
    0x3bdd_d3c6_d50c_68f8,
    0x7755_179e_f767_3e94,
    0x70d8_9e5b_8777_25c3,
    0xee4d_a74d_2298_229f,
    0xb94d_1c33_8429_5b45,
    0xf1e2_ab2f_f01d_4434,
    0x2f54_ea39_2971_c290,
    0x96f8_7c87_daa6_38bc,
    0x1d57_20c3_9696_8f89,
    0x9532_dc6c_e8b9_c0ba,
    0x61ee_e47c_be1d_ecd0,
];

/// Draws KataGo's numbers.
struct Generator {
    words: [u64; 16],
    at: usize,
    pcg: u64,
}

impl Generator {
    fn new([words @ .., pcg]: State) -> Generator {
        Generator { words, at: 0, pcg }
    }

    /// The next 32 bits: the sum of both generators.
    fn word(&mut self) -> u64 {
        self.pcg = self.pcg.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let permuted = ((((self.pcg >> 18) ^ self.pcg) >> 27) as u32).rotate_right((self.pcg >> 59) as u32);
        let first = self.words[self.at];
        self.at = (self.at + 1) % self.words.len();
        let next = &mut self.words[self.at];
        *next ^= *next << 31;
        *next ^= *next >> 11;
        *next ^= first ^ (first >> 30);
        let scrambled = (next.wrapping_mul(1_181_783_497_276_652_981) >> 32) as u32;
        u64::from(permuted.wrapping_add(scrambled))
    }

    /// The next 128 bits, the lower words first.
    fn number(&mut self) -> u128 {
        (0..4).fold(0, |number, at| number | u128::from(self.word()) << (32 * at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::rules::CHINESE;
    use crate::go::symmetry::{SYMMETRIES, turn};
    use crate::go::{Board, Move, Point, Size, diagram};

    fn position(size: impl Into<Size>, stones: &[(Color, (usize, usize))]) -> Position {
        let size = size.into();
        let stones = stones.iter().map(|&(color, (column, row))| (color, Point::new(column, row, size)));
        Position::from_board(Board::with_stones(size, stones).expect("stones"), Color::Black, CHINESE)
    }

    #[test]
    fn the_numbers_are_katagos() {
        let (black, white) = (Color::Black, Color::White);
        // Of the empty board from Ogatak's table. The others are what `showboard` of KataGo's `gtp` names (1.16, which
        // leaves the side to move out), with the number of Black's turn.
        let rectangle = Size::new(9, 7).expect("a size");
        for (position, this) in [
            (position(9, &[]), "1521075FDD85FFE1B074F776AFC4E49D"),
            (position(9, &[(black, (2, 2)), (white, (3, 7))]), "ACD66FE4CE5A14A1EBE707270729709A"),
            (position(rectangle, &[(black, (2, 2)), (white, (8, 6))]), "549068BAC04DEF0833A8E5B4391E4E8F"),
        ] {
            assert_eq!(Hashes::of(&position).this, this);
        }
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
        let upright = Hashes::of(&position(Size::new(5, 9).expect("a size"), &[(black, (3, 2))]));
        assert!(upright.this != first_of_rectangle.this && upright.symmetric == first_of_rectangle.symmetric);
        let empty = |width, height| Hashes::of(&position(Size::new(width, height).expect("a size"), &[])).this;
        assert!(empty(9, 5) != empty(5, 9) && empty(9, 5) != empty(9, 9));
        for other in [position(9, &[(black, (2, 3))]), position(9, &[]), position(10, &[])] {
            assert_ne!(Hashes::of(&other).symmetric, first.symmetric);
        }
        // The largest board has a number for each of its points.
        let corner = Hashes::of(&position(MAX_SIZE, &[(black, (MAX_SIZE - 1, 0))]));
        assert_ne!(corner.this, Hashes::of(&position(MAX_SIZE, &[])).this);
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
