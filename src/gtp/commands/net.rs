//! Commands about the net.

use std::fmt::Write;

use super::super::{Session, args::Args, error::CommandError, error::CommandResult};
use crate::go::{Color, Move, Point, Size};
use crate::net::Output;
use crate::net::nets::NetChoice;

/// Shows or changes the net. A file that holds no net is an error, and the old net stays.
pub(super) fn kosumi_net(session: &mut Session, args: &Args<'_>) -> CommandResult {
    if args.is_empty() {
        let size = session.engine.game().size();
        let net = session.engine.options().nets.for_size(size);
        return Ok(
            net.map_or_else(|| "none".into(), |net| format!("{} {}", net.net().description().name, net.net().kernel()))
        );
    }
    // File names with blanks come as several words.
    let Ok(choice) = args.words().join(" ").parse::<NetChoice>();
    let nets = choice.nets().map_err(|error| CommandError::new(error.to_string()))?;
    session.engine.set_nets(nets);
    Ok(String::new())
}

/// What the net alone says of the position, in KataGo's form: with one of the board's symmetries, or with all of them
/// one after the other. The values are White's; the policy is that of the side to move.
pub(super) fn kata_raw_nn(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let all = session.engine.game().size().symmetries();
    let symmetries = match args.words() {
        [] => 0..1,
        [word] if word == "all" => 0..all,
        [number] => match number.parse::<usize>() {
            Ok(number) if number < all => number..number + 1,
            _ => return Err(CommandError::new(format!("the symmetry is a number from 0 to {}, or all", all - 1))),
        },
        _ => return Err(CommandError::syntax()),
    };
    let Some(mut inquiry) = session.engine.inquiry() else {
        return Err(CommandError::new("there is no net"));
    };
    let (to_move, size) = (session.engine.game().position().to_move(), session.engine.game().size());
    let texts = symmetries.map(|symmetry| raw(inquiry.ask(symmetry), symmetry, to_move, size));
    Ok(texts.collect::<Vec<_>>().join("\n"))
}

/// KataGo's form. It has no word for a draw, so that half of one counts for each side.
fn raw(output: &Output, symmetry: usize, to_move: Color, size: Size) -> String {
    let (win, lead) = (output.win_rate(), output.lead);
    let (white, white_lead) = if to_move == Color::White { (win, lead) } else { (1.0 - win, -lead) };
    let sign = if to_move == Color::White { 1.0 } else { -1.0 };
    let mut text = format!(
        "symmetry {symmetry}\nwhiteWin {white:.6}\nwhiteLoss {:.6}\nnoResult 0.000000\nwhiteLead {white_lead:.3}\n\
         whiteScoreSelfplay {white_lead:.3}\nwhiteScoreSelfplaySq {:.3}\n",
        1.0 - white,
        white_lead * white_lead + output.spread * output.spread,
    );
    text += "policy\n";
    // A forbidden point has no probability; KataGo writes NAN there.
    rows(&mut text, size, |point| match output.probability(Move::Play(point)) {
        0.0 => "NAN".into(),
        probability => format!("{probability:.6}"),
    });
    let _ = writeln!(text, "policyPass {:.6}", output.probability(Move::Pass));
    text += "whiteOwnership\n";
    rows(&mut text, size, |point| format!("{:.6}", sign * output.owner(point)));
    text.pop();
    text
}

/// A line for each row of the board, the top row first.
fn rows(text: &mut String, size: Size, of_point: impl Fn(Point) -> String) {
    for row in (0..size.height()).rev() {
        let cells = (0..size.width()).map(|column| of_point(Point::new(column, row, size)));
        *text += &cells.collect::<Vec<_>>().join(" ");
        text.push('\n');
    }
}
