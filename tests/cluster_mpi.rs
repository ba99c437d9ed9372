//! The program under `mpirun`: whole games, analysis with sums, a rank that is killed and one that is stopped.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use regex::Regex;
use rustix::process::{Pid, Signal, kill_process};

use crate::support::PATIENCE;

/// `mpirun` with some ranks of the program.
struct Cluster {
    process: Child,
    input: Option<ChildStdin>,
    answers: Receiver<String>,
    log: Receiver<String>,
}

fn lines(source: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(source).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

impl Cluster {
    /// As `docs/cluster.md` says for one machine, so that a rank may die.
    fn start(ranks: usize, flags: &[&str]) -> Cluster {
        let own: &[&str] = &["--threads", "1"];
        Cluster::start_unlike(&vec![own; ranks], flags)
    }

    /// One rank for each list of its own flags, which come behind the flags of all.
    fn start_unlike(own: &[&[&str]], flags: &[&str]) -> Cluster {
        let mut process = Command::new("mpirun");
        process.args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]);
        process.args(["--mca", "orte_enable_recovery", "1", "--mca", "btl", "tcp,self"]);
        for (rank, own) in own.iter().enumerate() {
            if rank > 0 {
                process.arg(":");
            }
            process.args(["-n", "1", env!("CARGO_BIN_EXE_kosumi")]).args(flags).args(*own);
            process.args(["--no-config", "--memory", "64", "--log-level", "debug"]);
        }
        process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = process.spawn().expect("mpirun is installed");
        let input = process.stdin.take();
        let answers = lines(process.stdout.take().expect("a pipe"));
        let log = lines(process.stderr.take().expect("a pipe"));
        Cluster { process, input, answers, log }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().expect("the input is open"), "{line}").expect("rank 0 reads");
    }

    #[track_caller]
    fn line(&self) -> String {
        self.answers.recv_timeout(PATIENCE).expect("a line comes")
    }

    /// Sends a command that has to succeed; the text of its answer.
    #[track_caller]
    fn ok(&mut self, command: &str) -> String {
        self.send(command);
        let text: Vec<String> = std::iter::repeat_with(|| self.line()).take_while(|line| !line.is_empty()).collect();
        let text = text.join("\n");
        let answer = text.strip_prefix('=').unwrap_or_else(|| panic!("{command}: {text}"));
        answer.trim().to_owned()
    }

    /// Waits for a line of the log.
    #[track_caller]
    fn logged(&self, pattern: &str) -> Vec<String> {
        let pattern = Regex::new(pattern).expect("a pattern");
        let end = Instant::now() + PATIENCE;
        loop {
            let line = self.log.recv_timeout(end.saturating_duration_since(Instant::now()));
            let line = line.unwrap_or_else(|_| panic!("the log has no line {pattern}"));
            if let Some(found) = pattern.captures(&line) {
                return found.iter().map(|part| part.map_or(String::new(), |part| part.as_str().to_owned())).collect();
            }
        }
    }

    /// The process of a rank.
    #[track_caller]
    fn process_of(&self, rank: usize) -> Pid {
        let wanted = format!("OMPI_COMM_WORLD_RANK={rank}");
        let parent = format!("\nPPid:\t{}\n", self.process.id());
        let processes = fs::read_dir("/proc").expect("/proc").filter_map(Result::ok).map(|entry| entry.path());
        let is_rank = |path: &std::path::PathBuf| {
            let read = |name: &str| fs::read(path.join(name)).unwrap_or_default();
            let environment = read("environ");
            environment.split(|&byte| byte == 0).any(|variable| variable == wanted.as_bytes())
                && String::from_utf8_lossy(&read("status")).contains(&parent)
        };
        let path = processes.into_iter().find(is_rank).unwrap_or_else(|| panic!("there is no rank {rank}"));
        let number = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse().ok());
        number.and_then(Pid::from_raw).expect("a number")
    }

    /// Searches until all other ranks take part; most ranks start more slowly than rank 0.
    #[track_caller]
    fn until_all_follow(&mut self, others: usize) {
        let start = Instant::now();
        loop {
            self.ok("reg_genmove b");
            let found = self.logged(r"rank 0 .*job \d+: .* (\d) of \d other ranks");
            if found[1] == others.to_string() {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{found:?}");
        }
    }

    /// Both sides play until both pass or one resigns.
    #[track_caller]
    fn play_to_the_end(&mut self) {
        let mut passes = 0;
        for number in 0..120 {
            let mv = self.ok(if number % 2 == 0 { "genmove b" } else { "genmove w" });
            passes = if mv == "PASS" || mv == "pass" { passes + 1 } else { 0 };
            if mv == "resign" || passes == 2 {
                return;
            }
        }
        panic!("the game has no end");
    }

    #[track_caller]
    fn quit(mut self) {
        self.ok("quit");
        self.input = None;
        let end = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.process.try_wait().expect("a process") {
                break status;
            }
            assert!(Instant::now() < end, "mpirun does not end");
            thread::sleep(Duration::from_millis(20));
        };
        assert!(status.success(), "{status}");
        assert!(self.answers.iter().next().is_none(), "standard output has nothing but answers");
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // After a test that has failed.
        if self.process.try_wait().is_ok_and(|status| status.is_none()) {
            let _ = kill_process(Pid::from_child(&self.process), Signal::TERM);
            let _ = self.process.wait();
        }
    }
}

