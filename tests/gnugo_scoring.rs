//! Compares the score of finished games with GNU Go 3.8's, by area and by territory. Kosumi plays itself with few
//! playouts, so that the final boards are full of what quick play leaves behind; both programs then count them.
//!
//! It takes many minutes and needs GNU Go, so it is ignored by default:
//! `KOSUMI_GNUGO=/usr/games/gnugo cargo test --test all gnugo_scoring:: -- --ignored --nocapture` plays
//! `KOSUMI_GNUGO_GAMES` games (200 unless it says otherwise), shows each board on which the two disagree with the
//! stones that each takes for dead, and at last the shares on which they agree. The figures in `docs/rules.md` are
//! its own. `KOSUMI_GNUGO_SEED` is the seed of the first game (0 unless it says otherwise). Where
//! `KOSUMI_GNUGO_RECORDS` names a folder the games are kept there, and those that it has are counted again instead of
//! being played: so a mended judgement can be compared on the same games.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use kosumi::engine::{Decision, Engine, EngineOptions};
use kosumi::game::Game;
use kosumi::go::rules::{CHINESE, JAPANESE};
use kosumi::go::{Board, Cell, Color, Komi, Point, Ruleset, Statuses, score};
use kosumi::search;
use kosumi::sgf;

use crate::support::engine as fixed;

/// Board size, one game in how many, playouts a move.
const MIX: &[(usize, usize, u64)] = &[(9, 7, 400), (13, 2, 300), (19, 1, 200)];

/// Games by which the winner agrees on fewer boards than this are a fault of one of the programs.
const LEAST_AGREED: f64 = 0.9;

fn engine(rules: Ruleset, size: usize, playouts: u64, seed: u64) -> Engine {
    let usual = fixed::options();
    let search = search::SearchOptions { memory: 64, ..usual.search };
    fixed::engine(EngineOptions {
        search,
        seed,
        size: size.into(),
        komi: Komi::new(6.5).ok(),
        rules,
        playouts: Some(playouts),
        ..usual
    })
}

/// A whole game with itself, as SGF; `None` if it does not end.
fn play(rules: Ruleset, size: usize, playouts: u64, seed: u64) -> Option<String> {
    let mut engine = engine(rules, size, playouts, seed);
    let mut color = Color::Black;
    while !engine.game().position().is_over() {
        if engine.game().moves().len() > 3 * size * size {
            return None;
        }
        assert!(matches!(engine.genmove(color).expect("a search"), Decision::Move(_)), "it never resigns");
        color = color.other();
    }
    Some(sgf::write(&engine.game().to_record(None)))
}

struct GnuGo {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl GnuGo {
    fn start(program: &str, counting: &str) -> GnuGo {
        let mut process = Command::new(program)
            .args(["--mode", "gtp", counting])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("KOSUMI_GNUGO names a program that can be started");
        let input = process.stdin.take().expect("its input is a pipe");
        let output = BufReader::new(process.stdout.take().expect("its output is a pipe"));
        GnuGo { process, input, output }
    }

    fn ask(&mut self, command: &str) -> String {
        writeln!(self.input, "{command}").expect("GNU Go reads");
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("GNU Go answers") > 0, "GNU Go has ended");
            if line.trim().is_empty() {
                if answer.is_empty() {
                    continue;
                }
                break;
            }
            answer.push_str(line.trim());
            answer.push(' ');
        }
        assert!(answer.starts_with('='), "{command}: {answer}");
        answer[1..].trim().to_owned()
    }
}

impl Drop for GnuGo {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.process.wait();
    }
}

/// The margin that a score names, Black's minus White's.
fn margin(score: &str) -> f64 {
    match score.split_once('+') {
        Some(("B", points)) => points.parse().expect("a number of points"),
        Some(("W", points)) => -points.parse::<f64>().expect("a number of points"),
        _ => 0.0,
    }
}

/// The board; dead stones in small letters, those in seki in brackets.
fn draw(board: &Board, statuses: &Statuses) -> String {
    let size = board.size();
    let mut text = String::new();
    for row in (0..size.height()).rev() {
        let _ = write!(text, "{:3} ", row + 1);
        for column in 0..size.width() {
            let p = Point::new(column, row, size);
            let stone = match board.cell(p) {
                Cell::Black if statuses.dead.contains(p) => 'x',
                Cell::White if statuses.dead.contains(p) => 'o',
                Cell::Black => 'X',
                Cell::White => 'O',
                _ => '.',
            };
            text.push_str(&if statuses.seki.contains(p) { format!("{stone}'") } else { format!("{stone} ") });
        }
        text.push('\n');
    }
    text
}

#[derive(Default)]
struct Tally {
    games: usize,
    same: usize,
    same_winner: usize,
    /// Differences that are no larger than the number of neutral points: where both have passed before all of those
    /// were filled (as under Japanese rules, where they are worth nothing), GNU Go plays on before it counts by area.
    by_neutral: usize,
}

