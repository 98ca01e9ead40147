//! Tells by the first bytes of a body what it is, where headers do not or are wrong.

use memchr::memmem;
use serde::de::IgnoredAny;

use super::magic;

/// Bytes of a body that are examined: as many as browsers do.
const SNIFF: usize = 1445;
/// Tags with which HTML begins, by the MIME Sniffing Standard. A space or `>` follows.
const FIRST_TAGS: [&[u8]; 16] = [
    b"<!doctype html",
    b"<html",
    b"<head",
    b"<script",
    b"<iframe",
    b"<h1",
    b"<div",
    b"<font",
    b"<table",
    b"<a",
    b"<style",
    b"<title",
    b"<b",
    b"<body",
    b"<br",
    b"<p",
];
/// First bytes of formats that servers send under the media types of pages.
const SIGNATURES: [&[u8]; 21] = [
    b"%PDF-",
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"GIF87a",
    b"GIF89a",
    b"RIFF",
    b"\0\0\x01\0",
    b"ID3\x02",
    b"ID3\x03",
    b"ID3\x04",
    b"OggS\0",
    b"MThd\0",
    b"\x1a\x45\xdf\xa3",
    b"wOFF\0",
    b"wOF2\0",
    b"PK\x03\x04",
    &magic::GZIP_DEFLATE,
    &magic::ZSTD,
    b"Rar!\x1a\x07",
    b"7z\xbc\xaf\x27\x1c",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
];

/// Whether the beginning of a body (1,445 bytes) looks like HTML, for bodies without a declared media type. UTF-16 is
/// recognised too.
#[must_use]
pub fn sniff_html(body: &[u8]) -> bool {
    let text = beginning(body);
    let text = text.trim_ascii_start();
    text.starts_with(b"<!--")
        || FIRST_TAGS.iter().any(|tag| begins_with_tag(text, tag))
        || text.starts_with(b"<")
            && [&b"<!doctype html"[..], b"<html", b"<head", b"<body"]
                .iter()
                .any(|tag| memmem::find(text, tag).is_some())
}

/// Whether a body that is sent as HTML is data for programs, and the name under which it is counted: a feed (RSS or Atom; MIME
/// Sniffing Standard, "Sniffing a mislabeled feed") or a sitemap, by its first 1,445 bytes, or JSON, by all of it.
#[must_use]
pub fn sniff_data(body: &[u8]) -> Option<&'static str> {
    let text = beginning(body);
    let text = behind_prolog(&text);
    let names = |name: &[u8]| memmem::find(text, name).is_some();
    let is_feed = begins_with_tag(text, b"<rss")
        || begins_with_tag(text, b"<feed") && (names(b"w3.org/2005/atom") || names(b"purl.org/atom/"))
        || begins_with_tag(text, b"<rdf:rdf") && names(b"purl.org/rss/1.0/");
    let is_sitemap = begins_with_tag(text, b"<urlset") || begins_with_tag(text, b"<sitemapindex");
    match text.first() {
        _ if is_feed => Some("feed"),
        _ if is_sitemap => Some("sitemap"),
        Some(b'{' | b'[' | b')') if is_json(body) => Some("application/json"),
        _ => None,
    }
}

/// Whether a body is JSON, whole or cut: one value, several objects in a row, or either behind the `)]}'` that keeps browsers
/// from running it as a script.
fn is_json(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii_start();
    let guarded = body.strip_prefix(b")]}'").map(|rest| rest.strip_prefix(b",").unwrap_or(rest).trim_ascii_start());
    let body = guarded.unwrap_or(body);
    let of_objects = [&b"{\""[..], b"[{\""].iter().any(|start| body.starts_with(start));
    let is_value = |value: serde_json::Result<IgnoredAny>| value.map_or_else(|e| e.is_eof() && of_objects, |_| true);
    let mut values = serde_json::Deserializer::from_slice(body).into_iter();
    let first = values.next().is_some_and(is_value);
    first && if of_objects { values.all(is_value) } else { values.next().is_none() }
}

/// What follows the white space, comments, processing instructions and declarations at the beginning; nothing if one has no end.
fn behind_prolog(text: &[u8]) -> &[u8] {
    const PROLOG: [(&[u8], &[u8]); 3] = [(b"<!--", b"-->"), (b"<?", b"?>"), (b"<!", b">")];
    let mut text = text.trim_ascii_start();
    while let Some((inside, end)) = PROLOG.into_iter().find_map(|(start, end)| Some((text.strip_prefix(start)?, end))) {
        let after = memmem::find(inside, end).and_then(|at| inside.get(at + end.len()..));
        text = after.unwrap_or_default().trim_ascii_start();
    }
    text
}

/// The bytes that are examined, in lower case, without a byte order mark and the NUL bytes of UTF-16.
fn beginning(body: &[u8]) -> Vec<u8> {
    let body = head(body);
    let bom = [&b"\xef\xbb\xbf"[..], b"\xff\xfe", b"\xfe\xff"].iter().find_map(|bom| body.strip_prefix(*bom));
    bom.unwrap_or(body).iter().filter(|&&b| b != 0).map(u8::to_ascii_lowercase).collect()
}

