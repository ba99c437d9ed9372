//! Ladders that are being played: the caught side does not run, the other side goes on.
//!
//! Playouts do not play ladders to their end, so the search has to. Until the tree reaches the end, the search believes
//! that the chain escapes. The learned strengths help little: strong players run only from ladders that do not work.
//! (With this stage 65 % of 40 games were won on 19×19 against none, 2000 playouts a move; see `docs/strength.md`.)

use super::{Candidate, Opening};
use crate::go::Point;

/// The fewest stones of a chain whose ladders count here. To run with a lone stone may be right.
const LEAST: usize = 2;

/// The factor for the strength of running where running does not help: e⁻³, from the match named above.
const RUN: f32 = 0.05;

/// The factor for the strength of an atari that goes on with a working ladder: e⁴, from the same match.
const CHASE: f32 = 55.0;

/// Changes the strengths of the plays on the liberties of chains that the last move joined, or put in atari.
#[expect(clippy::ptr_arg, reason = "all stages have one type")]
pub fn apply(opening: &mut Opening<'_>, candidates: &mut Vec<Candidate>) {
    let board = opening.position.board();
    let color = opening.position.to_move();
    let ladders = &mut opening.tools.ladders;
    let last = opening.last[0];
    if last == Point::NONE || board.cell(last) != color.other().cell() {
        return;
    }
    ladders.refill();
    let mut seen = Point::NONE;
    for own in board.adjacent(last) {
        if board.cell(own) == color.cell()
            && board.chain_len(own) >= LEAST
            && let Some(liberty) = board.liberties(own).only()
            && liberty != seen
            && board.is_legal(color, liberty)
        {
            seen = liberty;
            let is_caught = ladders.is_caught_after(board, color, liberty, own);
            multiply(candidates, liberty, if is_caught { RUN } else { opening.params.ladder_escape });
        }
    }
    let mut liberties = [Point::NONE; 3];
    if board.chain_len(last) >= LEAST && board.first_liberties(last, &mut liberties) == 2 {
        for &point in &liberties[..2] {
            if ladders.atari_captures(board, color, last, point) {
                multiply(candidates, point, CHASE);
            }
        }
    }
}

/// May a ladder be going on: has the last move put a chain that counts here in atari, or is it a stone of such a chain
/// that has two liberties left?
pub fn may_go_on(opening: &Opening<'_>) -> bool {
    let (board, own, last) = (opening.position.board(), opening.position.to_move().cell(), opening.last[0]);
    if last == Point::NONE || board.cell(last) != opening.position.to_move().other().cell() {
        return false;
    }
    let in_atari =
        |p: Point| board.cell(p) == own && board.chain_len(p) >= LEAST && board.liberties(p).only().is_some();
    let mut liberties = [Point::NONE; 3];
    board.adjacent(last).into_iter().any(in_atari)
        || board.chain_len(last) >= LEAST && board.first_liberties(last, &mut liberties) == 2
}

fn multiply(candidates: &mut [Candidate], point: Point, factor: f32) {
    if let Some(candidate) = candidates.iter_mut().find(|candidate| candidate.mv.point() == Some(point)) {
        candidate.strength *= factor;
    }
}
