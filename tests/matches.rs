//! `kosumi match` with engines that behave and engines that do not, from the first game to the report.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use kosumi::clock::TimeControl;
use kosumi::game::Game;
use kosumi::go::vertex::{self, Vertex};
use kosumi::go::{Komi, Ruleset};
use kosumi::matches::record::{Ending, Row, Side};
use kosumi::matches::report;
use kosumi::matches::tally::Summary;
use kosumi::matches::{Counting, EngineCommand, OpeningSource, Settings};
use kosumi::sgf;

use crate::support::match_bench::{Bench, KOSUMI, kosumi, run};

/// Plays a row's moves again.
fn replayed(row: &Row, size: usize) -> Game {
    let mut game = Game::new(size, Ruleset::default(), Komi::new(0.5).ok());
    for word in row.moves.split_whitespace() {
        let Some(Vertex::On(mv)) = vertex::parse(word, size) else { panic!("{word}") };
        let color = game.position().to_move();
        game.play(color, mv).unwrap();
    }
    game
}

#[test]
fn who_has_not_installed_the_program_names_it_all_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let play = |program: &str| {
        let engine = format!("{program} --no-config --playouts 1 --threads 1 --memory 1");
        let mut command = Command::new(env!("CARGO_BIN_EXE_kosumi"));
        command.args(["match", &engine, &engine, "--size", "5", "--games", "1", "--output", "match"]);
        let done = command.current_dir(&folder).env("PATH", "").output().expect("it ends");
        (done.status.success(), String::from_utf8_lossy(&done.stderr).into_owned())
    };
    let (is_done, said) = play("kosumi");
    assert!(is_done && folder.path().join("match/games/0001.sgf").exists(), "{said}");
    let (is_done, said) = play("no-such-engine");
    assert!(!is_done && said.contains("no-such-engine"), "{said}");
}

