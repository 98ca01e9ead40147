//! Telephone numbers, checked against the numbering plans of libphonenumber. A number with its country code (E.123) counts
//! wherever it stands. One without counts behind a word such as `tel.`, or behind another number of a list, in a country of
//! the text's language: dates, prices and counts are valid numbers somewhere.

mod lists;

use std::ops::Range;

use phonenumber::country::Id;

use super::scan::{after, before, context_before, joins, parts_list, run_after, run_before, runs, words};
use lists::{CALLS, FILLERS, HOURS, NEAR_PARTS, OTHERS, PARTS, WORDS};

/// Characters of a number at most, and digits (E.164: 15; shorter than 7 is a short code).
const LONGEST: usize = 25;
const DIGITS: std::ops::RangeInclusive<usize> = 7..=15;
/// Characters before a number in which a word must announce it.
const CONTEXT: usize = 24;
/// Groups that may follow a number and are none of it.
const MOST_EXTRA: usize = 3;
/// Digits of a group that may be the whole number behind an area code.
const WHOLE: usize = 4;
/// Digits of a group that is a whole number behind an area code.
const LONG_GROUP: usize = 6;
const ISBN_DIGITS: usize = 13;

/// Adds the byte ranges of numbers, in order.
pub fn find(text: &str, language: &str, found: &mut Vec<Range<usize>>) {
    let mut regions = None;
    let mut end = 0;
    for run in runs(text, |b| b.is_ascii_digit()) {
        if run.start < end {
            continue;
        }
        let last = found.last().map(|number| number.end);
        let Some(range) = candidate(text, run.start, last) else { continue };
        let shown = text.get(range.clone()).unwrap_or_default();
        if digits(shown) < *DIGITS.start() {
            continue;
        }
        let regions: &[Option<Id>] = if is_international(shown) {
            &[None]
        } else if let Some(length) = other_number(shown) {
            end = range.start + length;
            continue;
        } else if last.is_some_and(|last| parts_list(text, last..range.start)) || is_announced(text, range.start) {
            regions.get_or_insert_with(|| regions_of(language))
        } else {
            continue;
        };
        if let Some(mut number) = longest_valid(text, &range, regions) {
            // A bracket around the whole number is none of it.
            if text.get(number.clone()).is_some_and(|shown| shown.starts_with('(') && !shown.contains(')')) {
                number.start += 1;
            }
            end = number.end;
            found.push(number);
        }
    }
}

/// The stretch from a digit on that could be a number: digits with points, blanks, hyphens, a slash or brackets between.
/// `last` is the end of the number before it: those of a list may touch (`030 227321/030 227322`).
fn candidate(text: &str, digit: usize, last: Option<usize>) -> Option<Range<usize>> {
    let opening = run_before(text, digit, 2, |c| matches!(c, '+' | '('));
    let mark = before(text, opening);
    let is_in_list = matches!(mark, Some(',' | '/')) && last.is_some_and(|last| last + 1 == opening);
    let goes_on = matches!(mark, Some('.' | ',' | '-' | '/' | '#' | '=')) && !is_in_list;
    let is_international = is_international(text.get(opening..)?);
    // A word may touch the sign: `Tel+44…`.
    let touches = joins(mark) && !(is_international && mark.is_some_and(char::is_alphabetic));
    if touches || goes_on && !is_international {
        return None;
    }
    let reach = run_after(text, opening, LONGEST, |c| {
        c.is_ascii_digit() || matches!(c, '+' | '(' | ')' | ' ' | '\u{A0}' | '\u{202F}' | '.' | '-' | '‑' | '–' | '/')
    });
    let shown = text.get(opening..reach)?;
    let end = opening + shown.rfind(|c: char| c.is_ascii_digit())? + 1;
    Some(opening..end)
}

/// The longest beginning of a candidate that is a valid number, cut between groups of digits.
fn longest_valid(text: &str, candidate: &Range<usize>, regions: &[Option<Id>]) -> Option<Range<usize>> {
    let is_number = |range: &Range<usize>| {
        let shown = text.get(range.clone()).unwrap_or_default();
        DIGITS.contains(&digits(shown))
            && !joins(after(text, range.end).filter(|c| !(is_international(shown) && c.is_alphabetic())))
            && regions.iter().any(|region| is_valid(*region, shown))
    };
    let mut range = candidate.clone();
    for _ in 0..=MOST_EXTRA {
        let shorter = without_last_group(text, &range);
        if is_number(&range) {
            let own = shorter.filter(|own| is_extra(text, own.end..range.end) && is_number(own));
            return Some(own.unwrap_or(range));
        }
        range = shorter?;
    }
    None
}

