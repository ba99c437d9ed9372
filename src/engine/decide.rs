//! The decision after a search: play the best move, pass because the game is over, clean up, or resign.

use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use crate::clock::TimeControl;
use crate::go::life::unconditional;
use crate::go::rules::{DeadStones, Scoring};
use crate::go::score::{self, Outcome};
use crate::go::shape::{around, is_self_atari};
use crate::go::vertex;
use crate::go::{Board, Cell, Color, Komi, Move, Point, PointMap, PointSet, Position, Statuses};
use crate::search::{Ownership, Report, Request, WhichTree};

use super::asking::Manner;
use super::choose::{Choice, DECIDE_TIME};
use super::decision::Decision;
use super::last_points::last_point;
use super::move_start::MoveStart;
use super::resign::{HOPED_MOVES, LOST_MOVES, resigning_rate};
use super::settled::is_settled;
use super::status::Judgement;
use super::{Engine, EngineError, status};

/// Effort for the local games of life and death in the choice of a move. It takes six hundredths of a second and judges
/// 140 of the library's 150 positions right (`cargo test --test all status:: -- --ignored`).
const DECIDE_WORK: u64 = 1_000_000;

/// The least effort, and the seconds on the clock for the full effort. A clock for the whole game needs more time for
/// it. Guesses: the full effort is a small part of such times.
const LEAST_WORK: u64 = 50_000;
const PLENTY_FOR_THE_GAME: f64 = 30.0;
const PLENTY_FOR_A_PERIOD: f64 = 2.0;

/// The least part of the effort where the time for the move has run out and the clock has not. A guess: some ten
/// milliseconds.
const LEAST_OF_MOVE: f64 = 0.25;

/// Playouts from which the owners of the points are known. A guess: the standard error is 0.07 then.
pub(super) const LEAST_SAMPLES: u64 = 50;

/// In an open position, a pass must have a win rate higher than every play's by this much, and another move one higher
/// than a capture of dead stones. A guess.
const PASS_GAIN: f32 = 0.1;

/// So many moves of few visits are looked at before a pass is played in an open position. A guess.
const GLANCES: usize = 3;

/// Playouts of a net's search that may speak against a pass. A guess.
const VETO_PLAYOUTS: u64 = 400;

/// The win rate of an open game: the side with more expects to win.
const EVEN: f32 = 0.5;

