//! Sketch: computes for each document of a shard the keys by which duplicates are found. Equal texts share a digest,
//! similar texts share a band key of the method, and a contained text shares sampled shingles with its container.

use std::path::PathBuf;
use std::sync::Arc;

use crate::config::{Config, Keeper};
use crate::dedup::bands::band_key;
use crate::dedup::containment;
use crate::dedup::method::{self, DescriptiveVocabulary, DocumentFeatures, DocumentFrequencies, KeyGenerator, Method};
use crate::dedup::minhash::MinHash;
use crate::dedup::verify::{SketchHeader, Verify};
use crate::document::Paragraph;
use crate::error::Result;
use crate::hash::range_of;
use crate::stages::census::{CommonRow, FrequencyRow};
use crate::stages::content::{self, ContentWords, PageSummary};
use crate::stages::counters::{Counters, count};
use crate::stages::{Job, Stage};
use crate::store::sketches;
use crate::store::spill::{self, MergeJoin, Writer, spill_row};
use crate::text::segments::Segmenter;
use crate::text::{units, words};

spill_row! {
    /// A document with one of its band keys. Rows of one key come in policy order.
    pub struct BandRow {
        /// Made by [`band_key`]: it tells the band, too.
        pub key: u64,
        /// Rank in policy order; smaller values are preferred as representative.
        pub order: u32,
        pub doc: u64,
        /// The low 32 bits of the text digest. The lowest bit is replaced by [`DROPPED_IN_REFERENCE`].
        pub text: u32,
    }
}

/// Bit of [`BandRow::text`] that is set if a reference corpus dropped the document.
pub const DROPPED_IN_REFERENCE: u32 = 1;

spill_row! {
    /// A document with the digest of its text. Rows of one text come in policy order.
    pub struct TextRow {
        pub digest: u128,
        /// Rank in policy order; smaller values are preferred as representative.
        pub order: u32,
        pub doc: u64,
    }
}

spill_row! {
    /// A document with one of its sampled shingles. Rows of one shingle come longest document first.
    pub struct SampleRow {
        /// Hash of the shingle.
        pub shingle: u64,
        /// `u32::MAX` minus the number of shingles of the document.
        pub length_order: u32,
        /// Rank in policy order; smaller values are preferred as representative.
        pub order: u32,
        pub doc: u64,
        /// The low 32 bits of the text digest without the lowest one, as in [`BandRow::text`].
        pub text: u32,
        /// Number of sampled shingles of the document.
        pub samples: u32,
    }
}

/// The sketch of a document and its band keys.
pub struct SketchedText {
    pub sketch: sketches::Sketch,
    /// The keys of the bands, made by [`band_key`].
    pub keys: Vec<u64>,
}

/// Computes sketches and band keys for one configuration.
pub struct Sketcher {
    config: Config,
    method: Box<dyn KeyGenerator>,
    minhash: MinHash,
    permutations: usize,
    segmenter: Segmenter,
}

impl Sketcher {
    /// A sketcher for a configuration.
    pub fn new(config: &Config) -> Sketcher {
        let method = config.near.method.generator(config.near.banding());
        let permutations = match method.permutations() {
            0 => config.near.permutations,
            some => some,
        };
        let minhash = MinHash::new(config.near.family, permutations);
        Sketcher { config: config.clone(), method, minhash, permutations, segmenter: Segmenter::default() }
    }

    /// Number of band keys and number of signature bytes of every sketch.
    pub fn widths(&self) -> (usize, usize) {
        (self.method.bands(), self.permutations)
    }

    /// Whether the sketch of a document depends on more of it than its word hashes.
    fn needs_texts(&self) -> bool {
        self.config.near.unit != units::Unit::Word || self.method.needs_sentences()
    }

    /// Computes the sketch and the band keys of a document's content. `None` for a text without words.
    pub fn fingerprint(&self, paragraphs: &[Paragraph], statistics: &DocumentFrequencies) -> Option<SketchedText> {
        self.of_words(ContentWords::of(paragraphs).hashes, paragraphs, statistics)
    }

