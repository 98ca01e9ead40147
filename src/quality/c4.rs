//! C4's filter of lines. Reference: datatrove, `pipeline/filters/c4_filters.py`: a line is judged with the marks of
//! citations taken out, and "lorem ipsum" and `{` count only in lines that passed the tests before theirs.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};
use regex::Regex;

use super::basic::LINE_ENDS;
use super::characters::{self, ByteCounts, split, split_lines, strip};
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

/// Parts of these phrases. A text without any of them has no phrase.
static STEMS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("lorem ipsum|javascript|terms of use|privacy policy|cookie").expect("a test compiles it")
});

/// A line with a longer word goes, in characters.
const LONGEST_WORD: usize = 1000;
/// A line of fewer words goes.
const FEWEST_WORDS: usize = 3;

/// What the filter makes of a text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filtered {
    /// Byte ranges in the text before of the lines that stay.
    pub kept: Vec<Range<usize>>,
    /// Sentences that begin in these lines.
    pub sentences: usize,
    pub lorem_ipsum: usize,
    pub curly_bracket: usize,
    /// Name of the first rule that drops the document for one of its lines.
    pub dropped: Option<&'static str>,
}

impl Filtered {
    /// Number of the words of the lines that stay.
    pub fn words(&self, text: &Text) -> usize {
        self.kept.iter().map(|line| words(text, line)).sum()
    }

    /// The lines that stay, joined by LF, without marks of citations and without white space at either end.
    pub fn text(&self, text: &str) -> String {
        let lines = self.kept.iter().map(|line| strip(text.get(line.clone()).unwrap_or_default()));
        let lines: Vec<Cow<'_, str>> = lines.map(without_citations).collect();
        strip(&lines.join("\n")).to_string()
    }
}

/// What happens to a line.
enum Line {
    Kept,
    Removed,
    LoremIpsum,
    CurlyBracket,
}

pub fn measure(text: &Text, lines: &Lines, signals: &mut Signals) {
    let filtered = filter_lines(text, &lines.split, true);
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
    filter_lines(text, &split_lines(&text.text, &ByteCounts::of(&text.text)), needs_end)
}

fn filter_lines(text: &Text, lines: &[Range<usize>], needs_end: bool) -> Filtered {
    let mut filtered = Filtered::default();
    let phrases = Phrases::in_text(&text.text);
    for range in lines {
        let line = strip(text.text.get(range.clone()).unwrap_or_default());
        let without = if phrases.citation { without_citations(line) } else { line.into() };
        // A mark of a citation can part a phrase.
        let has_phrase = phrases.phrase || matches!(without, Cow::Owned(_));
        match judge(line, &without, needs_end, Phrases { phrase: has_phrase, ..phrases }) {
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
                filtered.sentences += sentences(text, range, phrases);
                filtered.kept.push(range.clone());
            }
        }
    }
    filtered
}

fn without_citations(line: &str) -> Cow<'_, str> {
    if line.contains('[') { CITATION.replace_all(line, "") } else { line.into() }
}

/// Number of the words of a line, but for those that are part of a mark of a citation.
fn words(text: &Text, line: &Range<usize>) -> usize {
    let words = text.words_in(line);
    let cited: Vec<Range<usize>> = CITATION.find_iter(part(text, line)).map(|mark| mark.range()).collect();
    let is_left = |&&(begin, end): &&(u32, u32)| {
        let [begin, end] = [begin, end].map(|at| at as usize - line.start);
        let mark = cited.get(cited.partition_point(|mark| mark.end < end));
        mark.is_none_or(|mark| mark.start > begin)
    };
    if cited.is_empty() { words.len() } else { words.iter().filter(is_left).count() }
}

/// Number of the sentences of a line, but for those that are marks of citations and nothing else.
fn sentences(text: &Text, line: &Range<usize>, phrases: Phrases) -> usize {
    let sentences = text.sentences_in(line);
    if !phrases.citation || !part(text, line).contains('[') {
        return sentences.len();
    }
    let ends = sentences.iter().skip(1).map(|next| *next as usize).chain([line.end]);
    let has_text =
        |(begin, end): &(&u32, usize)| !strip(&without_citations(part(text, &(**begin as usize..*end)))).is_empty();
    sentences.iter().zip(ends).filter(has_text).count()
}

