//! A game on the page of `kosumi web`, from *New game* to the record, as a browser sees it.

use std::time::Duration;

use kosumi::engine::EngineOptions;
use kosumi::sgf;
use serde_json::{Value, json};

use crate::support::browser::{Server, Tab, is_quiet, says};
use crate::support::engine::options;

#[test]
fn a_whole_game_with_count_and_correction() {
    let server = Server::start(EngineOptions { playouts: Some(30), ..options() });
    let tab = server.tab();
    let state = tab.begin(5, "black");
    assert_eq!((state["size"].as_u64(), state["toMove"].as_str()), (Some(5), Some("B")));
    let state = tab.order(json!({ "do": "move", "to": "C3" }));
    assert_eq!(state["thinking"], true);
    let state = tab.wait("the engine's answer", |state| state["moves"] == 2);
    assert_eq!(state["toMove"], "B");
    assert_eq!(state["stones"].as_str().map(|stones| stones.matches('O').count()), Some(1));
    // An occupied point is refused, and nothing changes.
    let error = tab.send(&json!({ "do": "move", "to": "c3" })).error();
    assert!(error.contains("C3 is taken"), "{error}");
    assert_eq!(tab.state()["moves"], 2);
    // The person passes until the engine passes, too.
    let mut state = state;
    while state["over"] == false {
        assert!(state["moves"].as_u64() < Some(200), "the game has no end");
        tab.order(json!({ "do": "move", "to": "pass" }));
        state = tab.wait("an answer", |state| state["thinking"] == false && is_quiet(state));
    }
    let result = state["result"]["short"].as_str().expect("a result").to_owned();
    assert!(result == "0" || result.contains('+'), "{result}");
    if state["count"].is_object() {
        // The person's stone, if it still stands, is marked as the other thing that it could be.
        let before = state["count"]["dead"].as_array().expect("a list").contains(&json!("C3"));
        if state["stones"].as_str().and_then(|stones| stones.chars().nth(12)) == Some('X') {
            let state = tab.order(json!({ "do": "toggle", "at": "C3" }));
            assert_eq!(state["count"]["corrected"], true);
            let corrected = state["count"]["dead"].as_array().expect("a list").clone();
            assert_ne!(corrected.contains(&json!("C3")), before);
            // Who asks for the score again hears of the corrected one.
            let state = tab.send(&json!({ "do": "type", "line": "score" })).json();
            assert_eq!((&state["count"]["dead"], &state["thinking"]), (&json!(corrected), &json!(false)));
            assert_eq!(state["count"]["corrected"], true);
        }
    }
    let record = server.get(&tab.path("record"));
    assert_eq!(record.header("content-disposition"), Some("attachment; filename=\"game.sgf\""));
    let saved = sgf::read(&record.body).expect("a record");
    assert_eq!(saved.main_line().filter(|&node| saved.has_move(node)).count() as u64, state["moves"]);
    let last = tab.state();
    assert_eq!(saved.result().as_deref(), last["result"]["short"].as_str());
}

#[test]
fn typed_words_are_those_of_the_terminal() {
    let server = Server::start(EngineOptions { playouts: Some(30), ..options() });
    let tab = server.tab();
    tab.begin(9, "both");
    let typed = |line: &str| tab.send(&json!({ "do": "type", "line": line }));
    assert_eq!(typed(" d4 ").json()["last"]["move"], "D4");
    assert_eq!(typed("pass").json()["last"]["move"], "pass");
    assert!(typed("udno").error().contains("did you mean undo?"));
    assert!(typed("k1").error().contains("not on this board"));
    assert_eq!(typed("undo").json()["moves"], 1);
    assert_eq!(typed("level 5k").json()["level"], "5k");
    typed("hint").json();
    let state = tab.wait("a hint", is_quiet);
    let log = state["log"].as_array().expect("a list");
    assert!(log.iter().any(|line| line["text"].as_str().expect("a text").starts_with("I would play")), "{log:?}");
    assert_eq!(typed("resign").json()["result"]["short"], "B+R", "White was to move");
}

