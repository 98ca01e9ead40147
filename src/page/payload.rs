//! Which records are pages, and of which bytes: record → payload, or the reason why not.
//!
//! Accepted are records that a browser would have shown as a page: responses with status 200 whose payload is HTML,
//! XHTML or plain text, HTML resources, and WET conversions. Every other record is rejected with a reason that is
//! counted under that name.

use std::borrow::Cow;

use jiff::Timestamp;
use sha1::{Digest, Sha1};

use super::charset::{self, Decoded, Undecodable};
use super::url;
use crate::archive::{self, Limits, Record};
use crate::text::mojibake::Mojibake;

/// Which payloads are accepted, and how much of one is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether `text/plain` responses and WET conversion records are accepted beside HTML. Default: true.
    pub plain_text: bool,
    /// Bounds on the payload after its content coding is undone; the rest is cut off and the payload marked as
    /// truncated.
    pub limits: Limits,
    /// What is done about text that was encoded twice. Default: it is repaired.
    pub mojibake: Mojibake,
}

impl Default for Options {
    fn default() -> Options {
        Options { plain_text: true, limits: Limits::default(), mojibake: Mojibake::default() }
    }
}

/// How a payload is cut into blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// HTML or XHTML, read by its markup.
    Html,
    /// Plain text as a server sent it, read by its blank lines.
    Text,
    /// Plain text that Common Crawl extracted from a page (WET): every line is a paragraph.
    Wet,
}

/// A payload that may be a page, with transfer and content coding undone, and what its headers say about it.
#[derive(Debug, Clone)]
pub struct Payload<'a> {
    /// The bytes of the page in its own character encoding.
    pub bytes: Cow<'a, [u8]>,
    /// How the payload is cut into blocks.
    pub media: Media,
    /// HTTP status code; None for records that are no HTTP responses.
    pub status: Option<u16>,
    /// Media type that decided [`Payload::media`], in lower case, without parameters.
    pub content_type: String,
    /// `charset` parameter of the Content-Type header.
    pub charset: Option<String>,
    /// Value of the Content-Language header as sent.
    pub content_language: Option<String>,
    /// Values of all X-Robots-Tag headers, in order.
    pub x_robots: Vec<String>,
    /// Value of the TDM-Reservation header.
    pub tdm: Option<String>,
    /// Whether the archive holds only the beginning of the payload.
    pub truncated: bool,
    /// WARC-Payload-Digest as recorded; if there is none, SHA-1 of the payload as stored, in Base32.
    pub digest: String,
    /// Names of the faults met while the codings were undone; the payload was read all the same.
    pub faults: Vec<&'static str>,
    /// What decoding does about text that was encoded twice.
    pub mojibake: Mojibake,
}

impl Payload<'_> {
    /// Decodes the payload to text. The top-level domain of `url`, its address, is a hint at the encoding.
    pub fn decode(&self, url: &str) -> Result<Decoded<'_>, Undecodable> {
        let (tld, language) = (url::detection_tld(url), self.content_language.as_deref());
        let charset = self.charset.as_deref();
        charset::decode(&self.bytes, charset, tld.as_deref(), language, self.truncated, self.mojibake)
    }
}

/// Why a record has no payload to read. The string is the reason under which the record is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejection {
    /// The record holds no page; nothing is wrong with it.
    NotAPage(String),
    /// The record should hold a page, but cannot be read.
    Unreadable(String),
}

fn not_a_page<T>(reason: impl Into<String>) -> Result<T, Rejection> {
    Err(Rejection::NotAPage(reason.into()))
}

