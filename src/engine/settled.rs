//! Is there anything left to play for?

use crate::go::life::unconditional;
use crate::go::rules::{DeadStones, Scoring};
use crate::go::score;
use crate::go::{Board, Cell, Color, Point, Position, Statuses};
use crate::search::Ownership;

use super::status::Judgement;

/// A point is settled when one side's ownership of it in the playouts reaches this value (scale −1 to 1). A guess:
/// then nineteen playouts in twenty agree.
const SETTLED: f32 = 0.9;

/// Where all borders are closed, the point of a living stone needs this value: four playouts in five. A guess: a group had
/// 0.56 in a race that the first move decides (`tests/closed_games.rs`). With 0.6, 14 of the 16 finished games below count.
const LIVES: f32 = 0.6;

/// The point of a dead stone needs this value there. [`super::status`] calls chains dead by the same value. Playouts often
/// save stones in large territories.
const DIES: f32 = 0.2;

/// An empty point needs this value there: half of the playouts. A guess. Playouts invade large territories that no player
/// would invade.
const CLOSED: f32 = 0.0;

/// One point in so many has a stone before borders count as closed, because handicap stones surround nothing. A guess: of
/// the 16 games of GNU Go's regression tests that end without passes, the one with the fewest stones has 36 %.
const CROWDED: usize = 3;

/// Is there nothing left to play for: every point surely owned, or neutral and worth nothing to either side?
pub(super) fn is_settled(position: &Position, owners: &Ownership, judgement: &Judgement) -> bool {
    let is_dame_worthless = position.rules().scoring == Scoring::Territory;
    is_owned(position, owners, judgement, |_| SETTLED, is_dame_worthless)
}

/// Would people count this position as it stands? All borders are closed. Neutral points that touch stones of both sides
/// may be left. A side may still invade the other's territory, but no fight is known in which the first move decides.
pub(super) fn is_closed(position: &Position, owners: &Ownership, judgement: &Judgement) -> bool {
    let board = position.board();
    let rules = position.rules();
    let stones = board.points().filter(|&p| board.cell(p).color().is_some()).count();
    let enough = |p: Point| match board.cell(p) {
        Cell::Empty => CLOSED,
        _ if judgement.statuses.dead.contains(p) => DIES,
        _ => LIVES,
    };
    stones * CROWDED >= board.points().count()
        // Dead stones that have to be captured are work that is left.
        && (rules.dead_stones == DeadStones::Removed || judgement.statuses.dead.is_empty())
        // Who takes a button depends on the last neutral point.
        && (!rules.button || last_dame(position, &judgement.statuses).is_none())
        && is_owned(position, owners, judgement, enough, true)
}

/// The side that gets one neutral point more than the other if both fill them in turn. Under area scoring this point
/// counts. `None` where both get as many, or none counts.
pub(super) fn last_dame(position: &Position, statuses: &Statuses) -> Option<Color> {
    if position.rules().scoring == Scoring::Territory {
        return None;
    }
    let board = position.board();
    let owner = score::area(board, &statuses.dead);
    // In proven territory, a dead stone that is counted as it stands makes points neutral that nobody can take.
    let safe = Color::BOTH.map(|color| unconditional(board, color));
    let is_proven = |p: Point| safe.iter().any(|s| s.territory.contains(p));
    let is_dame = |&p: &Point| {
        board.cell(p) == Cell::Empty && owner[p].is_none() && !is_proven(p) && !is_in_seki(board, statuses, p)
    };
    (board.points().filter(is_dame).count() % 2 == 1).then_some(position.to_move())
}

/// Is the point a stone in seki, or a neutral point next to stones in seki alone?
fn is_in_seki(board: &Board, statuses: &Statuses, p: Point) -> bool {
    let mut stones = board.adjacent(p).into_iter().filter(|&q| board.cell(q).color().is_some()).peekable();
    statuses.seki.contains(p)
        || board.cell(p) == Cell::Empty && stones.peek().is_some() && stones.all(|q| statuses.seki.contains(q))
}

/// Can living stones capture this living stone with one move?
fn is_in_atari(board: &Board, statuses: &Statuses, stone: Point) -> bool {
    let lives = |p: Point| board.cell(p).color().is_some() && !statuses.dead.contains(p);
    let is_enemy = |p: &Point| board.cell(*p) != board.cell(stone) && lives(*p);
    lives(stone)
        && board.liberty_set(stone).len() == 1
        && board.chain(stone).any(|p| board.adjacent(p).iter().any(is_enemy))
}

/// Is every point owned by a side that holds it in the playouts by as much as `enough` says (scale −1 to 1), or
/// neutral? Neutral points outside sekis count only if they are worthless.
fn is_owned(
    position: &Position,
    owners: &Ownership,
    judgement: &Judgement,
    enough: impl Fn(Point) -> f32,
    is_dame_worthless: bool,
) -> bool {
    let statuses = &judgement.statuses;
    let board = position.board();
    let owner = score::area(board, &statuses.dead);
    let safe = Color::BOTH.map(|color| unconditional(board, color));
    board.points().all(|p| {
        let cell = board.cell(p);
        let proven = safe.iter().any(|s| s.stones.contains(p) || s.territory.contains(p));
        // Local games judge small eyes and sekis better than playouts do.
        let solved = judgement.settled.contains(p) && owner[p].is_some();
        if proven || solved {
            return true;
        }
        if judgement.unsettled.contains(p) || cell != Cell::Empty && is_in_atari(board, statuses, p) {
            return false;
        }
        // A point with an open border nearby belongs to nobody yet, however sure its later owner is.
        if owner[p].is_some_and(|color| owners.of(p) * color.sign() as f32 >= enough(p)) {
            return true;
        }
        // Under area counting a play on a neutral point is worth a point. On a neutral point of a seki it loses.
        let neutral = cell == Cell::Empty && owner[p].is_none();
        // A neutral point between settled stones of both sides is worth nothing by territory. Where there is more room,
        // a side may still close its border.
        let touches = |color: Color| board.adjacent(p).into_iter().any(|q| board.cell(q) == color.cell());
        let dame = neutral && is_dame_worthless && Color::BOTH.into_iter().all(touches);
        dame || (neutral || cell != Cell::Empty) && is_in_seki(board, statuses, p)
    })
}
