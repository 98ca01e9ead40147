//! Sentence boundaries without a punctuation mark: before a capitalised function word, after a salutation or an emoticon,
//! around the date and time that heads a message, around a ruler of signs. The rules of a language say which of them apply.
//!
//! The time is linear: each blank is decided by a fixed number of characters before it and by the word or number
//! behind it, which no other blank shares.

use std::ops::Range;

use super::chars::{char_at, char_before, skip, skip_back};
use super::rules::LanguageRules;
use super::{messages, own_marks};
use crate::text::beginning;
use crate::text::char_classes::{is_alphabetic, is_alphanumeric, is_uppercase};
use crate::text::swar;

/// Longest emoticon, in bytes.
const LONGEST_EMOTICON: usize = 5;
/// Longest word examined, in bytes.
const LONGEST_WORD: usize = 32;
/// Longest salutation, in bytes.
const LONGEST_SALUTATION: usize = 40;
/// Least length in bytes of a sentence that a space ends: 40 characters of Thai.
const SHORTEST_BETWEEN_SPACES: usize = 120;
/// Least length in bytes of a word without the ending that tells its class.
const SHORTEST_STEM: usize = 3;
/// Least length in bytes of what stands before a colon and is a sentence by itself.
const SHORTEST_ANNOUNCEMENT: usize = 40;
/// Longest number of a list item with brackets and blanks around it, in bytes.
const LONGEST_ITEM_NUMBER: usize = 8;
/// Longest stretch from the first word of a sentence to its verb, in bytes.
const LONGEST_SUBJECT: usize = 80;
/// How far back an opening quote is searched for, in bytes.
pub const LONGEST_QUOTE: usize = 1_000;
/// Least number of equal signs in a row that make a ruler.
const SHORTEST_RULER: usize = 5;

/// Splits a stretch of text that ends at a punctuation mark or at the end, and calls `push` for each sentence.
pub fn parts(text: &str, sentence: Range<usize>, rules: &LanguageRules, mut push: impl FnMut(Range<usize>)) {
    let bytes = text.as_bytes().get(..sentence.end).unwrap_or_default();
    let (mut start, mut at) = (sentence.start, sentence.start);
    while at < sentence.end {
        let eight = swar::load(bytes, at);
        let mut spaces = swar::within(eight, b' ', b' ');
        while spaces != 0 {
            let space = at + swar::before(spaces);
            spaces &= spaces - 1;
            if space > start && !is_inside(text, space, rules) && ends_before(text, start, space, rules) {
                push(start..space);
                start = space + 1;
            }
        }
        at += 8;
    }
    push(start..sentence.end);
}

/// Whether a space stands between words that leave no doubt: [`ends_before`] is false for it.
fn is_inside(text: &str, space: usize, rules: &LanguageRules) -> bool {
    let Some([before, _, first]) = text.as_bytes().get(space.wrapping_sub(1)..).and_then(<[u8]>::first_chunk) else {
        return false;
    };
    let small = match first {
        b'h' => !rules.stamps || !messages::is_web_address(text, space + 1),
        b'a'..=b'z' => true,
        b'A'..=b'Z' => !rules.starters_after_words,
        b'0'..=b'9' => !rules.stamps,
        _ => false,
    };
    let apart = before.is_ascii_lowercase() && small || *before == b',' && first.is_ascii_lowercase();
    apart && !rules.spaces_end
}

