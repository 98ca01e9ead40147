//! Census: counts over all shards. For each block, the number of pages of its host that have it; for each word, the
//! number of documents that have it. One task per key range counts and writes a row for every document that has the
//! block or the word.

use std::path::PathBuf;

use crate::dedup::sites::PageCounter;
use crate::error::Result;
use crate::pipeline::WHOLE_PAGE;
use crate::stages::counters::Counters;
use crate::stages::join::{self, Spill};
use crate::stages::{Job, Stage};
use crate::store::spill::{Groups, Writer, spill_row};

spill_row! {
    /// An occurrence of a block on a page, or of a page on its host.
    pub struct OccurrenceRow {
        /// Hash of host and block, or of the host.
        pub key: u64,
        /// Hash of the page's normalised URL.
        pub url: u64,
        /// Hash of the block keys of the page's content.
        pub text: u64,
        pub doc: u64,
        /// Index of the paragraph, or [`WHOLE_PAGE`].
        pub index: u32,
    }
}

spill_row! {
    /// Number of distinct pages of the host that have a block of the document, or that the host has in all.
    pub struct CountRow {
        pub doc: u64,
        /// Index of the paragraph, or [`WHOLE_PAGE`].
        pub index: u32,
        pub pages: u32,
    }
}

spill_row! {
    /// A word of a document, with its relative frequency there.
    pub struct WordRow {
        /// Hash of the word.
        pub word: u64,
        /// The word's share of the document's words, 0 to 1, as the bits of an f32. Bits of positive floats sort in
        /// numeric order.
        pub share_bits: u32,
        pub doc: u64,
    }
}

spill_row! {
    /// A word of a document and its document frequency in the corpus.
    pub struct FrequencyRow {
        pub doc: u64,
        pub word: u64,
        pub documents: u32,
    }
}

spill_row! {
    /// A word with a high document frequency, and the median of its shares over the documents that have it.
    pub struct CommonRow {
        pub word: u64,
        pub documents: u32,
        pub median_bits: u32,
    }
}

/// Smallest document frequency that is written. Readers take an absent word as one of a single document.
const MIN_DOCUMENT_FREQUENCY: u32 = 2;
/// Smallest share of the documents that must have a word for it to be written as a [`CommonRow`].
const MIN_COMMON_SHARE: f64 = 0.01;

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
        0.03
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
    let files = join::files(job, Spill::Blocks);
    let mut writer = job.writer_by_shard::<CountRow>(&job.layout.page_counts(range))?;
    let mut groups = Groups::<OccurrenceRow>::new(&files, range, |row| row.key, &job.sort_space)?;
    let mut pages = PageCounter::default();
    while groups.scan_group(|row| pages.insert(row.url, row.text))? {
        let count = pages.count();
        pages.clear();
        groups.replay_group(|row, _| {
            let count_row = CountRow { doc: row.doc, index: row.index, pages: count };
            // A block on a single page is not repeated, so it gets no row.
            let needed = count > 1 || row.index == WHOLE_PAGE;
            if needed { writer.push(count_row) } else { Ok(()) }
        })?;
        job.check_stop()?;
    }
    writer.finish()
}

fn frequencies(job: &Job, range: u32) -> Result<u64> {
    let files = join::files(job, Spill::Words);
    let mut writer = job.writer_by_shard::<FrequencyRow>(&job.layout.frequencies(range))?;
    let mut common = Writer::create(&job.layout.common_words(range), 1, &job.sort_space)?;
    let least_common = MIN_COMMON_SHARE * job.documents_with_words()? as f64;
    let mut groups = Groups::<WordRow>::new(&files, range, |row| row.word, &job.sort_space)?;
    let mut documents = 0u32;
    while groups.scan_group(|_| documents = documents.saturating_add(1))? {
        groups.replay_group(|row, position| {
            // Rows of a word come in the order of the shares, so the middle row has the median.
            if position == documents / 2 && f64::from(documents) >= least_common {
                common.push(0, CommonRow { word: row.word, documents, median_bits: row.share_bits })?;
            }
            let frequency_row = FrequencyRow { doc: row.doc, word: row.word, documents };
            if documents >= MIN_DOCUMENT_FREQUENCY { writer.push(frequency_row) } else { Ok(()) }
        })?;
        documents = 0;
        job.check_stop()?;
    }
    common.finish()?;
    writer.finish()
}
