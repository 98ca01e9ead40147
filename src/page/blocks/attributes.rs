//! The attributes of a tag, read in one walk over it. Attributes that this module asks for are recognised by name.

use super::name_table::{ATTRIBUTE_NAMES, NameTable, find_byte, read_name};
use crate::text::swar;

/// Number of attributes of one tag that are looked at.
const MAX_ATTRIBUTES: usize = u8::MAX as usize;

macro_rules! known {
    ($($attribute:ident $name:literal)*) => {
        /// The name of an attribute, as far as this module asks for it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Attribute {
            $($attribute,)*
            /// A name that begins with `data-` and is longer.
            Data,
            /// Any other name.
            Other,
        }

        const KNOWN: &[(Attribute, &str)] = &[$((Attribute::$attribute, $name),)*];
    };
}

known! {
    AriaHidden "aria-hidden" Class "class" Content "content" Datetime "datetime" Hidden "hidden" Href "href"
    HttpEquiv "http-equiv" Id "id" Itemprop "itemprop" Lang "lang" Name "name" Property "property" Pubdate "pubdate"
    Rel "rel" Role "role" Style "style" Title "title" Type "type" XmlLang "xml:lang"
}

/// A set of attribute names, one bit each.
#[derive(Debug, Clone, Copy, Default)]
pub struct AttributeSet(u32);

impl AttributeSet {
    /// The set of the given names.
    pub const fn of(mut names: &[Attribute]) -> AttributeSet {
        let mut set = 0;
        while let [name, rest @ ..] = names {
            set |= 1 << *name as u8;
            names = rest;
        }
        AttributeSet(set)
    }
}

impl Attribute {
    fn of(name: &str, key: u64) -> Attribute {
        if let Some(known) = BY_KEY.get(name, key) {
            known
        } else if name.len() > "data-".len() && name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data-")) {
            Attribute::Data
        } else {
            Attribute::Other
        }
    }
}

static BY_KEY: NameTable<Attribute, 64> = NameTable::new(KNOWN, 0x63ca_828d_d5f4_b3b3);

/// The attributes of a tag that have a known name or one that begins with `data-`, in order.
#[derive(Default)]
pub struct AttributeList<'a> {
    all: Vec<(Attribute, &'a str, &'a str)>,
    /// The names that occur in `all`.
    present: AttributeSet,
}

/// Where a tag ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TagEnd {
    /// Offset of the byte after its `>`.
    pub at: usize,
    /// Whether the tag ends in `/>`.
    pub self_closing: bool,
}

impl<'a> AttributeList<'a> {
    /// Replaces the list by the attributes of a tag, whose name ends at `at`; None if the text ends before the tag.
    pub fn read(&mut self, text: &'a str, at: usize) -> Option<TagEnd> {
        self.all.clear();
        self.present = AttributeSet::default();
        if text.as_bytes().get(at) == Some(&b'>') {
            return Some(TagEnd { at: at + 1, self_closing: false });
        }
        read_each(text, at, |number, attribute, name, value| {
            if attribute != Attribute::Other && number < MAX_ATTRIBUTES {
                self.all.push((attribute, name, value));
                self.present.0 |= 1 << attribute as u8;
            }
        })
    }

    /// The attributes in order, each with its name and value as written.
    pub fn iter(&self) -> impl Iterator<Item = (Attribute, &'a str, &'a str)> {
        self.all.iter().copied()
    }

    /// Whether there is an attribute with a name of the set.
    pub fn has_any(&self, names: AttributeSet) -> bool {
        self.present.0 & names.0 != 0
    }

