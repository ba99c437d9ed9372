//! The folder of a run: what lies where, and what its files say about how far the run is.
//!
//! ```text
//! teach.toml             the settings; may be changed between two starts
//! start.json             what the first games were played with
//! rows/  held-out/       rows to learn from, and to measure with; games/ has the games of both
//! parts/                 files in progress, each locked by the process that writes it
//! writers/NAME.json      what a process that plays has done so far
//! nets/000001.kosunet    the weights of each generation; generations/000001.json says how they were made
//! judged/000001.json     what the judge found; matches/ has the games of the judge
//! trainer/               the trainer's state, log and settings
//! best.kosunet           the net with the highest rating
//! report.html            the page to look at
//! ```
//! The state of a run is nothing but these files, and each file is written whole or not at all. The name of a file of
//! rows is `ROUND-NET-WRITER-NUMBER-GAMESg-SIZExSIZE.rows`: so names are in the order of the rounds, and say how many
//! games there are.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::record::{Judged, Made};
use crate::dataset::row::{HEAD, Rows};
use crate::file;
use crate::net::nets::{LONGEST_FILE, NetChoice};
use crate::net::{Net, Nets, random};

/// What the first games are played with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Start {
    /// `none`, `shipped`, `random`, or `file` for the weights in `nets/000000.kosunet`.
    pub net: String,
    /// The folder of a run of the trainer whose averaged weights are the first ones: [`BEGIN_WITH`] in the folder of this
    /// run. Runs of earlier versions name it where it was.
    pub begin_with: Option<PathBuf>,
}

/// The copy of what a run begins with.
pub(super) const BEGIN_WITH: &str = "begin-with";

/// The state in the folder of a run of the trainer.
const STATE: &str = "state.pt";

/// The folder of a run.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

/// A message about a file.
pub(super) fn at(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}

/// The name of a generation in names of files.
pub(super) fn number(generation: u64) -> String {
    format!("{generation:06}")
}

impl Folder {
    /// A folder; makes it and its folders if they are missing.
    ///
    /// # Errors
    /// A message if that cannot be done.
    pub(super) fn make(path: &Path) -> Result<Folder, String> {
        for inner in
            ["rows", "held-out", "games", "parts", "writers", "nets", "generations", "judged", "matches", "trainer"]
        {
            let inner = path.join(inner);
            fs::create_dir_all(&inner).map_err(|error| at(&inner, &error))?;
        }
        Ok(Folder { path: path.into() })
    }

