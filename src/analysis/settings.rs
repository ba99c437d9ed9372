//! Settings by KataGo's names: those of its configuration files, of `-override-config`, and of `overrideSettings` in a
//! query. A tunable of the search may stand among them by its own name.

use std::num::NonZeroUsize;
use std::time::Duration;

use crate::go::Color;
use crate::search::params::{ParamError, Tunables};

/// For which side numbers hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Perspective {
    /// Always for this side.
    Of(Color),
    /// For the side to move.
    #[default]
    SideToMove,
}

impl Perspective {
    /// The side, when this side is to move.
    pub fn side(self, to_move: Color) -> Color {
        match self {
            Perspective::Of(color) => color,
            Perspective::SideToMove => to_move,
        }
    }
}

/// Settings of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Visits of the root at which a search ends.
    pub max_visits: Option<u64>,
    /// Playouts at which a search ends. Each search begins with an empty tree, so these are visits, too.
    pub max_playouts: Option<u64>,
    /// Time after which a search ends.
    pub max_time: Option<Duration>,
    /// For which side the numbers of answers hold.
    pub perspective: Perspective,
    /// The most threads of one search.
    pub threads: Option<usize>,
    /// The most positions that are searched side by side. This counts at the start only.
    pub workers: Option<NonZeroUsize>,
    /// The most moves of a variation.
    pub longest_variation: usize,
    /// Tunables of the search, over those of the command line.
    pub tunables: Tunables,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            max_visits: None,
            max_playouts: None,
            max_time: None,
            perspective: Perspective::default(),
            threads: None,
            workers: None,
            // KataGo's default.
            longest_variation: 15,
            tunables: Tunables::default(),
        }
    }
}

/// A value that the setting cannot have.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SettingError {
    /// The value is no whole number in this range.
    #[error("{name} must be an integer from {low} to {high}")]
    Whole {
        /// The setting.
        name: String,
        /// The smallest value.
        low: u64,
        /// The largest value.
        high: u64,
    },
    /// The value is no time.
    #[error("maxTime must be a number of seconds, 0 or more")]
    Time,
    /// The value is no perspective.
    #[error("reportAnalysisWinratesAs must be BLACK, WHITE or SIDETOMOVE")]
    Perspective,
    /// The value is not in the range of the tunable.
    #[error(transparent)]
    Tunable(ParamError),
}

/// The largest count, as in KataGo.
pub(super) const MOST_VISITS: u64 = 1 << 50;

/// Longer times are cut to a year: the clocks of some systems cannot add more.
const LONGEST_TIME: f64 = 365.0 * 86400.0;

impl Settings {
    /// Sets what KataGo calls `name`. Gives whether the name stands for anything here.
    ///
    /// # Errors
    /// If the setting cannot have this value; nothing changes then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool, SettingError> {
        let value = value.trim();
        let whole = |low, high| match value.parse::<u64>() {
            Ok(number) if (low..=high).contains(&number) => Ok(number),
            _ => Err(SettingError::Whole { name: name.into(), low, high }),
        };
        match name {
            "maxVisits" => self.max_visits = Some(whole(1, MOST_VISITS)?),
            "maxPlayouts" => self.max_playouts = Some(whole(1, MOST_VISITS)?),
            "maxTime" => {
                let seconds = value.parse::<f64>().ok().filter(|seconds| *seconds >= 0.0);
                let seconds = seconds.ok_or(SettingError::Time)?.min(LONGEST_TIME);
                self.max_time = Some(Duration::from_secs_f64(seconds));
            }
            "reportAnalysisWinratesAs" => {
                self.perspective = match value.to_ascii_lowercase().as_str() {
                    "b" | "black" => Perspective::Of(Color::Black),
                    "w" | "white" => Perspective::Of(Color::White),
                    "sidetomove" => Perspective::SideToMove,
                    _ => return Err(SettingError::Perspective),
                };
            }
            "numSearchThreads" | "numSearchThreadsPerAnalysisThread" => self.threads = Some(whole(1, 4096)? as usize),
            "numAnalysisThreads" => self.workers = NonZeroUsize::new(whole(1, 16384)? as usize),
            "analysisPVLen" => self.longest_variation = whole(1, 1000)? as usize,
            _ => match self.tunables.set(tunable(name), value) {
                Ok(()) => {}
                Err(ParamError::Unknown(_)) => return Ok(false),
                Err(error) => return Err(SettingError::Tunable(error)),
            },
        }
        Ok(true)
    }

    /// The playouts at which a search ends.
    pub(super) fn playouts(&self) -> Option<u64> {
        self.max_visits.into_iter().chain(self.max_playouts).min()
    }
}

