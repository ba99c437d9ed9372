//! Is there anything left to play for?

use crate::go::life::unconditional;
use crate::go::rules::Scoring;
use crate::go::score;
use crate::go::{Cell, Color, Position};
use crate::search::Ownership;

use super::status::Judgement;

/// A point is settled when one side's ownership of it in the playouts reaches this value (scale −1 to 1). A guess:
/// then nineteen playouts in twenty agree.
const SETTLED: f32 = 0.9;

/// Where all borders are closed, the owner of a point has to hold it in half of the playouts. Playouts invade large
/// territories that no player would invade, and hold them in three fifths of the cases only.
const CLOSED: f32 = 0.0;

/// One point in so many has a stone before borders count as closed. A handicap surrounds nothing. Of the 16 games of GNU
/// Go's regression tests that end without passes, the one with the fewest stones has 36 %.
const CROWDED: usize = 3;

/// Is there nothing left to play for: every point surely owned, or neutral and worth nothing to either side?
pub(super) fn is_settled(position: &Position, owners: &Ownership, judgement: &Judgement) -> bool {
    let is_dame_worthless = position.rules().scoring == Scoring::Territory;
    is_owned(position, owners, judgement, SETTLED, is_dame_worthless)
}

/// Would people count this position as it stands? All borders are closed, up to neutral points between two stones. One
/// side may still invade the other's territory, but no fight is known in which the first move decides.
pub(super) fn is_closed(position: &Position, owners: &Ownership, judgement: &Judgement) -> bool {
    let board = position.board();
    let stones = board.points().filter(|&p| board.cell(p).color().is_some()).count();
    stones * CROWDED >= board.points().count() && is_owned(position, owners, judgement, CLOSED, true)
}

/// Is every point owned by a side that holds it in the playouts by this much (scale −1 to 1), or neutral? Neutral points
/// outside sekis count only if they are worthless.
fn is_owned(
    position: &Position,
    owners: &Ownership,
    judgement: &Judgement,
    enough: f32,
    is_dame_worthless: bool,
) -> bool {
    let statuses = &judgement.statuses;
    let board = position.board();
    let owner = score::area(board, &statuses.dead);
    let safe = Color::BOTH.map(|color| unconditional(board, color));
    board.points().all(|p| {
        let proven = safe.iter().any(|s| s.stones.contains(p) || s.territory.contains(p));
        // A point with an open border nearby belongs to nobody yet, however sure its later owner is.
        let sure = owner[p].is_some_and(|color| owners.of(p) * color.sign() as f32 >= enough);
        // Local games judge small eyes and sekis better than playouts do.
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
        // Under area counting a play on a neutral point is worth a point. On a neutral point of a seki it loses.
        let neutral = board.cell(p) == Cell::Empty && owner[p].is_none();
        let mut stones = board.adjacent(p).into_iter().filter(|&q| board.cell(q).color().is_some()).peekable();
        let in_seki = statuses.seki.contains(p)
            || neutral && stones.peek().is_some() && stones.all(|q| statuses.seki.contains(q));
        // Under territory scoring a neutral point between settled stones of both sides is worth nothing. Where there is
        // more room, a side may still close its border.
        let touches = |color: Color| board.adjacent(p).into_iter().any(|q| board.cell(q) == color.cell());
        in_seki || neutral && is_dame_worthless && Color::BOTH.into_iter().all(touches)
    })
}
