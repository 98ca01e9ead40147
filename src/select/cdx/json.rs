//! The JSON of a line of CDXJ → its fields. Keys that are no field, and values that are neither strings nor whole numbers, are
//! skipped.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{CdxLine, FIELDS};

impl<'de: 'a, 'a> Deserialize<'de> for CdxLine<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CdxLineVisitor;
        impl<'de> Visitor<'de> for CdxLineVisitor {
            type Value = CdxLine<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<CdxLine<'de>, A::Error> {
                let mut line = CdxLine::default();
                while let Some(Scalar(key)) = map.next_key()? {
                    let field = FIELDS.iter().position(|field| key.as_deref() == Some(field.1));
                    if let (Some(field), Scalar(Some(value))) = (field, map.next_value()?) {
                        line.set(field, value);
                    }
                }
                Ok(line)
            }
        }
        deserializer.deserialize_map(CdxLineVisitor)
    }
}

/// A JSON string, or the digits of a whole number; `None` for any other value.
struct Scalar<'a>(Option<Cow<'a, str>>);

impl<'de> Deserialize<'de> for Scalar<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ScalarVisitor;
        impl<'de> Visitor<'de> for ScalarVisitor {
            type Value = Scalar<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Scalar(Some(Cow::Borrowed(text))))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Scalar(Some(Cow::Owned(text.into()))))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
                Ok(Scalar(Some(Cow::Owned(number.to_string()))))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
                Ok(Scalar(Some(Cow::Owned(number.to_string()))))
            }

            fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
                Ok(Scalar(None))
            }

            fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
                Ok(Scalar(None))
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Scalar(None))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Scalar(None))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Scalar(None))
            }
        }
        deserializer.deserialize_any(ScalarVisitor)
    }
}
