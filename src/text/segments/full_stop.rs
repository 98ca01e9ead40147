//! A single full stop with a space behind it, which ends a sentence or belongs to an abbreviation, an initial or a number.

use std::ops::Range;

use super::chars::{CharClass, char_at, char_before, class, skip, skip_back};
use super::rules::{Abbreviation, LanguageRules};
use super::{dates, own_marks, thai};
use crate::text::beginning;
use crate::text::char_classes::{is_alphabetic, is_alphanumeric, is_uppercase};

/// Longest word examined before a stop, in bytes; no abbreviation is longer.
const LONGEST_WORD: usize = 48;
/// Most digits of a number that is taken for an ordinal or the number of a list item before a lower-case letter.
const LONGEST_ORDINAL: usize = 3;
/// Longest Roman number of an item.
const LONGEST_ROMAN: usize = 6;
/// Most parts of an abbreviation that is written with blanks, most letters of one, and its bytes.
const MOST_PARTS: usize = 4;
const MOST_LETTERS: usize = 3;
const LONGEST_PART: usize = 16;
/// White space between a number and its unit at most, in bytes.
const MOST_BLANKS: usize = 8;

/// A full stop and where it stands.
#[derive(Clone, Copy)]
pub struct FullStop<'a> {
    pub text: &'a str,
    /// Its byte offset.
    pub at: usize,
    pub rules: &'a LanguageRules,
}

impl FullStop<'_> {
    /// Whether the word before the stop is an abbreviation or looks like one.
    pub fn is_abbreviation(&self) -> bool {
        let FullStop { text, at, rules } = *self;
        let before = word_before(text, at);
        if is_joined_abbreviation(text, at, before, rules) {
            return true;
        }
        if before.is_empty() {
            return false;
        }
        let function_word = rules.starters.contains(before);
        let short = before.chars().count() < 3 && !function_word || before.contains('.');
        let short = short || before.len() <= LONGEST_ORDINAL && before.chars().all(char::is_numeric);
        let short = short || rules.ordinal_dot && is_roman(before);
        short || rules.abbreviation(&rules.lower_case(before)).is_some()
    }

    /// Whether it ends the sentence that begins at an offset, before a word at `next` that begins with `first`, which is no small
    /// letter.
    pub fn ends_sentence(&self, sentence: usize, next: usize, first: char) -> bool {
        let FullStop { text, at, rules } = *self;
        let before = word_before(text, at);
        if is_joined_abbreviation(text, at, before, rules) {
            return false;
        }
        if before.is_empty() {
            return !thai::ends_abbreviation(text, at);
        }
        if is_attached(text, at - before.len()) || is_unit_of_degrees(text, at - before.len()) {
            return true;
        }
        let one_letter = own_marks::is_initial(before) && !rules.last_words.contains(before);
        if one_letter || own_marks::is_short(before) && own_marks::stands_near(text, at) {
            return false;
        }
        if self.is_in_date(before, first) || is_year_of_issue(text, next) {
            return false;
        }
        let near = beginning(text, next + LONGEST_WORD);
        let word_end = skip(near, next, |c| matches!(class(c), CharClass::Letter | CharClass::Apostrophe));
        let word = near.get(next..word_end).unwrap_or_default();
        let before_letter = char_at(text, word_end) == Some('.') && word.chars().count() == 1;
        let after = rules.lower_case(word);
        let starter = rules.starters.contains(after.as_str()) && !(before_letter && first.is_uppercase());
        let at_start = text.get(sentence..at - before.len()).is_some_and(|s| s.trim().is_empty());
        if before.chars().all(char::is_numeric) {
            return number_ends(before, first, &after, at_start, starter, rules);
        }
        let opens_bracket = text.get(..next).is_some_and(|text| text.ends_with('('));
        let lower = rules.lower_case(before);
        let last = lower.rsplit('.').next().unwrap_or_default();
        // Before it is in lower case: İ has two characters there.
        let written = before.rsplit('.').next().unwrap_or_default();
        let initial = rules.is_initial(written);
        let letter = initial || written.chars().count() == 1;
        if letter && before_letter || at_start && is_item_number(before) && !answers(text, sentence) {
            return false;
        }
        if is_spaced_abbreviation(text, at, rules) {
            return false;
        }
        // Units and the like that are one letter are written small: `5 м.`, but `М. Иванов`.
        let listed = |word: &str| rules.abbreviation(word).filter(|kind| !(initial && word == last && kind.may_end()));
        match listed(&lower).or_else(|| listed(last)) {
            Some(Abbreviation::NeverEnds) => return false,
            Some(Abbreviation::AfterNumber) if !follows_number(text, at - before.len()) => return false,
            Some(Abbreviation::MayEnd) if is_hour(&lower) && rules.after_hours.contains(after.as_str()) => {
                return false;
            }
            Some(kind) if kind.may_end() => {
                let anywhere = kind != Abbreviation::BeforeStarter && !rules.maybe_before_starters;
                return !first.is_numeric() && !opens_bracket && (starter || anywhere);
            }
            Some(Abbreviation::BeforeNumber) if is_before_number(text, &lower, next..word_end) => return false,
            _ => {}
        }
        let roman = rules.ordinal_dot && is_roman(before) && before.len() > 1;
        if initial {
            return starter;
        }
        !roman || starter
    }

    /// Whether it stands in a date with the year first, or behind one with which the sentence goes on: `2020. 3. 15. 서울에서`.
    /// Behind a date, a language with ordinals goes by its rules for them. `before` is the word before the stop.
    fn is_in_date(&self, before: &str, first: char) -> bool {
        let FullStop { text, at, rules } = *self;
        if !rules.year_first {
            return false;
        }
        let between = first.is_numeric() && before.chars().all(char::is_numeric);
        between || (first.is_numeric() || !rules.ordinal_dot) && dates::ends_at(text, at)
    }
}

