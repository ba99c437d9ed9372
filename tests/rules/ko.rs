//! Ko, superko and cycles.

use kosumi::go::Color::{Black, White};
use kosumi::go::rules::LongCycle;
use kosumi::go::{Cell, IllegalMove, Komi, Outcome, Ruleset, Statuses, score};

use super::{KO_RULES, POSITIONAL, SIMPLE, SITUATIONAL};
use crate::support::positions::{KO, SENDING_TWO, TRIPLE_KO, assert_stones, play, play_all, position};
use crate::vertex::point;

#[test]
fn a_ko_may_not_be_retaken_at_once() {
    for rules in KO_RULES {
        let mut position = position(KO, Black, rules);
        play_all(&mut position, "C4");
        assert_eq!(position.board().ko(), Some(point("B4", 5)));
        assert_eq!(play(&mut position, "B4"), Err(IllegalMove::Ko));
        assert_eq!(position.to_move(), White, "a refused play keeps the turn");
    }
}

#[test]
fn a_ko_may_be_retaken_after_moves_elsewhere() {
    for rules in KO_RULES {
        let mut position = position(KO, Black, rules);
        play_all(&mut position, "C4 E1 E2 B4");
        assert_eq!(position.board().cell(point("C4", 5)), Cell::Empty);
        assert_eq!(play(&mut position, "C4"), Err(IllegalMove::Ko), "now it is Black's to wait");
    }
}

#[test]
fn a_ko_may_be_retaken_after_two_passes_under_simple_ko_alone() {
    let retake = |rules| {
        let mut position = position(KO, Black, rules);
        play_all(&mut position, "C4 pass pass");
        play(&mut position, "B4")
    };
    assert_eq!(retake(SIMPLE), Ok(()));
    assert_eq!(retake(SITUATIONAL), Err(IllegalMove::Superko));
    assert_eq!(retake(POSITIONAL), Err(IllegalMove::Superko));
}

#[test]
fn the_side_that_took_a_ko_may_fill_it() {
    for rules in KO_RULES {
        let mut position = position(KO, Black, rules);
        play_all(&mut position, "C4");
        position.set_to_move(Black);
        play_all(&mut position, "B4");
        assert_eq!(position.board().chain_len(point("B4", 5)), 5, "the ko is connected");
    }
}

#[test]
fn a_snapback_is_no_ko() {
    for rules in KO_RULES {
        let mut position = position(
            ". . . . .
             . . . . .
             X X X . .
             O O O X .
             . . O X .",
            Black,
            rules,
        );
        play_all(&mut position, "A1 B1");
        assert_eq!(position.board().captured(Black), 1);
        play_all(&mut position, "A1");
        assert_eq!(position.board().captured(White), 5);
        assert_eq!(position.board().ko(), None);
    }
}

#[test]
fn sending_two_returning_one_is_illegal_under_positional_superko_alone() {
    let return_one = |rules| {
        let mut position = position(SENDING_TWO, Black, rules);
        play_all(&mut position, "C1 A1");
        let answer = play(&mut position, "B1");
        (answer, position)
    };
    for rules in [SIMPLE, SITUATIONAL] {
        let (answer, position) = return_one(rules);
        assert_eq!(answer, Ok(()));
        assert_stones(&position, SENDING_TWO);
        assert!(!position.is_cycle(), "the other side is to move");
    }
    assert_eq!(return_one(POSITIONAL).0, Err(IllegalMove::Superko));
}

#[test]
fn sending_two_again_is_illegal_under_situational_superko() {
    let mut position = position(SENDING_TWO, Black, SITUATIONAL);
    play_all(&mut position, "C1 A1 B1 pass");
    assert_eq!(play(&mut position, "C1"), Err(IllegalMove::Superko));
}

#[test]
fn positional_and_situational_superko_differ_after_a_suicide_and_a_pass() {
    // Black kills two of its own, White passes, Black puts the first one back: the board of the beginning, but
    // now with White to move.
    const PICTURE: &str = ". . . . \n . . . . \n O O . . \n X . O .";
    let put_back = |rules| {
        let mut position = position(PICTURE, Black, Ruleset { suicide: true, ..rules });
        play_all(&mut position, "B1 pass");
        assert_eq!(position.board().captured(Black), 2);
        play(&mut position, "A1")
    };
    assert_eq!(put_back(SIMPLE), Ok(()));
    assert_eq!(put_back(SITUATIONAL), Ok(()));
    assert_eq!(put_back(POSITIONAL), Err(IllegalMove::Superko));

    // Where Black has played that first stone itself, White was to move then too.
    let without = PICTURE.replace('X', ".");
    let begin = |rules| {
        let mut position = position(&without, Black, Ruleset { suicide: true, ..rules });
        play_all(&mut position, "A1 pass");
        position
    };
    let mut simple = begin(SIMPLE);
    play_all(&mut simple, "B1 pass A1");
    let mut situational = begin(SITUATIONAL);
    play_all(&mut situational, "B1 pass");
    assert_eq!(play(&mut situational, "A1"), Err(IllegalMove::Superko));
    let mut positional = begin(POSITIONAL);
    assert_eq!(play(&mut positional, "B1"), Err(IllegalMove::Superko), "the suicide itself repeats the board");
}

#[test]
fn sending_two_again_and_again_is_no_cycle_while_the_answer_is_a_pass() {
    let mut position = position(SENDING_TWO, Black, SIMPLE);
    for _ in 0..3 {
        play_all(&mut position, "C1 A1 B1");
        assert_stones(&position, SENDING_TWO);
        assert!(!position.is_cycle() && !position.is_over());
        play_all(&mut position, "pass");
    }
    // A triple ko in which both have passed is none either, though the board comes back.
    let mut position = self::position(TRIPLE_KO, Black, SIMPLE);
    play_all(&mut position, "pass pass C8 B5 C2 B8 C5 pass pass B2");
    assert_stones(&position, TRIPLE_KO);
    assert!(!position.is_cycle());
}

#[test]
fn a_triple_ko_is_a_cycle_under_simple_ko() {
    for (long_cycle, outcome, text) in
        [(LongCycle::NoResult, Outcome::NoResult, "Void"), (LongCycle::Draw, Outcome::Draw, "0")]
    {
        let mut position = position(TRIPLE_KO, Black, Ruleset { long_cycle, ..SIMPLE });
        for name in ["C8", "B5", "C2", "B8", "C5"] {
            play_all(&mut position, name);
            assert!(!position.is_cycle() && !position.is_over());
        }
        play_all(&mut position, "B2");
        assert_stones(&position, TRIPLE_KO);
        assert!(position.is_cycle() && position.is_over());
        let result = score::outcome(&position, &Statuses::ALL_ALIVE, Komi::ZERO);
        assert_eq!(result, outcome);
        assert_eq!((result.to_string().as_str(), result.winner()), (text, None));
        play_all(&mut position, "J9");
        assert!(!position.is_cycle() && !position.is_over(), "players who go on leave the cycle");
    }
}

#[test]
fn the_last_play_of_a_triple_ko_is_illegal_under_superko() {
    for rules in [SITUATIONAL, POSITIONAL] {
        let mut position = position(TRIPLE_KO, Black, rules);
        play_all(&mut position, "C8 B5 C2 B8 C5");
        assert_eq!(play(&mut position, "B2"), Err(IllegalMove::Superko));
        assert!(!position.is_cycle());
    }
}