#[test]
fn typed_words_without_a_meaning_here_are_answered() {
    let server = Server::start(options());
    let tab = server.tab();
    let error = |line: &str| tab.send(&json!({ "do": "type", "line": line })).error();
    assert!(error("quit").contains("close the tab"), "{}", error("quit"));
    assert!(error("board").contains("shows the board"), "{}", error("board"));
    assert!(error("save x.sgf").contains("button") && error("load x.sgf").contains("button"));
    assert!(error("udno").ends_with("did you mean undo?"), "{}", error("udno"));
}

#[test]
fn a_new_game_begins_as_the_last_one_began() {
    let server = Server::start(EngineOptions { playouts: Some(30), ..options() });
    let tab = server.tab();
    let new = json!({ "do": "new", "size": 9, "rules": "japanese", "level": "20k", "color": "white", "handicap": 3 });
    tab.order(new);
    let typed = |line: &str| tab.order(json!({ "do": "type", "line": line }));
    let state = typed("new");
    assert_eq!((state["handicap"].as_u64(), state["toMove"].as_str()), (Some(3), Some("W")));
    assert_eq!((state["rules"].as_str(), state["kosumi"].as_str()), (Some("japanese"), Some("B")));
    let state = typed("new 13");
    assert_eq!((state["size"].as_u64(), state["handicap"].as_u64()), (Some(13), Some(3)));
    // A board of four points has no room for the stones.
    let new = json!({ "do": "new", "size": 9, "rules": "chinese", "level": "20k", "color": "both", "handicap": 5 });
    tab.order(new);
    let state = typed("new 2");
    assert_eq!((state["size"].as_u64(), state["handicap"].as_u64()), (Some(2), Some(0)));
    assert!(says(&state, "no room for 5 handicap stones. So the game is even."), "{state}");
}

/// The result in the record of a tab's game.
fn recorded_result(tab: &Tab<'_>) -> Option<String> {
    let record = tab.server.get(&tab.path("record"));
    sgf::read(&record.body).expect("a record").result()
}

#[test]
fn a_record_has_the_result_of_its_line_whatever_is_on_view() {
    let server = Server::start(options());
    let tab = server.tab();
    tab.begin(5, "both");
    tab.moves(&["C3", "C2", "B2"]);
    assert_eq!(recorded_result(&tab), None);
    tab.order(json!({ "do": "resign" }));
    assert_eq!(recorded_result(&tab).as_deref(), Some("B+R"));
    let state = tab.order(json!({ "do": "step", "by": -2 }));
    assert!(state["result"].is_null(), "nothing is decided at move 1");
    assert_eq!(recorded_result(&tab).as_deref(), Some("B+R"));
    // A variation is another game, which is counted.
    tab.moves(&["pass", "pass"]);
    let state = tab.wait("the count", |state| state["count"].is_object());
    let counted = state["result"]["short"].as_str().expect("a result").to_owned();
    tab.order(json!({ "do": "go", "to": 1 }));
    tab.order(json!({ "do": "count" }));
    tab.wait("a count of move 1", |state| state["count"].is_object());
    assert_eq!(recorded_result(&tab), Some(counted.clone()), "the count of an earlier position changes nothing");
    tab.order(json!({ "do": "review", "seconds": 0.05 }));
    tab.wait("the review", |state| state["review"]["done"] == state["review"]["all"]);
    let reviewed = sgf::read(&server.get(&tab.path("review-record")).body).expect("a record");
    assert_eq!(reviewed.result(), Some(counted));
    // The line that was given up is still that.
    tab.order(json!({ "do": "variation", "number": 0 }));
    assert_eq!(recorded_result(&tab).as_deref(), Some("B+R"));
}

