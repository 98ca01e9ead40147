//! Payment card numbers (ISO 7812): ranges of the issuers, their lengths and ways of grouping, and the check digit
//! (Luhn's formula).

use std::ops::Range;

use super::scan::{after, before, joins, runs};

/// Digits of a number at most, and characters with blanks or hyphens between groups.
const MOST_DIGITS: usize = 19;
const MOST_CHARACTERS: usize = 23;

/// Groups of digits as issuers print them.
const GROUPS: [&[usize]; 6] = [&[4, 4, 4, 4], &[4, 6, 5], &[4, 6, 4], &[4, 4, 4, 4, 3], &[6, 13], &[4, 4, 5]];

/// Adds the byte ranges of card numbers, in order.
pub fn find(text: &str, found: &mut Vec<Range<usize>>) {
    for run in runs(text, |b| b.is_ascii_digit() || matches!(b, b' ' | b'-')) {
        let shown = text.get(run.clone()).unwrap_or_default();
        for group in groups(shown) {
            found.extend(number(text, run.start + group.start..run.start + group.end));
        }
    }
}

/// Stretches of digits with single blanks or hyphens, all of one kind, between them.
fn groups(shown: &str) -> impl Iterator<Item = Range<usize>> {
    let mut place = 0;
    std::iter::from_fn(move || {
        let bytes = shown.as_bytes();
        let start = place + bytes.get(place..)?.iter().position(u8::is_ascii_digit)?;
        let (mut end, mut separator) = (start, None);
        while let Some(byte) = bytes.get(end) {
            let next_is_digit = bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
            if !byte.is_ascii_digit() && (!next_is_digit || separator.is_some_and(|one| one != *byte)) {
                break;
            }
            if !byte.is_ascii_digit() {
                separator = Some(*byte);
            }
            end += 1;
        }
        place = end;
        Some(start..end)
    })
}

/// The card number that a stretch of digits is.
fn number(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    if range.len() > MOST_CHARACTERS || joins(before(text, range.start)) || joins(after(text, range.end)) {
        return None;
    }
    // A decimal number, a part of a longer code, or a telephone number.
    let is_part = |c: Option<char>| matches!(c, Some('.' | ',' | '-' | '+' | '/' | '#'));
    let next = after(text, range.end);
    let goes_on = matches!(next, Some('.' | ',' | '/' | '-'))
        && text.get(range.end + 1..).and_then(|rest| rest.chars().next()).is_some_and(char::is_alphanumeric);
    if is_part(before(text, range.start)) || goes_on {
        return None;
    }
    let shown = text.get(range.clone())?;
    let lengths: Vec<usize> = shown.split([' ', '-']).map(str::len).collect();
    let digits: Vec<u8> = shown.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    let is_printed = lengths.len() == 1 || GROUPS.contains(&lengths.as_slice());
    (is_printed && digits.len() <= MOST_DIGITS && is_issued(&digits) && luhn(&digits)).then_some(range)
}

/// Whether an issuer has numbers of this length with these first digits.
fn is_issued(digits: &[u8]) -> bool {
    let prefix = digits.iter().take(6).fold(0, |prefix, digit| prefix * 10 + u32::from(*digit));
    match (prefix, digits.len()) {
        // Visa; numbers of 13 digits are not issued any more, and are mistaken for those of articles.
        (400_000..=499_999, 16 | 19) => true,
        // Mastercard.
        (510_000..=559_999 | 222_100..=272_099, 16) => true,
        // American Express.
        (340_000..=349_999 | 370_000..=379_999, 15) => true,
        // Diners Club.
        (300_000..=305_999 | 309_500..=309_599 | 360_000..=369_999 | 380_000..=399_999, 14 | 16) => true,
        // Discover, UnionPay.
        (601_100..=601_199 | 644_000..=659_999 | 620_000..=629_999, 16..=19) => true,
        // JCB.
        (352_800..=358_999, 16..=19) => true,
        // Maestro.
        (500_000..=509_999 | 560_000..=589_999 | 630_000..=639_999 | 670_000..=679_999, 16 | 18 | 19) => true,
        _ => false,
    }
}

fn luhn(digits: &[u8]) -> bool {
    let doubled = |(place, digit): (usize, &u8)| match (place % 2, u32::from(*digit)) {
        (0, digit) => digit,
        (_, digit) => digit * 2 / 10 + digit * 2 % 10,
    };
    digits.iter().rev().enumerate().map(doubled).sum::<u32>() % 10 == 0
}
