//! Author strings as pages write them → names of persons.

mod catalogue;
mod dates_behind;
mod letters;

use std::borrow::Cow;

use super::months::{is_ethiopian, month};
use super::tidy;
use super::weekdays::is_weekday;
use crate::page::byline_words::{AUTHOR_LABELS, BEHIND_NAMES, LEADS, MAKERS, REPORTED};
use crate::text::char_classes::{is_hangul, is_letter_or_mark};
pub(super) use catalogue::ValueOf;
use dates_behind::{article_of_date, before_publication, without_date};
use letters::without_signs;

/// Longer values are sentences, not lists of names (characters).
const MAX_CHARS: usize = 200;

/// Most authors of a page: more names are a masthead.
const MAX_NAMES: usize = 30;

/// Words for a reporter or an editor, written to the name.
const REPORTERS: [&str; 3] = ["記者", "记者", "编辑"];

/// Words that end a name: what follows is a place or an office.
const TAILS: [&str; 27] = [
    " in ",
    " at ",
    " for ",
    " on ",
    " bei ",
    " aus ",
    " via ",
    " is a ",
    " associated press writer",
    " staff writer",
    " become a fan",
    " am ",
    " published",
    " posted",
    " updated",
    " veröffentlicht",
    " aktualisiert",
    " last updated",
    " last modified",
    " last edited",
    " vom ",
    " um ",
    " publié",
    " publicado",
    " - ",
    " – ",
    "—",
];

/// Longest word of a Korean name that a tail may be part of, in bytes.
const LONGEST_SYLLABLE: usize = 5;

/// Names of accounts, and labels of buttons beside a byline: a byline that is one of them names no person.
const NO_PERSONS: [&str; 22] = [
    "admin",
    "administrator",
    "webmaster",
    "user",
    "root",
    "unknown",
    "anonymous",
    "guest",
    "undefined",
    "null",
    "none",
    "www",
    "tweet",
    "comment",
    "comments",
    "username",
    "permalink",
    "rss",
    "get",
    "share",
    "email",
    "print",
];

/// Degrees that follow a name and a comma.
const DEGREES: [&str; 9] = ["phd", "ph.d.", "ph.d", "md", "m.d.", "mba", "rn", "msc", "jr."];

/// The names in one author value.
pub(super) fn names(value: &str) -> Vec<String> {
    names_by(value, ValueOf::Any)
}

/// The names in one author value that stands there.
pub(super) fn names_by(value: &str, of: ValueOf) -> Vec<String> {
    let value = if value.contains('<') { Cow::Owned(without_tags(value)) } else { Cow::Borrowed(value) };
    let Some(value) = tidy(&value).filter(|value| value.chars().count() <= MAX_CHARS && !is_address(value)) else {
        return Vec::new();
    };
    let behind_lead = without_lead(&value);
    if let Some(names) = catalogue::names(&value, behind_lead, of) {
        return names;
    }
    let value = behind_lead;
    // Beside a number the name of a day is part of a date: else it may be that of a person (`Freitag`).
    let dated = value.contains(char::is_numeric);
    split(value)
        .into_iter()
        .filter(|part| !DEGREES.contains(&part.to_ascii_lowercase().as_str()))
        .filter_map(|part| name(&part).filter(|name| !dated || !is_day(name)))
        .collect()
}

/// A value without the tags in it, and without addresses in angle brackets. Ends of links and items, and line breaks, part names.
fn without_tags(value: &str) -> String {
    let mut parts = value.split('<');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| match part.split_once('>') {
        Some((tag, behind)) if tag.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') => {
            let parts_names = ["/a", "/li", "br", "br/", "br /"].iter().any(|end| tag.trim().eq_ignore_ascii_case(end));
            text + if parts_names { ", " } else { " " } + behind
        }
        _ => text + " " + part,
    })
}

/// Whether a name is that of a day or, without a capital letter, made of the names of days and months: persons are called `April
/// March`.
fn is_day(name: &str) -> bool {
    let is_part = |word: &str| is_weekday(word) || month(&word.to_lowercase()).is_some() || is_ethiopian(word);
    let has_capital = name.contains(char::is_uppercase);
    is_weekday(name) || !has_capital && name.contains(' ') && name.split(' ').all(is_part)
}

