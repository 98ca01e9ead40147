//! Selects and groups documents of a finished corpus: `--where` and `--by` of the commands that read one.

use crate::clean::assessment::PageType;
use crate::document::labels::{LabelColumn, LabelKind, LabelValue, widened};
use crate::document::{Document, date_of_day, timestamp_of};
use crate::language::{Language, SCRIPT_CODES};

use super::bound::{BoundExpression, ColumnType, ColumnValue, IndexColumn};
use super::expression::{Expression, ExpressionError, Literal};

/// An expression over the columns of documents; it may name [`COLUMNS`] and further ones.
#[derive(Debug, Clone)]
pub struct DocumentFilter {
    bound: BoundExpression,
    /// The further columns that it names, and their places among all columns.
    further: Vec<LabelColumn>,
    places: Vec<usize>,
}

type Value = for<'a> fn(&'a Document) -> Option<ColumnValue<'a>>;

const RECORD_ID: &str = "record_id";

const MICROSECONDS_OF_A_DAY: i64 = 86_400_000_000;

/// Names of columns with their types and values. Columns that are lists or shares are not among them.
const COLUMNS: &[(&str, ColumnType, Value)] = &[
    ("url", ColumnType::Text, |d| text(&d.url)),
    ("host", ColumnType::Text, |d| text(&d.host)),
    ("domain", ColumnType::Text, |d| text(&d.domain)),
    ("tld", ColumnType::Text, |d| text(&d.tld)),
    ("language", ColumnType::KnownLanguage, |d| text(code(&d.language))),
    ("script", ColumnType::OneOf(&SCRIPT_CODES), |d| text(d.script.as_ref()?)),
    ("page_type", ColumnType::OneOf(PageType::NAMES), |d| text(d.page_type?.name())),
    ("confidence", ColumnType::Real, |d| Some(ColumnValue::Real(widened(d.confidence?)))),
    ("words", ColumnType::Integer, |d| number(d.words)),
    ("characters", ColumnType::Integer, |d| number(d.characters)),
    ("paragraphs", ColumnType::Integer, |d| number(d.paragraphs)),
    ("year", ColumnType::Integer, |d| Some(ColumnValue::Integer(date_of_day(d.published?)?.year().into()))),
    ("month", ColumnType::Month, |d| Some(ColumnValue::Integer(year_month(date_of_day(d.published?)?)))),
    ("published", ColumnType::Time, |d| time(d.published?)),
    ("modified", ColumnType::Time, |d| time(d.modified?)),
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
    (RECORD_ID, ColumnType::Text, |d| text(&d.record_id)),
];

/// The further column with the languages of a document as a list with commas, for `languages has ces`.
pub const LANGUAGES: &str = "languages";

/// All columns of a corpus by which documents are chosen and grouped: [`COLUMNS`], and those of other tables behind them.
#[derive(Debug, Clone, Default)]
pub struct DocumentColumns {
    further: Vec<LabelColumn>,
    lists: &'static [(&'static str, &'static str)],
    any_language: bool,
}

impl DocumentColumns {
    /// The columns with those of other tables, of equal names the first, and with lists, which an expression is refused
    /// for: their names, and what to do instead.
    pub fn with(further: Vec<LabelColumn>, lists: &'static [(&'static str, &'static str)]) -> DocumentColumns {
        DocumentColumns { further, lists, any_language: false }
    }

    /// The same; `any_language` tells that documents may be in languages that the language table does not know.
    pub fn with_any_language(self, any_language: bool) -> DocumentColumns {
        DocumentColumns { any_language, ..self }
    }

    fn all(&self) -> impl Iterator<Item = (&str, ColumnType)> {
        let further = |column: &LabelColumn| match column.name.as_str() {
            LANGUAGES => ColumnType::KnownLanguage,
            _ if column.kind == LabelKind::Text => ColumnType::Text,
            _ => ColumnType::Real,
        };
        let own = COLUMNS.iter().map(|(name, data_type, _)| (*name, *data_type));
        let all = own.chain(self.further.iter().map(move |column| (column.name.as_str(), further(column))));
        all.map(|(name, data_type)| match data_type {
            ColumnType::KnownLanguage if self.any_language => (name, ColumnType::Language),
            data_type => (name, data_type),
        })
    }

    /// The column of a name.
    ///
    /// # Errors
    /// A message with all names, if there is none.
    pub fn column(&self, name: &str) -> Result<DocumentColumn, String> {
        let known = || self.all().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let place = self.all().position(|(known, _)| known == name);
        let place = place.ok_or_else(|| format!("there is no column `{name}`; columns are {}", known()))?;
        let further = place.checked_sub(COLUMNS.len()).and_then(|place| self.further.get(place));
        Ok(DocumentColumn { place, further: further.cloned() })
    }

