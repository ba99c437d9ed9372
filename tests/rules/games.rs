//! Games: undo, handicap, komi, change of rules.

use kosumi::game::{CannotUndo, Game, SetupError};
use kosumi::go::Color::{Black, White};
use kosumi::go::rules::{CHINESE, DeadStones, HandicapBonus, Impossible, PRESETS, Scoring, TROMP_TAYLOR};
use kosumi::go::{Color, IllegalMove, Komi, Ruleset, diagram, handicap};

use crate::support::positions::{KO, assert_stones, board, to_move};
use crate::vertex::point;

fn game(size: usize, rules: Ruleset, moves: &[(Color, &str)]) -> Game {
    let mut game = Game::new(size, rules, None);
    for &(color, name) in moves {
        assert_eq!(game.play(color, to_move(name, size)), Ok(()), "{color} at {name}");
    }
    game
}

#[test]
fn undo_takes_back_passes_and_moves_out_of_turn() {
    let mut game = game(5, CHINESE, &[(Black, "C3"), (Black, "C4"), (White, "pass"), (White, "pass"), (White, "D3")]);
    assert_eq!(game.undo(1), Ok(()));
    assert_eq!((game.position().consecutive_passes(), game.position().to_move()), (2, Black));
    assert!(game.position().is_over());
    assert_eq!(game.undo(2), Ok(()));
    assert_eq!((game.position().consecutive_passes(), game.position().to_move()), (0, White));
    assert_stones(game.position(), ". . . . . \n . . X . . \n . . X . . \n . . . . . \n . . . . .");
    assert_eq!(game.undo(3), Err(CannotUndo));
    assert_eq!(game.moves().len(), 2, "an undo that fails takes nothing back");
    assert_eq!(game.undo(2), Ok(()));
    assert_eq!((game.moves().len(), game.position().to_move()), (0, Black));
    assert_eq!(game.undo(1), Err(CannotUndo));
}

#[test]
fn undo_brings_back_captured_stones_and_the_ko() {
    let mut game = Game::new(5, CHINESE, None);
    let stones = board(KO);
    let set_up: Vec<_> = stones.points().filter_map(|p| stones.cell(p).color().map(|color| (color, p))).collect();
    assert_eq!(game.set_up(set_up, Black), Ok(()));
    for (color, name) in [(Black, "C4"), (White, "E1"), (Black, "E2"), (White, "B4")] {
        assert_eq!(game.play(color, to_move(name, 5)), Ok(()));
    }
    assert_eq!(game.undo(3), Ok(()));
    assert_eq!(game.position().board().captured(Black), 0);
    assert_eq!(game.play(White, to_move("B4", 5)), Err(IllegalMove::Ko));
    assert_eq!(game.undo(1), Ok(()));
    assert_stones(game.position(), KO);
    assert_eq!(game.position().board().captured(White), 0);
}

#[test]
fn undo_never_removes_handicap_stones() {
    let mut game = Game::new(9, CHINESE, None);
    let stones = ["C3", "G7", "C7"].map(|name| point(name, 9));
    assert_eq!(game.place_handicap(&stones), Ok(()));
    assert_eq!((game.handicap(), game.position().to_move()), (3, White));
    assert_eq!(game.undo(1), Err(CannotUndo));
    assert_eq!(game.play(White, to_move("E5", 9)), Ok(()));
    assert_eq!(game.undo(2), Err(CannotUndo));
    assert_eq!(game.undo(1), Ok(()));
    assert_eq!((game.handicap(), game.position().board().stones(Black)), (3, 3));
    assert_eq!(game.position().to_move(), White);
}

#[test]
fn handicap_stones_go_on_an_untouched_board_and_each_on_its_own_point() {
    let mut game = Game::new(9, CHINESE, None);
    assert_eq!(game.place_handicap(&[point("C3", 9), point("C3", 9)]), Err(SetupError::Stones));
    assert_eq!((game.handicap(), game.position().board().stones(Black)), (0, 0));
    assert_eq!(game.place_handicap(&[point("C3", 9), point("G7", 9)]), Ok(()));
    assert_eq!(game.place_handicap(&[point("C7", 9), point("G3", 9)]), Err(SetupError::BoardNotEmpty));
    assert_eq!(game.handicap(), 2);
    let mut begun = self::game(9, CHINESE, &[(Black, "E5")]);
    assert_eq!(begun.place_handicap(&[point("C3", 9), point("G7", 9)]), Err(SetupError::BoardNotEmpty));
}

