//! Proves the count and the results on diagrams: area and territory, dead stones, seki, taxes, dame, button,
//! prisoners, komi; and unconditional life on shapes whose fate is known.

use kosumi::go::life::unconditional;
use kosumi::go::rules::{CHINESE, Scoring, TROMP_TAYLOR, Tax};
use kosumi::go::{Board, Color, Komi, Move, Outcome, PointSet, Position, Ruleset, Score, Statuses, diagram, score};

use crate::vertex::{point, points};

use Color::{Black, White};

const AREA: Ruleset = CHINESE;
const TERRITORY: Ruleset = Ruleset { scoring: Scoring::Territory, ..CHINESE };

fn board(picture: &str) -> Board {
    diagram::parse(picture).expect("the picture is a board")
}

/// Black's margin in half points.
fn count(picture: &str, rules: Ruleset, dead: &str, seki: &str) -> Score {
    let board = board(picture);
    let statuses = Statuses { dead: points(dead, &board), seki: points(seki, &board) };
    score::count(&Position::from_board(board, Black, rules), &statuses)
}

#[test]
fn an_empty_board_belongs_to_nobody() {
    for rules in [AREA, TERRITORY, TROMP_TAYLOR] {
        assert_eq!(score::count(&Position::new(9, rules), &Statuses::ALL_ALIVE), Score(0));
    }
}

#[test]
fn stones_and_what_they_surround() {
    let picture = "
        . X O . .
        . X O . .
        . X X O .
        . . X O .
        . . X O .";
    // Black has 6 stones and 7 points, White 5 stones and 7 points.
    assert_eq!(count(picture, AREA, "", ""), Score::points((6 + 7) - (5 + 7)));
    assert_eq!(count(picture, TERRITORY, "", ""), Score::points(7 - 7));
}

/// Dame in the middle; White's A2 is dead, Black's E1 too.
const DEAD_STONES: &str = "
    . X . O .
    X X . O O
    . X . O .
    O X . O .
    . X . O X";

#[test]
fn dame_counts_for_nobody_and_dead_stones_are_prisoners() {
    // Black has 6 stones and 4 points, White 6 stones and 4 points.
    assert_eq!(count(DEAD_STONES, AREA, "A2 E1", ""), Score(0));
    // Left to stand, A2 spoils three points of Black's, E1 as many of White's.
    assert_eq!(count(DEAD_STONES, AREA, "", ""), Score::points((7 + 1) - (7 + 1)));
    assert_eq!(count(DEAD_STONES, AREA, "A2", ""), Score::points((7 + 4) - (6 + 1)));
    // Territory: a point where the dead stone stands, and the stone.
    assert_eq!(count(DEAD_STONES, TERRITORY, "A2 E1", ""), Score::points((4 + 1) - (4 + 1)));
    assert_eq!(count(DEAD_STONES, TERRITORY, "A2", ""), Score::points((4 + 1) - 1));
    assert_eq!(count(DEAD_STONES, TERRITORY, "E1", ""), Score::points(1 - (4 + 1)));
}

#[test]
fn a_dead_stone_among_dame_is_a_prisoner() {
    let picture = "
        . X . . O
        . X . . O
        . X O . O
        . X . . O
        . X . . O";
    assert_eq!(count(picture, TERRITORY, "", ""), Score::points(5));
    assert_eq!(count(picture, TERRITORY, "C3", ""), Score::points(5 + 1), "a prisoner, but no point");
    assert_eq!(count(picture, AREA, "C3", ""), Score::points(10 - 5));
}

#[test]
fn tromp_taylor_counts_every_stone_on_the_board() {
    for dead in ["", "A2", "A2 E1"] {
        assert_eq!(count(DEAD_STONES, TROMP_TAYLOR, dead, ""), Score(0), "dead: {dead:?}");
    }
}

#[test]
fn captured_stones_count_as_prisoners_by_territory_alone() {
    let played = |rules| {
        let start = board(". . . . . \n . . . . . \n . . . . . \n X X X X X \n O . . . .");
        let mut position = Position::from_board(start, Black, rules);
        assert_eq!(position.play(Move::Play(point("B1", 5))), Ok(()));
        assert_eq!(position.board().captured(White), 1);
        score::count(&position, &Statuses::ALL_ALIVE)
    };
    assert_eq!(played(AREA), Score::points(25));
    assert_eq!(played(TERRITORY), Score::points(19 + 1));
}

#[test]
fn stones_lost_by_suicide_are_prisoners_too() {
    let start = board(". . . . \n . . . . \n O O . . \n X . O .");
    let mut position = Position::from_board(start, Black, Ruleset { suicide: true, ..TERRITORY });
    assert_eq!(position.play(Move::Play(point("B1", 4))), Ok(()));
    assert_eq!(score::count(&position, &Statuses::ALL_ALIVE), Score::points(-13 - 2));
}