    /// [`Sketcher::fingerprint`] of a document with these words. Paragraphs are looked at only if the sketcher needs
    /// texts.
    fn of_words(
        &self,
        word_hashes: Vec<u64>,
        paragraphs: &[Paragraph],
        statistics: &DocumentFrequencies,
    ) -> Option<SketchedText> {
        let near = &self.config.near;
        let texts = paragraphs.iter().filter(|p| !p.boilerplate).map(|p| p.text.as_str());
        if word_hashes.is_empty() {
            return None;
        }
        let digest = words::text_digest(&word_hashes);
        let unit_hashes = match near.unit {
            units::Unit::Word => word_hashes,
            unit => units::hashes(texts.clone(), unit, &self.segmenter),
        };
        let mut shingles = words::shingles(&unit_hashes, near.shingle);
        let signature = self.minhash.signature(&shingles);
        let sentences = match self.method.needs_sentences() {
            true => {
                let kept = paragraphs.iter().filter(|p| !p.boilerplate);
                method::sentences(kept.flat_map(|paragraph| content::sentences(paragraph, &self.segmenter)))
            }
            false => Vec::new(),
        };
        let content =
            DocumentFeatures { shingles: &shingles, signature: &signature, sentences: &sentences, statistics };
        let keys = self.method.keys(&content).into_iter().enumerate();
        let keys: Vec<Option<u64>> = keys.map(|(i, key)| key.map(|key| band_key(i, key))).collect();
        let header = SketchHeader {
            size: shingles.len() as u32,
            keys: keys.iter().map(|key| key.map_or(0, |key| ((key >> 32) as u32).max(1))).collect(),
            signature: signature.iter().map(|&least| least as u8).collect(),
        };
        if !stores_shingles(&self.config) {
            shingles = Vec::new();
        }
        Some(SketchedText {
            sketch: sketches::Sketch { digest, header, shingles },
            keys: keys.into_iter().flatten().collect(),
        })
    }
}

/// Whether sketches store shingles, which exact verification and containment need.
pub fn stores_shingles(config: &Config) -> bool {
    config.containment.enabled || matches!(config.near.verify, Verify::Exact | Verify::Grey)
}

/// Rank of a document by the policy `near.keeper`. Smaller ranks are preferred as representative. Rank 0 is reserved
/// for documents of reference corpora, the last one for those that are dropped as stubs: nothing is dropped in their favour.
fn order(page: &PageSummary, keeper: Keeper, is_stub: bool) -> u32 {
    if is_stub {
        return u32::MAX;
    }
    let seconds = page.captured.map(|t| (t / 1_000_000).clamp(0, i64::from(u32::MAX - 2)) as u32);
    let order = match keeper {
        Keeper::Longest => u32::MAX - page.characters().min(u64::from(u32::MAX)) as u32,
        Keeper::Earliest => seconds.unwrap_or(u32::MAX),
        Keeper::Latest => seconds.map_or(u32::MAX, |seconds| u32::MAX - 1 - seconds),
        Keeper::Cleanest => {
            let all = page.page_characters;
            (all.saturating_sub(page.characters()) * 1_000_000 / all.max(1)) as u32
        }
        Keeper::First => 0,
    };
    order.clamp(1, u32::MAX - 1)
}

/// The stage `sketch`: one task per shard.
#[derive(Debug)]
pub struct Sketch;

impl Stage for Sketch {
    fn name(&self) -> &'static str {
        "sketch"
    }

    fn tasks(&self, job: &Job) -> u32 {
        if job.config.near.enabled { job.shard_count() } else { 0 }
    }

    fn outputs(&self, job: &Job, task: u32) -> Vec<PathBuf> {
        let layout = &job.layout;
        vec![layout.sketches(task), layout.bands(task), layout.texts(task), layout.samples(task)]
    }

    fn run(&self, job: &Job, task: u32) -> Result<Counters> {
        sketch(job, task)
    }

    fn is_by_shard(&self) -> bool {
        true
    }

    fn relative_cost(&self) -> f64 {
        0.06
    }
}

