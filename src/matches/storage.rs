//! The files of a match, and how it is resumed.
//!
//! ```text
//! match.json      the settings that a resumed match must share
//! games.jsonl     a row for each finished game, in the order in which they ended
//! games/0001.sgf  the games
//! summary.json    the results
//! .lock           held by the process that plays here
//! ```
//! When a game is over, its SGF is written, and then its row in one piece. An interruption can leave a part of a row.
//! This part is cut off when the match is resumed, and the game is played again.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value};

use super::record::Row;
use crate::file;
use crate::identity::differences;

/// The folder of a match.
#[derive(Debug)]
pub struct Storage {
    folder: PathBuf,
    rows: File,
    /// The length of the whole rows in bytes.
    length: u64,
    /// Nobody else plays here as long as this file is locked.
    held: File,
}

impl Drop for Storage {
    fn drop(&mut self) {
        // A process that is being started has a copy of the file for a moment, which would keep the lock.
        let _ = self.held.unlock();
    }
}

impl Storage {
    /// Opens a folder, makes it if it is missing, and reads its games.
    ///
    /// # Errors
    /// A message if the folder cannot be used or holds another match.
    pub fn open(folder: &Path, identity: &Map<String, Value>) -> Result<(Storage, Vec<Row>), String> {
        fs::create_dir_all(folder.join("games")).map_err(|error| at(folder, &error))?;
        let held = hold(folder)?;
        let (about, path) = (folder.join("match.json"), folder.join("games.jsonl"));
        let mut rows =
            OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(|error| at(&path, &error))?;
        let mut text = Vec::new();
        rows.read_to_end(&mut text).map_err(|error| at(&path, &error))?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            rows.set_len(whole as u64).map_err(|error| at(&path, &error))?;
        }
        let mut known: Vec<Row> = Vec::new();
        for (index, line) in text[..whole].split(|&byte| byte == b'\n').enumerate() {
            if !line.trim_ascii().is_empty() {
                let row: Row =
                    serde_json::from_slice(line).map_err(|error| at(&path, &format!("line {}: {error}", index + 1)))?;
                if known.iter().all(|other| other.game != row.game) {
                    known.push(row);
                }
            }
        }
        if known.is_empty() {
            replace(&about, &pretty(identity)?)?;
        } else {
            let text = fs::read_to_string(&about).map_err(|error| at(&about, &error))?;
            compare(&text, identity).map_err(|error| at(&about, &error))?;
        }
        Ok((Storage { folder: folder.into(), rows, length: whole as u64, held }, known))
    }

    /// Does the folder hold games of another match?
    ///
    /// # Errors
    /// A message if the files are there and cannot be read.
    pub fn holds_another(folder: &Path, identity: &Map<String, Value>) -> Result<bool, String> {
        let (about, rows) = (folder.join("match.json"), folder.join("games.jsonl"));
        if fs::metadata(&rows).map_or(true, |rows| rows.len() == 0) {
            return Ok(false);
        }
        let text = fs::read_to_string(&about).map_err(|error| at(&about, &error))?;
        Ok(compare(&text, identity).is_err())
    }

    /// Writes a finished game.
    ///
    /// # Errors
    /// A message if it cannot be written.
    pub fn add(&mut self, row: &Row, sgf: &str) -> Result<(), String> {
        replace(&self.folder.join("games").join(format!("{:04}.sgf", row.game)), sgf)?;
        let mut line = serde_json::to_string(row).map_err(|error| error.to_string())?;
        line.push('\n');
        let written = self.rows.write_all(line.as_bytes()).and_then(|()| self.rows.sync_data());
        match written {
            Ok(()) => {
                self.length += line.len() as u64;
                Ok(())
            }
            Err(error) => {
                // On a full disk a part of the row may stand there, and another row would be written behind it.
                let _ = self.rows.set_len(self.length);
                Err(at(&self.folder.join("games.jsonl"), &error))
            }
        }
    }

    /// Writes the summary.
    ///
    /// # Errors
    /// A message if it cannot be written.
    pub fn summarize(&self, summary: &impl Serialize) -> Result<(), String> {
        replace(&self.folder.join("summary.json"), &pretty(summary)?)
    }
}

/// Takes the folder for this process. The file stays when the match ends, and the next match takes it again.
fn hold(folder: &Path) -> Result<File, String> {
    let path = folder.join(".lock");
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
    let file = file.map_err(|error| at(&path, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(at(folder, &"another process plays a match in this folder")),
        Err(TryLockError::Error(error)) => Err(at(&path, &error)),
    }
}

fn at(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}

/// A value as JSON that people can read.
///
/// # Errors
/// A message if it cannot be written so.
pub fn pretty(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(|error| error.to_string())
}

/// Replaces a file in one step.
fn replace(path: &Path, text: &str) -> Result<(), String> {
    file::write(path, text.as_bytes()).map_err(|error| at(path, &error))
}

fn compare(text: &str, identity: &Map<String, Value>) -> Result<(), String> {
    let old: Map<String, Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let differences = differences(&old, identity, "not named");
    match differences.as_slice() {
        [] => Ok(()),
        _ => Err(format!("this folder holds another match: {}", differences.join("; "))),
    }
}
