//! Numbers of words by their characters, counted once for all groups of signals.

use super::Text;
use super::characters::{self, LETTER, PUNCTUATION, TERMINAL, is, is_title, is_upper};

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
    pub fn of(text: &Text) -> WordCounts {
        let mut counts = WordCounts::default();
        text.words().for_each(|word| counts.add(word));
        counts
    }

    fn add(&mut self, word: &str) {
        let kind = WordKind::of(word);
        let length = if kind.is_ascii { word.len() } else { characters::count(word) };
        let add = |count: &mut usize, is: bool| *count += usize::from(is);
        self.characters += length;
        add(&mut self.short, length <= 3);
        add(&mut self.long, length >= 7);
        add(&mut self.upper, kind.upper);
        add(&mut self.title, kind.title);
        add(&mut self.alphabetic, kind.alphabetic);
        if !kind.symbol {
            self.non_symbols += 1;
            self.non_symbol_characters += length;
        }
    }
}

/// What a word consists of.
struct WordKind {
    is_ascii: bool,
    upper: bool,
    title: bool,
    alphabetic: bool,
    /// Punctuation and nothing else.
    symbol: bool,
}

impl WordKind {
    fn of(word: &str) -> WordKind {
        // Most words: small letters, the first one perhaps a capital.
        if let Some((first, rest)) = word.as_bytes().split_first()
            && first.is_ascii_alphabetic()
            && rest.iter().all(u8::is_ascii_lowercase)
        {
            let title = first.is_ascii_uppercase();
            return WordKind {
                is_ascii: true,
                upper: title && rest.is_empty(),
                title,
                alphabetic: true,
                symbol: false,
            };
        }
        WordKind {
            is_ascii: word.is_ascii(),
            upper: is_upper(word),
            title: is_title(word),
            alphabetic: word.chars().any(|c| is(c, LETTER)),
            symbol: word.chars().all(|c| is(c, PUNCTUATION | TERMINAL)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_by_their_characters() {
        let text = "a Word IN 1 -- žlutý …";
        let place = |part: &str| (part.as_ptr() as usize - text.as_ptr() as usize) as u32;
        let words: Vec<(u32, u32)> =
            text.split(' ').map(|word| (place(word), place(word) + word.len() as u32)).collect();
        let counts = WordCounts::of(&Text::given(text, &words, &[]));
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
