//! How a game with a person is played and shown.

use crate::go::Color;

use super::board::Style;

/// How the game is played and shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The person's side.
    pub person: Color,
    /// Handicap stones for Black; 0 for an even game.
    pub handicap: usize,
    /// How the board is drawn.
    pub style: Style,
    /// Does a person see at once what is written? Then a line says that the engine thinks. Else each line that is read
    /// is shown behind its prompt.
    pub at_terminal: bool,
}

impl Default for Settings {
    /// The person has Black in an even game. Letters show the stones.
    fn default() -> Settings {
        Settings { person: Color::Black, handicap: 0, style: Style::default(), at_terminal: false }
    }
}
