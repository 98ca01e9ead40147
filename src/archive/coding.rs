//! Undoes transfer and content coding of a stored HTTP body.
//!
//! Contract: never fails; what cannot be undone stays as it is and is named in [`Body::faults`], what was undone
//! before a fault is kept. Only `Transfer-Encoding` and `Content-Encoding` themselves count: Common Crawl's
//! `X-Crawler-*` headers tell what was undone before storing and must never be applied.
//! Bounds: each coding yields at most [`Limits::max_output`] bytes and [`Limits::max_ratio`] times its input.

use std::borrow::Cow;
use std::io::Read;

use flate2::{Decompress, FlushDecompress, Status};
use memchr::memchr;

use super::frame::Frames;
use super::http::Http;
use super::member::{Inflater, State};
use super::source::Source;
use super::{DamageReason, Limits};

/// Output that any coding may produce, whatever the ratio.
const ALWAYS_ALLOWED: usize = 64 << 10;
/// A coding without magic that breaks before this much output was probably never applied.
const PROBABLY_NOT_CODED: usize = 512;
/// Codings undone in all; real responses have one or two.
const MAX_CODINGS: usize = 8;
const CHUNK: usize = 32 << 10;
/// Largest window of a zstd frame in an HTTP body, by RFC 9659.
const MAX_ZSTD_WINDOW: u64 = 8 << 20;

/// A decoded body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body<'a> {
    /// The payload, borrowed if there was nothing to undo.
    pub bytes: Cow<'a, [u8]>,
    /// What went wrong, in order.
    pub faults: Vec<Fault>,
}

/// What went wrong in decoding a body.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Chunked was declared but the body does not start with a chunk size: used as it is.
    NotChunked,
    /// A later chunk size is no number: what came before is kept.
    BadChunk,
    /// The chunks break off without the last one: kept.
    MissingLastChunk,
    /// A content coding was declared but not applied: used as it is.
    NotCoded(&'static str),
    /// The coded bytes break off: the prefix is kept.
    CodingTruncated(&'static str),
    /// The coded bytes are broken or fail their checksum: the prefix is kept.
    CodingBroken(&'static str),
    /// A coding this build does not know: the body stays coded.
    UnsupportedCoding(String),
    /// A zstd frame asks for a window above 8 MiB, which RFC 9659 forbids in HTTP: the body stays coded.
    WindowOverLimit,
    /// More output than allowed: the prefix is kept.
    OutputLimit,
    /// An HTML body was still gzip after decoding: decoded once more.
    DecodedTwice,
}

impl Fault {
    /// Stable name for reports, snake_case.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotChunked => "not_chunked",
            Self::BadChunk => "bad_chunk",
            Self::MissingLastChunk => "missing_last_chunk",
            Self::NotCoded(_) => "not_coded",
            Self::CodingTruncated(_) => "coding_truncated",
            Self::CodingBroken(_) => "coding_broken",
            Self::UnsupportedCoding(_) => "unsupported_coding",
            Self::WindowOverLimit => "window_over_limit",
            Self::OutputLimit => "output_limit",
            Self::DecodedTwice => "decoded_twice",
        }
    }

    /// Whether the body could not be decoded at all: its bytes are still coded and must not be read as text.
    #[must_use]
    pub fn is_still_coded(&self) -> bool {
        matches!(self, Self::UnsupportedCoding(_) | Self::WindowOverLimit)
    }

    /// Whether the payload may lack bytes, or is still coded.
    #[must_use]
    pub fn loses_bytes(&self) -> bool {
        !matches!(self, Self::NotChunked | Self::NotCoded(_) | Self::DecodedTwice)
    }
}

/// Undoes Transfer-Encoding, then Content-Encoding, each list from right to left.
#[must_use]
pub fn decode_body<'a>(http: &Http<'a>, limits: &Limits) -> Body<'a> {
    let mut body = Body { bytes: Cow::Borrowed(http.body), faults: Vec::new() };
    let transfer = codings(http, "Transfer-Encoding");
    let content = codings(http, "Content-Encoding");
    for coding in transfer.iter().rev().chain(content.iter().rev()).take(MAX_CODINGS) {
        if !body.undo(coding, limits) {
            break;
        }
    }
    let html = matches!(http.media_type().as_deref(), Some("text/html" | "application/xhtml+xml"));
    if html && body.bytes.starts_with(b"\x1f\x8b\x08") && body.undo("gzip", limits) {
        body.faults.push(Fault::DecodedTwice);
    }
    body
}

