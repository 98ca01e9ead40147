//! Which elements are open by the rules of HTML (“tree construction”), as far as they matter to text.
//!
//! Left out on purpose: the reopening of unclosed inline elements, the moving of text out of tables (“foster parenting”),
//! and frames. Unlike in a browser, `/>` closes any element (XHTML pages mean it) but a script or style that has an end tag;
//! tags of HTML do not end an `svg` that has an end tag; and the content of `svg`,
//! `video`, `audio`, `canvas`, `iframe`, `noembed`, `datalist`, `annotation`, `rt`, `rp`, a second `title` and a `template`
//! without a shadow root is dropped, because no reader sees it as text.

use super::BlockKind;
use super::attributes::{Attribute, AttributeList, makes_line};
use super::builder::{Builder, closes_at_once};
use super::open_elements::{OpenElement, Role};
use super::tags::{DROPPED, HEADINGS, Tag, Tag::*, TagSet};
use super::tokenizer::StartTag;

/// Browsers stop nesting here as well.
const MAX_DEPTH: usize = 512;

/// Takes a start tag.
pub fn start<'a>(builder: &mut Builder<'a>, tag: Tag, source: StartTag<'a>) {
    let misplaced = match tag {
        Html => builder.stack.depth() > 0,
        Body => builder.stack.count(Body) > 0,
        Head => !is_first_head(builder),
        _ => false,
    };
    if misplaced {
        return;
    }
    if builder.stack.top_tag() == Some(Head) && !IN_HEAD.has(tag) {
        builder.pop();
    }
    close_implied(builder, tag);
    if builder.stack.depth() >= MAX_DEPTH {
        builder.pop();
    }
    builder.tree.seen_math |= tag == Math;
    if HEADINGS.has(tag) {
        builder.show_heading();
    }
    let role = role(builder, tag, &source);
    if tag == Button && role == Role::Transparent && builder.begins_block() {
        builder.begin_button();
    }
    let mut open = OpenElement::new(tag, source, role);
    open.link = tag == A && is_link(&builder.attributes);
    open.is_line = builder.attributes.value(Attribute::Style).is_some_and(makes_line);
    open.is_code_line = is_code_line(builder, tag);
    if source.named {
        mark_by_names(&mut open, &builder.attributes);
    }
    builder.push(open);
    if closes_at_once(&source, tag) {
        builder.pop();
    }
}

/// Takes an end tag.
pub fn end(builder: &mut Builder<'_>, tag: Tag, name: &str) {
    match tag {
        Html | Body => {}
        // Nearly all end tags are those of the innermost element.
        _ if builder.stack.top_tag() == Some(tag) && tag != Unknown => {
            builder.pop();
        }
        P if find(builder, tag, &P_SCOPE).is_none() => builder.boundary(),
        P => close(builder, tag, &P_SCOPE),
        Br => start(builder, Br, StartTag::implied(Br)),
        Li => close(builder, tag, &LIST_SCOPE),
        H1 | H2 | H3 | H4 | H5 | H6 => {
            if let Some(at) = find_any(builder, &HEADINGS, &SCOPE) {
                pop_to(builder, at);
            }
        }
        Table | Tbody | Thead | Tfoot | Tr | Td | Th | Caption | Colgroup => close(builder, tag, &TABLE_SCOPE),
        _ if FORMATTING.has(tag) => end_formatting(builder, tag),
        _ if SPECIAL.has(tag) => close(builder, tag, &SCOPE),
        _ => end_other(builder, tag, name),
    }
}

/// Takes text: text that is not blank ends the head.
pub fn text(builder: &mut Builder<'_>, raw: &str) {
    if builder.stack.top_tag() == Some(Head) && raw.bytes().any(|b| !b.is_ascii_whitespace()) {
        builder.pop();
    }
}

/// An anchor without `href` is a place to link to, unless nothing can link to it: then a script makes
/// it a link.
fn is_link(attributes: &AttributeList<'_>) -> bool {
    let has = |attribute| attributes.value(attribute).is_some();
    has(Attribute::Href) || !has(Attribute::Name) && !has(Attribute::Id)
}

/// Takes a `<head>`, and gives whether it opens one: a second one (concatenated pages have several) would hide what follows.
fn is_first_head(builder: &mut Builder<'_>) -> bool {
    let seen = std::mem::replace(&mut builder.tree.seen_head, true);
    !seen && matches!(builder.stack.top_tag(), None | Some(Html))
}

