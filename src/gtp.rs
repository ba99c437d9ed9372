//! The Go Text Protocol, version 2 (draft 2, Farnebäck 2002): the session that turns each line into one reply.
//!
//! `protocol` cuts lines into requests and knows no Go, `input` reads standard input in its own thread, `args`
//! reads words, `commands` has THE table of commands.

pub mod args;
pub mod commands;
pub mod error;
pub mod input;
pub mod protocol;
pub mod vertex;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::engine::Engine;
use args::Args;
use commands::Command;
use error::CommandError;
use input::Input;
use protocol::Request;

/// What commands act on.
pub struct Session {
    /// The engine.
    pub engine: Engine,
    /// Set by `quit`: the session ends after its reply.
    pub quitting: bool,
}

/// Answers lines until `quit`, the end of input, or the end of whoever reads the answers.
///
/// # Errors
/// If writing fails for another reason than a reader that has gone.
pub fn run(engine: Engine, input: &Input, mut output: impl Write) -> io::Result<()> {
    let mut session = Session { engine, quitting: false };
    while !session.quitting {
        let Some(line) = input.next() else { break };
        let Some(request) = protocol::parse(&line.text) else {
            input.finish();
            continue;
        };
        session.engine.stop_pondering();
        let reply = if line.cut { Err(CommandError::new("line too long")) } else { answer(&mut session, &request) };
        let text = protocol::reply(&request, &reply.map_err(|error| error.to_string()));
        let written = output.write_all(text.as_bytes()).and_then(|()| output.flush());
        input.finish();
        match written {
            Ok(()) => {}
            // Nobody reads any more: there is nobody to tell, either.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            Err(error) => return Err(error),
        }
    }
    session.engine.stop_pondering();
    Ok(())
}

/// Carries out one request. A panic, which would be a bug, becomes an error reply.
///
/// # Errors
/// The text of the reply if there is no such command, or it fails.
pub fn answer(session: &mut Session, request: &Request) -> Result<String, CommandError> {
    let Some(command) = Command::by_name(&request.name) else { return Err(CommandError::unknown_command()) };
    let args = Args::new(&request.arguments);
    catch_unwind(AssertUnwindSafe(|| (command.run)(session, &args))).unwrap_or_else(|_| {
        log::error!("a bug: {} {:?} panicked", request.name, request.arguments);
        Err(CommandError::new("internal error"))
    })
}
