//! Where the day of publication was found.

use serde::{Deserialize, Serialize};

/// Where the day of publication was found: the column `published_source` of the documents. One byte; serialised as the
/// index of the variant by formats without names, so variants are only ever added at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum PublishedSource {
    /// `datePublished` and the like in JSON-LD.
    Jsonld,
    /// A `<meta>` element.
    Meta,
    /// An element with a schema.org property for the date of publication.
    Microdata,
    /// An element that is marked as a date by its name or by a value for machines.
    Time,
    /// The address of the page.
    Url,
    /// A line of text.
    Text,
    /// The rule of the site.
    Rule,
}

impl PublishedSource {
    /// All sources, each at its index.
    pub const ALL: [PublishedSource; 7] = [
        PublishedSource::Jsonld,
        PublishedSource::Meta,
        PublishedSource::Microdata,
        PublishedSource::Time,
        PublishedSource::Url,
        PublishedSource::Text,
        PublishedSource::Rule,
    ];

    /// The name in the column `published_source`.
    pub fn name(self) -> &'static str {
        match self {
            PublishedSource::Jsonld => "jsonld",
            PublishedSource::Meta => "meta",
            PublishedSource::Microdata => "microdata",
            PublishedSource::Time => "time",
            PublishedSource::Url => "url",
            PublishedSource::Text => "text",
            PublishedSource::Rule => "rule",
        }
    }

    /// The source of a name in the column `published_source`; None for a name that no source has.
    pub fn by_name(name: &str) -> Option<PublishedSource> {
        PublishedSource::ALL.into_iter().find(|source| source.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_one_byte_and_known_by_index_and_name() {
        assert_eq!(size_of::<PublishedSource>(), 1);
        for (index, source) in PublishedSource::ALL.into_iter().enumerate() {
            assert_eq!(PublishedSource::by_name(source.name()), Some(source));
            assert_eq!(postcard::to_allocvec(&source).unwrap(), [index as u8]);
        }
        assert_eq!(PublishedSource::by_name("guess"), None);
    }
}
