//! What other tables than `documents` say about the documents of a corpus: signals, scores of models, labels. Documents are
//! chosen and grouped by these as by their own columns.

use std::cmp::Ordering;

use super::incomplete;
use super::layout::Layout;
use super::tables::labels::LabelsOfDocuments;
use crate::document::Document;
use crate::document::labels::{LabelColumn, LabelKind, LabelValue};
use crate::error::{Error, Result};
use crate::quality::signals::{LINE_SIGNALS, group_of};
use crate::select::documents::{DocumentColumn, DocumentColumns, DocumentFilter, LANGUAGES};
use crate::select::expression::{Expression, ExpressionError};

/// The columns of a corpus by which its documents are chosen and grouped. Signals and labels are those of the first shard:
/// all shards have the same.
///
/// # Errors
/// [`Error::Usage`] if `annotate` was interrupted.
pub fn columns(corpus: &Layout) -> Result<DocumentColumns> {
    incomplete::refuse_half_labels(corpus)?;
    let mut further = vec![LabelColumn { name: LANGUAGES.into(), kind: LabelKind::Text }];
    for path in [corpus.signals(0), corpus.labels(0)] {
        let table = LabelsOfDocuments::open(corpus.optional(path)?, |_| true)?;
        further.extend_from_slice(table.columns());
    }
    Ok(DocumentColumns::with(further, &LINE_SIGNALS))
}

/// The filter of an expression over the columns of a corpus; `any_language` tells that a model named its languages.
///
/// # Errors
/// [`Error::Usage`] if there is no such column, or it has values of another type.
pub fn filter(corpus: &Layout, any_language: bool, expression: Option<&Expression>) -> Result<Option<DocumentFilter>> {
    let Some(expression) = expression else { return Ok(None) };
    let filter = columns(corpus)?.with_any_language(any_language).filter(expression);
    filter.map(Some).map_err(|error| match &error {
        ExpressionError::UnknownColumn { column, .. } => unknown("--where", column, &error.to_string()),
        _ => Error::Usage(format!("--where: {error}")),
    })
}

/// A column of a corpus by its name; `argument` is what the user typed it behind.
///
/// # Errors
/// [`Error::Usage`] with all names, if there is no such column.
pub fn column(corpus: &Layout, argument: &str, name: Option<&str>) -> Result<Option<DocumentColumn>> {
    let Some(name) = name else { return Ok(None) };
    columns(corpus)?.column(name).map(Some).map_err(|error| unknown(argument, name, &error))
}

/// Refuses a column that the corpus does not have. `argument` is what the user typed it behind.
fn unknown(argument: &str, column: &str, error: &str) -> Error {
    Error::Usage(match group_of(column) {
        Some(group) => {
            let group = group.name();
            format!("{argument}: `{column}` was not measured; build the corpus with {group} in quality.signals")
        }
        None => format!("{argument}: {error}"),
    })
}

/// Most values of a column that are counted apart.
const MOST_GROUPS: usize = 1_000_000;

/// Refuses a column with too many values; `argument` is what the user typed it behind.
///
/// # Errors
/// [`Error::Usage`] if there are more than a million.
pub fn check_groups(argument: &str, values: usize) -> Result<()> {
    if values <= MOST_GROUPS {
        return Ok(());
    }
    let message = format!("{argument}: the column has more than {MOST_GROUPS} values; choose one with fewer");
    Err(Error::Usage(message))
}

/// Groups of documents in the order of their values: by size where all are numbers, as the text of others. The missing value is
/// the first.
pub fn in_order<'a, T>(groups: impl Iterator<Item = (&'a str, T)>) -> Vec<(&'a str, T)> {
    let number = |value: &str| match value {
        "" => Some(f64::NEG_INFINITY),
        value => value.parse().ok().filter(|number: &f64| number.is_finite()),
    };
    let mut groups: Vec<_> = groups.map(|(value, group)| (number(value), value, group)).collect();
    let are_numbers = groups.iter().all(|(number, ..)| number.is_some());
    groups.sort_by(|(number, value, _), (other, other_value, _)| {
        let by_size = if are_numbers { number.partial_cmp(other) } else { None };
        by_size.unwrap_or(Ordering::Equal).then_with(|| value.cmp(other_value))
    });
    groups.into_iter().map(|(_, value, group)| (value, group)).collect()
}

