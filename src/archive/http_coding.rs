//! Decodes the transfer and content codings of a stored HTTP body.
//!
//! Decoding never fails: bytes that cannot be decoded stay as they are and [`Body::faults`] says why; what was decoded
//! before a fault is kept. Only `Transfer-Encoding` and `Content-Encoding` are used: the `X-Crawler-*` headers of
//! Common Crawl name codings that were removed before the response was stored, and must never be applied.
//! Each coding gives at most [`Limits::payload_bytes`] bytes and [`Limits::expansion`] times its input.

mod fault;

use std::borrow::Cow;
use std::io::Read;

use flate2::{Decompress, FlushDecompress, Status};
use memchr::memchr;

pub use fault::BodyFault;

use super::cursor::ByteCursor;
use super::gzip_member::{Inflater, MemberState};
use super::http::HttpResponse;
use super::magic;
use super::sniff::{is_binary, sniff_html};
use super::zstd_frame::FrameDecoder;
use super::{DamageReason, Limits};

/// Output in bytes that a coding may always give, whatever the ratio.
const ALWAYS_ALLOWED: usize = 64 << 10;
/// A coding without magic number whose data prove invalid before this many bytes of output was probably not applied.
const PROBABLY_NOT_CODED: usize = 512;
/// Most codings that are decoded; real responses have one or two.
const MAX_CODINGS: usize = 8;
/// Bytes decompressed at a time.
const CHUNK: usize = 32 << 10;
/// Largest window of a zstd frame in an HTTP body, by RFC 9659.
const MAX_ZSTD_WINDOW: u64 = 8 << 20;

/// An HTTP body with its codings removed; made by [`decode_body`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body<'a> {
    /// The payload; borrowed if no coding was applied.
    pub bytes: Cow<'a, [u8]>,
    /// Problems met while decoding, in order.
    pub faults: Vec<BodyFault>,
}

/// Decodes the body of an HTTP response: its Transfer-Encoding, then its Content-Encoding, each list from right to
/// left.
///
/// gzip, deflate, brotli, zstd and chunked are supported; names are compared without regard to case.
///
/// ```
/// use warcorpus::archive::{Limits, decode_body, parse_http};
///
/// let block = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nHello\r\n0\r\n\r\n";
/// let body = decode_body(&parse_http(block), &Limits::default());
/// assert_eq!((&*body.bytes, body.faults.len()), (&b"Hello"[..], 0));
/// ```
#[must_use]
pub fn decode_body<'a>(http: &HttpResponse<'a>, limits: &Limits) -> Body<'a> {
    let mut body = Body { bytes: Cow::Borrowed(http.body), faults: Vec::new() };
    let transfer = codings(http, "Transfer-Encoding");
    let content = codings(http, "Content-Encoding");
    for coding in transfer.iter().rev().chain(content.iter().rev()).take(MAX_CODINGS) {
        if !body.remove_coding(coding, limits) {
            break;
        }
    }
    let html = matches!(http.media_type().as_deref(), Some("text/html" | "application/xhtml+xml"));
    if html && body.bytes.starts_with(&magic::GZIP_DEFLATE) && body.remove_coding("gzip", limits) {
        body.faults.push(BodyFault::DecodedTwice);
    }
    body
}

/// Content codings that exist and are not supported: those that IANA has registered, and some that servers use.
const UNSUPPORTED: [&str; 14] = [
    "compress",
    "x-compress",
    "exi",
    "pack200-gzip",
    "aes128gcm",
    "dcb",
    "dcz",
    "sdch",
    "aws-chunked",
    "lzma",
    "xz",
    "bzip2",
    "lz4",
    "snappy",
];

/// The codings that the headers of this name list, in order.
fn codings(http: &HttpResponse<'_>, name: &str) -> Vec<String> {
    let list = http.get_all(name).flat_map(|value| value.split(','));
    list.map(coding_name).filter(|coding| !coding.is_empty()).collect()
}

fn coding_name(coding: &str) -> String {
    super::http::media_type(coding).trim_matches(['"', '\'']).to_owned()
}

