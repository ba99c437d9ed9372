//! What the commands of a session act on.

use super::gogui::LiveGraphics;
use super::stream::Stream;
use crate::engine::Engine;

/// How a session behaves, chosen by the user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Know `kgs-chat`?
    pub kgs_chat: bool,
    /// Write what is thought of each move to standard error, for gtp2ogs?
    pub for_gtp2ogs: bool,
}

/// What commands act on.
pub struct Session {
    /// The engine.
    pub engine: Engine,
    /// How it behaves.
    pub options: Options,
    /// Set by `quit`: the session ends after its reply.
    pub quitting: bool,
    /// Where answers go: some come line by line.
    pub stream: Stream,
    /// What is drawn on standard error while a move is chosen.
    pub live_graphics: LiveGraphics,
}
