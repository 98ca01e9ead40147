//! The table that language-table makes from lingua's models: from n-gram to the negative log probability of its last
//! letter in each language, in steps of 1/16. Linked into the program, so that the system maps it and processes share
//! it; numbers are little-endian. Used by language-table as well.
//!
//! It is one sequence of bytes in three files: the first ends behind the first table of Latin script, the second
//! behind the last.
//!
//! - script and letter byte (`u16`) of each character below [`MAPPED`];
//! - for each of [`tables`]: number of buckets and rows (`u32`); 256 rows of single letters; for each bucket
//!   the tags of its rows (eight `u16`, 0 for none) and where they begin (`u32`); the rows. All three begin with a
//!   line of the cache ([`LINE`]);
//! - for each language of each of [`tables`]: its [`UsualText`] and its prior.
//!
//! An n-gram that is not in the table may be taken for another with the same bucket and tag: once in some ten
//! thousand look-ups, which is no more than noise in a sum.

use super::code::Language;
use super::hash::{BUCKET, BUCKET_BYTES, LINE, MAPPED, NARROW, RARE, SKIPPED, WIDE, last, place};
use super::script::{Letter, letter};
use super::tables::{LATIN_TABLES, NARROW_TABLES, WIDE_TABLES, languages, tables};

/// N-grams that are looked up together: the sum of so many negative log probabilities fits into sixteen bits.
pub const BATCH: usize = 16;

/// A letter and those before it in its word, at most as many as an n-gram has.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ngram {
    pub key: u64,
    pub order: u8,
}

/// The n-grams of one table, each with a row of `W` negative log probabilities, one a language.
#[derive(Debug, Clone, Copy)]
pub struct NgramRows<const W: usize> {
    buckets: u32,
    single: &'static [[u8; W]],
    bucket: &'static [[u8; BUCKET_BYTES]],
    rows: &'static [[u8; W]],
}

/// The whole table.
#[derive(Debug)]
pub struct NgramTable {
    letters: &'static [[u8; 2]],
    /// Those of [`WIDE_TABLES`].
    pub wide: Vec<NgramRows<WIDE>>,
    /// Those of [`NARROW_TABLES`].
    pub narrow: Vec<NgramRows<NARROW>>,
    /// The languages of each table; first the wide tables.
    pub languages: Vec<TableLanguages>,
}

/// The languages of one table, in the order of its rows.
#[derive(Debug, Default)]
pub struct TableLanguages {
    /// The answers.
    pub codes: Vec<Language>,
    /// Logit by which each is more probable than the others before a text is read; in a short text it counts more.
    pub priors: Vec<f64>,
    pub usual: Vec<UsualText>,
}

/// What the negative log probability of text in a language usually is, per step (a letter or a word end), in steps of
/// 1/16.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct UsualText {
    /// Mean over sentences, in the language itself.
    pub mean: f64,
    /// Variance over sentences, in the language itself.
    pub variance: f64,
    /// By how much the mean over all languages of the table is higher.
    pub advantage: f64,
}

