//! Planes against diagrams, `docs/net.md` against the tables in the code, and the commands that read and write files.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use kosumi::dataset::row::Rows;
use kosumi::go::symmetry::{SYMMETRIES, image};
use kosumi::go::{Board, Color, Komi, Move, Point, Position, Ruleset, diagram, rules};
use kosumi::net::planes::{PLANES, PlaneMaker, Planes, Situation, last_of};
use kosumi::net::{Net, Workspace, random, scalars};
use kosumi::playout::{Playout, stream, tactical::Tactical};
use proptest::prelude::*;

const KOMI: Komi = Komi::from_half_points(13);

fn planes_of(position: &Position, last: [Option<Point>; 5]) -> Planes {
    let mut planes = Planes::default();
    PlaneMaker::default().make(&Situation { position, last, komi: KOMI }, &mut planes);
    planes
}

/// The points of a plane, as a picture.
fn picture(planes: &Planes, plane: usize) -> String {
    let size = planes.size();
    let row = |row: usize| -> String {
        (0..size.width())
            .map(|column| if planes.points()[row * size.width() + column] >> plane & 1 == 1 { '1' } else { '.' })
            .collect()
    };
    (0..size.height()).rev().map(row).collect::<Vec<_>>().join("\n")
}

fn assert_plane(planes: &Planes, plane: usize, wanted: &str) {
    let wanted: Vec<String> = wanted.split('/').map(|row| row.replace(' ', "")).collect();
    assert_eq!(picture(planes, plane), wanted.join("\n"), "plane {plane}: {}", PLANES[plane]);
}

fn from_picture(text: &str, to_move: Color, rules: Ruleset) -> Position {
    Position::from_board(diagram::parse(&text.replace('/', "\n")).expect("a board"), to_move, rules)
}

#[test]
fn stones_and_liberties_are_marked() {
    let position =
        from_picture("X O . . . / . X X . . / . . . . . / . . O X . / . . . . X", Color::White, Ruleset::default());
    let planes = planes_of(&position, [None; 5]);
    assert_plane(&planes, 0, "11111/11111/11111/11111/11111");
    assert_plane(&planes, 1, ".1.../...../...../..1../.....");
    assert_plane(&planes, 2, "1..../.11../...../...1./....1");
    assert_plane(&planes, 3, "11.../...../...../...../.....");
    assert_plane(&planes, 4, "...../...../...../...../....1");
    assert_plane(&planes, 5, "...../...../...../..11./.....");
}

#[test]
fn points_barred_by_ko_superko_and_suicide_are_marked() {
    let picture = ". X O . / X O . O / . X O . / . . . .";
    let mut position = from_picture(picture, Color::Black, Ruleset::default());
    position.play(Move::Play(Point::new(2, 2, 4))).expect("takes the ko");
    assert_plane(&planes_of(&position, [None; 5]), 6, "1.../.1../..../....");
    // After two more moves nothing bars the ko; the corner is still a suicide.
    for point in [Point::new(0, 0, 4), Point::new(3, 0, 4)] {
        let color = position.to_move();
        position.play(Move::Play(point)).unwrap_or_else(|error| panic!("{color}: {error}"));
    }
    assert_plane(&planes_of(&position, [None; 5]), 6, "1.../..../..../....");

    let eye = ". X . . / X X . . / . . . . / . . . .";
    let white = |rules: Ruleset| planes_of(&from_picture(eye, Color::White, rules), [None; 5]);
    assert_plane(&white(Ruleset::default()), 6, "1.../..../..../....");
    // A single stone is repeated at once, so superko forbids what the rules on suicide allow.
    assert_plane(&white(rules::TROMP_TAYLOR), 6, "1.../..../..../....");
    assert_plane(&white(Ruleset { ko: rules::KoRule::Simple, ..rules::TROMP_TAYLOR }), 6, "..../..../..../....");
}

#[test]
fn the_last_moves_are_marked_latest_first() {
    let mut position = Position::new(5, Ruleset::default());
    let moves: Vec<Move> =
        [Move::Play(Point::new(0, 0, 5)), Move::Pass, Move::Play(Point::new(1, 0, 5)), Move::Play(Point::new(2, 0, 5))]
            .into();
    moves.iter().for_each(|&mv| position.play(mv).expect("legal"));
    let planes = planes_of(&position, last_of(moves.iter().copied()));
    assert_plane(&planes, 7, "...../...../...../...../..1..");
    assert_plane(&planes, 8, "...../...../...../...../.1...");
    assert_plane(&planes, 9, "...../...../...../...../.....");
    assert_plane(&planes, 10, "...../...../...../...../1....");
    assert_plane(&planes, 11, "...../...../...../...../.....");
}