/// Whether the last stop of an abbreviation that ends no sentence and is written with blanks stands at an offset: `u. a.`,
/// `bl. a.` Capitals alone are initials.
fn is_spaced_abbreviation(text: &str, stop: usize, rules: &LanguageRules) -> bool {
    let part_before = |end: usize| {
        let start = skip_back(text, end, LONGEST_PART, is_alphabetic);
        let is_whole = char_before(text, start).is_none_or(|c| c == ' ');
        let part = text.get(start..end).filter(|part| is_whole && !part.is_empty())?;
        (part.chars().count() <= MOST_LETTERS).then_some(part)
    };
    let Some(last) = part_before(stop) else { return false };
    let (mut start, mut joined) = (stop - last.len(), last.to_owned());
    for _ in 1..MOST_PARTS {
        let before = text.get(..start).and_then(|before| before.strip_suffix(". "));
        let Some(part) = before.and_then(|before| part_before(before.len())) else { break };
        joined = format!("{part}.{joined}");
        start -= part.len() + ". ".len();
        let is_initials = joined.split('.').all(|part| part.starts_with(is_uppercase));
        if !is_initials && rules.abbreviation(&rules.lower_case(&joined)) == Some(Abbreviation::NeverEnds) {
            return true;
        }
    }
    false
}

/// Whether the word before a stop has a hyphen or an apostrophe and is an abbreviation that ends no sentence, or an initial:
/// `c.-à-d.`, `ko‘ch.`, `G‘.` `last` is what stands behind them.
fn is_joined_abbreviation(text: &str, stop: usize, last: &str, rules: &LanguageRules) -> bool {
    let is_joint = |c: char| matches!(class(c), CharClass::Hyphen | CharClass::Apostrophe);
    if !char_before(text, stop - last.len()).is_some_and(is_joint) || last.starts_with(is_uppercase) {
        return false;
    }
    let keep = |c: char| is_joint(c) || matches!(class(c), CharClass::Letter | CharClass::Digit | CharClass::Stop);
    let word = text.get(skip_back(text, stop, LONGEST_WORD, keep)..stop).unwrap_or_default();
    rules.is_initial(word) || rules.abbreviation_of(word) == Some(Abbreviation::NeverEnds)
}

/// Whether what such an abbreviation in lower case needs stands behind it: a number, also a Roman one. `word` is where the
/// next word stands, empty before digits.
fn is_before_number(text: &str, lower: &str, word: Range<usize>) -> bool {
    let (end, letters) = (word.end, text.get(word.clone()).unwrap_or_default());
    let digit = char_at(text, word.start).is_some_and(char::is_numeric);
    let roman = letters.len() > 1 && is_roman(letters) || is_century(lower, letters) && goes_on(text, end);
    // French laws: `art. L. 123-4`.
    let law = || {
        let one_letter = letters.chars().count() == 1 && char_at(text, end) == Some('.');
        lower.ends_with("art") && one_letter && is_number_behind_stop(text, end)
    };
    digit || roman || law()
}

