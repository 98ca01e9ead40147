//! Text → its words, as the bytes of their letters, and its number of letters in each script. A word ends where a
//! character is no letter, or a letter of another script. Used by language-table as well.

use std::ops::Range;

use super::hash::SKIPPED;
use super::script::Script;
use super::table::{BATCH, NgramTable};
use super::tables::FIRST_OWN;
use crate::text::swar;

/// Most letters of a [`ShortWord`]; with its end they are one batch of n-grams.
const LONGEST_SHORT: usize = BATCH - 1;

/// The highest byte of a word of ASCII letters, in place of its script.
const ASCII: u8 = 0xff;

/// A word of at most [`LONGEST_SHORT`] letters.
///
/// From the lowest byte on its letters, and 0 behind the last; in the highest byte the number of its script. A word that
/// consists of ASCII letters alone has [`ASCII`] there, and its letters are these characters in lower case. Those of any
/// other word are the letter bytes of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ShortWord(pub u128);

impl ShortWord {
    /// A word by letter bytes.
    fn new(script: u8, letters: &[u8]) -> ShortWord {
        let bytes = letters.iter().rev().fold(0, |bytes, &letter| bytes << 8 | u128::from(letter));
        ShortWord(bytes | u128::from(script) << 120)
    }

    /// The number of its script.
    #[inline]
    pub fn script(self) -> u8 {
        match (self.0 >> 120) as u8 {
            ASCII => Script::Latin as u8,
            script => script,
        }
    }

    /// Its letter bytes, and how many of these are letters.
    pub fn letters(self, table: &NgramTable) -> ([u8; BATCH], usize) {
        let mut letters = self.0.to_le_bytes();
        let [.., tag] = letters;
        let length = LONGEST_SHORT - (self.0 << u8::BITS).leading_zeros().min(120) as usize / 8;
        if tag == ASCII {
            letters.iter_mut().take(length).for_each(|letter| *letter = table.letter(char::from(*letter)).1);
        }
        (letters, length)
    }
}

/// The words of a text.
#[derive(Debug)]
pub struct TextWords {
    /// Number of letters by the number of their script.
    pub letters: [u32; Script::Other as usize + 1],
    /// Those of the scripts with n-grams that are short enough.
    pub short: Vec<ShortWord>,
    /// The other words of these scripts: script, and place in `long_letters`.
    long: Vec<(u8, Range<usize>)>,
    long_letters: Vec<u8>,
}

impl TextWords {
    pub fn new() -> TextWords {
        TextWords {
            letters: [0; Script::Other as usize + 1],
            short: Vec::new(),
            long: Vec::new(),
            long_letters: Vec::new(),
        }
    }

    /// Letter bytes of the words of a script that are not short.
    pub fn long(&self, script: u8) -> impl Iterator<Item = &[u8]> {
        let of_script = self.long.iter().filter(move |(of, _)| *of == script);
        of_script.filter_map(|(_, place)| self.long_letters.get(place.clone()))
    }

    /// Reads a text; the words of the one before are forgotten.
    pub fn read(&mut self, table: &NgramTable, text: &str) {
        self.letters.fill(0);
        self.short.clear();
        self.long.clear();
        self.long_letters.clear();
        let mut latin = 0;
        let mut at = 0;
        while at < text.len() {
            let word = AsciiWord::first(text.as_bytes(), at);
            let end = word.as_ref().and_then(|word| word.end(table, text, at));
            match word.zip(end) {
                Some((word, end)) => {
                    if word.length > 0 {
                        latin += word.length as u32;
                        self.short.push(ShortWord(word.letters | u128::from(ASCII) << 120));
                    }
                    at = end;
                }
                None => at += self.any_words(table, text.get(at..).unwrap_or_default()),
            }
        }
        let [of_latin, ..] = &mut self.letters;
        *of_latin += latin;
    }

    /// Reads the words that a text begins with, up to the first character that is no letter. Returns the number of bytes
    /// read, with that character.
    fn any_words(&mut self, table: &NgramTable, text: &str) -> usize {
        let (mut script_of_word, mut start, mut length) = (0, self.long_letters.len(), 0);
        for c in text.chars() {
            length += c.len_utf8();
            let (script, letter) = table.letter(c);
            match letter {
                0 => break,
                SKIPPED => continue,
                _ => {}
            }
            if script != script_of_word {
                self.end_word(script_of_word, start);
                (script_of_word, start) = (script, self.long_letters.len());
            }
            self.long_letters.push(letter);
        }
        self.end_word(script_of_word, start);
        length.max(1)
    }

