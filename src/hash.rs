//! The one hash that reaches disk or decides an order.
//!
//! XXH3 with a fixed seed: the same value on every machine and in every version. `fxhash` is for
//! in-memory maps only. A page can be written to collide, so a hash never decides a drop alone:
//! near duplicates are verified on their shingles, exact ones on 128 bits.

use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed, xxh3_128_with_seed};

/// Part of the file formats: changing it makes spills and indexes of older versions meaningless.
const SEED: u64 = 0x7761_7263_6f72_7075; // "warcorpu"

/// 64-bit hash of bytes.
pub fn hash64(bytes: &[u8]) -> u64 {
    xxh3_64_with_seed(bytes, SEED)
}

/// [`hash64`] of bytes that come in pieces.
pub struct Hasher(Xxh3);

impl Default for Hasher {
    fn default() -> Self {
        Hasher(Xxh3::with_seed(SEED))
    }
}

impl Hasher {
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub fn sum(&self) -> u64 {
        self.0.digest()
    }
}

/// 128-bit hash of bytes, for identity of whole texts.
pub fn digest(bytes: &[u8]) -> u128 {
    xxh3_128_with_seed(bytes, SEED)
}

/// Spreads the bits of `x` over all 64 (the finaliser of SplitMix64, Steele et al. 2014).
pub fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Hash of a sequence of hashes; the order of its members matters.
pub fn combine(hashes: &[u64]) -> u64 {
    hashes.iter().fold(SEED, |acc, &h| mix(acc.rotate_left(23) ^ h))
}

/// The one of `ranges` equal key ranges that a hash falls into, by its high bits.
pub fn range_of(hash: u64, ranges: u32) -> u32 {
    ((u128::from(hash) * u128::from(ranges.max(1))) >> 64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_all_hashes() {
        assert_eq!((range_of(0, 16), range_of(u64::MAX, 16)), (0, 15));
        assert_eq!(range_of(u64::MAX, 0), 0);
    }

    #[test]
    fn values_are_pinned() {
        assert_eq!(hash64(b"corpus"), hash64(b"corpus"));
        assert_eq!(format!("{:016x}", hash64(b"")), "450f2606b872bfe7");
        assert_eq!(format!("{:032x}", digest(b"")), "1f6c938494479f794111457c77ebd436");
    }

    #[test]
    fn pieces_make_the_whole() {
        let mut hasher = Hasher::default();
        [b"cor".as_slice(), b"", b"pus"].iter().for_each(|piece| hasher.update(piece));
        assert_eq!(hasher.sum(), hash64(b"corpus"));
    }

    #[test]
    fn combine_respects_order() {
        assert_ne!(combine(&[1, 2]), combine(&[2, 1]));
        assert_ne!(combine(&[0]), combine(&[0, 0]));
    }
}
