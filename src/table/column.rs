//! One Rust type ↔ one Arrow type.

use std::sync::Arc;

use arrow_array::builder::{Float32Builder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::*;
use arrow_schema::{DataType, Field, TimeUnit};
use compact_str::CompactString;

/// A field type that is a column.
pub trait Column: Sized + 'static {
    /// Whether the column holds nulls.
    const NULLABLE: bool;
    /// Whether files of earlier versions, which lack the column, are read with nulls or empty lists in its place.
    const MAY_BE_ABSENT: bool = Self::NULLABLE;
    /// Type of the column in the table.
    fn data_type() -> DataType;
    /// The field of all rows as an array of [`Column::data_type`] or as a dictionary of that type.
    ///
    /// The field is a function and not an iterator of values: the code is made once for each type of row and of field,
    /// instead of once for each column.
    fn array<R>(rows: &[R], field: fn(&R) -> &Self) -> ArrayRef;
    /// Puts the values of `array` into the field of the rows. `None` if the array has another type or a value that is
    /// none of this type.
    fn fill<R>(array: &ArrayRef, rows: &mut [R], field: fn(&mut R) -> &mut Self) -> Option<()>;
}

/// A value of few kinds that tables hold by name: an enum, as a rule. It is a column of strings, and so is
/// an `Option` of it, with nulls.
///
/// Values are written as an Arrow dictionary, so that a name is stored once for a batch of rows; the column
/// in the file is the same as that of a `String`. They are read from a dictionary and from plain strings.
pub trait Code: Copy + PartialEq + 'static {
    /// The name in the table. Part of the format.
    fn name(self) -> &'static str;
    /// The value of that name; `None` for a name that no value has.
    fn by_name(name: &str) -> Option<Self>;
}

/// Implements [`Code`] by methods that types have.
macro_rules! codes {
    ($($type:ty: $name:ident, $by_name:ident;)*) => {
        $(impl $crate::table::Code for $type {
            fn name(self) -> &'static str {
                self.$name()
            }

            fn by_name(name: &str) -> Option<$type> {
                <$type>::$by_name(name)
            }
        })*
    };
}
pub(crate) use codes;

macro_rules! number_column {
    ($type:ty, $nullable:literal, $data_type:expr, $array:ident, $get:expr) => {
        impl Column for $type {
            const NULLABLE: bool = $nullable;

            fn data_type() -> DataType {
                $data_type
            }

            fn array<R>(rows: &[R], field: fn(&R) -> &Self) -> ArrayRef {
                let array: $array = rows.iter().map(|row| *field(row)).collect::<Vec<$type>>().into();
                Arc::new(array)
            }

            fn fill<R>(array: &ArrayRef, rows: &mut [R], field: fn(&mut R) -> &mut Self) -> Option<()> {
                let array = array.as_any().downcast_ref::<$array>()?;
                rows.iter_mut().map(field).zip(array.iter()).for_each(|(slot, value)| *slot = $get(value));
                Some(())
            }
        }
    };
}

number_column!(u64, false, DataType::UInt64, UInt64Array, Option::unwrap_or_default);
number_column!(u32, false, DataType::UInt32, UInt32Array, Option::unwrap_or_default);
number_column!(u16, false, DataType::UInt16, UInt16Array, Option::unwrap_or_default);
number_column!(f32, false, DataType::Float32, Float32Array, Option::unwrap_or_default);
number_column!(bool, false, DataType::Boolean, BooleanArray, Option::unwrap_or_default);
number_column!(Option<u64>, true, DataType::UInt64, UInt64Array, |v| v);
number_column!(Option<u32>, true, DataType::UInt32, UInt32Array, |v| v);
number_column!(Option<u16>, true, DataType::UInt16, UInt16Array, |v| v);
number_column!(Option<f32>, true, DataType::Float32, Float32Array, |v| v);
number_column!(Option<f64>, true, DataType::Float64, Float64Array, |v| v);
number_column!(Option<i32>, true, DataType::Date32, Date32Array, |v| v);