#[test]
fn chains_in_ladders_and_the_moves_that_catch_them_are_marked() {
    let ladder =
        ". . . . . . . / . . . . . . . / . . . . . . . / . . . X . . . / . . X O . . . / . . X O . . . / . . X X X . .";
    let planes = planes_of(&from_picture(ladder, Color::Black, Ruleset::default()), [None; 5]);
    let caught = "......./......./......./......./...1.../...1.../.......";
    assert_plane(&planes, 4, caught);
    assert_plane(&planes, 12, caught);
    let white = planes_of(&from_picture(ladder, Color::White, Ruleset::default()), [None; 5]);
    assert_plane(&white, 12, caught);
    assert_plane(&white, 13, "......./......./......./......./......./......./.......");
    // One of the two ataris at least catches; both lie next to the chain.
    let moves = picture(&planes, 13).replace('\n', "");
    assert!(moves.contains('1') && moves.char_indices().all(|(i, c)| c == '.' || [32, 39].contains(&i)), "{moves}");
    // A stone that helps.
    let broken = ladder.replace("X O . . .", "X O . O .");
    let planes = planes_of(&from_picture(&broken, Color::White, Ruleset::default()), [None; 5]);
    assert_plane(&planes, 12, "......./......./......./......./......./......./.......");
}

#[test]
fn unconditional_life_is_marked_for_the_right_side() {
    let life = ". X . X . / X X X X X / . . . . . / O O . . . / . O . . .";
    let planes = planes_of(&from_picture(life, Color::White, Ruleset::default()), [None; 5]);
    assert_plane(&planes, 14, "...../...../...../...../.....");
    assert_plane(&planes, 15, "11111/11111/...../...../.....");
}

