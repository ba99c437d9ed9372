//! Playouts keep to what is special about a rule set: the supply of stones, and the capture that ends the game.

mod vertex;

use kosumi::go::rules::{FIRST_CAPTURE, FRIDGE_GO};
use kosumi::go::{Color, Move, Point, Position, Ruleset};
use kosumi::playout::{Playout, stream, tactical::Tactical, uniform::Uniform};
use vertex::point;

const NONE: [Point; 2] = [Point::NONE; 2];

#[test]
fn nobody_plays_more_stones_than_there_are() {
    for supply in [1, 7, 40] {
        let rules = Ruleset { supply: Some(supply), ..FRIDGE_GO };
        let position = Position::new(9, rules);
        for seed in 0..50 {
            let mut playout = Playout::new(Uniform);
            playout.run(&position, NONE, None, &mut stream(seed, 0));
            for color in Color::BOTH {
                assert!(playout.board().stones(color) <= u32::from(supply), "seed {seed}, supply {supply}");
            }
        }
    }
}

/// A position after these plays, Black first, and the last two of them.
fn played(names: &[&str]) -> (Position, [Point; 2]) {
    let mut position = Position::new(5, FIRST_CAPTURE);
    let points: Vec<Point> = names.iter().map(|name| point(name, 5)).collect();
    for &p in &points {
        position.play(Move::Play(p)).expect("a legal play");
    }
    (position, [points[points.len() - 1], points[points.len() - 2]])
}

#[test]
fn a_capture_is_never_missed() {
    // White's stone at A1 has one liberty left, and it is Black's turn.
    let (position, last) = played(&["A2", "A1", "B2", "E5"]);
    for seed in 0..50 {
        let end = Playout::new(Tactical::default()).run(&position, last, None, &mut stream(seed, 0));
        assert!(end.decided && end.margin > 0, "seed {seed}: {end:?}");
    }
}

#[test]
fn an_atari_without_a_way_out_is_lost() {
    // White is to move; B1 would leave A1 and B1 with one liberty.
    let (position, last) = played(&["A2", "A1", "B2"]);
    for seed in 0..50 {
        let end = Playout::new(Tactical::default()).run(&position, last, None, &mut stream(seed, 0));
        assert!(end.decided && end.margin > 0, "seed {seed}: {end:?}");
    }
}