/// Takes the payload out of a record that may hold a page.
///
/// # Errors
///
/// [`Rejection`] with the reason if the record holds no page or cannot be read.
pub fn payload<'a>(record: &'a Record, options: &Options) -> Result<Payload<'a>, Rejection> {
    let record_type = record.header.record_type();
    let payload = match record_type.as_str() {
        "response" => response(record, options)?,
        "resource" => stored(record, Media::Html, options)?,
        "conversion" => stored(record, Media::Wet, options)?,
        "warcinfo" | "request" | "metadata" | "revisit" | "continuation" => {
            return not_a_page(format!("type.{record_type}"));
        }
        _ => return not_a_page("type.other"),
    };
    if record.flags.oversize {
        return Err(Rejection::Unreadable("too_large".into()));
    }
    if payload.media != Media::Html && !options.plain_text {
        return not_a_page("content_type.text/plain");
    }
    if payload.bytes.iter().all(u8::is_ascii_whitespace) {
        return not_a_page("empty");
    }
    Ok(payload)
}

fn response<'a>(record: &'a Record, options: &Options) -> Result<Payload<'a>, Rejection> {
    if record.block.is_empty() {
        return not_a_page("empty");
    }
    let http = archive::parse_http(&record.block);
    if !http.complete {
        return Err(Rejection::Unreadable("http_header_incomplete".into()));
    }
    if let Some(status) = http.status.filter(|&status| status != 200) {
        return not_a_page(format!("status.{status}"));
    }
    let (declared, sure) = declared_type(record, http.media_type());
    let of_other_type = |name: &str| not_a_page(format!("content_type.{}", counted_type(name)));
    // Pictures and scripts are not decoded.
    if sure && media(&declared).is_none() {
        return of_other_type(&declared);
    }
    let body = archive::decode_body(&http, &options.limits);
    let content_type = if !sure && archive::sniff_html(&body.bytes) { "text/html".into() } else { declared };
    let Some(media) = media(&content_type) else {
        let own = type_without_http(record).filter(|_| http.status.is_none());
        return of_other_type(&own.unwrap_or(content_type));
    };
    if body.faults.iter().any(archive::BodyFault::is_still_coded) {
        return Err(Rejection::Unreadable("content_encoding".into()));
    }
    Ok(Payload {
        digest: digest(record, http.body),
        truncated: truncated(record) || body.faults.iter().any(archive::BodyFault::loses_bytes),
        faults: body.faults.iter().map(archive::BodyFault::name).collect(),
        bytes: body.bytes,
        media,
        status: http.status,
        charset: http.get_last("content-type").and_then(archive::charset_param).map(str::to_string),
        content_type,
        content_language: http.get_last("content-language").map(str::to_string),
        x_robots: http.get_all("x-robots-tag").map(str::to_string).collect(),
        tdm: http.get("tdm-reservation").map(str::to_string),
        mojibake: options.mojibake,
    })
}

/// The media type of a response that is none of HTTP (DNS, whois), by the header of its record; None if that says that it is,
/// or HTML.
fn type_without_http(record: &Record) -> Option<String> {
    let own = archive::media_type(record.header.content_type()?);
    (own != "application/http" && media(&own) != Some(Media::Html)).then_some(own)
}

/// A record whose block is the payload itself.
fn stored<'a>(record: &'a Record, wanted: Media, options: &Options) -> Result<Payload<'a>, Rejection> {
    let declared = record.header.content_type().unwrap_or_default();
    let own = Some(archive::media_type(declared)).filter(|own| !is_vague(own));
    // What was identified may be the type of the page that was converted.
    let (content_type, sure) = own.map_or_else(|| declared_type(record, None), |own| (own, true));
    let is_html = !sure && wanted == Media::Html && archive::sniff_html(&record.block);
    let content_type = if is_html { "text/html".into() } else { content_type };
    let is_wanted = match media(&content_type) {
        Some(Media::Text) => wanted == Media::Wet,
        media => media == Some(wanted),
    };
    if !is_wanted {
        return not_a_page(format!("type.{}", record.header.record_type()));
    }
    Ok(Payload {
        digest: digest(record, &record.block),
        bytes: Cow::Borrowed(&record.block),
        media: wanted,
        status: None,
        charset: archive::charset_param(declared)
            .map(str::to_string)
            .or((wanted == Media::Wet).then(|| "utf-8".into())),
        content_type,
        content_language: record.header.identified_content_language().map(str::to_string),
        x_robots: Vec::new(),
        tdm: None,
        truncated: truncated(record),
        faults: Vec::new(),
        mojibake: options.mojibake,
    })
}