/// Whether a label such as "Written by" announces an author.
pub(super) fn is_author_label(label: &str) -> bool {
    let label = label.trim().to_lowercase();
    AUTHOR_LABELS.iter().any(|known| label.starts_with(known))
}

/// Adds names, leaving out accounts and names whose words stand in others.
pub(super) fn merge(authors: &mut Vec<String>, more: &[String]) {
    for name in more {
        let lower = name.to_lowercase();
        let is_held = |other: &String| holds_words(&other.to_lowercase(), &lower);
        if NO_PERSONS.contains(&lower.as_str()) || authors.iter().any(is_held) || authors.len() >= MAX_NAMES {
            continue;
        }
        authors.retain(|other| !holds_words(&lower, &other.to_lowercase()));
        authors.push(name.clone());
    }
}

/// Whether a name holds the words of another one in a row: `Ana Li` stands in `Dr Ana Li` and not in `Ana Lima`.
fn holds_words(name: &str, part: &str) -> bool {
    let is_inside = |c: char| is_letter_or_mark(c) || c.is_numeric();
    name.match_indices(part).any(|(at, _)| {
        let (before, behind) = (name.get(..at).unwrap_or_default(), name.get(at + part.len()..).unwrap_or_default());
        // `홍길동기자`: the word for a reporter.
        let ends = BEHIND_NAMES.contains(&behind) || REPORTERS.contains(&behind) || !behind.starts_with(is_inside);
        ends && !before.ends_with(is_inside)
    })
}

/// URLs, e-mail addresses and account handles.
fn is_address(value: &str) -> bool {
    let word = !value.contains(char::is_whitespace);
    value.contains("://") || value.starts_with("www.") || (word && (value.contains('@') || value.contains('/')))
}

/// The value without a leading "by"; also behind other leads (`Text: von …`).
fn without_lead(mut value: &str) -> &str {
    loop {
        let lead =
            LEADS.iter().find(|lead| value.get(..lead.len()).is_some_and(|head| head.eq_ignore_ascii_case(lead)));
        match lead.and_then(|lead| value.get(lead.len()..)) {
            Some(rest) => value = rest.trim_start(),
            None => return value,
        }
    }
}

/// Whether the words are joined by "and".
fn is_joint(text: &str) -> bool {
    text.split_whitespace().any(is_and)
}

fn is_and(word: &str) -> bool {
    ["and", "und", "et", "und/oder"].iter().any(|and| word.eq_ignore_ascii_case(and))
}

/// Splits at separators and at the words for "and".
fn split(value: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for piece in pieces(value) {
        for words in piece.split_whitespace().collect::<Vec<_>>().split(|word| is_and(word)) {
            parts.extend(persons(words).iter().map(|words| words.join(" ")));
        }
    }
    parts
}

/// Signs between names.
const SEPARATORS: [char; 17] =
    ['/', ';', ',', '|', '&', '•', '·', 'ㆍ', '、', '，', '；', '／', '｜', '،', '؛', '፣', '፤'];

/// What stands between the signs that separate names.
fn pieces(value: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, c) in value.char_indices() {
        if SEPARATORS.contains(&c) && !(c == '·' && is_inner_dot(value, at)) {
            pieces.extend(value.get(start..at));
            start = at + c.len_utf8();
        }
    }
    pieces.extend(value.get(start..));
    pieces
}

/// Whether the dot at an offset stands within a name, between letters of which the second is no capital: Catalan `Gal·la`, Chinese
/// `约翰·史密斯`. In Korean it stands between names.
fn is_inner_dot(value: &str, at: usize) -> bool {
    let before = value.get(..at).and_then(|before| before.chars().next_back());
    let after = value.get(at..).and_then(|dot| dot.chars().nth(1));
    let (Some(before), Some(after)) = (before, after) else { return false };
    let is_small = !after.is_uppercase() || (before, after) == ('L', 'L');
    is_letter_or_mark(before) && is_letter_or_mark(after) && is_small && !is_hangul(after)
}