    /// The path of something in the folder.
    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Holds the lock of this name until the file is dropped.
    ///
    /// # Errors
    /// `Ok(None)` if another process holds it, a message if there is no such lock.
    pub(super) fn lock(&self, name: &str) -> Result<Option<File>, String> {
        let path = self.at(name);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(|error| at(&path, &error))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(at(&path, &error)),
        }
    }

    /// Writes a file whole or not at all.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let path = self.at(name);
        file::write(&path, bytes).map_err(|error| at(&path, &error))
    }

    /// Writes a value as JSON.
    pub(super) fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), String> {
        let text = serde_json::to_string_pretty(value).map_err(|error| error.to_string())?;
        self.write(name, (text + "\n").as_bytes())
    }

    /// Reads JSON; `None` if there is no such file.
    pub(super) fn read_json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, String> {
        let path = self.at(name);
        match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| at(&path, &error)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(at(&path, &error)),
        }
    }

    /// The paths in a folder, in the order of their names. Files in the making begin with a point and are left out.
    pub(super) fn list(&self, name: &str) -> Result<Vec<PathBuf>, String> {
        let path = self.at(name);
        let entries = fs::read_dir(&path).map_err(|error| at(&path, &error))?;
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| !name_of(path).starts_with('.'));
        paths.sort();
        Ok(paths)
    }

    fn records<T: DeserializeOwned>(&self, folder: &str) -> Result<Vec<T>, String> {
        let paths = self.list(folder)?;
        let jsons = paths.iter().filter(|path| path.extension().is_some_and(|end| end == "json"));
        jsons.filter_map(|path| self.read_json(&format!("{folder}/{}", name_of(path))).transpose()).collect()
    }

    /// The generations that are made, the oldest first.
    pub(super) fn made(&self) -> Result<Vec<Made>, String> {
        self.records("generations")
    }

    /// The generations that are judged, the oldest first.
    pub(super) fn judged(&self) -> Result<Vec<Judged>, String> {
        self.records("judged")
    }

    /// How far the run is.
    ///
    /// # Errors
    /// A message if the folder cannot be read.
    pub(super) fn standing(&self, gate: f64) -> Result<Standing, String> {
        let round = self.numbers("generations")?.last().copied().unwrap_or(0);
        let net = if gate > 0.0 { self.accepted_before(round + 1)? } else { round };
        Ok(Standing { round, net })
    }

    /// The generation that played before this one was made.
    pub(super) fn standing_before(&self, generation: u64, gate: f64) -> Result<u64, String> {
        if gate > 0.0 { self.accepted_before(generation) } else { Ok(generation - 1) }
    }

    /// The newest generation before this one that the judge has accepted; 0 is the first net.
    fn accepted_before(&self, generation: u64) -> Result<u64, String> {
        for &before in self.numbers("judged")?.iter().rev().filter(|&&before| before < generation) {
            let judged: Option<Judged> = self.read_json(&format!("judged/{}.json", number(before)))?;
            if judged.is_some_and(|judged| judged.accepted) {
                return Ok(before);
            }
        }
        Ok(0)
    }

    /// The generations that have a file in this folder, in ascending order.
    fn numbers(&self, name: &str) -> Result<Vec<u64>, String> {
        let paths = self.list(name)?;
        Ok(paths.iter().filter_map(|path| name_of(path).strip_suffix(".json")?.parse().ok()).collect())
    }

    /// Games and rows in the finished files. Files never change, so `known` says what is known of them from before.
    ///
    /// # Errors
    /// A message if the folder cannot be read.
    pub(super) fn counts(&self, known: &mut BTreeMap<String, Counts>) -> Result<Counts, String> {
        let mut sum = Counts::default();
        for (folder, is_held) in [("rows", false), ("held-out", true)] {
            for path in self.list(folder)? {
                let name = name_of(&path);
                let Some(games) = games_of(&name) else { continue };
                let counts = match known.get(&name) {
                    Some(&counts) => counts,
                    None => {
                        let rows = rows_of(&path).map_err(|error| at(&path, &error))?;
                        let (rows, held) = if is_held { (0, rows) } else { (rows, 0) };
                        let counts = Counts { games, rows, held };
                        known.insert(name, counts);
                        counts
                    }
                };
                sum.games += counts.games;
                sum.rows += counts.rows;
                sum.held += counts.held;
            }
        }
        Ok(sum)
    }

    /// The nets of a generation.
    ///
    /// # Errors
    /// A message if they cannot be read.
    pub(super) fn nets(&self, generation: u64) -> Result<Nets, String> {
        self.choice(generation)?.nets().map_err(|error| error.to_string())
    }

    /// Where the nets of a generation are.
    pub(super) fn choice(&self, generation: u64) -> Result<NetChoice, String> {
        if generation == 0 {
            match self.start()?.net.as_str() {
                "none" => return Ok(NetChoice::Without),
                "shipped" => return Ok(NetChoice::Shipped),
                _ => {}
            }
        }
        Ok(NetChoice::File(self.weights(generation)))
    }

    /// The weight file of a generation.
    pub(super) fn weights(&self, generation: u64) -> PathBuf {
        self.at(&format!("nets/{}.kosunet", number(generation)))
    }

    /// What the first games were played with.
    pub(super) fn start(&self) -> Result<Start, String> {
        self.read_json("start.json")?.ok_or_else(|| format!("{}: nothing was begun here", self.path.display()))
    }

    /// Has anything been begun here?
    pub(super) fn is_begun(&self) -> bool {
        self.at("start.json").exists()
    }

    /// Begins a run: the settings, the first net, and last of all `start.json`, which says that the rest is there.
    pub(super) fn begin(&self, settings: &str, (start, weights): &(Start, Option<Vec<u8>>)) -> Result<(), String> {
        if !self.at("teach.toml").exists() {
            self.write("teach.toml", settings.as_bytes())?;
        }
        if let Some(weights) = weights {
            self.write("nets/000000.kosunet", weights)?;
        }
        self.write_json("start.json", start)
    }

    /// Copies what a run begins with, so that all of the run lies in its folder.
    ///
    /// # Errors
    /// A message if there is no such state.
    pub(super) fn copy_state(&self, from: &Path) -> Result<(), String> {
        let path = from.join(STATE);
        let bytes = fs::read(&path).map_err(|error| format!("--begin-with {}", at(&path, &error)))?;
        let own = self.at(BEGIN_WITH);
        fs::create_dir_all(&own).map_err(|error| at(&own, &error))?;
        self.write(&format!("{BEGIN_WITH}/{STATE}"), &bytes)
    }
}

