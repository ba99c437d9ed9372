//! The names of the properties that something is done with.

use crate::go::Color;

/// The property of a side's move.
pub const fn of_move(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

/// Is it a move?
pub fn is_move(name: &str) -> bool {
    matches!(name, "B" | "W")
}

/// Does it put stones, take them away, or say whose turn it is?
pub fn is_set_up(name: &str) -> bool {
    matches!(name, "AB" | "AW" | "AE" | "PL")
}

/// Properties of the root: about the file and the game as a whole (FF4, "root" and "game-info" properties).
const OF_THE_GAME: &[&str] = &[
    "AP", "CA", "FF", "GM", "ST", "SZ", "AN", "BR", "BT", "CP", "DT", "EV", "GN", "GC", "HA", "KM", "ON", "OT", "PB",
    "PC", "PW", "RE", "RO", "RU", "SO", "TM", "US", "WR", "WT",
];

/// Does it stay in a node whose move is moved to a node of its own?
pub fn stays_without_the_move(name: &str) -> bool {
    is_set_up(name) || OF_THE_GAME.contains(&name)
}
