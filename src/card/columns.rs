//! Columns of files, as the card's readers name their types.

use arrow_schema::{DataType, Field, Schema};
use serde_json::{Map, Value};

/// A column of a table, or a field of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub kind: Kind,
    /// Empty if there is none.
    pub description: String,
}

/// The type of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    Text,
    Bool,
    /// Numbers by the name that Arrow and Hugging Face give their type, such as `uint32`.
    Integer(&'static str),
    Float(&'static str),
    Date,
    /// Microseconds in UTC.
    Time,
    Texts,
    /// A list of numbers, by the name of their type.
    Numbers(&'static str),
    Fields(Vec<Column>),
    /// A number that is null wherever it was read; read as `float64`.
    Unknown,
}

/// The columns of a table; the name of one whose type no table of ours has is the error.
pub fn of_schema(schema: &Schema) -> Result<Vec<Column>, String> {
    let column = |field: &std::sync::Arc<Field>| {
        let kind = kind(field.data_type()).ok_or_else(|| format!("column `{}` has an unknown type", field.name()))?;
        let description = field.metadata().get("description").cloned().unwrap_or_default();
        Ok(Column { name: field.name().clone(), kind, description })
    };
    schema.fields().iter().map(column).collect()
}

fn kind(data_type: &DataType) -> Option<Kind> {
    Some(match data_type {
        DataType::Utf8 => Kind::Text,
        DataType::Dictionary(_, value) => return kind(value).filter(|kind| *kind == Kind::Text),
        DataType::Boolean => Kind::Bool,
        DataType::UInt16 => Kind::Integer("uint16"),
        DataType::UInt32 => Kind::Integer("uint32"),
        DataType::UInt64 => Kind::Integer("uint64"),
        DataType::Float32 => Kind::Float("float32"),
        DataType::Float64 => Kind::Float("float64"),
        DataType::Date32 => Kind::Date,
        DataType::Timestamp(..) => Kind::Time,
        DataType::List(item) if *item.data_type() == DataType::Utf8 => Kind::Texts,
        DataType::List(item) if *item.data_type() == DataType::Float32 => Kind::Numbers("float32"),
        _ => return None,
    })
}

/// Levels of objects in a line.
const DEEPEST: usize = 4;

/// The fields of a line of JSON, all of whose lines have the same. A null is an unknown number; texts and lists are empty
/// instead.
pub fn of_object(object: &Map<String, Value>) -> Option<Vec<Column>> {
    fields(object, DEEPEST)
}

/// Whether another line may tell the type of a column.
pub fn has_unknown(columns: &[Column]) -> bool {
    columns.iter().any(|column| match &column.kind {
        Kind::Unknown => true,
        Kind::Fields(inner) => has_unknown(inner),
        _ => false,
    })
}

/// Takes the types of unknown columns from those of another line or file.
pub fn learn(columns: &mut [Column], others: &[Column]) {
    for column in columns {
        let Some(other) = others.iter().find(|other| other.name == column.name) else { continue };
        if column.kind == Kind::Unknown {
            column.kind = other.kind.clone();
        } else if let (Kind::Fields(ours), Kind::Fields(theirs)) = (&mut column.kind, &other.kind) {
            learn(ours, theirs);
        }
    }
}

fn fields(object: &Map<String, Value>, levels: usize) -> Option<Vec<Column>> {
    let column = |(name, value): (&String, &Value)| {
        Some(Column { name: name.clone(), kind: kind_of(value, levels)?, description: String::new() })
    };
    object.iter().map(column).collect()
}

fn kind_of(value: &Value, levels: usize) -> Option<Kind> {
    Some(match value {
        Value::String(_) => Kind::Text,
        Value::Bool(_) => Kind::Bool,
        Value::Number(number) if number.is_f64() => Kind::Float("float64"),
        Value::Number(_) => Kind::Integer("int64"),
        Value::Array(items) if items.iter().all(Value::is_string) => Kind::Texts,
        Value::Object(object) => Kind::Fields(fields(object, levels.checked_sub(1)?)?),
        Value::Null => Kind::Unknown,
        Value::Array(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_null_is_a_number_that_other_lines_tell() {
        let columns = |line: &str| of_object(&serde_json::from_str(line).unwrap()).unwrap();
        let mut known = columns(r#"{"text": "a", "metadata": {"edu": null, "author": [], "hq": null, "words": 3}}"#);
        assert!(has_unknown(&known));
        learn(&mut known, &columns(r#"{"text": "b", "metadata": {"edu": null, "hq": 0.5}}"#));
        assert!(has_unknown(&known));
        let mut all = known.clone();
        learn(&mut all, &columns(r#"{"text": "c", "metadata": {"edu": 1.0, "hq": null, "words": null}, "more": 1}"#));
        assert!(!has_unknown(&all));
        assert_eq!(all, columns(r#"{"text": "", "metadata": {"edu": 0.1, "author": ["x"], "hq": 0.1, "words": 7}}"#));
        // A file of nulls has the columns of the others.
        learn(&mut known, &all);
        assert_eq!(known, all);
        for wrong in [r#"{"a": [1]}"#, r#"{"a": [null]}"#, r#"{"a": {"b": {"c": {"d": {"e": {}}}}}}"#] {
            assert_eq!(of_object(&serde_json::from_str(wrong).unwrap()), None, "{wrong}");
        }
    }
}
