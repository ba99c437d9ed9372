//! Handicap stones (GTP draft 2, §4.1).

use super::super::{Session, args::Args, error::CommandError, error::CommandResult};
use crate::game::SetupError;
use crate::go::{Point, handicap, vertex};

fn place(session: &mut Session, points: &[Point]) -> Result<(), CommandError> {
    session.engine.game_mut().place_handicap(points).map_err(|error| match error {
        SetupError::BoardNotEmpty => CommandError::board_not_empty(),
        SetupError::Stones => CommandError::bad_vertex_list(),
    })
}

/// Places stones on the specification's points and names them.
pub(super) fn fixed_handicap(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let size = session.engine.game().size();
    let points = handicap::fixed(size, args.count(0)?).map_err(|_| CommandError::invalid_handicap())?;
    place(session, &points)?;
    Ok(vertex::list(points, size))
}

/// Places exactly the number of stones asked for, because bridges take fewer stones for an error.
pub(super) fn place_free_handicap(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let size = session.engine.game().size();
    let points = handicap::free(size, args.count(0)?).ok_or_else(CommandError::invalid_handicap)?;
    place(session, &points)?;
    Ok(vertex::list(points, size))
}

/// Places stones on the points given: all of them or none.
pub(super) fn set_free_handicap(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let size = session.engine.game().size();
    let points: Result<Vec<Point>, CommandError> = (0..args.len()).map(|i| args.point(i, size)).collect();
    let points = points.map_err(|_| CommandError::bad_vertex_list())?;
    if points.len() < 2 {
        return Err(CommandError::bad_vertex_list());
    }
    place(session, &points)?;
    Ok(String::new())
}
