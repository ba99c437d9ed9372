//! Which step of the table plays the next move. A rank between two steps plays each move as one of them, by chance.

use rand::RngExt as _;

use super::Level;
use super::rungs::{Rung, around};
use crate::go::Size;
use crate::playout::Rng;

/// The step that plays the next move on a board of this size; `None` for full strength.
pub(super) fn draw(level: Level, size: impl Into<Size>, with_net: bool, rng: &mut Rng) -> Option<Rung> {
    let ([smaller, larger], share) = around(with_net, size);
    let table = if coin(share, rng) { larger.rungs } else { smaller.rungs };
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

/// `true` with this probability. Each call takes one random number, so the later numbers stay the same.
fn coin(probability: f32, rng: &mut Rng) -> bool {
    rng.random::<f32>() < probability
}

#[cfg(test)]
mod tests {
    use super::super::rungs::tables;
    use super::*;

    fn level(text: &str) -> Level {
        text.parse().expect("a level")
    }

    #[test]
    fn the_weakest_rank_is_in_the_table_and_the_strongest_play_its_end() {
        for with_net in [false, true] {
            for (size, table) in tables(with_net).iter().map(|table| (table.size, table.rungs)) {
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
        let small = tables(true)[0].rungs;
        for kyu in 1..=30 {
            let level = level(&format!("{kyu}k"));
            let drawn: Vec<Rung> = (0..300).filter_map(|_| draw(level, 9, true, &mut rng)).collect();
            let mean = drawn.iter().map(|rung| rung.kyu).sum::<f32>() / 300.0;
            let wanted = (kyu as f32).clamp(small[small.len() - 1].kyu, small[0].kyu);
            assert!((mean - wanted).abs() < 1.0, "{kyu}k: {mean}");
        }
        let on_13: Vec<Rung> = (0..300).filter_map(|_| draw(level("rung-5"), 13, false, &mut rng)).collect();
        assert!(tables(false).iter().all(|table| on_13.contains(&table.rungs[5])));
    }
}
