//! Facts of the protocol, seen from outside: the built program, spoken to over its pipes.

use std::io::Read;
use std::thread;
use std::time::Duration;

use kosumi::gtp::input::BATCH;

use crate::support::engine as fixed;
use crate::support::wire::TimedSession;
use crate::support::{Client, PATIENCE, program, run, wait};

/// Texts of all answers to a script that is sent in one go; every command has to succeed.
#[track_caller]
fn texts(args: &[&str], script: &str) -> Vec<String> {
    let run = run(program(args), script);
    assert!(run.status.success(), "{}", run.status);
    assert_eq!(run.errors, "");
    run.answers.into_iter().map(|answer| answer.success()).collect()
}

/// Points of an answer, sorted.
fn sorted(points: &str) -> Vec<String> {
    let mut points: Vec<String> = points.split(' ').map(String::from).collect();
    points.sort();
    points
}

#[test]
fn nothing_is_said_unasked() {
    let silent = run(program(&[]), "");
    assert!(silent.status.success());
    assert!(silent.answers.is_empty());
    assert_eq!(silent.errors, "");
    let silent = run(program(&[]), "\n\r\n  \n\t\n# genmove b\n   # interrupt\n#\n\x01\x02\n");
    assert!(silent.answers.is_empty(), "blank lines and comments get no answer: {:?}", silent.answers);
}

#[test]
fn name_and_greeting_are_those_that_the_user_wants() {
    let run = run(program(&["--name", "KataGo (Kosumi)", "--gtp-ready"]), "name\n");
    assert_eq!(run.answers[0].text, "KataGo (Kosumi)");
    assert_eq!(run.errors, "GTP ready, beginning main protocol loop\n");
    for wrong in ["", "  ", "two\nlines"] {
        let mut refused = program(&["--name", wrong]);
        assert!(!refused.output().expect("it starts").status.success(), "{wrong:?}");
    }
}

#[test]
fn answers_come_in_order_with_their_numbers() {
    let ids: Vec<String> = (0..500).map(|i| format!("{:0width$}", i * 7919 % 1000, width = i % 5)).collect();
    let commands = ["name", "protocol_version", "no_such_command", "play b", "known_command quit"];
    let expected = ["Kosumi", "2", "unknown command", "syntax error", "true"];
    let lines = ids.iter().zip(commands.iter().cycle());
    let script: String = lines.map(|(id, command)| format!("{id} {command}\n")).collect();
    let run = run(program(&[]), script);
    assert_eq!(run.answers.len(), ids.len());
    for (i, answer) in run.answers.iter().enumerate() {
        assert_eq!((answer.id.as_str(), answer.text.as_str()), (ids[i].as_str(), expected[i % 5]));
        assert_eq!(answer.ok, ![2, 3].contains(&(i % 5)));
    }
}

#[test]
fn the_form_of_answers_is_exact_to_the_byte() {
    let mut child = program(&[]).spawn().expect("the program starts");
    std::io::Write::write_all(
        &mut child.stdin.take().unwrap(),
        b"name\n1 name\n2 boardsize 9\n3\n4 undo\nlist_commands\nquit\n",
    )
    .unwrap();
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert!(wait(&mut child, PATIENCE).success());
    let names: Vec<&str> = kosumi::gtp::commands::COMMANDS.iter().map(|command| command.name).collect();
    assert_eq!(
        output,
        format!(
            "= Kosumi\n\n=1 Kosumi\n\n=2\n\n?3 unknown command\n\n?4 cannot undo\n\n= {}\n\n=\n\n",
            names.join("\n")
        )
    );
}