impl NgramTable {
    /// Reads the files that language-table wrote.
    pub fn read(files: [&'static [u8]; 3]) -> NgramTable {
        let [mut first, mut further, mut others] = files.map(|bytes| ByteReader { bytes, at: 0 });
        let letters = first.chunks(MAPPED as usize);
        let of_place = |place| match place {
            0 => first.rows(),
            1..LATIN_TABLES => further.rows(),
            _ => others.rows(),
        };
        let wide = (0..WIDE_TABLES.len()).map(of_place).collect();
        let narrow = NARROW_TABLES.iter().map(|_| others.rows()).collect();
        let languages = tables().map(|(_, codes)| TableLanguages::read(codes, &mut others)).collect();
        NgramTable { letters, wide, narrow, languages }
    }

    /// Script (as a number) and letter byte of a character; the byte is 0 if it is no letter, and [`SKIPPED`] if words
    /// are read without it.
    pub fn letter(&self, c: char) -> (u8, u8) {
        match self.letters.get(c as usize) {
            Some(&[letter, script]) => (script, letter),
            None => unmapped(c),
        }
    }
}

/// Script and letter byte of a character beyond the map: mostly Han, kana and Hangul.
fn unmapped(c: char) -> (u8, u8) {
    match letter(c) {
        Letter::No => (0, 0),
        Letter::Skipped => (0, SKIPPED),
        Letter::Of(script) => (script as u8, RARE),
    }
}

impl<const W: usize> NgramRows<W> {
    /// Sum of the negative log probabilities of the last letters of n-grams, at most [`BATCH`], each by its longest
    /// ending that is in the table. All are looked up before any is added, so that several rows are loaded at once.
    pub fn sum(&self, grams: &[Ngram]) -> [u16; W] {
        let mut found: [&[u8; W]; BATCH] = [&[0; W]; BATCH];
        found.iter_mut().zip(grams).for_each(|(row, gram)| *row = self.neg_log_probs(*gram));
        let mut sum = [0; W];
        for row in found.iter().take(grams.len()) {
            sum.iter_mut().zip(*row).for_each(|(sum, &nlp)| *sum += u16::from(nlp));
        }
        sum
    }

    #[inline]
    fn neg_log_probs(&self, gram: Ngram) -> &'static [u8; W] {
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

/// Index of a tag among eight, without a branch for each; none if it is not among them.
#[inline]
fn position(tags: u128, tag: u16) -> Option<usize> {
    const ONES: u128 = 0x0001_0001_0001_0001_0001_0001_0001_0001;
    // The lowest lane that is 0 is the lowest in which the subtraction borrows.
    let differences = tags ^ (ONES * u128::from(tag));
    let zeros = differences.wrapping_sub(ONES) & !differences & (ONES << 15);
    (zeros != 0).then_some(zeros.trailing_zeros() as usize / 16)
}

impl TableLanguages {
    /// Reads what the file has of these languages: four numbers of sixteen bits each, in 1/256.
    fn read(codes: &str, file: &mut ByteReader) -> TableLanguages {
        let mut read = TableLanguages::default();
        for (_, code) in languages(codes) {
            let [a, b, c, d, e, f, g, h] = file.chunks(1).first().copied().unwrap_or_default();
            let number = |bytes| f64::from(u16::from_le_bytes(bytes)) / 256.0;
            read.codes.push(Language::of_letters(code).unwrap_or_default());
            read.priors.push(number([g, h]));
            read.usual.push(UsualText { mean: number([a, b]), variance: number([c, d]), advantage: number([e, f]) });
        }
        read
    }
}

/// Reads arrays from a table one after the other.
struct ByteReader {
    bytes: &'static [u8],
    /// Number of bytes already read.
    at: usize,
}

impl ByteReader {
    fn chunks<const N: usize>(&mut self, count: usize) -> &'static [[u8; N]] {
        let end = self.at + count * N;
        let these = self.bytes.get(self.at..end).unwrap_or_default();
        self.at = end;
        these.as_chunks().0
    }

    fn next_line(&mut self) -> &mut ByteReader {
        self.at = self.at.next_multiple_of(LINE);
        self
    }

    fn number(&mut self) -> u32 {
        self.chunks(1).first().map_or(0, |&bytes| u32::from_le_bytes(bytes))
    }

    fn rows<const W: usize>(&mut self) -> NgramRows<W> {
        let (buckets, rows) = (self.number(), self.number() as usize);
        let single = self.next_line().chunks(256);
        let bucket = self.next_line().chunks(buckets as usize);
        NgramRows { buckets, single, bucket, rows: self.next_line().chunks(rows) }
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
        let table = NgramTable::read(super::super::FILES);
        assert_eq!(table.letter('a'), table.letter('A'));
        assert_eq!(table.letter('ж').0, Script::Cyrillic as u8);
        assert_eq!(table.letter('水').0, Script::Han as u8);
        assert_eq!(table.letter('ሀ').0, Script::Ethiopic as u8);
        assert_eq!(table.letter('\u{301}').1, SKIPPED);
        assert_eq!(table.letter('7'), (0, 0));
    }
}
