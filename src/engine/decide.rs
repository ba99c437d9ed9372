//! What to do with the findings of a search: play the best move, pass because the game is over, clean up, or resign.

use std::time::Duration;

use crate::go::life::unconditional;
use crate::go::rules::{DeadStones, Scoring};
use crate::go::score::{self, Outcome};
use crate::go::shape::{around, is_self_atari};
use crate::go::{Board, Cell, Color, Move, PointMap, PointSet, Position, Statuses};
use crate::search::{Limits, Report};

use super::{Engine, status};

/// An answer to "your move".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This move.
    Move(Move),
    /// No move: the game is given up.
    Resign,
}

/// For the log.
pub fn describe(decision: &Decision, size: usize) -> String {
    match decision {
        Decision::Resign => "resign".into(),
        Decision::Move(mv) => describe_move(*mv, size),
    }
}

fn describe_move(mv: Move, size: usize) -> String {
    match mv {
        Move::Pass => "pass".into(),
        Move::Play(p) => format!("column {} row {}", p.column(size) + 1, p.row(size) + 1),
    }
}

/// A point is settled when one side owns it in so many of the playouts (on the scale of −1 to 1).
const SETTLED: f32 = 0.9;

/// Looked lost for so many moves in a row: resign.
const LOST_MOVES: usize = 2;

/// In a handicap game the side that gave it resigns only when this share of the points has been played.
const HANDICAP_PATIENCE: f32 = 0.5;

impl Engine {
    /// Decides from what a search of the position found. `position` has the side to move set.
    pub(super) fn decide(&mut self, position: &mut Position, report: &Report) -> Decision {
        let color = position.to_move();
        if position.rules().first_capture {
            let capture = report.moves.iter().map(|m| m.mv).find(|&mv| captures(position, mv));
            return Decision::Move(capture.unwrap_or_else(|| self.legal_best(position, report)));
        }
        if let Some(mv) = self.end_of_game(position, report) {
            return Decision::Move(mv);
        }
        let best = self.legal_best(position, report);
        if self.is_lost(position, report) {
            self.lost_moves += 1;
            if self.lost_moves >= LOST_MOVES {
                return Decision::Resign;
            }
        } else {
            self.lost_moves = 0;
        }
        if position.rules().scoring == Scoring::Territory {
            return Decision::Move(self.useful(position, report));
        }
        if best == Move::Pass && self.would_pass_into_loss(position, report, color) {
            // A pass that loses is only worth playing when there is nothing else.
            let other = report.moves.iter().map(|m| m.mv).find(|&mv| mv != Move::Pass && position.check(mv).is_ok());
            return Decision::Move(other.unwrap_or(Move::Pass));
        }
        Decision::Move(best)
    }

    /// Under territory scoring: the best move, unless it is a pass or only fills up what is somebody's already. When
    /// every move wins, or every one loses, the search hardly tells a point gained from a point lost; so such a move
    /// is weighed against the best of the others and a pass by the points that they bring.
    fn useful(&mut self, position: &mut Position, report: &Report) -> Move {
        let proven = Color::BOTH.map(|color| unconditional(position.board(), color).territory);
        let statuses = status::judge(position.board(), &report.ownership);
        let owner = score::area(position.board(), &statuses.dead);
        let moves: Vec<Move> = report
            .moves
            .iter()
            .map(|m| m.mv)
            .filter(|mv| mv.point().is_none_or(|p| proven.iter().all(|area| !area.contains(p))))
            .filter(|&mv| position.check(mv).is_ok())
            .collect();
        let board = position.board().clone();
        let is_useful = |mv: &Move| *mv != Move::Pass && !is_idle(&board, report, &statuses.dead, &owner, *mv);
        let Some(best) = moves.first().copied() else { return Move::Pass };
        if is_useful(&best) {
            return best;
        }
        let mut choices = vec![best];
        let useful: Vec<Move> = moves.iter().copied().filter(is_useful).collect();
        if !useful.is_empty() {
            choices.push(self.search_for_points(position, &useful).best());
        }
        if best != Move::Pass {
            choices.push(Move::Pass);
        }
        let sign = position.to_move().sign() as f32;
        let judged: Vec<(Move, f32, f32)> = choices
            .into_iter()
            .map(|mv| {
                let report = self.search_for_points(position, &[mv]);
                (mv, report.value, report.ownership.margin().0 * sign)
            })
            .collect();
        for (mv, value, margin) in &judged {
            log::debug!(
                "instead of idle play: {}, value {value:.3}, margin {margin:.1}",
                describe_move(*mv, board.size())
            );
        }
        let most = judged.iter().map(|&(_, value, _)| value).fold(0.0, f32::max);
        let as_good = judged.iter().filter(|&&(_, value, _)| value >= most - SAME_VALUE);
        as_good.max_by(|a, b| a.2.total_cmp(&b.2)).map_or(best, |&(mv, ..)| mv)
    }

