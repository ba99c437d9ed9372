//! The settings in force: command line over environment over file over preset.
//!
//! All four sources give the same options by the same names (`--time-per-move 5`, `KOSUMI_TIME_PER_MOVE=5`,
//! `time-per-move = 5`). So all are read here as values of the command line's options, and checked by the readers of
//! these options. A new field of [`GtpOptions`] is therefore a setting in all sources without more code.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use super::flags::{GtpOptions, is_without_meaning};
use super::{file, presets};

/// The source of a value. The first of these wins.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Origin {
    /// A flag.
    CommandLine,
    /// An environment variable.
    Variable(String),
    /// A line of a file.
    File(PathBuf, usize),
    /// A line of a preset.
    Preset(String, usize),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::CommandLine => write!(f, "command line"),
            Origin::Variable(name) => write!(f, "{name}"),
            Origin::File(path, line) => write!(f, "{}:{line}", path.display()),
            Origin::Preset(name, line) => write!(f, "preset {name}:{line}"),
        }
    }
}

/// A value of a setting.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The option's long name.
    pub name: String,
    /// The value as the command line would have it.
    pub value: OsString,
    /// The source of the value.
    pub origin: Origin,
}

/// The settings in force.
#[derive(Debug)]
pub(super) struct Resolved {
    /// The options, read.
    pub options: GtpOptions,
    /// The values that were set, as text. Values of `set` stand in the order in which they apply.
    pub entries: Vec<Entry>,
    /// Environment variables that look like misspelt settings.
    pub warnings: Vec<String>,
}

/// What is wrong with the settings, a line for each fault.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub(crate) struct SettingsError(pub Vec<String>);

/// The environment.
pub(super) type Variables = HashMap<OsString, OsString>;

/// The table of the file that holds tunables of the search, and the option of the same meaning.
const SEARCH_TABLE: &str = "search";
const SET: &str = "set";

/// Options that choose the sources of settings, and so cannot stand in a file.
const NOT_IN_FILE: &[&str] = &["config", "no-config"];

/// How alike a misspelt name and the right name are at least; 1 means equal.
const ALIKE: f64 = 0.85;

/// The options of an engine, as clap knows them.
pub(super) fn command() -> Command {
    GtpOptions::augment_args(Command::new("kosumi"))
}

/// An option's name in all places.
pub(super) fn name(arg: &Arg) -> &str {
    arg.get_long().unwrap_or(arg.get_id().as_str())
}

impl Resolved {
    /// Does this option stand on the command line?
    pub(super) fn is_flag(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry.name == name && entry.origin == Origin::CommandLine)
    }
}

/// An option's environment variable.
pub(super) fn variable(name: &str) -> String {
    format!("KOSUMI_{}", name.replace('-', "_").to_ascii_uppercase())
}

/// Options that say which file is read.
const OF_FILE: [&str; 2] = ["config", "no-config"];

/// Lays flags over the environment over the file over the preset.
///
/// # Errors
/// Every fault of the environment, the file and their values.
pub(super) fn resolve(flags: &ArgMatches, variables: &Variables) -> Result<Resolved, SettingsError> {
    let command = command();
    let mut faults = Vec::new();
    let flags = from_flags(&command, flags);
    let mut environment = from_variables(&command, variables, &mut faults);
    // A file and no file exclude each other, so a flag for one goes before a variable for the other.
    let is_of_file = |entry: &Entry| OF_FILE.contains(&&*entry.name);
    if flags.iter().any(is_of_file) {
        environment.retain(|entry| !is_of_file(entry));
    }
    let file = from_file(&command, &[&flags, &environment], &mut faults);
    let preset = find("preset", &[&flags, &environment, &file]);
    let preset = preset.map(|entry| from_preset(&command, &entry.value)).unwrap_or_default();
    if !faults.is_empty() {
        return Err(SettingsError(faults));
    }
    let layers = [&flags, &environment, &file, &preset];
    let mut entries = Vec::new();
    for arg in command.get_arguments() {
        let of_arg = |layer: &Vec<Entry>| layer.iter().filter(|e| e.name == name(arg)).cloned().collect::<Vec<_>>();
        if name(arg) == SET {
            // Each value sets a tunable. Of two values for one tunable, the later one counts.
            entries.extend(layers.iter().rev().flat_map(|layer| of_arg(layer)));
        } else if let Some(found) = layers.iter().map(|layer| of_arg(layer)).find(|found| !found.is_empty()) {
            entries.extend(found);
        }
    }
    let words = std::iter::once("kosumi".into()).chain(entries.iter().map(|entry| flag(&entry.name, &entry.value)));
    let options = command.try_get_matches_from(words).and_then(|matches| GtpOptions::from_arg_matches(&matches));
    // Each value has been checked already.
    let options = options.map_err(|error| SettingsError(vec![reason(&error)]))?;
    Ok(Resolved { options, entries, warnings: misspelt(variables) })
}

