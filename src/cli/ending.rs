//! Signals that end the program: Ctrl-C, a request to end, a terminal that goes away.
//!
//! Each of them ends the program with a message and an exit code. A subcommand that has something to finish names a
//! flag: the first signal sets the flag, and a second one ends the program at once. Where the program was told to
//! ignore the end of the terminal, as `nohup` does, SIGHUP stays ignored. `main` starts the watch before anything else.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The longest wait for a file that is being written, and for the reader of the message. Both take a moment, unless the
/// machine is busy or nobody reads standard error. (A guess.)
const PATIENCE: Duration = Duration::from_secs(2);

/// What a subcommand wants to do at a signal.
struct Wishes {
    /// Set at the first signal.
    flag: Option<Arc<AtomicBool>>,
    /// Written to standard output before the end. With them, Ctrl-C is a good end.
    last_words: Option<&'static [u8]>,
}

/// The number of the signal that Ctrl-C sends, on all systems.
const CTRL_C: u8 = 2;

static WISHES: Mutex<Wishes> = Mutex::new(Wishes { flag: None, last_words: None });

/// The exit code of the last signal; 0 before the first.
static CODE: AtomicU8 = AtomicU8::new(0);

/// From now on the first signal sets `flag`, and the program goes on to its end.
pub(crate) fn set_at_first_signal(flag: &Arc<AtomicBool>) {
    WISHES.lock().unwrap_or_else(PoisonError::into_inner).flag = Some(Arc::clone(flag));
}

/// From now on these bytes go to standard output before a signal ends the program. Ctrl-C is then no failure: it is how
/// a person leaves.
pub(crate) fn take_leave_with(last_words: &'static [u8]) {
    WISHES.lock().unwrap_or_else(PoisonError::into_inner).last_words = Some(last_words);
}

/// The exit code of a program that a signal has ended, as shells give it: 128 and the number of the signal. `None` if
/// no signal has come.
pub(crate) fn code() -> Option<u8> {
    Some(CODE.load(Relaxed)).filter(|&code| code != 0)
}

/// A signal has come.
fn at_signal(name: &str, number: u8) {
    let code = 128 + number;
    let is_first = CODE.swap(code, Relaxed) == 0;
    let (flag, last_words) = {
        let wishes = WISHES.lock().unwrap_or_else(PoisonError::into_inner);
        (wishes.flag.clone(), wishes.last_words)
    };
    if let Some(flag) = flag.filter(|_| is_first) {
        flag.store(true, Relaxed);
        return;
    }
    kosumi::file::end_writing(PATIENCE);
    // Nobody may read the message, and then the writing never ends.
    let (sender, written) = std::sync::mpsc::sync_channel(1);
    let (code, message) = match last_words {
        Some(_) if number == CTRL_C => (0, String::new()),
        _ => (code, format!("kosumi: ended by {name}\n")),
    };
    let writer = std::thread::Builder::new().spawn(move || {
        if let Some(last_words) = last_words {
            let _ = std::io::stdout().write_all(last_words).and_then(|()| std::io::stdout().flush());
        }
        let _ = std::io::stderr().write_all(message.as_bytes());
        let _ = sender.send(());
    });
    if writer.is_ok() {
        let _ = written.recv_timeout(PATIENCE);
    }
    std::process::exit(code.into());
}

/// Starts to watch for signals.
///
/// # Errors
/// If the system does not allow it. A signal then ends the program without a word.
#[cfg(unix)]
pub(crate) fn watch() -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // Where a file may not grow, the writing shall fail. Without a handler the signal ends the program instead.
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default())?;
    let ours = [(SIGINT, "Ctrl-C (SIGINT)"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP")];
    let ours = ours.map(|(number, name)| (number as u8, name));
    let is_watched = |number: i32| number != SIGHUP || !survives_the_terminal();
    let watched = ours.iter().map(|&(number, _)| i32::from(number)).filter(|&number| is_watched(number));
    let mut signals = signal_hook::iterator::Signals::new(watched)?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        for caught in signals.forever() {
            for (number, name) in ours.into_iter().filter(|&(number, _)| i32::from(number) == caught) {
                at_signal(name, number);
            }
        }
    })?;
    Ok(())
}

/// Was the program told to ignore SIGHUP? Only Linux says so, in a file: the lowest bit of a mask. (A shell ignores
/// SIGINT, too, in what it starts in the background. A SIGINT sent on purpose shall end a match there.)
#[cfg(unix)]
fn survives_the_terminal() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

/// Starts to watch for Ctrl-C.
///
/// # Errors
/// If the system does not allow it.
#[cfg(not(unix))]
pub(crate) fn watch() -> std::io::Result<()> {
    ctrlc::set_handler(|| at_signal("Ctrl-C", CTRL_C)).map_err(std::io::Error::other)
}