/// How the decoding of one content coding ended.
enum CodingEnd {
    Whole,
    /// Whole, and bytes follow that are no part of it.
    Trailed,
    Truncated,
    Broken,
    Limit,
    /// A frame asks for more memory than the coding allows; nothing of the body is used.
    WindowOverLimit,
    NotCoded,
}

impl Body<'_> {
    /// Removes one coding; false if that is impossible, so that the codings under it cannot be removed either.
    fn remove_coding(&mut self, coding: &str, limits: &Limits) -> bool {
        let ratio = self.bytes.len().saturating_mul(limits.expansion).max(ALWAYS_ALLOWED);
        let cap = limits.payload_bytes.min(ratio);
        let (name, (bytes, end)) = match coding {
            "identity" | "none" | "binary" | "8bit" => return true,
            "chunked" => return self.dechunk(),
            "gzip" | "x-gzip" => ("gzip", gunzip(&self.bytes, cap)),
            "deflate" | "x-deflate" => ("deflate", inflate(&self.bytes, cap)),
            "br" => ("br", unbrotli(&self.bytes, cap)),
            "zstd" => ("zstd", unzstd(&self.bytes, cap)),
            other => {
                // What is HTML is not coded, whatever the header says.
                let unsupported = UNSUPPORTED.into_iter().find(|known| *known == other);
                let unsupported = unsupported.filter(|_| !sniff_html(&self.bytes));
                // Servers put charsets, languages and media types there (`Content-Encoding: UTF-8`).
                self.faults.push(unsupported.map_or(BodyFault::NotCoded("unknown"), BodyFault::UnsupportedCoding));
                return unsupported.is_none();
            }
        };
        if matches!(end, CodingEnd::WindowOverLimit) {
            self.faults.push(BodyFault::WindowOverLimit);
            return false;
        }
        self.faults.extend(match end {
            CodingEnd::Whole | CodingEnd::WindowOverLimit => None,
            CodingEnd::Trailed => Some(BodyFault::TrailingBytes(name)),
            CodingEnd::Truncated => Some(BodyFault::CodingTruncated(name)),
            CodingEnd::Broken => Some(BodyFault::CodingBroken(name)),
            CodingEnd::Limit => Some(BodyFault::OutputLimit),
            CodingEnd::NotCoded if self.bytes.is_empty() => None,
            CodingEnd::NotCoded => Some(BodyFault::NotCoded(name)),
        });
        // Data that give nothing stay as they are: a page without text is another thing.
        let lost =
            bytes.is_empty() && !self.bytes.is_empty() && matches!(end, CodingEnd::Truncated | CodingEnd::Broken);
        if lost {
            self.faults.push(BodyFault::NothingDecoded(name));
        } else if !matches!(end, CodingEnd::NotCoded) {
            self.bytes = Cow::Owned(bytes);
        }
        !lost
    }

    /// Removes the chunked coding; a body that is not chunked stays as it is.
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

/// Joins the chunks of a body; `None` if it is not chunked.
fn dechunk(body: &[u8]) -> (Option<Vec<u8>>, Option<BodyFault>) {
    let first = chunk_size(body).filter(|&(size, rest)| is_chunk(body, size, rest));
    let Some((mut size, mut rest)) = first else { return (None, Some(BodyFault::NotChunked)) };
    let mut out = Vec::new();
    while size > 0 {
        let Some((chunk, after)) = rest.split_at_checked(size) else {
            out.extend_from_slice(rest);
            return (Some(out), Some(BodyFault::MissingLastChunk));
        };
        out.extend_from_slice(chunk);
        let after = after.strip_prefix(b"\r").unwrap_or(after);
        let after = after.strip_prefix(b"\n").unwrap_or(after);
        match chunk_size(after) {
            Some(next) => (size, rest) = next,
            None if after.trim_ascii().is_empty() => return (Some(out), Some(BodyFault::MissingLastChunk)),
            None => return (Some(out), Some(BodyFault::BadChunk)),
        }
    }
    (Some(out), None)
}

/// Bytes of the first chunk by which it is seen whether it is text.
const SEEN_OF_CHUNK: usize = 128;

