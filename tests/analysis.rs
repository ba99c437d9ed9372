//! `kosumi analysis`: KataGo's JSON protocol, as its document *Analysis Engine* has it, and as KaTrain uses it.

use std::collections::{BTreeMap, HashMap};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;

use kosumi::analysis::{self, AnalysisOptions};
use kosumi::net::nets::Nets;
use kosumi::net::{Net, random};
use serde_json::{Value, json};

use crate::support::forget_settings;
use crate::support::queries::{Client, query};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn moves(answer: &Value) -> Vec<&str> {
    answer["moveInfos"].as_array().expect("moves").iter().map(|m| m["move"].as_str().expect("a move")).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("an array").iter().map(|number| number.as_f64().expect("a number")).collect()
}

#[test]
fn an_answer_has_the_documented_fields() {
    let mut client = Client::start(&[]);
    let moves_made = json!([["B", "E5"], ["w", "c3"], ["b", "(6,2)"]]);
    let answer = client.ask(&query(
        "foo",
        json!({ "moves": moves_made, "komi": 7, "maxVisits": 300, "includeOwnership": true,
            "includeOwnershipStdev": true, "includeMovesOwnership": true, "includeMovesOwnershipStdev": true,
            "includePolicy": true, "includePVVisits": true, "includeNoResultValue": true, "analysisPVLen": 2 }),
    ));
    assert_eq!(
        (&answer["id"], &answer["turnNumber"], &answer["isDuringSearch"]),
        (&json!("foo"), &json!(3), &json!(false))
    );
    let wanted =
        ["id", "isDuringSearch", "moveInfos", "ownership", "ownershipStdev", "policy", "rootInfo", "turnNumber"];
    assert_eq!(keys(&answer), wanted);
    let infos = answer["moveInfos"].as_array().expect("moves");
    let mut visits = 0;
    for (order, info) in infos.iter().enumerate() {
        for key in ["winrate", "prior", "lcb"] {
            let rate = info[key].as_f64().expect("a number");
            assert!((0.0..=1.0).contains(&rate), "{key}: {info}");
        }
        for key in ["scoreLead", "scoreMean", "scoreSelfplay", "scoreStdev", "utility", "utilityLcb", "weight"] {
            assert!(info[key].is_f64(), "{key}: {info}");
        }
        let variation = info["pv"].as_array().expect("moves");
        // KataGo counts the moves after the first one.
        assert!((1..=3).contains(&variation.len()) && variation[0] == info["move"], "{info}");
        assert!(order > 0 || variation.len() == 3, "{info}");
        assert_eq!(info["pvVisits"].as_array().map(Vec::len), Some(variation.len()));
        assert_eq!(info["noResultValue"], json!(0.0), "superko is in force");
        assert_eq!((&info["order"], &info["edgeVisits"]), (&json!(order), &info["visits"]));
        assert_eq!((numbers(&info["ownership"]).len(), numbers(&info["ownershipStdev"]).len()), (81, 81));
        visits += info["visits"].as_u64().expect("a number");
    }
    assert!(visits >= 290 && infos.len() > 1, "{visits}");
    let root = &answer["rootInfo"];
    assert_eq!((&root["visits"], &root["currentPlayer"]), (&json!(300), &json!("W")));
    for hash in ["thisHash", "symHash"] {
        assert_eq!(root[hash].as_str().map(str::len), Some(32));
    }
    let policy = numbers(&answer["policy"]);
    assert_eq!(policy.len(), 82);
    let legal: Vec<f64> = policy.iter().copied().filter(|&share| share >= 0.0).collect();
    assert_eq!((legal.len(), (legal.iter().sum::<f64>() - 1.0).abs() < 1e-3), (79, true));
    // Rows come from the top: E5, C3 and G7.
    assert_eq!([policy[4 * 9 + 4], policy[6 * 9 + 2], policy[2 * 9 + 6]], [-1.0; 3]);
    let plain = client.ask(&query("bar", json!({})));
    assert_eq!(keys(&plain), ["id", "isDuringSearch", "moveInfos", "rootInfo", "turnNumber"]);
    assert_eq!(client.end(), (Vec::new(), Some(0)));
}

