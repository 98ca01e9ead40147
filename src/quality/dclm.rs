//! Gopher's rules as DCLM computes them. Reference: DCLM, `baselines/mappers/filters/content_filters.py`, in the order of
//! `baselines/baselines_configs/dclm_baseline_refinedweb.yaml`. Unlike datatrove: every copy of a repeated line counts, the
//! first one, too; an n-gram that occurs once is no repetition, and of the most frequent ones the longest counts; characters
//! are those of words, without punctuation marks; most signals of words are over those between blanks.

use fxhash::FxHashSet;

use super::characters::{self, LETTER, WORD, is, occurrences, split, strip};
use super::recipe::{Step, at_most, least, most};
use super::{Meter, Signals, Text, number, share};

/// What is counted as a symbol.
pub(super) const SYMBOLS: [&str; 4] = ["#", "...", ". . .", "…"];
pub(super) const BULLETS: [char; 4] = ['●', '•', '*', '-'];
pub(super) const ELLIPSES: [&str; 3] = ["...", ". . .", "…"];

/// The rules in their order.
pub(super) fn steps() -> Vec<Step> {
    vec![
        least("dclm_short_doc", "dclm_words", 50.0),
        most("dclm_long_doc", "dclm_words", 100_000.0),
        least("dclm_below_avg_word_length", "dclm_avg_word_length", 3.0),
        most("dclm_above_avg_word_length", "dclm_avg_word_length", 10.0),
        at_most("dclm_symbol_ratio", 0.1),
        at_most("dclm_bullet_lines_ratio", 0.9),
        at_most("dclm_ellipsis_lines_ratio", 0.3),
        at_most("dclm_non_alpha_words_ratio", 0.2),
        least("dclm_stop_words", "dclm_stop_words", 2.0),
        at_most("dclm_dup_line_frac", 0.3),
        at_most("dclm_dup_para_frac", 0.3),
        at_most("dclm_dup_line_char_frac", 0.2),
        at_most("dclm_dup_para_char_frac", 0.2),
        at_most("dclm_top_2_gram", 0.2),
        at_most("dclm_top_3_gram", 0.18),
        at_most("dclm_top_4_gram", 0.16),
        at_most("dclm_duplicated_5_n_grams", 0.15),
        at_most("dclm_duplicated_6_n_grams", 0.14),
        at_most("dclm_duplicated_7_n_grams", 0.13),
        at_most("dclm_duplicated_8_n_grams", 0.12),
        at_most("dclm_duplicated_9_n_grams", 0.11),
        at_most("dclm_duplicated_10_n_grams", 0.1),
    ]
}

pub fn measure(text: &Text, stop_words: Option<&FxHashSet<String>>, meter: &mut Meter, signals: &mut Signals) {
    of_blanks(&text.text, stop_words, signals);
    of_lines(&text.text, signals);
    let (lines, paragraphs) = (text.text.split('\n').map(strip), text.text.split("\n\n").map(strip));
    let lines = copies(lines, characters::count, meter);
    let paragraphs = copies(paragraphs, characters::count, meter);
    (signals.dclm_dup_line_frac, signals.dclm_dup_line_char_frac) = lines;
    (signals.dclm_dup_para_frac, signals.dclm_dup_para_char_frac) = paragraphs;
    signals.dclm_words = number(text.words().filter(|word| is_plain(word)).count());
    of_ngrams(text, meter, signals);
}

/// Whether a word begins with a letter or number (`str.isalnum`).
fn is_plain(word: &str) -> bool {
    word.chars().next().is_some_and(|c| is(c, WORD) && c != '_')
}

/// Signals of the words between blanks.
fn of_blanks(text: &str, stop_words: Option<&FxHashSet<String>>, signals: &mut Signals) {
    let (mut words, mut sum, mut plain) = (0, 0, 0);
    for word in split(text) {
        words += 1;
        sum += characters::count(word);
        plain += usize::from(!word.chars().any(|c| is(c, LETTER)));
    }
    let symbols = SYMBOLS.iter().map(|symbol| occurrences(text, symbol)).sum();
    signals.dclm_avg_word_length = share(sum, words);
    signals.dclm_symbol_ratio = share(symbols, words);
    signals.dclm_non_alpha_words_ratio = share(plain, words);
    signals.dclm_stop_words = stop_words.and_then(|stop_words| occurrences_of(stop_words, split(text)));
}

/// How many of some words are stop words in lower case.
pub(super) fn occurrences_of<'t>(stop_words: &FxHashSet<String>, words: impl Iterator<Item = &'t str>) -> Option<u32> {
    let longest = stop_words.iter().map(String::len).max().unwrap_or(0);
    // A lower-case letter can be shorter than the capital one, but not by more than a few bytes.
    let short = words.filter(|word| word.len() <= longest * 3);
    number(short.filter(|word| stop_words.contains(&word.to_lowercase())).count())
}

fn of_lines(text: &str, signals: &mut Signals) {
    let (mut lines, mut bullets, mut ellipses) = (0, 0, 0);
    for line in text.split('\n').map(strip).filter(|line| !line.is_empty()) {
        lines += 1;
        bullets += usize::from(line.starts_with(BULLETS));
        ellipses += usize::from(ELLIPSES.iter().any(|end| line.ends_with(end)));
    }
    signals.dclm_bullet_lines_ratio = share(bullets, lines);
    signals.dclm_ellipsis_lines_ratio = share(ellipses, lines);
}

/// Share of the parts, without empty ones, that occur more than once, and of their length: all copies of them.
pub(super) fn copies<'t>(
    parts: impl Iterator<Item = &'t str>,
    length: fn(&str) -> usize,
    meter: &mut Meter,
) -> (Option<f64>, Option<f64>) {
    let shown = parts.filter(|part| !part.is_empty());
    let hashed: Vec<(u64, usize)> = shown.map(|part| (meter.keys.text(part.as_bytes()), length(part))).collect();
    let table = &mut meter.table;
    table.clear(hashed.len());
    for (key, _) in &hashed {
        table.add(*key, 0);
    }
    let (mut copied, mut copied_length, mut all) = (0, 0, 0);
    for (key, length) in &hashed {
        all += length;
        if table.count(*key) > 1 {
            copied += 1;
            copied_length += length;
        }
    }
    (share(copied, hashed.len()), share(copied_length, all))
}

fn of_ngrams(text: &Text, meter: &mut Meter, signals: &mut Signals) {
    let ngrams = &mut meter.ngrams;
    let places: Vec<_> = text.words.iter().copied().filter(|place| is_plain(text.word(*place))).collect();
    ngrams.set(&text.text, &places);
    let all = ngrams.words().all().characters as usize;
    let mut top = |n: usize| {
        let top = ngrams.longest_top(n).filter(|top| top.count > 1);
        share(top.map_or(0, |top| top.characters * top.count) as usize, all)
    };
    signals.dclm_top_2_gram = top(2);
    signals.dclm_top_3_gram = top(3);
    signals.dclm_top_4_gram = top(4);
    let mut covered = |n: usize| share(ngrams.covered(n).characters as usize, all);
    signals.dclm_duplicated_5_n_grams = covered(5);
    signals.dclm_duplicated_6_n_grams = covered(6);
    signals.dclm_duplicated_7_n_grams = covered(7);
    signals.dclm_duplicated_8_n_grams = covered(8);
    signals.dclm_duplicated_9_n_grams = covered(9);
    signals.dclm_duplicated_10_n_grams = covered(10);
}
