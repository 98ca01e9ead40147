//! Sizes and shares of a text. Reference: datatrove, `pipeline/stats/{doc,line,word,sentence}_stats.py`; lines are parted
//! by LF alone, and empty ones count.

use super::characters::{DIGIT, LETTER, PUNCTUATION, SPACE, UPPER, beyond_ascii, properties, strip_start};
use super::{Meter, Repeats, Signals, Text, number, share};

/// What ends a line for C4 and for `lines_ending_with_terminal_mark_ratio`.
pub const LINE_ENDS: [char; 5] = ['.', '?', '!', '"', '\''];

pub fn measure(text: &Text, meter: &mut Meter, signals: &mut Signals) {
    of_characters(&text.text, meter, signals);
    of_lines(&text.text, meter, signals);
    of_words(text, meter, signals);
    signals.n_sentences = number(text.sentences.len());
}

fn of_characters(text: &str, meter: &Meter, signals: &mut Signals) {
    let (mut all, mut spaces, mut others, mut digits, mut upper, mut marks) = (0, 0, 0, 0, 0, 0);
    let mut count = |c: char, times: usize| {
        let own = properties(c);
        let has = |bits: u16| if own & bits == 0 { 0 } else { times };
        all += times;
        spaces += has(SPACE);
        others += times - has(LETTER | DIGIT);
        digits += has(DIGIT);
        upper += has(UPPER);
        marks += has(PUNCTUATION);
    };
    // Most characters are of few kinds, and one byte long.
    meter.bytes.ascii().for_each(|(c, times)| count(c, times));
    if !meter.bytes.are_ascii() {
        beyond_ascii(text, |c| count(c, 1));
    }
    signals.length = number(all);
    signals.white_space_ratio = share(spaces, all);
    signals.non_alpha_digit_ratio = share(others, all);
    signals.digit_ratio = share(digits, all);
    signals.uppercase_ratio = share(upper, all);
    signals.elipsis_ratio = share(meter.ellipses.dots * 3 + meter.ellipses.characters, all);
    signals.punctuation_ratio = share(marks, all);
}

fn of_lines(text: &str, meter: &mut Meter, signals: &mut Signals) {
    let (mut lines, mut ended, mut bullets, mut sum) = (0, 0, 0, 0);
    let (mut upto_10, mut upto_30, mut from_2000, mut from_10000) = (0, 0, 0, 0);
    for (line, length) in meter.lines.iter().map(|line| (line.of(text), line.characters)) {
        let add = |count: &mut usize, is: bool| *count += usize::from(is);
        sum += length;
        add(&mut lines, true);
        add(&mut upto_10, length <= 10);
        add(&mut upto_30, length <= 30);
        add(&mut from_2000, length >= 2000);
        add(&mut from_10000, length >= 10_000);
        add(&mut ended, line.ends_with(LINE_ENDS));
        add(&mut bullets, strip_start(line).starts_with(['-', '*', '•']));
    }
    let repeats = Repeats::of_lines(meter.lines.iter(), &meter.lines, &mut meter.table);
    signals.n_lines = number(lines);
    signals.avg_line_length = share(sum, lines);
    signals.short_line_ratio_chars_10 = share(upto_10, lines);
    signals.short_line_ratio_chars_30 = share(upto_30, lines);
    signals.long_line_ratio_chars_2000 = share(from_2000, lines);
    signals.long_line_ratio_chars_10000 = share(from_10000, lines);
    signals.lines_ending_with_terminal_mark_ratio = share(ended, lines);
    signals.bullet_point_lines_ratio = share(bullets, lines);
    signals.line_duplicates = share(repeats.repeated, lines);
    signals.line_char_duplicates = share(repeats.repeated_characters, sum);
}

fn of_words(text: &Text, meter: &mut Meter, signals: &mut Signals) {
    let words = text.words().len();
    let counts = meter.counts;
    let lines = meter.lines.split.len();
    signals.n_words = number(words);
    signals.avg_word_length = share(counts.characters, words);
    signals.avg_words_per_line = share(words, lines);
    signals.short_word_ratio_3 = share(counts.short, words);
    signals.long_word_ratio_7 = share(counts.long, words);
    signals.uppercase_word_ratio = share(counts.upper, words);
    signals.capitalized_word_ratio = share(counts.title, words);
    signals.type_token_ratio = share(meter.ngrams.words().types().len(), meter.ngrams.words().count());
}
