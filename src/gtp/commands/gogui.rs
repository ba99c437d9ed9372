//! GoGui's extensions: what GoGui shows of a search, interrupts, set-up positions and whole sequences of moves.

use super::super::{Session, args::Args, error::CommandError, error::CommandResult, gogui};
use crate::engine::{Engine, Watch};
use crate::game::SetupError;
use crate::game::error::MOST_PLAYS;
use crate::go::vertex::Vertex;
use crate::go::{Color, Point};
use crate::view::View;
use gogui::{LiveGraphics, Painter};

/// What GoGui's analyze dialog offers: type, label and command.
const ANALYZE_COMMANDS: &[&str] = &[
    "gfx/Best Moves/kosumi-best_moves %m",
    "pspairs/Visits/kosumi-visits %m",
    "pspairs/Win Rates/kosumi-win_rates %m",
    "var/Principal Variation/kosumi-variation %m",
    "dboard/Ownership/kosumi-ownership %m",
    "hstring/Search Statistics/kosumi-statistics %m",
    "plist/Dead Stones/final_status_list dead",
    "plist/Stones in Seki/final_status_list seki",
    "string/Final Score/final_score",
    "param/Search Parameters/kosumi-param",
    "param/Live Graphics/kosumi-live_graphics",
];

/// What GoGui's analyze dialog offers.
pub(super) fn analyze_commands(_: &mut Session, _: &Args<'_>) -> CommandResult {
    Ok(ANALYZE_COMMANDS.join("\n"))
}

/// Tells GoGui by its existence that `# interrupt` is understood. The command does nothing.
pub(super) fn interrupt(_: &mut Session, _: &Args<'_>) -> CommandResult {
    Ok(String::new())
}

/// The title of GoGui's window.
pub(super) fn title(_: &mut Session, _: &Args<'_>) -> CommandResult {
    Ok(concat!("Kosumi ", env!("CARGO_PKG_VERSION")).into())
}

/// Plays `COLOR VERTEX COLOR VERTEX ...`: all of them or none.
pub(super) fn play_sequence(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let size = session.engine.game().size();
    if !args.len().is_multiple_of(2) {
        return Err(CommandError::syntax());
    }
    let moves: Result<Vec<(Color, Vertex)>, CommandError> =
        (0..args.len()).step_by(2).map(|i| Ok((args.color(i)?, args.vertex(i + 1, size)?))).collect();
    let moves = moves?;
    if session.engine.game().moves().len() + moves.len() > MOST_PLAYS {
        return Err(CommandError::new(format!("a game has {MOST_PLAYS} moves at the most")));
    }
    // The moves are tried on a copy first, so that refused moves leave no variations in the record.
    let mut position = session.engine.game().position().clone();
    let mut legal = Vec::with_capacity(moves.len());
    for (color, vertex) in moves {
        let Vertex::On(mv) = vertex else { return Err(CommandError::illegal_move()) };
        position.set_to_move(color);
        position.play(mv).map_err(|_| CommandError::illegal_move())?;
        legal.push((color, mv));
    }
    let game = session.engine.game_mut();
    for (color, mv) in legal {
        game.play(color, mv).map_err(|_| CommandError::new("internal error"))?;
    }
    Ok(String::new())
}

/// Puts `COLOR VERTEX COLOR VERTEX ...` on the empty board: all of them or none.
pub(super) fn setup(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let game = session.engine.game();
    let size = game.size();
    if !args.len().is_multiple_of(2) {
        return Err(CommandError::syntax());
    }
    let named: Result<Vec<(Color, Point)>, CommandError> =
        (0..args.len()).step_by(2).map(|i| Ok((args.color(i)?, args.point(i + 1, size)?))).collect();
    let named = named?;
    let position = session.engine.game().position();
    if position.board().empties().len() != size.points() || session.engine.game().move_count() > 0 {
        return Err(CommandError::board_not_empty());
    }
    let to_move = position.to_move();
    session.engine.game_mut().set_up(named, to_move).map_err(|error| match error {
        SetupError::BoardNotEmpty => CommandError::board_not_empty(),
        SetupError::Stones => CommandError::new("two stones on a point, or stones without liberties"),
    })?;
    Ok(String::new())
}

