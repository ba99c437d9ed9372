//! A file of findings, one line of JSON each, to which a measurement that was stopped can go back.

use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// What was found so far, and the file that keeps it.
pub struct Findings<T> {
    /// The findings, oldest first.
    pub all: Vec<T>,
    path: PathBuf,
    /// Opened when the first new finding comes.
    file: Option<File>,
}

impl<T: Serialize + DeserializeOwned> Findings<T> {
    /// Reads the findings of a file. There are none if the file is not there.
    ///
    /// A line that was cut off is left out, so the position is searched again.
    pub fn open(path: &Path) -> io::Result<Findings<T>> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text?,
        };
        let all = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Ok(Findings { all, path: path.to_owned(), file: None })
    }

    /// Adds a finding to the file.
    pub fn add(&mut self, finding: T) -> Result<(), Box<dyn Error>> {
        let line = serde_json::to_string(&finding)?;
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(at_a_new_line(&self.path)?),
        };
        writeln!(file, "{line}")?;
        self.all.push(finding);
        Ok(())
    }
}

/// The file, opened to be written on after its last whole line.
fn at_a_new_line(path: &Path) -> io::Result<File> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    if fs::read(path)?.last().is_some_and(|&byte| byte != b'\n') {
        writeln!(file)?;
    }
    Ok(file)
}
