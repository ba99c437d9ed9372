//! Input that no honest client sends: the program answers what can be answered, changes nothing that it refuses to
//! change, and ends in good order.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use kosumi::gtp::commands::COMMANDS;
use kosumi::gtp::input::LONGEST_LINE;

use crate::support::{Client, Run, program, run};

/// Runs input to its end, which has to be a good one.
#[track_caller]
fn survives(args: &[&str], input: impl Into<Vec<u8>>) -> Run {
    let run = run(program(args), input);
    assert!(run.status.success(), "{}", run.status);
    nothing_wrong(&run);
    run
}

/// Nothing goes wrong inside. (That a record is refused is the only thing that standard error says.)
#[track_caller]
fn nothing_wrong(run: &Run) {
    let wrong: Vec<&str> = run.errors.lines().filter(|line| !line.contains(" WARN ] loadsgf ")).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn long_lines_are_read_or_refused_whole() {
    const MEBIBYTE: usize = 1 << 20;
    let x = |count: usize| "x".repeat(count);
    for (line, error) in [
        (format!("1 play b {}", x(MEBIBYTE)), "syntax error"),
        (format!("1 play {}", "b ".repeat(MEBIBYTE / 2)), "syntax error"),
        (format!("1 {}", x(MEBIBYTE)), "unknown command"),
        (format!("1 set_free_handicap {}", "A1 ".repeat(100_000)), "bad vertex list"),
        // Each word takes memory, so no command is given as many as a line may have.
        (format!("1 set_free_handicap {}", "A1 ".repeat(MEBIBYTE / 3)), "syntax error"),
        (format!("1 kosumi-param {}", x(MEBIBYTE)), "no such parameter"),
        (format!("1 loadsgf {}", x(MEBIBYTE)), "cannot load file: "),
        (format!("1 play b {}", x(5 * MEBIBYTE)), "line too long"),
        (format!("1 undo {}", x(LONGEST_LINE)), "line too long"),
        (format!("1 undo {}", x(LONGEST_LINE - 7)), "cannot undo"),
    ] {
        let run = survives(&["--size", "9"], line.clone() + "\n2 name\n");
        let start: String = line.chars().take(30).collect();
        assert_eq!(run.answers.len(), 2, "{start}");
        let failure = run.answers[0].clone().failure();
        // After a colon the system says why.
        assert!(failure == error || error.ends_with(": ") && failure.starts_with(error), "{start}: {failure}");
        assert_eq!((run.answers[0].id.as_str(), run.answers[1].id.as_str()), ("1", "2"), "{start}");
        assert_eq!(run.answers[1].text, "Kosumi", "{start}");
    }
    // Nothing to answer, however long.
    let run = survives(&[], format!("#{}\n{}\n1 name\n", x(5 * MEBIBYTE), " ".repeat(5 * MEBIBYTE)));
    assert_eq!(run.answers.len(), 1);
    // A number of a million digits is a number.
    let digits = "7".repeat(MEBIBYTE);
    let run = survives(&[], format!("{digits} name\n"));
    assert!(run.answers[0].id == digits && run.answers[0].ok);
    // The last line, cut off by the end of input.
    let run = survives(&[], format!("1 play b {}", x(5 * MEBIBYTE)));
    assert_eq!(run.answers[0].clone().failure(), "line too long");
}

#[test]
fn random_bytes_get_well_formed_answers() {
    for seed in 0..4 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut bytes = vec![0; 1 << 20];
        rng.fill_bytes(&mut bytes);
        if seed % 2 == 1 {
            // More like text, with more lines.
            for byte in &mut bytes {
                *byte = match *byte & 127 {
                    b if b < 16 => b'\n',
                    b if b < 32 => b' ',
                    b => b,
                };
            }
        }
        let run = survives(&[], bytes);
        assert!(run.answers.len() > 1000);
        assert!(run.answers.iter().all(|answer| answer.ok || answer.text == "unknown command"));
    }
}

#[test]
fn a_flood_of_commands_is_answered_in_full() {
    let mut script = String::from("boardsize 9\n");
    for i in 0..20_000 {
        writeln!(script, "{i} play {} pass", ["b", "w"][i % 2]).expect("a string takes everything");
    }
    script.push_str("gg-undo 20000\nundo\n");
    let run = survives(&[], script);
    assert_eq!(run.answers.len(), 20_003);
    assert!(run.answers[..20_002].iter().all(|answer| answer.ok));
    assert_eq!(run.answers[20_002].text, "cannot undo");
}

