//! The literals of an expression as values of a column's type, and what is told of those that are none.

use std::ops::Range;

use super::{ColumnType, IndexColumn};
use crate::language::Language;
use crate::select::expression::{ExpressionError, Literal};
use crate::select::time;

/// The error of a column that is tested in a way that its type does not allow.
pub fn wrong(column: &IndexColumn, problem: impl Into<String>) -> ExpressionError {
    let holds = match column.data_type {
        ColumnType::OneOf(values) => &values.join(", "),
        ColumnType::Text => "text",
        ColumnType::Language | ColumnType::KnownLanguage => "ISO 639-3 codes of languages",
        ColumnType::List(_) => "lists, and expressions test single values",
        ColumnType::Integer => "whole numbers",
        ColumnType::Month => "months as numbers (202304 is April 2023)",
        ColumnType::Real => "numbers",
        ColumnType::Time => "times",
        ColumnType::Other => "values of a type that cannot be tested",
    };
    ExpressionError::WrongType { column: column.name.into(), holds: holds.into(), problem: problem.into() }
}

pub fn text(column: &IndexColumn, value: &Literal) -> Result<String, ExpressionError> {
    match value {
        Literal::Text(text) => Ok(text.clone()),
        Literal::Integer(number) => Err(wrong(column, format!("write '{number}', not {number}"))),
    }
}

/// The text that values are to equal. What no value of the column is, such as another name of a language, would never match.
pub fn possible_text(column: &IndexColumn, value: &Literal) -> Result<String, ExpressionError> {
    let text = text(column, value)?;
    let is_known = match column.data_type {
        ColumnType::OneOf(values) => {
            let same = values.iter().find(|known| known.eq_ignore_ascii_case(&text));
            return same
                .map(|known| known.to_string())
                .ok_or_else(|| wrong(column, format!("{value} is none of them")));
        }
        ColumnType::Language => false,
        ColumnType::KnownLanguage => true,
        _ => return Ok(text),
    };
    for code in text.split(',') {
        match Language::by_name(code) {
            Ok(language) if language.code() != code => {
                return Err(wrong(column, format!("write '{}', not '{code}'", language.code())));
            }
            // Codes of three letters that the language table does not have can be those of a model.
            Err(problem) if is_known || code.len() == 2 => return Err(wrong(column, problem)),
            _ => {}
        }
    }
    Ok(text)
}

/// A number as it is written, such as `50`, `0.1` or `.1`.
pub fn real(column: &IndexColumn, value: &Literal) -> Result<f64, ExpressionError> {
    let parsed = match value {
        Literal::Text(text) => text.parse().ok().filter(|number: &f64| number.is_finite()),
        Literal::Integer(number) => Some(*number as f64),
    };
    parsed.ok_or_else(|| wrong(column, format!("{value} is not one (50, 0.1, .1)")))
}

pub fn integer(column: &IndexColumn, value: &Literal) -> Result<i64, ExpressionError> {
    match value {
        // Bounds may lie between the months of two years: `month < 202400`.
        Literal::Integer(number) if column.data_type != ColumnType::Month || (100_000..1_000_000).contains(number) => {
            Ok(*number)
        }
        Literal::Text(text) if text.parse::<i64>().is_ok() => Err(wrong(column, format!("write {text}, not {value}"))),
        _ => Err(wrong(column, format!("{value} is not one"))),
    }
}

/// All that a time means, which for a date is more than a moment.
pub fn time(column: &IndexColumn, value: &Literal) -> Result<Range<i64>, ExpressionError> {
    let meant = match value {
        Literal::Text(text) => time::meant(text),
        Literal::Integer(number) => time::meant(&number.to_string()),
    };
    let like = "(2024-05-01, '2024-05-01T12:30:00Z', 20240501123000)";
    meant.ok_or_else(|| wrong(column, format!("{value} is not one {like}")))
}
