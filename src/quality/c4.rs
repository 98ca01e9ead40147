//! C4's filter of lines. Reference: datatrove, `pipeline/filters/c4_filters.py`: a line is judged with the marks of
//! citations taken out, and "lorem ipsum" and `{` count only in lines that passed the tests before theirs.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use regex::Regex;

use super::basic::LINE_ENDS;
use super::characters::{self, split, split_lines, strip};
use super::{Lines, Signals, Text, number};

/// Marks of citations in Wikipedia.
static CITATION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\[\d*\]|\[edit\]|\[citation needed\]").expect("a test compiles it"));

/// Lower-case phrases that decide about lines: placeholder text, scripts, and notices about terms and cookies.
static PHRASES: LazyLock<[Finder; 8]> = LazyLock::new(|| {
    [
        "lorem ipsum",
        "javascript",
        "terms of use",
        "privacy policy",
        "cookie policy",
        "uses cookies",
        "use of cookies",
        "use cookies",
    ]
    .map(Finder::new)
});

/// A line with a longer word goes, in characters.
const LONGEST_WORD: usize = 1000;
/// A line of fewer words goes.
const FEWEST_WORDS: usize = 3;

/// What the filter makes of a text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filtered {
    /// The lines that stay, joined by LF, without marks of citations and without white space at either end.
    pub text: String,
    /// Words of these lines.
    pub words: usize,
    /// Byte ranges in the text before of the lines that stay.
    pub kept: Vec<Range<usize>>,
    /// Sentences that begin in these lines.
    pub sentences: usize,
    pub lorem_ipsum: usize,
    pub curly_bracket: usize,
    /// Name of the first rule that drops the document for one of its lines.
    pub dropped: Option<&'static str>,
}

/// What happens to a line.
enum Line {
    Kept,
    Removed,
    LoremIpsum,
    CurlyBracket,
}

pub fn measure(text: &Text, lines: &Lines, signals: &mut Signals) {
    let filtered = filter(text, true);
    signals.c4_kept_lines = number(filtered.kept.len());
    signals.c4_sentences = number(filtered.sentences);
    signals.c4_lorem_ipsum_lines = number(filtered.lorem_ipsum);
    signals.c4_curly_bracket_lines = number(filtered.curly_bracket);
    let mut longest = [0; 3];
    for length in lines.iter().map(|line| line.characters) {
        if let Some(at) = longest.iter().position(|other| *other < length) {
            longest.get_mut(at..).into_iter().for_each(|rest| rest.rotate_right(1));
            longest.get_mut(at).into_iter().for_each(|slot| *slot = length);
        }
    }
    signals.c4_third_longest_line = longest.last().and_then(|length| number(*length));
}

/// Filters the lines of a text. With `needs_end`, a line must end like a sentence, as in C4; FineWeb does not ask for it.
pub fn filter(text: &Text, needs_end: bool) -> Filtered {
    let mut filtered = Filtered::default();
    let start = text.text.as_ptr() as usize;
    let mut joined = String::new();
    for whole in split_lines(&text.text) {
        let line = strip(whole);
        // A line is a part of the text.
        let begin = whole.as_ptr() as usize - start;
        let range = begin..begin + whole.len();
        let without = without_citations(line);
        match judge(line, &without, needs_end) {
            Line::Removed => {}
            Line::LoremIpsum => {
                filtered.lorem_ipsum += 1;
                filtered.dropped = filtered.dropped.or(Some("lorem_ipsum"));
            }
            Line::CurlyBracket => {
                filtered.curly_bracket += 1;
                filtered.dropped = filtered.dropped.or(Some("curly_bracket"));
            }
            Line::Kept => {
                let (words, sentences) = segments(text, &range, line.len() == without.len());
                filtered.words += words;
                filtered.sentences += sentences;
                filtered.kept.push(range);
                joined.push_str(&without);
                joined.push('\n');
            }
        }
    }
    filtered.text = strip(&joined).to_string();
    filtered
}

fn without_citations(line: &str) -> Cow<'_, str> {
    if line.contains('[') { CITATION.replace_all(line, "") } else { line.into() }
}