#[test]
fn a_game_that_is_over_gives_no_hints() {
    let server = Server::start(options());
    let tab = server.tab();
    tab.begin(5, "both");
    tab.order(json!({ "do": "move", "to": "C3" }));
    tab.order(json!({ "do": "resign" }));
    for order in [json!({ "do": "hint" }), json!({ "do": "type", "line": "hint" })] {
        assert_eq!(tab.send(&order).error(), "The game is over.");
    }
    assert!(is_quiet(&tab.state()));
    // A resignation that is taken back leaves nothing behind, nor does one that goes with a move that is taken back.
    assert_eq!(tab.order(json!({ "do": "undo" }))["over"], false);
    tab.order(json!({ "do": "move", "to": "C2" }));
    tab.order(json!({ "do": "resign" }));
    assert_eq!(tab.order(json!({ "do": "type", "line": "undo 2" }))["moves"], 0);
    for to in ["C3", "C2"] {
        assert_eq!(tab.order(json!({ "do": "move", "to": to }))["over"], false);
    }
}

#[test]
fn an_end_that_was_left_before_its_count_is_counted_later() {
    let server = Server::start(options());
    let tab = server.tab();
    tab.begin(5, "both");
    tab.order(json!({ "do": "move", "to": "pass" }));
    tab.order(json!({ "do": "move", "to": "pass" }));
    tab.order(json!({ "do": "step", "by": -1 }));
    tab.order(json!({ "do": "step", "by": 1 }));
    tab.wait("the count", |state| state["result"].is_object());
}

#[test]
fn a_file_with_several_games_is_said_to_have_them() {
    let server = Server::start(options());
    let tab = server.tab();
    let load = |text: &str| server.post(&tab.path("load"), text.as_bytes()).json();
    let told = "The file holds several games, and only the first one is read.";
    assert!(!says(&load("(;SZ[5];B[cc])"), told));
    let state = load("(;SZ[5];B[cc];W[bb])(;SZ[9];B[aa])");
    assert_eq!((state["size"].as_u64(), state["moves"].as_u64()), (Some(5), Some(2)));
    assert!(says(&state, told), "{state}");
}

#[test]
fn a_loaded_game_goes_on_with_the_side_that_the_record_gives_to_kosumi() {
    let server = Server::start(options());
    let tab = server.tab();
    let load = |text: &str| server.post(&tab.path("load"), text.as_bytes()).json();
    tab.begin(5, "black");
    for (names, kosumi) in [
        ("PB[Kosumi 10k]PW[Ann]", json!("B")),
        ("PB[Ann]PW[Kosumi]", json!("W")),
        ("PB[Kosumi]PW[Kosumi]", json!(null)),
        ("PB[Kosumina]", json!(null)),
    ] {
        // The game has a result, so Kosumi does not go on by itself.
        let state = load(&format!("(;SZ[5]{names}RE[B+R];B[cc];W[bb])"));
        assert_eq!((&state["kosumi"], &state["thinking"]), (&kosumi, &json!(false)), "{names}");
    }
    let state = load("(;SZ[5]PB[Kosumi]PW[Ann];B[cc];W[bb])");
    assert_eq!(state["thinking"], true, "it is Kosumi's turn");
    let state = tab.order(json!({ "do": "type", "line": "new" }));
    assert_eq!(state["kosumi"], "W", "as the last new game began");
}

#[test]
fn a_loaded_game_goes_on_at_its_level_and_is_counted_at_its_end() {
    let server = Server::start(EngineOptions { playouts: Some(30), ..options() });
    let tab = server.tab();
    let load = |text: &str| server.post(&tab.path("load"), text.as_bytes()).json();
    assert_eq!(load("(;SZ[5]PB[Ann]PW[Kosumi 20k]RE[B+R];B[cc];W[bb])")["level"], "20k");
    assert_eq!(load("(;SZ[5]PB[Ann]PW[Kosumi 0.15.0]RE[B+R];B[cc])")["level"], "20k", "a version is no level");
    tab.order(json!({ "do": "level", "level": "10k" }));
    let record = server.get(&tab.path("record")).text();
    assert!(record.contains("PW[Kosumi 0.15.0]"), "{record}");
    load("(;SZ[5]PB[Kosumi 20k]RE[B+R];B[cc])");
    tab.order(json!({ "do": "level", "level": "10k" }));
    let record = server.get(&tab.path("record")).text();
    assert!(record.contains("PB[Kosumi 10k]"), "the level that it plays at: {record}");
    load("(;SZ[5]PB[Ann]PW[Bea];B[cc];W[];B[])");
    tab.wait("the count", |state| state["count"].is_object());
}

