//! The table that the build script makes from lingua's models: from n-gram to what its last letter costs in each
//! language. Linked into the program, so that the system maps it and processes share it; numbers are
//! little-endian.
//!
//! - script and letter byte (`u16`) of each character below U+2000;
//! - for each script of [`TABLED`]: number of buckets and rows (`u32`); 256 rows of single letters; for each bucket
//!   the tags of its rows (eight `u16`, 0 for none) and where they begin (`u32`); the rows. All three begin with a
//!   line of the cache ([`LINE`]);
//! - for each language of [`TABLED`]: what it usually costs, see [`Usual`].
//!
//! An n-gram that is not in the table may be taken for another with the same bucket and tag: once in some ten
//! thousand look-ups, which is no more than noise in a sum.

use super::hash::{BUCKET, BUCKET_BYTES, LINE, MAPPED, NARROW, WIDE, last, place};
use super::script::{TABLED, script};

/// N-grams that are looked up together: so many costs fit into sixteen bits.
pub const BATCH: usize = 16;

/// A letter and those before it in its word, at most as many as an n-gram has.
#[derive(Debug, Clone, Copy, Default)]
pub struct Gram {
    pub key: u64,
    pub order: u8,
}

/// Rows of `W` costs of one script.
#[derive(Debug, Clone, Copy)]
pub struct Rows<const W: usize> {
    buckets: u32,
    single: &'static [[u8; W]],
    bucket: &'static [[u8; BUCKET_BYTES]],
    rows: &'static [[u8; W]],
}

/// All of it.
#[derive(Debug)]
pub struct Table {
    letters: &'static [[u8; 2]],
    pub wide: Rows<WIDE>,
    pub narrow: Vec<Rows<NARROW>>,
    /// Languages of each script, in the order of its rows.
    pub languages: Vec<Vec<Usual>>,
}

/// What text in a language usually costs in it: mean and variance, over sentences, of the cost a step (a letter or
/// a word end); and by how much it costs more, a step, in the mean of all languages of the script.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Usual {
    pub code: &'static str,
    pub mean: f64,
    pub variance: f64,
    pub advantage: f64,
}

impl Table {
    /// Reads what the build script wrote.
    pub fn read(bytes: &'static [u8]) -> Table {
        let mut rest = Rest { bytes, at: 0 };
        let letters = rest.chunks(MAPPED as usize);
        let wide = rest.rows();
        let narrow = TABLED.iter().skip(1).map(|_| rest.rows()).collect();
        let mut languages = |codes: &'static str| codes.split(' ').map(|code| usual(code, rest.chunks(1))).collect();
        let languages = TABLED.iter().map(|(_, codes)| languages(codes)).collect();
        Table { letters, wide, narrow, languages }
    }

    /// Script (by its number) and letter byte; 0 for what is no letter.
    pub fn letter(&self, c: char) -> (u8, u8) {
        match self.letters.get(c as usize) {
            Some(&[letter, script]) => (script, letter),
            None => far(c),
        }
    }
}

/// Letters beyond the map: mostly Han, kana and Hangul.
fn far(c: char) -> (u8, u8) {
    match script(c) {
        None => (0, 0),
        Some(script) => (script as u8, super::hash::RARE),
    }
}

impl<const W: usize> Rows<W> {
    /// The costs of the last letters of n-grams, at most [`BATCH`], each by its longest ending that is in the table. All
    /// are looked up before any is added: so the processor waits for several rows at once.
    pub fn sum(&self, grams: &[Gram]) -> [u16; W] {
        let mut found: [&[u8; W]; BATCH] = [&[0; W]; BATCH];
        found.iter_mut().zip(grams).for_each(|(row, gram)| *row = self.costs(*gram));
        let mut sum = [0; W];
        for row in found.iter().take(grams.len()) {
            sum.iter_mut().zip(*row).for_each(|(sum, &cost)| *sum += u16::from(cost));
        }
        sum
    }

    #[inline]
    fn costs(&self, gram: Gram) -> &'static [u8; W] {
        for order in (2..=usize::from(gram.order)).rev() {
            if let Some(row) = self.find(last(gram.key, order)) {
                return row;
            }
        }
        self.single.get(last(gram.key, 1) as usize).unwrap_or(&[0; W])
    }

    #[inline]
    fn find(&self, key: u64) -> Option<&'static [u8; W]> {
        let (bucket, tag) = place(key, self.buckets);
        let (tags, rest) = self.bucket.get(bucket as usize)?.split_first_chunk::<{ 2 * BUCKET }>()?;
        let at = position(u128::from_le_bytes(*tags), tag)?;
        self.rows.get(u32::from_le_bytes(*rest.first_chunk()?) as usize + at)
    }
}

/// Where a tag is among eight, without a branch for each.
#[inline]
fn position(tags: u128, tag: u16) -> Option<usize> {
    const ONES: u128 = 0x0001_0001_0001_0001_0001_0001_0001_0001;
    // The lowest lane that is 0 is the lowest in which the subtraction borrows.
    let differences = tags ^ (ONES * u128::from(tag));
    let zeros = differences.wrapping_sub(ONES) & !differences & (ONES << 15);
    (zeros != 0).then_some(zeros.trailing_zeros() as usize / 16)
}

/// Numbers of 1/256 in sixteen bits.
fn usual(code: &'static str, bytes: &[[u8; 6]]) -> Usual {
    let [a, b, c, d, e, f] = bytes.first().copied().unwrap_or_default();
    let number = |bytes| f64::from(u16::from_le_bytes(bytes)) / 256.0;
    Usual { code, mean: number([a, b]), variance: number([c, d]), advantage: number([e, f]) }
}

/// What is not yet read.
struct Rest {
    bytes: &'static [u8],
    /// How much is read.
    at: usize,
}

impl Rest {
    fn chunks<const N: usize>(&mut self, count: usize) -> &'static [[u8; N]] {
        let end = self.at + count * N;
        let these = self.bytes.get(self.at..end).unwrap_or_default();
        self.at = end;
        these.as_chunks().0
    }

    fn next_line(&mut self) -> &mut Rest {
        self.at = self.at.next_multiple_of(LINE);
        self
    }

    fn number(&mut self) -> u32 {
        self.chunks(1).first().map_or(0, |&bytes| u32::from_le_bytes(bytes))
    }

    fn rows<const W: usize>(&mut self) -> Rows<W> {
        let (buckets, rows) = (self.number(), self.number() as usize);
        let single = self.next_line().chunks(256);
        let bucket = self.next_line().chunks(buckets as usize);
        Rows { buckets, single, bucket, rows: self.next_line().chunks(rows) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::Script;
    use super::*;

    #[test]
    fn tags_are_found() {
        let tags = [7u16, 8, 0x8000, 1, 0xffff, 9, 0, 0];
        let joined = u128::from_le_bytes(tags.map(u16::to_le_bytes).concat().try_into().unwrap());
        for (place, &tag) in tags.iter().enumerate().take(6) {
            assert_eq!(position(joined, tag), Some(place));
        }
        assert_eq!(position(joined, 2), None);
    }

    #[test]
    fn letters_are_mapped() {
        let table = Table::read(super::super::TABLE);
        assert_eq!(table.letter('a'), table.letter('A'));
        assert_eq!(table.letter('ж').0, Script::Cyrillic as u8);
        assert_eq!(table.letter('水').0, Script::Han as u8);
        assert_eq!(table.letter('ሀ').0, Script::Other as u8);
        assert_eq!(table.letter('7'), (0, 0));
        assert_eq!(table.narrow.len() + 1, TABLED.len());
    }
}
