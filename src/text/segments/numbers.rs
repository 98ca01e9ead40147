//! Tokens of numbers: their separators, the endings of ordinal numbers, and currencies that are written to them.

use super::chars::{CharClass, char_at, char_before, class, class_at, skip};
use super::own_marks::ETHIOPIC_COLON;
use super::rules::LanguageRules;
use super::tokens::TokenScan;
use super::word_tokens::{finish, is_colon_ending, word_end};
use crate::text::char_classes::is_tsheg;

/// Appends the number whose digits begin at `at`, with what heads it from `start` on and the letters attached to it, and
/// returns the offset behind it.
pub fn number(scan: &mut TokenScan, start: usize, at: usize, chunk_end: usize) -> usize {
    let text = scan.text;
    let digits = number_end(text, at, scan.rules);
    if let Some(end) = ordinal_ending(text, digits) {
        scan.push(start..end);
        return end;
    }
    if scan.rules.ordinal_dot && !scan.rules.cut_stop && is_ordinal(text, digits, chunk_end) {
        scan.push(start..digits + 1);
        return digits + 1;
    }
    let tails = &scan.rules.number_tails;
    let digits = if tails.is_empty() { digits } else { skip(text, digits, |c| tails.contains(c)) };
    let joint = char_at(text, digits).filter(|c| is_joint(*c) || is_colon_ending(text, digits, scan.rules));
    let next = digits + joint.map_or(0, char::len_utf8);
    let hyphen = next > digits && class_at(text, digits) == CharClass::Hyphen;
    if digits >= chunk_end || class_at(text, next) != CharClass::Letter || hyphen && scan.rules.cut_hyphens {
        let digits = skip(text, digits, is_tsheg);
        scan.push(start..digits);
        return digits;
    }
    let end = word_end(scan, start, next, chunk_end);
    finish(scan, start..end, chunk_end)
}

/// The offset behind the stop and the ending of an ordinal number, which stand at an offset: `13.º`, `3.er`.
fn ordinal_ending(text: &str, digits: usize) -> Option<usize> {
    let rest = text.get(digits..)?;
    let ending = [".º", ".ª", ".er"].into_iter().find(|ending| rest.starts_with(*ending))?;
    let end = digits + ending.len();
    (ending != ".er" || class_at(text, end) != CharClass::Letter).then_some(end)
}

fn is_joint(c: char) -> bool {
    matches!(class(c), CharClass::Hyphen | CharClass::Apostrophe) && c != '`'
}

/// The end of a run of digits with single separators between them: `5,000.50`, `12:05`, `08/16/2000`, `20-30`.
fn number_end(text: &str, at: usize, rules: &LanguageRules) -> usize {
    let mut end = at;
    loop {
        end = skip(text, end, |c| class(c) == CharClass::Digit);
        let Some(mark) = char_at(text, end) else { return end };
        let joins = match mark {
            '.' | ',' | ':' | '/' | '٫' | '٬' | '．' | '\'' | '’' | '⁻' => true,
            // Hours of Amharic, and days of Korean: `10፡30`, `5·18`.
            ETHIOPIC_COLON => true,
            '·' => {
                let behind = skip(text, end + 2, |c| class(c) == CharClass::Digit);
                end - at <= 2 && behind <= end + 4 && char_at(text, behind) != Some('·')
            }
            '，' => parts_thousands(text, end),
            '-' | '\u{2010}' | '\u{2011}' => !rules.cut_ranges,
            _ => false,
        };
        let next = end + mark.len_utf8();
        if !joins || class_at(text, next) != CharClass::Digit {
            return end;
        }
        end = next;
    }
}

/// Whether a comma in the width of an ideograph stands between digits of that width, three of them behind it: `１，２３４`, but
/// `１，２，３`.
fn parts_thousands(text: &str, comma: usize) -> bool {
    let wide = |c: char| ('０'..='９').contains(&c);
    let behind = text.get(comma + '，'.len_utf8()..).unwrap_or_default();
    char_before(text, comma).is_some_and(wide) && behind.chars().take(4).take_while(|c| wide(*c)).count() == 3
}

/// Whether the digits before `end` have the stop of an ordinal number: one stop, and the sentence goes on.
fn is_ordinal(text: &str, end: usize, chunk_end: usize) -> bool {
    end < chunk_end
        && end + 1 < text.len()
        && char_at(text, end) == Some('.')
        && !matches!(class_at(text, end + 1), CharClass::Stop | CharClass::Letter | CharClass::Digit)
}

/// Whether the comma at an offset parts the thousands of a number within a word: `N1,500`, `לכ-1,500`.
pub fn is_thousands_mark(text: &str, word: usize, comma: usize) -> bool {
    const THOUSANDS: usize = 3;
    const MOST_LETTERS: usize = 4;
    if !matches!(char_at(text, comma), Some(',' | '٬')) {
        return false;
    }
    let is_digit = |c: &char| class(*c) == CharClass::Digit;
    let count = |digits: &mut dyn Iterator<Item = char>| digits.take(THOUSANDS + 1).take_while(is_digit).count();
    let before = text.get(word..comma).unwrap_or_default();
    let behind = text.get(comma..).unwrap_or_default();
    let digits = count(&mut before.chars().rev());
    // Of names such as `COVID19` and `MP3,128kbps` it is none.
    let letters = before.chars().rev().skip(digits).take_while(|c| class(*c) == CharClass::Letter);
    let goes_on = behind.chars().nth(1 + THOUSANDS).is_some_and(|c| class(c) == CharClass::Letter);
    (1..=THOUSANDS).contains(&digits)
        && letters.take(MOST_LETTERS + 1).count() <= MOST_LETTERS
        && !goes_on
        && count(&mut behind.chars().skip(1)) == THOUSANDS
}

/// The offset behind a currency that is written to its number, with the stop of an abbreviation: `Rp50.000`, `Rp.50.000`. The
/// number is a token, as behind a sign (`$50`). Letters with a short number are names of other things, too (`Rs6`, `RM101`).
pub fn currency_end(text: &str, at: usize, rules: &LanguageRules) -> Option<usize> {
    let rest = text.get(at..)?;
    rules.currencies.iter().find_map(|currency| {
        let behind = rest.strip_prefix(currency.as_str())?;
        let number = behind.strip_prefix('.').unwrap_or(behind);
        let digits = skip(number, 0, |c| class(c) == CharClass::Digit);
        let is_amount = || {
            let (whole, after) = number.split_at_checked(digits).unwrap_or((number, ""));
            let after = after.strip_prefix(['.', ',']);
            whole.chars().nth(3).is_some()
                || after.is_some_and(|after| after.starts_with(|c: char| class(c) == CharClass::Digit))
        };
        (digits > 0 && (number.len() < behind.len() || is_amount())).then_some(text.len() - number.len())
    })
}