#[test]
fn the_side_of_the_numbers_can_be_chosen() {
    let mut client = Client::start(&["-override-config", "reportAnalysisWinratesAs=BLACK,maxTime=1000"]);
    // Black owns nearly all of the board, and White is to move.
    let stones: Vec<Value> = "CDEFG".chars().map(|column| json!(["B", format!("{column}5")])).collect();
    let mut ask = |side: Value| {
        let settings = if side.is_null() { json!({}) } else { json!({ "reportAnalysisWinratesAs": side }) };
        client.ask(&query(
            "a",
            json!({ "initialStones": stones, "initialPlayer": "W", "overrideSettings": settings,
                "includeOwnership": true, "maxVisits": 100 }),
        ))
    };
    let [usual, black, white, mover] = [json!(null), json!("BLACK"), json!("WHITE"), json!("SIDETOMOVE")].map(&mut ask);
    assert_eq!([json!("b"), json!("W")].map(&mut ask), [black.clone(), white.clone()], "KataGo's short forms");
    assert_eq!((&usual, &white), (&black, &mover), "one thread and a seed give one answer");
    let rate = |answer: &Value, key: &str| answer["rootInfo"][key].as_f64().expect("a number");
    assert!(rate(&black, "winrate") > 0.6 && rate(&black, "scoreLead") > 5.0, "{black}");
    assert!((rate(&black, "winrate") + rate(&white, "winrate") - 1.0).abs() < 1e-5);
    assert!((rate(&black, "scoreLead") + rate(&white, "scoreLead")).abs() < 1e-2);
    assert!(numbers(&black["ownership"])[4 * 9 + 4] > 0.5 && numbers(&white["ownership"])[4 * 9 + 4] < -0.5);
    assert_eq!(black["rootInfo"]["currentPlayer"], "W");
}

#[test]
fn each_turn_is_answered_and_komi_counts() {
    let mut client = Client::start(&[]);
    let game = json!([["B", "E5"], ["W", "C3"], ["B", "pass"], ["W", "pass"]]);
    client.send(&query("a", json!({ "moves": game, "analyzeTurns": [0, 4, 2, 2] })));
    let turns: Vec<_> = (0..3).map(|_| client.next()["turnNumber"].as_u64()).collect();
    assert_eq!(turns, [Some(0), Some(2), Some(4)]);
    let mut lead = |fields: Value| {
        let side = json!({ "overrideSettings": { "reportAnalysisWinratesAs": "BLACK" }, "maxVisits": 200 });
        let mut asked = query("b", side);
        asked.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
        client.ask(&asked)["rootInfo"]["scoreLead"].as_f64().expect("a number")
    };
    assert!(lead(json!({ "komi": 50 })) < -30.0 && lead(json!({ "komi": -50.5 })) > 30.0);
    // Rules as an object, and as the text of one.
    let rules = json!({ "ko": "POSITIONAL", "score": "TERRITORY", "tax": "SEKI", "suicide": false });
    for rules in [rules.clone(), json!(rules.to_string()), json!("japanese"), json!("koSIMPLEscoreAREA")] {
        assert!(client.ask(&query("c", json!({ "rules": rules })))["rootInfo"].is_object(), "{rules}");
    }
    let largest = client.ask(&query("d", json!({ "boardXSize": 25, "boardYSize": 25, "maxVisits": 8 })));
    assert_eq!(largest["rootInfo"]["visits"], 8);
}

#[test]
fn moves_can_be_forbidden_or_be_the_only_ones() {
    let mut client = Client::start(&[]);
    let mut moves_of = |field: &str, places: Value, player: &str, depth: u64| {
        let entry = json!([{ "player": player, "moves": places, "untilDepth": depth }]);
        let answer = client.ask(&query("a", json!({ field: entry, "maxVisits": 150, "includePolicy": true })));
        let policy = numbers(&answer["policy"]);
        assert!((policy.iter().sum::<f64>() - 1.0).abs() < 1e-3, "the policy knows all moves");
        let replies: Vec<String> = answer["moveInfos"]
            .as_array()
            .expect("moves")
            .iter()
            .filter_map(|m| m["pv"][1].as_str().map(str::to_owned))
            .collect();
        (moves(&answer).iter().map(|&m| m.to_owned()).collect::<Vec<_>>(), replies)
    };
    let free = moves_of("avoidMoves", json!([]), "B", 1).0;
    let best = free[0].clone();
    assert!(!moves_of("avoidMoves", json!([best]), "B", 1).0.contains(&best));
    assert_eq!(moves_of("avoidMoves", json!([best]), "W", 1).0, free, "the other side's moves");
    let mut two = moves_of("allowMoves", json!(["C3", "pass"]), "B", 1).0;
    two.sort();
    assert!(two == ["C3", "pass"] || two == ["C3"], "{two:?}");
    let (first, replies) = moves_of("allowMoves", json!(["E5"]), "W", 2);
    assert!(first.len() > 1 && !replies.is_empty() && replies.iter().all(|reply| reply == "E5"), "{replies:?}");
}

