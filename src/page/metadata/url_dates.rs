//! Dates in the paths of URLs.

use jiff::civil::Date;

use super::date_tokens::{tokens, tokens_of};
use super::dates::{compact, year_first, year_last};

/// The date in a URL's path: `/2019/01/02/`, `2019-1-2`.
pub(super) fn in_path(path: &str) -> Option<Date> {
    let tokens = tokens_of(path);
    let day = year_first(&tokens, "/_-").or_else(|| year_last(&tokens, false, 4));
    day.filter(|day| day.year() < 2040)
}

/// The date in a number of eight digits in a URL: `/20190102/`, `t20190102_17.html`.
pub(super) fn compact_in_path(path: &str) -> Option<Date> {
    let number = |run: &&str| run.len() == 8 && (run.starts_with("19") || run.starts_with("20"));
    let runs = path.split(|c: char| !c.is_ascii_digit()).filter(number);
    runs.filter_map(|run| compact(&tokens(run))).find(|day| day.year() < 2040)
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
    }
}
