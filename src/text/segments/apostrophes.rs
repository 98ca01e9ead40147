//! Apostrophes at the edge of a word, which look like single quotes: Maltese `ta’`, Hausa `’yan`, the glottal stop of Samoan.
//!
//! The rules of a language name the words or beginnings of words. Where any word may have one, a quote that closes
//! behind it, or opens before it, takes it for itself; it is looked for within [`LONGEST_QUOTE`].

use std::ops::Range;

use super::chars::{CharClass, char_at, char_before, class, is_letter, skip};
use super::rules::LanguageRules;
use crate::text::beginning;

/// Longest word examined, in bytes.
const LONGEST_WORD: usize = 64;
/// Longest shortened word with the space behind it, in bytes.
const LONGEST_CLITIC: usize = 24;
/// How far the other quote of a pair is searched for, in bytes.
const LONGEST_QUOTE: usize = 200;

/// Whether the apostrophe that a range begins with belongs to the word behind it.
pub fn begins_word(text: &str, with: Range<usize>, rules: &LanguageRules) -> bool {
    let Some(word) = text.get(with.clone()).filter(|word| word.len() <= LONGEST_WORD) else { return false };
    let mut letters = word.chars();
    if letters.next() == Some('`') || !letters.clone().next().is_some_and(is_letter) {
        return false;
    }
    let lower = rules.lower_case(letters.as_str());
    let listed = |entry: &String| match entry.strip_suffix('-') {
        Some(beginning) => lower.starts_with(beginning),
        None => lower == entry.as_str(),
    };
    let any = |entry: &String| entry == "-";
    // A word that a quotation begins and ends with is not shortened: `'day'`.
    let is_quoted = || char_at(text, with.end).is_some_and(is_quote);
    rules.apostrophes_before.iter().filter(|entry| !any(entry)).any(listed) && !is_quoted()
        || rules.apostrophes_before.iter().any(any) && !closes_behind(text, with.end)
}

/// Whether the apostrophe that a range ends with belongs to the word before it.
pub fn ends_word(text: &str, with: Range<usize>, rules: &LanguageRules) -> bool {
    if rules.apostrophes_after.is_empty() {
        return false;
    }
    let Some(word) = text.get(with.clone()).filter(|word| word.len() <= LONGEST_WORD) else { return false };
    let mut letters = word.chars();
    if letters.next_back() == Some('`') {
        return false;
    }
    let lower = rules.lower_case(letters.as_str());
    let listed = |entry: &String| match entry.strip_prefix('-') {
        // A quotation may end there: `'video'`.
        Some(end) => !end.is_empty() && lower.ends_with(end) && !char_before(text, with.start).is_some_and(is_quote),
        None => lower == entry.as_str(),
    };
    let any = |entry: &String| entry == "-";
    rules.apostrophes_after.iter().any(listed)
        || rules.apostrophes_after.iter().any(any) && !opens_before(text, with.start)
}

/// The offset of the word behind a shortened word in small letters, which begins a sentence as it is: `’n Man`. `word` is
/// the offset behind its apostrophe.
pub fn behind_clitic(text: &str, word: usize, rules: &LanguageRules) -> usize {
    if rules.apostrophes_before.is_empty() {
        return word;
    }
    if !char_at(text, word).is_some_and(char::is_lowercase) {
        return word;
    }
    let near = beginning(text, word + LONGEST_CLITIC);
    let end = skip(near, word, is_letter);
    let behind = skip(near, end, |c| c == ' ');
    let quote = char_before(text, word).filter(|c| class(*c) == CharClass::Apostrophe);
    match quote.map(|quote| word - quote.len_utf8()) {
        Some(quote) if end > word && behind > end && begins_word(text, quote..end, rules) => behind,
        _ => word,
    }
}

/// Whether an apostrophe stands between a word and none within reach: a quote that closes.
pub fn closes_behind(text: &str, from: usize) -> bool {
    let near = text.get(from..text.floor_char_boundary(from.saturating_add(LONGEST_QUOTE))).unwrap_or_default();
    near.char_indices().filter(|(_, c)| is_quote(*c)).any(|(at, c)| {
        let at = from + at;
        char_before(text, at).is_some_and(|c| !c.is_whitespace() && !matches!(c, '(' | '['))
            && !char_at(text, at + c.len_utf8()).is_some_and(is_letter)
    })
}

/// Whether an apostrophe stands between none and a word within reach: a quote that opens.
fn opens_before(text: &str, to: usize) -> bool {
    let from = text.ceil_char_boundary(to.saturating_sub(LONGEST_QUOTE));
    let near = text.get(from..to).unwrap_or_default();
    near.char_indices().filter(|(_, c)| is_quote(*c)).any(|(at, c)| {
        let at = from + at;
        !char_before(text, at).is_some_and(is_letter) && char_at(text, at + c.len_utf8()).is_some_and(is_letter)
    })
}

fn is_quote(c: char) -> bool {
    class(c) == CharClass::Apostrophe
}

#[cfg(test)]
mod tests {
    use crate::text::segments::Segmenter;

    fn tokens(code: &str, text: &str) -> String {
        let mut tokens = Vec::new();
        Segmenter::default().language(code).tokens(text, 0..text.len(), &mut tokens);
        tokens.iter().map(|token| &text[token.range.clone()]).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn listed_words_keep_their_apostrophe() {
        for (code, text) in [
            ("mlt", "il-ktieb ta’ Malta u ma’ missieru"),
            ("gla", "tha e a' dol a-mach 's a' tighinn"),
            ("hau", "’yan wasa da ’yancin ƙasa"),
            ("lim", "in ’t land en ‘n hoes"),
            ("afr", "Dit is ’n man"),
            ("nld", "in 't huis 's avonds"),
        ] {
            let spaced = tokens(code, text);
            assert_eq!(spaced, text, "{code}");
        }
        assert_eq!(tokens("mlt", "qal ‘il-ktieb’ hawn"), "qal ‘ il-ktieb ’ hawn");
        assert_eq!(tokens("hau", "‘gida’"), "‘ gida ’");
    }

    #[test]
    fn any_word_may_have_one_outside_quotes() {
        assert_eq!(tokens("smo", "o le ‘ulu ma ‘ava, i ‘ī."), "o le ‘ulu ma ‘ava , i ‘ī .");
        assert_eq!(tokens("ton", "ʻi he ʻaho"), "ʻi he ʻaho");
        assert_eq!(tokens("smo", "fai mai ‘sau loa’ ia"), "fai mai ‘ sau loa ’ ia");
        assert_eq!(tokens("mlg", "tamin’ ny taona sy amin' izany"), "tamin’ ny taona sy amin' izany");
        assert_eq!(tokens("mlg", "hoe ‘tonga izy’ ary"), "hoe ‘ tonga izy ’ ary");
    }

    #[test]
    fn other_languages_have_quotes() {
        assert_eq!(tokens("eng", "the ‘yan’ word, the boys' ta' x"), "the ‘ yan ’ word , the boys ' ta ' x");
    }
}