/// What is said of options on the command line that mean nothing to this subcommand. Files and the environment serve all
/// subcommands, so what stands there is no mistake.
pub(super) fn without_meaning(subcommand: &str, entries: &[Entry]) -> Vec<String> {
    let given = entries.iter().filter(|entry| entry.origin == Origin::CommandLine);
    let ignored = given.filter(|entry| is_without_meaning(subcommand, &entry.name));
    ignored.map(|entry| format!("--{} means nothing in kosumi {subcommand} and is ignored", entry.name)).collect()
}

fn find<'a>(name: &str, layers: &[&'a Vec<Entry>]) -> Option<&'a Entry> {
    layers.iter().find_map(|layer| layer.iter().rev().find(|entry| entry.name == name))
}

/// The settings of the command line.
fn from_flags(command: &Command, matches: &ArgMatches) -> Vec<Entry> {
    let mut entries = Vec::new();
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        if matches.value_source(id) == Some(ValueSource::CommandLine) {
            entries.extend(matches.get_raw(id).into_iter().flatten().map(|value| Entry {
                name: name(arg).into(),
                value: value.into(),
                origin: Origin::CommandLine,
            }));
        }
    }
    entries
}

/// The settings of the environment. An empty variable sets nothing.
fn from_variables(command: &Command, variables: &Variables, faults: &mut Vec<String>) -> Vec<Entry> {
    let mut entries = Vec::new();
    for arg in command.get_arguments() {
        let variable = variable(name(arg));
        let Some(value) = variables.get(OsStr::new(&variable)).filter(|value| !value.is_empty()) else { continue };
        let values: Vec<OsString> = match value.to_str() {
            Some(text) if name(arg) == SET => text.split(',').map(|part| part.trim().into()).collect(),
            _ => vec![value.clone()],
        };
        for value in values {
            let entry = Entry { name: name(arg).into(), value, origin: Origin::Variable(variable.clone()) };
            match check(command, &entry) {
                Ok(()) => entries.push(entry),
                Err(why) => faults.push(format!("{variable}={}: {why}", entry.value.display())),
            }
        }
    }
    entries
}

/// The settings of the file: of the named file, or of the file in the usual place if there is one.
fn from_file(command: &Command, layers: &[&Vec<Entry>], faults: &mut Vec<String>) -> Vec<Entry> {
    if find("no-config", layers).is_some_and(|entry| entry.value == "true") {
        return Vec::new();
    }
    let named = find("config", layers);
    let path = match named {
        Some(entry) => PathBuf::from(&entry.value),
        None => match file::usual_place().filter(|path| path.exists()) {
            Some(path) => path,
            None => return Vec::new(),
        },
    };
    match file::read(&path) {
        Ok(text) => {
            let (entries, wrong) = from_lines(command, &text, |line| Origin::File(path.clone(), line));
            faults.extend(wrong);
            entries
        }
        Err(why) => {
            let by = named.map_or_else(String::new, |entry| match &entry.origin {
                Origin::CommandLine => "--config ".into(),
                origin => format!("{origin}="),
            });
            faults.push(format!("{by}{}: {why}", path.display()));
            Vec::new()
        }
    }
}

fn from_preset(command: &Command, name: &OsStr) -> Vec<Entry> {
    let name = name.to_string_lossy().to_ascii_lowercase();
    let text = presets::by_name(&name).unwrap_or_default();
    from_lines(command, text, |line| Origin::Preset(name.clone(), line)).0
}