#[test]
fn two_and_four_ranks_play_whole_games() {
    for ranks in [2, 4] {
        let mut cluster = Cluster::start(ranks, &["--size", "5", "--playouts", "400"]);
        cluster.play_to_the_end();
        let score = cluster.ok("final_score");
        assert!(score.starts_with("B+") || score.starts_with("W+") || score == "0", "{score}");
        // Undo, another size, other rules, and on.
        cluster.ok("undo");
        cluster.ok("boardsize 4");
        cluster.ok("kata-set-rules japanese");
        cluster.ok("komi 3");
        cluster.play_to_the_end();
        cluster.quit();
    }
}

#[test]
fn machines_that_differ_play_together() {
    // Other numbers of threads, a processor without vector instructions, another memory for the tree.
    let own: [&[&str]; 3] = [&["--threads", "2"], &["--threads", "1", "--net-kernel", "plain"], &["--threads", "3"]];
    let mut cluster = Cluster::start_unlike(&own, &["--size", "9", "--time-per-move", "1", "--exchange-rave"]);
    cluster.until_all_follow(2);
    for color in ["b", "w", "b"] {
        cluster.ok(&format!("genmove {color}"));
    }
    let found = cluster.logged(r"rank 0 .*job \d+: (\d+) playouts, (\d+) of them here; 2 of 2 other ranks");
    let [all, here] = [1, 2].map(|i| found[i].parse::<u64>().expect("a number"));
    assert!(here < all, "{here} of {all} playouts were made by rank 0");
    cluster.ok("boardsize 5");
    cluster.play_to_the_end();
    cluster.quit();
}

#[test]
fn analysis_and_moves_are_made_of_the_playouts_of_all_ranks() {
    let mut cluster = Cluster::start(4, &["--size", "9", "--time-per-move", "2"]);
    cluster.until_all_follow(3);
    // How much of one move each rank gets is up to the system: on two cores, rank 0 can have one for itself.
    let start = Instant::now();
    loop {
        cluster.ok("genmove b");
        let found = cluster.logged(r"rank 0 .*job \d+: (\d+) playouts, (\d+) of them here; (\d) of 3 other ranks");
        let [all, here, present] = [1, 2, 3].map(|i| found[i].parse::<u64>().expect("a number"));
        assert_eq!(present, 3);
        if here * 2 < all {
            break;
        }
        assert!(start.elapsed() < PATIENCE, "{here} of {all} playouts were made by rank 0");
        cluster.ok("undo");
    }
    // Live analysis, which goes on until the next line.
    cluster.send("lz-analyze w 20");
    assert_eq!(cluster.line(), "=");
    for _ in 0..20 {
        assert!(cluster.line().starts_with("info "));
    }
    cluster.send("");
    while !cluster.line().is_empty() {}
    let found = cluster.logged(r"rank 0 .*job \d+: (\d+) playouts, (\d+) of them here");
    assert!(found[1].parse::<u64>().expect("a number") > found[2].parse().expect("a number"), "{found:?}");
    cluster.quit();
}

