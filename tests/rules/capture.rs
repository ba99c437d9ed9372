//! Captures and suicide.

use kosumi::go::Color::{Black, White};
use kosumi::go::rules::{CHINESE, TROMP_TAYLOR};
use kosumi::go::{IllegalMove, Ruleset};

use super::{KO_RULES, SITUATIONAL};
use crate::support::positions::{KO, assert_stones, play, play_all, position};

#[test]
fn a_stone_without_liberties_is_captured() {
    let mut position = position(". X .  \n X O . \n . X .", Black, CHINESE);
    play_all(&mut position, "C2");
    assert_stones(&position, ". X . \n X . X \n . X .");
    assert_eq!((position.board().captured(White), position.board().captured(Black)), (1, 0));
    assert_eq!(position.board().ko(), None, "the capturing stone has liberties of its own");
}

#[test]
fn all_stones_of_a_chain_are_captured_together() {
    let mut position = position(
        ". X X .
         X O O .
         X O X .
         . X . .",
        Black,
        CHINESE,
    );
    play_all(&mut position, "D3");
    assert_stones(&position, ". X X . \n X . . X \n X . X . \n . X . .");
    assert_eq!(position.board().captured(White), 3);
}

#[test]
fn one_play_captures_several_chains() {
    let mut position = position(
        "O O . O X
         X X . X .
         . . . . .
         . . . . .
         . . . . .",
        Black,
        CHINESE,
    );
    play_all(&mut position, "C5");
    assert_stones(&position, ". . X . X \n X X . X . \n . . . . . \n . . . . . \n . . . . .");
    assert_eq!(position.board().captured(White), 3);
}

#[test]
fn a_play_without_liberties_is_legal_if_it_captures() {
    for rules in KO_RULES {
        let mut position = position(". O X \n O X X \n X X .", Black, rules);
        play_all(&mut position, "A3");
        assert_stones(&position, "X . X \n . X X \n X X .");
    }
}

#[test]
fn suicide_of_several_stones() {
    const PICTURE: &str = ". . . . \n . . . . \n O O . . \n X . O .";
    let mut allowed = position(PICTURE, Black, TROMP_TAYLOR);
    play_all(&mut allowed, "B1");
    assert_stones(&allowed, ". . . . \n . . . . \n O O . . \n . . O .");
    assert_eq!((allowed.board().captured(Black), allowed.board().captured(White)), (2, 0));

    let mut forbidden = position(PICTURE, Black, CHINESE);
    assert_eq!(play(&mut forbidden, "B1"), Err(IllegalMove::Suicide));
    assert_stones(&forbidden, PICTURE);
}

#[test]
fn suicide_of_one_stone_repeats_the_board() {
    const PICTURE: &str = ". . . . \n . . . . \n O . . . \n . O . .";
    assert_eq!(play(&mut position(PICTURE, Black, CHINESE), "A1"), Err(IllegalMove::Suicide));
    assert_eq!(play(&mut position(PICTURE, Black, TROMP_TAYLOR), "A1"), Err(IllegalMove::Superko));

    // By situation it is as good as a pass, but only once.
    let mut situational = position(PICTURE, Black, Ruleset { suicide: true, ..SITUATIONAL });
    play_all(&mut situational, "A1 pass");
    assert_eq!(play(&mut situational, "A1"), Err(IllegalMove::Superko));
}

#[test]
fn an_occupied_point_is_no_place_to_play() {
    let mut position = position(KO, Black, CHINESE);
    for name in ["B5", "C5"] {
        assert_eq!(play(&mut position, name), Err(IllegalMove::Occupied), "{name}");
    }
}
