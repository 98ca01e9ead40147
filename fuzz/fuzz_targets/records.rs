//! Any bytes as an archive: no panic, no hang, events that lie inside the file, and the same ones when
//! the reading is left somewhere and taken up again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use warcorpus::archive::{Event, Limits, decompress, records, resume};

fuzz_target!(|data: &[u8]| {
    let length = data.len() as u64;
    let read = || records(&data, 0..length, &Limits::default()).expect("memory can be read");
    let events: Vec<Event> = read().map(|event| event.expect("memory can be read")).collect();
    for event in &events {
        let (offset, bytes) = match event {
            Event::Record(record) => (record.offset, record.length),
            Event::Damage(damage) => (damage.offset, damage.length),
        };
        assert!(offset + bytes <= length);
    }
    let left = usize::from(data.last().copied().unwrap_or(0)) % (events.len() + 1);
    let mut first = read();
    first.by_ref().take(left).for_each(drop);
    let rest = resume(&data, 0..length, &Limits::default(), &first.position()).expect("memory can be read");
    assert!(rest.map(|event| event.expect("memory can be read")).eq(events[left..].iter().cloned()));
    let _ = decompress(&data, length / 3, length / 2);
});