    /// Value of the first attribute of that name as written; empty if the attribute has no value.
    pub fn value(&self, attribute: Attribute) -> Option<&'a str> {
        if self.present.0 >> attribute as u8 & 1 == 0 {
            return None;
        }
        self.all.iter().find(|(other, ..)| *other == attribute).map(|(.., value)| *value)
    }

    /// Whether the attributes hide their element: `hidden`, `aria-hidden`, `display: none`, `visibility: hidden`.
    pub fn hide_element(&self) -> bool {
        const HIDING: AttributeSet = AttributeSet::of(&[Attribute::Hidden, Attribute::AriaHidden, Attribute::Style]);
        self.has_any(HIDING)
            && (self.value(Attribute::Hidden).is_some()
                || self.is_aria_hidden()
                || self.value(Attribute::Style).is_some_and(hides))
    }

    /// Whether the attributes hide their element from screen readers.
    pub fn is_aria_hidden(&self) -> bool {
        self.value(Attribute::AriaHidden).is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }
}

/// Value of the first attribute of a name (in any case) as written; empty if the attribute has no value. `at`: where
/// the name of the tag ends.
pub fn value_of<'a>(tag: &'a str, at: usize, name: &str) -> Option<&'a str> {
    #[cfg(test)]
    READINGS.set(READINGS.get() + 1);
    let mut found = None;
    read_each(tag, at, |number, _, other, value| {
        if found.is_none() && number < MAX_ATTRIBUTES && other.eq_ignore_ascii_case(name) {
            found = Some(value);
        }
    });
    found
}

/// Walks over the attributes of a tag, whose name ends at `at`: calls `each` with the number from 0, the name, the name
/// as written and the value of each. None if the text ends before the tag does.
#[inline]
fn read_each<'a>(
    text: &'a str,
    mut at: usize,
    mut each: impl FnMut(usize, Attribute, &'a str, &'a str),
) -> Option<TagEnd> {
    let bytes = text.as_bytes();
    for number in 0.. {
        if let Some((attribute, length)) = frequent(bytes, at) {
            let end = find_byte(bytes, at + length, b'"').unwrap_or(bytes.len());
            let name = text.get(at + 1..at + length - 2).unwrap_or_default();
            each(number, attribute, name, text.get(at + length..end).unwrap_or_default());
            at = end + 1;
            continue;
        }
        let from = at;
        at = skip(bytes, at, |b| b.is_ascii_whitespace() || *b == b'/');
        let first = *bytes.get(at)?;
        if first == b'>' {
            let before = bytes.get(from..at).and_then(|skipped| skipped.last());
            return Some(TagEnd { at: at + 1, self_closing: before == Some(&b'/') });
        }
        // A leading `=` belongs to the name.
        let (end, key) = read_name(bytes, at + usize::from(first == b'='), &ATTRIBUTE_NAMES);
        let name = text.get(at..end).unwrap_or_default();
        let equals = if bytes.get(end) == Some(&b'=') { end } else { skip(bytes, end, u8::is_ascii_whitespace) };
        let (value, after) = match bytes.get(equals) {
            Some(b'=') => value(text, skip(bytes, equals + 1, u8::is_ascii_whitespace)),
            _ => ("", end),
        };
        at = after;
        each(number, Attribute::of(name, key), name, value);
    }
    None
}

/// The attributes that most tags have, as they are mostly written: the first bytes as a number, and how many there are.
const FREQUENT: [(Attribute, u64, usize); 10] = [
    start(Attribute::Class, b" class=\""),
    start(Attribute::Href, b" href=\""),
    start(Attribute::Id, b" id=\""),
    start(Attribute::Rel, b" rel=\""),
    start(Attribute::Other, b" src=\""),
    start(Attribute::Type, b" type=\""),
    start(Attribute::Title, b" title=\""),
    start(Attribute::Style, b" style=\""),
    start(Attribute::Other, b" alt=\""),
    start(Attribute::Role, b" role=\""),
];

const fn start(attribute: Attribute, mut written: &[u8]) -> (Attribute, u64, usize) {
    let (mut number, length) = (0, written.len());
    while let [rest @ .., last] = written {
        number = number << 8 | *last as u64;
        written = rest;
    }
    (attribute, number, length)
}

