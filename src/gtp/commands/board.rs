//! Commands about the board, komi and rules.

use super::super::{Session, args::Args, error::CommandError, error::CommandResult};
use crate::go::{Cell, Color, Komi, Move, Point, Size, handicap, vertex};

/// A new, empty board. Komi and time settings stay. A second number is the number of rows, as in KataGo, whether a blank
/// or a colon stands before it.
pub(super) fn boardsize(session: &mut Session, args: &Args<'_>) -> CommandResult {
    if let [word] = args.words()
        && let Some((columns, rows)) = word.split_once(':')
    {
        let words = [columns, rows].map(String::from);
        return rectangular_boardsize(session, &Args::new(&words));
    }
    let width = args.count(0)?;
    let height = if args.len() < 2 { width } else { args.count(1)? };
    begin(session, args, (width, height))
}

/// [`boardsize`] with the numbers of columns and rows. (Sabaki and KataGo know this name.)
pub(super) fn rectangular_boardsize(session: &mut Session, args: &Args<'_>) -> CommandResult {
    begin(session, args, (args.count(0)?, args.count(1)?))
}

fn begin(session: &mut Session, args: &Args<'_>, (width, height): (usize, usize)) -> CommandResult {
    // A third number is the size of no board that we know.
    if args.len() > 2 {
        return Err(CommandError::syntax());
    }
    let size = Size::new(width, height).ok_or_else(CommandError::unacceptable_size)?;
    session.engine.new_game(size);
    Ok(String::new())
}

/// An empty board of the same size. Komi and time settings stay.
pub(super) fn clear_board(session: &mut Session, _: &Args<'_>) -> CommandResult {
    let size = session.engine.game().size();
    session.engine.new_game(size);
    Ok(String::new())
}

/// Sets komi in points.
pub(super) fn komi(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let points: f64 = args.parse(0)?;
    if !points.is_finite() {
        return Err(CommandError::syntax());
    }
    let komi = Komi::new(points).map_err(|error| CommandError::new(error.to_string()))?;
    session.engine.game_mut().set_komi(komi);
    Ok(String::new())
}

/// Komi in points, without compensation for handicap stones.
pub(super) fn get_komi(session: &mut Session, _: &Args<'_>) -> CommandResult {
    Ok(session.engine.game().komi().to_string())
}

/// The board as a picture, the last move in brackets.
pub(in crate::gtp) fn showboard(session: &mut Session, _: &Args<'_>) -> CommandResult {
    let game = session.engine.game();
    let position = game.position();
    let board = position.board();
    let size = board.size();
    let last = game.moves().last().map(|&(_, mv)| mv);
    let letters: String = (0..size.width()).map(|column| format!(" {}", vertex::letter(column))).collect();
    let mut lines = vec![
        format!(
            "Move {}, {} to play, komi {}, {} rules",
            game.move_count() + 1,
            position.to_move(),
            game.komi(),
            game.rules().name()
        ),
        format!("  {letters}"),
    ];
    for row in (0..size.height()).rev() {
        let mut line = format!("{:2}", row + 1);
        for column in 0..size.width() {
            let point = Point::new(column, row, size);
            let before = match last {
                Some(Move::Play(p)) if p == point => '(',
                // The bracket after the last move takes the place of the next point's blank.
                Some(Move::Play(p)) if p.row(size) == row && p.column(size) + 1 == column => ')',
                _ => ' ',
            };
            line.push(before);
            line.push(match board.cell(point) {
                Cell::Black => 'X',
                Cell::White => 'O',
                _ if is_star(size, column, row) => '+',
                _ => '.',
            });
        }
        let closed = matches!(last, Some(Move::Play(p)) if p.row(size) == row && p.column(size) + 1 == size.width());
        line.push(if closed { ')' } else { ' ' });
        line.push_str(&(row + 1).to_string());
        if row + 1 == size.height() {
            line.push_str(&format!("   black (X) has captured {}", board.captured(Color::White)));
        }
        if row + 2 == size.height() {
            line.push_str(&format!("   white (O) has captured {}", board.captured(Color::Black)));
        }
        lines.push(line);
    }
    lines.push(format!("  {letters}"));
    Ok(lines.join("\n"))
}

/// The points that boards mark: the points of a fixed handicap of nine stones, or of four where a board has no more.
fn is_star(size: Size, column: usize, row: usize) -> bool {
    handicap::fixed(size, handicap::most_fixed(size))
        .is_ok_and(|points| points.contains(&Point::new(column, row, size)))
}