fn codings(http: &Http<'_>, name: &str) -> Vec<String> {
    let list = http.get_all(name).flat_map(|value| value.split(','));
    list.map(media_name).filter(|coding| !coding.is_empty()).collect()
}

fn media_name(coding: &str) -> String {
    super::http::media_type(coding).trim_matches(['"', '\'']).to_owned()
}

/// How a decoder ended.
enum End {
    Whole,
    Truncated,
    Broken,
    Limit,
    /// A frame asks for more memory than the coding allows; nothing of the body is used.
    WindowOverLimit,
    NotCoded,
}

impl Body<'_> {
    /// Undoes one coding; false if it is unknown and the ones below it are out of reach.
    fn undo(&mut self, coding: &str, limits: &Limits) -> bool {
        let ratio = self.bytes.len().saturating_mul(limits.max_ratio).max(ALWAYS_ALLOWED);
        let cap = limits.max_output.min(ratio);
        let (name, (bytes, end)) = match coding {
            "identity" | "none" | "binary" | "8bit" => return true,
            "chunked" => return self.dechunk(),
            "gzip" | "x-gzip" => ("gzip", gunzip(&self.bytes, cap)),
            "deflate" => ("deflate", inflate(&self.bytes, cap)),
            "br" => ("br", unbrotli(&self.bytes, cap)),
            "zstd" => ("zstd", unzstd(&self.bytes, cap)),
            unknown => {
                let name: String = unknown.chars().take(32).collect();
                self.faults.push(Fault::UnsupportedCoding(name));
                return false;
            }
        };
        if matches!(end, End::WindowOverLimit) {
            self.faults.push(Fault::WindowOverLimit);
            return false;
        }
        self.faults.extend(match end {
            End::Whole | End::WindowOverLimit => None,
            End::Truncated => Some(Fault::CodingTruncated(name)),
            End::Broken => Some(Fault::CodingBroken(name)),
            End::Limit => Some(Fault::OutputLimit),
            End::NotCoded if self.bytes.is_empty() => None,
            End::NotCoded => Some(Fault::NotCoded(name)),
        });
        if !matches!(end, End::NotCoded) {
            self.bytes = Cow::Owned(bytes);
        }
        true
    }

    fn dechunk(&mut self) -> bool {
        if self.bytes.is_empty() {
            return true;
        }
        let (bytes, fault) = dechunk(&self.bytes);
        self.faults.extend(fault);
        if let Some(bytes) = bytes {
            self.bytes = Cow::Owned(bytes);
        }
        true
    }
}

/// Joins the chunks; `None` if the body is not chunked at all.
fn dechunk(body: &[u8]) -> (Option<Vec<u8>>, Option<Fault>) {
    let Some((mut size, mut rest)) = chunk_size(body) else { return (None, Some(Fault::NotChunked)) };
    let mut out = Vec::new();
    while size > 0 {
        let Some((chunk, after)) = rest.split_at_checked(size) else {
            out.extend_from_slice(rest);
            return (Some(out), Some(Fault::MissingLastChunk));
        };
        out.extend_from_slice(chunk);
        let after = after.strip_prefix(b"\r").unwrap_or(after);
        let after = after.strip_prefix(b"\n").unwrap_or(after);
        match chunk_size(after) {
            Some(next) => (size, rest) = next,
            None if after.trim_ascii().is_empty() => return (Some(out), Some(Fault::MissingLastChunk)),
            None => return (Some(out), Some(Fault::BadChunk)),
        }
    }
    (Some(out), None)
}

