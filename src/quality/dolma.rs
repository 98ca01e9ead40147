//! Gopher's rules as Dolma computes them. Reference: dolma, `python/dolma/taggers/gopher.py` (`gopher_v1`), with the thresholds of
//! Dolma's mixers. Unlike datatrove: words are those between blanks, of whose lengths the median counts; a word with a symbol
//! counts once; all copies of a line count, empty ones, too; characters of lines are those with blanks, by those without, so
//! that their share can exceed 1; repeated n-grams overlap.

use fxhash::FxHashSet;

use super::characters::{self, LETTER, is, split, split_places};
use super::recipe::{Step, at_most, least, most};
use super::{Meter, Signals, number, share};

/// The rules in their order.
pub(super) fn steps() -> Vec<Step> {
    vec![
        least("dolma_short_doc", "dolma_words", 50.0),
        most("dolma_long_doc", "dolma_words", 100_000.0),
        least("dolma_below_median_word_length", "dolma_median_word_length", 3.0),
        most("dolma_above_median_word_length", "dolma_median_word_length", 10.0),
        at_most("dolma_symbol_ratio", 0.1),
        least("dolma_alpha_words_ratio", "dolma_alpha_words_ratio", 0.8),
        least("dolma_stop_words", "dolma_stop_words", 2.0),
        at_most("dolma_bullet_lines_ratio", 0.9),
        at_most("dolma_ellipsis_lines_ratio", 0.3),
        at_most("dolma_dup_line_frac", 0.3),
        at_most("dolma_dup_line_char_frac", 0.3),
        at_most("dolma_top_2_gram", 0.2),
        at_most("dolma_top_3_gram", 0.18),
        at_most("dolma_top_4_gram", 0.16),
        at_most("dolma_duplicated_5_n_grams", 0.15),
        at_most("dolma_duplicated_6_n_grams", 0.14),
        at_most("dolma_duplicated_7_n_grams", 0.13),
        at_most("dolma_duplicated_8_n_grams", 0.12),
        at_most("dolma_duplicated_9_n_grams", 0.11),
        at_most("dolma_duplicated_10_n_grams", 0.1),
    ]
}

pub fn measure(text: &str, stop_words: Option<&FxHashSet<String>>, meter: &mut Meter, signals: &mut Signals) {
    let characters = of_words(text, stop_words, signals);
    of_lines(text, characters, meter, signals);
    of_ngrams(text, meter, signals);
}

/// Returns the characters of all words.
fn of_words(text: &str, stop_words: Option<&FxHashSet<String>>, signals: &mut Signals) -> usize {
    let (mut lengths, mut symbols, mut alphabetic, mut stops) = (Vec::new(), 0, 0, 0);
    for word in split(text) {
        lengths.push(characters::count(word));
        symbols += usize::from(word.contains(['#', '…']));
        alphabetic += usize::from(word.chars().any(|c| is(c, LETTER)));
        stops += usize::from(stop_words.is_some_and(|all| all.contains(word)));
    }
    let (words, sum) = (lengths.len(), lengths.iter().sum());
    signals.dolma_words = number(words);
    signals.dolma_median_word_length = median(&mut lengths);
    signals.dolma_symbol_ratio = share(symbols, words);
    signals.dolma_alpha_words_ratio = share(alphabetic, words);
    signals.dolma_stop_words = stop_words.and_then(|_| number(stops));
    sum
}

/// The middle one of some numbers, or the mean of the two in the middle.
fn median(numbers: &mut [usize]) -> Option<f64> {
    let (middle, even) = (numbers.len() / 2, numbers.len().is_multiple_of(2));
    if numbers.is_empty() {
        return None;
    }
    let (below, upper, _) = numbers.select_nth_unstable(middle);
    let lower = if even { below.iter().max().copied().unwrap_or(*upper) } else { *upper };
    Some((lower + *upper) as f64 / 2.0)
}

fn of_lines(text: &str, characters: usize, meter: &mut Meter, signals: &mut Signals) {
    let (mut lines, mut bullets, mut ellipses) = (0, 0, 0);
    for line in text.split('\n') {
        lines += 1;
        bullets += usize::from(line.starts_with(['*', '-']));
        ellipses += usize::from(line.ends_with('…'));
    }
    let Meter { lines: known, table, .. } = meter;
    table.clear(lines);
    for line in known.iter() {
        table.add(line.hash, 0);
    }
    let copies = || known.iter().filter(|line| table.count(line.hash) > 1);
    let copied_characters = copies().map(|line| line.characters).sum();
    signals.dolma_bullet_lines_ratio = share(bullets, lines);
    signals.dolma_ellipsis_lines_ratio = share(ellipses, lines);
    signals.dolma_dup_line_frac = share(copies().count(), lines);
    signals.dolma_dup_line_char_frac = share(copied_characters, characters);
}

fn of_ngrams(text: &str, meter: &mut Meter, signals: &mut Signals) {
    let ngrams = &mut meter.ngrams;
    ngrams.set(text, &split_places(text));
    let all = ngrams.words().all().characters as usize;
    let mut top = |n: usize| ngrams.top(n).and_then(|top| share((top.characters * top.count) as usize, all));
    signals.dolma_top_2_gram = top(2);
    signals.dolma_top_3_gram = top(3);
    signals.dolma_top_4_gram = top(4);
    let mut copied = |n: usize| {
        let (copied, all) = ngrams.copied(n);
        share(copied as usize, all as usize)
    };
    signals.dolma_duplicated_5_n_grams = copied(5);
    signals.dolma_duplicated_6_n_grams = copied(6);
    signals.dolma_duplicated_7_n_grams = copied(7);
    signals.dolma_duplicated_8_n_grams = copied(8);
    signals.dolma_duplicated_9_n_grams = copied(9);
    signals.dolma_duplicated_10_n_grams = copied(10);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_numbers() {
        for (mut numbers, wanted) in
            [(vec![], None), (vec![3], Some(3.0)), (vec![9, 1, 4], Some(4.0)), (vec![7, 1, 2, 9], Some(4.5))]
        {
            assert_eq!(median(&mut numbers), wanted);
        }
    }
}
