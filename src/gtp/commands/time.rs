//! Time: GTP draft 2, §4.2, and the further controls of KGS's bridge and of KataGo's GTP extensions.

use std::time::Duration;

use super::super::{Session, args::Args, error::CommandError, error::CommandResult};
use crate::clock::TimeControl;

/// Sets both clocks; times are in seconds.
pub(super) fn time_settings(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let (main, period) = (args.seconds(0)?, args.seconds(1)?);
    let stones = args.count(2)?.try_into().unwrap_or(u32::MAX);
    session.engine.set_time_control(TimeControl::from_gtp(main, period, stones));
    Ok(String::new())
}

/// Sets a side's clock: seconds, and stones in byo-yomi (periods in Japanese byo-yomi) or 0 in main time. A negative
/// number counts as 0, because bridges compute the time, and the command may come late.
pub(super) fn time_left(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let (color, left) = (args.color(0)?, args.seconds_or_none(1)?);
    let stones = args.count(2)?.try_into().unwrap_or(u32::MAX);
    session.engine.clock_mut(color).set_left(left.unwrap_or_default(), stones);
    Ok(String::new())
}

/// The controls of KGS: `none`, `absolute`, `byoyomi` (Japanese) and `canadian`.
pub(super) fn kgs_time_settings(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let control = control(args, KGS)?;
    session.engine.set_time_control(control);
    Ok(String::new())
}

/// The names of the controls that `kata-time_settings` takes, separated by blanks.
pub(super) fn kata_list_time_settings(_: &mut Session, _: &Args<'_>) -> CommandResult {
    Ok(KATA.join(" "))
}

/// The controls of KGS, `fischer MAIN INCREMENT` and `fischer-capped MAIN INCREMENT MOST_TIME LONGEST_MOVE`, where a
/// negative limit is none.
pub(super) fn kata_time_settings(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let control = control(args, KATA)?;
    session.engine.set_time_control(control);
    Ok(String::new())
}

const KGS: &[&str] = &["none", "absolute", "byoyomi", "canadian"];
const KATA: &[&str] = &["none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped"];

/// Reads one of these controls.
fn control(args: &Args<'_>, known: &[&str]) -> Result<TimeControl, CommandError> {
    let kind = args.word(0)?.to_ascii_lowercase();
    if !known.contains(&kind.as_str()) {
        return Err(CommandError::syntax());
    }
    let main = || args.seconds(1);
    Ok(match kind.as_str() {
        "none" => TimeControl::Unlimited,
        "absolute" => TimeControl::from_gtp(main()?, Duration::ZERO, 0),
        "byoyomi" | "canadian" => {
            let (main, period) = (main()?, args.seconds(2)?);
            let count = args.count(3)?.try_into().unwrap_or(u32::MAX);
            match kind.as_str() {
                // No overtime at all.
                _ if count == 0 || period.is_zero() => TimeControl::from_gtp(main, Duration::ZERO, 0),
                "byoyomi" => TimeControl::ByoYomi { main, period, periods: count },
                _ => TimeControl::Canadian { main, period, stones: count },
            }
        }
        _ => {
            let (main, increment) = (main()?, args.seconds(2)?);
            let capped = kind == "fischer-capped";
            TimeControl::Fischer {
                main,
                increment,
                cap: if capped { args.seconds_or_none(3)? } else { None },
                per_move: if capped { args.seconds_or_none(4)? } else { None },
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> TimeControl {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        control(&Args::new(&words), KATA).unwrap_or_else(|error| panic!("{words:?}: {error}"))
    }

    /// The command that sets a time control. A new time control does not compile before it has a command here.
    fn words(control: TimeControl) -> String {
        let limit = |limit: Option<Duration>| limit.map_or(-1.0, |limit| limit.as_secs_f64());
        let seconds = |time: Duration| time.as_secs_f64();
        match control {
            TimeControl::Unlimited => "none".into(),
            TimeControl::Absolute { main } => format!("absolute {}", seconds(main)),
            TimeControl::Canadian { main, period, stones } => {
                format!("canadian {} {} {stones}", seconds(main), seconds(period))
            }
            TimeControl::ByoYomi { main, period, periods } => {
                format!("byoyomi {} {} {periods}", seconds(main), seconds(period))
            }
            TimeControl::Fischer { main, increment, cap: None, per_move: None } => {
                format!("fischer {} {}", seconds(main), seconds(increment))
            }
            TimeControl::Fischer { main, increment, cap, per_move } => {
                format!("fischer-capped {} {} {} {}", seconds(main), seconds(increment), limit(cap), limit(per_move))
            }
        }
    }

    #[test]
    fn every_time_control_has_a_command_that_sets_it() {
        for name in KATA {
            let text = match *name {
                "none" => "none".into(),
                "absolute" => "absolute 600".into(),
                "fischer" => "fischer 300 2.5".into(),
                "fischer-capped" => "fischer-capped 300 2.5 600 -1".into(),
                overtime => format!("{overtime} 600 30 5"),
            };
            assert_eq!(words(read(&text)), text);
            assert_eq!(read(&words(read(&text))), read(&text));
        }
        assert!(KGS.iter().all(|name| KATA.contains(name)));
    }
}