fn part<'t>(text: &'t Text, place: &Range<usize>) -> &'t str {
    text.text.get(place.clone()).unwrap_or_default()
}

/// What decides about lines, as far as a whole text has it: most texts have nothing, and their lines are not searched.
#[derive(Clone, Copy)]
struct Phrases {
    phrase: bool,
    bracket: bool,
    /// Perhaps a mark of a citation.
    citation: bool,
}

impl Phrases {
    fn in_text(text: &str) -> Phrases {
        let lower = lower_case(text);
        let [bracket, citation] = [b'{', b'['].map(|mark| memchr::memchr(mark, text.as_bytes()).is_some());
        Phrases { phrase: STEMS.is_match(&lower), bracket, citation }
    }
}

/// A text in lower case, as far as its ASCII letters are concerned: phrases have no others.
fn lower_case(text: &str) -> String {
    // The two characters beyond ASCII that become ASCII letters.
    let has = |c: &str| memmem::find(text.as_bytes(), c.as_bytes()).is_some();
    if !text.is_ascii() && (has("\u{130}") || has("\u{212A}")) {
        text.to_lowercase()
    } else {
        text.to_ascii_lowercase()
    }
}

/// `line` is without white space at its ends, `without` is that without marks of citations.
fn judge(line: &str, without: &str, needs_end: bool, phrases: Phrases) -> Line {
    if line.len() > LONGEST_WORD && split(line).any(|word| characters::count(word) > LONGEST_WORD) {
        return Line::Removed;
    }
    if needs_end && (!without.ends_with(LINE_ENDS) || without.ends_with("...")) {
        return Line::Removed;
    }
    if split(line).take(FEWEST_WORDS).count() < FEWEST_WORDS {
        return Line::Removed;
    }
    let lower = if phrases.phrase { lower_case(without) } else { String::new() };
    let has = |finder: &Finder| phrases.phrase && finder.find(lower.as_bytes()).is_some();
    let [lorem_ipsum, javascript, policies @ ..] = &*PHRASES;
    if has(lorem_ipsum) {
        Line::LoremIpsum
    } else if has(javascript) {
        Line::Removed
    } else if phrases.bracket && without.contains('{') {
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
    use crate::quality::{Group, Lists, Meter};

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
        assert_eq!(filtered.text(&text.text), "A line that stays  as it is.\nIt ends with a mark!");
        assert_eq!((filtered.words(&text), filtered.sentences, filtered.dropped), (7 + 5, 2, None));
        let kept: Vec<&str> = filtered.kept.iter().map(|range| &text.text[range.clone()]).collect();
        assert_eq!(kept, ["A line that stays [12] as it is.", "\u{a0}It ends with a mark![1]"]);
        assert_eq!(filter(&text, false).kept.len(), 4);
    }

    #[test]
    fn every_phrase_has_a_stem() {
        for phrase in PHRASES.iter() {
            assert!(STEMS.is_match(str::from_utf8(phrase.needle()).unwrap()), "{phrase:?}");
        }
    }

    #[test]
    fn a_bracket_counts_only_where_a_line_comes_so_far() {
        assert_eq!(filter(&text(&["if (a) { b", "One more line here."]), true).dropped, None);
        assert_eq!(filter(&text(&["if (a) { b", "Some lorem ipsum here."]), false).dropped, Some("curly_bracket"));
        assert_eq!(filter(&text(&["Some lorem [1]ipsum here."]), true).dropped, Some("lorem_ipsum"));
        assert_eq!(filter(&text(&["Some Lorem Ipsum here.", "if (a) { b;\""]), true).dropped, Some("lorem_ipsum"));
    }

    #[test]
    fn the_third_longest_line() {
        let third = |lines: &[&str]| {
            let mut signals = Signals::default();
            Meter::default().measure(&[Group::C4], &text(lines), Lists::default(), &mut signals);
            signals.c4_third_longest_line
        };
        assert_eq!(third(&["12345", "1", "123", "1234", "123456"]), Some(4));
        assert_eq!(third(&["12345"]), Some(0));
    }
}
