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
/// one after the other. The values are White's; the policy is that of the side to move, or of the side that comes before
/// the symmetry. The optimism that may stand behind it means nothing to our nets.
pub(super) fn kata_raw_nn(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let all = session.engine.game().size().symmetries();
    let named = args.words().first().and_then(|word| Color::by_name(word));
    let to_move = named.unwrap_or_else(|| session.engine.game().position().to_move());
    let words = &args.words()[usize::from(named.is_some())..];
    let (symmetry, optimism) = match words {
        [] => (None, None),
        [symmetry] => (Some(symmetry.as_str()), None),
        [symmetry, optimism] => (Some(symmetry.as_str()), Some(optimism)),
        _ => return Err(CommandError::syntax()),
    };
    let symmetries = match symmetry {
        None => 0..1,
        Some("all") => 0..all,
        Some(number) => match number.parse::<usize>() {
            Ok(number) if number < all => number..number + 1,
            _ => return Err(CommandError::new(format!("the symmetry is a number from 0 to {}, or all", all - 1))),
        },
    };
    if optimism.is_some_and(|text| !text.parse().is_ok_and(|optimism: f64| (0.0..=1.0).contains(&optimism))) {
        return Err(CommandError::new("the optimism is a number from 0 to 1"));
    }
    let Some(mut inquiry) = session.engine.inquiry(to_move) else {
        return Err(CommandError::new("there is no net"));
    };
    let size = session.engine.game().size();
    let texts = symmetries.map(|symmetry| raw(inquiry.ask(symmetry), symmetry, to_move, size));
    Ok(texts.collect::<Vec<_>>().join("\n"))
}

/// KataGo's form. It has no word for a draw, so that half of one counts for each side. A net that does not foresee how
/// its values change has −1 for these three there, and so have ours.
fn raw(output: &Output, symmetry: usize, to_move: Color, size: Size) -> String {
    let (win, lead) = (output.win_rate(), output.lead);
    let (white, white_lead) = if to_move == Color::White { (win, lead) } else { (1.0 - win, -lead) };
    let sign = if to_move == Color::White { 1.0 } else { -1.0 };
    let mut text = format!(
        "symmetry {symmetry}\nwhiteWin {white:.6}\nwhiteLoss {:.6}\nnoResult 0.000000\nwhiteLead {white_lead:.3}\n\
         whiteScoreSelfplay {white_lead:.3}\nwhiteScoreSelfplaySq {:.3}\n\
         varTimeLeft -1.000\nshorttermWinlossError -1.000\nshorttermScoreError -1.000\n",
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