/// The first net of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FirstNet {
    None,
    Shipped,
    Random { blocks: usize, channels: usize, seed: u64 },
    File(PathBuf),
}

impl FirstNet {
    /// What a run starts with, and the weights of its first games if they are no part of the program. Nothing is
    /// written.
    ///
    /// # Errors
    /// A message if a weight file cannot be used.
    pub(super) fn start(&self, begin_with: Option<&Path>) -> Result<(Start, Option<Vec<u8>>), String> {
        let (name, weights) = match self {
            FirstNet::None => ("none", None),
            FirstNet::Shipped => ("shipped", None),
            FirstNet::Random { blocks, channels, seed } => {
                ("random", Some(random::mild_file(&random::description(*blocks, *channels), *seed)))
            }
            FirstNet::File(path) => {
                let wrong = |error: &dyn std::fmt::Display| format!("--net {}", at(path, error));
                let bytes = file::read(path, LONGEST_FILE as usize).map_err(|error| wrong(&error))?;
                Net::from_bytes(&bytes).map_err(|error| wrong(&error))?;
                ("file", Some(bytes))
            }
        };
        let begin_with = begin_with.map(|_| BEGIN_WITH.into());
        Ok((Start { net: name.into(), begin_with }, weights))
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    /// The newest generation that is made. Games that are played now are for the next one.
    pub round: u64,
    /// The generation that plays.
    pub net: u64,
}

/// Games and rows that there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub games: u64,
    pub rows: u64,
    pub held: u64,
}

/// The last part of a path.
pub(super) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Number of games in a file of rows, from its name.
fn games_of(name: &str) -> Option<u64> {
    name.strip_suffix(".rows")?.rsplit('-').nth(1)?.strip_suffix('g')?.parse().ok()
}

/// Number of rows in a file.
fn rows_of(path: &Path) -> Result<u64, String> {
    let mut head = Vec::new();
    let mut file = File::open(path).map_err(|error| error.to_string())?;
    file.by_ref().take(HEAD as u64).read_to_end(&mut head).map_err(|error| error.to_string())?;
    let length = file.metadata().map_err(|error| error.to_string())?.len();
    Rows::open(&head).map(|rows| rows.count_in(length)).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_how_many_games_there_are() {
        assert_eq!(games_of("000003-000002-host-12-ab-00004-50g-9x9.rows"), Some(50));
        assert_eq!(games_of("000003.rows"), None);
        assert_eq!(games_of("000003-000002-host-12-ab-00004-50g-9x9.sgf"), None);
    }
}