/// Words as arguments: right ones, odd ones, and none that name a file outside the present folder.
fn word() -> impl Strategy<Value = String> {
    let odd = [
        "nan",
        "-nan",
        "inf",
        "-inf",
        "1e999",
        "-1e999",
        "1e-999",
        "-0",
        "+7",
        "-1",
        "0",
        "1",
        "2",
        "3",
        "5",
        "7.5",
        "25",
        "26",
        "255",
        "256",
        "361",
        "65536",
        "4294967295",
        "4294967296",
        "18446744073709551616",
        "1_000",
        "0x10",
        "6,5",
        "1.",
        ".5",
        "0.0000001",
        "99999999999999999999999999999999",
        "b",
        "w",
        "B",
        "WHITE",
        "black",
        "bw",
        "pass",
        "PASS",
        "resign",
        "A1",
        "a1",
        "b2",
        "C3",
        "T19",
        "Z25",
        "I5",
        "A0",
        "A26",
        "A01",
        "A001",
        "AA",
        "1A",
        "dead",
        "alive",
        "seki",
        "DEAD",
        "é",
        "日本",
        "\u{feff}",
        "\u{1f600}5",
        "A\u{301}1",
        "１",
        "\u{202e}",
        "\u{85}",
        "tromp-taylor",
        "chinese",
        "TROMP TAYLOR",
        "prior_even",
        "prior-even",
        "name",
        "game.sgf",
        "..",
        ".",
        "\"",
        "'",
        "%s",
        "\\",
        "=",
        "?",
        "= ok",
        "(;)",
    ];
    prop_oneof![
        8 => select(odd.to_vec()).prop_map(String::from),
        3 => (0..5usize, 1..6usize).prop_map(|(column, row)| format!("{}{row}", char::from(b'A' + column as u8))),
        1 => "[^/\\\\\\p{Cc}#]{1,12}",
    ]
}

fn command_line() -> impl Strategy<Value = String> {
    let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).filter(|&name| name != "quit").collect();
    let play = (select(vec!["b", "w"]), 0..5usize, 1..6usize);
    prop_oneof![
        2 => play.prop_map(|(color, column, row)| format!("play {color} {}{row}", char::from(b'A' + column as u8))),
        5 => (select(names), vec(word(), 0..4)).prop_map(|(name, words)| format!("{name} {}", words.join(" "))),
        1 => (vec(word(), 1..3)).prop_map(|words| words.join(" ")),
    ]
}

/// All that a refused command may not change. (printsgf has komi, rules, handicap, set-up and moves.)
const STATE: &[&str] = &["showboard", "printsgf", "get_komi", "kosumi-rules", "kosumi-param"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_refused_changes_nothing(lines in vec(command_line(), 40)) {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let mut command = program(&["--size", "5", "--playouts", "20", "--memory", "16"]);
        command.current_dir(folder.path());
        let state = STATE.join("\n");
        let mut script = state.clone() + "\n";
        for line in &lines {
            // Each line is sent with a number, so that one without words is answered too. Board sizes that make
            // every later score slow are brought down.
            let line = if line.starts_with("boardsize 2") { "boardsize 7" } else { line };
            script.push_str(&format!("1 {line}\n{state}\n"));
        }
        let run = run(command, script);
        prop_assert!(run.status.success(), "{}", run.status);
        nothing_wrong(&run);
        let (first, rest) = run.answers.split_at(STATE.len());
        prop_assert_eq!(rest.len(), lines.len() * (1 + STATE.len()));
        let mut before = first;
        for (line, answers) in lines.iter().zip(rest.chunks(1 + STATE.len())) {
            let (answer, after) = answers.split_first().expect("chunks are not empty");
            prop_assert_eq!(&answer.id, "1", "{}", line);
            prop_assert!(after.iter().all(|answer| answer.ok));
            prop_assert_ne!(&answer.text, "internal error", "{}", line);
            if !answer.ok {
                prop_assert!(!answer.text.is_empty() && !answer.text.contains('\n'), "an error is one line: {}", line);
                prop_assert_eq!(after, before, "refused, and yet something changed: {}", line);
            }
            before = after;
        }
    }
}

/// Loads a file with these contents into a game in progress; says whether it was taken. What is refused changes
/// nothing.
#[track_caller]
fn load(client: &mut Client, folder: &Path, contents: &[u8]) -> bool {
    fs::write(folder.join("game.sgf"), contents).expect("the file can be written");
    for command in ["boardsize 9", "komi 3.5", "play b D4", "play w E5"] {
        client.ok(command);
    }
    let before = (client.ok("showboard"), client.ok("printsgf"));
    let answer = client.ask("loadsgf game.sgf");
    if answer.ok {
        client.ok("showboard");
        client.ok("printsgf");
        return true;
    }
    let shown: String = contents.iter().take(40).map(|&byte| char::from(byte)).collect();
    let refused = answer.failure();
    assert!(refused.starts_with("cannot load file: "), "{shown}: {refused}");
    assert_eq!((client.ok("showboard"), client.ok("printsgf")), before, "{shown}");
    false
}

