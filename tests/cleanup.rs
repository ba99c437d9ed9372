//! The clean-up on KGS: who disagrees about dead stones has to capture them, so none may stay, and nothing of one's own
//! may die of it. Played out on the library of life and death, with an opponent who passes.

use kosumi::engine::{Decision, Engine, Options};
use kosumi::go::rules::DeadStones;
use kosumi::go::{Color, Move, Point};

use crate::library::{Case, library};
use crate::support::engine as fixed;

/// More moves than any of these boards needs.
const MOST_MOVES: usize = 120;

fn engine(playouts: u64) -> Engine {
    // It would resign much if it could.
    fixed::engine(Options { playouts: Some(playouts), resign_below: 0.9, ..fixed::options() })
}

/// Stones of a side on the board of a case that have, or do not have, a fate.
fn stones(case: &Case, color: Color, wanted: impl Fn(Point) -> bool) -> Vec<Point> {
    case.board.points().filter(|&p| case.board.cell(p) == color.cell() && wanted(p)).collect()
}

/// Lets a side clean up; what is wrong with what it did.
fn clean_up(case: &Case, color: Color) -> Result<usize, String> {
    let mut engine = engine(100);
    engine.load(case.game());
    let dead = stones(case, color.other(), |p| case.expected.dead.contains(p));
    let own = stones(case, color, |p| !case.expected.dead.contains(p));
    let seki = stones(case, color.other(), |p| case.expected.seki.contains(p));
    for made in 0..MOST_MOVES {
        match engine.genmove_cleanup(color).expect("a search") {
            Decision::Resign => return Err("it resigned".into()),
            Decision::Move(Move::Play(_)) => {}
            Decision::Move(Move::Pass) => {
                let board = engine.game().position().board();
                let stays = |points: &[Point], side: Color| points.iter().all(|&p| board.cell(p) == side.cell());
                let gone = dead.iter().all(|&p| board.cell(p) != color.other().cell());
                return match (gone, stays(&own, color), stays(&seki, color.other())) {
                    (false, ..) => Err(format!("it passed with dead stones after {made} moves")),
                    (_, false, _) => Err("it lost stones of its own".into()),
                    (.., false) => Err("it broke up a seki".into()),
                    _ => Ok(made),
                };
            }
        }
        engine.game_mut().play(color.other(), Move::Pass).expect("a pass is legal");
    }
    Err("it never passed".into())
}

/// Lets both sides clean up every so many positions of the library. Fewer moves than `least` would prove little.
fn clean_up_the_library(step: usize, least: usize) {
    let (mut made, mut tried, mut misses) = (0, 0, Vec::new());
    for case in library().iter().filter(|case| case.rules.dead_stones == DeadStones::Removed).step_by(step) {
        for color in Color::BOTH {
            tried += 1;
            match clean_up(case, color) {
                Ok(moves) => made += moves,
                Err(fault) => misses.push(format!("{}, {color}: {fault}", case.name)),
            }
        }
    }
    println!("{tried} tried, {made} moves, {} misses:\n{}", misses.len(), misses.join("\n"));
    assert!(made >= least, "only {made} moves were needed: is there anything to clean up?");
    assert!(misses.is_empty(), "{misses:#?}");
}

#[test]
fn no_dead_stone_stays_and_nothing_alive_dies() {
    clean_up_the_library(12, 10);
}

mod strength {
    #[test]
    #[ignore = "of strength: minutes"]
    fn no_dead_stone_stays_and_nothing_alive_dies_in_much_of_the_library() {
        // A part of the library, unless all of it is wanted: it takes many minutes.
        let step = if std::env::var_os("KOSUMI_WHOLE_LIBRARY").is_some() { 1 } else { 4 };
        super::clean_up_the_library(step, 20);
    }
}