/// The size line of a chunk (hexadecimal, extensions ignored) and what follows it. The last line of a body needs no
/// line end.
fn chunk_size(data: &[u8]) -> Option<(usize, &[u8])> {
    let end = memchr(b'\n', data).unwrap_or(data.len());
    let (line, rest) = data.split_at_checked(end)?;
    let size = line.split(|&b| b == b';').next()?.trim_ascii();
    let digits = std::str::from_utf8(size).ok().filter(|d| !d.is_empty() && !d.starts_with('+'))?;
    // A size beyond usize is a number all the same; the chunk then breaks off.
    let valid = digits.len() <= 64 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    valid.then(|| (usize::from_str_radix(digits, 16).unwrap_or(usize::MAX), rest.get(1..).unwrap_or_default()))
}

/// All members of a gzip body.
fn gunzip(body: &[u8], cap: usize) -> (Vec<u8>, End) {
    let mut source = Source::new(&body, 0);
    let mut inflater = Inflater::new();
    let mut out = Vec::new();
    if !body.starts_with(b"\x1f\x8b") {
        return (out, End::NotCoded);
    }
    while let Ok(true) = inflater.begin(&mut source) {
        while inflater.state() == State::Reading {
            if inflater.feed(&mut source, &mut out).is_err() {
                return (out, End::Broken);
            }
            if out.len() > cap {
                out.truncate(cap);
                return (out, End::Limit);
            }
        }
        match inflater.state() {
            State::Whole if source.position() >= body.len() as u64 => return (out, End::Whole),
            State::Whole => {}
            State::Damaged(DamageReason::Truncated) => return (out, End::Truncated),
            _ => return (out, End::Broken),
        }
    }
    // No member (any more): a header cut short, or something else behind the last member.
    let end = if out.is_empty() { End::NotCoded } else { End::Broken };
    (out, end)
}

/// zlib, and where that does not fit, raw deflate: servers send both under this name.
fn inflate(body: &[u8], cap: usize) -> (Vec<u8>, End) {
    if let [first, second, ..] = *body
        && first & 0x0f == 8
        && u16::from_be_bytes([first, second]) % 31 == 0
    {
        let (out, end) = inflate_with(Decompress::new(true), body, cap);
        if !out.is_empty() || matches!(end, End::Whole | End::Truncated) {
            return (out, end);
        }
    }
    doubt(inflate_with(Decompress::new(false), body, cap))
}

fn inflate_with(mut inflate: Decompress, body: &[u8], cap: usize) -> (Vec<u8>, End) {
    let mut out = Vec::new();
    loop {
        let before = out.len();
        out.resize(before + CHUNK, 0);
        let read = usize::try_from(inflate.total_in()).unwrap_or(usize::MAX);
        let input = body.get(read..).unwrap_or_default();
        let total_out = inflate.total_out();
        let room = out.get_mut(before..).unwrap_or_default();
        let status = inflate.decompress(input, room, FlushDecompress::None);
        let written = (inflate.total_out() - total_out) as usize;
        out.truncate(before + written);
        if out.len() > cap {
            out.truncate(cap);
            return (out, End::Limit);
        }
        match status {
            Ok(Status::StreamEnd) => return (out, End::Whole),
            Err(_) => return (out, End::Broken),
            Ok(_) if written == 0 && inflate.total_in() == read as u64 => return (out, End::Truncated),
            Ok(_) => {}
        }
    }
}

fn unbrotli(body: &[u8], cap: usize) -> (Vec<u8>, End) {
    let mut decoder = brotli_decompressor::Decompressor::new(body, 4096);
    let mut out = Vec::new();
    let mut chunk = vec![0; CHUNK];
    let end = loop {
        match decoder.read(&mut chunk) {
            Ok(0) => break End::Whole,
            Ok(n) => out.extend_from_slice(chunk.get(..n).unwrap_or_default()),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => break End::Truncated,
            Err(_) => break End::Broken,
        }
        if out.len() > cap {
            out.truncate(cap);
            break End::Limit;
        }
    };
    doubt((out, end))
}

