//! Life and death on positions whose fate is known from theory: the files in `tests/positions/`. At least 95 % of
//! them must be judged right, chain by chain, with the same answer twice, in the time that a referee would wait.
//!
//! A position is a line `= name | side to move | rule set` and a picture: `X` and `O` live, `x` and `o` are dead,
//! `B` and `W` are black and white stones in seki. Lines with `#` are remarks.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use kosumi::engine::{Engine, Options};
use kosumi::game::Game;
use kosumi::go::{Board, Cell, Color, Move, PointSet, Ruleset, Statuses, diagram};
use kosumi::playout::PolicyKind;
use kosumi::search;

/// A position of the library.
struct Case {
    name: String,
    to_move: Color,
    rules: Ruleset,
    board: Board,
    expected: Statuses,
}

fn library() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/positions");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the folder is there").map(|f| f.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "txt"));
    files.sort();
    files.iter().flat_map(|file| cases(file)).collect()
}

fn cases(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).expect("the file can be read");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].starts_with('=')).collect();
    let theme = file.file_stem().expect("a file has a name").to_string_lossy();
    starts
        .iter()
        .enumerate()
        .map(|(i, &start)| {
            let end = starts.get(i + 1).copied().unwrap_or(lines.len());
            case(&theme, &lines[start][1..], &lines[start + 1..end])
        })
        .collect()
}

fn case(theme: &str, title: &str, picture: &[&str]) -> Case {
    let parts: Vec<&str> = title.split('|').map(str::trim).collect();
    let &[name, to_move, rules] = &parts[..] else { panic!("{theme}: {title:?} is not `name | side | rules`") };
    let name = format!("{theme}: {name} {0}×{0}, {rules}", picture.len());
    let plain: String = picture.iter().map(|row| row.replace('B', "X").replace('W', "O") + "\n").collect();
    let board = diagram::parse(&plain).unwrap_or_else(|error| panic!("{name}: {error}"));
    let marks: Vec<char> = picture.iter().rev().flat_map(|row| row.chars().filter(|c| !c.is_whitespace())).collect();
    let of = |wanted: [char; 2]| -> PointSet {
        board.points().zip(&marks).filter(|&(_, c)| wanted.contains(c)).map(|(p, _)| p).collect()
    };
    Case {
        to_move: match to_move {
            "black" => Color::Black,
            "white" => Color::White,
            _ => panic!("{name}: {to_move:?} is no side"),
        },
        rules: Ruleset::by_name(rules).unwrap_or_else(|| panic!("{name}: no such rules")),
        expected: Statuses { dead: of(['x', 'o']), seki: of(['B', 'W']) },
        name,
        board,
    }
}

fn engine(threads: usize) -> Engine {
    let options = Options {
        search: search::Options {
            threads,
            memory: 16,
            seed: 1,
            policy: PolicyKind::Tactical,
            params: search::Params::default(),
        },
        size: 9,
        komi: None,
        rules: Ruleset::default(),
        time_per_move: Duration::from_secs(1),
        playouts: None,
        lag: Duration::ZERO,
        resign_below: 0.0,
        resign_after: 0,
        ponder: false,
        level: kosumi::engine::Level::Max,
    };
    Engine::new(options, Arc::new(AtomicBool::new(false)))
}

/// The position as a game in which both sides have just passed.
fn load(engine: &mut Engine, case: &Case) {
    let mut game = Game::new(case.board.size(), case.rules, None);
    let stones = case.board.points().filter_map(|p| Some((case.board.cell(p).color()?, p)));
    game.set_up(stones, case.to_move).expect("the picture is a position");
    for color in [case.to_move, case.to_move.other()] {
        game.play(color, Move::Pass).expect("a pass is legal");
    }
    engine.load(game);
}

/// What is wrong with an answer in itself: stones in two lists, parts of a chain in different ones, empty points.
fn contradiction(board: &Board, statuses: &Statuses) -> Option<String> {
    board.points().find_map(|p| {
        let (dead, seki) = (statuses.dead.contains(p), statuses.seki.contains(p));
        let empty = board.cell(p) == Cell::Empty;
        let torn =
            !empty && board.chain(p).any(|q| (statuses.dead.contains(q), statuses.seki.contains(q)) != (dead, seki));
        (dead && seki || empty && (dead || seki) || torn)
            .then(|| format!("{p:?}: dead {dead}, seki {seki}, torn {torn}"))
    })
}

/// The picture of an answer, in the letters of the library.
fn picture(board: &Board, statuses: &Statuses) -> String {
    let size = board.size();
    let mut rows: Vec<String> = vec![String::new(); size];
    for p in board.points() {
        let letters = match board.cell(p) {
            Cell::Black => ['X', 'x', 'B'],
            Cell::White => ['O', 'o', 'W'],
            Cell::Empty | Cell::Border => ['.'; 3],
        };
        let letter = letters[if statuses.dead.contains(p) {
            1
        } else if statuses.seki.contains(p) {
            2
        } else {
            0
        }];
        rows[p.row(size)].push(letter);
        rows[p.row(size)].push(' ');
    }
    rows.iter().rev().map(|row| format!("    {row}\n")).collect()
}

/// Judges the whole library; gives the misses.
fn misses(threads: usize) -> Vec<String> {
    let library = library();
    let mut misses = Vec::new();
    let mut slowest = Duration::ZERO;
    for case in &library {
        if std::env::var("STATUS_ONLY").is_ok_and(|only| !case.name.contains(&only)) {
            continue;
        }
        let mut engine = engine(threads);
        load(&mut engine, case);
        let start = Instant::now();
        let statuses = engine.statuses();
        let took = start.elapsed();
        slowest = slowest.max(took);
        if std::env::var_os("STATUS_TIMES").is_some() {
            println!("{:.2} s {}", took.as_secs_f64(), case.name);
        }
        assert_eq!(contradiction(&case.board, &statuses), None, "{}", case.name);
        assert_eq!(engine.statuses(), statuses, "{}: asked twice", case.name);
        if statuses != case.expected {
            println!("MISS {} ({:.2} s)\n{}", case.name, took.as_secs_f64(), picture(&case.board, &statuses));
            misses.push(case.name.clone());
        }
    }
    println!("{threads} threads: {} of {} right, slowest {slowest:.2?}", library.len() - misses.len(), library.len());
    assert!(misses.len() * 20 <= library.len(), "more than 5 % wrong: {misses:#?}");
    misses
}

#[test]
fn the_library_is_judged_right_by_two_threads() {
    misses(2);
}

#[test]
fn one_thread_gives_the_same_answers_as_two() {
    // The samples are those of two searches with fixed seeds, whoever runs them.
    for case in library().iter().step_by(6) {
        let answers = [1, 2].map(|threads| {
            let mut engine = engine(threads);
            load(&mut engine, case);
            engine.statuses()
        });
        assert_eq!(answers[0], answers[1], "{}", case.name);
    }
}
