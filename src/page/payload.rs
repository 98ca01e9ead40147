//! Which records are pages, and of which bytes: record → payload, or the reason why not.
//!
//! Only what a browser would have shown as a page goes on: responses with status 200 whose payload
//! is HTML, XHTML or plain text; HTML resources; WET conversions.

use std::borrow::Cow;

use jiff::Timestamp;
use sha1::{Digest, Sha1};

use super::charset::{self, Decoded, Undecodable};
use super::url;
use crate::archive::{self, HttpResponse, Limits, Record};
use crate::config::Config;

/// How a payload is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    Html,
    /// Plain text as a server sent it.
    Text,
    /// Text that Common Crawl took from a page; its lines are paragraphs.
    Wet,
}

/// A payload that may be a page, transfer and content coding undone, and what was said about it.
#[derive(Debug, Clone)]
pub struct Payload<'a> {
    pub bytes: Cow<'a, [u8]>,
    pub media: Media,
    pub status: Option<u16>,
    /// Media type that decided, lower case.
    pub content_type: String,
    /// `charset` parameter of the HTTP Content-Type.
    pub charset: Option<String>,
    /// Content-Language as sent.
    pub content_language: Option<String>,
    pub x_robots: Vec<String>,
    /// The value of `TDM-Reservation`.
    pub tdm: Option<String>,
    /// Only the beginning is there.
    pub truncated: bool,
    /// WARC-Payload-Digest, or the SHA-1 of the payload as stored.
    pub digest: String,
    pub faults: Vec<&'static str>,
}

impl Payload<'_> {
    /// The payload as text; `url` is where it was, and a hint at its encoding.
    pub fn decode(&self, url: &str) -> Result<Decoded<'_>, Undecodable> {
        let (tld, language) = (url::detection_tld(url), self.content_language.as_deref());
        charset::decode(&self.bytes, self.charset.as_deref(), tld.as_deref(), language, self.truncated)
    }
}

/// Why a record gives no payload. The string is the reason under which it is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// It is no page, and nothing is wrong with it.
    NoPage(String),
    /// It cannot be read.
    Unreadable(String),
}

fn no_page<T>(reason: impl Into<String>) -> Result<T, Refused> {
    Err(Refused::NoPage(reason.into()))
}

/// The payload of a record that may be a page.
pub fn payload<'a>(record: &'a Record, config: &Config) -> Result<Payload<'a>, Refused> {
    let record_type = record.header.record_type();
    let payload = match record_type.as_str() {
        "response" => response(record, config)?,
        "resource" => stored(record, Media::Html, "text/html")?,
        "conversion" => stored(record, Media::Wet, "text/plain")?,
        "warcinfo" | "request" | "metadata" | "revisit" | "continuation" => {
            return no_page(format!("type.{record_type}"));
        }
        _ => return no_page("type.other"),
    };
    if record.flags.oversize {
        return Err(Refused::Unreadable("too_large".into()));
    }
    if payload.media != Media::Html && !config.page.plain_text {
        return no_page("content_type.text/plain");
    }
    if payload.bytes.iter().all(u8::is_ascii_whitespace) {
        return no_page("empty");
    }
    Ok(payload)
}

fn response<'a>(record: &'a Record, config: &Config) -> Result<Payload<'a>, Refused> {
    let http = archive::parse_http(&record.block);
    if !http.complete {
        return Err(Refused::Unreadable("http_header_incomplete".into()));
    }
    if let Some(status) = http.status.filter(|&status| status != 200) {
        return no_page(format!("status.{status}"));
    }
    let body_digest = || digest(record, http.body);
    let limits = limits(config);
    let body = archive::decode_body(&http, &limits);
    let content_type = media_type(record, &http, &body.bytes);
    let Some(media) = media(&content_type) else {
        return no_page(format!("content_type.{}", family(&content_type)));
    };
    if body.faults.iter().any(archive::BodyFault::is_still_coded) {
        return Err(Refused::Unreadable("content_encoding".into()));
    }
    let header = |name: &str| http.get_last(name).map(str::to_string);
    Ok(Payload {
        digest: body_digest(),
        truncated: truncated(record) || body.faults.iter().any(archive::BodyFault::loses_bytes),
        faults: body.faults.iter().map(archive::BodyFault::name).collect(),
        bytes: body.bytes,
        media,
        status: http.status,
        charset: header("content-type").and_then(|value| archive::charset_param(&value).map(str::to_string)),
        content_type,
        content_language: header("content-language"),
        x_robots: http.get_all("x-robots-tag").map(str::to_string).collect(),
        tdm: http.get("tdm-reservation").map(str::to_string),
    })
}