#[test]
fn scalars_are_seen_by_the_side_to_move() {
    let scalars = |rules: Ruleset, moves: &[Move]| {
        let mut position = Position::new(9, rules);
        moves.iter().for_each(|&mv| position.play(mv).expect("legal"));
        *planes_of(&position, [None; 5]).scalars()
    };
    // Komi is 6.5: Black is behind by it. (−6.5 − 81) modulo 2 is 0.5.
    let black = scalars(rules::CHINESE, &[]);
    assert_eq!((black[0], black[1], black[11]), (-0.325, 0.5, -0.5));
    assert_eq!(black[2..11], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let white = scalars(rules::CHINESE, &[Move::Pass]);
    assert_eq!((white[0], white[1], white[10]), (0.325, -0.5, 1.0));
    let japanese = scalars(rules::JAPANESE, &[]);
    assert_eq!(japanese[1..7], [0.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    let button = scalars(rules::AGA_BUTTON, &[]);
    assert_eq!((button[8], button[10], button[1], button[6]), (1.0, 0.0, 0.0, 1.0));
    let taken = scalars(rules::AGA_BUTTON, &[Move::Pass]);
    assert_eq!(
        (taken[0], taken[8], taken[10]),
        (0.3, 0.0, 0.0),
        "Black has half a point of the 6.5, and no pass counts yet"
    );
    assert_eq!(scalars(rules::TROMP_TAYLOR, &[])[7..10], [1.0, 0.0, 1.0]);
    assert_eq!(scalars(rules::STONE_SCORING, &[])[4], 1.0);
    let fridge = scalars(rules::FIRST_CAPTURE, &[Move::Play(Point::new(0, 0, 9))]);
    assert_eq!(fridge[12..], [1.0, 0.0, 0.0, 0.0]);
    let fridge = scalars(rules::FRIDGE_GO, &[Move::Play(Point::new(0, 0, 9))]);
    assert_eq!(fridge[12..], [0.0, 1.0, 1.0, 39.0 / 40.0]);
}

#[test]
fn prisoners_lead_under_territory_scoring_alone() {
    let lead = |rules: Ruleset| {
        let mut position = from_picture("O X . . / . . . . / . . . . / . . . .", Color::Black, rules);
        position.play(Move::Play(Point::new(0, 2, 4))).expect("captures");
        planes_of(&position, [None; 5]).scalars()[0]
    };
    assert_eq!(lead(rules::CHINESE), 6.5 / 20.0);
    assert_eq!(lead(rules::JAPANESE), 5.5 / 20.0);
}

/// Positions of a playout from the empty board.
fn positions(size: usize, seed: u64, rules: Ruleset) -> Vec<(Position, Vec<Move>)> {
    let start = Position::new(size, rules);
    let mut playout = Playout::new(Tactical::default());
    playout.run(&start, [Point::NONE; 2], None, &mut stream(seed, 0));
    let (mut position, mut moves, mut found) = (start, Vec::new(), Vec::new());
    for &(color, point) in playout.moves() {
        if position.to_move() != color {
            moves.push(Move::Pass);
        }
        position.set_to_move(color);
        if position.play(Move::Play(point)).is_err() {
            break;
        }
        moves.push(Move::Play(point));
        found.push((position.clone(), moves.clone()));
    }
    found
}

fn turned(position: &Position, symmetry: usize) -> Position {
    let (board, size) = (position.board(), position.size());
    let stones = board.points().filter_map(|p| Some((board.cell(p).color()?, image(p, size, symmetry))));
    let board = Board::with_stones(size, stones).expect("a board stays one");
    Position::from_board(board, position.to_move(), *position.rules())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn planes_of_a_turned_board_are_turned_planes(size in 3_usize..=13, seed: u64) {
        for (position, _) in positions(size, seed, rules::STONE_SCORING).into_iter().step_by(7) {
            // Without a past, so that both know the same of it.
            let position = turned(&position, 0);
            let planes = planes_of(&position, [None; 5]);
            for symmetry in 0..SYMMETRIES {
                prop_assert_eq!(planes_of(&turned(&position, symmetry), [None; 5]), planes.turned(symmetry));
            }
        }
    }

    #[test]
    fn barred_points_are_those_that_the_rules_forbid(size in 2_usize..=6, seed: u64, preset in 0..rules::PRESETS.len()) {
        let rules = Ruleset { first_capture: false, ..rules::PRESETS[preset].1 };
        for (mut position, _) in positions(size, seed, rules) {
            let planes = planes_of(&position, [None; 5]);
            for (i, point) in position.board().points().enumerate() {
                prop_assert_eq!(planes.may_be_played(i), position.check(Move::Play(point)).is_ok());
            }
        }
    }
}

/// The rows of a table of the page whose first column is a number.
fn table(page: &str, section: &str) -> Vec<String> {
    let section =
        page.split(&format!("\n## {section}\n")).nth(1).expect("the section").split("\n## ").next().expect("text");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    let numbered = rows.filter(|(number, _)| number.parse::<usize>().is_ok());
    numbered
        .enumerate()
        .map(|(i, (number, text))| {
            assert_eq!(number, i.to_string(), "{section}");
            text.trim_end_matches(" |").to_owned()
        })
        .collect()
}

#[test]
fn the_page_has_the_tables_of_the_code() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/net.md")).expect("docs/net.md");
    assert_eq!(table(&page, "Planes"), PLANES);
    assert_eq!(table(&page, "Scalars").len(), scalars::NAMES.len());
}

fn kosumi(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kosumi"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // A program that refuses its arguments does not read.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn file_in(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).expect("a file");
    path
}

/// A game of 9×9 as a compact record, and as SGF.
const RECORD: &str = "B+2.5\tfecfdcgfggeeddtthgedeftt";
const SGF: &str = "(;GM[1]FF[4]SZ[9]KM[7]RU[Chinese]RE[W+R];B[ee];W[gc];B[cg])";

#[test]
fn rows_hold_the_planes_of_their_positions() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = folder.path().join("records.rows");
    let rows = rows.to_str().expect("UTF-8");
    let made = kosumi(&["dataset", "--size", "9", "--output", rows], &format!("{RECORD}\nnonsense\n"));
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    assert!(made.status.success() && said.contains("\n12 rows of 1 game"), "{said}");
    assert!(said.starts_with("kosumi: games left out: 1 without a record that can be read\n"), "{said}");
    let bytes = fs::read(rows).expect("rows");
    let mut position = Position::new(9, Ruleset::default());
    let mut moves = Vec::new();
    let mut planes = Rows::open(&bytes).expect("rows").planes();
    for pair in RECORD.as_bytes()[6..].chunks(2) {
        assert_eq!(planes.next(), Some(planes_of(&position, last_of(moves.iter().copied()))));
        let (column, row) = (usize::from(pair[0] - b'a'), usize::from(pair[1] - b'a'));
        moves.push(if column == 19 { Move::Pass } else { Move::Play(Point::new(column, 8 - row, 9)) });
        position.play(moves[moves.len() - 1]).expect("legal");
    }
    assert_eq!(planes.next(), None);

    // Targets of the first row, which stands before Black's move to F5 (fe): column 5, row 4.
    let length = Rows::open(&bytes).expect("rows").form().row_bytes();
    let first = &bytes[64..64 + length];
    let end = &first[length - 8..];
    let targets: Vec<u16> =
        first[length - 16..length - 8].chunks(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect();
    assert_eq!(targets, [4 * 9 + 5, 1, 3 * 9 + 2, 1], "the move, its share, the reply, its share");
    assert_eq!(end, [0, 0, 0, 0, 0, 0, 2, 0], "game 0, move 0, Black wins");
    let score = f32::from_le_bytes(first[length - 40..length - 36].try_into().expect("four bytes"));
    assert_eq!(score, 2.5);
    let second = &bytes[64 + length..64 + 2 * length];
    assert_eq!(second[length - 8..], [0, 0, 0, 0, 1, 0, 0, 0], "move 1, White loses");
}

#[test]
fn rows_of_sgf_files_know_komi_and_result() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = file_in(folder.path(), "game.sgf", SGF.as_bytes());
    let broken = file_in(folder.path(), "broken.sgf", b"(;");
    let rows = folder.path().join("sgf.rows");
    let [game, broken, rows] = [&game, &broken, &rows].map(|path| path.to_str().expect("UTF-8"));
    let made = kosumi(&["dataset", "--size", "9", "--output", rows, game, broken], "");
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    assert!(made.status.success() && said.contains("\n3 rows of 1 game"), "{said}");
    let bytes = fs::read(rows).expect("rows");
    let length = Rows::open(&bytes).expect("rows").form().row_bytes();
    let results: Vec<u8> = bytes[64..].chunks(length).map(|row| row[length - 2]).collect();
    assert_eq!(results, [0, 2, 0]);
    let komi: Vec<f32> = Rows::open(&bytes).expect("rows").planes().map(|planes| planes.scalars()[0]).collect();
    assert_eq!(komi, [-0.35, 0.35, -0.35]);

    // All games of a collection, but for one that breaks the format.
    let many = format!("{SGF}\n(;SZ[9];B[ee]B;W[cc])\n{SGF}");
    let many = file_in(folder.path(), "many.sgf", many.as_bytes());
    let made = kosumi(&["dataset", "--size", "9", "--output", rows, many.to_str().expect("UTF-8")], "");
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    assert!(said.contains("1 without a record") && said.contains("\n6 rows of 2 games"), "{said}");
    let games: Vec<u8> = fs::read(rows).expect("rows")[64..].chunks(length).map(|row| row[length - 8]).collect();
    assert_eq!(games, [0, 0, 0, 2, 2, 2]);
}

#[test]
fn what_gives_no_rows_is_named_and_an_old_file_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| file_in(folder.path(), name, text.as_bytes()).display().to_string();
    let (rows, missing) = (file("rows", "old"), folder.path().join("missing.sgf").display().to_string());
    let (text, good, inside) = (file("text", "no game"), file("good.sgf", SGF), folder.path().display().to_string());
    let (empty, illegal) = (file("empty.sgf", "(;SZ[9])"), file("illegal.sgf", "(;SZ[9];B[ee];W[ee])"));
    let run = |arguments: &[&str], input: &str| {
        let done = kosumi(&[&["dataset", "--output", &rows], arguments].concat(), input);
        (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
    };
    let (code, said) = run(&["--size", "9", &missing, &inside], "");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.starts_with(&format!("kosumi: {missing}: No such file")), "{said}");
    assert!(said.contains(&format!("kosumi: {inside}: this is a folder; name the files in it\n")), "{said}");
    assert!(said.ends_with("games left out: 2 without a record that can be read\n"), "{said}");
    // A board of another size, and what is no good game.
    let (code, said) = run(&[&good, &text], "");
    assert_eq!(code, Some(1), "{said}");
    let reasons = "1 on a board of another size (--size), 1 without a record that can be read\n";
    assert!(said.contains(&format!("{rows} is not written.")) && said.ends_with(reasons), "{said}");
    let (code, said) = run(&["--size", "9", &empty, &illegal], "");
    assert!(code == Some(1) && said.ends_with("1 with an illegal move, 1 without a move\n"), "{said}");
    let (code, said) = run(&["--size", "9", "--one-in", "1000000000", "--seed", "1", &good], "");
    assert!(code == Some(1) && said.contains("--one-in"), "{said}");
    let (code, said) = run(&["--size", "9"], "");
    assert!(code == Some(1) && said.ends_with("there was no game\n"), "{said}");
    assert_eq!(fs::read_to_string(&rows).expect("the old file"), "old");
    // What is good is written, but a file that is missing is a failure.
    let (code, said) = run(&["--size", "9", &good, &missing], "");
    assert!(code == Some(1) && said.contains("1 file could not be read"), "{said}");
    assert_eq!(Rows::open(&fs::read(&rows).expect("rows")).expect("rows").planes().count(), 3);
}

