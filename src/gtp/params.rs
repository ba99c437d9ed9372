//! What clients of KataGo and Leela Zero set while the engine runs: parameters by KataGo's names, and what each of them
//! means here. (KataGo's document *GTP Extensions*; its configuration file has the meanings and ranges.)

use std::time::Duration;

use serde_json::{Value, json};

use super::Session;
use super::error::CommandError;
use crate::engine::{Changeable, NO_LIMIT};

/// A parameter.
#[derive(Debug)]
pub struct Param {
    /// KataGo's name.
    pub name: &'static str,
    /// The value in force.
    pub get: fn(&Session) -> Value,
    /// Reads a value; `None` if the parameter cannot have it.
    read: fn(&str) -> Option<Change>,
    /// The values that it can have, for people.
    values: &'static str,
}

/// A change that has been read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// Visits of a position at which the search for a move ends; `None` for no end.
    Visits(Option<u64>),
    /// Playouts at which the search for a move ends; `None` for no end.
    Playouts(Option<u64>),
    /// The longest time for a move; `None` for no limit.
    Time(Option<Duration>),
    /// Search threads.
    Threads(usize),
    /// May the engine resign?
    Resignation(bool),
    /// Does the engine think on the opponent's time?
    Pondering(bool),
    /// Noise at the root of live analysis.
    WideRootNoise(f32),
    /// None: the parameter has one value.
    Nothing,
}

/// KataGo's largest numbers of visits and playouts, and its longest time. They mean that there is no limit.
const UNLIMITED: u64 = 1 << 50;
const FOREVER: f64 = 1e20;
/// The longest time that is a limit: a year. (A guess; the clocks of some systems cannot add more.)
const LONGEST: f64 = 365.0 * 86400.0;
/// As many as `--threads` takes.
const MOST_THREADS: usize = 1024;
/// KataGo's range.
const MOST_NOISE: f32 = 5.0;

/// All parameters.
pub const PARAMS: &[Param] = &[
    Param {
        name: "maxVisits",
        get: |session| json!(session.engine.options().visits.unwrap_or(UNLIMITED)),
        read: |text| count(text).map(Change::Visits),
        values: "a whole number of 1 or more",
    },
    Param {
        name: "maxPlayouts",
        get: |session| json!(session.engine.options().playouts.unwrap_or(UNLIMITED)),
        read: |text| count(text).map(Change::Playouts),
        values: "a whole number of 1 or more",
    },
    Param {
        name: "maxTime",
        get: |session| {
            let is_limited = session.engine.options().most_time != Some(NO_LIMIT);
            let limit = session.engine.time_limit().filter(|_| is_limited);
            json!(limit.map_or(FOREVER, |time| time.as_secs_f64()))
        },
        read: |text| {
            let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0)?;
            Some(Change::Time((seconds <= LONGEST).then(|| Duration::from_secs_f64(seconds))))
        },
        values: "a number of seconds, 0 or more",
    },
    Param {
        name: "numSearchThreads",
        get: |session| json!(session.engine.options().search.threads),
        read: |text| text.parse().ok().filter(|threads| (1..=MOST_THREADS).contains(threads)).map(Change::Threads),
        values: "a whole number from 1 to 1024",
    },
    Param {
        name: "allowResignation",
        get: |session| json!(session.engine.options().may_resign),
        read: |text| switch(text).map(Change::Resignation),
        values: "true or false",
    },
    Param {
        name: "ponderingEnabled",
        get: |session| json!(session.engine.options().ponder),
        read: |text| switch(text).map(Change::Pondering),
        values: "true or false",
    },
    Param {
        name: "analysisWideRootNoise",
        // A float of 32 bits has no digits beyond these.
        get: |session| json!((f64::from(session.engine.options().analysis_noise) * 1e6).round() / 1e6),
        read: |text| text.parse().ok().filter(|noise| (0.0..=MOST_NOISE).contains(noise)).map(Change::WideRootNoise),
        values: "a number from 0 to 5",
    },
    // LizzieYzy asks for this one and the noise, and takes the first answer without an error for this one.
    Param {
        name: "playoutDoublingAdvantage",
        get: |_| json!(0),
        read: |text| text.parse().ok().filter(|advantage: &f32| *advantage == 0.0).map(|_| Change::Nothing),
        values: "0",
    },
];

/// The parameter of this name.
pub fn by_name(name: &str) -> Option<&'static Param> {
    PARAMS.iter().find(|param| param.name == name)
}

/// Reads a value of a parameter.
///
/// # Errors
/// If there is none of that name, or it cannot have the value.
pub fn read(name: &str, value: &str) -> Result<Change, CommandError> {
    let param = by_name(name).ok_or_else(|| {
        let name: String = name.chars().take(60).collect();
        CommandError::new(format!("Could not set params: Unrecognized or non-overridable parameter: {name}"))
    })?;
    (param.read)(value.trim())
        .ok_or_else(|| CommandError::new(format!("Could not set params: {name} must be {}", param.values)))
}

/// Makes these changes.
pub fn apply(session: &mut Session, changes: &[Change]) {
    session.engine.change(|options| changes.iter().for_each(|change| change.apply(options)));
}

impl Change {
    fn apply(self, options: &mut Changeable) {
        match self {
            Change::Visits(most) => options.visits = most,
            Change::Playouts(most) => options.playouts = most,
            Change::Time(most) => options.most_time = Some(most.unwrap_or(NO_LIMIT)),
            Change::Threads(threads) => options.threads = threads,
            Change::Resignation(may_resign) => options.may_resign = may_resign,
            Change::Pondering(ponder) => options.ponder = ponder,
            Change::WideRootNoise(noise) => options.analysis_noise = noise,
            Change::Nothing => {}
        }
    }
}

/// A number of visits or playouts; `Some(None)` if it is none.
fn count(text: &str) -> Option<Option<u64>> {
    let most = text.parse::<u64>().ok().filter(|most| *most > 0)?;
    Some((most < UNLIMITED).then_some(most))
}

fn switch(text: &str) -> Option<bool> {
    text.to_ascii_lowercase().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_out_of_range_are_refused() {
        assert_eq!(read("maxVisits", "500"), Ok(Change::Visits(Some(500))));
        assert_eq!(read("maxPlayouts", "1125899906842624"), Ok(Change::Playouts(None)));
        assert_eq!(read("maxTime", "1e20"), Ok(Change::Time(None)));
        assert_eq!(read("maxTime", "31536000"), Ok(Change::Time(Some(Duration::from_secs(31_536_000)))));
        assert_eq!(read("maxTime", "2.5"), Ok(Change::Time(Some(Duration::from_millis(2500)))));
        assert_eq!(read("allowResignation", "False"), Ok(Change::Resignation(false)));
        assert_eq!(read("playoutDoublingAdvantage", "0.0"), Ok(Change::Nothing));
        let wrong = [
            ("maxVisits", "0"),
            ("maxVisits", ""),
            ("maxPlayouts", "-1"),
            ("maxTime", "nan"),
            ("maxTime", "-1"),
            ("numSearchThreads", "0"),
            ("numSearchThreads", "5000"),
            ("ponderingEnabled", "2"),
            ("analysisWideRootNoise", "5.1"),
            ("analysisWideRootNoise", "nan"),
            ("playoutDoublingAdvantage", "1"),
        ];
        for (name, value) in wrong {
            assert!(read(name, value).is_err(), "{name} {value}");
        }
    }
}