/// Whether a body whose first line is the number `size`, with `rest` after it, is chunked and not a text that begins with a
/// number: a line end follows the chunk, or trailer fields or another response do if it is empty. Of a chunk that is cut off,
/// the size must have the line end of HTTP. Servers miscount: what is no text (a content coding), or ends as chunks do, is
/// chunked all the same.
fn is_chunk(body: &[u8], size: usize, rest: &[u8]) -> bool {
    if size == 0 {
        let line = rest.trim_ascii_start().split(|&b| b == b'\n').next().unwrap_or_default();
        return line.is_empty() || line.starts_with(b"HTTP/") || is_field(line);
    }
    let is_control = |b: &u8| b.is_ascii_control() && !matches!(b, b'\t' | b'\n' | b'\r' | b'\x0c' | b'\x1b');
    if rest.get(..SEEN_OF_CHUNK).unwrap_or(rest).iter().any(is_control) || body.trim_ascii_end().ends_with(b"\n0") {
        return true;
    }
    match rest.get(size..) {
        Some(after) => after.first().is_none_or(|b| matches!(b, b'\r' | b'\n')),
        None => memchr(b'\n', body).and_then(|end| body.get(..end)).is_none_or(|line| line.ends_with(b"\r")),
    }
}

/// Whether a line is a header field: a name without blanks, and a colon.
fn is_field(line: &[u8]) -> bool {
    let name = memchr(b':', line).and_then(|colon| line.get(..colon)).unwrap_or_default();
    !name.is_empty() && name.iter().all(u8::is_ascii_graphic)
}

/// The size in the first line of a chunk (hexadecimal, extensions ignored) and the bytes after that line. The last line
/// of a body needs no line end.
fn chunk_size(data: &[u8]) -> Option<(usize, &[u8])> {
    let end = memchr(b'\n', data).unwrap_or(data.len());
    let (line, rest) = data.split_at_checked(end)?;
    let size = line.split(|&b| b == b';').next()?.trim_ascii();
    let digits = std::str::from_utf8(size).ok().filter(|d| !d.is_empty() && !d.starts_with('+'))?;
    // A size beyond usize is a number all the same; the chunk is then cut off.
    let valid = digits.len() <= 64 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    valid.then(|| (usize::from_str_radix(digits, 16).unwrap_or(usize::MAX), rest.get(1..).unwrap_or_default()))
}

/// Decodes all members of a gzip body, to at most `cap` bytes.
fn gunzip(body: &[u8], cap: usize) -> (Vec<u8>, CodingEnd) {
    let mut cursor = ByteCursor::new(&body, 0);
    let mut inflater = Inflater::new();
    let mut out = Vec::new();
    loop {
        let at = cursor.position();
        if !matches!(inflater.begin(&mut cursor), Ok(true)) {
            return (out, end_before(rest(body, at), &magic::GZIP_DEFLATE, at > 0));
        }
        while inflater.state() == MemberState::Reading {
            if inflater.decode_next(&mut cursor, &mut out).is_err() {
                return (out, CodingEnd::Broken);
            }
            if out.len() > cap {
                out.truncate(cap);
                return (out, CodingEnd::Limit);
            }
        }
        match inflater.state() {
            MemberState::Whole if cursor.position() >= body.len() as u64 => return (out, CodingEnd::Whole),
            MemberState::Whole => {}
            MemberState::Damaged(DamageReason::Truncated) => return (out, CodingEnd::Truncated),
            _ => return (out, CodingEnd::Broken),
        }
    }
}

fn rest(body: &[u8], at: u64) -> &[u8] {
    usize::try_from(at).ok().and_then(|at| body.get(at..)).unwrap_or_default()
}

/// How a coding ends before bytes in which no member or frame begins.
fn end_before(rest: &[u8], magic: &[u8], started: bool) -> CodingEnd {
    match rest.starts_with(magic) {
        true => CodingEnd::Truncated,
        false if started => CodingEnd::Trailed,
        false => CodingEnd::NotCoded,
    }
}

/// Decodes zlib, or raw deflate if the body is not zlib: servers send both under the name `deflate`.
fn inflate(body: &[u8], cap: usize) -> (Vec<u8>, CodingEnd) {
    if let [first, second, ..] = *body
        && first & 0x0f == 8
        && u16::from_be_bytes([first, second]) % 31 == 0
    {
        let (out, end) = inflate_with(Decompress::new(true), body, cap);
        if !out.is_empty() || !matches!(end, CodingEnd::Broken) {
            return (out, end);
        }
    }
    unless_not_coded(body, inflate_with(Decompress::new(false), body, cap))
}

