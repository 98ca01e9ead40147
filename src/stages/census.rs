//! Census: what a page cannot know of itself. On how many pages of the host does a block stand, in how
//! many documents does a word? One task per key range counts, and tells it to every document that
//! has the block or the word.

use std::path::PathBuf;

use crate::dedup::sites::PageCounter;
use crate::error::Result;
use crate::key::parts;
use crate::pipeline::WHOLE_PAGE;
use crate::stages::counters::{Counters, with_words};
use crate::stages::extract::Extract;
use crate::stages::{Job, Stage};
use crate::store::spill::{Groups, Writer, spill_row};

spill_row! {
    /// A block of a page, or a page of a host.
    pub struct OccurrenceRow {
        /// Key of host and block, or of the host.
        pub key: u64,
        /// Identity of the page's address.
        pub url: u64,
        /// Identity of the page's text.
        pub text: u64,
        pub doc: u64,
        /// Index of the paragraph; [`WHOLE_PAGE`] for the page.
        pub index: u32,
    }
}

spill_row! {
    /// How many distinct pages of the host have what a document has.
    pub struct CountRow {
        pub doc: u64,
        pub index: u32,
        pub pages: u32,
    }
}

spill_row! {
    /// A word of a document.
    pub struct WordRow {
        pub word: u64,
        /// Its share of the document's words, as the bits of an f32: positive ones sort as numbers.
        pub share_bits: u32,
        pub doc: u64,
    }
}

spill_row! {
    /// How many documents have a word of this one.
    pub struct FrequencyRow {
        pub doc: u64,
        pub word: u64,
        pub documents: u32,
    }
}

spill_row! {
    /// A word of many documents, and the median of its shares there.
    pub struct CommonRow {
        pub word: u64,
        pub documents: u32,
        pub median_bits: u32,
    }
}

/// Documents with a word below which nobody hears of it: one alone says nothing.
const LEAST_DOCUMENTS: u32 = 2;
/// Share of the documents from which a word is common.
const COMMON: f64 = 0.01;

/// The stage `census`: one task per key range.
#[derive(Debug)]
pub struct Census;

impl Stage for Census {
    fn name(&self) -> &'static str {
        "census"
    }

    fn tasks(&self, job: &Job) -> u32 {
        let on = job.config.sites.enabled || job.config.near.needs_statistics();
        if on { job.plan.ranges } else { 0 }
    }

    fn outputs(&self, job: &Job, task: u32) -> Vec<PathBuf> {
        let sites = job.config.sites.enabled.then(|| job.layout.page_counts(task));
        let words = [job.layout.frequencies(task), job.layout.common_words(task)];
        sites.into_iter().chain(words.into_iter().filter(|_| job.config.near.needs_statistics())).collect()
    }

    fn run(&self, job: &Job, task: u32) -> Result<Counters> {
        census(job, task)
    }

    fn relative_cost(&self) -> f64 {
        0.05
    }
}

fn census(job: &Job, range: u32) -> Result<Counters> {
    let mut counters = Counters::default();
    if job.config.sites.enabled {
        counters.dedup.insert("blocks_told".into(), count_pages(job, range)?);
    }
    if job.config.near.needs_statistics() {
        counters.dedup.insert("words_told".into(), frequencies(job, range)?);
    }
    Ok(counters)
}

fn count_pages(job: &Job, range: u32) -> Result<u64> {
    let files: Vec<PathBuf> = job.shards().map(|shard| job.layout.extracted(shard).blocks()).collect();
    let mut writer = Writer::create(&job.layout.page_counts(range), job.shard_count(), &job.sort_memory)?;
    let mut groups = Groups::<OccurrenceRow>::new(&files, range, |row| row.key, &job.sort_memory)?;
    let mut pages = PageCounter::default();
    while groups.scan_group(|row| pages.insert(row.url, row.text))? {
        let count = pages.count();
        pages = PageCounter::default();
        groups.replay_group(|row, _| {
            let told = CountRow { doc: row.doc, index: row.index, pages: count };
            let worth = count > 1 || row.index == WHOLE_PAGE;
            if worth { writer.push(parts(row.doc).0, told) } else { Ok(()) }
        })?;
        job.check_stop()?;
    }
    writer.finish()
}

fn frequencies(job: &Job, range: u32) -> Result<u64> {
    let files: Vec<PathBuf> = job.shards().map(|shard| job.layout.extracted(shard).words()).collect();
    let mut writer = Writer::create(&job.layout.frequencies(range), job.shard_count(), &job.sort_memory)?;
    let mut common = Writer::create(&job.layout.common_words(range), 1, &job.sort_memory)?;
    let most = COMMON * job.counted(&Extract, with_words)? as f64;
    let mut groups = Groups::<WordRow>::new(&files, range, |row| row.word, &job.sort_memory)?;
    let mut documents = 0u32;
    while groups.scan_group(|_| documents = documents.saturating_add(1))? {
        groups.replay_group(|row, place| {
            if place == documents / 2 && f64::from(documents) >= most {
                common.push(0, CommonRow { word: row.word, documents, median_bits: row.share_bits })?;
            }
            let told = FrequencyRow { doc: row.doc, word: row.word, documents };
            if documents >= LEAST_DOCUMENTS { writer.push(parts(row.doc).0, told) } else { Ok(()) }
        })?;
        documents = 0;
        job.check_stop()?;
    }
    common.finish()?;
    writer.finish()
}
