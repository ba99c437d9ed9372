//! What the commands of a session act on.

use super::gogui::LiveGraphics;
use super::stream::Stream;
use crate::engine::Engine;

/// How a session behaves, chosen by the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionOptions {
    /// Know `kgs-chat`?
    pub kgs_chat: bool,
    /// Write the thought about each move beside the answers, for gtp2ogs?
    pub for_gtp2ogs: bool,
    /// Write that the session is ready, in KataGo's words?
    pub says_ready: bool,
    /// The answer to `name`; `None` for the program's own name.
    pub name: Option<String>,
    /// Who reads what is written beside the answers.
    pub reader: Reader,
}

/// Who reads what a session writes beside the answers, on standard error. The answers are the same for all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reader {
    /// A program, which gets nothing but what it has asked for.
    #[default]
    Program,
    /// A person who types the commands: gets explanations, and the board after each move.
    Person,
    /// A person who watches a script: gets each line of the script before its answer.
    Audience,
}

/// What commands act on.
#[derive(Debug)]
pub struct Session {
    /// The engine.
    pub engine: Engine,
    /// How the session behaves.
    pub options: SessionOptions,
    /// Set by `quit`: the session ends after its reply.
    pub quitting: bool,
    /// Where answers and asides go. Some answers come line by line.
    pub stream: Stream,
    /// What is drawn while a move is chosen.
    pub live_graphics: LiveGraphics,
    /// The win rate below which the engine resigns, as it was at the start.
    pub resign_below: f32,
}
