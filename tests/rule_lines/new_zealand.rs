//! The lines of "New Zealand Rules – Explanation".

use kosumi::game::Game;
use kosumi::go::Color::{Black, White};
use kosumi::go::rules::NEW_ZEALAND;
use kosumi::go::{IllegalMove, Komi, MAX_SIZE, MIN_SIZE, PointSet, Position, Statuses, handicap, score};

use super::{gtp, position};
use crate::support::positions::{KO, SENDING_TWO, TRIPLE_KO, assert_stones, board, play, play_all, to_move};
use crate::vertex::{point, points};

#[test]
fn new_zealand_01_boards_of_other_sizes() {
    for size in MIN_SIZE..=MAX_SIZE {
        assert_eq!(Position::new(size, NEW_ZEALAND).board().points().count(), size * size);
    }
    let replies = gtp(&["--rules", "new-zealand"], "boardsize 13\nplay b N13\nboardsize 2\nboardsize 25\nplay b Z25");
    assert_eq!(replies, ["="; 5]);
}

#[test]
fn new_zealand_02_connected_stones_need_not_be_adjacent() {
    let position = position("X X . \n . X X \n . . X", NEW_ZEALAND);
    let board = position.board();
    assert_eq!(board.head(point("A3", 3)), board.head(point("C1", 3)));
    assert_eq!(board.liberty_set(point("A3", 3)), points("A2 B1 C3", board));
}

#[test]
fn new_zealand_03_territory_is_what_paths_of_empty_points_reach() {
    let picture = "
        . . X . O
        . X X . O
        X X . . O
        X . . O .
        . X . O .";
    // Black has 8 stones, A5, B5, A4 and A1; B2 and the column of C1 to D5 have paths to both.
    let owner = score::area(&board(picture), &PointSet::EMPTY);
    let of = |name| owner[point(name, 5)];
    assert_eq!(["A5", "B5", "A4", "A1"].map(of), [Some(Black); 4]);
    assert_eq!(["E1", "E2"].map(of), [Some(White); 2]);
    assert_eq!(["C1", "B2", "D4"].map(of), [None; 3]);
}

#[test]
fn new_zealand_04_situational_superko() {
    // The document's diagrams: a ko, and sending two and returning one, which may be done once: then the board would
    // be as after Black's own earlier move.
    let mut ko = position(KO, NEW_ZEALAND);
    play_all(&mut ko, "C4");
    assert!(play(&mut ko, "B4").is_err());
    let mut sent = position(SENDING_TWO, NEW_ZEALAND);
    play_all(&mut sent, "C1 A1 B1 pass");
    assert_eq!(play(&mut sent, "C1"), Err(IllegalMove::Superko));
    let mut kos = position(TRIPLE_KO, NEW_ZEALAND);
    play_all(&mut kos, "C8 B5 C2 B8 C5");
    assert_eq!(play(&mut kos, "B2"), Err(IllegalMove::Superko));
}

/// White's stones at C1 and B2 are dead.
pub const DISPUTED: &str = "
    . O O . O
    O O O O O
    X X X X X
    X O . . X
    . . O . .";

#[test]
fn new_zealand_05_disputed_stones_are_played_out_at_no_cost() {
    let dead = |position: &Position| Statuses { dead: points("B2 C1", position.board()), seki: PointSet::EMPTY };
    let mut agreed = position(DISPUTED, NEW_ZEALAND);
    play_all(&mut agreed, "pass pass");
    let by_agreement = score::count(&agreed, &dead(&agreed));
    // No agreement: White, whose stones they are, may move first, and passes; Black captures them.
    let mut played = position(DISPUTED, NEW_ZEALAND);
    play_all(&mut played, "pass pass");
    played.set_to_move(White);
    play_all(&mut played, "pass B1 pass C2 pass D1 pass pass");
    assert!(played.is_over());
    assert_eq!(played.board().captured(White), 2);
    assert_eq!(score::count(&played, &Statuses::ALL_ALIVE), by_agreement);
    // Still no agreement: they stay, and count.
    assert_ne!(score::count(&agreed, &Statuses::ALL_ALIVE), by_agreement);
}

