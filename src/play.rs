//! `kosumi play`: a game between a person at a terminal and the engine.
//!
//! A person types a line and presses return. `order` reads the line, `table` carries it out, `say` has the sentences,
//! `board` draws. No line ends the session but `quit` and the end of the input, and no line makes it panic.
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::AtomicBool;
//!
//! use kosumi::engine::{Engine, EngineOptions};
//! use kosumi::play::{self, Settings};
//!
//! let options = EngineOptions { size: 5.into(), playouts: Some(20), ..EngineOptions::default() };
//! let engine = Engine::new(options, Arc::new(AtomicBool::new(false)))?;
//! let mut shown = Vec::new();
//! play::run(engine, Settings::default(), &b"c3\nquit\n"[..], &mut shown)?;
//! assert!(String::from_utf8_lossy(&shown).contains("Kosumi (white) plays "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
pub mod names;
pub mod order;
pub mod say;
mod settings;
mod table;

use std::io::{self, BufRead, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::engine::Engine;
use crate::go::{Size, handicap};

pub use board::Style;
use order::Order;
pub use settings::Settings;
use table::Table;

/// Why no game can be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The board has no such handicap.
    #[error("{}", handicap::no_free_handicap(*size, *stones))]
    Handicap {
        /// The stones.
        stones: usize,
        /// Columns and rows of the board.
        size: Size,
    },
    /// The input cannot be read, or the output cannot be written.
    #[error(transparent)]
    Io(#[from] IoError),
}

/// What the system refuses a game with a person.
#[derive(Debug, thiserror::Error)]
pub enum IoError {
    /// The input.
    #[error("cannot read: {0}")]
    Read(io::Error),
    /// The output.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
}

/// Longer lines are cut. No name of a file is that long.
const LONGEST_LINE: u64 = 1 << 16;

/// Plays until the person leaves: by `quit`, or by the end of the input. It is no error that nobody reads the output
/// any more.
///
/// # Errors
/// See [`PlayError`].
pub fn run(engine: Engine, settings: Settings, input: impl BufRead, output: impl Write) -> Result<(), PlayError> {
    let (size, stones) = (engine.game().size(), settings.handicap);
    let points = match stones {
        0 => Vec::new(),
        _ => handicap::free(size, stones).ok_or(PlayError::Handicap { stones, size })?,
    };
    let mut table = Table::new(engine, settings, output);
    match table.begin(&points).map_err(IoError::from).and_then(|()| sit(&mut table, settings, input)) {
        Err(IoError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}

fn sit(table: &mut Table<impl Write>, settings: Settings, mut input: impl BufRead) -> Result<(), IoError> {
    loop {
        table.prompt()?;
        let Some(line) = read_line(&mut input).map_err(IoError::Read)? else { return Ok(table.say("\nGoodbye.")?) };
        if !settings.at_terminal {
            table.say(if line.is_empty() { " " } else { &line })?;
        }
        let order = Order::read(&line, table.size());
        let goes_on = catch_unwind(AssertUnwindSafe(|| table.obey(order))).unwrap_or_else(|_| {
            log::error!("a bug: {line:?} panicked");
            table.say("Something went wrong inside Kosumi. The game goes on; please report what you typed.")?;
            Ok(true)
        })?;
        if !goes_on {
            return Ok(table.say("Goodbye.")?);
        }
    }
}

/// The next line without blanks around it; `None` at the end of the input. Bytes that are no text become U+FFFD, and
/// control characters become blanks.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LONGEST_LINE {
        skip_line(input)?;
    }
    // Messages repeat parts of a line, and control characters could change the terminal.
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    Ok(Some(String::from_utf8_lossy(&bytes).chars().map(printable).collect::<String>().trim().to_owned()))
}

/// Skips the rest of a line that was cut.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let (used, ends) = match buffer.iter().position(|&byte| byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), false),
        };
        input.consume(used);
        if ends {
            return Ok(());
        }
    }
}