macro_rules! string_column {
    ($type:ty, $nullable:literal, $collect:path, $put:expr, $get:expr) => {
        impl Column for $type {
            const NULLABLE: bool = $nullable;

            fn data_type() -> DataType {
                DataType::Utf8
            }

            fn array<R>(rows: &[R], field: fn(&R) -> &Self) -> ArrayRef {
                Arc::new($collect(rows.iter().map(field).map($put)))
            }

            fn fill<R>(array: &ArrayRef, rows: &mut [R], field: fn(&mut R) -> &mut Self) -> Option<()> {
                fill_from_strings(array, rows, field, $get)
            }
        }
    };
}

string_column!(String, false, StringArray::from_iter_values, |v| v.as_str(), |v| Some(
    v.unwrap_or_default().to_string()
));
string_column!(CompactString, false, StringArray::from_iter_values, |v| v.as_str(), |v| Some(
    v.unwrap_or_default().into()
));
string_column!(Option<String>, true, StringArray::from_iter, |v| v.as_deref(), |v| Some(v.map(str::to_string)));
string_column!(Option<CompactString>, true, StringArray::from_iter, |v| v.as_deref(), |v| Some(v.map(Into::into)));

impl<C: Code> Column for C {
    const NULLABLE: bool = false;

    fn data_type() -> DataType {
        DataType::Utf8
    }

    fn array<R>(rows: &[R], field: fn(&R) -> &Self) -> ArrayRef {
        dictionary(rows.iter().map(field).map(|value| Some(*value)))
    }

    fn fill<R>(array: &ArrayRef, rows: &mut [R], field: fn(&mut R) -> &mut Self) -> Option<()> {
        fill_from_strings(array, rows, field, |name| C::by_name(name?))
    }
}

impl<C: Code> Column for Option<C> {
    const NULLABLE: bool = true;

    fn data_type() -> DataType {
        DataType::Utf8
    }

    fn array<R>(rows: &[R], field: fn(&R) -> &Self) -> ArrayRef {
        dictionary(rows.iter().map(field).copied())
    }

    fn fill<R>(array: &ArrayRef, rows: &mut [R], field: fn(&mut R) -> &mut Self) -> Option<()> {
        fill_from_strings(array, rows, field, |name| name.map_or(Some(None), |name| C::by_name(name).map(Some)))
    }
}

/// The names of `values`, each once, in the order in which they come first.
fn dictionary<C: Code>(values: impl Iterator<Item = Option<C>>) -> ArrayRef {
    let mut distinct: Vec<C> = Vec::new();
    let mut key = |value: C| {
        let known = distinct.iter().position(|&known| known == value);
        known.unwrap_or_else(|| {
            distinct.push(value);
            distinct.len() - 1
        }) as i32
    };
    let keys: Int32Array = values.map(|value| value.map(&mut key)).collect();
    let names: StringArray = distinct.iter().map(|value| Some(value.name())).collect();
    Arc::new(DictionaryArray::<Int32Type>::new(keys, Arc::new(names)))
}

/// Fills a field of `rows` from plain strings or from a dictionary of them, of any key type. `convert` makes a value of
/// a string or null and is called once for each entry of a dictionary, not for each row; its `None` is an
/// error where a row has that entry.
fn fill_from_strings<R, T: Clone>(
    array: &ArrayRef,
    rows: &mut [R],
    field: fn(&mut R) -> &mut T,
    convert: impl Fn(Option<&str>) -> Option<T>,
) -> Option<()> {
    if let Some(strings) = array.as_string_opt::<i32>() {
        return rows
            .iter_mut()
            .map(field)
            .zip(strings)
            .try_for_each(|(slot, value)| convert(value).map(|value| *slot = value));
    }
    let dictionary = array.as_any_dictionary_opt()?;
    let entries: Vec<Option<T>> = dictionary.values().as_string_opt::<i32>()?.iter().map(&convert).collect();
    let null = convert(None);
    // Keys are not defined without entries; then all rows are null.
    let keys = if entries.is_empty() { vec![0; dictionary.len()] } else { dictionary.normalized_keys() };
    for (row, (slot, key)) in rows.iter_mut().map(field).zip(keys).enumerate() {
        let value = if dictionary.is_null(row) { null.as_ref() } else { entries.get(key)?.as_ref() };
        slot.clone_from(value?);
    }
    Some(())
}

