//! Keys of the lines, words and n-grams of a text: hashes of 64 bits with a random seed, so nobody can write a text whose keys
//! collide. What is written does not depend on the seed: of 10^9 texts of 100,000 n-grams one has two that differ and share a
//! key.

use std::hash::{BuildHasher, RandomState};

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The hash functions for the parts of a text.
#[derive(Debug, Clone, Copy)]
pub struct Keys {
    seed: u64,
    /// An odd number.
    factor: u64,
}

impl Default for Keys {
    fn default() -> Keys {
        let random = RandomState::new();
        Keys { seed: random.hash_one(0), factor: random.hash_one(1) | 1 }
    }
}

impl Keys {
    /// The key of a line, or of some words as they are written.
    pub fn text(&self, text: &[u8]) -> u64 {
        xxh3_64_with_seed(text, self.seed)
    }

    /// The key of a word of at most sixteen bytes; those behind it are 0.
    #[inline]
    pub fn short_word(&self, [first, second]: [u64; 2], length: usize) -> u64 {
        let first = if length > 8 { self.mix(first, second) } else { first };
        self.mix(first, length as u64)
    }

    /// The key of two numbers; no other two have it.
    pub fn pair(&self, first: u32, second: u32) -> u64 {
        let spread = (u64::from(first) << 32 | u64::from(second)).wrapping_mul(self.factor);
        spread ^ spread >> 32
    }

    /// A key of two numbers.
    pub fn mix(&self, first: u64, second: u64) -> u64 {
        let product = u128::from(first ^ self.seed) * u128::from(second.rotate_left(1) ^ self.factor);
        product as u64 ^ (product >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::swar;

    #[test]
    fn keys_depend_on_the_word_and_on_the_seed() {
        let (own, others) = (Keys::default(), Keys::default());
        let key = |keys: &Keys, word: &str| {
            let word = word.as_bytes();
            keys.short_word([0, 8].map(|at| swar::load(word, at)), word.len())
        };
        let words = ["", "\0", "a", "a\0", "b", "abcdefgh", "abcdefgh\0", "abcdefghi", "abcdefghj", "abcdefghijklmnop"];
        for (at, word) in words.iter().enumerate() {
            assert_ne!(key(&own, word), key(&others, word), "{word}");
            words.iter().skip(at + 1).for_each(|other| assert_ne!(key(&own, word), key(&own, other), "{other}"));
        }
    }
}