#[test]
fn rows_do_not_depend_on_the_number_of_cores() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = format!("{RECORD}\n").repeat(40);
    let written = |name: &str, threads: &str| {
        let path = folder.path().join(name);
        let mut child = Command::new(env!("CARGO_BIN_EXE_kosumi"))
            .args(["dataset", "--size", "9", "--one-in", "3", "--output", path.to_str().expect("UTF-8")])
            .env("RAYON_NUM_THREADS", threads)
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it reads");
        assert!(child.wait().expect("it ends").success());
        fs::read(path).expect("rows")
    };
    let rows = written("one", "1");
    assert_eq!(rows, written("three", "3"));
    let count = Rows::open(&rows).expect("rows").planes().count();
    assert!((40..=280).contains(&count), "a third of 480, about: {count}");
}

#[test]
fn a_spread_of_komi_leaves_the_other_rows_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = format!("{RECORD}\n").repeat(20);
    let written = |name: &str, spread: &str| {
        let path = folder.path().join(name);
        let output = path.to_str().expect("UTF-8");
        kosumi(&["dataset", "--size", "9", "--komi-spread", spread, "--output", output], &input);
        fs::read(path).expect("rows")
    };
    let (kept, spread) = (written("kept", "0"), written("spread", "12"));
    let scalars = |rows: &[u8]| -> Vec<Vec<f32>> {
        Rows::open(rows).expect("rows").planes().map(|planes| planes.scalars().to_vec()).collect()
    };
    let (kept, spread) = (scalars(&kept), scalars(&spread));
    assert_eq!(kept.len(), spread.len());
    let changed = kept.iter().zip(&spread).filter(|(kept, spread)| kept != spread).count();
    assert!((kept.len() * 3 / 8..kept.len() * 5 / 8).contains(&changed), "about half: {changed} of {}", kept.len());
}

