//! What to do with the findings of a search: play the best move, pass because the game is over, clean up, or resign.

use std::sync::Arc;
use std::time::Duration;

use crate::clock::TimeControl;
use crate::go::life::unconditional;
use crate::go::rules::{DeadStones, Scoring};
use crate::go::score::{self, Outcome};
use crate::go::shape::{around, is_self_atari};
use crate::go::vertex;
use crate::go::{Board, Cell, Color, Move, PointMap, PointSet, Position, Statuses};
use crate::search::{EarlyStop, Limits, Ownership, Report};

use super::asking::Manner;
use super::choose::Choice;
use super::decision::Decision;
use super::last_points::last_point;
use super::memory::Key;
use super::status::Judgement;
use super::{Engine, EngineError, status};

/// A point is settled when one side owns it in so many of the playouts (on the scale of −1 to 1).
const SETTLED: f32 = 0.9;

/// Effort for the local games of life and death when a move is to be chosen: six hundredths of a second, as
/// `cargo test --test status -- --ignored` shows. Of the library's 150 positions 140 are judged right with it.
const DECIDE_WORK: u64 = 1_000_000;

/// The least of it, and how much has to be left on the clock for all of it: more where that is for the whole game.
const LEAST_WORK: u64 = 50_000;
const PLENTY_FOR_THE_GAME: f64 = 30.0;
const PLENTY_FOR_A_PERIOD: f64 = 2.0;

/// Playouts from which the owners of the points can be told.
pub(super) const LEAST_SAMPLES: u64 = 50;

/// A pass in an open position has to be better than every play by so much of the win rate.
const PASS_GAIN: f32 = 0.1;

/// Who gave a handicap does not resign before so many moves, as a share of the points of the board: the 200 on 19×19
/// over which P. Baudiš 2011 ("Balancing MCTS by dynamically adjusting the komi value", ICGA Journal 34) has stones count.
const PATIENCE: f32 = 200.0 / 361.0;

/// The win rate of a game that is open: who has more expects to win.
const EVEN: f32 = 0.5;

/// Looked lost for so many moves in a row: resign.
const LOST_MOVES: usize = 2;

impl Engine {
    /// Decides from what a search of the position found. `position` has the side to move set.
    pub(super) fn decide(
        &mut self,
        position: &mut Position,
        report: Arc<Report>,
        manner: &mut Manner,
    ) -> Result<Choice, EngineError> {
        if position.rules().first_capture {
            if let Some(capture) = report.moves.iter().map(|m| m.mv).find(|&mv| captures(position, mv)) {
                return Ok(Choice::of(capture, Some(report)));
            }
            let is_lost = self.is_lost(position, &report);
            let decision = match self.gives_up(position, is_lost) {
                true => Decision::Resign,
                false => Decision::Move(self.legal_best(position, &report)),
            };
            return Ok(Choice { decision, report: Some(report), is_lost: Some(is_lost) });
        }
        if let Some(mv) = self.end_of_game(position, &report, manner)? {
            return Ok(Choice::of(mv, Some(report)));
        }
        let best = self.legal_best(position, &report);
        let is_lost = self.is_lost(position, &report);
        let decision = if self.gives_up(position, is_lost) {
            Decision::Resign
        } else if position.rules().scoring == Scoring::Territory {
            Decision::Move(self.useful(position, &report, manner)?)
        } else if best == Move::Pass {
            Decision::Move(self.instead_of_pass(position, &report).unwrap_or(Move::Pass))
        } else {
            Decision::Move(best)
        };
        Ok(Choice { decision, report: Some(report), is_lost: Some(is_lost) })
    }

    /// A play to prefer to a pass that the search has found best while the game is still open. Under area scoring a
    /// move costs nothing, so a pass is only right where every play destroys something (as in a seki); and a pass into
    /// a loss is only right when there is nothing else.
    fn instead_of_pass(&self, position: &mut Position, report: &Report) -> Option<Move> {
        let pass = report.moves.iter().find(|m| m.mv == Move::Pass)?.value;
        let play = report.moves.iter().find(|m| m.mv != Move::Pass && position.check(m.mv).is_ok())?;
        let loses = self.would_pass_into_loss(position, report, position.to_move());
        (loses || play.value >= pass - PASS_GAIN).then_some(play.mv)
    }