/// The attribute that begins at `at`, if it is a frequent one, and the length of its name, with the space before and
/// the equals sign and quotation mark after it.
#[inline]
fn frequent(bytes: &[u8], at: usize) -> Option<(Attribute, usize)> {
    let eight = swar::load(bytes, at);
    if eight as u8 != b' ' {
        return None;
    }
    let found = FREQUENT.iter().find(|(_, start, length)| swar::first(eight, *length) == *start)?;
    Some((found.0, found.2))
}

#[inline]
fn skip(bytes: &[u8], mut at: usize, all: impl Fn(&u8) -> bool) -> usize {
    while bytes.get(at).is_some_and(&all) {
        at += 1;
    }
    at
}

/// The value that begins at `from`, and the offset of the first byte after it and its quotes.
fn value(text: &str, from: usize) -> (&str, usize) {
    let bytes = text.as_bytes();
    let (from, end, next) = match bytes.get(from) {
        Some(&quote @ (b'"' | b'\'')) => {
            let end = find_byte(bytes, from + 1, quote).unwrap_or(bytes.len());
            (from + 1, end, end + 1)
        }
        _ => {
            let end = skip(bytes, from, |b| *b != b'>' && !b.is_ascii_whitespace());
            (from, end, end)
        }
    };
    (text.get(from..end).unwrap_or_default(), next)
}

/// Whether a style hides its element.
pub fn hides(style: &str) -> bool {
    let named = |word: &[u8]| style.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
    (named(b"none") || named(b"hidden"))
        && declarations(style).any(|(name, value)| {
            name.eq_ignore_ascii_case("display") && value.eq_ignore_ascii_case("none")
                || name.eq_ignore_ascii_case("visibility") && value.eq_ignore_ascii_case("hidden")
        })
}

/// The properties of a style, each with the first word of its value.
fn declarations(style: &str) -> impl Iterator<Item = (&str, &str)> {
    style.split(';').filter_map(|declaration| {
        let (name, value) = declaration.split_once(':')?;
        Some((name.trim(), value.trim().split([' ', '!']).next().unwrap_or_default()))
    })
}

/// Whether a style makes lines of its own of an inline element: by `display`, unless the element stands outside of the lines (a
/// drop cap, a picture beside the text).
pub fn makes_line(style: &str) -> bool {
    const LINES: [&str; 7] = ["block", "flex", "flow-root", "grid", "list-item", "table", "-webkit-box"];
    const OTHERS: [&str; 6] = ["contents", "inline", "inline-block", "inline-flex", "inline-grid", "inline-table"];
    const OUTSIDE: [&str; 4] = ["absolute", "fixed", "left", "right"];
    let mut is_line = false;
    for (name, word) in declarations(style) {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        let among = |values: &[&str]| values.iter().any(|value| word.eq_ignore_ascii_case(value));
        if is("display") && (among(&LINES) || among(&OTHERS)) {
            is_line = among(&LINES);
        } else if (is("float") || is("position")) && among(&OUTSIDE) {
            return false;
        }
    }
    is_line
}

