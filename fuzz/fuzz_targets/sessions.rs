//! Whole sessions: commands in any order with any words. No answer is a panic, and what is refused changes nothing.
//!
//! The engine is the same for all inputs and is brought back to an empty board, because a new one takes milliseconds.
//! Words name no files outside of an empty folder.

#![no_main]

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock};

use kosumi::engine::{Engine, EngineOptions};
use kosumi::gtp::input::Input;
use kosumi::gtp::stream::Stream;
use kosumi::gtp::{self, Session, SessionOptions, commands::COMMANDS, gogui::LiveGraphics, protocol};
use kosumi::sgf;
use kosumi::time::TimeSource;
use libfuzzer_sys::fuzz_target;

/// Words as arguments: each byte of the input takes one, or a point, or its own character.
const WORDS: &[&str] = &[
    "b",
    "w",
    "black",
    "white",
    "pass",
    "resign",
    "nan",
    "-inf",
    "1e999",
    "-1",
    "0",
    "1",
    "2",
    "3",
    "5",
    "7.5",
    "26",
    "361",
    "65536",
    "4294967296",
    "18446744073709551616",
    "true",
    "false",
    "chinese",
    "japanese",
    "first-capture",
    "fridge-go",
    "aga-button",
    "dead",
    "alive",
    "seki",
    "15k",
    "max",
    "fischer",
    "byoyomi",
    "canadian",
    "absolute",
    "none",
    "avoid",
    "allow",
    "ownership",
    "interval",
    "minmoves",
    "maxmoves",
    "rootInfo",
    "{}",
    "{\"ko\":\"SIMPLE\"}",
    "koSIMPLEscoreTERRITORY",
    "(;SZ[5];B[aa])",
    "game.sgf",
    "\u{feff}",
    "囲碁",
];

/// Commands that only make the others slow, or end the session.
const LEFT_OUT: &[&str] = &["quit", "kosumi-visits", "kosumi-playouts", "kata-set-param", "kata-set-params"];

fn session() -> &'static Mutex<Session> {
    static SESSION: OnceLock<Mutex<Session>> = OnceLock::new();
    SESSION.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("kosumi-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).and_then(|()| std::env::set_current_dir(&folder)).expect("a folder");
        let mut options = EngineOptions { size: 5.into(), playouts: Some(8), ..EngineOptions::default() };
        options.search.memory = 2;
        let stop = Arc::new(AtomicBool::new(false));
        let time = TimeSource::system();
        let input = Input::start(io::empty(), Arc::clone(&stop), time.clone()).expect("a thread");
        let stream = Stream::new(io::sink(), io::sink(), input, time);
        let engine = Engine::new(options, stop).expect("memory and a thread");
        let options = SessionOptions { kgs_chat: true, ..SessionOptions::default() };
        Mutex::new(Session {
            engine,
            options,
            quitting: false,
            stream,
            live_graphics: LiveGraphics::Off,
            resign_below: 0.08,
        })
    })
}

/// All that a refused command must leave as it was.
fn state(session: &Session) -> (String, String, String, usize) {
    let game = session.engine.game();
    (sgf::write(&game.to_record(None)), game.komi().to_string(), format!("{:?}", game.rules()), game.moves().len())
}

fn word(byte: u8) -> String {
    match byte as usize {
        at if at < WORDS.len() => WORDS[at].into(),
        at if at < WORDS.len() + 30 => {
            let at = at - WORDS.len();
            format!("{}{}", char::from(b'A' + (at % 5) as u8), 1 + at / 5)
        }
        _ => char::from(byte).to_string().replace(['/', '\\'], "_"),
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut session = session().lock().expect("no panic leaves the session");
    for line in
        ["clear_board", "boardsize 5", "komi 7", "kosumi-rules chinese", "time_settings 0 1 0", "kosumi-level max"]
    {
        let call = protocol::parse(line.as_bytes()).expect("a command");
        gtp::answer(&mut session, &call).expect("what any session may send");
    }
    let names: Vec<&str> =
        COMMANDS.iter().map(|command| command.name).filter(|name| !LEFT_OUT.contains(name)).collect();
    // A byte for the command, one for the number of its words, then the words.
    let mut bytes = bytes.iter().copied();
    for _ in 0..40 {
        let (Some(name), Some(count)) = (bytes.next(), bytes.next()) else { break };
        // Moves are more common than all others together.
        let name = if name < 128 { "play" } else { names[(name as usize * 31 + count as usize / 8) % names.len()] };
        let words: Vec<String> = bytes.by_ref().take(count as usize % 8).map(word).collect();
        if name.contains("boardsize") && words.iter().any(|word| word.starts_with('2') && word.len() > 1) {
            continue;
        }
        let line = format!("{name} {}", words.join(" "));
        let Some(call) = protocol::parse(line.as_bytes()) else { continue };
        let before = state(&session);
        match gtp::answer(&mut session, &call) {
            Ok(_) => {}
            Err(error) => {
                assert_ne!(error.to_string(), "internal error", "{line}");
                assert_eq!(state(&session), before, "{line}: {error}");
            }
        }
    }
});
