//! Which elements are open by the rules of libxml2 2.14, the parser of the reference program (jusText), and which of them
//! the reference program drops.
//!
//! The rules are older than HTML5: a table says which start tag closes which open element, priorities
//! say which end tag may close across which element, `/>` closes any element, and after 256 open
//! elements nothing is read any more.

use super::builder::Builder;
use super::open_elements::{OpenElement, Role};
use super::tags::{DROPPED, Tag, Tag::*, TagSet};
use super::tokenizer::StartTag;

const MAX_DEPTH: usize = 256;

/// Takes a start tag.
pub fn start<'a>(builder: &mut Builder<'a>, tag: Tag, source: StartTag<'a>) {
    if builder.tree.stopped {
        return;
    }
    close_before(builder, tag);
    open_implied(builder, tag);
    let misplaced = match tag {
        Html => builder.stack.depth() > 0,
        Head => builder.stack.depth() != 1,
        Body => builder.stack.count(Body) > 0,
        _ => false,
    };
    if misplaced {
        builder.tree.misplaced += 1;
        // A slip of libxml2: the `/>` closes whatever is open.
        if source.self_closing {
            pop(builder);
        }
        return;
    }
    if push(builder, tag, source) && (source.self_closing || EMPTY.has(tag)) {
        pop(builder);
    }
}

/// Takes an end tag.
pub fn end(builder: &mut Builder<'_>, tag: Tag, name: &str) {
    if builder.tree.stopped {
        return;
    }
    if builder.tree.misplaced > 0 && matches!(tag, Html | Body | Head) {
        builder.tree.misplaced -= 1;
        return;
    }
    if builder.stack.count(tag) == 0 {
        return;
    }
    let limit = priority(tag);
    for (at, open) in builder.stack.iter().enumerate().rev() {
        if open.is(tag, name) {
            while builder.stack.depth() > at {
                pop(builder);
            }
            return;
        }
        if priority(open.tag) > limit {
            return;
        }
    }
}

/// Takes text: text that is not blank opens a body where none is open.
pub fn text(builder: &mut Builder<'_>, raw: &str) {
    let top = builder.stack.top_tag();
    let outside = matches!(top, None | Some(Html | Head));
    if !outside || raw.bytes().all(|b| b.is_ascii_whitespace()) || builder.tree.stopped {
        return;
    }
    if top == Some(Head) {
        close_before(builder, P);
    }
    open_implied(builder, P);
}

fn close_before(builder: &mut Builder<'_>, tag: Tag) {
    while builder.stack.top_tag().is_some_and(|old| closed_by(old).has(tag)) {
        pop(builder);
    }
}

fn open_implied(builder: &mut Builder<'_>, tag: Tag) {
    if tag == Html {
        return;
    }
    if builder.stack.depth() == 0 {
        push_implied(builder, Html);
    }
    if matches!(tag, Body | Head) {
        return;
    }
    if builder.stack.depth() <= 1 && matches!(tag, Script | Style | Meta | Link | Title | Base) {
        if !builder.tree.seen_head && !builder.tree.seen_body {
            push_implied(builder, Head);
        }
    } else if !matches!(tag, Noframes | Frame | Frameset) {
        let inside = builder.stack.count(Body) > 0 || builder.stack.count(Head) > 0;
        if !builder.tree.seen_body && !inside {
            push_implied(builder, Body);
        }
    }
}

fn push_implied(builder: &mut Builder<'_>, tag: Tag) {
    push(builder, tag, StartTag::implied(tag));
}

fn push<'a>(builder: &mut Builder<'a>, tag: Tag, source: StartTag<'a>) -> bool {
    if builder.stack.depth() >= MAX_DEPTH {
        builder.tree.stopped = true;
        return false;
    }
    builder.tree.seen_head |= tag == Head;
    builder.tree.seen_body |= tag == Body;
    builder.push(OpenElement { link: tag == A, ..OpenElement::new(tag, source, role(tag, &source)) });
    true
}

fn pop(builder: &mut Builder<'_>) {
    let closed = builder.pop();
    let tree = &mut builder.tree;
    // A fragment's content is that of its body; a second root is no part of the document.
    let rest_is_lost = match closed {
        Some(Html) => true,
        Some(Body) => !tree.full && !tree.seen_head,
        _ => false,
    };
    if rest_is_lost {
        tree.stopped = true;
    }
}

