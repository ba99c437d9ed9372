//! Life and death on positions whose fate is known from theory: the files in `tests/positions/`. At least 95 % of
//! them must be judged right, chain by chain, with the same answer twice, in the time that a referee would wait.

use std::time::{Duration, Instant};

use kosumi::engine::status::{self, sample::Sampler};
use kosumi::engine::{Engine, EngineOptions};
use kosumi::go::rules::JAPANESE;
use kosumi::go::{Board, Cell, Position, Statuses};
use kosumi::search;
use kosumi::time::{TimeSource, processor_time};

use crate::library::{Case, library};
use crate::support::engine as fixed;

fn engine(threads: usize) -> Engine {
    let usual = fixed::options();
    fixed::engine(EngineOptions { search: search::SearchOptions { threads, ..usual.search }, ..usual })
}

/// What is wrong with an answer in itself: stones in two lists, parts of a chain in different ones, empty points.
fn contradiction(board: &Board, statuses: &Statuses) -> Option<String> {
    board.points().find_map(|p| {
        let (dead, seki) = (statuses.dead.contains(p), statuses.seki.contains(p));
        let empty = board.cell(p) == Cell::Empty;
        let torn =
            !empty && board.chain(p).any(|q| (statuses.dead.contains(q), statuses.seki.contains(q)) != (dead, seki));
        (dead && seki || empty && (dead || seki) || torn)
            .then(|| format!("{p:?}: dead {dead}, seki {seki}, torn {torn}"))
    })
}

/// The picture of an answer, in the letters of the library.
fn picture(board: &Board, statuses: &Statuses) -> String {
    let size = board.size();
    let mut rows: Vec<String> = vec![String::new(); size.height()];
    for p in board.points() {
        let letters = match board.cell(p) {
            Cell::Black => ['X', 'x', 'B'],
            Cell::White => ['O', 'o', 'W'],
            Cell::Empty | Cell::Border => ['.'; 3],
        };
        let letter = letters[if statuses.dead.contains(p) {
            1
        } else if statuses.seki.contains(p) {
            2
        } else {
            0
        }];
        rows[p.row(size)].push(letter);
        rows[p.row(size)].push(' ');
    }
    rows.iter().rev().map(|row| format!("    {row}\n")).collect()
}

/// The answer and how long it took. Asked twice, it has to be the same, and nothing may be wrong with it in itself.
fn judged(case: &Case, threads: usize) -> (Statuses, Duration) {
    let mut engine = engine(threads);
    engine.load(case.game());
    let start = Instant::now();
    let statuses = engine.statuses();
    let took = start.elapsed();
    assert_eq!(contradiction(&case.board, &statuses), None, "{}", case.name);
    assert_eq!(engine.statuses(), statuses, "{}: asked twice", case.name);
    (statuses, took)
}

/// The samples are those of two searches with fixed seeds, whoever runs them.
fn one_thread_judges_like_two(step: usize) {
    for case in library().iter().step_by(step) {
        assert_eq!(judged(case, 1).0, judged(case, 2).0, "{}", case.name);
    }
}

#[test]
fn one_thread_gives_the_same_answers_as_two() {
    one_thread_judges_like_two(30);
}

mod strength {
    use super::*;

    #[test]
    #[ignore = "of strength: a minute"]
    fn the_library_is_judged_right_by_two_threads() {
        let library = library();
        let mut misses = Vec::new();
        let mut slowest = Duration::ZERO;
        for case in &library {
            if std::env::var("STATUS_ONLY").is_ok_and(|only| !case.name.contains(&only)) {
                continue;
            }
            let (statuses, took) = judged(case, 2);
            slowest = slowest.max(took);
            if std::env::var_os("STATUS_TIMES").is_some() {
                println!("{:.2} s {}", took.as_secs_f64(), case.name);
            }
            if statuses != case.expected {
                println!("MISS {} ({:.2} s)\n{}", case.name, took.as_secs_f64(), picture(&case.board, &statuses));
                misses.push(case.name.clone());
            }
        }
        println!("{} of {} right, slowest {slowest:.2?}", library.len() - misses.len(), library.len());
        assert!(misses.len() * 20 <= library.len(), "more than 5 % wrong: {misses:#?}");
    }

    #[test]
    #[ignore = "of strength: a minute"]
    fn one_thread_gives_the_same_answers_as_two_in_much_of_the_library() {
        one_thread_judges_like_two(6);
    }
}

/// Effort for local games that is tried, see [`status::judge`].
const EFFORTS: [u64; 6] = [500_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000, 12_000_000];

/// Prints the processor time of judgements of the library, and of the games in the folder `STATUS_GAMES` after half of
/// their moves, three quarters and all of them: the limits of effort in `engine.rs` are chosen by it.
#[test]
#[ignore = "prints figures for choosing the limits of effort"]
fn what_judgements_cost() {
    let mut positions: Vec<(String, Position, Option<Statuses>)> =
        library().into_iter().map(|c| (c.name.clone(), c.game().position().clone(), Some(c.expected))).collect();
    for file in std::env::var_os("STATUS_GAMES").map(std::fs::read_dir).into_iter().flatten().flatten() {
        let path = file.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a record can be read");
        let record = kosumi::sgf::read(text.as_bytes()).expect("a record");
        let load = |until| kosumi::game::Game::load(record.clone(), until, JAPANESE, None).expect("a game");
        let length = load(None).moves().len();
        for until in [length / 2, length * 3 / 4, length] {
            let name = format!("{} {until}", path.display());
            positions.push((name, load(Some(until + 1)).position().clone(), None));
        }
    }
    let options = engine(1).options().clone();
    for (name, position, expected) in positions {
        if std::env::var("STATUS_ONLY").is_ok_and(|only| !name.contains(&only)) {
            continue;
        }
        let start = processor_time().expect("it is known");
        let params = options.tunables.over(search::Params::default());
        let ownership = Sampler::new(params, options.policy, options.seed, TimeSource::system()).run(
            &position,
            1,
            1500,
            Duration::from_secs(6000),
        );
        let mut line = format!("playouts {:.2}", (processor_time().expect("it is known") - start).as_secs_f64());
        let judgements = EFFORTS.map(|work| {
            let start = processor_time().expect("it is known");
            let statuses = status::judge(position.board(), &ownership, work).statuses;
            (statuses, (processor_time().expect("it is known") - start).as_secs_f64())
        });
        let right = expected.unwrap_or(judgements[EFFORTS.len() - 1].0);
        for (statuses, seconds) in judgements {
            line += &format!(" | {} {seconds:.3}", if statuses == right { "as wanted" } else { "different" });
        }
        println!("{line} | {name}");
    }
}