    /// The filter of an expression.
    ///
    /// # Errors
    /// [`ExpressionError`] if the expression names a column that is not there or tests a column against a value of
    /// another type.
    pub fn filter(&self, expression: &Expression) -> Result<DocumentFilter, ExpressionError> {
        let lists = self.lists.iter().map(|(name, instead)| (*name, ColumnType::List(instead)));
        let columns = self.all().chain(lists).enumerate();
        let columns = columns.map(|(index, (name, data_type))| IndexColumn { name, index, data_type });
        // WARC writes record ids in angle brackets.
        let expression = expression.map_literals(&mut |column, literal| match literal {
            Literal::Text(id) if column == RECORD_ID => Literal::Text(id.trim_matches(['<', '>']).into()),
            literal => literal.clone(),
        });
        let bound = expression.bind(&columns.collect::<Vec<_>>())?;
        let named = expression.columns();
        let further = (COLUMNS.len()..).zip(&self.further).filter(|(_, column)| named.contains(&column.name.as_str()));
        let (places, further) = further.map(|(place, column)| (place, column.clone())).unzip();
        Ok(DocumentFilter { bound, places, further })
    }
}

/// A column to group documents by: one of the [`COLUMNS`] or a further one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentColumn {
    /// Its place among the [`COLUMNS`], which is beyond them for a further one.
    place: usize,
    further: Option<LabelColumn>,
}

impl DocumentColumn {
    /// The further column, if it is one.
    pub fn further(&self) -> &[LabelColumn] {
        self.further.as_slice()
    }

    /// The value of a document, as it is written: times as days; empty if there is none. `values` are those of
    /// [`DocumentColumn::further`].
    pub fn value(&self, document: &Document, values: &[LabelValue]) -> String {
        let (is_time, value) = match COLUMNS.get(self.place) {
            Some((_, data_type, value)) => (*data_type == ColumnType::Time, value(document)),
            None => (false, values.first().and_then(known)),
        };
        match value {
            None => String::new(),
            Some(ColumnValue::Text(text)) => text.into(),
            Some(ColumnValue::Integer(time)) if is_time => {
                let time = timestamp_of(Some(time));
                time.map_or(String::new(), |time| time.strftime("%Y-%m-%d").to_string())
            }
            Some(ColumnValue::Integer(number)) => number.to_string(),
            Some(ColumnValue::Real(number)) => number.to_string(),
        }
    }
}

/// The value of a further column; none if it is unknown.
fn known(value: &LabelValue) -> Option<ColumnValue<'_>> {
    match value {
        LabelValue::Text(value) => text(value.as_deref()?),
        LabelValue::Number(number) => number.filter(|_| value.is_known()).map(ColumnValue::Real),
    }
}

fn text(value: &str) -> Option<ColumnValue<'_>> {
    Some(value).filter(|value| !value.is_empty()).map(ColumnValue::Text)
}

fn number(value: impl Into<i64>) -> Option<ColumnValue<'static>> {
    Some(ColumnValue::Integer(value.into()))
}

/// The begin of a day since 1970-01-01; none if a damaged table has a day that no time is of.
fn time(days: i32) -> Option<ColumnValue<'static>> {
    number(i64::from(days).checked_mul(MICROSECONDS_OF_A_DAY)?)
}

fn code(language: &Language) -> &'static str {
    language.code()
}

/// Year and month in one number that grows with time: 201904.
fn year_month(day: jiff::civil::Date) -> i64 {
    i64::from(day.year()) * 100 + i64::from(day.month())
}

impl DocumentFilter {
    /// The further columns that the expression names.
    pub fn further(&self) -> &[LabelColumn] {
        &self.further
    }

