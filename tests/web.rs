//! `kosumi web` as a browser sees it: requests and answers, without a browser. `tests/clients/web` drives the page.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use kosumi::engine::EngineOptions;
use kosumi::sgf;
use kosumi::web::{self, Settings};
use serde_json::{Value, json};

use crate::support::engine::options;
use crate::support::{PATIENCE, forget_settings};

/// A server in this process.
struct Server {
    address: SocketAddr,
    /// The line that it has printed.
    line: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Gives on what the server prints.
struct Printed(Sender<Vec<u8>>);

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Server {
    fn start(engine: EngineOptions) -> Server {
        Server::listening(engine, IpAddr::V4(Ipv4Addr::LOCALHOST))
    }

    fn listening(engine: EngineOptions, listen: IpAddr) -> Server {
        let settings = Settings { engine, listen, ..Settings::default() };
        let (sender, printed) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let thread = thread::spawn(move || web::run(&settings, &flag, Printed(sender)).expect("a server"));
        let mut line = String::new();
        while !line.ends_with('\n') {
            line.push_str(std::str::from_utf8(&printed.recv_timeout(PATIENCE).expect("a line")).expect("text"));
        }
        let port: u16 = line.split(['/', ':']).find_map(|part| part.parse().ok()).expect("a port");
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
        Server { address, line, stop, thread: Some(thread) }
    }

    fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], b"")
    }

    fn post(&self, path: &str, body: &[u8]) -> Answer {
        self.ask("POST", path, &[], body)
    }

    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        ask(self.address, method, path, headers, body)
    }

    /// A new tab.
    fn tab(&self) -> Tab<'_> {
        let state = self.post("/api/open", b"").json();
        Tab { server: self, name: state["game"].as_str().expect("a name").into() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            let result = thread.join();
            assert!(result.is_ok() || thread::panicking(), "the server panicked");
        }
    }
}

#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    #[track_caller]
    fn json(&self) -> Value {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        serde_json::from_slice(&self.body).expect("JSON")
    }

    #[track_caller]
    fn error(&self) -> String {
        assert!(self.status >= 400, "{self:?}");
        let body: Value = serde_json::from_slice(&self.body).expect("JSON");
        body["error"].as_str().expect("a message").into()
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }
}

/// One request on a connection of its own. A host is added unless the headers have one.
fn ask(address: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    if !headers.iter().any(|(name, _)| *name == "host") {
        head.push_str(&format!("host: {address}\r\n"));
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    stream.write_all(format!("{head}\r\n").as_bytes()).expect("sent");
    // The server may refuse a large body before it has read it.
    let _ = stream.write_all(body);
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("an end of the head");
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    Answer { status, head, body: bytes[end + 4..].to_vec() }
}

/// A tab of a browser.
struct Tab<'a> {
    server: &'a Server,
    name: String,
}

impl Tab<'_> {
    fn path(&self, what: &str) -> String {
        format!("/api/{what}?game={}", self.name)
    }

    fn send(&self, order: &Value) -> Answer {
        self.server.post(&self.path("order"), order.to_string().as_bytes())
    }

    #[track_caller]
    fn order(&self, order: Value) -> Value {
        self.send(&order).json()
    }

    fn state(&self) -> Value {
        self.server.get(&self.path("state")).json()
    }

    /// Waits for a state, as the page does.
    #[track_caller]
    fn wait(&self, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let state = self.state();
            if holds(&state) {
                return state;
            }
            assert!(start.elapsed() < PATIENCE, "{what}: {state}");
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// A new game in which the engine plays quickly.
    fn begin(&self, size: usize, color: &str) -> Value {
        self.order(json!({ "do": "new", "size": size, "rules": "chinese", "level": "20k", "color": color }))
    }
}

fn is_quiet(state: &Value) -> bool {
    state["busy"] == false
}

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
            assert_ne!(state["count"]["dead"].as_array().expect("a list").contains(&json!("C3")), before);
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

