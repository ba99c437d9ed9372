//! Proves the rules case by case on diagrams: captures, ko and superko, suicide, supply, first capture, button,
//! undo, handicap, komi. (That random games keep to them everywhere is the oracle's part.)

mod vertex;

use kosumi::game::{CannotUndo, Game, SetupError};
use kosumi::go::handicap;
use kosumi::go::rules::{
    CHINESE, DeadStones, HandicapBonus, Impossible, KoRule, LongCycle, PRESETS, Scoring, TROMP_TAYLOR,
};
use kosumi::go::{
    Board, Cell, Color, IllegalMove, Komi, Move, Outcome, Position, Ruleset, Score, Statuses, diagram, score,
};
use vertex::point;

use Color::{Black, White};

const SIMPLE: Ruleset = Ruleset { ko: KoRule::Simple, ..CHINESE };
const SITUATIONAL: Ruleset = Ruleset { ko: KoRule::Situational, ..CHINESE };
const POSITIONAL: Ruleset = CHINESE;
const KO_RULES: [Ruleset; 3] = [SIMPLE, SITUATIONAL, POSITIONAL];

fn board(picture: &str) -> Board {
    diagram::parse(picture).expect("the picture is a board")
}

fn position(picture: &str, to_move: Color, rules: Ruleset) -> Position {
    Position::from_board(board(picture), to_move, rules)
}

fn to_move(name: &str, size: usize) -> Move {
    if name == "pass" { Move::Pass } else { Move::Play(point(name, size)) }
}

/// The side to move plays here.
fn play(position: &mut Position, name: &str) -> Result<(), IllegalMove> {
    let size = position.size();
    position.play(to_move(name, size))
}

/// The sides play in turn, and every move is legal.
fn play_all(position: &mut Position, names: &str) {
    for name in names.split_whitespace() {
        assert_eq!(play(position, name), Ok(()), "{} at {name}", position.to_move());
    }
}

fn assert_stones(position: &Position, picture: &str) {
    assert_eq!(diagram::draw(position.board()), diagram::draw(&board(picture)));
}

// Capture

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

// Ko

/// White's stone at B4 stands in a ko: Black takes it at C4.
const KO: &str = "
    . X O . .
    X O . O .
    . X O . .
    . . . . .
    . . . . .";

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

/// Black sends two stones by C1, White takes them by A1, Black returns one by B1: the board is as it was.
const SENDING_TWO: &str = "
    . . . . .
    . . . . .
    X . . . .
    X O O O .
    . X . O .";

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

/// Three kos: White has the upper and the lower one, Black the middle one.
const TRIPLE_KO: &str = "
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .
    . X O . . . . . .
    X . X O . . . . .
    . X O . . . . . .
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .";

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

// Suicide

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

// Variants

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

// Passes and the end

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

// Games: undo, handicap, komi, change of rules

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
    assert_eq!(handicap(&[(White, "E5"), (Black, "C3"), (Black, "G7")]), 0, "White has begun");
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
    assert_eq!(half_points(1e300), Ok(2_000_000));
    assert_eq!(half_points(-1e300), Ok(-2_000_000));
    for points in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(Komi::new(points).is_err(), "{points}");
    }
    for text in ["", "seven", "7,5", "nan", "inf", "-infinity", "1e999"] {
        assert!(text.parse::<Komi>().is_err(), "{text:?}");
    }
    for (text, printed) in [("7", "7"), ("7.50", "7.5"), ("-3.75", "-3.75"), ("-0", "0"), ("0.0", "0")] {
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

// Diagrams

#[test]
fn pictures_that_are_no_board_are_refused() {
    use diagram::DiagramError::{Character, NoLiberty, NotSquare};
    let error = |picture| diagram::parse(picture).err();
    assert_eq!(error(""), Some(NotSquare { rows: 0, columns: 0 }));
    assert_eq!(error("X"), Some(NotSquare { rows: 1, columns: 1 }));
    assert_eq!(error("X . \n . . ."), Some(NotSquare { rows: 2, columns: 3 }));
    assert_eq!(error("X ? \n . ."), Some(Character('?')));
    assert_eq!(error("O X \n X ."), Some(NoLiberty));
}

#[test]
fn a_drawn_board_is_read_back() {
    for picture in [KO, SENDING_TWO, TRIPLE_KO] {
        let board = board(picture);
        board.check();
        assert!(self::board(&diagram::draw(&board)) == board);
    }
}

#[test]
fn a_copy_onto_a_board_of_another_size_is_equal() {
    let mut copy = board(TRIPLE_KO);
    for picture in [KO, TRIPLE_KO, SENDING_TWO] {
        let board = board(picture);
        copy.copy_from(&board);
        copy.check();
        assert!(copy == board);
        assert_eq!(copy.hash(), board.hash());
        for p in board.points().filter(|&p| board.is_legal(Black, p)) {
            let (mut a, mut b) = (copy.clone(), board.clone());
            assert_eq!(a.place(Black, p), b.place(Black, p));
            a.check();
            assert!(a == b);
        }
    }
}
