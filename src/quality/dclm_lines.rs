//! DCLM's removal of lines, which follows its rules of Gopher. Reference: DCLM, `baselines/mappers/modifiers.py`, in the order
//! of `dclm_baseline_refinedweb.yaml`; a document from which it takes more than 5 % of the words is dropped
//! (`word_removal_ratio_filter`). Words are those of fastText: parted by ASCII white space and NUL, and only those count that
//! begin with a letter or number.
//!
//! The points of "Read more..." are not escaped in the reference and stand for any three characters.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::characters::{self, DECIMAL, DIGIT, SPACE, UPPER, WORD, is, split, strip, strip_end, strip_start};
use super::recipe::{Step, at_most};
use super::{Signals, dclm, number};

/// A line with more digits than this is a number.
const NUMERIC: f64 = 0.999_999;
/// A line of fewer words goes.
const FEWEST_WORDS: usize = 2;
/// Phrases are taken out of lines of at most so many words.
const MOST_WORDS: usize = 10;
/// What a counter counts.
const COUNTED: [&str; 12] = [
    "likes",
    "shares",
    "comments",
    "retweets",
    "reposts",
    "quotes",
    "bookmarks",
    "upvotes",
    "downvotes",
    "downloads",
    "views",
    "followers",
];

/// Phrases in their order, with at most one space before or behind them. `i` stands for dotless and dotted ones, too, as Python
/// has it where case does not count.
static PHRASES: LazyLock<[Regex; 3]> = LazyLock::new(|| {
    [
        r"(?i)[\s\x1c-\x1f]?[iıİ]tems [iıİ]n cart",
        r"(?i)[\s\x1c-\x1f]?read more...$",
        r"(?i)^s[iıİ]gn-[iıİ]n[\s\x1c-\x1f]?",
    ]
    .map(|phrase| Regex::new(phrase).expect("a test compiles it"))
});

/// Gopher's rules as in DCLM, the share of the words that is removed, and the removal.
pub(super) fn steps() -> Vec<Step> {
    let mut steps = dclm::steps();
    steps.extend([at_most("dclm_removed_words_ratio", 0.05), Step::DclmLines]);
    steps
}

/// What the removal makes of a text.
#[derive(Debug, Default, PartialEq)]
pub struct Filtered {
    /// Byte ranges in the text before of the lines of which something stays.
    pub kept: Vec<Range<usize>>,
    /// Lines that are removed for capitals, for digits, as counters, for fewer than two words, and for a phrase.
    pub removed: [usize; 5],
    /// Words of the text that is left.
    pub words: usize,
}

/// A line that is not removed so far.
struct Line<'t> {
    range: Range<usize>,
    text: Cow<'t, str>,
}

pub fn measure(text: &str, signals: &mut Signals) {
    let filtered = filter(text);
    let [uppercase, numeric, counters, short, phrases] = filtered.removed.map(number);
    let words = words(text);
    signals.dclm_uppercase_lines = uppercase;
    signals.dclm_numeric_lines = numeric;
    signals.dclm_counter_lines = counters;
    signals.dclm_short_lines = short;
    signals.dclm_phrase_lines = phrases;
    // A text without words is dropped, too.
    let removed = words as f64 - filtered.words as f64;
    signals.dclm_removed_words_ratio = Some(if words > 0 { removed / words as f64 } else { 1.0 });
}

pub fn filter(text: &str) -> Filtered {
    let line = |range: Range<usize>| Line { text: text.get(range.clone()).unwrap_or_default().into(), range };
    let mut lines: Vec<Line> = characters::lines(text).map(line).collect();
    // The reference takes white space from the ends of the text after each step but the fourth.
    let uppercase = remove(&mut lines, is_uppercase);
    take_blanks(&mut lines);
    let numeric = remove(&mut lines, is_numeric);
    take_blanks(&mut lines);
    let counters = remove(&mut lines, is_counter);
    take_blanks(&mut lines);
    let short = remove(&mut lines, |line| !line.is_empty() && split(line).take(FEWEST_WORDS).count() < FEWEST_WORDS);
    let mut phrases = 0;
    for phrase in &*PHRASES {
        phrases += take_out(&mut lines, phrase);
        take_blanks(&mut lines);
    }
    let words = lines.iter().map(|line| words(&line.text)).sum();
    let kept = lines.into_iter().filter(|line| !strip(&line.text).is_empty()).map(|line| line.range).collect();
    Filtered { kept, removed: [uppercase, numeric, counters, short, phrases], words }
}