    /// Under territory scoring: the best move, unless it is a pass or only fills up what is somebody's already. When
    /// every move wins, or every one loses, the search hardly tells a point gained from a point lost; so such a move
    /// is weighed against the best of the others and a pass by the points that they bring.
    fn useful(&mut self, position: &mut Position, report: &Report, manner: &mut Manner) -> Result<Move, EngineError> {
        // Few playouts reach their end when a side is far ahead.
        let sampled;
        let owners = if report.ownership.playouts() >= LEAST_SAMPLES {
            &report.ownership
        } else {
            sampled = self.side_search(position, CLEANUP_PLAYOUTS, manner)?;
            &sampled.ownership
        };
        let proven = Color::BOTH.map(|color| unconditional(position.board(), color).territory);
        let judgement = status::judge(position.board(), owners, self.decide_work());
        let statuses = judgement.statuses;
        let owner = score::area(position.board(), &statuses.dead);
        let moves: Vec<Move> = report
            .moves
            .iter()
            .map(|m| m.mv)
            .filter(|mv| mv.point().is_none_or(|p| proven.iter().all(|area| !area.contains(p))))
            .filter(|&mv| position.check(mv).is_ok())
            .collect();
        let board = position.board().clone();
        let is_useful = |mv: &Move| *mv != Move::Pass && !is_idle(&board, owners, &judgement, &owner, *mv);
        let Some(best) = moves.first().copied() else { return Ok(Move::Pass) };
        if is_useful(&best) {
            return Ok(best);
        }
        let mut choices = vec![best];
        let useful: Vec<Move> = moves.iter().copied().filter(is_useful).collect();
        if !useful.is_empty() {
            choices.push(self.search_for_points(position, &useful, manner)?.best());
        }
        if best != Move::Pass {
            choices.push(Move::Pass);
        }
        let sign = position.to_move().sign() as f32;
        let counted = score::count(position, &statuses).0 - self.game().total_komi().half_points();
        let as_it_stands = counted as f32 / 2.0 * sign;
        let mut judged = Vec::new();
        for mv in choices {
            let report = self.search_for_points(position, &[mv], manner)?;
            let margin = report.ownership.margin().0 * sign;
            // The other side may pass, too: then it is counted as it stands.
            judged.push((mv, report.value, if mv == Move::Pass { margin.min(as_it_stands) } else { margin }));
        }
        for (mv, value, margin) in &judged {
            log::debug!(
                "instead of idle play: {}, value {value:.3}, margin {margin:.1}",
                vertex::of_move(*mv, board.size())
            );
        }
        let most = judged.iter().map(|&(_, value, _)| value).fold(0.0, f32::max);
        let as_good = judged.iter().filter(|&&(_, value, _)| value >= most - SAME_VALUE);
        Ok(match as_good.max_by(|a, b| a.2.total_cmp(&b.2)).map_or(best, |&(mv, ..)| mv) {
            Move::Pass => last_point(position, &statuses).unwrap_or(Move::Pass),
            mv => mv,
        })
    }

    /// A short search of these moves alone, in which points count as much as the game. What is known of the game's
    /// position stays.
    pub(super) fn search_for_points(
        &mut self,
        position: &Position,
        only: &[Move],
        manner: &mut Manner,
    ) -> Result<Arc<Report>, EngineError> {
        let limits = self.side_limits(COMPARE_PLAYOUTS);
        let mut request = self.request_aside(manner, position, limits);
        request.params.score_share = POINTS_SHARE;
        request.only = Some(only.to_vec());
        Ok(self.ask(request, &mut |_| {})?)
    }

    /// The best move of the report that all rules in force allow.
    pub(super) fn legal_best(&self, position: &mut Position, report: &Report) -> Move {
        report.moves.iter().map(|m| m.mv).find(|&mv| position.check(mv).is_ok()).unwrap_or(Move::Pass)
    }

    /// Has it looked lost for long enough to resign?
    fn gives_up(&self, position: &Position, is_lost: bool) -> bool {
        is_lost && self.memory.lost_moves(&Key::of(&self.game), position.to_move()) + 1 >= LOST_MOVES
    }

    /// Does the game look lost?
    fn is_lost(&self, position: &Position, report: &Report) -> bool {
        let points = position.size() * position.size();
        let played = self.game().moves().len();
        // Who gave a handicap begins with a game that looks lost, and waits for mistakes.
        let gave_stones = position.to_move() == Color::White && self.game().handicap() >= 2;
        let patient = gave_stones && (played as f32) < PATIENCE * points as f32;
        report.value < self.options().resign_below
            && played >= self.options().resign_after.max(points / 5)
            && !patient
            && report.visits >= 100
    }

