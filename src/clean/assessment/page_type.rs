//! The kinds of pages.

use serde::{Deserialize, Serialize};

use crate::named::named;

named! {
    /// What kind of page a document is: the column `page_type`. One byte; serialised as the index of the variant by formats
    /// without names, so variants are only ever added at the end.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[repr(u8)]
    pub enum PageType {
        /// One text: news, blog entry, essay, guide.
        Article "article"
        /// An overview of products: shop category, catalogue.
        Collection "collection"
        /// A page of a manual, reference or encyclopaedia.
        Documentation "documentation"
        /// A thread of posts, or a question with answers.
        Forum "forum"
        /// An overview of texts: front page, archive, tag page, directory.
        Listing "listing"
        /// Anything else, such as the page of a company about its services.
        Other "other"
        /// One product on offer.
        Product "product"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_one_byte_and_known_by_index_and_name() {
        assert_eq!(size_of::<PageType>(), 1);
        for (index, page_type) in PageType::ALL.iter().copied().enumerate() {
            assert_eq!(PageType::by_name(page_type.name()), Some(page_type));
            assert_eq!(postcard::to_allocvec(&page_type).unwrap(), [index as u8]);
        }
        assert_eq!(PageType::by_name("service"), None);
    }
}
