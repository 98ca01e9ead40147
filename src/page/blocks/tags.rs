//! Tag names as small numbers, and the sets the pass decides by.
//!
//! Only the names that some rule of this module mentions have a number; every other name is [`Tag::Unknown`]. To tell two
//! unknown names apart, the name as written is compared.

use super::name_table::NameTable;

/// A set of tags, one bit each.
#[derive(Clone, Copy)]
pub struct TagSet([u64; 3]);

impl TagSet {
    /// The set of the given tags.
    pub const fn of(mut tags: &[Tag]) -> TagSet {
        let [mut low, mut middle, mut high] = [0u64; 3];
        while let [tag, rest @ ..] = tags {
            let n = *tag as usize;
            match n / 64 {
                0 => low |= 1 << n,
                1 => middle |= 1 << (n - 64),
                _ => high |= 1 << (n - 128),
            }
            tags = rest;
        }
        TagSet([low, middle, high])
    }

    /// The union of both sets.
    pub const fn union(self, other: TagSet) -> TagSet {
        let (TagSet([a, b, c]), TagSet([x, y, z])) = (self, other);
        TagSet([a | x, b | y, c | z])
    }

    /// The set without some tags.
    pub const fn without(self, other: TagSet) -> TagSet {
        let (TagSet([a, b, c]), TagSet([x, y, z])) = (self, other);
        TagSet([a & !x, b & !y, c & !z])
    }

    /// The numbers of the members.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        let of_word = |(at, mut word): (usize, u64)| {
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros() as usize;
                word &= word.wrapping_sub(1);
                (bit < 64).then_some(64 * at + bit)
            })
        };
        self.0.into_iter().enumerate().flat_map(of_word)
    }

    /// Whether the tag is a member.
    #[inline]
    pub fn has(&self, tag: Tag) -> bool {
        let n = tag as usize;
        self.0.get(n / 64).is_some_and(|word| word >> (n % 64) & 1 == 1)
    }
}

macro_rules! tags {
    ($($tag:ident $name:literal)*) => {
        /// The name of an HTML element.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Tag { $($tag,)* Unknown }

        const KNOWN: [(Tag, &str); Tag::COUNT] = [$((Tag::$tag, $name),)* (Tag::Unknown, "unknown")];
    };
}

tags! {
    A "a" Abbr "abbr" Acronym "acronym" Address "address" Annotation "annotation" Applet "applet"
    Area "area" Article "article" Aside "aside" Audio "audio" B "b" Base "base" Basefont "basefont" Bdo "bdo"
    Bgsound "bgsound" Big "big" Blockquote "blockquote" Body "body" Br "br" Button "button"
    Canvas "canvas" Caption "caption" Center "center" Cite "cite" Code "code" Col "col" Colgroup "colgroup"
    Datalist "datalist" Dd "dd" Del "del" Desc "desc" Details "details" Dfn "dfn" Dialog "dialog" Dir "dir" Div "div"
    Dl "dl" Dt "dt" Em "em" Embed "embed" Fieldset "fieldset" Figcaption "figcaption"
    Figure "figure" Font "font" Footer "footer" Foreignobject "foreignobject" Form "form"
    Frame "frame" Frameset "frameset" H1 "h1" H2 "h2" H3 "h3" H4 "h4" H5 "h5" H6 "h6" Head "head"
    Header "header" Hgroup "hgroup" Hr "hr" Html "html" I "i" Iframe "iframe" Image "image"
    Img "img" Input "input" Ins "ins" Isindex "isindex" Kbd "kbd" Keygen "keygen" Label "label"
    Layer "layer" Legend "legend" Li "li" Link "link" Listing "listing" Main "main" Map "map"
    Marquee "marquee" Math "math" Menu "menu" Meta "meta" Nav "nav" Nobr "nobr" Noembed "noembed"
    Noframes "noframes" Noscript "noscript" Object "object" Ol "ol" Optgroup "optgroup"
    Option "option" P "p" Param "param" Plaintext "plaintext" Pre "pre" Q "q" Rp "rp" Rt "rt"
    Ruby "ruby" S "s" Samp "samp" Script "script" Search "search" Section "section" Select "select"
    Small "small" Source "source" Span "span" Strike "strike" Strong "strong" Style "style"
    Sub "sub" Summary "summary" Sup "sup" Svg "svg" Table "table" Tbody "tbody" Td "td"
    Template "template" Textarea "textarea" Tfoot "tfoot" Th "th" Thead "thead" Time "time"
    Title "title" Tr "tr" Track "track" Tt "tt" U "u" Ul "ul" Var "var" Video "video" Wbr "wbr" Xmp "xmp"
}

