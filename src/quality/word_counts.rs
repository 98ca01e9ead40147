//! Numbers of words by their characters, counted once for all groups of signals.

use super::Text;
use super::characters::{LETTER, LOWER, PUNCTUATION, TERMINAL, TITLE, UPPER, properties};
use super::words::Words;
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
        let mut add = |place: (u32, u32), times: u32| {
            let word = text.word(place);
            let eight = swar::first(swar::load(text.text.as_bytes(), place.0 as usize), word.len());
            counts.add(&WordKind::of(word, eight), times as usize);
        };
        words.types().iter().for_each(|word| add(word.place, word.count));
        text.words.iter().skip(words.count()).for_each(|place| add(*place, 1));
        counts
    }

    fn add(&mut self, kind: &WordKind, times: usize) {
        let length = kind.characters;
        let add = |count: &mut usize, is: bool| *count += usize::from(is) * times;
        self.characters += length * times;
        add(&mut self.short, length <= 3);
        add(&mut self.long, length >= 7);
        add(&mut self.upper, kind.upper);
        add(&mut self.title, kind.title);
        add(&mut self.alphabetic, kind.alphabetic);
        if !kind.symbol {
            self.non_symbols += times;
            self.non_symbol_characters += length * times;
        }
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
        WordKind::of_small_letters(word, eight).unwrap_or_else(|| WordKind::of_any(word))
    }

    /// Most words are small letters of ASCII, the first one perhaps a capital.
    fn of_small_letters(word: &str, eight: u64) -> Option<WordKind> {
        let title = eight as u8;
        let first_letter = swar::first(swar::letters(eight), 1);
        let letters = swar::count(first_letter | swar::within(eight, b'a', b'z'));
        let rest = word.as_bytes().get(8..).unwrap_or_default();
        let is_simple = letters == word.len().min(8) && letters > 0 && rest.iter().all(u8::is_ascii_lowercase);
        let title = title.is_ascii_uppercase();
        is_simple.then_some(WordKind {
            characters: word.len(),
            upper: title && word.len() == 1,
            title,
            alphabetic: true,
            symbol: false,
        })
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
    use crate::quality::key_counts::Table;
    use crate::quality::keys::Keys;

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
        let (mut counted, mut seen) = (Words::default(), Table::default());
        counted.set(&Keys::of(&text.text), &text.text, &words, &mut seen);
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