impl Engine {
    /// Decides on the report of a search of the position. `position` has the side to move set.
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
            let is_lost = self.is_lost(position, report.win_rate, report.visits, false);
            let decision = match self.gives_up(position, is_lost, LOST_MOVES) {
                true => Decision::Resign,
                false => Decision::Move(self.legal_best(position, &report)),
            };
            return Ok(Choice { decision, report: Some(report), is_lost: Some(is_lost) });
        }
        let is_counted_out = match self.end_of_game(position, &report, manner)? {
            Ending::With(mv) => return Ok(Choice::of(mv, Some(report))),
            Ending::Lost => true,
            Ending::Open => false,
        };
        let best = self.legal_best(position, &report);
        let is_lost = self.is_lost(position, resigning_rate(position, &report, manner), report.visits, is_counted_out);
        // A net that finds the game won may be right, and may be wrong.
        let hopes = is_counted_out && manner.evaluators.is_net_alone(&manner.params) && report.value >= EVEN;
        let enough = if hopes { HOPED_MOVES } else { LOST_MOVES };
        let decision = if self.gives_up(position, is_lost, enough) {
            Decision::Resign
        } else if position.rules().scoring == Scoring::Territory {
            Decision::Move(self.useful(position, &report, manner)?)
        } else if best == Move::Pass {
            Decision::Move(self.instead_of_pass(position, &report, manner)?.unwrap_or(Move::Pass))
        } else {
            Decision::Move(best)
        };
        Ok(Choice { decision, report: Some(report), is_lost: Some(is_lost) })
    }

    /// A play to prefer to a pass that the search found best while the game is still open. Under area scoring a move
    /// costs nothing. So a pass is right only where every play destroys something, as in a seki. A pass into a loss is
    /// right only when there is no other move. The play is the first in the report of those that are as good as the pass,
    /// after some visits or by a search of its own: a net may like a play that destroys something. Without such a play,
    /// it is the best one.
    fn instead_of_pass(
        &mut self,
        position: &mut Position,
        report: &Report,
        manner: &mut Manner,
    ) -> Result<Option<Move>, EngineError> {
        let Some(pass) = report.moves.iter().find(|m| m.mv == Move::Pass).map(|m| m.value) else { return Ok(None) };
        let plays = report.moves.iter().filter(|m| m.mv != Move::Pass && m.visits > 0);
        let good: Vec<_> =
            plays.clone().filter(|m| m.value >= pass - PASS_GAIN && position.check(m.mv).is_ok()).collect();
        if let Some(known) = good.iter().find(|m| m.visits >= LEAST_SAMPLES) {
            return Ok(Some(known.mv));
        }
        if !good.is_empty() {
            // The value of a move with a few visits is little more than a first glance at it.
            let by_pass = self.search_apart(position, &[Move::Pass], manner)?.value;
            for m in good.iter().take(GLANCES) {
                if self.search_apart(position, &[m.mv], manner)?.value >= by_pass - PASS_GAIN {
                    return Ok(Some(m.mv));
                }
            }
        }
        if !self.would_pass_into_loss(position, report, manner)? {
            return Ok(None);
        }
        let mut others = report.moves.iter().filter(|m| m.mv != Move::Pass);
        let Some(first) = others.find(|m| position.check(m.mv).is_ok()) else { return Ok(None) };
        // Values of moves with few visits say little. A quarter is a guess.
        let known = plays.filter(|m| 4 * m.visits >= first.visits && position.check(m.mv).is_ok());
        Ok(known.chain([first]).max_by(|a, b| a.value.total_cmp(&b.value)).map(|m| m.mv))
    }

    /// The best move under territory scoring, unless it is a pass or only fills somebody's territory. When every move
    /// wins or every move loses, the search hardly sees single points. So the points of such a move are compared with
    /// those of the best other move and of a pass.
    fn useful(&mut self, position: &mut Position, report: &Report, manner: &mut Manner) -> Result<Move, EngineError> {
        let sampled;
        let owners = match owners_of(report, manner) {
            Some(owners) => owners,
            None => {
                // Far from the end, hardly a move is idle.
                let best = self.legal_best(position, report);
                if best != Move::Pass && looks_open(position, &report.ownership) {
                    return Ok(best);
                }
                sampled = self.side_search(position, CLEANUP_PLAYOUTS, manner)?;
                &sampled.ownership
            }
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
            // The other side may pass too; the position is then counted as it stands.
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
        let choice = as_good.max_by(|a, b| a.2.total_cmp(&b.2)).map_or(best, |&(mv, ..)| mv);
        // Playouts overlook some necessary moves.
        let choice = match manner.evaluators.is_net_alone(&manner.params) {
            true => self.unless_worse(position, choice, best, manner)?,
            false => choice,
        };
        Ok(match choice {
            Move::Pass => last_point(position, &statuses).unwrap_or(Move::Pass),
            mv => mv,
        })
    }

    /// The report's best move that all rules in force allow.
    pub(super) fn legal_best(&self, position: &mut Position, report: &Report) -> Move {
        report.moves.iter().map(|m| m.mv).find(|&mv| position.check(mv).is_ok()).unwrap_or(Move::Pass)
    }

    /// Would two passes now lose the game for the side to move, by the judgement?
    fn would_pass_into_loss(
        &mut self,
        position: &Position,
        report: &Report,
        manner: &mut Manner,
    ) -> Result<bool, EngineError> {
        let sampled;
        let owners = match manner.evaluators.is_net_alone(&manner.params) {
            false => &report.ownership,
            true => {
                sampled = self.side_search(position, CLEANUP_PLAYOUTS, manner)?;
                &sampled.ownership
            }
        };
        let statuses = status::judge(position.board(), owners, self.decide_work()).statuses;
        Ok(self.outcome_for(position, &statuses) == Some(position.to_move().other()))
    }

    /// Who wins if the game ends with passes now.
    fn outcome_for(&self, position: &Position, statuses: &Statuses) -> Option<Color> {
        self.outcome_by_passes(position, statuses).winner()
    }

    /// The outcome if the game ends with passes now. The first pass takes a button that nobody has yet.
    pub(super) fn outcome_by_passes(&self, position: &Position, statuses: &Statuses) -> Outcome {
        let takes_button = position.rules().button && position.button().is_none();
        let board = if takes_button {
            let mut passed = position.clone();
            // A pass is always legal.
            let _ = passed.play(Move::Pass);
            score::count(&passed, statuses)
        } else {
            score::count(position, statuses)
        };
        Outcome::Counted { board, komi: self.game().total_komi() }
    }

    /// The move at the end of the game: when every point is settled and a pass wins, or draws where no more is
    /// possible, or when the other side has passed and the game is lost. Without the last case, the engine would go on
    /// for hundreds of moves, because a net can find a counted game open. The move is a pass, or a capture of dead
    /// stones where they count for their owner.
    fn end_of_game(
        &mut self,
        position: &mut Position,
        report: &Report,
        manner: &mut Manner,
    ) -> Result<Ending, EngineError> {
        let color = position.to_move();
        if wins_by_passing(position, self.game().total_komi()) {
            return Ok(Ending::With(Move::Pass));
        }
        let whole = report;
        let opponent_passed = position.consecutive_passes() > 0;
        // Few playouts reach their end when a side is far ahead. All playouts of a side search do. After a pass they
        // are asked although a net finds the game open: a net may hope where nothing is left.
        let (sampled, again);
        let mut report = match owners_of(report, manner) {
            Some(_) => report,
            // A report may have few playouts of its own and many visits of an earlier search.
            None if !opponent_passed && (report.visits < LEAST_SAMPLES || looks_open(position, &report.ownership)) => {
                return Ok(Ending::Open);
            }
            None => {
                let mut open = position.clone();
                open.reopen();
                sampled = self.side_search(&open, CLEANUP_PLAYOUTS, manner)?;
                // The clock may have left no time for it.
                if sampled.ownership.playouts() < LEAST_SAMPLES {
                    return Ok(Ending::Open);
                }
                &*sampled
            }
        };
        let mut judgement = status::judge(position.board(), &report.ownership, self.decide_work());
        let mut settled = is_settled(position, &report.ownership, &judgement);
        // After a pass, most visits may go to the pass that ends the game, where dead stones count as they stand. The
        // other playouts are those of bad plays, after which less is settled than now. So the game is looked at as if
        // nobody had passed.
        let by_margin = report.ownership.margin().0 * (color.sign() as f32);
        if opponent_passed
            && ptr::eq(report, whole)
            && !looks_open(position, &report.ownership)
            && (!settled || by_margin > 0.0 && self.outcome_for(position, &judgement.statuses) == Some(color.other()))
        {
            let mut open = position.clone();
            open.reopen();
            again = self.side_search(&open, CLEANUP_PLAYOUTS, manner)?;
            report = &*again;
            judgement = status::judge(position.board(), &report.ownership, self.decide_work());
            settled = is_settled(position, &report.ownership, &judgement);
        }
        let statuses = judgement.statuses;
        let winner = self.outcome_for(position, &statuses);
        if !settled {
            return Ok(Ending::Open);
        }
        if position.rules().scoring == Scoring::Territory
            && let Some(mv) = last_point(position, &statuses)
        {
            return Ok(Ending::With(mv));
        }
        if opponent_passed && winner == Some(color) {
            return Ok(match self.pass_is_safe(position, winner, manner)? {
                true => Ending::With(Move::Pass),
                false => Ending::Open,
            });
        }
        let board = position.board();
        let dead_enemies: PointSet = statuses.dead.iter().filter(|&p| board.cell(p) == color.other().cell()).collect();
        let must_capture =
            position.rules().dead_stones == DeadStones::Stand && winner != Some(color) && !dead_enemies.is_empty();
        if must_capture {
            let best = self.legal_best(position, whole);
            return Ok(self.capture_dead(position, &dead_enemies, best, manner)?.map_or(Ending::Open, Ending::With));
        }
        // Under territory scoring each further stone costs its owner a point. The losing side has nothing left to gain
        // either.
        let nothing_left = position.rules().scoring == Scoring::Territory && winner != Some(color);
        let is_lost = winner == Some(color.other()) && report.ownership.margin().0 * (color.sign() as f32) < 0.0;
        let is_drawn = winner.is_none() && opponent_passed;
        let passes = nothing_left
            || is_lost && opponent_passed
            || (winner == Some(color) || is_drawn) && self.pass_is_safe(position, winner, manner)?;
        Ok(match passes {
            true => Ending::With(Move::Pass),
            false if is_lost => Ending::Lost,
            false => Ending::Open,
        })
    }

    /// Is everything settled, and the winner the same (`None`: a draw), also when the opponent moves first, as after a
    /// pass? The report is about our moving first, and a group may live only because it is our turn. The opponent must
    /// have no move that wins.
    fn pass_is_safe(
        &mut self,
        position: &Position,
        winner: Option<Color>,
        manner: &mut Manner,
    ) -> Result<bool, EngineError> {
        let color = position.to_move();
        let mut after = position.clone();
        // The pass may take a button.
        let _ = after.play(Move::Pass);
        after.reopen();
        after.set_to_move(color.other());
        let report = self.side_search(&after, SAFETY_PLAYOUTS, manner)?;
        let judgement = status::judge(after.board(), &report.ownership, self.decide_work());
        Ok(report.ownership.playouts() >= LEAST_SAMPLES
            && (winner.is_none() || report.value < EVEN)
            && is_settled(&after, &report.ownership, &judgement)
            && self.outcome_for(&after, &judgement.statuses) == winner
            && !(winner == Some(color) && self.net_sees_a_loss(&after, manner)?))
    }

    /// Does a net that plays alone find that the side to move wins this position? Playouts misjudge some capturing races
    /// and sekis. So the net is asked, too, before a pass that may end the game.
    fn net_sees_a_loss(&mut self, after: &Position, manner: &mut Manner) -> Result<bool, EngineError> {
        // A net may misjudge a counted game for hundreds of moves. So its opinion counts until the second pass of the
        // opponent.
        let passes = |back: usize| self.game().moves().iter().rev().nth(back).is_some_and(|&(_, mv)| mv == Move::Pass);
        if !manner.evaluators.is_net_alone(&manner.params) || passes(0) && passes(2) {
            return Ok(false);
        }
        let limits = self.side_limits(VETO_PLAYOUTS);
        let mut request = Request { tree: WhichTree::Aside, ..self.request(manner, after, limits) };
        request.history.moves.push((after.to_move().other(), Move::Pass));
        let report = self.ask(request, &mut |_| {})?;
        Ok(report.visits >= LEAST_SAMPLES && report.value >= EVEN)
    }

    /// Effort for the local games of life and death. Effort is counted in steps, and steps take long on a busy machine.
    /// So there are fewer steps where the clock, or the time for the move, leaves little.
    pub(super) fn decide_work(&self) -> u64 {
        let left = self.move_start.and_then(|MoveStart { color, start, most, .. }| {
            let spent = self.time.since(start);
            let clock = self.clock(color);
            let plenty = match clock.control() {
                TimeControl::Canadian { .. } | TimeControl::ByoYomi { .. } => PLENTY_FOR_A_PERIOD,
                TimeControl::Unlimited | TimeControl::Absolute { .. } | TimeControl::Fischer { .. } => {
                    PLENTY_FOR_THE_GAME
                }
            };
            let part = |left: Duration, plenty: f64| left.saturating_sub(spent).as_secs_f64() / plenty;
            let of_clock = clock.longest().map(|left| part(left, plenty));
            let of_move = most.map(|most| part(most, DECIDE_TIME.as_secs_f64()).max(LEAST_OF_MOVE));
            of_clock.into_iter().chain(of_move).reduce(f64::min)
        });
        left.map_or(DECIDE_WORK, |left| ((DECIDE_WORK as f64 * left.min(1.0)) as u64).max(LEAST_WORK))
    }

    /// The best of the plays on liberties of these stones, or `best`, the search's own choice, where that is clearly
    /// better: sometimes a side has to connect before it can capture.
    fn capture_dead(
        &mut self,
        position: &mut Position,
        dead: &PointSet,
        best: Move,
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
        let capture = match only[..] {
            [] => None,
            [mv] => Some(mv),
            _ => {
                let limits = self.side_limits(CLEANUP_PLAYOUTS);
                let mut request = self.request_aside(manner, position, limits);
                request.only = Some(only.clone());
                let report = self.ask(request, &mut |_| {})?;
                report.moves.iter().map(|m| m.mv).find(|mv| only.contains(mv))
            }
        };
        capture.map(|capture| self.unless_worse(position, capture, best, manner)).transpose()
    }

    /// The move, or the other one if that is clearly better. Each is searched alone, with the usual evaluators: playouts
    /// know no superko, and a net may give one of the moves no visit beside the other.
    pub(super) fn unless_worse(
        &mut self,
        position: &Position,
        mv: Move,
        other: Move,
        manner: &mut Manner,
    ) -> Result<Move, EngineError> {
        if other == Move::Pass || other == mv {
            return Ok(mv);
        }
        let [by_move, by_other] =
            [self.search_apart(position, &[mv], manner)?, self.search_apart(position, &[other], manner)?];
        Ok(if by_other.value > by_move.value + PASS_GAIN { other } else { mv })
    }
}