#[test]
fn a_sequence_is_no_longer_than_a_record_may_be() {
    let passes = |pairs: usize| "b pass w pass ".repeat(pairs);
    let run = survives(&["--size", "9"], format!("1 gogui-play_sequence {}\n2 undo\n", passes(25_001)));
    assert!(run.answers[0].clone().failure().contains("50000"), "{:?}", run.answers[0]);
    assert_eq!(run.answers[1].clone().failure(), "cannot undo", "none of them was played");
}

#[test]
fn broken_games_are_refused_and_change_nothing() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let mut command = program(&["--playouts", "50"]);
    command.current_dir(folder.path());
    let mut client = Client::spawn(command);
    for text in [
        "",
        " \n",
        "(",
        ")",
        "()",
        ";",
        "(;",
        "(;GM[1]SZ[9",
        "(;GM[1]SZ[9]",
        "(;GM[1]SZ[9];B[aa]",
        "(;GM[1]SZ[9];B[aa]))(",
        "(;GM[1]SZ[0])",
        "(;GM[1]SZ[1])",
        "(;GM[1]SZ[26])",
        "(;GM[1]SZ[52])",
        "(;GM[1]SZ[-9])",
        "(;GM[1]SZ[9:13])",
        "(;GM[1]SZ[9:13];B[ja])",
        "(;GM[1]SZ[9:13];B[in])",
        "(;GM[1]SZ[9:26])",
        "(;GM[1]SZ[9:])",
        "(;GM[1]SZ[:9])",
        "(;GM[1]SZ[9:13:9])",
        "(;GM[1]SZ[999999999999999999999])",
        "(;GM[1]SZ[nine])",
        "(;GM[2]SZ[9])",
        "(;GM[1]SZ[9];B[jj])",
        "(;GM[1]SZ[9];B[zz])",
        "(;GM[1]SZ[9];B[a])",
        "(;GM[1]SZ[9];B[aaa])",
        "(;GM[1]SZ[9];B[11])",
        "(;GM[1]SZ[9]AB[jj])",
        "(;GM[1]SZ[9]AB[a1])",
        "(;GM[1]SZ[9];B[aa];W[aa])",
        "(;GM[1]SZ[2]AB[aa][ab][ba][bb])",
        "(;GM[1]SZ[9]KM[seven])",
        "(;GM[1]SZ[9]KM[nan])",
        "(;GM[1]SZ[9]KM[inf])",
        "(;GM[1]SZ[9]KM[1e999])",
        "\u{1f}\u{8b}\u{8}\u{0}not a game",
    ] {
        // What is a game is the crate's to say; what is none must not be half loaded.
        load(&mut client, folder.path(), text.as_bytes());
    }
    let refused =
        ["", "(", "(;", "(;GM[1]SZ[9", "(;GM[1]SZ[1])", "(;GM[1]SZ[26])", "(;GM[1]SZ[9:26])", "(;GM[1]SZ[9];B[jj])"];
    for text in refused {
        assert!(!load(&mut client, folder.path(), text.as_bytes()), "{text}");
    }
    assert!(!load(&mut client, folder.path(), b"(;GM[1]SZ[9];B[aa];W[aa])"), "an occupied point");
    assert!(!load(&mut client, folder.path(), b"(;GM[1]SZ[2]AB[aa][ab][ba][bb])"), "no liberties");
    // What is empty or no number is as if it were not there; names in small letters mean what large ones mean.
    assert!(load(&mut client, folder.path(), b"(;GM[1]SZ[]KM[NaN];B[pd])"));
    assert!(client.ok("showboard").contains("19"));
    assert!(load(&mut client, folder.path(), b"(;gm[1]sz[9]km[5.5];b[ee];w[cc])"));
    assert_eq!(client.ok("get_komi"), "5.5");
    assert!(client.ok("showboard").contains("Move 3"));
    // Bytes that are no UTF-8 in a comment do no harm.
    assert!(load(&mut client, folder.path(), b"(;GM[1]SZ[9]C[\xff\xfe\xe9];B[aa])"));
    for path in ["no-such-file.sgf", "."] {
        let refused = client.refused(&format!("loadsgf {path}"));
        assert!(refused.starts_with("cannot load file: "), "{refused}");
    }
    client.quit();
}