/// Microseconds since 1970, UTC.
impl Column for Option<i64> {
    const NULLABLE: bool = true;

    fn data_type() -> DataType {
        DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
    }

    fn array<R>(rows: &[R], field: fn(&R) -> &Self) -> ArrayRef {
        Arc::new(rows.iter().map(field).copied().collect::<TimestampMicrosecondArray>().with_timezone("UTC"))
    }

    fn fill<R>(array: &ArrayRef, rows: &mut [R], field: fn(&mut R) -> &mut Self) -> Option<()> {
        let array = array.as_any().downcast_ref::<TimestampMicrosecondArray>()?;
        rows.iter_mut().map(field).zip(array.iter()).for_each(|(slot, value)| *slot = value);
        Some(())
    }
}

impl Column for Vec<String> {
    const NULLABLE: bool = false;
    const MAY_BE_ABSENT: bool = true;

    fn data_type() -> DataType {
        DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true)))
    }

    fn array<R>(rows: &[R], field: fn(&R) -> &Self) -> ArrayRef {
        let mut builder = ListBuilder::new(StringBuilder::new());
        for list in rows.iter().map(field) {
            list.iter().for_each(|item| builder.values().append_value(item));
            builder.append(true);
        }
        Arc::new(builder.finish())
    }

    fn fill<R>(array: &ArrayRef, rows: &mut [R], field: fn(&mut R) -> &mut Self) -> Option<()> {
        let array = array.as_any().downcast_ref::<ListArray>()?;
        for (slot, list) in rows.iter_mut().map(field).zip(array.iter()) {
            let Some(list) = list else { continue };
            let strings = list.as_any().downcast_ref::<StringArray>()?;
            *slot = strings.iter().flatten().map(str::to_string).collect();
        }
        Some(())
    }
}

impl Column for Option<Vec<f32>> {
    const NULLABLE: bool = true;

    fn data_type() -> DataType {
        DataType::List(Arc::new(Field::new_list_field(DataType::Float32, true)))
    }

    fn array<R>(rows: &[R], field: fn(&R) -> &Self) -> ArrayRef {
        let mut builder = ListBuilder::new(Float32Builder::new());
        for list in rows.iter().map(field) {
            builder.values().append_slice(list.as_deref().unwrap_or_default());
            builder.append(list.is_some());
        }
        Arc::new(builder.finish())
    }

