//! Keys of n-grams (one byte a letter, the last in the lowest byte) and their place in the table. Used by
//! language-table as well.

/// Number of letters of the longest n-grams.
pub const ORDER: usize = 5;

/// The letter byte that stands for the end of a word.
pub const END: u8 = 1;
/// The letter byte of all letters that the script's languages hardly use.
pub const RARE: u8 = 255;
/// The letter byte of marks that words are read without.
pub const SKIPPED: u8 = 254;

/// The last `order` letters of a key.
pub fn last(key: u64, order: usize) -> u64 {
    key & ((1 << (8 * order)) - 1)
}

/// Number of n-grams that a bucket can hold.
pub const BUCKET: usize = 8;

/// Bucket among `buckets` and tag of a key; no tag is 0.
pub fn place(key: u64, buckets: u32) -> (u32, u16) {
    let mixed = (key ^ (key >> 17)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let bucket = ((mixed >> 32) * u64::from(buckets)) >> 32;
    (bucket as u32, (mixed as u16).max(1))
}

/// First character that has no entry in the table of letters.
pub const MAPPED: u32 = 0x3000;
/// Width of the rows of tables with many languages.
pub const WIDE: usize = 64;
/// Width of the rows of all other tables.
pub const NARROW: usize = 16;
/// Bytes of a bucket: its tags, the index of its first row, and padding.
pub const BUCKET_BYTES: usize = 32;
/// Bytes of a line of the processor's cache. Buckets and rows do not straddle lines: most of the time of a look-up is
/// spent waiting for lines, since the table does not fit into the cache.
pub const LINE: usize = 64;
