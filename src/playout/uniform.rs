//! Uniform playouts: the reference policy, the speed floor and the weakest opponent.

use super::policy::{PlayoutPolicy, Turn, random_play};
use crate::go::Point;

/// All legal plays that fill no eye shape, equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl PlayoutPolicy for Uniform {
    #[inline(always)]
    fn choose(&mut self, turn: Turn<'_>) -> Option<Point> {
        random_play(turn.board, turn.color, turn.rng, |_, _, _| true)
    }
}
