//! Numbers of words by their characters, counted once for all groups of signals.

use super::Text;
use super::characters::{LETTER, LOWER, PUNCTUATION, TERMINAL, TITLE, UPPER, properties};
use super::words::{Words, is_small};
use crate::text::swar;

/// Numbers of words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WordCounts {
    /// Characters of all words.
    pub characters: usize,
    /// Words of at most 3 characters.
    pub short: usize,
    /// Words of at least 7 characters.
    pub long: usize,
    /// Words in capitals, and words that begin with a capital, as Python's `isupper` and `istitle` say.
    pub upper: usize,
    pub title: usize,
    /// Words with a letter.
    pub alphabetic: usize,
    /// Words with a character that is not punctuation, and their characters.
    pub non_symbols: usize,
    pub non_symbol_characters: usize,
}

impl WordCounts {
    /// `words` are those of the text, as far as they are counted there.
    pub fn of(text: &Text, words: &Words) -> WordCounts {
        let mut counts = WordCounts::default();
        // Words of small letters, and their characters.
        let (mut small, mut small_characters) = (0, 0);
        for word in words.types() {
            let (times, length) = (word.count as usize, word.characters as usize);
            if word.is_small {
                small += times;
                small_characters += length * times;
                counts.add_length(length, times);
            } else {
                counts.add(&text.kind(word.place), times);
            }
        }
        text.words.iter().skip(words.count()).for_each(|place| counts.add(&text.kind(*place), 1));
        counts.alphabetic += small;
        counts.non_symbols += small;
        counts.non_symbol_characters += small_characters;
        counts.characters += small_characters;
        counts
    }

    fn add_length(&mut self, length: usize, times: usize) {
        self.short += if length <= 3 { times } else { 0 };
        self.long += if length >= 7 { times } else { 0 };
    }

    fn add(&mut self, kind: &WordKind, times: usize) {
        let length = kind.characters;
        let add = |count: &mut usize, is: bool| *count += usize::from(is) * times;
        self.add_length(length, times);
        self.characters += length * times;
        add(&mut self.upper, kind.upper);
        add(&mut self.title, kind.title);
        add(&mut self.alphabetic, kind.alphabetic);
        if !kind.symbol {
            self.non_symbols += times;
            self.non_symbol_characters += length * times;
        }
    }
}

impl Text {
    fn kind(&self, place: (u32, u32)) -> WordKind {
        let word = self.word(place);
        WordKind::of(word, swar::first(swar::load(self.text.as_bytes(), place.0 as usize), word.len()))
    }
}

/// What a word consists of.
#[derive(Debug, PartialEq)]
struct WordKind {
    characters: usize,
    upper: bool,
    title: bool,
    alphabetic: bool,
    /// Punctuation and nothing else.
    symbol: bool,
}

impl WordKind {
    /// The kind of a word whose first eight bytes are given.
    fn of(word: &str, eight: u64) -> WordKind {
        let is_capital = (eight as u8).is_ascii_uppercase();
        // Most words are small letters of ASCII, the first one perhaps a capital.
        let small = if is_capital { eight | 0x20 } else { eight };
        if !is_small(word.as_bytes(), small) {
            return WordKind::of_any(word);
        }
        let upper = is_capital && word.len() == 1;
        WordKind { characters: word.len(), upper, title: is_capital, alphabetic: true, symbol: false }
    }

    fn of_any(word: &str) -> WordKind {
        let (mut characters, mut any, mut symbol) = (0, 0, true);
        // A capital after what has no case, a small letter after what has one.
        let (mut in_order, mut after_cased) = (true, false);
        for c in word.chars() {
            let own = properties(c);
            characters += 1;
            any |= own;
            symbol &= own & (PUNCTUATION | TERMINAL) != 0;
            let begins = own & (UPPER | TITLE) != 0;
            let goes_on = !begins && own & LOWER != 0;
            in_order &= !(begins && after_cased || goes_on && !after_cased);
            after_cased = begins || goes_on;
        }
        WordKind {
            characters,
            upper: any & UPPER != 0 && any & (LOWER | TITLE) == 0,
            title: in_order && any & (UPPER | LOWER | TITLE) != 0,
            alphabetic: any & LETTER != 0,
            symbol,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(word: &str) -> WordKind {
        let kind = WordKind::of(word, swar::load(word.as_bytes(), 0));
        assert_eq!(kind, WordKind::of_any(word), "{word}");
        kind
    }

    #[test]
    fn case_of_words() {
        for (word, upper, title) in [
            ("USA", true, false),
            ("U2", true, true),
            ("A", true, true),
            ("a", false, false),
            ("Ab-Cd", false, true),
            ("Abcdefgh", false, true),
            ("Abcdefghi", false, true),
            ("abcdefghI", false, false),
            ("aB", false, false),
            ("ǅ", false, true),
            ("12", false, false),
            ("", false, false),
            ("ŽLUŤ", true, false),
            ("Éa", false, true),
        ] {
            let kind = kind(word);
            assert_eq!((kind.upper, kind.title), (upper, title), "{word}");
        }
    }

    #[test]
    fn words_are_counted_by_their_characters() {
        let text = "a Word IN 1 -- žlutý …";
        let place = |part: &str| (part.as_ptr() as usize - text.as_ptr() as usize) as u32;
        let words: Vec<(u32, u32)> =
            text.split(' ').map(|word| (place(word), place(word) + word.len() as u32)).collect();
        let text = Text::given(text, &words, &[]);
        let mut counted = Words::default();
        counted.set(&text.text, &words);
        let counts = WordCounts::of(&text, &counted);
        assert_eq!(counts, WordCounts::of(&text, &Words::default()));
        let wanted = WordCounts {
            characters: 16,
            short: 5,
            long: 0,
            upper: 1,
            title: 1,
            alphabetic: 4,
            non_symbols: 5,
            non_symbol_characters: 13,
        };
        assert_eq!(counts, wanted);
    }
}
