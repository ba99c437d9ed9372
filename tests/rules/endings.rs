//! How games end: passes, a limited supply, the first capture, the button; and positions that are rewound.

use kosumi::go::Color::{Black, White};
use kosumi::go::rules::CHINESE;
use kosumi::go::{Color, IllegalMove, Komi, Outcome, Position, Ruleset, Score, Statuses, score};

use super::SIMPLE;
use crate::support::positions::{KO, TRIPLE_KO, play, play_all, position};
use crate::vertex::point;

#[test]
fn a_limited_supply_takes_captured_stones_back() {
    let picture = "
        X O . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        X . X . X . . . .
        X X X X X X X X X
        X X X X X X X X X
        X X X X X X X X X
        X X X X X X X X X";
    let mut position = position(picture, Black, Ruleset { supply: Some(40), ..CHINESE });
    assert_eq!(position.board().stones(Black), 40);
    assert_eq!(play(&mut position, "E8"), Err(IllegalMove::NoStones));
    assert!(!position.is_legal_but_superko(point("E8", 9)));
    assert_eq!(play(&mut position, "A9"), Err(IllegalMove::Occupied));
    play_all(&mut position, "pass A8");
    assert_eq!(position.board().captured(Black), 1);
    play_all(&mut position, "E8 E9");
    assert_eq!(play(&mut position, "D8"), Err(IllegalMove::NoStones));
}

#[test]
fn the_first_capture_wins_where_that_is_the_game() {
    let rules = Ruleset { first_capture: true, suicide: true, ..CHINESE };
    let picture = ". . X O \n . . . . \n O O . . \n X . O .";
    let mut position = position(picture, Black, rules);
    play_all(&mut position, "B1");
    assert_eq!((position.board().captured(Black), position.first_to_capture()), (2, None), "suicide captures nothing");
    play_all(&mut position, "pass");
    play_all(&mut position, "D3");
    assert_eq!(position.first_to_capture(), Some(Black));
    assert!(position.is_over());
    assert_eq!(play(&mut position, "A4"), Err(IllegalMove::GameOver));
    play_all(&mut position, "pass");
    assert_eq!((position.first_to_capture(), position.is_over()), (Some(Black), true), "a pass changes nothing");
    let outcome = score::outcome(&position, &Statuses::ALL_ALIVE, Komi::from_half_points(99));
    assert_eq!((outcome, outcome.to_string().as_str()), (Outcome::Won(Black), "B+"));
}

#[test]
fn the_first_pass_takes_the_button() {
    let rules = Ruleset { button: true, ..CHINESE };
    let mut position = Position::new(5, rules);
    play_all(&mut position, "C3 pass");
    assert_eq!((position.button(), position.consecutive_passes()), (Some(White), 0));
    play_all(&mut position, "pass");
    assert!(!position.is_over());
    play_all(&mut position, "pass");
    assert_eq!(position.button(), Some(White), "it is taken once");
    assert!(position.is_over());
    assert_eq!(score::count(&position, &Statuses::ALL_ALIVE), Score(2 * 25 - 1));
}

#[test]
fn two_passes_in_a_row_end_the_game_and_a_play_resumes_it() {
    let mut position = Position::new(5, CHINESE);
    play_all(&mut position, "pass C3 pass");
    assert!(!position.is_over());
    play_all(&mut position, "pass");
    assert!(position.is_over());
    play_all(&mut position, "D3");
    assert!(!position.is_over());
    play_all(&mut position, "pass pass");
    assert!(position.is_over());
}

#[test]
fn a_position_that_is_rewound_forgets_all_that_was_tried() {
    let rules = Ruleset { button: true, first_capture: true, ..SIMPLE };
    let root = position(KO, Black, rules);
    for tried in ["pass", "E1 pass pass", "E1 E2 E3", "C4"] {
        let mut scout = root.clone();
        play_all(&mut scout, tried);
        scout.rewind_to(&root);
        scout.board().check();
        assert!(scout.board() == root.board());
        assert_eq!(scout.to_move(), Black, "{tried}");
        assert_eq!((scout.button(), scout.consecutive_passes()), (None, 0), "{tried}");
        assert_eq!(Color::BOTH.map(|color| scout.played(color)), [0, 0], "{tried}");
        assert_eq!(scout.first_to_capture(), None, "{tried}");
    }
    // A pass that was tried does not cut the plays of a cycle in two.
    let root = position(TRIPLE_KO, Black, SIMPLE);
    let mut scout = root.clone();
    play_all(&mut scout, "C8 pass");
    scout.rewind_to(&root);
    play_all(&mut scout, "C8 B5 C2 B8 C5 B2");
    assert!(scout.is_cycle());
}
