//! What decided the encoding of a page.

use serde::{Deserialize, Serialize};

use crate::named::named;

named! {
    /// What decided the encoding of a page: the column `charset_source` of the documents. One byte; serialised as the index
    /// of the variant by formats without names, so variants are only ever added at the end.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[repr(u8)]
    pub enum CharsetSource {
        /// A byte order mark.
        Bom "bom"
        /// The `charset` parameter of the HTTP header.
        Http "http"
        /// A `<meta>` element.
        Meta "meta"
        /// The XML declaration.
        Xml "xml"
        /// Nothing was declared, and the bytes are valid UTF-8 (or plain ASCII).
        Utf8 "utf8"
        /// Another encoding was declared, but the bytes are UTF-8.
        Utf8Override "utf8-override"
        /// A guess from the bytes, the language and the top-level domain.
        #[default]
        Detected "detected"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_one_byte_and_known_by_index_and_name() {
        assert_eq!(size_of::<CharsetSource>(), 1);
        for (index, source) in CharsetSource::ALL.iter().copied().enumerate() {
            assert_eq!(CharsetSource::by_name(source.name()), Some(source));
            assert_eq!(postcard::to_allocvec(&source).unwrap(), [index as u8]);
        }
        assert_eq!(CharsetSource::by_name("guess"), None);
    }
}
