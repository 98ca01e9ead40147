//! The kinds of pages.

use serde::{Deserialize, Serialize};

/// What kind of page a document is: the column `page_type`. One byte; serialised as the index of the variant by formats
/// without names, so variants are only ever added at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum PageType {
    /// One text: news, blog entry, essay, guide.
    Article,
    /// An overview of products: shop category, catalogue.
    Collection,
    /// A page of a manual, reference or encyclopaedia.
    Documentation,
    /// A thread of posts, or a question with answers.
    Forum,
    /// An overview of texts: front page, archive, tag page, directory.
    Listing,
    /// Anything else, such as the page of a company about its services.
    Other,
    /// One product on offer.
    Product,
}

impl PageType {
    /// All types, each at its index.
    pub const ALL: [PageType; 7] = [
        PageType::Article,
        PageType::Collection,
        PageType::Documentation,
        PageType::Forum,
        PageType::Listing,
        PageType::Other,
        PageType::Product,
    ];

    /// The name in the column `page_type`.
    pub fn name(self) -> &'static str {
        match self {
            PageType::Article => "article",
            PageType::Collection => "collection",
            PageType::Documentation => "documentation",
            PageType::Forum => "forum",
            PageType::Listing => "listing",
            PageType::Other => "other",
            PageType::Product => "product",
        }
    }

    /// The type of a name in the column `page_type`; None for a name that no type has.
    pub fn by_name(name: &str) -> Option<PageType> {
        PageType::ALL.into_iter().find(|page_type| page_type.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_one_byte_and_known_by_index_and_name() {
        assert_eq!(size_of::<PageType>(), 1);
        for (index, page_type) in PageType::ALL.into_iter().enumerate() {
            assert_eq!(PageType::by_name(page_type.name()), Some(page_type));
            assert_eq!(postcard::to_allocvec(&page_type).unwrap(), [index as u8]);
        }
        assert_eq!(PageType::by_name("service"), None);
    }
}