#[test]
fn fixed_handicap_stones_go_where_the_specification_says() {
    let fixed = |size, stones| handicap::fixed(size, stones).map_err(|refused| refused.most);
    let named = |names: &str, size| Ok(names.split_whitespace().map(|name| point(name, size)).collect::<Vec<_>>());
    for (stones, names) in [
        (2, "D4 Q16"),
        (3, "D4 Q16 D16"),
        (4, "D4 Q16 D16 Q4"),
        (5, "D4 Q16 D16 Q4 K10"),
        (6, "D4 Q16 D16 Q4 D10 Q10"),
        (7, "D4 Q16 D16 Q4 D10 Q10 K10"),
        (8, "D4 Q16 D16 Q4 D10 Q10 K4 K16"),
        (9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"),
    ] {
        assert_eq!(fixed(19, stones), named(names, 19), "{stones} stones");
    }
    assert_eq!(fixed(9, 5), named("C3 G7 C7 G3 E5", 9));
    assert_eq!(fixed(13, 2), named("D4 K10", 13));
    assert_eq!(fixed(12, 2), named("C3 K10", 12));
    assert_eq!(fixed(7, 4), named("C3 E5 C5 E3", 7));
    for (size, stones, most) in [(6, 2, 0), (7, 5, 4), (8, 5, 4), (9, 10, 9), (19, 10, 9), (19, 1, 9), (18, 5, 4)] {
        assert_eq!(fixed(size, stones), Err(most), "{stones} stones on {size}");
    }
}

#[test]
fn a_free_handicap_is_as_many_stones_as_asked_for() {
    for size in [2, 5, 7, 9, 14, 19] {
        for stones in 2..(size * size).min(40) {
            let points = handicap::free(size, stones).expect("there is room");
            let mut game = Game::new(size, CHINESE, None);
            let placed = game.place_handicap(&points);
            assert_eq!((placed, points.len()), (Ok(()), stones), "{stones} stones on {size}");
        }
        assert_eq!(handicap::free(size, size * size), None, "White needs a point");
        assert_eq!(handicap::free(size, 1), None);
    }
}

#[test]
fn plays_in_a_row_before_whites_first_are_handicap() {
    let handicap = |moves: &[(Color, &str)]| game(9, CHINESE, moves).handicap();
    assert_eq!(handicap(&[]), 0);
    assert_eq!(handicap(&[(Black, "C3"), (White, "G7"), (Black, "C7")]), 0, "an even game");
    assert_eq!(handicap(&[(Black, "C3"), (Black, "G7"), (Black, "C7")]), 3);
    assert_eq!(handicap(&[(Black, "C3"), (Black, "G7"), (White, "E5"), (Black, "C7")]), 2);
    assert_eq!(handicap(&[(Black, "C3"), (White, "pass"), (Black, "G7"), (White, "E5")]), 2, "White passes between");
    let given = [(Black, "C3"), (Black, "G7"), (White, "E5"), (Black, "pass"), (White, "pass")];
    assert_eq!(handicap(&[&given[..], &[(White, "D4")]].concat()), 2, "White moves first when the game is resumed");
    assert_eq!(handicap(&[(Black, "C3"), (White, "pass"), (Black, "G7"), (White, "pass")]), 2, "no end yet");
    let over = [(Black, "C3"), (White, "pass"), (Black, "G7"), (White, "pass"), (Black, "pass")];
    assert_eq!(handicap(&over), 0, "White has passed all the time");
    assert_eq!(handicap(&[(White, "E5"), (Black, "C3"), (Black, "G7")]), 0, "White has begun");
}

#[test]
fn white_stones_that_are_played_at_once_make_a_position_of_a_handicap() {
    let mut game = Game::new(9, CHINESE, None);
    game.place_handicap(&handicap::free(9, 3).expect("there is room")).expect("three stones");
    assert_eq!((game.handicap(), game.total_komi().half_points()), (3, 14 + 6));
    game.play(White, to_move("A1", 9)).expect("a legal move");
    assert_eq!(game.handicap(), 3);
    game.play(White, to_move("B1", 9)).expect("a legal move");
    assert_eq!((game.handicap(), game.total_komi().half_points()), (0, 14));
}

#[test]
fn one_stone_is_no_handicap() {
    for (_, rules) in PRESETS {
        assert_eq!(rules.handicap_bonus.points(1), 0, "{}", rules.name());
    }
}

#[test]
fn komi_counts_in_half_points() {
    let half_points = |points| Komi::new(points).map(Komi::half_points);
    assert_eq!(half_points(7.0), Ok(14));
    assert_eq!(half_points(7.5), Ok(15));
    assert_eq!(half_points(7.25), Ok(15), "between two whole points every value decides the same games");
    assert_eq!(half_points(7.75), Ok(15));
    assert_eq!(half_points(-3.75), Ok(-7));
    assert_eq!(half_points(-3.5), Ok(-7));
    assert_eq!(half_points(-4.0), Ok(-8));
    assert_eq!(half_points(-0.0), Ok(0));
    assert_eq!(half_points(1e6), Ok(2_000_000));
    assert_eq!(half_points(-1e6), Ok(-2_000_000));
    for points in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 1_000_000.5] {
        assert!(Komi::new(points).is_err(), "{points}");
    }
    for text in ["", "seven", "7,5", "nan", "inf", "-infinity", "1e999", "1e300"] {
        assert!(text.parse::<Komi>().is_err(), "{text:?}");
    }
    for (text, printed) in [
        ("7", "7"),
        ("7.50", "7.5"),
        ("-3.75", "-3.75"),
        ("-0", "0"),
        ("0.0", "0"),
        ("1e-300", "0.001"),
        ("6.9999999", "6.999"),
    ] {
        assert_eq!(text.parse::<Komi>().map(|komi| komi.to_string()), Ok(printed.to_owned()));
    }
}