impl Tag {
    /// Number of tags, [`Unknown`] included.
    pub const COUNT: usize = Unknown as usize + 1;

    /// The name in lower case; `unknown` for names outside the table.
    pub fn name(self) -> &'static str {
        KNOWN.get(self as usize).map_or("unknown", |(_, name)| name)
    }

    /// The tag of a name in any case; `key` is that of `name_table::read_name`.
    #[inline]
    pub fn of(name: &str, key: u64) -> Tag {
        BY_KEY.get(name, key).unwrap_or(Unknown)
    }

    /// How a browser tokenises the text directly inside with scripts switched off: `noscript` is then ordinary content, which
    /// `Builder::start` overrides.
    pub fn text_state(self) -> TextState {
        match self {
            Title | Textarea => TextState::Rcdata,
            Style | Iframe | Xmp | Noembed | Noframes => TextState::Rawtext,
            Script => TextState::ScriptData,
            Plaintext => TextState::Plaintext,
            _ => TextState::Data,
        }
    }
}

static BY_KEY: NameTable<Tag, 1024> = NameTable::new(&KNOWN, 0x8a2a_7057_9b7d_630d);

/// State of the tokeniser for the text inside an element, by the names of the [HTML standard].
///
/// [HTML standard]: https://html.spec.whatwg.org/multipage/parsing.html#tokenization
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextState {
    /// Markup: tags, comments and character references are recognised.
    Data,
    /// RCDATA: character references and the end tag of the element are recognised.
    Rcdata,
    /// RAWTEXT: only the end tag of the element is recognised.
    Rawtext,
    /// Script data: RAWTEXT with the comment rules of scripts.
    ScriptData,
    /// PLAINTEXT: nothing is recognised to the end of the page.
    Plaintext,
}

use Tag::*;

/// The elements of headings, `h1` to `h6`.
pub const HEADINGS: TagSet = TagSet::of(&[H1, H2, H3, H4, H5, H6]);

/// The elements of lists whose items are `li`.
pub const LISTS: [Tag; 4] = [Ul, Ol, Menu, Dir];

/// Elements at which the published jusText algorithm splits paragraphs.
pub const JUSTEXT_BLOCKS: TagSet = TagSet::of(&[
    Body, Blockquote, Caption, Center, Col, Colgroup, Dd, Div, Dl, Dt, Fieldset, Form, Legend, Optgroup, Option, P,
    Pre, Table, Td, Textarea, Tfoot, Th, Thead, Tr, Ul, Li, H1, H2, H3, H4, H5, H6,
]);

/// Those of jusText and the block elements of HTML 5.
pub const HTML5_BLOCKS: TagSet = JUSTEXT_BLOCKS.union(TagSet::of(&[
    Address, Article, Aside, Details, Dialog, Dir, Figcaption, Figure, Footer, Frameset, Header, Hgroup, Hr, Listing,
    Main, Menu, Nav, Ol, Plaintext, Search, Section, Summary, Tbody, Xmp,
]));

/// Elements without content: closed as soon as opened.
pub const VOID: TagSet = TagSet::of(&[
    Area, Base, Basefont, Bgsound, Br, Col, Embed, Frame, Hr, Image, Img, Input, Isindex, Keygen, Link, Meta, Param,
    Source, Track, Wbr,
]);

/// Elements that are dropped with their content, by the rules of HTML and those of the reference program.
pub const DROPPED: TagSet = TagSet::of(&[Head, Script, Style, Button, Input, Select, Textarea, Applet, Base, Param]);

#[cfg(test)]
mod tests {
    use super::super::name_table::{TAG_NAMES, read_name};
    use super::*;

    fn tag(written: &str) -> Tag {
        let (end, key) = read_name(written.as_bytes(), 0, &TAG_NAMES);
        Tag::of(&written[..end], key)
    }

    #[test]
    fn known_names_are_known_in_any_case_and_no_others() {
        for (known, name) in KNOWN {
            assert_eq!((tag(name), tag(&name.to_uppercase())), (known, known));
            let parts = (1..name.len()).flat_map(|at| [&name[at..], &name[..at]]);
            for other in parts.map(String::from).chain([format!("x-{name}"), format!("{name}\u{1}")]) {
                let is_known = KNOWN.iter().any(|(_, name)| *name == other);
                assert_eq!(tag(&other) != Unknown, is_known && other != "unknown", "{other}");
            }
        }
    }
}
