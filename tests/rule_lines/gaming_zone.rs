//! The lines of the Internet Gaming Zone's page.

use std::fmt::Write as _;

use kosumi::game::Game;
use kosumi::go::Color::{Black, White};
use kosumi::go::rules::{CHINESE, GAMING_ZONE};
use kosumi::go::{IllegalMove, Komi, PointSet, Position, Score, Statuses, score};

use super::nine_by_nine::setup_commands;
use super::{gtp, last_reply, position};
use crate::support::positions::{KO, TRIPLE_KO, board, play, play_all};
use crate::vertex::points;

#[test]
fn gaming_zone_01_unoccupied_territory_and_enemy_stones_count() {
    let mut position = position(". . . . . \n . . . . . \n . . . . . \n X X X X X \n O . . . .", GAMING_ZONE);
    play_all(&mut position, "B1 pass pass");
    // 15 points above and 4 below, and a prisoner.
    assert_eq!(score::count(&position, &Statuses::ALL_ALIVE), Score::points(19 + 1));
}

#[test]
fn gaming_zone_02_black_begins_and_there_is_no_komi() {
    let game = Game::new(19, GAMING_ZONE, None);
    assert_eq!((game.position().to_move(), game.komi()), (Black, Komi::ZERO));
}

#[test]
fn gaming_zone_03_handicap_stones_on_the_points_or_anywhere_nine_at_the_most() {
    for stones in 2..=9 {
        let replies = gtp(&["--rules", "gaming-zone"], &format!("fixed_handicap {stones}\nshowboard"));
        assert_eq!(replies[0].split_whitespace().count(), 1 + stones);
        assert!(replies[1].contains("white to play"), "{}", replies[1]);
    }
    assert_eq!(last_reply(&["--rules", "gaming-zone"], "fixed_handicap 10"), "? invalid number of stones");
    let replies = gtp(&["--rules", "chinese"], "set_free_handicap A1 B2 C3\nshowboard");
    assert!(replies[0] == "=" && replies[1].contains("white to play"));
    let replies = gtp(&["--rules", "chinese"], "place_free_handicap 6");
    assert_eq!(replies[0].split_whitespace().count(), 1 + 6);
}

#[test]
fn gaming_zone_04_a_game_can_be_won_without_a_capture() {
    let mut position = position(". . X O . \n . . X O . \n . . X O . \n . . X O . \n . . X O .", GAMING_ZONE);
    play_all(&mut position, "pass pass");
    assert_eq!(position.board().captured(White), 0);
    let outcome = score::outcome(&position, &Statuses::ALL_ALIVE, Komi::ZERO);
    assert_eq!(outcome.to_string(), "B+5");
}

#[test]
fn gaming_zone_05_a_ko_waits_for_a_move_elsewhere() {
    let mut position = position(KO, GAMING_ZONE);
    play_all(&mut position, "C4");
    assert_eq!(play(&mut position, "B4"), Err(IllegalMove::Ko));
    play_all(&mut position, "E1 E2 B4");
    assert_eq!(play(&mut position, "C4"), Err(IllegalMove::Ko));
}

#[test]
fn gaming_zone_06_three_kos_are_a_draw() {
    let mut position = position(TRIPLE_KO, GAMING_ZONE);
    play_all(&mut position, "C8 B5 C2 B8 C5");
    assert!(!position.is_over());
    play_all(&mut position, "B2");
    assert!(position.is_over());
    assert_eq!(score::outcome(&position, &Statuses::ALL_ALIVE, Komi::ZERO).to_string(), "0");
    let lines = setup_commands(&board(TRIPLE_KO)) + &triple_ko_moves() + "final_score\nprintsgf";
    let replies = gtp(&["--rules", "gaming-zone", "--size", "9"], &lines);
    assert_eq!(replies[replies.len() - 2], "= 0");
    assert!(replies[replies.len() - 1].contains("RE[0]"));
    // The Japanese rules say that such a game has no result, and GTP that there is then no score.
    let replies = gtp(&["--rules", "japanese", "--size", "9"], &lines);
    assert_eq!(replies[replies.len() - 2], "? cannot score: the game has no result");
    assert!(replies[replies.len() - 1].contains("RE[Void]"));
}

fn triple_ko_moves() -> String {
    let mut lines = String::new();
    for (name, color) in ["C8", "B5", "C2", "B8", "C5", "B2"].into_iter().zip([Black, White].into_iter().cycle()) {
        let _ = writeln!(lines, "play {color} {name}");
    }
    lines
}

/// The lower black and white chains with an eye each live in seki, with C1 between them.
const SEKI: &str = "
    . O X . .
    O O X X X
    O O O X X
    X X X O O
    . X . O .";

#[test]
fn gaming_zone_07_points_in_a_seki_are_disregarded() {
    let position = position(SEKI, GAMING_ZONE);
    let seki = points("A2 B2 C2 B1 D2 E2 D1", position.board());
    let statuses = Statuses { dead: PointSet::EMPTY, seki };
    // Outside Black has two points and White one.
    assert_eq!(score::count(&position, &statuses), Score::points(2 - 1));
}

#[test]
fn gaming_zone_08_dame_are_disregarded() {
    let position = position(". X . O . \n . X . O . \n . X . O . \n . X . O O \n . X . O .", GAMING_ZONE);
    assert_eq!(score::count(&position, &Statuses::ALL_ALIVE), Score::points(5 - 4));
}

#[test]
fn gaming_zone_09_no_stone_where_it_would_be_surrounded() {
    let surrounded = ". . . . \n . O . . \n O . O . \n . O . .";
    assert_eq!(play(&mut position(surrounded, GAMING_ZONE), "B2"), Err(IllegalMove::Suicide));
    let mut captures = position(". O X \n O X X \n X X .", GAMING_ZONE);
    play_all(&mut captures, "A3");
}

#[test]
fn gaming_zone_10_one_pass_ends_nothing() {
    let mut position = Position::new(9, GAMING_ZONE);
    play_all(&mut position, "E5 pass C3");
    assert!(!position.is_over());
    // The first to pass may go on, too.
    play_all(&mut position, "G7 pass C7 pass");
    assert!(!position.is_over());
    play_all(&mut position, "pass");
    assert!(position.is_over());
}

#[test]
fn gaming_zone_11_chinese_counting_and_japanese_counting() {
    let counted = |rules| {
        let mut position = position(". . . O . \n . . X O O \n X X X O . \n O X O O . \n . X O . .", rules);
        play_all(&mut position, "A1 pass pass");
        score::count(&position, &Statuses::ALL_ALIVE)
    };
    // Black has 7 stones and 6 points and a prisoner, White 7 stones and 5 points.
    let black_stones = 7;
    assert_eq!(counted(CHINESE).0 - counted(GAMING_ZONE).0, 2 * (black_stones - 7 - 1));
}
