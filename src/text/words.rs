//! Words for deduplication: lower-cased runs of letters and digits. In scripts that are written without spaces every
//! character is a word, so that a shingle of n words is one of n characters.

use compact_str::CompactString;

use super::char_classes::{is_alphabetic, is_alphanumeric, push_lowercase};
use super::swar;
use crate::hash::{combine, digest, hash64, sort_hashes};

/// Calls `each` with every word of `text`, lower-cased, in order.
pub fn words(text: &str, mut each: impl FnMut(&str)) {
    let mut word = String::new();
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
            at = any_word(text, at, &mut word, &mut each);
        }
    }
}

/// Reads the characters from an offset up to the first that ends a word, or is in none, and calls `each` with the word
/// and with that character if it is one. Returns the offset behind it. `word` is an empty buffer, and is left empty.
fn any_word(text: &str, mut at: usize, word: &mut String, mut each: impl FnMut(&str)) -> usize {
    for c in text.get(at..).unwrap_or_default().chars() {
        at += c.len_utf8();
        if is_invisible(c) {
            continue;
        }
        let unspaced = !c.is_ascii() && is_unspaced(c);
        if !word.is_empty() && (unspaced || !(is_alphanumeric(c) || continues_word(c))) {
            each(word);
            word.clear();
        }
        if unspaced {
            each(c.encode_utf8(&mut [0; 4]));
        } else if is_alphanumeric(c) {
            push_lowercase(c, word);
        } else if continues_word(c) && !word.is_empty() {
            word.push(c);
        }
        if word.is_empty() {
            return at;
        }
    }
    if !word.is_empty() {
        each(word);
        word.clear();
    }
    at
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
        !(is_alphanumeric(c) || continues_word(c) || is_invisible(c))
    }
}

/// Number of ASCII bytes from `at` on that belong to no word.
fn separator_length(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().take_while(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric()).count()
}

/// Soft hyphen and joiners, which do not belong to the word that contains them.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200C}' | '\u{200D}' | '\u{2060}')
}

/// Combining marks and the low line, which belong to the word before them.
fn continues_word(c: char) -> bool {
    matches!(c, '_' | '\u{300}'..='\u{36F}' | '\u{483}'..='\u{487}' | '\u{591}'..='\u{5BD}'
        | '\u{610}'..='\u{61A}' | '\u{64B}'..='\u{65F}' | '\u{900}'..='\u{963}' | '\u{980}'..='\u{DFF}')
}

/// Scripts without spaces between words: Han, kana, Thai, Lao, Khmer, Burmese.
pub fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Number of letters that decide whether a text is dense.
const SCRIPT_SAMPLE: usize = 2000;

/// Whether most letters of some texts are syllables or words, so that a character carries more information than in an
/// alphabet: scripts without spaces, and Hangul.
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
            let is_dense = is_unspaced(c) || matches!(c, '\u{AC00}'..='\u{D7A3}');
            dense += usize::from(is_dense && is_alphabetic(c));
        }
    }
    dense * 2 > letters
}

/// Appends the hashes of all words of `text` to `hashes`.
pub fn hashes(text: &str, hashes: &mut Vec<u64>) {
    let (bytes, mut at, mut word) = (text.as_bytes(), 0, String::new());
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii() && !byte.is_ascii_alphanumeric() {
            at += 1;
            continue;
        }
        let Some((length, lower)) = short_ascii_word(bytes, at).filter(|(length, _)| ends_word(text, at + length))
        else {
            at = any_word(text, at, &mut word, |word| hashes.push(hash64(word.as_bytes())));
            continue;
        };
        hashes.push(hash64(lower.get(..length).unwrap_or_default()));
        at += length;
    }
}

/// Number of letters of a word that is hashed without a string.
const SHORT: usize = 16;

/// Length of the run of ASCII letters, digits and low lines from an offset, and its bytes in lower case. None if it is
/// longer than [`SHORT`], or empty.
#[inline]
fn short_ascii_word(bytes: &[u8], at: usize) -> Option<(usize, [u8; SHORT])> {
    let inside = |eight| swar::letters(eight) | swar::within(eight, b'0', b'9') | swar::within(eight, b'_', b'_');
    let mut lower = [0; SHORT];
    let (halves, _) = lower.as_chunks_mut::<8>();
    let mut length = 0;
    for half in halves {
        let eight = swar::load(bytes, at + length);
        let count = swar::before(swar::others(inside(eight)));
        *half = swar::lower_case(eight).to_le_bytes();
        length += count;
        if count < 8 {
            return (length > 0).then_some((length, lower));
        }
    }
    let next = bytes.get(at + SHORT);
    next.is_none_or(|&byte| byte.is_ascii() && !byte.is_ascii_alphanumeric() && byte != b'_').then_some((SHORT, lower))
}

/// Digest of a text's words in order: equal texts but for case, punctuation and spacing have the same.
pub fn text_digest(word_hashes: &[u64]) -> u128 {
    let bytes: Vec<[u8; 8]> = word_hashes.iter().map(|hash| hash.to_le_bytes()).collect();
    digest(bytes.as_flattened())
}

