//! Where the day of publication was found.

use serde::{Deserialize, Serialize};

use crate::named::named;

named! {
    /// Where the day of publication was found: the column `published_source` of the documents. One byte; serialised as the
    /// index of the variant by formats without names, so variants are only ever added at the end.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[repr(u8)]
    pub enum PublishedSource {
        /// `datePublished` and the like in JSON-LD.
        Jsonld "jsonld"
        /// A `<meta>` element.
        Meta "meta"
        /// An element with a schema.org property for the date of publication.
        Microdata "microdata"
        /// An element that is marked as a date by its name or by a value for machines.
        Time "time"
        /// The address of the page.
        Url "url"
        /// A line of text.
        Text "text"
        /// The rule of the site.
        Rule "rule"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_one_byte_and_known_by_index_and_name() {
        assert_eq!(size_of::<PublishedSource>(), 1);
        for (index, source) in PublishedSource::ALL.iter().copied().enumerate() {
            assert_eq!(PublishedSource::by_name(source.name()), Some(source));
            assert_eq!(postcard::to_allocvec(&source).unwrap(), [index as u8]);
        }
        assert_eq!(PublishedSource::by_name("guess"), None);
    }
}
