//! The header of a WARC record: version line and named fields. That of an ARC record is made from its header line.
//!
//! The parser takes the header bytes up to and including the blank line. It accepts what real writers produce (folded
//! lines, lines without a colon, bare LF, any case) and refuses only too many fields. Values are UTF-8; invalid bytes
//! are replaced, but escaped in the address, so that different ones stay different. Callers interpret the values (dates,
//! digests).

use std::borrow::Cow;

/// Why a header could not be parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// No `WARC/d.d` line at the start.
    #[error("no WARC version line")]
    NoVersion,
    /// More named fields than this limit.
    #[error("more than {0} named fields")]
    TooManyFields(usize),
}

/// The Content-Length of a record header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockLength {
    Missing,
    Invalid,
    Bytes(u64),
}

/// The version and named fields of a record.
///
/// ```
/// use warcorpus::Header;
///
/// let header = Header::parse(b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 120\r\n\r\n", 1000)?;
/// assert_eq!((header.version(), header.record_type().as_str()), ("1.1", "response"));
/// assert_eq!(header.content_length(), Some(120));
/// assert_eq!(header.get("content-length"), Some("120"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    version: String,
    fields: Vec<(String, String)>,
    /// The header line of an ARC record, without its line end.
    arc_line: Option<Box<[u8]>>,
}

impl Header {
    /// Parses header bytes, from the version line to the blank line.
    ///
    /// # Errors
    /// `HeaderError` if there is no version line or there are more than `header_fields` fields.
    pub fn parse(bytes: &[u8], header_fields: usize) -> Result<Self, HeaderError> {
        let after_version = version_line(bytes).ok_or(HeaderError::NoVersion)?;
        let version = text(bytes.get(5..after_version).unwrap_or_default());
        let fields = match strict_fields(bytes) {
            Some(fields) => fields,
            None => lenient_fields(bytes.get(after_version..).unwrap_or_default(), header_fields),
        };
        if fields.len() > header_fields {
            return Err(HeaderError::TooManyFields(header_fields));
        }
        Ok(Self { version, fields, arc_line: None })
    }

    /// The header of an ARC record: the fields that a WARC/1.0 record would have, except the record id.
    pub(super) fn from_arc(line: &[u8], fields: Vec<(&'static str, String)>) -> Self {
        let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { version: "1.0".to_owned(), fields, arc_line: Some(line.into()) }
    }

    /// The header line of an ARC record as it is in the file, without its line end; `None` for a WARC record.
    #[must_use]
    pub fn arc_line(&self) -> Option<&[u8]> {
        self.arc_line.as_deref()
    }

    /// The WARC version, such as `1.0`; always `1.0` for an ARC record.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// All fields in file order, names as written.
    #[must_use]
    pub fn fields(&self) -> &[(String, String)] {
        &self.fields
    }

    /// The value of the first field of this name, without regard to case; `None` if it is empty or absent.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.get_all(name).next().filter(|value| !value.is_empty())
    }

