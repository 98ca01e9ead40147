//! The hashes that reach disk or decide an order: the same on every machine and in every version.
//!
//! [`hash64`] is XXH3 with a fixed seed, for checksums, samples and names. Text can be written that has the hash of another.
//! [`text_hash`] is for what decides about documents of strangers: words, blocks and hosts; [`sequence_hash`] is for sequences
//! of these. [`digest`] is BLAKE3, for the identity of whole texts.
//!
//! Maps in memory whose keys strangers choose (words, names, hashes of them) are [`SeededMap`]s. `fxhash` is for other maps.

mod sequence;

use std::collections::{HashMap, HashSet};

pub use sequence::{sequence_hash, window_hashes};
use siphasher::sip::SipHasher24;
use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

/// A map with a random seed of its own, so that nobody can write a page whose keys share a place of its table: then each
/// look-up would walk over all of them. The order of its entries differs from run to run.
pub type SeededMap<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// A set with a random seed of its own, as [`SeededMap`].
pub type SeededSet<K> = HashSet<K, foldhash::fast::RandomState>;

/// Part of the file formats: changing it makes spills and indexes of older versions meaningless.
const SEED: u64 = 0x7761_7263_6f72_7075; // "warcorpu"

/// 64-bit hash of bytes.
pub fn hash64(bytes: &[u8]) -> u64 {
    xxh3_64_with_seed(bytes, SEED)
}

/// Most bytes of which XXH3 is a permutation: two texts of one length do not share a hash.
const MOST_PERMUTED: usize = 8;
/// Half of SipHash's key. It is no secret: what counts is that a text with the hash of a given one cannot be computed.
const SIP_KEY: u64 = 0x7465_7874_2068_6173; // "text has"

/// 64-bit hash of a word, a block's text or a host, by which texts of strangers count as equal. XXH3 for up to eight bytes,
/// beyond that SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012) with a fixed key:
/// longer words with the XXH3 of a given one are found in seconds, with its SipHash by some 2⁶³ trials.
pub fn text_hash(bytes: &[u8]) -> u64 {
    match bytes.len() {
        ..=MOST_PERMUTED => hash64(bytes),
        _ => SipHasher24::new_with_keys(SEED, SIP_KEY).hash(bytes),
    }
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
    let hash = blake3::hash(bytes);
    u128::from_be_bytes(*hash.as_bytes().first_chunk().unwrap_or(&[0; 16]))
}

/// Spreads the bits of `x` over all 64 (the finaliser of SplitMix64, Steele et al. 2014).
pub fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Hash of a sequence of numbers, for checksums, samples and orders; the order of its members matters. For any sequence a last
/// member can be computed that gives it a wanted hash: what decides about documents of strangers is a [`sequence_hash`].
pub fn combine(hashes: &[u64]) -> u64 {
    hashes.iter().fold(SEED, |acc, &h| mix(acc.rotate_left(23) ^ h))
}

/// The one of `ranges` equal key ranges that a hash falls into, by its high bits.
pub fn range_of(hash: u64, ranges: u32) -> u32 {
    ((u128::from(hash) * u128::from(ranges.max(1))) >> 64) as u32
}

/// Sorts hashes.
pub fn sort_hashes(hashes: &mut [u64]) {
    sort_spread(hashes, |hash| *hash);
}

/// Fewest items that are sorted by way of buckets.
const LEAST_SPREAD: usize = 64;
/// Most items whose buckets have one or two of them. The places of more buckets leave the processor's first cache.
const MOST_AT_ONCE: usize = 1 << 14;
/// Items of a bucket, where there are more than that, unless the buckets do not suffice.
const PIECE: usize = 1 << 10;
/// Most buckets of such pieces: each has a place in memory that is written to.
const MOST_PIECES: usize = 1 << 9;

/// Sorts items in place. `leading` is a number that ascends as the items do. Where its values are spread evenly, as
/// hashes are, the time is linear; for others it is that of a comparison sort.
pub fn sort_spread<T: Copy + Ord>(items: &mut [T], leading: impl Fn(&T) -> u64) {
    sort_in_buckets(items, &leading);
}

fn sort_in_buckets<T: Copy + Ord>(items: &mut [T], leading: &impl Fn(&T) -> u64) {
    if items.len() < LEAST_SPREAD {
        return items.sort_unstable();
    }
    if items.is_sorted() {
        return;
    }
    let (least, most) = items.iter().fold((u64::MAX, 0), |(least, most), item| {
        let leading = leading(item);
        (least.min(leading), most.max(leading))
    });
    let all = items.len();
    let in_pieces = all > MOST_AT_ONCE;
    let buckets =
        if in_pieces { (all / PIECE).next_power_of_two().min(MOST_PIECES) } else { (all / 2).next_power_of_two() };
    let bits = 64 - (most - least).leading_zeros();
    let shift = bits.saturating_sub(buckets.trailing_zeros());
    let bucket = |item: &T| ((leading(item) - least) >> shift) as usize;
    for bounds in deal(items, buckets, bucket).windows(2) {
        let &[begin, end] = bounds else { continue };
        match items.get_mut(begin as usize..end as usize) {
            // A bucket of more than half of the items shows that they are not spread.
            Some(piece @ [_, _, ..]) if in_pieces && piece.len() <= all / 2 => sort_in_buckets(piece, leading),
            Some(items @ [_, _, ..]) => sort_few(items),
            _ => {}
        }
    }
}

/// Most items that are sorted by inserting each among those before it.
const MOST_INSERTED: usize = 12;

