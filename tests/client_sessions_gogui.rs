//! Sessions of GoGui and of its tool gogui-regress, line by line as those programs send them.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use kosumi::engine::EngineOptions;
use kosumi::go::Color;
use kosumi::gtp::gogui::{LiveGraphics, Painter};
use kosumi::search::Report;
use kosumi::time::TimeSource;

use crate::support::engine as fixed;
use crate::support::searched::{Line, options, search, searcher};
use crate::support::wire::TimedSession;
use crate::support::{self, Client, program};

/// The types of analyze commands that GoGui knows.
const TYPES: &[&str] = &[
    "bwboard", "cboard", "dboard", "eplist", "gfx", "hstring", "hpstring", "none", "param", "plist", "pspairs",
    "pstring", "sboard", "string", "var", "varb", "varc", "varp", "varpo", "varw",
];

/// The commands of its drawings.
const GRAPHICS: &[&str] =
    &["BLACK", "CIRCLE", "COLOR", "INFLUENCE", "LABEL", "MARK", "SQUARE", "TEXT", "TRIANGLE", "VAR", "WHITE", "CLEAR"];

fn is_point(word: &str, size: usize) -> bool {
    let column = word.chars().next().and_then(|letter| "ABCDEFGHJKLMNOPQRSTUVWXYZ".find(letter));
    let row = word.get(1..).and_then(|row| row.parse().ok());
    column.is_some_and(|column| column < size) && row.is_some_and(|row| (1..=size).contains(&row))
}

/// What GoGui asks when it attaches a program.
fn attach(client: &mut Client, size: usize) {
    assert_eq!(client.ok("name"), "Kosumi");
    assert_eq!(client.ok("protocol_version"), "2");
    assert!(!client.ok("version").is_empty());
    let commands = client.ok("list_commands");
    let has = |name: &str| commands.lines().any(|command| command == name);
    for name in ["gogui-interrupt", "gogui-analyze_commands", "gogui-play_sequence", "gogui-setup", "gg-undo"] {
        assert!(has(name), "{name}");
    }
    // With these three it would take the program for the referee of another game.
    assert!(!(has("gogui-rules_game_id") || has("gogui-rules_legal_moves") || has("gogui-rules_side_to_move")));
    client.ok("gogui-interrupt");
    client.ok("name");
    client.ok("protocol_version");
    client.ok("gogui-analyze_commands");
    client.ok(&format!("boardsize {size}"));
    client.ok("clear_board");
    client.ok("komi 6.5");
    client.ok("time_settings 60 10 5");
    assert!(client.ok("gogui-title").starts_with("Kosumi"));
}

#[test]
fn gogui_plays_a_game_with_a_clock_to_its_end() {
    let mut client = Client::start(&["--playouts", "60"]);
    attach(&mut client, 7);
    let mut moves: Vec<String> = Vec::new();
    // What GoGui's clock shows: here each move takes a second.
    let mut left = [60_usize; 2];
    while !moves.iter().rev().take(2).all(|mv| mv.ends_with("pass")) || moves.len() < 2 {
        assert!(moves.len() < 200, "the game has no end: {moves:?}");
        let side = moves.len() % 2;
        let color = ["b", "w"][side];
        client.ok(&format!("time_left {color} {} 0", left[side]));
        let vertex = client.ok(&format!("genmove {color}"));
        left[side] = left[side].saturating_sub(1);
        if vertex == "resign" {
            break;
        }
        assert!(vertex == "pass" || is_point(&vertex, 7), "{vertex}");
        moves.push(format!("{color} {vertex}"));
        // The user takes back three moves, looks, and goes forward again.
        if moves.len() == 9 {
            client.ok("gg-undo 3");
            client.ok(&format!("gogui-play_sequence {}", moves[6..].join(" ")));
        }
    }
    for list in ["dead", "seki"] {
        let points = client.ok(&format!("final_status_list {list}"));
        assert!(points.split_whitespace().all(|word| is_point(word, 7)), "{points}");
    }
    let score = client.ok("final_score");
    assert!(score == "0" || score.starts_with("B+") || score.starts_with("W+"), "{score}");
    // The next game, of which moves are sent as one line.
    client.ok("boardsize 7");
    client.ok("clear_board");
    client.ok("komi 6.5");
    client.ok(&format!("gogui-play_sequence {}", moves[..6].join(" ")));
    assert!(client.ok("showboard").starts_with("Move 7, black to play"));
    client.ok("quit");
    client.close();
    assert!(client.exit_within(support::PATIENCE).success());
}

#[test]
fn gogui_interrupts_a_move_and_gets_it() {
    // The move would take hours, so an answer that comes has not waited for it.
    let mut client = Client::start(&["--time-per-move", "86400", "--longest-move", "86400"]);
    attach(&mut client, 19);
    client.ok("time_settings 0 1 0");
    client.send("genmove b\n");
    client.send("# interrupt\n");
    assert!(is_point(&client.answer().success(), 19));
    assert!(client.ok("showboard").starts_with("Move 2, white to play"));
    client.quit();
}