/// Names that give an element another meaning than its tag has: `role=heading`, and those of forums, which set posts into
/// `blockquote` (vBulletin) and quotations into cells (phpBB 2).
fn mark_by_names(open: &mut OpenElement<'_>, attributes: &AttributeList<'_>) {
    let class = attributes.value(Attribute::Class).unwrap_or_default();
    match open.tag {
        Blockquote if class.contains("postcontent") => (open.kind, open.quotes) = (BlockKind::Other, false),
        Td => open.quotes = class == "quote",
        Div | P if attributes.value(Attribute::Role) == Some("heading") => {
            let level = open.source.attribute("aria-level").and_then(|level| level.trim().parse().ok());
            open.kind = BlockKind::heading(level.unwrap_or(2));
        }
        _ => {}
    }
}

/// Whether an element that opens is a line of code, by the names that highlighters of code give it.
fn is_code_line(builder: &Builder<'_>, tag: Tag) -> bool {
    const NAMES: [&str; 3] = ["line", "code-line", "token-line"];
    let class = || builder.attributes.value(Attribute::Class).unwrap_or_default();
    tag == Span && builder.stack.count(Pre) > 0 && has_name(class(), &NAMES)
}

/// Classes of the cells that number the lines of code.
const LINE_NUMBERS: [&str; 6] = ["linenos", "linenodiv", "gutter", "rouge-gutter", "blob-num", "crayon-nums"];

/// Classes of the numbers of lines inside of code: those of Pygments, Chroma, Prism and others.
const INLINE_NUMBERS: [&str; 5] = ["linenos", "lineno", "linenumber", "line-number", "lnt"];

/// Classes whose style moves text away from the screen, for readers who listen: those of Bootstrap, WordPress, Drupal, GOV.UK,
/// Foundation and others.
const FOR_LISTENERS: [&str; 12] = [
    "sr-only",
    "visually-hidden",
    "visuallyhidden",
    "screen-reader-text",
    "screen-reader-only",
    "screenreader-only",
    "govuk-visually-hidden",
    "u-visually-hidden",
    "element-invisible",
    "show-for-sr",
    "a-offscreen",
    "a11y-hidden",
];

/// Parts of the class names of buttons that open an answer.
const ACCORDIONS: [&str; 4] = ["accordion", "faq", "collaps", "question"];

/// Beginnings of class names of elements whose text a font turns into an icon, and what may follow.
const ICONS: [&str; 2] = ["material-icons", "material-symbols"];
const ICON_STYLES: [&str; 6] = ["", "-outlined", "-round", "-rounded", "-sharp", "-two-tone"];

fn role(builder: &Builder<'_>, tag: Tag, source: &StartTag<'_>) -> Role {
    let class = || builder.attributes.value(Attribute::Class).unwrap_or_default();
    let class_contains = |part: &str| class().contains(part);
    let is_one_of = |names: &[&str]| has_name(class(), names);
    // An accordion by ARIA, by Bootstrap, or by its name.
    let opens_part = || {
        ["aria-expanded", "aria-controls"].iter().any(|name| source.attribute(name).is_some())
            || ["data-toggle", "data-bs-toggle"].iter().any(|name| source.attribute(name) == Some("collapse"))
            || ACCORDIONS.iter().any(|name| class_contains(name))
    };
    match tag {
        Template if source.attribute("shadowrootmode").is_some() => Role::Transparent,
        // The heading of a part that opens on a click; beside a heading's text, a button copies or shares.
        Button if builder.begins_heading() || builder.begins_block() && opens_part() => Role::Transparent,
        // MediaWiki's `[edit]`, in a heading or beside it.
        Span if class_contains("editsection") => Role::Dropped,
        // A font draws an icon for its name: `check_circle`.
        Span | I if class().contains("material-") && class().split_ascii_whitespace().any(is_icon) => Role::Dropped,
        Td if is_one_of(&LINE_NUMBERS) => Role::Dropped,
        Span if is_one_of(&INLINE_NUMBERS) && is_in_code(builder) => Role::Dropped,
        // LaTeXML writes the number of a note beside it, and twice within it.
        Sup | Span if class_contains("ltx_") && is_number_in_note(builder, class()) => Role::Dropped,
        // A unit once more, for others than listeners: `10<span class=sr-only> minutes</span> <span aria-hidden=true>mins</span>`.
        Span if builder.attributes.is_aria_hidden() && builder.unit_before().is_some_and(is_for_listeners) => {
            Role::Dropped
        }
        // Behind the words of a link: `(opens in a new window)`. Elsewhere it may stand for a picture.
        Span if builder.is_in_link_text() && is_one_of(&FOR_LISTENERS) => Role::Dropped,
        // Joomla has a notice where a script writes an address: `<span id="cloak123">This email address is being protected …`
        Span if builder.attributes.value(Attribute::Id).is_some_and(is_cloak) => Role::Dropped,
        Unknown if source.name.eq_ignore_ascii_case("joomla-hidden-mail") => Role::Dropped,
        // KaTeX writes a formula twice: as MathML, and for the eye.
        Span if builder.tree.seen_math && class_contains("katex-html") => Role::Dropped,
        // So does MathJax 2, for the eye first.
        Nobr if builder.attributes.is_aria_hidden() && builder.stack.top().is_some_and(is_mathjax) => Role::Dropped,
        Span if class_contains("mjx-math") && builder.attributes.is_aria_hidden() => Role::Dropped,
        // Formulas a second time.
        Unknown if builder.tree.seen_math && source.name.eq_ignore_ascii_case("annotation-xml") => Role::Dropped,
        Template | Svg | Title | Audio | Video | Canvas | Datalist | Iframe | Noembed | Annotation => Role::Dropped,
        // The reading of the characters before it, and the brackets for browsers that cannot set it above them.
        Rt | Rp => Role::Dropped,
        _ if DROPPED.has(tag) => Role::Dropped,
        Embed | Layer | Object | Noscript | Noframes => Role::Transparent,
        _ => Role::Visible,
    }
}

