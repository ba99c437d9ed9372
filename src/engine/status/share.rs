//! Several local games that share one limit of effort.
//!
//! Nobody knows beforehand which game can be solved, and an unsolvable one uses all effort that it gets. So the games
//! are tried in turns, with more effort from round to round, and each game continues where it stopped.

use crate::go::{Board, Color};

use super::local::{LocalBoard, LocalState};
use super::solve::{OutOfWork, Solver};

/// The first round's share of all effort for one game, as a divisor. This share solved 226 of the 259 solved local
/// games on a hundred boards composed of the shapes in `tests/positions/`.
const FIRST_SHARE: u64 = 64;

/// The end of each local game when each side in turn moves first, in the order of `local_boards`. `None` where the
/// effort was too small.
pub(super) fn solve_all(board: &Board, local_boards: &[LocalBoard], work: u64) -> Vec<Option<[LocalState; 2]>> {
    let mut solvers: Vec<Solver> = local_boards.iter().map(|local| Solver::new(local, 0)).collect();
    let mut ends = vec![None; local_boards.len()];
    let mut left = work;
    let mut share = (work / FIRST_SHARE).max(1);
    while left > 0 && ends.contains(&None) {
        for ((local, solver), end) in
            local_boards.iter().zip(&mut solvers).zip(&mut ends).filter(|(_, end)| end.is_none())
        {
            let allowed = share.min(left);
            solver.allow(allowed);
            *end = solve_both(board, local, solver).ok();
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
