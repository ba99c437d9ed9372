//! Opens the user's browser, with the program that each system has for that.

use std::io;
use std::process::{Command, Stdio};

use crate::child::keep_apart;

/// Opens an address in the browser, and does not wait for it.
///
/// # Errors
/// If the system has no such program.
pub(super) fn open(address: &str) -> io::Result<()> {
    let mut command = if cfg!(target_os = "windows") {
        // `start` is a word of the shell. Its first argument is the title of a window.
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else if cfg!(target_os = "macos") {
        Command::new("open")
    } else {
        Command::new("xdg-open")
    };
    keep_apart(&mut command);
    let mut child = command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    // Someone has to wait for the program's end, or the system would keep its number.
    std::thread::spawn(move || child.wait());
    Ok(())
}