#[test]
fn colours_alternate_and_games_are_kept() {
    let bench = Bench::new();
    let seeded: EngineCommand = format!("{KOSUMI} --seed {{game}}").parse().unwrap();
    let settings = Settings { concurrency: 2, ..bench.settings(seeded, kosumi(), 4) };
    let summary = run(&settings).unwrap();
    let mut rows = bench.rows();
    rows.sort_by_key(|row| row.game);
    assert_eq!(rows.iter().map(|row| row.game).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(rows.iter().map(|row| row.black).collect::<Vec<_>>(), [Side::A, Side::B, Side::A, Side::B]);
    assert_eq!(summary.games, 4);
    assert_eq!(summary.engines[0].games_as_black, 2);
    for row in &rows {
        let game = replayed(row, 5);
        assert!(matches!(row.ending, Ending::Count | Ending::Resignation | Ending::MoveLimit), "{row:?}");
        let black_won = row.result.starts_with('B');
        assert_eq!(row.winner, Some(if black_won { row.black } else { row.black.other() }));
        let text = fs::read_to_string(bench.path(&format!("match/games/{:04}.sgf", row.game))).unwrap();
        assert!(text.contains(&format!("RE[{}]", row.result)) && text.contains("PB[Kosumi "), "{text}");
        let read = Game::load(sgf::read(text.as_bytes()).unwrap(), None, Ruleset::default(), None).unwrap();
        assert_eq!(read.moves(), game.moves());
        assert_eq!(usize::try_from(row.a.moves + row.b.moves).unwrap(), played_by_engines(row, &game));
        assert!(row.a.cpu_seconds.is_some());
    }
    let text = fs::read_to_string(bench.path("match/summary.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["games"], 4);
}

/// Moves that engines chose; a resignation is one that the record does not show.
fn played_by_engines(row: &Row, game: &Game) -> usize {
    game.moves().len() - row.opening_moves + usize::from(row.ending == Ending::Resignation)
}

fn faulty(first: &str, cases: &str, change: impl FnOnce(&mut Settings)) -> (Summary, Vec<Row>) {
    let bench = Bench::new();
    let mut settings = bench.settings(bench.passer(), bench.script("faulty", first, cases), 2);
    change(&mut settings);
    let summary = run(&settings).unwrap();
    let rows = bench.rows();
    assert_eq!((summary.games, summary.engines[0].wins, rows.len()), (2, 2, 2), "{rows:?}");
    assert!(rows.iter().all(|row| row.winner == Some(Side::A)));
    (summary, rows)
}

#[test]
fn a_resignation_ends_the_game() {
    let (summary, rows) = faulty("", r"genmove) printf '= Resign\n\n';;", |_| {});
    assert_eq!(rows[0].result, "B+R");
    assert_eq!(rows[1].result, "W+R");
    assert_eq!(summary.endings.get("resignation"), Some(&2));
    assert_eq!(summary.engines[1].crashes, 0);
}

#[test]
fn an_illegal_move_loses() {
    // The first time A1 is free, the second time it is not.
    let (summary, rows) = faulty("", r"genmove) printf '= A1\n\n';;", |_| {});
    assert_eq!((summary.engines[1].illegal_moves, summary.engines[0].illegal_moves), (2, 0));
    assert_eq!(rows[0].result, "B+F");
    assert!(rows[0].detail.as_deref().unwrap().contains("occupied"));
    let (_, rows) = faulty("", r"genmove) printf '= T19\n\n';;", |_| {});
    assert_eq!(rows[0].ending, Ending::Illegal);
    let (_, rows) = faulty("", r"genmove) printf '= I resign, thank you\n\n';;", |_| {});
    assert_eq!(rows[0].ending, Ending::Illegal);
    let (_, rows) = faulty("", r"genmove) printf '=\n\n';;", |_| {});
    assert_eq!(rows[0].ending, Ending::Illegal);
}

#[test]
fn an_engine_that_dies_loses_and_is_started_again() {
    let (summary, rows) = faulty("", r"genmove) echo boom >&2; exit 3;;", |_| {});
    assert_eq!(summary.engines[1].crashes, 2);
    let detail = rows[0].detail.as_deref().unwrap();
    assert!(detail.contains('3') && detail.contains("boom"), "{detail}");
}

#[test]
fn an_engine_that_hangs_loses() {
    let (summary, _) = faulty("", "genmove) hang 4000;;", |settings| settings.hang = Duration::from_secs(4));
    assert_eq!(summary.engines[1].hangs, 2);
    // So does one that writes without end, with and without the beginning of an answer.
    for endless in ["genmove) take 4000; yes;;", "genmove) take 4000; printf '='; yes;;"] {
        let (summary, _) = faulty("", endless, |settings| settings.hang = Duration::from_secs(4));
        assert_eq!(summary.engines[1].hangs, 2, "{endless}");
    }
}

#[test]
fn an_engine_that_refuses_to_go_on_loses() {
    let (summary, rows) = faulty("", r"genmove) printf '= A1\n\n';; play) printf '? no such move\n\n';;", |_| {});
    assert_eq!(summary.engines[1].refusals, 2);
    assert!(rows[0].detail.as_deref().unwrap().contains("no such move"));
    let (summary, _) = faulty("", r"genmove) printf '? I would rather not\n\n';;", |_| {});
    assert_eq!(summary.engines[1].refusals, 2);
}

#[test]
fn a_move_that_takes_too_long_loses() {
    let (summary, rows) = faulty("", r"genmove) take 3500; printf '= pass\n\n';;", |settings| {
        settings.move_time = Some(Duration::from_secs(3));
    });
    assert_eq!(summary.engines[1].time_losses, 2);
    assert!(rows.iter().all(|row| row.result == if row.game == 1 { "B+T" } else { "W+T" }), "{rows:?}");
    assert_eq!((rows[0].a.longest, rows[0].b.longest), (0.0, 3.5));
}

/// An engine that lists these commands besides the usual ones, logs those that begin like this, and has its own case
/// for `genmove`.
fn logging(bench: &Bench, name: &str, commands: &str, logged: &str, genmove: &str) -> EngineCommand {
    bench.script(
        name,
        &format!("n=0; exec 3>>'{}'", bench.path(&format!("{name}.log")).display()),
        &format!(
            "list_commands) printf '= genmove\\n{commands}\\n\\n';;\n\
             {logged}) echo $command $rest >&3; printf '=\\n\\n';;\n\
             genmove) {genmove};;"
        ),
    )
}

fn log(bench: &Bench, name: &str) -> Vec<String> {
    let text = fs::read_to_string(bench.path(&format!("{name}.log"))).unwrap();
    text.lines().map(String::from).collect()
}

#[test]
fn a_clock_is_told_and_kept() {
    let bench = Bench::new();
    let clock = TimeControl::Absolute { main: Duration::from_secs(10_000) };
    let play = r"take 100; n=$((n+1)); printf '= A%s\n\n' $n";
    let whole = logging(&bench, "whole", "time_settings\\ntime_left", "time_*", play);
    let exact =
        logging(&bench, "exact", "time_settings\\ntime_left\\nkata-time_settings", "time_*", &play.replace('A', "B"));
    let settings = Settings { clock, max_moves: 4, ..bench.settings(whole, exact, 1) };
    run(&settings).unwrap();
    assert_eq!(bench.rows()[0].ending, Ending::MoveLimit);
    let (whole, exact) = (log(&bench, "whole"), log(&bench, "exact"));
    assert_eq!([&whole[0], &exact[0]], ["time_settings 10000 0 0"; 2]);
    assert_eq!((whole[1].as_str(), exact[1].as_str()), ("time_left black 10000 0", "time_left white 10000 0"));
    // GTP has whole seconds. Who knows KataGo's time settings is told the milliseconds. Neither is told too much.
    assert_eq!((whole[2].as_str(), exact[2].as_str()), ("time_left black 9999 0", "time_left white 9999.900 0"));
}

#[test]
fn byo_yomi_is_told_and_kept() {
    let bench = Bench::new();
    let play = r"take 250; n=$((n+1)); printf '= A%s\n\n' $n";
    let clocked = logging(&bench, "clocked", "time_settings\\ntime_left", "time_*", play);
    let clock = TimeControl::Canadian { main: Duration::ZERO, period: Duration::from_secs(2000), stones: 2 };
    run(&Settings { clock, max_moves: 6, ..bench.settings(clocked, bench.passer(), 1) }).unwrap();
    assert_eq!(bench.rows()[0].ending, Ending::MoveLimit);
    let told = log(&bench, "clocked");
    assert_eq!(told[..2], ["time_settings 0 2000 2", "time_left black 2000 2"]);
    // The second stone of the period has what is left of it, the third a new period.
    assert_eq!(told[2..], ["time_left black 1999 1", "time_left black 2000 2"]);
}

/// The margin is there once: with a second on the clock and a margin of a second nobody plays for three.
#[test]
fn sudden_death_is_sudden_for_all_the_margin() {
    let bench = Bench::new();
    let slow = bench.script("slow", "n=0", r"genmove) take 800; n=$((n+1)); printf '= A%s\n\n' $n;;");
    let clock = TimeControl::Absolute { main: Duration::from_secs(1) };
    let margin = Duration::from_secs(1);
    run(&Settings { clock, margin, max_moves: 10, ..bench.settings(slow, bench.passer(), 1) }).unwrap();
    let row = &bench.rows()[0];
    assert_eq!((row.ending, row.winner), (Ending::Time, Some(Side::B)), "{row:?}");
    // Two moves take 1.6 s of the two seconds.
    assert_eq!(row.a.moves, 3, "{row:?}");
}

/// KataGo's `chinese` has simple ko and ours positional superko, so KataGo is told the parts.
#[test]
fn rules_are_told_by_names_only_where_a_name_means_the_same() {
    let told = |rules: &str, commands: &str| {
        let bench = Bench::new();
        let engine = logging(&bench, "engine", commands, "*rules", r"printf '= pass\n\n'");
        let rules = Ruleset::by_name(rules).or_else(|| kosumi::go::rule_keys::read(rules)).unwrap();
        run(&Settings { rules, ..bench.settings(engine, bench.passer(), 1) }).unwrap();
        log(&bench, "engine").join("; ")
    };
    let katago = |rules| told(rules, "kata-set-rules");
    assert_eq!(katago("chinese"), "kata-set-rules koPOSITIONALscoreAREAtaxNONEsui0button0whbNfpok1");
    assert_eq!(katago("cgos"), "kata-set-rules koPOSITIONALscoreAREAtaxNONEsui0button0whb0fpok0");
    // What KataGo has no key for is left out.
    assert_eq!(katago("gaming-zone"), "kata-set-rules koSIMPLEscoreTERRITORYtaxSEKIsui0button0whb0fpok1");
    assert_eq!(katago("first-capture"), "kata-set-rules koPOSITIONALscoreAREAtaxNONEsui1button0whb0fpok0");
    assert_eq!(katago("japanese"), "kata-set-rules japanese");
    assert_eq!(katago("tromp-taylor"), "kata-set-rules tromp-taylor");
    let kosumi = |rules| told(rules, r"kosumi-rules\nkata-set-rules");
    assert_eq!(kosumi("chinese"), "kosumi-rules chinese");
    assert_eq!(kosumi("gaming-zone"), "kosumi-rules gaming-zone");
    let own = "koSIMPLEscoreAREAtaxNONEsui1button0whb0fpok1cycleDRAW";
    assert_eq!(kosumi(own), format!("kata-set-rules {own}"));
    assert_eq!(told("chinese", "known_command"), "");
}

#[test]
fn chatter_missing_blanks_and_a_full_standard_error_do_no_harm() {
    let bench = Bench::new();
    let chatter = bench.script(
        "chatter",
        r"printf 'Welcome!\n\n  (c) somebody\n'; i=0; while [ $i -lt 3000 ]; do i=$((i+1))
          echo 'a line that fills the pipe when nobody reads it, and another one, and another one' >&2; done",
        r"genmove) echo 'thinking ...'; printf '=pass\r\n\r\n';;
          komi) printf '= \n\n';;",
    );
    let summary = run(&bench.settings(chatter, bench.passer(), 2)).unwrap();
    let rows = bench.rows();
    assert!(rows.iter().all(|row| row.ending == Ending::Count && row.result == "W+0.5"), "{rows:?}");
    assert_eq!(summary.score, Some(0.5));
    assert_eq!(summary.repeated, 1);
    // The passer does nothing but pass, and it was sent nothing that it does not list.
    assert_eq!(rows[0].names, ["Script 1", "Script 1"]);
}

#[test]
fn an_interrupted_match_goes_on() {
    let bench = Bench::new();
    let mut settings = bench.settings(bench.passer(), kosumi(), 4);
    run(&settings).unwrap();
    let path = bench.path("match/games.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let two: Vec<&str> = text.lines().take(2).collect();
    // As an interruption while the third row is written would leave it.
    fs::write(&path, format!("{}\n{}\n{{\"game\":3,\"na", two[0], two[1])).unwrap();
    let summary = run(&settings).unwrap();
    let again = fs::read_to_string(&path).unwrap();
    assert!(again.starts_with(&format!("{}\n{}\n", two[0], two[1])));
    assert_eq!(bench.rows().iter().map(|row| row.game).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(summary.games, 4);
    // The same once more plays nothing, more games go on.
    run(&settings).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), again);
    settings.games = 5;
    assert_eq!(run(&settings).unwrap().games, 5);
    // Another match is not mixed with it.
    settings.komi = Komi::new(7.5).ok();
    let error = run(&settings).unwrap_err();
    assert!(error.contains("komi was 0.5, now it is 7.5"), "{error}");
}

#[test]
fn two_matches_cannot_have_one_folder() {
    let bench = Bench::new();
    let settings = bench.settings(bench.passer(), bench.passer(), 1);
    fs::create_dir_all(bench.path("match")).unwrap();
    let held = fs::File::create(bench.path("match/.lock")).unwrap();
    held.try_lock().unwrap();
    let error = run(&settings).unwrap_err();
    assert_eq!(error, format!("{}: another process plays a match in this folder", bench.path("match").display()));
    drop(held);
    assert_eq!(run(&settings).unwrap().games, 1);
}

#[test]
fn a_match_that_is_stopped_ends_with_the_games_so_far() {
    let bench = Bench::new();
    let reached = bench.path("reached");
    // It hangs in its third game.
    let hangs = format!(
        "clear_board) games=$((games + 1)); printf '=\\n\\n';;
         genmove) if [ $games = 3 ]; then touch '{}'; while :; do read -r command; done; fi; printf '= pass\\n\\n';;",
        reached.display()
    );
    let settings = bench.settings(bench.script("hangs", "games=0", &hangs), bench.passer(), 5);
    let settings = Settings { hang: Duration::from_secs(3600), ..settings };
    let stop = settings.stop.clone();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !reached.exists() {
                std::thread::sleep(Duration::from_millis(2));
            }
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let summary = run(&settings).unwrap();
        // No engine has lost the game in progress.
        assert_eq!((summary.games, summary.endings.len()), (2, 1), "{summary:?}");
    });
    assert_eq!(bench.rows().len(), 2);
}

