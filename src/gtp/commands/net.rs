//! Commands about the net.

use std::fmt::Write;

use super::super::{Session, args::Args, error::CommandError, error::CommandResult};
use crate::go::symmetry::SYMMETRIES;
use crate::go::{Color, Move, Point, Size};
use crate::net::Output;
use crate::net::nets::NetChoice;
use crate::search::Report;

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
/// the symmetry. The optimism that may stand behind it means nothing to our nets. On a board that is too small for the
/// nets, playouts answer in their place: LizGoban starts no analysis without this answer.
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
            // As in KataGo: on a rectangle, 4 to 7 turn the board as 0 to 3 do.
            Ok(number) if number < SYMMETRIES => number % all..number % all + 1,
            _ => {
                return Err(CommandError::new(format!(
                    "the symmetry is a number from 0 to {}, or all",
                    SYMMETRIES - 1
                )));
            }
        },
    };
    if optimism.is_some_and(|text| !text.parse().is_ok_and(|optimism: f64| (0.0..=1.0).contains(&optimism))) {
        return Err(CommandError::new("the optimism is a number from 0 to 1"));
    }
    let size = session.engine.game().size();
    let texts: Vec<String> = match session.engine.inquiry(to_move) {
        Some(mut inquiry) => symmetries
            .map(|symmetry| {
                let output = inquiry.ask(symmetry);
                raw(&Said::by_net(output), symmetry, to_move, size)
            })
            .collect(),
        None if session.engine.options().nets.all().is_empty() => return Err(CommandError::new("there is no net")),
        None => {
            let report = session.engine.glance(to_move).map_err(|error| CommandError::new(error.to_string()))?;
            let said = Said::by_playouts(&report, to_move);
            symmetries.map(|symmetry| raw(&said, symmetry, to_move, size)).collect()
        }
    };
    Ok(texts.join("\n"))
}

/// What is said of a position, for the side to move.
struct Said<'a> {
    win_rate: f32,
    lead: f32,
    spread: f32,
    probability: Box<dyn Fn(Move) -> f32 + 'a>,
    owner: Box<dyn Fn(Point) -> f32 + 'a>,
}

impl<'a> Said<'a> {
    fn by_net(output: &'a Output) -> Said<'a> {
        Said {
            win_rate: output.win_rate(),
            lead: output.lead,
            spread: output.spread,
            probability: Box::new(|mv| output.probability(mv)),
            owner: Box::new(|point| output.owner(point)),
        }
    }

    fn by_playouts(report: &'a Report, to_move: Color) -> Said<'a> {
        let sign = if to_move == Color::Black { 1.0 } else { -1.0 };
        let (margin, spread) = report.ownership.margin();
        Said {
            win_rate: report.win_rate,
            lead: sign * margin,
            spread,
            probability: Box::new(|mv| report.moves.iter().find(|m| m.mv == mv).map_or(0.0, |m| m.prior)),
            owner: Box::new(move |point| sign * report.ownership.of(point)),
        }
    }
}

/// KataGo's form. It has no word for a draw, so that half of one counts for each side. A net that does not foresee how
/// its values change has −1 for these three there, and so have ours.
fn raw(said: &Said<'_>, symmetry: usize, to_move: Color, size: Size) -> String {
    let (win, lead) = (said.win_rate, said.lead);
    let (white, white_lead) = if to_move == Color::White { (win, lead) } else { (1.0 - win, -lead) };
    let sign = if to_move == Color::White { 1.0 } else { -1.0 };
    let mut text = format!(
        "symmetry {symmetry}\nwhiteWin {white:.6}\nwhiteLoss {:.6}\nnoResult 0.000000\nwhiteLead {white_lead:.3}\n\
         whiteScoreSelfplay {white_lead:.3}\nwhiteScoreSelfplaySq {:.3}\n\
         varTimeLeft -1.000\nshorttermWinlossError -1.000\nshorttermScoreError -1.000\n",
        1.0 - white,
        white_lead * white_lead + said.spread * said.spread,
    );
    text += "policy\n";
    // A forbidden point has no probability; KataGo writes NAN there.
    rows(&mut text, size, |point| match (said.probability)(Move::Play(point)) {
        0.0 => "NAN".into(),
        probability => format!("{probability:.6}"),
    });
    let _ = writeln!(text, "policyPass {:.6}", (said.probability)(Move::Pass));
    text += "whiteOwnership\n";
    rows(&mut text, size, |point| format!("{:.6}", sign * (said.owner)(point)));
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
