//! What a file costs: memory and processor time in proportion to its length, and no waiting for what is no file.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{Client, program};

const MEBIBYTE: usize = 1 << 20;

/// Most memory for each byte of a file, by `sgf::LONGEST`'s comment, and what the program takes besides.
const FACTOR: usize = 30;
const REST: usize = 8 * MEBIBYTE;

/// The length of the files. What is said of them holds for longer ones as well, since all is proportional to the
/// length.
const LENGTH: usize = MEBIBYTE;

/// Processor seconds for such a file. Measured: half a second for set-up in 20 000 nodes, a tenth for everything else.
/// A 9 MB file of `TB[aa:ss]` took 95 before.
const MOST_SECONDS: f64 = 5.0;

fn client(folder: &Path) -> Client {
    let mut command = program(&["--playouts", "50"]);
    command.current_dir(folder);
    Client::spawn(command)
}

/// The peak of resident memory, in bytes.
fn peak(client: &Client) -> usize {
    let status = fs::read_to_string(format!("/proc/{}/status", client.pid())).expect("Linux has /proc");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("there is a peak");
    line.trim().trim_end_matches(" kB").parse::<usize>().expect("it is a number of KiB") * 1024
}

/// Processor seconds of all threads so far.
fn seconds(client: &Client) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", client.pid())).expect("Linux has /proc");
    // The name of the program, which may have blanks, stands in brackets before the third field.
    let fields: Vec<&str> = stat.rsplit(')').next().expect("the rest").split_whitespace().collect();
    // Fields 14 and 15, in hundredths of a second.
    fields[11..13].iter().map(|ticks| ticks.parse::<f64>().expect("a number") / 100.0).sum()
}

#[test]
fn a_load_costs_memory_and_time_in_proportion_to_the_file() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let fill = |head: &str, piece: &str, tail: &str| {
        format!("{head}{}{tail}", piece.repeat((LENGTH - head.len() - tail.len()) / piece.len()))
    };
    // A root with many properties, and then many of something else.
    let mixed =
        |piece: &str| fill("(;", "A[]", "")[..LENGTH / 2].to_owned() + &piece.repeat(LENGTH / 2 / piece.len()) + ")";
    for (name, text, loads) in [
        ("empty nodes", fill("(", ";", ")"), true),
        ("passes", fill("(;SZ[9]", ";B[]", ")"), true),
        ("nested nodes", "(;".repeat(LENGTH / 3) + &")".repeat(LENGTH / 3), true),
        ("nested variations", "(;B[]".repeat(LENGTH / 6) + &")".repeat(LENGTH / 6), true),
        ("variations", fill("(;", "(;)", ")"), true),
        ("properties", fill("(;", "A[]", ")"), true),
        ("values", fill("(;A", "[]", ")"), true),
        ("points", fill("(;", "TB[aa:ss]", ")"), true),
        ("set-up", fill("(;AB", "[aa:sr]", ")"), true),
        ("set-up in nodes", "(;".to_owned() + &";AB[aa:sr];AE[aa:sr]".repeat(LENGTH / 100) + ")", true),
        ("properties, and set-up in nodes", mixed(";PL[B]"), true),
        ("properties, and brackets", mixed("("), false),
        ("moves in a node", fill("(;SZ[9];", "B[]", ")"), true),
        ("plays", fill("(;SZ[2]", ";B[ab];W[ba];B[aa];W[bb];B[ab];W[aa]", ")"), false),
        ("a comment", fill("(;C[", "\\]\n", "])"), true),
    ] {
        let path = folder.path().join("game.sgf");
        fs::write(&path, &text).expect("there is room for the file");
        let mut client = client(folder.path());
        client.ok("name");
        let before = (peak(&client), seconds(&client));
        let answer = client.ask("loadsgf game.sgf");
        assert_eq!(answer.ok, loads, "{name}: {answer:?}");
        let bytes = peak(&client).saturating_sub(before.0);
        println!("{name}: {} MiB, {:.2} s", bytes / MEBIBYTE, seconds(&client) - before.1);
        assert!(bytes < FACTOR * text.len() + REST, "{name}: {} MiB", bytes / MEBIBYTE);
        assert!(seconds(&client) - before.1 < MOST_SECONDS, "{name}: {} s", seconds(&client) - before.1);
        // It is given back: more loads take no more. (The second may, since the allocator keeps pieces of the first.)
        let mut load_again = || {
            client.ok("boardsize 9");
            client.ask("loadsgf game.sgf");
            peak(&client).saturating_sub(before.0)
        };
        let second = load_again();
        let fourth = (load_again(), load_again()).1;
        assert!(fourth < second + second / 10 + REST, "{name}: {} MiB the fourth time", fourth / MEBIBYTE);
        client.quit();
    }
}

#[test]
fn what_is_no_regular_file_is_refused_at_once() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let made = Command::new("mkfifo").arg(folder.path().join("pipe.sgf")).status().expect("mkfifo is there");
    assert!(made.success());
    let mut client = client(folder.path());
    client.ok("boardsize 9");
    client.ok("play b D4");
    // Nobody writes into the pipe, and nobody reads from it.
    for path in ["pipe.sgf", "/dev/zero", "."] {
        let refused = client.refused(&format!("loadsgf {path}"));
        assert_eq!(refused, "cannot load file: it is no regular file", "{path}");
    }
    assert_eq!(client.refused("printsgf pipe.sgf"), "cannot write file: it is no regular file");
    assert!(client.ok("showboard").starts_with("Move 2, white to play"));
    // A file that is there is written anew.
    fs::write(folder.path().join("old.sgf"), "x".repeat(1000)).expect("there is room for a file");
    client.ok("printsgf old.sgf");
    client.ok("loadsgf old.sgf");
    assert!(client.ok("showboard").starts_with("Move 2, white to play"));
    client.quit();
}
