//! What pages cost, step by step, on one thread: `PAGES="a.warc.gz b.warc.gz" cargo bench --bench page`, on the sample of
//! the project without `PAGES`. An iteration is one step on every page of the archives, one after the other: repeated on
//! a single page, a step would cost half, because branch predictors and caches adapt to the page. The last step is the
//! whole pipeline, as jobs and library users call it.

#![allow(clippy::too_many_lines, reason = "a list of steps")]

use std::borrow::Cow;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use warcorpus::archive::{Event, Limits, Record, records};
use warcorpus::clean::PageProfile;
use warcorpus::clean::main_content::score_blocks;
use warcorpus::clean::stoplist::Stoplist;
use warcorpus::clean::stopwords::stopword_shares;
use warcorpus::config::Config;
use warcorpus::dedup::minhash::MinHash;
use warcorpus::language::{Identifier, Language, SampleBlock};
use warcorpus::page::blocks::{Block, Options, Page};
use warcorpus::page::payload::{self, Media, Payload, payload};
use warcorpus::page::{blocks, metadata};
use warcorpus::text::segments::Segmenter;
use warcorpus::text::words;
use warcorpus::{Pipeline, PipelineOptions};

fn all_records(bytes: &[u8]) -> Vec<Record> {
    let events = records(&bytes, 0..bytes.len() as u64, &Limits::default()).expect("memory can be read");
    let of_event = |event| if let Ok(Event::Record(record)) = event { Some(record) } else { None };
    events.filter_map(of_event).collect()
}

fn steps(criterion: &mut Criterion) {
    let config = Config::default();
    let archives = std::env::var("PAGES").unwrap_or_else(|_| "data-samples/web.warc.gz".into());
    let archives: Vec<Vec<u8>> =
        archives.split_whitespace().map(|archive| std::fs::read(archive).expect("an archive")).collect();
    let records: Vec<Record> = archives.iter().flat_map(|bytes| all_records(bytes)).collect();
    let html =
        |record| payload(record, &payload::Options::default()).ok().filter(|payload| payload.media == Media::Html);
    let payloads: Vec<(String, Payload)> = records
        .iter()
        .filter_map(|record| Some((record.header.target_uri().unwrap_or_default().into_owned(), html(record)?)))
        .collect();
    let texts: Vec<String> = payloads.iter().map(|payload| decode(payload).into_owned()).collect();
    let options = Options::default();
    let pages: Vec<Page<'_>> = texts.iter().map(|text| blocks::page(text, &options)).collect();
    let identifier = Identifier::new(&config.language.identification);
    let densities: Vec<Vec<f32>> = pages.iter().map(|page| stopword_shares(&page.blocks, Stoplist::all())).collect();
    let kept: Vec<Vec<&Block>> = pages.iter().zip(&densities).map(|(page, densities)| kept(page, densities)).collect();
    let languages: Vec<Language> = pages.iter().map(|page| document(&identifier, page)).collect();
    let minhash = MinHash::new(config.near.family, 112);
    let segmenter = Segmenter::default();
    let pipeline = Pipeline::new(PipelineOptions::default());

    let mut group = criterion.benchmark_group("page");
    group.sample_size(10).throughput(Throughput::Elements(payloads.len() as u64));
    let mut step = |name: &str, mut run: Box<dyn FnMut() + '_>| {
        group.bench_function(name, |bencher| bencher.iter(&mut run));
    };
    step("inflate and records", Box::new(|| archives.iter().for_each(|bytes| drop(black_box(all_records(bytes))))));
    step("decode", Box::new(|| payloads.iter().for_each(|payload| drop(black_box(decode(payload))))));
    step("blocks", Box::new(|| texts.iter().for_each(|text| drop(black_box(blocks::page(text, &options))))));
    step(
        "language",
        Box::new(|| {
            for (page, kept) in pages.iter().zip(&kept) {
                let language = document(&identifier, page);
                for block in kept {
                    black_box(identifier.paragraph(&block.text, language));
                }
            }
        }),
    );
    step(
        "stop words",
        Box::new(|| {
            pages.iter().for_each(|page| drop(black_box(stopword_shares(&page.blocks, Stoplist::all()))));
        }),
    );
    step(
        "cleaner",
        Box::new(|| {
            for (page, densities) in pages.iter().zip(&densities) {
                drop(black_box(score_blocks(page, &PageProfile::of(page), densities)));
            }
        }),
    );
    step(
        "metadata",
        Box::new(|| {
            for (page, (address, _)) in pages.iter().zip(&payloads) {
                black_box(metadata::metadata(&page.head, address, None, &[], None));
            }
        }),
    );
    step(
        "shingles",
        Box::new(|| {
            for kept in &kept {
                let mut hashes = Vec::new();
                kept.iter().for_each(|block| words::hashes(&block.text, &mut hashes));
                black_box(minhash.signature(&words::shingles(&hashes, config.near.shingle)));
            }
        }),
    );
    step(
        "sentences and tokens",
        Box::new(|| {
            for (kept, language) in kept.iter().zip(&languages) {
                let cutter = segmenter.language(language.code());
                let mut tokens = Vec::new();
                for block in kept {
                    let sentences = cutter.sentences(&block.text);
                    sentences.into_iter().for_each(|sentence| cutter.tokens(&block.text, sentence, &mut tokens));
                }
                black_box(tokens);
            }
        }),
    );
    step("the pipeline", Box::new(|| records.iter().for_each(|record| drop(black_box(pipeline.read(record))))));
}

fn decode<'a>((address, payload): &'a (String, Payload<'_>)) -> Cow<'a, str> {
    payload.decode(address).map(|page| page.text).unwrap_or_default()
}

fn kept<'a>(page: &'a Page<'_>, densities: &[f32]) -> Vec<&'a Block> {
    let scored = page.blocks.iter().zip(score_blocks(page, &PageProfile::of(page), densities));
    scored.filter(|(_, score)| !score.is_boilerplate()).map(|(block, _)| block).collect()
}

fn document(identifier: &Identifier, page: &Page<'_>) -> Language {
    identifier.document(page.blocks.iter().map(candidate)).language
}

fn candidate(block: &Block) -> SampleBlock<'_> {
    let (characters, link_characters) = (block.characters, block.link_characters);
    SampleBlock { text: &block.text, characters, link_characters, preformatted: false }
}

criterion_group!(all, steps);
criterion_main!(all);
