//! A case for each line of the four documents whose rules Kosumi was made to play, named after document and line as
//! `docs/rules.md` lists them (that page names the lines that are a matter for the players alone), and for the points
//! on which engines go wrong.

mod vertex;

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use kosumi::game::Game;
use kosumi::go::life::unconditional;
use kosumi::go::rules::{
    AGA, CHINESE, FIRST_CAPTURE, FRIDGE_GO, GAMING_ZONE, JAPANESE, KoRule, NEW_ZEALAND, PRESETS, TROMP_TAYLOR,
};
use kosumi::go::{
    Board, Cell, Color, IllegalMove, Komi, MAX_SIZE, MIN_SIZE, Move, Outcome, PointSet, Position, Ruleset, Score,
    Statuses, diagram, handicap, score,
};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use vertex::{point, points};

use Color::{Black, White};

const SIMPLE: Ruleset = Ruleset { ko: KoRule::Simple, ..CHINESE };

fn board(picture: &str) -> Board {
    diagram::parse(picture).expect("the picture is a board")
}

fn position(picture: &str, rules: Ruleset) -> Position {
    Position::from_board(board(picture), Black, rules)
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

fn game_from(picture: &str, rules: Ruleset) -> Game {
    let board = board(picture);
    let mut game = Game::new(board.size(), rules, None);
    let stones: Vec<_> = board.points().filter_map(|p| board.cell(p).color().map(|color| (color, p))).collect();
    game.set_up(stones, Black).expect("the picture is a position");
    game
}

/// The program's replies to these lines, one a command: `= …` or `? …`.
fn gtp(options: &[&str], lines: &str) -> Vec<String> {
    let mut process = Command::new(env!("CARGO_BIN_EXE_kosumi"))
        .args(["--no-config", "--threads", "1", "--playouts", "500", "--memory", "32"])
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = process.stdin.take().expect("its input is a pipe");
    for line in lines.lines() {
        writeln!(input, "{}", line.trim()).expect("the program reads");
    }
    drop(input);
    let output = process.wait_with_output().expect("the program ends");
    let text = String::from_utf8(output.stdout).expect("replies are UTF-8");
    let replies: Vec<String> = text.split("\n\n").filter(|r| !r.is_empty()).map(|r| r.trim().to_owned()).collect();
    assert_eq!(replies.len(), lines.lines().filter(|line| !line.trim().is_empty()).count(), "{text}");
    replies
}

/// The last of the replies.
fn last_reply(options: &[&str], lines: &str) -> String {
    gtp(options, lines).pop().expect("there is a reply")
}

/// White's stone at B4 stands in a ko: Black takes it at C4.
const KO: &str = "
    . X O . .
    X O . O .
    . X O . .
    . . . . .
    . . . . .";

/// Black sends two stones by C1, White takes them by A1, Black returns one by B1: the board is as it was.
const SENDING_TWO: &str = "
    . . . . .
    . . . . .
    X . . . .
    X O O O .
    . X . O .";

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

// 9x9 Go under Chinese rules

#[test]
fn nine_by_nine_01_the_board_is_empty_at_the_outset() {
    let replies = gtp(&[], "boardsize 9\nplay b E5\nclear_board\nfinal_status_list alive\nfinal_score");
    assert_eq!(replies[3..], ["=", "= W+7"]);
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
fn setup_commands(board: &Board) -> String {
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
    // The engine keeps its own time.
    let start = std::time::Instant::now();
    let mut process = Command::new(env!("CARGO_BIN_EXE_kosumi"))
        .args(["--no-config", "--threads", "1", "--memory", "32", "--size", "9"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut input = process.stdin.take().expect("its input is a pipe");
    writeln!(input, "time_settings 1 0 0\ngenmove b\nquit").expect("the program reads");
    assert!(process.wait().expect("it ends").success());
    assert!(start.elapsed().as_secs_f64() < 2.0, "it took {:?}", start.elapsed());
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

// New Zealand rules

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
const DISPUTED: &str = "
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

// FridgeGo

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

// The Internet Gaming Zone's page

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

// Points on which engines go wrong

#[test]
fn pitfall_sending_two_returning_one_is_legal_but_under_positional_superko() {
    for (rules, allowed) in [
        (JAPANESE, true),
        (GAMING_ZONE, true),
        (SIMPLE, true),
        (AGA, true),
        (NEW_ZEALAND, true),
        (CHINESE, false),
        (TROMP_TAYLOR, false),
        (FRIDGE_GO, false),
    ] {
        let mut position = position(SENDING_TWO, rules);
        play_all(&mut position, "C1 A1");
        assert_eq!(play(&mut position, "B1").is_ok(), allowed, "{}", rules.name());
        assert!(!position.is_over());
    }
}

#[test]
fn pitfall_a_triple_ko_ends_or_is_forbidden() {
    for &(names, rules) in PRESETS {
        let mut position = position(TRIPLE_KO, Ruleset { first_capture: false, ..rules });
        play_all(&mut position, "C8 B5 C2 B8 C5");
        let answer = play(&mut position, "B2");
        match rules.ko {
            KoRule::Simple => assert!(answer.is_ok() && position.is_over(), "{names:?}"),
            _ => assert_eq!(answer, Err(IllegalMove::Superko), "{names:?}"),
        }
    }
}

#[test]
fn pitfall_values_follow_komi_at_once_and_a_whole_komi_can_draw() {
    let lines = "boardsize 5\nplay b C1\nplay w D1\nplay b C2\nplay w D2\nplay b C3\nplay w D3\nplay b C4\nplay w D4\n\
                 play b C5\nplay w D5\nkomi 5\nfinal_score\nkomi 4.5\nfinal_score\nkomi 5.5\nfinal_score";
    let replies = gtp(&[], lines);
    assert_eq!([&replies[12], &replies[14], &replies[16]], ["= 0", "= B+0.5", "= W+0.5"]);
}

/// C1 is neutral; once White has played there, C2 is in atari and Black has to connect at B2.
const TEIRE: &str = "
    . X O . .
    X X O . .
    . X O . .
    X . X O .
    . X . O .";

#[test]
fn pitfall_false_eyes_and_points_between_both_sides_do_not_count() {
    let counted = |picture, rules| score::count(&position(picture, rules), &Statuses::ALL_ALIVE);
    // Black surrounds A5, A3, A1 and B2, White eight points.
    assert_eq!(counted(TEIRE, JAPANESE), Score::points(3 - 8));
    assert_eq!(counted(TEIRE, CHINESE), Score::points((7 + 4) - (5 + 8)));
    // With C2 connected above, B2 is an eye like the others.
    let connected = TEIRE.replace(". X O . .\n    X . X O", ". X X O .\n    X . X O");
    assert_eq!(counted(&connected, JAPANESE), Score::points(4 - 7));
}

#[test]
fn pitfall_tromp_taylor_takes_no_stone_off() {
    let lines = setup_commands(&board(DISPUTED))
        + "final_status_list dead\nfinal_score\nkosumi-rules chinese\n\
                 final_status_list dead\nfinal_score";
    let replies = gtp(&["--rules", "tromp-taylor", "--size", "5", "--komi", "0"], &lines);
    let from_the_end = |i: usize| replies[replies.len() - i].as_str();
    // Everything below but its stones is nobody's as long as White's two stand.
    assert_eq!((from_the_end(5), from_the_end(4)), ("=", "= W+5"));
    assert_eq!((from_the_end(2), from_the_end(1)), ("= C1\nB2", "= B+5"));
}

#[test]
fn pitfall_handicap_stones_are_compensated_as_each_rule_set_says() {
    for (name, expected) in [
        ("chinese", "W+10.5"),
        ("aga", "W+2.5"),
        ("new-zealand", "0"),
        ("tromp-taylor", "W+7.5"),
        ("japanese", "W+0.5"),
    ] {
        let rules = Ruleset::by_name(name).expect("a preset");
        let mut game = Game::new(19, rules, None);
        game.place_handicap(&handicap::fixed(19, 3).expect("fixed points")).expect("an empty board");
        let board = Score(0);
        let outcome = Outcome::Counted { board, komi: game.total_komi() };
        assert_eq!(outcome.to_string(), expected, "{name}");
    }
}

#[test]
fn pitfall_play_goes_on_after_two_passes() {
    let lines = "play b pass\nplay w pass\nplay b C3\nplay w pass\nplay b pass\ngenmove w\nplay b D3";
    let replies = gtp(&["--size", "5"], lines);
    assert!(replies.iter().all(|reply| reply.starts_with('=')), "{replies:?}");
}

#[test]
fn pitfall_rules_are_set_in_every_form_that_katago_takes() {
    let lines = "kata-set-rules new-zealand\nkosumi-rules\nkata-get-rules\n\
                 kata-set-rules {\"ko\":\"SIMPLE\",\"scoring\":\"TERRITORY\",\"tax\":\"SEKI\",\"suicide\":false}\nkata-get-rules\n\
                 kata-set-rules koPOSITIONALscoreAREAtaxNONEsui1whbN-1\nkata-get-rules\n\
                 kata-set-rule suicide false\nkata-get-rules\nkgs-rules japanese\nkosumi-rules\n\
                 kata-set-rule hasButton true\nkata-set-rules go\nkosumi-rules\nkgs-rules new_zealand\nkosumi-rules";
    let replies = gtp(&[], lines);
    assert_eq!(replies[1], "= new-zealand");
    assert!(replies[2].contains("\"ko\":\"SITUATIONAL\"") && replies[2].contains("\"suicide\":true"));
    assert!(replies[4].contains("\"scoring\":\"TERRITORY\"") && replies[4].contains("\"tax\":\"SEKI\""));
    assert!(replies[6].contains("\"whiteHandicapBonus\":\"N-1\"") && replies[6].contains("\"suicide\":true"));
    assert!(replies[8].contains("\"suicide\":false"));
    assert_eq!(replies[10], "= japanese");
    assert_eq!(replies[11], "? a button needs area scoring");
    assert_eq!((replies[12].as_str(), replies[13].as_str()), ("? unknown rules", "= japanese"));
    assert_eq!(replies[15], "= new-zealand");
}