/// Numbers of words and sentences of a line, those left out that are marks of citations and nothing else.
fn segments(text: &Text, line: &Range<usize>, no_citation: bool) -> (usize, usize) {
    let (words, sentences) = (text.words_in(line), text.sentences_in(line));
    if no_citation {
        return (words.len(), sentences.len());
    }
    let part = |begin: u32, end: usize| text.text.get(begin as usize..end).unwrap_or_default();
    let cited: Vec<Range<usize>> =
        CITATION.find_iter(part(line.start as u32, line.end)).map(|mark| mark.range()).collect();
    let is_left = |&&(begin, end): &&(u32, u32)| {
        let [begin, end] = [begin, end].map(|at| at as usize - line.start);
        let mark = cited.get(cited.partition_point(|mark| mark.end < end));
        mark.is_none_or(|mark| mark.start > begin)
    };
    let ends = sentences.iter().skip(1).map(|next| *next as usize).chain([line.end]);
    let has_text = |(begin, end): &(&u32, usize)| !strip(&without_citations(part(**begin, *end))).is_empty();
    (words.iter().filter(is_left).count(), sentences.iter().zip(ends).filter(has_text).count())
}

/// A line in lower case, as far as its ASCII letters are concerned: phrases have no others.
fn lower_case(line: &str) -> String {
    // The two characters beyond ASCII that become ASCII letters.
    let becomes_ascii = |c| matches!(c, '\u{130}' | '\u{212A}');
    let has_them = !line.is_ascii() && line.contains(becomes_ascii);
    if has_them { line.to_lowercase() } else { line.to_ascii_lowercase() }
}

/// `line` is without white space at its ends, `without` is that without marks of citations.
fn judge(line: &str, without: &str, needs_end: bool) -> Line {
    if line.len() > LONGEST_WORD && split(line).any(|word| characters::count(word) > LONGEST_WORD) {
        return Line::Removed;
    }
    if needs_end && (!without.ends_with(LINE_ENDS) || without.ends_with("...")) {
        return Line::Removed;
    }
    if split(line).take(FEWEST_WORDS).count() < FEWEST_WORDS {
        return Line::Removed;
    }
    let lower = lower_case(without);
    let has = |finder: &Finder| finder.find(lower.as_bytes()).is_some();
    let [lorem_ipsum, javascript, policies @ ..] = &*PHRASES;
    if has(lorem_ipsum) {
        Line::LoremIpsum
    } else if has(javascript) {
        Line::Removed
    } else if without.contains('{') {
        Line::CurlyBracket
    } else if policies.iter().any(has) {
        Line::Removed
    } else {
        Line::Kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::{Group, Meter};

    fn text(lines: &[&str]) -> Text {
        let text = lines.join("\n");
        let place = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
        let words: Vec<_> = split(&text).map(|word| (place(word) as u32, (place(word) + word.len()) as u32)).collect();
        let sentences: Vec<_> = text.split('\n').map(|line| place(line) as u32).collect();
        Text::given(&text, &words, &sentences)
    }

    #[test]
    fn lines_are_judged_one_by_one() {
        let text = text(&[
            "A line that stays [12] as it is.",
            "Enable JavaScript to see this page.",
            "No end of a sentence here",
            "Two words.",
            "We use cookies, says our Privacy Policy.",
            "It goes on...",
            "\u{a0}It ends with a mark![1]",
        ]);
        let filtered = filter(&text, true);
        assert_eq!(filtered.text, "A line that stays  as it is.\nIt ends with a mark!");
        assert_eq!((filtered.words, filtered.sentences, filtered.dropped), (7 + 5, 2, None));
        let kept: Vec<&str> = filtered.kept.iter().map(|range| &text.text[range.clone()]).collect();
        assert_eq!(kept, ["A line that stays [12] as it is.", "\u{a0}It ends with a mark![1]"]);
        assert_eq!(filter(&text, false).kept.len(), 4);
    }

    #[test]
    fn a_bracket_counts_only_where_a_line_comes_so_far() {
        assert_eq!(filter(&text(&["if (a) { b", "One more line here."]), true).dropped, None);
        assert_eq!(filter(&text(&["if (a) { b", "Some lorem ipsum here."]), false).dropped, Some("curly_bracket"));
        assert_eq!(filter(&text(&["Some Lorem Ipsum here.", "if (a) { b;\""]), true).dropped, Some("lorem_ipsum"));
    }

    #[test]
    fn the_third_longest_line() {
        let third = |lines: &[&str]| {
            let mut signals = Signals::default();
            Meter::default().measure(&[Group::C4], &text(lines), None, &mut signals);
            signals.c4_third_longest_line
        };
        assert_eq!(third(&["12345", "1", "123", "1234", "123456"]), Some(4));
        assert_eq!(third(&["12345"]), Some(0));
    }
}
