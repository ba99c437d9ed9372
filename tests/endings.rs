//! How the program ends: signals, outputs that cannot be written, files that may not grow, inputs without an end. Each
//! ends with an exit code and a message, and no file is half written.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use kosumi::sgf;
use tempfile::TempDir;

use crate::support::{PATIENCE, forget_settings, wait};

const KOSUMI: &str = env!("CARGO_BIN_EXE_kosumi");

/// An engine for matches.
const ENGINE: &str = concat!(env!("CARGO_BIN_EXE_kosumi"), " --no-config --playouts 1 --threads 1 --memory 1");

const GAME: &str = "(;GM[1]SZ[5]KM[0.5];B[cc];W[cb];B[bb];W[dc];B[cd])";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    fs::write(folder.path().join("game.sgf"), GAME).expect("there is room for a file");
    folder
}

/// A shell's command line, run in a folder. `$PROGRAM` is the program, `$ENGINE` an engine for matches.
fn shell(folder: &Path, line: &str) -> Command {
    let mut command = Command::new("sh");
    forget_settings(&mut command);
    command.args(["-c", line]).current_dir(folder).env("XDG_CONFIG_HOME", folder);
    command.env("PROGRAM", KOSUMI).env("ENGINE", ENGINE);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The exit code, standard output and standard error of a command line that gets these lines to read.
#[track_caller]
fn outcome(folder: &Path, line: &str) -> (Option<i32>, String, String) {
    let mut child = shell(folder, line).stdin(Stdio::null()).spawn().expect("a shell");
    let (mut out, mut errors) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        out.read_to_string(&mut text).expect("text");
        text
    });
    let said = std::thread::spawn(move || {
        let mut text = String::new();
        errors.read_to_string(&mut text).expect("text");
        text
    });
    let status = wait(&mut child, PATIENCE);
    (status.code(), reader.join().expect("read"), said.join().expect("read"))
}

fn kill(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

/// Starts a command line, waits for a line of an output that has `ready` in it, and sends a signal. The exit code, and
/// all of standard error.
#[track_caller]
fn signalled(folder: &Path, line: &str, ready: &str, signal: &str) -> (Option<i32>, String) {
    let mut child = shell(folder, &format!("exec 2>&1; {line}")).spawn().expect("a shell");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let mut said = String::new();
    while !said.contains(ready) {
        assert!(output.read_line(&mut said).expect("text") > 0, "{line}: {said}");
    }
    kill(&child, signal);
    let status = wait(&mut child, PATIENCE);
    assert_eq!(status.signal(), None, "{line}");
    output.read_to_string(&mut said).expect("text");
    (status.code(), said)
}

/// Do the tests run under `nohup`? Then all that they start ignores SIGHUP, too.
fn is_hup_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").expect("Linux has /proc");
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("a mask");
    u64::from_str_radix(mask.trim(), 16).expect("a number") & 1 == 1
}

#[test]
fn a_signal_ends_every_subcommand_with_a_message_and_a_code() {
    let folder = folder();
    for (line, ready) in [
        ("exec $PROGRAM gtp --gtp-ready", "GTP ready"),
        ("exec $PROGRAM analysis", "ready to begin"),
        (
            "rm -rf play; (while [ ! -s play/selfplay.json ]; do sleep 0.01; done; echo it plays) & \
             exec $PROGRAM selfplay --output play --games 1000000 --size 5 --playouts 4 --file-games 1 --threads 1 --net none",
            "it plays",
        ),
    ] {
        for (signal, code, name) in [("INT", 130, "SIGINT"), ("TERM", 143, "SIGTERM"), ("HUP", 129, "SIGHUP")] {
            if signal == "HUP" && is_hup_ignored() {
                continue;
            }
            let (ended, said) = signalled(folder.path(), line, ready, signal);
            assert_eq!(ended, Some(code), "{line}, {signal}: {said}");
            assert!(said.ends_with(&format!("{name}\n")) || said.ends_with(&format!("({name})\n")), "{line}: {said}");
        }
    }
}

