//! A [`Language`] in files is its ISO 639-3 code. Apart from the type, which language-table uses without serde.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Language;

impl Serialize for Language {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

struct CodeVisitor;

impl Visitor<'_> for CodeVisitor {
    type Value = Language;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an ISO 639-3 code of three letters, or und")
    }

    fn visit_str<E: Error>(self, code: &str) -> Result<Language, E> {
        Language::of_letters(code).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(code), &self))
    }
}

impl<'de> Deserialize<'de> for Language {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Language, D::Error> {
        deserializer.deserialize_str(CodeVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_its_code_in_files() {
        let czech = Language::by_code("ces").unwrap();
        assert_eq!(serde_json::to_string(&czech).unwrap(), "\"ces\"");
        assert_eq!(serde_json::from_str::<Language>("\"ces\"").unwrap(), czech);
        assert!(serde_json::from_str::<Language>("\"cz\"").is_err());
        let bytes = postcard::to_allocvec(&[czech, Language::UNDETERMINED]).unwrap();
        assert_eq!(postcard::from_bytes::<[Language; 2]>(&bytes).unwrap(), [czech, Language::UNDETERMINED]);
    }
}