#[test]
fn the_analysis_engine_has_the_playouts_of_all_ranks() {
    let mut cluster = Cluster::start(2, &["analysis", "--size", "9", "--analysis-threads", "1"]);
    let start = Instant::now();
    for number in 1.. {
        // Another komi makes another tree.
        let query = format!(
            r#"{{"id":"a","moves":[],"rules":"chinese","komi":{},"boardXSize":9,"boardYSize":9,"maxVisits":3000}}"#,
            number % 20
        );
        cluster.send(&query);
        let answer: serde_json::Value = serde_json::from_str(&cluster.line()).expect("JSON");
        assert!(answer["rootInfo"]["visits"].as_u64().is_some_and(|visits| visits >= 2990), "{answer}");
        let found = cluster.logged(&format!(r"rank 0 .*job {number}: (\d+) playouts, (\d+) of them here"));
        if found[1].parse::<u64>().expect("a number") > found[2].parse().expect("a number") {
            break;
        }
        assert!(start.elapsed() < PATIENCE, "rank 1 takes no part: {found:?}");
    }
    // The end of the input ends all ranks.
    cluster.input = None;
    assert!(cluster.process.wait().expect("an end").success());
}

#[test]
fn the_game_goes_on_when_a_rank_is_killed() {
    let mut cluster = Cluster::start(4, &["--size", "9"]);
    cluster.ok("time_settings 0 1 1");
    cluster.until_all_follow(3);
    cluster.ok("genmove b");
    kill_process(cluster.process_of(2), Signal::KILL).expect("a signal");
    for color in ["w", "b", "w", "b"] {
        let start = Instant::now();
        cluster.ok(&format!("genmove {color}"));
        // A move has a second on the clock. The rest is for a busy machine.
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
    cluster.logged("rank 2 has been silent");
    cluster.logged("2 of 3 other ranks");
    cluster.quit();
}

#[test]
fn no_time_is_lost_when_a_rank_is_stopped_for_ten_seconds() {
    let mut cluster = Cluster::start(4, &["--size", "9"]);
    cluster.ok("time_settings 0 2 1");
    cluster.until_all_follow(3);
    cluster.ok("genmove b");
    let stopped = cluster.process_of(3);
    cluster.ok("time_settings 30 0 0");
    kill_process(stopped, Signal::STOP).expect("a signal");
    let start = Instant::now();
    let mut used = Duration::ZERO;
    let mut number = 0;
    while start.elapsed() < Duration::from_secs(10) {
        let before = Instant::now();
        cluster.ok(if number % 2 == 0 { "genmove w" } else { "play b pass" });
        if number % 2 == 0 {
            used += before.elapsed();
        }
        number += 1;
    }
    assert!(used < Duration::from_secs(30), "{used:?} of 30 s are used up");
    assert!(number > 2, "moves were made meanwhile");
    cluster.logged("rank 3 has been silent");
    kill_process(stopped, Signal::CONT).expect("a signal");
    cluster.ok("clear_board");
    cluster.ok("time_settings 0 2 1");
    let back = Instant::now();
    loop {
        cluster.ok("genmove b");
        cluster.ok("genmove w");
        if let [_, present] = &cluster.logged(r"job \d+: .* (\d) of 3 other ranks")[..]
            && present == "3"
        {
            break;
        }
        assert!(back.elapsed() < PATIENCE, "rank 3 does not come back");
    }
    cluster.quit();
}
