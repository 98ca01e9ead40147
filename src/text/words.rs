//! Words for deduplication: lower-cased runs of letters and digits. In scripts that are written without spaces between words
//! an ideograph is a word, and so is a piece of some three letters with their marks, about as long as a word of English.

use compact_str::CompactString;

use super::char_classes::{
    is_alphabetic, is_alphanumeric, is_hangul, is_letter_or_mark, is_mark, is_tsheg, push_lowercase,
};
use super::swar;
use crate::hash::{digest, hash64, mix, sequence_hash, sort_hashes, text_hash, window_hashes};

/// Calls `each` with every word of `text`, lower-cased, in order.
pub fn words(text: &str, mut each: impl FnMut(&str)) {
    let mut word = Buffer::default();
    // Holds most words without an allocation.
    let mut lower_ascii = CompactString::default();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        // Most words are ASCII and need no walk from character to character, and no copy without capital letters.
        let (length, capitals) = ascii_word(rest).unwrap_or_default();
        if length > 0 {
            let this = rest.get(..length).unwrap_or_default();
            if capitals {
                lower_ascii.clear();
                lower_ascii.push_str(this);
                lower_ascii.make_ascii_lowercase();
                each(&lower_ascii);
            } else {
                each(this);
            }
        }
        // Skips what separates words.
        at += length + separator_length(rest.as_bytes(), length);
        if length == 0 {
            at = any_word(Cut::Pieces, text, at, &mut word, &mut each);
        }
    }
}

/// What a word is in a script without spaces between words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// An ideograph, or a piece of some three letters.
    Pieces,
    /// An ideograph, or a piece of some two letters, as in the texts that models were trained on.
    ModelPieces,
    /// A character.
    Characters,
}

impl Cut {
    /// Whether a character is of a script that is cut.
    #[inline]
    fn applies_to(self, c: char) -> bool {
        // Latin, Greek, Cyrillic, Arabic and Indic letters come before all of them.
        c >= '\u{E00}' && (is_unspaced(c) || self == Cut::Pieces && is_tibetan(c))
    }
}

/// The word that is being read.
#[derive(Default)]
struct Buffer {
    word: String,
    /// Whether its letters are of a script without spaces.
    unspaced: bool,
    /// Hash of the last letter that could begin a piece.
    letter: u64,
    /// Whether that hash is no greater than that of the letter before it.
    falls: bool,
}

impl Buffer {
    /// Gives the word away, if there is one.
    fn end(&mut self, each: &mut impl FnMut(&str)) {
        if !self.word.is_empty() {
            each(&self.word);
            self.word.clear();
        }
    }

    /// Whether a character makes no difference: what is hidden in words, and in scripts without spaces a zero-width space,
    /// which only some writers set. Nor does a blank between letters of them, or a tsheg: some write one behind each
    /// phrase, others behind each syllable.
    #[inline]
    fn passes_over(&self, c: char, cut: Cut) -> bool {
        let is_blank = || cut == Cut::Pieces && (c.is_whitespace() || is_tsheg(c)) && !self.ends_with_number();
        is_hidden_in_word(c) || self.unspaced && (c == '\u{200B}' || is_blank())
    }

    fn ends_with_number(&self) -> bool {
        self.word.chars().next_back().is_some_and(char::is_numeric)
    }

    /// Whether a character of a script without spaces belongs to the word before it: what is one cluster with the letter
    /// before it, further digits, and letters of alphabets and syllabaries that begin no piece.
    #[inline]
    fn continues(&mut self, c: char, cut: Cut) -> bool {
        let last = self.word.chars().next_back().filter(|_| self.unspaced && cut != Cut::Characters);
        if last.is_some_and(|last| is_mark(c) || is_final_vowel(c) || is_joiner(last)) {
            return true;
        }
        let follows = last.is_some_and(|last| is_letter_or_mark(last) && !is_ideograph(last));
        if !follows || !is_alphabetic(c) || is_ideograph(c) {
            (self.letter, self.falls) = (mix(u64::from(c)), false);
            return c.is_numeric() && last.is_some_and(char::is_numeric);
        }
        match cut {
            Cut::Pieces => !self.begins_piece(c),
            _ => mix(u64::from(c)) & 2 == 0,
        }
    }

    /// Whether a letter of an alphabet or a syllabary begins a piece.
    ///
    /// Where words begin, nobody says; but equal texts must have equal pieces wherever they stand, so the letters decide. One
    /// begins a piece if the hash of the letter before it is less than its own and no greater than that of the one before
    /// that. So a piece has three letters on average, two at least unless it is the last one, and depends on few letters beside
    /// it. (Files are cut in this way into blocks that stay the same when something is inserted before them: Manber 1994, and
    /// at extremes of hashes Bjørner, Blass and Gurevich 2010.) Three letters with their marks are as much text as a word of
    /// English: docs/deduplication.md has figures. Shorter pieces make n-grams of what everybody writes, such as names; pieces
    /// of less even lengths lose repeats.
    #[inline]
    fn begins_piece(&mut self, c: char) -> bool {
        let hash = mix(u64::from(c));
        let rises = hash > self.letter;
        let begins = rises && self.falls;
        (self.letter, self.falls) = (hash, !rises);
        begins
    }
}