#[test]
fn an_engine_that_does_not_tell_its_time_is_started_anew() {
    let bench = Bench::new();
    // Its answer at the end of a game would be taken for that to the first command of the next one.
    let cases = r"list_commands) printf '= cputime\nboardsize\nclear_board\nkomi\nplay\ngenmove\nquit\n\n';;
         genmove) printf '= pass\n\n';;
         cputime) asked=$((asked + 1)); if [ $asked = 2 ]; then hang 4000; fi; printf '= 1\n\n';;";
    let slow = bench.script("slow", "asked=0", cases);
    let settings = Settings { hang: Duration::from_secs(4), ..bench.settings(slow, bench.passer(), 2) };
    let summary = run(&settings).unwrap();
    assert_eq!((summary.games, summary.engines[0].hangs), (2, 0), "{summary:?}");
}

#[test]
fn a_decided_test_stops_the_match() {
    let bench = Bench::new();
    let resigner = bench.script("resigner", "", r"genmove) printf '= resign\n\n';;");
    let sprt = "0,200,0.05,0.05".parse().ok();
    let settings = Settings { sprt, ..bench.settings(bench.passer(), resigner, 200) };
    let summary = run(&settings).unwrap();
    // Each win is worth log(0.7597/0.5) = 0.418; the eighth passes 2.944.
    assert_eq!(summary.games, 8);
    assert_eq!(summary.sprt.as_ref().unwrap().verdict, Some("H1"));
    assert_eq!(run(&settings).unwrap().games, 8);
}

