//! Boards whose columns and rows differ in number, through everything that a user sees: GTP, live analysis, records,
//! JSON queries, levels, the terminal. (`oracle` proves the rules on them, `net::tests` the net.)

use kosumi::go::rules::{CHINESE, JAPANESE};
use kosumi::go::{Color, Move, Point, Position, Size, Statuses, diagram, handicap, score, vertex};
use kosumi::playout::{Playout, stream, tactical::Tactical, uniform::Uniform};
use kosumi::search::{Request, Search, SearchOptions};
use kosumi::{game::Game, sgf};
use serde_json::{Value, json};

use crate::support::queries::{Client as Analyst, query};
use crate::support::{Client, program, run};

/// Columns and rows of the boards of these tests.
const SIDES: [(usize, usize); 7] = [(2, 3), (5, 9), (9, 5), (9, 13), (13, 7), (25, 2), (3, 25)];

fn size((width, height): (usize, usize)) -> Size {
    Size::new(width, height).expect("a size")
}

/// Is this `pass`, or the name of a point of the board?
fn is_on(word: &str, size: Size) -> bool {
    matches!(vertex::parse(word, size), Some(vertex::Vertex::On(_)))
}

#[test]
fn points_are_counted_by_both_rules() {
    let board = diagram::parse(
        "O . X O . . .
         . . X O . . .
         . . X O . . .
         . . X O . . .",
    )
    .expect("a board");
    assert_eq!(board.size(), size((7, 4)));
    let named = |name: &str| match vertex::parse(name, board.size()) {
        Some(vertex::Vertex::On(Move::Play(point))) => point,
        _ => panic!("{name} is no point"),
    };
    let dead = Statuses { dead: [named("A4")].into_iter().collect(), ..Statuses::ALL_ALIVE };
    let margin = |rules| score::count(&Position::from_board(board.clone(), Color::Black, rules), &dead);
    // Each side has four stones. Behind them lie eight points of Black's, with a dead stone, and twelve of White's.
    assert_eq!(margin(CHINESE), score::Score::points((4 + 8) - (4 + 12)));
    assert_eq!(margin(JAPANESE), score::Score::points((8 + 1) - 12));
}

#[test]
fn playouts_end_with_full_boards_that_hold_together() {
    for sides in SIDES {
        let position = Position::new(size(sides), CHINESE);
        for seed in 0..20 {
            let mut uniform = Playout::new(Uniform);
            uniform.run(&position, [Point::NONE; 2], None, &mut stream(seed, 0));
            uniform.board().check();
            let mut tactical = Playout::new(Tactical::default());
            let end = tactical.run(&position, [Point::NONE; 2], None, &mut stream(seed, 0));
            tactical.board().check();
            assert!(end.margin.unsigned_abs() as usize <= size(sides).points(), "{sides:?}");
        }
    }
}

#[test]
fn a_search_sees_a_quarter_of_an_empty_rectangle() {
    let mut search = Search::new(SearchOptions { memory: 16, ..SearchOptions::default() }).expect("memory");
    for (sides, different) in [((9, 13), 5 * 7), ((6, 4), 3 * 2), ((2, 3), 2)] {
        let mut request = Request::new(Position::new(size(sides), CHINESE), 0);
        request.limits.playouts = Some(300);
        request.merge_twins = true;
        let report = search.run_alone(&request).expect("a search");
        assert_eq!(report.moves.iter().filter(|m| m.mv != Move::Pass).count(), different, "{sides:?}");
        search.forget();
    }
}

