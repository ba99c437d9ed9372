pub mod clock;
pub mod engine;
pub mod game;
pub mod go;
pub mod gtp;
pub mod playout;
pub mod search;
pub mod sgf;
