//! Dates behind the names of authors, which are no part of them.

use crate::page::metadata::months::month;
use crate::page::metadata::organisations::is_organisation;

/// The words before a date: before a number, and before the names of days and months that lead to it.
pub(super) fn without_date(part: &str) -> &str {
    let mut before = until_number(part);
    while before.len() < part.len() {
        let (rest, last) = before.trim_end().rsplit_once(' ').unwrap_or(("", before.trim_end()));
        let word = last.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
        let dated = word.is_empty() || month(&word).is_some() || BEFORE_DATES.contains(&word.as_str());
        if !dated || before.trim().is_empty() {
            break;
        }
        before = rest;
    }
    before
}

/// Words between a name and a date. Of the days of the week those of other languages are names of persons, too (`Krzysztof Piątek`).
const BEFORE_DATES: [&str; 38] = [
    "on",
    "at",
    "am",
    "vom",
    "um",
    "vor",
    "den",
    "le",
    "el",
    "il",
    "op",
    "dne",
    "the",
    "posted",
    "published",
    "updated",
    "last",
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
    "sun",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
    "samstag",
    "sonntag",
];

/// What stands before a parenthesis or a word that begins with a digit (a
/// date); digits inside a word belong to the name of an account.
fn until_number(part: &str) -> &str {
    let mut before = ' ';
    let end = part.char_indices().find(|&(at, c)| {
        let starts_word = before.is_whitespace();
        before = c;
        (c == '(' && !is_inner_name(part, at)) || (c == '（' && at > 0) || (starts_word && c.is_numeric())
    });
    end.and_then(|(at, _)| part.get(..at)).unwrap_or(part)
}

/// Whether a parenthesis at an offset holds a name between the first and the last one of a person: `Ann (Lee) Doe`. Agencies and
/// offices stand behind both names.
fn is_inner_name(part: &str, at: usize) -> bool {
    let is_name = |word: &str| word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphabetic);
    let Some((before, after)) = part.split_at_checked(at) else { return false };
    let Some((inner, last)) = after.get(1..).and_then(|after| after.split_once(") ")) else { return false };
    is_name(before.trim_end()) && inner.split(' ').all(is_name) && is_name(last.trim_end()) && !is_organisation(inner)
}

/// What stands before a word of publication and its colon: `Jane Doe Published: 5 May`.
pub(super) fn before_publication(part: &str) -> &str {
    if !part.contains(": ") {
        return part;
    }
    let lower = part.to_ascii_lowercase();
    let words = [" published: ", " posted: ", " updated: ", " last updated: "];
    let at = words.iter().filter_map(|words| lower.find(words)).min();
    at.and_then(|at| part.get(..at)).unwrap_or(part)
}

/// Where the article of a French date stands: `Jane Doe le mardi`. Before a capital letter it is that of a name: `John le
/// Carré`.
pub(super) fn article_of_date(part: &str) -> Option<usize> {
    const LE: &str = " le ";
    part.find(LE).filter(|at| part.get(at + LE.len()..).is_some_and(|after| !after.starts_with(char::is_uppercase)))
}