/// Has the log of a state a sentence with this text?
fn says(state: &Value, text: &str) -> bool {
    let log = state["log"].as_array().expect("a list");
    log.iter().any(|line| line["text"].as_str().expect("a text").contains(text))
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
    for to in ["C3", "C2", "B2"] {
        tab.order(json!({ "do": "move", "to": to }));
    }
    assert_eq!(recorded_result(&tab), None);
    tab.order(json!({ "do": "resign" }));
    assert_eq!(recorded_result(&tab).as_deref(), Some("B+R"));
    let state = tab.order(json!({ "do": "step", "by": -2 }));
    assert!(state["result"].is_null(), "nothing is decided at move 1");
    assert_eq!(recorded_result(&tab).as_deref(), Some("B+R"));
    // A variation is another game, which is counted.
    for to in ["pass", "pass"] {
        tab.order(json!({ "do": "move", "to": to }));
    }
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
fn an_analysis_goes_on_until_it_is_ended() {
    let server = Server::start(options());
    let tab = server.tab();
    tab.begin(9, "both");
    tab.order(json!({ "do": "analyze", "on": true }));
    let first = tab.wait("findings", |state| state["finding"].is_object());
    assert_eq!(first["finding"]["owners"].as_str().map(str::len), Some(81));
    assert!(!first["finding"]["moves"].as_array().expect("a list").is_empty());
    let visits = |state: &Value| state["finding"]["visits"].as_u64().unwrap_or_default();
    let seen = visits(&first);
    tab.wait("more visits", |state| visits(state) > seen);
    // The analysis follows the game.
    tab.order(json!({ "do": "move", "to": "E5" }));
    let state = tab.wait("findings of the next position", |state| state["finding"].is_object());
    assert_eq!(state["finding"]["turn"], 1);
    assert!(state["line"].as_array().expect("a list").iter().all(|node| node[1].is_array()), "both are known");
    let state = tab.order(json!({ "do": "analyze", "on": false }));
    assert_eq!(state["busy"], false);
    let visits_now = visits(&tab.wait("the end", is_quiet));
    thread::sleep(Duration::from_millis(400));
    assert_eq!(visits(&tab.state()), visits_now, "nothing is searched any more");
}

#[test]
fn an_analysis_leaves_room_for_everything_else() {
    let server = Server::start(options());
    let tab = server.tab();
    tab.begin(5, "both");
    tab.order(json!({ "do": "move", "to": "C3" }));
    tab.order(json!({ "do": "analyze", "on": true }));
    tab.wait("findings", |state| state["finding"].is_object());
    tab.order(json!({ "do": "hint" }));
    tab.wait("a hint", |state| says(state, "I would play"));
    tab.order(json!({ "do": "count" }));
    let state = tab.wait("a count", |state| state["count"].is_object());
    assert!(says(&state, "If both sides passed now"));
    assert!(tab.order(json!({ "do": "hide-count" }))["count"].is_null());
    tab.order(json!({ "do": "review", "seconds": 0.05 }));
    let state = tab.wait("a review", |state| state["review"]["done"] == 2);
    assert_eq!(state["analyzing"], true);
    tab.order(json!({ "do": "answer" }));
    tab.wait("a move", |state| state["moves"] == 2);
}

#[test]
fn a_review_becomes_a_page_and_a_record() {
    let server = Server::start(options());
    let tab = server.tab();
    let game = b"(;GM[1]FF[4]SZ[5]KM[7.5]PB[<b>Ann];B[cc];W[bc];B[bb];W[dc])";
    let state = server.post(&tab.path("load"), game).json();
    assert_eq!((state["moves"].as_u64(), state["players"][0].as_str()), (Some(4), Some("<b>Ann")));
    assert_eq!(server.get(&tab.path("review")).status, 404);
    tab.order(json!({ "do": "review", "seconds": 0.05 }));
    tab.wait("the review", |state| state["review"]["done"] == state["review"]["all"]);
    let page = server.get(&tab.path("review"));
    assert_eq!(page.status, 200);
    assert!(page.header("content-security-policy").expect("a policy").contains("sandbox allow-scripts"));
    assert!(page.text().contains("The moves that lost most") && !page.text().contains("<b>Ann"));
    let record = sgf::read(&server.get(&tab.path("review-record")).body).expect("a record");
    let nodes: Vec<_> = record.main_line().collect();
    assert_eq!(nodes.len(), 5);
    assert!(nodes.iter().all(|&node| record.property(node, "SBKV").is_some()), "each position has its win rate");
    // The game is still there, and another one ends the review.
    assert_eq!(tab.state()["moves"], 4);
    tab.begin(9, "both");
    assert_eq!(server.get(&tab.path("review")).status, 404);
    assert!(tab.send(&json!({ "do": "review", "seconds": 1 })).error().contains("no move"));
}

#[test]
fn variations_stay_and_can_be_walked() {
    let server = Server::start(options());
    let tab = server.tab();
    tab.begin(9, "both");
    for to in ["C3", "G7", "C7"] {
        tab.order(json!({ "do": "move", "to": to }));
    }
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

#[test]
fn twenty_tabs_each_get_their_moves() {
    let mut engine = EngineOptions { time_per_move: Duration::from_millis(100), ..options() };
    engine.search.threads = 2;
    let server = Server::start(engine);
    let tabs: Vec<Tab<'_>> = (0..20).map(|_| server.tab()).collect();
    for tab in &tabs {
        tab.order(json!({ "do": "new", "size": 9, "rules": "chinese", "level": "max", "color": "black" }));
    }
    // One tab analyses all the time, and nobody waits for it.
    let greedy = server.tab();
    greedy.begin(9, "both");
    greedy.order(json!({ "do": "analyze", "on": true }));
    for round in 0..2 {
        for (number, tab) in tabs.iter().enumerate() {
            let name = format!("{}{}", ["A", "J"][round], number % 9 + 1);
            let answer = tab.send(&json!({ "do": "move", "to": name }));
            // The engine may stand there already.
            if answer.status == 422 {
                tab.order(json!({ "do": "move", "to": "pass" }));
            }
        }
        for tab in &tabs {
            let state = tab.wait("a move", |state| state["thinking"] == false);
            assert_eq!(state["moves"].as_u64(), Some(2 * (round as u64 + 1)));
        }
    }
    let state = greedy.wait("findings", |state| state["finding"].is_object());
    assert_eq!(state["analyzing"], true);
}

#[test]
fn strangers_are_refused() {
    let server = Server::start(options());
    let tab = server.tab();
    let own = server.address.to_string();
    let get = |path: &str, headers: &[(&str, &str)]| server.ask("GET", path, headers, b"").status;
    assert_eq!(get("/", &[]), 200);
    assert_eq!(get("/", &[("host", "evil.example")]), 403);
    assert_eq!(get("/", &[("host", "")]), 403);
    assert_eq!(get(&tab.path("state"), &[("origin", "http://evil.example")]), 403);
    assert_eq!(get(&tab.path("state"), &[("origin", "null")]), 403);
    assert_eq!(get(&tab.path("state"), &[("sec-fetch-site", "cross-site")]), 403);
    assert_eq!(get(&tab.path("state"), &[("origin", &format!("http://{own}"))]), 200);
    assert_eq!(get("/", &[("sec-fetch-site", "cross-site")]), 200, "a link from elsewhere");
    // Two hosts.
    assert!(matches!(get("/", &[("host", &own), ("host", "evil.example")]), 400 | 403));
    for path in ["/api/state", "/api/state?game=", "/api/state?game=0", "/nothing", "/../Cargo.toml", "//", "/api/"] {
        assert_eq!(get(path, &[]), 404, "{path}");
    }
    assert_eq!(server.ask("DELETE", "/", &[], b"").status, 405);
    let head = server.ask("HEAD", "/", &[], b"");
    assert_eq!((head.status, head.body.len()), (200, 0), "as GET, without the body");
    assert_eq!(server.ask("OPTIONS", "/api/open", &[], b"").status, 405, "no other site is ever allowed anything");
    let page = server.get("/");
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
}

#[test]
fn other_machines_need_the_token() {
    let server = Server::listening(options(), IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    let (_, token) = server.line.trim_end().split_once("/?token=").expect("a token in the address");
    let status = |path: &str, headers: &[(&str, &str)]| server.ask("GET", path, headers, b"").status;
    for path in ["/", "/main.js", "/?token=", "/?token=0123456789abcdef0123456789abcdef"] {
        assert_eq!(status(path, &[]), 403, "{path}");
    }
    assert_eq!(server.post("/api/open", b"").status, 403);
    let first = server.get(&format!("/?token={token}"));
    assert_eq!((first.status, first.header("location")), (303, Some("/")));
    let cookie = first.header("set-cookie").expect("a cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
    let cookie = cookie.split(';').next().expect("a pair");
    assert_eq!(status("/", &[("cookie", cookie)]), 200);
    assert_eq!(server.ask("POST", "/api/open", &[("cookie", cookie)], b"").status, 200);
    assert_eq!(status("/", &[("cookie", cookie), ("host", "evil.example")]), 403);
}

#[test]
fn what_is_too_much_or_nonsense_is_refused() {
    let server = Server::start(options());
    let tab = server.tab();
    let huge = vec![b'x'; 2 << 20];
    let (order, record) = (server.post(&tab.path("order"), &huge), server.post(&tab.path("load"), &huge));
    assert_eq!((order.status, record.status), (413, 413));
    assert_eq!(order.error(), "that is too large: an order has 16 KiB at most");
    assert_eq!(record.error(), "that is too large: a record has 1 MiB at most");
    assert_eq!(server.get("/api/state?game=0").error(), "Kosumi was started again.");
    for body in ["", "{}", "null", "[1]", "{\"do\":\"new\"}", "\u{0}", "{\"do\":\"go\",\"to\":1e99}"] {
        assert_eq!(server.post(&tab.path("order"), body.as_bytes()).status, 400, "{body}");
    }
    assert_eq!(server.post(&tab.path("order"), &[0xff, 0xfe, 0x00]).status, 400);
    let new = |change: Value| {
        let mut order = json!({ "do": "new", "size": 9, "rules": "chinese", "level": "max", "color": "black" });
        order.as_object_mut().expect("an object").extend(change.as_object().expect("an object").clone());
        tab.send(&order)
    };
    for change in [
        json!({ "size": 0 }),
        json!({ "size": 26 }),
        json!({ "size": 1_000_000 }),
        json!({ "rules": "mine" }),
        json!({ "level": "99k" }),
        json!({ "color": "red" }),
        json!({ "komi": 1e30 }),
        json!({ "handicap": 1 }),
        json!({ "handicap": 1_000_000_000 }),
        json!({ "seconds": -1 }),
        json!({ "seconds": 1e300 }),
        json!({ "clock": { "kind": "byo-yomi", "main": 0, "period": 0, "periods": 0 } }),
        json!({ "clock": { "kind": "absolute", "main": -5 } }),
    ] {
        assert_eq!(new(change.clone()).status, 422, "{change}");
    }
    for text in ["", "(;", "hello", "(;GM[2])", "(;SZ[99])", "(;SZ[9];B[zz])"] {
        assert_eq!(server.post(&tab.path("load"), text.as_bytes()).status, 422, "{text}");
    }
    for order in [
        json!({ "do": "move", "to": "Z99" }),
        json!({ "do": "move", "to": "" }),
        json!({ "do": "toggle", "at": "D4" }),
        json!({ "do": "undo" }),
        json!({ "do": "review", "seconds": 1e9 }),
        json!({ "do": "type", "line": "x".repeat(10_000) }),
    ] {
        assert_eq!(tab.send(&order).status, 422, "{order}");
    }
    // After all that the tab is as it was.
    assert_eq!(tab.state()["moves"], 0);
    // A tab that asks without end is refused for a while.
    let statuses: Vec<u16> = (0..400).map(|_| server.get(&tab.path("state")).status).collect();
    assert!(statuses.contains(&429) && statuses.iter().all(|status| matches!(status, 200 | 429)));
    // A head without end, and half a request, keep nobody else waiting.
    let mut half = TcpStream::connect(server.address).expect("a connection");
    half.write_all(b"POST /api/open HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n").expect("sent");
    let mut endless = TcpStream::connect(server.address).expect("a connection");
    let _ = endless.write_all(&vec![b'a'; 1 << 20]);
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn tabs_are_bounded() {
    let server = Server::start(options());
    let statuses: Vec<u16> = (0..70).map(|_| server.post("/api/open", b"").status).collect();
    assert_eq!(statuses.iter().filter(|&&status| status == 200).count(), 64);
    assert_eq!(statuses.last(), Some(&503));
}

#[test]
fn a_clock_that_runs_out_ends_the_game() {
    let mut engine = options();
    engine.search.time = kosumi::time::TimeSource::stopped();
    let time = engine.search.time.clone();
    let server = Server::start(engine);
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
fn clocks_run_for_a_person_who_plays_both_sides() {
    let mut engine = options();
    engine.search.time = kosumi::time::TimeSource::stopped();
    let time = engine.search.time.clone();
    let server = Server::start(engine);
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
}

/// The program itself: one line on standard output, and nothing but it.
#[test]
fn the_program_prints_one_address() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kosumi"));
    command.args(["web", "--no-config", "--no-browser", "--memory", "16", "--size", "9"]);
    forget_settings(&mut command);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut output = BufReader::new(child.stdout.take().expect("standard output"));
    let mut line = String::new();
    output.read_line(&mut line).expect("a line");
    let address = line.trim_end().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/')).expect("an address");
    let address: SocketAddr = address.parse().expect("an address");
    assert!(address.ip().is_loopback());
    let page = ask(address, "GET", "/", &[], b"");
    assert!(page.text().contains("<title>Kosumi</title>"));
    child.kill().expect("it can be ended");
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("text");
    assert_eq!(rest, "", "nothing else is printed");
    let _ = child.wait();
}
