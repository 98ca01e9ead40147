//! International bank account numbers (ISO 13616): length by country, check digits modulo 97. Groups may be parted by
//! blanks or hyphens.

use std::ops::Range;

use super::scan::{after, before, joins, runs};

/// Countries with the length of their numbers (SWIFT's IBAN registry, release 99).
const LENGTHS: [(&str, usize); 88] = [
    ("AD", 24),
    ("AE", 23),
    ("AL", 28),
    ("AT", 20),
    ("AZ", 28),
    ("BA", 20),
    ("BE", 16),
    ("BG", 22),
    ("BH", 22),
    ("BI", 27),
    ("BR", 29),
    ("BY", 28),
    ("CH", 21),
    ("CR", 22),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DJ", 27),
    ("DK", 18),
    ("DO", 28),
    ("EE", 20),
    ("EG", 29),
    ("ES", 24),
    ("FI", 18),
    ("FK", 18),
    ("FO", 18),
    ("FR", 27),
    ("GB", 22),
    ("GE", 22),
    ("GI", 23),
    ("GL", 18),
    ("GR", 27),
    ("GT", 28),
    ("HN", 28),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IQ", 23),
    ("IS", 26),
    ("IT", 27),
    ("JO", 30),
    ("KW", 30),
    ("KZ", 20),
    ("LB", 28),
    ("LC", 32),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("LY", 25),
    ("MC", 27),
    ("MD", 24),
    ("ME", 22),
    ("MK", 19),
    ("MN", 20),
    ("MR", 27),
    ("MT", 31),
    ("MU", 30),
    ("NI", 28),
    ("NL", 18),
    ("NO", 15),
    ("OM", 23),
    ("PK", 24),
    ("PL", 28),
    ("PS", 29),
    ("PT", 25),
    ("QA", 29),
    ("RO", 24),
    ("RS", 22),
    ("RU", 33),
    ("SA", 24),
    ("SC", 31),
    ("SD", 18),
    ("SE", 24),
    ("SI", 19),
    ("SK", 24),
    ("SM", 27),
    ("SO", 23),
    ("ST", 25),
    ("SV", 28),
    ("TL", 23),
    ("TN", 24),
    ("TR", 26),
    ("UA", 29),
    ("VA", 22),
    ("VG", 24),
    ("XK", 20),
];

/// Adds the byte ranges of account numbers, in order.
pub fn find(text: &str, found: &mut Vec<Range<usize>>) {
    for run in runs(text, |b| b.is_ascii_digit()) {
        // The check digits stand after two letters, and perhaps a blank.
        let letters = if before(text, run.start) == Some(' ') { 3 } else { 2 };
        let Some(start) = run.start.checked_sub(letters) else { continue };
        if found.last().is_none_or(|last| last.end <= start) {
            found.extend(number(text, start));
        }
    }
}

/// The account number that begins at a place.
fn number(text: &str, start: usize) -> Option<Range<usize>> {
    let country = text.get(start..start + 2).filter(|code| code.bytes().all(|byte| byte.is_ascii_uppercase()))?;
    let (_, length) = LENGTHS.iter().find(|(code, _)| *code == country)?;
    if joins(before(text, start)) {
        return None;
    }
    let (mut remainder, mut seen, mut head) = (0, 0, [0; 4]);
    let mut end = start;
    for c in text.get(start..)?.chars().take(2 * length) {
        let is_gap = matches!(c, ' ' | '\u{A0}' | '\u{202F}' | '-');
        if is_gap && before(text, end).is_some_and(|c| c.is_ascii_alphanumeric()) {
            end += c.len_utf8();
            continue;
        }
        let value = c.to_digit(36).filter(|_| c.is_ascii_digit() || c.is_ascii_uppercase())?;
        match head.get_mut(seen) {
            Some(place) => *place = value,
            None => remainder = fed(remainder, value),
        }
        (seen, end) = (seen + 1, end + c.len_utf8());
        if seen == *length {
            break;
        }
    }
    // The country and the check digits come last in the sum.
    let sum = head.iter().fold(remainder, |sum, value| fed(sum, *value));
    (seen == *length && sum == 1 && !joins(after(text, end))).then_some(start..end)
}

/// A remainder modulo 97 after another digit, or letter as two digits.
fn fed(remainder: u32, value: u32) -> u32 {
    (remainder * if value > 9 { 100 } else { 10 } + value) % 97
}
