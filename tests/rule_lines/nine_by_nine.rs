//! The lines of "9 x 9 Go … under Chinese rules".

use std::fmt::Write as _;
use std::time::Duration;

use kosumi::game::Game;
use kosumi::go::Color::{Black, White};
use kosumi::go::life::unconditional;
use kosumi::go::rules::CHINESE;
use kosumi::go::{Board, Cell, Color, IllegalMove, Move, Outcome, PointSet, Position, Score, Statuses, score};

use super::{game_from, gtp, last_reply, position};
use crate::support::engine::hours;
use crate::support::positions::{KO, assert_stones, board, play, play_all, to_move};
use crate::support::wire::TimedSession;
use crate::vertex::{point, points};

#[test]
fn nine_by_nine_01_the_board_is_empty_at_the_outset() {
    let replies =
        gtp(&[], "boardsize 9\nplay b E5\nclear_board\nfinal_status_list alive\nplay b pass\nplay w pass\nfinal_score");
    assert_eq!(replies[3..], ["=", "=", "=", "= W+7"]);
}

#[test]
fn nine_by_nine_02_columns_are_a_to_j_without_i() {
    let replies = gtp(&["--size", "9"], "play b A1\nplay w J9\nplay b I5\nplay b K1\nplay b A10\nshowboard");
    assert_eq!(replies[..2], ["=", "="]);
    assert!(replies[2..5].iter().all(|reply| reply.starts_with('?')), "{replies:?}");
    assert!(replies[5].contains("A B C D E F G H J\n"), "{}", replies[5]);
}

#[test]
fn nine_by_nine_03_chinese_rules_and_komi_7_are_the_default() {
    let replies = gtp(&["--size", "9"], "kosumi-rules\nget_komi\nboardsize 19\nget_komi");
    assert_eq!(replies, ["= chinese", "= 7", "=", "= 7.5"]);
    // With a whole number of points a game can be drawn.
    let outcome = Outcome::Counted { board: Score::points(7), komi: CHINESE.default_komi(9, 0) };
    assert_eq!((outcome.to_string().as_str(), outcome.winner()), ("0", None));
}

#[test]
fn nine_by_nine_04_black_moves_first() {
    let game = Game::new(9, CHINESE, None);
    assert_eq!(game.position().to_move(), Black);
}

#[test]
fn nine_by_nine_05_a_handicap_is_up_to_five_moves_in_the_first_turn() {
    // As consecutive moves …
    let mut lines = String::new();
    for name in ["C3", "G7", "C7", "G3", "E5"] {
        let _ = writeln!(lines, "play b {name}");
    }
    let replies = gtp(&["--size", "9"], &(lines + "play w E7\nkata-get-rules\nprintsgf"));
    assert!(replies[..6].iter().all(|reply| reply == "="), "{replies:?}");
    let mut game = Game::new(9, CHINESE, None);
    for name in ["C3", "G7", "C7", "G3", "E5"] {
        game.play(Black, to_move(name, 9)).expect("a legal move");
    }
    game.play(White, to_move("E7", 9)).expect("a legal move");
    assert_eq!((game.handicap(), game.total_komi().points()), (5, 7.0 + 5.0));
    // … or as a command.
    for (stones, names) in [(2, "C3 G7"), (3, "C3 G7 C7"), (4, "C3 G7 C7 G3"), (5, "C3 G7 C7 G3 E5")] {
        let reply = last_reply(&["--size", "9"], &format!("fixed_handicap {stones}"));
        assert_eq!(reply, format!("= {names}"));
    }
}

#[test]
fn nine_by_nine_06_any_empty_point_may_be_played_and_stones_stay() {
    let mut position = Position::new(9, CHINESE);
    for p in position.board().points() {
        assert_eq!(position.check(Move::Play(p)), Ok(()));
    }
    play_all(&mut position, "E5");
    assert_eq!(play(&mut position, "E5"), Err(IllegalMove::Occupied));
    // Taking back is a tool of the program that controls the engine, no move of the game.
    let replies = gtp(&["--size", "9"], "play b E5\nundo\nplay b E5\nplay w E5");
    assert_eq!(replies, ["=", "=", "=", "? illegal move"]);
}

#[test]
fn nine_by_nine_07_a_player_may_pass_at_any_time() {
    let mut position = position(KO, CHINESE);
    play_all(&mut position, "pass E1 pass E2 C4 pass");
    assert_eq!(position.board().stones(White), 4 + 2 - 1);
}

#[test]
fn nine_by_nine_08_stones_without_liberties_are_captured_as_groups() {
    let mut position = position(". X X . \n X O O . \n X O X . \n . X . .", CHINESE);
    play_all(&mut position, "D3");
    assert_stones(&position, ". X X . \n X . . X \n X . X . \n . X . .");
    assert_eq!(position.board().captured(White), 3);
}

#[test]
fn nine_by_nine_09_two_eyes_live() {
    let two = board(". X . X O \n X X X X O \n O O O O O \n . . . . . \n . . . . .");
    assert_eq!(unconditional(&two, Black).stones, points("B5 D5 A4 B4 C4 D4", &two));
    let one = board(". X X X O \n X X X X O \n O O O O O \n . . . . . \n . . . . .");
    assert!(unconditional(&one, Black).stones.is_empty());
}

