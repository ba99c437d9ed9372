//! A hash of a few words with 128 bits, so many that two inputs practically never share it. Caches that compare nothing
//! but the hash use it. Its inputs come from the engine itself: it is no defence against chosen inputs.

/// Two hashes of 64 bits by multiplying and folding, as in wyhash by Wang Yi.
#[derive(Debug)]
pub(crate) struct WideHash([u64; 2]);

/// Odd numbers without pattern: what the hashes start with, and their factors.
const STARTS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd134_2543_de82_ef95];
const FACTORS: [u64; 2] = [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db];

impl WideHash {
    /// The hash of no word.
    pub(crate) fn new() -> WideHash {
        WideHash(STARTS)
    }

    /// Takes the next word in.
    #[inline]
    pub(crate) fn add(&mut self, word: u64) {
        for (hash, factor) in self.0.iter_mut().zip(FACTORS) {
            let product = u128::from(*hash ^ word) * u128::from(factor);
            *hash = (product as u64 ^ (product >> 64) as u64).rotate_left(23).wrapping_add(factor);
        }
    }

    /// The hash of all words so far.
    #[inline]
    pub(crate) fn get(self) -> u128 {
        let [low, high] = self.0;
        u128::from(high) << 64 | u128::from(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(words: [u64; 3]) -> [u64; 2] {
        let mut hash = WideHash::new();
        words.into_iter().for_each(|word| hash.add(word));
        let hash = hash.get();
        [hash as u64, (hash >> 64) as u64]
    }

    #[test]
    fn every_bit_changes_both_halves() {
        let plain = hash([0; 3]);
        for bit in 0..3 * 64 {
            let mut words = [0; 3];
            words[bit / 64] = 1 << (bit % 64);
            let other = hash(words);
            assert!(other[0] != plain[0] && other[1] != plain[1], "bit {bit}");
        }
    }

    #[test]
    fn the_order_of_the_words_counts() {
        assert_ne!(hash([1, 2, 3]), hash([2, 1, 3]));
        assert_ne!(hash([1, 2, 3]), hash([1, 3, 2]));
    }
}
