//! Time (GTP draft 2, §4.2).

use super::super::{Session, args::Args, error::CommandResult};
use crate::clock::TimeControl;

/// Sets both clocks; times are in seconds.
pub fn time_settings(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let (main, period) = (args.seconds(0)?, args.seconds(1)?);
    let stones = args.count(2)?.try_into().unwrap_or(u32::MAX);
    session.engine.set_time_control(TimeControl::from_gtp(main, period, stones));
    Ok(String::new())
}

/// Sets a side's clock: seconds, and stones in byo-yomi or 0 in main time.
pub fn time_left(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let (color, left) = (args.color(0)?, args.seconds(1)?);
    let stones = args.count(2)?.try_into().unwrap_or(u32::MAX);
    session.engine.clock_mut(color).set_left(left, stones);
    Ok(String::new())
}