/// The owners of the points at the end of the playouts of such a search; `None` if there are too few playouts that
/// reached their end, or none because a net evaluates alone.
pub(super) fn owners_of<'a>(report: &'a Report, manner: &Manner) -> Option<&'a Ownership> {
    let known = report.ownership.playouts() >= LEAST_SAMPLES && !manner.evaluators.is_net_alone(&manner.params);
    known.then_some(&report.ownership)
}

/// From this ownership on, a net has hardly a doubt whose point it is. Points with less, as a share of the board, make
/// a game open. Both are guesses: on 9×9, eight such points may be those of a seki.
const OWNED_BY_A_NET: f32 = 0.5;
const OPEN_SHARE: usize = 10;

/// Do these owners, if there are any, leave so many points open that the end of the game is far? Such a position needs
/// no search for its owners.
fn looks_open(position: &Position, owners: &Ownership) -> bool {
    let open = |&p: &Point| owners.of(p).abs() < OWNED_BY_A_NET;
    owners.playouts() > 0 && position.board().points().filter(open).count() * OPEN_SHARE > position.size().points()
}

/// Does a pass end the game and win it, where all stones count as they stand? Then no judgement of life and death is
/// needed, and no play can be better.
fn wins_by_passing(position: &Position, komi: Komi) -> bool {
    if position.rules().dead_stones != DeadStones::Stand {
        return false;
    }
    let mut after = position.clone();
    after.play(Move::Pass).is_ok()
        && after.is_over()
        && score::outcome(&after, &Statuses::ALL_ALIVE, komi).winner() == Some(position.to_move())
}

/// How far the end of a game has come.
enum Ending {
    /// There is something left to play for.
    Open,
    /// Every point is settled, and the side to move loses, by the count and by the playouts.
    Lost,
    /// The game ends with this move.
    With(Move),
}

/// For [`is_idle`], a point belongs to a side whose ownership of it reaches this value. A guess.
const OWNED: f32 = 0.7;

/// Values that differ by less than this count as equal. A guess: the standard error of a value of 600 playouts.
const SAME_VALUE: f32 = 0.02;

/// Does the move take enemy stones?
fn captures(position: &mut Position, mv: Move) -> bool {
    let color = position.to_move();
    mv.point().is_some_and(|p| position.board().captures_something(color, p)) && position.check(mv).is_ok()
}

/// Does the move only put a stone where one side rules already, whoever moves first? That is inside a closed border,
/// or, where the border is open, away from all living stones of the other side.
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

/// Playouts for a move that only captures dead stones: such a move needs no long search. A guess.
pub(super) const CLEANUP_PLAYOUTS: u64 = 500;

/// Playouts of the search for the opponent's best move before the engine passes. A guess: a twentieth of a second on
/// 9×9, `SIDE_TIME` on 19×19.
const SAFETY_PLAYOUTS: u64 = 2000;
