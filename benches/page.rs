//! What a page costs, step by step: `cargo bench --bench page -- ARCHIVE…`. Medians over pages of the fastest of five
//! runs, and means; one thread.

#![allow(clippy::print_stdout, clippy::indexing_slicing, reason = "its output is the result")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use warcorpus::archive::{Event, Limits, records};
use warcorpus::clean::justext::stopword_densities;
use warcorpus::clean::main::judge;
use warcorpus::clean::stoplist::Stoplist;
use warcorpus::config::Config;
use warcorpus::language::{Candidate, Identifier};
use warcorpus::page::blocks::Block;
use warcorpus::page::payload::{self, Media};
use warcorpus::page::{blocks, metadata};

const RUNS: usize = 5;
const STEPS: [&str; 6] = ["decode", "blocks", "language", "stop words", "judge", "metadata"];

fn main() {
    let archives: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let mut spent: [Vec<Duration>; STEPS.len()] = Default::default();
    let identifier = Identifier::new(&Config::default().language);
    let mut blocks_seen = 0;
    for archive in &archives {
        let bytes = std::fs::read(archive).expect("an archive");
        for event in records(&&bytes[..], 0..bytes.len() as u64, &Limits::default()).expect("memory can be read") {
            let Ok(Event::Record(record)) = event else { continue };
            let html = payload::payload(&record, &Config::default()).ok().filter(|p| p.media == Media::Html);
            let Some(payload) = html else { continue };
            let address = record.header.target_uri().unwrap_or_default();
            let decode = || payload.decode(&address);
            let Ok(decoded) = decode() else { continue };
            let options = blocks::Options { max_memory: 64 << 20, ..blocks::Options::default() };
            let page = blocks::page(&decoded.text, &options);
            let kept: Vec<&Block> = {
                let judged = judge(&page, &stopword_densities(&page.blocks, Stoplist::all()));
                let kept = page.blocks.iter().zip(judged).filter(|(_, judgement)| !judgement.boilerplate());
                kept.map(|(block, _)| block).collect()
            };
            let language = || {
                let document = identifier.document(page.blocks.iter().map(candidate));
                kept.iter().map(|block| identifier.paragraph(&block.text, document.code)).collect::<Vec<_>>()
            };
            let stop_words = || stopword_densities(&page.blocks, Stoplist::all());
            let densities = stop_words();
            blocks_seen += page.blocks.len();
            let times = [
                fastest(decode),
                fastest(|| blocks::page(&decoded.text, &options)),
                fastest(language),
                fastest(stop_words),
                fastest(|| judge(&page, &densities)),
                fastest(|| metadata::metadata(&page.head, &address, None, &[], None)),
            ];
            spent.iter_mut().zip(times).for_each(|(all, time)| all.push(time));
        }
    }
    let pages = spent[0].len().max(1);
    println!("{pages} pages, {} blocks a page; µs a page", blocks_seen / pages);
    for (step, mut times) in STEPS.iter().zip(spent) {
        times.sort_unstable();
        let mean = times.iter().sum::<Duration>().as_secs_f64() * 1e6 / pages as f64;
        println!("{step:>12}  median {:6.0}  mean {mean:6.0}", times[times.len() / 2].as_secs_f64() * 1e6);
    }
}

fn candidate(block: &Block) -> Candidate<'_> {
    let (characters, link_characters) = (block.characters, block.link_characters);
    Candidate { text: &block.text, characters, link_characters, preformatted: false }
}

fn fastest<T>(mut run: impl FnMut() -> T) -> Duration {
    let timed = |_| {
        let begun = Instant::now();
        black_box(run());
        begun.elapsed()
    };
    (0..RUNS).map(timed).min().unwrap_or_default()
}