/// The tunable that KataGo calls `name`.
fn tunable(name: &str) -> &str {
    match name {
        "wideRootNoise" | "analysisWideRootNoise" => "wide_root_noise",
        name => name,
    }
}

/// The settings of a configuration file in KataGo's form: `name = value` lines, with comments behind `#`. A line that
/// begins with `@` includes another file, which is left to KataGo.
pub fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let content = text.lines().map(|line| line.split_once('#').map_or(line, |(line, _)| line).trim());
    content
        .filter(|line| !line.starts_with('@'))
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.trim(), value.trim().trim_matches('"')))
}

/// The settings of `-override-config`: `name=value` with commas between them.
pub fn list(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| part.split_once('=').map_or((part, ""), |(name, value)| (name.trim(), value.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_file_of_katago_is_read() {
        let text =
            "# A file.\nmaxVisits = 500 # enough\n@include other.cfg\nnumAnalysisThreads=2\n\nlogDir = \"logs\"\nodd\n";
        let found: Vec<_> = lines(text).collect();
        assert_eq!(found, [("maxVisits", "500"), ("numAnalysisThreads", "2"), ("logDir", "logs")]);
        let mut settings = Settings::default();
        let known: Vec<_> = found.iter().map(|(name, value)| settings.set(name, value)).collect();
        assert_eq!(known, [Ok(true), Ok(true), Ok(false)]);
        assert_eq!((settings.playouts(), settings.workers), (Some(500), NonZeroUsize::new(2)));
    }

    #[test]
    fn values_out_of_range_are_refused_and_change_nothing() {
        let mut settings = Settings::default();
        let wrong = [
            ("maxVisits", "0"),
            ("maxVisits", "-1"),
            ("maxVisits", "1.5"),
            ("maxPlayouts", "x"),
            ("maxTime", "-1"),
            ("maxTime", "nan"),
            ("reportAnalysisWinratesAs", "RED"),
            ("numSearchThreads", "0"),
            ("analysisPVLen", ""),
            ("prior_scale", "-3"),
        ];
        for (name, value) in wrong {
            assert!(settings.set(name, value).is_err(), "{name}={value}");
        }
        assert_eq!(settings, Settings::default());
        assert_eq!(settings.set("maxTime", "1e20"), Ok(true));
        assert_eq!(settings.set("prior-scale", "30"), Ok(true));
        assert_eq!(settings.set("wideRootNoise", "0.04"), Ok(true));
        assert!(settings.set("wideRootNoise", "-1").is_err());
        assert_eq!(settings.set("rootEndingBonusPoints", "0.5"), Ok(false));
    }

    #[test]
    fn the_lower_of_two_counts_ends_a_search() {
        let mut settings = Settings::default();
        assert_eq!(settings.playouts(), None);
        for (name, value) in list("maxPlayouts=70, maxVisits=90,reportAnalysisWinratesAs=white") {
            assert_eq!(settings.set(name, value), Ok(true));
        }
        assert_eq!(settings.playouts(), Some(70));
        assert_eq!(settings.perspective.side(Color::Black), Color::White);
        assert_eq!(Perspective::SideToMove.side(Color::Black), Color::Black);
    }
}
