//! Text → rows of the input matrix: words, n-grams of their characters, and n-grams of words. What fastText does (version
//! 0.9.2, `dictionary.cc`) is followed with its quirks, since a model was trained with them.

use fxhash::FxHashMap;

use super::bytes::{Broken, Cursor};

/// The word that stands for the end of a line. Written in a text, it ends the text.
const END_OF_LINE: &[u8] = b"</s>";

/// How labels begin. The prefix that a model was trained with is not in its file; fastText assumes this one.
pub const LABEL: &str = "__label__";

/// Least bytes of an entry: the end of its word, a number, a type.
const ENTRY_BYTES: usize = 10;

/// More than any model has; longer n-grams would take more time than a text is worth.
const MOST_UNITS: i32 = 64;

/// The settings of a model that say what a text consists of.
#[derive(Debug, Clone, Copy, Default)]
pub struct Units {
    /// Most words of an n-gram.
    pub words: i32,
    /// Least and most characters of an n-gram in a word.
    pub least: i32,
    pub most: i32,
    /// Number of hash values of n-grams.
    pub buckets: i32,
}

/// The words and labels of a model.
#[derive(Debug)]
pub struct Dictionary {
    units: Units,
    /// Offset in the file from which those of words count.
    base: usize,
    /// Offset of each word and label. A word ends with a NUL.
    starts: Vec<u32>,
    words: usize,
    /// Numbers of words and labels by hash, from 1; 0 is an empty place.
    table: Vec<u32>,
    labels: Vec<(String, i64)>,
    pruned: Option<FxHashMap<u32, u32>>,
}

impl Units {
    pub fn check(&self) -> Result<(), Broken> {
        let hashes = self.words > 1 || self.most > 0;
        let sound = |units: i32| (0..=MOST_UNITS).contains(&units);
        match sound(self.words) && sound(self.most) && sound(self.least) && (!hashes || self.buckets > 0) {
            true => Ok(()),
            false => Err(format!(
                "has impossible settings: n-grams of up to {} words and {} to {} characters in {} buckets",
                self.words, self.least, self.most, self.buckets
            )),
        }
    }
}

impl Dictionary {
    pub fn read(bytes: &[u8], cursor: &mut Cursor<'_>, units: Units) -> Result<Dictionary, Broken> {
        let what = "the size of the dictionary";
        let (size, words, labels) = (cursor.count(what)?, cursor.count(what)?, cursor.count(what)?);
        cursor.i64(what)?;
        let pruned = cursor.i64(what)?;
        if words.checked_add(labels) != Some(size) || size > cursor.left() / ENTRY_BYTES {
            return Err(format!("announces a dictionary of {size} entries, {words} words and {labels} labels"));
        }
        let base = cursor.offset();
        let mut dictionary =
            Dictionary { units, base, starts: Vec::new(), words, table: Vec::new(), labels: Vec::new(), pruned: None };
        // At most two of three places are taken.
        dictionary.table = vec![0; size + size / 2 + 1];
        for entry in 0..size {
            dictionary.read_entry(bytes, cursor, entry)?;
        }
        if pruned >= 0 {
            let what = "the n-grams that are left";
            let mut rows = FxHashMap::default();
            for _ in 0..pruned {
                rows.insert(cursor.i32(what)? as u32, cursor.count(what)? as u32);
            }
            dictionary.pruned = Some(rows);
        }
        Ok(dictionary)
    }

    fn read_entry(&mut self, bytes: &[u8], cursor: &mut Cursor<'_>, entry: usize) -> Result<(), Broken> {
        let start = cursor.offset() - self.base;
        self.starts.push(u32::try_from(start).map_err(|_| "has a dictionary of more than 4 GB")?);
        let word = cursor.word()?;
        let count = cursor.i64("the dictionary")?;
        let is_label = cursor.flag("the type of a word")?;
        if is_label != (entry >= self.words) {
            return Err("has a dictionary in which labels do not follow the words".into());
        }
        if is_label {
            let name = String::from_utf8_lossy(word);
            self.labels.push((name.strip_prefix(LABEL).unwrap_or(&name).into(), count));
        }
        let place = self.place(bytes, word, hash(word));
        if let Some(slot) = self.table.get_mut(place) {
            // As in fastText, the last of equal words counts.
            *slot = entry as u32 + 1;
        }
        Ok(())
    }

    /// The place of a word in the table, or the empty one that it would have.
    fn place(&self, bytes: &[u8], word: &[u8], hash: u32) -> usize {
        let mut place = ((u64::from(hash) * self.table.len() as u64) >> 32) as usize;
        while let Some(entry) = self.table.get(place).copied().filter(|entry| *entry > 0) {
            if self.is(bytes, entry - 1, word) {
                break;
            }
            place = if place + 1 == self.table.len() { 0 } else { place + 1 };
        }
        place
    }