#[test]
fn the_result_of_a_record_outlasts_a_variation() {
    let server = Server::start(options());
    let tab = server.tab();
    let state = server.post(&tab.path("load"), b"(;SZ[9]PB[Ann]PW[Bea]RE[B+R];B[cc];W[gg];B[cg])").json();
    assert_eq!(state["result"]["short"], "B+R");
    tab.order(json!({ "do": "step", "by": -1 }));
    tab.moves(&["E5"]);
    let record = server.get(&tab.path("record")).text();
    assert!(!record.contains("RE["), "another line: {record}");
    tab.order(json!({ "do": "sibling", "by": 1 }));
    let state = tab.order(json!({ "do": "step", "by": 9 }));
    assert_eq!(state["result"]["short"], "B+R");
    let record = server.get(&tab.path("record")).text();
    assert!(record.contains("RE[B+R]") && record.contains("[ee]"), "{record}");
}

#[test]
fn moves_that_were_taken_back_are_saved() {
    let server = Server::start(options());
    let tab = server.tab();
    tab.begin(9, "both");
    tab.moves(&["C3", "G7", "C7"]);
    tab.order(json!({ "do": "undo" }));
    tab.order(json!({ "do": "undo" }));
    let record = server.get(&tab.path("record")).text();
    for point in ["[cg]", "[gc]", "[cc]"] {
        assert!(record.contains(point), "{point}: {record}");
    }
    // The file of a game that is over ends with the game.
    tab.order(json!({ "do": "resign" }));
    let record = server.get(&tab.path("record")).text();
    assert!(record.contains("RE[B+R]") && record.contains("[cg]") && !record.contains("[gc]"), "{record}");
}

#[test]
fn who_looks_back_while_kosumi_thinks_gets_its_move_on_coming_back() {
    // The search ends when somebody wants something else, and not before.
    let server = Server::start(EngineOptions { playouts: None, ..options() });
    let tab = server.tab();
    let new = json!({ "do": "new", "size": 9, "rules": "chinese", "level": "max", "color": "black", "seconds": 3600 });
    tab.order(new);
    let state = tab.order(json!({ "do": "move", "to": "C3" }));
    assert_eq!(state["thinking"], true);
    let state = tab.order(json!({ "do": "step", "by": -1 }));
    assert_eq!((&state["thinking"], &state["toMove"]), (&json!(false), &json!("B")));
    let state = tab.order(json!({ "do": "step", "by": 1 }));
    assert_eq!((&state["thinking"], &state["toMove"]), (&json!(true), &json!("W")));
    // Another move instead: Kosumi answers that one.
    tab.order(json!({ "do": "step", "by": -1 }));
    let state = tab.order(json!({ "do": "move", "to": "E5" }));
    assert_eq!((&state["thinking"], &state["toMove"]), (&json!(true), &json!("W")));
    tab.order(json!({ "do": "undo" }));
}

