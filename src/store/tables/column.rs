//! One Rust type ↔ one Arrow type.

use std::sync::Arc;

use arrow::array::*;
use arrow::datatypes::{DataType, Field, TimeUnit};
use compact_str::CompactString;

/// A field type that is a column.
pub trait Column: Sized + 'static {
    const NULLABLE: bool;
    fn data_type() -> DataType;
    fn array<'a>(values: impl Iterator<Item = &'a Self>) -> ArrayRef;
    /// Puts the values of `array` into `slots`; `None` if it has another type.
    fn fill<'a>(array: &ArrayRef, slots: impl Iterator<Item = &'a mut Self>) -> Option<()>;
}

macro_rules! column {
    ($type:ty, $nullable:literal, $data_type:expr, $array:ident, $put:expr, $get:expr) => {
        impl Column for $type {
            const NULLABLE: bool = $nullable;

            fn data_type() -> DataType {
                $data_type
            }

            fn array<'a>(values: impl Iterator<Item = &'a Self>) -> ArrayRef {
                Arc::new(values.map($put).collect::<$array>())
            }

            fn fill<'a>(array: &ArrayRef, slots: impl Iterator<Item = &'a mut Self>) -> Option<()> {
                let array = array.as_any().downcast_ref::<$array>()?;
                slots.zip(array.iter()).for_each(|(slot, value)| *slot = $get(value));
                Some(())
            }
        }
    };
}

column!(u64, false, DataType::UInt64, UInt64Array, |v| Some(*v), Option::unwrap_or_default);
column!(u32, false, DataType::UInt32, UInt32Array, |v| Some(*v), Option::unwrap_or_default);
column!(u16, false, DataType::UInt16, UInt16Array, |v| Some(*v), Option::unwrap_or_default);
column!(f32, false, DataType::Float32, Float32Array, |v| Some(*v), Option::unwrap_or_default);
column!(bool, false, DataType::Boolean, BooleanArray, |v| Some(*v), Option::unwrap_or_default);
column!(Option<u64>, true, DataType::UInt64, UInt64Array, |v| *v, |v| v);
column!(Option<u32>, true, DataType::UInt32, UInt32Array, |v| *v, |v| v);
column!(Option<u16>, true, DataType::UInt16, UInt16Array, |v| *v, |v| v);
column!(Option<f32>, true, DataType::Float32, Float32Array, |v| *v, |v| v);
column!(Option<i32>, true, DataType::Date32, Date32Array, |v| *v, |v| v);
column!(String, false, DataType::Utf8, StringArray, |v| Some(v.as_str()), |v: Option<&str>| v
    .unwrap_or_default()
    .to_string());
column!(CompactString, false, DataType::Utf8, StringArray, |v| Some(v.as_str()), |v: Option<&str>| v
    .unwrap_or_default()
    .into());
column!(Option<CompactString>, true, DataType::Utf8, StringArray, |v| v.as_deref(), |v: Option<&str>| v
    .map(Into::into));
column!(Option<String>, true, DataType::Utf8, StringArray, |v| v.as_deref(), |v: Option<&str>| v.map(str::to_string));

/// Microseconds since 1970, UTC.
impl Column for Option<i64> {
    const NULLABLE: bool = true;

    fn data_type() -> DataType {
        DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
    }

    fn array<'a>(values: impl Iterator<Item = &'a Self>) -> ArrayRef {
        Arc::new(values.copied().collect::<TimestampMicrosecondArray>().with_timezone("UTC"))
    }

    fn fill<'a>(array: &ArrayRef, slots: impl Iterator<Item = &'a mut Self>) -> Option<()> {
        let array = array.as_any().downcast_ref::<TimestampMicrosecondArray>()?;
        slots.zip(array.iter()).for_each(|(slot, value)| *slot = value);
        Some(())
    }
}

impl Column for Vec<String> {
    const NULLABLE: bool = false;

    fn data_type() -> DataType {
        DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true)))
    }

    fn array<'a>(values: impl Iterator<Item = &'a Self>) -> ArrayRef {
        let mut builder = ListBuilder::new(StringBuilder::new());
        for list in values {
            list.iter().for_each(|item| builder.values().append_value(item));
            builder.append(true);
        }
        Arc::new(builder.finish())
    }

    fn fill<'a>(array: &ArrayRef, slots: impl Iterator<Item = &'a mut Self>) -> Option<()> {
        let array = array.as_any().downcast_ref::<ListArray>()?;
        for (slot, list) in slots.zip(array.iter()) {
            let Some(list) = list else { continue };
            let strings = list.as_any().downcast_ref::<StringArray>()?;
            *slot = strings.iter().flatten().map(str::to_string).collect();
        }
        Some(())
    }
}
