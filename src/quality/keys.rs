//! Keys of the lines, words and n-grams of a text: hashes with a seed drawn from a cryptographic hash of the text, so nobody
//! can write a text whose keys collide, and the same text has the same keys everywhere.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::hash::digest;

/// The hash functions for the parts of a text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Keys {
    seed: u64,
    /// An odd number.
    factor: u64,
}

impl Keys {
    pub fn of(text: &str) -> Keys {
        let digest = digest(text.as_bytes());
        Keys { seed: digest as u64, factor: (digest >> 64) as u64 | 1 }
    }

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
    fn keys_depend_on_the_word_and_on_the_text() {
        let key = |text: &str, word: &str| {
            let word = word.as_bytes();
            Keys::of(text).short_word([0, 8].map(|at| swar::load(word, at)), word.len())
        };
        let words = ["", "\0", "a", "a\0", "b", "abcdefgh", "abcdefgh\0", "abcdefghi", "abcdefghj", "abcdefghijklmnop"];
        for (at, word) in words.iter().enumerate() {
            assert_ne!(key("seed", word), key("other", word), "{word}");
            words.iter().skip(at + 1).for_each(|other| assert_ne!(key("seed", word), key("seed", other), "{other}"));
        }
    }
}