#[test]
fn a_second_referee_is_compared() {
    let bench = Bench::new();
    let wrong = bench.script("wrong", "", r"final_score) printf '= B+3.5\n\n';;");
    let settings = Settings { referee: Some(wrong), ..bench.settings(bench.passer(), bench.passer(), 2) };
    let summary = run(&settings).unwrap();
    assert_eq!((summary.second_referee, summary.referees_differ.as_slice()), (2, &[1, 2][..]));
    assert_eq!(bench.rows()[0].referee.as_ref().unwrap().result, "B+3.5");
    let dies = bench.script("dies", "", "final_score) exit 1;;");
    let summary = run(&Settings { referee: Some(dies), output: None, ..settings.clone() }).unwrap();
    // To give no score is another thing than to differ.
    assert_eq!((summary.second_referee, summary.referees_differ.len()), (0, 0));
    assert_eq!(summary.referee_failed, [1, 2]);
    let text = report::text(&summary);
    assert!(text.contains("gave no score in 2 of 2 counted games: 1, 2") && !text.contains("differs"), "{text}");
    let summary = run(&Settings { referee: Some(kosumi()), output: None, ..settings.clone() }).unwrap();
    assert_eq!((summary.second_referee, summary.referees_differ.len(), summary.referee_failed.len()), (2, 0, 0));
    // One that cannot take part ends the match before its first game.
    for (name, cases, word) in [
        ("silent", "list_commands) exit 1;;", "speaks no GTP"),
        ("small", r"boardsize) printf '? no\n\n';;", "boardsize"),
    ] {
        let settings = Settings { referee: Some(bench.script(name, "", cases)), output: None, ..settings.clone() };
        let error = run(&settings).unwrap_err();
        assert!(error.contains(word), "{name}: {error}");
    }
}