    /// Whether the expression is true of a document. `values` are those of the columns [`DocumentFilter::further`].
    pub fn matches(&self, document: &Document, values: &[LabelValue]) -> bool {
        self.bound.matches(|column| match COLUMNS.get(column) {
            Some((_, _, value)) => value(document),
            None => {
                let at = self.places.iter().position(|place| *place == column);
                at.and_then(|at| values.get(at)).and_then(known)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_by_their_columns() {
        let document = Document {
            host: "www.a.cz".into(),
            record_id: "urn:uuid:1".into(),
            language: Language::by_code("ces").unwrap(),
            script: Some("Latn".into()),
            words: 120,
            published: Some(19_722),
            captured: Some(1_704_067_199_999_999),
            ..Document::default()
        };
        let columns = DocumentColumns::default();
        let filter = |expression: &str| columns.filter(&Expression::parse(expression).unwrap());
        let matches = |expression: &str| filter(expression).unwrap().matches(&document, &[]);
        for expression in [
            "year = 2023 and month = 202312 and host like '%.cz'",
            "published = 2023-12-31 and captured < 2024-01-01",
            "published = 2023 and published <= 2023 and published in (2019, 2023-12) and not published > 2023-12",
            "captured = 2023-12-31 and captured <= 2023-12-31 and captured != 2024",
            "language in (ces, slk) and not words < 100",
            "script = latn and script like 'L%' and record_id = '<urn:uuid:1>' and record_id in ('urn:uuid:1')",
            "title is null and status is null and modified is null",
        ] {
            assert!(matches(expression), "{expression}");
        }
        for expression in ["year > 2023", "title = x", "not title = x", "tld = cz"] {
            assert!(!matches(expression), "{expression}");
        }
        let value = |column: &str| columns.column(column).unwrap().value(&document, &[]);
        assert_eq!(["year", "captured", "language", "title"].map(value), ["2023", "2023-12-31", "ces", ""]);
        assert!(columns.column("yaer").unwrap_err().contains("`year`"));
        let error = filter("hots = 'a'").unwrap_err().to_string();
        assert!(error.contains("`host`"), "{error}");
        for (expression, told) in [
            ("page_type = articel", "contains article, collection, documentation, "),
            ("page_type in (article, 'x')", "'x' is none of them"),
            ("script = Latin", "Latn, Cyrl, "),
            ("language = xyz", "`xyz` is not among the languages that are identified"),
            ("language != 'Klingon'", "warcorpus languages"),
            ("month >= 2023-04", "months as numbers (202304 is April 2023): '2023-04' is not one"),
            ("month = 2023", "202304"),
        ] {
            let error = filter(expression).unwrap_err().to_string();
            assert!(error.contains(told), "{expression}: {error}");
        }
        let columns = DocumentColumns::default().with_any_language(true);
        assert!(columns.filter(&Expression::parse("language = xyz").unwrap()).is_ok());
        let error = filter("lang = eng").unwrap_err().to_string();
        assert!(error.contains("the nearest is `language`"), "{error}");
    }

    #[test]
    fn days_of_a_damaged_table_are_no_times() {
        let columns = DocumentColumns::default();
        for day in [i32::MAX, i32::MIN] {
            let document = Document { published: Some(day), modified: Some(day), ..Document::default() };
            let expression = Expression::parse("published is null and modified is null").unwrap();
            assert!(columns.filter(&expression).unwrap().matches(&document, &[]), "{day}");
            let value = |column: &str| columns.column(column).unwrap().value(&document, &[]);
            assert_eq!(["published", "modified"].map(value), ["", ""]);
        }
    }

    #[test]
    fn a_number_of_four_bytes_is_the_one_that_is_printed() {
        let document = Document { confidence: Some(0.99), ..Document::default() };
        let columns = DocumentColumns::default();
        for (expression, want) in [
            ("confidence = 0.99", true),
            ("confidence in (0.5, .99)", true),
            ("confidence >= 0.99 and confidence <= 0.99", true),
            ("confidence != 0.99", false),
            ("confidence > 0.99", false),
            ("confidence < 0.99", false),
        ] {
            let filter = columns.filter(&Expression::parse(expression).unwrap()).unwrap();
            assert_eq!(filter.matches(&document, &[]), want, "{expression}");
        }
        assert_eq!(columns.column("confidence").unwrap().value(&document, &[]), "0.99");
    }

    #[test]
    fn columns_of_other_tables_stand_behind_them() {
        let further = |name: &str, kind| LabelColumn { name: name.into(), kind };
        let columns = DocumentColumns::with(
            vec![
                further("lix", LabelKind::Number),
                further("topic", LabelKind::Text),
                further("ari", LabelKind::Number),
            ],
            &[],
        );
        let filter = columns.filter(&Expression::parse("ari < 9.5 and topic = sport and words = 0").unwrap()).unwrap();
        assert!(filter.further().iter().map(|column| column.name.as_str()).eq(["topic", "ari"]));
        let matches = |values: [LabelValue; 2]| filter.matches(&Document::default(), &values);
        let text = |text: &str| LabelValue::Text(Some(text.into()));
        let number = |number| LabelValue::Number(Some(number));
        assert!(matches([text("sport"), number(9.25)]));
        assert!(!matches([text("sport"), number(9.5)]) && !matches([text("sport"), number(f64::NAN)]));
        assert!(!matches([text(""), number(0.0)]));
        let topic = columns.column("topic").unwrap();
        assert_eq!(
            (topic.further(), columns.column("words").unwrap().further()),
            (&[further("topic", LabelKind::Text)][..], &[][..])
        );
        let value = |values: &[LabelValue]| topic.value(&Document::default(), values);
        assert_eq!([value(&[text("sport")]), value(&[number(f64::NAN)]), value(&[])], ["sport", "", ""]);
        assert!(columns.filter(&Expression::parse("topic < 3").unwrap()).is_err());
    }
}