fn role(tag: Tag, source: &StartTag<'_>) -> Role {
    match tag {
        _ if DROPPED.has(tag) => Role::Dropped,
        Form | Iframe | Embed | Layer | Object => Role::Transparent,
        Link if source.attribute("rel").is_some_and(|rel| rel.to_ascii_lowercase().contains("stylesheet")) => {
            Role::Dropped
        }
        _ => Role::Visible,
    }
}

/// Elements that libxml2 knows to be empty.
const EMPTY: TagSet = TagSet::of(&[Area, Base, Basefont, Br, Col, Frame, Hr, Img, Input, Isindex, Link, Meta, Param]);

/// An end tag cannot close an element across one of higher priority.
fn priority(tag: Tag) -> u8 {
    match tag {
        Div => 150,
        Td | Th => 160,
        Tr => 170,
        Thead | Tbody | Tfoot => 180,
        Table => 190,
        Head | Body => 200,
        Html => 220,
        _ => 100,
    }
}

const NONE: TagSet = TagSet::of(&[]);
const LIST: TagSet = TagSet::of(&[Dd, Dl, Dt, Form, Ul]);
const PREFORMATTED: TagSet = TagSet::of(&[Dd, Dl, Dt, Fieldset, Form, Li, Table, Ul]);
const HEADING: TagSet = TagSet::of(&[Fieldset, Form, Li, P, Table]);
const PARAGRAPH: TagSet = TagSet::of(&[P]);
const CELL: TagSet = TagSet::of(&[Tbody, Td, Tfoot, Th, Tr]);
const COLUMN: TagSet = TagSet::of(&[Colgroup, Tbody, Tfoot, Thead, Tr]);
const BODY: TagSet = TagSet::of(&[Body, Frameset]);
const AFTER_P: TagSet = TagSet::of(&[
    Address, Blockquote, Body, Caption, Center, Col, Colgroup, Dd, Dir, Div, Dl, Dt, Fieldset, Form, Frameset, H1, H2,
    H3, H4, H5, H6, Head, Hr, Li, Listing, Menu, Ol, P, Pre, Table, Tbody, Td, Tfoot, Th, Title, Tr, Ul, Xmp,
]);
const AFTER_HEAD: TagSet = TagSet::of(&[
    A, Abbr, Acronym, Address, B, Bdo, Big, Blockquote, Body, Br, Center, Cite, Code, Dd, Dfn, Dir, Div, Dl, Dt, Em,
    Fieldset, Font, Form, Frameset, H1, H2, H3, H4, H5, H6, Hr, I, Iframe, Img, Kbd, Li, Listing, Map, Menu, Ol, P,
    Pre, Q, S, Samp, Small, Span, Strike, Strong, Sub, Sup, Table, Tt, U, Ul, Var, Xmp,
]);

/// The start tags that close an open element.
fn closed_by(old: Tag) -> TagSet {
    match old {
        P => AFTER_P,
        Head => AFTER_HEAD,
        Td | Th => CELL,
        Tr => TagSet::of(&[Tbody, Tfoot, Tr]),
        Li => TagSet::of(&[Li]),
        A => TagSet::of(&[A, Fieldset, Table, Td, Th]),
        Address => LIST.union(TagSet::of(&[Li])),
        B | I => TagSet::of(&[Center, P, Td, Th]),
        U => TagSet::of(&[P, Td, Th]),
        Font => TagSet::of(&[Center, Td, Th]),
        Span => TagSet::of(&[Td, Th]),
        Big | S | Small | Strike | Tt => PARAGRAPH,
        Caption => COLUMN.union(TagSet::of(&[Col])),
        Col => COLUMN.union(TagSet::of(&[Col])),
        Colgroup => COLUMN,
        Dd => TagSet::of(&[Dt]),
        Dt => TagSet::of(&[Dd, Dl]),
        Dl => TagSet::of(&[Form, Li]),
        Dir | Menu => LIST,
        Form | Hr | Ol => TagSet::of(&[Form]),
        H1 | H2 | H3 | H4 | H5 | H6 => HEADING,
        Legend => TagSet::of(&[Fieldset]),
        Link | Style | Title => BODY,
        Listing | Pre | Xmp => PREFORMATTED,
        Option => TagSet::of(&[Optgroup, Option]),
        Script => TagSet::of(&[Noscript]),
        Tbody => TagSet::of(&[Tbody, Tfoot]),
        Tfoot => TagSet::of(&[Tbody]),
        Thead => TagSet::of(&[Tbody, Tfoot]),
        Ul => TagSet::of(&[Address, Form, Menu, Pre]),
        _ => NONE,
    }
}
