//! The names of the properties that the program uses.

use crate::go::Color;

/// The property for a side's move.
pub const fn of_move(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

/// Is the property a move?
pub fn is_move(name: &str) -> bool {
    matches!(name, "B" | "W")
}

/// Does the property add stones, remove stones, or name the side to move?
pub fn is_set_up(name: &str) -> bool {
    matches!(name, "AB" | "AW" | "AE" | "PL")
}

/// Properties of the root: about the file and the game as a whole (FF4, "root" and "game-info" properties).
const OF_THE_GAME: &[&str] = &[
    "AP", "CA", "FF", "GM", "ST", "SZ", "AN", "BR", "BT", "CP", "DT", "EV", "GN", "GC", "HA", "KM", "ON", "OT", "PB",
    "PC", "PW", "RE", "RO", "RU", "SO", "TM", "US", "WR", "WT",
];

/// Does the property stay when its node's move goes to a node of its own?
pub fn stays_without_the_move(name: &str) -> bool {
    is_set_up(name) || OF_THE_GAME.contains(&name)
}
