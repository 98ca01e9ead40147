//! Prints what is found in the labelled cases of personal data, for `tests/pii/peers.py`, or in lines of text.
//! cargo run --release --example personal -- < tests/pii/cases.txt
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::io::{Read, stdin};
use std::time::Instant;

use warcorpus::pii::{Kind, find};

fn main() {
    let mut text = String::new();
    stdin().read_to_string(&mut text).unwrap();
    let (mut language, mut bytes, mut finds) = ("eng", 0, 0);
    let begun = Instant::now();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("# ").filter(|heading| heading.len() == 3) {
            language = heading;
        }
        let mut plain = line.replace('⟧', "");
        for kind in Kind::ALL {
            plain = plain.replace(&format!("⟦{}:", kind.name()), "");
        }
        let found = find(&plain, &Kind::ALL, language);
        (bytes, finds) = (bytes + plain.len(), finds + found.len());
        let data = found.iter().map(|span| (span.kind.name(), plain.get(span.range.clone()).unwrap()));
        println!("{}", serde_json::to_string(&data.collect::<Vec<_>>()).unwrap());
    }
    eprintln!("{finds} finds in {bytes} bytes, {:.1} MB/s", bytes as f64 / 1e6 / begun.elapsed().as_secs_f64());
}
