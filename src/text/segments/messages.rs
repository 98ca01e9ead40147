//! Ends of sentences in the plain text of messages and posts, whose lines were joined: before a header or an address that
//! follows an address, behind the mark that parts a signature, before the number of a list item.
//!
//! The time is linear: a fixed number of characters around the space decides.

use super::chars::{char_at, char_before, skip, skip_back};
use super::rules::LanguageRules;
use crate::text::beginning;
use crate::text::char_classes::{is_alphabetic, is_uppercase};

/// Longest address and longest name of a header, in bytes.
const LONGEST_CHUNK: usize = 256;
/// How far back the bracket is searched for that a list number may be within, in bytes.
const LONGEST_BRACKET: usize = 60;
/// Most digits of the number of a list item.
const MOST_DIGITS: usize = 2;

/// Whether a line of a message begins behind a space. `start` is where the sentence begins.
pub fn begins_line(text: &str, start: usize, space: usize, rules: &LanguageRules) -> bool {
    let next = space + 1;
    match char_at(text, next) {
        Some('h') => is_web_address(text, next) && follows_address(text, space),
        Some(c) if c.is_ascii_digit() => is_list_number(text, space, rules),
        Some(c) if is_uppercase(c) => {
            is_signature_mark(text, start, space) || is_header(text, next) && follows_address(text, space)
        }
        _ => false,
    }
}

/// Whether a web address begins here.
pub fn is_web_address(text: &str, at: usize) -> bool {
    text.get(at..).is_some_and(|rest| rest.starts_with("http://") || rest.starts_with("https://"))
}

/// Whether the bracket that closes before a space belongs to the number of a list item: `2) `.
pub fn closes_list_number(text: &str, space: usize) -> bool {
    let digits = skip_back(text, space - 1, MOST_DIGITS, |c| c.is_ascii_digit());
    digits < space - 1 && char_before(text, digits).is_none_or(char::is_whitespace)
}

/// Whether a web or mail address stands before a space.
fn follows_address(text: &str, space: usize) -> bool {
    let start = skip_back(text, space, LONGEST_CHUNK, |c| !c.is_whitespace());
    let chunk = text.get(start..space).unwrap_or_default();
    chunk.contains("://") || chunk.split_once('@').is_some_and(|(_, host)| host.contains('.'))
}

/// Whether a word with a colon begins here: `Groups: alt.test`.
fn is_header(text: &str, at: usize) -> bool {
    let near = beginning(text, at + LONGEST_CHUNK);
    let end = skip(near, at, |c| is_alphabetic(c) || c == '-');
    text.get(end..).is_some_and(|rest| rest.starts_with(": "))
}

/// Whether nothing but two hyphens or more stands between the last sentence and a space.
fn is_signature_mark(text: &str, start: usize, space: usize) -> bool {
    let mark = text.get(start.max(space.saturating_sub(LONGEST_CHUNK))..space).unwrap_or_default().trim_start();
    mark.len() > 1 && mark.bytes().all(|c| c == b'-')
}

/// Whether the number of a list item follows a word: `four nights 1) what`, but no enumeration within a sentence, whose
/// parts commas and function words separate, nor a number in brackets.
fn is_list_number(text: &str, space: usize, rules: &LanguageRules) -> bool {
    let near = beginning(text, space + LONGEST_BRACKET);
    let digits = skip(near, space + 1, |c| c.is_ascii_digit());
    let number = digits - space - 1 <= MOST_DIGITS && text.get(digits..).is_some_and(|rest| rest.starts_with(") "));
    let from = text.floor_char_boundary(space.saturating_sub(LONGEST_BRACKET));
    let word = text.get(skip_back(text, space, LONGEST_BRACKET, is_alphabetic)..space).unwrap_or_default();
    number
        && !word.is_empty()
        && !rules.starters.contains(rules.lower_case(word).as_str())
        && text.get(from..space).is_some_and(|before| before.rfind('(') <= before.rfind(')'))
}
