//! The description of a net: its shape, its training data, its origin.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::conv::GROUP;
use super::planes;
use crate::go::{MAX_SIZE, MIN_SIZE};

/// The largest number of channels of a layer.
pub const MAX_CHANNELS: usize = 256;
/// The largest number of residual blocks.
const MAX_BLOCKS: usize = 64;
/// Longest text of a field.
const LONGEST_TEXT: usize = 1000;

/// The description at the start of a weight file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// The name of the net.
    pub name: String,
    /// The version of planes and scalars that the net reads.
    pub planes: u32,
    /// Channels of the trunk.
    pub channels: usize,
    /// Residual blocks.
    pub blocks: usize,
    /// The blocks with pooling, from 0, in ascending order.
    pub pooling: Vec<usize>,
    /// Channels for result, score and owners.
    pub value_channels: usize,
    /// Channels for the policy.
    pub policy_channels: usize,
    /// Numbers in the hidden layer.
    pub hidden: usize,
    /// Board sizes of the training data.
    pub sizes: Vec<usize>,
    /// Rule sets of the training data.
    pub rules: Vec<String>,
    /// The origin of the net.
    pub origin: Origin,
}

/// The origin of a net.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The training data.
    pub data: String,
    /// Number of training steps.
    pub steps: u64,
    /// The commit of the trainer.
    pub commit: String,
}

impl Description {
    /// Checks that such a net is possible.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), String> {
        for (name, channels) in [
            ("channels", self.channels),
            ("value_channels", self.value_channels),
            ("policy_channels", self.policy_channels),
        ] {
            if channels == 0 || !channels.is_multiple_of(GROUP) || channels > MAX_CHANNELS {
                return Err(format!("{name} is {channels}, not a multiple of {GROUP} up to {MAX_CHANNELS}"));
            }
        }
        if !(1..=MAX_BLOCKS).contains(&self.blocks) {
            return Err(format!("blocks is {}, not 1 to {MAX_BLOCKS}", self.blocks));
        }
        if !(1..=MAX_CHANNELS).contains(&self.hidden) {
            return Err(format!("hidden is {}, not 1 to {MAX_CHANNELS}", self.hidden));
        }
        if !self.pooling.is_sorted_by(|a, b| a < b) || self.pooling.iter().any(|&block| block >= self.blocks) {
            return Err("pooling is not an ascending list of blocks".into());
        }
        if self.sizes.iter().any(|size| !(MIN_SIZE..=MAX_SIZE).contains(size)) {
            return Err(format!("sizes are not all {MIN_SIZE} to {MAX_SIZE}"));
        }
        let texts = [&self.name, &self.origin.data, &self.origin.commit];
        if texts.into_iter().chain(&self.rules).any(|t| t.len() > LONGEST_TEXT || t.chars().any(char::is_control)) {
            return Err("a text is too long or has control characters".into());
        }
        Ok(())
    }

    /// Number of bytes of the tensors in a file.
    pub fn tensor_bytes(&self) -> usize {
        let (c, v, q, h) = (self.channels, self.value_channels, self.policy_channels, self.hidden);
        let conv = |weights: usize, outputs: usize| weights + 8 * outputs;
        conv(9 * planes::COUNT * c, c)
            + 4 * planes::SCALARS * c
            + self.blocks * (2 * conv(9 * c * c, c) + 4)
            + self.pooling.len() * 4 * 3 * c * c
            + conv(c * v, v)
            + conv(c * q, q)
            + 4 * 3 * v * q
            + 2 * q
            + 4
            + 2 * v
            + 8
            + 4 * (3 * v * h + h + 6 * h + 6)
    }

    /// Number of multiply-adds for one point, without the work that is done once for a board.
    pub fn work(&self) -> usize {
        let (c, v, q) = (self.channels, self.value_channels, self.policy_channels);
        9 * planes::COUNT * c + self.blocks * 2 * 9 * c * c + c * (v + q) + v + q
    }
}

/// The facts about a net that matter to a reader, line by line.
impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<T: ToString>(items: &[T]) -> String {
            let items: Vec<String> = items.iter().map(T::to_string).collect();
            if items.is_empty() { "none".into() } else { items.join(", ") }
        }
        let weights = self.tensor_bytes() as f64 / 1024.0;
        let on = |size: usize| (self.work() * size * size) as f64 / 1e6;
        writeln!(f, "name             {}", self.name)?;
        writeln!(
            f,
            "shape            {} blocks of {} channels, pooling in {}",
            self.blocks,
            self.channels,
            list(&self.pooling)
        )?;
        writeln!(
            f,
            "heads            {} channels for values, {} for moves, {} hidden",
            self.value_channels, self.policy_channels, self.hidden
        )?;
        writeln!(f, "weights          {weights:.0} KiB")?;
        writeln!(f, "multiply-adds    {:.1} million on 9x9, {:.1} million on 19x19", on(9), on(19))?;
        writeln!(f, "planes           version {}", self.planes)?;
        writeln!(f, "taught on sizes  {}", list(&self.sizes))?;
        writeln!(f, "taught on rules  {}", list(&self.rules))?;
        writeln!(f, "data             {}", self.origin.data)?;
        writeln!(f, "steps            {}", self.origin.steps)?;
        writeln!(f, "commit           {}", self.origin.commit)
    }
}