fn without_last_group(text: &str, number: &Range<usize>) -> Option<Range<usize>> {
    let last = run_before(text, number.end, LONGEST, |c| c.is_ascii_digit());
    let length = text.get(number.start..last)?.rfind(|c: char| c.is_ascii_digit())? + 1;
    Some(number.start..number.start + length)
}

/// Whether the last group of a number is none of it, if the number is valid without: in countries where numbers vary in
/// length, a year or an hour makes another valid number. Any other group stays: a part of a number that is not masked is worse
/// than a count that is.
fn is_extra(text: &str, last: Range<usize>) -> bool {
    let shown = text.get(last.clone()).unwrap_or_default();
    let group = shown.trim_start_matches(|c: char| !c.is_ascii_digit());
    let gap = shown.trim_end_matches(|c: char| c.is_ascii_digit());
    // `030 227321 / 030 227322`: a zero after a slash begins the next number.
    gap.contains('/') && group.starts_with('0') || matches!(gap, " " | "\u{A0}") && belongs_behind(text, &last, group)
}

/// Whether a group of digits belongs to a word behind it: `2024 gegründet`, `10 Uhr`; so does a postcode after six digits,
/// which are a whole number (`227321 10115 Berlin`). Numbers in small groups go on (`22 73 21 52`).
fn belongs_behind(text: &str, last: &Range<usize>, group: &str) -> bool {
    let earlier = last.start - run_before(text, last.start, LONGEST, |c| c.is_ascii_digit());
    let begin = run_after(text, last.end, 1, |c| matches!(c, ' ' | '\u{A0}'));
    let end = run_after(text, begin, CONTEXT, char::is_alphabetic);
    let word = text.get(begin..end).unwrap_or_default();
    begin > last.end
        && !word.is_empty()
        && match group.len() {
            1 | 2 => earlier >= WHOLE && HOURS.contains(&word.to_lowercase().as_str()),
            4 => earlier > WHOLE && is_year(group),
            5 => earlier >= LONG_GROUP,
            _ => false,
        }
}

/// The length of a date, of years or of an ISBN (ISO 2108) with which a stretch of digits begins.
fn other_number(shown: &str) -> Option<usize> {
    let ranges: Vec<Range<usize>> = runs(shown, |b| b.is_ascii_digit()).collect();
    let groups: Vec<&str> = ranges.iter().filter_map(|range| shown.get(range.clone())).collect();
    let count = match groups.as_slice() {
        [first, second, ..] if is_year(first) && is_year(second) => 2,
        // Opening hours, amounts.
        [_, _, _, _, ..] if is_hours(shown) => 4,
        [first, rest @ ..] if is_amount(shown, first, rest) => groups.len(),
        [first, second, third, ..]
            if is_date(first, second, third) || is_date(third, second, first) || is_date(third, first, second) =>
        {
            3
        }
        _ => [1, 2, 5].into_iter().find(|count| groups.get(..*count).is_some_and(is_isbn))?,
    };
    ranges.get(count - 1).map(|last| last.end)
}

/// Whether a stretch begins with hours from one to another: `10.00-18.00`.
fn is_hours(shown: &str) -> bool {
    let mut sides = shown.splitn(2, ['-', '–']).map(str::trim);
    let mut is_hour = || {
        let (hour, minutes) = sides.next()?.split_once(['.', ':'])?;
        let begins =
            |text: &str, most: u8| text.get(..2).unwrap_or(text).parse::<u8>().is_ok_and(|number| number <= most);
        Some(hour.len() <= 2 && begins(hour, 24) && begins(minutes, 59) && minutes.len() >= 2)
    };
    is_hour() == Some(true) && is_hour() == Some(true)
}

/// Whether a stretch is a number of millions with points (`1.500.000`), or ends with thousands (`600 000 000`). `rest` are all
/// groups of digits but the first. With three digits first (`912.345.678`) it is a telephone number in some countries.
fn is_amount(shown: &str, first: &str, rest: &[&str]) -> bool {
    let of_three = !rest.is_empty() && rest.iter().all(|group| group.len() == 3);
    let points = first.len() < 3 && !first.starts_with('0') && shown.chars().all(|c| c.is_ascii_digit() || c == '.');
    of_three && (points || rest.ends_with(&["000", "000"]))
}

fn is_date(year: &str, month: &str, day: &str) -> bool {
    let is_up_to = |group: &str, most: u8| {
        group.len() <= 2 && group.parse::<u8>().is_ok_and(|number| (1..=most).contains(&number))
    };
    is_year(year) && is_up_to(month, 12) && is_up_to(day, 31)
}

