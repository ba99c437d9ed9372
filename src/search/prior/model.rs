//! The learned strengths of features and patterns, and the file that holds them.
//!
//! A move's strength is the exponential of the sum of its features' weights. This is a Bradley–Terry model with teams
//! (Coulom 2007, "Computing Elo ratings of move patterns in the game of Go"). The program `examples/learn_priors.rs`
//! has learned the weights, see `docs/learning.md`.

use std::sync::LazyLock;

use super::features::{FEATURES, Surroundings};
use crate::go::Point;
use crate::go::ladder::Ladders;

/// The weights in the file are whole numbers. This is the unit.
const UNIT: f32 = 1.0 / 1024.0;

/// The first bytes of a file of weights. They name the version.
const MAGIC: &[u8; 8] = b"KSMPRI01";

/// Learned weights. A weight is the natural logarithm of a strength.
#[derive(Clone, Debug)]
pub struct Model {
    features: Vec<f32>,
    /// A hash table with open addressing: hashes of patterns and their weights. The hash 0 marks an empty place.
    table: Vec<(u32, f32)>,
}

/// The weights that come with the program.
pub static SHIPPED: LazyLock<Model> = LazyLock::new(|| {
    Model::from_bytes(include_bytes!("../../../data/priors.bin")).unwrap_or_else(|| {
        log::error!("the file of learned weights is damaged: playing without it");
        Model::new(vec![0.0; FEATURES], &[])
    })
});

impl Model {
    /// A model of these weights.
    pub fn new(features: Vec<f32>, patterns: &[(u32, f32)]) -> Model {
        let places = (patterns.len() * 4 / 3 + 1).next_power_of_two();
        let mut model = Model { features, table: vec![(0, 0.0); places] };
        for &(hash, weight) in patterns {
            let place = model.place(hash);
            model.table[place] = (hash, weight);
        }
        model
    }

    /// The index of a hash in the table, or of the empty place for this hash.
    fn place(&self, hash: u32) -> usize {
        let mask = self.table.len() - 1;
        let mut place = hash as usize & mask;
        while self.table[place].0 != hash && self.table[place].0 != 0 {
            place = (place + 1) & mask;
        }
        place
    }

    /// The weight of a pattern; `None` if the pattern was too rare for learning a weight.
    #[inline]
    pub fn pattern(&self, hash: u32) -> Option<f32> {
        let (known, weight) = self.table[self.place(hash)];
        (known == hash && hash != 0).then_some(weight)
    }

    /// The logarithm of a move's strength.
    pub fn weight(&self, view: &Surroundings<'_>, point: Point, ladders: &mut Ladders) -> f32 {
        let mut sum = 0.0;
        for &feature in view.of(point, ladders).features() {
            sum += self.features[feature as usize];
        }
        view.patterns(point, |hash| {
            let weight = self.pattern(hash);
            sum += weight.unwrap_or(0.0);
            weight.is_some()
        });
        sum
    }

    /// Reads a file of weights. `None` if the bytes are no such file, or belong to another list of features.
    pub fn from_bytes(bytes: &[u8]) -> Option<Model> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (counts, mut rest) = rest.split_at_checked(8)?;
        let count = |at: usize| Some(u32::from_le_bytes(counts.get(at..at + 4)?.try_into().ok()?) as usize);
        let (features, patterns) = (count(0)?, count(4)?);
        if features != FEATURES || rest.len() != 2 * features + 6 * patterns {
            return None;
        }
        let weight = |rest: &mut &[u8]| {
            let (bytes, after) = rest.split_first_chunk::<2>()?;
            *rest = after;
            Some(f32::from(i16::from_le_bytes(*bytes)) * UNIT)
        };
        let features = (0..features).map(|_| weight(&mut rest)).collect::<Option<Vec<f32>>>()?;
        let mut list = Vec::with_capacity(patterns);
        for _ in 0..patterns {
            let (hash, after) = rest.split_first_chunk::<4>()?;
            rest = after;
            list.push((u32::from_le_bytes(*hash), weight(&mut rest)?));
        }
        Some(Model::new(features, &list))
    }

    /// The bytes of a file with these weights.
    pub fn to_bytes(features: &[f32], patterns: &[(u32, f32)]) -> Vec<u8> {
        let fixed = |weight: f32| ((weight / UNIT).round().clamp(-32768.0, 32767.0) as i16).to_le_bytes();
        let mut bytes = MAGIC.to_vec();
        bytes.extend((features.len() as u32).to_le_bytes());
        bytes.extend((patterns.len() as u32).to_le_bytes());
        for &weight in features {
            bytes.extend(fixed(weight));
        }
        for &(hash, weight) in patterns {
            bytes.extend(hash.to_le_bytes());
            bytes.extend(fixed(weight));
        }
        bytes
    }
}
