//! Compares speeds: a whole game's turns as one query to `kosumi analysis`, and the same turns one by one over GTP.
//!
//! ```text
//! cargo run --release --example throughput -- --size 19 --turns 60 --visits 400 --rounds 3
//! ```
//!
//! The game is played by the program itself at a level. The rounds alternate between both ways, so that other programs
//! on the machine disturb both alike. The program prints playouts per second of processor time and of wall time, and
//! how many cores were busy. It runs on Linux, which tells the processor time of a process in `/proc`.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;
use serde_json::{Value, json};

/// Compares speeds: a game's turns in one query, and one by one.
#[derive(Parser)]
struct Options {
    /// The program to measure
    #[arg(long, default_value = "target/release/kosumi")]
    kosumi: String,
    /// Board size
    #[arg(long, default_value_t = 19)]
    size: usize,
    /// Turns of the game
    #[arg(long, default_value_t = 60)]
    turns: usize,
    /// Visits of each turn
    #[arg(long, default_value_t = 400)]
    visits: u64,
    /// Search threads
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, |n| n.get()))]
    threads: usize,
    /// How often each way is measured
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// The value of --net
    #[arg(long, default_value = "shipped")]
    net: String,
}

/// What a way of asking has cost.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    playouts: u64,
    processor: Duration,
    wall: Duration,
}

impl Cost {
    fn add(&mut self, other: Cost) {
        self.playouts += other.playouts;
        self.processor += other.processor;
        self.wall += other.wall;
    }

    fn line(&self, way: &str) -> String {
        let (processor, wall) = (self.processor.as_secs_f64(), self.wall.as_secs_f64());
        let playouts = self.playouts as f64;
        format!(
            "| {way} | {} | {:.0} | {:.0} | {:.2} |",
            self.playouts,
            playouts / processor,
            playouts / wall,
            processor / wall
        )
    }
}

/// A running program that answers line by line.
struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start(options: &Options, arguments: &[&str]) -> Result<Program, Box<dyn Error>> {
        let threads = options.threads.to_string();
        let mut child = Command::new(&options.kosumi)
            .args(arguments)
            .args(["--no-config", "--threads", &threads, "--seed", "1", "--net", &options.net])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        Ok(Program { child, input, output })
    }

    fn send(&mut self, line: &str) -> Result<(), Box<dyn Error>> {
        writeln!(self.input, "{line}")?;
        Ok(self.input.flush()?)
    }

    fn line(&mut self) -> Result<String, Box<dyn Error>> {
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            return Err("the program has ended".into());
        }
        Ok(line)
    }

    /// The answer to a GTP command.
    fn ask(&mut self, command: &str) -> Result<String, Box<dyn Error>> {
        self.send(command)?;
        let mut answer = String::new();
        loop {
            let line = self.line()?;
            if line.trim().is_empty() {
                let text = answer.trim();
                return Ok(text.strip_prefix('=').ok_or_else(|| format!("{command}: {text}"))?.trim().to_owned());
            }
            answer += &line;
        }
    }

    /// The processor time of all its threads so far.
    fn processor_time(&self) -> Result<Duration, Box<dyn Error>> {
        /// The unit of `/proc/PID/stat`: a hundredth of a second on every Linux.
        const TICK: Duration = Duration::from_millis(10);
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // The name of the program, in brackets, may hold spaces. Behind it, user and system time are fields 11 and 12.
        let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = |place: usize| -> Result<u32, Box<dyn Error>> { Ok(fields.get(place).ok_or("no time")?.parse()?) };
        Ok(TICK * (ticks(11)? + ticks(12)?))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let game = game(&options)?;
    let (mut together, mut one_by_one) = (Cost::default(), Cost::default());
    for _ in 0..options.rounds {
        together.add(in_one_query(&options, &game)?);
        one_by_one.add(over_gtp(&options, &game)?);
    }
    println!("| way | playouts | per second of processor time | per second | cores busy |");
    println!("|---|---|---|---|---|");
    println!("{}", together.line("one query"));
    println!("{}", one_by_one.line("one by one over GTP"));
    let ratio = |speed: fn(&Cost) -> f64| speed(&together) / speed(&one_by_one);
    println!(
        "one query makes {:.2} of the playouts per second of processor time, {:.2} of those per second",
        ratio(|cost| cost.playouts as f64 / cost.processor.as_secs_f64()),
        ratio(|cost| cost.playouts as f64 / cost.wall.as_secs_f64()),
    );
    Ok(())
}

/// A game that the program plays against itself.
fn game(options: &Options) -> Result<Vec<(&'static str, String)>, Box<dyn Error>> {
    let mut program = Program::start(options, &["--level", "8k", "--resign-below", "0"])?;
    program.ask(&format!("boardsize {}", options.size))?;
    let mut moves = Vec::new();
    for turn in 0..options.turns {
        let color = ["B", "W"][turn % 2];
        let mv = program.ask(&format!("genmove {color}"))?;
        moves.push((color, mv));
    }
    Ok(moves)
}

fn in_one_query(options: &Options, game: &[(&'static str, String)]) -> Result<Cost, Box<dyn Error>> {
    let mut program = Program::start(options, &["analysis"])?;
    // The program has started when it answers.
    program.send(&json!({ "id": "ready", "action": "query_version" }).to_string())?;
    program.line()?;
    let query = json!({
        "id": "game", "moves": game, "rules": "chinese", "komi": 7.5,
        "boardXSize": options.size, "boardYSize": options.size,
        "analyzeTurns": (0..options.turns).collect::<Vec<_>>(), "maxVisits": options.visits,
    });
    let (before, start) = (program.processor_time()?, Instant::now());
    program.send(&query.to_string())?;
    let mut playouts = 0;
    for _ in 0..options.turns {
        let answer: Value = serde_json::from_str(&program.line()?)?;
        playouts += answer["rootInfo"]["visits"].as_u64().ok_or_else(|| format!("no visits: {answer}"))?;
    }
    Ok(Cost { playouts, wall: start.elapsed(), processor: program.processor_time()? - before })
}

fn over_gtp(options: &Options, game: &[(&'static str, String)]) -> Result<Cost, Box<dyn Error>> {
    let mut program = Program::start(options, &["gtp"])?;
    program.ask(&format!("boardsize {}", options.size))?;
    program.ask("komi 7.5")?;
    let limit = format!("kata-set-param maxPlayouts {}", options.visits);
    program.ask(&limit)?;
    let (before, start) = (program.processor_time()?, Instant::now());
    let mut playouts = 0;
    for (color, mv) in game {
        // The search begins anew, as it does in the query.
        program.ask("clear_cache")?;
        let answer = program.ask(&format!("kata-search_analyze {color} 100000 rootInfo true"))?;
        let words: Vec<&str> = answer.split_whitespace().collect();
        let place = words.iter().rposition(|&word| word == "rootInfo").ok_or_else(|| format!("no report: {answer}"))?;
        let visits = words[place..].windows(2).find(|pair| pair[0] == "visits").ok_or("no visits")?[1];
        playouts += visits.parse::<u64>()?;
        program.ask(&format!("play {color} {mv}"))?;
    }
    Ok(Cost { playouts, wall: start.elapsed(), processor: program.processor_time()? - before })
}