/// Removes lines. Returns their number.
fn remove(lines: &mut Vec<Line>, goes: impl Fn(&str) -> bool) -> usize {
    let before = lines.len();
    lines.retain(|line| !goes(&line.text));
    before - lines.len()
}

/// Takes a phrase out of short lines, and removes those of which nothing is left. Returns their number.
fn take_out(lines: &mut Vec<Line>, phrase: &Regex) -> usize {
    let before = lines.len();
    lines.retain_mut(|line| {
        if line.text.is_empty() || split(&line.text).take(MOST_WORDS + 1).count() > MOST_WORDS {
            return true;
        }
        if let Cow::Owned(without) = phrase.replace_all(&line.text, "") {
            line.text = without.into();
        }
        !strip(&line.text).is_empty()
    });
    before - lines.len()
}

/// Takes white space, and with it blank lines, from both ends of a text.
fn take_blanks(lines: &mut Vec<Line>) {
    let is_blank = |line: &&Line| strip(&line.text).is_empty();
    lines.truncate(lines.len() - lines.iter().rev().take_while(is_blank).count());
    let blank = lines.iter().take_while(is_blank).count();
    lines.drain(..blank);
    if let Some(first) = lines.first_mut() {
        trim(&mut first.text, strip_start);
    }
    if let Some(last) = lines.last_mut() {
        trim(&mut last.text, strip_end);
    }
}

fn trim<'t>(text: &mut Cow<'t, str>, by: impl for<'a> Fn(&'a str) -> &'a str) {
    match text {
        Cow::Borrowed(text) => *text = by(text),
        Cow::Owned(text) if by(text).len() == text.len() => {}
        Cow::Owned(text) => *text = by(text).to_string(),
    }
}

/// Most of the characters are capital letters.
fn is_uppercase(line: &str) -> bool {
    let capitals = line.chars().filter(|c| is(*c, UPPER)).count();
    capitals > 0 && capitals * 2 > characters::count(line)
}

fn is_numeric(line: &str) -> bool {
    let first = line.chars().next().is_some_and(|c| is(c, DIGIT));
    // One other character is too many in a line of fewer than a million, and hardly any line begins with a digit.
    if !first && line.len() < 1_000_000 {
        return false;
    }
    let digits = line.chars().filter(|c| is(*c, DIGIT)).count();
    digits as f64 / characters::count(line) as f64 > NUMERIC
}

/// `^\W*\d(?:,|\.|\d)*[kmb]?\s+(?:likes|…)\W*$` in lower case.
fn is_counter(line: &str) -> bool {
    let is_mark = |c: char| !is(c, WORD);
    let number = line.trim_start_matches(is_mark);
    if !number.starts_with(|c| is(c, DECIMAL)) {
        return false;
    }
    let lower = number.to_lowercase();
    let unit = lower.trim_start_matches(|c: char| matches!(c, ',' | '.') || is(c, DECIMAL));
    let rest = unit.strip_prefix(['k', 'm', 'b']).unwrap_or(unit);
    let counted = strip_start(rest);
    // What is counted is parted by white space from the number.
    rest.starts_with(|c| is(c, SPACE))
        && COUNTED.iter().any(|word| counted.strip_prefix(word).is_some_and(|end| end.chars().all(is_mark)))
}

