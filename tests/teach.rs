//! Teaching: a run that is killed and goes on, processes that play side by side and are killed, and, with a trainer,
//! whether a net learns.
//!
//! The trainer of most tests is a script that writes a given net, so that they need no Python. The test
//! `strength::it_learns` needs the real one: it runs only if the environment variable `KOSUMI_TRAINER` has its command,
//! for example `KOSUMI_TRAINER="target/training/bin/python -m kosumi_training" cargo test --test all teach::`.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use kosumi::net::{Net, random};
use kosumi::teach::settings::preset;
use tempfile::TempDir;

/// Longer than anything takes here, even on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(240);

/// Waits until something is so.
fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "{what} has not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A place for a run, with a trainer that learns nothing.
struct Place {
    folder: TempDir,
}

impl Place {
    /// Quick games on a small board; `changes` are made in the settings.
    fn new(changes: &[(&str, &str)]) -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        let mut settings = preset("teach-5x5").expect("a preset").to_owned();
        let quick = [
            ("playouts = 100\nquick_playouts = 30", "playouts = 4\nquick_playouts = 2"),
            ("first_games = 400\ngames = 400", "first_games = 30\ngames = 30"),
            ("file_games = 50", "file_games = 10"),
            ("held_out_share = 0.05", "held_out_share = 0.3"),
            ("games = 40\nplayouts = 100", "games = 2\nplayouts = 4"),
            ("--playouts 100", "--playouts 4"),
            ("games = 20\nevery", "games = 2\nevery"),
        ];
        for (from, to) in quick.iter().chain(changes) {
            assert!(settings.contains(from), "{from}");
            settings = settings.replace(from, to);
        }
        fs::write(folder.path().join("settings.toml"), settings).unwrap();
        let net = random::mild_file(&random::description(1, 32), 1);
        fs::write(folder.path().join("net"), net).unwrap();
        let place = Place { folder };
        place.set_trainer("");
        place
    }

    /// A trainer that does this when it learns.
    fn set_trainer(&self, learning: &str) {
        let here = self.folder.path().display();
        let script = format!(
            "#!/bin/sh\ncd '{here}'\ncase \"$1\" in\ntrain) {learning}\n;;\nexport) while [ $# -gt 0 ]; do \
             [ \"$1\" = --out ] && cp net \"$2\"; shift; done;;\nesac\nexit 0\n"
        );
        let path = self.folder.path().join("trainer.sh");
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn run(&self) -> PathBuf {
        self.folder.path().join("run")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kosumi"));
        let path = |name: &str| self.folder.path().join(name).display().to_string();
        command.args(["teach", &path("run"), "--preset", &path("settings.toml"), "--trainer", &path("trainer.sh")]);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    fn start(&self, arguments: &[&str]) -> Running {
        Running(self.command(arguments).stderr(Stdio::null()).spawn().expect("the program runs"))
    }

    /// Runs to the end of a generation.
    fn finish(&self, generations: &str) {
        let done = self.command(&["--generations", generations]).output().expect("the program runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.run().join(folder)) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned())).collect();
        names.sort();
        names
    }
}

/// A process that is killed when the test is over.
struct Running(Child);

impl Running {
    /// As `kill -9`.
    fn kill(&mut self) {
        let _ = self.0.kill();
        self.0.wait().expect("it ends");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Which row it is: process, game, move.
type Key = (String, u32, u16);

/// The whole rows of a file.
fn rows(path: &Path) -> Vec<Key> {
    let Ok(bytes) = fs::read(path) else { return Vec::new() };
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    // ROUND-NET-HOST-PROCESS-RANDOM-…
    let writer: Vec<&str> = name.split('-').skip(2).take(3).collect();
    let Some(length) = bytes.get(28..32).map(|word| u32::from_le_bytes(word.try_into().unwrap()) as usize) else {
        return Vec::new();
    };
    bytes[64..]
        .chunks_exact(length)
        .map(|row| {
            let tail = &row[length - 8..];
            let game = u32::from_le_bytes(tail[..4].try_into().unwrap());
            (writer.join("-"), game, u16::from_le_bytes(tail[4..6].try_into().unwrap()))
        })
        .collect()
}

/// The rows of all files of some folders.
fn all_rows(place: &Place, folders: &[&str]) -> Vec<Key> {
    let paths = folders.iter().flat_map(|folder| {
        let names = place.names(folder).into_iter().filter(|name| name.contains(".rows") && !name.starts_with('.'));
        names.map(|name| place.run().join(folder).join(name)).collect::<Vec<_>>()
    });
    paths.flat_map(|path| rows(&path)).collect()
}

#[test]
fn processes_that_are_killed_lose_and_double_no_row() {
    let place = Place::new(&[("first_games = 30", "first_games = 100000")]);
    let mut main = place.start(&["--threads", "1"]);
    until("the run", || place.run().join("start.json").exists().then_some(()));
    let mut workers: Vec<Running> = (0..3).map(|_| place.start(&["--worker", "--threads", "1"])).collect();
    let mut known = BTreeSet::new();
    for killed in 0..6_usize {
        let worker = &mut workers[killed % 3];
        let process = format!("-{}-", worker.0.id());
        // Killed while it writes a file, or between two, as it happens.
        let wanted = 1 + 97 * (killed % 4);
        until("rows", || {
            let own = all_rows(&place, &["rows", "held-out", "parts"]);
            (own.iter().filter(|(writer, ..)| format!("-{writer}").contains(&process)).count() >= wanted).then_some(())
        });
        worker.kill();
        known.extend(all_rows(&place, &["rows", "held-out", "parts"]));
        *worker = place.start(&["--worker", "--threads", "1"]);
    }
    // A writer holds its fourth file out, which is long in coming where the machine is busy.
    until("rows that are held out", || {
        (!place.names("held-out").is_empty() && !place.names("rows").is_empty()).then_some(())
    });
    main.kill();
    workers.iter_mut().for_each(Running::kill);
    known.extend(all_rows(&place, &["rows", "held-out", "parts"]));
    // A file that is cut off within a row, as by a write that was not completed.
    let is_part = |name: &String| name.ends_with(".rows.part") && !name.starts_with('.');
    let cut = place.names("parts").into_iter().find(is_part).expect("nobody was killed at work");
    let path = place.run().join("parts").join(cut);
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend([1; 9]);
    fs::write(&path, bytes).unwrap();
    // Whoever comes next finishes the files. With so few games wanted, it has to play none.
    let text = fs::read_to_string(place.run().join("teach.toml")).unwrap();
    fs::write(place.run().join("teach.toml"), text.replace("first_games = 100000", "first_games = 1")).unwrap();
    place.finish("1");
    // A process that is killed in the moment in which it begins a file leaves an empty one, whose name begins with a
    // point.
    assert!(!place.names("parts").iter().any(is_part), "{:?}", place.names("parts"));
    let found = all_rows(&place, &["rows", "held-out"]);
    let unique: BTreeSet<Key> = found.iter().cloned().collect();
    assert_eq!(found.len(), unique.len(), "rows are there twice");
    assert!(known.is_subset(&unique), "{} rows are lost", known.difference(&unique).count());
    assert!(
        unique.iter().map(|(writer, ..)| writer).collect::<BTreeSet<_>>().len() >= 7,
        "not all processes have played"
    );
    assert!(!place.names("held-out").is_empty() && !place.names("rows").is_empty());
    // The number of rows fits the files: nothing is cut off.
    for folder in ["rows", "held-out"] {
        for name in place.names(folder) {
            let bytes = fs::read(place.run().join(folder).join(&name)).unwrap();
            let length = u32::from_le_bytes(bytes[28..32].try_into().unwrap()) as usize;
            assert_eq!((bytes.len() - 64) % length, 0, "{name}");
        }
    }
}

#[test]
fn a_full_disk_leaves_whole_games_and_the_run_goes_on() {
    let place = Place::new(&[("first_games = 30", "first_games = 400"), ("file_games = 10", "file_games = 1000")]);
    // The folder is begun without a limit.
    let mut first = place.start(&[]);
    until("the run", || place.run().join("start.json").exists().then_some(()));
    first.kill();
    // No file may grow beyond 32 or 64 KiB, depending on the shell: some ten games at the least.
    let worker = place.command(&["--worker", "--threads", "2"]);
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -f 64; exec \"$@\"", "sh"]).arg(worker.get_program()).args(worker.get_args());
    let done = limited.stdin(Stdio::null()).output().expect("the program runs");
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(said.contains("File too large"), "{said}");
    let whole = || {
        let mut sum = 0;
        for name in place.names("games") {
            let games = fs::read_to_string(place.run().join("games").join(&name)).unwrap();
            let count = games.matches("\n)\n").count();
            assert!(games.is_empty() || games.ends_with("\n)\n"), "{name} ends with a part of a game");
            assert!(name.contains(&format!("-{count}g-")), "{name} has {count} games");
            sum += count;
        }
        for (folder, name) in ["rows", "held-out"].iter().flat_map(|f| place.names(f).into_iter().map(move |n| (f, n)))
        {
            let bytes = fs::read(place.run().join(folder).join(&name)).unwrap();
            let length = u32::from_le_bytes(bytes[28..32].try_into().unwrap()) as usize;
            assert_eq!((bytes.len() - 64) % length, 0, "{name}");
        }
        sum
    };
    assert!(whole() > 2);
    place.finish("1");
    assert!(whole() >= 400);
}

#[test]
fn a_run_goes_on_wherever_it_was_killed() {
    let place = Place::new(&[]);
    // Killed while it plays, after its first net, and while that is judged or later.
    let stages: [&dyn Fn() -> bool; 3] =
        [&|| !place.names("parts").is_empty(), &|| place.run().join("generations/000001.json").exists(), &|| {
            !place.names("matches").is_empty()
        }];
    for reached in stages {
        let mut run = place.start(&["--generations", "2"]);
        until("a stage", || (reached() || run.0.try_wait().unwrap().is_some()).then_some(()));
        run.kill();
    }
    place.finish("2");
    for folder in ["generations", "judged"] {
        assert_eq!(place.names(folder), ["000001.json", "000002.json"], "{folder}");
    }
    for name in ["best.kosunet", "nets/000001.kosunet", "nets/000002.kosunet"] {
        Net::from_bytes(&fs::read(place.run().join(name)).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let page = fs::read_to_string(place.run().join("report.html")).unwrap();
    assert!(page.ends_with("</html>\n") && page.contains("<svg viewBox") && page.contains("Rating by generation"));
    assert!(!page.contains("{{") && page.contains("Self-play 1, "), "a part of the page is missing");
    let made: serde_json::Value = read_json(&place, "generations/000002.json");
    assert!(made["games"].as_u64() >= Some(60) && made["playouts"].as_u64() > Some(1000), "{made}");
    let judged: serde_json::Value = read_json(&place, "judged/000002.json");
    let against: Vec<_> = judged["matches"].as_array().unwrap().iter().map(|met| met["b"].clone()).collect();
    assert_eq!(against, ["net 1", "no net"]);
    // All is there, so nothing is done.
    let before = fs::metadata(place.run().join("nets/000002.kosunet")).unwrap().modified().unwrap();
    place.finish("2");
    assert_eq!(fs::metadata(place.run().join("nets/000002.kosunet")).unwrap().modified().unwrap(), before);
    // A process that was ended between a judgement and its report left neither page nor best net.
    for name in ["report.html", "best.kosunet"] {
        fs::remove_file(place.run().join(name)).unwrap();
    }
    place.finish("2");
    assert!(place.run().join("report.html").exists() && place.run().join("best.kosunet").exists());
}

#[test]
fn an_opponent_that_cannot_play_is_left_out_and_the_run_goes_on() {
    let place =
        Place::new(&[("{kosumi} gtp --no-config --net none", "{kosumi} gtp --no-config --net missing.kosunet")]);
    let done = place.command(&["--generations", "2"]).output().expect("the program runs");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    // The first net has met the engine without a net as the one before it.
    assert_eq!(said.matches("no net is left out").count(), 1, "{said}");
    assert!(said.contains("missing.kosunet"), "{said}");
    let judged = read_json(&place, "judged/000002.json");
    let against: Vec<_> = judged["matches"].as_array().unwrap().iter().map(|met| met["b"].clone()).collect();
    assert_eq!(against, ["net 1"]);
}

fn read_json(place: &Place, name: &str) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(place.run().join(name)).unwrap()).unwrap()
}

#[test]
fn a_trainer_outlives_its_run_and_is_waited_for() {
    let place = Place::new(&[]);
    place.set_trainer("echo begin >> trained; while [ ! -e release ]; do sleep 0.02; done; echo end >> trained");
    let log = place.folder.path().join("trained");
    let text = || fs::read_to_string(&log).unwrap_or_default();
    let mut first = place.start(&["--generations", "1"]);
    until("the trainer", || (text() == "begin\n").then_some(()));
    first.kill();
    let second = place.start(&["--generations", "1"]);
    // The second run holds the folder, so it is on its way to the trainer.
    until("the second run", || {
        let lock = fs::File::open(place.run().join("teach.lock")).unwrap();
        lock.try_lock().is_err().then_some(())
    });
    fs::write(place.folder.path().join("release"), "").unwrap();
    until("the end", || place.run().join("judged/000001.json").exists().then_some(()));
    drop(second);
    assert_eq!(text(), "begin\nend\nbegin\nend\n", "two trainers were at work at the same time");
}

#[test]
fn a_start_that_fails_leaves_no_settings_and_says_why() {
    let place = Place::new(&[]);
    let fails = |arguments: &[&str]| {
        let done = place.command(arguments).output().expect("the program runs");
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(1), "{said}");
        assert!(!place.run().join("teach.toml").exists() && place.names("parts").is_empty(), "{said}");
        said
    };
    assert!(fails(&["--net", "/no/such/net"]).contains("/no/such/net: No such file"));
    assert!(fails(&["--begin-with", "/no/such/run"]).contains("--begin-with /no/such/run/state.pt: No such file"));
    let other = place.folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("state.pt"), "weights").unwrap();
    let trainer = place.folder.path().join("trainer.sh");
    let usual = fs::read(&trainer).unwrap();
    fs::write(&trainer, "#!/bin/sh\n[ \"$1\" = can-begin ] || exit 0\necho 'blocks = 2 is less' >&2\nexit 2\n")
        .unwrap();
    let said = fails(&["--begin-with", &other.display().to_string()]);
    assert!(said.contains("can-begin") && said.contains("blocks = 2 is less"), "{said}");
    fs::write(&trainer, usual).unwrap();
    // A trainer that is not there, or is no trainer, is noticed before the first game.
    fs::write(&trainer, "#!/bin/sh\necho 'No module named kosumi_training' >&2\nexit 1\n").unwrap();
    let said = fails(&[]);
    assert!(said.contains("docs/training.md") && said.contains("No module named kosumi_training"), "{said}");
    fs::remove_file(&trainer).unwrap();
    assert!(fails(&[]).contains("docs/training.md"));
    place.set_trainer("");
    place.finish("1");
}

