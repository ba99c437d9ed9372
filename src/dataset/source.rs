//! The sources of games, which are SGF files or compact records on standard input, and the file for the rows.

use std::fs::File;
use std::io::{self, BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{Counts, Lesson, RowOptions, Teacher, record};
use crate::game::Game;
use crate::go::{Komi, Ruleset};
use crate::{file, sgf};

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

    fn sgf(&self, path: &Path, game: u64) -> Option<Lesson> {
        let text = file::read(path, sgf::LONGEST).ok()?;
        let game = Game::load(sgf::read(&text).ok()?, None, self.rules(game), Some(self.komi)).ok()?;
        Some(Lesson::of_game(&game))
    }
}

/// Writes the rows of these SGF files to `output`, or of the compact records on standard input if there are no files. A
/// game that cannot be read is counted and left out. `progress` gets the numbers after every batch.
///
/// # Errors
/// The file that cannot be read or written, and why.
pub fn write(
    source: &Source,
    options: RowOptions,
    files: &[PathBuf],
    output: &Path,
    mut progress: impl FnMut(Counts),
) -> Result<Counts, String> {
    let in_output = |error: io::Error| format!("{}: {error}", output.display());
    let mut out = BufWriter::new(File::create(output).map_err(in_output)?);
    out.write_all(&options.form.head()).map_err(in_output)?;
    let mut teacher = Teacher::new(options, source.first_game);
    let mut game = source.first_game;
    let mut teach = |lessons: Vec<Option<Lesson>>| -> Result<(), String> {
        teacher.teach(lessons, &mut out).map_err(in_output)?;
        progress(teacher.counts());
        Ok(())
    };
    for batch in files.chunks(BATCH) {
        let lessons = batch.iter().zip(game..).map(|(path, game)| source.sgf(path, game)).collect();
        game += batch.len() as u64;
        teach(lessons)?;
    }
    if files.is_empty() {
        let mut lessons = Vec::new();
        for line in io::stdin().lock().lines() {
            let line = line.map_err(|error| format!("standard input: {error}"))?;
            lessons.push(record::read(&line, source.size, source.komi, source.rules(game)));
            game += 1;
            if lessons.len() == BATCH {
                teach(std::mem::take(&mut lessons))?;
            }
        }
        teach(lessons)?;
    }
    let counts = teacher.counts();
    out.flush().map_err(in_output)?;
    Ok(counts)
}
