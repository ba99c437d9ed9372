//! The Go Text Protocol, version 2 (draft 2, Farnebäck 2002): the session that turns each line into one reply.
//!
//! `protocol` makes calls of lines and knows no Go. `input` reads standard input in its own thread. `args` reads words.
//! `commands` has THE table of commands. Answers that come line by line go through `stream`: `analysis` makes the
//! lines, `gogui` makes what GoGui draws. `guide` explains to a person at a terminal.

pub mod analysis;
pub mod args;
pub mod cgos;
pub mod commands;
pub mod error;
pub mod explain;
pub mod gogui;
mod guide;
pub mod input;
pub mod params;
pub mod protocol;
pub mod session;
pub mod stream;
pub mod turn;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::engine::Engine;
use args::Args;
use commands::Command;
use error::CommandError;
use gogui::LiveGraphics;
use input::Input;
use protocol::Call;
pub use session::{Reader, Session, SessionOptions};
use stream::Stream;
use turn::TurnStart;

/// The line for which some clients of KataGo wait before they send anything.
const READY: &str = "GTP ready, beginning main protocol loop\n";

/// Commands during which pondering goes on: they change nothing in the game. kgsGtp sends the first two on the opponent's
/// time, after each of our moves; programs for matches ask for the processor time. (Lizzie ends our thinking by `name`.)
const LEAVES_PONDERING: &[&str] = &["time_left", "kgs-chat", "cputime", "gomill-cpu_time"];

/// Answers lines until `quit`, the end of input, or the end of the program that reads the answers. Answers go to
/// `output`. Drawings for GoGui, thoughts for gtp2ogs and explanations for a person go to `asides`, which is standard
/// error in the program.
///
/// # Errors
/// If writing fails. It is no error that the reader has gone away.
pub fn run(
    engine: Engine,
    options: SessionOptions,
    input: &Arc<Input>,
    output: impl Write + Send + 'static,
    asides: impl Write + Send + 'static,
) -> io::Result<()> {
    let time = engine.options().search.time.clone();
    let stream = Stream::new(output, asides, Arc::clone(input), time.clone());
    let resign_below = engine.options().resign_below;
    let live_graphics = LiveGraphics::Off;
    let mut session = Session { engine, options, quitting: false, stream, live_graphics, resign_below };
    if session.options.says_ready {
        session.stream.write_aside(READY);
    }
    let mut turn = TurnStart::new(time.now());
    while !session.quitting {
        let Some(line) = input.next() else { break };
        if session.options.reader == Reader::Audience {
            session.stream.write_aside(&guide::shown(&line.text));
        }
        let Some(request) = protocol::parse(&line.text) else {
            input.finish();
            continue;
        };
        session.engine.turn_started(turn.command(&request.name, line.read_at));
        if !LEAVES_PONDERING.contains(&request.name.as_str()) {
            session.engine.stop_pondering();
        }
        session.stream.begin(&request);
        let reply = if line.cut { Err(CommandError::new("line too long")) } else { answer(&mut session, &request) };
        let reply = reply.map_err(|error| error.to_string());
        let written = session.stream.finish(&request, &reply);
        if session.options.reader == Reader::Person {
            let text = guide::after(&mut session, &request, &reply);
            session.stream.write_aside(&text);
        }
        turn.answered(time.now());
        input.finish();
        match written {
            Ok(()) => {}
            // The reader has gone away, so no message can reach it.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            Err(error) => return Err(error),
        }
    }
    session.engine.stop_pondering();
    Ok(())
}

/// Carries out one call. A panic, which would be a bug, becomes an error reply.
///
/// # Errors
/// The text of the reply if there is no such command, or the command fails.
pub fn answer(session: &mut Session, request: &Call) -> Result<String, CommandError> {
    let Some(command) = Command::by_name(&request.name, &session.options) else {
        return Err(CommandError::unknown_command());
    };
    if !request.is_whole {
        return Err(CommandError::syntax());
    }
    let args = Args::new(&request.arguments);
    catch_unwind(AssertUnwindSafe(|| (command.run)(session, &args))).unwrap_or_else(|_| {
        log::error!("a bug: {} {:?} panicked", request.name, request.arguments);
        Err(CommandError::new("internal error"))
    })
}