#[test]
fn the_highest_priority_comes_first_and_terminated_queries_are_answered() {
    let mut client = Client::start(&[]);
    let endless = json!({ "maxVisits": 1_u64 << 50, "reportDuringSearchEvery": 0.01 });
    client.send(&query("hold", endless.clone()));
    let first = client.next();
    assert_eq!((&first["id"], &first["isDuringSearch"]), (&json!("hold"), &json!(true)));
    let game = json!([["B", "E5"], ["W", "C3"]]);
    client.send(&query("low", json!({ "priority": -1 })));
    client.send(&query("old", json!({})));
    client.send(&query("game", json!({ "moves": game, "analyzeTurns": [0, 1, 2], "priorities": [0, 9, 5] })));
    client.send(&query("gone", json!({ "moves": game, "analyzeTurns": [0, 1, 2] })));
    client.send(&json!({ "id": "t1", "action": "terminate", "terminateId": "gone", "turnNumbers": [0, 2] }));
    client.send(&json!({ "id": "t2", "action": "terminate", "terminateId": "hold" }));
    client.send(&json!({ "id": "t3", "action": "terminate", "terminateId": "nobody" }));
    let mut found = Vec::new();
    while found.len() < 12 {
        let answer = client.next();
        if answer["isDuringSearch"] == true {
            continue;
        }
        let has_results = answer.get("moveInfos").is_some();
        assert_eq!(answer["noResults"] == true, !has_results && answer.get("action").is_none());
        found.push(format!("{}{}", answer["id"].as_str().expect("an id"), answer["turnNumber"]));
    }
    let place = |text: &str| found.iter().position(|f| f == text).unwrap_or_else(|| panic!("{text} in {found:?}"));
    for pair in ["gone0", "gone2", "t1null", "t2null"].windows(2) {
        assert!(place(pair[0]) < place(pair[1]), "{found:?}");
    }
    for pair in ["hold0", "game1", "game2", "old0", "game0", "gone1", "low0"].windows(2) {
        assert!(place(pair[0]) < place(pair[1]), "{found:?}");
    }
    place("t3null");
    // All at once, running or not.
    client.send(&query("hold", endless));
    client.next();
    client.send(&query("more", json!({})));
    client.send(&json!({ "id": "all", "action": "terminate_all" }));
    let mut open = vec!["hold", "more", "all"];
    while !open.is_empty() {
        let answer = client.next();
        if answer["isDuringSearch"] != true {
            open.retain(|id| answer["id"] != *id);
        }
    }
    assert_eq!(client.end(), (Vec::new(), Some(0)));
}

#[test]
fn reports_come_on_the_way_and_the_last_answer_ends_them() {
    let mut client = Client::start(&[]);
    let fields = json!({ "maxVisits": 1_u64 << 50, "firstReportDuringSearchAfter": 0.001,
        "reportDuringSearchEvery": 0.02, "includeOwnership": true });
    client.send(&query("a", fields));
    let visits: Vec<u64> = (0..4)
        .map(|_| {
            let report = client.next();
            assert_eq!((&report["isDuringSearch"], numbers(&report["ownership"]).len()), (&json!(true), 81));
            report["rootInfo"]["visits"].as_u64().expect("a number")
        })
        .collect();
    assert!(visits.is_sorted() && visits[0] > 0 && visits[3] > visits[0], "{visits:?}");
    client.send(&json!({ "id": "t", "action": "terminate_all", "turnNumbers": [0] }));
    let last = std::iter::repeat_with(|| client.next()).find(|answer| answer["isDuringSearch"] == false);
    assert!(last.expect("it comes")["rootInfo"]["visits"].as_u64() >= visits.last().copied());
    // maxTime ends a search, too.
    let timed = client.ask(&query("b", json!({ "maxVisits": 1_u64 << 50, "overrideSettings": { "maxTime": 0.05 } })));
    let timed = if timed["id"] == "t" { client.next() } else { timed };
    assert_eq!((&timed["id"], &timed["isDuringSearch"]), (&json!("b"), &json!(false)));
}