#[test]
fn options_for_a_new_run_are_named_where_there_is_a_run() {
    let place = Place::new(&[]);
    let said = |arguments: &[&str]| {
        let done = place.command(arguments).args(["--generations", "1"]).output().expect("the program runs");
        assert!(done.status.success());
        String::from_utf8_lossy(&done.stderr).into_owned()
    };
    assert!(!said(&[]).contains("means nothing"));
    // The same settings go on. Others, and another net, are named.
    assert!(!said(&[]).contains("nothing in this folder"));
    assert!(said(&["--net", "none"]).contains("--net is for a new run, and means nothing in this folder"));
    let settings = place.folder.path().join("settings.toml");
    let text = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, text + "\n# others\n").unwrap();
    assert!(said(&["--net", "random"]).contains("--preset and --net are for a new run, and mean nothing"));
    // The run goes on after a trainer that fails, and a failing one is noticed before more games are played.
    fs::remove_file(place.folder.path().join("trainer.sh")).unwrap();
    let games = place.names("games");
    let failed = place.command(&["--generations", "2"]).output().expect("the program runs");
    assert_eq!((failed.status.code(), place.names("games")), (Some(1), games));
}

#[test]
fn a_failing_trainer_is_told_of_and_leaves_the_run_whole() {
    let place = Place::new(&[]);
    place.set_trainer("echo 'no rows of mine' >&2; exit 3");
    let failed = place.command(&["--generations", "1"]).output().expect("the program runs");
    let said = String::from_utf8_lossy(&failed.stderr);
    assert_eq!(failed.status.code(), Some(1));
    assert!(said.contains("the trainer failed") && said.contains("no rows of mine"), "{said}");
    assert_eq!(place.names("generations"), [""; 0]);
    place.set_trainer("");
    place.finish("1");
}

