//! Readers of the values of options, the same for the command line, the environment and the file. A reader that refuses
//! a value says which values it takes.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use kosumi::go::{Color, MAX_POINTS, MAX_SIZE, MIN_SIZE, Ruleset, Size, rule_keys};
use kosumi::playout::PolicyKind;
use kosumi::review::PictureFormat;
use kosumi::search::params::Tunables;

/// A reader of whole numbers in a range.
pub(super) fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync,
{
    move |text| match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(format!("must be a whole number from {} to {}", range.start(), range.end())),
    }
}

/// `true` or `false`.
pub(super) fn switch(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "must be true or false".into())
}

/// A name that fits into one line of an answer.
pub(super) fn engine_name(text: &str) -> Result<String, String> {
    let fits = !text.trim().is_empty() && text.chars().count() <= 100 && !text.chars().any(char::is_control);
    if fits { Ok(text.trim().into()) } else { Err("must be a text of one line, 1 to 100 characters".into()) }
}

/// Seconds, up to a day.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let range = "must be a number of seconds from 0 to 86400, such as 2.5";
    let seconds: f64 = text.parse().map_err(|_| range)?;
    if (0.0..=86400.0).contains(&seconds) { Ok(Duration::from_secs_f64(seconds)) } else { Err(range.into()) }
}

/// The size of a board: its rows, or its columns and rows.
pub(super) fn board_size(text: &str) -> Result<Size, String> {
    text.parse().map_err(|_| format!("must be a whole number from {MIN_SIZE} to {MAX_SIZE}, or two such as 9x13"))
}

/// The rows of a square board.
pub(super) fn square_size(text: &str) -> Result<usize, String> {
    whole(MIN_SIZE..=MAX_SIZE)(text)
}

/// Handicap stones: none, or two and more. One stone is only the first move. How many a board takes is seen later.
pub(super) fn handicap(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(stones) if stones == 0 || (2..=MAX_POINTS).contains(&stones) => Ok(stones),
        _ => Err(format!("must be 0 for none, or a whole number from 2 to {MAX_POINTS} that the board has room for")),
    }
}

/// A side.
pub(super) fn color(text: &str) -> Result<Color, String> {
    Color::by_name(text).ok_or_else(|| "must be black or white".into())
}

/// A deviation in points.
pub(super) fn points(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(points) if (0.0..=1000.0).contains(&points) => Ok(points),
        _ => Err("must be a number of points from 0 to 1000".into()),
    }
}

/// A win rate.
pub(super) fn rate(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(rate) if (0.0..=1.0).contains(&rate) => Ok(rate),
        _ => Err("must be a number from 0 to 1, such as 0.1".into()),
    }
}

/// The name of a rule set.
pub(super) fn rules(text: &str) -> Result<Ruleset, String> {
    Ruleset::by_name(text).ok_or_else(|| format!("must be one of {}", Ruleset::names().collect::<Vec<_>>().join(", ")))
}

/// The name of a rule set or its parts, such as `koSIMPLEscoreAREA`.
pub(super) fn rules_or_parts(text: &str) -> Result<Ruleset, String> {
    let Some(rules) = rule_keys::read(text) else { return rules(text) };
    rules.validate().map(|()| rules).map_err(|error| error.to_string())
}

/// The name of a playout policy.
pub(super) fn policy(text: &str) -> Result<PolicyKind, String> {
    PolicyKind::by_name(text).ok_or_else(|| "must be uniform or tactical".into())
}

/// What a picture is.
pub(super) fn picture_format(text: &str) -> Result<PictureFormat, String> {
    PictureFormat::by_name(text).ok_or_else(|| "must be svg or png".into())
}

/// How much is logged.
pub(super) fn log_level(text: &str) -> Result<log::LevelFilter, String> {
    text.parse().map_err(|_| "must be one of off, error, warn, info, debug, trace".into())
}

/// `NAME=VALUE` of a tunable of the search.
pub(super) fn tunable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("must have the form NAME=VALUE")?;
    Tunables::default().set(name, value).map_err(|error| error.to_string())?;
    Ok((name.into(), value.into()))
}

/// The name of a preset.
pub(super) fn preset(text: &str) -> Result<String, String> {
    let text = text.to_ascii_lowercase();
    match super::presets::by_name(&text) {
        Some(_) => Ok(text),
        None => Err(format!("must be one of {}", super::presets::names().collect::<Vec<_>>().join(", "))),
    }
}