#[test]
fn wide_root_noise_spreads_the_visits() {
    let mut client = Client::start(&[]);
    let mut spread = |noise: f64| {
        let settings = json!({ "wideRootNoise": noise });
        let fields = json!({ "maxVisits": 400, "moves": [["B", "E5"], ["W", "C3"]], "overrideSettings": settings });
        let answer = client.ask(&query("a", fields));
        let infos = answer["moveInfos"].as_array().expect("moves");
        let most = infos.iter().map(|info| info["visits"].as_u64().expect("visits")).max().expect("a move");
        (infos.len(), most)
    };
    let (few, narrow) = spread(0.0);
    assert_eq!(spread(0.0), (few, narrow), "the same query has the same answer");
    let (some, less) = spread(0.2);
    assert_eq!(spread(0.2), (some, less), "noise comes from the seed");
    assert!(some > few && less < narrow, "{few} {narrow}, with noise {some} {less}");
    let (many, least) = spread(2.0);
    assert!(many >= some && least < less, "{some} {less}, with more noise {many} {least}");
}

#[test]
fn a_query_that_lets_the_net_evaluate_alone_is_answered_as_by_an_engine_that_does() {
    let answer = |flags: &[&str], settings: Value| {
        let mut client = Client::start(&[&["--net", "shipped"], flags].concat());
        let fields = json!({ "maxVisits": 200, "moves": [["B", "E5"], ["W", "C3"]], "overrideSettings": settings });
        client.ask(&query("a", fields))
    };
    let beside = answer(&["--set", "second_share=0.35"], json!({}));
    let alone = answer(&["--set", "second_share=1"], json!({}));
    assert_eq!(answer(&[], json!({})), alone, "the usual search on a small board");
    assert_eq!(answer(&["--set", "second_share=0.35"], json!({ "second_share": 1 })), alone);
    assert_eq!(answer(&["--set", "second_share=1"], json!({ "second_share": 0.35 })), beside);
    assert_ne!(beside, alone);
    let ahead = |flags: &[&str]| {
        let mut client = Client::start(&[&["--net", "shipped"], flags].concat());
        let fields = json!({ "maxVisits": 200, "moves": [["B", "E5"], ["W", "C3"]], "komi": -20 });
        client.ask(&query("a", fields))["rootInfo"]["winrate"].as_f64().expect("a number")
    };
    for flags in [&["--set", "second_share=0.35"], &["--set", "second_share=1"]] {
        assert!(ahead(flags) > 0.8, "Black, to move, is twenty points ahead: {} {flags:?}", ahead(flags));
    }
}

#[test]
fn actions_are_answered_by_what_they_were_with_more() {
    let mut client = Client::start(&[]);
    let version = client.ask(&json!({ "id": "v", "action": "query_version", "mine": [1] }));
    assert_eq!(keys(&version), ["action", "git_hash", "id", "kosumi", "mine", "version"]);
    let parts: Vec<u32> =
        version["version"].as_str().expect("a text").split('.').map(|part| part.parse().expect("a number")).collect();
    // From 1.12 on, clients send firstReportDuringSearchAfter.
    assert!(parts >= vec![1, 12, 0]);
    assert_eq!(client.ask(&json!({ "id": "m", "action": "query_models" }))["models"], json!([]));
    let clear = json!({ "id": "c", "action": "clear_cache" });
    assert_eq!(client.ask(&clear), clear);
}

