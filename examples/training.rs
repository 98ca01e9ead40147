//! What training needs to know about labelled pages; `training/train.py` calls it. Reads archives in the order given.
//!
//! ```text
//! training blocks OUT ARCHIVE…       the pages: a JSON line each, with the texts of the blocks
//! training features OUT ARCHIVE…     LABELS, HOSTS → features and lexica
//! training context OUT ARCHIVE…      LABELS, HOSTS, SCORES → the second stage's features
//! ```
//! LABELS (label and weight of each block), HOSTS (of each page: number of its host × folds + fold) and SCORES (of
//! each block) are files of little-endian 32-bit floats, FOLDS is a number; all named in the environment. A page is
//! described with the lexica of all folds but its own.

#![allow(clippy::indexing_slicing, reason = "files that do not belong together may end the training")]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use warcorpus::archive::{Event, Limits, Record, records};
use warcorpus::clean::PageProfile;
use warcorpus::clean::main_content::feature_columns::FeatureColumns;
use warcorpus::clean::main_content::features::Features;
use warcorpus::clean::main_content::lexicon::{Lexica, Lexicon};
use warcorpus::clean::main_content::page_context::{PageContext, first_words};
use warcorpus::clean::main_content::{context, features};
use warcorpus::clean::stoplist::Stoplist;
use warcorpus::clean::stopwords::stopword_shares;
use warcorpus::page::blocks::{self, Page};
use warcorpus::page::payload::{self, Media};

/// Hosts on which a token must have been seen.
const LEAST_HOSTS: f32 = 6.0;
/// Hosts that the mean counts for in a token's weight.
const PRIOR_HOSTS: f32 = 6.0;

struct Labelled {
    set: String,
    id: String,
    url: String,
    page: Page<'static>,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [command, out, archives @ ..] = arguments.as_slice() else { bail!("training COMMAND OUT ARCHIVE…") };
    match command.as_str() {
        "blocks" => write_blocks(out, archives),
        "features" => write_features(out, archives),
        "context" => write_context(out, archives),
        other => bail!("{other} is none of blocks, features, context"),
    }
}

fn write_blocks(out: &str, archives: &[String]) -> Result<()> {
    let mut file = BufWriter::new(File::create(out)?);
    each_page(archives, |page| {
        let texts: Vec<&str> = page.page.blocks.iter().map(|block| block.text.as_str()).collect();
        let line = serde_json::json!({"set": page.set, "id": page.id, "url": page.url, "blocks": texts});
        Ok(writeln!(file, "{line}")?)
    })
}

fn write_features(out: &str, archives: &[String]) -> Result<()> {
    let hosts = floats("HOSTS")?;
    let lexica = learn(archives, &floats("LABELS")?, &hosts)?;
    for (number, lexica) in lexica.iter().enumerate() {
        write_lexica(&format!("{out}.lexica{number}"), lexica)?;
    }
    let names: Vec<String> = features::names().into_iter().map(|(name, _)| name).collect();
    std::fs::write(format!("{out}.names"), names.join("\n"))?;
    let mut file = BufWriter::new(File::create(format!("{out}.f32"))?);
    let mut number = 0;
    each_page(archives, |page| {
        let page_context = context_of(&page.page, of_page(&lexica, &hosts, number));
        number += 1;
        let features = Features::new(&page_context);
        (0..page.page.blocks.len()).try_for_each(|block| {
            let mut columns = FeatureColumns::default();
            features.describe_page(&mut columns);
            let mut row = columns.row(0, 0);
            features.describe(block, &mut row);
            write_floats(&mut file, &row.features())
        })
    })
}

fn write_context(out: &str, archives: &[String]) -> Result<()> {
    let (hosts, scores) = (floats("HOSTS")?, floats("SCORES")?);
    let lexica = learn(archives, &floats("LABELS")?, &hosts)?;
    let names: Vec<String> = context::names().into_iter().map(|(name, _)| name).collect();
    std::fs::write(format!("{out}.names"), names.join("\n"))?;
    let mut file = BufWriter::new(File::create(format!("{out}.f32"))?);
    let (mut number, mut at) = (0, 0);
    each_page(archives, |page| {
        let page_context = context_of(&page.page, of_page(&lexica, &hosts, number));
        let own = scores.get(at..at + page.page.blocks.len()).context("SCORES is too short")?;
        (number, at) = (number + 1, at + own.len());
        let context = context::ScoreContext::new(&page_context, own);
        (0..own.len()).try_for_each(|block| {
            let mut columns = FeatureColumns::default();
            let mut row = columns.row(0, 0);
            context.describe(block, &mut row);
            write_floats(&mut file, &row.features())
        })
    })
}

fn folds() -> usize {
    std::env::var("FOLDS").ok().and_then(|n| n.parse().ok()).unwrap_or(5)
}

fn of_page<'a>(lexica: &'a [Lexica], hosts: &[f32], page: usize) -> &'a Lexica {
    &lexica[hosts[page] as usize % folds()]
}

fn context_of<'a>(page: &'a Page<'a>, lexica: &Lexica) -> PageContext<'a> {
    PageContext::new(page, &PageProfile::of(page), &stopwords(page), lexica)
}

fn stopwords(page: &Page<'_>) -> Vec<f32> {
    stopword_shares(&page.blocks, Stoplist::all())
}

/// Kept share of the text under each token, summed over hosts, and the number of hosts.
type Sums = HashMap<u64, (f32, f32)>;