#[test]
fn lines_are_cleaned_before_they_are_read() {
    for line in [
        "name\r\n",
        "na\rme\n",
        "\r\nname\r\n\r\n",
        "   name   \n",
        "\t\tname\t\n",
        "\x00n\x01a\x02m\x1be\x7f\n",
        "name#comment\n",
        "name # play b D4\n",
        "name",
    ] {
        let run = run(program(&[]), line);
        assert_eq!(run.answers.len(), 1, "{line:?}");
        assert_eq!(run.answers[0].text, "Kosumi", "{line:?}");
    }
    assert_eq!(texts(&["--size", "9"], "5\tplay\tb\tD4\r\n6 undo\n"), ["", ""]);
    // The last line counts without a line feed, and a command split by one is none.
    let run = run(program(&[]), "na\nme\nname");
    let texts: Vec<_> = run.answers.iter().map(|answer| answer.text.as_str()).collect();
    assert_eq!(texts, ["unknown command", "unknown command", "Kosumi"]);
}

#[test]
fn no_answer_holds_an_empty_line() {
    // The client looks at the form of each answer; these are the ones with several lines.
    let script = "boardsize 9\nplay b D4\nshowboard\nprintsgf\nlist_commands\nkosumi-param\nfinal_status_list alive\n";
    let answers = texts(&["--playouts", "100"], script);
    assert_eq!(answers.len(), 7);
    assert!(answers[2].lines().count() >= 12);
    assert_eq!(answers[6], "D4");
}

#[test]
fn quit_ends_the_program_and_nothing_after_it_is_read() {
    let run = run(program(&[]), "quit\nname\ngenmove b\n");
    assert!(run.status.success());
    assert_eq!(run.answers.len(), 1);
}

/// Clients that wait for an exit allow at least half a second; `docs/reliability.md` says how long it takes.
#[test]
fn quit_ends_a_running_search() {
    // The move would take hours.
    let mut client = Client::start(&["--time-per-move", "86400", "--longest-move", "86400", "--size", "9"]);
    client.ok("name");
    client.send("1 genmove b\n");
    // What is sent after this pause belongs to another batch.
    thread::sleep(Duration::from_millis(500).max(BATCH * 2));
    client.send("2 quit\n");
    assert_eq!(client.answer().id, "1");
    assert_eq!(client.answer().id, "2");
    let status = client.exit_within(PATIENCE);
    assert!(status.success(), "{status}");
}

#[test]
fn a_script_in_one_go_plays_as_it_does_line_by_line() {
    let script = ["boardsize 9", "genmove b", "genmove w", "play b pass", "genmove w", "final_score", "showboard"];
    let args = ["--playouts", "2000"];
    let at_once = texts(&args, &(script.join("\n") + "\nquit\n"));
    // Without `quit`, and without the last line feed.
    assert_eq!(texts(&args, &script.join("\n")), at_once[..script.len()]);
    let mut client = Client::start(&args);
    let one_by_one: Vec<String> = script.iter().map(|line| client.ok(line)).collect();
    client.quit();
    assert_eq!(one_by_one, at_once[..script.len()]);
}