#[test]
fn wrong_queries_are_refused_by_their_field_and_the_engine_goes_on() {
    let mut client = Client::start(&[]);
    let without = |field: &str| {
        let mut query = query("e", json!({}));
        query.as_object_mut().expect("an object").remove(field);
        query
    };
    let avoid = |entry: Value| query("e", json!({ "avoidMoves": [entry] }));
    let with = |fields: Value| query("e", fields);
    let wrong = [
        (without("boardXSize"), "boardXSize", "Must provide an integer from 2 to 25"),
        (without("moves"), "moves", "Must specify an array of [player,location] pairs"),
        (without("rules"), "rules", "Must specify rules string, such as"),
        (with(json!({ "boardXSize": 26 })), "boardXSize", "Must provide an integer"),
        (with(json!({ "boardYSize": "9" })), "boardYSize", "Must provide an integer"),
        (with(json!({ "boardYSize": 1 })), "boardYSize", "Must provide an integer from 2 to 25"),
        (with(json!({ "initialStones": [["B", "pass"]] })), "initialStones", "Could not parse board location: pass"),
        (with(json!({ "initialStones": [["B", "A1"], ["W", "A2"], ["W", "B1"]] })), "initialStones", "Illegal stones"),
        (with(json!({ "moves": [["B", "E5"], ["W", "E5"]] })), "moves", "Illegal move 1: E5"),
        (with(json!({ "moves": [["B"]] })), "moves", "Must be an array of pairs"),
        (with(json!({ "moves": [["red", "E5"]] })), "moves", "Could not parse player: red"),
        (with(json!({ "moves": [["B", "K5"]] })), "moves", "Could not parse board location: K5"),
        (with(json!({ "initialPlayer": 1 })), "initialPlayer", "Must be \"b\" or \"w\""),
        (with(json!({ "analyzeTurns": [1] })), "analyzeTurns", "Invalid turn number: 1"),
        (with(json!({ "analyzeTurns": "all" })), "analyzeTurns", "Must specify an array of integers"),
        (with(json!({ "priorities": [1] })), "priorities", "Can only specify when also specifying analyzeTurns"),
        (with(json!({ "analyzeTurns": [0], "priorities": [] })), "priorities", "Must be of matching length"),
        (with(json!({ "analyzeTurns": [0], "priorities": [1], "priority": 1 })), "priority", "Cannot specify both"),
        (with(json!({ "priority": 1.5 })), "priority", "Must be a number between -2^62 and 2^62"),
        (with(json!({ "rules": "mine" })), "rules", "Could not parse rules: mine"),
        (with(json!({ "rules": { "kos": 1 } })), "rules", "Could not parse rules: {"),
        (with(json!({ "komi": 7.25 })), "komi", "Must be a integer or half-integer from -400.0 to 400.0"),
        (with(json!({ "komi": 401 })), "komi", "Must be a integer"),
        (with(json!({ "whiteHandicapBonus": 1 })), "whiteHandicapBonus", "Must be a string"),
        (with(json!({ "whiteHandicapBonus": "2N" })), "whiteHandicapBonus", "whiteHandicapBonus must be one of"),
        (with(json!({ "overrideSettings": [] })), "overrideSettings", "Must be an object"),
        (with(json!({ "overrideSettings": { "maxVisits": -1 } })), "overrideSettings", "Could not set settings: "),
        (with(json!({ "maxVisits": 0 })), "maxVisits", "Must be an integer from 1 to 2^50"),
        (with(json!({ "rootPolicyTemperature": 0 })), "rootPolicyTemperature", "Must be a number from 0.01"),
        (with(json!({ "includeOwnership": 1 })), "includeOwnership", "Must be a boolean"),
        (with(json!({ "reportDuringSearchEvery": 0 })), "reportDuringSearchEvery", "Must be number of seconds"),
        (avoid(json!({ "player": "B", "moves": [] })), "avoidMoves", "Must be a list of dicts"),
        (avoid(json!({ "player": "B", "moves": ["Z9"], "untilDepth": 1 })), "moves", "Could not parse board location"),
        (avoid(json!({ "player": "B", "moves": [], "untilDepth": 0 })), "untilDepth", "Must be a positive integer"),
        (with(json!({ "allowMoves": [], "avoidMoves": [] })), "allowMoves", "Cannot specify both"),
        (
            with(json!({ "allowMoves": [{}, {}, {}] })),
            "allowMoves",
            "Currently allowMoves only allows at most one entry per player",
        ),
        (json!({ "id": "e", "action": "terminate" }), "terminateId", "Requests for a terminate action must have"),
        (json!({ "id": "e", "action": "terminate_all", "turnNumbers": 1 }), "turnNumbers", "If provided, must be"),
    ];
    for (query, field, message) in wrong {
        let answer = client.ask(&query);
        assert_eq!((keys(&answer).join(" "), &answer["id"]), ("error field id".into(), &json!("e")), "{query}");
        assert_eq!(answer["field"], field, "{query}");
        assert!(answer["error"].as_str().is_some_and(|error| error.starts_with(message)), "{query}: {answer}");
    }
    let general: [(&[u8], &str); 7] = [
        (b"{\"id\":", "could not parse input line as json request"),
        (b"\xff\xfe{}", "could not parse input line as json request"),
        (b"[1]", "Request line was valid json but was not an object, ignoring: [1]"),
        (b"{}", "Request must have a string \"id\" field"),
        (b"{\"id\":1}", "Request must have a string \"id\" field"),
        (b"{\"id\":\"a\",\"komi\":1e999}", "could not parse input line as json request"),
        (b"{\"id\":\"a\",\"action\":\"dance\"}", "'action' field must be 'query_version'"),
    ];
    for (line, message) in general {
        client.send_bytes(line);
        let answer = client.next();
        assert!(answer["error"].as_str().is_some_and(|error| error.contains(message)), "{answer}");
    }
    client.send_bytes(&b"[".repeat(100_000));
    assert!(client.next()["error"].is_string());
    client.send_bytes(b"  \r");
    let warned = client.ask(&with(json!({ "overrideSettings": { "cpuctExploration": 0.9, "maxTime": "9" } })));
    assert_eq!(
        warned,
        json!({ "id": "e", "field": "overrideSettings", "warning": "Unknown config params: cpuctExploration" })
    );
    assert_eq!(client.next()["rootInfo"]["visits"], 20);
    assert_eq!(client.end(), (Vec::new(), Some(0)));
}

