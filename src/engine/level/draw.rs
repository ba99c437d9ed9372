//! Which step of the table plays the next move. A rank between two steps plays each move as one of them, by chance.

use rand::RngExt as _;

use super::Level;
use super::rungs::{COUNT, LARGE, Rung, SMALL};
use crate::playout::Rng;

/// Points of the largest board that the small table is for.
const SMALL_POINTS: f32 = 81.0;
const LARGE_POINTS: f32 = 361.0;

/// The step that plays the next move on a board of this size; `None` for full strength.
pub(super) fn draw(level: Level, size: usize, rng: &mut Rng) -> Option<Rung> {
    let share = ((size * size) as f32 - SMALL_POINTS) / (LARGE_POINTS - SMALL_POINTS);
    let table = if coin(share, rng) { &LARGE } else { &SMALL };
    match level {
        Level::Max => None,
        Level::Rung(number) => table.get(usize::from(number)).copied(),
        Level::Rank(rank) => {
            let kyu = f32::from(rank.kyu());
            let above = table.iter().position(|rung| rung.kyu <= kyu).unwrap_or(COUNT - 1);
            let (low, high) = (table[above.saturating_sub(1)], table[above]);
            // Beyond its ends, the table's last steps serve.
            let nearer = if low.kyu > high.kyu { (low.kyu - kyu) / (low.kyu - high.kyu) } else { 1.0 };
            Some(if coin(nearer, rng) { high } else { low })
        }
    }
}

/// `true` with this probability. Each call takes one random number, so the later numbers stay the same.
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
    fn the_weakest_rank_is_in_the_table_and_the_strongest_play_its_end() {
        for (size, table) in [(9, SMALL), (19, LARGE)] {
            for seed in 0..50 {
                let mut rng = crate::playout::stream(seed, 0);
                // The weakest step is weaker than any rank, so 30 kyu is drawn from the two steps around 30 kyu.
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