#[test]
fn a_net_that_loses_does_not_play_where_a_gate_is_set() {
    // Nothing reaches a score of 1 against itself, except by winning every game.
    let place = Place::new(&[("gate = 0.0", "gate = 1.0"), ("games = 2\nplayouts = 4", "games = 6\nplayouts = 4")]);
    place.finish("2");
    let names = place.names("rows").into_iter().chain(place.names("held-out"));
    let nets: BTreeSet<(String, String)> = names.map(|name| (name[..6].to_owned(), name[7..13].to_owned())).collect();
    let judged = read_json(&place, "judged/000001.json");
    let accepted = judged["accepted"].as_bool().expect("a verdict");
    let playing = if accepted { "000001" } else { "000000" };
    assert!(nets.contains(&("000001".into(), playing.into())), "{nets:?}, {judged}");
    assert_eq!(accepted, judged["matches"][0]["wins"] == 6, "{judged}");
}

#[test]
fn one_process_teaches_in_a_folder_and_wrong_settings_are_told() {
    let place = Place::new(&[("first_games = 30", "first_games = 100000")]);
    let first = place.start(&[]);
    until("the run", || place.run().join("start.json").exists().then_some(()));
    let second = place.command(&[]).output().expect("the program runs");
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(second.status.code() == Some(1) && said.contains("another process teaches"), "{said}");
    drop(first);
    let text = fs::read_to_string(place.run().join("teach.toml")).unwrap();
    fs::write(place.run().join("teach.toml"), text.replace("fork_share = 0.0", "fork_share = 3")).unwrap();
    let wrong = place.command(&[]).output().expect("the program runs");
    let said = String::from_utf8_lossy(&wrong.stderr);
    assert!(wrong.status.code() == Some(1) && said.contains("teach.toml") && said.contains("fork_share"), "{said}");
    let unknown = Command::new(env!("CARGO_BIN_EXE_kosumi"))
        .args(["teach", "somewhere", "--preset", "teach-2x2"])
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&unknown.stderr);
    assert!(unknown.status.code() == Some(2) && said.contains("teach-7x7"), "{said}");
}