    /// The values of all fields of this name, without regard to case, in file order. WARC allows several
    /// WARC-Concurrent-To fields.
    pub fn get_all<'h>(&'h self, name: &str) -> impl Iterator<Item = &'h str> {
        self.fields.iter().filter(move |(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// WARC-Type in lower case; empty if absent.
    #[must_use]
    pub fn record_type(&self) -> String {
        self.get("WARC-Type").unwrap_or_default().to_ascii_lowercase()
    }

    /// WARC-Target-URI without `<>`, and with percent escapes for white space and control characters.
    #[must_use]
    pub fn target_uri(&self) -> Option<Cow<'_, str>> {
        let uri = bare(self.get("WARC-Target-URI")?);
        let is_odd = |c: char| c.is_whitespace() || c.is_control();
        if !uri.contains(is_odd) {
            return Some(Cow::Borrowed(uri));
        }
        let mut escaped = String::with_capacity(uri.len() + 8);
        for c in uri.chars() {
            match is_odd(c) {
                true => c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| escaped.push_str(&format!("%{byte:02X}"))),
                false => escaped.push(c),
            }
        }
        Some(Cow::Owned(escaped))
    }

    /// WARC-Record-ID as written, with its `<>`.
    #[must_use]
    pub fn record_id(&self) -> Option<&str> {
        self.get("WARC-Record-ID")
    }

    /// WARC-Date as written.
    #[must_use]
    pub fn date(&self) -> Option<&str> {
        self.get("WARC-Date")
    }

    /// Content-Length in bytes; `None` if absent or not a number.
    #[must_use]
    pub fn content_length(&self) -> Option<u64> {
        match self.block_length() {
            BlockLength::Bytes(length) => Some(length),
            BlockLength::Missing | BlockLength::Invalid => None,
        }
    }

    /// Content-Type of the block, such as `application/http; msgtype=response`.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        self.get("Content-Type")
    }

    /// WARC-Payload-Digest as written.
    #[must_use]
    pub fn payload_digest(&self) -> Option<&str> {
        self.get("WARC-Payload-Digest")
    }

    /// WARC-Truncated in lower case: why the crawler cut the record, such as `length` or `time`.
    #[must_use]
    pub fn truncated(&self) -> Option<String> {
        self.get("WARC-Truncated").map(str::to_ascii_lowercase)
    }

    /// Whether the record is one segment of several (WARC-Segment-Number).
    #[must_use]
    pub fn is_segment(&self) -> bool {
        self.get("WARC-Segment-Number").is_some()
    }

    /// WARC-Identified-Payload-Type: the media type that the crawler detected.
    #[must_use]
    pub fn identified_payload_type(&self) -> Option<&str> {
        self.get("WARC-Identified-Payload-Type")
    }

    /// WARC-Identified-Content-Language: a comma-separated list of ISO 639-3 codes.
    #[must_use]
    pub fn identified_content_language(&self) -> Option<&str> {
        self.get("WARC-Identified-Content-Language")
    }

    pub(super) fn block_length(&self) -> BlockLength {
        match self.get("Content-Length") {
            None => BlockLength::Missing,
            // A number above u64 is a number all the same, and above every limit.
            Some(value) if value.bytes().all(|b| b.is_ascii_digit()) => {
                BlockLength::Bytes(value.parse().unwrap_or(u64::MAX))
            }
            Some(_) => BlockLength::Invalid,
        }
    }
}

/// Whether `data` starts with `WARC/` or `warc/`: there are writers of both.
pub(super) fn is_magic(data: &[u8]) -> bool {
    data.starts_with(b"WARC/") || data.starts_with(b"warc/")
}

/// Length in bytes of the line `WARC/d.d` with its line end, if `data` starts with one.
pub(super) fn version_line(data: &[u8]) -> Option<usize> {
    let rest = data.get(5..).filter(|_| is_magic(data))?;
    let line = rest.get(..24.min(rest.len()))?;
    let length = memchr::memchr(b'\n', line)?;
    let number = line.get(..length)?.trim_ascii();
    let dot = memchr::memchr(b'.', number)?;
    let digits = |part: Option<&[u8]>| part.is_some_and(|p| !p.is_empty() && p.iter().all(u8::is_ascii_digit));
    (digits(number.get(..dot)) && digits(number.get(dot + 1..))).then_some(5 + length + 1)
}

/// A URI without spaces and angle brackets around it.
fn bare(uri: &str) -> &str {
    let uri = uri.trim();
    uri.strip_prefix('<').and_then(|uri| uri.strip_suffix('>')).unwrap_or(uri).trim()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

/// The text of an address, with percent escapes for bytes that are not UTF-8.
pub(super) fn uri_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("%{byte:02X}")));
    }
    text.trim().to_owned()
}

/// The text of the value, or of a part of it, of the field of this name.
fn value_text(name: &str, bytes: &[u8]) -> String {
    if name.eq_ignore_ascii_case("WARC-Target-URI") { uri_text(bytes) } else { text(bytes) }
}

/// Fields by the parser of the `warc` crate. That stops without an error at the first line it cannot parse (folded, no
/// colon), so its result is used only if nothing but the blank line is left over.
fn strict_fields(bytes: &[u8]) -> Option<Vec<(String, String)>> {
    let (rest, (_, fields, _)) = ::warc::parser::headers(bytes).ok()?;
    let whole = matches!(rest, b"\r\n" | b"\n");
    whole.then(|| fields.into_iter().map(|(name, value)| (name.to_owned(), value_text(name, value))).collect())
}

