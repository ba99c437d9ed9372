pub mod game;
pub mod go;
pub mod playout;