mod strength {
    use super::*;
    use kosumi::matches::statistics::Counts;

    /// From random weights, without playouts, the net that was taught beats the one that was not, with the same visits.
    #[test]
    #[ignore = "takes minutes, and needs the trainer: KOSUMI_TRAINER"]
    fn it_learns() {
        let Some(trainer) = std::env::var_os("KOSUMI_TRAINER") else {
            println!("tests/teach.rs: SKIPPED, because KOSUMI_TRAINER is not set");
            return;
        };
        let folder = tempfile::tempdir().expect("a folder");
        let run = folder.path().join("run");
        let settings = folder.path().join("settings.toml");
        let mut text = preset("teach-5x5").expect("a preset").to_owned();
        for (from, to) in [
            ("set = { second_share = 0.35 }", "set = { second_share = 1.0 }"),
            ("set = {}", "set = { second_share = 1.0 }"),
            ("playouts = 100\nquick_playouts = 30", "playouts = 60\nquick_playouts = 20"),
            ("first_games = 400\ngames = 400", "first_games = 300\ngames = 300"),
            ("games = 40\nplayouts = 100", "games = 0\nplayouts = 40"),
            ("games = 20\nevery = 1", "games = 0\nevery = 1"),
            ("seed = 0", "seed = 1"),
        ] {
            assert!(text.contains(from), "{from}");
            text = text.replace(from, to);
        }
        fs::write(&settings, text).unwrap();
        let kosumi = env!("CARGO_BIN_EXE_kosumi");
        let taught = Command::new(kosumi)
            .arg("teach")
            .args([&run, Path::new("--preset"), &settings, Path::new("--net"), Path::new("random")])
            .args(["--generations", "3", "--trainer"])
            .arg(&trainer)
            .output()
            .expect("the program runs");
        assert!(taught.status.success(), "{}", String::from_utf8_lossy(&taught.stderr));
        let engine = |generation: &str| {
            let net = run.join(format!("nets/{generation}.kosunet")).display().to_string();
            format!(
                "'{kosumi}' gtp --no-config --net '{net}' --threads 1 --memory 16 --playouts 40 --set second_share=1 \
                 --seed {{game}}"
            )
        };
        let played = Command::new(kosumi)
            .args(["match", &engine("000003"), &engine("000000"), "--games", "60", "--size", "5", "--komi", "10"])
            .args(["--random-openings", "3", "--concurrency", "2", "--quiet", "--json"])
            .output()
            .expect("the program runs");
        let summary: serde_json::Value = serde_json::from_slice(&played.stdout).expect("a summary");
        let wins = |side: usize| summary["engines"][side]["wins"].as_u64().expect("a number") as u32;
        let draws = summary["draws"].as_u64().expect("a number") as u32;
        let counts = Counts { wins: wins(0), draws, losses: wins(1) };
        let (low, _) = counts.interval().expect("games");
        println!("the taught net against the random one: {counts:?}, at least {:.0} %", 100.0 * low);
        assert!(low > 0.6, "{counts:?}");
    }
}