#[test]
fn nobody_listening_is_no_fault() {
    let mut child = program(&["--size", "9", "--playouts", "10"]).spawn().expect("the program starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    // Writing fails once the program has ended: that is what it should do.
    let _ = std::io::Write::write_all(&mut stdin, b"name\nshowboard\ngenmove b\n");
    let status = wait(&mut child, PATIENCE);
    assert!(status.success(), "{status}");
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!(errors, "");
}

#[test]
fn komi_rules_and_time_outlive_the_board() {
    let mut client = Client::start(&["--playouts", "50"]);
    client.ok("komi 3.5");
    client.ok("kosumi-rules tromp-taylor");
    client.ok("time_settings 0 1 1");
    for size in [9, 13, 9] {
        client.ok(&format!("boardsize {size}"));
        client.ok("clear_board");
        assert_eq!(client.ok("get_komi"), "3.5");
        assert_eq!(client.ok("kosumi-rules"), "tromp-taylor");
    }
    client.quit();
    // Time settings show in the time that a move takes. Without them it would be hours.
    let mut session = TimedSession::start(fixed::hours());
    for command in ["time_settings 0 1 1", "boardsize 9", "clear_board", "komi 5"] {
        session.ok(command);
    }
    session.begin_move("b");
    session.time.advance(Duration::from_secs(1));
    session.end_of_move();
    session.end();
}

#[test]
fn a_loaded_game_begins_with_a_whole_clock() {
    let file = std::env::temp_dir().join(format!("kosumi-clock-{}.sgf", std::process::id()));
    std::fs::write(&file, "(;GM[1]SZ[9];B[ee];W[gc])").expect("a file");
    let load = format!("loadsgf {}", file.display());
    for command in [load.as_str(), "set_position b E5 w G7"] {
        let mut session = TimedSession::start(fixed::hours());
        for command in ["boardsize 9", "time_settings 0 1 1", "play b A1", "time_left b 100000 0", command] {
            session.ok(command);
        }
        session.begin_move("b");
        session.time.advance(Duration::from_secs(1));
        session.end_of_move();
        session.end();
    }
    std::fs::remove_file(&file).expect("the file");
}

#[test]
fn default_komi_follows_the_size_until_one_is_chosen() {
    let mut client = Client::start(&[]);
    client.ok("boardsize 9");
    assert_eq!(client.ok("get_komi"), "7");
    client.ok("boardsize 19");
    assert_eq!(client.ok("get_komi"), "7.5");
    client.ok("komi 0.5");
    client.ok("boardsize 9");
    assert_eq!(client.ok("get_komi"), "0.5");
    client.quit();
}

/// Points of the fixed handicap as the specification describes them, made from letters and numbers rather than from
/// the engine's tables: the table of 4.1.1 in the draft for 19×19, moved to the lines of other sizes.
fn specified(size: usize, stones: usize) -> Option<Vec<String>> {
    let most = match size {
        ..7 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    };
    if stones < 2 || stones > most {
        return None;
    }
    let line = if size < 13 { 3 } else { 4 };
    // Digits name lines: 1 the low one, 2 the middle, 3 the high one; column first.
    let table = [
        "11 33",
        "11 33 13",
        "11 33 13 31",
        "11 33 13 31 22",
        "11 33 13 31 12 32",
        "11 33 13 31 12 32 22",
        "11 33 13 31 12 32 21 23",
        "11 33 13 31 12 32 21 23 22",
    ];
    let number = |digit: u8| match digit {
        b'1' => line,
        b'2' => size.div_ceil(2),
        _ => size + 1 - line,
    };
    let point = |name: &str| {
        let letter = "ABCDEFGHJKLMNOPQRSTUVWXYZ".as_bytes()[number(name.as_bytes()[0]) - 1];
        format!("{}{}", char::from(letter), number(name.as_bytes()[1]))
    };
    Some(table[stones - 2].split(' ').map(point).collect())
}

#[test]
fn the_specified_handicaps_are_those_of_known_boards() {
    assert_eq!(specified(19, 3).unwrap(), ["D4", "Q16", "D16"]);
    assert_eq!(specified(19, 9).unwrap(), ["D4", "Q16", "D16", "Q4", "D10", "Q10", "K4", "K16", "K10"]);
    assert_eq!(specified(9, 5).unwrap(), ["C3", "G7", "C7", "G3", "E5"]);
    assert_eq!(specified(8, 5), None);
}

#[test]
fn fixed_handicap_is_as_specified_on_every_size() {
    let mut script = String::new();
    let mut expected = Vec::new();
    for size in 2..=25 {
        for stones in 0..=10 {
            script.push_str(&format!("boardsize {size}\nfixed_handicap {stones}\nlist_commands\n"));
            expected.push((size, stones, specified(size, stones)));
        }
    }
    let run = run(program(&[]), script);
    assert_eq!(run.answers.len(), 3 * expected.len());
    for (answers, (size, stones, expected)) in run.answers.chunks(3).zip(expected) {
        let answer = answers[1].clone();
        match expected {
            Some(points) => assert_eq!(answer.success(), points.join(" "), "{stones} stones on {size}"),
            None => assert_eq!(answer.failure(), "invalid number of stones", "{stones} stones on {size}"),
        }
    }
}

#[test]
fn free_handicap_is_exactly_as_many_points_as_asked_for() {
    let mut script = String::new();
    let mut wanted = Vec::new();
    for size in [2, 3, 5, 7, 8, 9, 13, 19, 25] {
        let points = size * size;
        for stones in [0, 1, 2, 3, 4, 5, 6, 9, 10, 13, points / 3, points - 1, points, points + 1] {
            script.push_str(&format!("boardsize {size}\nplace_free_handicap {stones}\nshowboard\n"));
            wanted.push((size, stones));
        }
    }
    let run = run(program(&[]), script);
    assert_eq!(run.answers.len(), 3 * wanted.len());
    for (answers, (size, stones)) in run.answers.chunks(3).zip(wanted) {
        let picture = answers[2].clone().success();
        let rows = picture.lines().skip(2).take(size);
        let letters = rows.map(|row| row[..3 + 2 * size].matches('X').count()).sum::<usize>();
        if stones < 2 || stones >= size * size {
            assert_eq!(answers[1].clone().failure(), "invalid number of stones");
            assert_eq!(letters, 0, "{stones} stones on {size}: refused, and yet placed");
            continue;
        }
        let mut points = sorted(&answers[1].clone().success());
        assert_eq!(points.len(), stones, "{stones} stones on {size}");
        points.dedup();
        assert_eq!(points.len(), stones, "{stones} stones on {size}: a point twice");
        assert!(!points.contains(&"pass".into()));
        assert_eq!(letters, stones, "{stones} stones on {size}:\n{picture}");
    }
}

#[test]
fn set_free_handicap_is_all_or_nothing() {
    let mut client = Client::start(&["--size", "9"]);
    let before = (client.ok("showboard"), client.ok("printsgf"));
    for list in ["", "D4", "D4 D4", "D4 E5 D4", "D4 pass", "D4 J10", "D4 Z25", "D4 I5", "D4 E5 x", "D4 E", "D4 5"] {
        assert_eq!(client.refused(&format!("set_free_handicap {list}")), "bad vertex list", "{list}");
        assert_eq!((client.ok("showboard"), client.ok("printsgf")), before, "{list}");
    }
    // A chain without liberties is no handicap either.
    client.ok("boardsize 2");
    assert_eq!(client.refused("set_free_handicap A1 A2 B1 B2"), "bad vertex list");
    client.ok("set_free_handicap a1 B2");
    assert_eq!(client.refused("undo"), "cannot undo");
    assert_eq!(client.refused("set_free_handicap A2 B1"), "board not empty");
    assert_eq!(client.ok("printsgf -"), client.ok("printsgf"), "no file of this name");
    // Sabaki passes before the stones where a node before theirs has a pass.
    client.ok("boardsize 9");
    client.ok("play b pass");
    client.ok("set_free_handicap C3 G7");
    assert_eq!(client.refused("undo"), "cannot undo");
    assert_eq!(client.refused("play b C3"), "illegal move");
    client.quit();
}

#[test]
fn undo_goes_back_through_captures_kos_and_passes() {
    let mut client = Client::start(&["--size", "5"]);
    let moves = [
        "b B3", "w C3", "b B2", "w C2", "b A1", "w pass", "b C1", "w D1", "b D2", "w E2", "b pass", "w A5", "b A4",
        "b B5", "w pass", "w pass", "b E5",
    ];
    let mut states = vec![(client.ok("showboard"), client.ok("printsgf"))];
    for mv in moves {
        client.ok(&format!("play {mv}"));
        states.push((client.ok("showboard"), client.ok("printsgf")));
    }
    states.pop();
    while let Some(state) = states.pop() {
        client.ok("undo");
        assert_eq!((client.ok("showboard"), client.ok("printsgf")), state);
    }
    assert_eq!(client.refused("undo"), "cannot undo");
    client.quit();
}

/// Long searches stay within the memory that they are given.
#[cfg(target_os = "linux")]
#[test]
fn memory_stays_bounded() {
    // With a node for each point at every playout, a tree of 16 MiB is full after some 1500 playouts.
    let peak = |client: &Client| -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", client.pid())).expect("Linux has /proc");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("there is a peak");
        line.trim().trim_end_matches(" kB").parse().expect("it is a number of KiB")
    };
    // What is allowed is not taken before it is used.
    let mut client = Client::start(&["--memory", "1024"]);
    client.ok("name");
    assert!(peak(&client) < 64 * 1024, "{} KiB at the start", peak(&client));
    client.quit();
    let args = ["--memory", "16", "--size", "19", "--playouts", "8000", "--set", "expand_after=1"];
    let mut client = Client::start(&args);
    for mv in ["genmove b", "genmove w"] {
        client.ok(mv);
        let kibibytes = peak(&client);
        assert!(kibibytes < (16 + 64) * 1024, "{mv}: {kibibytes} KiB at the peak");
    }
    client.quit();
}

