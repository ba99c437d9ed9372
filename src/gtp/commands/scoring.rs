//! The end of the game: score and life and death.

use super::super::{Session, args::Args, error::CommandError, error::CommandResult};
use crate::go::score::{self, Outcome};
use crate::go::{Color, Point, PointSet, vertex};

/// `0`, `B+12.5`, `W+3`: the count of a game that has ended, an estimate of an open one. A game without a result gives
/// an error, which tournament programs note as unknown.
pub(super) fn final_score(session: &mut Session, _: &Args<'_>) -> CommandResult {
    match session.engine.score()? {
        Outcome::NoResult => Err(CommandError::cannot_score("the game has no result")),
        outcome => Ok(outcome.to_string()),
    }
}

/// The status of a stone, or the owner of an empty point.
pub(super) fn final_status(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let point = args.point(0, session.engine.game().size())?;
    let statuses = session.engine.statuses();
    let position = session.engine.game().position();
    let board = position.board();
    let text = if board.cell(point).color().is_some() {
        if statuses.dead.contains(point) {
            "dead"
        } else if statuses.seki.contains(point) {
            "seki"
        } else {
            "alive"
        }
    } else {
        match score::owners(position, &statuses)[point] {
            Some(Color::Black) => "black_territory",
            Some(Color::White) => "white_territory",
            None => "dame",
        }
    };
    Ok(text.into())
}

/// The stones of a status, a chain a line.
pub(super) fn final_status_list(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let wanted = args.word(0)?;
    if !matches!(wanted, "dead" | "alive" | "seki") {
        return Err(CommandError::syntax());
    }
    let statuses = session.engine.statuses();
    let board = session.engine.game().position().board();
    let mut seen = PointSet::EMPTY;
    let mut lines = Vec::new();
    for point in board.points() {
        let has_status = match wanted {
            "dead" => statuses.dead.contains(point),
            "seki" => statuses.seki.contains(point),
            _ => !statuses.dead.contains(point) && !statuses.seki.contains(point),
        };
        if board.cell(point).color().is_none() || !has_status || seen.contains(point) {
            continue;
        }
        let mut chain: Vec<Point> = board.chain(point).collect();
        chain.sort_unstable();
        for &stone in &chain {
            seen.insert(stone);
        }
        lines.push(vertex::list(chain, board.size()));
    }
    Ok(lines.join("\n"))
}