/// The lower black and white chains with an eye each live in seki, with C1 between them.
const SEKI: &str = "
    . O X . .
    O O X X X
    O O O X X
    X X X O O
    . X . O .";
const BLACK_IN_SEKI: &str = "A2 B2 C2 B1";
const WHITE_IN_SEKI: &str = "D2 E2 D1";

#[test]
fn points_in_a_seki_do_not_count_where_it_is_taxed() {
    let both = format!("{BLACK_IN_SEKI} {WHITE_IN_SEKI}");
    let taxed = Ruleset { tax: Tax::Seki, ..TERRITORY };
    // Outside Black has two points and White one; inside one each.
    assert_eq!(count(SEKI, TERRITORY, "", &both), Score::points(3 - 2));
    assert_eq!(count(SEKI, taxed, "", &both), Score::points(2 - 1));
    assert_eq!(count(SEKI, taxed, "", BLACK_IN_SEKI), Score::points(2 - 2));
    assert_eq!(count(SEKI, taxed, "", WHITE_IN_SEKI), Score::points(3 - 1));
    assert_eq!(count(SEKI, taxed, "", "B1"), Score::points(2 - 2), "one stone of the group is enough");
    assert_eq!(count(SEKI, taxed, "", ""), Score::points(3 - 2));
    // A point that is taxed and has to be filled is lost once: A1 connects to C1 by B1.
    let filled = "
        . . . . .
        . . . . .
        O O O O O
        O X X O O
        X . X . O";
    for seki in ["B2 C2 C1", "A1 B2 C2 C1"] {
        assert_eq!(count(filled, taxed, "", seki), Score::points(-10), "{seki}");
    }
    // By area the stones count in any case: 10 of Black's, 9 of White's.
    let taxed = Ruleset { tax: Tax::Seki, ..AREA };
    assert_eq!(count(SEKI, AREA, "", WHITE_IN_SEKI), Score::points((10 + 3) - (9 + 2)));
    assert_eq!(count(SEKI, taxed, "", WHITE_IN_SEKI), Score::points((10 + 3) - (9 + 1)));
}

#[test]
fn an_eye_in_a_seki_is_nobodys_point_where_it_is_taxed() {
    let board = board(SEKI);
    let statuses =
        Statuses { dead: PointSet::EMPTY, seki: points(&format!("{BLACK_IN_SEKI} {WHITE_IN_SEKI}"), &board) };
    let owner = |at: &str, rules: Ruleset| {
        score::owners(&Position::from_board(board.clone(), Black, rules), &statuses)[point(at, 5)]
    };
    let taxed = Ruleset { tax: Tax::Seki, ..TERRITORY };
    for (at, free) in [("A1", Some(Black)), ("E1", Some(White)), ("C1", None)] {
        assert_eq!(owner(at, TERRITORY), free, "{at}");
        assert_eq!(owner(at, taxed), None, "{at}");
    }
    for (at, color) in [("A5", White), ("E5", Black), ("B1", Black)] {
        assert_eq!(owner(at, taxed), Some(color), "{at}");
    }
}

#[test]
fn the_group_tax_takes_the_eyes_of_each_group() {
    let picture = "
        . . X O X . .
        X X X O X X X
        O O O O O O O
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .";
    let taxed = |rules| Ruleset { tax: Tax::All, ..rules };
    assert_eq!(count(picture, AREA, "", ""), Score::points((8 + 4) - (9 + 28)));
    assert_eq!(count(picture, taxed(AREA), "", ""), Score::points(8 - (9 + 26)));
    assert_eq!(count(picture, TERRITORY, "", ""), Score::points(4 - 28));
    assert_eq!(count(picture, taxed(TERRITORY), "", ""), Score::points(-26));
    // A group that has a single point to lose loses that.
    let one_eye = picture.replacen(". . X O", "X . X O", 1);
    assert_eq!(count(&one_eye, taxed(AREA), "", ""), Score::points(9 - (9 + 26)));
}

#[test]
fn the_button_is_worth_half_a_point() {
    let start = board(". X O . . \n . X O . . \n . X X O . \n . . X O . \n . . X O .");
    let rules = Ruleset { button: true, ..AREA };
    for (first, expected) in [(Black, 2 + 1), (White, 2 - 1)] {
        let mut position = Position::from_board(start.clone(), first, rules);
        for _ in 0..3 {
            assert!(!position.is_over());
            assert_eq!(position.play(Move::Pass), Ok(()));
        }
        assert!(position.is_over());
        assert_eq!(score::count(&position, &Statuses::ALL_ALIVE), Score(expected), "{first} passes first");
    }
}

// Points to be filled

/// White's stones at C4 and C3 hang on D3 when Black has filled C5.
const CUT_OFF: &str = "
    . X X O . O
    . X . O O .
    X X O . O O
    . X O . O .
    . X X O O O
    . X X O . O";

