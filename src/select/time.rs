//! Parses the times of an index and of expressions: 14 digits in CDX, dates and timestamps in expressions.

use std::ops::Range;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

/// Digits of a second, the finest time that is written here.
const SECOND: usize = 14;

/// Microseconds since 1970 in UTC of a time; `None` if the text is no time.
///
/// Accepted are `2024`, `2024-05`, `2024-05-01`, `2024-05-01 12:30[:05]` (also with `T` and `Z`), and the same digits
/// without separators. Missing parts are the first possible ones; fractions of a second are ignored.
///
/// ```
/// use warcorpus::select::time::parse;
///
/// assert_eq!(parse("1970-01-02"), Some(86_400_000_000));
/// assert_eq!(parse("19700102000000"), parse("1970-01-02T00:00:00Z"));
/// assert_eq!(parse("yesterday"), None);
/// ```
pub fn parse(text: &str) -> Option<i64> {
    let text = text.trim().trim_end_matches(['Z', 'z']);
    let whole = text
        .split_once('.')
        .map_or(text, |(whole, fraction)| if fraction.bytes().all(|b| b.is_ascii_digit()) { whole } else { "" });
    let mut digits = String::with_capacity(14);
    let mut parted = true;
    for c in whole.chars() {
        match c {
            '0'..='9' => digits.push(c),
            '-' if !parted && matches!(digits.len(), 4 | 6) => {}
            'T' | 't' | ' ' if !parted && digits.len() == 8 => {}
            ':' if !parted && matches!(digits.len(), 10 | 12) => {}
            _ => return None,
        }
        parted = !c.is_ascii_digit();
    }
    if parted || !matches!(digits.len(), 4 | 6 | 8 | 10 | 12 | 14) {
        return None;
    }
    let part = |from: usize, to: usize, least: i8| match digits.get(from..to) {
        Some(part) => part.parse().ok(),
        None => Some(least),
    };
    let year = digits.get(..4)?.parse().ok()?;
    let (month, day) = (part(4, 6, 1)?, part(6, 8, 1)?);
    let time = DateTime::new(year, month, day, part(8, 10, 0)?, part(10, 12, 0)?, part(12, 14, 0)?, 0).ok()?;
    let zoned = time.to_zoned(TimeZone::UTC).ok()?;
    Some(zoned.timestamp().as_microsecond())
}

/// Microseconds since 1970 in UTC from the beginning of a period to before its end; `None` if the text is no period: a year
/// (`2024`), a month (`2024-05`), a day (`2024-05-01`), or `FROM..TO`, where both are such and `TO` is included.
///
/// ```text
/// period("2024-05") = parse("2024-05")..parse("2024-06")
/// ```
pub fn period(text: &str) -> Option<Range<i64>> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let begin = parse(from)?;
    let end = end_of(to).filter(|_| precision(to) <= 8)?;
    (begin < end).then_some(begin..end)
}

/// Microseconds since 1970 in UTC from the beginning of what a time in an expression means to before its end; `None` if the
/// text is no time. A time with parts that are missing is all of its year, month, day, hour or minute; one with seconds is a
/// single moment, one microsecond long.
///
/// ```text
/// meant("2024-05") = parse("2024-05")..parse("2024-06")
/// ```
pub fn meant(text: &str) -> Option<Range<i64>> {
    let begin = parse(text)?;
    let end = match precision(text) {
        SECOND => begin.saturating_add(1),
        // Years behind the last one have no number.
        _ => end_of(text).unwrap_or(i64::MAX),
    };
    Some(begin..end)
}

/// Digits of a time, without those of a fraction of a second.
fn precision(text: &str) -> usize {
    let whole = text.split_once('.').map_or(text, |(whole, _)| whole);
    whole.bytes().filter(u8::is_ascii_digit).count()
}

/// The first moment behind a year, month, day, hour or minute.
fn end_of(text: &str) -> Option<i64> {
    let step = match precision(text) {
        4 => Span::new().years(1),
        6 => Span::new().months(1),
        8 => Span::new().days(1),
        10 => Span::new().hours(1),
        12 => Span::new().minutes(1),
        _ => return None,
    };
    let begin = Timestamp::from_microsecond(parse(text)?).ok()?.to_zoned(TimeZone::UTC);
    Some(begin.checked_add(step).ok()?.timestamp().as_microsecond())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn dates_and_digits() {
        let second = 1_714_566_605_000_000;
        for text in ["20240501123005", "2024-05-01T12:30:05Z", "2024-05-01 12:30:05", "2024-05-01T12:30:05.9Z"] {
            assert_eq!(parse(text), Some(second), "{text}");
        }
        assert_eq!(parse("2024-05-01T12:30"), Some(second - 5_000_000));
        assert_eq!(parse("1970-01-01"), Some(0));
        assert_eq!((parse("2024"), parse("2024-05")), (parse("2024-01-01"), parse("20240501")));
        for wrong in [
            "",
            "x",
            "2024-13-01",
            "2024-02-30",
            "20240501246000",
            "202",
            "2024-05-01T12:30:05+02:00",
            "-2024",
            "2024-",
            "2024--05",
            "2024-05-01T",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn periods_have_an_end() {
        let between = |from, to| Some(parse(from).unwrap()..parse(to).unwrap());
        assert_eq!(period("2024"), between("2024-01-01", "2025-01-01"));
        assert_eq!(period("2024-02"), between("2024-02-01", "2024-03-01"));
        assert_eq!(period("20240229"), between("2024-02-29", "2024-03-01"));
        assert_eq!(period("2019-05..2020"), between("2019-05-01", "2021-01-01"));
        for wrong in ["", "2020..2019", "2024-05-01T12:30", "..", "2019..", "May"] {
            assert_eq!(period(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_time_means_all_that_its_missing_parts_leave_open() {
        let between = |from, to| Some(parse(from).unwrap()..parse(to).unwrap());
        assert_eq!(meant("2024"), between("2024-01-01", "2025-01-01"));
        assert_eq!(meant("202402"), between("2024-02-01", "2024-03-01"));
        assert_eq!(meant("2024-12-31"), between("2024-12-31", "2025-01-01"));
        assert_eq!(meant("2024-02-29T23"), between("2024-02-29T23:00:00", "2024-03-01"));
        assert_eq!(meant("2024-02-29 23:59Z"), between("2024-02-29T23:59:00", "2024-03-01"));
        let moment = parse("20240229235959").unwrap();
        for text in ["20240229235959", "2024-02-29T23:59:59Z", "2024-02-29T23:59:59.75Z"] {
            assert_eq!(meant(text), Some(moment..moment + 1), "{text}");
        }
        assert_eq!(meant("9999"), Some(parse("9999").unwrap()..i64::MAX));
        for wrong in ["", "yesterday", "2024-13", "2019..2020"] {
            assert_eq!(meant(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[0-9TZ:. -]{0,20}") {
            parse(&text);
            period(&text);
            prop_assert!(meant(&text).is_none_or(|meant| meant.start < meant.end));
        }
    }
}