#[test]
fn numbers_of_one_are_said_as_such() {
    let bench = Bench::new();
    let settings = bench.settings(bench.passer(), bench.passer(), 2);
    let text = report::text(&run(&settings).unwrap());
    assert!(
        text.contains("\n2 of 2 games: ") && text.contains("\n1 game repeats an earlier one and tells nothing new")
    );
    // The folder has more games than are wanted now.
    let text = report::text(&run(&Settings { games: 1, ..settings }).unwrap());
    assert!(text.contains("\n2 games, of which 1 was asked for: "), "{text}");
}

/// A column each, with two eyes; White's stone at A3 is dead, and counts as such unless the board is counted as it
/// stands.
#[test]
fn dead_stones_are_judged_unless_told_otherwise() {
    let bench = Bench::new();
    let path = bench.path("opening.sgf");
    fs::write(&path, "(;GM[1]SZ[5]AB[ca][cb][cc][cd][ce][bb][bd]AW[da][db][dc][dd][de][ec][ac]PL[B])").unwrap();
    let openings = OpeningSource::Path { path, moves: None };
    let settings = Settings { openings, ..bench.settings(bench.passer(), bench.passer(), 1) };
    run(&settings).unwrap();
    assert_eq!(bench.rows()[0].result, "B+4.5");
    fs::remove_dir_all(bench.path("match")).unwrap();
    run(&Settings { counting: Counting::AsItStands, ..settings }).unwrap();
    assert_eq!(bench.rows()[0].result, "W+4.5");
}