fn ends_before(text: &str, start: usize, space: usize, rules: &LanguageRules) -> bool {
    let next = space + 1;
    let (Some(before), Some(first)) = (char_before(text, space), char_at(text, next)) else { return false };
    if rules.spaces_end {
        return space - start >= SHORTEST_BETWEEN_SPACES && ends_at_space(text, start, space, rules);
    }
    if own_marks::is_omitted_shad(before, first) {
        return true;
    }
    if is_ruler_sign(before) && is_ruler(text, skip_back(text, space, SHORTEST_RULER, is_ruler_sign), space)
        || is_ruler_sign(first) && is_ruler(text, next, skip(text, next, is_ruler_sign))
    {
        return true;
    }
    if matches!(first, '*' | '•') {
        let word = char_at(text, next + first.len_utf8() + 1).is_some_and(is_uppercase);
        return word && !before.is_ascii_digit() && char_at(text, next + first.len_utf8()) == Some(' ');
    }
    if rules.stamps && messages::begins_line(text, start, space, rules) {
        return true;
    }
    if first.is_ascii_digit() {
        return rules.stamps && timestamp_end(text, next).is_some() && is_sender(text, space);
    }
    let is_zone = || rules.after_hours.contains(rules.lower_case(word_at(text, next)).as_str());
    let is_stamp = rules.stamps && (before == 'M' || before.is_ascii_digit()) && is_alphabetic(first);
    if is_stamp && ends_timestamp(text, space) && !is_zone() {
        return true;
    }
    if !is_uppercase(first) {
        return false;
    }
    if matches!(before, ')' | '(' | 'D' | 'P') && ends_with_emoticon(text, space) {
        return true;
    }
    let after_word = is_alphanumeric(before);
    if after_word && is_unfinished(text, space, rules) {
        return false;
    }
    let may = match before {
        ':' => rules.starters_after_colon && space - start >= SHORTEST_ANNOUNCEMENT,
        _ if after_word => rules.starters_after_words,
        ')' if rules.stamps && messages::closes_list_number(text, space)
            || is_number_in_brackets(text, start, space) =>
        {
            false
        }
        _ => rules.starters_after_marks.contains(before),
    };
    may && is_sentence_starter(text, next, after_word, rules)
        || before == ',' && space - start < LONGEST_SALUTATION && is_salutation(text, space - 1, rules)
}

/// The word at an offset, of which no more than the longest that is examined.
fn word_at(text: &str, at: usize) -> &str {
    let near = beginning(text, at + LONGEST_WORD);
    near.get(at..skip(near, at, is_alphabetic)).unwrap_or_default()
}

/// Whether nothing but the number of a list item stands between the beginning of the sentence and a space: `(40) `, `c) `.
fn is_number_in_brackets(text: &str, start: usize, space: usize) -> bool {
    let number = text.get(start..space).filter(|number| number.len() <= LONGEST_ITEM_NUMBER).unwrap_or_default().trim();
    let inner = number.strip_suffix(')').map(|number| number.strip_prefix('(').unwrap_or(number)).unwrap_or_default();
    let digits = !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit());
    digits || inner.chars().count() == 1 && inner.starts_with(char::is_alphabetic)
}

/// Whether a space ends a sentence in a language where spaces do: not beside a number, a foreign word, a punctuation
/// mark or a linking word, nor inside quotes.
fn ends_at_space(text: &str, start: usize, space: usize, rules: &LanguageRules) -> bool {
    let from = text.floor_char_boundary(start.max(space.saturating_sub(LONGEST_QUOTE)));
    let (Some(before), Some(after)) = (text.get(from..space), text.get(space + 1..)) else { return false };
    let ends = !before.ends_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | ',' | ')'));
    let begins = !after.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '(' | '"' | '“' | '‘'));
    if !ends || !begins {
        return false;
    }
    let open = before.matches('“').count() > before.matches('”').count();
    let links = |word: &String| before.ends_with(word.as_str()) || after.starts_with(word.as_str());
    !open && !rules.inner_words.iter().any(links)
}

/// Whether an emoticon of letters and signs stands before the space, apart from the word before it: ` ;-)`, ` :D`.
fn ends_with_emoticon(text: &str, space: usize) -> bool {
    let start = skip_back(text, space, LONGEST_EMOTICON, |c| c != ' ');
    let mut signs = text.get(start..space).unwrap_or_default().bytes();
    let eyes = signs.next().is_some_and(|c| matches!(c, b':' | b';' | b'='));
    let mut signs = signs.skip_while(|c| *c == b'-');
    let mouth = signs.next().filter(|c| b")(DP".contains(c));
    eyes && mouth.is_some_and(|mouth| signs.all(|c| c == mouth))
}

fn is_ruler_sign(c: char) -> bool {
    matches!(c, '_' | '=' | '*' | '~' | '#' | '-')
}

fn is_ruler(text: &str, start: usize, end: usize) -> bool {
    end - start >= SHORTEST_RULER && text.get(start..end).is_some_and(|run| !run.contains(|c| !is_ruler_sign(c)))
}

