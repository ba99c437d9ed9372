//! Counts of eye spaces of three to six points with every set of enemy stones inside, in the middle, at the side and in
//! the corner, with none to two liberties outside: each against exhaustive play (`eye_spaces/truth.rs`).
//!
//! A count is right if it lies between what White gets with the first move and what Black gets with it. So where the
//! first move decides, both answers are right, and where it does not, there is one. A count that is one point beside
//! the interval has left a neutral point open that one side could still take without harm. Those cases are counted
//! apart: the engine counts what lies on the board, and a wrong fate costs two points or more.

mod shapes;
mod truth;

use std::collections::BTreeMap;

use kosumi::engine::{Engine, EngineOptions};
use kosumi::game::Game;
use kosumi::go::{Color, Move, diagram, rules, score};

use crate::support::engine as fixed;
use shapes::{SIZE, Space};
use truth::{Stones, Truth};

/// What was found.
#[derive(Default)]
struct Tally {
    cases: usize,
    /// Cases in which the first move changes nothing.
    settled: usize,
    /// Cases in which one side could still take a neutral point.
    unfilled: usize,
    wrong: Vec<String>,
    /// Wrong answers by number of points, place and liberties.
    kinds: BTreeMap<String, usize>,
}

/// Judges every `step`-th set of stones of the spaces of so many points, the first one at `start`.
fn judge(engine: &mut Engine, points: usize, start: usize, step: usize) -> Tally {
    let mut tally = Tally::default();
    let mut number = 0;
    for space in shapes::shapes(points).iter().flat_map(shapes::spaces) {
        let wanted: Vec<u16> = (0..(1u16 << points) - 1)
            .filter(|_| {
                number += 1;
                (number + start).is_multiple_of(step)
            })
            .collect();
        if wanted.is_empty() {
            continue;
        }
        let truth = Truth::new(&space);
        for black in wanted {
            judge_one(engine, &space, &truth, black, &mut tally);
        }
    }
    tally
}

fn judge_one(engine: &mut Engine, space: &Space, truth: &Truth, black: u16, tally: &mut Tally) {
    let stones = Stones { black, white: 0 };
    if !truth.is_position(stones) {
        return;
    }
    let (least, most) = truth.interval(stones);
    let mut game = Game::new(SIZE, rules::CHINESE, None);
    let stones = space.board.points().filter_map(|p| Some((space.board.cell(p).color()?, p)));
    let inside = space.inside.iter().enumerate().filter(|&(i, _)| black >> i & 1 == 1).map(|(_, &p)| (Color::Black, p));
    let to_move = if tally.cases.is_multiple_of(2) { Color::Black } else { Color::White };
    game.set_up(stones.chain(inside), to_move).expect("every chain has a liberty");
    for color in [to_move, to_move.other()] {
        game.play(color, Move::Pass).expect("a pass is legal");
    }
    engine.load(game);
    let statuses = engine.statuses();
    let board = engine.game().position().board();
    let owner = score::area(board, &statuses.dead);
    let points = space.inside.iter().chain(&space.wall);
    let count: i32 = points.map(|&p| owner[p].map_or(0, Color::sign)).sum();
    tally.cases += 1;
    tally.settled += usize::from(least == most);
    tally.unfilled += usize::from(count == least - 1 || count == most + 1);
    if !(least - 1..=most + 1).contains(&count) {
        let kind = format!("{} points, {}", space.inside.len(), space.name);
        tally
            .wrong
            .push(format!("{kind}: {count}, not {least} to {most}, {to_move} to move\n{}", diagram::draw(board)));
        *tally.kinds.entry(kind).or_default() += 1;
    }
}

fn engine() -> Engine {
    fixed::engine(EngineOptions { size: SIZE.into(), ..fixed::options() })
}

fn check(points: usize, start: usize, step: usize) -> Tally {
    let tally = judge(&mut engine(), points, start, step);
    let Tally { cases, settled, unfilled, wrong, .. } = &tally;
    println!(
        "{points} points: {cases} cases, {settled} settled, {unfilled} with a neutral point, {} wrong",
        wrong.len()
    );
    tally
}

#[test]
fn there_are_as_many_shapes_as_everyone_counts() {
    assert_eq!([1, 2, 3, 4, 5, 6].map(|points| shapes::shapes(points).len()), [1, 1, 2, 5, 12, 35]);
}

/// The truth itself, where everybody knows it.
#[test]
fn exhaustive_play_knows_the_usual_shapes() {
    let straight = |points: usize| (0..points).map(|x| (x, 0)).collect::<Vec<_>>();
    let of = |shape: &Vec<(usize, usize)>, black: u16| {
        let space = &shapes::spaces(shape)[0];
        let all = (space.wall.len() + space.inside.len()) as i32;
        (Truth::new(space).interval(Stones { black, white: 0 }), all)
    };
    let (three, all) = of(&straight(3), 0);
    assert_eq!(three, (-all, all), "three in a row: the first move decides");
    let (three, all) = of(&straight(3), 0b010);
    assert_eq!(three, (all, all), "with a black stone in the middle it is dead");
    let (four, all) = of(&straight(4), 0);
    assert_eq!(four, (-all, -all), "four in a row live");
    let (square, all) = of(&vec![(0, 0), (0, 1), (1, 0), (1, 1)], 0);
    assert_eq!(square, (all, all), "a square of four is dead");
}

/// One in some hundred of all, so that each run takes seconds.
#[test]
fn some_eye_spaces_are_counted_right() {
    for (points, step) in [(3, 40), (4, 200), (5, 1000), (6, 6000)] {
        let tally = check(points, 0, step);
        assert!(tally.cases > 5, "{points} points: {} cases", tally.cases);
        assert_eq!(tally.wrong, [""; 0]);
    }
}

mod strength {
    use super::*;

    /// Every 50th of them, or every `EYE_SPACES_STEP`-th. All of them take twenty minutes of a core.
    #[test]
    #[ignore = "of strength: half a minute"]
    fn a_fiftieth_of_all_eye_spaces_is_counted_right() {
        let step = std::env::var("EYE_SPACES_STEP").map_or(50, |step| step.parse().expect("a number"));
        let mut wrong = 0;
        for points in 3..=6 {
            let tally = check(points, 0, step);
            tally.kinds.iter().for_each(|(kind, number)| println!("{number:>5} {kind}"));
            tally.wrong.iter().for_each(|case| println!("WRONG {case}"));
            wrong += tally.wrong.len();
        }
        assert_eq!(wrong, 0);
    }
}