/// Points that are nobody's when the dead stones are off.
fn neutral_points(board: &Board, statuses: &Statuses) -> usize {
    let owner = score::area(board, &statuses.dead);
    board.points().filter(|&p| board.cell(p) == Cell::Empty && owner[p].is_none()).count()
}

#[test]
#[ignore = "plays hundreds of games and needs GNU Go"]
fn finished_games_are_counted_as_gnu_go_counts_them() {
    let program = std::env::var("KOSUMI_GNUGO").expect("KOSUMI_GNUGO names the program of GNU Go");
    let games = std::env::var("KOSUMI_GNUGO_GAMES").map_or(200, |n| n.parse().expect("a number of games"));
    let countings = [("area", CHINESE, "--chinese-rules"), ("territory", JAPANESE, "--japanese-rules")];
    let mut gnugo = countings.map(|(_, _, flag)| GnuGo::start(&program, flag));
    let first: usize = std::env::var("KOSUMI_GNUGO_SEED").map_or(0, |n| n.parse().expect("a seed"));
    let passing = tempfile::tempdir().expect("a folder for the games");
    let folder = std::env::var_os("KOSUMI_GNUGO_RECORDS").map_or(passing.path().to_owned(), PathBuf::from);
    let mut tallies: Vec<[Tally; 2]> = MIX.iter().map(|_| Default::default()).collect();
    let cycle: usize = MIX.iter().map(|&(_, share, _)| share).sum();
    for number in first..first + games {
        let mut turn = number % cycle;
        let class = MIX.iter().position(|&(_, share, _)| {
            let here = turn < share;
            turn = turn.saturating_sub(share);
            here
        });
        let class = class.expect("a turn of the cycle");
        let (size, _, playouts) = MIX[class];
        // Half of the games are played under each rule set; all are counted under both.
        let (_, played, _) = countings[number / cycle % 2];
        let path = folder.join(format!("{number}.sgf"));
        let kept = std::fs::read_to_string(&path).ok();
        let Some(record) = kept.or_else(|| play(played, size, playouts, number as u64)) else {
            println!("game {number} on {size}x{size} does not end");
            continue;
        };
        std::fs::write(&path, &record).expect("the game can be written");
        for (i, (name, rules, _)) in countings.into_iter().enumerate() {
            let mut engine = engine(rules, size, playouts, 1);
            let record = sgf::read(record.replace(played.name(), rules.name()).as_bytes()).expect("our own record");
            let game = Game::load(record, None, rules, None);
            engine.load(game.expect("our own record"));
            let ours = engine.outcome().to_string();
            gnugo[i].ask(&format!("loadsgf {}", path.display()));
            let theirs = gnugo[i].ask("final_score");
            let tally = &mut tallies[class][i];
            tally.games += 1;
            if (margin(&ours) - margin(&theirs)).abs() < 0.01 {
                tally.same += 1;
                tally.same_winner += 1;
                continue;
            }
            tally.same_winner += usize::from(margin(&ours) * margin(&theirs) > 0.0);
            let statuses = engine.statuses();
            let neutral = neutral_points(engine.game().position().board(), &statuses);
            let explained = name == "area" && (margin(&ours) - margin(&theirs)).abs() <= neutral as f64;
            tally.by_neutral += usize::from(explained);
            println!(
                "game {number}, played under {} rules, counted by {name}: {ours}, GNU Go {theirs}, {neutral} neutral points\n{}GNU Go: dead {}; \
                 seki {}; captured black {} white {}\n",
                played.name(),
                draw(engine.game().position().board(), &statuses),
                gnugo[i].ask("final_status_list dead"),
                gnugo[i].ask("final_status_list seki"),
                engine.game().position().board().captured(Color::Black),
                engine.game().position().board().captured(Color::White),
            );
        }
    }
    let mut all: [Tally; 2] = Default::default();
    for (&(size, ..), tallies) in MIX.iter().zip(&tallies) {
        for (i, tally) in tallies.iter().enumerate() {
            println!(
                "{size}x{size} by {}: {} of {} the same, {} differ by neutral points, the winner of {} the same",
                countings[i].0, tally.same, tally.games, tally.by_neutral, tally.same_winner
            );
            all[i].games += tally.games;
            all[i].same += tally.same;
            all[i].by_neutral += tally.by_neutral;
            all[i].same_winner += tally.same_winner;
        }
    }
    for (i, tally) in all.iter().enumerate() {
        let share = |n: usize| n as f64 / tally.games.max(1) as f64;
        println!(
            "all by {}: {:.1} % the same, {:.1} % but for neutral points, the winner of {:.1} %",
            countings[i].0,
            100.0 * share(tally.same),
            100.0 * share(tally.same + tally.by_neutral),
            100.0 * share(tally.same_winner)
        );
        assert!(share(tally.same_winner) >= LEAST_AGREED, "by {} too few winners agree", countings[i].0);
    }
}
