//! The sources of games, which are SGF files or compact records on standard input, and the file for the rows.

use std::io::{self, BufRead, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::{Counts, LeftOut, Lesson, RowOptions, Teacher, record};
use crate::file::{self, Replacement};
use crate::game::{CannotFollow, Game, LoadError};
use crate::go::{Komi, Ruleset};
use crate::record::Record;
use crate::sgf;

/// Number of games that are processed together.
const BATCH: usize = 256;

/// Facts about games that do not state these facts themselves.
#[derive(Clone, Debug)]
pub struct Source {
    /// Board size of compact records.
    pub size: usize,
    /// Komi, White's.
    pub komi: Komi,
    /// Rule sets. The games take them in turn.
    pub rules: Vec<Ruleset>,
    /// The number of the first game.
    pub first_game: u64,
}

impl Source {
    fn rules(&self, game: u64) -> Ruleset {
        match self.rules.len() {
            0 => Ruleset::default(),
            n => self.rules[(game % n as u64) as usize],
        }
    }

    /// The lesson of a record.
    fn lesson(&self, record: Record, game: u64) -> Result<Lesson, LeftOut> {
        match Game::load(record, None, self.rules(game), Some(self.komi)) {
            Ok(game) => Ok(Lesson::of_game(&game)),
            Err(LoadError::Follow(CannotFollow::Illegal { .. })) => Err(LeftOut::Illegal),
            Err(_) => Err(LeftOut::Unreadable),
        }
    }
}

/// The file for the rows. It is made when the first row comes, and has its name when the last one is there. So an old
/// file stays where there is no row, and where the program is stopped.
struct RowFile<'a> {
    path: &'a Path,
    head: Vec<u8>,
    file: Option<BufWriter<Replacement>>,
}

impl RowFile<'_> {
    fn finish(&mut self) -> io::Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        file.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
    }
}

impl Write for RowFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        let file = match &mut self.file {
            Some(file) => file,
            vacant => {
                let mut file = BufWriter::new(Replacement::create(self.path)?);
                file.write_all(&self.head)?;
                vacant.insert(file)
            }
        };
        file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

/// Writes the rows of these SGF files to `output`, or of the compact records on standard input if there are no files. A
/// game that is no good is counted and left out. `progress` gets the numbers after every batch. Standard error gets the
/// files that cannot be read, and how many games were left out for which reason.
///
/// # Errors
/// The file that cannot be written, and why; how many files could not be read, when the rows of the others are there;
/// or that there is not one row. In the last case `output` stays as it was.
pub fn write(
    source: &Source,
    options: RowOptions,
    files: &[PathBuf],
    output: &Path,
    mut progress: impl FnMut(Counts),
) -> Result<Counts, String> {
    let in_output = |error: io::Error| format!("{}: {error}", output.display());
    let mut out = RowFile { path: output, head: options.form.head().to_vec(), file: None };
    let mut teacher = Teacher::new(options, source.first_game);
    let mut game = source.first_game;
    let mut unread = 0;
    let mut teach = |lessons: Vec<Result<Lesson, LeftOut>>| -> Result<(), String> {
        teacher.teach_all(lessons, &mut out).map_err(in_output)?;
        progress(teacher.counts());
        Ok(())
    };
    let mut lessons = Vec::new();
    for path in files {
        let records = match read(path) {
            Ok(text) => sgf::read_all(&text).unwrap_or_else(|error| vec![Err(error)]),
            Err(why) => {
                unread += 1;
                say(&format!("{}: {why}", path.display()));
                lessons.push(Err(LeftOut::Unreadable));
                game += 1;
                continue;
            }
        };
        for record in records {
            lessons.push(record.map_err(|_| LeftOut::Unreadable).and_then(|record| source.lesson(record, game)));
            game += 1;
            if lessons.len() == BATCH {
                teach(std::mem::take(&mut lessons))?;
            }
        }
    }
    teach(lessons)?;
    if files.is_empty() {
        if io::stdin().is_terminal() {
            say(WAITS);
        }
        let mut lessons = Vec::new();
        for line in io::stdin().lock().lines() {
            let line = line.map_err(|error| format!("standard input: {error}"))?;
            let lesson = record::read(&line, source.size, source.komi, source.rules(game));
            lessons.push(lesson.ok_or(LeftOut::Unreadable));
            game += 1;
            if lessons.len() == BATCH {
                teach(std::mem::take(&mut lessons))?;
            }
        }
        teach(lessons)?;
    }
    out.finish().map_err(in_output)?;
    outcome(teacher.counts(), unread, output)
}

/// What is said where somebody at a terminal may not know that the program reads.
const WAITS: &str = "no FILE is named, so games are read from here. A line is a game: the result, a tab, two letters a \
                     move. Ctrl-D ends them, and Ctrl-C the program.";

/// The bytes of a file, or why there are none.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    if path.is_dir() {
        return Err("this is a folder; name the files in it".into());
    }
    file::read(path, sgf::LONGEST).map_err(|error| error.to_string())
}

/// What came of it.
fn outcome(counts: Counts, unread: u64, output: &Path) -> Result<Counts, String> {
    let left_out = counts.left_out();
    if counts.rows == 0 {
        let why = match (counts.games, counts.refused) {
            (0, 0) => "there was no game".to_owned(),
            (0, _) => format!("games left out: {left_out}"),
            _ => "no position was drawn; a smaller --one-in draws more".to_owned(),
        };
        return Err(format!("there is no row, so {} is not written. Reason: {why}", output.display()));
    }
    if !left_out.is_empty() {
        say(&format!("games left out: {left_out}"));
    }
    let (rows, path) = (counts.rows, output.display());
    match unread {
        0 => Ok(counts),
        1 => Err(format!("1 file could not be read; {path} has {rows} rows of the others")),
        _ => Err(format!("{unread} files could not be read; {path} has {rows} rows of the others")),
    }
}

/// Writes a message to standard error. In a terminal it takes the place of the line of progress.
fn say(text: &str) {
    let start = if io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
    // It is no error that nobody can read it.
    let _ = writeln!(io::stderr(), "{start}kosumi: {text}");
}