/// Whether a word is the number of a century behind a shortened word for it, in lower case: `s. V`.
fn is_century(lower: &str, word: &str) -> bool {
    matches!(lower, "s" | "sec" | "séc") && matches!(word, "I" | "V" | "X")
}

/// Whether a sentence goes on behind a word: with a small letter, or a mark inside it.
fn goes_on(text: &str, word_end: usize) -> bool {
    let behind = text.get(word_end..).unwrap_or_default();
    let is_inner = |c: char| c.is_lowercase() || matches!(c, ',' | ';' | ')');
    behind.strip_prefix(' ').unwrap_or(behind).starts_with(is_inner)
}

/// Whether a number follows the full stop at an offset.
fn is_number_behind_stop(text: &str, stop: usize) -> bool {
    text.get(stop + 1..).is_some_and(|behind| behind.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a year stands there as behind the name of a journal: `Br J Dermatol. 2006;155(2)`.
fn is_year_of_issue(text: &str, at: usize) -> bool {
    text.as_bytes()
        .get(at..at + 5)
        .is_some_and(|year| matches!(year, [b'1' | b'2', b'0'..=b'9', b'0'..=b'9', b'0'..=b'9', b';']))
}

/// Whether the letters from an offset on are the unit of degrees: `20 °C`, `5 ° C`.
fn is_unit_of_degrees(text: &str, letters: usize) -> bool {
    char_before(text, skip_back(text, letters, MOST_BLANKS, char::is_whitespace)) == Some('°')
}

/// Whether the letters from an offset on are attached to a word by a mark: `Oy:n`, `ש"ח`, `ש״ח`.
fn is_attached(text: &str, letters: usize) -> bool {
    let mark = char_before(text, letters).filter(|c| matches!(c, ':' | '"' | '”' | '\u{5F4}'));
    mark.is_some_and(|mark| char_before(text, letters - mark.len_utf8()).is_some_and(is_alphanumeric))
}

/// Whether a number, also a Roman one, stands before the word at an offset.
fn follows_number(text: &str, word: usize) -> bool {
    let end = skip_back(text, word, MOST_BLANKS, char::is_whitespace);
    let is_number = |c: char| c.is_numeric() || matches!(c, 'I' | 'V' | 'X' | 'І' | 'Х');
    char_before(text, end).is_some_and(is_number)
}

/// Whether the full stop of a number ends the sentence.
fn number_ends(digits: &str, first: char, after: &str, at_start: bool, starter: bool, rules: &LanguageRules) -> bool {
    if at_start {
        return false;
    }
    if !rules.ordinal_dot {
        return true;
    }
    let small = digits.chars().count() <= 2;
    if first.is_numeric() && small || rules.months.contains(after) {
        return false;
    }
    !(small && rules.ordinal_before_capital && first.is_alphabetic()) || starter
}

/// Whether a word is the number of an item when it begins a sentence: `A. The house`, `III. Die Revision`. A letter without case
/// may be a word (Korean `네.`).
fn is_item_number(word: &str) -> bool {
    let mut letters = word.chars();
    let one = letters.next().filter(|_| letters.next().is_none());
    one.is_some_and(|letter| letter.is_lowercase() || is_uppercase(letter))
        || word.len() <= LONGEST_ROMAN && word.chars().all(|c| matches!(c, 'I' | 'V' | 'X' | 'L'))
}

/// Whether the sentence that begins at an offset stands behind a question: `Кто там? Я. Он ушёл.`
fn answers(text: &str, sentence: usize) -> bool {
    let end = skip_back(text, sentence, MOST_BLANKS, char::is_whitespace);
    char_before(text, end) == Some('?')
}

/// Whether an abbreviation in lower case ends an hour: `6 p.m.`
fn is_hour(lower: &str) -> bool {
    matches!(lower, "a.m" | "p.m" | "am" | "pm")
}

/// Whether a word can be a Roman number. With D and M there are more discs (`CD`, `DVD`) than numbers.
pub fn is_roman(word: &str) -> bool {
    word.bytes().all(|b| matches!(b, b'I' | b'V' | b'X' | b'L' | b'C'))
}

/// The word before a full stop, with the stops inside it: `D.C`.
fn word_before(text: &str, stop: usize) -> &str {
    let keep = |c: char| matches!(class(c), CharClass::Letter | CharClass::Digit | CharClass::Stop);
    let start = skip_back(text, stop, LONGEST_WORD, keep);
    text.get(start..stop).unwrap_or_default().trim_start_matches('.')
}
