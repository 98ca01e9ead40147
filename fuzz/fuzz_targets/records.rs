//! Any bytes as an archive: no panic, no hang, and events that lie inside the file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warcorpus::archive::{Event, Limits, records};

fuzz_target!(|data: &[u8]| {
    let length = data.len() as u64;
    let events = records(&data, 0..length, &Limits::default()).expect("memory can be read");
    for event in events {
        let (offset, bytes) = match event.expect("memory can be read") {
            Event::Record(record) => (record.offset, record.length),
            Event::Damage(damage) => (damage.offset, damage.length),
        };
        assert!(offset + bytes <= length);
    }
});