#[test]
fn handicap_stones_follow_both_sides() {
    let names = |sides, stones| handicap::fixed(size(sides), stones).map(|points| vertex::list(points, size(sides)));
    assert_eq!(names((19, 13), 5).as_deref(), Ok("D4 Q10 D10 Q4 K7"));
    assert_eq!(names((9, 13), 9).as_deref(), Ok("C4 G10 C10 G4 C7 G7 E4 E10 E7"));
    for (sides, most) in [((9, 8), 4), ((7, 19), 4), ((6, 19), 0), ((19, 13), 9)] {
        assert_eq!(handicap::most_fixed(size(sides)), most, "{sides:?}");
        assert!(names(sides, most + 1).is_err(), "{sides:?}");
    }
    for sides in SIDES {
        let points = size(sides).points();
        for stones in [2, 3, 5, points - 1] {
            let placed = handicap::free(size(sides), stones).expect("there is room");
            let mut distinct = placed.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!((placed.len(), distinct.len()), (stones, stones), "{sides:?}");
        }
        assert_eq!(handicap::free(size(sides), points), None, "White needs a point");
    }
}

#[test]
fn records_come_back_as_they_were() {
    for sides in SIDES {
        let mut game = Game::new(size(sides), CHINESE, None);
        let corner = size(sides).last_point();
        game.play(Color::Black, Move::Play(corner)).expect("an empty point");
        game.play(Color::White, Move::Play(Point::new(0, 0, size(sides)))).expect("an empty point");
        let text = sgf::write(&game.to_record(None));
        let (width, height) = sides;
        assert!(text.contains(&format!("SZ[{width}:{height}]")), "{text}");
        let last = |side: usize| char::from(b'a' + side as u8 - 1);
        assert!(text.contains(&format!(";B[{}a]\n;W[a{}]", last(width), last(height))), "{text}");
        let record = sgf::read(text.as_bytes()).expect("a record");
        let back = Game::load(record, None, CHINESE, None).expect("a game");
        assert_eq!((back.size(), back.moves()), (size(sides), game.moves()));
    }
}

#[test]
fn old_passes_are_passes_where_they_are_no_points() {
    let passes = |text: &str| {
        let game = Game::load(sgf::read(text.as_bytes()).expect("a record"), None, CHINESE, None).expect("a game");
        game.moves().iter().filter(|(_, mv)| *mv == Move::Pass).count()
    };
    assert_eq!(passes("(;SZ[13:19];B[tt];W[])"), 2);
    assert_eq!(passes("(;SZ[25:5];B[tt])"), 1);
    assert_eq!(passes("(;SZ[25:20];B[tt])"), 0);
}

#[test]
fn a_game_is_played_to_its_end_and_counted() {
    for (sides, rules) in [((5, 3), "chinese"), ((3, 6), "japanese"), ((7, 2), "aga")] {
        let mut client = Client::start(&["--playouts", "200"]);
        client.ok(&format!("kosumi-rules {rules}"));
        client.ok(&format!("rectangular_boardsize {} {}", sides.0, sides.1));
        let mut passes = 0;
        for number in 0.. {
            assert!(number < 200, "{sides:?}: the game does not end");
            let answer = client.ok(["genmove b", "genmove w"][number % 2]);
            if answer == "resign" {
                break;
            }
            assert!(is_on(&answer, size(sides)), "{answer}");
            passes = if answer == "pass" { passes + 1 } else { 0 };
            if passes == 2 {
                let score = client.ok("final_score");
                assert!(score == "0" || score.starts_with(['B', 'W']), "{score}");
                break;
            }
        }
        for status in ["dead", "alive", "seki"] {
            let list = client.ok(&format!("final_status_list {status}"));
            assert!(list.split_whitespace().all(|word| is_on(word, size(sides))), "{list}");
        }
        client.quit();
    }
}

