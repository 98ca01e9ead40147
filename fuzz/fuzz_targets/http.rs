//! Any bytes as a stored HTTP response.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warcorpus::archive::{Limits, decode_body, parse_http};

fuzz_target!(|data: &[u8]| {
    let limits = Limits { payload_bytes: 1 << 20, ..Limits::default() };
    let http = parse_http(data);
    assert!(decode_body(&http, &limits).bytes.len() <= (1 << 20).max(data.len()));
});