    /// Would two passes now lose the game as far as the judgement goes?
    fn would_pass_into_loss(&self, position: &Position, report: &Report, color: Color) -> bool {
        let statuses = status::judge(position.board(), &report.ownership, self.decide_work()).statuses;
        self.outcome_for(position, &statuses) == Some(color.other())
    }

    fn outcome_for(&self, position: &Position, statuses: &Statuses) -> Option<Color> {
        let board = score::count(position, statuses);
        Outcome::Counted { board, komi: self.game().total_komi() }.winner()
    }

    /// When every point is settled and passing wins (or draws, where nothing more can be had), the game is over: a
    /// pass, or, where dead stones count for their owner, a move that takes them off.
    fn end_of_game(
        &mut self,
        position: &mut Position,
        report: &Report,
        manner: &mut Manner,
    ) -> Result<Option<Move>, EngineError> {
        let color = position.to_move();
        // Few playouts reach their end when a side is far ahead: those of a side search all do.
        let sampled;
        let report = match report.ownership.playouts() {
            LEAST_SAMPLES.. => report,
            _ if report.playouts < LEAST_SAMPLES => return Ok(None),
            _ => {
                sampled = self.side_search(position, CLEANUP_PLAYOUTS, manner)?;
                &*sampled
            }
        };
        let judgement = status::judge(position.board(), &report.ownership, self.decide_work());
        let statuses = judgement.statuses;
        let settled = is_settled(position, report, &judgement);
        let opponent_passed = position.consecutive_passes() > 0;
        let winner = self.outcome_for(position, &statuses);
        if !settled {
            return Ok(None);
        }
        if position.rules().scoring == Scoring::Territory
            && let Some(mv) = last_point(position, &statuses)
        {
            return Ok(Some(mv));
        }
        if opponent_passed && winner == Some(color) {
            return Ok(self.pass_is_safe(position, manner)?.then_some(Move::Pass));
        }
        let board = position.board();
        let dead_enemies: PointSet = statuses.dead.iter().filter(|&p| board.cell(p) == color.other().cell()).collect();
        let must_capture =
            position.rules().dead_stones == DeadStones::Stand && winner != Some(color) && !dead_enemies.is_empty();
        if must_capture {
            return self.capture_dead(position, &dead_enemies, manner);
        }
        // Under territory scoring each further stone costs its owner a point; to the side that loses, too, nothing is
        // left to be gained.
        let nothing_left = position.rules().scoring == Scoring::Territory && winner != Some(color);
        let passes = nothing_left || winner == Some(color) && self.pass_is_safe(position, manner)?;
        Ok(passes.then_some(Move::Pass))
    }

    /// The findings so far are about our moving first: a group may live only because it is our turn. Is all settled
    /// and the game won as well when the opponent moves first, as after a pass? Neither may he find a move that wins.
    fn pass_is_safe(&mut self, position: &Position, manner: &mut Manner) -> Result<bool, EngineError> {
        let color = position.to_move();
        let mut after = position.clone();
        after.reopen();
        after.set_to_move(color.other());
        let report = self.side_search(&after, SAFETY_PLAYOUTS, manner)?;
        let judgement = status::judge(after.board(), &report.ownership, self.decide_work());
        Ok(report.ownership.playouts() >= LEAST_SAMPLES
            && report.value < EVEN
            && is_settled(&after, &report, &judgement)
            && self.outcome_for(&after, &judgement.statuses) == Some(color))
    }

    /// A short search that plays every playout to its end. What is known of the game's position stays.
    pub(super) fn side_search(
        &mut self,
        position: &Position,
        playouts: u64,
        manner: &mut Manner,
    ) -> Result<Arc<Report>, EngineError> {
        let limits = self.side_limits(playouts);
        let request = self.request_aside(manner, position, limits);
        Ok(self.ask(request, &mut |_| {})?)
    }

    /// Effort for the local games of life and death. It is counted in steps, which take long on a busy machine, so
    /// there are fewer of them where the clock leaves little.
    pub(super) fn decide_work(&self) -> u64 {
        let left = self.move_start.and_then(|(color, start)| {
            let (left, _) = self.clock(color).left()?;
            let plenty = match self.clock(color).control() {
                TimeControl::Canadian { .. } | TimeControl::ByoYomi { .. } => PLENTY_FOR_A_PERIOD,
                TimeControl::Unlimited | TimeControl::Absolute { .. } | TimeControl::Fischer { .. } => {
                    PLENTY_FOR_THE_GAME
                }
            };
            Some(left.saturating_sub(self.time.since(start)).as_secs_f64() / plenty)
        });
        left.map_or(DECIDE_WORK, |left| ((DECIDE_WORK as f64 * left.min(1.0)) as u64).max(LEAST_WORK))
    }