fn is_year(group: &str) -> bool {
    group.len() == 4 && (group.starts_with("19") || group.starts_with("20"))
}

/// Whether groups of digits are an ISBN of thirteen digits, with its check digit.
fn is_isbn(groups: &[&str]) -> bool {
    if groups.iter().map(|group| group.len()).sum::<usize>() != ISBN_DIGITS {
        return false;
    }
    let number = groups.concat();
    let weighted =
        number.bytes().zip([1, 3].into_iter().cycle()).map(|(digit, weight)| u32::from(digit - b'0') * weight);
    (number.starts_with("978") || number.starts_with("979")) && weighted.sum::<u32>() % 10 == 0
}

fn digits(shown: &str) -> usize {
    shown.bytes().filter(u8::is_ascii_digit).count()
}

/// Whether a number begins with its country code; brackets may stand around that.
fn is_international(shown: &str) -> bool {
    shown.trim_start_matches('(').starts_with('+')
}

fn is_valid(region: Option<Id>, shown: &str) -> bool {
    let shown = if is_international(shown) { shown.trim_start_matches('(') } else { shown };
    phonenumber::parse(region, shown).is_ok_and(|number| number.is_valid())
}

/// Whether a word before a place announces a number. The last one that announces any tells of which kind it is.
fn is_announced(text: &str, at: usize) -> bool {
    let context = context_before(text, at, CONTEXT);
    // In a row of numbers, most have other numbers alone before them.
    if context.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_alphabetic()) {
        return false;
    }
    let is_announcing = |word: &str| match WORDS.contains(word) {
        true => Some(true),
        false => OTHERS.contains(word).then_some(false),
    };
    let is_called =
        || words(&context).rev().find(|word| !FILLERS.contains(*word)).is_some_and(|word| CALLS.contains(word));
    let near = || context.trim_end_matches(|c: char| !c.is_alphanumeric());
    let has_part =
        || PARTS.iter().any(|part| context.contains(part)) || NEAR_PARTS.iter().any(|part| near().ends_with(part));
    words(&context).rev().find_map(is_announcing).unwrap_or_else(|| is_called() || has_part())
}

/// Countries in which a language is the main one of many people.
fn regions_of(language: &str) -> Vec<Option<Id>> {
    let regions: &[Id] = match language {
        "ara" => &[Id::SA, Id::EG, Id::AE, Id::MA, Id::DZ, Id::IQ, Id::JO],
        "bul" => &[Id::BG],
        "cat" | "eus" | "glg" => &[Id::ES],
        "ces" => &[Id::CZ],
        "dan" => &[Id::DK],
        "deu" => &[Id::DE, Id::AT, Id::CH],
        "ell" => &[Id::GR, Id::CY],
        "eng" => &[Id::US, Id::GB, Id::CA, Id::AU, Id::IE, Id::NZ, Id::IN, Id::ZA],
        "est" => &[Id::EE],
        "fas" => &[Id::IR],
        "fin" => &[Id::FI],
        "fra" => &[Id::FR, Id::BE, Id::CH, Id::CA],
        "heb" => &[Id::IL],
        "hin" => &[Id::IN],
        "hrv" => &[Id::HR],
        "hun" => &[Id::HU],
        "ind" => &[Id::ID],
        "isl" => &[Id::IS],
        "ita" => &[Id::IT, Id::CH],
        "jpn" => &[Id::JP],
        "kor" => &[Id::KR],
        "lav" => &[Id::LV],
        "lit" => &[Id::LT],
        "msa" => &[Id::MY],
        "nld" => &[Id::NL, Id::BE],
        "nno" | "nob" | "nor" => &[Id::NO],
        "pol" => &[Id::PL],
        "por" => &[Id::PT, Id::BR],
        "ron" => &[Id::RO, Id::MD],
        "rus" => &[Id::RU, Id::KZ, Id::BY],
        "slk" => &[Id::SK],
        "slv" => &[Id::SI],
        "spa" => &[Id::ES, Id::MX, Id::AR, Id::CO, Id::CL, Id::PE],
        "sqi" => &[Id::AL],
        "srp" => &[Id::RS, Id::BA],
        "swe" => &[Id::SE, Id::FI],
        "tha" => &[Id::TH],
        "tur" => &[Id::TR],
        "ukr" => &[Id::UA],
        "vie" => &[Id::VN],
        "zho" => &[Id::CN, Id::TW, Id::HK],
        _ => &[],
    };
    regions.iter().copied().map(Some).collect()
}