#[test]
fn two_hundred_mixed_queries_are_each_answered_or_refused() {
    // Two workers, and lines of garbage among the queries.
    let mut client = Client::start(&["--threads", "2", "-analysis-threads", "12"]);
    let mut open: BTreeMap<String, usize> = BTreeMap::new();
    let mut garbage = 0;
    for number in 0..200 {
        let (id, size) = (format!("q{number}"), [9, 5, 13, 2, 19][number % 5]);
        let game = json!([["B", "A1"], ["W", "B2"], ["B", "pass"]]);
        let fields = match number % 10 {
            3 => json!({ "moves": [["B", "A1"], ["W", "A1"]] }),
            7 => json!({ "komi": "much" }),
            4 => json!({ "moves": game, "analyzeTurns": [3, 1], "priorities": [1, -1], "includeMovesOwnership": true }),
            _ => json!({ "moves": game, "priority": number % 3, "includeOwnership": true, "includePolicy": true }),
        };
        let size_and_visits = json!({ "boardXSize": size, "boardYSize": size, "maxVisits": 10 + number % 7 });
        let mut asked = query(&id, fields);
        asked.as_object_mut().expect("an object").extend(size_and_visits.as_object().expect("an object").clone());
        client.send(&asked);
        open.insert(id, if number % 10 == 4 { 2 } else { 1 });
        if number % 20 == 0 {
            client.send_bytes(&asked.to_string().as_bytes()[..40]);
            garbage += 1;
        }
    }
    let (answers, code) = client.end();
    let mut refused = 0;
    for answer in &answers {
        let Some(id) = answer["id"].as_str() else {
            assert!(answer["error"].is_string(), "{answer}");
            garbage -= 1;
            continue;
        };
        assert_eq!(answer.get("error").is_some(), answer.get("rootInfo").is_none(), "{answer}");
        refused += usize::from(answer.get("error").is_some());
        *open.get_mut(id).unwrap_or_else(|| panic!("nobody asked {id}")) -= 1;
    }
    assert!(open.values().all(|&left| left == 0), "{open:?}");
    assert_eq!((garbage, refused, code), (0, 40, Some(0)));
}