#[test]
fn komi_depends_on_the_size_unless_chosen() {
    assert_eq!(Game::new(9, CHINESE, None).komi().points(), 7.0);
    assert_eq!(Game::new(19, CHINESE, None).komi().points(), 7.5);
    assert_eq!(Game::new(9, TROMP_TAYLOR, None).komi().points(), 7.5);
    let mut game = Game::new(9, CHINESE, Komi::new(0.5).ok());
    assert_eq!(game.komi().points(), 0.5);
    game.set_komi(Komi::ZERO);
    assert_eq!((game.komi(), game.chosen_komi()), (Komi::ZERO, Some(Komi::ZERO)));
}

#[test]
fn handicap_stones_are_compensated_as_the_rules_say() {
    let total = |handicap_bonus| {
        let rules = Ruleset { handicap_bonus, ..CHINESE };
        let mut game = Game::new(9, rules, Some(Komi::from_half_points(1)));
        assert_eq!(game.place_handicap(&["C3", "G7", "C7", "G3"].map(|name| point(name, 9))), Ok(()));
        (game.komi().points(), game.total_komi().points())
    };
    assert_eq!(total(HandicapBonus::None), (0.5, 0.5));
    assert_eq!(total(HandicapBonus::AllButOne), (0.5, 3.5));
    assert_eq!(total(HandicapBonus::All), (0.5, 4.5));
    let even = Game::new(9, Ruleset { handicap_bonus: HandicapBonus::AllButOne, ..CHINESE }, None);
    assert_eq!(even.total_komi(), even.komi());
}

#[test]
fn rules_that_forbid_a_past_move_are_refused() {
    // The seventh move kills two of Black's own stones.
    let moves = [
        (Black, "A1"),
        (White, "A2"),
        (Black, "E5"),
        (White, "B2"),
        (Black, "E4"),
        (White, "C1"),
        (Black, "B1"),
        (White, "D3"),
    ];
    let mut game = game(5, TROMP_TAYLOR, &moves);
    let before = diagram::draw(game.position().board());
    let conflict = game.set_rules(CHINESE).expect_err("suicide is illegal under Chinese rules");
    assert_eq!((conflict.number, conflict.reason), (7, IllegalMove::Suicide));
    assert_eq!(*game.rules(), TROMP_TAYLOR);
    assert_eq!(diagram::draw(game.position().board()), before);

    assert_eq!(game.undo(2), Ok(()));
    assert_eq!(game.set_rules(CHINESE), Ok(()));
    assert_eq!((*game.rules(), game.moves().len()), (CHINESE, 6));
    assert_eq!(game.play(Black, to_move("B1", 5)), Err(IllegalMove::Suicide), "the new rules are in force");
}

#[test]
fn rules_are_found_by_name() {
    assert_eq!(Ruleset::by_name("Tromp Taylor"), Some(TROMP_TAYLOR));
    assert_eq!(Ruleset::by_name("CHINESE"), Some(CHINESE));
    assert_eq!(Ruleset::by_name("checkers"), None);
    for name in Ruleset::names() {
        assert_eq!(Ruleset::by_name(name).map(|rules| rules.name()), Some(name));
    }
    assert_eq!(Ruleset { suicide: true, ..CHINESE }.name(), "custom");
}

#[test]
fn parts_that_do_not_go_together_are_named() {
    for (names, rules) in PRESETS {
        assert_eq!(rules.validate(), Ok(()), "{names:?}");
    }
    let territory = Ruleset { scoring: Scoring::Territory, ..CHINESE };
    assert_eq!(territory.validate(), Ok(()));
    for (rules, conflict) in [
        (Ruleset { button: true, ..territory }, Impossible::ButtonWithTerritory),
        (Ruleset { supply: Some(40), ..territory }, Impossible::SupplyWithTerritory),
        (Ruleset { dead_stones: DeadStones::Stand, ..territory }, Impossible::StandingWithTerritory),
    ] {
        assert_eq!(rules.validate(), Err(conflict));
        assert_eq!(Ruleset { scoring: Scoring::Area, ..rules }.validate(), Ok(()));
    }
}