fn inflate_with(mut inflate: Decompress, body: &[u8], cap: usize) -> (Vec<u8>, CodingEnd) {
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
            return (out, CodingEnd::Limit);
        }
        match status {
            Ok(Status::StreamEnd) if inflate.total_in() < body.len() as u64 => return (out, CodingEnd::Trailed),
            Ok(Status::StreamEnd) => return (out, CodingEnd::Whole),
            Err(_) => return (out, CodingEnd::Broken),
            Ok(_) if written == 0 && inflate.total_in() == read as u64 => return (out, CodingEnd::Truncated),
            Ok(_) => {}
        }
    }
}

/// The seven bits with which a stream of "large window brotli" begins. In RFC 7932, which HTTP means, they are invalid;
/// the decoder would make a window of up to 1 GiB.
const LARGE_WINDOW: u8 = 0x11;

fn unbrotli(body: &[u8], cap: usize) -> (Vec<u8>, CodingEnd) {
    if body.first().is_some_and(|first| first & 0x7f == LARGE_WINDOW) {
        return (Vec::new(), CodingEnd::NotCoded);
    }
    let mut decoder = brotli_decompressor::Decompressor::new(body, 4096);
    let mut out = Vec::new();
    let mut chunk = vec![0; CHUNK];
    let end = loop {
        match decoder.read(&mut chunk) {
            Ok(0) => break CodingEnd::Whole,
            Ok(n) => out.extend_from_slice(chunk.get(..n).unwrap_or_default()),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => break CodingEnd::Truncated,
            Err(_) => break CodingEnd::Broken,
        }
        if out.len() > cap {
            out.truncate(cap);
            break CodingEnd::Limit;
        }
    };
    unless_not_coded(body, (out, end))
}

/// Decodes all frames of a zstd body (RFC 8878), to at most `cap` bytes. Skippable frames are left out; dictionaries
/// are not part of this coding.
fn unzstd(body: &[u8], cap: usize) -> (Vec<u8>, CodingEnd) {
    let mut out = Vec::new();
    let Ok(mut frames) = FrameDecoder::without_dictionaries(&body, MAX_ZSTD_WINDOW) else {
        return (out, CodingEnd::Broken);
    };
    let mut cursor = ByteCursor::new(&body, 0);
    let mut started = false;
    loop {
        while let Ok(Some(frame)) = frames.skippable(cursor.position()) {
            cursor.seek(frame.end);
            started = true;
        }
        if started && cursor.position() >= body.len() as u64 {
            return (out, CodingEnd::Whole);
        }
        let at = cursor.position();
        match frames.begin(&mut cursor) {
            Ok(true) => started = true,
            Ok(false) => return (out, end_before(rest(body, at), &magic::ZSTD, started)),
            Err(_) => return (out, CodingEnd::Broken),
        }
        while frames.state() == MemberState::Reading {
            if frames.decode_next(&mut cursor, &mut out).is_err() {
                return (out, CodingEnd::Broken);
            }
            if out.len() > cap {
                out.truncate(cap);
                return (out, CodingEnd::Limit);
            }
        }
        match frames.state() {
            MemberState::Whole => {}
            MemberState::Damaged(DamageReason::Truncated) => return (out, CodingEnd::Truncated),
            MemberState::Damaged(DamageReason::WindowOverLimit) => return (out, CodingEnd::WindowOverLimit),
            _ => return (out, CodingEnd::Broken),
        }
    }
}

/// For codings without magic number: text that proves invalid at once was never coded, nor was what has another coding.
fn unless_not_coded(body: &[u8], (out, end): (Vec<u8>, CodingEnd)) -> (Vec<u8>, CodingEnd) {
    let is_other = body.starts_with(&magic::GZIP_DEFLATE) || body.starts_with(&magic::ZSTD) || !is_binary(body);
    match end {
        CodingEnd::Broken | CodingEnd::Truncated if out.len() < PROBABLY_NOT_CODED && is_other => {
            (out, CodingEnd::NotCoded)
        }
        end => (out, end),
    }
}

#[cfg(test)]
mod tests;
