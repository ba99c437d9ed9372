//! The command line of `kosumi analysis`: KataGo's flags, which begin with one hyphen, and settings by KataGo's names.

use std::ffi::OsString;
use std::path::Path;

use kosumi::analysis::{self, Settings, settings};
use kosumi::net::nets::NetChoiceError;

use super::flags::AnalysisOptions;

/// KataGo's flags, and ours of the same meaning.
const FLAGS: &[(&str, &str)] = &[
    ("-config", "--katago-config"),
    ("-model", "--katago-model"),
    ("-human-model", "--katago-human-model"),
    ("-override-config", "--override-config"),
    ("-analysis-threads", "--analysis-threads"),
    ("-quit-without-waiting", "--quit-without-waiting"),
];

/// The command line with our flags in the place of KataGo's.
pub(super) fn with_our_flags(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.collect();
    if words.get(1).is_some_and(|word| word == "analysis") {
        for word in &mut words[2..] {
            if let Some((_, ours)) = FLAGS.iter().find(|(katagos, _)| word == katagos) {
                *word = (*ours).into();
            }
        }
    }
    words
}

/// Why the analysis engine cannot start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WrongSettings {
    /// The weight file of the net cannot be used.
    #[error(transparent)]
    Net(#[from] NetChoiceError),
    /// A setting cannot have its value.
    #[error("{place}: {error}")]
    Setting {
        /// The flag, or the file.
        place: String,
        /// Why.
        error: settings::SettingError,
    },
}

/// The most that is read of a configuration of KataGo, in bytes. (KataGo's own example has 30 KB.)
const LONGEST_CONFIG: usize = 1 << 20;

impl AnalysisOptions {
    /// What the analysis engine is made of. What is ignored is logged.
    ///
    /// # Errors
    /// What is wrong with the net or a setting.
    pub(crate) fn analysis(&self) -> Result<analysis::AnalysisOptions, WrongSettings> {
        let mut found = Settings::default();
        for path in &self.katago_config {
            match kosumi::file::read(path, LONGEST_CONFIG) {
                Ok(text) => set(
                    &mut found,
                    &show(path),
                    settings::lines(String::from_utf8_lossy(&text).trim_start_matches('\u{feff}')),
                )?,
                Err(error) => log::warn!("-config {}: {error}; going on without it", path.display()),
            }
        }
        for list in &self.override_config {
            set(&mut found, "-override-config", settings::list(list))?;
        }
        if let Some(threads) = self.analysis_threads {
            found.workers = std::num::NonZeroUsize::new(threads.into());
        }
        for path in self.katago_model.iter().chain(&self.katago_human_model) {
            log::info!("{}: KataGo's nets are ignored; --net names a net of Kosumi", path.display());
        }
        Ok(analysis::AnalysisOptions {
            engine: self.engine.engine()?,
            settings: found,
            quit_without_waiting: self.quit_without_waiting,
        })
    }
}

fn set<'a>(
    found: &mut Settings,
    place: &str,
    settings: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<(), WrongSettings> {
    for (name, value) in settings {
        let is_known = found.set(name, value).map_err(|error| WrongSettings::Setting { place: place.into(), error })?;
        if !is_known {
            log::info!("{place}: {name} has no meaning here and is ignored");
        }
    }
    Ok(())
}

fn show(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn katagos_flags_are_taken_after_the_subcommand_alone() {
        let ours = |line: &str| {
            let words = with_our_flags(line.split(' ').map(OsString::from));
            words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            ours("kosumi analysis -model m -config c -analysis-threads 4 -quit-without-waiting"),
            "kosumi analysis --katago-model m --katago-config c --analysis-threads 4 --quit-without-waiting"
        );
        assert_eq!(ours("kosumi analysis --config c --threads 2"), "kosumi analysis --config c --threads 2");
        assert_eq!(ours("kosumi gtp -config c"), "kosumi gtp -config c");
    }
}
