//! The lines of "FridgeGo Rules".

use kosumi::game::Game;
use kosumi::go::Color::{Black, White};
use kosumi::go::rules::{FIRST_CAPTURE, FRIDGE_GO};
use kosumi::go::{Board, Cell, Color, IllegalMove, Komi, Move, PointSet, Position, Score, Statuses, score};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{gtp, last_reply, position};
use crate::support::positions::{KO, SENDING_TWO, board, play, play_all};

#[test]
fn fridge_go_1_each_side_has_forty_stones() {
    let mut position = position(
        ". . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         X . X . . . . . .
         X X X X X X X X X
         X X X X X X X X X
         X X X X X X X X X
         X X X X X X X X X",
        FRIDGE_GO,
    );
    play_all(&mut position, "E5 A9 G5 B9");
    assert_eq!(play(&mut position, "J5"), Err(IllegalMove::NoStones), "the 41st is a spare");
    play_all(&mut position, "pass C9");
}

#[test]
fn fridge_go_2_black_begins_on_any_vacant_point() {
    let mut position = Position::new(9, FRIDGE_GO);
    assert_eq!(position.to_move(), Black);
    for p in position.board().points() {
        assert_eq!(position.check(Move::Play(p)), Ok(()));
    }
}

#[test]
fn fridge_go_3_captured_stones_go_back_to_their_owner() {
    let corner = "
        X X . . . . . . .
        O . . . . . . . .
        X . . . . . . . .
        O O O O O O O O O
        O O O O O O O O O
        O O O O O O O O O
        O O O O O O O O .
        O O O O . . . . .
        . . . . . . . . .";
    let mut position = position(corner, FRIDGE_GO);
    assert_eq!(position.board().stones(White), 40);
    play_all(&mut position, "H1");
    assert_eq!(play(&mut position, "J1"), Err(IllegalMove::NoStones));
    play_all(&mut position, "pass B8");
    assert_eq!((position.board().captured(White), position.board().stones(White)), (1, 39));
    play_all(&mut position, "J1");
}

#[test]
fn fridge_go_4_an_eye_is_taken_when_it_is_the_last_liberty() {
    let mut closed = position(". X X X . \n X O O O X \n X O . O X \n X O O O X \n . X X X .", FRIDGE_GO);
    play_all(&mut closed, "C3");
    assert_eq!(closed.board().captured(White), 8);
    // With a liberty outside "you'd just capture yourself": one stone changes nothing, which superko forbids.
    let mut open = position(". . X X . \n X O O O X \n X O . O X \n X O O O X \n . X X X .", FRIDGE_GO);
    assert_eq!(play(&mut open, "C3"), Err(IllegalMove::Superko));
    let mut two = position(". . . . \n . . . . \n O O . . \n X . O .", FRIDGE_GO);
    play_all(&mut two, "B1");
    assert_eq!(two.board().captured(Black), 2);
}

#[test]
fn fridge_go_5_first_capture_is_another_game() {
    assert_ne!(FRIDGE_GO.first_capture, FIRST_CAPTURE.first_capture);
    let mut position = position(". X . \n X O . \n . X .", FIRST_CAPTURE);
    play_all(&mut position, "C2");
    assert_eq!(position.first_to_capture(), Some(Black));
    assert!(position.is_over());
    assert_eq!(score::outcome(&position, &Statuses::ALL_ALIVE, Komi::ZERO).winner(), Some(Black));
    let replies = gtp(
        &["--rules", "first-capture", "--size", "5"],
        "play b B1\nplay w C3\nplay b B2\nplay w A1\nplay b A2\nplay w D4\nfinal_score\ngenmove w",
    );
    assert_eq!(replies[4..], ["=", "? illegal move", "= B+", "= pass"]);
    // The engine takes what is in atari, and saves itself otherwise.
    let atari = "play b C3\nplay w C4\nplay b B4\nplay w E1\nplay b D4\nplay w A1\ngenmove b";
    assert_eq!(last_reply(&["--rules", "first-capture", "--size", "5"], atari), "= C5");
}