#[test]
fn new_zealand_06_a_repetition_is_refused_and_can_be_made_a_pass() {
    let mut position = position(SENDING_TWO, NEW_ZEALAND);
    play_all(&mut position, "C1 A1 B1 pass");
    let before = position.board().clone();
    assert_eq!(play(&mut position, "C1"), Err(IllegalMove::Superko));
    assert!(*position.board() == before && position.to_move() == Black);
    play_all(&mut position, "pass");
    let replies = gtp(&["--rules", "new-zealand", "--size", "5"], "play b C3\nplay w C3\nplay w pass\nplay b C3");
    assert_eq!(replies, ["=", "? illegal move", "=", "? illegal move"]);
}

#[test]
fn new_zealand_07_a_second_move_in_a_row_can_be_taken_back_as_a_pass() {
    let replies = gtp(
        &["--rules", "new-zealand", "--size", "5"],
        "play b C3\nplay b C4\nundo\nplay b pass\nplay w D3\nfinal_status C4",
    );
    assert_eq!(replies[..5], ["="; 5], "the engine takes moves out of turn and takes them back");
    assert!(["= dame", "= black_territory", "= white_territory"].contains(&replies[5].as_str()), "C4 is empty");
}

#[test]
fn new_zealand_08_the_traditional_handicap_points() {
    let fixed = |stones| handicap::fixed(19, stones).expect("there are fixed points");
    let nine = fixed(9);
    for stones in [2, 3, 4, 6, 8] {
        assert_eq!(fixed(stones), nine[..stones], "{stones} stones in order");
    }
    // Five and seven stones have the ninth point, the centre.
    for stones in [5, 7] {
        let expected: Vec<_> = nine[..stones - 1].iter().copied().chain([point("K10", 19)]).collect();
        assert_eq!(fixed(stones), expected, "{stones} stones");
    }
    assert_eq!(nine[8], point("K10", 19));
    assert!(handicap::fixed(19, 1).is_err(), "no point for one stone");
}

#[test]
fn new_zealand_10_an_agreed_result_stands() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("agreed.sgf");
    std::fs::write(&path, "(;GM[1]FF[4]SZ[9]RU[NZ]KM[7]RE[B+30];B[ee];W[];B[])").expect("a file");
    let replies = gtp(&[], &format!("loadsgf {}\nkosumi-rules\nprintsgf", path.display()));
    assert_eq!(replies[1], "= new-zealand");
    assert!(replies[2].contains("RE[B+30]"), "{}", replies[2]);
}

#[test]
fn new_zealand_11_suicide_komi_7_and_none_in_a_handicap_game() {
    let mut position = position(". . . . \n . . . . \n O O . . \n X . O .", NEW_ZEALAND);
    play_all(&mut position, "B1");
    assert_stones(&position, ". . . . \n . . . . \n O O . . \n . . O .");
    assert_eq!(Game::new(19, NEW_ZEALAND, None).komi().points(), 7.0);
    // White passes the first moves of a handicap game; the stones cost nothing and there is no komi.
    let mut game = Game::new(19, NEW_ZEALAND, None);
    for (color, name) in [(Black, "D4"), (White, "pass"), (Black, "Q16"), (White, "pass"), (Black, "D16")] {
        game.play(color, to_move(name, 19)).expect("a legal move");
    }
    assert_eq!((game.handicap(), game.komi(), game.total_komi()), (3, Komi::ZERO, Komi::ZERO));
    let replies =
        gtp(&["--rules", "new-zealand"], "fixed_handicap 3\nget_komi\nclear_board\nget_komi\nkomi 0.5\nget_komi");
    assert_eq!(replies[1..], ["= 0", "=", "= 7", "=", "= 0.5"]);
}