#[test]
fn gogui_sets_up_a_position() {
    let mut client = Client::start(&["--playouts", "100"]);
    attach(&mut client, 9);
    client.ok("clear_board");
    client.ok("gogui-setup b C3 b D3 b E3 w C4 w D4 w E4 w F3 w B3");
    client.ok("gogui-setup_player W");
    client.ok("komi 6.5");
    assert!(client.ok("showboard").starts_with("Move 1, white to play"));
    assert!(is_point(&client.ok("genmove w"), 9));
    client.ok("undo");
    assert_eq!(client.refused("undo"), "cannot undo");
    // Stones without liberties cannot be: the board stays as it was.
    client.ok("clear_board");
    let before = client.ok("showboard");
    client.refused("gogui-setup b A1 w A2 w B1");
    assert_eq!(client.ok("showboard"), before);
    client.quit();
}

#[test]
fn gogui_can_show_every_analyze_command() {
    let mut client = Client::start(&["--playouts", "200"]);
    attach(&mut client, 9);
    client.ok("gogui-play_sequence B E5 W C3 B G7");
    let commands = client.ok("list_commands");
    let definitions = client.ok("gogui-analyze_commands");
    let mut seen = Vec::new();
    for definition in definitions.lines() {
        let fields: Vec<&str> = definition.split('/').collect();
        let [kind, label, command] = fields[..] else { panic!("{definition}: GoGui drops the whole list") };
        assert!(TYPES.contains(&kind) && !label.is_empty(), "{definition}");
        let name = command.split(' ').next().unwrap();
        assert!(commands.lines().any(|known| known == name), "{definition}: no such command");
        seen.push(kind);
        let text = client.ok(&command.replace("%m", "w"));
        match kind {
            "dboard" => {
                let rows: Vec<Vec<f64>> =
                    text.lines().map(|row| row.split(' ').map(|word| word.parse().unwrap()).collect()).collect();
                assert!(rows.len() == 9 && rows.iter().all(|row| row.len() == 9), "{text}");
                assert!(rows.iter().flatten().all(|owner| (-1.0..=1.0).contains(owner)), "{text}");
            }
            "gfx" => {
                for line in text.lines() {
                    let word = line.split(' ').next().unwrap();
                    assert!(GRAPHICS.contains(&word), "{line}");
                }
                assert_eq!(text.matches("TEXT").count(), 1, "several would open a window: {text}");
            }
            "pspairs" => {
                let words: Vec<&str> = text.split_whitespace().collect();
                assert!(!words.is_empty() && words.chunks(2).all(|pair| pair.len() == 2 && is_point(pair[0], 9)));
                assert!(words.chunks(2).all(|pair| pair[1].len() <= 4), "labels do not fit on a point: {text}");
            }
            "var" => assert!(text.split(' ').all(|word| word == "pass" || is_point(word, 9)), "{text}"),
            "plist" => assert!(text.split_whitespace().all(|word| is_point(word, 9)), "{text}"),
            "hstring" => assert!(text.lines().count() > 4, "{text}"),
            "string" => assert_eq!(text.lines().count(), 1, "{text}"),
            "param" => {
                assert!(!text.is_empty());
                for line in text.lines() {
                    let line = line.split_once("] ").map_or(line, |(kind, rest)| {
                        assert!(kind == "[string" || kind == "[bool" || kind.starts_with("[list/"), "{line}");
                        rest
                    });
                    // What the dialog shows can be sent back.
                    let (key, value) = line.split_once(' ').unwrap();
                    client.ok(&format!("{command} {key} {value}"));
                }
                assert_eq!(client.ok(command), text, "nothing has changed");
            }
            other => panic!("no check for the type {other}"),
        }
    }
    for kind in ["dboard", "gfx", "pspairs", "var", "hstring", "param"] {
        assert!(seen.contains(&kind), "no command of the type {kind}");
    }
    client.quit();
}

/// Reads the lines of a drawing below its first one, to the empty line. Its commands are those that GoGui knows, each
/// with what it draws.
#[track_caller]
fn read_drawing(session: &TimedSession) {
    let lines: Vec<String> = std::iter::repeat_with(|| session.aside()).take_while(|line| !line.is_empty()).collect();
    assert!(!lines.is_empty());
    for line in lines {
        let (word, rest) = line.split_once(' ').unwrap_or_else(|| panic!("{line:?} draws nothing"));
        assert!(GRAPHICS.contains(&word) && !rest.is_empty(), "{line}");
    }
}

/// Time between two drawings.
const DRAWN_EVERY: Duration = Duration::from_millis(500);

