//! Small tactical questions about a board: the liberties of a stone to be played, and captures.

use super::board::Board;
use super::color::{Cell, Color};
use super::point::Point;

/// The liberties of the chain of a stone of `color` on the empty `point`, counted up to `cap` (2 to 4). Points freed by
/// captures count where they touch the new stone. Those that touch only the rest of its chain do not count. So the true
/// number can be larger, never smaller.
pub fn liberties_after(board: &Board, color: Color, point: Point, cap: usize) -> usize {
    debug_assert!((2..=4).contains(&cap));
    let around = board.around(point);
    let mut found = [Point::NONE; 4];
    let mut count = 0;
    let mut free = around.empty_adjacent();
    while free != 0 {
        found[count] = board.toward(point, free.trailing_zeros() as usize / 2);
        count += 1;
        free &= free - 1;
        if count == cap {
            return cap;
        }
    }
    let mut enemies = around.adjacent(color.other());
    while enemies != 0 {
        let near = board.toward(point, enemies.trailing_zeros() as usize / 2);
        enemies &= enemies - 1;
        if board.liberties(near).is_atari() {
            found[count] = near;
            count += 1;
            if count == cap {
                return cap;
            }
        }
    }
    let mut friends = around.adjacent(color);
    while friends != 0 {
        let near = board.toward(point, friends.trailing_zeros() as usize / 2);
        friends &= friends - 1;
        // One liberty more than `cap`, since `point` itself is among them.
        let mut liberties = [Point::NONE; 5];
        let known = board.first_liberties(near, &mut liberties[..cap + 1]);
        for &p in &liberties[..known] {
            if p != point && !found[..count].contains(&p) {
                found[count] = p;
                count += 1;
                if count == cap {
                    return cap;
                }
            }
        }
    }
    count
}

/// Would the stone's chain have at most one liberty? A capture of two stones or more answers no, because it frees more
/// points than [`liberties_after`] counts.
#[inline]
pub fn is_self_atari(board: &Board, color: Color, point: Point) -> bool {
    // Two empty neighbours are two liberties. This common case costs next to nothing.
    let free = board.around(point).empty_adjacent();
    free & free.wrapping_sub(1) == 0
        && liberties_after(board, color, point, 2) < 2
        && !captures_several(board, color, point)
}

/// Would the stone capture a chain of two stones or more?
fn captures_several(board: &Board, color: Color, point: Point) -> bool {
    let is_prey = |near: &Point| {
        board.cell(*near) == color.other().cell() && board.liberties(*near).is_atari() && board.chain_len(*near) >= 2
    };
    board.adjacent(point).iter().any(is_prey)
}

/// Number of stones of the chain after a stone on `point`: the stone and all adjacent chains of its colour.
pub fn joined_len(board: &Board, color: Color, point: Point) -> usize {
    let mut heads = [Point::NONE; 4];
    let mut count = 0;
    let mut len = 1;
    for near in board.adjacent(point) {
        if board.cell(near) == color.cell() && !heads[..count].contains(&board.head(near)) {
            heads[count] = board.head(near);
            count += 1;
            len += board.chain_len(near);
        }
    }
    len
}

/// Calls `visit` with a stone of each enemy chain next to a chain, perhaps more than once for one chain. Ends early
/// when `visit` returns `false`.
pub fn for_enemy_neighbors(board: &Board, stone: Point, mut visit: impl FnMut(Point) -> bool) {
    let Some(color) = board.cell(stone).color() else { return };
    for at in board.chain(stone) {
        let mut enemies = board.around(at).adjacent(color.other());
        while enemies != 0 {
            let near = board.toward(at, enemies.trailing_zeros() as usize / 2);
            enemies &= enemies - 1;
            if !visit(near) {
                return;
            }
        }
    }
}

/// The board points (no walls) among the eight around `point`, adjacent ones first.
pub fn around(board: &Board, point: Point) -> impl Iterator<Item = Point> + '_ {
    (0..8).map(move |d| board.toward(point, d)).filter(|&p| board.cell(p) != Cell::Border)
}
