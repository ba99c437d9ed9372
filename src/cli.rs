//! The command line: flags, environment and file become one task.
//!
//! `flags` has the flags and their help texts. `settings` lays environment, file and preset under the flags. `values`
//! reads values. `file` knows the file's form. `ending` and `output` know what ends the program.

mod analysis;
pub(crate) mod ending;
mod file;
mod flags;
mod generate;
mod matches;
mod net;
pub(crate) mod output;
mod presets;
mod print;
pub(crate) mod ranks;
mod selfplay;
mod settings;
mod teach;
mod values;
mod web;

use std::io::Write;
use std::path::Path;

use clap::FromArgMatches;
use clap::error::{ContextKind, ContextValue};

pub(crate) use flags::{AnalysisOptions, BenchOptions, GtpOptions, PlayOptions, ReviewOptions, WebOptions};
use flags::{Cli, Command};
pub(crate) use matches::MatchOptions;
pub(crate) use net::{DatasetOptions, NetOptions};
pub(crate) use selfplay::SelfplayOptions;
pub(crate) use settings::SettingsError;
pub(crate) use teach::TeachOptions;

/// What the command line asks for.
pub(crate) enum Task {
    /// Play over GTP. The texts are warnings for the user.
    Gtp(Box<GtpOptions>, Vec<String>),
    /// Play against a person in the terminal. The texts are warnings for the user.
    Play(Box<PlayOptions>, Vec<String>),
    /// Review games. The texts are warnings for the user.
    Review(Box<ReviewOptions>, Vec<String>),
    /// Serve the page. The texts are warnings for the user.
    Web(Box<WebOptions>, Vec<String>),
    /// Answer KataGo's JSON queries. The texts are warnings for the user.
    Analysis(Box<AnalysisOptions>, Vec<String>),
    /// Play a match.
    Match(Box<MatchOptions>),
    /// Measure speeds.
    Bench(BenchOptions),
    /// Show or evaluate a weight file.
    Net(NetOptions),
    /// Write training rows.
    Dataset(DatasetOptions),
    /// Play games of the engine against itself, and write training rows.
    Selfplay(Box<SelfplayOptions>),
    /// Let a net learn from its own games.
    Teach(Box<TeachOptions>),
    /// Write these bytes to standard output. The texts are warnings for the user.
    Print(Vec<u8>, Vec<String>),
}

/// Reads the command line, the environment and the file. Ends the program where clap does: after `--help` and
/// `--version`, and with exit code 2 after a wrong flag.
///
/// # Errors
/// What is wrong with the environment or the file.
pub(crate) fn read() -> Result<Task, SettingsError> {
    let words = analysis::with_our_flags(std::env::args_os());
    let matches = flags::command().try_get_matches_from(words).unwrap_or_else(|error| leave(&with_hint(error)));
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| leave(&error));
    let flags = matches.subcommand().map_or(&matches, |(_, matches)| matches);
    let variables = std::env::vars_os().collect();
    let name = matches.subcommand_name().unwrap_or_default();
    let resolved = || {
        let mut resolved = settings::resolve(flags, &variables)?;
        let warnings = settings::without_meaning(name, &resolved.entries);
        resolved.warnings.extend(warnings);
        Ok(resolved)
    };
    Ok(match cli.command {
        None | Some(Command::Gtp(_)) => {
            let resolved = resolved()?;
            Task::Gtp(Box::new(resolved.options), resolved.warnings)
        }
        Some(Command::Play(options)) => {
            let resolved = resolved()?;
            Task::Play(Box::new(PlayOptions { engine: resolved.options, ..*options }), resolved.warnings)
        }
        Some(Command::Review(options)) => {
            let mut resolved = resolved()?;
            // A time on the command line goes before a number of playouts from elsewhere.
            if resolved.is_flag("time-per-move") && !resolved.is_flag("playouts") {
                resolved.options.playouts = None;
            }
            Task::Review(Box::new(ReviewOptions { engine: resolved.options, ..*options }), resolved.warnings)
        }
        Some(Command::Web(options)) => {
            let resolved = resolved()?;
            Task::Web(Box::new(WebOptions { engine: resolved.options, ..*options }), resolved.warnings)
        }
        Some(Command::Analysis(options)) => {
            let resolved = resolved()?;
            Task::Analysis(Box::new(AnalysisOptions { engine: resolved.options, ..*options }), resolved.warnings)
        }
        Some(Command::Config(_)) => {
            let resolved = resolved()?;
            Task::Print(print::config(&resolved).into_bytes(), resolved.warnings)
        }
        Some(Command::Match(options)) => Task::Match(options),
        Some(Command::Bench(options)) => Task::Bench(options),
        Some(Command::Net(options)) => Task::Net(options),
        Some(Command::Dataset(options)) => Task::Dataset(options),
        Some(Command::Selfplay(options)) => Task::Selfplay(options),
        Some(Command::Teach(options)) => Task::Teach(options),
        Some(Command::Completions { shell }) => Task::Print(generate::completions(shell), Vec::new()),
        Some(Command::Man) => {
            let page = generate::man_page().map_err(|error| SettingsError(vec![error.to_string()]))?;
            Task::Print(page, Vec::new())
        }
    })
}

/// Prints the help, the version, or what is wrong with the flags, and ends the program. clap's own end does not say when
/// the text cannot be written.
fn leave(error: &clap::Error) -> ! {
    let code = match error.print().and_then(|()| std::io::stdout().flush()) {
        // A message that nobody can read changes nothing.
        Err(failure) if !error.use_stderr() && failure.kind() != std::io::ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr(), "kosumi: cannot write: {failure}");
            1
        }
        _ => error.exit_code(),
    };
    std::process::exit(code)
}

/// Adds a hint for a user who names a game record where a subcommand is expected.
fn with_hint(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && Path::new(word).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf"))
    {
        let hint = format!(
            "to review the game, type: kosumi review {word}; to load it, start the program and type: loadsgf {word}"
        );
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]));
    }
    error
}