/// Number of words that begin with a letter or number.
fn words(text: &str) -> usize {
    let parts = text.split(['\0', '\t', '\n', '\u{b}', '\u{c}', '\r', ' ']);
    parts.filter(|word| word.starts_with(|c| is(c, WORD) && c != '_')).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::thresholds::Thresholds;
    use crate::quality::{Meter, Recipe, Text};

    fn kept(text: &str) -> Vec<&str> {
        filter(text).kept.into_iter().map(|range| &text[range]).collect()
    }

    fn ratio(text: &str) -> Option<f64> {
        let mut signals = Signals::default();
        measure(text, &mut signals);
        signals.dclm_removed_words_ratio
    }

    #[test]
    fn each_step_takes_its_lines() {
        let text = "A line that stays as it is\nSHOUTED Line\n123 \n123\n1,234.5K Likes!\n\nword\nSign-in\nSign-in or go\n\
                    3 items in cart\nITEMS IN CART\nRead more...\nGo on and read more now\nlast line";
        let filtered = filter(text);
        // "123 " is no number for its blank, but a line of one word, and so is "Sign-in".
        assert_eq!(filtered.removed, [2, 1, 1, 3, 1]);
        let stays =
            ["A line that stays as it is", "Sign-in or go", "3 items in cart", "Go on and read more now", "last line"];
        assert_eq!(kept(text), stays);
    }

    #[test]
    fn counters() {
        for (line, is) in [
            ("3 likes", true),
            ("(1.234,5k\u{2028}Followers) …", true),
            ("٣ Likes", true),
            ("3likes", false),
            ("3 like", false),
            ("3 likes it", false),
            ("3kk likes", false),
            ("_3 likes", false),
            ("² likes", false),
            ("12 dislikes", false),
        ] {
            assert_eq!(is_counter(line), is, "{line}");
        }
    }

    #[test]
    fn shares_of_words() {
        let twenty = "word ".repeat(20);
        assert_eq!(ratio(&format!("{twenty}\nSOLD OUT")), Some(2.0 / 22.0));
        assert_eq!(ratio(&twenty), Some(0.0));
        for text in ["", "\n\n\n", "!!! ... ???\n--", "ALL IN CAPITALS", "one"] {
            assert_eq!(ratio(text), Some(1.0), "{text:?}");
        }
        assert_eq!(ratio("ประเทศไทยเป็นประเทศที่ตั้งอยู่ในภูมิภาค\u{2028}เอเชีย สวย"), Some(0.0));
        // A phrase is taken out of a line, and the words of it are gone.
        assert_eq!(ratio("You have 3 items in cart"), Some(0.5));
        assert_eq!(ratio("one two three four five six seven You have items in cart"), Some(0.0));
        let huge = "ab ".repeat(700_000);
        assert_eq!(ratio(&huge), Some(0.0));
        assert_eq!(ratio(&format!("{}a", "1".repeat(2_000_000))), Some(1.0));
    }

    #[test]
    fn the_recipe_comes_after_gopher() {
        let recipe = Recipe::new("dclm", Thresholds::default(), &[], &[], &[]).unwrap();
        let prose = "The brown fox of the north and a lazy dog with it went over to that hill where many others sat. They had \
                     not been seen for years, said people from nearby villages; some children, however, told another story \
                     about them, which nobody wanted to hear before winter came again and snow covered every path.";
        let judged = |content: &str| {
            let place = |part: &str| part.as_ptr() as usize - content.as_ptr() as usize;
            let words: Vec<_> =
                split(content).map(|word| (place(word) as u32, (place(word) + word.len()) as u32)).collect();
            recipe.measure(1, "eng", &Text::given(content, &words, &[]), &[], &mut Meter::default()).1
        };
        let text = format!("{prose}\n3 likes");
        let passed = judged(&text);
        assert_eq!(passed.failed, None);
        assert_eq!(passed.lines.as_deref(), Some(std::slice::from_ref(&(0..prose.len()))));
        let text = format!("{prose}\n3 likes\n4 shares\nSOLD OUT");
        assert_eq!(judged(&text).failed.as_deref(), Some("dclm_removed_words_ratio"));
        assert_eq!(judged("3 likes").failed.as_deref(), Some("dclm_short_doc"));
    }
}