    fn is(&self, bytes: &[u8], entry: u32, word: &[u8]) -> bool {
        let Some(start) = self.starts.get(entry as usize) else { return false };
        let rest = bytes.get(self.base + *start as usize..).unwrap_or_default();
        rest.strip_prefix(word).is_some_and(|rest| rest.first() == Some(&0))
    }

    /// The number of a word or label.
    fn number(&self, bytes: &[u8], word: &[u8], hash: u32) -> Option<usize> {
        let entry = self.table.get(self.place(bytes, word, hash)).copied()?;
        entry.checked_sub(1).map(|entry| entry as usize)
    }

    /// Names of the labels without the prefix, with the number of their examples.
    pub fn labels(&self) -> &[(String, i64)] {
        &self.labels
    }

    /// Number of rows that the input matrix must have.
    pub fn rows(&self) -> usize {
        let ngrams = match &self.pruned {
            Some(rows) => rows.values().max().map_or(0, |last| *last as usize + 1),
            None => usize::try_from(self.units.buckets).unwrap_or_default(),
        };
        self.words.saturating_add(ngrams)
    }

    /// Gives `row` the rows of a text, one after the other: of its first line, with the end of the line.
    pub fn each_row(&self, bytes: &[u8], text: &str, mut row: impl FnMut(usize)) {
        let line = text.as_bytes().split(|byte| *byte == b'\n').next().unwrap_or_default();
        let tokens = line.split(|byte| is_space(*byte)).filter(|token| !token.is_empty());
        let mut hashes = Vec::new();
        let mut bounded = Vec::new();
        for token in tokens.chain([END_OF_LINE]) {
            let hash = hash(token);
            let number = self.number(bytes, token, hash);
            let is_word = number.map_or(!token.starts_with(LABEL.as_bytes()), |number| number < self.words);
            if is_word {
                number.into_iter().for_each(&mut row);
                // A word without its own row has its n-grams; one with it has both.
                if token != END_OF_LINE {
                    self.each_ngram(token, &mut bounded, &mut row);
                }
                hashes.push(hash as i32);
            }
            if token == END_OF_LINE {
                break;
            }
        }
        self.each_word_ngram(&hashes, row);
    }

    /// The n-grams of the characters of a word between `<` and `>`.
    fn each_ngram(&self, word: &[u8], bounded: &mut Vec<u8>, row: &mut impl FnMut(usize)) {
        let (least, most) = (self.units.least as usize, self.units.most as usize);
        if most == 0 {
            return;
        }
        bounded.clear();
        bounded.push(b'<');
        bounded.extend_from_slice(word);
        bounded.push(b'>');
        for begin in (0..bounded.len()).filter(|begin| bounded.get(*begin).is_some_and(|byte| !continues(*byte))) {
            let mut state = HASH_BEGIN;
            let mut rest = bounded.get(begin..).unwrap_or_default().iter().copied().peekable();
            for length in 1..=most {
                let Some(first) = rest.next() else { break };
                state = hash_on(state, first);
                while let Some(byte) = rest.next_if(|byte| continues(*byte)) {
                    state = hash_on(state, byte);
                }
                let is_bound = length == 1 && (begin == 0 || rest.peek().is_none());
                if length >= least && !is_bound {
                    self.bucket(u64::from(state), row);
                }
            }
        }
    }

    fn each_word_ngram(&self, hashes: &[i32], mut row: impl FnMut(usize)) {
        let most = self.units.words as usize;
        for (begin, first) in hashes.iter().enumerate() {
            // Hashes are signed here, and sign-extended.
            let mut state = i64::from(*first) as u64;
            for next in hashes.iter().skip(begin + 1).take(most.saturating_sub(1)) {
                state = state.wrapping_mul(116_049_371).wrapping_add(i64::from(*next) as u64);
                self.bucket(state, &mut row);
            }
        }
    }

    /// The row of an n-gram, unless it was pruned.
    fn bucket(&self, hash: u64, row: &mut impl FnMut(usize)) {
        let Some(bucket) = hash.checked_rem(self.units.buckets as u64) else { return };
        let bucket = bucket as u32;
        let left = self.pruned.as_ref().map_or(Some(bucket), |rows| rows.get(&bucket).copied());
        if let Some(left) = left {
            row(self.words + left as usize);
        }
    }
}

/// White space of fastText, with NUL.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\r' | b'\t' | 0x0b | 0x0c | 0)
}

/// Whether a byte continues a character of UTF-8.
fn continues(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

const HASH_BEGIN: u32 = 2_166_136_261;

/// FNV-1a, but for bytes above 127, which are sign-extended.
fn hash_on(state: u32, byte: u8) -> u32 {
    (state ^ byte as i8 as u32).wrapping_mul(16_777_619)
}

fn hash(word: &[u8]) -> u32 {
    word.iter().fold(HASH_BEGIN, |state, byte| hash_on(state, *byte))
}
