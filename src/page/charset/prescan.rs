//! What the head of a page says about its own encoding and language: the
//! "prescan a byte stream" algorithm of the HTML standard over raw bytes, and
//! the XML declaration. It finds declarations; [`super`] judges them.
//!
//! Two departures from the standard: more bytes are looked at (archived pages
//! often carry long comments before the first `<meta>`), and the language of
//! the page is picked up on the way, as a hint for detection.

use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE};
use memchr::memmem;

use super::any_encoding::AnyEncoding;
use super::labels;

/// How many leading bytes are searched where something else declares an encoding. Browsers use 1024.
const PRESCAN_BYTES: usize = 4096;
/// How many are searched where nothing else does: browsers heed a late `<meta>`, too.
const LATE_BYTES: usize = 1 << 16;

/// What the prescan found.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Prescan {
    /// The first `<meta>` with a known label: its encoding and the label as written.
    pub(super) meta: Option<(AnyEncoding, String)>,
    /// The first label met, known or not.
    pub(super) label: Option<String>,
    /// `<html lang>`, else `<meta http-equiv=content-language>`.
    pub(super) language: Option<String>,
}

/// Searches the first bytes of `body` for `<meta>` declarations and the language. If nothing else declares an encoding
/// (`is_only`), more of the head is searched.
pub(super) fn prescan(body: &[u8], is_only: bool) -> Prescan {
    let found = scan(body.get(..PRESCAN_BYTES).unwrap_or(body), Part::Window);
    if !is_only || found.meta.is_some() || body.len() <= PRESCAN_BYTES {
        return found;
    }
    let late = scan(body.get(..LATE_BYTES).unwrap_or(body), Part::Head);
    if late.meta.is_some() { late } else { found }
}

/// What of the bytes is searched.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// All of them, also what looks like tags in scripts, as by the standard.
    Window,
    /// The tags before the body.
    Head,
}

fn scan(bytes: &[u8], part: Part) -> Prescan {
    let mut found = Prescan::default();
    let mut at = PrescanCursor { bytes, pos: 0 };
    while found.meta.is_none() && at.find(b'<') {
        if at.skip_comment() {
            continue;
        }
        match at.tag() {
            PrescanTag::Meta => read_meta(&mut at, &mut found),
            PrescanTag::Html => read_html(&mut at, &mut found),
            PrescanTag::Body if part == Part::Head => break,
            PrescanTag::Raw(name) if part == Part::Head => at.find_end(name),
            PrescanTag::Other | PrescanTag::Body | PrescanTag::Raw(_) => while at.attribute().is_some() {},
            PrescanTag::Declaration => {
                at.find(b'>');
            }
            PrescanTag::None => at.pos += 1,
        }
    }
    found
}

/// The encoding and label of `<?xml … encoding="…"?>`, if `body` starts with it.
/// The two UTF-16 forms of `<?x` count as declarations of UTF-16.
pub(super) fn xml_declaration(body: &[u8]) -> Option<(AnyEncoding, String)> {
    if body.starts_with(b"<\0?\0x\0") {
        return Some((UTF_16LE.into(), String::from("utf-16le")));
    }
    if body.starts_with(b"\0<\0?\0x") {
        return Some((UTF_16BE.into(), String::from("utf-16be")));
    }
    if !body.starts_with(b"<?xml") {
        return None;
    }
    let window = body.get(..PRESCAN_BYTES).unwrap_or(body);
    let declaration = window.get(..memchr::memchr(b'>', window)?)?;
    let after = memmem::find(declaration, b"encoding")? + b"encoding".len();
    let label = quoted_value(declaration.get(after..)?)?;
    Some((ascii_readable(labels::lookup(&label)?), label))
}

/// The value behind `=` and a quote, white space allowed around both.
fn quoted_value(bytes: &[u8]) -> Option<String> {
    let value = bytes.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (&quote, rest) = value.split_first()?;
    if quote != b'"' && quote != b'\'' {
        return None;
    }
    let end = memchr::memchr(quote, rest)?;
    rest.get(..end).map(text)
}

/// A declaration that could be read as ASCII cannot be true of UTF-16.
fn ascii_readable(encoding: AnyEncoding) -> AnyEncoding {
    if encoding == UTF_16BE || encoding == UTF_16LE { UTF_8.into() } else { encoding }
}