/// The media type by WARC-Identified-Payload-Type or else as declared, and whether it is usable; where it is not, a payload
/// whose first bytes look like HTML is HTML.
fn declared_type(record: &Record, declared: Option<String>) -> (String, bool) {
    let identified = record.header.identified_payload_type().map(archive::media_type).filter(|of| !is_vague(of));
    let declared = declared.unwrap_or_default();
    // Pages of few tags are taken for text; a browser shows what was declared.
    let identified = identified.filter(|of| media(of) != Some(Media::Text) || media(&declared) != Some(Media::Html));
    let content_type = identified.unwrap_or(declared);
    let sure = !is_vague(&content_type);
    (content_type, sure)
}

/// Whether a media type says nothing, or is none.
fn is_vague(content_type: &str) -> bool {
    let is_token =
        |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&b));
    matches!(content_type, "unknown/unknown" | "application/unknown" | "application/octet-stream")
        || !content_type.split_once('/').is_some_and(|(name, of)| is_token(name) && is_token(of))
}

fn media(content_type: &str) -> Option<Media> {
    match content_type {
        "text/html" | "application/xhtml+xml" => Some(Media::Html),
        "text/plain" => Some(Media::Text),
        _ => None,
    }
}

/// The name under which a media type that is no page is counted. The set of names is bounded, since servers invent
/// types.
fn counted_type(content_type: &str) -> &str {
    const KNOWN: &[&str] = &[
        "application/javascript",
        "application/json",
        "application/pdf",
        "application/rss+xml",
        "application/xml",
        "text/css",
        "text/dns",
        "text/javascript",
        "text/plain",
        "text/xml",
    ];
    let top_level = content_type.split('/').next().unwrap_or_default();
    match top_level {
        "" => "missing",
        "image" | "audio" | "video" | "font" => top_level,
        _ => KNOWN.iter().find(|known| **known == content_type).copied().unwrap_or("other"),
    }
}

/// Bytes by which a length may be too large although nothing is missing: that of the line ends after the block.
const LINE_ENDS: u64 = 4;

/// Whether the record holds a part of the payload alone: the crawler or the file cut it, its block is shorter than claimed, or
/// further segments follow.
fn truncated(record: &Record) -> bool {
    let missing = record.header.content_length().unwrap_or_default().saturating_sub(record.block.len() as u64);
    let is_short = record.flags.length_mismatch && missing > LINE_ENDS;
    record.flags.truncated || is_short || record.header.truncated().is_some() || record.header.is_segment()
}

fn digest(record: &Record, stored: &[u8]) -> String {
    match record.header.payload_digest() {
        Some(digest) if !digest.is_empty() => digest.to_string(),
        _ => format!("sha1:{}", base32(&Sha1::digest(stored))),
    }
}

/// Base32 by RFC 4648 without padding, which the 20 bytes of a SHA-1 do not need.
fn base32(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let bit = |i: usize| bytes.get(i / 8).is_some_and(|byte| byte >> (7 - i % 8) & 1 == 1);
    (0..(bytes.len() * 8).div_ceil(5))
        .map(|group| (0..5).fold(0, |value, i| value << 1 | usize::from(bit(group * 5 + i))))
        .filter_map(|value| ALPHABET.get(value).map(|&c| char::from(c)))
        .collect()
}

/// The WARC-Record-ID of a record without its angle brackets; empty if the record has none.
pub fn record_id(record: &Record) -> &str {
    record.header.record_id().unwrap_or_default().trim().trim_start_matches('<').trim_end_matches('>')
}

/// The first moment of the year 1; the calendars of other programs have no years before it.
const YEAR_1: Timestamp = Timestamp::constant(-62_135_596_800, 0);

