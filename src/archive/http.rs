//! Parses a stored HTTP response into status, headers and body.
//!
//! Parsing never fails: a block without a status line is all body. Header values are read as Latin-1, as HTTP defines.
//! Transfer and content codings are removed in `http_coding`; character sets are not decoded here.

use memchr::memchr;

/// Most headers that are kept; further ones are dropped.
const MAX_HEADERS: usize = 1000;
/// Bytes of the block in which headers may end.
const MAX_HEADER_BYTES: usize = 1 << 20;

/// An HTTP response with its body as it was stored: [`super::decode_body`] decodes it. Made by [`parse_http`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpResponse<'a> {
    /// Status code; `None` if the block has no status line. Then there are no headers and the whole block is body.
    pub status: Option<u16>,
    /// Name and value of each header, in order; names as written.
    pub headers: Vec<(String, String)>,
    /// The bytes after the blank line.
    pub body: &'a [u8],
    /// Whether the headers end with a blank line; false if the record was cut within them.
    pub complete: bool,
}

impl HttpResponse<'_> {
    /// The value of the first header of this name; names are compared without regard to case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.get_all(name).next()
    }

    /// The value of the last header of this name; names are compared without regard to case.
    #[must_use]
    pub fn get_last(&self, name: &str) -> Option<&str> {
        self.get_all(name).last()
    }

    /// The values of all headers of this name, in order; names are compared without regard to case.
    pub fn get_all<'h>(&'h self, name: &str) -> impl Iterator<Item = &'h str> {
        self.headers.iter().filter(move |(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The media type of the last Content-Type header, in lower case and without parameters.
    #[must_use]
    pub fn media_type(&self) -> Option<String> {
        self.get_last("Content-Type").map(media_type)
    }

    /// Whether another response may follow the headers.
    fn is_interim(&self) -> bool {
        self.complete && self.status.is_some_and(|status| status < 200 && status != 101)
    }
}

/// Parses the block of a `response` record into status, headers and body. Interim responses (1xx, but not 101, which ends
/// HTTP) before the final one are passed over.
///
/// ```
/// use warcorpus::archive::parse_http;
///
/// let http = parse_http(b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>No");
/// assert_eq!(http.status, Some(404));
/// assert_eq!(http.media_type().as_deref(), Some("text/html"));
/// assert_eq!(http.body, b"<p>No");
/// ```
#[must_use]
pub fn parse_http(block: &[u8]) -> HttpResponse<'_> {
    let mut response = first_response(block);
    while response.is_interim() && status_line(response.body).is_some() {
        response = first_response(response.body);
    }
    response
}

/// The first response of a block, to which all bytes after its headers belong.
fn first_response(block: &[u8]) -> HttpResponse<'_> {
    let Some((status, mut rest)) = status_line(block) else {
        return HttpResponse { status: None, headers: Vec::new(), body: block, complete: true };
    };
    let start = rest.len();
    let mut headers = Vec::new();
    let mut complete = false;
    while start - rest.len() < MAX_HEADER_BYTES {
        let Some((line, after)) = line(rest) else { break };
        rest = after;
        if line.is_empty() {
            complete = true;
            break;
        }
        add_header(&mut headers, line);
    }
    // If the block was cut within the headers, the rest of a line is not body.
    let body = if complete || start - rest.len() >= MAX_HEADER_BYTES { rest } else { &[] };
    HttpResponse { status: Some(status), headers, body, complete }
}

/// The first line of `data` without its line end, and the bytes after it; `None` if there is no line end.
fn line(data: &[u8]) -> Option<(&[u8], &[u8])> {
    let (line, rest) = data.split_at_checked(memchr(b'\n', data)?)?;
    Some((line.strip_suffix(b"\r").unwrap_or(line), rest.get(1..).unwrap_or_default()))
}

/// Whether a block begins as a response does: with a status line, or with protocol and version, whatever follows them.
pub(super) fn begins_response(block: &[u8]) -> bool {
    let line = block.trim_ascii_start();
    let has_version = || line.get(5).is_some_and(u8::is_ascii_digit);
    status_line(block).is_some()
        || line.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"HTTP/")) && has_version()
}

/// The status code in the first line that is not empty, and the bytes after that line; `None` if it is no status line.
fn status_line(block: &[u8]) -> Option<(u16, &[u8])> {
    let start = block.iter().take_while(|&&b| matches!(b, b'\r' | b'\n')).count();
    let block = block.get(start..)?;
    let (line, rest) = line(block).unwrap_or((block, &[]));
    let mut words = line.split(|b| b.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let protocol = words.next()?;
    let name = protocol.get(..5).unwrap_or(protocol);
    if !name.eq_ignore_ascii_case(b"HTTP/") && !protocol.eq_ignore_ascii_case(b"ICY") {
        return None;
    }
    // The reason may be missing, or the blank before it.
    let (code, reason) = words.next()?.split_at_checked(3)?;
    if !code.iter().all(u8::is_ascii_digit) || !reason.iter().all(u8::is_ascii_alphabetic) {
        return None;
    }
    let status: u16 = std::str::from_utf8(code).ok()?.parse().ok()?;
    (status >= 100).then_some((status, rest))
}

/// Adds the header in `line`, or joins a folded line to the header before it. Lines without a valid name are dropped.
fn add_header(headers: &mut Vec<(String, String)>, line: &[u8]) {
    if line.first().is_some_and(|b| matches!(b, b' ' | b'\t')) {
        if let Some((_, value)) = headers.last_mut() {
            if !value.is_empty() {
                value.push(' ');
            }
            value.push_str(&latin1(line.trim_ascii()));
        }
        return;
    }
    let Some((name, value)) = memchr(b':', line).and_then(|at| line.split_at_checked(at)) else { return };
    let name = name.trim_ascii();
    let valid = !name.is_empty() && name.iter().all(|b| b.is_ascii_graphic());
    if valid && headers.len() < MAX_HEADERS {
        headers.push((latin1(name), latin1(value.get(1..).unwrap_or_default().trim_ascii())));
    }
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&b| char::from(b)).collect()
}

