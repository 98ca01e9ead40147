//! The signals of RedPajama-V2 that need no list and no model. Reference: `RedPajama-Data`,
//! `app/src/core/quality_signals/{natural_language,content,repetitions}.py`, rounded to eight digits as there. Raw words are
//! those of NLTK's `WordPunctTokenizer` (`\w+|[^\w\s]+`); normalised ones are parted by white space once ASCII punctuation
//! is taken out and the text is in lower case and in NFD.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization;

use super::characters::{self, SPACE, WORD, is, is_upper, occurrences, split, split_places, strip_end};
use super::keys::Keys;
use super::recipe::{Step, at_most, least, most};
use super::words::MOST_WORDS;
use super::{Meter, Signals, number, rpv2_lines, share};

/// Gopher's rules over these signals, in the order of table A1 of Rae et al. (2021) with quality first. The code of the
/// reference has no thresholds, and counts stop words by lists that are not here: there is no rule about them.
pub(super) fn steps() -> Vec<Step> {
    vec![
        least("rps_short_doc", "rps_doc_word_count", 50.0),
        most("rps_long_doc", "rps_doc_word_count", 100_000.0),
        least("rps_below_mean_word_length", "rps_doc_mean_word_length", 3.0),
        most("rps_above_mean_word_length", "rps_doc_mean_word_length", 10.0),
        at_most("rps_doc_symbol_to_word_ratio", 0.1),
        at_most("rps_frac_lines_start_with_bulletpoint", 0.9),
        at_most("rps_doc_frac_lines_end_with_ellipsis", 0.3),
        at_most("rps_doc_frac_no_alph_words", 0.2),
        at_most("rps_doc_frac_chars_top_2gram", 0.2),
        at_most("rps_doc_frac_chars_top_3gram", 0.18),
        at_most("rps_doc_frac_chars_top_4gram", 0.16),
        at_most("rps_doc_frac_chars_dupe_5grams", 0.15),
        at_most("rps_doc_frac_chars_dupe_6grams", 0.14),
        at_most("rps_doc_frac_chars_dupe_7grams", 0.13),
        at_most("rps_doc_frac_chars_dupe_8grams", 0.12),
        at_most("rps_doc_frac_chars_dupe_9grams", 0.11),
        at_most("rps_doc_frac_chars_dupe_10grams", 0.1),
    ]
}

pub fn measure(text: &str, meter: &mut Meter, signals: &mut Signals) {
    of_raw_text(text, signals);
    let Meter { ngrams, normalised, .. } = meter;
    normalise(text, normalised);
    of_normalised_text(normalised, signals);
    ngrams.set(&Keys::of(normalised), normalised, &split_places(normalised));
    let all = ngrams.words().all_characters() as usize;
    let [top_2, top_3, top_4] = [2, 3, 4].map(|n| {
        let top = ngrams.top(n).filter(|top| top.count > 1);
        rounded(Some(top.and_then(|top| share((top.characters * top.count) as usize, all)).unwrap_or(0.0)))
    });
    let [dupe_5, dupe_6, dupe_7, dupe_8, dupe_9, dupe_10] =
        [5, 6, 7, 8, 9, 10].map(|n| rounded(Some(share(ngrams.covered(n) as usize, all).unwrap_or(0.0))));
    signals.rps_doc_frac_chars_top_2gram = top_2;
    signals.rps_doc_frac_chars_top_3gram = top_3;
    signals.rps_doc_frac_chars_top_4gram = top_4;
    signals.rps_doc_frac_chars_dupe_5grams = dupe_5;
    signals.rps_doc_frac_chars_dupe_6grams = dupe_6;
    signals.rps_doc_frac_chars_dupe_7grams = dupe_7;
    signals.rps_doc_frac_chars_dupe_8grams = dupe_8;
    signals.rps_doc_frac_chars_dupe_9grams = dupe_9;
    signals.rps_doc_frac_chars_dupe_10grams = dupe_10;
}

/// Rounds to eight digits after the point.
fn rounded(value: Option<f64>) -> Option<f64> {
    value.map(|value| (value * 1e8).round() / 1e8)
}

