//! The main cleaner against texts that are known: those that the sample's pages were made from, and, where the labelled
//! pages are at hand, theirs. Floors, not goals: they catch what makes the text worse.

use std::collections::HashMap;
use std::fs;

use rayon::prelude::*;
use serde::Deserialize;
use warcorpus::archive::{Event, Limits, Record, records};
use warcorpus::clean::PageProfile;
use warcorpus::clean::main_content::score_blocks;
use warcorpus::clean::stoplist::Stoplist;
use warcorpus::clean::stopwords::stopword_shares;
use warcorpus::page::blocks;
use warcorpus::page::payload::{self, Media};

use crate::common::{Corpus, root, sample, shared};

/// A text of the sample: `texts/NAME.txt` begins with the title and a line about author and date.
fn written(text: &str) -> (String, String) {
    let (title, rest) = text.split_once('\n').unwrap();
    let (_, body) = rest.split_once('\n').unwrap();
    let body: String = body.lines().map(|line| line.trim_start_matches(['=', '>', ' ']).to_owned() + "\n").collect();
    (title.to_owned(), format!("{title}\n{body}"))
}

#[test]
fn pages_give_back_the_texts_they_were_made_from() {
    let folder = root().join("data-samples/texts");
    let texts = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = texts.filter(|path| path.extension().is_some_and(|e| e == "txt"));
    let texts: HashMap<String, String> = texts.map(|path| written(&fs::read_to_string(path).unwrap())).collect();
    let corpus = Corpus::build(0, &[&sample("web.warc.gz")], &["--set", "sites.enabled=false"]);
    let mut figures = Vec::new();
    for document in corpus.documents() {
        let Some(text) = document.title.as_ref().and_then(|title| texts.get(title)) else { continue };
        let own = corpus.paragraphs().into_iter().filter(|p| p.doc == document.doc && !p.boilerplate);
        let got: Vec<String> = own.map(|p| p.text).collect();
        figures.push((word_f1(&got.join("\n"), text), document.url));
    }
    figures.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mean = figures.iter().map(|f| f.0).sum::<f64>() / figures.len() as f64;
    assert!(figures.len() > 50 && mean > 0.95, "{mean:.3} on {} pages; lowest {:?}", figures.len(), &figures[..5]);
}

#[derive(Deserialize)]
struct Gold {
    record_id: String,
    #[serde(default)]
    gold_text: String,
    #[serde(default = "whole")]
    gold_on_page: f64,
}

fn whole() -> f64 {
    1.0
}

/// Mean word F1 on the pages that the model was trained on, which may not fall.
#[test]
fn labelled_pages_are_cleaned_as_well_as_before() {
    let Some(folder) = shared("extraction") else { return };
    for (set, floor) in FLOORS {
        let gold = fs::read_to_string(folder.join(format!("{set}.gold.jsonl"))).unwrap();
        let gold = gold.lines().map(|line| serde_json::from_str::<Gold>(line).unwrap());
        let gold = gold.filter(|gold| gold.gold_on_page >= 0.5 && !gold.gold_text.is_empty());
        let gold: HashMap<String, String> = gold.map(|g| (g.record_id, g.gold_text)).collect();
        let archive = fs::read(folder.join(format!("{set}.warc.gz"))).unwrap();
        let events = records(&archive, 0..archive.len() as u64, &Limits::default()).unwrap();
        let records: Vec<Record> = events
            .filter_map(|event| match event.unwrap() {
                Event::Record(record) => Some(record),
                Event::Damage(_) => None,
            })
            .collect();
        let score = |record: &Record| {
            let text = gold.get(&format!("<{}>", payload::record_id(record)))?;
            Some(word_f1(&cleaned(record).unwrap_or_default(), text))
        };
        let figures: Vec<f64> = records.par_iter().filter_map(score).collect();
        let mean = figures.iter().sum::<f64>() / figures.len() as f64;
        println!("{set}: {mean:.4} on {} pages", figures.len());
        assert!(mean >= *floor, "{set}: word F1 {mean:.4}, was at least {floor}");
    }
}

/// What was measured when the model was made, less .005. In sample: cross-validated figures are in `docs/cleaning.md`.
const FLOORS: &[(&str, f64)] = &[
    ("cleaneval", 0.955),
    ("cleaneval-dev", 0.937),
    ("cleanportaleval", 0.989),
    ("dragnet", 0.971),
    ("l3s-gn1", 0.910),
    ("newspaper", 0.930),
    ("readability", 0.949),
    ("scrapinghub", 0.973),
    ("wcxb", 0.943),
];

/// The text that the main cleaner leaves of a page.
fn cleaned(record: &Record) -> Option<String> {
    let payload = payload::payload(record, &payload::Options::default()).ok().filter(|p| p.media == Media::Html)?;
    let address = record.header.target_uri().unwrap_or_default();
    let decoded = payload.decode(&address).ok()?;
    let mut page = blocks::page(&decoded.text, &blocks::Options::default());
    page.normalise();
    let stopwords = stopword_shares(&page.blocks, Stoplist::all());
    let scores = score_blocks(&page, &PageProfile::of(&page), &stopwords);
    let kept = page.blocks.iter().zip(scores).filter(|(_, score)| !score.is_boilerplate());
    Some(kept.map(|(block, _)| block.text.as_str()).collect::<Vec<_>>().join("\n"))
}

/// F1 of the multisets of words.
fn word_f1(got: &str, wanted: &str) -> f64 {
    let words = |text: &str| {
        let mut counts: HashMap<String, i64> = HashMap::new();
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.for_each(|word| *counts.entry(word.to_lowercase()).or_default() += 1);
        counts
    };
    let (got, wanted) = (words(got), words(wanted));
    let both: i64 = got.iter().map(|(word, n)| *n.min(wanted.get(word).unwrap_or(&0))).sum();
    let all: i64 = got.values().chain(wanted.values()).sum();
    if all == 0 { 1.0 } else { 2.0 * both as f64 / all as f64 }
}
