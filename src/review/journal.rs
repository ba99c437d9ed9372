//! A review in progress: a file with a line of JSON for each position that has been searched, behind a line that says
//! which review it is. So a process that is killed loses the position in progress and no other.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::finding::Finding;

/// The file, held by this process.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens a file, and gives the findings in it. The findings of another review are thrown away.
    ///
    /// # Errors
    /// If the file cannot be used, or another process has it.
    pub(super) fn open(path: &Path, identity: &Value) -> io::Result<(Journal, Vec<Finding>)> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(io::ErrorKind::WouldBlock, "another process reviews this game"));
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        let mut lines = text.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
        let head = lines.next();
        let known = head.and_then(|line| serde_json::from_slice::<Value>(line).ok());
        let mut findings = Vec::new();
        let mut whole = 0;
        if known.as_ref() == Some(identity) {
            whole = head.map_or(0, <[u8]>::len);
            for line in lines {
                // What a killed process has left begun is not there.
                let Ok(finding) = serde_json::from_slice(line) else { break };
                findings.push(finding);
                whole += line.len();
            }
        }
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::Start(whole as u64))?;
        let mut journal = Journal { path: path.into(), file };
        if whole == 0 {
            journal.write(&identity.to_string())?;
        }
        Ok((journal, findings))
    }

    /// Adds a finding.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn add(&mut self, finding: &Finding) -> io::Result<()> {
        let line = serde_json::to_string(finding).map_err(io::Error::from)?;
        self.write(&line)
    }

    /// The review is complete, so the file is removed.
    ///
    /// # Errors
    /// If that cannot be done.
    pub(super) fn finish(self) -> io::Result<()> {
        drop(self.file);
        fs::remove_file(&self.path)
    }

    /// Writes a line in one piece.
    fn write(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn finding(turn: usize) -> Finding {
        Finding { turn, winrate: 0.25, lead: -1.5, visits: 9, moves: Vec::new(), owners: "ammy".into() }
    }

    #[test]
    fn whole_lines_of_the_same_review_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.part");
        let open = |identity: &Value| Journal::open(&path, identity).expect("it can be opened");
        let ours = json!({"record": 1});
        let (mut journal, known) = open(&ours);
        assert!(known.is_empty());
        journal.add(&finding(0)).expect("written");
        journal.add(&finding(1)).expect("written");
        assert!(Journal::open(&path, &ours).expect_err("held").to_string().contains("another process"));
        drop(journal);
        // A killed process leaves a part of a line.
        let mut text = fs::read(&path).expect("a file");
        let whole = text.len();
        text.extend(b"{\"turn\":2,");
        fs::write(&path, &text).expect("a file");
        let (mut journal, known) = open(&ours);
        assert_eq!(known, [finding(0), finding(1)]);
        assert_eq!(fs::read(&path).expect("a file").len(), whole);
        journal.add(&finding(2)).expect("written");
        drop(journal);
        assert_eq!(open(&ours).1.len(), 3);
        assert!(open(&json!({"record": 2})).1.is_empty(), "another review begins anew");
        let (journal, known) = open(&ours);
        assert!(known.is_empty());
        journal.finish().expect("it can be removed");
        assert!(!path.exists());
    }
}
