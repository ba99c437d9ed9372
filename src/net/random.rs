//! Nets of random numbers, to test that kernels agree and to measure speeds.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::description::{Description, Origin};
use super::{file, planes};

/// The description of a net with these blocks and channels, and pooling in every third block.
pub fn description(blocks: usize, channels: usize) -> Description {
    Description {
        name: format!("random-{blocks}x{channels}"),
        planes: planes::VERSION,
        channels,
        blocks,
        pooling: (0..blocks).filter(|block| block % 3 == 1).collect(),
        value_channels: 32,
        policy_channels: 32,
        hidden: 64,
        sizes: vec![],
        rules: vec![],
        origin: Origin { data: "random numbers".into(), steps: 0, commit: String::new() },
    }
}

/// A weight file with random numbers. Their size keeps most activations between the bounds.
pub fn file(description: &Description, seed: u64) -> Vec<u8> {
    with_heads(description, seed, 1.0)
}

/// A weight file with random numbers whose last layers are so small that it prefers no move much and finds no position
/// decided: a net to begin teaching with.
pub fn mild_file(description: &Description, seed: u64) -> Vec<u8> {
    with_heads(description, seed, 0.01)
}

/// A weight file whose policy and results are this much as large.
fn with_heads(description: &Description, seed: u64, scale: f32) -> Vec<u8> {
    let mut numbers = Numbers { random: SplitMix64::seed_from_u64(seed), bytes: Vec::new() };
    let d = description;
    let (c, v, q, h) = (d.channels, d.value_channels, d.policy_channels, d.hidden);
    numbers.conv(9 * planes::COUNT, c, 0.1);
    numbers.floats(planes::SCALARS * c, 200.0);
    for block in 0..d.blocks {
        numbers.conv(9 * c, c, 25.0);
        numbers.conv(9 * c, c, 25.0);
        numbers.floats_in(1, 0.5, 1.0);
        if d.pooling.contains(&block) {
            numbers.floats(3 * c * c, 20.0);
        }
    }
    numbers.conv(c, v, 25.0);
    numbers.conv(c, q, 25.0);
    numbers.floats(3 * v * q, 20.0);
    numbers.shorts(q);
    numbers.floats_in(1, 1e-6 * scale, 1e-5 * scale);
    numbers.shorts(v);
    numbers.floats_in(1, 1e-6, 1e-5);
    numbers.floats(1, 1.0);
    numbers.floats(3 * v * h, 0.01);
    numbers.floats(h, 0.1);
    numbers.floats(6 * h, 0.1 * scale);
    numbers.floats(6, 0.1 * scale);
    file::write(description, &numbers.bytes)
}

struct Numbers {
    random: SplitMix64,
    bytes: Vec<u8>,
}

impl Numbers {
    /// A random number from 0 to 1.
    fn share(&mut self) -> f32 {
        (self.random.next_u64() >> 40) as f32 / (1 << 24) as f32
    }

    fn floats(&mut self, count: usize, largest: f32) {
        self.floats_in(count, -largest, largest);
    }

    fn floats_in(&mut self, count: usize, low: f32, high: f32) {
        for _ in 0..count {
            let value = low + (high - low) * self.share();
            self.bytes.extend(value.to_le_bytes());
        }
    }

    fn shorts(&mut self, count: usize) {
        for _ in 0..count {
            let value = (self.share() * 65_535.0) as i32 - 32_767;
            self.bytes.extend((value as i16).to_le_bytes());
        }
    }

    /// A convolution with so many weights for each output, for inputs whose magnitude is about `input`.
    fn conv(&mut self, weights: usize, outputs: usize, input: f32) {
        for _ in 0..weights * outputs {
            let value = (self.share() * 255.0) as i32 - 127;
            self.bytes.push(value.clamp(-127, 127) as i8 as u8);
        }
        // The standard deviation of the sum, if all inputs had this magnitude.
        let deviation = 73.0 * input * (weights as f32).sqrt();
        for _ in 0..outputs {
            let value = (self.share() - 0.4) * deviation;
            self.bytes.extend((value as i32).to_le_bytes());
        }
        self.floats_in(outputs, 20.0 / deviation, 50.0 / deviation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::planes::{Planes, SCALARS};
    use crate::net::{Net, Workspace};

    #[test]
    fn a_mild_net_prefers_nothing_much_and_finds_nothing_decided() {
        for seed in 0..20 {
            let net = Net::from_bytes(&mild_file(&description(2, 32), seed)).expect("a net");
            let planes = Planes::from_parts(5, &[1; 25], [0.0; SCALARS]);
            let mut workspace = Workspace::new(&net);
            let output = net.evaluate(&mut workspace, &planes, 0);
            assert!((0.2..0.8).contains(&output.win_rate()), "{seed}: {}", output.win_rate());
            assert!(output.policy().iter().all(|&p| p < 0.3), "{seed}: {:?}", output.policy());
        }
    }
}
