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

/// The fields of a line of JSON, all of whose lines have the same.
pub fn of_object(object: &Map<String, Value>) -> Option<Vec<Column>> {
    fields(object, DEEPEST)
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
        Value::Array(_) | Value::Null => return None,
    })
}
