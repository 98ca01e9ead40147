//! FineWeb's own filters. Reference: datatrove, `pipeline/filters/fineweb_quality_filter.py`.

use super::key_counts::Table;
use super::{Line, Lines, Repeats, Signals, share};

/// Most characters of a short line.
const SHORT: usize = 30;

/// `words` is the number of words of the text.
pub fn measure(lines: &Lines, words: usize, table: &mut Table, signals: &mut Signals) {
    let shown = || lines.iter().filter(|line| !line.is_blank);
    let count = |is: fn(&Line) -> bool| shown().filter(|line| is(line)).count();
    let all = count(|_| true);
    let characters = lines.iter().map(|line| line.characters).sum();
    let repeats = Repeats::of_lines(shown(), lines, table);
    signals.line_punct_ratio = share(count(|line| line.ends_sentence), all);
    signals.short_line_ratio = share(count(|line| line.characters <= SHORT), all);
    signals.char_dup_ratio = share(repeats.repeated_characters, characters);
    signals.list_ratio = share(lines.iter().count() - 1, words);
}