fn sketch(job: &Job, shard: u32) -> Result<Counters> {
    let sketcher = Sketcher::new(&job.config);
    let (band_count, signature) = sketcher.widths();
    let mut sketches = sketches::Writer::create(&job.layout.sketches(shard), band_count, signature)?;
    let mut bands = Writer::create(&job.layout.bands(shard), job.plan.ranges, &job.sort_space)?;
    let mut texts = Writer::create(&job.layout.texts(shard), job.plan.ranges, &job.sort_space)?;
    let mut samples = Writer::create(&job.layout.samples(shard), job.plan.ranges, &job.sort_space)?;
    let mut frequencies = Frequencies::of_shard(job, shard, job.config.near.needs_statistics())?;
    let mut counters = Counters::default();
    for page in content::pages(job, shard, sketcher.needs_texts())? {
        let (page, words, paragraphs) = page?;
        job.check_stop()?;
        let doc = page.doc;
        let statistics = frequencies.of(doc)?;
        let kept = page.drop_reason.is_none();
        let is_stub = job.config.overlap.longest_stub().is_some_and(|longest| words.hashes.len() <= longest as usize);
        let found = if kept { sketcher.of_words(words.hashes, &paragraphs, statistics) } else { None };
        let Some(SketchedText { sketch, keys }) = found else {
            sketches.push(&sketches::Sketch::default())?;
            continue;
        };
        sketches.push(&sketch)?;
        count(&mut counters.dedup, "texts");
        let order = order(&page, job.config.near.keeper, is_stub);
        let range = |key: u64| range_of(key, job.plan.ranges);
        texts.push(range((sketch.digest >> 64) as u64), TextRow { digest: sketch.digest, order, doc })?;
        let text = sketch.digest as u32 & !DROPPED_IN_REFERENCE;
        keys.into_iter().try_for_each(|key| bands.push(range(key), BandRow { key, order, text, doc }))?;
        if job.config.containment.enabled {
            let chosen: Vec<u64> = containment::sample(&sketch.shingles, job.config.containment.scale).collect();
            let (length_order, samples_of) = (u32::MAX - sketch.header.size, chosen.len() as u32);
            for shingle in chosen {
                let row = SampleRow { shingle, length_order, order, doc, text, samples: samples_of };
                samples.push(range(shingle), row)?;
            }
        }
    }
    frequencies.finish()?;
    sketches.finish()?;
    for (name, rows) in [("band_keys", bands.finish()?), ("samples", samples.finish()?)] {
        counters.dedup.insert(name.into(), rows);
    }
    texts.finish()?;
    Ok(counters)
}

/// Reads the document frequencies of the words of a shard's documents, in document order.
struct Frequencies {
    rows: MergeJoin<FrequencyRow>,
    /// Statistics of the corpus, with the word frequencies of the current document.
    statistics: DocumentFrequencies,
}

impl Frequencies {
    /// Opens the frequencies of a shard. There are none if the method does not need them.
    fn of_shard(job: &Job, shard: u32, needed: bool) -> Result<Frequencies> {
        if !needed {
            return Ok(Frequencies {
                rows: MergeJoin::new(None, |row| row.doc),
                statistics: DocumentFrequencies::default(),
            });
        }
        let ranges = 0..job.plan.ranges;
        let common: Vec<PathBuf> = ranges.clone().map(|range| job.layout.common_words(range)).collect();
        let frequencies: Vec<PathBuf> = ranges.map(|range| job.layout.frequencies(range)).collect();
        let documents = job.documents_with_words()?;
        let words = spill::merge::<CommonRow>(&common, 0, &job.sort_space)?
            .map(|row| row.map(|row| (row.word, row.documents, f32::from_bits(row.median_bits))))
            .collect::<Result<Vec<_>>>()?;
        let descriptive = Arc::new(DescriptiveVocabulary::choose(words, documents));
        if shard == 0 && job.config.near.method == Method::DescrWords {
            let (least, most) = descriptive.document_shares();
            tracing::info!(
                "{} descriptive words, each in {least:.2} to {most:.2} of the documents",
                descriptive.count()
            );
        }
        Ok(Frequencies {
            rows: MergeJoin::new(Some(spill::merge(&frequencies, shard, &job.sort_space)?), |row| row.doc),
            statistics: DocumentFrequencies { documents, descriptive, ..DocumentFrequencies::default() },
        })
    }

    /// The statistics for the words of `doc`. Calls must be in ascending order of documents.
    fn of(&mut self, doc: u64) -> Result<&DocumentFrequencies> {
        let frequency = &mut self.statistics.frequency;
        frequency.clear();
        self.rows.rows_of(doc, |row| {
            frequency.insert(row.word, row.documents);
        })?;
        Ok(&self.statistics)
    }

    /// Reads the remaining rows, because checksums are verified at the end of the files.
    fn finish(mut self) -> Result<()> {
        self.rows.finish()
    }
}
