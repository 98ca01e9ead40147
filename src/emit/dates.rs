//! Times of the tables → ISO 8601. What has no four-digit year is no date that other programs read, and left out.

use jiff::civil::{Date, DateTime};
use jiff::{Span, Timestamp, tz::TimeZone};

/// Days since 1970 as a date.
pub fn date(days: i32) -> Option<Date> {
    let date = Date::constant(1970, 1, 1).checked_add(Span::new().try_days(days).ok()?).ok()?;
    has_year(date.year()).then_some(date)
}

/// Microseconds since 1970 as a time in UTC.
pub fn time(microseconds: i64) -> Option<DateTime> {
    let time = TimeZone::UTC.to_datetime(Timestamp::from_microsecond(microseconds).ok()?);
    has_year(time.year()).then_some(time)
}

/// The same as `2019-04-14T12:30:00Z`, or by another format of `strftime`.
pub fn moment(microseconds: i64, format: &str) -> Option<String> {
    time(microseconds).map(|time| time.strftime(format).to_string())
}

/// The format of a full time.
pub const SECONDS: &str = "%Y-%m-%dT%H:%M:%SZ";
/// The format of its day.
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
        assert_eq!(moment(1_555_245_000_999_999, SECONDS).unwrap(), "2019-04-14T12:30:00Z");
        assert_eq!(moment(i64::MAX, DAY), None);
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