#[test]
fn dead_stones_that_have_to_be_taken_are_no_liberties() {
    assert_eq!(count(CUT_OFF, TERRITORY, "", ""), Score::points(5 - 6), "D4 is a second liberty");
    // With Black's stone there White has to take it, which fills D3.
    let taken = CUT_OFF.replace("X X O . O O", "X X O X O O");
    assert_eq!(count(&taken, TERRITORY, "D4", ""), Score::points(5 - (5 + 1)));
    // It does not have to where C5 is White's already.
    let safe = taken.replace(". X . O O .", ". X O O O .");
    assert_eq!(count(&safe, TERRITORY, "D4", ""), Score::points(5 - (6 + 1)));
}

#[test]
fn stones_in_atari_among_dead_ones_need_no_help() {
    let picture = "
        X . X . X X X
        X X X X X X X
        O O O O O O O
        O O O O . O .
        X X X . O O O
        O O X O . O .
        . O X O O O O";
    assert_eq!(count(picture, TERRITORY, "A3 B3 C3 C2 C1", ""), Score::points(2 - (5 + 1 + 2 * 5)));
}

#[test]
fn a_stone_whose_capture_is_answered_by_a_snapback_needs_no_help() {
    // Black takes E4 by E3 and White all three by E4.
    let picture = "
        . X . X . X X
        X X X X X X X
        O O O O X X X
        O . O X O X X
        O O O X . O O
        . O O O O O .
        O O . O O . O";
    assert_eq!(count(picture, TERRITORY, "D4 D3", ""), Score::points(3 - (6 + 2 * 2)));
    // With C4 open the three have another liberty, and E3 has to be filled.
    let open = picture.replace("O . O X O X X", "O . . X O X X");
    assert_eq!(count(&open, TERRITORY, "D4 D3", ""), Score::points(3 - (6 + 2 * 2)));
}

#[test]
fn who_moves_first_takes_the_neutral_point_that_helps() {
    // Of E8, E5 and E4 only E5 would connect Black's chain at D6. White takes it, and with E8 gone too F6 is needed.
    let picture = "
        . O O O O O O X X
        . O X O . O X X .
        . O X X X X O X X
        . . O X X . . X .
        X O O O . X X . X
        . X . O . X . . .
        . . X O O O X . X
        X X O O . O X X .
        . O . . O X X . X";
    let dead = "G7 A5 B4 C3 A2 B2";
    assert_eq!(count(picture, TERRITORY, dead, ""), Score::points(-11));
    let taken = picture.replace("X O O O . X X", "X O O O X X X");
    assert_eq!(count(&taken, TERRITORY, dead, ""), Score::points(-10));
}

#[test]
fn every_play_of_a_race_fills_a_point() {
    // When Black fills J5, White's H9 has to take the stones on the right, and F9 must be there before.
    let picture = "
        . O O . O . X . O
        O . O . O X X X O
        X X O O O O X O O
        O X O O X O X O O
        . O O X X O X O .
        O O X . X X O O X
        X X . . . X X X X
        X X X . X X . O X
        . . O X . X . . .";
    let dead = "G9 F8 G8 H8 G7 G6 G5 A7 B7 B6 H2 C1";
    assert_eq!(count(picture, TERRITORY, dead, ""), Score::points(-9));
    // With F9 played only H9 is left to fill.
    let begun = picture.replace(". O O . O . X . O", ". O O . O O X . O");
    assert_eq!(count(&begun, TERRITORY, dead, ""), Score::points(-9));
    // As long as J3 is open, whoever plays J5 puts himself in atari.
    let open = picture.replace("X X . . . X X X X", "X X . . . X X X .");
    assert_eq!(count(&open, TERRITORY, dead, ""), Score::points(-10));
}

// Results

fn counted(half_points: i32, komi: f64) -> Outcome {
    Outcome::Counted { board: Score(half_points), komi: Komi::new(komi).expect("a finite komi") }
}

#[test]
fn results_are_written_as_game_records_have_them() {
    let cases = [
        (counted(18, 7.0), "B+2", Some(Black)),
        (counted(14, 7.5), "W+0.5", Some(White)),
        (counted(14, 7.0), "0", None),
        (counted(0, 0.0), "0", None),
        (counted(-14, -7.0), "0", None),
        (counted(0, -3.75), "B+3.75", Some(Black)),
        (counted(20, 7.25), "B+2.75", Some(Black)),
        (counted(14, 7.25), "W+0.25", Some(White)),
        (counted(16, 7.1), "B+0.9", Some(Black)),
        (counted(0, 1e-9), "W+0.001", Some(White)),
        (counted(2 * 81, 0.0), "B+81", Some(Black)),
        (counted(-2 * 81, 7.5), "W+88.5", Some(White)),
        (Outcome::Won(White), "W+", Some(White)),
        (Outcome::Draw, "0", None),
        (Outcome::NoResult, "Void", None),
    ];
    for (outcome, text, winner) in cases {
        assert_eq!((outcome.to_string().as_str(), outcome.winner()), (text, winner), "{outcome:?}");
    }
}

