//! Gopher's repetition and quality signals. Reference: datatrove, `pipeline/filters/gopher_repetition_filter.py` and
//! `gopher_quality_filter.py`, with what is particular to them: of n-grams of 2 to 4 words the most frequent one counts
//! even if it occurs once; repeated n-grams of 5 to 10 words are compared without the blanks between their words; shares
//! are of all characters of the text.

use fxhash::FxHashSet;

use super::characters::{self, split_at_runs, strip, strip_end, strip_start};
use super::ngrams::Ngrams;
use super::{Lines, Meter, Repeats, Signals, Text, number, share};

/// Stop words of English texts.
pub const ENGLISH_STOP_WORDS: [&str; 8] = ["the", "be", "to", "of", "and", "that", "have", "with"];

pub fn measure(text: &Text, stop_words: Option<&FxHashSet<String>>, meter: &mut Meter, signals: &mut Signals) {
    let characters = meter.lines.all_characters();
    let paragraphs = if text.text.contains("\n\n") {
        let paragraphs: Vec<&str> = split_at_runs(strip(&text.text), 2).collect();
        let texts = paragraphs.iter().map(|text| (meter.keys.text(text.as_bytes()), characters::count(text)));
        Repeats::of(texts, paragraphs.len(), &mut meter.table)
    } else {
        Repeats { texts: 1, ..Repeats::default() }
    };
    signals.dup_para_frac = share(paragraphs.repeated, paragraphs.texts);
    signals.dup_para_char_frac = share(paragraphs.repeated_characters, characters);
    let lines = Repeats::of_lines(meter.lines.between_runs(), &meter.lines, &mut meter.table);
    signals.dup_line_frac = share(lines.repeated, lines.texts);
    signals.dup_line_char_frac = share(lines.repeated_characters, characters);
    of_ngrams(&mut meter.ngrams, characters, signals);
    of_words(text, meter, stop_words, signals);
    of_lines(&text.text, &meter.lines, signals);
}

fn of_ngrams(ngrams: &mut Ngrams, characters: usize, signals: &mut Signals) {
    let mut top = |n: usize| {
        let top = ngrams.top(n)?;
        share(((top.characters + n as u64 - 1) * top.count) as usize, characters)
    };
    signals.top_2_gram = top(2);
    signals.top_3_gram = top(3);
    signals.top_4_gram = top(4);
    let mut repeated = |n: usize| share(ngrams.repeated(n) as usize, characters);
    signals.duplicated_5_n_grams = repeated(5);
    signals.duplicated_6_n_grams = repeated(6);
    signals.duplicated_7_n_grams = repeated(7);
    signals.duplicated_8_n_grams = repeated(8);
    signals.duplicated_9_n_grams = repeated(9);
    signals.duplicated_10_n_grams = repeated(10);
}

fn of_words(text: &Text, meter: &Meter, stop_words: Option<&FxHashSet<String>>, signals: &mut Signals) {
    let (all, counts) = (text.words().len(), &meter.counts);
    signals.non_symbol_words = number(counts.non_symbols);
    signals.avg_non_symbol_word_length = share(counts.non_symbol_characters, counts.non_symbols);
    signals.hash_word_ratio = share(meter.bytes.count(b'#'), all);
    signals.ellipsis_word_ratio = share(meter.ellipses.dots + meter.ellipses.characters, all);
    signals.alpha_words_ratio = share(counts.alphabetic, all);
    signals.distinct_stop_words = stop_words.and_then(|stop_words| {
        let counted = meter.ngrams.words();
        // The set has words of the list only, so that no text can make its look-ups slow.
        let others = text.words().skip(counted.count()).filter_map(|word| stop_words.get(word));
        let others: FxHashSet<&String> = others.collect();
        number(stop_words.iter().filter(|word| counted.has(word) || others.contains(word)).count())
    });
}

fn of_lines(text: &str, lines: &Lines, signals: &mut Signals) {
    let (mut bullets, mut ellipses) = (0, 0);
    for line in lines.split.iter().map(|line| text.get(line.clone()).unwrap_or_default()) {
        bullets += usize::from(strip_start(line).starts_with(['•', '-']));
        let end = strip_end(line);
        ellipses += usize::from(end.ends_with("...") || end.ends_with('…'));
    }
    signals.bullet_lines_ratio = share(bullets, lines.split.len());
    signals.ellipsis_lines_ratio = share(ellipses, lines.split.len());
}