/// The media type in a Content-Type value, in lower case: `Text/HTML; charset=x` gives `text/html`. It ends where browsers
/// end it, at white space as well, and may stand in quotes.
#[must_use]
pub fn media_type(content_type: &str) -> String {
    let value = content_type.trim_start().trim_start_matches(['"', '\'']);
    let end = value.find(|c: char| matches!(c, ';' | ',' | '(' | '"' | '\'') || c.is_ascii_whitespace());
    value.get(..end.unwrap_or(value.len())).unwrap_or_default().to_ascii_lowercase()
}

/// The first non-empty charset parameter of a Content-Type value, without quotes, as written.
#[must_use]
pub fn charset_param(content_type: &str) -> Option<&str> {
    content_type.split([';', ',']).skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']).trim();
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_lines() {
        for (block, status) in [
            ("HTTP/1.1 200 OK\r\n\r\n", Some(200)),
            ("HTTP/1.1 200\r\n\r\n", Some(200)),
            ("HTTP/2 301 \n\n", Some(301)),
            ("http/1.0 404 Not Found\n\n", Some(404)),
            ("ICY 200 OK\r\n\r\n", Some(200)),
            ("\r\nHTTP/1.1  200  OK\r\n\r\n", Some(200)),
            ("HTTP/1.1 200 OK", Some(200)),
            ("HTTP/1.1 200OK\r\n\r\n", Some(200)),
            ("HTTP/1.1 2000 OK\r\n\r\n", None),
            ("HTTP/1.1 200-1 OK\r\n\r\n", None),
            ("HTTP/1.1 20 OK\r\n\r\n", None),
            ("HTTP/1.1 099 OK\r\n\r\n", None),
            ("HTTP/1.1\r\n\r\n", None),
            ("<html>HTTP/1.1 200 OK", None),
            ("", None),
        ] {
            assert_eq!(parse_http(block.as_bytes()).status, status, "{block:?}");
        }
        assert_eq!(parse_http(b"<p>x").body, b"<p>x");
    }

    #[test]
    fn headers_and_body() {
        let http =
            parse_http(b"HTTP/1.1 200 OK\r\nA: 1\na : \xe9\r\ninvalid\r\nb c: 2\r\nX:\r\n folded\r\n\r\nbody\r\n\r\n");
        assert_eq!((http.get("a"), http.get_last("A"), http.get("x")), (Some("1"), Some("é"), Some("folded")));
        assert_eq!((http.headers.len(), http.body, http.complete), (3, &b"body\r\n\r\n"[..], true));
    }

    #[test]
    fn interim_responses_are_passed_over() {
        let last = "HTTP/1.1 200 OK\r\nA: 2\r\n\r\n<p>x";
        for (before, status, body) in [
            ("HTTP/1.1 100 Continue\r\n\r\n", 200, "<p>x"),
            ("HTTP/1.1 103 Early Hints\nA: 1\n\n", 200, "<p>x"),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n", 200, "<p>x"),
            ("HTTP/1.1 101 Switching Protocols\r\n\r\n", 101, last),
            ("HTTP/1.1 200 Connection established\r\n\r\n", 200, last),
        ] {
            let block = format!("{before}{last}");
            let http = parse_http(block.as_bytes());
            assert_eq!((http.status, http.body, http.complete), (Some(status), body.as_bytes(), true), "{before}");
            assert_eq!(http.get("A"), (body != last).then_some("2"), "{before}");
        }
        let http = parse_http(b"HTTP/1.1 100 Continue\r\n\r\n<p>x");
        assert_eq!((http.status, http.body), (Some(100), &b"<p>x"[..]));
        let http = parse_http(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: ");
        assert_eq!((http.status, http.body, http.complete), (Some(200), &b""[..], false));
    }

    #[test]
    fn cut_within_the_headers() {
        let http = parse_http(b"HTTP/1.1 200 OK\r\nA: 1\r\nContent-Ty");
        assert_eq!((http.status, http.headers.len(), http.body, http.complete), (Some(200), 1, &b""[..], false));
    }

    #[test]
    fn content_types() {
        for same in
            [" Text/HTML ; charset=x", "text/html charset=utf-8", "\"text/html\"", "text/html(x)", "text/html,text/css"]
        {
            assert_eq!(media_type(same), "text/html", "{same}");
        }
        assert_eq!(charset_param("text/html; a=b; Charset = \"utf-8\" "), Some("utf-8"));
        assert_eq!(charset_param("text/html; charset=; charset='koi8-r'"), Some("koi8-r"));
        assert_eq!(charset_param("text/html"), None);
    }
}
