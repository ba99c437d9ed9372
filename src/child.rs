//! Programs that Kosumi starts: engines of a match, and a browser.

use std::process::Command;

/// Keeps a program apart from the terminal. Ctrl-C there, and the terminal's end, are for Kosumi alone: an engine would
/// lose its game, and a browser would close all of its windows.
#[cfg(unix)]
pub(crate) fn keep_apart(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// Other systems have no groups of processes.
#[cfg(not(unix))]
pub(crate) fn keep_apart(_: &mut Command) {}
