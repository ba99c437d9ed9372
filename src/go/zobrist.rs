//! Random numbers for position hashes (Zobrist 1970), made at compile time and the same on every machine.

use super::color::Color;
use super::point::{CAPACITY, Point};

/// One number per colour and point, and one for "White to move".
struct Table {
    stones: [[u64; 2]; CAPACITY],
    white_to_move: u64,
}

/// SplitMix64 (Steele, Lea, Flood 2014): a full-period generator that is simple enough for `const`.
const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ (z >> 31))
}

static TABLE: Table = {
    let mut stones = [[0; 2]; CAPACITY];
    let mut state = 0;
    let mut color = 0;
    while color < 2 {
        let mut i = 0;
        while i < CAPACITY {
            let (next, value) = split_mix(state);
            state = next;
            stones[i][color] = value;
            i += 1;
        }
        color += 1;
    }
    Table { stones, white_to_move: split_mix(state).1 }
};

/// The number that a stone adds (by exclusive or) to the hash of the board.
#[inline(always)]
pub fn stone(color: Color, point: Point) -> u64 {
    TABLE.stones[point.index()][color.index()]
}

/// The number that the side to move adds to the hash of a situation: 0 for Black.
#[inline(always)]
pub fn to_move(color: Color) -> u64 {
    match color {
        Color::Black => 0,
        Color::White => TABLE.white_to_move,
    }
}