/// The settings in a file's text, and what is wrong with it. An empty text sets nothing.
pub(super) fn from_lines(command: &Command, text: &str, origin: impl Fn(usize) -> Origin) -> (Vec<Entry>, Vec<String>) {
    let lines = match file::parse(text) {
        Ok(lines) => lines,
        Err(fault) => return (Vec::new(), vec![format!("{}: {}", origin(fault.line), fault.what)]),
    };
    let mut entries = Vec::new();
    let mut faults = Vec::new();
    for line in lines {
        let place = origin(line.number);
        let Some(value) = line.value else {
            faults.push(format!("{place}: {}: must be a number, a text in quotes, true or false", line.name));
            continue;
        };
        let shown = format!("{} = {}", line.name, value.display());
        let mut is_misplaced = false;
        let (name, value) = match line.name.split_once('.') {
            Some((SEARCH_TABLE, tunable)) => {
                is_misplaced = is_known(command, tunable);
                let mut assignment = OsString::from(format!("{tunable}="));
                assignment.push(&value);
                (SET.to_owned(), assignment)
            }
            _ => (line.name, value),
        };
        let entry = Entry { name, value, origin: place.clone() };
        match check(command, &entry) {
            _ if entry.value.is_empty() && is_known(command, &entry.name) => {}
            _ if NOT_IN_FILE.contains(&&*entry.name) => {
                faults.push(format!("{place}: {} has no meaning in a file", entry.name));
            }
            Ok(()) => entries.push(entry),
            Err(_) if is_misplaced => {
                faults.push(format!("{place}: {shown}: settings stand above the table [{SEARCH_TABLE}]"));
            }
            Err(why) => faults.push(format!("{place}: {shown}: {why}")),
        }
    }
    (entries, faults)
}

fn is_known(command: &Command, wanted: &str) -> bool {
    command.get_arguments().any(|arg| name(arg) == wanted)
}

/// Reads a value as the command line would.
fn check(command: &Command, entry: &Entry) -> Result<(), String> {
    if !is_known(command, &entry.name) {
        let known: Vec<&str> = command.get_arguments().map(name).filter(|name| !NOT_IN_FILE.contains(name)).collect();
        let like = alike(&entry.name, &known).map_or_else(String::new, |name| format!("; did you mean {name}?"));
        return Err(format!("no setting is called {}{like}", entry.name));
    }
    let words = ["kosumi".into(), flag(&entry.name, &entry.value)];
    command.clone().try_get_matches_from(words).map(|_| ()).map_err(|error| reason(&error))
}

fn flag(name: &str, value: &OsStr) -> OsString {
    let mut word = OsString::from(format!("--{name}="));
    word.push(value);
    word
}

/// The message of a reader of a value, without clap's words around it.
fn reason(error: &clap::Error) -> String {
    let whole = error.to_string();
    let first = whole.lines().next().unwrap_or_default();
    std::error::Error::source(error)
        .map_or_else(|| first.trim_start_matches("error: ").to_owned(), |source| source.to_string())
}

fn alike<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let likeness = |known: &&str| strsim::jaro_winkler(name, known);
    let best = known.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) >= ALIKE).then_some(best)
}

/// Variables that belong to the project's tests and not to the program. (`tests/settings.rs` compares the list with the
/// tests.)
const OF_TESTS: &[&str] = &[
    "KOSUMI_ANALYSIS_SECONDS",
    "KOSUMI_GNUGO",
    "KOSUMI_GNUGO_GAMES",
    "KOSUMI_GNUGO_RECORDS",
    "KOSUMI_GNUGO_SEED",
    "KOSUMI_GOGUI_REGRESS",
    "KOSUMI_LONG_RUN_GAMES",
    "KOSUMI_ORACLE_MOVES",
    "KOSUMI_STORM_QUERIES",
    "KOSUMI_TRAINER",
    "KOSUMI_WHOLE_LIBRARY",
    "KOSUMI_WRITE_GOLDEN",
];

/// Variables that begin like settings and are none.
fn misspelt(variables: &Variables) -> Vec<String> {
    let known: Vec<String> = command().get_arguments().map(|arg| variable(name(arg))).collect();
    let names = variables.keys().filter_map(|name| name.to_str()).filter(|name| name.starts_with("KOSUMI_"));
    let unknown = names.filter(|&name| known.iter().all(|known| known != name) && !OF_TESTS.contains(&name));
    let mut warnings: Vec<String> = unknown
        .map(|name| {
            // The common prefix tells nothing.
            let rest: Vec<&str> = known.iter().map(|known| &known["KOSUMI_".len()..]).collect();
            let like = alike(&name["KOSUMI_".len()..], &rest);
            let hint = like.map_or_else(String::new, |like| format!("; did you mean KOSUMI_{like}?"));
            format!("the variable {name} is no setting{hint}")
        })
        .collect();
    warnings.sort();
    warnings
}

/// The file that is read unless another is named.
pub(super) fn usual_file() -> Option<PathBuf> {
    file::usual_place()
}

/// For messages.
pub(super) fn show(path: Option<&Path>) -> String {
    path.map_or_else(|| "none: there is no home folder".into(), |path| path.display().to_string())
}
