//! Opens the user's browser, with the program that each system has for that.

use std::io;
use std::process::{Command, Stdio};

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
    apart(&mut command);
    let mut child = command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    // Someone has to wait for the program's end, or the system would keep its number.
    std::thread::spawn(move || child.wait());
    Ok(())
}

/// Ctrl-C in the terminal, or the terminal's end, is for Kosumi alone. A browser that Kosumi started goes on.
#[cfg(unix)]
fn apart(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(not(unix))]
fn apart(_: &mut Command) {}