/// The moment of capture by WARC-Date: RFC 3339 with or without fraction and offset, shortened ("2024", "2024-01"), or
/// digits alone, up to the milliseconds. None if the header is missing or unreadable, or outside the years 1 to 9999.
pub fn captured(record: &Record) -> Option<Timestamp> {
    let date = record.header.date()?.trim();
    let timestamp = date.parse::<Timestamp>().ok();
    let timestamp = timestamp.or_else(|| with_spaced_offset(date)).or_else(|| in_utc(date))?;
    (timestamp >= YEAR_1).then_some(timestamp)
}

/// A moment with a blank before its offset: `2024-05-06 07:08:09 +0200`.
fn with_spaced_offset(date: &str) -> Option<Timestamp> {
    let (time, offset) = date.rsplit_once(' ').filter(|(_, offset)| offset.starts_with(['+', '-']))?;
    format!("{}{offset}", time.trim_end()).parse::<Timestamp>().ok()
}

/// A moment in UTC by its digits; missing parts are the first ones of their year, month or day.
fn in_utc(date: &str) -> Option<Timestamp> {
    let digits = digits(date)?;
    let full = format!("{digits}{}", "00000101000000".get(digits.len()..)?);
    let part = |range: std::ops::Range<usize>| full.get(range).unwrap_or_default();
    let text =
        format!("{}-{}-{}T{}:{}:{}Z", part(0..4), part(4..6), part(6..8), part(8..10), part(10..12), part(12..14));
    text.parse().ok()
}

