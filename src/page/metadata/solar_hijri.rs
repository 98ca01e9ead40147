//! Dates of the calendar of Iran and Afghanistan (Solar Hijri) → Gregorian dates.
//!
//! A year begins at the spring equinox. In the years that are read here the rule of 33 years, eight of them leap years, gives
//! the days of the equinox. Dates of the lunar calendar depend on who saw the moon, and are not read.

use std::ops::RangeInclusive;

use jiff::Span;
use jiff::civil::{Date, date};

/// The years in which a month of this calendar is taken for one.
pub(super) const YEARS: RangeInclusive<u32> = 1300..=1450;

/// The number of the month that a lower-case word names.
pub(super) fn month(word: &str) -> Option<u32> {
    let written = word.strip_suffix("ماه").unwrap_or(word);
    // Keyboards for Arabic have other letters for two of Persian.
    let persian = |c| match c {
        'ي' => 'ی',
        'ك' => 'ک',
        c => c,
    };
    let is_same = |name: &str| name.chars().eq(written.chars().map(persian));
    let index = MONTHS.iter().find_map(|names| names.split(' ').position(is_same))?;
    u32::try_from(index + 1).ok()
}

/// The Gregorian date of a day in one of [`YEARS`]; None if there is no such day.
pub(super) fn date_of(year: u32, month: u32, day: u32) -> Option<Date> {
    let length = match month {
        1..=6 => 31,
        7..=11 => 30,
        12 if days_before(year + 1) - days_before(year) == 366 => 30,
        12 => 29,
        _ => return None,
    };
    if !YEARS.contains(&year) || !(1..=length).contains(&day) {
        return None;
    }
    let before_month = (month - 1) * 30 + (month - 1).min(6);
    let days = days_before(year) + i64::from(before_month + day - 1) - days_before(1400);
    date(2021, 3, 21).checked_add(Span::new().try_days(days).ok()?).ok()
}

/// Days between the beginnings of the year 0 and of a year.
fn days_before(year: u32) -> i64 {
    i64::from(365 * year + (8 * year + 21) / 33)
}

/// The names in Iran, in Latin letters, in Afghanistan, and in Pashto; each list from the month that begins in March.
const MONTHS: [&str; 4] = [
    "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند",
    "farvardin ordibehesht khordad tir mordad shahrivar mehr aban azar dey bahman esfand",
    "حمل ثور جوزا سرطان اسد سنبله میزان عقرب قوس جدی دلو حوت",
    "وری غویی غبرګولی چنګاښ زمری وږی تله لړم لیندۍ مرغومی سلواغه کب",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_days() {
        for ((year, month, day), gregorian) in [
            ((1403, 1, 1), date(2024, 3, 20)),
            ((1400, 1, 1), date(2021, 3, 21)),
            ((1399, 1, 1), date(2020, 3, 20)),
            ((1402, 12, 15), date(2024, 3, 5)),
            ((1399, 12, 30), date(2021, 3, 20)),
            ((1375, 1, 1), date(1996, 3, 20)),
            ((1376, 1, 1), date(1997, 3, 21)),
            ((1357, 11, 22), date(1979, 2, 11)),
            ((1402, 7, 1), date(2023, 9, 23)),
            ((1402, 6, 31), date(2023, 9, 22)),
        ] {
            assert_eq!(date_of(year, month, day), Some(gregorian), "{year}-{month}-{day}");
        }
    }

    #[test]
    fn days_that_are_none() {
        for (year, month, day) in [
            (1402, 12, 30),
            (1402, 7, 31),
            (1402, 1, 32),
            (1402, 1, 0),
            (1402, 0, 1),
            (1402, 13, 1),
            (1299, 1, 1),
            (1451, 1, 1),
        ] {
            assert_eq!(date_of(year, month, day), None, "{year}-{month}-{day}");
        }
    }

    #[test]
    fn leap_years() {
        let leap: Vec<u32> = (1370..1410).filter(|year| date_of(*year, 12, 30).is_some()).collect();
        assert_eq!(leap, [1370, 1375, 1379, 1383, 1387, 1391, 1395, 1399, 1403, 1408]);
    }

    #[test]
    fn each_day_follows_the_one_before() {
        let days = YEARS.flat_map(|year| (1..=12).flat_map(move |month| (1..=31).map(move |day| (year, month, day))));
        let days: Vec<Date> = days.filter_map(|(year, month, day)| date_of(year, month, day)).collect();
        assert!(days.windows(2).all(|pair| pair[0].tomorrow().unwrap() == pair[1]));
    }

    #[test]
    fn names() {
        for (word, number) in
            [("اسفند", 12), ("اسفندماه", 12), ("دي", 10), ("حوت", 12), ("کب", 12), ("كب", 12), ("dey", 10)]
        {
            assert_eq!(month(word), Some(number), "{word}");
        }
        for other in ["", "ماه", "مارس", "شعبان", "آذار"] {
            assert_eq!(month(other), None, "{other}");
        }
    }
}
