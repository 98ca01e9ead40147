//! The kinds of blocks.

use serde::{Deserialize, Serialize};

use super::Tag;
use crate::named::named;

named! {
    /// The nearest block element around a block: the column `kind` of the paragraphs. One byte; serialised as the index of
    /// the variant by formats without names, so variants are only ever added at the end. The name is that of the element;
    /// `div` stands for all others.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
    #[repr(u8)]
    pub enum BlockKind {
        /// A paragraph, `p`; also the blocks of plain text.
        P "p"
        /// A heading of the first level, `h1`.
        H1 "h1"
        /// A heading of the second level, `h2`.
        H2 "h2"
        /// A heading of the third level, `h3`.
        H3 "h3"
        /// A heading of the fourth level, `h4`.
        H4 "h4"
        /// A heading of the fifth level, `h5`.
        H5 "h5"
        /// A heading of the sixth level, `h6`.
        H6 "h6"
        /// An item of a list, `li`.
        Li "li"
        /// A cell of a table, `td`.
        Td "td"
        /// A heading cell of a table, `th`.
        Th "th"
        /// A term of a description list, `dt`.
        Dt "dt"
        /// A description of a description list, `dd`.
        Dd "dd"
        /// Preformatted text: `pre`, `listing`, `xmp` or `plaintext`.
        Pre "pre"
        /// A quotation, `blockquote`.
        Blockquote "blockquote"
        /// The caption of a table, `caption`.
        Caption "caption"
        /// The caption of a figure, `figcaption`.
        Figcaption "figcaption"
        /// The visible part of a disclosure widget, `summary`.
        Summary "summary"
        /// The caption of a group of form fields, `legend`.
        Legend "legend"
        /// Contact information, `address`.
        Address "address"
        /// Any other block element, or none.
        #[default]
        Other "div"
    }
}

impl BlockKind {
    /// Whether the kind is one of `h1` to `h6`.
    pub fn is_heading(self) -> bool {
        matches!(self, BlockKind::H1 | BlockKind::H2 | BlockKind::H3 | BlockKind::H4 | BlockKind::H5 | BlockKind::H6)
    }

    /// Rank of a heading, 1 to 6.
    pub fn rank(self) -> Option<u8> {
        self.is_heading().then_some(self as u8)
    }

    /// The heading of a rank; beyond 1 to 6 the nearest of these.
    pub(super) fn heading(rank: u8) -> BlockKind {
        let of = |rank| BlockKind::ALL.iter().copied().find(|kind| kind.rank() == Some(rank));
        of(rank.clamp(1, 6)).unwrap_or_default()
    }

    pub(super) fn of(tag: Tag) -> BlockKind {
        match tag {
            Tag::P => BlockKind::P,
            Tag::H1 => BlockKind::H1,
            Tag::H2 => BlockKind::H2,
            Tag::H3 => BlockKind::H3,
            Tag::H4 => BlockKind::H4,
            Tag::H5 => BlockKind::H5,
            Tag::H6 => BlockKind::H6,
            Tag::Li => BlockKind::Li,
            Tag::Td => BlockKind::Td,
            Tag::Th => BlockKind::Th,
            Tag::Dt => BlockKind::Dt,
            Tag::Dd => BlockKind::Dd,
            Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext => BlockKind::Pre,
            Tag::Blockquote => BlockKind::Blockquote,
            Tag::Caption => BlockKind::Caption,
            Tag::Figcaption => BlockKind::Figcaption,
            Tag::Summary => BlockKind::Summary,
            Tag::Legend => BlockKind::Legend,
            Tag::Address => BlockKind::Address,
            _ => BlockKind::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_one_byte_and_known_by_index_and_name() {
        assert_eq!(size_of::<BlockKind>(), 1);
        for (index, kind) in BlockKind::ALL.iter().copied().enumerate() {
            assert_eq!(BlockKind::by_name(kind.name()), Some(kind));
            assert_eq!(postcard::to_allocvec(&kind).unwrap(), [index as u8]);
        }
        assert_eq!((BlockKind::by_name("section"), BlockKind::by_name("")), (None, None));
        let ranks = BlockKind::ALL.iter().copied().filter_map(|kind| Some(format!("{}{}", kind.name(), kind.rank()?)));
        assert_eq!(ranks.collect::<Vec<_>>(), ["h11", "h22", "h33", "h44", "h55", "h66"]);
    }
}