#[test]
fn fridge_go_6_no_earlier_position_may_come_back() {
    let mut ko = position(KO, FRIDGE_GO);
    play_all(&mut ko, "C4");
    assert!(play(&mut ko, "B4").is_err());
    play_all(&mut ko, "E1 E2 B4");
    let mut sent = position(SENDING_TWO, FRIDGE_GO);
    play_all(&mut sent, "C1 A1");
    assert_eq!(play(&mut sent, "B1"), Err(IllegalMove::Superko));
}

#[test]
fn fridge_go_7_the_game_ends_when_both_pass_in_a_row() {
    let mut position = Position::new(9, FRIDGE_GO);
    play_all(&mut position, "E5 pass C3 pass");
    assert!(!position.is_over());
    play_all(&mut position, "pass");
    assert!(position.is_over());
}

/// What counting by filling in gives: each side puts the rest of its forty stones on the points that it surrounds;
/// its points are the forty, and what it still surrounds, or less what it has left over.
fn by_filling_in(board: &Board) -> i32 {
    let owner = score::area(board, &PointSet::EMPTY);
    let points_of = |color: Color| {
        let mut left_over = 40 - board.stones(color) as i32;
        assert!(left_over >= 0, "{color} has more than its stones on the board");
        let mut vacant = 0;
        for p in board.points() {
            if board.cell(p) == Cell::Empty && owner[p] == Some(color) {
                if left_over > 0 {
                    left_over -= 1;
                } else {
                    vacant += 1;
                }
            }
        }
        40 + vacant - left_over
    };
    points_of(Black) - points_of(White)
}

#[test]
fn fridge_go_8_filling_in_counts_as_area() {
    assert_eq!(Game::new(9, FRIDGE_GO, None).komi(), Komi::ZERO);
    // Random games to their end: whoever has no move but into an own eye passes.
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let mut margins = std::collections::BTreeSet::new();
    for _ in 0..300 {
        let mut position = Position::new(9, FRIDGE_GO);
        while !position.is_over() {
            let color = position.to_move();
            let board = position.board().clone();
            let legal: Vec<Move> = board
                .points()
                .filter(|&p| board.cell(p) == Cell::Empty && !board.around(p).is_eye_shape(color))
                .map(Move::Play)
                .filter(|&mv| position.check(mv).is_ok())
                .collect();
            // Some games end early, with neutral points and stones that could be taken.
            let tired = position.played(Black) + position.played(White) > 40 && rng.random_range(0..30) == 0;
            let mv = if tired { Move::Pass } else { legal.choose(&mut rng).copied().unwrap_or(Move::Pass) };
            position.play(mv).expect("a legal move");
        }
        let margin = by_filling_in(position.board());
        assert_eq!(score::count(&position, &Statuses::ALL_ALIVE), Score::points(margin));
        margins.insert(margin);
    }
    assert!(margins.len() > 30, "many results: {margins:?}");
}

#[test]
fn fridge_go_8_the_example_is_seven_points() {
    // 44 points: all forty stones and four vacant points; 37: three stones left over.
    let picture = "
        . X . X X O . O O
        X X X X X O O . O
        X . X X X O O O O
        X X X X O O . O O
        . X X X O O O O O
        X X X X X O O O O
        X X X X X O O . O
        X X X X X O O O O
        . X X X X X O . O";
    let board = board(picture);
    let position = Position::from_board(board.clone(), Black, FRIDGE_GO);
    let owner = score::area(&board, &PointSet::EMPTY);
    let points = |color| board.points().filter(|&p| owner[p] == Some(color)).count();
    assert_eq!((points(Black), points(White)), (44, 37));
    assert_eq!(by_filling_in(&board), 7);
    assert_eq!(score::outcome(&position, &Statuses::ALL_ALIVE, Komi::ZERO).to_string(), "B+7");
}