    /// Limits of a search besides the one for the move. On the clock it gets a small part of what the move has left
    /// over; with a fixed number of playouts and no clock it ends at the same playout on every machine.
    fn side_limits(&self, playouts: u64) -> Limits {
        let left = self.move_start.and_then(|(color, start)| {
            let (left, _) = self.clock(color).left()?;
            Some(left.saturating_sub(self.time.since(start)).saturating_sub(self.options().lag) / 8)
        });
        let hard = match left {
            Some(left) => Some(left.min(SIDE_TIME)),
            None => (!self.has_fixed_playouts()).then_some(SIDE_TIME),
        };
        Limits { playouts: Some(playouts), hard, early_stop: EarlyStop::Never, ..Limits::default() }
    }

    /// The best of the plays that take liberties of these stones.
    fn capture_dead(
        &mut self,
        position: &mut Position,
        dead: &PointSet,
        manner: &mut Manner,
    ) -> Result<Option<Move>, EngineError> {
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
        Ok(match only[..] {
            [] => None,
            [mv] => Some(mv),
            _ => {
                let limits = self.side_limits(CLEANUP_PLAYOUTS);
                let mut request = self.request_aside(manner, position, limits);
                request.only = Some(only.clone());
                let report = self.ask(request, &mut |_| {})?;
                report.moves.iter().map(|m| m.mv).find(|mv| only.contains(mv))
            }
        })
    }
}

/// A point belongs to a side for the purpose of [`is_idle`] when it owns it in so many of the playouts.
const OWNED: f32 = 0.7;

/// Moves are compared by a search of each, no longer than this.
const COMPARE_PLAYOUTS: u64 = 600;

/// How much of a result is the margin in such a search.
const POINTS_SHARE: f32 = 0.5;

/// Values that differ by less are the same.
const SAME_VALUE: f32 = 0.02;

/// Does the move take enemy stones?
fn captures(position: &mut Position, mv: Move) -> bool {
    let color = position.to_move();
    mv.point().is_some_and(|p| position.board().captures_something(color, p)) && position.check(mv).is_ok()
}

/// Does the move only put a stone where one side rules already, whoever moves first: inside a closed border, or, where
/// that is still open, away from all living stones of the other side?
fn is_idle(
    board: &Board,
    owners: &Ownership,
    judgement: &Judgement,
    owner: &PointMap<Option<Color>>,
    mv: Move,
) -> bool {
    let Some(p) = mv.point().filter(|_| owners.playouts() >= LEAST_SAMPLES) else { return false };
    let owned = owners.of(p);
    if owned.abs() < OWNED || judgement.unsettled.contains(p) {
        return false;
    }
    let dead = &judgement.statuses.dead;
    let ruler = if owned > 0.0 { Color::Black } else { Color::White };
    owner[p] == Some(ruler) || !around(board, p).any(|q| board.cell(q) == ruler.other().cell() && !dead.contains(q))
}

/// A move that only takes off what is dead needs no long thought.
pub(super) const CLEANUP_PLAYOUTS: u64 = 500;

/// Before the game is given out of hand the opponent's best move is looked for with more care. A guess: a twentieth of a
/// second on 9×9, [`SIDE_TIME`] on 19×19.
const SAFETY_PLAYOUTS: u64 = 2000;

/// No search besides the one for the move takes longer.
const SIDE_TIME: Duration = Duration::from_millis(200);

/// Is there nothing left to play for: every point surely owned, or neutral and worth nothing to either side?
pub(super) fn is_settled(position: &Position, report: &Report, judgement: &Judgement) -> bool {
    let statuses = &judgement.statuses;
    let board = position.board();
    let territory = position.rules().scoring == Scoring::Territory;
    let owner = score::area(board, &statuses.dead);
    let safe = Color::BOTH.map(|color| unconditional(board, color));
    board.points().all(|p| {
        let proven = safe.iter().any(|s| s.stones.contains(p) || s.territory.contains(p));
        // Where the border is still open a point is not anybody's, however sure it is who will get it.
        let sure = owner[p].is_some_and(|color| report.ownership.of(p) * color.sign() as f32 >= SETTLED);
        // Local games know better than playouts who gets what in small eyes and sekis.
        let solved = judgement.settled.contains(p) && owner[p].is_some();
        if proven || solved {
            return true;
        }
        if judgement.unsettled.contains(p) {
            return false;
        }
        if sure {
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
