//! `kosumi web` as a browser sees it, without a browser: analysis, reviews, tabs, guards and limits. `tests/clients/web`
//! drives the page, and `web_game.rs` plays on it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use kosumi::engine::EngineOptions;
use kosumi::sgf;
use serde_json::{Value, json};

use crate::support::browser::{Server, Tab, ask, is_quiet, says};
use crate::support::engine::options;
use crate::support::forget_settings;

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
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"));
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
