//! Files that a user names: reading of regular files up to a limit, and writing in one step. This file knows no format.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock, TryLockError};
use std::time::{Duration, Instant};

/// Held by each [`write`], shared, and at the end of the program by [`end_writing`] alone.
static WRITING: RwLock<()> = RwLock::new(());

/// The contents of a regular file. Of a longer file, the first `longest` bytes and one more, so that the caller
/// notices.
///
/// # Errors
/// If the file cannot be read, or is no regular file: a pipe into which nobody writes would have no end.
pub fn read(path: &Path, longest: usize) -> io::Result<Vec<u8>> {
    // The kind is checked before the file is opened: opening such a pipe would wait for ever.
    regular(fs::metadata(path)?.is_file())?;
    let file = File::open(path)?;
    let most = (longest as u64).saturating_add(1);
    let length = file.metadata()?.len().min(most);
    let mut bytes = Vec::new();
    // Room at once: an array that grows takes twice the memory. Memory that the system refuses is an error.
    bytes.try_reserve_exact(length as usize).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a file, new or in the place of an old one. The bytes go to a file beside it, which gets the name at the end.
/// So a process that is killed leaves the old file or the new one, and never a half of either.
///
/// # Errors
/// If the file cannot be written, or the name belongs to something that is no regular file. An old file stays then.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let _writing = WRITING.read().unwrap_or_else(PoisonError::into_inner);
    let mut file = Replacement::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// A file that is being written beside the one whose name it gets at the end. Without an end it is removed.
#[derive(Debug)]
pub struct Replacement {
    file: File,
    beside: PathBuf,
    path: PathBuf,
    is_finished: bool,
}

impl Replacement {
    /// A new file, or one in the place of an old file.
    ///
    /// # Errors
    /// If there cannot be such a file, or the name belongs to something that is no regular file.
    pub fn create(path: &Path) -> io::Result<Replacement> {
        // A link stays a link: the file that it leads to is replaced.
        let (path, permissions) = match fs::metadata(path) {
            Ok(there) => {
                regular(there.is_file())?;
                if there.permissions().readonly() {
                    return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is write-protected"));
                }
                (fs::canonicalize(path)?, Some(there.permissions()))
            }
            Err(_) => (path.to_path_buf(), None),
        };
        let beside = beside(&path)?;
        let replacement = Replacement { file: File::create(&beside)?, beside, path, is_finished: false };
        // Who could not read the old file cannot read the new one.
        if let Some(permissions) = permissions {
            replacement.file.set_permissions(permissions)?;
        }
        Ok(replacement)
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If the bytes do not reach the disk, or the file cannot have the name. An old file stays then.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.beside, &self.path)?;
        self.is_finished = true;
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.is_finished {
            // Whatever kept the file from its end is what the caller has to know.
            let _ = fs::remove_file(&self.beside);
        }
    }
}

/// Waits for the files that are being written, but no longer than `within`. No file is written after it. For a program
/// that is about to end: it leaves no file beside.
pub fn end_writing(within: Duration) {
    let start = Instant::now();
    loop {
        match WRITING.try_write() {
            Ok(held) => return std::mem::forget(held),
            Err(TryLockError::Poisoned(held)) => return std::mem::forget(held),
            Err(TryLockError::WouldBlock) if start.elapsed() > within => return,
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}

/// The name of the file beside, for this process alone.
fn beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the name names no file"))?;
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(temporary))
}

fn regular(is_file: bool) -> io::Result<()> {
    if is_file { Ok(()) } else { Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_nothing_is_left_beside() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.sgf");
        for text in ["old", "newer"] {
            write(&path, text.as_bytes()).expect("it is written");
            assert_eq!(read(&path, 100).expect("it is there"), text.as_bytes());
        }
        assert_eq!(read(&path, 2).expect("it is there"), b"new", "one byte more than asked for");
        assert!(write(folder.path(), b"x").is_err(), "a folder");
        assert!(write(&folder.path().join("no/such/folder"), b"x").is_err());
        assert!(read(folder.path(), 9).is_err(), "a folder");
        let mut half = Replacement::create(&path).expect("a file beside");
        half.write_all(b"half").expect("it is written");
        drop(half);
        assert_eq!(read(&path, 100).expect("it is there"), b"newer");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left beside");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_may_not_read_stays_so() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.sgf");
        fs::write(&path, "old").expect("it is written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("the owner may");
        write(&path, b"new").expect("it is written");
        assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).expect("the owner may");
        assert!(write(&path, b"newer").is_err(), "write-protected");
        assert_eq!(read(&path, 9).expect("it is there"), b"new");
    }
}