/// Reads the attributes of a `<meta>` and keeps what they declare.
fn read_meta(at: &mut PrescanCursor, found: &mut Prescan) {
    let (mut http_equiv, mut content, mut charset) = (String::new(), None, None);
    while let Some((name, value)) = at.attribute() {
        match name.as_slice() {
            b"http-equiv" if http_equiv.is_empty() => http_equiv = text(&value).to_ascii_lowercase(),
            b"content" if content.is_none() => content = Some(value),
            b"charset" if charset.is_none() => charset = Some(text(&value)),
            _ => {}
        }
    }
    if charset.is_none() && http_equiv == "content-type" {
        charset = content.as_deref().and_then(charset_parameter);
    }
    if let Some(label) = charset {
        found.meta = labels::lookup_meta(&label).map(|encoding| (ascii_readable(encoding), label.clone()));
        found.label.get_or_insert(label);
    } else if http_equiv == "content-language" && found.language.is_none() {
        found.language = content.map(|value| text(&value));
    }
}

/// Reads the attributes of `<html>` and keeps the language.
fn read_html(at: &mut PrescanCursor, found: &mut Prescan) {
    while let Some((name, value)) = at.attribute() {
        if (name == b"lang" || name == b"xml:lang") && !value.is_empty() {
            found.language.get_or_insert_with(|| text(&value));
        }
    }
}

/// The first `charset=` parameter of a `Content-Type` value: "extracting a
/// character encoding from a meta element" of the HTML standard.
fn charset_parameter(value: &[u8]) -> Option<String> {
    let lower = value.to_ascii_lowercase();
    let mut from = 0;
    loop {
        from += memmem::find(lower.get(from..)?, b"charset")? + b"charset".len();
        let Some(rest) = value.get(from..)?.trim_ascii_start().strip_prefix(b"=") else {
            continue;
        };
        return parameter_value(rest.trim_ascii_start());
    }
}

/// A quoted value, or the bytes up to white space or a semicolon.
fn parameter_value(bytes: &[u8]) -> Option<String> {
    let (&first, rest) = bytes.split_first()?;
    let (bytes, end) = match first {
        b'"' | b'\'' => (rest, memchr::memchr(first, rest)),
        _ => (bytes, bytes.iter().position(|b| b.is_ascii_whitespace() || *b == b';')),
    };
    let label = text(bytes.get(..end.unwrap_or(bytes.len()))?);
    (!label.is_empty()).then_some(label)
}

/// An attribute value as text; labels are ASCII, so other bytes need no care.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.trim_ascii()).into_owned()
}

/// What a `<` begins, as far as the prescan tells tags apart.
#[derive(Debug, Clone, Copy, PartialEq)]
enum PrescanTag {
    Meta,
    Html,
    Body,
    /// The start of an element of this name, whose content is no markup.
    Raw(&'static [u8]),
    /// Another start tag or an end tag: its attributes are skipped.
    Other,
    /// `<!…`, `<?…` or `</` before a non-letter: ends at the next `>`.
    Declaration,
    /// A `<` that begins no tag.
    None,
}

/// What a `<`, or a `</` if `is_end`, begins if no name follows, by the first byte behind it.
fn without_name(is_end: bool, first: Option<u8>) -> Option<PrescanTag> {
    match first {
        Some(first) if first.is_ascii_alphabetic() => None,
        Some(b'!' | b'?') => Some(PrescanTag::Declaration),
        _ if is_end => Some(PrescanTag::Declaration),
        _ => Some(PrescanTag::None),
    }
}

/// A position in the searched bytes.
struct PrescanCursor<'a> {
    bytes: &'a [u8],
    pos: usize,
}