#[test]
fn a_signal_ends_a_search() {
    let folder = folder();
    let mut child = shell(folder.path(), "exec $PROGRAM --time-per-move 3600 --threads 2").spawn().expect("a shell");
    let mut input = child.stdin.take().expect("piped");
    std::io::Write::write_all(&mut input, b"kata-analyze b 1\n").expect("it reads");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    while !line.starts_with("info ") {
        line.clear();
        assert!(output.read_line(&mut line).expect("text") > 0);
    }
    kill(&child, "TERM");
    assert_eq!(wait(&mut child, PATIENCE).code(), Some(143));
}

#[test]
fn a_program_under_nohup_survives_its_terminal() {
    let folder = folder();
    let line = "trap '' HUP; exec $PROGRAM --gtp-ready";
    let mut child = shell(folder.path(), line).spawn().expect("a shell");
    let mut said = BufReader::new(child.stderr.take().expect("piped"));
    let mut text = String::new();
    while !text.contains("GTP ready") {
        assert!(said.read_line(&mut text).expect("text") > 0);
    }
    kill(&child, "HUP");
    let mut input = child.stdin.take().expect("piped");
    std::io::Write::write_all(&mut input, b"name\nquit\n").expect("it reads");
    let mut answers = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut answers).expect("text");
    assert_eq!(answers, "= Kosumi\n\n=\n\n");
    assert!(wait(&mut child, PATIENCE).success());
}

