//! Which records are pages, and of which bytes: record → payload, or the reason why not.
//!
//! Accepted are records that a browser would have shown as a page: responses with status 200, or with none, whose payload is
//! HTML, XHTML or plain text, HTML resources, and WET conversions. Every other record is rejected with a reason that is
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
    if payload.media == Media::Html
        && let Some(data) = archive::sniff_data(&payload.bytes)
    {
        return not_a_page(format!("content_type.{data}"));
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
mod tests;
