//! The table of measured steps, for 9×9 and for 19×19.
//!
//! What each is worth was measured by matches of neighbours and against GNU Go, see `docs/levels.md`; the program
//! `examples/calibrate.rs` plays them. A rank between two steps plays each move as one of them, by a coin that falls
//! the more often on the nearer; so does a board between 9×9 and 19×19 with the two tables.

/// A step of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    /// Its rank as measured, in kyu: 1 is 1 kyu, 0 is 1 dan, −1 is 2 dan.
    pub kyu: f32,
    /// Playouts for a move.
    pub playouts: u32,
    /// What it sees of the moves; all if there is nothing here.
    pub sight: Option<Sight>,
}

/// What a weak player sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// Moves that come to its mind.
    pub moves: u8,
    /// How far from a good player's habits these are, 0 to 2: with 0 a move comes to mind as often as the prior has
    /// it, with 1 as the root of that, so that unlikely moves become likelier, with 2 each as often as the other.
    pub scatter: f32,
    /// It does not play a move that loses so much more of the win rate than the most natural one.
    pub loss: f32,
    /// It does not overlook that a chain of so many stones can be taken.
    pub chain: u8,
}

const fn weak(kyu: f32, moves: u8, scatter: f32, loss: f32, chain: u8, playouts: u32) -> Rung {
    Rung { kyu, playouts, sight: Some(Sight { moves, scatter, loss, chain }) }
}

const fn strong(kyu: f32, playouts: u32) -> Rung {
    Rung { kyu, playouts, sight: None }
}

/// Steps of each table.
pub const COUNT: usize = 15;

/// Weakest first. Up to 9×9. All steps are measured.
pub const SMALL: [Rung; COUNT] = [
    weak(35.4, 1, 2.0, 0.8, 10, 100),
    weak(27.2, 1, 1.0, 0.6, 8, 100),
    weak(24.8, 1, 0.5, 0.5, 7, 100),
    weak(24.2, 1, 0.0, 0.4, 6, 100),
    weak(17.4, 2, 0.3, 0.35, 5, 100),
    weak(17.2, 2, 0.0, 0.3, 4, 100),
    weak(13.4, 3, 0.0, 0.25, 3, 100),
    weak(11.3, 5, 0.0, 0.2, 2, 120),
    weak(8.9, 8, 0.0, 0.15, 1, 160),
    strong(8.2, 200),
    strong(5.8, 400),
    strong(4.1, 800),
    strong(1.4, 1600),
    strong(-0.8, 3200),
    strong(-1.3, 6400),
];

/// From 19×19 on. The steps from 0 to 11 are measured, the others estimates.
pub const LARGE: [Rung; COUNT] = [
    weak(42.8, 1, 0.0, 0.4, 6, 100),
    weak(31.6, 2, 0.3, 0.35, 6, 100),
    weak(25.6, 2, 0.0, 0.3, 5, 100),
    weak(22.5, 3, 0.3, 0.3, 5, 100),
    weak(22.4, 3, 0.0, 0.25, 4, 100),
    weak(19.0, 4, 0.0, 0.25, 3, 100),
    weak(18.9, 5, 0.0, 0.2, 2, 100),
    weak(17.7, 7, 0.0, 0.2, 2, 120),
    weak(16.9, 10, 0.0, 0.15, 1, 160),
    strong(12.8, 200),
    strong(10.7, 400),
    strong(7.8, 800),
    strong(5.3, 1600),
    strong(3.4, 3200),
    strong(1.8, 6400),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_rise_from_step_to_step() {
        for table in [&SMALL, &LARGE] {
            for pair in table.windows(2) {
                assert!(pair[0].kyu > pair[1].kyu, "{pair:?}");
                assert!(pair[0].playouts <= pair[1].playouts, "{pair:?}");
            }
            // Fewer would not tell who owns what at the end of the game.
            assert!(table.iter().all(|rung| rung.playouts >= 100));
        }
    }
}