#[test]
fn an_engine_that_cannot_take_part_ends_the_match() {
    let bench = Bench::new();
    let missing: EngineCommand = "/no/such/program".parse().unwrap();
    let error = run(&bench.settings(bench.passer(), missing, 2)).unwrap_err();
    assert!(error.contains("cannot start \"/no/such/program\""), "{error}");
    let small = bench.script("small", "", r"boardsize) printf '? unacceptable size\n\n';;");
    let error = run(&bench.settings(bench.passer(), small, 2)).unwrap_err();
    assert!(error.contains("B cannot play game 1: boardsize 5: unacceptable size"), "{error}");
    assert!("'unclosed".parse::<EngineCommand>().is_err());
    assert!("".parse::<EngineCommand>().is_err());
}

#[test]
fn the_command_line() {
    let match_of = |arguments: &[&str]| {
        let output =
            Command::new(Path::new(env!("CARGO_BIN_EXE_kosumi"))).arg("match").args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, out, _) = match_of(&[KOSUMI, KOSUMI, "--games", "2", "--size", "5", "--quiet", "--json"]);
    assert_eq!(code, Some(0));
    let summary: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(summary["games"], 2);
    let (code, out, _) = match_of(&[KOSUMI, KOSUMI, "--games", "1", "--size", "5", "--random-openings", "2"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("1 of 1 games"), "{out}");
    let (code, _, err) = match_of(&[KOSUMI, "/no/such/program", "--games", "1"]);
    assert_eq!(code, Some(1));
    assert!(err.contains("cannot start"), "{err}");
    let (code, out, err) = match_of(&[KOSUMI, KOSUMI, "--games", "1", "--size", "5", "--referee", "/no/such/program"]);
    assert!(code == Some(1) && out.is_empty() && err.contains("cannot start \"/no/such/program\""), "{out}{err}");
    assert_eq!(match_of(&[KOSUMI]).0, Some(2));
    assert_eq!(match_of(&[KOSUMI, KOSUMI, "--sprt", "5,0,0.05,0.05"]).0, Some(2));
    assert_eq!(match_of(&[KOSUMI, KOSUMI, "--byo-yomi", "0/5"]).0, Some(2));
}