#[test]
fn huge_files_are_refused_or_read_but_never_fatal() {
    const MEBIBYTE: usize = 1 << 20;
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let mut command = program(&["--playouts", "50"]);
    command.current_dir(folder.path());
    let mut client = Client::spawn(command);
    let mut garbage = vec![0; MEBIBYTE];
    Xoshiro256PlusPlus::seed_from_u64(5).fill_bytes(&mut garbage);
    assert!(!load(&mut client, folder.path(), &garbage));
    for (piece, count) in [
        ("(", MEBIBYTE),
        ("(;", MEBIBYTE / 2),
        (";", MEBIBYTE),
        ("(;B[aa]", 100_000),
        ("[", MEBIBYTE),
        ("B[", MEBIBYTE / 2),
    ] {
        assert!(!load(&mut client, folder.path(), piece.repeat(count).as_bytes()), "{piece}");
    }
    let nested = "(;".repeat(200_000) + &")".repeat(200_000);
    load(&mut client, folder.path(), nested.as_bytes());
    let long = format!("(;GM[1]SZ[9]{})", ";B[]".repeat(MEBIBYTE / 4));
    load(&mut client, folder.path(), long.as_bytes());
    let empty_nodes = format!("({})", ";".repeat(MEBIBYTE));
    load(&mut client, folder.path(), empty_nodes.as_bytes());
    let comment = format!("(;GM[1]SZ[9]C[{}];B[aa])", "x".repeat(MEBIBYTE));
    assert!(load(&mut client, folder.path(), comment.as_bytes()));
    let too_long = format!("(;GM[1]SZ[9]C[{}];B[aa])", "x".repeat(9 * MEBIBYTE));
    assert!(!load(&mut client, folder.path(), too_long.as_bytes()));
    client.quit();
}

#[test]
fn what_other_programs_write_is_read() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let mut command = program(&["--playouts", "50"]);
    command.current_dir(folder.path());
    let mut client = Client::spawn(command);
    let moves = |client: &mut Client| {
        let sgf = client.ok("printsgf");
        sgf.lines().filter_map(|line| line.strip_prefix(';')).map(String::from).collect::<Vec<_>>()
    };
    // Variations: the first one is the game. Comments with brackets, unknown properties, blanks, a name with blanks.
    let text = "  (;FF[3] GM[1]\r\nSZ[9]XX[?]C[a \\] b]\r\n;B [ee] ;W[tt] (;B[cc];W[]) (;B[dd]))";
    assert!(load(&mut client, folder.path(), text.as_bytes()));
    assert_eq!(moves(&mut client), ["B[ee]", "W[]", "B[cc]", "W[]"]);
    // Set-up stones as rectangles, whose turn it is, and removed stones.
    let text = "(;GM[1]SZ[9]AB[aa:bb]AW[ha:ia]PL[W];AE[aa][bb];W[ee])";
    assert!(load(&mut client, folder.path(), text.as_bytes()));
    let shown = client.ok("showboard");
    assert!(shown.contains("\n 9 . X . . . . . O O 9") && shown.contains("\n 8 X . ."), "{shown}");
    // Handicap: White moves first, the stones are not taken back.
    let text = "(;GM[1]SZ[9]HA[2]AB[cg][gc])";
    assert!(load(&mut client, folder.path(), text.as_bytes()));
    assert!(client.ok("showboard").starts_with("Move 1, white to play"));
    assert_eq!(client.refused("undo"), "cannot undo");
    // On boards above 19×19 tt is a point.
    let text = "(;GM[1]SZ[21];B[tt])";
    assert!(load(&mut client, folder.path(), text.as_bytes()));
    assert_eq!(moves(&mut client), ["B[tt]"]);
    // 19×19 unless the file says otherwise, and the first of several games.
    let text = "(;GM[1];B[pd])(;GM[1]SZ[9];B[aa])";
    assert!(load(&mut client, folder.path(), text.as_bytes()));
    assert_eq!(moves(&mut client), ["B[pd]"]);
    assert_eq!(client.ok("get_komi"), "3.5", "komi that the file does not name stays");
    // A file whose name has blanks, and a number of a move.
    fs::write(folder.path().join("my first game.sgf"), "(;GM[1]SZ[9];B[aa];W[bb];B[cc])").expect("it can be written");
    client.ok("loadsgf my first game.sgf 3");
    assert!(client.ok("showboard").starts_with("Move 3, black to play"));
    // The record has the moves behind the position, too.
    assert_eq!(moves(&mut client), ["B[aa]", "W[bb]", "B[cc]"]);
    client.ok("loadsgf my first game.sgf");
    assert!(client.ok("showboard").starts_with("Move 4, white to play"));
    assert_eq!(moves(&mut client).len(), 3);
    // What was written is read again.
    client.ok("printsgf my own game.sgf");
    let printed = client.ok("printsgf");
    client.ok("clear_board");
    client.ok("loadsgf my own game.sgf");
    assert_eq!(client.ok("printsgf"), printed);
    client.quit();
}