/// Sets who moves first in a position that was set up.
pub(super) fn setup_player(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let color = args.color(0)?;
    no_moves(session)?;
    session.engine.game_mut().set_first_player(color);
    Ok(String::new())
}

fn no_moves(session: &Session) -> Result<(), CommandError> {
    match session.engine.game().move_count() {
        0 => Ok(()),
        _ => Err(CommandError::new("there are moves on the board already")),
    }
}

/// The named side, or the side to move.
fn side(session: &Session, args: &Args<'_>) -> Result<Color, CommandError> {
    match args.words().first() {
        Some(word) => Color::by_name(word).ok_or_else(CommandError::syntax),
        None => Ok(session.engine.game().position().to_move()),
    }
}

/// The findings about the position with the named side, or the side to move, as `text` formats them.
fn shown(session: &mut Session, args: &Args<'_>, text: fn(&View) -> String) -> CommandResult {
    let color = side(session, args)?;
    let report = session.engine.findings(color)?;
    Ok(text(&View::of(&report, color, session.engine.game().size())))
}

/// The owner of each point, see [`gogui::ownership_board`].
pub(super) fn ownership(session: &mut Session, args: &Args<'_>) -> CommandResult {
    shown(session, args, gogui::ownership_board)
}

/// The best moves, see [`gogui::best_moves`].
pub(super) fn best_moves(session: &mut Session, args: &Args<'_>) -> CommandResult {
    shown(session, args, gogui::best_moves)
}

/// Visits of moves, see [`gogui::visits`].
pub(super) fn visits(session: &mut Session, args: &Args<'_>) -> CommandResult {
    shown(session, args, gogui::visits)
}

/// Win rates of moves, see [`gogui::win_rates`].
pub(super) fn win_rates(session: &mut Session, args: &Args<'_>) -> CommandResult {
    shown(session, args, gogui::win_rates)
}

/// The expected continuation.
pub(super) fn variation(session: &mut Session, args: &Args<'_>) -> CommandResult {
    shown(session, args, gogui::variation)
}

/// All that there is to say of a search, see [`gogui::statistics`].
pub(super) fn statistics(session: &mut Session, args: &Args<'_>) -> CommandResult {
    shown(session, args, gogui::statistics)
}

/// Shows or sets what is drawn while a move is chosen.
pub(super) fn live_graphics(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let value = match args.words() {
        [] => {
            let names = LiveGraphics::ALL.map(|(name, _)| name).join("/");
            return Ok(format!("[list/{names}] live_graphics {}", session.live_graphics.name()));
        }
        [value] => value,
        // As GoGui's dialog sends it, with the key.
        [key, value] if key == "live_graphics" => value,
        _ => return Err(CommandError::syntax()),
    };
    session.live_graphics = LiveGraphics::by_name(value).ok_or_else(CommandError::syntax)?;
    Ok(String::new())
}

/// Does some work for a move of this side, and draws the search if the user wants drawings.
pub(super) fn painted<R>(
    session: &mut Session,
    color: Color,
    work: impl FnOnce(&mut Engine, &mut Watch<'_>) -> R,
) -> R {
    let Session { engine, stream, live_graphics, .. } = session;
    if *live_graphics == LiveGraphics::Off {
        return work(engine, &mut |_| {});
    }
    let time = engine.options().search.time.clone();
    let mut painter = Painter::new(*live_graphics, color, engine.game().size(), time);
    let result = work(engine, &mut |report| {
        if let Some(drawing) = painter.draw(report) {
            stream.write_aside(&drawing);
        }
    });
    stream.write_aside(painter.end());
    result
}