#[test]
fn variations_stay_and_can_be_walked() {
    let server = Server::start(options());
    let tab = server.tab();
    tab.begin(9, "both");
    tab.moves(&["C3", "G7", "C7"]);
    let state = tab.order(json!({ "do": "step", "by": -2 }));
    assert_eq!((state["place"].as_u64(), state["line"].as_array().map(Vec::len)), (Some(1), Some(4)));
    let state = tab.order(json!({ "do": "move", "to": "E5" }));
    assert_eq!((state["siblings"].as_u64(), state["sibling"].as_u64()), (Some(2), Some(2)));
    let state = tab.order(json!({ "do": "sibling", "by": 1 }));
    assert_eq!(state["last"]["move"], "G7");
    assert_eq!(state["line"].as_array().map(Vec::len), Some(4), "the old line goes on");
    let state = tab.order(json!({ "do": "go", "to": 1 }));
    assert_eq!(state["variations"], json!(["G7", "E5"]));
    let state = tab.order(json!({ "do": "variation", "number": 1 }));
    assert_eq!(state["last"]["move"], "E5");
    for wrong in [json!({ "do": "variation", "number": 7 }), json!({ "do": "sibling", "by": i32::MIN })] {
        let answer = tab.send(&wrong);
        assert!(matches!(answer.status, 200 | 422), "{answer:?}");
    }
    for by in [i32::MIN, i32::MAX] {
        tab.order(json!({ "do": "step", "by": by }));
    }
    let record = server.get(&tab.path("record")).text();
    assert!(record.contains("[gc]") && record.contains("[ee]"), "both variations are saved: {record}");
}

/// A server whose time the test moves.
fn with_stopped_time() -> (Server, kosumi::time::TimeSource) {
    let mut engine = options();
    engine.search.time = kosumi::time::TimeSource::stopped();
    let time = engine.search.time.clone();
    (Server::start(engine), time)
}

#[test]
fn a_clock_that_runs_out_ends_the_game() {
    let (server, time) = with_stopped_time();
    let tab = server.tab();
    let clock = json!({ "kind": "byo-yomi", "main": 60, "period": 10, "periods": 3 });
    tab.order(json!({ "do": "new", "size": 9, "rules": "chinese", "level": "20k", "color": "black", "clock": clock }));
    time.advance(Duration::from_secs(89));
    let state = tab.state();
    assert_eq!((state["over"].as_bool(), state["clocks"]["running"]["side"].as_str()), (Some(false), Some("B")));
    time.advance(Duration::from_secs(2));
    assert_eq!(tab.state()["result"]["short"], "W+T");
}

#[test]
fn kosumi_answers_the_move_that_it_has_made_for_a_person() {
    let server = Server::start(EngineOptions { playouts: Some(10), ..options() });
    let tab = server.tab();
    tab.begin(9, "black");
    tab.order(json!({ "do": "answer" }));
    let state = tab.wait("both moves", |state| state["moves"] == 2 && state["thinking"] == false);
    assert_eq!(state["toMove"], "B");
}

#[test]
fn kosumi_does_not_resign_for_a_person() {
    let server = Server::start(EngineOptions { playouts: Some(200), resign_below: 0.4, ..options() });
    let tab = server.tab();
    // The board is open, and Black cannot make up for the komi.
    let lost = b"(;SZ[9]KM[70]PB[Ann]PW[Kosumi]AB[cc][gc][cg][gg][ec][ce][ge][eg]\
        AW[dd][fd][df][ff][bb][hb][bh][hh]PL[B])";
    server.post(&tab.path("load"), lost).json();
    for move_of_black in 0..3 {
        tab.order(json!({ "do": "answer" }));
        let state = tab.wait("both moves", |state| state["thinking"] == false);
        assert_eq!(state["result"]["short"], Value::Null, "{state}");
        assert_eq!(state["moves"].as_u64(), Some(2 * move_of_black + 2), "{state}");
    }
}

#[test]
fn who_goes_on_after_resigning_while_kosumi_thought_gets_its_move() {
    let server = Server::start(options());
    let tab = server.tab();
    tab.begin(9, "black");
    tab.order(json!({ "do": "move", "to": "E5" }));
    tab.order(json!({ "do": "type", "line": "resign" }));
    let state = tab.order(json!({ "do": "type", "line": "undo" }));
    assert_eq!(state["over"], false);
    tab.wait("a move", |state| state["moves"] == 2);
}

