//! Learns the weights of the prior (`data/priors.bin`) from game records.
//!
//! ```text
//! xz -dc games.tsv.xz | cargo run --release --example learn_priors -- data/priors.bin
//! ```
//!
//! Standard input has a game a line: the result, a tab, and two letters a move (SGF's coordinates, Black first,
//! `tt` for a pass), 19×19. The last 4000 lines are for testing only. See `docs/learning.md`.

use std::collections::HashMap;
use std::io::BufRead;

use kosumi::go::{Move, Point, Position, rules};
use kosumi::playout::policy::below;
use kosumi::playout::{Rng, stream};
use kosumi::search::prior::features::{FEATURES, Seen, View};
use kosumi::search::prior::spatial::LEVELS;
use kosumi::search::prior::{Candidate, Tools, model::Model, plays};

const SIZE: usize = 19;
const TEST_GAMES: usize = 4000;
/// Games whose moves are counted to find the patterns that are worth a weight.
const COUNTED_GAMES: usize = 12_000;
/// A pattern needs so many moves of the counted games.
const LEAST_COUNT: u32 = 12;
/// Of each game every so many-th move is learned from.
const STRIDE: usize = 8;
/// Adagrad (Duchi, Hazan, Singer 2011).
const RATE: f32 = 0.15;
/// Pull of all weights towards zero, for each update of a weight.
const DECAY: f32 = 1e-6;

/// Gradients below this are applied at random, enlarged to this.
const LEAST_GRADIENT: f32 = 1e-3;

type Game = Vec<Move>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "data/priors.bin".into());
    let most: usize = std::env::args().nth(2).map_or(Ok(usize::MAX), |n| n.parse())?;
    let mut games: Vec<Game> = std::io::stdin().lock().lines().map_while(Result::ok).filter_map(|l| read(&l)).collect();
    let test = games.split_off(games.len().saturating_sub(TEST_GAMES));
    games.truncate(most);
    eprintln!("{} games to learn from, {} to test with", games.len(), test.len());
    let mut learner = Learner::new(&games[..games.len().min(COUNTED_GAMES)]);
    eprintln!("{} patterns", learner.known.len());
    let mut rng = stream(1, 0);
    let mut loss = (0.0, 0u32, 0u32);
    for (i, game) in games.iter().enumerate() {
        // The step size falls to a fifth in the course of the pass.
        learner.rate = RATE * (1.0 - 0.8 * i as f32 / games.len() as f32);
        let first = below(&mut rng, STRIDE);
        walk(game, |position, last, mv, number| {
            if number % STRIDE == first
                && let Some((log, hit)) = learner.step(position, last, mv, true)
            {
                loss = (loss.0 + f64::from(log), loss.1 + u32::from(hit), loss.2 + 1);
            }
        });
        if (i + 1) % 2000 == 0 {
            let n = f64::from(loss.2);
            eprintln!("{} games: loss {:.4}, first {:.2} %", i + 1, loss.0 / n, 100.0 * f64::from(loss.1) / n);
            loss = (0.0, 0, 0);
            std::fs::write(&path, learner.bytes())?;
        }
    }
    std::fs::write(&path, learner.bytes())?;
    let mut result = (0.0, 0u32, 0u32);
    for game in test.iter().take(1000) {
        let first = below(&mut rng, STRIDE);
        walk(game, |position, last, mv, number| {
            if number % STRIDE == first
                && let Some((log, hit)) = learner.step(position, last, mv, false)
            {
                result = (result.0 + f64::from(log), result.1 + u32::from(hit), result.2 + 1);
            }
        });
    }
    let n = f64::from(result.2);
    println!(
        "held-out: {} positions, loss {:.4}, predicted first {:.2} %",
        result.2,
        result.0 / n,
        100.0 * f64::from(result.1) / n
    );
    Ok(())
}