    /// A short search of these moves alone, in which points count as much as the game.
    fn search_for_points(&mut self, position: &Position, only: &[Move]) -> Report {
        let usual = self.search_mut().options().clone();
        let mut by_points = usual.clone();
        by_points.params.score_share = POINTS_SHARE;
        self.search_mut().set_options(by_points);
        let limits = Limits {
            playouts: Some(COMPARE_PLAYOUTS),
            hard: Some(COMPARE_TIME),
            early_stop: false,
            ..Limits::default()
        };
        let report = self.search(position, limits, Some(only));
        self.search_mut().set_options(usual);
        report
    }

    /// The best move of the report that all rules in force allow.
    fn legal_best(&self, position: &mut Position, report: &Report) -> Move {
        report.moves.iter().map(|m| m.mv).find(|&mv| position.check(mv).is_ok()).unwrap_or(Move::Pass)
    }

    fn is_lost(&self, position: &Position, report: &Report) -> bool {
        let points = position.size() * position.size();
        let played = self.game().moves().len();
        let patient = self.game().handicap() > 0 && (played as f32) < points as f32 * HANDICAP_PATIENCE;
        report.value < self.options().resign_below
            && played >= self.options().resign_after.max(points / 5)
            && !patient
            && report.visits >= 100
    }

    /// Would two passes now lose the game as far as the judgement goes?
    fn would_pass_into_loss(&self, position: &Position, report: &Report, color: Color) -> bool {
        let statuses = status::judge(position.board(), &report.ownership);
        self.outcome_for(position, &statuses) == Some(color.other())
    }

    fn outcome_for(&self, position: &Position, statuses: &Statuses) -> Option<Color> {
        let board = score::count(position, statuses);
        Outcome::Counted { board, komi: self.game().total_komi() }.winner()
    }

    /// When every point is settled and passing wins (or draws, where nothing more can be had), the game is over: a
    /// pass, or, where dead stones count for their owner, a move that takes them off.
    fn end_of_game(&mut self, position: &mut Position, report: &Report) -> Option<Move> {
        let color = position.to_move();
        let board = position.board();
        if report.ownership.playouts() < 50 {
            return None;
        }
        let statuses = status::judge(board, &report.ownership);
        let settled = is_settled(position, report, &statuses);
        let opponent_passed = position.consecutive_passes() > 0;
        let winner = self.outcome_for(position, &statuses);
        if opponent_passed && winner == Some(color) && settled {
            return Some(Move::Pass);
        }
        if !settled {
            return None;
        }
        let dead_enemies: PointSet = statuses.dead.iter().filter(|&p| board.cell(p) == color.other().cell()).collect();
        let must_capture =
            position.rules().dead_stones == DeadStones::Stand && winner != Some(color) && !dead_enemies.is_empty();
        if must_capture {
            return self.capture_dead(position, &dead_enemies);
        }
        // Under territory scoring each further stone costs its owner a point; to the side that loses, too, nothing is
        // left to be gained.
        (winner == Some(color) || position.rules().scoring == Scoring::Territory).then_some(Move::Pass)
    }

