//! The signals of RedPajama-V2 that need no model. Reference: `RedPajama-Data`,
//! `app/src/core/quality_signals/{natural_language,content,repetitions}.py`, rounded to eight digits as there. Raw words are
//! those of NLTK's `WordPunctTokenizer` (`\w+|[^\w\s]+`); normalised ones are parted by white space once ASCII punctuation
//! is taken out and the text is in lower case and in NFD.

use std::collections::BTreeSet;

use fxhash::FxHashSet;
use unicode_normalization::UnicodeNormalization;

use super::characters::{self, SPACE, WORD, is, is_upper, occurrences, split, split_places, strip_end};
use super::recipe::{Step, at_most, least, most};
use super::words::Words;
use super::{Lists, Meter, Signals, number, rpv2_lines, share};
use crate::portable_math::ln;

/// Gopher's rules over these signals, in the order of table A1 of Rae et al. (2021) with quality first. The code of the
/// reference has no thresholds. There is no rule about stop words, since a job may have no list of them.
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

pub fn measure(text: &str, lists: Lists<'_>, meter: &mut Meter, signals: &mut Signals) {
    of_raw_text(text, lists.rps_stop_words, signals);
    let Meter { ngrams, normalised, .. } = meter;
    normalise(text, normalised);
    let places = split_places(normalised);
    ngrams.set(normalised, &places);
    of_normalised_text(normalised, &places, ngrams.words(), signals);
    signals.rps_doc_ldnoobw_words = lists.ldnoobw_words.and_then(|list| number(phrases(normalised, &places, list)));
    let all = ngrams.words().all().characters as usize;
    let [top_2, top_3, top_4] = [2, 3, 4].map(|n| {
        let top = ngrams.top(n).filter(|top| top.count > 1);
        rounded(Some(top.and_then(|top| share((top.characters * top.count) as usize, all)).unwrap_or(0.0)))
    });
    let [dupe_5, dupe_6, dupe_7, dupe_8, dupe_9, dupe_10] =
        [5, 6, 7, 8, 9, 10].map(|n| rounded(Some(share(ngrams.covered(n).characters as usize, all).unwrap_or(0.0))));
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

fn of_raw_text(text: &str, stop_words: Option<&FxHashSet<String>>, signals: &mut Signals) {
    let (mut words, mut alphabetic, mut upper, mut stops) = (0, 0, 0, 0);
    raw_words(text, |word| {
        words += 1;
        stops += usize::from(stop_words.is_some_and(|stop_words| stop_words.contains(word)));
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
    signals.rps_doc_stop_word_fraction = stop_words.and_then(|_| rounded(share(stops, words)));
    signals.rps_frac_lines_start_with_bulletpoint = rounded(rpv2_lines::bullet_lines(text));
    signals.rps_doc_curly_bracket = rounded(Some(share(brackets, characters::count(text)).unwrap_or(0.0)));
}

/// `counted` are the words at these places, as far as they are counted.
fn of_normalised_text(text: &str, places: &[(u32, u32)], counted: &Words, signals: &mut Signals) {
    let words = places.len();
    // White space inside is one blank, at the ends none.
    let characters = characters::count(text);
    let sum = characters.saturating_sub(words.saturating_sub(1));
    // The sum depends on the order of the words, which is that of their first occurrences.
    let entropy = counted.types().iter().map(|word| {
        let share = f64::from(word.count) / counted.count() as f64;
        -share * ln(share)
    });
    signals.rps_doc_word_count = number(words);
    signals.rps_doc_mean_word_length = rounded(share(sum, words));
    signals.rps_doc_frac_unique_words = rounded(share(counted.types().len(), counted.count()));
    signals.rps_doc_unigram_entropy = rounded((words > 0).then(|| entropy.sum()));
    let lorem = text.matches("lorem ipsum").count();
    signals.rps_doc_lorem_ipsum = rounded(Some(share(lorem, characters).unwrap_or(0.0)));
}

/// Number of the n-grams of a normalised text that a list has. A blank parts its words, as it does in the list.
fn phrases(text: &str, places: &[(u32, u32)], list: &FxHashSet<String>) -> usize {
    let lengths: BTreeSet<usize> = list.iter().map(|phrase| phrase.matches(' ').count() + 1).collect();
    let is_listed = |words: &&[(u32, u32)]| {
        let (Some((begin, _)), Some((_, end))) = (words.first(), words.last()) else { return false };
        text.get(*begin as usize..*end as usize).is_some_and(|phrase| list.contains(phrase))
    };
    lengths.into_iter().map(|length| places.windows(length).filter(is_listed).count()).sum()
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
    fn lists_of_others_are_looked_for() {
        let set = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<FxHashSet<_>>();
        let (stops, phrases) = (set(&["the", "a"]), set(&["bad", "very bad word", "word a"]));
        let measured = |text: &str, lists: Lists<'_>| {
            let mut signals = Signals::default();
            measure(text, lists, &mut Meter::default(), &mut signals);
            (signals.rps_doc_stop_word_fraction, signals.rps_doc_ldnoobw_words)
        };
        let lists = Lists { rps_stop_words: Some(&stops), ldnoobw_words: Some(&phrases), ..Lists::default() };
        // The words of the text are as they are, those of phrases are normalised. Phrases overlap.
        assert_eq!(measured("The bad, the VERY bad\nword: a", lists), (Some(0.22222222), Some(4)));
        assert_eq!(measured("nothing", lists), (Some(0.0), Some(0)));
        assert_eq!(measured("", lists), (None, Some(0)));
        assert_eq!(measured("The bad", Lists::default()), (None, None));
    }

    #[test]
    fn the_normalised_text() {
        let mut out = String::new();
        normalise(" The  Café's\u{3000}END…\n", &mut out);
        assert_eq!(out, "the cafe\u{301}s end…");
    }
}
