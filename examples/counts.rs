//! Counts games that ended by counting, and compares the margins with those of the records.
//!
//! ```text
//! xz -dc games.tsv.xz | grep -v R | shuf -n 500 | cargo run --release --example counts -- 6.5
//! ```
//!
//! The argument is the komi of the records. Each game is played through, both sides pass, and the engine counts under
//! Japanese rules. A line for each game with another margin: its number from 1, the record's result, the count, the
//! same for Black if no point of one's own territory has to be filled, and the size of the largest region that is
//! nobody's. See `support/games.rs` for the form of the records, and `docs/counting.md` for what was found.

use std::error::Error;
use std::io::BufRead;
use std::time::{Duration, Instant};

use kosumi::engine::{Engine, EngineOptions, Interrupt};
use kosumi::go::region::flood;
use kosumi::go::{Color, Komi, Move, Point, PointSet, rules, score};

const SIZE: usize = 19;

fn main() -> Result<(), Box<dyn Error>> {
    let komi: Komi = std::env::args().nth(1).ok_or("the argument is the komi of the records")?.parse()?;
    let mut engine =
        Engine::new(EngineOptions { rules: rules::JAPANESE, ..EngineOptions::default() }, Interrupt::default())?;
    let (mut games, mut winners, mut margins) = (0, 0, 0);
    let mut times: Vec<Duration> = Vec::new();
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line?;
        let Some((result, moves)) = line.split_once('\t') else { continue };
        engine.new_game(SIZE);
        engine.set_rules(rules::JAPANESE)?;
        engine.game_mut().set_komi(komi);
        let plays = moves.trim().as_bytes().chunks_exact(2).map(point).chain([Move::Pass, Move::Pass]);
        let mut legal = true;
        for mv in plays {
            let color = engine.game().position().to_move();
            legal &= engine.game_mut().play(color, mv).is_ok();
        }
        if !legal {
            println!("{:>4} {result:>8} not legal", number + 1);
            continue;
        }
        let start = Instant::now();
        let statuses = engine.statuses();
        let count = engine.game().outcome(&statuses).to_string();
        times.push(start.elapsed());
        games += 1;
        winners += u32::from(count.as_bytes().first() == result.as_bytes().first());
        margins += u32::from(count == result);
        if count != result {
            let plain = without_fillings(&engine, &statuses.dead, komi);
            let neutral = largest_neutral(&engine, &statuses.dead);
            println!("{:>4} {result:>8} {count:>8} {plain:>6} {neutral:>4}", number + 1);
        }
    }
    times.sort();
    let time = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
    println!("{games} games: the record's winner in {winners}, its margin in {margins}");
    println!("median {:.2?}, nine in ten {:.2?}, longest {:.2?}", time(0.5), time(0.9), times.last());
    Ok(())
}

fn point(pair: &[u8]) -> Move {
    match (pair[0].wrapping_sub(b'a') as usize, pair[1].wrapping_sub(b'a') as usize) {
        (x @ 0..SIZE, y @ 0..SIZE) => Move::Play(Point::new(x, SIZE - 1 - y, SIZE)),
        _ => Move::Pass,
    }
}

/// Points of the largest region that belongs to nobody once the dead stones are off.
fn largest_neutral(engine: &Engine, dead: &PointSet) -> usize {
    let board = engine.game().position().board();
    let owner = score::area(board, dead);
    let neutral = |p: Point| owner[p].is_none();
    board.points().filter(|&p| neutral(p)).map(|p| flood(board, p, neutral).inside.len()).max().unwrap_or(0)
}

/// The margin if no point of one's own territory had to be filled.
fn without_fillings(engine: &Engine, dead: &PointSet, komi: Komi) -> f64 {
    let board = engine.game().position().board();
    let owner = score::area(board, dead);
    let mut points = 0;
    for p in board.points() {
        let color = board.cell(p).color();
        if dead.contains(p) {
            points -= color.map_or(0, Color::sign);
        }
        if dead.contains(p) || color.is_none() {
            points += owner[p].map_or(0, Color::sign);
        }
    }
    points += board.captured(Color::White) as i32 - board.captured(Color::Black) as i32;
    f64::from(points) - komi.points()
}
