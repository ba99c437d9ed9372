//! Learns the weights of the prior (`data/priors.bin`) from game records.
//!
//! ```text
//! xz -dc games.tsv.xz | cargo run --release --example learn_priors -- data/priors.bin
//! ```
//!
//! A second argument limits the number of games. See `support/games.rs` for the form of the records and
//! `docs/learning.md` for the method.

#[path = "support/games.rs"]
#[allow(unreachable_pub, reason = "two programs share the file")]
mod games;

use std::collections::HashMap;

use games::{Game, walk};
use kosumi::go::{Move, Point, Position};
use kosumi::playout::policy::below;
use kosumi::playout::{Rng, stream};
use kosumi::search::prior::features::{FEATURES, Seen, Surroundings};
use kosumi::search::prior::spatial::HASHES;
use kosumi::search::prior::{Candidate, Tools, model::Model, plays};

/// Games that are used of those for testing.
const TESTED: usize = 1000;
/// Games whose moves are counted to find the patterns that are worth a weight.
const COUNTED_GAMES: usize = 50_000;
/// The fewest moves, in the counted games, of a pattern that gets a weight.
const LEAST_COUNT: u32 = 25;
/// One move in so many is learned from.
const STRIDE: usize = 2;
/// Adagrad (Duchi, Hazan, Singer 2011).
const RATE: f32 = 0.15;
/// The pull of a weight towards zero: a gradient for each unit of the weight. The pull shrinks with the step size. A
/// constant pull would exceed the ever smaller steps of frequent features, and the loss would rise.
const DECAY: f32 = 1e-6;

/// A smaller gradient is applied at random, enlarged to this size.
const LEAST_GRADIENT: f32 = 1e-3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "data/priors.bin".into());
    let most: usize = std::env::args().nth(2).map_or(Ok(usize::MAX), |n| n.parse())?;
    let (games, test) = games::read(most);
    let mut learner = Learner::new(&games[..games.len().min(COUNTED_GAMES)]);
    eprintln!("{} patterns", learner.known.len());
    games::pass(&mut learner, &games, STRIDE, RATE, |learner| std::fs::write(&path, learner.bytes()))?;
    std::fs::write(&path, learner.bytes())?;
    let result = games::test(&mut learner, &test[..test.len().min(TESTED)]);
    println!("held-out: {result}");
    Ok(())
}

struct Learner {
    tools: Tools,
    candidates: Vec<Candidate>,
    seen: Vec<(Seen, [u32; HASHES])>,
    weights: Vec<f32>,
    squares: Vec<f32>,
    /// From a hash to the place of its weight; place 0 is for unknown hashes.
    known: HashMap<u32, u32>,
    rate: f32,
    rng: Rng,
}

impl Learner {
    fn new(games: &[Game]) -> Learner {
        let mut counts: HashMap<u32, u32> = HashMap::new();
        let tools = Tools::new(games::SIZE.into());
        for game in games {
            walk(game, |position, last, mv, _| {
                if position.board().is_legal(position.to_move(), mv) {
                    tools.spatial.hashes(position.board(), mv, position.to_move(), last[0], |hash| {
                        *counts.entry(hash).or_default() += 1;
                        true
                    });
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
        patterns.sort_unstable_by_key(|&(hash, _)| hash);
        Model::to_bytes(&self.weights[..FEATURES], &patterns)
    }
}

impl games::Learner for Learner {
    fn set_rate(&mut self, rate: f32) {
        self.rate = rate;
    }

    fn step(&mut self, position: &Position, last: [Point; 2], mv: Point, learn: bool) -> Option<(f32, bool)> {
        plays(position, &mut self.candidates);
        let target = self.candidates.iter().position(|c| c.mv == Move::Play(mv))?;
        self.tools.ladders.refill();
        let view =
            Surroundings { board: position.board(), color: position.to_move(), last, spatial: &self.tools.spatial };
        self.seen.clear();
        for candidate in &self.candidates {
            let point = candidate.mv.point()?;
            let mut places = [FEATURES as u32; HASHES];
            let mut count = 0;
            view.patterns(point, |hash| {
                let place = self.known.get(&hash).copied();
                places[count] = place.unwrap_or(FEATURES as u32);
                count += 1;
                place.is_some()
            });
            self.seen.push((view.of(point, &mut self.tools.ladders), places));
        }
        let weight = |(seen, places): &(Seen, [u32; HASHES])| -> f32 {
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
                    // Most moves are this unlikely. A few of them stand for all, so the mean stays right. Without
                    // any of them their strengths would grow without end.
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
                        self.rate * (gradient - DECAY * self.weights[place]) / self.squares[place].sqrt();
                }
            }
        }
        Some((loss, hit))
    }
}
