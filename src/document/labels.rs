//! What others said about a document: scores of models, and columns that `annotate` joined.

use std::fmt;

use serde::{Serialize, Serializer};

/// A number of four bytes as one of eight with the digits that it is written with: 0.99, not 0.9900000095367432.
pub fn widened(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

/// A column of labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelColumn {
    pub name: String,
    pub kind: LabelKind,
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelKind {
    Text,
    /// Numbers of eight bytes.
    Number,
    /// Scores of a model: numbers of four bytes, as in `signals`.
    Score,
}

impl LabelColumn {
    /// The value of a document without one.
    pub fn unknown(&self) -> LabelValue {
        match self.kind {
            LabelKind::Text => LabelValue::Text(None),
            LabelKind::Number | LabelKind::Score => LabelValue::Number(None),
        }
    }
}

/// A column of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    pub name: String,
    pub value: LabelValue,
}

/// Every document of a column has the same kind.
#[derive(Debug, Clone, PartialEq)]
pub enum LabelValue {
    Text(Option<String>),
    Number(Option<f64>),
}

impl Label {
    /// The score of a model. It is written with as many digits as a number of four bytes needs.
    pub fn score(name: &str, score: Option<f32>) -> Label {
        Label { name: name.into(), value: LabelValue::Number(score.filter(|score| score.is_finite()).map(widened)) }
    }
}

impl LabelValue {
    /// Numbers that are none (NaN) and infinite ones count as unknown: no format has a word for them.
    pub fn is_known(&self) -> bool {
        match self {
            LabelValue::Text(text) => text.is_some(),
            LabelValue::Number(number) => number.is_some_and(f64::is_finite),
        }
    }

    /// The value of a column of numbers, if it is known.
    pub fn number(&self) -> Option<f64> {
        match self {
            LabelValue::Number(number) => *number,
            LabelValue::Text(_) => None,
        }
    }
}

/// As it is written in an attribute; empty if it is unknown.
impl fmt::Display for LabelValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabelValue::Text(Some(text)) => f.write_str(text),
            LabelValue::Number(Some(number)) => write!(f, "{number}"),
            LabelValue::Text(None) | LabelValue::Number(None) => Ok(()),
        }
    }
}

/// An unknown text is an empty one, since readers that infer a schema from the first lines fail on nulls; an unknown number
/// is null.
impl Serialize for LabelValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            LabelValue::Text(text) => serializer.serialize_str(text.as_deref().unwrap_or_default()),
            LabelValue::Number(number) => number.serialize(serializer),
        }
    }
}
