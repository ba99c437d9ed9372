//! The folder of self-play.
//!
//! ```text
//! selfplay.json                    the settings that decide the games; held by the process that plays
//! 00000000-00000499-9x9.rows       the rows of games 0 to 499
//! 00000000-00000499-9x9.sgf        the games, dropped ones included
//! 00000500-9x9.part                rows of the file in progress, and its games in 00000500-9x9.sgf.part
//! log.jsonl                        a line of JSON for each finished file
//! ```
//! A file gets its final name when it is complete. So a process that is killed loses the file in progress and no other.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::dataset::{Counts, Lesson, RowOptions, Teacher};
use crate::identity::differences;

/// The end of the name of a file of rows.
const ROWS: &str = ".rows";

/// The folder, held by this process.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// The number of the first game that is missing.
    next: u64,
    /// Nobody else plays here as long as this file is open.
    _held: File,
}

fn at(path: &Path) -> impl Fn(io::Error) -> String {
    let name = path.display().to_string();
    move |error| format!("{name}: {error}")
}

impl Folder {
    /// Opens a folder; makes it if it is missing.
    ///
    /// # Errors
    /// A message if the folder cannot be used, holds games with other settings, or another process plays here.
    pub(super) fn open(path: &Path, identity: &Map<String, Value>) -> Result<Folder, String> {
        fs::create_dir_all(path).map_err(at(path))?;
        let about = path.join("selfplay.json");
        let mut held =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&about).map_err(at(&about))?;
        match held.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(format!("{}: another process plays in this folder", path.display()));
            }
            Err(TryLockError::Error(error)) => return Err(at(&about)(error)),
        }
        let next = next_game(path)?;
        let mut text = String::new();
        held.read_to_string(&mut text).map_err(at(&about))?;
        if next > 0 {
            compare(&text, identity).map_err(|error| format!("{}: {error}", about.display()))?;
        } else {
            let text = serde_json::to_string_pretty(identity).map_err(|error| error.to_string())? + "\n";
            held.seek(SeekFrom::Start(0)).and_then(|_| held.set_len(0)).map_err(at(&about))?;
            held.write_all(text.as_bytes()).and_then(|()| held.sync_all()).map_err(at(&about))?;
        }
        Ok(Folder { path: path.into(), next, _held: held })
    }

    /// The number of the first game that is missing.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Begins a file.
    ///
    /// # Errors
    /// A message if it cannot be written.
    pub(super) fn begin(&self, first: u64, options: RowOptions) -> Result<Part, String> {
        let size = options.form.size();
        let rows_path = self.path.join(format!("{first:08}-{size}x{size}.part"));
        let games_path = self.path.join(format!("{first:08}-{size}x{size}.sgf.part"));
        let create = |path: &Path| File::create(path).map(BufWriter::new).map_err(at(path));
        let (mut rows, games) = (create(&rows_path)?, create(&games_path)?);
        rows.write_all(&options.form.head()).map_err(at(&rows_path))?;
        Ok(Part {
            folder: self.path.clone(),
            first,
            size,
            games: 0,
            teacher: Teacher::new(options, first),
            rows: (rows_path, rows),
            sgf: (games_path, games),
        })
    }

    /// Adds a line to the log.
    ///
    /// # Errors
    /// A message if it cannot be written.
    pub(super) fn log(&self, line: &impl Serialize) -> Result<(), String> {
        let path = self.path.join("log.jsonl");
        let text = serde_json::to_string(line).map_err(|error| error.to_string())? + "\n";
        let file = OpenOptions::new().append(true).create(true).open(&path);
        file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(at(&path))
    }
}

/// The number after the last game of the complete files.
fn next_game(path: &Path) -> Result<u64, String> {
    let mut next = 0;
    for entry in fs::read_dir(path).map_err(at(path))? {
        let name = entry.map_err(at(path))?.file_name();
        let name = name.to_string_lossy();
        if let Some(last) = name.strip_suffix(ROWS).and_then(|name| name.split('-').nth(1)?.parse::<u64>().ok()) {
            next = next.max(last + 1);
        }
    }
    Ok(next)
}

/// Are these the settings of the games in the folder?
fn compare(text: &str, identity: &Map<String, Value>) -> Result<(), String> {
    let old: Map<String, Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    // A setting that has its default is left out.
    let differences = differences(&old, identity, "the default");
    match differences.as_slice() {
        [] => Ok(()),
        _ => Err(format!("the games in this folder were played with other settings: {}", differences.join("; "))),
    }
}

/// A file in progress.
#[derive(Debug)]
pub(super) struct Part {
    folder: PathBuf,
    first: u64,
    size: usize,
    games: u64,
    teacher: Teacher,
    rows: (PathBuf, BufWriter<File>),
    sgf: (PathBuf, BufWriter<File>),
}

impl Part {
    /// Adds the next game.
    ///
    /// # Errors
    /// A message if it cannot be written.
    pub(super) fn add(&mut self, lesson: Option<Lesson>, sgf: &str) -> Result<(), String> {
        self.games += 1;
        self.teacher.teach(vec![lesson], &mut self.rows.1).map_err(at(&self.rows.0))?;
        self.sgf.1.write_all(sgf.as_bytes()).and_then(|()| self.sgf.1.write_all(b"\n")).map_err(at(&self.sgf.0))
    }

    /// The numbers of games and rows so far.
    pub(super) fn counts(&self) -> Counts {
        self.teacher.counts()
    }

    /// Gives the file its final name.
    ///
    /// # Errors
    /// A message if that cannot be done.
    pub(super) fn finish(self) -> Result<(), String> {
        let last = self.first + self.games.max(1) - 1;
        let name = format!("{:08}-{last:08}-{1}x{1}", self.first, self.size);
        // Rows are complete when they have their name, so theirs is the last step.
        for ((path, out), end) in [(self.sgf, ".sgf"), (self.rows, ROWS)] {
            let file = out.into_inner().map_err(|error| at(&path)(error.into_error()))?;
            file.sync_all().map_err(at(&path))?;
            fs::rename(&path, self.folder.join(format!("{name}{end}"))).map_err(at(&path))?;
        }
        Ok(())
    }
}