#[test]
fn a_count_that_is_asked_for_while_kosumi_thinks_is_about_the_game_after_its_move() {
    let server = Server::start(EngineOptions { time_per_move: Duration::from_millis(300), ..options() });
    let tab = server.tab();
    tab.begin(9, "black");
    tab.order(json!({ "do": "move", "to": "E5" }));
    tab.order(json!({ "do": "count" }));
    let state = tab.wait("a count", |state| state["count"].is_object());
    assert_eq!(state["moves"], 2);
}

#[test]
fn clocks_run_for_a_person_who_plays_both_sides() {
    let (server, time) = with_stopped_time();
    let tab = server.tab();
    let clock = json!({ "kind": "absolute", "main": 60 });
    tab.order(json!({ "do": "new", "size": 9, "rules": "chinese", "level": "20k", "color": "both", "clock": clock }));
    let running = |state: &Value| state["clocks"]["running"]["side"].as_str().map(str::to_owned);
    assert_eq!(running(&tab.state()).as_deref(), Some("B"));
    time.advance(Duration::from_secs(20));
    let state = tab.order(json!({ "do": "move", "to": "C3" }));
    assert_eq!((running(&state).as_deref(), state["clocks"]["sides"][0][0].as_f64()), (Some("W"), Some(40.0)));
    time.advance(Duration::from_secs(61));
    let state = tab.state();
    assert_eq!((state["result"]["short"].as_str(), running(&state)), (Some("B+T"), None));
    // Who takes the move back goes on without a clock: there is no time left to go on with.
    let state = tab.order(json!({ "do": "undo" }));
    assert_eq!((state["over"].as_bool(), state["moves"].as_u64(), running(&state)), (Some(false), Some(0), None));
    time.advance(Duration::from_secs(100));
    assert_eq!(tab.state()["over"], false);
}

#[test]
fn looking_back_and_undo_give_no_time_back() {
    let (server, time) = with_stopped_time();
    let tab = server.tab();
    let clock = json!({ "kind": "absolute", "main": 60 });
    tab.order(json!({ "do": "new", "size": 9, "rules": "chinese", "level": "20k", "color": "both", "clock": clock }));
    tab.order(json!({ "do": "move", "to": "C3" }));
    let white = |state: &Value| state["clocks"]["sides"][1][0].as_f64();
    let running = |state: &Value| state["clocks"]["running"]["side"].as_str().map(str::to_owned);
    time.advance(Duration::from_secs(20));
    let state = tab.order(json!({ "do": "step", "by": -1 }));
    assert_eq!((white(&state), running(&state)), (Some(40.0), None));
    // The clock stands still until the person is back.
    time.advance(Duration::from_secs(100));
    let state = tab.order(json!({ "do": "step", "by": 1 }));
    assert_eq!((white(&state), running(&state).as_deref()), (Some(40.0), Some("W")));
    time.advance(Duration::from_secs(15));
    let state = tab.order(json!({ "do": "undo" }));
    assert_eq!((white(&state), running(&state).as_deref()), (Some(25.0), Some("B")));
}

#[test]
fn what_lies_behind_the_line_of_a_loaded_game_is_not_reviewed() {
    let server = Server::start(EngineOptions { playouts: Some(10), ..options() });
    let tab = server.tab();
    let load = |text: &str| server.post(&tab.path("load"), text.as_bytes()).json();
    load("(;SZ[9];B[cc];W[gg];B[cg])");
    tab.order(json!({ "do": "undo" }));
    tab.order(json!({ "do": "undo" }));
    tab.order(json!({ "do": "resign" }));
    let record = server.get(&tab.path("record")).text();
    assert!(record.contains("[cc]") && record.contains("RE[") && !record.contains("[gg]"), "{record}");
    // A new game is the last *New game* again, not as large as the file.
    tab.begin(7, "black");
    load("(;SZ[9];B[cc])");
    tab.order(json!({ "do": "type", "line": "new" }));
    let record = server.get(&tab.path("record")).text();
    assert!(record.contains("SZ[7]"), "{record}");
}
