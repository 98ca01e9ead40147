//! The attributes of a tag, read in one walk over it. Attributes that this module asks for are recognised by name.

use memchr::memchr;

use super::name_table::{ATTRIBUTE_NAMES, NameTable, read_name};

/// Most attributes kept of one tag.
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
    Rel "rel" Role "role" Style "style" Title "title" Type "type"
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

/// Whether a byte is white space inside a tag.
pub fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}

/// The attributes of a tag in order.
#[derive(Default)]
pub struct AttributeList<'a> {
    all: Vec<(Attribute, &'a str, &'a str)>,
    /// For each known name, one more than the index of its first attribute in `all`; 0 if there is none.
    first: [u8; Attribute::Other as usize],
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
    /// Replaces the list by the attributes of a tag, whose name ends at `at`; None if the text ends before the tag does.
    pub fn read(&mut self, text: &'a str, mut at: usize) -> Option<TagEnd> {
        self.all.clear();
        self.first = Default::default();
        let bytes = text.as_bytes();
        loop {
            let from = at;
            at = skip(bytes, at, |b| is_space(b) || b == b'/');
            match bytes.get(at)? {
                b'>' => {
                    let before = bytes.get(from..at).and_then(|skipped| skipped.last());
                    return Some(TagEnd { at: at + 1, self_closing: before == Some(&b'/') });
                }
                // A leading `=` belongs to the name.
                first => {
                    let (end, key) = read_name(bytes, at + usize::from(*first == b'='), &ATTRIBUTE_NAMES);
                    let named = text.get(at..end).unwrap_or_default();
                    let equals = if bytes.get(end) == Some(&b'=') { end } else { skip(bytes, end, is_space) };
                    let value = if bytes.get(equals) == Some(&b'=') {
                        let value = value(text, skip(bytes, equals + 1, is_space));
                        at = value.1;
                        value.0
                    } else {
                        at = end;
                        ""
                    };
                    self.add(named, key, value);
                }
            }
        }
    }

    fn add(&mut self, name: &'a str, key: u64, value: &'a str) {
        if self.all.len() < MAX_ATTRIBUTES {
            let attribute = Attribute::of(name, key);
            self.all.push((attribute, name, value));
            if let Some(first @ 0) = self.first.get_mut(attribute as usize) {
                *first = self.all.len() as u8;
            }
        }
    }

    /// The attributes in order, each with its name and value as written.
    pub fn iter(&self) -> impl Iterator<Item = (Attribute, &'a str, &'a str)> {
        self.all.iter().copied()
    }

    /// Value of the first attribute of that name as written; empty if the attribute has no value.
    pub fn value(&self, attribute: Attribute) -> Option<&'a str> {
        let place = self.first.get(attribute as usize)?.checked_sub(1)?;
        self.all.get(usize::from(place)).map(|(.., value)| *value)
    }

    /// Whether the attributes hide their element: `hidden`, `aria-hidden`, `display: none`, `visibility: hidden`.
    pub fn hide_element(&self) -> bool {
        self.value(Attribute::Hidden).is_some()
            || self.value(Attribute::AriaHidden).is_some_and(|value| value.eq_ignore_ascii_case("true"))
            || self.value(Attribute::Style).is_some_and(hides)
    }
}

#[inline]
fn skip(bytes: &[u8], mut at: usize, all: impl Fn(u8) -> bool) -> usize {
    while bytes.get(at).is_some_and(|&b| all(b)) {
        at += 1;
    }
    at
}

/// The value that begins at `from`, and the offset of the first byte after it and its quotes.
fn value(text: &str, from: usize) -> (&str, usize) {
    let bytes = text.as_bytes();
    let (from, end, next) = match bytes.get(from) {
        Some(&quote @ (b'"' | b'\'')) => {
            let inside = bytes.get(from + 1..).unwrap_or_default();
            let end = from + 1 + memchr(quote, inside).unwrap_or(inside.len());
            (from + 1, end, end + 1)
        }
        _ => {
            let end = skip(bytes, from, |b| b != b'>' && !is_space(b));
            (from, end, end)
        }
    };
    (text.get(from..end).unwrap_or_default(), next)
}

fn hides(style: &str) -> bool {
    let named = |word: &[u8]| style.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
    if !named(b"none") && !named(b"hidden") {
        return false;
    }
    let style: String = style.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    style.contains("display:none") || style.contains("visibility:hidden")
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
        use Attribute::{Class, Data, Href, Other};
        let expected = [
            (Class, "CLASS", "x>y"),
            (Href, "href", "/a/b/"),
            (Data, "data-Time", "1"),
            (Other, "=c", "d"),
            (Other, "e", ""),
            (Other, "f", ""),
        ];
        assert_eq!(all, expected);
        assert_eq!(end, Some(TagEnd { at: tag.len(), self_closing: false }));
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
            assert_eq!(read(&format!("<a x{name}=1>")).0[0].0, Attribute::Other);
        }
        // One bit from `type` and `class`.
        assert_eq!(read("<a t\u{19}pe=1 \u{3}lass=1>").0.len(), 2);
        assert!(read("<a t\u{19}pe=1 \u{3}lass=1>").0.iter().all(|(attribute, ..)| *attribute == Attribute::Other));
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
        for tag in ["<p hidden>", "<p ARIA-HIDDEN=True>", "<p style='Display : NONE'>", "<p style=a;visibility:hidden>"]
        {
            assert!(hides(tag), "{tag}");
        }
        for tag in ["<p>", "<p aria-hidden=false>", "<p style='float:none'>", "<p class=hidden>"] {
            assert!(!hides(tag), "{tag}");
        }
    }
}
