use crate::go::{Board, Color, Point};
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

#[inline(always)]
pub fn below(rng: &mut Xoshiro256PlusPlus, n: usize) -> usize {
    ((rng.next_u64() >> 32) * n as u64 >> 32) as usize
}

#[inline(always)]
pub fn choose(board: &mut Board, color: Color, rng: &mut Xoshiro256PlusPlus) -> Option<Point> {
    let mut left = board.empties().len();
    while left > 0 {
        let i = below(rng, left);
        let p = board.empties()[i];
        if !board.around(p).is_eye_shape(color) && board.is_legal(color, p) {
            return Some(p);
        }
        left -= 1;
        board.swap_empties(i, left);
    }
    None
}
pub fn run(board: &mut Board, mut color: Color, rng: &mut Xoshiro256PlusPlus) -> (i32, u32) {
    let mut passes = 0;
    let mut n = 0;
    while passes < 2 {
        match choose(board, color, rng) {
            Some(p) => {
                board.place(color, p);
                passes = 0;
                n += 1;
            }
            None => {
                board.clear_ko();
                passes += 1
            }
        }
        color = color.other();
    }
    let mut s = board.stone_balance();
    for &p in board.empties() {
        let a = board.around(p);
        s += a.is_surrounded_by(Color::Black) as i32 - a.is_surrounded_by(Color::White) as i32;
    }
    (s, n)
}