#[test]
fn live_analysis_has_an_owner_for_each_point() {
    for sides in [(5, 9), (13, 4)] {
        let points = size(sides).points();
        let mut client = Client::start(&[]);
        client.ok(&format!("boardsize {} {}", sides.0, sides.1));
        client.ok("komi 0.5");
        client.send("kata-analyze b 10 ownership true movesOwnership true\n");
        assert_eq!(client.line(), "=");
        let line = client.line();
        let (moves, owners) = line.split_once(" ownership ").expect("owners");
        assert_eq!(owners.split_whitespace().count(), points, "{line}");
        for part in moves.split("info ").filter(|part| !part.is_empty()) {
            let owners = part.split_once("movesOwnership ").expect("owners of a move").1;
            assert_eq!(owners.split_whitespace().count(), points, "{part}");
            let name = part.split_whitespace().nth(1).expect("a move");
            assert!(is_on(name, size(sides)), "{name}");
        }
        client.send("protocol_version\n");
        while !client.line().is_empty() {}
        assert_eq!(client.answer().text, "2");
        let heat = client.ok("heatmap average");
        let rows: Vec<_> = heat.lines().skip(1).take_while(|line| !line.starts_with("pass")).collect();
        assert_eq!(rows.len(), sides.1);
        assert!(rows.iter().all(|row| row.split_whitespace().count() == sides.0), "{heat}");
        assert_eq!(client.ok("kata-raw-nn all").matches("symmetry ").count(), 4);
        client.quit();
    }
}

/// White's owners are where White's stones are: a mistake in the order of the points would show.
#[test]
fn owners_come_row_by_row_from_the_top() {
    let mut client = Client::start(&["--playouts", "400"]);
    client.ok("boardsize 3 7");
    client.ok("set_position b A3 b B3 b C3 b B2 w A5 w B5 w C5 w B6");
    let text = client.ok("kosumi-ownership b");
    let owners: Vec<f64> = text.split_whitespace().map(|word| word.trim_matches('"').parse().unwrap_or(0.0)).collect();
    assert_eq!(owners.len(), 21, "{text}");
    // Rows 7 to 5 are White's, rows 3 to 1 Black's.
    assert!(owners[..9].iter().all(|owner| owner * owners[20] < 0.0), "{text}");
    assert!(owners[12..].iter().all(|owner| owner * owners[20] > 0.0), "{text}");
    client.quit();
}

#[test]
fn json_queries_are_answered() {
    let mut analyst = Analyst::start(&[]);
    let numbers = |value: &Value| value.as_array().expect("an array").len();
    for (columns, rows) in [(5, 9), (13, 3)] {
        let asked = json!({ "boardXSize": columns, "boardYSize": rows, "maxVisits": 60, "includeOwnership": true,
            "includeMovesOwnership": true, "includePolicy": true, "moves": [["B", "(0,0)"], ["W", "C3"]] });
        let answer = analyst.ask(&query("a", asked));
        let points = columns * rows;
        assert_eq!(numbers(&answer["ownership"]), points, "{answer}");
        assert_eq!(numbers(&answer["policy"]), points + 1);
        // The policy begins with the upper left corner, where Black has played.
        assert_eq!(answer["policy"][0], json!(-1.0));
        assert_eq!(answer["policy"][(rows - 3) * columns + 2], json!(-1.0));
        for info in answer["moveInfos"].as_array().expect("moves") {
            assert_eq!(numbers(&info["ownership"]), points);
            let board = Size::new(columns, rows).expect("a size");
            assert!(is_on(info["move"].as_str().expect("a name"), board), "{info}");
        }
    }
    // What lies beyond one of the sides is refused.
    for place in ["F1", "(5,0)", "A10", "(0,9)"] {
        let asked = json!({ "boardXSize": 5, "boardYSize": 9, "moves": [["B", place]] });
        let refused = analyst.ask(&query("b", asked));
        assert_eq!(refused["error"], json!(format!("Could not parse board location: {place}")), "{refused}");
    }
}

#[test]
fn the_program_begins_with_a_rectangle_or_refuses_it() {
    let started = run(program(&["--size", "9x5"]), "printsgf\nquit\n");
    assert!(started.answers[0].clone().success().contains("SZ[9:5]"));
    for wrong in ["9x", "x9", "9x26", "1x9", "9x9x9"] {
        let refused = run(program(&["--size", wrong]), "");
        assert!(!refused.status.success() && refused.errors.contains("such as 9x13"), "{}", refused.errors);
    }
}
