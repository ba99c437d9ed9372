//! `kosumi analysis` under clients of all kinds: hundreds of queries of mixed sizes and turns, lines that are no JSON,
//! terminated queries, and clients that are killed. Each query is answered or refused by its id, and the memory stays
//! flat.
//!
//! `KOSUMI_STORM_QUERIES=5000 cargo test --test all analysis_storm::` sends more.

use std::collections::BTreeMap;
use std::sync::mpsc::channel;

use serde_json::{Value, json};

use crate::support::PATIENCE;
use crate::support::queries::{Client, query};

/// Queries of the test.
const QUERIES: usize = 2000;

/// Queries between two looks at the memory. The trees, the nets and the threads' own stores are touched for the first
/// time in the first waves: four steps of 2 MB, of which the last one came after 300 to 500 queries.
const WAVE: usize = 100;
const FIRST_LOOK: usize = 10;

/// Most growth of the resident size after the first look. (Measured: about 39 MB, without growth, from 1 000 to
/// 6 000 queries.)
const MOST_GROWTH: f64 = 1.05;

/// Lines that are no queries, and what the engine answers without an id.
const GARBAGE: &[&[u8]] = &[
    b"{",
    b"[1,2,3]",
    b"null",
    b"\"text\"",
    b"{\"moves\":[]}",
    b"{\"id\":7}",
    b"\xff\xfe{}",
    b"{\"id\":\"x\",\"moves\":[[\"B\",\"A1\"",
];

fn resident(client: &Client) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", client.engine.id())).expect("Linux has /proc");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line");
    line.trim().trim_end_matches(" kB").parse().expect("a number of KiB")
}

/// A query, how many answers it gets, and whether it is refused.
fn asked(number: usize) -> (Value, usize, bool) {
    let size = [9, 19, 5, 13, 7, 2, 19, 9][number % 8];
    let moves: Vec<_> = (0..number % 12)
        .map(|i| json!([if i % 2 == 0 { "B" } else { "W" }, format!("({},{})", i % size, i / size)]))
        .collect();
    let legal = moves.len() <= size;
    let turns: Vec<usize> = (0..=moves.len()).filter(|turn| turn % 3 == number % 3).collect();
    let (fields, answers) = match number % 10 {
        _ if !legal => (json!({ "moves": [["B", "pass"]] }), 1),
        0 | 5 if !turns.is_empty() => (json!({ "moves": moves, "analyzeTurns": turns }), turns.len()),
        1 => (json!({ "moves": [["B", "A1"], ["W", "A1"]] }), 1),
        2 => (json!({ "moves": moves, "rules": "of nobody" }), 1),
        3 => (json!({ "moves": moves, "komi": "much" }), 1),
        4 => (json!({ "moves": [["B", "Z99"]] }), 1),
        6 => (
            json!({ "moves": moves, "includeOwnership": true, "includeMovesOwnership": true, "includePolicy": true }),
            1,
        ),
        7 => (json!({ "moves": moves, "rules": "japanese", "overrideSettings": { "wideRootNoise": 0.5 } }), 1),
        _ => (json!({ "moves": moves, "priority": number % 4, "includePVVisits": true }), 1),
    };
    let mut asked = query(&format!("q{number}"), fields);
    let besides = json!({ "boardXSize": size, "boardYSize": size, "maxVisits": 5 + number % 30 });
    asked.as_object_mut().expect("an object").extend(besides.as_object().expect("an object").clone());
    (asked, answers, legal && matches!(number % 10, 1..=4))
}

#[test]
fn hundreds_of_queries_are_each_answered_or_refused_and_memory_stays_flat() {
    let queries = std::env::var("KOSUMI_STORM_QUERIES").ok().map_or(QUERIES, |text| text.parse().expect("a number"));
    let mut client = Client::start(&["--threads", "2", "--memory", "16", "--net", "shipped"]);
    let (mut first, mut to_refuse, mut refused, mut answered) = (None, 0, 0, 0);
    for wave in 0..queries.div_ceil(WAVE) {
        let mut open: BTreeMap<String, usize> = BTreeMap::new();
        let mut garbage = 0;
        for number in wave * WAVE..((wave + 1) * WAVE).min(queries) {
            let (query, answers, is_refused) = asked(number);
            to_refuse += usize::from(is_refused);
            open.insert(query["id"].as_str().expect("an id").into(), answers);
            client.send(&query);
            if number.is_multiple_of(7) {
                client.send_bytes(GARBAGE[number / 7 % GARBAGE.len()]);
                garbage += 1;
            }
            if number.is_multiple_of(25) {
                // A long search is ended by its id.
                let id = format!("long{number}");
                client.send(&query_without_end(&id));
                client.send(&json!({ "id": format!("end{number}"), "action": "terminate", "terminateId": id }));
                open.extend([(id, 1), (format!("end{number}"), 1)]);
            }
        }
        while garbage > 0 || open.values().any(|&left| left > 0) {
            let answer = client.next();
            let Some(left) = answer["id"].as_str().and_then(|id| open.get_mut(id)) else {
                assert!(answer["error"].is_string(), "{answer}");
                garbage -= 1;
                continue;
            };
            if answer["warning"].is_string() {
                continue;
            }
            assert!(*left > 0, "one answer too many: {answer}");
            *left -= 1;
            refused += usize::from(answer["error"].is_string());
            answered += usize::from(answer["rootInfo"].is_object());
        }
        killed_client(wave);
        let now = resident(&client);
        println!("{} queries: {now} KiB", (wave + 1) * WAVE);
        if wave + 1 < FIRST_LOOK {
            continue;
        }
        let first = *first.get_or_insert(now);
        assert!(now as f64 <= first as f64 * MOST_GROWTH, "memory grows from {first} to {now} KiB");
    }
    println!("{answered} positions answered, {refused} queries refused");
    assert_eq!(refused, to_refuse);
    assert_eq!(client.end(), (Vec::new(), Some(0)));
}

fn query_without_end(id: &str) -> Value {
    query(id, json!({ "maxVisits": 1_u64 << 50, "priority": 100 }))
}

/// A client that asks for much and is killed: its pipes close at once, and the engine it has started ends.
fn killed_client(number: usize) {
    let mut client = Client::start(&["--threads", "2", "--memory", "16"]);
    for i in 0..5 {
        let endless = json!({ "reportDuringSearchEvery": 0.01, "maxVisits": 1_u64 << 50 });
        client.send(&query(&format!("{number}-{i}"), endless));
    }
    if number.is_multiple_of(2) {
        client.lines.recv_timeout(PATIENCE).expect("a report comes");
    }
    client.lines = channel().1;
    client.input = None;
    assert_eq!(client.engine.wait().expect("it ends").code(), Some(0));
}