/// Reads the characters from an offset up to the first that ends a word, or is in none, and calls `each` with the words.
/// Several follow each other in scripts without spaces. Returns the offset behind that character. `word` is empty, and is
/// left empty.
fn any_word(cut: Cut, text: &str, mut at: usize, word: &mut Buffer, mut each: impl FnMut(&str)) -> usize {
    for c in text.get(at..).unwrap_or_default().chars() {
        at += c.len_utf8();
        if word.passes_over(c, cut) {
            continue;
        }
        let unspaced = cut.applies_to(c);
        let continues = match unspaced {
            true => word.continues(c, cut),
            false => !word.unspaced && (is_alphanumeric(c) || continues_word(c)),
        };
        if !continues {
            word.end(&mut each);
        }
        if unspaced {
            word.unspaced = true;
            if cut == Cut::Characters || is_alphanumeric(c) || is_mark(c) {
                word.word.push(c);
            }
            if cut == Cut::Characters {
                word.end(&mut each);
            }
        } else if is_alphanumeric(c) {
            word.unspaced = false;
            push_lowercase(c, &mut word.word);
        } else if !word.word.is_empty() && continues_word(c) {
            word.word.push(c);
        }
        if word.word.is_empty() {
            word.unspaced = false;
            return at;
        }
    }
    word.end(&mut each);
    word.unspaced = false;
    at
}

/// What cannot stand without the consonant behind it: virama of Burmese, coeng of Khmer, vowels that Thai and Lao write
/// before their consonant.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{1039}' | '\u{17D2}' | '\u{E40}'..='\u{E44}' | '\u{EC0}'..='\u{EC4}')
}

/// Vowels of Thai and Lao that are letters by their category, and cannot stand without the consonant before them.
fn is_final_vowel(c: char) -> bool {
    matches!(c, '\u{E30}' | '\u{E32}' | '\u{E33}' | '\u{E45}' | '\u{EB0}' | '\u{EB2}' | '\u{EB3}' | '\u{EBD}')
}

/// Characters of unspaced scripts that are words or parts of compounds: Han.
fn is_ideograph(c: char) -> bool {
    c >= '\u{3400}'
}

/// Length in bytes of the word that a text begins with, and whether it has capital letters. None if the word is not all
/// ASCII, or no word begins here.
fn ascii_word(text: &str) -> Option<(usize, bool)> {
    let (bytes, mut length, mut capitals) = (text.as_bytes(), 0, 0);
    if !bytes.first()?.is_ascii_alphanumeric() {
        return None;
    }
    loop {
        let eight = swar::load(bytes, length);
        let inside = swar::letters(eight) | swar::within(eight, b'0', b'9') | swar::within(eight, b'_', b'_');
        let count = swar::before(swar::others(inside));
        capitals |= swar::first(swar::capitals(eight), count);
        length += count;
        if count < 8 {
            break;
        }
    }
    ends_word(text, length).then_some((length, capitals != 0))
}

/// Whether a word ends at an offset where no ASCII character continues it.
#[inline]
fn ends_word(text: &str, at: usize) -> bool {
    text.as_bytes().get(at).is_none_or(u8::is_ascii) || {
        let c = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or_default();
        !(is_alphanumeric(c) || continues_word(c) || is_hidden_in_word(c))
    }
}

/// Number of ASCII bytes from `at` on that belong to no word.
fn separator_length(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().take_while(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric()).count()
}

/// Soft hyphen and joiners, which do not belong to the word that contains them.
fn is_hidden_in_word(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200C}' | '\u{200D}' | '\u{2060}')
}

/// Combining marks and the low line, which belong to the word before them.
fn continues_word(c: char) -> bool {
    matches!(c, '_' | '\u{300}'..='\u{36F}' | '\u{483}'..='\u{487}' | '\u{591}'..='\u{5BD}'
        | '\u{610}'..='\u{61A}' | '\u{64B}'..='\u{65F}' | '\u{900}'..='\u{963}' | '\u{980}'..='\u{DFF}')
}

/// Tibetan: a tsheg stands behind each syllable, and nothing between words.
#[inline]
fn is_tibetan(c: char) -> bool {
    matches!(c, '\u{F00}'..='\u{FFF}')
}

