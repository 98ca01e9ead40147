//! Dates and times of the tables → ISO 8601. Values outside of the years 1 to 9999 are left out: other programs do not
//! read them.

use jiff::civil::{Date, DateTime};

use crate::document::{date_of_day, time_of_microsecond};

/// A date given as days since 1970-01-01; `None` outside of the years 1 to 9999.
pub fn date(days: i32) -> Option<Date> {
    date_of_day(days).filter(|date| has_year(date.year()))
}

/// A time given as microseconds since 1970-01-01, in UTC; `None` outside of the years 1 to 9999.
pub fn time(microseconds: i64) -> Option<DateTime> {
    time_of_microsecond(microseconds).filter(|time| has_year(time.year()))
}

/// A time given as microseconds since 1970-01-01, formatted by a pattern of `strftime`, such as [`SECONDS`].
pub fn format_time(microseconds: i64, pattern: &str) -> Option<String> {
    time(microseconds).map(|time| time.strftime(pattern).to_string())
}

/// Pattern of a time such as `2019-04-14T12:30:00Z`.
pub const SECONDS: &str = "%Y-%m-%dT%H:%M:%SZ";
/// Pattern of the day of a time, such as `2019-04-14`.
pub const DAY: &str = "%Y-%m-%d";

fn has_year(year: i16) -> bool {
    (1..=9999).contains(&year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_years_of_four_digits() {
        assert_eq!(date(18_000).unwrap().to_string(), "2019-04-14");
        assert_eq!(date(-719_162).unwrap().to_string(), "0001-01-01");
        assert_eq!([date(-719_163), date(i32::MAX), date(i32::MIN)], [None; 3]);
        assert_eq!(format_time(1_555_245_000_999_999, SECONDS).unwrap(), "2019-04-14T12:30:00Z");
        assert_eq!(format_time(i64::MAX, DAY), None);
    }

    #[test]
    fn days_and_times_have_years() {
        let of_day = |days| date(days).map(Date::year);
        let of_time = |time| super::time(time).map(DateTime::year);
        assert_eq!((of_day(0), of_day(-1), of_day(19_723)), (Some(1970), Some(1969), Some(2024)));
        assert_eq!((of_time(1_704_067_200_000_000), of_time(-1)), (Some(2024), Some(1969)));
        assert_eq!((of_day(i32::MAX), of_time(i64::MAX)), (None, None));
    }
}