/// A record whose block is the payload itself.
fn stored<'a>(record: &'a Record, media: Media, wanted: &str) -> Result<Payload<'a>, Refused> {
    let declared = record.header.content_type().unwrap_or_default();
    let content_type = archive::media_type(declared);
    if content_type != wanted && !(media == Media::Html && content_type == "application/xhtml+xml") {
        return no_page(format!("type.{}", record.header.record_type()));
    }
    Ok(Payload {
        digest: digest(record, &record.block),
        bytes: Cow::Borrowed(&record.block),
        media,
        status: None,
        charset: archive::charset_param(declared).map(str::to_string).or((media == Media::Wet).then(|| "utf-8".into())),
        content_type,
        content_language: record.header.identified_content_language().map(str::to_string),
        x_robots: Vec::new(),
        tdm: None,
        truncated: truncated(record),
        faults: Vec::new(),
    })
}

fn limits(config: &Config) -> Limits {
    Limits {
        max_output: config.archive.max_payload as usize,
        max_ratio: config.archive.max_ratio as usize,
        ..Limits::default()
    }
}

/// WARC-Identified-Payload-Type, else the HTTP header, else what the first bytes look like.
fn media_type(record: &Record, http: &HttpResponse, body: &[u8]) -> String {
    let identified = record.header.identified_payload_type().map(archive::media_type);
    let declared = identified.filter(|t| !t.is_empty()).or_else(|| http.media_type()).unwrap_or_default();
    let unsure = matches!(declared.as_str(), "" | "unknown/unknown" | "application/octet-stream" | "*/*")
        || !declared.contains('/');
    if unsure && archive::sniff_html(body) { "text/html".into() } else { declared }
}

fn media(content_type: &str) -> Option<Media> {
    match content_type {
        "text/html" | "application/xhtml+xml" => Some(Media::Html),
        "text/plain" => Some(Media::Text),
        _ => None,
    }
}

/// A bounded set of names for the types that are no pages: servers invent them.
fn family(content_type: &str) -> &str {
    const KNOWN: &[&str] = &[
        "application/javascript",
        "application/json",
        "application/pdf",
        "application/rss+xml",
        "application/xml",
        "text/css",
        "text/javascript",
        "text/xml",
    ];
    let main = content_type.split('/').next().unwrap_or_default();
    match main {
        "" => "missing",
        "image" | "audio" | "video" | "font" => main,
        _ => KNOWN.iter().find(|known| **known == content_type).copied().unwrap_or("other"),
    }
}

fn truncated(record: &Record) -> bool {
    record.flags.truncated || record.header.truncated().is_some()
}

fn digest(record: &Record, stored: &[u8]) -> String {
    match record.header.payload_digest() {
        Some(digest) if !digest.is_empty() => digest.to_string(),
        _ => format!("sha1:{}", base32(&Sha1::digest(stored))),
    }
}

/// RFC 4648, without padding; 20 bytes need none.
fn base32(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let bit = |i: usize| bytes.get(i / 8).is_some_and(|byte| byte >> (7 - i % 8) & 1 == 1);
    (0..(bytes.len() * 8).div_ceil(5))
        .map(|group| (0..5).fold(0, |value, i| value << 1 | usize::from(bit(group * 5 + i))))
        .filter_map(|value| ALPHABET.get(value).map(|&c| char::from(c)))
        .collect()
}

/// WARC-Record-ID without its angle brackets; empty if there is none.
pub fn record_id(record: &Record) -> &str {
    record.header.record_id().unwrap_or_default().trim().trim_start_matches('<').trim_end_matches('>')
}

/// WARC-Date: RFC 3339 with or without fraction, shortened ("2024", "2024-01"), or 14 digits.
pub fn captured(record: &Record) -> Option<Timestamp> {
    let date = record.header.date()?.trim();
    if let Ok(timestamp) = date.parse::<Timestamp>() {
        return Some(timestamp);
    }
    let digits: String = date.chars().filter(char::is_ascii_digit).take(14).collect();
    let full = format!("{digits}{}", "00000101000000".get(digits.len()..)?);
    let part = |range: std::ops::Range<usize>| full.get(range).unwrap_or_default();
    let text =
        format!("{}-{}-{}T{}:{}:{}Z", part(0..4), part(4..6), part(6..8), part(8..10), part(10..12), part(12..14));
    (digits.len() >= 4).then(|| text.parse().ok()).flatten()
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
        match payload(&record(header, block), &Config::default()) {
            Ok(payload) => format!("{:?} {}", payload.media, payload.content_type),
            Err(Refused::NoPage(reason)) => reason,
            Err(Refused::Unreadable(reason)) => format!("! {reason}"),
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
        ] {
            assert_eq!(reason(header, &block), want, "{header} {block}");
        }
    }

    #[test]
    fn digests_are_recorded_or_computed() {
        let at = |header: &str| payload(&record(header, "<p>"), &Config::default()).unwrap().digest;
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
            ("2024-99-01T00:00:00Z", None),
            ("soon", None),
        ] {
            assert_eq!(at(date).as_deref(), want, "{date}");
        }
    }
}