/// Fields line by line: a folded line continues the field above, a line without a name is dropped. Stops after
/// `header_fields` + 1 fields.
fn lenient_fields(bytes: &[u8], header_fields: usize) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in bytes.split(|&b| b == b'\n') {
        if fields.len() > header_fields {
            break;
        }
        if line.first().is_some_and(|b| matches!(b, b' ' | b'\t')) {
            if let (Some((name, value)), false) = (fields.last_mut(), line.trim_ascii().is_empty()) {
                if !value.is_empty() {
                    value.push(' ');
                }
                value.push_str(&value_text(name, line));
            }
            continue;
        }
        let Some(colon) = memchr::memchr(b':', line) else { continue };
        let name = text(line.get(..colon).unwrap_or_default());
        if !name.is_empty() {
            let value = value_text(&name, line.get(colon + 1..).unwrap_or_default());
            fields.push((name, value));
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(bytes: &[u8]) -> Header {
        Header::parse(bytes, 1000).unwrap()
    }

    #[test]
    fn first_of_repeated_fields_wins_in_any_case() {
        let h = header(b"WARC/1.1\r\nwarc-type:Response\r\nWARC-Type: request\r\nContent-Length: 3\r\n\r\n");
        assert_eq!((h.version(), h.record_type().as_str(), h.content_length()), ("1.1", "response", Some(3)));
        assert_eq!(h.get_all("WARC-TYPE").count(), 2);
    }

    #[test]
    fn folded_and_nameless_lines() {
        let h = header(b"WARC/0.18\nX:\n a\n b\n\tc\nno colon here\n: nameless\nContent-Length: 12\n\n");
        assert_eq!((h.get("x"), h.content_length(), h.fields().len()), (Some("a b c"), Some(12), 2));
    }

    #[test]
    fn target_uri_loses_brackets_and_spaces() {
        let h = header(b"WARC/1.0\r\nWARC-Target-URI: <http://a/b c>\r\n\r\n");
        assert_eq!(h.target_uri().as_deref(), Some("http://a/b%20c"));
        let h = header("WARC/1.0\r\nWARC-Target-URI: http://a/b\u{a0}\u{2028}c\u{1}é\r\n\r\n".as_bytes());
        assert_eq!(h.target_uri().as_deref(), Some("http://a/b%C2%A0%E2%80%A8c%01é"));
    }

    #[test]
    fn values_are_utf8_with_replacement() {
        let h = header(b"WARC/1.0\r\nA: \xc3\xa9\r\nB: \xff\r\n\r\n");
        assert_eq!((h.get("A"), h.get("B")), (Some("é"), Some("\u{fffd}")));
    }

    #[test]
    fn bytes_of_addresses_are_escaped() {
        for (value, uri) in [
            (&b"http://a/caf\xe9"[..], "http://a/caf%E9"),
            (b"<http://a/caf\xe8>", "http://a/caf%E8"),
            (b"http://a/\xff\xc3\xa9\xc3", "http://a/%FFé%C3"),
            (b"http://a/\r\n b\xe9", "http://a/%20b%E9"),
        ] {
            let h = header(&[b"WARC/1.0\r\nwarc-target-uri: ", value, b"\r\n\r\n"].concat());
            assert_eq!(h.target_uri().as_deref(), Some(uri));
        }
    }

    #[test]
    fn lengths() {
        let of = |value: &str| header(format!("WARC/1.0\r\nContent-Length: {value}\r\n\r\n").as_bytes()).block_length();
        assert_eq!(of("7"), BlockLength::Bytes(7));
        assert_eq!(of(""), BlockLength::Missing);
        assert_eq!(of("99999999999999999999999"), BlockLength::Bytes(u64::MAX));
        for invalid in ["-1", "+1", "1,000", "0x10", "ten"] {
            assert_eq!(of(invalid), BlockLength::Invalid, "{invalid}");
        }
    }

    #[test]
    fn version_lines() {
        for good in ["WARC/1.0\r\n", "WARC/0.17\n", "WARC/1.2 \r\n", "WARC/2.0\nrest", "warc/1.0\r\n"] {
            assert!(version_line(good.as_bytes()).is_some(), "{good:?}");
        }
        for bad in ["WARC/1.0", "WARC/\r\n", "WARC/1\r\n", "WARC/1.\n", "WARC-Type: a\n", "Warc/1.0\n", "WARC/1.0a\n"] {
            assert_eq!(version_line(bad.as_bytes()), None, "{bad:?}");
        }
    }

    #[test]
    fn too_many_fields() {
        let many = format!("WARC/1.0\r\n{}\r\n", "a: b\r\n".repeat(11));
        assert_eq!(Header::parse(many.as_bytes(), 10), Err(HeaderError::TooManyFields(10)));
        assert!(Header::parse(many.as_bytes(), 11).is_ok());
        let folded = format!("WARC/1.0\r\nno colon\r\n{}\r\n", "a: b\r\n".repeat(11));
        assert_eq!(Header::parse(folded.as_bytes(), 10), Err(HeaderError::TooManyFields(10)));
    }
}
