//! The game records that the learners read, on 19×19. A line is a game: the result, a tab, and two letters for each
//! move (SGF's coordinates, Black first, `tt` for a pass).

use std::io::{self, BufRead};

use kosumi::go::{Move, Point, Position, rules};
use kosumi::playout::{policy::below, stream};

/// Size of the boards of the records.
pub const SIZE: usize = 19;

/// Games at the end of the records that are for testing only.
const TEST_GAMES: usize = 4000;

/// The moves of a game.
pub type Game = Vec<Move>;

/// Reads standard input: `most` games at most to learn from, and the games to test with.
pub fn read(most: usize) -> (Vec<Game>, Vec<Game>) {
    let mut games: Vec<Game> = io::stdin().lock().lines().map_while(Result::ok).filter_map(|l| game(&l)).collect();
    let test = games.split_off(games.len().saturating_sub(TEST_GAMES));
    games.truncate(most);
    eprintln!("{} games to learn from, {} to test with", games.len(), test.len());
    (games, test)
}

fn game(line: &str) -> Option<Game> {
    let moves = line.split('\t').nth(1)?.trim().as_bytes();
    moves
        .chunks_exact(2)
        .map(|pair| {
            let (x, y) = (usize::from(pair[0].checked_sub(b'a')?), usize::from(pair[1].checked_sub(b'a')?));
            match (x, y) {
                (0..SIZE, 0..SIZE) => Some(Move::Play(Point::new(x, SIZE - 1 - y, SIZE))),
                _ => Some(Move::Pass),
            }
        })
        .collect()
}

/// Plays a game through and shows each position, the two moves before it, the move played, and its number.
pub fn walk(game: &Game, mut visit: impl FnMut(&Position, [Point; 2], Point, usize)) {
    let mut position = Position::new(SIZE, rules::JAPANESE);
    let mut last = [Point::NONE; 2];
    for (number, &mv) in game.iter().enumerate() {
        if let Some(point) = mv.point() {
            visit(&position, last, point, number);
        }
        if position.play(mv).is_err() {
            return;
        }
        last = [mv.point().unwrap_or(Point::NONE), last[0]];
    }
}

/// A model that learns to predict moves.
pub trait Learner {
    /// Sets the step size.
    fn set_rate(&mut self, rate: f32);

    /// Gives the loss of a position, and whether its move was predicted first. Learns from the position if `learn`.
    fn step(&mut self, position: &Position, last: [Point; 2], mv: Point, learn: bool) -> Option<(f32, bool)>;
}

/// Games between two reports of a pass.
const REPORTED: usize = 2000;

/// Learns from every `stride`-th move of the games, once. The step size falls to a fifth in the course of the pass.
/// `reported` is called after each report on what has been learned so far.
///
/// # Errors
/// Those of `reported`.
pub fn pass<L: Learner>(
    learner: &mut L,
    games: &[Game],
    stride: usize,
    rate: f32,
    mut reported: impl FnMut(&L) -> io::Result<()>,
) -> io::Result<()> {
    let mut rng = stream(1, 0);
    let mut tally = Tally::default();
    for (i, game) in games.iter().enumerate() {
        learner.set_rate(rate * (1.0 - 0.8 * i as f32 / games.len() as f32));
        let first = below(&mut rng, stride);
        walk(game, |position, last, mv, number| {
            if number % stride == first
                && let Some((loss, hit)) = learner.step(position, last, mv, true)
            {
                tally.add(loss, hit);
            }
        });
        if (i + 1) % REPORTED == 0 {
            eprintln!("{} games: {tally}", i + 1);
            tally = Tally::default();
            reported(learner)?;
        }
    }
    Ok(())
}

/// Tests a learner on games that it has not learned from.
pub fn test(learner: &mut impl Learner, games: &[Game]) -> Tally {
    let mut tally = Tally::default();
    for game in games {
        walk(game, |position, last, mv, _| {
            if let Some((loss, hit)) = learner.step(position, last, mv, false) {
                tally.add(loss, hit);
            }
        });
    }
    tally
}

/// How well a learner predicted.
#[derive(Default)]
pub struct Tally {
    positions: u32,
    loss: f64,
    first: u32,
}

impl Tally {
    /// Adds a position: the negative logarithm of its move's probability, and whether its move was the likeliest.
    pub fn add(&mut self, loss: f32, first: bool) {
        self.positions += 1;
        self.loss += f64::from(loss);
        self.first += u32::from(first);
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let n = f64::from(self.positions.max(1));
        let first = 100.0 * f64::from(self.first) / n;
        write!(f, "{} positions, loss {:.4}, predicted first {first:.2} %", self.positions, self.loss / n)
    }
}