    /// The best of the plays that take liberties of these stones.
    fn capture_dead(&mut self, position: &mut Position, dead: &PointSet) -> Option<Move> {
        let color = position.to_move();
        let board = position.board();
        let mut liberties = PointSet::EMPTY;
        for stone in dead.iter() {
            for p in board.adjacent(stone) {
                if board.cell(p) == Cell::Empty {
                    liberties.insert(p);
                }
            }
        }
        let safe: Vec<Move> = liberties.iter().filter(|&p| !is_self_atari(board, color, p)).map(Move::Play).collect();
        let any: Vec<Move> = liberties.iter().map(Move::Play).collect();
        let mut only = if safe.is_empty() { any } else { safe };
        only.retain(|&mv| position.check(mv).is_ok());
        match only[..] {
            [] => None,
            [mv] => Some(mv),
            _ => {
                let limits = Limits {
                    playouts: Some(CLEANUP_PLAYOUTS),
                    hard: Some(CLEANUP_TIME),
                    early_stop: true,
                    ..Limits::default()
                };
                let report = self.search(position, limits, Some(&only));
                report.moves.iter().map(|m| m.mv).find(|mv| only.contains(mv))
            }
        }
    }
}

/// A point belongs to a side for the purpose of [`is_idle`] when it owns it in so many of the playouts.
const OWNED: f32 = 0.7;

/// Moves are compared by a search of each, no longer than this.
const COMPARE_PLAYOUTS: u64 = 400;
const COMPARE_TIME: Duration = Duration::from_millis(150);

/// How much of a result is the margin in such a search.
const POINTS_SHARE: f32 = 0.5;

/// Values that differ by less are the same.
const SAME_VALUE: f32 = 0.02;

/// Does the move take enemy stones?
fn captures(position: &mut Position, mv: Move) -> bool {
    let color = position.to_move();
    mv.point().is_some_and(|p| position.board().captures_something(color, p)) && position.check(mv).is_ok()
}

/// Does the move only put a stone where one side rules already: inside a closed border, or, where that is still
/// open, away from all living stones of the other side?
fn is_idle(board: &Board, report: &Report, dead: &PointSet, owner: &PointMap<Option<Color>>, mv: Move) -> bool {
    let Some(p) = mv.point().filter(|_| report.ownership.playouts() >= 50) else { return false };
    let owned = report.ownership.of(p);
    if owned.abs() < OWNED {
        return false;
    }
    let ruler = if owned > 0.0 { Color::Black } else { Color::White };
    owner[p] == Some(ruler) || !around(board, p).any(|q| board.cell(q) == ruler.other().cell() && !dead.contains(q))
}

/// A move that only takes off what is dead needs no long thought.
const CLEANUP_PLAYOUTS: u64 = 500;
const CLEANUP_TIME: Duration = Duration::from_millis(200);

/// Is there nothing left to play for: every point surely owned, or neutral and worth nothing to either side?
fn is_settled(position: &Position, report: &Report, statuses: &Statuses) -> bool {
    let board = position.board();
    let territory = position.rules().scoring == Scoring::Territory;
    let owner = score::area(board, &statuses.dead);
    let safe = Color::BOTH.map(|color| unconditional(board, color));
    board.points().all(|p| {
        let proven = safe.iter().any(|s| s.stones.contains(p) || s.territory.contains(p));
        // Where the border is still open a point is not anybody's, however sure it is who will get it.
        let sure = owner[p].is_some_and(|color| report.ownership.of(p) * color.sign() as f32 >= SETTLED);
        if proven || sure {
            return true;
        }
        // Neutral points: under area counting a play there is worth a point unless it is a seki's, where it is
        // worth less than nothing.
        let neutral = board.cell(p) == Cell::Empty && owner[p].is_none();
        let mut stones = board.adjacent(p).into_iter().filter(|&q| board.cell(q).color().is_some()).peekable();
        let in_seki = statuses.seki.contains(p)
            || neutral && stones.peek().is_some() && stones.all(|q| statuses.seki.contains(q));
        // Under territory scoring a neutral point between settled stones of both sides is worth nothing; where there
        // is more room, somebody may still close his border.
        let touches = |color: Color| board.adjacent(p).into_iter().any(|q| board.cell(q) == color.cell());
        in_seki || neutral && territory && Color::BOTH.into_iter().all(touches)
    })
}