impl PrescanCursor<'_> {
    fn rest(&self) -> &[u8] {
        self.bytes.get(self.pos..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    /// Moves to the next `byte`; to the end and `false` if there is none.
    fn find(&mut self, byte: u8) -> bool {
        let next = memchr::memchr(byte, self.rest());
        self.pos = next.map_or(self.bytes.len(), |n| self.pos + n);
        next.is_some()
    }

    /// Moves to the next end tag of a name in any case; to the end if there is none.
    fn find_end(&mut self, name: &[u8]) {
        let rest = self.rest();
        let is_named = |at: &usize| rest.get(at + 2..).and_then(|tag| tag.get(..name.len()));
        let next =
            memmem::find_iter(rest, b"</").find(|at| is_named(at).is_some_and(|tag| tag.eq_ignore_ascii_case(name)));
        self.pos = next.map_or(self.bytes.len(), |n| self.pos + n);
    }

    /// Moves past the comment that begins here, if one does.
    fn skip_comment(&mut self) -> bool {
        if !self.rest().starts_with(b"<!--") {
            return false;
        }
        // By the standard the end may overlap the start: `<!-->` is a whole comment.
        let from = self.pos + 2;
        let end = self.bytes.get(from..).and_then(|rest| memmem::find(rest, b"-->"));
        self.pos = end.map_or(self.bytes.len(), |end| from + end + b"-->".len());
        true
    }

    /// Reads a tag's name at `<`; stands behind it afterwards.
    fn tag(&mut self) -> PrescanTag {
        let is_end = self.bytes.get(self.pos + 1) == Some(&b'/');
        let slash = usize::from(is_end);
        let name = self.bytes.get(self.pos + 1 + slash..).unwrap_or_default();
        // Before the name is measured: in `<<<<…` the names of all would reach to the end.
        if let Some(without_name) = without_name(is_end, name.first().copied()) {
            return without_name;
        }
        let len = name.iter().position(|b| b.is_ascii_whitespace() || matches!(b, b'/' | b'>')).unwrap_or(name.len());
        let name = name.get(..len).unwrap_or_default();
        self.pos += 1 + slash + len;
        match slash {
            0 if name.eq_ignore_ascii_case(b"meta") => PrescanTag::Meta,
            0 if name.eq_ignore_ascii_case(b"html") => PrescanTag::Html,
            0 if name.eq_ignore_ascii_case(b"body") => PrescanTag::Body,
            0 if name.eq_ignore_ascii_case(b"script") => PrescanTag::Raw(b"script"),
            0 if name.eq_ignore_ascii_case(b"title") => PrescanTag::Raw(b"title"),
            0 if name.eq_ignore_ascii_case(b"textarea") => PrescanTag::Raw(b"textarea"),
            0 if name.eq_ignore_ascii_case(b"style") => PrescanTag::Raw(b"style"),
            _ => PrescanTag::Other,
        }
    }

    /// "Get an attribute": name in lower case and value; `None` at the end of the tag.
    fn attribute(&mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        self.skip(|b| b.is_ascii_whitespace() || b == b'/');
        if self.peek()? == b'>' {
            return None;
        }
        let first = self.pos;
        self.pos += 1;
        self.skip(|b| !b.is_ascii_whitespace() && !matches!(b, b'/' | b'>' | b'='));
        let name = self.bytes.get(first..self.pos)?.to_ascii_lowercase();
        self.skip(|b| b.is_ascii_whitespace());
        if self.peek() != Some(b'=') {
            return Some((name, Vec::new()));
        }
        self.pos += 1;
        self.skip(|b| b.is_ascii_whitespace());
        Some((name, self.attribute_value()?))
    }

    fn attribute_value(&mut self) -> Option<Vec<u8>> {
        let quote = self.peek()?;
        if quote != b'"' && quote != b'\'' {
            let first = self.pos;
            self.skip(|b| !b.is_ascii_whitespace() && b != b'>');
            return Some(self.bytes.get(first..self.pos)?.to_vec());
        }
        self.pos += 1;
        let first = self.pos;
        if !self.find(quote) {
            return None;
        }
        self.pos += 1;
        Some(self.bytes.get(first..self.pos - 1)?.to_vec())
    }

    fn skip(&mut self, wanted: impl Fn(u8) -> bool) {
        let rest = self.rest();
        let len = rest.iter().position(|&b| !wanted(b)).unwrap_or(rest.len());
        self.pos += len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meta(html: &str) -> Option<&'static str> {
        prescan(html.as_bytes(), false).meta.map(|(encoding, _)| encoding.name())
    }

    #[test]
    fn both_forms_of_meta_count() {
        assert_eq!(meta("<meta charset=windows-1250>"), Some("windows-1250"));
        assert_eq!(meta("<META CHARSET = 'koi8-r' />"), Some("KOI8-R"));
        assert_eq!(
            meta(r#"<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">"#),
            Some("ISO-8859-2")
        );
        assert_eq!(meta(r#"<meta content='text/html;charset="gb2312"' http-equiv=content-type>"#), Some("GBK"));
    }

    #[test]
    fn a_content_without_http_equiv_does_not_count() {
        assert_eq!(meta(r#"<meta content="text/html; charset=iso-8859-2">"#), None);
        assert_eq!(meta(r#"<meta name=description content="charset=iso-8859-2">"#), None);
    }

    #[test]
    fn comments_and_quoted_attributes_are_skipped() {
        assert_eq!(meta("<!-- <meta charset=koi8-r> --><meta charset=big5>"), Some("Big5"));
        assert_eq!(meta("<!--><meta charset=big5>"), Some("Big5"));
        assert_eq!(meta(r#"<a title="<meta charset=koi8-r>"><meta charset=big5>"#), Some("Big5"));
        assert_eq!(meta("<!-- <meta charset=koi8-r>"), None);
        assert_eq!(meta("</meta charset=koi8-r>"), None);
    }

    /// One byte decides, so that a page of `<` is not searched for the end of a name at each of them.
    #[test]
    fn the_first_byte_tells_whether_there_is_a_name() {
        for (is_end, first, expected) in [
            (false, Some(b'm'), None),
            (true, Some(b'm'), None),
            (false, Some(b'!'), Some(PrescanTag::Declaration)),
            (true, Some(b'?'), Some(PrescanTag::Declaration)),
            (false, Some(b'<'), Some(PrescanTag::None)),
            (true, Some(b'<'), Some(PrescanTag::Declaration)),
            (false, None, Some(PrescanTag::None)),
        ] {
            assert_eq!(without_name(is_end, first), expected, "{is_end} {first:?}");
        }
        assert_eq!(meta(&format!("{}<meta charset=big5>", "<".repeat(2000))), Some("Big5"));
    }

    #[test]
    fn an_unknown_label_does_not_end_the_scan() {
        let found = prescan(b"<meta charset=none><meta charset=big5>", false);
        assert_eq!(found.meta.map(|(e, _)| e.name()), Some("Big5"));
        assert_eq!(found.label.as_deref(), Some("none"));
    }

    #[test]
    fn utf16_in_meta_is_utf8_and_user_defined_is_1252() {
        assert_eq!(meta("<meta charset=utf-16>"), Some("UTF-8"));
        assert_eq!(meta("<meta charset=utf-16be>"), Some("UTF-8"));
        assert_eq!(meta("<meta charset=x-user-defined>"), Some("windows-1252"));
    }

    #[test]
    fn the_scan_ends_at_its_window() {
        let late = format!("{}<meta charset=big5>", " ".repeat(PRESCAN_BYTES));
        assert_eq!(meta(&late), None);
        let early = format!("{}<meta charset=big5>", " ".repeat(2000));
        assert_eq!(meta(&early), Some("Big5"));
    }

    #[test]
    fn a_late_declaration_counts_where_there_is_no_other() {
        let page = |before: usize| format!("<style>{}</style><meta charset=big5>", " ".repeat(before));
        let found = |before, is_only| prescan(page(before).as_bytes(), is_only).meta.is_some();
        assert!(found(PRESCAN_BYTES - 100, false) && !found(PRESCAN_BYTES, false));
        assert!(found(PRESCAN_BYTES, true) && found(LATE_BYTES - 100, true) && !found(LATE_BYTES, true));
        let after = |markup: &str| {
            prescan((page(PRESCAN_BYTES) + markup).replacen("<meta charset=big5>", markup, 1).as_bytes(), true).meta
        };
        assert!(after("<meta charset=koi8-r>").is_some());
        for other in [
            "<script>'<meta charset=koi8-r>'</script>",
            "<STYLE><meta charset=koi8-r></STYLE>",
            "<body><meta charset=koi8-r>",
        ] {
            assert_eq!(after(other), None, "{other}");
        }
    }

    #[test]
    fn language_is_found() {
        assert_eq!(prescan(b"<html xml:lang='cs' lang=sk>", false).language.as_deref(), Some("cs"));
        assert_eq!(
            prescan(b"<html><meta http-equiv=Content-Language content=pl>", false).language.as_deref(),
            Some("pl")
        );
    }

    #[test]
    fn xml_declarations() {
        let name = |body: &[u8]| xml_declaration(body).map(|(e, _)| e.name());
        assert_eq!(name(b"<?xml version='1.0' encoding = \"iso-8859-2\"?><html>"), Some("ISO-8859-2"));
        assert_eq!(name(b"<?xml version='1.0' encoding='utf-16'?>"), Some("UTF-8"));
        assert_eq!(name(b" <?xml version='1.0' encoding='koi8-r'?>"), None);
        assert_eq!(name(b"<?xml version='1.0'?><a encoding='koi8-r'>"), None);
        assert_eq!(name(b"<\0?\0x\0m\0l\0"), Some("UTF-16LE"));
        assert_eq!(name(b"\0<\0?\0x\0m\0l"), Some("UTF-16BE"));
    }

    #[test]
    fn charset_parameters() {
        let label = |value: &str| charset_parameter(value.as_bytes());
        assert_eq!(label("text/html; charset=utf-8").as_deref(), Some("utf-8"));
        assert_eq!(label("text/html; CHARSET = 'utf-8' ; charset=big5").as_deref(), Some("utf-8"));
        assert_eq!(label("text/html; charset; charset=big5").as_deref(), Some("big5"));
        assert_eq!(label("text/html; charset="), None);
        assert_eq!(label("text/html; charset=\"utf-8").as_deref(), Some("utf-8"));
        assert_eq!(label("text/html"), None);
    }
}