fn read(line: &str) -> Option<Game> {
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
fn walk(game: &Game, mut visit: impl FnMut(&Position, [Point; 2], Point, usize)) {
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

struct Learner {
    tools: Tools,
    candidates: Vec<Candidate>,
    seen: Vec<(Seen, [u32; LEVELS.len()])>,
    weights: Vec<f32>,
    squares: Vec<f32>,
    /// Hash to the place of its weight; place 0 is for those that are not known.
    known: HashMap<u32, u32>,
    rate: f32,
    rng: Rng,
}

impl Learner {
    fn new(games: &[Game]) -> Learner {
        let mut counts: HashMap<u32, u32> = HashMap::new();
        let tools = Tools::new(SIZE);
        for game in games {
            walk(game, |position, _, mv, _| {
                if position.board().is_legal(position.to_move(), mv) {
                    for hash in tools.spatial.hashes(position.board(), mv, position.to_move()) {
                        *counts.entry(hash).or_default() += 1;
                    }
                }
            });
        }
        let mut hashes: Vec<u32> =
            counts.into_iter().filter(|&(h, n)| n >= LEAST_COUNT && h != 0).map(|(h, _)| h).collect();
        hashes.sort_unstable();
        let known: HashMap<u32, u32> =
            hashes.into_iter().enumerate().map(|(i, hash)| (hash, (FEATURES + 1 + i) as u32)).collect();
        let count = FEATURES + 1 + known.len();
        Learner {
            tools,
            candidates: Vec::new(),
            seen: Vec::new(),
            weights: vec![0.0; count],
            squares: vec![1e-2; count],
            known,
            rate: RATE,
            rng: stream(2, 0),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut patterns: Vec<(u32, f32)> =
            self.known.iter().map(|(&hash, &place)| (hash, self.weights[place as usize])).collect();
        patterns.retain(|(_, weight)| weight.abs() >= 0.02);
        patterns.sort_unstable_by_key(|&(hash, _)| hash);
        Model::to_bytes(&self.weights[..FEATURES], &patterns)
    }

    /// The loss of a position and whether its move was predicted first; learns from it if told to.
    fn step(&mut self, position: &Position, last: [Point; 2], mv: Point, learn: bool) -> Option<(f32, bool)> {
        plays(position, &mut self.candidates);
        let target = self.candidates.iter().position(|c| c.mv == Move::Play(mv))?;
        self.tools.ladders.refill();
        let view = View { board: position.board(), color: position.to_move(), last, spatial: &self.tools.spatial };
        self.seen.clear();
        for candidate in &self.candidates {
            let seen = view.of(candidate.mv.point()?, &mut self.tools.ladders);
            let places = seen.patterns.map(|hash| self.known.get(&hash).copied().unwrap_or(FEATURES as u32));
            self.seen.push((seen, places));
        }
        let weight = |(seen, places): &(Seen, [u32; LEVELS.len()])| -> f32 {
            seen.features().iter().map(|&f| self.weights[f as usize]).sum::<f32>()
                + places.iter().map(|&p| self.weights[p as usize]).sum::<f32>()
        };
        let mut shares: Vec<f32> = self.seen.iter().map(weight).collect();
        let most = shares.iter().copied().fold(f32::MIN, f32::max);
        let hit = shares[target] == most;
        for share in &mut shares {
            *share = (*share - most).exp();
        }
        let sum: f32 = shares.iter().sum();
        let loss = -(shares[target] / sum).max(1e-20).ln();
        if learn {
            for (i, share) in shares.iter().enumerate() {
                let mut gradient = f32::from(u8::from(i == target)) - share / sum;
                if gradient.abs() < LEAST_GRADIENT {
                    // Most moves are this unlikely. A few of them stand for all, so that the mean stays right:
                    // leaving all out would let their strengths grow without end.
                    if below(&mut self.rng, 1 << 24) as f32 * LEAST_GRADIENT >= gradient.abs() * (1 << 24) as f32 {
                        continue;
                    }
                    gradient = LEAST_GRADIENT.copysign(gradient);
                }
                let (seen, places) = self.seen[i];
                let places = places.iter().map(|&p| p as usize).filter(|&p| p != FEATURES);
                for place in seen.features().iter().map(|&f| f as usize).chain(places) {
                    self.squares[place] += gradient * gradient;
                    self.weights[place] +=
                        self.rate * gradient / self.squares[place].sqrt() - DECAY * self.weights[place];
                }
            }
        }
        Some((loss, hit))
    }
}
