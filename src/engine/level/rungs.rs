//! The table of measured steps, for 9×9 and for 19×19.
//!
//! What each is worth was measured by matches of neighbours and against GNU Go, see `docs/levels.md`; the program
//! `examples/calibrate.rs` plays them. A rank between two steps plays each move as one of them, by a coin that falls
//! the more often on the nearer; so does a board between 9×9 and 19×19 with the two tables.

use rand::RngExt as _;

use super::Level;
use crate::playout::Rng;

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

/// The points of the boards that the tables are for.
const SMALL_POINTS: f32 = 81.0;
const LARGE_POINTS: f32 = 361.0;

/// The step by which the next move is played on a board of this size; `None` to play as well as can be.
pub fn draw(level: Level, size: usize, rng: &mut Rng) -> Option<Rung> {
    let share = ((size * size) as f32 - SMALL_POINTS) / (LARGE_POINTS - SMALL_POINTS);
    let table = if coin(share, rng) { &LARGE } else { &SMALL };
    match level {
        Level::Max => None,
        Level::Rung(number) => table.get(usize::from(number)).copied(),
        Level::Rank(rank) => {
            let kyu = f32::from(rank.kyu());
            let above = table.iter().position(|rung| rung.kyu <= kyu).unwrap_or(COUNT - 1);
            let (low, high) = (table[above.saturating_sub(1)], table[above]);
            // Beyond its ends the table has nothing better than them.
            let nearer = if low.kyu > high.kyu { (low.kyu - kyu) / (low.kyu - high.kyu) } else { 1.0 };
            Some(if coin(nearer, rng) { high } else { low })
        }
    }
}

/// `true` with this probability. Always takes one number, so that later ones stay in their places.
fn coin(probability: f32, rng: &mut Rng) -> bool {
    rng.random::<f32>() < probability
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(text: &str) -> Level {
        text.parse().expect("a level")
    }

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

    #[test]
    fn the_weakest_rank_is_in_the_table_and_the_strongest_play_its_end() {
        for (size, table) in [(9, SMALL), (19, LARGE)] {
            for seed in 0..50 {
                let mut rng = crate::playout::stream(seed, 0);
                // The weakest step is weaker than any rank, so 30k is drawn from the two around it.
                let around = table.windows(2).find(|pair| pair[0].kyu > 30.0 && pair[1].kyu <= 30.0);
                let drawn = draw(level("30k"), size, &mut rng);
                assert!(around.is_some_and(|pair| drawn.is_some_and(|rung| pair.contains(&rung))), "{drawn:?}");
                assert_eq!(draw(level("9d"), size, &mut rng), Some(table[COUNT - 1]));
                assert_eq!(draw(level("rung-5"), size, &mut rng), Some(table[5]));
                assert_eq!(draw(Level::Max, size, &mut rng), None);
            }
        }
    }

    #[test]
    fn a_rank_between_two_steps_plays_both() {
        let mut rng = crate::playout::stream(7, 0);
        for kyu in 1..=30 {
            let level = level(&format!("{kyu}k"));
            let drawn: Vec<Rung> = (0..300).filter_map(|_| draw(level, 9, &mut rng)).collect();
            let mean = drawn.iter().map(|rung| rung.kyu).sum::<f32>() / 300.0;
            let wanted = (kyu as f32).clamp(SMALL[COUNT - 1].kyu, SMALL[0].kyu);
            assert!((mean - wanted).abs() < 1.0, "{kyu}k: {mean}");
        }
        let on_13: Vec<Rung> = (0..300).filter_map(|_| draw(level("rung-0"), 13, &mut rng)).collect();
        assert!(on_13.contains(&SMALL[0]) && on_13.contains(&LARGE[0]));
    }
}
