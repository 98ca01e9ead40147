//! Dates as pages write them → calendar dates. Only complete dates count: a
//! year or a month alone is nothing. Times and zones are ignored, the date is
//! taken as written.

mod named_month;

use jiff::civil::{Date, date};

use super::date_tokens::{DateToken, tokens};
use super::digits::with_ascii_digits;
use super::solar_hijri;
use named_month::with_month_name;

/// Before the web had dated pages.
const EARLIEST: Date = date(1995, 1, 1);

/// The last day believed where the day of capture is unknown: later ones are typing errors or stand for "never".
const LATEST: Date = date(2100, 12, 31);

/// Whether a page captured on `captured` may have been published on `day`.
pub(super) fn plausible(day: Date, captured: Option<Date>) -> bool {
    day >= EARLIEST && not_after(day, captured)
}

/// Whether a page captured on `captured` may have a text of that day, which can be older than the web. One day of grace
/// for time zones.
pub(super) fn not_after(day: Date, captured: Option<Date>) -> bool {
    day <= captured.map_or(LATEST, |day| day.tomorrow().unwrap_or(day))
}

/// Reads a date: ISO 8601 and its relatives, `20190102`, day-first numbers
/// (`9. 10. 2015`, `03/04/2015`; month first only if the second number cannot
/// be a month), and dates with a month name.
pub(super) fn parse(text: &str) -> Option<Date> {
    parse_by(text, NumberOrder::Day)
}

/// [`parse`] with the page's order of numbers.
pub(super) fn parse_by(text: &str, order: NumberOrder) -> Option<Date> {
    complete(text, &tokens(&with_ascii_digits(text)), order)
}

/// The order in which a page writes days in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberOrder {
    Day,
    /// Month, day, year: American English.
    Month,
    /// Year, month, day: Chinese, Japanese and Korean.
    Year,
}

/// Reads also dates whose year has two digits: `5.3.09`, `5 Mar 09`.
pub(super) fn parse_short(text: &str, order: NumberOrder) -> Option<Date> {
    parse_both(text, order).1
}

/// What [`parse_by`] and [`parse_short`] read.
pub(super) fn parse_both(text: &str, order: NumberOrder) -> (Option<Date>, Option<Date>) {
    let ascii = with_ascii_digits(text);
    let tokens = tokens(&ascii);
    let day = complete(text, &tokens, order);
    let by_year = || if order == NumberOrder::Year { short_year_first(&tokens) } else { None };
    let by_day = || year_last(&tokens, order, 2).or_else(|| with_month_name(&tokens, 2));
    (day, day.or_else(by_year).or_else(by_day))
}

/// Whether a text has a date in numbers with the year last: which of the others is the month is then a guess (`11.05.12`).
pub(super) fn is_order_guessed(text: &str) -> bool {
    let text = with_ascii_digits(text);
    let tokens = tokens(&text);
    [4, 2].into_iter().any(|digits| year_last(&tokens, NumberOrder::Day, digits).is_some())
}

fn complete(text: &str, tokens: &[DateToken], order: NumberOrder) -> Option<Date> {
    solar_numbers(text, tokens)
        .or_else(|| year_first(tokens, "-/.年月년월"))
        .or_else(|| compact(tokens))
        .or_else(|| year_of_era(tokens))
        .or_else(|| signed_month_first(tokens))
        .or_else(|| vietnamese(tokens))
        .or_else(|| buddhist(tokens))
        .or_else(|| year_last(tokens, order, 4))
        .or_else(|| with_month_name(tokens, 4))
}

/// Seconds or milliseconds since 1970, in 10 or 13 digits.
pub(super) fn unix(text: &str) -> Option<Date> {
    let text = text.trim();
    let digits = matches!(text.len(), 10 | 13) && text.bytes().all(|b| b.is_ascii_digit());
    let seconds = text.get(..10).filter(|_| digits)?.parse().ok()?;
    Some(jiff::Timestamp::from_second(seconds).ok()?.to_zoned(jiff::tz::TimeZone::UTC).date())
}

/// Whether a stamp gives a time in universal time.
pub(super) fn is_universal(text: &str) -> bool {
    let text = text.trim();
    let timed = text.len() > 11 && text.contains(':');
    timed && ["Z", "+00:00", "+0000", "UTC", "GMT"].iter().any(|zone| text.ends_with(zone))
}