/// All frames of a zstd body (RFC 8878), skippable frames left out. Dictionaries are not part of this coding.
fn unzstd(body: &[u8], cap: usize) -> (Vec<u8>, End) {
    let mut out = Vec::new();
    let Ok(mut frames) = Frames::without_dictionaries(&body, MAX_ZSTD_WINDOW) else { return (out, End::Broken) };
    let mut source = Source::new(&body, 0);
    let mut started = false;
    loop {
        while let Ok(Some(frame)) = frames.skippable(source.position()) {
            source.seek(frame.end);
            started = true;
        }
        if started && source.position() >= body.len() as u64 {
            return (out, End::Whole);
        }
        match frames.begin(&mut source) {
            Ok(true) => started = true,
            Ok(false) => return (out, if started { End::Broken } else { End::NotCoded }),
            Err(_) => return (out, End::Broken),
        }
        while frames.state() == State::Reading {
            if frames.feed(&mut source, &mut out).is_err() {
                return (out, End::Broken);
            }
            if out.len() > cap {
                out.truncate(cap);
                return (out, End::Limit);
            }
        }
        match frames.state() {
            State::Whole => {}
            State::Damaged(DamageReason::Truncated) => return (out, End::Truncated),
            State::Damaged(DamageReason::WindowOverLimit) => return (out, End::WindowOverLimit),
            _ => return (out, End::Broken),
        }
    }
}

