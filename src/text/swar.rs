//! SIMD within a register: tests on eight bytes of text at once, held in one `u64` whose lowest byte is the first.
//!
//! Most words end within eight letters, and one test of all eight bytes avoids a loop with an unpredictable exit.
//! A test returns a mask in which the highest bit of each matching byte is set. Bytes beyond ASCII match only
//! [`beyond_ascii`] and [`others`].

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Loads the eight bytes from offset `at`; bytes behind the end are 0.
#[inline]
pub fn load(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at..).unwrap_or_default();
    match (rest.first_chunk(), bytes.last_chunk()) {
        (Some(eight), _) => u64::from_le_bytes(*eight),
        // The last eight bytes, without those before `at`.
        (_, Some(last)) if !rest.is_empty() => u64::from_le_bytes(*last) >> (8 * (8 - rest.len())),
        _ => rest.iter().rev().fold(0, |eight, byte| eight << 8 | u64::from(*byte)),
    }
}

/// Mask of the bytes from `first` to `last`, both inclusive and ASCII.
#[inline]
pub fn within(eight: u64, first: u8, last: u8) -> u64 {
    let from = |least: u8| (eight | HIGH).wrapping_sub(ONES * u64::from(least));
    from(first) & !from(last + 1) & !eight & HIGH
}

/// Mask of the bytes beyond ASCII.
#[inline]
pub fn beyond_ascii(eight: u64) -> u64 {
    eight & HIGH
}

/// Mask of the bytes that continue a character of UTF-8.
#[inline]
pub fn continuing(eight: u64) -> u64 {
    eight & !(eight << 1) & HIGH
}

/// Mask of the letters A to Z.
#[inline]
pub fn capitals(eight: u64) -> u64 {
    within(eight, b'A', b'Z')
}

/// Mask of the letters A to Z and a to z.
#[inline]
pub fn letters(eight: u64) -> u64 {
    within(eight | (ONES * 0x20), b'a', b'z')
}

/// The bytes with A to Z turned into a to z; other bytes are unchanged.
#[inline]
pub fn lower_case(eight: u64) -> u64 {
    eight | capitals(eight) >> 2
}

/// Whether so many bytes from the first one on are letters from a to z; at most eight.
#[inline]
pub fn begins_with_small_letters(eight: u64, count: usize) -> bool {
    before(others(within(eight, b'a', b'z'))) >= count
}

/// Number of bytes before the first one in the mask; 8 for an empty mask.
#[inline]
pub fn before(mask: u64) -> usize {
    mask.trailing_zeros() as usize / 8
}

/// Number of bytes in the mask.
#[inline]
pub fn count(mask: u64) -> usize {
    ((mask >> 7).wrapping_mul(ONES) >> 56) as usize
}

/// Complement of a mask.
#[inline]
pub fn others(mask: u64) -> u64 {
    !mask & HIGH
}

/// The first `count` bytes; the others become 0.
#[inline]
pub fn first(eight: u64, count: usize) -> u64 {
    if count >= 8 { eight } else { eight & ((1 << (8 * count)) - 1) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn matching(mask: u64) -> Vec<bool> {
        mask.to_le_bytes().map(|byte| byte == 0x80).to_vec()
    }

    proptest! {
        #[test]
        fn masks_agree_with_a_test_of_each_byte(bytes: [u8; 8], bounds: (u8, u8)) {
            let eight = u64::from_le_bytes(bytes);
            let each = |is: fn(&u8) -> bool| bytes.iter().map(is).collect::<Vec<bool>>();
            prop_assert_eq!(matching(beyond_ascii(eight)), each(|b| !b.is_ascii()));
            prop_assert_eq!(matching(continuing(eight)), each(|b| b & 0xC0 == 0x80));
            prop_assert_eq!(matching(capitals(eight)), each(u8::is_ascii_uppercase));
            prop_assert_eq!(matching(letters(eight)), each(u8::is_ascii_alphabetic));
            prop_assert_eq!(matching(others(letters(eight))), each(|b| !b.is_ascii_alphabetic()));
            prop_assert_eq!(count(letters(eight)), bytes.iter().filter(|b| b.is_ascii_alphabetic()).count());
            prop_assert_eq!(lower_case(eight).to_le_bytes(), bytes.map(|b| b.to_ascii_lowercase()));
            let (low, high) = (bounds.0.min(bounds.1) % 0x7f, bounds.0.max(bounds.1) % 0x7f);
            let inside: Vec<bool> = bytes.iter().map(|b| (low..=high).contains(b)).collect();
            if low <= high {
                prop_assert_eq!(matching(within(eight, low, high)), inside);
            }
        }

        #[test]
        fn bytes_are_counted_from_the_first(bytes: Vec<u8>, at in 0usize..12) {
            let eight = load(&bytes, at);
            let expected: Vec<u8> = bytes.iter().skip(at).copied().chain([0; 8]).take(8).collect();
            prop_assert_eq!(&eight.to_le_bytes()[..], &expected[..]);
            let position = expected.iter().position(u8::is_ascii_alphabetic);
            prop_assert_eq!(before(letters(eight)), position.unwrap_or(8));
            prop_assert_eq!(&first(eight, at).to_le_bytes()[..at.min(8)], &expected[..at.min(8)]);
            prop_assert!(first(eight, at).to_le_bytes().iter().skip(at).all(|b| *b == 0));
        }
    }
}
