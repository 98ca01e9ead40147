//! What decided the encoding of a page.

use serde::{Deserialize, Serialize};

/// What decided the encoding of a page: the column `charset_source` of the documents. One byte; serialised as the index
/// of the variant by formats without names, so variants are only ever added at the end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum CharsetSource {
    /// A byte order mark.
    Bom,
    /// The `charset` parameter of the HTTP header.
    Http,
    /// A `<meta>` element.
    Meta,
    /// The XML declaration.
    Xml,
    /// Nothing was declared, and the bytes are valid UTF-8 (or plain ASCII).
    Utf8,
    /// Another encoding was declared, but the bytes are UTF-8.
    Utf8Override,
    /// A guess from the bytes, the language and the top-level domain.
    #[default]
    Detected,
}

impl CharsetSource {
    /// All sources, each at its index.
    pub const ALL: [CharsetSource; 7] = [
        CharsetSource::Bom,
        CharsetSource::Http,
        CharsetSource::Meta,
        CharsetSource::Xml,
        CharsetSource::Utf8,
        CharsetSource::Utf8Override,
        CharsetSource::Detected,
    ];

    /// The name in the column `charset_source`.
    pub fn name(self) -> &'static str {
        match self {
            CharsetSource::Bom => "bom",
            CharsetSource::Http => "http",
            CharsetSource::Meta => "meta",
            CharsetSource::Xml => "xml",
            CharsetSource::Utf8 => "utf8",
            CharsetSource::Utf8Override => "utf8-override",
            CharsetSource::Detected => "detected",
        }
    }

    /// The source of a name in the column `charset_source`; None for a name that no source has.
    pub fn by_name(name: &str) -> Option<CharsetSource> {
        CharsetSource::ALL.into_iter().find(|source| source.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_one_byte_and_known_by_index_and_name() {
        assert_eq!(size_of::<CharsetSource>(), 1);
        for (index, source) in CharsetSource::ALL.into_iter().enumerate() {
            assert_eq!(CharsetSource::by_name(source.name()), Some(source));
            assert_eq!(postcard::to_allocvec(&source).unwrap(), [index as u8]);
        }
        assert_eq!(CharsetSource::by_name("guess"), None);
    }
}
