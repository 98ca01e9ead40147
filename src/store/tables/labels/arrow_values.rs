//! Columns of Arrow → labels: strings and numbers of all types as the two that labels have.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType, Float32Type,
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field};

use super::Key;
use crate::document::labels::{LabelColumn, LabelKind, LabelValue, widened};

/// The column of a field; `None` if it holds neither strings nor numbers.
pub(super) fn column(field: &Field) -> Option<LabelColumn> {
    let is_text = match field.data_type() {
        DataType::Dictionary(_, values) => is_text(values).then_some(true)?,
        other if is_text(other) => true,
        other if other.is_numeric() && *other != DataType::Float16 => false,
        DataType::Boolean => false,
        _ => return None,
    };
    let kind = if is_text { LabelKind::Text } else { LabelKind::Number };
    Some(LabelColumn { name: field.name().clone(), kind })
}

fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

pub(super) fn keys(array: &ArrayRef) -> Option<Vec<Option<Key>>> {
    if let Some(numbers) = array.as_primitive_opt::<UInt64Type>() {
        return Some(numbers.iter().map(|doc| doc.map(Key::Doc)).collect());
    }
    Some(texts(array)?.into_iter().map(|text| text.map(Key::Text)).collect())
}

pub(super) fn values(array: &ArrayRef, is_text: bool) -> Option<Vec<LabelValue>> {
    if is_text {
        return Some(texts(array)?.into_iter().map(LabelValue::Text).collect());
    }
    let numbers = numbers::<Float64Type>(array)
        .or_else(|| float_numbers(array))
        .or_else(|| numbers::<Int8Type>(array))
        .or_else(|| numbers::<Int16Type>(array))
        .or_else(|| numbers::<Int32Type>(array))
        .or_else(|| numbers::<UInt8Type>(array))
        .or_else(|| numbers::<UInt16Type>(array))
        .or_else(|| numbers::<UInt32Type>(array))
        .or_else(|| long_numbers::<Int64Type>(array, |number| number as f64))
        .or_else(|| long_numbers::<UInt64Type>(array, |number| number as f64))
        .or_else(|| decimal_numbers::<Decimal32Type>(array))
        .or_else(|| decimal_numbers::<Decimal64Type>(array))
        .or_else(|| decimal_numbers::<Decimal128Type>(array))
        .or_else(|| decimal_numbers::<Decimal256Type>(array))
        .or_else(|| Some(array.as_boolean_opt()?.iter().map(|is| is.map(f64::from)).collect()))?;
    Some(numbers.into_iter().map(LabelValue::Number).collect())
}

fn numbers<T: ArrowPrimitiveType<Native: Into<f64>>>(array: &ArrayRef) -> Option<Vec<Option<f64>>> {
    Some(array.as_primitive_opt::<T>()?.iter().map(|number| number.map(Into::into)).collect())
}

fn long_numbers<T: ArrowPrimitiveType>(array: &ArrayRef, wide: fn(T::Native) -> f64) -> Option<Vec<Option<f64>>> {
    Some(array.as_primitive_opt::<T>()?.iter().map(|number| number.map(wide)).collect())
}

/// Numbers of four bytes with the digits that they are written with.
fn float_numbers(array: &ArrayRef) -> Option<Vec<Option<f64>>> {
    Some(array.as_primitive_opt::<Float32Type>()?.iter().map(|number| number.map(widened)).collect())
}

/// Decimal numbers. A division by a power of ten would round twice, so that they are read as they are written.
fn decimal_numbers<T: DecimalType>(array: &ArrayRef) -> Option<Vec<Option<f64>>> {
    let decimals = array.as_primitive_opt::<T>()?;
    let number = |row| if decimals.is_valid(row) { decimals.value_as_string(row).parse().ok() } else { None };
    Some((0..decimals.len()).map(number).collect())
}

fn texts(array: &ArrayRef) -> Option<Vec<Option<String>>> {
    if let Some(texts) = array.as_string_opt::<i32>() {
        return Some(texts.iter().map(|text| text.map(String::from)).collect());
    }
    if let Some(texts) = array.as_string_opt::<i64>() {
        return Some(texts.iter().map(|text| text.map(String::from)).collect());
    }
    if let Some(texts) = array.as_string_view_opt() {
        return Some(texts.iter().map(|text| text.map(String::from)).collect());
    }
    let dictionary = array.as_any_dictionary_opt()?;
    let entries = texts_of_entries(dictionary.values())?;
    let keys = if entries.is_empty() { vec![0; dictionary.len()] } else { dictionary.normalized_keys() };
    let of = |(row, key): (usize, usize)| match dictionary.is_null(row) {
        true => None,
        false => entries.get(key).cloned().flatten(),
    };
    Some(keys.into_iter().enumerate().map(of).collect())
}

/// The entries of a dictionary, which are no dictionary.
fn texts_of_entries(array: &ArrayRef) -> Option<Vec<Option<String>>> {
    if is_text(array.data_type()) { texts(array) } else { None }
}