#[test]
fn a_match_that_a_signal_stops_prints_the_table_of_its_games() {
    let folder = folder();
    // Two games end quickly. The third never does: this engine waits for a move that nobody makes.
    let slow = "sh -c 'n=0; while read -r c rest; do case $c in \
                clear_board) n=$((n + 1)); printf \"=\\n\\n\";; \
                genmove) if [ $n = 3 ]; then touch reached; exec sleep 3600; fi; printf \"= pass\\n\\n\";; \
                list_commands) printf \"= boardsize\\nclear_board\\nkomi\\nplay\\ngenmove\\n\\n\";; \
                *) printf \"=\\n\\n\";; esac; done'";
    fs::write(folder.path().join("slow"), slow).expect("a file");
    for (more, ends) in
        [("", "kosumi: stopped\n"), ("--output out", "kosumi: stopped; the same command goes on from here\n")]
    {
        let _ = fs::remove_file(folder.path().join("reached"));
        let line =
            format!("exec $PROGRAM match \"$(cat slow)\" \"$ENGINE\" --size 5 --games 9 --hang 3600 --quiet {more}");
        let mut child = shell(folder.path(), &line).spawn().expect("a shell");
        while !folder.path().join("reached").exists() {
            assert!(child.try_wait().expect("a child").is_none(), "it plays");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        kill(&child, "INT");
        assert_eq!(wait(&mut child, PATIENCE).code(), Some(130));
        let (mut table, mut said) = (String::new(), String::new());
        child.stdout.take().expect("piped").read_to_string(&mut table).expect("text");
        child.stderr.take().expect("piped").read_to_string(&mut said).expect("text");
        assert!(table.contains("2 of 9 games: ") && !table.contains("crash 1") && !table.contains("hang 1"), "{table}");
        assert_eq!(said, ends);
    }
    let rows = fs::read_to_string(folder.path().join("out/games.jsonl")).expect("rows");
    assert_eq!(rows.lines().count(), 2);
}

#[test]
fn an_output_that_cannot_be_written_ends_the_program_with_a_message() {
    let folder = folder();
    let position = r#"{"id":"a","moves":[],"rules":"chinese","boardXSize":5,"boardYSize":5,"maxVisits":10}"#;
    fs::write(folder.path().join("query"), format!("{position}\n")).expect("a file");
    for line in [
        "echo name | $PROGRAM gtp > /dev/full",
        "$PROGRAM config > /dev/full",
        "$PROGRAM --help > /dev/full",
        "$PROGRAM gtp --version > /dev/full",
        "$PROGRAM completions bash > /dev/full",
        "$PROGRAM match \"$ENGINE\" \"$ENGINE\" --games 1 --size 5 --quiet > /dev/full",
        "$PROGRAM analysis < query > /dev/full",
        "$PROGRAM review game.sgf --visits 5 --quiet --json > /dev/full",
        "echo quit | $PROGRAM play --size 5 > /dev/full",
    ] {
        let (code, _, said) = outcome(folder.path(), line);
        assert_eq!(code, Some(1), "{line}: {said}");
        assert!(said.trim_end().ends_with("No space left on device (os error 28)"), "{line}: {said}");
        assert!(!said.contains("panicked"), "{line}: {said}");
    }
}

#[test]
fn an_input_that_cannot_be_read_is_told() {
    let folder = folder();
    for (line, ends) in [("$PROGRAM gtp < /", Some(0)), ("$PROGRAM analysis < /", Some(1))] {
        let (code, _, said) = outcome(folder.path(), line);
        assert_eq!(code, ends, "{line}: {said}");
        assert!(said.contains("cannot read: "), "{line}: {said}");
    }
}

#[test]
fn the_analysis_engine_ends_with_its_output_although_its_input_stays_open() {
    let folder = folder();
    let mut child = shell(folder.path(), "exec $PROGRAM analysis > /dev/full").spawn().expect("a shell");
    let mut input = child.stdin.take().expect("piped");
    std::io::Write::write_all(&mut input, b"{\"id\":\"a\",\"action\":\"query_version\"}\n").expect("it reads");
    assert_eq!(wait(&mut child, PATIENCE).code(), Some(1));
}

#[test]
fn messages_that_cannot_be_written_stop_nothing() {
    let folder = folder();
    for line in [
        "echo name | $PROGRAM gtp --log-level debug --gtp-ready 2> /dev/full",
        "$PROGRAM match \"$ENGINE\" \"$ENGINE\" --games 1 --size 5 2> /dev/full",
        "$PROGRAM review game.sgf --visits 5 2> /dev/full",
        "echo quit | $PROGRAM play --size 5 2> /dev/full",
        "KOSUMI_WRONG=1 $PROGRAM config 2> /dev/full",
    ] {
        assert_eq!(outcome(folder.path(), line).0, Some(0), "{line}");
    }
    assert!(folder.path().join("game.review.html").exists());
    // The message is lost, the code stays.
    assert_eq!(outcome(folder.path(), "$PROGRAM --threads 0 2> /dev/full").0, Some(2));
    assert_eq!(outcome(folder.path(), "$PROGRAM --set x=1 2> /dev/full").0, Some(2));
}

#[test]
fn a_log_that_cannot_be_written_is_told_once() {
    let folder = folder();
    let line = "printf 'boardsize 5\\ngenmove b\\ngenmove w\\n' | $PROGRAM --playouts 10 --log-level debug --log-file /dev/full";
    let (code, answers, said) = outcome(folder.path(), line);
    assert_eq!((code, answers.matches('=').count()), (Some(0), 3), "{answers}");
    let expected = "kosumi: --log-file /dev/full: No space left on device (os error 28); lines of the log are lost\n";
    assert_eq!(said, expected);
}

#[test]
fn a_disk_that_is_full_leaves_whole_files_and_a_message() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    // `ulimit -f` counts blocks of 512 bytes in some shells, and of 1024 in others.
    // A record: the old file stays.
    let long = format!("(;GM[1]SZ[5]C[{}])", "x".repeat(9000));
    fs::write(path("long.sgf"), &long).expect("a file");
    let line = "ulimit -f 4; printf 'loadsgf long.sgf\\nprintsgf game.sgf\\nprintsgf new.sgf\\n' | $PROGRAM --memory 1";
    let (code, answers, _) = outcome(folder.path(), line);
    assert_eq!(code, Some(0));
    assert_eq!(answers.matches("? cannot write file: File too large").count(), 2, "{answers}");
    assert_eq!(fs::read_to_string(path("game.sgf")).expect("it is there"), GAME);
    // A match: the rows that are there are whole, and the match goes on when there is room.
    let line = "$PROGRAM match \"$ENGINE\" \"$ENGINE\" --games 40 --size 3 --quiet --output out";
    let (code, _, said) = outcome(folder.path(), &format!("ulimit -f 8; {line}"));
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("games.jsonl: File too large"), "{said}");
    let rows = fs::read_to_string(path("out/games.jsonl")).expect("rows");
    assert!(rows.ends_with("}\n") && rows.lines().count() > 2, "{rows}");
    let (code, table, said) = outcome(folder.path(), line);
    assert_eq!(code, Some(0), "{said}");
    assert!(table.contains("40 of 40 games: "), "{table}");
    assert!(fs::read_to_string(path("out/games.jsonl")).expect("rows").starts_with(&rows));
    for game in fs::read_dir(path("out/games")).expect("games") {
        let path = game.expect("a file").path();
        sgf::read(&fs::read(&path).expect("a record")).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    // A review: it goes on as well.
    let line = "$PROGRAM review game.sgf --visits 20 --quiet";
    let (code, _, said) = outcome(folder.path(), &format!("ulimit -f 4; {line}"));
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("File too large"), "{said}");
    assert!(!path("game.review.html").exists());
    assert_eq!(outcome(folder.path(), line).0, Some(0));
    assert!(fs::read_to_string(path("game.review.html")).expect("a page").trim_end().ends_with("</html>"));
    // Self-play: a file in progress is no file of rows.
    let line = "$PROGRAM selfplay --output play --games 8 --file-games 4 --size 5 --playouts 8 --quick-playouts 4 \
                --owner-playouts 2 --threads 1 --memory 1 --quiet";
    let (code, _, said) = outcome(folder.path(), &format!("ulimit -f 1; {line}"));
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("File too large"), "{said}");
    let (code, _, said) = outcome(folder.path(), line);
    assert_eq!(code, Some(0), "{said}");
    // Nothing is left beside.
    let left: Vec<_> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .filter(|name| name.ends_with(".tmp") || name.ends_with(".part"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn pipes_and_devices_without_an_end_are_no_files() {
    let folder = folder();
    let made = Command::new("mkfifo").arg(folder.path().join("pipe")).status().expect("mkfifo");
    assert!(made.success());
    for (line, code) in [
        ("$PROGRAM net pipe", 2),
        ("$PROGRAM net /dev/zero", 2),
        ("$PROGRAM --net pipe", 2),
        ("$PROGRAM --net /dev/zero", 2),
        ("$PROGRAM --config pipe", 2),
        ("$PROGRAM --config /dev/zero", 2),
        ("$PROGRAM review pipe", 1),
        ("$PROGRAM match \"$ENGINE\" \"$ENGINE\" --openings pipe", 1),
        ("$PROGRAM match \"$ENGINE\" \"$ENGINE\" --openings /dev/zero", 1),
    ] {
        let (ended, out, said) = outcome(folder.path(), line);
        assert_eq!(ended, Some(code), "{line}: {said}");
        assert!(out.is_empty() && said.starts_with("kosumi: "), "{line}: {said}");
    }
    // There are no rows then, and no file of them.
    let (code, _, said) = outcome(folder.path(), "$PROGRAM dataset --size 9 --output rows pipe /dev/zero");
    assert!(code == Some(1) && said.matches("it is no regular file").count() == 2, "{said}");
    assert!(!folder.path().join("rows").exists());
    // No settings at all.
    assert_eq!(outcome(folder.path(), "$PROGRAM config --config /dev/null").0, Some(0));
}
