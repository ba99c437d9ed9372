//! `final_score` without two passes: a game whose borders are closed is counted, unless a fight is left in which the
//! first move decides. Then the score is an estimate, and differs by who moves first.

use kosumi::engine::{Engine, EngineOptions, Interrupt};
use kosumi::go::{Color, Move, Outcome, Point, Ruleset, diagram, rules};

use Color::{Black, White};

fn engine(picture: &str, rules: Ruleset, to_move: Color) -> Engine {
    let board = diagram::parse(picture).expect("the picture is a board");
    let options = EngineOptions { size: board.size(), rules, playouts: Some(500), ..EngineOptions::default() };
    let mut engine = Engine::new(options, Interrupt::default()).expect("an engine");
    let stones = board.points().filter_map(|p| Some((board.cell(p).color()?, p)));
    engine.game_mut().set_up(stones, to_move).expect("a position");
    engine
}

/// Black's margin without komi.
fn margin(engine: &mut Engine) -> f64 {
    match engine.score().expect("a score") {
        Outcome::Counted { board, .. } => f64::from(board.0) / 2.0,
        other => panic!("no count: {other}"),
    }
}

/// E5 takes two white stones in atari. White E5 saves them.
const IN_ATARI: &str = "
    . . . X O . . . .
    . X . X O . O . .
    . . . X O . . . .
    X X X X O O O O O
    O O X O . O X X X
    . O O X O X X . X
    O . O X X X . X .
    . O O O X . X . .
    O . O O X X . X .";

/// A5 decides which side's stones are captured.
const RACE: &str = "
    . . X O . . . . .
    . . X O . . . . .
    . . X O . . O . .
    X . X O . . . . .
    . X X O O O O O O
    X O O X X X X X X
    X X O X . X . . .
    O O O X X . . X .
    . . O O X . . . .";

/// H1 saves five white stones, and so decides a race.
const CAPTURE_OR_DIE: &str = "
    . . . . X O . . . . . . .
    . . . . X O . . . . . . .
    . . . . X O . . . . . . .
    . X . . X O . . . . O . .
    . . . . X X O . . . . . .
    . . . . . X O . . . . . .
    . . . X X X O . . . . . .
    . . . X O O O . . . . . .
    . . X X X X O O O O O O O
    . . X . X O X X X X X X X
    . . X X X O X O O . . O .
    . . X . X O X . O O . . .
    . . X X X O O . . . . . .";

/// F1 alone is nobody's.
const ONE_DAME: &str = "
    . . . . X O . . .
    . X . . X O . O .
    . . . X X O . . .
    . X . X X O O O O
    . . X X X O O O .
    . X . . X X O . O
    . X X X X X O O .
    . X . X . X O . O
    . . . . X . O O .";

#[test]
fn a_game_with_stones_in_atari_is_open() {
    for rules in [rules::CHINESE, rules::JAPANESE, rules::TROMP_TAYLOR] {
        for picture in [IN_ATARI, RACE, CAPTURE_OR_DIE] {
            for to_move in [Black, White] {
                assert!(engine(picture, rules, to_move).is_open(), "{} {picture}", rules.name());
            }
        }
    }
}

#[test]
fn the_side_to_move_gets_what_its_move_decides() {
    let by = |picture, to_move| margin(&mut engine(picture, rules::CHINESE, to_move));
    assert!(by(IN_ATARI, Black) > by(IN_ATARI, White));
    assert!(by(RACE, Black) > 0.0 && by(RACE, White) < 0.0);
    assert!(by(CAPTURE_OR_DIE, Black) > by(CAPTURE_OR_DIE, White));
}

#[test]
fn stones_in_atari_are_saved_before_a_pass() {
    // Both sides passed here in an earlier version. Black lost, although E5 draws.
    let mut engine = engine(IN_ATARI, rules::CHINESE, White);
    let decision = engine.genmove(White).expect("a move");
    assert_eq!(decision.text(9), "E5");
}

#[test]
fn the_last_neutral_point_goes_to_the_side_to_move() {
    let dame = |rules, to_move| margin(&mut engine(ONE_DAME, rules, to_move));
    assert_eq!([dame(rules::CHINESE, Black), dame(rules::CHINESE, White)], [17.0, 15.0]);
    // By territory it is worth nothing.
    assert_eq!(dame(rules::JAPANESE, Black), dame(rules::JAPANESE, White));
}

#[test]
fn dead_stones_that_must_be_captured_leave_a_game_open() {
    // White's C2 is dead, and Black's F1 closes the last border.
    let is_open = |rules| {
        let mut engine = engine(ONE_DAME, rules, White);
        for (color, column, row) in [(White, 2, 1), (Black, 5, 0)] {
            engine.game_mut().play(color, Move::Play(Point::new(column, row, 9))).expect("a legal move");
        }
        engine.is_open()
    };
    assert!(!is_open(rules::CHINESE));
    assert!(is_open(rules::TROMP_TAYLOR));
}