/// These codings have no magic: one that breaks at once was never applied.
fn doubt((out, end): (Vec<u8>, End)) -> (Vec<u8>, End) {
    match end {
        End::Broken | End::Truncated if out.len() < PROBABLY_NOT_CODED => (out, End::NotCoded),
        end => (out, end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::parse;
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use proptest::prelude::*;
    use std::io::Write;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    /// One frame with a checksum and without a content size, as a server that compresses while it sends writes it.
    fn zstd(text: &[u8], level: i32) -> Vec<u8> {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), level).unwrap();
        encoder.include_checksum(true).unwrap();
        encoder.include_contentsize(false).unwrap();
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    /// A frame with this header after the magic number and one raw block, the last one.
    fn frame(header: &[u8], block: &[u8]) -> Vec<u8> {
        let size = (block.len() as u32) << 3 | 1;
        [b"\x28\xb5\x2f\xfd", header, &size.to_le_bytes()[..3], block].concat()
    }

    /// Payload and fault names of a body under these headers (`;` between them).
    fn decode(headers: &str, body: &[u8]) -> (Vec<u8>, Vec<&'static str>) {
        let head: String = headers.split(';').map(|header| format!("{header}\r\n")).collect();
        let block = [b"HTTP/1.1 200 OK\r\n", head.as_bytes(), b"\r\n", body].concat();
        let body = decode_body(&parse(&block), &Limits::default());
        (body.bytes.to_vec(), body.faults.iter().map(Fault::name).collect())
    }

    fn is(text: &[u8], faults: &[&'static str]) -> (Vec<u8>, Vec<&'static str>) {
        (text.to_vec(), faults.to_vec())
    }

    /// Enough of a page that a broken end leaves a prefix.
    fn page() -> Vec<u8> {
        (0..3000).flat_map(|n: u32| format!("<p>{}</p>\n", n.wrapping_mul(2_654_435_761)).into_bytes()).collect()
    }

    #[test]
    fn chunked() {
        let te = "Transfer-Encoding: chunked";
        assert_eq!(decode(te, b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"), is(b"abcde", &[]));
        assert_eq!(decode(te, b"3\nabc\n0\n\n"), is(b"abc", &[]));
        assert_eq!(decode(te, b"0005 \r\nabcde\r\n0"), is(b"abcde", &[]));
        assert_eq!(decode(te, b"<html>"), is(b"<html>", &["not_chunked"]));
        assert_eq!(decode(te, b""), is(b"", &[]));
        assert_eq!(decode(te, b"3\r\nabc\r\nzz\r\nde"), is(b"abc", &["bad_chunk"]));
        assert_eq!(decode(te, b"3\r\nabc\r\n"), is(b"abc", &["missing_last_chunk"]));
        assert_eq!(decode(te, b"9\r\nabc"), is(b"abc", &["missing_last_chunk"]));
        assert_eq!(decode(te, b"ffffffffffffffffffff\r\nabc"), is(b"abc", &["missing_last_chunk"]));
    }

    #[test]
    fn content_codings() {
        let text = page();
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
        zlib.write_all(&text).unwrap();
        let mut raw = DeflateEncoder::new(Vec::new(), Compression::default());
        raw.write_all(&text).unwrap();
        let (zlib, raw, gz) = (zlib.finish().unwrap(), raw.finish().unwrap(), gzip(&text));
        for (coding, body) in
            [("gzip", &gz), ("X-GZIP", &gz), ("deflate", &zlib), ("deflate", &raw), ("identity", &text)]
        {
            assert_eq!(decode(&format!("Content-Encoding: {coding}"), body), is(&text, &[]), "{coding}");
        }
        for (body, fault) in [(&zlib, "coding_truncated"), (&raw, "coding_truncated")] {
            let (prefix, faults) = decode("Content-Encoding: deflate", &body[..body.len() / 2]);
            assert!(text.starts_with(&prefix) && prefix.len() > 5000, "{}", prefix.len());
            assert_eq!(faults, [fault]);
        }
        for coding in ["gzip", "deflate", "br", "zstd"] {
            assert_eq!(decode(&format!("Content-Encoding: {coding}"), &text), is(&text, &["not_coded"]), "{coding}");
            assert_eq!(decode(&format!("Content-Encoding: {coding}"), b""), is(b"", &[]), "{coding}");
        }
    }

    #[test]
    fn lists_and_unknown_codings() {
        let twice = gzip(&gzip(b"text"));
        assert_eq!(decode("Content-Encoding: gzip, gzip", &twice), is(b"text", &[]));
        assert_eq!(decode("Content-Encoding: gzip;Content-Encoding: gzip", &twice), is(b"text", &[]));
        assert_eq!(decode("Content-Encoding: compress, gzip", &gzip(b"x")), is(b"x", &["unsupported_coding"]));
        assert_eq!(decode("Content-Encoding: gzip, compress", b"x"), is(b"x", &["unsupported_coding"]));
        assert_eq!(decode("Content-Encoding: zstd, gzip", &gzip(&zstd(b"x", 3))), is(b"x", &[]));
        assert_eq!(decode("Transfer-Encoding: gzip, chunked", b"3\r\nabc\r\n0\r\n"), is(b"abc", &["not_coded"]));
    }

    #[test]
    fn broken_gzip_keeps_the_prefix() {
        let text = page();
        let gz = gzip(&text);
        let (prefix, faults) = decode("Content-Encoding: gzip", &gz[..gz.len() / 2]);
        assert!(text.starts_with(&prefix) && prefix.len() > 5000);
        assert_eq!(faults, ["coding_truncated"]);
        let mut wrong = gz.clone();
        let at = gz.len() - 8;
        wrong[at] ^= 1;
        assert_eq!(decode("Content-Encoding: gzip", &wrong), is(&text, &["coding_broken"]));
        assert_eq!(decode("Content-Encoding: gzip", &[gz, b"tail".to_vec()].concat()), is(&text, &["coding_broken"]));
    }

    #[test]
    fn zstd_frames() {
        let text = page().repeat(9);
        let frame_of = |text: &[u8]| zstd(text, 3);
        let skippable = b"\x50\x2a\x4d\x18\x03\0\0\0abc".to_vec();
        let (first, second) = text.split_at(text.len() / 3);
        let joined = [skippable.clone(), frame_of(first), skippable, frame_of(second), frame_of(b"")].concat();
        for (coding, body) in [("zstd", &frame_of(&text)), ("ZStd", &frame_of(&text)), ("zstd", &joined)] {
            assert_eq!(decode(&format!("Content-Encoding: {coding}"), body), is(&text, &[]), "{coding}");
        }
    }

    #[test]
    fn broken_zstd_keeps_the_prefix() {
        let text = page().repeat(9);
        let body = zstd(&text, 3);
        let (prefix, faults) = decode("Content-Encoding: zstd", &body[..body.len() / 2]);
        assert!(text.starts_with(&prefix) && prefix.len() > 100_000 && prefix.len() < text.len(), "{}", prefix.len());
        assert_eq!(faults, ["coding_truncated"]);
        assert_eq!(decode("Content-Encoding: zstd", &body[..body.len() - 2]), is(&text, &["coding_truncated"]));
        let mut wrong = body.clone();
        *wrong.last_mut().unwrap() ^= 1;
        assert_eq!(decode("Content-Encoding: zstd", &wrong), is(&text, &["coding_broken"]));
        let tail = [body, b"tail".to_vec()].concat();
        assert_eq!(decode("Content-Encoding: zstd", &tail), is(&text, &["coding_broken"]));
        // A frame that names dictionary 7.
        assert_eq!(decode("Content-Encoding: zstd", &frame(&[1, 0, 7], b"text")), is(b"", &["coding_broken"]));
    }

    #[test]
    fn zstd_windows_above_the_limit_are_refused() {
        // Descriptors of the window: 8 MiB, one step more, 128 MiB.
        assert_eq!(decode("Content-Encoding: zstd", &frame(&[0, 0x68], b"text")), is(b"text", &[]));
        for window in [0x69, 0x88] {
            let body = frame(&[0, window], b"text");
            assert_eq!(decode("Content-Encoding: gzip, zstd", &body), is(&body, &["window_over_limit"]), "{window:x}");
            let second = [frame(&[0, 0x68], b"text"), body].concat();
            assert_eq!(decode("Content-Encoding: zstd", &second), is(&second, &["window_over_limit"]), "{window:x}");
        }
        // In a frame of one segment the window is as large as the content: 9 MiB.
        let body = frame(&[0xa0, 0, 0, 0x90, 0], b"text");
        assert_eq!(decode("Content-Encoding: zstd", &body), is(&body, &["window_over_limit"]));
    }

    #[test]
    fn html_that_is_still_gzip() {
        let html = "Content-Type: text/html, charset=x;Content-Encoding: gzip";
        assert_eq!(decode(html, &gzip(&gzip(b"<p>"))), is(b"<p>", &["decoded_twice"]));
        let file = "Content-Type: application/gzip;Content-Encoding: gzip";
        assert_eq!(decode(file, &gzip(&gzip(b"<p>"))), is(&gzip(b"<p>"), &[]));
    }

    #[test]
    fn renamed_headers_are_not_applied() {
        let headers = "X-Crawler-Content-Encoding: gzip;X-Crawler-transfer-encoding: chunked";
        assert_eq!(decode(headers, b"3\r\nabc"), is(b"3\r\nabc", &[]));
    }

    #[test]
    fn bounds() {
        let text = vec![b'a'; 1 << 20];
        for (coding, body) in [("gzip", gzip(&text)), ("zstd", zstd(&text, 3))] {
            let block = [format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n\r\n").as_bytes(), &body].concat();
            let enough = text.len() / body.len() + 1;
            for (max_output, max_ratio, kept) in
                [(1000, enough, 1000), (1 << 20, 1, 64 << 10), (1 << 20, enough, 1 << 20)]
            {
                let limits = Limits { max_output, max_ratio, ..Limits::default() };
                let body = decode_body(&parse(&block), &limits);
                assert_eq!(body.bytes.len(), kept, "{coding}");
                assert_eq!(body.faults.contains(&Fault::OutputLimit), kept < 1 << 20, "{coding}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn arbitrary_bodies_end(coding in "(gzip|deflate|br|chunked|, |zstd){0,4}", body in prop::collection::vec(any::<u8>(), 0..400)) {
            let gz = [b"\x1f\x8b\x08\x00\0\0\0\0\0\0", body.as_slice()].concat();
            for body in [body.as_slice(), &gz] {
                let head = format!("HTTP/1.1 200\nTransfer-Encoding: {coding}\nContent-Encoding: {coding}\n\n");
                let block = [head.as_bytes(), body].concat();
                let limits = Limits { max_output: 1000, ..Limits::default() };
                let decoded = decode_body(&parse(&block), &limits);
                prop_assert!(decoded.bytes.len() <= 1000);
            }
        }

        #[test]
        fn arbitrary_blocks_parse(block in prop::collection::vec(any::<u8>(), 0..300)) {
            let block = [b"HTTP/1.1 200\n".as_slice(), &block].concat();
            let http = parse(&block);
            prop_assert!(http.status == Some(200) && block.ends_with(http.body));
        }
    }
}
