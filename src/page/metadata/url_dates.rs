//! Dates in the paths of URLs.

use jiff::civil::Date;

use super::date_tokens::{tokens, tokens_of};
use super::dates::{NumberOrder, compact, year_first, year_last};

/// The date in a URL's path: `/2019/01/02/`, `2019-1-2`.
pub(super) fn in_path(path: &str) -> Option<Date> {
    let tokens = tokens_of(path);
    let day = year_first(&tokens, "/_-").or_else(|| year_last(&tokens, NumberOrder::Day, 4));
    day.filter(|day| day.year() < 2040)
}

/// The day in the permalink of a story: `/2019/1/2/story`.
pub(super) fn permalink_day(path: &str) -> Option<Date> {
    // Of events and files it is another day.
    const OTHERS: [&str; 8] = ["event", "events", "history", "calendar", "uploads", "draft", "drafts", "termine"];
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let mut segments = path.split('/').filter(|segment| !segment.is_empty());
    let first = segments.next().filter(|first| !OTHERS.contains(first))?;
    let year = if is_number(first) { first } else { segments.next()? };
    let (month, day, _story) = (segments.next()?, segments.next()?, segments.next()?);
    let numbers = year.len() == 4 && [year, month, day].iter().all(|text| is_number(text));
    let date = || Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok();
    numbers.then(date).flatten()
}

/// The date in a number of eight digits in a URL: `/20190102/`, `t20190102_17.html`.
pub(super) fn compact_in_path(path: &str) -> Option<Date> {
    let number = |run: &&str| run.len() == 8 && (run.starts_with("19") || run.starts_with("20"));
    let runs = path.split(|c: char| !c.is_ascii_digit()).filter(number);
    runs.filter_map(|run| compact(&tokens(run))).find(|day| day.year() < 2040)
}

/// The year and month in a URL's path: `/2012/11/`.
pub(super) fn month_in_path(path: &str) -> Option<(i16, i8)> {
    let mut parts = path.split('/').skip(1);
    let number = |part: &str, digits| {
        let is_number = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<i16>().ok()).flatten()
    };
    let year = parts.find_map(|part| number(part, 4).filter(|year| (1990..2040).contains(year)))?;
    let month = parts.next().and_then(|part| number(part, 2)).filter(|month| (1..=12).contains(month))?;
    Some((year, i8::try_from(month).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        let path = |path: &str| in_path(path).map(|d| d.to_string());
        assert_eq!(path("/2018/12/31/story").as_deref(), Some("2018-12-31"));
        assert_eq!(path("/news/2018-1-2-story.html").as_deref(), Some("2018-01-02"));
        assert_eq!(path("/2018/12/story"), None);
        assert_eq!(path("/12018/12/31"), None);
        assert_eq!(path("/2045/12/31"), None);
        for (path, day) in [
            ("/blog/2017/7/12/story", Some("2017-07-12")),
            ("/2017/07/12/", None),
            ("/events/2017/07/12/concert", None),
            ("/wp-content/uploads/2017/07/12/a.html", None),
            ("/2017-07-12/story", None),
            ("/2017/17/12/story", None),
        ] {
            assert_eq!(permalink_day(path).map(|d| d.to_string()).as_deref(), day, "{path}");
        }
        for (path, want) in
            [("/2012/11/story", Some((2012, 11))), ("/a/2012/1/b", None), ("/2012/13/", None), ("2012/11", None)]
        {
            assert_eq!(month_in_path(path), want, "{path}");
        }
    }
}