fn day(year: u32, month: u32, day: u32) -> Option<Date> {
    Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

/// Whether the separator is one of `allowed` (single characters).
fn separated(token: &DateToken, allowed: &str) -> bool {
    token.separator.is_some_and(|c| allowed.contains(c))
}

/// `2019-01-02`, `2019/1/2`, `2019年1月2日`, with anything before and after.
pub(super) fn year_first(tokens: &[DateToken], separators: &str) -> Option<Date> {
    tokens.windows(3).find_map(|window| {
        let [year, month, of_month] = window else {
            return None;
        };
        let separated = separated(year, separators) && separated(month, separators);
        let year = year.number_of(4..=4).filter(|_| separated)?;
        day(year, month.number_of(1..=2)?, of_month.number_of(1..=2)?)
    })
}

/// `21.05.16`, all numbers of two digits, the year from 2000 on: in Taiwan `98/12/01` is of the year 98 of the republic. Parts of
/// longer numbers (`58.20.10.05`) and years of Japanese eras (`H21.05.16`) are none.
fn short_year_first(tokens: &[DateToken]) -> Option<Date> {
    let two = |token: &DateToken| token.number_of(2..=2);
    tokens.windows(3).enumerate().find_map(|(at, window)| {
        let [year, month, of_month] = window else { return None };
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let is_part = before.is_some_and(|before| before.separator == year.separator)
            || of_month.separator == year.separator && tokens.get(at + 3).is_some_and(|next| next.number.is_some());
        let of_era = before.is_some_and(|before| {
            ["H", "S", "R"].contains(&before.word)
                || ["平成", "昭和", "令和"].iter().any(|era| before.word.ends_with(era))
        });
        let separated = separated(year, "./-") && year.separator == month.separator;
        let number = two(year).filter(|year| *year < 50 && separated && !is_part && !of_era)?;
        day(2000 + number, two(month)?, two(of_month)?)
    })
}

/// `平成30年3月5日`, `民國107年3月5日`: the year is counted from the beginning of an era.
fn year_of_era(tokens: &[DateToken]) -> Option<Date> {
    const ERAS: [(&str, u32); 5] = [("令和", 2018), ("平成", 1988), ("昭和", 1925), ("民國", 1911), ("民国", 1911)];
    tokens.windows(4).find_map(|window| {
        let [era, year, month, of_month] = window else { return None };
        let (_, before) = ERAS.iter().find(|(name, _)| era.word.ends_with(name))?;
        let separated = separated(year, "年") && separated(month, "月");
        let year = year.number_of(1..=3).filter(|_| separated)?;
        day(before + year, month.number_of(1..=2)?, of_month.number_of(1..=2)?)
    })
}

/// `3月 5, 2024`: the order of English with the sign of the month, as blogs in Chinese, Japanese and Korean have it.
fn signed_month_first(tokens: &[DateToken]) -> Option<Date> {
    tokens.windows(3).find_map(|window| {
        let [month, of_month, year] = window else { return None };
        let year = year.number_of(4..=4).filter(|_| separated(month, "月월") && separated(of_month, ",，"))?;
        day(year, month.number_of(1..=2)?, of_month.number_of(1..=2)?)
    })
}

/// `05 Th5 2023`, as WordPress writes the short names of months in Vietnamese.
fn vietnamese(tokens: &[DateToken]) -> Option<Date> {
    tokens.windows(4).find_map(|window| {
        let [of_month, name, month, year] = window else { return None };
        let is_name = name.word.eq_ignore_ascii_case("th") && name.is_joined;
        let year = year.number_of(4..=4).filter(|_| is_name)?;
        day(year, month.number_of(1..=2)?, of_month.number_of(1..=2)?)
    })
}

/// `20190102`, also with a time behind it in the same run of digits.
pub(super) fn compact(tokens: &[DateToken]) -> Option<Date> {
    let digits = tokens.first()?.word;
    if digits.len() != 8 && digits.len() != 14 {
        return None;
    }
    let part = |range: std::ops::Range<usize>| digits.get(range)?.parse().ok();
    day(part(0..4)?, part(4..6)?, part(6..8)?)
}

/// `9. 10. 2015`, `03/04/2015`, `3-4-2015`, `26 | 01 | 2022`, with a year of `digits` digits.
pub(super) fn year_last(tokens: &[DateToken], order: NumberOrder, digits: usize) -> Option<Date> {
    // Numbers of pages are written with lines between them, too.
    let separators = if digits == 4 { "./-|" } else { "./-" };
    tokens.windows(3).find_map(|window| {
        let [first, second, year] = window else {
            return None;
        };
        if !separated(first, separators) || first.separator != second.separator {
            return None;
        }
        let year = full_year(year, digits)?;
        let (a, b) = (first.number_of(1..=2)?, second.number_of(1..=2)?);
        let month_first = order == NumberOrder::Month;
        let american =
            (b > 12 && first.separator != Some('.')) || (month_first && a <= 12 && first.separator == Some('/'));
        if american { day(year, a, b) } else { day(year, b, a) }
    })
}

/// A year of four digits, or of two: 95 to 99 and 00 to 49.
fn full_year(token: &DateToken, digits: usize) -> Option<u32> {
    let year = token.number_of(digits..=digits)?;
    match (digits, year) {
        (4, year) => Some(year),
        (_, 0..50) => Some(2000 + year),
        (_, 95..) => Some(1900 + year),
        _ => None,
    }
}

/// `۱۴۰۲/۱۲/۱۵`: a day in numbers of the calendar of Iran, in the digits of Persian, in a year that began from 1995
/// to 2030. The lunar calendar had these years before the web.
fn solar_numbers(text: &str, tokens: &[DateToken]) -> Option<Date> {
    if text.is_ascii() || tokens.is_empty() || !text.contains(|c| matches!(c, '\u{6F0}'..='\u{6F9}')) {
        return None;
    }
    tokens.windows(3).find_map(|window| {
        let [year, month, of_month] = window else { return None };
        let separated = year.separator == month.separator && separated(year, "/-.");
        let year = year.number_of(4..=4).filter(|year| separated && (1374..1410).contains(year))?;
        solar_hijri::date_of(year, month.number_of(1..=2)?, of_month.number_of(1..=2)?)
    })
}

/// `05/03/2567`: a day in numbers of the Buddhist era, the day first. Only years of the web are believed without a name of a month.
fn buddhist(tokens: &[DateToken]) -> Option<Date> {
    tokens.windows(3).find_map(|window| {
        let [of_month, month, year] = window else { return None };
        let year = year.number_of(4..=4).filter(|year| (2538..2600).contains(year))?;
        let separated = separated(of_month, "/") && separated(month, "/");
        day(year - 543, month.number_of(1..=2)?, of_month.number_of(1..=2)?).filter(|_| separated)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(parse(text).map(|d| d.to_string()).unwrap_or_default(), expected, "{text}");
    }

    #[test]
    fn iso_and_relatives() {
        for text in [
            "2019-01-02",
            "2019-01-02T23:59:59Z",
            "2019-01-02 10:00:00 +0100",
            "2019/1/2",
            "2019.01.02",
            "20190102",
            "20190102T101112",
            "20190102101112",
            "2019年1月2日",
            "2019년 1월 2일",
            "Published: 2019-01-02",
        ] {
            check(text, "2019-01-02");
        }
    }

    #[test]
    fn numbers_of_volumes_are_no_days() {
        for text in [
            "Volume 12, March 2019, Pages 45-56",
            "Issue 21 – March 2019",
            "Heft 3 (März 2019)",
            "Vol 8 No 4, March 2019",
        ] {
            check(text, "2019-03-01");
        }
        for text in ["Volume 3, 12 March 2019", "Date of issue: 12 March 2019", "Ausgabe 12. März 2019"] {
            check(text, "2019-03-12");
        }
    }

    #[test]
    fn short_months_of_vietnamese_and_october_in_croatian() {
        check("05 Th5 2023", "2023-05-05");
        check("Đăng ngày 15 Th12 2023", "2023-12-15");
        check("March 5th 2018", "2018-03-05");
        check("5. listopada 2023.", "2023-10-05");
        check("5 listopada 2023", "2023-11-05");
    }

    #[test]
    fn day_first_unless_impossible() {
        check("03/04/2015", "2015-04-03");
        check("9. 10. 2015", "2015-10-09");
        check("09.10.2015 12:30", "2015-10-09");
        check("12/25/2015", "2015-12-25");
        check("12.25.2015", "");
        check("31-12-2015", "2015-12-31");
        check("26 | 01 | 2022", "2022-01-26");
        check("10 | 11 | 12", "");
    }

    #[test]
    fn month_names() {
        check("12. března 2013", "2013-03-12");
        check("12 марта 2013", "2013-03-12");
        check("March 12th, 2013", "2013-03-12");
        check("Tue, 12 Mar 2013 08:00:00 GMT", "2013-03-12");
        check("Martes, 12 de marzo de 2013", "2013-03-12");
        check("le 12 août 2013", "2013-08-12");
        check("5. července 2013", "2013-07-05");
        check("5. června 2013", "2013-06-05");
        check("5 listopada 2013", "2013-11-05");
        check("1er janvier 2013", "2013-01-01");
        check("Mar 12, 2013 10:30", "2013-03-12");
        check("Tue Mar 12 10:30:05 2013", "2013-03-12");
        check("Tue Mar 12 10:30:05 CEST 2013", "2013-03-12");
        check("10:30 OCT 12, 2013", "2013-10-12");
        check("10:30 March 12, 2013", "2013-03-12");
        check("12 юни 2013", "2013-06-12");
        check("5 d'abril de 2018", "2018-04-05");
        check("5 במרץ 2018", "2018-03-05");
        check("2018 m. kovo 5 d.", "2018-03-05");
        check("2018. márc. 5.", "2018-03-05");
        check("Ngày 5 tháng 3 năm 2018", "2018-03-05");
        for text in ["5 मार्च 2018", "5 মার্চ 2018", "5 மார்ச் 2018", "5 మార్చి 2018", "5 مارچ 2018", "5 آذار 2018"]
        {
            check(text, "2018-03-05");
        }
    }

    #[test]
    fn digits_and_years_of_other_scripts_and_eras() {
        check("٥ مارس ٢٠١٨", "2018-03-05");
        check("٠٥/٠٣/٢٠١٨", "2018-03-05");
        check("２０１８年３月５日", "2018-03-05");
        check("5 มีนาคม 2561", "2018-03-05");
        check("5 มีนาคม พ.ศ. 2561", "2018-03-05");
        check("5 มีนาคม 2018", "2018-03-05");
        check("5 March 2561", "2561-03-05");
        check("平成30年3月5日", "2018-03-05");
        check("令和2年12月31日", "2020-12-31");
        check("民國107年3月5日", "2018-03-05");
        check("第30年3月5日", "");
    }

    #[test]
    fn what_is_no_complete_date() {
        for text in [
            "",
            "2019",
            "2019-01",
            "May 2019",
            "2019-13-01",
            "2019-02-30",
            "12:30:2019",
            "99999999",
            "tomorrow",
            "1/2/03",
        ] {
            check(text, "");
        }
    }

    #[test]
    fn short_years() {
        let by = |order: NumberOrder, text: &str| parse_short(text, order).map(|d| d.to_string()).unwrap_or_default();
        let short = |text: &str| by(NumberOrder::Day, text);
        assert_eq!(short("5.3.09"), "2009-03-05");
        for (text, want) in [
            ("작성일 21.05.16", "2021-05-16"),
            ("20/03/04 12:30", "2020-03-04"),
            ("31.12.99", "1999-12-31"),
            ("98/12/01", ""),
            ("58.20.10.5", ""),
            ("10.12.3", ""),
            ("平成 21.05.16", "2016-05-21"),
        ] {
            assert_eq!(by(NumberOrder::Year, text), want, "{text}");
        }
        assert_eq!(short("5 Mar 09"), "2009-03-05");
        assert_eq!(short("Jan 04 09:34 2021"), "2021-01-04");
        assert_eq!(short("5 Mar 09 - 7 Apr 09"), "2009-03-05");
        // Days of a span, without a year.
        assert_eq!(short("Dec 22 - Jan 20") + &short("21 mars - 20 avril"), "");
        for text in ["12 Mar 09 Julie Brown", "12-Mar-09 Set list", "Mon 12 Mar 09 May 3"] {
            assert_eq!(short(text), "2009-03-12", "{text}");
        }
        // A mark out of ten, and a score.
        assert_eq!(short("9.7/10") + &short("9.7 / 10") + &short("3-1/12"), "");
    }

    #[test]
    fn bounds() {
        let captured = Some(date(2020, 1, 1));
        assert!(plausible(date(1995, 1, 1), captured));
        assert!(!plausible(date(1994, 12, 31), captured));
        assert!(plausible(date(2020, 1, 2), captured));
        assert!(!plausible(date(2020, 1, 3), captured));
        assert!(plausible(date(2035, 1, 1), None));
        assert!(!plausible(date(2101, 1, 1), None));
        assert!(plausible(Date::MAX, Some(Date::MAX)));
    }
}
