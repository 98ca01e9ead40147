#![no_main]

#[path = "../bodies.rs"]
#[expect(dead_code, reason = "each target runs one of them")]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::programs(data));
