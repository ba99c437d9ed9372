//! What happens when the program's output cannot be written: the log, and the answers of `kosumi analysis`.

use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

/// A log file. A log that cannot be written, as on a full disk, is told once on standard error. The program goes on.
#[derive(Debug)]
pub(crate) struct LogFile<W> {
    file: W,
    path: PathBuf,
    has_failed: bool,
}

impl<W: Write> LogFile<W> {
    /// A log in this file, which lies at `path`.
    pub(crate) fn new(file: W, path: PathBuf) -> LogFile<W> {
        LogFile { file, path, has_failed: false }
    }
}

impl<W: Write> Write for LogFile<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write_all(bytes).and_then(|()| self.file.flush());
        match written {
            Ok(()) => self.has_failed = false,
            Err(error) if !self.has_failed => {
                self.has_failed = true;
                let text = format!("kosumi: --log-file {}: {error}; lines of the log are lost\n", self.path.display());
                let _ = io::stderr().write_all(text.as_bytes());
            }
            Err(_) => {}
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An output without which the program has nothing to do. If it cannot be written, the program ends at once: with
/// success if the reader has gone away, else with a message and exit code 1. (A thread that waits for input would not
/// notice.)
#[derive(Debug)]
pub(crate) struct Essential<W>(pub(crate) W);

impl<W: Write> Write for Essential<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).inspect_err(end)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().inspect_err(end)
    }
}

fn end(error: &io::Error) {
    match error.kind() {
        ErrorKind::Interrupted => {}
        ErrorKind::BrokenPipe => std::process::exit(0),
        _ => {
            let _ = io::stderr().write_all(format!("kosumi: cannot write: {error}\n").as_bytes());
            std::process::exit(1);
        }
    }
}
