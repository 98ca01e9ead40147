//! Names of tags and attributes: where one ends, and what is known by it, found by a number that is made of its letters
//! while they are read.

/// What is known by some names, each at the place of its key among `N`, a power of two.
pub struct Keyed<T, const N: usize> {
    slots: [Option<(T, &'static str, u64)>; N],
    multiplier: u64,
}

impl<T: Copy, const N: usize> Keyed<T, N> {
    /// Names are in lower case. The multiplier is one that leads no two of them to one place.
    #[allow(clippy::indexing_slicing)] // Evaluated by the compiler.
    pub const fn new(mut known: &[(T, &'static str)], multiplier: u64) -> Keyed<T, N> {
        let mut slots = [None; N];
        while let [(what, name), rest @ ..] = known {
            let place = &mut slots[slot::<N>(fold(name), multiplier)];
            assert!(place.is_none(), "two names in one place: take another multiplier");
            *place = Some((*what, *name, fold(name)));
            known = rest;
        }
        Keyed { slots, multiplier }
    }

    /// What is known by a name in any case, whose key is [`name()`]'s.
    #[inline]
    pub fn get(&self, name: &str, key: u64) -> Option<T> {
        let (what, known, its_key) = (*self.slots.get(slot::<N>(key, self.multiplier))?)?;
        // Of longer names the key has only the end.
        let same = key == its_key && name.len() == known.len() && (name.len() <= 8 || name.eq_ignore_ascii_case(known));
        same.then_some(what)
    }
}

const fn slot<const N: usize>(key: u64, multiplier: u64) -> usize {
    (key.wrapping_mul(multiplier) >> (64 - N.trailing_zeros())) as usize
}

/// Bytes of names in lower case, 0 for those that end a name: of tags, and of attributes.
pub static TAG_NAMES: [u8; 256] = letters(b" \t\n\r\x0c/>");
pub static ATTRIBUTE_NAMES: [u8; 256] = letters(b" \t\n\r\x0c/>=");

#[allow(clippy::indexing_slicing)] // Evaluated by the compiler.
const fn letters(mut ends: &[u8]) -> [u8; 256] {
    let mut letters = [1; 256];
    let mut byte = 1;
    while byte < 256 {
        letters[byte] = (byte as u8).to_ascii_lowercase();
        byte += 1;
    }
    while let [end, rest @ ..] = ends {
        letters[*end as usize] = 0;
        ends = rest;
    }
    letters
}

/// Where the name that begins at a place ends, and its key: the last eight letters, in lower case.
#[inline]
pub fn name(bytes: &[u8], mut at: usize, letters: &[u8; 256]) -> (usize, u64) {
    let mut key = 0;
    while let Some(byte) = bytes.get(at) {
        let letter = letters.get(usize::from(*byte)).copied().unwrap_or_default();
        if letter == 0 {
            break;
        }
        key = key << 8 | u64::from(letter);
        at += 1;
    }
    (at, key)
}

/// The key of a name in lower case.
const fn fold(name: &str) -> u64 {
    let (mut key, mut bytes) = (0u64, name.as_bytes());
    while let [byte, rest @ ..] = bytes {
        key = key << 8 | *byte as u64;
        bytes = rest;
    }
    key
}
