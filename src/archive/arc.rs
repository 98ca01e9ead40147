//! Parses the header line of an ARC record and gives it the header fields of a WARC record.
//!
//! The line is `URL IP DATE MIME LEN` (ARC 1) or `URL IP DATE MIME STATUS CHECKSUM LOCATION OFFSET FILE LEN` (ARC 2).
//! It is parsed from the right because URLs may contain spaces. When resynchronising, a line must have a date of 14
//! digits after an IP address ([`Strictness::Strict`]); where a record is expected, 12 digits, `-` or any other date
//! are accepted too ([`Strictness::Lenient`]).
//! `scan` decides where a line may stand, `record` how long the block really is.

use super::http::begins_response;
use super::warc::{Header, uri_text};

/// Longest header line in bytes, its line end included.
pub(super) const MAX_LINE: usize = 8 << 10;
/// Start of the first record of an ARC file, which describes the file itself.
pub(super) const FILEDESC: &[u8] = b"filedesc://";
/// Start of the block that Alexa put in place of a page that had to go; padding follows the note.
const TOMBSTONE: &[u8] = b"DELETED_TIME=";
/// Longest scheme of a URL.
const MAX_SCHEME: usize = 32;
/// Words after the date in ARC 2; ARC 1 has two, MIME and LEN.
const AFTER_DATE_2: usize = 7;
/// The date is searched for in this many last words: more than seven are needed only if a media type has spaces.
const LAST_WORDS: usize = 16;

/// How certain a header line must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    /// A record is expected here: another one ended just before, or the file or member begins.
    Lenient,
    /// The line was found among arbitrary bytes.
    Strict,
}

/// The fields of a header line that a WARC header has too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ArcLine<'a> {
    url: &'a [u8],
    ip: &'a [u8],
    date: &'a [u8],
    mime: &'a [u8],
    /// The block length LEN: digits only.
    length: &'a [u8],
    /// The whole line without its line end.
    whole: &'a [u8],
}

/// The header line at the start of `data` and its length in bytes with the line end; `None` if there is no valid one
/// of at most [`MAX_LINE`] bytes.
pub(super) fn header_line(data: &[u8], strictness: Strictness) -> Option<(ArcLine<'_>, usize)> {
    if !starts_like_url(data) {
        return None;
    }
    let window = data.get(..MAX_LINE).unwrap_or(data);
    let end = memchr::memchr(b'\n', window)?;
    let whole = window.get(..end)?;
    let whole = whole.strip_suffix(b"\r").unwrap_or(whole);
    // Without control characters: otherwise damaged bytes would pass for a URL with spaces in it.
    if whole.iter().any(|&b| b.is_ascii_control() && b != b'\t') {
        return None;
    }
    let line = dated(whole, 14).or_else(|| match strictness {
        Strictness::Lenient => dated(whole, 12).or_else(|| undated(whole)),
        Strictness::Strict => undated(whole).filter(|line| line.url.starts_with(FILEDESC)),
    })?;
    Some((line, end + 1))
}

/// Whether `data` begins with a scheme and a colon.
pub(super) fn starts_like_url(data: &[u8]) -> bool {
    let scheme = data.get(..MAX_SCHEME).unwrap_or(data);
    let end = scheme.iter().position(|b| !b.is_ascii_alphanumeric() && !matches!(b, b'+' | b'-' | b'.'));
    let letter = data.first().is_some_and(u8::is_ascii_alphabetic);
    letter && end.is_some_and(|end| scheme.get(end) == Some(&b':'))
}

/// Whether `data` begins with a scheme that crawlers are known to write.
pub(super) fn has_known_scheme(data: &[u8]) -> bool {
    [&b"http:"[..], b"https:", b"dns:", b"ftp:", b"whois:", FILEDESC].iter().any(|scheme| data.starts_with(scheme))
}

/// Parses a line that has a date of `digits` digits after an IP address.
fn dated(whole: &[u8], digits: usize) -> Option<ArcLine<'_>> {
    let (rest, length) = length(whole)?;
    // `end` is the end of the candidate for the date; `words` words follow it.
    let mut end = last_blank(rest)?;
    for words in 2..LAST_WORDS {
        let start = last_blank(rest.get(..end)?)?;
        let date = rest.get(start + 1..end)?;
        let ip_start = last_blank(rest.get(..start)?)?;
        let ip = rest.get(ip_start + 1..start)?;
        if date.len() == digits && date.iter().all(u8::is_ascii_digit) && is_address(ip) {
            let after = rest.get(end + 1..)?;
            let mime = if words == AFTER_DATE_2 { after.split(|&b| b == b' ').next()? } else { after };
            return Some(ArcLine { url: rest.get(..ip_start)?, ip, date, mime, length, whole });
        }
        end = start;
    }
    None
}

