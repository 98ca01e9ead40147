//! Payment card numbers (ISO 7812): ranges of the issuers, their lengths and ways of grouping, and the check digit
//! (Luhn's formula).

use std::ops::Range;

use super::scan::{after, before, joins, runs};

/// Digits of a number at least and at most, and characters with blanks or hyphens between groups.
const LEAST_DIGITS: usize = 14;
const MOST_DIGITS: usize = 19;
const MOST_CHARACTERS: usize = 23;

/// Groups of digits as issuers print them.
const GROUPS: [&[usize]; 5] = [&[4, 4, 4, 4], &[4, 6, 5], &[4, 6, 4], &[4, 4, 4, 4, 3], &[6, 13]];
const MOST_GROUPS: usize = 5;

/// Adds the byte ranges of card numbers, in order.
pub fn find(text: &str, found: &mut Vec<Range<usize>>) {
    for run in runs(text, |b| b.is_ascii_digit() || matches!(b, b' ' | b'-')) {
        let shown = text.get(run.clone()).unwrap_or_default();
        let groups: Vec<_> =
            runs(shown, |b| b.is_ascii_digit()).map(|group| run.start + group.start..run.start + group.end).collect();
        let mut begin = 0;
        while let Some(rest @ [first, ..]) = groups.get(begin..) {
            let last = begin.checked_sub(1).and_then(|last| groups.get(last));
            let behind_find = found.last().is_some_and(|found| last.is_some_and(|last| last.end == found.end));
            let most =
                if behind_find || last.is_none_or(|last| may_begin(text, last, first)) { MOST_GROUPS } else { 1 };
            let joined = joined(text, rest).min(most);
            let number = (1..=joined)
                .rev()
                .find_map(|groups| Some((groups, number(text, first.start..rest.get(groups - 1)?.end)?)));
            begin += number.as_ref().map_or(1, |(groups, _)| *groups);
            found.extend(number.map(|(_, range)| range));
        }
    }
}

/// Whether a number of several groups may begin behind a group: in a row of numbers of four digits it may not, nor in a
/// code that begins with letters.
fn may_begin(text: &str, last: &Range<usize>, first: &Range<usize>) -> bool {
    last.end + 1 < first.start || last.len() < 4 && !joins(before(text, last.start))
}

/// How many groups stand together, with single blanks or hyphens, all of one kind, between them; at most [`MOST_GROUPS`].
fn joined(text: &str, groups: &[Range<usize>]) -> usize {
    let gap = |pair: &[Range<usize>]| match pair {
        [one, next] => text.get(one.end..next.start).filter(|gap| gap.len() == 1),
        _ => None,
    };
    let mut gaps = groups.windows(2).take(MOST_GROUPS - 1).map(gap);
    let Some(Some(first)) = gaps.next() else { return 1 };
    2 + gaps.take_while(|gap| *gap == Some(first)).count()
}

/// The card number that groups of digits are.
fn number(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    if !(LEAST_DIGITS..=MOST_CHARACTERS).contains(&range.len())
        || joins(before(text, range.start))
        || joins(after(text, range.end))
    {
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