    fn fill<R>(array: &ArrayRef, rows: &mut [R], field: fn(&mut R) -> &mut Self) -> Option<()> {
        let array = array.as_any().downcast_ref::<ListArray>()?;
        for (slot, list) in rows.iter_mut().map(field).zip(array.iter()) {
            let Some(list) = list else { continue };
            *slot = Some(list.as_any().downcast_ref::<Float32Array>()?.iter().flatten().collect());
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::types::UInt8Type;

    #[derive(Debug, Clone, Copy, PartialEq, Default)]
    enum Colour {
        #[default]
        Red,
        Green,
    }

    impl Code for Colour {
        fn name(self) -> &'static str {
            match self {
                Red => "red",
                Green => "green",
            }
        }

        fn by_name(name: &str) -> Option<Colour> {
            [Red, Green].into_iter().find(|colour| colour.name() == name)
        }
    }

    use Colour::{Green, Red};

    /// What is read from an array of three rows.
    fn read<T: Column + Default>(array: &ArrayRef) -> Option<Vec<T>> {
        let mut slots: Vec<T> = std::iter::repeat_with(T::default).take(array.len()).collect();
        T::fill(array, &mut slots, |slot| slot).map(|()| slots)
    }

    #[test]
    fn lists_of_numbers_are_null_empty_or_full() {
        let lists = [None, Some(vec![]), Some(vec![1.0, 0.5])];
        let array = Option::<Vec<f32>>::array(&lists, |list| list);
        assert_eq!(array.data_type(), &Option::<Vec<f32>>::data_type());
        assert_eq!(read::<Option<Vec<f32>>>(&array).unwrap(), lists);
    }

    fn strings(values: &[Option<&str>]) -> ArrayRef {
        Arc::new(values.iter().copied().collect::<StringArray>())
    }

    fn keyed(keys: &[Option<u8>], values: ArrayRef) -> ArrayRef {
        Arc::new(DictionaryArray::<UInt8Type>::new(keys.iter().copied().collect(), values))
    }

    #[test]
    fn codes_are_written_as_a_dictionary_in_the_order_of_first_use() {
        let array = Colour::array(&[Green, Red, Green], |colour| colour);
        let dictionary = array.as_dictionary::<Int32Type>();
        assert_eq!(dictionary.values().as_string::<i32>(), &StringArray::from(vec!["green", "red"]));
        assert_eq!(dictionary.keys().values(), &[0, 1, 0]);
        assert_eq!(read(&array), Some(vec![Green, Red, Green]));
        let values = [None, Some(Red), Some(Red)];
        let array = <Option<Colour>>::array(&values, |colour| colour);
        assert_eq!(array.as_dictionary::<Int32Type>().values().len(), 1);
        assert_eq!(read(&array), Some(values.to_vec()));
    }

    #[test]
    fn codes_without_rows_or_without_values_come_back() {
        assert_eq!(read::<Colour>(&Colour::array(&[], |colour| colour)), Some(vec![]));
        let nulls = <Option<Colour>>::array(&[None, None], |colour| colour);
        assert_eq!(read(&nulls), Some(vec![None::<Colour>; 2]));
    }

    #[test]
    fn codes_are_read_from_plain_strings_too() {
        assert_eq!(read(&strings(&[Some("red"), Some("green")])), Some(vec![Red, Green]));
        assert_eq!(read(&strings(&[None, Some("green")])), Some(vec![None, Some(Green)]));
    }

    #[test]
    fn an_unknown_name_is_an_error_where_a_row_has_it() {
        assert_eq!(read::<Colour>(&strings(&[Some("red"), Some("blue")])), None);
        assert_eq!(read::<Option<Colour>>(&strings(&[Some("blue")])), None);
        assert_eq!(read::<Colour>(&strings(&[None])), None, "null in a column that has none");
        let values = || strings(&[Some("blue"), Some("red"), None]);
        assert_eq!(read::<Colour>(&keyed(&[Some(1), Some(0)], values())), None);
        assert_eq!(read::<Colour>(&keyed(&[Some(1)], values())), Some(vec![Red]));
        let nulls = read::<Option<Colour>>(&keyed(&[Some(2), None], values()));
        assert_eq!(nulls, Some(vec![None, None]));
        let numbers: ArrayRef = Arc::new(UInt32Array::from(vec![1]));
        assert_eq!(read::<Colour>(&numbers), None);
        assert_eq!(read::<Colour>(&keyed(&[Some(0)], numbers)), None);
    }

    #[test]
    fn strings_are_read_from_dictionaries_too() {
        let array = keyed(&[Some(1), None, Some(0)], strings(&[Some("a"), Some("b")]));
        assert_eq!(read::<String>(&array), Some(vec!["b".into(), String::new(), "a".into()]));
        let some = |text: &str| Some(CompactString::from(text));
        assert_eq!(read(&array), Some(vec![some("b"), None, some("a")]));
    }
}