/// Hashes of all n-grams of words in order, one for each word from the n-th on.
pub fn ngrams(word_hashes: &[u64], n: usize) -> impl Iterator<Item = u64> + '_ {
    word_hashes.windows(n.max(1)).map(combine)
}

/// The set of hashes of n-word shingles, sorted. A text of fewer than n words has one shingle (not none, which would
/// make all short texts alike); a text without words has none.
pub fn shingles(word_hashes: &[u64], n: usize) -> Vec<u64> {
    if !word_hashes.is_empty() && word_hashes.len() < n {
        return vec![combine(word_hashes)];
    }
    let mut set: Vec<u64> = ngrams(word_hashes, n).collect();
    sort_hashes(&mut set);
    set.dedup();
    set
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The words of a text without the fast path for ASCII.
    fn slow_words(text: &str) -> Vec<String> {
        let mut out: Vec<String> = vec![String::new()];
        for c in text.chars().filter(|&c| !is_invisible(c)) {
            let unspaced = is_unspaced(c);
            if unspaced || !(c.is_alphanumeric() || continues_word(c)) {
                out.push(String::new());
            }
            let begun = out.last().is_some_and(|word| !word.is_empty());
            match out.last_mut() {
                Some(word) if c.is_alphanumeric() && !unspaced => word.extend(c.to_lowercase()),
                Some(word) if unspaced || continues_word(c) && begun => word.push(c),
                _ => {}
            }
            if unspaced {
                out.push(String::new());
            }
        }
        out.retain(|word| !word.is_empty());
        out
    }

    proptest! {
        #[test]
        fn the_fast_path_finds_the_same_words(text in "([a-z0-9]{0,4}|[ _.,A-ZéÉ\u{AD}\u{301}東は-]|.){0,30}") {
            let expected = slow_words(&text);
            prop_assert_eq!(split(&text), expected.clone());
            let mut found = Vec::new();
            hashes(&text, &mut found);
            prop_assert_eq!(found, expected.iter().map(|word| hash64(word.as_bytes())).collect::<Vec<_>>());
        }

        #[test]
        fn words_of_any_length_have_their_hash(text in "([a-zA-Z0-9_]{1,20}[ é.\u{301}]?){0,6}") {
            let mut found = Vec::new();
            hashes(&text, &mut found);
            prop_assert_eq!(found, slow_words(&text).iter().map(|word| hash64(word.as_bytes())).collect::<Vec<_>>());
        }

        #[test]
        fn density_is_that_of_the_first_letters(texts in prop::collection::vec("([a-z]{0,9} |東|책|é|[0-9]){0,20}", 0..80)) {
            let letters = texts.iter().flat_map(|text| text.chars()).filter(|c| c.is_alphabetic()).take(SCRIPT_SAMPLE);
            let letters: Vec<bool> = letters.map(|c| matches!(c, '東' | '책')).collect();
            let dense = letters.iter().filter(|dense| **dense).count();
            prop_assert_eq!(is_dense(texts.iter().map(String::as_str)), dense * 2 > letters.len());
        }
    }

    fn split(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        words(text, |w| out.push(w.to_string()));
        out
    }

    #[test]
    fn letters_and_digits_make_words() {
        assert_eq!(split("Mr. O'Brien's 3.5 ŽLUŤOUČKÝ-kůň!"), ["mr", "o", "brien", "s", "3", "5", "žluťoučký", "kůň"]);
        assert_eq!(split(" … — "), Vec::<String>::new());
        assert_eq!(split("Donau\u{AD}dampf می\u{200C}خواهم"), ["donaudampf", "میخواهم"]);
        assert_eq!(split("हिन्दी में"), ["हिन्दी", "में"]);
    }

    #[test]
    fn unspaced_scripts_go_by_character() {
        assert_eq!(split("東京は2024年"), ["東", "京", "は", "2024", "年"]);
    }

    #[test]
    fn dense_scripts_are_told_from_alphabets() {
        for (text, want) in [("東京は", true), ("책상 위에", true), ("สวัสดี", true), ("Tōkyō", false), ("", false)]
        {
            assert_eq!(is_dense([text].into_iter()), want, "{text}");
        }
    }

    #[test]
    fn short_texts_have_one_shingle_of_their_own() {
        let h = |t| {
            let mut v = Vec::new();
            hashes(t, &mut v);
            shingles(&v, 5)
        };
        assert_eq!(h("").len(), 0);
        assert_eq!(h("one two").len(), 1);
        assert_ne!(h("one two"), h("one three"));
        assert_eq!(h("a b c d e f").len(), 2);
        assert_eq!(h("a a a a a a a a").len(), 1);
    }

    #[test]
    fn digest_ignores_case_and_punctuation_only() {
        let d = |t| {
            let mut v = Vec::new();
            hashes(t, &mut v);
            text_digest(&v)
        };
        assert_eq!(d("Hello, World!"), d("hello world"));
        assert_ne!(d("hello world"), d("world hello"));
        assert_ne!(d("price 5"), d("price 6"));
    }
}
