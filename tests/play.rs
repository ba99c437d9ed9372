//! `kosumi play`, a game with a person, and what the GTP session tells a person at a terminal.

use std::fs;
use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use kosumi::engine::{Engine, EngineOptions, Interrupt};
use kosumi::go::Color;
use kosumi::gtp::input::Input;
use kosumi::gtp::{self, Reader, SessionOptions};
use kosumi::play::{self, PlayError, Settings, Style};
use kosumi::time::TimeSource;

use crate::support::engine::options;
use crate::support::{PATIENCE, forget_settings, wait};

/// An engine with few playouts.
fn engine(size: usize) -> Engine {
    let options = EngineOptions { size: size.into(), playouts: Some(60), ..options() };
    Engine::new(options, Interrupt::default()).expect("memory")
}

/// All that a person sees who types this.
#[track_caller]
fn shown(size: usize, settings: Settings, typed: impl AsRef<[u8]>) -> String {
    let mut output = Vec::new();
    play::run(engine(size), settings, typed.as_ref(), &mut output).expect("a game");
    String::from_utf8(output).expect("text")
}

/// What follows the prompt with this line, up to the next prompt.
#[track_caller]
fn answer<'a>(shown: &'a str, line: &str) -> &'a str {
    let prompt = format!(": {line}\n");
    let (_, after) = shown.split_once(&prompt).unwrap_or_else(|| panic!("{line} is not in {shown}"));
    after.split("\nMove ").next().expect("a part")
}

#[test]
fn a_game_is_played_to_its_end_and_counted() {
    let shown = shown(5, Settings::default(), "c3\n".to_owned() + &"pass\n".repeat(40));
    assert!(shown.contains("Kosumi (white) plays "), "{shown}");
    assert!(shown.contains("Kosumi passes."), "{shown}");
    assert!(shown.contains("wins by ") && shown.contains("The game is over (undo, save, new, quit): "), "{shown}");
    assert!(answer(&shown, "c3").contains(" wins ") && answer(&shown, "c3").contains("expected score "), "{shown}");
    assert!(shown.contains("The game is over. \"undo\" takes moves back"), "a move after the end: {shown}");
    assert!(shown.ends_with("\nGoodbye.\n"), "the end of the input ends the session: {shown}");
}

#[test]
fn an_illegal_move_is_explained_and_changes_nothing() {
    let shown = shown(5, Settings::default(), "c3\nc3\nk9\ni3\nnonsense\nquit\nc4\n");
    assert!(answer(&shown, "c3").contains("(O)"), "{shown}");
    assert!(
        shown.contains("That move is illegal. C3 is taken: a black stone stands there.\nMove 3, black (you): k9\n")
    );
    assert_eq!(answer(&shown, "k9"), "K9 is not on this board, which goes from A1 to E5.");
    assert_eq!(answer(&shown, "i3"), "No column has the letter I; behind H comes J.");
    assert!(answer(&shown, "nonsense").contains("\"nonsense\" is neither a point"), "{shown}");
    assert!(shown.ends_with("quit\nGoodbye.\n"), "nothing is read after quit: {shown}");
}

#[test]
fn moves_are_taken_back_with_the_answers_to_them() {
    let shown = shown(5, Settings::default(), "undo\nc3\nb2\nundo 3\nundo\nboard\nundo\nresign\nundo\nquit\n");
    assert_eq!(answer(&shown, "undo"), "You have made no move that could be taken back.");
    assert_eq!(answer(&shown, "undo 3"), "You have made only 2 moves.");
    assert!(answer(&shown, "board").contains("  3 . . X . . 3\n"), "C3 stands: {shown}");
    assert!(!answer(&shown, "board").contains("  2 . X"), "B2 is taken back: {shown}");
    assert!(answer(&shown, "resign").contains("White wins by resignation (W+R)."), "{shown}");
    assert!(shown.ends_with("Move 1, black (you): quit\nGoodbye.\n"), "a resignation can be taken back: {shown}");
}