/// What GoGui draws while a move is chosen comes besides the answers, and only if it was asked for.
#[test]
fn live_graphics_are_drawn_when_asked_for() {
    // The test cannot see when a search begins. So it lets time pass until it sees what it waits for.
    let moment = Duration::from_millis(5);
    for kind in ["moves", "variation", "ownership"] {
        let mut session = TimedSession::start(fixed::hours());
        session.ok(&format!("kosumi-live_graphics live_graphics {kind}"));
        session.typist.send("genmove b\n");
        let mut next = loop {
            session.time.advance(DRAWN_EVERY);
            if let Some(line) = session.aside_within(moment) {
                break line;
            }
        };
        session.typist.send("# interrupt\n");
        assert!(is_point(&session.answer().success(), 9));
        while next == "gogui-gfx:" {
            read_drawing(&session);
            next = session.aside();
        }
        assert_eq!(next, "gogui-gfx: CLEAR", "the last drawing is taken away");
        session.end();
    }
    // A move that takes the time of ten drawings, and has none.
    let mut session = TimedSession::start(EngineOptions { time_per_move: 10 * DRAWN_EVERY, ..fixed::options() });
    session.ok("kosumi-live_graphics live_graphics off");
    session.typist.send("genmove b\n");
    let answer = loop {
        session.time.advance(DRAWN_EVERY);
        if let Some(line) = session.line_within(moment) {
            break line;
        }
    };
    assert!(answer.starts_with("= "), "{answer}");
    assert_eq!(session.line(), "");
    session.end();
}

#[test]
fn live_graphics_go_to_standard_error() {
    for (kind, errors) in [("off", ""), ("moves", "gogui-gfx: CLEAR\n")] {
        let script = format!("boardsize 9\nkosumi-live_graphics live_graphics {kind}\ngenmove b\nquit\n");
        let run = support::run(program(&["--playouts", "10"]), script);
        assert!(run.status.success() && run.answers.iter().all(|answer| answer.ok));
        assert!(run.errors.ends_with(errors) && run.errors.is_empty() == errors.is_empty(), "{}", run.errors);
    }
}

#[test]
fn a_drawing_is_due_at_each_half_second() {
    let time = TimeSource::stopped();
    let report = Arc::new(search(&mut searcher(options()), &Line::empty(9), 50));
    let empty = Arc::new(search(&mut searcher(options()), &Line::empty(9), 0));
    let mut painter = Painter::new(LiveGraphics::Moves, Color::Black, 9.into(), time.clone());
    let mut is_drawn = |report: &Arc<Report>| painter.draw(&|| Some(Arc::clone(report))).is_some();
    for _ in 0..3 {
        assert!(!is_drawn(&report));
        time.advance(DRAWN_EVERY - Duration::from_nanos(1));
        assert!(!is_drawn(&report));
        time.advance(Duration::from_nanos(1));
        // What says nothing yet does not put off the next drawing.
        assert!(!is_drawn(&empty));
        assert!(is_drawn(&report));
    }
}

/// gogui-regress asks for the same things as GoGui, then sends a file as it is: commands with numbers are tests.
#[test]
fn gogui_regress_runs_a_file_of_tests() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("game.sgf"), "(;GM[1]SZ[5]KM[0];B[cc];W[cb];B[bb];W[db];B[ab])").unwrap();
    let mut command = program(&["--playouts", "300"]);
    command.current_dir(folder.path());
    let mut client = Client::spawn(command);
    for line in ["protocol_version", "name", "version", "list_commands", "gogui-interrupt", "name", "version"] {
        client.ok(line);
    }
    let before: f64 = client.ok("cputime").parse().unwrap();
    client.ok("loadsgf game.sgf 3");
    for id in ["10", "20", "9999"] {
        let answer = client.ask(&format!("{id} reg_genmove w"));
        assert_eq!(answer.id, id);
        assert!(is_point(&answer.success(), 5));
    }
    // The file is read again and again.
    client.ok("loadsgf game.sgf");
    assert!(client.ok("showboard").starts_with("Move 6, white to play"));
    let after: f64 = client.ok("cputime").parse().unwrap();
    assert!(after >= before);
    client.quit();
}

/// The real gogui-regress on some of the scripts.
#[test]
#[ignore = "needs gogui-regress, whose program KOSUMI_GOGUI_REGRESS names"]
fn the_real_gogui_regress_runs_our_scripts() {
    let regress = std::env::var("KOSUMI_GOGUI_REGRESS").expect("KOSUMI_GOGUI_REGRESS names gogui-regress");
    let scripts = concat!(env!("CARGO_MANIFEST_DIR"), "/gtp-scripts");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let engine = concat!(env!("CARGO_BIN_EXE_kosumi"), " --threads 1 --seed 1 --playouts 1000");
    for script in ["protocol/administration", "protocol/gogui", "tactics/capture", "sgf/print"] {
        let output = Command::new(&regress)
            .args(["-output", folder.path().to_str().unwrap(), engine, &format!("{scripts}/{script}.gtp")])
            .output()
            .unwrap_or_else(|error| panic!("{regress}: {error}"));
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        println!("{script}: {text}");
        assert!(output.status.success(), "{script}: {text}");
    }
}