    /// Ends the word whose letters are those of the long words from `start` on; there may be none.
    fn end_word(&mut self, script: u8, start: usize) {
        let letters = self.long_letters.get(start..).unwrap_or_default();
        if let Some(all) = self.letters.get_mut(usize::from(script)) {
            *all += letters.len() as u32;
        }
        match letters.len() {
            0 => return,
            _ if usize::from(script) >= FIRST_OWN => {}
            1..=LONGEST_SHORT => self.short.push(ShortWord::new(script, letters)),
            _ => return self.long.push((script, start..self.long_letters.len())),
        }
        self.long_letters.truncate(start);
    }
}

/// Letters of ASCII that stand together.
struct AsciiWord {
    /// In lower case, the first in the lowest byte.
    letters: u128,
    length: usize,
    /// The byte behind them; 0 at the end of the text.
    next: u8,
}

impl AsciiWord {
    /// Those at an offset of a text, if any. None if there are more than a [`ShortWord`] has.
    #[inline]
    fn first(text: &[u8], at: usize) -> Option<AsciiWord> {
        let (low, length, next) = AsciiWord::letters(text, at);
        if length < 8 {
            return Some(AsciiWord { letters: u128::from(low), length, next });
        }
        let (high, more, next) = AsciiWord::letters(text, at + 8);
        let letters = u128::from(high) << 64 | u128::from(low);
        (more < 8).then_some(AsciiWord { letters, length: length + more, next })
    }

    /// The letters among the eight bytes from an offset, up to the first that is none; how many they are, and that byte.
    #[inline]
    fn letters(text: &[u8], at: usize) -> (u64, usize, u8) {
        let eight = swar::load(text, at);
        let length = swar::before(swar::others(swar::letters(eight)));
        let next = if length < 8 { (eight >> (8 * length)) as u8 } else { 0 };
        (swar::lower_case(swar::first(eight, length)), length, next)
    }

    /// Offset behind the character that ends this word, which begins at `at`. None if that character is a letter or a
    /// mark within a word.
    #[inline]
    fn end(&self, table: &NgramTable, text: &str, at: usize) -> Option<usize> {
        let end = at + self.length;
        if self.next.is_ascii() {
            return Some(end + 1);
        }
        let next = text.get(end..)?.chars().next()?;
        (table.letter(next).1 == 0).then_some(end + next.len_utf8())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::FILES;
    use super::*;

    /// Script and letter bytes of each word of a text, character by character.
    fn slow(table: &NgramTable, text: &str) -> Vec<(u8, Vec<u8>)> {
        let mut words: Vec<(u8, Vec<u8>)> = vec![];
        let mut open = false;
        for (script, letter) in text.chars().map(|c| table.letter(c)) {
            match (letter, words.last_mut()) {
                (0, _) => open = false,
                (SKIPPED, _) => {}
                (_, Some((of, letters))) if open && *of == script => letters.push(letter),
                _ => {
                    words.push((script, vec![letter]));
                    open = true;
                }
            }
        }
        words
    }

    fn check(text: &str) -> Result<(), TestCaseError> {
        let table = NgramTable::read(FILES);
        let mut read = TextWords::new();
        // Nothing of a text before may be left.
        read.read(&table, "один two ሦስት incomprehensibilities");
        read.read(&table, text);
        let mut expected = slow(&table, text);
        for (script, letters) in read.letters.iter().enumerate() {
            let of_script = expected.iter().filter(|(of, _)| usize::from(*of) == script);
            prop_assert_eq!(*letters as usize, of_script.map(|(_, letters)| letters.len()).sum::<usize>());
        }
        let short = read.short.iter().map(|word| {
            let (letters, length) = word.letters(&table);
            (word.script(), letters[..length].to_vec())
        });
        let long = (0..=Script::Other as u8)
            .flat_map(|script| read.long(script).map(move |letters| (script, letters.to_vec())));
        let mut found: Vec<_> = short.chain(long).collect();
        expected.retain(|(script, _)| usize::from(*script) < FIRST_OWN);
        found.sort();
        expected.sort();
        prop_assert_eq!(found, expected);
        Ok(())
    }

    /// Letter bytes and numbers of scripts are in the same range: of a Latin word that begins with a letter byte of 2, the
    /// cache once gave the score for an Arabic word without that letter.
    #[test]
    fn words_of_different_scripts_are_different() {
        let (latin, arabic) = (Script::Latin as u8, Script::Arabic as u8);
        assert_ne!(ShortWord::new(latin, &[arabic, 9]), ShortWord::new(arabic, &[9]));
        assert_ne!(ShortWord::new(latin, b"a"), ShortWord(u128::from(b'a') | u128::from(ASCII) << 120));
    }

    proptest! {
        #[test]
        fn all_words_are_read(text in "([a-cA-Cé]{1,9}|[абв]{1,17}|[a-z]{6,9}|[a-z]{14,17}|[山가निعَ–’\u{301}]|[ .0])*") {
            check(&text)?;
        }

        #[test]
        fn all_words_of_any_text_are_read(text in any::<String>()) {
            check(&text)?;
        }
    }
}
