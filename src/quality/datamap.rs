//! Gopher's rules as datamap-rs computes them. Reference: datamap-rs, `src/map_fxn.rs`, in the order and with the thresholds of
//! `configs/all_dressed/all_dressed_config.yaml`. It follows DCLM, but lengths of words and lines are in bytes, lines keep the
//! blanks at their ends, and of the most frequent n-gram the words that it covers count, each once.

use fxhash::FxHashSet;

use super::characters::{self, WORD, is, occurrences};
use super::dclm::{BULLETS, ELLIPSES, SYMBOLS, copies, occurrences_of};
use super::recipe::{Step, at_most, least, most};
use super::{Meter, Signals, Text, number, share};

/// The rules in their order.
pub(super) fn steps() -> Vec<Step> {
    vec![
        least("datamap_few_characters", "datamap_characters", 150.0),
        least("datamap_short_doc", "datamap_words", 50.0),
        most("datamap_long_doc", "datamap_words", 100_000.0),
        least("datamap_below_avg_word_length", "datamap_avg_word_length", 3.0),
        most("datamap_above_avg_word_length", "datamap_avg_word_length", 10.0),
        at_most("datamap_symbol_ratio", 0.1),
        at_most("datamap_bullet_lines_ratio", 0.9),
        at_most("datamap_ellipsis_lines_ratio", 0.3),
        at_most("datamap_non_alpha_words_ratio", 0.2),
        least("datamap_stop_words", "datamap_stop_words", 2.0),
        at_most("datamap_dup_line_frac", 0.3),
        at_most("datamap_dup_para_frac", 0.3),
        at_most("datamap_dup_line_char_frac", 0.2),
        at_most("datamap_dup_para_char_frac", 0.2),
        at_most("datamap_top_2_gram", 0.2),
        at_most("datamap_top_3_gram", 0.18),
        at_most("datamap_top_4_gram", 0.16),
        at_most("datamap_duplicated_5_n_grams", 0.15),
        at_most("datamap_duplicated_6_n_grams", 0.14),
        at_most("datamap_duplicated_7_n_grams", 0.13),
        at_most("datamap_duplicated_8_n_grams", 0.12),
        at_most("datamap_duplicated_9_n_grams", 0.11),
        at_most("datamap_duplicated_10_n_grams", 0.1),
    ]
}

pub fn measure(text: &Text, stop_words: Option<&FxHashSet<String>>, meter: &mut Meter, signals: &mut Signals) {
    let words: Vec<(u32, u32)> = text.words.iter().copied().filter(|place| is_word(text.word(*place))).collect();
    let counted = if text.text.is_ascii() { runs(&text.text) } else { words.len() };
    signals.datamap_characters = number(characters::count(&text.text));
    signals.datamap_words = number(counted);
    of_blanks(&text.text, signals);
    signals.datamap_stop_words = stop_words.and_then(|all| occurrences_of(all, text.text.split_whitespace()));
    of_lines(&text.text, signals);
    let lines = copies(text.text.split('\n'), str::len, meter);
    let paragraphs = copies(paragraphs(&text.text), str::len, meter);
    (signals.datamap_dup_line_frac, signals.datamap_dup_line_char_frac) = lines;
    (signals.datamap_dup_para_frac, signals.datamap_dup_para_char_frac) = paragraphs;
    of_ngrams(text, &words, meter, signals);
}

/// Whether a word has a letter or number.
fn is_word(word: &str) -> bool {
    word.chars().any(|c| is(c, WORD) && c != '_')
}

/// The runs of letters and digits, which the reference takes for words in a text of ASCII.
fn runs(text: &str) -> usize {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|run| !run.is_empty()).count()
}

/// The parts between runs of empty lines: the reference shortens these to one before.
fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    text.split("\n\n").map(|part| part.trim_start_matches('\n'))
}

/// Signals of the words between blanks.
fn of_blanks(text: &str, signals: &mut Signals) {
    let (mut words, mut bytes, mut plain) = (0, 0, 0);
    for word in text.split_whitespace() {
        words += 1;
        bytes += word.len();
        plain += usize::from(!word.contains(char::is_alphabetic));
    }
    // For the symbols alone, the points of `. . .` are one word.
    let joined = if text.contains(". . .") { text.replace(". . .", "...").split_whitespace().count() } else { words };
    let symbols = SYMBOLS.iter().map(|symbol| occurrences(text, symbol)).sum();
    signals.datamap_avg_word_length = share(bytes, words);
    signals.datamap_symbol_ratio = share(symbols, joined);
    // A text of one word has none with a letter, whatever it is.
    signals.datamap_non_alpha_words_ratio = if words == 1 { Some(1.0) } else { share(plain, words) };
}

fn of_lines(text: &str, signals: &mut Signals) {
    let bullets = text.split('\n').filter(|line| line.starts_with(BULLETS)).count();
    let shown = || text.lines().filter(|line| !line.is_empty());
    let ellipses = shown().filter(|line| ELLIPSES.iter().any(|end| line.ends_with(end))).count();
    signals.datamap_bullet_lines_ratio = share(bullets, text.split('\n').count());
    signals.datamap_ellipsis_lines_ratio = share(ellipses, shown().count());
}

fn of_ngrams(text: &Text, words: &[(u32, u32)], meter: &mut Meter, signals: &mut Signals) {
    let ngrams = &mut meter.ngrams;
    ngrams.set(&text.text, words);
    let all = ngrams.words().all().bytes as usize;
    let mut top = |n: usize| share(ngrams.covered_by_top(n).bytes as usize, all);
    signals.datamap_top_2_gram = top(2);
    signals.datamap_top_3_gram = top(3);
    signals.datamap_top_4_gram = top(4);
    let mut covered = |n: usize| share(ngrams.covered(n).bytes as usize, all);
    signals.datamap_duplicated_5_n_grams = covered(5);
    signals.datamap_duplicated_6_n_grams = covered(6);
    signals.datamap_duplicated_7_n_grams = covered(7);
    signals.datamap_duplicated_8_n_grams = covered(8);
    signals.datamap_duplicated_9_n_grams = covered(9);
    signals.datamap_duplicated_10_n_grams = covered(10);
}
