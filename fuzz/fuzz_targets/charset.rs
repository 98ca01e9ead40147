//! Any bytes with any declared charset: decoded without a panic, to text that stays as it is when read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warcorpus::page::charset;

fuzz_target!(|data: (bool, &str, &[u8])| {
    let (wet, declared, bytes) = data;
    let declared = Some(declared).filter(|declared| !declared.is_empty());
    let Ok(decoded) = charset::decode(bytes, declared, None, None, wet) else { return };
    assert!(decoded.text.len() <= 4 * bytes.len() + 16);
});