#[test]
fn hints_scores_and_levels_are_given() {
    let shown = shown(5, Settings::default(), "b2\nhint\nscore\nlevel\nlevel 20k\nlevel\nlevel 99k\nhelp\nquit\n");
    let hint = answer(&shown, "hint");
    assert!(hint.starts_with("I would play ") && hint.contains("\nor "), "{hint}");
    let score = answer(&shown, "score");
    assert!(score.contains(" wins ") && score.contains("expected score "), "{score}");
    assert!(!score.contains("If both sides passed now"), "much is open: {score}");
    assert_eq!(answer(&shown, "level"), "I play at level max.");
    // No rank is measured on 5×5, and the program says so.
    let rank = "level 20k (plays like 20k by an estimate: ranks are measured on 9x9 and 19x19).";
    assert_eq!(answer(&shown, "level 20k"), format!("From now on I play at {rank}"));
    assert_eq!(shown.matches(&format!("I play at {rank}")).count(), 2, "{shown}");
    for word in ["pass", "undo", "hint", "score", "level", "save", "quit"] {
        assert!(answer(&shown, "help").contains(&format!("\n{word} ")), "{word}: {shown}");
    }
}

#[test]
fn a_game_is_saved_and_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("my game.sgf");
    let name = path.display();
    let first = shown(5, Settings::default(), format!("c3\nsave {name}\nsave {name}\nresign\nsave {name}\nquit\n"));
    assert_eq!(first.matches(&format!("The game is in {name}.")).count(), 3, "{first}");
    let text = fs::read_to_string(&path).expect("a file");
    assert!(text.contains("RE[W+R]") && text.contains("PW[Kosumi]") && text.contains(";B[cc]"), "{text}");
    let again = shown(5, Settings::default(), format!("load {name}\nsave {name}\nload {name}.no\nquit\n"));
    assert!(answer(&again, &format!("load {name}")).contains(". X . . 3"), "{again}");
    assert!(again.contains(&format!("{name} is there already. Type the same again to replace it.")), "{again}");
    assert!(again.contains(&format!("I cannot load {name}.no: ")), "{again}");
    assert_eq!(fs::read_to_string(&path).expect("a file"), text, "the file is as it was");
}

/// What a person sees who loads this record and types this. `{}` stands for the name of the file.
#[track_caller]
fn shown_of(record: &str, typed: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.sgf");
    fs::write(&path, record).expect("a file");
    let name = path.display().to_string();
    let shown = shown(5, Settings::default(), typed.replace("{}", &name));
    let text = fs::read_to_string(&path).expect("a file");
    format!("{shown}{text}").replace(&name, "{}")
}

/// Black has the left three columns, White the right two. Nothing is left to play.
const SETTLED: &str =
    "(;SZ[5]KM[7]RU[chinese]AB[ac][ba][bc][be][ca][cb][cc][cd][ce]AW[da][db][dc][dd][de][ea][ec][ee]PL[B])";

#[test]
fn a_board_where_nothing_is_left_to_play_is_counted() {
    let shown = shown_of(SETTLED, "load {}\nscore\nquit\n");
    // 15 points against 10 and komi.
    assert!(answer(&shown, "score").contains("If both sides passed now: White wins by 2 points (W+2)."), "{shown}");
}

#[test]
fn the_end_says_what_marks_mean_and_what_the_record_says() {
    let record = SETTLED.replace("PL[B]", "PL[B]RE[B+3];B[];W[]");
    let shown = shown_of(&record, "load {}\nsave {}\nsave {}\nquit\n");
    let end = shown.split("load {}\n").nth(1).expect("the end");
    assert!(end.contains("' belongs to Black and , to White; x and o are dead stones."), "{shown}");
    assert!(end.contains("White wins by 2 points (W+2).\nThe record says B+3, and keeps it.\n"), "{shown}");
    assert!(shown.contains("RE[B+3]"), "{shown}");
}