#[cfg(test)]
thread_local! {
    /// How often attributes of tags were read again, from which a test sees that it does not grow with the text inside.
    pub static READINGS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tag: &str) -> (Vec<(Attribute, &str, &str)>, Option<TagEnd>) {
        let mut list = AttributeList::default();
        let end = list.read(tag, tag.find([' ', '/', '>']).unwrap_or(tag.len()));
        (list.iter().collect(), end)
    }

    #[test]
    fn attributes_are_read_as_browsers_read_them() {
        let tag = "<a CLASS = 'x>y'href=/a/b/ data-Time=1 =c=d e / f/ >";
        let (all, end) = read(tag);
        use Attribute::{Class, Data, Href};
        assert_eq!(all, [(Class, "CLASS", "x>y"), (Href, "href", "/a/b/"), (Data, "data-Time", "1")]);
        let value = |name| value_of(tag, 2, name);
        assert_eq!((value("=C"), value("e"), value("F"), value("g")), (Some("d"), Some(""), Some(""), None));
        assert_eq!(end, Some(TagEnd { at: tag.len(), self_closing: false }));
    }

    proptest::proptest! {
        #[test]
        fn a_frequent_attribute_is_read_like_any_other(
            tag in "( ?(class|href|id|title|data-x|b)( ?= ?)?(\"[a>' ]{0,12}\"|'[a>\"]{0,9}'|[a/]{0,4})[ /]?){0,5}>?",
        ) {
            // Other white space is read by the general rules.
            let other = tag.replace(" class=", "\tclass=").replace(" href=", "\thref=").replace(" id=", "\tid=");
            let other = other.replace(" title=", "\ttitle=");
            let unquoted = |(all, end): (Vec<(Attribute, &str, &str)>, Option<TagEnd>)| {
                let value = |(name, _, value): &(Attribute, &str, &str)| (*name, value.replace('\t', " "));
                (all.iter().map(value).collect::<Vec<_>>(), end)
            };
            let (tag, other) = (format!("<a{tag}"), format!("<a{other}"));
            let read = |tag: &'static str| unquoted({
                let mut list = AttributeList::default();
                let end = list.read(tag, 2);
                (list.iter().collect(), end)
            });
            proptest::prop_assert_eq!(read(tag.leak()), read(other.leak()));
        }
    }

    #[test]
    fn styles_make_lines_of_elements() {
        for style in [
            "display:block",
            "color:red; Display : FLEX !important;",
            "display:inline;display: table",
            "display:block;display:x",
        ] {
            assert!(makes_line(style), "{style}");
        }
        for style in [
            "",
            "display:inline-block",
            "display:table-cell",
            "display:block;display:inline",
            "x-display:block",
            "background:url(display:block)",
            "display:block;float:left",
            "position: absolute; display: block",
        ] {
            assert!(!makes_line(style), "{style}");
        }
    }

    #[test]
    fn a_slash_right_before_the_end_closes() {
        for (tag, closing) in
            [("<br/>", true), ("<br / />", true), ("<a b='/'>", false), ("<a b=/>", false), ("<a>", false)]
        {
            assert_eq!(read(tag).1, Some(TagEnd { at: tag.len(), self_closing: closing }), "{tag}");
        }
        for tag in ["<a", "<a b='>", "<a b", "<a b="] {
            assert_eq!(read(tag).1, None, "{tag}");
        }
    }

    #[test]
    fn known_names_are_known_in_any_case_and_no_others() {
        for (attribute, name) in KNOWN {
            assert_eq!(read(&format!("<a {}=1>", name.to_uppercase())).0[0].0, *attribute);
            assert_eq!(read(&format!("<a x{name}=1>")).0, []);
        }
        // One bit from `type` and `class`.
        assert_eq!(read("<a t\u{19}pe=1 \u{3}lass=1>").0, []);
    }

    #[test]
    fn the_first_of_a_name_counts() {
        let mut list = AttributeList::default();
        // As in browsers, also where the second would hide the element.
        list.read("<a style='color:red' style='display:none' id=1 id=2 class>", 2);
        assert!(!list.hide_element());
        assert_eq!(list.value(Attribute::Id), Some("1"));
        assert_eq!((list.value(Attribute::Class), list.value(Attribute::Rel)), (Some(""), None));
    }

    #[test]
    fn elements_are_hidden_in_four_ways() {
        let hides = |tag: &str| {
            let mut list = AttributeList::default();
            list.read(tag, 2);
            list.hide_element()
        };
        for tag in [
            "<p hidden>",
            "<p ARIA-HIDDEN=True>",
            "<p style='Display : NONE'>",
            "<p style=a;visibility:hidden>",
            "<p style='color:red;display:none!important'>",
        ] {
            assert!(hides(tag), "{tag}");
        }
        for tag in [
            "<p>",
            "<p aria-hidden=false>",
            "<p style='float:none'>",
            "<p style='-webkit-backface-visibility:hidden;backface-visibility: hidden'>",
            "<p class=hidden>",
        ] {
            assert!(!hides(tag), "{tag}");
        }
    }
}
