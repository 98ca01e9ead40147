use super::*;
use crate::archive::{Event, records};

fn record(header: &str, block: &str) -> Record {
    let bytes = format!("WARC/1.0\r\n{header}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n", block.len()).into_bytes();
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
        ("WARC-Type: response", http(&format!("200 OK\r\n{html}"), "<?xml version='1.0'?><rss>x"), "content_type.feed"),
        ("WARC-Type: response", http(&format!("200 OK\r\n{html}"), "{\"a\": [1]}"), "content_type.application/json"),
        ("WARC-Type: response", "<html><p>no status line".to_string(), "Html text/html"),
        ("WARC-Type: response", "HTTP/1.1 200 OK\r\nContent-Ty".to_string(), "! http_header_incomplete"),
        ("WARC-Type: response", http(&format!("200 OK\r\n{html}\r\nContent-Encoding: exi"), "x"), "! content_encoding"),
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
    let at =
        |date: &str| captured(&record(&format!("WARC-Type: metadata\r\nWARC-Date: {date}"), "")).map(|t| t.to_string());
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