#[derive(Default)]
struct Learner {
    names: Sums,
    words: Sums,
}

/// The lexica without each fold, then the one of all.
fn learn(archives: &[String], labels: &[f32], hosts: &[f32]) -> Result<Vec<Lexica>> {
    let mut by_host: BTreeMap<usize, [Sums; 2]> = BTreeMap::new();
    let (mut number, mut at) = (0, 0);
    each_page(archives, |page| {
        let [names_of_host, words_of_host] = by_host.entry(hosts[number] as usize).or_default();
        let profile = PageProfile::of(&page.page);
        let tokens: Vec<&[u64]> = profile.names().iter().map(|names| profile.tokens(names)).collect();
        for (block, words) in page.page.blocks.iter().zip(profile.cleaner_words().map(first_words)) {
            let (label, weight) = (labels[at], labels[at + 1]);
            at += 2;
            if weight > 0.0 {
                let mut place = Some(block.container);
                let mut around = HashSet::new();
                while let Some(container) = place.map(|p| &page.page.containers[p as usize]) {
                    if container.tag != blocks::Tag::Body {
                        around.extend(tokens[place.unwrap_or(0) as usize]);
                    }
                    place = container.parent;
                }
                see(names_of_host, around, weight, label);
                see(words_of_host, words.iter().copied().collect(), 1.0, label);
            }
        }
        number += 1;
        Ok(())
    })?;
    let folds = folds();
    let mut learners: Vec<Learner> = (0..=folds).map(|_| Learner::default()).collect();
    for (host, [names, words]) in by_host {
        for (_, learner) in learners.iter_mut().enumerate().filter(|(fold, _)| *fold != host % folds) {
            end_host(&mut learner.names, &names);
            end_host(&mut learner.words, &words);
        }
    }
    Ok(learners.iter().map(|l| Lexica { names: lexicon(&l.names), words: lexicon(&l.words) }).collect())
}

fn see(sums: &mut Sums, tokens: HashSet<u64>, weight: f32, kept: f32) {
    for token in tokens {
        let sum = sums.entry(token).or_default();
        *sum = (sum.0 + weight * kept, sum.1 + weight);
    }
}

fn end_host(sums: &mut Sums, host: &Sums) {
    for (&token, &(kept, weight)) in host {
        let sum = sums.entry(token).or_default();
        *sum = (sum.0 + kept / weight, sum.1 + 1.0);
    }
}

/// Weights, in 127ths, shrink towards the mean where hosts are few.
fn lexicon(sums: &Sums) -> Lexicon {
    // Sums of floats depend on their order, so the order is fixed.
    let mut all: Vec<_> = sums.iter().collect();
    all.sort_by_key(|(token, _)| **token);
    let (kept, hosts) =
        all.iter().fold((0.0f64, 0.0f64), |sum, (_, one)| (sum.0 + f64::from(one.0), sum.1 + f64::from(one.1)));
    let mean = (kept / hosts.max(1.0)) as f32;
    let weight = |&(kept, hosts): &(f32, f32)| ((kept - mean * hosts) / (hosts + PRIOR_HOSTS) * 127.0).round() / 127.0;
    Lexicon(all.iter().filter(|(_, s)| s.1 >= LEAST_HOSTS).map(|(token, s)| (**token, weight(s))).collect())
}

/// As the model file has them.
fn write_lexica(path: &str, lexica: &Lexica) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    for lexicon in [&lexica.names, &lexica.words] {
        let mut tokens: Vec<_> = lexicon.0.iter().collect();
        tokens.sort_by_key(|(token, _)| **token);
        file.write_all(&u32::try_from(tokens.len())?.to_le_bytes())?;
        for (token, weight) in tokens {
            file.write_all(&token.to_le_bytes())?;
            file.write_all(&((weight * 127.0).round() as i8).to_le_bytes())?;
        }
    }
    Ok(())
}

fn floats(name: &str) -> Result<Vec<f32>> {
    let path = std::env::var(name).with_context(|| format!("{name} is not set"))?;
    Ok(std::fs::read(path)?.chunks_exact(4).map(|c| f32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
}

fn write_floats(file: &mut impl Write, values: &[f32]) -> Result<()> {
    values.iter().try_for_each(|value| Ok(file.write_all(&value.to_le_bytes())?))
}

fn each_page(archives: &[String], mut each: impl FnMut(Labelled) -> Result<()>) -> Result<()> {
    for archive in archives {
        let bytes = std::fs::read(archive).with_context(|| archive.clone())?;
        let name = Path::new(archive).file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let set = name.split('.').next().unwrap_or_default();
        for event in records(&&bytes[..], 0..bytes.len() as u64, &Limits::default())? {
            if let Event::Record(record) = event?
                && let Some(page) = read(&record, set)
            {
                each(page)?;
            }
        }
    }
    Ok(())
}

fn read(record: &Record, set: &str) -> Option<Labelled> {
    let payload = payload::payload(record, &payload::Options::default()).ok().filter(|p| p.media == Media::Html)?;
    let url = record.header.target_uri().unwrap_or_default().to_string();
    // The pages are read once and wanted to the end.
    let text = String::leak(payload.decode(&url).ok()?.text.into_owned());
    let mut page = blocks::page(text, &blocks::Options::default());
    page.normalise();
    Some(Labelled { set: set.into(), id: payload::record_id(record).to_string(), url, page })
}
