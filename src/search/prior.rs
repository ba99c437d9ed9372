//! What is known of a move before it is tried. Each source multiplies the strengths of the candidates (a
//! Bradley–Terry model: Coulom 2007, "Computing Elo ratings of move patterns in the game of Go"); a move's prior
//! probability is its share of the sum.
//!
//! A new source is a file here and a row in [`SOURCES`].

mod border;
mod locality;
mod shapes;
mod tactics;

use crate::go::ladder::Ladders;
use crate::go::{Color, Move, Point, Position};

/// What the sources look at.
pub struct Context<'a> {
    /// The position.
    pub position: &'a Position,
    /// Who is to move.
    pub color: Color,
    /// The last move and the one before; [`Point::NONE`] for passes.
    pub last: [Point; 2],
    /// Reads ladders.
    pub ladders: &'a mut Ladders,
}

/// A move that may become a child.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Its strength: 1 knows nothing, more is better.
    pub strength: f32,
}

/// A source of knowledge: changes the strengths of the plays (passes are left alone).
pub type Source = fn(&mut Context<'_>, &mut [Candidate]);

/// All sources with their names.
pub const SOURCES: &[(&str, Source)] =
    &[("tactics", tactics::apply), ("shapes", shapes::apply), ("locality", locality::apply), ("border", border::apply)];

/// A pass after a move and after a pass (Coulom 2007, table 1).
const PASS: f32 = 0.17;
const PASS_AFTER_PASS: f32 = 24.37;

/// Fills `candidates` with the moves that deserve a child, strengths adding up to 1: all legal plays but those that
/// fill an own eye without need, and the pass.
pub fn candidates(context: &mut Context<'_>, candidates: &mut Vec<Candidate>) {
    candidates.clear();
    let board = context.position.board();
    for &p in board.empties() {
        if context.position.is_legal_but_superko(p) && !fills_eye(context, p) {
            candidates.push(Candidate { mv: Move::Play(p), strength: 1.0 });
        }
    }
    // The list of empty points has no order that could be relied upon; the tree's must not depend on it.
    candidates.sort_unstable_by_key(|c| c.mv.point().map(Point::index));
    for (_, source) in SOURCES {
        source(context, candidates);
    }
    let pass = if context.position.consecutive_passes() > 0 { PASS_AFTER_PASS } else { PASS };
    candidates.push(Candidate { mv: Move::Pass, strength: pass });
    let sum: f32 = candidates.iter().map(|c| c.strength).sum();
    for candidate in candidates {
        candidate.strength /= sum;
    }
}

/// An own eye that no chain around it needs filled (because it is in atari), or a suicide.
fn fills_eye(context: &Context<'_>, point: Point) -> bool {
    let board = context.position.board();
    let color = context.color;
    if board.is_suicide(color, point) {
        return true;
    }
    board.around(point).is_eye_shape(color)
        && !board.adjacent(point).into_iter().any(|p| board.cell(p) == color.cell() && board.liberties(p).is_atari())
}
