//! Live analysis as clients see it: lines that they can read, the first of them soon, and an end at any line of input.

use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::support::lines::{self, InfoLine, parse_info};
use crate::support::{Client, PATIENCE, program, wait};

/// An interval of an hour between lines, in hundredths of a second: what comes at all, while the client has patience,
/// has not waited for it.
const HOUR: &str = "360000";

/// Reads a line of analysis.
#[track_caller]
fn info(line: &str, size: usize, is_katago: bool) -> InfoLine {
    parse_info(line, size, is_katago).unwrap()
}

/// All visits of a line.
fn visits(line: &InfoLine) -> u32 {
    line.moves.iter().map(|m| m.visits).sum()
}

/// Starts an analysis, reads lines until one has so many visits, ends it, and gives what was read. How many lines those
/// are depends on the machine.
#[track_caller]
fn analyze(client: &mut Client, command: &str, size: usize, wanted: u32) -> Vec<InfoLine> {
    client.send(format!("{command}\n"));
    assert_eq!(client.line(), "=", "{command}");
    let is_katago = command.starts_with("kata");
    let mut found: Vec<InfoLine> = Vec::new();
    while found.last().is_none_or(|line| visits(line) < wanted) {
        found.push(info(&client.line(), size, is_katago));
    }
    client.send("\n");
    found.extend(client.lines().iter().map(|line| info(line, size, is_katago)));
    found
}

/// Streams analysis on all sizes twice, or as long as KOSUMI_ANALYSIS_SECONDS says, and reads every line by the
/// clients' rules.
#[test]
fn every_line_can_be_read_by_clients() {
    let seconds = std::env::var("KOSUMI_ANALYSIS_SECONDS").ok();
    let seconds = seconds.map(|text| text.parse().expect("KOSUMI_ANALYSIS_SECONDS is a number of seconds"));
    let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seconds.unwrap_or_default());
    let mut client = Client::start(&["--memory", "64"]);
    let (mut count, mut positions, mut rounds) = (0, 0, 0);
    while rounds < 2 || end.is_some_and(|end| Instant::now() < end) {
        rounds += 1;
        for size in 2..=25 {
            client.ok(&format!("boardsize {size}"));
            client.ok(["komi 7.5", "komi 0", "komi -20.5"][rounds % 3]);
            let mut color = 0;
            // A position further on in every round.
            for turn in 0..2 + rounds % 17 {
                color = 1 - color;
                let name = ["W", "black"][color];
                let (command, is_katago) = match rng.random_range(0..6) {
                    // One line a second: the test waits for the first one only, which comes at once.
                    0 => ("lz-analyze".to_owned(), false),
                    1 => ("lz-analyze 1".to_owned(), false),
                    2 => (format!("lz-analyze {name} 1 maxmoves 5"), false),
                    3 => (format!("kata-analyze {name} 1 ownership true"), true),
                    4 => ("kata-analyze 1 ownership true".to_owned(), true),
                    _ => (format!("kata-analyze {name} interval 1 minmoves 3"), true),
                };
                client.send(format!("{turn} {command}\n"));
                assert_eq!(client.line(), format!("={turn}"));
                let awaited = rng.random_range(1..3);
                for _ in 0..if command == "lz-analyze" { 1 } else { awaited } {
                    info(&client.line(), size, is_katago);
                    count += 1;
                }
                let (stop, answers) =
                    [("protocol_version\n", 1), ("\n", 0), ("99 name\n", 1), ("known_command x\n", 1)]
                        [rng.random_range(0..4)];
                client.send(stop);
                for line in client.lines() {
                    info(&line, size, is_katago);
                    count += 1;
                }
                for _ in 0..answers {
                    assert!(client.answer().ok);
                }
                // A move that the analysis has looked at, or anything else that is legal.
                client.send(format!("lz-analyze {name}\n1 name\n"));
                let last = client.lines();
                client.answer();
                let choices = info(&last[1], size, false).moves;
                let vertex = &choices[rng.random_range(0..choices.len())].vertex;
                client.ok(&format!("play {name} {vertex}"));
                count += 1;
                positions += 1;
            }
        }
    }
    client.quit();
    println!("{count} lines of analysis in {rounds} rounds over all sizes, every one well formed");
    // Each of the two analyses of a position has a line at once, however busy the machine is.
    assert!(count >= 2 * positions, "only {count} lines about {positions} positions");
}

#[test]
fn an_analysis_begins_and_ends_at_once() {
    for size in ["2", "9", "19", "25"] {
        let mut client = Client::start(&["--size", size]);
        client.ok("name");
        for end in ["\n", "# a comment\n", "no_such_command\n", "name\n"] {
            client.send(format!("kata-analyze b {HOUR}\n"));
            assert_eq!(client.line(), "=");
            info(&client.line(), size.parse().unwrap(), true);
            client.send(end);
            assert_eq!(client.line(), "", "{end:?} ends it");
            if !end.starts_with(['\n', '#']) {
                assert_eq!(client.answer().ok, end == "name\n");
            }
        }
        client.quit();
    }
}