fn of_raw_text(text: &str, signals: &mut Signals) {
    let (mut words, mut alphabetic, mut upper) = (0, 0, 0);
    raw_words(text, |word| {
        words += 1;
        alphabetic += usize::from(word.bytes().any(|byte| byte.is_ascii_alphabetic()));
        upper += usize::from(is_upper(word));
    });
    let symbols = ["#", "...", "…"].map(|symbol| occurrences(text, symbol)).iter().sum();
    let lines = text.split_inclusive('\n');
    let ended = lines.clone().filter(|line| strip_end(line).ends_with("...") || strip_end(line).ends_with('…'));
    let brackets = text.bytes().filter(|byte| matches!(byte, b'{' | b'}')).count();
    signals.rps_doc_num_sentences = number(sentences(text));
    signals.rps_doc_symbol_to_word_ratio = rounded(share(symbols, words));
    signals.rps_doc_frac_lines_end_with_ellipsis = rounded(share(ended.count(), lines.count()));
    signals.rps_doc_frac_no_alph_words = rounded(share(alphabetic, words).map(|share| 1.0 - share));
    signals.rps_doc_frac_all_caps_words = rounded(share(upper, words));
    signals.rps_frac_lines_start_with_bulletpoint = rounded(rpv2_lines::bullet_lines(text));
    signals.rps_doc_curly_bracket = rounded(Some(share(brackets, characters::count(text)).unwrap_or(0.0)));
}

fn of_normalised_text(text: &str, signals: &mut Signals) {
    let (mut words, mut sum) = (0, 0);
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for word in split(text) {
        sum += characters::count(word);
        // In the order in which they come, since the sum of the entropy depends on it.
        let first = counts.len();
        if words < MOST_WORDS {
            counts.entry(word).or_insert((first, 0)).1 += 1;
        }
        words += 1;
    }
    let counted = words.min(MOST_WORDS);
    let mut by_first: Vec<(usize, usize)> = counts.into_values().collect();
    by_first.sort_unstable();
    let entropy = by_first.iter().map(|(_, count)| {
        let share = *count as f64 / counted as f64;
        -share * share.ln()
    });
    signals.rps_doc_word_count = number(words);
    signals.rps_doc_mean_word_length = rounded(share(sum, words));
    signals.rps_doc_frac_unique_words = rounded(share(by_first.len(), counted));
    signals.rps_doc_unigram_entropy = rounded((words > 0).then(|| entropy.sum()));
    // White space inside is one blank, at the ends none.
    let characters = sum + words.saturating_sub(1);
    let lorem = text.matches("lorem ipsum").count();
    signals.rps_doc_lorem_ipsum = rounded(Some(share(lorem, characters).unwrap_or(0.0)));
}

/// Calls `each` with every run of word characters, and of characters that are neither these nor white space.
fn raw_words(text: &str, mut each: impl FnMut(&str)) {
    let kind = |c: char| (is(c, WORD), is(c, SPACE));
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        let own = kind(c);
        let mut end = start + c.len_utf8();
        while let Some((at, c)) = chars.next_if(|(_, c)| kind(*c) == own) {
            end = at + c.len_utf8();
        }
        if !own.1 {
            each(text.get(start..end).unwrap_or_default());
        }
    }
}

/// Number of matches of `\b[^.!?]+[.!?]*`.
fn sentences(text: &str) -> usize {
    let is_mark = |c: char| matches!(c, '.' | '!' | '?');
    let (mut count, mut before) = (0, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let word = is(c, WORD);
        let begins = word != before && !is_mark(c);
        before = word;
        if begins {
            count += 1;
            let mut last = c;
            last = std::iter::from_fn(|| chars.next_if(|c| !is_mark(*c))).last().unwrap_or(last);
            last = std::iter::from_fn(|| chars.next_if(|c| is_mark(*c))).last().unwrap_or(last);
            before = is(last, WORD);
        }
    }
    count
}

/// Puts the normalised text into a buffer: white space is one blank, at the ends none.
pub(super) fn normalise(text: &str, out: &mut String) {
    let plain: String = text.chars().filter(|c| !c.is_ascii_punctuation()).collect();
    let lower = plain.to_lowercase();
    out.clear();
    for word in split(&lower) {
        if !out.is_empty() {
            out.push(' ');
        }
        if word.is_ascii() { out.push_str(word) } else { out.extend(word.nfd()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_counted_as_the_expression_finds_them() {
        for (text, want) in [
            ("", 0),
            ("One. Two? Three", 3),
            ("...", 0),
            ("a.b", 2),
            ("A… B", 1),
            ("Hm...  (yes).", 2),
            ("end.) next", 2),
        ] {
            assert_eq!(sentences(text), want, "{text}");
        }
    }

    #[test]
    fn words_and_marks_are_raw_words() {
        let mut words = Vec::new();
        raw_words("Don't stop -- é_2, हिन्दी!", |word| words.push(word.to_string()));
        assert_eq!(words, ["Don", "'", "t", "stop", "--", "é_2", ",", "ह", "ि", "न", "्", "द", "ी!"]);
    }

    #[test]
    fn the_normalised_text() {
        let mut out = String::new();
        normalise(" The  Café's\u{3000}END…\n", &mut out);
        assert_eq!(out, "the cafe\u{301}s end…");
    }
}