/// Sorts items that are mostly few.
fn sort_few<T: Copy + Ord>(items: &mut [T]) {
    if items.len() > MOST_INSERTED {
        return items.sort_unstable();
    }
    for sorted in 1..items.len() {
        let Some((item, before)) = items.get_mut(..=sorted).and_then(|items| items.split_last_mut()) else { break };
        // What is greater moves one place on, the nearest first.
        let mut free = item;
        for other in before.iter_mut().rev() {
            if *other <= *free {
                break;
            }
            std::mem::swap(other, free);
            free = other;
        }
    }
}

/// Puts items in the order of their buckets, which are numbered below `buckets`, in linear time and in place. Items of
/// one bucket come in any order. Gives the positions at which the buckets begin, and the end of the last one. There are
/// fewer than 2³² items.
pub fn deal<T: Copy>(items: &mut [T], buckets: usize, bucket: impl Fn(&T) -> usize) -> Vec<u32> {
    if buckets == 1 {
        return vec![0, items.len() as u32];
    }
    let mut ends = vec![0; buckets + 1];
    items.iter().for_each(|item| ends.get_mut(bucket(item) + 1).into_iter().for_each(|count| *count += 1));
    let mut sum = 0;
    for end in &mut ends {
        sum += *end;
        *end = sum;
    }
    // Items before the place of their bucket are where they belong.
    let mut places = ends.clone();
    for this in 0..buckets {
        let end = ends.get(this + 1).copied().unwrap_or_default();
        while let Some(&place) = places.get(this).filter(|place| **place < end) {
            let Some(&(mut item)) = items.get(place as usize) else { break };
            // Each item takes the place of one that belongs elsewhere, until one comes that belongs here.
            loop {
                let of = bucket(&item);
                let Some(to) = places.get_mut(of) else { break };
                let Some(there) = items.get_mut(*to as usize) else { break };
                *to += 1;
                std::mem::swap(&mut item, there);
                if of == this {
                    break;
                }
            }
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// With `fxhash` each look-up would walk over all keys before it, and the test would not end.
    #[test]
    fn keys_that_differ_in_their_high_bits_alone_do_not_share_a_place() {
        let keys = (0..1u64 << 20).map(|key| key << 44);
        assert_eq!(keys.clone().collect::<SeededSet<u64>>().len(), 1 << 20);
        assert_eq!(keys.map(|key| (key, ())).collect::<SeededMap<u64, ()>>().len(), 1 << 20);
    }

    proptest! {
        #[test]
        fn spread_items_are_sorted(
            numbers in prop::collection::vec(prop_oneof![any::<u64>(), 0..50u64, Just(u64::MAX)], 0..900),
            shift in 0..64u32,
        ) {
            let mut items: Vec<(u64, u8)> = numbers.iter().map(|number| (number >> shift, *number as u8)).collect();
            let mut want = items.clone();
            want.sort_unstable();
            sort_spread(&mut items, |item| item.0);
            prop_assert_eq!(items, want);
        }

        #[test]
        fn items_are_dealt_to_their_buckets(items in prop::collection::vec(0..1000usize, 0..300), buckets in 1..40usize) {
            let mut dealt = items.clone();
            let bounds = deal(&mut dealt, buckets, |item| item % buckets);
            prop_assert_eq!((bounds.len(), bounds[buckets] as usize), (buckets + 1, items.len()));
            for (bucket, bounds) in bounds.windows(2).enumerate() {
                let mut got = dealt[bounds[0] as usize..bounds[1] as usize].to_vec();
                let mut want: Vec<usize> = items.iter().copied().filter(|item| item % buckets == bucket).collect();
                got.sort_unstable();
                want.sort_unstable();
                prop_assert_eq!(got, want);
            }
        }
    }

    #[test]
    fn more_items_than_are_sorted_at_once_are_sorted() {
        type Shape = fn(u64) -> u64;
        // Hashes, hashes in a narrow range beside outliers, few values, one value, numbers in order and the other way round.
        let shapes: [Shape; 6] = [
            mix,
            |number| if number % 10_000 == 0 { mix(number) } else { mix(number) >> 40 },
            |number| mix(number) % 3,
            |_| 7,
            |number| number,
            |number| u64::MAX - number,
        ];
        for (shape, many) in shapes.into_iter().flat_map(|shape| [MOST_AT_ONCE + 1, 100_000].map(|many| (shape, many)))
        {
            let mut items: Vec<(u64, u64)> = (0..many as u64).map(|number| (shape(number), mix(!number))).collect();
            let mut want = items.clone();
            want.sort_unstable();
            sort_spread(&mut items, |item| item.0);
            assert!(items == want, "{many} items from {:?}", want.first());
        }
    }

    #[test]
    fn ranges_cover_all_hashes() {
        assert_eq!((range_of(0, 16), range_of(u64::MAX, 16)), (0, 15));
        assert_eq!(range_of(u64::MAX, 0), 0);
    }

    #[test]
    fn values_are_pinned() {
        assert_eq!(format!("{:016x}", hash64(b"")), "450f2606b872bfe7");
        assert_eq!(text_hash(b"corporal"), hash64(b"corporal"));
        assert_eq!(format!("{:016x}", text_hash(b"corporate")), "4e92f769c0311a96");
        assert_eq!(format!("{:032x}", digest(b"")), "af1349b9f5f9a1a6a0404dea36dcc949");
    }

    /// Each of these words was written to have the XXH3 of the other.
    #[test]
    fn a_word_that_is_written_to_collide_is_another_word() {
        let (word, forged) = ("the", "nqtzxttcerhcsjzgxetyctjkbtkfvbcezggzuciynkiykmhpnhgielkiopnrebfi");
        assert_eq!(hash64(word.as_bytes()), hash64(forged.as_bytes()));
        assert_ne!(text_hash(word.as_bytes()), text_hash(forged.as_bytes()));
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
