use super::*;
use crate::archive::parse_http;
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
    let body = decode_body(&parse_http(&block), &Limits::default());
    (body.bytes.to_vec(), body.faults.iter().map(BodyFault::name).collect())
}

fn is(text: &[u8], faults: &[&'static str]) -> (Vec<u8>, Vec<&'static str>) {
    (text.to_vec(), faults.to_vec())
}

/// Enough of a page that a broken end leaves a prefix.
fn page() -> Vec<u8> {
    page_of(3000)
}

/// A page of so many lines, no two of them equal.
fn page_of(lines: u32) -> Vec<u8> {
    (0..lines).flat_map(|n| format!("<p>{}</p>\n", n.wrapping_mul(2_654_435_761)).into_bytes()).collect()
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

/// A server's text in whose first line is a number, stored without its coding.
#[test]
fn a_text_that_begins_with_a_number_is_not_chunked() {
    let te = "Transfer-Encoding: chunked";
    for text in [
        "5\nfirst, second",
        "5\r\nfirst, second",
        "2024\nshort",
        "0\nnothing",
        "0\r\n\r\nnothing",
        "0\n<a href='http://a/'>",
    ] {
        assert_eq!(decode(te, text.as_bytes()), is(text.as_bytes(), &["not_chunked"]), "{text:?}");
    }
    for (body, text, faults) in [
        ("2024\r\nshort", "short", &["missing_last_chunk"][..]),
        ("2024", "", &["missing_last_chunk"]),
        ("5\nfirst", "first", &["missing_last_chunk"]),
        ("5\nfirst\n0\n", "first", &[]),
        ("0", "", &[]),
        ("0\r\n\r\n", "", &[]),
        ("0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "", &[]),
        ("4\r\nfirst\r\n0\r\n\r\n", "firs", &["bad_chunk"]),
        ("4\r\n\x1f\u{8b}xyz", "\x1f\u{8b}x", &["bad_chunk"]),
        ("0\r\nX-Digest: a\r\n\r\n", "", &[]),
    ] {
        assert_eq!(decode(te, body.as_bytes()), is(text.as_bytes(), faults), "{body:?}");
    }
}

#[test]
fn content_codings() {
    let text = page();
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
    zlib.write_all(&text).unwrap();
    let mut raw = DeflateEncoder::new(Vec::new(), Compression::default());
    raw.write_all(&text).unwrap();
    let (zlib, raw, gz) = (zlib.finish().unwrap(), raw.finish().unwrap(), gzip(&text));
    for (coding, body) in [("gzip", &gz), ("X-GZIP", &gz), ("deflate", &zlib), ("deflate", &raw), ("identity", &text)] {
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

/// The coding of HTTP has windows of at most 16 MiB (RFC 7932); this one would be 1 GiB.
#[test]
fn large_windows_of_brotli_are_no_coding() {
    assert_eq!(decode("Content-Encoding: br", b"\x06"), is(b"", &[]), "a window of 64 KiB, nothing in it");
    assert_eq!(decode("Content-Encoding: br", b"\x11\xde"), is(b"\x11\xde", &["not_coded"]));
}

#[test]
fn lists_and_unknown_codings() {
    let twice = gzip(&gzip(b"text"));
    assert_eq!(decode("Content-Encoding: gzip, gzip", &twice), is(b"text", &[]));
    assert_eq!(decode("Content-Encoding: gzip;Content-Encoding: gzip", &twice), is(b"text", &[]));
    assert_eq!(decode("Content-Encoding: compress, gzip", &gzip(b"x")), is(b"x", &["unsupported_coding"]));
    assert_eq!(decode("Content-Encoding: gzip, compress", b"x"), is(b"x", &["unsupported_coding"]));
    for unsupported in ["aws-chunked", "compress"] {
        let html = b"<!DOCTYPE html><p>x";
        assert_eq!(decode(&format!("Content-Encoding: {unsupported}"), html), is(html, &["not_coded"]));
    }
    for none in ["UTF-8", "text/html", "en"] {
        assert_eq!(decode(&format!("Content-Encoding: {none}"), b"x"), is(b"x", &["not_coded"]));
        assert_eq!(decode(&format!("Content-Encoding: {none}, gzip"), &gzip(b"x")), is(b"x", &["not_coded"]));
    }
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
    assert_eq!(decode("Content-Encoding: gzip", &[gz, b"tail".to_vec()].concat()), is(&text, &["trailing_bytes"]));
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
    // Several blocks of 128 KiB, so that some are whole before the end.
    let text = page_of(60_000);
    let body = zstd(&text, 3);
    let (prefix, faults) = decode("Content-Encoding: zstd", &body[..body.len() / 2]);
    assert!(text.starts_with(&prefix) && prefix.len() > 100_000 && prefix.len() < text.len(), "{}", prefix.len());
    assert_eq!(faults, ["coding_truncated"]);
    assert_eq!(decode("Content-Encoding: zstd", &body[..body.len() - 2]), is(&text, &["coding_truncated"]));
    let mut wrong = body.clone();
    *wrong.last_mut().unwrap() ^= 1;
    assert_eq!(decode("Content-Encoding: zstd", &wrong), is(&text, &["coding_broken"]));
    let tail = [body, b"tail".to_vec()].concat();
    assert_eq!(decode("Content-Encoding: zstd", &tail), is(&text, &["trailing_bytes"]));
    // A frame that names dictionary 7.
    assert_eq!(decode("Content-Encoding: zstd", &frame(&[1, 0, 7], b"text")), {
        is(&frame(&[1, 0, 7], b"text"), &["coding_broken", "nothing_decoded"])
    });
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

/// Data that end before they give a byte are not a page without text, and not text.
#[test]
fn cut_before_the_first_byte() {
    let text = page();
    let mut raw = DeflateEncoder::new(Vec::new(), Compression::default());
    raw.write_all(&text).unwrap();
    let (raw, gz, zst) = (raw.finish().unwrap(), gzip(&text), zstd(&text, 3));
    for (coding, body) in [("gzip", &gz[..14]), ("gzip", &gz[..5]), ("zstd", &zst[..30]), ("x-deflate", &raw[..20])] {
        let (bytes, faults) = decode(&format!("Content-Encoding: {coding}"), body);
        assert_eq!(
            (bytes.as_slice(), faults.as_slice()),
            (body, &["coding_truncated", "nothing_decoded"][..]),
            "{coding}"
        );
    }
    let (prefix, faults) = decode("Content-Encoding: deflate", &raw[..200]);
    assert!(text.starts_with(&prefix) && !prefix.is_empty() && faults == ["coding_truncated"], "{faults:?}");
}

#[test]
fn html_that_is_still_gzip() {
    let html = "Content-Type: text/html, charset=x;Content-Encoding: gzip";
    assert_eq!(decode(html, &gzip(&gzip(b"<p>"))), is(b"<p>", &["decoded_twice"]));
    for coding in ["br", "deflate", "zstd"] {
        let wrong = format!("Content-Type: text/html;Content-Encoding: {coding}");
        assert_eq!(decode(&wrong, &gzip(b"<p>")), is(b"<p>", &["not_coded", "decoded_twice"]), "{coding}");
        let utf16: Vec<u8> = "<p>text".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&wrong, &utf16), is(&utf16, &["not_coded"]), "{coding}");
    }
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
        for (payload_bytes, expansion, kept) in
            [(1000, enough, 1000), (1 << 20, 1, 64 << 10), (1 << 20, enough, 1 << 20)]
        {
            let limits = Limits { payload_bytes, expansion, ..Limits::default() };
            let body = decode_body(&parse_http(&block), &limits);
            assert_eq!(body.bytes.len(), kept, "{coding}");
            assert_eq!(body.faults.contains(&BodyFault::OutputLimit), kept < 1 << 20, "{coding}");
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
            let limits = Limits { payload_bytes: 1000, ..Limits::default() };
            let decoded = decode_body(&parse_http(&block), &limits);
            prop_assert!(decoded.bytes.len() <= 1000);
        }
    }

    #[test]
    fn arbitrary_blocks_parse(block in prop::collection::vec(any::<u8>(), 0..300)) {
        let block = [b"HTTP/1.1 200\n".as_slice(), &block].concat();
        let http = parse_http(&block);
        prop_assert!(http.status == Some(200) && block.ends_with(http.body));
    }
}
