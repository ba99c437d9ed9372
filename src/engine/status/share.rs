//! Several local games that share one limit of effort.
//!
//! Nobody knows beforehand which game can be solved, and an unsolvable one uses all effort that it gets. So the games
//! are tried in turns, with more effort from round to round, and each game continues where it stopped.

use std::cell::RefCell;

use crate::go::{Board, Color};

use super::known::Memory;
use super::local::{LocalBoard, LocalState};
use super::solve::{OutOfWork, Solver};

/// The first round's share of all effort for one game, as a divisor. This share solved 226 of the 259 solved local
/// games on a hundred boards composed of the shapes in `tests/positions/`.
const FIRST_SHARE: u64 = 64;

/// The most states that the solvers remember together, and efforts as well: 2.6 and 1.6 MiB. These are seven eighths of a
/// power of two, which is what fits into the hash tables.
const MOST_STATES: usize = 7 << 13;

thread_local! {
    /// Each thread keeps its tables from one judgement to the next. Tables that come and go would leave holes in the
    /// memory of the program, and each growth would copy them.
    static MEMORY: RefCell<Memory> = RefCell::new(Memory::new(MOST_STATES));
}

/// The end of each local game when each side in turn moves first, in the order of `local_boards`. `None` where the
/// effort was too small.
pub(super) fn solve_all(board: &Board, local_boards: &[LocalBoard], work: u64) -> Vec<Option<[LocalState; 2]>> {
    MEMORY.with_borrow_mut(|memory| {
        memory.clear();
        solve_with(memory, board, local_boards, work)
    })
}

fn solve_with(
    memory: &mut Memory,
    board: &Board,
    local_boards: &[LocalBoard],
    work: u64,
) -> Vec<Option<[LocalState; 2]>> {
    let mut ends = vec![None; local_boards.len()];
    let mut left = work;
    let mut share = (work / FIRST_SHARE).max(1);
    while left > 0 && ends.contains(&None) {
        for (game, (local, end)) in local_boards.iter().zip(&mut ends).enumerate() {
            if end.is_some() {
                continue;
            }
            let allowed = share.min(left);
            let mut solver = Solver::new(local, memory.of_game(game), allowed);
            *end = solve_both(board, local, &mut solver).ok();
            // The unused rest of an unsolved game's effort is smaller than one look at a state, and is lost.
            left -= if end.is_none() { allowed } else { allowed - solver.work_left() };
        }
        share = share.saturating_mul(2);
    }
    ends
}

fn solve_both(board: &Board, local: &LocalBoard, solver: &mut Solver) -> Result<[LocalState; 2], OutOfWork> {
    let black = solver.play_out(local.state(board, Color::Black))?;
    Ok([black, solver.play_out(local.state(board, Color::White))?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::{PointSet, diagram};

    /// A corner where White may live, and one where Black may.
    const CORNERS: &str = "
        . . . X . . .
        . O . X . . .
        . . . X . . .
        X X X X O O O
        . . . O . . .
        . . . O . X .
        . . . O . . .";

    #[test]
    fn what_is_forgotten_is_found_again() {
        let board = diagram::parse(CORNERS).expect("a board");
        let area = |holds: &dyn Fn(usize, usize) -> bool| -> PointSet {
            board.points().enumerate().filter(|(i, _)| holds(i % 7, i / 7)).map(|(_, point)| point).collect()
        };
        let areas = [area(&|column, row| column < 3 && row > 3), area(&|column, row| column > 3 && row < 3)];
        let games = areas.map(|area| LocalBoard::new(&board, &area, &[PointSet::EMPTY; 2]).expect("a small area"));
        let solve = |states: usize| {
            let mut memory = Memory::new(states);
            let ends = solve_with(&mut memory, &board, &games, 100_000_000);
            (ends, memory.states())
        };
        let (ends, states) = solve(MOST_STATES);
        assert!(ends.iter().all(Option::is_some), "both are solved");
        let few = states / 10;
        let (with_few, kept) = solve(few);
        assert!(kept <= few, "{kept} of {few}");
        assert_eq!(with_few, ends);
    }
}
