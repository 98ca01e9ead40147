//! Selects documents of a finished corpus: `--where` of the commands that read one.

use crate::document::Document;
use crate::language::Language;

use super::bound::{BoundExpression, ColumnType, ColumnValue, IndexColumn};
use super::expression::{Expression, ExpressionError};

/// An expression over the columns of the table `documents`; it may name [`COLUMNS`].
#[derive(Debug, Clone)]
pub struct DocumentFilter(BoundExpression);

type Value = for<'a> fn(&'a Document) -> Option<ColumnValue<'a>>;

const MICROSECONDS_OF_A_DAY: i64 = 86_400_000_000;

/// Names of columns with their types and values. Columns that are lists or shares are not among them.
const COLUMNS: &[(&str, ColumnType, Value)] = &[
    ("url", ColumnType::Text, |d| text(&d.url)),
    ("host", ColumnType::Text, |d| text(&d.host)),
    ("domain", ColumnType::Text, |d| text(&d.domain)),
    ("tld", ColumnType::Text, |d| text(&d.tld)),
    ("language", ColumnType::Text, |d| text(code(&d.language))),
    ("words", ColumnType::Integer, |d| number(d.words)),
    ("characters", ColumnType::Integer, |d| number(d.characters)),
    ("paragraphs", ColumnType::Integer, |d| number(d.paragraphs)),
    ("year", ColumnType::Integer, |d| Some(ColumnValue::Integer(day(d.published?)?.year().into()))),
    ("month", ColumnType::Integer, |d| Some(ColumnValue::Integer(year_month(day(d.published?)?)))),
    ("published", ColumnType::Time, |d| number(i64::from(d.published?) * MICROSECONDS_OF_A_DAY)),
    ("modified", ColumnType::Time, |d| number(i64::from(d.modified?) * MICROSECONDS_OF_A_DAY)),
    ("captured", ColumnType::Time, |d| number(d.captured?)),
    ("title", ColumnType::Text, |d| text(d.title.as_ref()?)),
    ("sitename", ColumnType::Text, |d| text(d.sitename.as_ref()?)),
    ("section", ColumnType::Text, |d| text(d.section.as_ref()?)),
    ("license", ColumnType::Text, |d| text(d.license.as_ref()?)),
    ("content_type", ColumnType::Text, |d| text(&d.content_type)),
    ("charset", ColumnType::Text, |d| text(&d.charset)),
    ("status", ColumnType::Integer, |d| number(d.status?)),
    ("payload_bytes", ColumnType::Integer, |d| number(i64::try_from(d.payload_bytes).ok()?)),
    ("cluster_size", ColumnType::Integer, |d| number(d.cluster_size)),
    ("archive", ColumnType::Text, |d| text(&d.archive)),
    ("record_id", ColumnType::Text, |d| text(&d.record_id)),
];

/// One of the [`COLUMNS`], to group documents by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentColumn(usize);

impl DocumentColumn {
    /// The column of a name.
    ///
    /// # Errors
    /// A message with all names, if there is none.
    pub fn parse(name: &str) -> Result<DocumentColumn, String> {
        let known = || COLUMNS.iter().map(|(name, ..)| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let column = COLUMNS.iter().position(|(known, ..)| *known == name);
        column.map(DocumentColumn).ok_or_else(|| format!("there is no column `{name}`; columns are {}", known()))
    }

    /// The value of a document, as it is written: times as days; empty if there is none.
    pub fn value(self, document: &Document) -> String {
        let Some((_, data_type, value)) = COLUMNS.get(self.0) else { return String::new() };
        match (data_type, value(document)) {
            (_, None) => String::new(),
            (_, Some(ColumnValue::Text(text))) => text.into(),
            (ColumnType::Time, Some(ColumnValue::Integer(time))) => {
                let time = jiff::Timestamp::from_microsecond(time).ok();
                time.map_or(String::new(), |time| time.strftime("%Y-%m-%d").to_string())
            }
            (_, Some(ColumnValue::Integer(number))) => number.to_string(),
            (_, Some(ColumnValue::Real(number))) => number.to_string(),
        }
    }
}

fn text(value: &str) -> Option<ColumnValue<'_>> {
    Some(value).filter(|value| !value.is_empty()).map(ColumnValue::Text)
}

fn number(value: impl Into<i64>) -> Option<ColumnValue<'static>> {
    Some(ColumnValue::Integer(value.into()))
}

fn code(language: &Language) -> &'static str {
    language.code()
}

/// A day since 1970-01-01.
fn day(days: i32) -> Option<jiff::civil::Date> {
    jiff::civil::Date::constant(1970, 1, 1).checked_add(jiff::Span::new().try_days(days).ok()?).ok()
}

/// Year and month in one number that grows with time: 201904.
fn year_month(day: jiff::civil::Date) -> i64 {
    i64::from(day.year()) * 100 + i64::from(day.month())
}

impl DocumentFilter {
    /// Parses an expression such as `year >= 2020 and host like '%.cz'`.
    ///
    /// # Errors
    /// [`ExpressionError`] with the place of the fault, if the expression cannot be parsed, names another column or
    /// tests a column against a value of another type.
    pub fn parse(expression: &str) -> Result<DocumentFilter, ExpressionError> {
        let columns = COLUMNS.iter().enumerate();
        let columns = columns.map(|(index, (name, data_type, _))| IndexColumn { name, index, data_type: *data_type });
        Expression::parse(expression)?.bind(&columns.collect::<Vec<_>>()).map(DocumentFilter)
    }

    pub fn matches(&self, document: &Document) -> bool {
        self.0.matches(|column| COLUMNS.get(column).and_then(|(_, _, value)| value(document)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_by_their_columns() {
        let document = Document {
            host: "www.a.cz".into(),
            language: Language::by_code("ces").unwrap(),
            words: 120,
            published: Some(19_722),
            captured: Some(1_704_067_199_999_999),
            ..Document::default()
        };
        let matches = |expression: &str| DocumentFilter::parse(expression).unwrap().matches(&document);
        for expression in [
            "year = 2023 and month = 202312 and host like '%.cz'",
            "published = 2023-12-31 and captured < 2024-01-01",
            "language in (ces, slk) and not words < 100",
            "title is null and status is null and modified is null",
        ] {
            assert!(matches(expression), "{expression}");
        }
        for expression in ["year > 2023", "title = x", "not title = x", "tld = cz"] {
            assert!(!matches(expression), "{expression}");
        }
        let value = |column: &str| DocumentColumn::parse(column).unwrap().value(&document);
        assert_eq!(["year", "captured", "language", "title"].map(value), ["2023", "2023-12-31", "ces", ""]);
        assert!(DocumentColumn::parse("yaer").unwrap_err().contains("`year`"));
        let error = DocumentFilter::parse("hots = 'a'").unwrap_err().to_string();
        assert!(error.contains("`host`"), "{error}");
    }
}