#[test]
fn a_game_that_ended_by_resigning_ends_there_in_its_record() {
    let shown = shown_of("(;SZ[5]KM[7];B[cc];W[bb];B[dd])", "load {}\nundo\nresign\nsave {}\nsave {}\nquit\n");
    assert!(shown.contains("RE[W+R]") && shown.replace('\n', "").ends_with(";B[cc];W[bb])"), "{shown}");
}

#[test]
fn a_pass_that_ends_the_game_has_no_forecast() {
    let shown = shown_of(SETTLED, "load {}\npass\nquit\n");
    assert!(answer(&shown, "pass").starts_with("Kosumi passes.\n"), "{shown}");
}

#[test]
fn where_the_first_capture_wins_no_points_are_named() {
    let shown = shown_of("(;SZ[5]KM[0]RU[first-capture];B[cc];W[bb])", "load {}\nscore\nhint\nquit\n");
    assert!(answer(&shown, "score").contains(" wins ") && !answer(&shown, "score").contains("expected"), "{shown}");
    assert!(answer(&shown, "hint").contains(" wins ") && !answer(&shown, "hint").contains("+"), "{shown}");
}

#[test]
fn a_folder_is_no_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder.path().display();
    let shown = shown(5, Settings::default(), format!("load {name}\nquit\n"));
    assert!(shown.contains(&format!("{name} is a folder. Name a file, such as {name}/game.sgf.")), "{shown}");
}

#[test]
fn a_loaded_game_with_a_result_waits_for_the_person() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("over.sgf");
    fs::write(&path, "(;SZ[5]RE[B+R];B[cc])").expect("a file");
    let load = format!("load {}", path.display());
    let shown = shown(5, Settings::default(), format!("{load}\nb2\nboard\nhint\n\nquit\n"));
    assert!(answer(&shown, "hint").contains(" (white wins "), "{shown}");
    assert!(answer(&shown, &load).ends_with("The record says B+R. If you play on, so does Kosumi."), "{shown}");
    assert!(shown.contains("Move 2, white (Return lets Kosumi move): "), "{shown}");
    assert_eq!(answer(&shown, "b2"), "It is white's turn. Press Return, and Kosumi moves.");
    assert!(!answer(&shown, "board").contains("Kosumi"), "{shown}");
    assert_eq!(shown.matches("Kosumi (white) plays ").count(), 1, "{shown}");
}

#[test]
fn points_for_the_handicap_stand_beside_komi() {
    let settings = Settings { handicap: 2, ..Settings::default() };
    assert!(shown(9, settings, "board\nquit\n").contains("komi 7 and 2 for the handicap, chinese rules"));
}

#[test]
fn a_file_with_several_games_is_said_to_have_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.sgf");
    fs::write(&path, "(;SZ[5];B[cc];W[bb])(;SZ[9];B[aa])").expect("a file");
    let shown = shown(9, Settings::default(), format!("load {}\nquit\n", path.display()));
    let loaded = answer(&shown, &format!("load {}", path.display()));
    assert!(loaded.starts_with("The file holds several games, and only the first one is read.\n"), "{shown}");
    assert!(loaded.contains(" 5 . . . . . 5"), "{shown}");
}

#[test]
fn what_a_level_is_on_another_board_is_said_once() {
    let lines = "level 10k\nnew 9x13\nnew 9x13\nnew 5\nnew 9\nquit\n";
    let shown = shown(5, Settings::default(), lines);
    let news = "On this board level 10k plays like 10k by an estimate: ";
    // The answer to `level` has said it of 5x5, and ranks are measured on 9x9.
    assert!(answer(&shown, "level 10k").contains("plays like 10k by an estimate"), "{shown}");
    assert!(answer(&shown, "new 9x13").starts_with(news), "{shown}");
    assert_eq!(shown.matches(news).count(), 1, "{shown}");
}

/// A sink or a source that is broken.
struct Broken;

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::other("broken"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl io::Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("broken"))
    }
}