fn is_cloak(id: &str) -> bool {
    let number = id.strip_prefix("cloak").unwrap_or_default();
    number.contains(|c: char| c.is_ascii_digit()) && number.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether one of the names is in a class.
fn has_name(class: &str, names: &[&str]) -> bool {
    class.split_ascii_whitespace().any(|name| names.contains(&name))
}

/// Whether an element is for readers who listen.
fn is_for_listeners(source: &StartTag<'_>) -> bool {
    source.attribute("class").is_some_and(|class| has_name(class, &FOR_LISTENERS))
}

/// Whether preformatted code is open, or one of Doxygen's lines.
fn is_in_code(builder: &Builder<'_>) -> bool {
    let is_line = |open: &OpenElement<'_>| open.tag == Div && open.source.attribute("class") == Some("line");
    builder.stack.count(Pre) > 0 || builder.stack.top().is_some_and(is_line)
}

fn is_number_in_note(builder: &Builder<'_>, class: &str) -> bool {
    let is_note =
        |open: &OpenElement<'_>| open.source.attribute("class").is_some_and(|class| class.contains("ltx_note_content"));
    class.contains("ltx_tag_note") || class.contains("ltx_note_mark") && builder.stack.top().is_some_and(is_note)
}

fn is_mathjax(open: &OpenElement<'_>) -> bool {
    open.source.attribute("class").is_some_and(|class| class.contains("MathJax"))
}

fn is_icon(name: &str) -> bool {
    ICONS.iter().any(|icons| name.strip_prefix(icons).is_some_and(|style| ICON_STYLES.contains(&style)))
}

fn close_implied(builder: &mut Builder<'_>, tag: Tag) {
    if CLOSES_P.has(tag) {
        close(builder, P, &P_SCOPE);
    }
    match tag {
        H1 | H2 | H3 | H4 | H5 | H6 => pop_if_top(builder, &HEADINGS),
        Li => close_item(builder, &ITEM),
        Dd | Dt => close_item(builder, &DEFINITION),
        Option | Optgroup => {
            pop_if_top(builder, &OPTION);
            if tag == Optgroup {
                pop_if_top(builder, &OPTGROUP);
            }
        }
        A if builder.stack.count(A) > 0 => end_formatting(builder, A),
        Nobr if builder.stack.count(Nobr) > 0 => end_formatting(builder, Nobr),
        Button | Select if builder.stack.count(tag) > 0 => close(builder, tag, &SCOPE),
        Input | Textarea if builder.stack.count(Select) > 0 => close(builder, Select, &SCOPE),
        Rt | Rp => pop_if_top(builder, &RUBY),
        Td | Th => pop_table(builder, &CELLS),
        Tr => pop_table(builder, &ROWS),
        Tbody | Thead | Tfoot | Caption | Col | Colgroup => pop_table(builder, &SECTIONS),
        _ => {}
    }
}

/// Depth of the innermost open element of that name, unless an element of the boundary is open inside it.
fn find(builder: &Builder<'_>, tag: Tag, boundary: &TagSet) -> core::option::Option<usize> {
    if builder.stack.count(tag) == 0 {
        return None;
    }
    find_any(builder, &TagSet::of(&[tag]), boundary)
}

fn find_any(builder: &Builder<'_>, tags: &TagSet, boundary: &TagSet) -> core::option::Option<usize> {
    let (at, tag) = builder.stack.innermost(&tags.union(*boundary))?;
    tags.has(tag).then_some(at)
}

fn pop_to(builder: &mut Builder<'_>, at: usize) {
    while builder.stack.depth() > at {
        builder.pop();
    }
}

fn close(builder: &mut Builder<'_>, tag: Tag, boundary: &TagSet) {
    if let Some(at) = find(builder, tag, boundary) {
        pop_to(builder, at);
    }
}

fn pop_if_top(builder: &mut Builder<'_>, tags: &TagSet) {
    if builder.stack.top_tag().is_some_and(|top| tags.has(top)) {
        builder.pop();
    }
}

/// `li`, `dd` and `dt` close the item before them, across anything but another list or block.
fn close_item(builder: &mut Builder<'_>, items: &TagSet) {
    const STOPS: TagSet = SPECIAL.without(TagSet::of(&[Address, Div, P]));
    if let Some((at, tag)) = builder.stack.innermost(&STOPS.union(*items))
        && items.has(tag)
    {
        pop_to(builder, at);
    }
    close(builder, P, &P_SCOPE);
}

/// Inside a table, closes elements until a cell, a row or a section may start.
fn pop_table(builder: &mut Builder<'_>, inside: &TagSet) {
    if builder.stack.count(Table) == 0 {
        return;
    }
    while let Some(at) = find_any(builder, inside, &TABLE_SCOPE) {
        pop_to(builder, at);
    }
}

/// An inline element ends; blocks opened inside stay open.
fn end_formatting(builder: &mut Builder<'_>, tag: Tag) {
    let Some(at) = find(builder, tag, &SCOPE) else { return };
    if builder.stack.innermost(&SPECIAL).is_some_and(|(special, _)| special >= at) {
        builder.remove(at);
    } else {
        pop_to(builder, at);
    }
}

fn end_other(builder: &mut Builder<'_>, tag: Tag, name: &str) {
    if builder.stack.count(tag) == 0 {
        return;
    }
    for (at, open) in builder.stack.iter().enumerate().rev() {
        if open.is(tag, name) {
            pop_to(builder, at);
            return;
        }
        if SPECIAL.has(open.tag) {
            return;
        }
    }
}

const IN_HEAD: TagSet =
    TagSet::of(&[Base, Basefont, Bgsound, Link, Meta, Noframes, Noscript, Script, Style, Template, Title, Head, Html]);
const ITEM: TagSet = TagSet::of(&[Li]);
const DEFINITION: TagSet = TagSet::of(&[Dd, Dt]);
const OPTION: TagSet = TagSet::of(&[Option]);
const OPTGROUP: TagSet = TagSet::of(&[Optgroup]);
const RUBY: TagSet = TagSet::of(&[Rt, Rp]);
const CELLS: TagSet = TagSet::of(&[Td, Th, Caption]);
const ROWS: TagSet = CELLS.union(TagSet::of(&[Tr, Colgroup]));
const SECTIONS: TagSet = ROWS.union(TagSet::of(&[Tbody, Thead, Tfoot]));

/// Elements beyond which no search for an open element goes (“has an element in scope”). Frames are documents of their
/// own.
const SCOPE: TagSet = TagSet::of(&[
    Applet,
    Caption,
    Foreignobject,
    Html,
    Iframe,
    Marquee,
    Noembed,
    Noframes,
    Object,
    Table,
    Td,
    Template,
    Th,
]);
const P_SCOPE: TagSet = SCOPE.union(TagSet::of(&[Button]));
const LIST_SCOPE: TagSet = SCOPE.union(TagSet::of(&[Ol, Ul]));
const TABLE_SCOPE: TagSet = TagSet::of(&[Html, Iframe, Noembed, Noframes, Table, Template]);

const CLOSES_P: TagSet = TagSet::of(&[
    Address, Article, Aside, Blockquote, Center, Dd, Details, Dialog, Dir, Div, Dl, Dt, Fieldset, Figcaption, Figure,
    Footer, Form, H1, H2, H3, H4, H5, H6, Header, Hgroup, Hr, Li, Listing, Main, Menu, Nav, Ol, P, Plaintext, Pre,
    Search, Section, Summary, Table, Ul, Xmp,
]);

const FORMATTING: TagSet = TagSet::of(&[A, B, Big, Code, Em, Font, I, Nobr, S, Small, Strike, Strong, Tt, U]);

const SPECIAL: TagSet = TagSet::of(&[
    Address, Applet, Article, Aside, Blockquote, Body, Button, Caption, Center, Col, Colgroup, Dd, Details, Dialog,
    Dir, Div, Dl, Dt, Fieldset, Figcaption, Figure, Footer, Form, Frameset, H1, H2, H3, H4, H5, H6, Head, Header,
    Hgroup, Html, Iframe, Li, Listing, Main, Marquee, Menu, Nav, Noembed, Noframes, Noscript, Object, Ol, P, Plaintext,
    Pre, Script, Search, Section, Select, Style, Summary, Table, Tbody, Td, Template, Textarea, Tfoot, Th, Thead,
    Title, Tr, Ul, Xmp,
]);
