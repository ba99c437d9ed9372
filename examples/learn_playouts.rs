//! Learns the strengths of the 3×3 shapes that playouts use (`data/shapes.bin`) from game records.
//!
//! ```text
//! xz -dc games.tsv.xz | cargo run --release --example learn_playouts -- data/shapes.bin
//! ```
//!
//! A second argument limits the number of games. See `support/games.rs` for the form of the records and
//! `docs/learning.md` for the method.

#[path = "support/games.rs"]
#[allow(unreachable_pub, reason = "two programs share the file")]
mod games;

use kosumi::go::ladder::Ladders;
use kosumi::go::{Color, Move, Neighborhood, Point, Position};
use kosumi::playout::strength::exp;
use kosumi::search::prior::features::{FEATURES, Surroundings, TACTICS};
use kosumi::search::prior::spatial::Spatial;
use kosumi::search::prior::{Candidate, plays};

/// One move in so many is learned from.
const STRIDE: usize = 6;
/// Adagrad (Duchi, Hazan, Singer 2011).
const RATE: f32 = 0.15;
/// The pull of a weight towards zero: a gradient for each unit of the weight.
const DECAY: f32 = 1e-5;
/// The fewest candidates of a shape that gets a weight.
const LEAST_COUNT: u32 = 50;
/// Games that are used of those for testing.
const TESTED: usize = 500;

/// Places of the weights: the features of the prior come first, so that a shape does not get the credit for a capture
/// or an escape; then nearness to the last move and the one before (next to it, diagonal to it); then the shapes; then
/// the shapes with the last move in them, by its direction.
const NEAR: usize = FEATURES;
const SHAPES: usize = NEAR + 4;
const REPLIES: usize = SHAPES + (1 << 16);
const WEIGHTS: usize = REPLIES + (8 << 16);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "data/shapes.bin".into());
    let most: usize = std::env::args().nth(2).map_or(Ok(usize::MAX), |n| n.parse())?;
    let (games, test) = games::read(most);
    let mut learner = Learner::new();
    games::pass(&mut learner, &games, STRIDE, RATE, |_| Ok(()))?;
    let result = games::test(&mut learner, &test[..test.len().min(TESTED)]);
    println!("held-out: {result}");
    println!("nearness: {:.2?}", &learner.weights[NEAR..SHAPES]);
    println!("mean strength of a point: {:.3}", learner.mean());
    std::fs::write(path, learner.bytes())?;
    Ok(())
}

struct Learner {
    canonical: Canonical,
    candidates: Vec<Candidate>,
    /// The places of the weights of each candidate.
    seen: Vec<Vec<usize>>,
    weights: Vec<f32>,
    squares: Vec<f32>,
    counts: Vec<u32>,
    ladders: Ladders,
    spatial: Spatial,
    rate: f32,
}

impl Learner {
    fn new() -> Learner {
        Learner {
            canonical: Canonical::new(),
            candidates: Vec::new(),
            seen: Vec::new(),
            weights: vec![0.0; WEIGHTS],
            squares: vec![1e-2; WEIGHTS],
            counts: vec![0; WEIGHTS],
            // Playouts read no ladders.
            ladders: Ladders::new(0),
            spatial: Spatial::new(games::SIZE.into()),
            rate: RATE,
        }
    }

    fn places(&mut self, position: &Position, last: [Point; 2], point: Point) -> Vec<usize> {
        let (board, color) = (position.board(), position.to_move());
        let view = Surroundings { board, color, last, spatial: &self.spatial };
        let seen = view.of(point, &mut self.ladders);
        let mut places: Vec<usize> = seen.features().iter().filter(|&&f| f >= TACTICS).map(|&f| f.into()).collect();
        let around = match color {
            Color::Black => board.around(point),
            Color::White => board.around(point).swapped(),
        };
        places.push(SHAPES + self.canonical.shape(around));
        let toward = |to: Point| (0..8).find(|&d| to != Point::NONE && board.toward(point, d) == to);
        if let Some(direction) = toward(last[0]) {
            places.push(NEAR + direction / 4);
            places.push(REPLIES + self.canonical.reply(around, direction));
        }
        if let Some(direction) = toward(last[1]) {
            places.push(NEAR + 2 + direction / 4);
        }
        places
    }