fn begins_with_tag(text: &[u8], tag: &[u8]) -> bool {
    let rest = text.strip_prefix(tag).and_then(|rest| rest.first());
    rest.is_some_and(|&b| b == b'>' || b.is_ascii_whitespace())
}

/// Whether a body begins as a picture, a font, a PDF, an archive or another format that is no text.
#[must_use]
pub fn has_binary_signature(body: &[u8]) -> bool {
    let is_data = || head(body).iter().any(|&b| b == 0 || is_control(b) || !b.is_ascii());
    SIGNATURES.iter().any(|magic| body.starts_with(magic)) && is_data()
}

/// Whether the beginning of a body has a binary signature, or a control character and is not UTF-8 either. It is asked about
/// bodies whose declared coding could not be undone: were they text, they would have neither.
pub(super) fn is_binary(body: &[u8]) -> bool {
    let has_controls = || head(body).iter().any(|&b| is_control(b));
    has_binary_signature(body) || std::str::from_utf8(body).is_err() && has_controls()
}

/// Whether a byte or character is a C0 control character that no text has: none of NUL, BS (underlined manual pages), white
/// space, ESC and the separators of records (MARC).
#[must_use]
pub fn is_control(byte: u8) -> bool {
    matches!(byte, 1..=7 | 0x0b | 0x0e..=0x1a)
}

fn head(body: &[u8]) -> &[u8] {
    body.get(..SNIFF).unwrap_or(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sniffing() {
        for html in [
            "<!DOCTYPE html>",
            " \n<HTML lang=x>",
            "\u{feff}<head>",
            "<!-- c --><p>",
            "<?xml version='1.0'?><html>",
            "<div>x",
            "<P\n>x",
        ] {
            assert!(sniff_html(html.as_bytes()), "{html}");
        }
        let utf16: Vec<u8> = "\u{feff}<html>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(sniff_html(&utf16));
        let late = format!("<{}<html>", " ".repeat(SNIFF));
        for other in [
            "",
            "plain <html>",
            "%PDF-1.4",
            "{\"a\": \"<html>\"}",
            "<?xml version='1.0'?><rss>",
            "<picture>",
            late.as_str(),
        ] {
            assert!(!sniff_html(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn feeds() {
        for feed in [
            "<rss version='2.0'>",
            "\u{feff}\n<?xml version='1.0'?>\n<!-- a > b --><!DOCTYPE rss [x]>\n<rss>",
            "<?xml version='1.0'?><?xml-stylesheet href='a'?><feed\nxmlns='http://www.w3.org/2005/Atom'>",
            "<rdf:RDF xmlns='http://purl.org/rss/1.0/'>",
        ] {
            assert_eq!(sniff_data(feed.as_bytes()), Some("feed"), "{feed}");
        }
        for (data, name) in [
            ("\u{feff}\n[{\"a\": 1, \"b\": [\"<p>é\"]}]\n", "application/json"),
            ("{}", "application/json"),
            ("[{\"a\": \"<p>cut", "application/json"),
            ("{\"a\": 1}\n{\"a\": \"<p>two\"}\n{\"a\": \"<p>cut", "application/json"),
            (")]}'\n{\"a\": \"<p>behind a guard\"}", "application/json"),
            (")]}',\n[1]", "application/json"),
            ("<?xml version='1.0'?>\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>", "sitemap"),
            ("<sitemapindex>", "sitemap"),
        ] {
            assert_eq!(sniff_data(data.as_bytes()), Some(name), "{data}");
        }
        for other in [
            "",
            "<html><rss>",
            "<rssx>",
            "rss",
            "<?xml",
            "<!-- <rss>",
            "<p>a <feed>",
            "<!doctype html><p>",
            "<feed id=x><div>",
            "<rdf:RDF xmlns='http://web.resource.org/cc/'>",
            "[1] It was noted.",
            "{title}",
            "[1] [2]",
            "{\"a\": 1} is what it answers.",
            ")]}' is no value",
            "[A text",
            "\"a\"",
        ] {
            assert_eq!(sniff_data(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn signatures() {
        for binary in [
            &b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"[..],
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
            b"GIF89a\x01\0",
            b"PK\x03\x04\x14\0",
        ] {
            assert!(has_binary_signature(binary) && is_binary(binary), "{binary:?}");
        }
        for text in ["", "GIF89a is a format", "RIFF raff", "%PDF-1.4 is a version", "PK", "<p>\u{1b}$B"] {
            assert!(!has_binary_signature(text.as_bytes()) && !is_binary(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn bytes_made_by_chance_are_binary() {
        let bytes: Vec<u8> = (0..5000u64).map(|n| crate::hash::mix(n) as u8).collect();
        assert!(is_binary(&bytes) && !has_binary_signature(&bytes));
        let utf16: Vec<u8> = "\u{feff}text".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(!is_binary(&utf16));
    }
}