#[test]
fn what_cannot_be_read_or_written_is_told_apart() {
    let error = play::run(engine(5), Settings::default(), &b"quit\n"[..], Broken).expect_err("no output");
    assert_eq!(error.to_string(), "cannot write: broken");
    let input = io::BufReader::new(Broken);
    let error = play::run(engine(5), Settings::default(), input, io::sink()).expect_err("no input");
    assert_eq!(error.to_string(), "cannot read: broken");
}

#[test]
fn the_person_may_have_white_and_take_a_handicap() {
    let white = shown(9, Settings { person: Color::White, ..Settings::default() }, "quit\n");
    assert!(white.contains("Kosumi (black) plays ") && white.ends_with("Move 2, white (you): quit\nGoodbye.\n"));
    let settings = Settings { handicap: 3, ..Settings::default() };
    let handicap = shown(9, settings, "new 5\nquit\n");
    assert!(handicap.contains("Kosumi (white) plays "), "White begins: {handicap}");
    assert_eq!(handicap.split("Move 2").next().expect("a part").matches('X').count(), 3 + 1, "{handicap}");
    assert!(answer(&handicap, "new 5").contains("Kosumi (white) plays "), "{handicap}");
    let error = play::run(engine(5), Settings { handicap: 99, ..settings }, &b""[..], io::sink()).expect_err("no room");
    assert!(matches!(error, PlayError::Handicap { stones: 99, size } if size == 5), "{error}");
}

#[test]
fn colours_are_for_terminals_that_have_them() {
    let style = Style { colours: true, round: true };
    let coloured = shown(5, Settings { style, ..Settings::default() }, "c3\nquit\n");
    assert!(coloured.contains("\x1b[48;5;") && coloured.contains('●'), "{coloured}");
    let run = |variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kosumi"));
        forget_settings(&mut command);
        command.args(["play", "--no-config", "--threads", "1", "--size", "5", "--playouts", "20"]);
        command.envs(variables.iter().copied()).stdin(Stdio::null());
        let output = command.output().expect("it starts");
        assert!(output.status.success());
        String::from_utf8(output.stdout).expect("text")
    };
    assert!(!run(&[("TERM", "xterm-256color"), ("LANG", "C.UTF-8")]).contains('\x1b'), "a pipe gets no colours");
    assert!(run(&[("CLICOLOR_FORCE", "1")]).contains("\x1b[48;5;"), "unless they are asked for");
    assert!(!run(&[("CLICOLOR_FORCE", "0"), ("NO_COLOR", "1")]).contains('\x1b'));
}