#[test]
fn nine_by_nine_10_stones_that_can_kill_are_not_dead() {
    // The document's marked white stones can be captured, but if they are not, they capture: whose move it is
    // decides. Here each side's three stones in the middle have one liberty: the engine takes White's or frees its own.
    let picture = "
        . . . . . . .
        . . . . . . .
        O O O O . . .
        O X X X . . .
        X O O O . . .
        X X X X . . .
        . . . . . . .";
    for color in Color::BOTH {
        let lines = format!("{}genmove {color}", setup_commands(&board(picture)));
        let reply = last_reply(&["--size", "7", "--komi", "0"], &lines);
        assert!(["= E3", "= E4"].contains(&reply.as_str()), "{color}: {reply}");
    }
}

/// The `play` commands that put these stones on an empty board.
pub fn setup_commands(board: &Board) -> String {
    let mut lines = String::new();
    for p in board.points() {
        if let Some(color) = board.cell(p).color() {
            let letter = char::from(b"ABCDEFGHJKLMNOPQRSTUVWXYZ"[p.column(board.size())]);
            let _ = writeln!(lines, "play {color} {letter}{}", p.row(board.size()) + 1);
        }
    }
    lines
}

#[test]
fn nine_by_nine_11_a_ko_may_not_be_retaken_before_a_move_elsewhere() {
    let mut position = position(KO, CHINESE);
    play_all(&mut position, "C4");
    assert_eq!(play(&mut position, "B4"), Err(IllegalMove::Ko));
    // The move elsewhere may be a pass: then it is for Black to change the board.
    let mut passed = position.clone();
    play_all(&mut passed, "pass E1 B4");
    play_all(&mut position, "E1 E2 B4");
    assert_eq!(position.board().cell(point("C4", 5)), Cell::Empty);
}

#[test]
fn nine_by_nine_12_suicide_is_forbidden() {
    for picture in [". . . . \n . . . . \n O . . . \n . O . .", ". . . . \n . . . . \n O O . . \n X . O ."] {
        let name = if picture.contains('X') { "B1" } else { "A1" };
        assert_eq!(play(&mut position(picture, CHINESE), name), Err(IllegalMove::Suicide));
    }
    // Unless it captures.
    let mut position = position(". O X \n O X X \n X X .", CHINESE);
    play_all(&mut position, "A3");
    assert_stones(&position, "X . X \n . X X \n X X .");
}

#[test]
fn nine_by_nine_13_two_passes_in_a_row_end_the_game() {
    let mut position = Position::new(9, CHINESE);
    play_all(&mut position, "pass E5 pass");
    assert!(!position.is_over());
    play_all(&mut position, "pass");
    assert!(position.is_over());
}

#[test]
fn nine_by_nine_14_who_resigns_loses_without_a_score() {
    let lines = "komi 100\nplay b C3\nplay w C4\nplay b D3\nplay w D4\nplay b B3\nplay w B4\ngenmove b\nplay w pass\n\
                 genmove b\nprintsgf\nshowboard";
    let replies = gtp(&["--size", "5", "--resign-below", "0.5", "--resign-after", "0"], lines);
    assert_eq!(replies[9], "= resign");
    assert!(replies[10].contains("RE[W+R]"), "{}", replies[10]);
    // Controllers may let the game go on.
    let replies = gtp(
        &["--size", "5", "--resign-below", "0.5", "--resign-after", "0"],
        &lines.replace("showboard", "play b E5\nprintsgf"),
    );
    assert!(!replies[12].contains("RE["), "{}", replies[12]);
}

#[test]
fn nine_by_nine_15_who_runs_out_of_time_loses() {
    // The controller holds the clock and says who has lost; a record keeps that.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("time.sgf");
    std::fs::write(&path, "(;GM[1]FF[4]SZ[9]KM[7]RE[W+T];B[ee];W[cc])").expect("a file");
    let load = format!("loadsgf {}\nprintsgf\nplay b G7\nprintsgf", path.display());
    let replies = gtp(&[], &load);
    assert!(replies[1].contains("RE[W+T]"), "{}", replies[1]);
    assert!(!replies[3].contains("RE["), "the game goes on: {}", replies[3]);
    // The engine keeps its own time: it moves before the second is over, which never ends here.
    let mut session = TimedSession::start(hours());
    session.ok("time_settings 1 0 0");
    session.begin_move("b");
    session.time.advance(Duration::from_millis(999));
    session.end_of_move();
    session.end();
}

#[test]
fn nine_by_nine_16_the_example_is_two_points_for_black() {
    // 27 points and 18 stones against 22 points and 14 stones, two white stones and one black one captured. The
    // document adds the prisoners to the area and finds three points.
    let picture = "
        O X . . X O . . .
        . . . . X O . . .
        . X . . X O . . .
        . X . . X O . . .
        . . . . X O O O O
        . X . . X O . . .
        . X . . X O . . .
        . X . . X O . . .
        O X . . X O . O X";
    let mut game = game_from(picture, CHINESE);
    for (color, name) in [(Black, "A2"), (White, "J2"), (Black, "A8"), (White, "pass"), (Black, "pass")] {
        game.play(color, to_move(name, 9)).expect("a legal move");
    }
    let board = game.position().board();
    assert_eq!((board.stones(Black), board.stones(White)), (18, 14));
    assert_eq!((board.captured(White), board.captured(Black)), (2, 1));
    let owner = score::area(board, &PointSet::EMPTY);
    let territory = |color| board.points().filter(|&p| board.cell(p) == Cell::Empty && owner[p] == Some(color)).count();
    assert_eq!((territory(Black), territory(White)), (27, 22));
    assert_eq!(game.komi().points(), 7.0);
    assert_eq!(game.outcome(&Statuses::ALL_ALIVE).to_string(), "B+2");
}