/// The digits of a date, from the year to the second at most: four of the year, then two of each part, behind a sign or a `T`
/// or none. None if one digit alone follows, a word in place of a part of the day, or an offset that could not be read.
fn digits(date: &str) -> Option<String> {
    let is_number = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let behind_sign = |rest: &str| rest.len() - rest.trim_start_matches(|c| "-/.:_,tT ".contains(c)).len();
    let (year, mut rest) = date.split_at_checked(4).filter(|(year, _)| is_number(year))?;
    let mut digits = year.to_owned();
    while digits.len() < 14
        && let Some((part, after)) = rest.get(behind_sign(rest)..).and_then(|rest| rest.split_at_checked(2))
        && is_number(part)
    {
        digits.push_str(part);
        rest = after;
    }
    let tail = rest.get(behind_sign(rest)..).unwrap_or_default();
    let is_word = digits.len() < 10 && tail.starts_with(|c: char| c.is_alphabetic() && !matches!(c, 'z' | 'Z'));
    let is_part = digits.len() < 14 && tail.starts_with(|c: char| c.is_ascii_digit());
    (!is_word && !is_part && !rest.contains(['+', '-'])).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Event, records};

    fn record(header: &str, block: &str) -> Record {
        let bytes =
            format!("WARC/1.0\r\n{header}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n", block.len()).into_bytes();
        let mut events = records(&bytes, 0..bytes.len() as u64, &Limits::default()).unwrap();
        match events.next() {
            Some(Ok(Event::Record(record))) => record,
            other => panic!("{other:?}"),
        }
    }

    fn reason(header: &str, block: &str) -> String {
        match payload(&record(header, block), &Options::default()) {
            Ok(payload) => format!("{:?} {}", payload.media, payload.content_type),
            Err(Rejection::NotAPage(reason)) => reason,
            Err(Rejection::Unreadable(reason)) => format!("! {reason}"),
        }
    }

    #[test]
    fn every_record_is_a_page_or_has_a_reason() {
        let http = |head: &str, body: &str| format!("HTTP/1.1 {head}\r\n\r\n{body}");
        let html = "Content-Type: text/html; charset=utf-8";
        for (header, block, want) in [
            ("WARC-Type: response", http(&format!("200 OK\r\n{html}"), "<p>x"), "Html text/html"),
            ("WARC-Type: response", http("200 OK\r\nContent-Type: text/plain", "x"), "Text text/plain"),
            ("WARC-Type: response", http(&format!("404 Not Found\r\n{html}"), "<p>x"), "status.404"),
            (
                "WARC-Type: response",
                http("200 OK\r\nContent-Type: application/pdf", "%PDF"),
                "content_type.application/pdf",
            ),
            ("WARC-Type: response", http("200 OK\r\nContent-Type: image/x-odd", "x"), "content_type.image"),
            ("WARC-Type: response", http("200 OK\r\nContent-Type: strange/type", "x"), "content_type.other"),
            ("WARC-Type: response", http("200 OK\r\nX: y", "<!doctype html><p>x"), "Html text/html"),
            ("WARC-Type: response", http("200 OK\r\nX: y", "just bytes"), "content_type.missing"),
            ("WARC-Type: response", http("200 OK\r\nContent-Type: text/html charset=utf-8", "<p>x"), "Html text/html"),
            ("WARC-Type: response", http("200 OK\r\nContent-Type: html", "<html><p>x"), "Html text/html"),
            (
                "WARC-Type: response\r\nWARC-Identified-Payload-Type: text/plain",
                http(&format!("200 OK\r\n{html}"), "<p>x"),
                "Html text/html",
            ),
            (
                "WARC-Type: response\r\nWARC-Identified-Payload-Type: application/octet-stream",
                http(&format!("200 OK\r\n{html}"), "x"),
                "Html text/html",
            ),
            (
                "WARC-Type: response\r\nWARC-Identified-Payload-Type: application/pdf",
                http(&format!("200 OK\r\n{html}"), "x"),
                "content_type.application/pdf",
            ),
            ("WARC-Type: resource", "title".into(), "type.resource"),
            ("WARC-Type: resource", "<title>x</title>".into(), "Html text/html"),
            ("WARC-Type: response", http(&format!("200 OK\r\n{html}"), " \n "), "empty"),
            ("WARC-Type: response", "<html><p>no status line".to_string(), "Html text/html"),
            ("WARC-Type: response", "HTTP/1.1 200 OK\r\nContent-Ty".to_string(), "! http_header_incomplete"),
            (
                "WARC-Type: response",
                http(&format!("200 OK\r\n{html}\r\nContent-Encoding: exi"), "x"),
                "! content_encoding",
            ),
            ("WARC-Type: revisit", String::new(), "type.revisit"),
            ("WARC-Type: hello_kitty", String::new(), "type.other"),
            ("WARC-Type: resource\r\nContent-Type: text/html", "<p>x".into(), "Html text/html"),
            ("WARC-Type: resource\r\nContent-Type: image/png", "x".into(), "type.resource"),
            ("WARC-Type: conversion\r\nContent-Type: text/plain", "x".into(), "Wet text/plain"),
            (
                "WARC-Type: conversion\r\nContent-Type: text/plain\r\nWARC-Identified-Payload-Type: application/pdf",
                "x".into(),
                "Wet text/plain",
            ),
        ] {
            assert_eq!(reason(header, &block), want, "{header} {block}");
        }
    }

    #[test]
    fn responses_without_http_are_counted_by_the_type_of_their_record() {
        for (content_type, block, want) in [
            ("text/dns", "a. 300 IN A 1.2.3.4", "content_type.text/dns"),
            ("text/plain", "whois", "content_type.text/plain"),
            ("text/html", "<p>x", "Html text/html"),
            ("text/html", "x", "content_type.missing"),
            ("application/http; msgtype=response", "HTTP/1.1 OK", "content_type.missing"),
            ("application/http; msgtype=response", "HTTP/1.1 404Not\r\n\r\n", "status.404"),
            ("application/http; msgtype=response", "", "empty"),
        ] {
            let header = format!("WARC-Type: response\r\nContent-Type: {content_type}");
            assert_eq!(reason(&header, block), want, "{content_type} {block}");
        }
    }

    #[test]
    fn options_bound_what_is_accepted() {
        let text = record("WARC-Type: conversion\r\nContent-Type: text/plain", "x");
        let html_only = Options { plain_text: false, ..Options::default() };
        let reason = Rejection::NotAPage("content_type.text/plain".into());
        assert_eq!(payload(&text, &html_only).map(|payload| payload.media), Err(reason));
        let html = record("WARC-Type: resource\r\nContent-Type: text/html", "<p>x");
        assert!(payload(&html, &html_only).is_ok());
    }

    #[test]
    fn parts_of_a_payload_are_marked() {
        let cut = |header: &str, claimed: i64, flags| {
            let mut record = record(header, "<p>some text");
            record.header = archive::Header::parse(
                format!("WARC/1.0\r\n{header}\r\nContent-Length: {claimed}\r\n\r\n").as_bytes(),
                100,
            )
            .unwrap();
            record.flags = flags;
            payload(&record, &Options::default()).unwrap().truncated
        };
        let html = "WARC-Type: resource\r\nContent-Type: text/html";
        let mismatch = archive::Flags { length_mismatch: true, ..archive::Flags::default() };
        for (claimed, truncated) in [(12, false), (13, false), (16, false), (17, true)] {
            assert_eq!(cut(html, claimed, mismatch), truncated, "{claimed}");
        }
        assert!(!cut(html, 12, archive::Flags::default()));
        assert!(cut(&format!("{html}\r\nWARC-Segment-Number: 1"), 12, archive::Flags::default()));
    }

    #[test]
    fn digests_are_recorded_or_computed() {
        let at = |header: &str| payload(&record(header, "<p>"), &Options::default()).unwrap().digest;
        assert_eq!(at("WARC-Type: resource\r\nContent-Type: text/html\r\nWARC-Payload-Digest: sha1:X"), "sha1:X");
        assert_eq!(at("WARC-Type: resource\r\nContent-Type: text/html").len(), 5 + 32);
        assert_eq!(base32(b"foobar"), "MZXW6YTBOI");
    }

    #[test]
    fn dates_in_every_shape() {
        let at = |date: &str| {
            captured(&record(&format!("WARC-Type: metadata\r\nWARC-Date: {date}"), "")).map(|t| t.to_string())
        };
        for (date, want) in [
            ("2024-05-06T07:08:09Z", Some("2024-05-06T07:08:09Z")),
            ("2024-05-06T07:08:09.5Z", Some("2024-05-06T07:08:09.5Z")),
            ("20240506070809", Some("2024-05-06T07:08:09Z")),
            ("2024-05", Some("2024-05-01T00:00:00Z")),
            ("2024", Some("2024-01-01T00:00:00Z")),
            ("2024-05-06 07:08:09", Some("2024-05-06T07:08:09Z")),
            ("2024-05-06T07:08", Some("2024-05-06T07:08:00Z")),
            ("2024-05-06T07:08:09 +0200", Some("2024-05-06T05:08:09Z")),
            ("2024-05-06 07:08:09 -02:00", Some("2024-05-06T09:08:09Z")),
            ("2024-05-06 07:08:09 UTC", Some("2024-05-06T07:08:09Z")),
            ("20240506070809123", Some("2024-05-06T07:08:09Z")),
            ("0001-01-01T00:00:00Z", Some("0001-01-01T00:00:00Z")),
            ("0000-01-01T00:00:00Z", None),
            ("-000001-05-06T07:08:09Z", None),
            ("00000101000000", None),
            ("20241", None),
            ("202", None),
            ("20240506T070809Z", Some("2024-05-06T07:08:09Z")),
            ("2024/05/06, 07:08:09", Some("2024-05-06T07:08:09Z")),
            ("2024-05-06_07:08:09", Some("2024-05-06T07:08:09Z")),
            ("2024-05Z", Some("2024-05-01T00:00:00Z")),
            ("2024-05-06 07h", Some("2024-05-06T07:00:00Z")),
            ("2024-05-06T07:08:09 -0700 (PDT)", None),
            ("2011-1-2T03:04:05Z", None),
            ("2024-W10-1", None),
            ("2024-127T10:00:00Z", None),
            ("2024-05-06 about noon", None),
            ("2024-99-01T00:00:00Z", None),
            ("soon", None),
            ("Tue, 01 May 2012 10:20:30 GMT", None),
        ] {
            assert_eq!(at(date).as_deref(), want, "{date}");
        }
    }
}