/// Whether a function word that begins sentences stands here, followed by a word in lower case; or a word whose ending
/// tells that it is no name.
fn is_sentence_starter(text: &str, at: usize, after_word: bool, rules: &LanguageRules) -> bool {
    let end = skip(text, at, is_alphabetic);
    let word = text.get(at..end).unwrap_or_default();
    if word.len() > LONGEST_WORD || char_at(text, end) != Some(' ') {
        return false;
    }
    let small = char_at(text, end + 1).is_some_and(char::is_lowercase);
    let lower = rules.lower_case(word);
    if rules.starters.contains(lower.as_str()) {
        // Words in capitals are emphasised.
        let inner = after_word && rules.inner_starters.contains(lower.as_str());
        let emphasised = word.chars().skip(1).any(char::is_uppercase);
        return !inner && !emphasised && (small || has_finite_verb(text, end, rules));
    }
    let ends = |ending: &String| lower.ends_with(ending.as_str()) && lower.len() >= ending.len() + SHORTEST_STEM;
    small && rules.starter_endings.iter().any(ends)
}

/// Whether the word before a space is one that needs another behind it, such as an article: a capitalised function word
/// behind it is a noun (`vor dem Aus`).
fn is_unfinished(text: &str, space: usize, rules: &LanguageRules) -> bool {
    let start = skip_back(text, space, LONGEST_WORD, is_alphabetic);
    let word = text.get(start..space).unwrap_or_default();
    !rules.never_last.is_empty() && rules.never_last.contains(rules.lower_case(word).as_str())
}

/// Whether a finite verb follows within the same clause: before a mark, and within [`LONGEST_SUBJECT`] bytes.
fn has_finite_verb(text: &str, from: usize, rules: &LanguageRules) -> bool {
    if rules.finite_verbs.is_empty() {
        return false;
    }
    let near = text.get(from..text.floor_char_boundary(from + LONGEST_SUBJECT)).unwrap_or_default();
    let clause = near.split(['.', '!', '?', ',', ';', ':', '"', '(', ')']).next().unwrap_or_default();
    clause.split(' ').skip(2).any(|word| rules.finite_verbs.contains(word))
}

fn is_salutation(text: &str, comma: usize, rules: &LanguageRules) -> bool {
    let start = skip_back(text, comma, LONGEST_WORD, is_alphabetic);
    text.get(start..comma).is_some_and(|word| rules.salutations.contains(rules.lower_case(word).as_str()))
}

/// The end of a date with a time of day, without AM or PM: `08/16/2000 03:48`.
fn timestamp_end(text: &str, at: usize) -> Option<usize> {
    let date = skip(text, at, |c| c.is_ascii_digit() || c == '/');
    let time = skip(text, date + 1, |c| c.is_ascii_digit() || c == ':');
    let is = |range: Range<usize>, mark: char| {
        text.get(range).is_some_and(|part| part.matches(mark).count() >= 1 && part.len() >= 4)
    };
    let valid = date - at <= 10 && is(at..date, '/') && char_at(text, date) == Some(' ') && is(date + 1..time, ':');
    valid.then_some(time)
}

/// Whether the word before a date and time can be the sender of a message: a capitalised word or an address.
fn is_sender(text: &str, space: usize) -> bool {
    let start = skip_back(text, space, LONGEST_WORD, |c| c != ' ');
    let word = text.get(start..space).unwrap_or_default();
    word.starts_with(is_uppercase) && !word.ends_with([':', ',']) || word.contains('@')
}

fn ends_timestamp(text: &str, end: usize) -> bool {
    let keep = |c: char| c.is_ascii_digit() || matches!(c, '/' | ':' | ' ' | 'A' | 'P' | 'M');
    let start = skip_back(text, end, 24, keep);
    // Not beyond the blank: the next digit may be as far away as the text is long.
    let at = skip(text.get(..end).unwrap_or_default(), start, |c| !c.is_ascii_digit());
    at < end
        && timestamp_end(text, at).is_some_and(|time| match text.get(time..end) {
            Some("") => !text.get(end..).is_some_and(|rest| rest.starts_with(" AM") || rest.starts_with(" PM")),
            rest => matches!(rest, Some(" AM" | " PM")),
        })
}