/// The names of several persons that a short word joins: one that is part of some names too (`Ortega y Gasset`), so that
/// two words or more must stand at both sides.
fn persons<'a, 'w>(words: &'w [&'a str]) -> Vec<&'w [&'a str]> {
    let parts: Vec<&[&str]> = words.split(|word| ["y", "e", "en", "och", "og", "oraz"].contains(word)).collect();
    if parts.iter().all(|part| part.len() > 1) { parts } else { vec![words] }
}

/// One cleaned name, or nothing if no name remains.
fn name(part: &str) -> Option<String> {
    let part = without_lead(part.trim());
    if is_address(part) || is_maker(part) {
        return None;
    }
    let part = before_publication(part);
    let part = part.rsplit_once(": ").map_or(part, |(_, name)| without_lead(name.trim()));
    let part = without_date(part).trim_end();
    let lower = format!("{} ", part.to_ascii_lowercase());
    // `Choi In Hun`: three short words with capitals are a Korean name.
    let is_syllable = |word: &str| word.len() <= LONGEST_SYLLABLE && word.starts_with(char::is_uppercase);
    let is_korean =
        part.split(' ').count() == 3 && part.split(' ').all(is_syllable) && part.contains(char::is_lowercase);
    let is_tail = |rest: &str| TAILS.iter().any(|tail| rest.starts_with(tail) && !(is_korean && *tail == " in "));
    // Each tail begins with one of these.
    let mut signs = lower.match_indices([' ', '—']).map(|(at, _)| at);
    let tail = signs.find(|at| lower.get(*at..).is_some_and(is_tail));
    let end = tail.into_iter().chain(article_of_date(part)).min().unwrap_or(part.len()).min(part.len());
    let is_other = |word: &&str| {
        let is_reported = || !word.is_ascii() && REPORTED.iter().any(|end| word.ends_with(end));
        word.contains('@') || word.starts_with(['"', '“', '„', '#']) || BEHIND_NAMES.contains(word) || is_reported()
    };
    let words = part.get(..end)?.split_whitespace().filter(|word| !is_other(word));
    let name = without_signs(&words.collect::<Vec<_>>().join(" "));
    let name = name.trim_matches(|c: char| " -–'’()".contains(c)).split_whitespace().collect::<Vec<_>>().join(" ");
    let name = without_announcement(once(&name));
    let is_word = name.chars().filter(|c| c.is_alphabetic()).count() >= 2;
    is_word.then(|| String::from(name))
}

/// Whether the value names who made the site or edited the text, and no author.
fn is_maker(value: &str) -> bool {
    MAKERS.iter().any(|maker| value.get(..maker.len()).is_some_and(|head| head.eq_ignore_ascii_case(maker)))
}

/// The two words of a name behind other words that announce it (`Articles by Jane Doe`), at most three. One word behind them may
/// be part of the name of an account (`Cakes by Jane`).
fn without_announcement(name: &str) -> &str {
    let Some((before, after)) = [" by ", " par "].iter().find_map(|by| name.rsplit_once(*by)) else { return name };
    let last = before.split_whitespace().next_back().unwrap_or_default().to_lowercase();
    let announces = before.split_whitespace().count() <= 3 && ANNOUNCING.contains(&last.as_str());
    let is_name = after.split_whitespace().count() == 2
        && after.split_whitespace().all(|word| word.starts_with(char::is_uppercase));
    if announces && is_name { after.trim_end_matches('.') } else { name }
}

/// Words before `by` and `par`.
const ANNOUNCING: [&str; 17] = [
    "article",
    "articles",
    "blog",
    "column",
    "interview",
    "penned",
    "photos",
    "posts",
    "propos",
    "publié",
    "recueilli",
    "recueillis",
    "reported",
    "review",
    "story",
    "text",
    "written",
];

/// A name that is written twice, as accounts on Stack Exchange are, or once as it is. `Duran Duran` is one name.
fn once(name: &str) -> &str {
    let middle = name.len() / 2;
    let is_account = |name: &str| !name.starts_with(char::is_uppercase) || name.contains(|c: char| c.is_ascii_digit());
    match name.split_at_checked(middle) {
        Some((first, second))
            if (first.contains(' ') || is_account(first)) && second.strip_prefix(' ') == Some(first) =>
        {
            first
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests;