#[test]
fn a_button_leaves_no_open_game_with_a_whole_score() {
    let mut client = Client::start(&["--size", "5", "--playouts", "200"]);
    client.ok("kosumi-rules aga-button");
    client.ok("komi 2");
    let mut scores = vec![client.ok("final_score")];
    for line in ["play b c3", "play w pass", "play b pass"] {
        client.ok(line);
        scores.push(client.ok("final_score"));
    }
    assert!(scores.iter().all(|score| score.ends_with(".5")), "{scores:?}");
    // Where nothing is left to play for, Black's pass takes the button. All points belong to somebody: 15 to 10.
    for line in ["clear_board", "komi 5"] {
        client.ok(line);
    }
    for column in ["A", "B", "C", "D", "E"] {
        client.ok(&format!("play b {column}3"));
        client.ok(&format!("play w {column}4"));
    }
    assert_eq!(client.ok("final_score"), "B+0.5");
    client.quit();
}

#[test]
fn a_position_that_is_set_up_begins_a_game_with_the_users_own_komi_and_rules() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), "(;GM[1]SZ[9]RU[Japanese]KM[0.5];B[ee])").expect("it is written");
    let mut client = Client::start(&["--size", "9"]);
    let usual = [client.ok("get_komi"), client.ok("kosumi-rules")];
    for command in ["set_position b E5 w G7", "set_position", "clear_board"] {
        client.ok(&format!("loadsgf {}", file.path().display()));
        assert_eq!([client.ok("get_komi"), client.ok("kosumi-rules")], ["0.5", "japanese"]);
        // Stones that are no position change nothing.
        client.refused("set_position b E5 w E5");
        assert_eq!([client.ok("get_komi"), client.ok("kosumi-rules")], ["0.5", "japanese"]);
        client.ok(command);
        assert_eq!([client.ok("get_komi"), client.ok("kosumi-rules")], usual, "{command}");
    }
    client.quit();
}

#[test]
fn a_move_whose_mirror_image_superko_forbids_is_not_overlooked() {
    let mut client = Client::start(&["--size", "2", "--playouts", "50"]);
    for (color, vertex) in "bB1 wB2 bA1 wA2 bA1 wB1 bA1 wB2".split(' ').map(|word| word.split_at(1)) {
        client.ok(&format!("play {color} {vertex}"));
    }
    // B1 is the image of A2, and repeats a position.
    client.refused("play b B1");
    assert_eq!(client.ok("genmove b"), "A2");
    client.quit();
}
