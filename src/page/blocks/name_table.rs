//! Names of tags and attributes: reads a name and its key, a number made of its letters, in one walk, and looks names
//! up by their keys in perfect hash tables that the compiler makes. And the search for a byte that is near.

/// A perfect hash table from names in lower case to values of type `T`. `N`, the number of slots, is a power of two.
pub struct NameTable<T, const N: usize> {
    /// Value, name and key.
    slots: [Option<(T, &'static str, u64)>; N],
    multiplier: u64,
}

impl<T: Copy, const N: usize> NameTable<T, N> {
    /// Makes the table. The multiplier must lead no two names to one slot.
    #[allow(clippy::indexing_slicing)] // Evaluated by the compiler.
    pub const fn new(mut entries: &[(T, &'static str)], multiplier: u64) -> NameTable<T, N> {
        let mut slots = [None; N];
        while let [(value, name), rest @ ..] = entries {
            let slot = &mut slots[slot_of::<N>(key_of(name), multiplier)];
            assert!(slot.is_none(), "two names in one slot: take another multiplier");
            *slot = Some((*value, *name, key_of(name)));
            entries = rest;
        }
        NameTable { slots, multiplier }
    }

    /// The value of a name in any case; `key` is that of [`read_name`].
    #[inline]
    pub fn get(&self, name: &str, key: u64) -> Option<T> {
        let (value, entry, entry_key) = (*self.slots.get(slot_of::<N>(key, self.multiplier))?)?;
        // The key of a longer name holds only its last eight letters.
        let same =
            key == entry_key && name.len() == entry.len() && (name.len() <= 8 || name.eq_ignore_ascii_case(entry));
        same.then_some(value)
    }
}

const fn slot_of<const N: usize>(key: u64, multiplier: u64) -> usize {
    (key.wrapping_mul(multiplier) >> (64 - N.trailing_zeros())) as usize
}

/// For every byte of the name of a tag the byte in lower case, 0 for bytes that end the name.
pub static TAG_NAMES: [u8; 256] = letters(b" \t\n\r\x0c/>");
/// For every byte of the name of an attribute the byte in lower case, 0 for bytes that end the name.
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

/// Reads the name that begins at `at`: where it ends, and its key, the last eight letters in lower case.
#[inline]
pub fn read_name(bytes: &[u8], mut at: usize, letters: &[u8; 256]) -> (usize, u64) {
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

/// Steps of eight bytes in which [`find_byte`] searches by itself.
const NEAR: usize = 8;

/// Offset of the first such byte from `at` on. Values of attributes and texts between tags are mostly too short for the
/// call of a vectorised search.
#[inline]
pub fn find_byte(bytes: &[u8], at: usize, byte: u8) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let rest = bytes.get(at..)?;
    let mut searched = 0;
    for eight in rest.as_chunks().0.iter().take(NEAR) {
        let zero_where_equal = u64::from_le_bytes(*eight) ^ (ONES * u64::from(byte));
        let found = zero_where_equal.wrapping_sub(ONES) & !zero_where_equal & (ONES << 7);
        if found != 0 {
            return Some(at + searched + found.trailing_zeros() as usize / 8);
        }
        searched += 8;
    }
    memchr::memchr(byte, rest.get(searched..)?).map(|further| at + searched + further)
}

/// The key of a name in lower case.
const fn key_of(name: &str) -> u64 {
    let (mut key, mut bytes) = (0u64, name.as_bytes());
    while let [byte, rest @ ..] = bytes {
        key = key << 8 | *byte as u64;
        bytes = rest;
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bytes_are_found_near_and_far(
            text in "[<a\u{80}\0]{0,3}[b-e\u{bc}]{0,99}[<a\u{3c00}]{0,3}",
            at in 0usize..120,
        ) {
            let bytes = text.as_bytes();
            let expected = bytes.iter().skip(at).position(|b| *b == b'<').map(|found| at + found);
            prop_assert_eq!(find_byte(bytes, at, b'<'), expected);
        }
    }
}