#[test]
fn the_winner_is_the_one_that_the_result_names() {
    for half_points in -20..=20 {
        for quarters in -44..=44 {
            let outcome = counted(half_points, f64::from(quarters) / 4.0);
            let named = match outcome.to_string().as_bytes()[0] {
                b'B' => Some(Black),
                b'W' => Some(White),
                _ => None,
            };
            assert_eq!(outcome.winner(), named, "{outcome:?} is {outcome}");
        }
    }
}

#[test]
fn komi_and_dead_stones_enter_the_outcome() {
    let board = board(DEAD_STONES);
    let statuses = Statuses { dead: points("A2", &board), seki: PointSet::EMPTY };
    let position = Position::from_board(board, Black, AREA);
    let text =
        |statuses, points| score::outcome(&position, statuses, Komi::new(points).expect("a finite komi")).to_string();
    assert_eq!(text(&statuses, 0.0), "B+4");
    assert_eq!(text(&statuses, 4.0), "0");
    assert_eq!(text(&statuses, 6.5), "W+2.5");
    assert_eq!(text(&Statuses::ALL_ALIVE, 6.5), "W+6.5");
}

// Unconditional life

/// The stones and the territory of the side that live whatever happens must be these.
fn assert_safe(picture: &str, color: Color, stones: &str, territory: &str) {
    let board = board(picture);
    let safe = unconditional(&board, color);
    assert_eq!(safe.stones, points(stones, &board), "living stones of {color}");
    assert_eq!(safe.territory, points(territory, &board), "territory of {color}");
}

#[test]
fn two_eyes_live() {
    let picture = "
        . X . X O
        X X X X O
        O O O O O
        . . . . .
        . . . . .";
    assert_safe(picture, Black, "A4 B4 C4 D4 B5 D5", "A5 C5");
    assert_safe(picture, White, "", "");
}

#[test]
fn one_eye_does_not_live() {
    let picture = "
        . X X X O
        X X X X O
        O O O O O
        . . . . .
        . . . . .";
    assert_safe(picture, Black, "", "");
}

#[test]
fn a_false_eye_is_none() {
    // C1 is an eye of the chain at B2 only as long as D1 stands, and D1 can be taken.
    let picture = "
        . . . . .
        . . . . .
        O O O O O
        X X X O .
        . X . X O";
    assert_safe(picture, Black, "", "");
    // With D2 Black's too, both eyes are real.
    let picture = "
        . . . . .
        O O O O O
        O X X X O
        X X X X O
        . X . X O";
    assert_safe(picture, Black, "B3 C3 D3 A2 B2 C2 D2 B1 D1", "A1 C1");
}

#[test]
fn two_chains_live_on_two_shared_eyes() {
    let picture = "
        . . . . . .
        . . . . . .
        X X X X X .
        X . . . X .
        X O . O X X
        . X X X . X";
    // The lower chain and the rest touch each other nowhere, but both need A1 and E1.
    assert_safe(picture, Black, "A4 B4 C4 D4 E4 A3 E3 A2 E2 F2 F1 B1 C1 D1", "A1 E1");
    // Open E1 to the outside, and one eye is not enough for the two.
    let open = picture.replace("X X\n        . X X X . X", "X .\n        . X X X . .");
    assert_safe(&open, Black, "", "");
}

#[test]
fn a_big_eye_is_vital_only_when_each_of_its_empty_points_is_a_liberty() {
    let picture = "
        . . . . .
        . . . . .
        X X X X X
        . . X . .
        . . X . .";
    assert_safe(picture, Black, "", "");
    // Enemy stones in the two corners leave only liberties empty.
    let inside = picture.replacen(". . X . .\n        . . X . .", ". . X . .\n        O . X . O", 1);
    assert_safe(&inside, Black, "A3 B3 C3 D3 E3 C2 C1", "A1 B1 A2 B2 D1 E1 D2 E2");
    assert_safe(&inside, White, "", "");
}

#[test]
fn an_eye_closed_by_a_stone_that_can_be_captured_is_none() {
    // Both eyes are vital to the chain at B4, but A5 and E5, which close them, can be captured.
    let picture = "
        X . X . X
        . X X X .
        O O O O O
        . . . . .
        . . . . .";
    assert_safe(picture, Black, "", "");
}

#[test]
fn an_empty_board_has_no_living_chain() {
    for color in Color::BOTH {
        let safe = unconditional(&Board::new(5), color);
        assert!(safe.stones.is_empty() && safe.territory.is_empty());
    }
}
