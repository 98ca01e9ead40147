//! Hashes of sequences of hashes: n-grams of words, blocks of a host.
//!
//! SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012) of the members as bytes,
//! little-endian, with a fixed key. By these hashes texts of strangers count as equal. A member that gives a sequence a wanted
//! hash can be computed for any function that mixes one member after the other into 64 bits, and a word with this member as
//! its hash is found in a second. SipHash has 256 bits between two members.

use std::hash::Hasher;

use multiversion::multiversion;
use siphasher::sip::SipHasher24;

use super::SEED;

/// Half of SipHash's key. It is no secret: what counts is that a sequence with the hash of a given one cannot be computed.
const KEY: u64 = 0x696e_206f_7264_6572; // "in order"

/// Hash of a sequence; the order of its members matters.
pub fn sequence_hash(members: &[u64]) -> u64 {
    let mut hasher = SipHasher24::new_with_keys(SEED, KEY);
    members.iter().for_each(|member| hasher.write(&member.to_le_bytes()));
    hasher.finish()
}

/// [`sequence_hash`] of each `n` successive members, in order; `n` is at least 1.
pub fn window_hashes(members: &[u64], n: usize) -> Vec<u64> {
    let n = n.max(1);
    let windows = (members.len() + 1).saturating_sub(n);
    let mut hashes = Vec::with_capacity(windows);
    while hashes.len() < windows {
        let first = hashes.len();
        hashes.extend(lanes(members.get(first..).unwrap_or_default(), n).into_iter().take(windows - first));
    }
    hashes
}

/// Windows that are hashed side by side.
const LANES: usize = 32;

type Lanes = [u64; LANES];

/// The hashes of the first windows. Members behind the last count as 0.
#[multiversion(targets("x86_64+avx2"))]
fn lanes(members: &[u64], n: usize) -> Lanes {
    // "somepseudorandomlygeneratedbytes", and both halves of the key.
    let mut state = [
        [0x736f_6d65_7073_6575 ^ SEED; LANES],
        [0x646f_7261_6e64_6f6d ^ KEY; LANES],
        [0x6c79_6765_6e65_7261 ^ SEED; LANES],
        [0x7465_6462_7974_6573 ^ KEY; LANES],
    ];
    for from in 0..n {
        let mut block = [0; LANES];
        block.iter_mut().zip(members.get(from..).unwrap_or_default()).for_each(|(lane, member)| *lane = *member);
        absorb(&mut state, &block);
    }
    // The last block of SipHash is the number of bytes, modulo 256, in its highest byte.
    absorb(&mut state, &[(8 * n as u64) << 56; LANES]);
    let [mut a, mut b, mut c, mut d] = state;
    for (((a, b), c), d) in a.iter_mut().zip(&mut b).zip(&mut c).zip(&mut d) {
        *c ^= 0xff;
        (0..4).for_each(|_| round(a, b, c, d));
        *a ^= *b ^ *c ^ *d;
    }
    a
}

#[inline(always)]
fn absorb([a, b, c, d]: &mut [Lanes; 4], block: &Lanes) {
    for ((((a, b), c), d), member) in a.iter_mut().zip(b).zip(c).zip(d).zip(block) {
        *d ^= member;
        round(a, b, c, d);
        round(a, b, c, d);
        *a ^= member;
    }
}

#[inline(always)]
fn round(a: &mut u64, b: &mut u64, c: &mut u64, d: &mut u64) {
    *a = a.wrapping_add(*b);
    *b = b.rotate_left(13) ^ *a;
    *a = a.rotate_left(32);
    *c = c.wrapping_add(*d);
    *d = d.rotate_left(16) ^ *c;
    *a = a.wrapping_add(*d);
    *d = d.rotate_left(21) ^ *a;
    *c = c.wrapping_add(*b);
    *b = b.rotate_left(17) ^ *c;
    *c = c.rotate_left(32);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{combine, text_hash};
    use super::*;

    /// The last word of the second was written so that both have the same [`combine`].
    #[test]
    fn words_that_are_written_to_collide_are_another_sequence() {
        let [own, forged] = ["i have used debian for the past", "in the words of code lngkcaa und2c32y"]
            .map(|text| text.split(' ').map(|word| text_hash(word.as_bytes())).collect::<Vec<_>>());
        assert_eq!(combine(&own), combine(&forged));
        assert_ne!(sequence_hash(&own), sequence_hash(&forged));
    }

    proptest! {
        #[test]
        fn windows_side_by_side_are_windows_one_by_one(
            members in prop::collection::vec(any::<u64>(), 0..100),
            n in 0..40usize,
        ) {
            let want: Vec<u64> = members.windows(n.max(1)).map(sequence_hash).collect();
            prop_assert_eq!(window_hashes(&members, n), want);
        }
    }

    #[test]
    fn order_and_length_matter() {
        assert_ne!(sequence_hash(&[1, 2]), sequence_hash(&[2, 1]));
        assert_ne!(sequence_hash(&[0]), sequence_hash(&[0, 0]));
    }

    #[test]
    fn values_are_pinned() {
        assert_eq!(format!("{:016x}", sequence_hash(&[])), "e227c38e9931b531");
        assert_eq!(format!("{:016x}", sequence_hash(&[1, 2, 3])), "ae5dae451ab633b3");
    }
}
