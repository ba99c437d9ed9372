//! Which step of the table plays the next move. A rank between two steps plays each move as one of them, by chance.

use rand::RngExt as _;

use super::Level;
use super::rungs::{LARGE_SIZE, Rung, SMALL_SIZE, tables};
use crate::go::Size;
use crate::playout::Rng;

/// Points of the largest board that the small table is for, and of the smallest board for the large table.
const SMALL_POINTS: f32 = (SMALL_SIZE * SMALL_SIZE) as f32;
const LARGE_POINTS: f32 = (LARGE_SIZE * LARGE_SIZE) as f32;

/// The step that plays the next move on a board of this size; `None` for full strength.
pub(super) fn draw(level: Level, size: impl Into<Size>, with_net: bool, rng: &mut Rng) -> Option<Rung> {
    let tables = tables(with_net);
    let table = if coin(share_of_large(size), rng) { tables.large } else { tables.small };
    match level {
        Level::Max => None,
        Level::Rung(number) => table.get(usize::from(number)).or(table.last()).copied(),
        Level::Rank(rank) => {
            let kyu = f32::from(rank.kyu());
            let above = table.iter().position(|rung| rung.kyu <= kyu).unwrap_or(table.len() - 1);
            let (low, high) = (table[above.saturating_sub(1)], table[above]);
            // Beyond its ends, the table's last steps serve.
            let nearer = if low.kyu > high.kyu { (low.kyu - kyu) / (low.kyu - high.kyu) } else { 1.0 };
            Some(if coin(nearer, rng) { high } else { low })
        }
    }
}

/// How often the table for large boards plays on a board of this size: 0 up to 9×9, 1 from 19×19 on.
pub(super) fn share_of_large(size: impl Into<Size>) -> f32 {
    ((size.into().points() as f32 - SMALL_POINTS) / (LARGE_POINTS - SMALL_POINTS)).clamp(0.0, 1.0)
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
        for with_net in [false, true] {
            for (size, table) in [(9, tables(with_net).small), (19, tables(with_net).large)] {
                for seed in 0..50 {
                    let mut rng = crate::playout::stream(seed, 0);
                    // The weakest step is weaker than any rank, so 30 kyu is drawn from the two steps around 30 kyu.
                    let around = table.windows(2).find(|pair| pair[0].kyu > 30.0 && pair[1].kyu <= 30.0);
                    let drawn = draw(level("30k"), size, with_net, &mut rng);
                    assert!(around.is_some_and(|pair| drawn.is_some_and(|rung| pair.contains(&rung))), "{drawn:?}");
                    assert_eq!(draw(level("9d"), size, with_net, &mut rng).as_ref(), table.last());
                    assert_eq!(draw(level("rung-5"), size, with_net, &mut rng), Some(table[5]));
                    assert_eq!(draw(Level::Max, size, with_net, &mut rng), None);
                }
            }
        }
    }

    #[test]
    fn a_rank_between_two_steps_plays_both() {
        let mut rng = crate::playout::stream(7, 0);
        let small = tables(true).small;
        for kyu in 1..=30 {
            let level = level(&format!("{kyu}k"));
            let drawn: Vec<Rung> = (0..300).filter_map(|_| draw(level, 9, true, &mut rng)).collect();
            let mean = drawn.iter().map(|rung| rung.kyu).sum::<f32>() / 300.0;
            let wanted = (kyu as f32).clamp(small[small.len() - 1].kyu, small[0].kyu);
            assert!((mean - wanted).abs() < 1.0, "{kyu}k: {mean}");
        }
        let on_13: Vec<Rung> = (0..300).filter_map(|_| draw(level("rung-5"), 13, true, &mut rng)).collect();
        assert!(on_13.contains(&small[5]) && on_13.contains(&tables(true).large[5]));
    }
}
