//! The kinds of blocks.

use serde::{Deserialize, Serialize};

use super::Tag;

/// The nearest block element around a block: the column `kind` of the paragraphs. One byte; serialised as the index of
/// the variant by formats without names, so variants are only ever added at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[repr(u8)]
pub enum BlockKind {
    /// A paragraph, `p`; also the blocks of plain text.
    P,
    /// A heading of the first level, `h1`.
    H1,
    /// A heading of the second level, `h2`.
    H2,
    /// A heading of the third level, `h3`.
    H3,
    /// A heading of the fourth level, `h4`.
    H4,
    /// A heading of the fifth level, `h5`.
    H5,
    /// A heading of the sixth level, `h6`.
    H6,
    /// An item of a list, `li`.
    Li,
    /// A cell of a table, `td`.
    Td,
    /// A heading cell of a table, `th`.
    Th,
    /// A term of a description list, `dt`.
    Dt,
    /// A description of a description list, `dd`.
    Dd,
    /// Preformatted text: `pre`, `listing`, `xmp` or `plaintext`.
    Pre,
    /// A quotation, `blockquote`.
    Blockquote,
    /// The caption of a table, `caption`.
    Caption,
    /// The caption of a figure, `figcaption`.
    Figcaption,
    /// The visible part of a disclosure widget, `summary`.
    Summary,
    /// The caption of a group of form fields, `legend`.
    Legend,
    /// Contact information, `address`.
    Address,
    /// Any other block element, or none.
    #[default]
    Other,
}

impl BlockKind {
    /// All kinds, each at its index.
    pub const ALL: [BlockKind; 20] = [
        BlockKind::P,
        BlockKind::H1,
        BlockKind::H2,
        BlockKind::H3,
        BlockKind::H4,
        BlockKind::H5,
        BlockKind::H6,
        BlockKind::Li,
        BlockKind::Td,
        BlockKind::Th,
        BlockKind::Dt,
        BlockKind::Dd,
        BlockKind::Pre,
        BlockKind::Blockquote,
        BlockKind::Caption,
        BlockKind::Figcaption,
        BlockKind::Summary,
        BlockKind::Legend,
        BlockKind::Address,
        BlockKind::Other,
    ];

    /// The name in the column `kind`: that of the element; `div` stands for all others.
    pub fn name(self) -> &'static str {
        match self {
            BlockKind::P => "p",
            BlockKind::H1 => "h1",
            BlockKind::H2 => "h2",
            BlockKind::H3 => "h3",
            BlockKind::H4 => "h4",
            BlockKind::H5 => "h5",
            BlockKind::H6 => "h6",
            BlockKind::Li => "li",
            BlockKind::Td => "td",
            BlockKind::Th => "th",
            BlockKind::Dt => "dt",
            BlockKind::Dd => "dd",
            BlockKind::Pre => "pre",
            BlockKind::Blockquote => "blockquote",
            BlockKind::Caption => "caption",
            BlockKind::Figcaption => "figcaption",
            BlockKind::Summary => "summary",
            BlockKind::Legend => "legend",
            BlockKind::Address => "address",
            BlockKind::Other => "div",
        }
    }

    /// The kind of a name in the column `kind`; None for a name that no kind has.
    pub fn by_name(name: &str) -> Option<BlockKind> {
        BlockKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

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
        let of = |rank| BlockKind::ALL.into_iter().find(|kind| kind.rank() == Some(rank));
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
        for (index, kind) in BlockKind::ALL.into_iter().enumerate() {
            assert_eq!(BlockKind::by_name(kind.name()), Some(kind));
            assert_eq!(postcard::to_allocvec(&kind).unwrap(), [index as u8]);
        }
        assert_eq!((BlockKind::by_name("section"), BlockKind::by_name("")), (None, None));
        let ranks = BlockKind::ALL.into_iter().filter_map(|kind| Some(format!("{}{}", kind.name(), kind.rank()?)));
        assert_eq!(ranks.collect::<Vec<_>>(), ["h11", "h22", "h33", "h44", "h55", "h66"]);
    }
}
