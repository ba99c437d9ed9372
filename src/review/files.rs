//! Which records are reviewed, and the names of what is written.
//!
//! ```text
//! GAME.sgf            the record
//! GAME.review.sgf     the record with comments, marks and variations
//! GAME.review.html    the page, which holds all findings
//! GAME.review.part    the findings of a review in progress
//! GAME.move-57.svg    a picture, or GAME.move-57.png
//! ```

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::settings::PictureFormat;

/// The end of the name of what a review writes as a record.
const REVIEWED: &str = ".review.sgf";

/// A record, and where its review goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Job {
    /// The record.
    pub record: PathBuf,
    /// The folder of what is written, and the start of each name.
    folder: PathBuf,
    stem: OsString,
}

impl Job {
    /// The reviewed record.
    pub(super) fn sgf(&self) -> PathBuf {
        self.named(REVIEWED)
    }

    /// The page.
    pub(super) fn page(&self) -> PathBuf {
        self.named(".review.html")
    }

    /// The review in progress.
    pub(super) fn part(&self) -> PathBuf {
        self.named(".review.part")
    }

    /// The picture after so many moves.
    pub(super) fn picture(&self, number: usize, format: PictureFormat) -> PathBuf {
        self.named(&format!(".move-{number}.{}", format.ending()))
    }

    /// The name of the game, for people.
    pub(super) fn name(&self) -> String {
        self.stem.to_string_lossy().into_owned()
    }

    fn named(&self, end: &str) -> PathBuf {
        let mut name = self.stem.clone();
        name.push(end);
        self.folder.join(name)
    }
}

/// The records of these files and folders. In a folder, all files count whose names end with `.sgf`, in the order of
/// their names, without those that a review has written.
///
/// # Errors
/// A message if a folder cannot be read, holds no record, or two reviews would have the same name.
pub(super) fn jobs(inputs: &[PathBuf], output: Option<&Path>) -> Result<Vec<Job>, String> {
    let mut jobs: Vec<Job> = Vec::new();
    for input in inputs {
        let records = match input.is_dir() {
            true => records_in(input)?,
            // The shell's `*.sgf` names what an earlier run has written, too.
            false if is_review_of_another(input, inputs) => {
                log::info!("{}: a review of another file that is named", input.display());
                continue;
            }
            false => vec![input.clone()],
        };
        for record in records {
            let stem = match record.extension() {
                Some(end) if end.eq_ignore_ascii_case("sgf") => record.file_stem(),
                _ => record.file_name(),
            };
            let Some(stem) = stem.map(OsString::from) else {
                return Err(format!("{}: the name names no file", record.display()));
            };
            let folder = output.or(record.parent()).unwrap_or(Path::new("")).to_path_buf();
            let job = Job { record, folder, stem };
            match jobs.iter().find(|other| other.sgf() == job.sgf()) {
                // The same file, named twice.
                Some(other) if other.record == job.record => {}
                Some(other) => {
                    let (a, b) = (other.record.display(), job.record.display());
                    return Err(format!("{a} and {b} would both become {}", job.sgf().display()));
                }
                None => jobs.push(job),
            }
        }
    }
    Ok(jobs)
}

/// Is this file the review of a record among the inputs?
fn is_review_of_another(file: &Path, inputs: &[PathBuf]) -> bool {
    let reviewed = |record: &PathBuf| {
        let is_record = record.extension().is_some_and(|end| end.eq_ignore_ascii_case("sgf"));
        is_record && record.with_extension(&REVIEWED[1..]) == file
    };
    inputs.iter().any(reviewed)
}

fn records_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let at = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut records = Vec::new();
    for entry in fs::read_dir(folder).map_err(at)? {
        let path = entry.map_err(at)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        if name.ends_with(".sgf") && !name.ends_with(REVIEWED) && path.is_file() {
            records.push(path);
        }
    }
    records.sort();
    if records.is_empty() {
        Err(format!("{}: there is no record in the folder (folders inside it are left out)", folder.display()))
    } else {
        Ok(records)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_give_their_records_and_names_are_kept_apart() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["b.sgf", "a.SGF", "a.review.sgf", "notes.txt"] {
            fs::write(at(name), "").expect("a file");
        }
        let found = jobs(&[folder.path().into(), at("b.sgf")], None).expect("jobs");
        let records: Vec<PathBuf> = found.iter().map(|job| job.record.clone()).collect();
        assert_eq!(records, [at("a.SGF"), at("b.sgf")], "named once");
        // As `*.sgf` names them after a first run; alone, it is a record like others.
        let named = jobs(&[at("a.SGF"), at("a.review.sgf"), at("b.sgf")], None).expect("jobs");
        assert_eq!(named.iter().map(|job| job.record.clone()).collect::<Vec<_>>(), [at("a.SGF"), at("b.sgf")]);
        assert_eq!(jobs(&[at("a.review.sgf")], None).expect("jobs").len(), 1);
        assert_eq!((found[0].sgf(), found[0].page()), (at("a.review.sgf"), at("a.review.html")));
        let other = jobs(&["x/b.sgf".into()], Some(Path::new("out"))).expect("jobs");
        assert_eq!(other[0].picture(5, PictureFormat::Svg), Path::new("out").join("b.move-5.svg"));
        let both = jobs(&["x/b.sgf".into(), "y/b.sgf".into()], Some(Path::new("out")));
        assert!(both.expect_err("one name").contains("would both become"));
        let empty = tempfile::tempdir().expect("a folder");
        assert!(jobs(&[empty.path().into()], None).expect_err("empty").contains("no record in the folder"));
    }
}