    /// Mean strength of a candidate without features.
    fn mean(&self) -> f64 {
        let places = SHAPES..REPLIES;
        let all: f64 = self.counts[places.clone()].iter().map(|&n| f64::from(n)).sum();
        let sum: f64 = places.map(|p| f64::from(self.counts[p]) * f64::from(exp(self.weights[p]))).sum();
        sum / all
    }

    /// The file of `playout/shapes.rs`: the number of shapes; for each its bits and its weight; for each reply its
    /// direction, its bits, and its weight, in which nearness is contained.
    fn bytes(&self) -> Vec<u8> {
        let fixed = |weight: f32| ((weight * 1024.0).round() as i16).to_le_bytes();
        let known = |first: usize, count: usize| (0..count).filter(move |i| self.counts[first + i] >= LEAST_COUNT);
        let mut bytes = (known(SHAPES, 1 << 16).count() as u16).to_le_bytes().to_vec();
        for shape in known(SHAPES, 1 << 16) {
            bytes.extend((shape as u16).to_le_bytes());
            bytes.extend(fixed(self.weights[SHAPES + shape]));
        }
        for reply in known(REPLIES, 8 << 16) {
            let direction = reply >> 16;
            bytes.push(direction as u8);
            bytes.extend((reply as u16).to_le_bytes());
            bytes.extend(fixed(self.weights[NEAR + direction / 4] + self.weights[REPLIES + reply]));
        }
        bytes
    }
}

impl games::Learner for Learner {
    fn set_rate(&mut self, rate: f32) {
        self.rate = rate;
    }

    fn step(&mut self, position: &Position, last: [Point; 2], mv: Point, learn: bool) -> Option<(f32, bool)> {
        plays(position, &mut self.candidates);
        let target = self.candidates.iter().position(|c| c.mv == Move::Play(mv))?;
        self.seen.clear();
        for i in 0..self.candidates.len() {
            let places = self.places(position, last, self.candidates[i].mv.point()?);
            self.seen.push(places);
        }
        let logs: Vec<f32> = self.seen.iter().map(|places| places.iter().map(|&p| self.weights[p]).sum()).collect();
        let most = logs.iter().copied().fold(f32::MIN, f32::max);
        let shares: Vec<f32> = logs.iter().map(|log| (log - most).exp()).collect();
        let sum: f32 = shares.iter().sum();
        if learn {
            for (i, (share, places)) in shares.iter().zip(&self.seen).enumerate() {
                let gradient = f32::from(u8::from(i == target)) - share / sum;
                for &place in places {
                    self.counts[place] += 1;
                    self.squares[place] += gradient * gradient;
                    self.weights[place] +=
                        self.rate * (gradient - DECAY * self.weights[place]) / self.squares[place].sqrt();
                }
            }
        }
        Some((-(shares[target] / sum).max(1e-20).ln(), logs[target] == most))
    }
}

/// One of the eight mirrored and turned images of each neighbourhood stands for all.
struct Canonical {
    shapes: Vec<u16>,
    /// By the direction of the last move times 2¹⁶, plus the neighbourhood.
    replies: Vec<u32>,
}

impl Canonical {
    fn new() -> Canonical {
        let image = |bits: u16, symmetry| Neighborhood::from_bits(bits).image(symmetry).bits();
        let reply = |direction, bits| {
            let turned = |s| (Neighborhood::direction_image(direction, s) as u32) << 16 | u32::from(image(bits, s));
            (0..8).map(turned).min().unwrap_or(0)
        };
        Canonical {
            shapes: (0..=u16::MAX).map(|bits| (0..8).map(|s| image(bits, s)).min().unwrap_or(bits)).collect(),
            replies: (0..8).flat_map(|d| (0..=u16::MAX).map(move |bits| reply(d, bits))).collect(),
        }
    }

    fn shape(&self, around: Neighborhood) -> usize {
        usize::from(self.shapes[usize::from(around.bits())])
    }

    fn reply(&self, around: Neighborhood, direction: usize) -> usize {
        self.replies[direction << 16 | usize::from(around.bits())] as usize
    }
}
