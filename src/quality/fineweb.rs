//! FineWeb's own filters. Reference: datatrove, `pipeline/filters/fineweb_quality_filter.py`.

use super::characters::{self, TERMINAL, is, strip};
use super::ngrams::{Polynomial, Table};
use super::{Repeats, Signals, share};

/// Most characters of a short line.
const SHORT: usize = 30;

/// `words` is the number of words of the text.
pub fn measure(text: &str, words: usize, table: &mut Table, signals: &mut Signals) {
    let lines = || text.split('\n').filter(|line| !strip(line).is_empty());
    let (mut all, mut ended, mut short) = (0, 0, 0);
    for line in lines() {
        all += 1;
        ended += usize::from(line.ends_with(|c| is(c, TERMINAL)));
        short += usize::from(characters::count(line) <= SHORT);
    }
    let line_ends = text.matches('\n').count();
    let repeats = Repeats::of(lines(), &Polynomial::of(text), table);
    signals.line_punct_ratio = share(ended, all);
    signals.short_line_ratio = share(short, all);
    signals.char_dup_ratio = share(repeats.repeated_characters, characters::count(text) - line_ends);
    signals.list_ratio = share(line_ends, words);
}
