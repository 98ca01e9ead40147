//! Words and n-grams by the year of their documents.

use clap::ValueEnum;
use jiff::civil::{Date, DateTime};

use crate::document::Document;
use crate::emit::dates;

// Which date of a document tells its year. Not a doc comment, because clap would show it in the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum YearOf {
    /// The date of publication
    Published,
    /// The time of capture, in UTC
    Captured,
}

/// The group of documents whose year is not known.
pub const UNKNOWN: u32 = 0;

impl YearOf {
    /// The year of a document, 1 to 9999, or [`UNKNOWN`].
    pub fn year(self, document: &Document) -> u32 {
        let year = match self {
            YearOf::Published => document.published.and_then(dates::date).map(Date::year),
            YearOf::Captured => document.captured.and_then(dates::time).map(DateTime::year),
        };
        year.map_or(UNKNOWN, |year| u32::from(year.unsigned_abs()))
    }
}

/// The name of a year in tables.
pub fn year_name(year: u32) -> String {
    if year == UNKNOWN { String::from("unknown") } else { year.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_of_documents() {
        let document = Document { published: Some(-1), captured: Some(1_704_067_200_000_000), ..Document::default() };
        assert_eq!((YearOf::Published.year(&document), YearOf::Captured.year(&document)), (1969, 2024));
        assert_eq!(year_name(YearOf::Published.year(&Document::default())), "unknown");
        assert_eq!(year_name(2024), "2024");
    }
}