/// Parses a line without a usable date by the number of its words.
fn undated(whole: &[u8]) -> Option<ArcLine<'_>> {
    if let Some([url, ip, date, mime, status, _, _, offset, _, length]) = words(whole)
        && is_status(status)
        && (offset == b"-" || is_number(offset))
        && is_number(length)
    {
        return Some(ArcLine { url, ip, date, mime, length, whole });
    }
    let [url, ip, date, mime, length] = words(whole)?;
    is_number(length).then_some(ArcLine { url, ip, date, mime, length, whole })
}

/// The last `N - 1` words, preceded by the rest of the line.
fn words<const N: usize>(whole: &[u8]) -> Option<[&[u8]; N]> {
    let mut from_right = whole.trim_ascii_end().rsplitn(N, |&b| b == b' ');
    let mut words = [&[][..]; N];
    for word in words.iter_mut().rev() {
        *word = from_right.next()?;
    }
    Some(words)
}

/// The line before the space in front of LEN, and LEN.
fn length(whole: &[u8]) -> Option<(&[u8], &[u8])> {
    let whole = whole.trim_ascii_end();
    let at = last_blank(whole)?;
    let length = whole.get(at + 1..)?;
    is_number(length).then_some((whole.get(..at)?, length))
}

fn last_blank(bytes: &[u8]) -> Option<usize> {
    memchr::memrchr(b' ', bytes)
}

fn is_number(word: &[u8]) -> bool {
    !word.is_empty() && word.len() <= 20 && word.iter().all(u8::is_ascii_digit)
}

fn is_status(word: &[u8]) -> bool {
    word == b"-" || word.len() == 3 && is_number(word)
}

/// Whether `word` looks like an IPv4 or IPv6 address, or is `-`.
fn is_address(word: &[u8]) -> bool {
    word == b"-" || !word.is_empty() && word.iter().all(|b| b.is_ascii_hexdigit() || matches!(b, b'.' | b':'))
}

