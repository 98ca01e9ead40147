//! Tag names as small numbers, and the sets the pass decides by.
//!
//! Only names that some rule mentions are known; every other name is [`Tag::Unknown`], and who
//! must tell two unknown names apart keeps a hash of the name beside the tag.

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

    /// Both sets together.
    pub const fn and(self, other: TagSet) -> TagSet {
        let (TagSet([a, b, c]), TagSet([x, y, z])) = (self, other);
        TagSet([a | x, b | y, c | z])
    }

    /// The set with one more.
    pub fn with(mut self, tag: Tag) -> TagSet {
        let n = tag as usize;
        if let Some(word) = self.0.get_mut(n / 64) {
            *word |= 1 << (n % 64);
        }
        self
    }

    /// Whether the tag is a member.
    pub fn has(&self, tag: Tag) -> bool {
        let n = tag as usize;
        self.0.get(n / 64).is_some_and(|word| word >> (n % 64) & 1 == 1)
    }
}

macro_rules! tags {
    ($($tag:ident $name:literal)*) => {
        /// An HTML element name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Tag { $($tag,)* Unknown }

        impl Tag {
            /// The name in lower case; `unknown` for names outside the table.
            pub fn name(self) -> &'static str {
                let name: &[u8] = match self { $(Tag::$tag => $name,)* Tag::Unknown => b"unknown" };
                std::str::from_utf8(name).unwrap_or("unknown")
            }

            fn lower(name: &[u8]) -> Tag {
                match name { $($name => Tag::$tag,)* _ => Tag::Unknown }
            }
        }
    };
}

tags! {
    A b"a" Abbr b"abbr" Acronym b"acronym" Address b"address" Annotation b"annotation" Applet b"applet"
    Area b"area" Article b"article" Aside b"aside" Audio b"audio" B b"b" Base b"base" Basefont b"basefont" Bdo b"bdo"
    Bgsound b"bgsound" Big b"big" Blockquote b"blockquote" Body b"body" Br b"br" Button b"button"
    Canvas b"canvas" Caption b"caption" Center b"center" Cite b"cite" Code b"code" Col b"col" Colgroup b"colgroup"
    Datalist b"datalist" Dd b"dd" Del b"del" Desc b"desc" Details b"details" Dfn b"dfn" Dialog b"dialog" Dir b"dir" Div b"div"
    Dl b"dl" Dt b"dt" Em b"em" Embed b"embed" Fieldset b"fieldset" Figcaption b"figcaption"
    Figure b"figure" Font b"font" Footer b"footer" Foreignobject b"foreignobject" Form b"form"
    Frame b"frame" Frameset b"frameset" H1 b"h1" H2 b"h2" H3 b"h3" H4 b"h4" H5 b"h5" H6 b"h6" Head b"head"
    Header b"header" Hgroup b"hgroup" Hr b"hr" Html b"html" I b"i" Iframe b"iframe" Image b"image"
    Img b"img" Input b"input" Ins b"ins" Isindex b"isindex" Kbd b"kbd" Keygen b"keygen" Label b"label"
    Layer b"layer" Legend b"legend" Li b"li" Link b"link" Listing b"listing" Main b"main" Map b"map"
    Marquee b"marquee" Math b"math" Menu b"menu" Meta b"meta" Nav b"nav" Nobr b"nobr" Noembed b"noembed"
    Noframes b"noframes" Noscript b"noscript" Object b"object" Ol b"ol" Optgroup b"optgroup"
    Option b"option" P b"p" Param b"param" Plaintext b"plaintext" Pre b"pre" Q b"q" Rp b"rp" Rt b"rt"
    Ruby b"ruby" S b"s" Samp b"samp" Script b"script" Search b"search" Section b"section" Select b"select"
    Small b"small" Source b"source" Span b"span" Strike b"strike" Strong b"strong" Style b"style"
    Sub b"sub" Summary b"summary" Sup b"sup" Svg b"svg" Table b"table" Tbody b"tbody" Td b"td"
    Template b"template" Textarea b"textarea" Tfoot b"tfoot" Th b"th" Thead b"thead" Time b"time"
    Title b"title" Tr b"tr" Track b"track" Tt b"tt" U b"u" Ul b"ul" Var b"var" Video b"video" Wbr b"wbr" Xmp b"xmp"
}

impl Tag {
    /// Number of tags, [`Unknown`] included.
    pub const COUNT: usize = Unknown as usize + 1;

    /// The tag of a name in any case.
    pub fn of(name: &str) -> Tag {
        let mut lower = [0u8; 13];
        let Some(room) = lower.get_mut(..name.len()) else { return Unknown };
        room.copy_from_slice(name.as_bytes());
        room.make_ascii_lowercase();
        Tag::lower(room)
    }

    /// How the text directly inside is tokenised when a whole browser tokenises the page with
    /// scripts switched off (`noscript` is then ordinary content).
    pub fn content(self) -> Content {
        match self {
            Title | Textarea => Content::Escapable,
            Style | Iframe | Xmp | Noembed | Noframes => Content::Raw,
            Script => Content::Script,
            Plaintext => Content::Plain,
            _ => Content::Markup,
        }
    }
}

/// Tokeniser state inside an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Tags, comments and entities count.
    Markup,
    /// Only entities and the own end tag count.
    Escapable,
    /// Only the own end tag counts.
    Raw,
    /// As raw, with the comment rules of scripts.
    Script,
    /// Nothing counts any more.
    Plain,
}

use Tag::*;

/// Headings.
pub const HEADINGS: TagSet = TagSet::of(&[H1, H2, H3, H4, H5, H6]);

/// What the published algorithm splits paragraphs at.
pub const JUSTEXT_BLOCKS: TagSet = TagSet::of(&[
    Body, Blockquote, Caption, Center, Col, Colgroup, Dd, Div, Dl, Dt, Fieldset, Form, Legend, Optgroup, Option, P,
    Pre, Table, Td, Textarea, Tfoot, Th, Thead, Tr, Ul, Li, H1, H2, H3, H4, H5, H6,
]);

/// The above and what HTML has for blocks today.
pub const HTML5_BLOCKS: TagSet = JUSTEXT_BLOCKS.and(TagSet::of(&[
    Address, Article, Aside, Details, Dialog, Dir, Figcaption, Figure, Footer, Frameset, Header, Hgroup, Hr, Listing,
    Main, Menu, Nav, Ol, Plaintext, Search, Section, Summary, Tbody, Xmp,
]));

/// Elements without content: closed as soon as opened.
pub const VOID: TagSet = TagSet::of(&[
    Area, Base, Basefont, Bgsound, Br, Col, Embed, Frame, Hr, Image, Img, Input, Isindex, Keygen, Link, Meta, Param,
    Source, Track, Wbr,
]);
