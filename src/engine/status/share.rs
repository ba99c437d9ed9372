//! Several local games that share one limit of effort.
//!
//! Nobody knows beforehand which of them can be solved, and one that cannot takes whatever it is given. So they are
//! tried in turns, with more effort from round to round, and each goes on where it stopped.

use crate::go::{Board, Color};

use super::local::{LocalBoard, State};
use super::solve::{OutOfWork, Solver};

/// The first round's share of all effort for one game, as a divisor: it sufficed for 226 of the 259 local games that were
/// solved on a hundred boards composed of the shapes in `tests/positions/`.
const FIRST_SHARE: u64 = 64;

/// How each local game ends when each side in turn moves first, by the order of the arenas; `None` where the effort did
/// not suffice.
pub fn solve_all(board: &Board, arenas: &[LocalBoard], work: u64) -> Vec<Option<[State; 2]>> {
    let mut solvers: Vec<Solver> = arenas.iter().map(|arena| Solver::new(arena, 0)).collect();
    let mut ends = vec![None; arenas.len()];
    let mut left = work;
    let mut share = (work / FIRST_SHARE).max(1);
    while left > 0 && ends.contains(&None) {
        for ((arena, solver), end) in arenas.iter().zip(&mut solvers).zip(&mut ends).filter(|(_, end)| end.is_none()) {
            let allowed = share.min(left);
            solver.allow(allowed);
            *end = solve_both(board, arena, solver).ok();
            // What was too little for one more look is gone.
            left -= if end.is_none() { allowed } else { allowed - solver.work_left() };
        }
        share = share.saturating_mul(2);
    }
    ends
}

fn solve_both(board: &Board, arena: &LocalBoard, solver: &mut Solver) -> Result<[State; 2], OutOfWork> {
    let black = solver.play_out(arena.state(board, Color::Black))?;
    Ok([black, solver.play_out(arena.state(board, Color::White))?])
}
