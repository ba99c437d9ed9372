//! Thousands of games in one process: other sizes, rules, clocks, levels, analysis, loads and undos in each. Memory,
//! threads, open files and speed stay as they are.
//!
//! `cargo test --release --test all long_run:: -- --ignored --nocapture` plays 2 000 games, which takes about two hours
//! of a core, and prints a line for each tenth part. `KOSUMI_LONG_RUN_GAMES` sets another number. `docs/reliability.md`
//! has its figures.

use std::fmt::Write as _;
use std::fs;

use rand::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::support::{Client, program};

/// Most growth of the memory after the first fifth of the games.
const MOST_GROWTH: f64 = 1.02;

/// Most processor time of the same work, in times of what it took after the first fifth.
const MOST_SLOWDOWN: f64 = 1.2;

/// What the process holds.
#[derive(Clone, Copy, Debug)]
struct Holdings {
    resident: usize,
    threads: usize,
    files: usize,
    /// Processor seconds of the same search.
    seconds: f64,
}

fn holdings(client: &mut Client) -> Holdings {
    let process = format!("/proc/{}", client.pid());
    for line in ["clear_board", "boardsize 9", "kosumi-rules chinese", "komi 7", "time_settings 0 1 0", "clear_cache"] {
        client.ok(line);
    }
    client.ok("kosumi-level max");
    let before: f64 = client.ok("cputime").parse().expect("seconds");
    for _ in 0..200 {
        client.ok("reg_genmove b");
    }
    let seconds = client.ok("cputime").parse::<f64>().expect("seconds") - before;
    let status = fs::read_to_string(format!("{process}/status")).expect("Linux has /proc");
    let number = |name: &str| -> usize {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a line");
        line.split_whitespace().next().expect("a number").parse().expect("a number")
    };
    let files = fs::read_dir(format!("{process}/fd")).expect("Linux has /proc").count();
    Holdings { resident: number("VmRSS:"), threads: number("Threads:"), files, seconds }
}

/// One game, or the beginning of one.
fn game(client: &mut Client, rng: &mut Xoshiro256PlusPlus) {
    fn pick<'a>(rng: &mut Xoshiro256PlusPlus, words: &[&'a str]) -> &'a str {
        words[(rng.next_u64() % words.len() as u64) as usize]
    }
    let size = pick(rng, &["5", "6", "7", "7", "9", "9", "13", "19"]);
    client.ok(&format!("boardsize {size}"));
    client.ok("clear_board");
    let rules = ["chinese", "japanese", "aga", "tromp-taylor", "cgos", "new-zealand", "stone-scoring", "fridge-go"];
    client.ok(&format!("kosumi-rules {}", pick(rng, &rules)));
    client.ok(&format!("komi {}", pick(rng, &["0", "0.5", "5.5", "7", "7.5", "-3"])));
    client.ok(pick(
        rng,
        &[
            "time_settings 0 1 0",
            "time_settings 60 0 0",
            "time_settings 30 10 5",
            "kata-time_settings byoyomi 20 5 3",
            "kata-time_settings fischer 30 2",
        ],
    ));
    client.ok(&format!("kosumi-level {}", pick(rng, &["max", "max", "max", "15k", "5k"])));
    if pick(rng, &["no", "no", "yes"]) == "yes" && size != "5" && size != "6" {
        client.ok("fixed_handicap 2");
    }
    let colors = ["b", "w"];
    for number in 0..60 {
        let color = colors[number % 2];
        let answer = client.ask(&format!("genmove {color}"));
        if !answer.ok || answer.text == "resign" {
            break;
        }
        match pick(rng, &["", "", "", "", "", "", "undo", "analysis", "score", "json", "record"]) {
            "undo" => {
                client.ask("undo");
                client.ask(&format!("genmove {color}"));
            }
            "analysis" => {
                client.send(format!("kata-analyze {color} 5 ownership true\n"));
                client.ask("name");
                // The answer to `name`.
                client.answer();
            }
            "score" => _ = client.ask("final_score"),
            "json" => _ = client.ask("kata-get-rules"),
            "record" => {
                client.ok("printsgf game.sgf");
                client.ok("loadsgf game.sgf");
            }
            _ => {}
        }
        if answer.text == "pass" && number > 20 {
            break;
        }
    }
    client.ask("final_status_list dead");
    client.ask("final_score");
}

#[test]
#[ignore = "takes hours of a core"]
fn nothing_grows_in_two_thousand_games() {
    let games = std::env::var("KOSUMI_LONG_RUN_GAMES").map_or(2000, |games| games.parse().expect("a number of games"));
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = program(&["--playouts", "30", "--memory", "16", "--ponder", "--resign-below", "0.02"]);
    command.current_dir(folder.path());
    let mut client = Client::spawn(command);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut first: Option<Holdings> = None;
    let mut table = String::from("| games | resident KiB | threads | files | CPU s |\n|---:|---:|---:|---:|---:|\n");
    for number in 1..=games {
        game(&mut client, &mut rng);
        if number % (games / 10).max(1) != 0 {
            continue;
        }
        let now = holdings(&mut client);
        let Holdings { resident, threads, files, seconds } = now;
        writeln!(table, "| {number} | {resident} | {threads} | {files} | {seconds:.2} |").expect("text");
        println!("{}", table.lines().last().expect("a line"));
        if number * 5 >= games {
            let first = *first.get_or_insert(now);
            assert!(resident as f64 <= first.resident as f64 * MOST_GROWTH, "memory grows\n{table}");
            assert!(threads <= first.threads && files <= first.files, "threads or files are left\n{table}");
            assert!(seconds <= first.seconds * MOST_SLOWDOWN, "it becomes slow\n{table}");
        }
    }
    println!("{table}");
    client.quit();
}
