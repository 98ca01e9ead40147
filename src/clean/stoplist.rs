//! A list of common words: a set of hashes. The lists of the program are in `stoplists`.
//!
//! Words are in lower case and keep the punctuation that they are commonly written with: split a text at white space and look its
//! words up in lower case.

use crate::hash::mix;
use crate::text::swar;

/// The common words of a language.
#[derive(Debug, Default)]
pub struct Stoplist {
    /// The [`fingerprint`] of each word, in its [`home`] bucket or, if that is full, in a following one; 0 is free. One
    /// in some 10^9 words that are looked up is taken for another.
    buckets: Vec<FingerprintBucket>,
    /// Number of buckets that are the home of some hashes; the others take what the last of them cannot hold.
    homes: usize,
    words: usize,
}

/// Eight fingerprints, compared all at once without a branch.
type FingerprintBucket = [u32; 8];

/// Mean number of words in a bucket: one in twenty is then full.
const FILL: usize = 4;

impl Stoplist {
    /// Whether the list has the word, which must be in lower case.
    pub fn contains(&self, word: &str) -> bool {
        self.contains_hash(word_hash(word.as_bytes()))
    }

    /// Whether the list has a word of this [`word_hash`].
    #[inline]
    pub fn contains_hash(&self, hash: u64) -> bool {
        let (home, fingerprint) = (home(hash, self.homes), fingerprint(hash));
        let Some(bucket) = self.buckets.get(home) else { return false };
        let found = has(bucket, fingerprint);
        if !found & is_full(bucket) { self.has_behind(home, fingerprint) } else { found }
    }

    #[cold]
    fn has_behind(&self, home: usize, fingerprint: u32) -> bool {
        for bucket in self.buckets.iter().skip(home + 1) {
            if has(bucket, fingerprint) || !is_full(bucket) {
                return has(bucket, fingerprint);
            }
        }
        false
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.words
    }

    /// Whether the list has no words.
    pub fn is_empty(&self) -> bool {
        self.words == 0
    }

    /// Puts the fingerprint of a word into the first bucket from its home on that has room, unless it is there.
    fn insert(&mut self, hash: u64) {
        let (mut at, fingerprint) = (home(hash, self.homes), fingerprint(hash));
        while let Some(bucket) = self.buckets.get_mut(at) {
            if has(bucket, fingerprint) {
                return;
            }
            if let Some(slot) = bucket.iter_mut().find(|slot| **slot == 0) {
                *slot = fingerprint;
                self.words += 1;
                return;
            }
            at += 1;
        }
        self.buckets.push([fingerprint, 0, 0, 0, 0, 0, 0, 0]);
        self.words += 1;
    }
}

impl<'a> FromIterator<&'a str> for Stoplist {
    fn from_iter<I: IntoIterator<Item = &'a str>>(words: I) -> Stoplist {
        let mut hashes = Vec::new();
        // Not `collect`: a chain of lists is faster when it drives the loop itself.
        words.into_iter().for_each(|word| hashes.push(word_hash(word.as_bytes())));
        let homes = hashes.len().div_ceil(FILL);
        let mut list = Stoplist { buckets: vec![[0; 8]; homes], homes, words: 0 };
        hashes.into_iter().for_each(|hash| list.insert(hash));
        list
    }
}

#[inline]
fn has(bucket: &FingerprintBucket, fingerprint: u32) -> bool {
    bucket.iter().fold(false, |found, slot| found | (*slot == fingerprint))
}

#[inline]
fn is_full(bucket: &FingerprintBucket) -> bool {
    bucket.last() != Some(&0)
}

/// The lower half of a hash, but never 0.
fn fingerprint(hash: u64) -> u32 {
    (hash as u32).max(1)
}

/// Index of the first bucket for a hash among this many homes.
fn home(hash: u64, homes: usize) -> usize {
    ((u128::from(hash) * homes as u128) >> 64) as usize
}

/// Hash of a word's bytes, eight at a time.
pub fn word_hash(word: &[u8]) -> u64 {
    let (mut hash, mut at) = (0, 0);
    while at < word.len() {
        hash = hash_step(hash, swar::load(word, at));
        at += 8;
    }
    mix(hash)
}

/// Adds eight bytes to a hash that is not yet [`mix`]ed.
#[inline]
pub fn hash_step(hash: u64, eight: u64) -> u64 {
    (hash.rotate_left(23) ^ eight).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