impl ArcLine<'_> {
    /// LEN in bytes; the largest `u64` if it does not fit, which is above every limit.
    pub(super) fn length(&self) -> u64 {
        std::str::from_utf8(self.length).ok().and_then(|digits| digits.parse().ok()).unwrap_or(u64::MAX)
    }

    /// The header fields that a WARC record with this block would have.
    pub(super) fn header(&self, block: &[u8]) -> Header {
        let (kind, media) = self.kind(block);
        let mut fields = vec![("WARC-Type", kind.to_owned()), ("WARC-Target-URI", uri_text(self.url))];
        fields.extend(iso_date(self.date).map(|date| ("WARC-Date", date)));
        fields.extend(given(self.ip).map(|ip| ("WARC-IP-Address", ip)));
        fields.extend(media.map(|media| ("Content-Type", media)));
        fields.push(("Content-Length", text(self.length)));
        Header::from_arc(self.whole, fields)
    }

    /// WARC-Type and Content-Type. A block that is no HTTP response (DNS, FTP, HTTP/0.9) is the resource itself, or a note
    /// that the page was deleted.
    fn kind(&self, block: &[u8]) -> (&'static str, Option<String>) {
        if self.url.starts_with(FILEDESC) {
            return ("warcinfo", given(self.mime));
        }
        if begins_response(block) {
            return ("response", Some("application/http; msgtype=response".to_owned()));
        }
        if block.starts_with(TOMBSTONE) {
            return ("metadata", given(self.mime));
        }
        ("resource", given(self.mime))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

/// The text of a field; `None` if it is empty or `-`.
fn given(word: &[u8]) -> Option<String> {
    Some(text(word)).filter(|word| !word.is_empty() && word != "-")
}

/// `yyyyMMddHHmmss` or `yyyyMMddHHmm` in the form of WARC-Date. Whether the day exists is not checked.
fn iso_date(date: &[u8]) -> Option<String> {
    let digits = std::str::from_utf8(date).ok().filter(|_| is_number(date) && matches!(date.len(), 12 | 14))?;
    let part = |from: usize| digits.get(from..from + 2).unwrap_or("00");
    let year = digits.get(..4)?;
    Some(format!("{year}-{}-{}T{}:{}:{}Z", part(4), part(6), part(8), part(10), part(12)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// URL, IP, date, MIME, length.
    fn read(text: &str, strictness: Strictness) -> Option<[String; 5]> {
        let (line, _) = header_line(text.as_bytes(), strictness)?;
        Some(
            [line.url, line.ip, line.date, line.mime, line.length]
                .map(|part| String::from_utf8(part.to_vec()).unwrap()),
        )
    }

    #[test]
    fn lines_that_prove_themselves() {
        for (text, want) in [
            (
                "http://a/ 1.2.3.4 20080430204825 text/html 12\n",
                ["http://a/", "1.2.3.4", "20080430204825", "text/html", "12"],
            ),
            ("dns:a 1.2.3.4 20080430204825 text/dns 12\r\n", ["dns:a", "1.2.3.4", "20080430204825", "text/dns", "12"]),
            (
                "http://a/b c 5 ::1 20080430204825 text/html 0\n",
                ["http://a/b c 5", "::1", "20080430204825", "text/html", "0"],
            ),
            (
                "http://a/ - 20080430204825 text/html; charset=x 12\n",
                ["http://a/", "-", "20080430204825", "text/html; charset=x", "12"],
            ),
            (
                "http://a/b c 1.2.3.4 20080430204825 text/html 200 abc - 77 f.arc 12\n",
                ["http://a/b c", "1.2.3.4", "20080430204825", "text/html", "12"],
            ),
            ("filedesc:// - - - 76\r\n", ["filedesc://", "-", "-", "-", "76"]),
        ] {
            assert_eq!(read(text, Strictness::Strict), Some(want.map(str::to_owned)), "{text}");
            assert_eq!(read(text, Strictness::Lenient), Some(want.map(str::to_owned)), "{text}");
        }
    }

    #[test]
    fn lines_that_are_only_believed_where_expected() {
        for (text, date, mime) in [
            ("http://a/ 1.2.3.4 200804302048 text/html 12\n", "200804302048", "text/html"),
            ("http://a/ 1.2.3.4 - text/html 12\n", "-", "text/html"),
            ("http://a/ 1.2.3.4  text/html 12\n", "", "text/html"),
            ("http://a/ 1.2.3.4 - text/html 200 - - 0 f.arc 12\n", "-", "text/html"),
        ] {
            assert_eq!(read(text, Strictness::Strict), None, "{text}");
            let [url, ip, found, media, length] = read(text, Strictness::Lenient).unwrap();
            assert_eq!((url.as_str(), ip.as_str(), length.as_str()), ("http://a/", "1.2.3.4", "12"), "{text}");
            assert_eq!((found.as_str(), media.as_str()), (date, mime), "{text}");
        }
    }

    #[test]
    fn no_lines() {
        let long = format!("http://{} 1.2.3.4 20080430204825 text/html 12\n", "a".repeat(MAX_LINE));
        for text in [
            "",
            "http://a/ 1.2.3.4 20080430204825 text/html 12",
            "http://a/ 1.2.3.4 20080430204825 text/html twelve\n",
            "http://a/ 20080430204825 12\n",
            "no url 1.2.3.4 20080430204825 text/html 12\n",
            " http://a/ 1.2.3.4 20080430204825 text/html 12\n",
            ":a 1.2.3.4 20080430204825 text/html 12\n",
            "http://a/\0 1.2.3.4 20080430204825 text/html 12\n",
            &long,
        ] {
            assert_eq!(read(text, Strictness::Lenient), None, "{text:.60}");
        }
    }

    fn header(text: &str, block: &[u8]) -> Header {
        header_line(text.as_bytes(), Strictness::Lenient).unwrap().0.header(block)
    }

    #[test]
    fn headers_like_those_of_warc() {
        let h = header("http://a/b c 1.2.3.4 20080430204825 text/html 15\n", b"HTTP/1.0 200 OK");
        assert_eq!((h.record_type().as_str(), h.target_uri().as_deref()), ("response", Some("http://a/b%20c")));
        assert_eq!((h.date(), h.get("WARC-IP-Address")), (Some("2008-04-30T20:48:25Z"), Some("1.2.3.4")));
        assert_eq!((h.content_type(), h.content_length()), (Some("application/http; msgtype=response"), Some(15)));
        assert_eq!((h.record_id(), h.version()), (None, "1.0"));
        assert_eq!(h.arc_line(), Some(&b"http://a/b c 1.2.3.4 20080430204825 text/html 15"[..]));
        let line =
            header_line(b"http://a/caf\xe9 1.2.3.4 20080430204825 text/html 0\n", Strictness::Lenient).unwrap().0;
        assert_eq!(line.header(b"").target_uri().as_deref(), Some("http://a/caf%E9"));
        let h = header("dns:a - 200804302048 text/dns 5\n", b"x IN A");
        assert_eq!((h.record_type().as_str(), h.content_type()), ("resource", Some("text/dns")));
        assert_eq!((h.date(), h.get("WARC-IP-Address")), (Some("2008-04-30T20:48:00Z"), None));
        let h = header("filedesc://x.arc 0.0.0.0 - text/plain 5\n", b"1 0 x");
        assert_eq!((h.record_type().as_str(), h.content_type(), h.date()), ("warcinfo", Some("text/plain"), None));
        for (block, kind) in [
            ("HTTP/1.0 200 OK", "response"),
            ("\r\nHTTP/1.0 200 OK", "response"),
            ("http/1.1 404 Not Found", "response"),
            ("HTTP/1.1", "response"),
            ("ICYCLE", "resource"),
            ("<p>HTTP/1.0 200 OK", "resource"),
            ("DELETED_TIME=20000425001133_DELETER=Kurt_REASON=alexalist  ", "metadata"),
            ("", "resource"),
        ] {
            let h = header("http://a/ 1.2.3.4 20080430204825 text/html 15\n", block.as_bytes());
            assert_eq!(h.record_type(), kind, "{block}");
        }
        assert_eq!(header("http://a/ - - - 99999999999999999999\n", b"ICY 200 OK").content_length(), Some(u64::MAX));
    }
}