/// The values of some further columns of a shard's documents, asked for in ascending order.
struct FurtherValues {
    places: Vec<Place>,
    tables: Vec<LabelsOfDocuments>,
}

const UNKNOWN: LabelValue = LabelValue::Number(None);

/// Where the value of a column is.
enum Place {
    Languages,
    /// Number of the table, and number of the column there.
    Table(usize, usize),
    /// The shard has no such column.
    Nowhere,
}

impl FurtherValues {
    fn open(corpus: &Layout, shard: u32, wanted: &[LabelColumn]) -> Result<FurtherValues> {
        let is_wanted = |name: &str| wanted.iter().any(|column| column.name == name);
        let (mut places, mut tables) = (Vec::new(), Vec::new());
        if wanted.iter().any(|column| column.name != LANGUAGES) {
            for path in [corpus.signals(shard), corpus.labels(shard)] {
                tables.push(LabelsOfDocuments::open(corpus.optional(path)?, is_wanted)?);
            }
        }
        for column in wanted.iter().map(|column| column.name.as_str()) {
            let place = |table: &LabelsOfDocuments| table.columns().iter().position(|known| known.name == column);
            let found = || tables.iter().enumerate().find_map(|(number, table)| Some((number, place(table)?)));
            places.push(match column {
                LANGUAGES => Place::Languages,
                _ => found().map_or(Place::Nowhere, |(table, column)| Place::Table(table, column)),
            });
        }
        Ok(FurtherValues { places, tables })
    }

    fn of(&mut self, document: &Document) -> Result<Vec<LabelValue>> {
        let rows = self.tables.iter_mut().map(|table| table.of(document.doc)).collect::<Result<Vec<_>>>()?;
        let value = |place: &Place| match place {
            Place::Languages => LabelValue::Text(Some(languages(document))),
            Place::Table(table, column) => {
                rows.get(*table).and_then(|row| row.get(*column)).cloned().unwrap_or(UNKNOWN)
            }
            Place::Nowhere => UNKNOWN,
        };
        Ok(self.places.iter().map(value).collect())
    }
}

/// [`LANGUAGES`]: those of at least a twentieth of the words.
fn languages(document: &Document) -> String {
    document.main_languages().collect::<Vec<_>>().join(",")
}

/// Tells which documents of a shard are wanted, asked in ascending order.
pub struct DocumentChoice {
    filter: Option<DocumentFilter>,
    values: FurtherValues,
}

impl DocumentChoice {
    /// Those that the filter matches; all without one.
    pub fn open(corpus: &Layout, shard: u32, filter: Option<&DocumentFilter>) -> Result<DocumentChoice> {
        let further = filter.map(DocumentFilter::further).unwrap_or_default();
        Ok(DocumentChoice { filter: filter.cloned(), values: FurtherValues::open(corpus, shard, further)? })
    }

    pub fn has(&mut self, document: &Document) -> Result<bool> {
        let Some(filter) = &self.filter else { return Ok(true) };
        Ok(filter.matches(document, &self.values.of(document)?))
    }
}

/// Tells to which group the documents of a shard belong, asked in ascending order.
pub struct DocumentGroups {
    column: DocumentColumn,
    values: FurtherValues,
}

impl DocumentGroups {
    pub fn open(corpus: &Layout, shard: u32, column: &DocumentColumn) -> Result<DocumentGroups> {
        Ok(DocumentGroups { column: column.clone(), values: FurtherValues::open(corpus, shard, column.further())? })
    }

    /// The value of the column; empty if there is none.
    pub fn of(&mut self, document: &Document) -> Result<String> {
        Ok(self.column.value(document, &self.values.of(document)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_in_the_order_of_their_size() {
        let order = |values: &[&'static str]| -> Vec<&str> {
            in_order(values.iter().map(|value| (*value, ()))).into_iter().map(|(value, ())| value).collect()
        };
        assert_eq!(order(&["214", "20", "", "107", "-3", "0.5"]), ["", "-3", "0.5", "20", "107", "214"]);
        assert_eq!(order(&["20", "107", "b"]), ["107", "20", "b"]);
        assert_eq!(order(&["nan", "9", "10"]), ["10", "9", "nan"]);
        assert_eq!(order(&["2024-05-01", "", "2023-12-31"]), ["", "2023-12-31", "2024-05-01"]);
    }
}