/// The form of KaTrain's queries, by its source (`katrain/core/engine.py`): the whole game at each move, its last turn,
/// then the alternatives to a move and a move that may be illegal.
#[test]
fn a_game_of_katrain_is_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (model, config) = (folder.path().join("net.bin.gz"), folder.path().join("analysis.cfg"));
    std::fs::write(&model, "no net").expect("a file");
    std::fs::write(&config, "logToStderr = true\nmaxVisits = 500\nnumSearchThreads = 8\n").expect("a file");
    let paths = [model.to_str().expect("a name"), config.to_str().expect("a name")];
    let mut client = Client::start(&["-model", paths[0], "-config", paths[1], "-analysis-threads", "12"]);
    let mut numbers_of_queries = 0;
    let mut ask = |client: &mut Client, moves: &[Value], fields: Value| {
        numbers_of_queries += 1;
        let mut query = json!({
            "id": format!("QUERY:{numbers_of_queries}"), "rules": "japanese", "priority": numbers_of_queries % 3,
            "analyzeTurns": [moves.len()], "maxVisits": 60, "komi": 6.5, "boardXSize": 9, "boardYSize": 9,
            "includeOwnership": true, "includeMovesOwnership": true, "includePolicy": true, "initialStones": [],
            "initialPlayer": "B", "moves": moves,
            "overrideSettings": { "reportAnalysisWinratesAs": "BLACK", "maxTime": 8.0, "wideRootNoise": 0.04 },
        });
        query.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
        client.send(&query);
        // KaTrain logs warnings and goes on.
        std::iter::repeat_with(|| client.next()).find(|answer| answer.get("warning").is_none()).expect("an answer")
    };
    let mut game: Vec<Value> = Vec::new();
    let mut last = json!(null);
    for number in 0..12 {
        let answer = ask(&mut client, &game, json!({}));
        // What KaTrain takes from an answer.
        let root = &answer["rootInfo"];
        assert!(["winrate", "scoreLead", "visits"].iter().all(|key| root[*key].is_number()), "{answer}");
        assert_eq!((numbers(&answer["ownership"]).len(), numbers(&answer["policy"]).len()), (81, 82));
        for info in answer["moveInfos"].as_array().expect("moves") {
            let wanted = ["order", "prior", "scoreLead", "visits", "winrate"];
            assert!(info["pv"].is_array() && wanted.iter().all(|key| info[*key].is_number()), "{info}");
            assert_eq!(numbers(&info["ownership"]).len(), 81);
        }
        game.push(json!([if number % 2 == 0 { "B" } else { "W" }, answer["moveInfos"][0]["move"]]));
        last = answer;
    }
    // The alternatives to the moves that are known, and more visits.
    let known = moves(&last);
    let avoid = json!([{ "moves": known, "player": "W", "untilDepth": 1 }]);
    let others = ask(&mut client, &game[..11], json!({ "avoidMoves": avoid, "maxVisits": 120 }));
    assert!(moves(&others).iter().all(|other| !known.contains(other)), "{others}");
    // A move that cannot be made: KaTrain looks for "Illegal move" in the error.
    let again = [game.as_slice(), &[json!(["B", game[0][1]])]].concat();
    let refused = ask(&mut client, &again, json!({ "includeOwnership": false, "includePolicy": false }));
    assert!(refused["error"].as_str().is_some_and(|error| error.contains("Illegal move")), "{refused}");
    // A new game: all that is open is terminated, by queries with ids of their own.
    let id = json!({ "id": "QUERY:99", "action": "terminate", "terminateId": "QUERY:1" });
    assert_eq!(client.ask(&id), id);
    assert_eq!(client.end(), (Vec::new(), Some(0)));
}