#[test]
fn the_end_of_input_and_of_the_reader_end_an_analysis() {
    let mut client = Client::start(&[]);
    client.send(format!("lz-analyze {HOUR}\n"));
    client.line();
    client.line();
    client.close();
    assert_eq!(client.line(), "");
    assert!(client.exit_within(PATIENCE).success());

    let mut client = Client::start(&[]);
    client.send(format!("lz-analyze {HOUR}\n"));
    client.line();
    client.line();
    client.send("quit\n");
    assert_eq!((client.line().as_str(), client.line().as_str(), client.line().as_str()), ("", "=", ""));
    assert!(client.exit_within(PATIENCE).success());

    let mut child = program(&["--size", "9"]).spawn().expect("the program starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let _ = std::io::Write::write_all(&mut stdin, b"lz-analyze 1\n");
    // Its input is still open: what ends it is that nobody reads.
    assert!(wait(&mut child, PATIENCE).success());
}

#[test]
fn an_analysis_goes_on_where_the_last_one_ended() {
    let mut client = Client::start(&["--size", "9"]);
    // The first line comes with the first visits, so this one shows that the search goes on.
    let before = analyze(&mut client, "lz-analyze b 1", 9, 500);
    let last = before.last().unwrap();
    // The same position again, and the one after the best move.
    let again = analyze(&mut client, "lz-analyze b 1", 9, 1);
    assert!(visits(&again[0]) >= visits(last), "{} after {}", visits(&again[0]), visits(last));
    let best = &again.last().unwrap().moves[0];
    client.ok(&format!("play b {}", best.vertex));
    let after = analyze(&mut client, "lz-analyze w 1", 9, 1);
    assert!(visits(&after[0]) * 2 > best.visits, "{} of {}", visits(&after[0]), best.visits);
    client.quit();
}

#[test]
fn wide_root_noise_shows_more_moves_and_leaves_moves_of_the_engine_alone() {
    let mut client = Client::start(&["--size", "9", "--playouts", "300"]);
    let tried = |client: &mut Client| analyze(client, "lz-analyze b 1", 9, 3000).last().unwrap().moves.len();
    client.ok("play b e5");
    client.ok("play w c3");
    let plain = client.ok("reg_genmove b");
    let few = tried(&mut client);
    client.ok("kata-set-param analysisWideRootNoise 1");
    client.ok("clear_cache");
    let many = tried(&mut client);
    assert!(many > few, "{many} moves with noise, {few} without");
    let mut other = Client::start(&["--size", "9", "--playouts", "300"]);
    for line in ["kata-set-param analysisWideRootNoise 1", "play b e5", "play w c3"] {
        other.ok(line);
    }
    assert_eq!(other.ok("reg_genmove b"), plain);
    client.quit();
    other.quit();
}

/// Black has seven of nine columns from the left, safe with four walls, White has the others; or rows from the bottom.
fn walls(client: &mut Client, rows: bool) {
    client.ok("boardsize 9");
    for along in 1..=9 {
        let point = |across: usize| {
            let (column, row) = if rows { (along, across) } else { (across, along) };
            format!("{}{row}", char::from(b"ABCDEFGHJ"[column - 1]))
        };
        let black = [2, 4, 6, 7].map(|across| format!("b {}", point(across))).join(" ");
        client.ok(&format!("gogui-play_sequence {black} w {}", point(8)));
    }
}

#[test]
fn scores_and_owners_are_those_of_the_side_to_move_row_by_row_from_the_top() {
    let mut client = Client::start(&["--size", "9"]);
    for (rows, color, sign) in [(false, "b", 1.0), (false, "w", -1.0), (true, "b", 1.0), (true, "w", -1.0)] {
        walls(&mut client, rows);
        client.ok("komi 7");
        let lines = analyze(&mut client, &format!("kata-analyze {color} 1 ownership true"), 9, 200);
        let last = lines.last().unwrap();
        assert_eq!(last.ownership.len(), 81);
        for (i, owner) in last.ownership.iter().enumerate() {
            let is_black = if rows { i / 9 >= 2 } else { i % 9 < 7 };
            let black = if is_black { 1.0 } else { -1.0 };
            assert!(owner * sign * black > 0.5, "{color}: point {i} of {:?}", last.ownership);
        }
        // 63 points against 18, less 7.
        let lead = last.moves[0].lead.unwrap();
        assert!((lead * sign - 38.0).abs() < 8.0, "{color}: {lead}");
        let winrate = last.moves[0].winrate;
        assert!((winrate > 0.5) == (color == "b"), "{color}: {winrate}");
    }
    client.quit();
}

#[test]
fn moves_are_left_out_for_their_side_and_as_many_plies_as_asked_for() {
    let mut client = Client::start(&["--size", "5"]);
    let some = |line: &InfoLine| line.moves.iter().map(|m| m.vertex.clone()).collect::<Vec<_>>();
    let lines = analyze(&mut client, "lz-analyze b 1 allow b A1,A2,B1 1", 5, 200);
    let mut named = some(lines.last().unwrap());
    named.sort();
    assert_eq!(named, ["A1", "A2", "B1"]);
    // Best answers for both sides are in the middle; Black may not play there in the first three plies, White may.
    let lines = analyze(&mut client, "lz-analyze b 1 avoid b C3,B2,C2,D2,B3,D3,B4,C4,D4 3", 5, 1000);
    let middle = |vertex: &String| "BCD".contains(&vertex[..1]) && "234".contains(&vertex[1..]);
    let mut longer = 0;
    for m in lines.iter().flat_map(|line| &line.moves) {
        assert!(!middle(&m.vertex), "{m:?}");
        assert!(!m.pv.get(2).is_some_and(middle), "{m:?}");
        longer += usize::from(m.pv.get(1).is_some_and(middle));
    }
    assert!(longer > 0, "White answers in the middle");
    // Without the restriction the middle is back.
    let lines = analyze(&mut client, "lz-analyze b 1", 5, 1000);
    assert!(middle(&lines.last().unwrap().moves[0].vertex));
    // A search fills no own eye, unless it is asked about nothing else.
    client.ok("set_position b A2 b B1 b B2 w E5 w D5 w D4");
    let lines = analyze(&mut client, "lz-analyze b 1 allow b A1 1", 5, 20);
    assert_eq!(some(lines.last().unwrap()), ["A1"]);
    client.ok("clear_board");
    // What GoGui shows is about all moves, although the last search was not.
    analyze(&mut client, "kata-analyze b 1 allow b A1,A2,B1 1", 5, 200);
    let shown = client.ok("kosumi-best_moves b");
    assert!(shown.contains("C3"), "{shown}");
    client.quit();
}

#[test]
fn a_move_with_analysis_is_not_cut_short_by_input() {
    let args = ["--size", "9", "--playouts", "3000"];
    // A search may end early when the best move cannot be overtaken: at the same playout with input and without.
    let mut undisturbed = Client::start(&args);
    let alone = ["lz-genmove_analyze b 1", "kata-genmove_analyze w 1 ownership true"].map(|command| {
        undisturbed.send(format!("{command}\n"));
        let found = undisturbed.lines();
        visits(&info(&found[found.len() - 2], 9, command.starts_with("kata")))
    });
    undisturbed.quit();
    assert!(alone.iter().all(|&visits| visits >= 500), "no search ends before: {alone:?}");
    let mut client = Client::start(&args);
    client.send("1 lz-genmove_analyze b 1\n2 name\n\n3 kata-genmove_analyze w 1 ownership true\n4 showboard\n");
    for ((id, is_katago), alone) in [("=1", false), ("=3", true)].into_iter().zip(alone) {
        let mut found = client.lines();
        assert_eq!(found.remove(0), id);
        let mv = found.pop().unwrap();
        let vertex = mv.strip_prefix("play ").expect("the last line is the move");
        assert!(lines::is_vertex(vertex, 9), "{mv}");
        let last = info(found.last().expect("the state at the end comes before the move"), 9, is_katago);
        assert_eq!(visits(&last), alone);
        let next = client.answer();
        assert!(next.ok && (next.text == "Kosumi" || next.text.starts_with("Move 3, black")), "{next:?}");
    }
    client.quit();
}

#[test]
fn a_move_is_the_same_with_and_without_analysis() {
    let args = ["--size", "9", "--playouts", "500"];
    let mut plain = Client::start(&args);
    let mut watched = Client::start(&args);
    for i in 0..6 {
        let color = ["b", "w"][i % 2];
        let mv = plain.ok(&format!("genmove {color}"));
        watched.send(format!("lz-genmove_analyze {color} 1\n"));
        assert_eq!(watched.lines().pop().unwrap(), format!("play {mv}"), "move {}", i + 1);
    }
    plain.quit();
    watched.quit();
}

/// A genmove would take hours, see [`HOUR`].
const HOURS: &[&str] = &["--time-per-move", "86400", "--longest-move", "86400", "--size", "9"];

#[test]
fn a_search_that_may_be_cancelled_is_so_by_any_line() {
    let mut client = Client::start(HOURS);
    client.send("kata-search_analyze_cancellable b 1\n");
    assert_eq!(client.line(), "=");
    info(&client.line(), 9, true);
    client.send("\n");
    assert_eq!(client.lines().pop().unwrap(), "play cancelled");
    client.ok("time_settings 0 1 1");
    client.quit();
    let mut client = Client::start(&["--size", "9", "--playouts", "200"]);
    client.send("kata-search_analyze_cancellable b 1\n");
    let play = client.lines().pop().unwrap();
    assert!(play.starts_with("play ") && play != "play cancelled", "{play}");
    assert!(client.ok("showboard").starts_with("Move 1, black to play"), "nothing has been played");
    client.quit();
}
