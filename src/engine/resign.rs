//! When the engine resigns.

use crate::go::{Color, Position};
use crate::search::{Means, Report};

use super::Engine;
use super::asking::Manner;
use super::memory::Key;

/// The giver of a handicap does not resign before this many moves, as a share of the points of the board. Source: the
/// 200 moves on 19×19 up to which handicap stones count in P. Baudiš 2011 ("Balancing MCTS by dynamically adjusting the
/// komi value", ICGA Journal 34).
const PATIENCE: f32 = 200.0 / 361.0;

/// A search with fewer visits is no reason to resign. A guess.
const LEAST_VISITS: u64 = 50;

/// The engine resigns after the game has looked lost for this many of its moves in a row.
pub(super) const LOST_MOVES: usize = 2;

/// The same for a game that is counted out while the net finds it won. A guess.
pub(super) const HOPED_MOVES: usize = 8;

/// From so many visits on, the win rate of a net alone is taken without those that are assumed before. A guess.
const SURE_VISITS: u64 = 200;

impl Engine {
    /// Has the game looked lost for long enough to resign, that is, for so many moves of the side?
    pub(super) fn gives_up(&self, position: &Position, is_lost: bool, enough: usize) -> bool {
        is_lost && self.memory.lost_moves(&Key::of(&self.game), position.to_move()) + 1 >= enough
    }

    /// The moves so far, or the stones on the board if these are more: a position may have been set up.
    pub(super) fn played(&self) -> usize {
        let stones = self.game().size().points() - self.game().position().board().empties().len();
        self.game().moves().len().max(stones)
    }

    /// Does the game look lost, by this win rate of a search, or because it is counted out? A net may keep
    /// the win rate high where a count is certain. Nobody resigns after a search of few visits, or before a fifth of the
    /// points have been played (a guess).
    pub(super) fn is_lost(&self, position: &Position, win_rate: f32, visits: u64, is_counted_out: bool) -> bool {
        let points = position.size().points();
        let played = self.played();
        // The game of a giver of handicap looks lost from its start. The giver waits for mistakes.
        let gave_stones = position.to_move() == Color::White && self.game().handicap() >= 2;
        let patient = gave_stones && (played as f32) < PATIENCE * points as f32;
        self.options().may_resign
            && (win_rate < self.options().resign_below || is_counted_out && self.options().resign_below > 0.0)
            && played >= self.options().resign_after.max(points / 5)
            && !patient
            && visits >= LEAST_VISITS
    }
}

/// The win rate that has to be low for a resignation. A net that plays alone gives a share of its mean to the margin, so
/// that a game lost by few points has a mean of some 2 %, however sure the loss is. Here the mean is without this share,
/// and without the visits that are assumed before the first.
pub(super) fn resigning_rate(position: &Position, report: &Report, manner: &Manner) -> f32 {
    let params = &manner.params;
    let (share, full) = (params.score_share, params.score_range * position.size().points() as f32);
    if !manner.evaluators.is_net_alone(params)
        || report.ownership.playouts() == 0
        || report.visits < SURE_VISITS
        || share >= 1.0
    {
        return report.win_rate;
    }
    let margin = report.ownership.margin().0 * position.to_move().sign() as f32;
    let by_margin = 0.5 + 0.5 * (margin / full).clamp(-1.0, 1.0);
    Means { playouts: without(report.means.playouts, by_margin, share), ..report.means }.win_rate(params)
}

/// The mean, 0..=1, of which this mean is made with a share of another number.
fn without(mean: f32, other: f32, share: f32) -> f32 {
    ((mean - share * other) / (1.0 - share)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{EngineOptions, Interrupt};
    use crate::go::{Move, Point};

    #[test]
    fn a_share_comes_off_a_mean() {
        assert!((without(0.04 * 0.45 + 0.96 * 0.01, 0.45, 0.04) - 0.01).abs() < 1e-6);
        assert_eq!((without(0.0, 0.5, 0.04), without(1.0, 0.5, 0.04)), (0.0, 1.0));
    }

    #[test]
    fn stones_that_were_set_up_count_as_moves() {
        let options = EngineOptions { size: 9.into(), ..EngineOptions::default() };
        let mut engine = Engine::new(options, Interrupt::default()).expect("an engine");
        let stones = (0..9).map(|column| (Color::Black, Point::new(column, 3, 9)));
        engine.game_mut().set_up(stones, Color::White).expect("a position");
        assert_eq!(engine.played(), 9);
        engine.game_mut().play(Color::White, Move::Play(Point::new(4, 7, 9))).expect("a legal move");
        assert_eq!(engine.played(), 10);
    }
}