/// Ogatak asks for the version, tries a size that no usual KataGo has, and then has one query at a time (its source,
/// `src/modules/engine.js`, commit `01a8bac`).
#[test]
fn a_session_of_ogatak_is_replayed() {
    let mut client = Client::start(&["-config", "/nowhere.cfg", "-model", "/nowhere.bin.gz", "-quit-without-waiting"]);
    let version = client.ask(&json!({ "id": "query_version", "action": "query_version" }));
    assert_eq!(version["action"], "query_version");
    let size_29 = json!({ "id": "test_bs29", "rules": "Chinese", "boardXSize": 29, "boardYSize": 29, "maxVisits": 1,
        "moves": [] });
    let refused = client.ask(&size_29);
    assert!(refused["id"] == "test_bs29" && refused["error"].is_string(), "{refused}");
    for number in 0..3 {
        let id = format!("node_{number}");
        let moves: Vec<Value> = [["B", "E5"], ["W", "C3"], ["B", "G3"]][..number].iter().map(|mv| json!(mv)).collect();
        client.send(&query(
            &id,
            json!({ "komi": 7.5, "rules": "Chinese", "moves": moves, "initialStones": [], "maxVisits": 1_000_000_000,
                "reportDuringSearchEvery": 0.1, "firstReportDuringSearchAfter": 0.05, "includePolicy": true,
                "includeOwnership": true, "includeMovesOwnership": false,
                "overrideSettings": { "reportAnalysisWinratesAs": "BLACK", "wideRootNoise": 0.0 } }),
        ));
        assert_eq!((client.next()["isDuringSearch"].clone(), number), (json!(true), number));
        client.send(&json!({ "id": format!("stop!{id}"), "action": "terminate", "terminateId": id }));
        // The next query waits for the end of this one.
        let last = std::iter::repeat_with(|| client.next()).find(|answer| answer["isDuringSearch"] == false);
        assert!(last.is_some_and(|answer| answer["id"] == *id && answer["moveInfos"].is_array()));
    }
}

#[test]
fn the_engine_ends_when_it_is_told_to_or_its_client_has_gone() {
    let mut client = Client::start(&["-quit-without-waiting"]);
    let endless = json!({ "maxVisits": 1_u64 << 50, "reportDuringSearchEvery": 0.01 });
    client.send(&query("a", endless));
    client.next();
    client.send(&query("b", json!({})));
    let (rest, code) = client.end();
    assert_eq!(code, Some(0));
    assert!(rest.iter().all(|answer| answer["id"] == "a"), "{rest:?}");
    // Nobody searches for ever for a client who has gone.
    let mut client = Client::start(&[]);
    let (_, nobody) = channel();
    // The reading thread ends, and closes the engine's output.
    client.lines = nobody;
    client.send(&query("a", json!({ "maxVisits": 1_u64 << 50, "reportDuringSearchEvery": 0.01 })));
    client.input = None;
    assert_eq!(client.engine.wait().expect("it ends").code(), Some(0));
}

#[test]
fn wrong_settings_end_the_program_before_it_starts() {
    for args in [["-override-config", "maxVisits=none"], ["-analysis-threads", "0"], ["--net", "/nowhere/at/all"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kosumi"));
        forget_settings(&mut command);
        let output =
            command.args(["analysis", "--no-config"]).args(args).stdin(Stdio::null()).output().expect("it starts");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}");
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn an_answer_does_not_depend_on_earlier_queries_and_a_net_says_more() {
    let mut options = AnalysisOptions::default();
    options.engine.search.memory = 32;
    let net = Net::from_bytes(&random::file(&random::description(1, 32), 1)).expect("a net");
    let net_name = net.description().name.clone();
    options.engine.nets = Nets::one(net);
    let asked = query("a", json!({ "includePolicy": true, "moves": [["B", "E5"]], "analyzeTurns": [0, 1] }));
    let models = json!({ "id": "m", "action": "query_models" });
    let clear = json!({ "id": "c", "action": "clear_cache" });
    let input = format!("{asked}\n{models}\n{clear}\n{asked}\n");
    let mut output = Vec::new();
    analysis::run(&options, input.as_bytes(), &mut output, || {}).expect("memory and threads");
    let text = String::from_utf8(output).expect("it writes UTF-8");
    let mut by_turn: HashMap<u64, Vec<Value>> = HashMap::new();
    for line in text.lines() {
        let answer: Value = serde_json::from_str(line).expect("JSON");
        if let Some(turn) = answer["turnNumber"].as_u64() {
            let root = &answer["rootInfo"];
            for key in ["rawWinrate", "rawLead", "rawScoreSelfplayStdev"] {
                assert!(root[key].is_f64(), "{key}: {answer}");
            }
            by_turn.entry(turn).or_default().push(answer);
        } else if answer["id"] == "m" {
            assert_eq!(answer["models"][0]["name"], json!(net_name));
        }
    }
    for (turn, answers) in &by_turn {
        assert!(answers.len() == 2 && answers[0] == answers[1], "{turn}");
        assert_eq!(numbers(&answers[0]["policy"]).iter().filter(|&&share| share < 0.0).count() as u64, *turn);
    }
    assert_eq!(by_turn.len(), 2);
}