#[test]
fn a_net_is_shown_and_evaluates_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    let weights = random::file(&random::description(2, 32), 3);
    let net = file_in(folder.path(), "net", &weights);
    let rows = folder.path().join("rows");
    let [net, rows] = [&net, &rows].map(|path| path.to_str().expect("UTF-8"));
    let shown = String::from_utf8(kosumi(&["net", net], "").stdout).expect("UTF-8");
    assert!(shown.contains("random-2x32") && shown.contains("2 blocks of 32 channels"), "{shown}");

    kosumi(&["dataset", "--size", "9", "--output", rows], RECORD);
    let said = kosumi(&["net", net, "--rows", rows, "--kernel", "plain"], "");
    let lines: Vec<serde_json::Value> = String::from_utf8(said.stdout)
        .expect("UTF-8")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let bytes = fs::read(rows).expect("rows");
    let planes: Vec<Planes> = Rows::open(&bytes).expect("rows").planes().collect();
    assert_eq!(lines.len(), planes.len());
    let net = Net::from_bytes(&weights).expect("a net");
    let mut workspace = Workspace::new(&net);
    for (line, planes) in lines.iter().zip(&planes) {
        let out = net.evaluate(&mut workspace, planes, 0);
        let logits: Vec<f32> =
            line["logits"].as_array().expect("numbers").iter().map(|n| n.as_f64().expect("a number") as f32).collect();
        assert_eq!(logits, out.raw.logits[..82], "decimals read back to the same bits");
        assert_eq!(line["policy"].as_array().map(Vec::len), Some(82));
    }
}

#[test]
fn wrong_files_are_refused_with_what_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let weights = random::file(&random::description(1, 32), 3);
    let file = |name: &str, bytes: &[u8]| file_in(folder.path(), name, bytes).to_str().expect("UTF-8").to_owned();
    let mut damaged = weights.clone();
    damaged[1000] ^= 1;
    for (name, bytes, wanted) in [
        ("sgf", SGF.as_bytes(), "this is no weight file"),
        ("cut", &weights[..2000], "is cut off: it has 2000 bytes"),
        ("damaged", &damaged[..], "its checksum is wrong"),
    ] {
        let output = kosumi(&["net", &file(name, bytes)], "");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && output.stdout.is_empty() && said.contains(wanted), "{said}");
    }
    let output = kosumi(&["net", &file("net", &weights), "--rows", &file("no-rows", b"KOSUROW")], "");
    assert!(String::from_utf8_lossy(&output.stderr).contains("no file of training rows"));
    let output = kosumi(&["net", "/nowhere/at/all"], "");
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("/nowhere/at/all"));
}