/// Scripts without spaces between words: Han, kana, Thai, Lao, Khmer, Burmese.
pub fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Scripts whose letters are syllables or words, so that a character carries more information than in an alphabet: those
/// without spaces, and Hangul.
pub fn is_dense_script(c: char) -> bool {
    is_unspaced(c) || is_hangul(c)
}

/// Whether a token has a letter or a digit. Others are punctuation and symbols.
pub fn is_word(token: &str) -> bool {
    token.chars().any(char::is_alphanumeric)
}

/// Number of letters that decide in what script most of a text is.
pub(super) const SCRIPT_SAMPLE: usize = 2000;

/// Whether most letters of some texts are of dense scripts ([`is_dense_script`]).
pub fn is_dense<'a>(mut texts: impl Iterator<Item = &'a str>) -> bool {
    let (mut letters, mut dense) = (0usize, 0usize);
    while letters < SCRIPT_SAMPLE
        && let Some(text) = texts.next()
    {
        let mut at = 0;
        while at < text.len() && letters < SCRIPT_SAMPLE {
            let eight = swar::load(text.as_bytes(), at);
            if swar::beyond_ascii(eight) == 0 && letters + 8 <= SCRIPT_SAMPLE {
                letters += swar::count(swar::letters(eight));
                at += 8;
                continue;
            }
            let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { break };
            at += c.len_utf8();
            letters += usize::from(is_alphabetic(c));
            dense += usize::from(is_dense_script(c) && is_alphabetic(c));
        }
    }
    dense * 2 > letters
}

/// Appends the hashes of all words of `text` to `hashes`, by which texts are compared.
pub fn hashes(text: &str, hashes: &mut Vec<u64>) {
    read_hashes(text, Cut::Pieces, text_hash, hashes);
}

/// Appends the hashes by which the models of the cleaner know words: [`hash64`] in place of [`text_hash`], and shorter pieces.
pub fn model_hashes(text: &str, hashes: &mut Vec<u64>) {
    read_hashes(text, Cut::ModelPieces, hash64, hashes);
}

/// [`model_hashes`] with a word for each character of a script without spaces.
pub fn model_character_hashes(text: &str, hashes: &mut Vec<u64>) {
    read_hashes(text, Cut::Characters, hash64, hashes);
}

#[inline]
fn read_hashes(text: &str, cut: Cut, hash: impl Fn(&[u8]) -> u64, hashes: &mut Vec<u64>) {
    let (bytes, mut at, mut word) = (text.as_bytes(), 0, Buffer::default());
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii() && !byte.is_ascii_alphanumeric() {
            at += 1;
            continue;
        }
        let mut lower = [0; SHORT];
        let length = short_ascii_word(bytes, at, &mut lower);
        if length > 0 && ends_word(text, at + length) {
            hashes.push(hash(lower.get(..length).unwrap_or_default()));
            at += length;
        } else {
            at = any_word(cut, text, at, &mut word, |word| hashes.push(hash(word.as_bytes())));
        }
    }
}

/// Number of letters of a word that is hashed without a string.
const SHORT: usize = 16;

/// Length of the run of ASCII letters, digits and low lines from an offset, which is written to `lower` in lower case
/// (what follows it there counts for nothing); 0 if it is longer than [`SHORT`].
#[inline]
fn short_ascii_word(bytes: &[u8], at: usize, lower: &mut [u8; SHORT]) -> usize {
    let inside = |eight| swar::letters(eight) | swar::within(eight, b'0', b'9') | swar::within(eight, b'_', b'_');
    let mut length = 0;
    for half in lower.as_chunks_mut::<8>().0 {
        let eight = swar::load(bytes, at + length);
        *half = swar::lower_case(eight).to_le_bytes();
        let count = swar::before(swar::others(inside(eight)));
        length += count;
        if count < 8 {
            return length;
        }
    }
    if swar::first(inside(swar::load(bytes, at + SHORT)), 1) == 0 { SHORT } else { 0 }
}

/// Digest of a text's words in order: equal texts but for case, punctuation and spacing have the same.
pub fn text_digest(word_hashes: &[u64]) -> u128 {
    let bytes: Vec<[u8; 8]> = word_hashes.iter().map(|hash| hash.to_le_bytes()).collect();
    digest(bytes.as_flattened())
}

/// The set of hashes of n-word shingles, sorted. A text of fewer than n words has one shingle (not none, which would
/// make all short texts alike); a text without words has none.
pub fn shingles(word_hashes: &[u64], n: usize) -> Vec<u64> {
    if !word_hashes.is_empty() && word_hashes.len() < n {
        return vec![sequence_hash(word_hashes)];
    }
    let mut set = window_hashes(word_hashes, n);
    sort_hashes(&mut set);
    set.dedup();
    set
}

#[cfg(test)]
mod tests;