#[test]
fn no_line_ends_the_session() {
    let mut typed = Vec::new();
    for word in ["undo", "level", "load", "new", "play", "hint", ""] {
        for rest in ["", " ", " -1", " 0", " 99999999999999999999", " ü", " \u{0}", " /", " a b c", " nan"] {
            typed.extend(format!("{word}{rest}\n").bytes());
        }
    }
    for line in
        ["save", "save /", "save /no/such/folder/game.sgf", "save /dev/null", "load /dev/zero", "load \u{0}.sgf"]
    {
        typed.extend(format!("{line}\n{line}\n").bytes());
    }
    typed.extend(b"\xff\xfe\x00\x1b[31m\r\n\n\t\n");
    typed.extend(vec![b'x'; 300_000]);
    typed.extend(b"\nhelp");
    let shown = shown(5, Settings::default(), &typed);
    assert!(shown.contains("play on this point"), "the last line is read");
    assert!(shown.ends_with("\nGoodbye.\n") && !shown.contains("Something went wrong"), "{shown}");
    assert!(!shown.contains(['\x1b', '\0']), "what was typed cannot change the terminal");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_game_in_good_order() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kosumi"));
    forget_settings(&mut command);
    command.args(["play", "--no-config", "--threads", "1", "--size", "5"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut output = child.stdout.take().expect("piped");
    let mut seen = Vec::new();
    // The prompt says that the program is ready.
    while !seen.ends_with(b"(you): ") {
        let mut byte = [0];
        assert_eq!(io::Read::read(&mut output, &mut byte).expect("it writes"), 1, "no prompt");
        seen.extend(byte);
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill").success());
    assert!(wait(&mut child, PATIENCE).success());
}

/// A sink whose contents can be read.
#[derive(Clone, Default)]
struct Sheet(Arc<Mutex<Vec<u8>>>);

impl Write for Sheet {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sheet {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("no panic").clone()).expect("text")
    }
}

/// The answers to these lines, and what is written beside them.
fn session(reader: Reader, lines: &'static str) -> (String, String) {
    let (answers, asides, stop) = (Sheet::default(), Sheet::default(), Interrupt::default());
    let engine = Engine::new(EngineOptions { size: 5.into(), playouts: Some(20), ..options() }, Arc::clone(&stop))
        .expect("memory");
    let input = Input::start(lines.as_bytes(), stop, TimeSource::system()).expect("a thread");
    let options = SessionOptions { reader, ..SessionOptions::default() };
    gtp::run(engine, options, &input, answers.clone(), asides.clone()).expect("all is written");
    (answers.text(), asides.text())
}

const LINES: &str = "d4\nPLAY b d4\nply b d4\n1 play b d4\nplay w d4\nplay b z9\nplay w\nundo\nundo\nboardsize 99\nloadsgf no.sgf\n\
                     help\nfixed_handicap 3\ngenmove w # a comment\nkosumi-level\n# only a comment\nquit\n";

#[test]
fn a_person_at_the_terminal_is_told_what_was_wrong() {
    let (answers, told) = session(Reader::Person, LINES);
    let (plain, nothing) = session(Reader::Program, LINES);
    assert_eq!((answers, &*nothing), (plain, ""), "programs read the same answers, and nothing beside them");
    for text in [
        "To play there, say who plays: play black D4",
        "Commands have small letters: play",
        "Did you mean: play COLOR VERTEX",
        "D4 is taken: a black stone stands there.",
        "That point is not on the board, which goes from A1 to E5.",
        "Usage: play COLOR VERTEX, for instance: play black D4",
        "The game has 0 moves that can be taken back.",
        "A board has 2 to 25 columns and rows: boardsize 13, or boardsize 9 13.",
        "Names of files are looked up in ",
        "genmove white asks for mine",
        "A board of 5x5 has no fixed points",
        " 4 . . .(X). 4",
    ] {
        assert!(told.contains(text), "{text} is not in {told}");
    }
    // After the two moves and the one that was taken back.
    assert_eq!(told.matches("to play, komi").count(), 3, "{told}");
}

#[test]
fn those_who_watch_a_script_see_its_lines() {
    let (answers, shown) = session(Reader::Audience, LINES);
    assert_eq!(answers, session(Reader::Program, LINES).0);
    assert_eq!(shown, LINES);
}

/// `script` gives the program a terminal. Debian and its kin have `script` in every system.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_recognized() {
    let program = env!("CARGO_BIN_EXE_kosumi");
    let run = |line: &str| {
        let mut command = Command::new("script");
        forget_settings(&mut command);
        let output = command.args(["-qec", line, "/dev/null"]).stdin(Stdio::null()).output().expect("script runs");
        String::from_utf8_lossy(&output.stdout).replace('\r', "")
    };
    let script = format!("echo 'name # who?' | {program} --no-config --threads 1 --size 5");
    assert_eq!(run(&script), "name # who?\n= Kosumi\n\n");
    // Where one of the outputs goes to a program, nothing is added.
    assert_eq!(run(&format!("{script} | cat")), "= Kosumi\n\n");
    let game = format!("echo 'quit' | {program} play --no-config --threads 1 --size 5");
    assert!(run(&game).contains("\x1b[48;5;"));
    assert!(!run(&format!("export NO_COLOR=1; {game}")).contains('\x1b'));
}
