//! What a person at a terminal is told beside the answers: what a wrong command might have meant, why a move is
//! illegal, and the board after a move. The answers stay as the specification has them.

use super::args::Args;
use super::commands::{Command, showboard};
use super::protocol::Call;
use super::{Session, SessionOptions};
use crate::go::vertex::{self, Vertex};
use crate::go::{MAX_SIZE, MIN_SIZE, Size, handicap};
use crate::view::refusal;

/// Commands after which the board is shown.
const SHOWS_BOARD: &[&str] = &[
    "boardsize",
    "clear_board",
    "fixed_handicap",
    "place_free_handicap",
    "set_free_handicap",
    "play",
    "genmove",
    "undo",
    "gg-undo",
    "loadsgf",
    "lz-genmove_analyze",
    "kata-genmove_analyze",
    "kgs-genmove_cleanup",
    "gogui-play_sequence",
    "gogui-setup",
];

/// How alike a wrong name and a command are at least; 1 means equal. (A guess.)
const ALIKE: f64 = 0.7;

/// The most characters of a wrong word that a message repeats.
const MOST_SHOWN: usize = 40;

/// What to say after an answer; empty for nothing.
pub(super) fn after(session: &mut Session, call: &Call, reply: &Result<String, String>) -> String {
    let told = match reply {
        Ok(_) if SHOWS_BOARD.contains(&&*call.name) => showboard(session, &Args::new(&[])).unwrap_or_default(),
        Ok(_) => String::new(),
        Err(error) => mistake(session, call, error).unwrap_or_default(),
    };
    if told.is_empty() { told } else { told + "\n\n" }
}

/// A line of a script, for those who watch: without control characters, which could change the terminal.
pub(super) fn shown(line: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(line).chars().filter(|c| !c.is_control()).collect();
    text + "\n"
}

/// What is wrong with a call, in more words than its answer has.
fn mistake(session: &Session, call: &Call, error: &str) -> Option<String> {
    let game = session.engine.game();
    let size = game.size();
    let args = Args::new(&call.arguments);
    match error {
        "unknown command" => Some(unknown(call, size, &session.options)),
        "syntax error" => {
            let usage = Command::by_name(&call.name, &session.options)?.usage;
            let example = EXAMPLES.iter().find(|(name, _)| *name == call.name);
            let example = example.map_or_else(String::new, |(_, example)| format!(", for instance: {example}"));
            Some(match usage {
                "" => format!("{} stands alone.", call.name),
                _ => format!("Usage: {} {usage}{example}", call.name),
            })
        }
        "illegal move" if call.name == "play" => {
            let color = args.color(0).ok()?;
            let Vertex::On(mv) = args.vertex(1, size).ok()? else {
                let last = vertex::of(size.last_point(), size);
                return Some(format!("That point is not on the board, which goes from A1 to {last}."));
            };
            let mut position = game.position().clone();
            position.set_to_move(color);
            let reason = position.check(mv).err()?;
            Some(sentence(&refusal(&position, color, mv, reason)))
        }
        "unacceptable size" => {
            Some(format!("A board has {MIN_SIZE} to {MAX_SIZE} columns and rows: boardsize 13, or boardsize 9 13."))
        }
        "cannot undo" => Some(format!("The game has {} moves that can be taken back.", game.moves().len())),
        "board not empty" => Some("There are stones on the board; clear_board takes them off.".into()),
        "invalid number of stones" => Some(match handicap::most_fixed(size) {
            0 => format!("A board of {size} has no fixed points; place_free_handicap takes other points."),
            most => {
                format!("A board of {size} has fixed points for 2 to {most} stones; place_free_handicap takes more.")
            }
        }),
        _ if error.starts_with("cannot load file") || error.starts_with("cannot write file") => {
            let folder = std::env::current_dir().ok()?;
            Some(format!("Names of files are looked up in {}.", folder.display()))
        }
        _ => None,
    }
}

/// Examples for the commands that people type most.
const EXAMPLES: &[(&str, &str)] = &[
    ("play", "play black D4"),
    ("genmove", "genmove white"),
    ("boardsize", "boardsize 9"),
    ("komi", "komi 6.5"),
    ("fixed_handicap", "fixed_handicap 4"),
    ("time_settings", "time_settings 600 30 5"),
    ("kosumi-level", "kosumi-level 15k"),
    ("final_status_list", "final_status_list dead"),
];

/// What an unknown command might have meant.
fn unknown(call: &Call, size: Size, options: &SessionOptions) -> String {
    let word: String = call.name.chars().take(MOST_SHOWN).collect();
    let lower = word.to_lowercase();
    if Command::by_name(&lower, options).is_some() {
        return format!("Commands have small letters: {lower}");
    }
    if vertex::parse(&word, size).is_some() {
        return format!("To play there, say who plays: play black {}", word.to_uppercase());
    }
    if matches!(&*lower, "help" | "?" | "h") {
        return "play black D4 makes your move, genmove white asks for mine, showboard draws the board, undo takes a move \
                back, list_commands names all commands, quit ends. `kosumi play` is a game without commands."
            .into();
    }
    if matches!(&*lower, "exit" | "q" | "bye") {
        return "quit ends the program.".into();
    }
    let likeness = |command: &&Command| strsim::normalized_damerau_levenshtein(command.name, &lower);
    let best = Command::all(options).max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match best.filter(|command| likeness(command) >= ALIKE) {
        Some(command) => format!("Did you mean: {} {}", command.name, command.usage).trim_end().to_owned(),
        None => "list_commands names all commands.".into(),
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).chain(['.']).collect())
}
