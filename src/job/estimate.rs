//! Estimates of a job from a sample of its input: documents, disk, memory and time.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount, HumanDuration};

use crate::archive::Event;
use crate::dedup::method::DocumentFrequencies;
use crate::error::Result;
use crate::job::memory;
use crate::pipeline::Outcome;
use crate::stages::census::{Census, FrequencyRow, OccurrenceRow, WordRow};
use crate::stages::extract::events::Events;
use crate::stages::join::{BEFORE_BUCKET, BEFORE_CENSUS, BEFORE_OVERLAP};
use crate::stages::ngrams::{NgramRow, Ngrams};
use crate::stages::sketch::{BandRow, SampleRow, Sketch, Sketcher, TextRow};
use crate::stages::{Job, Stage};
use crate::store::sketches;
use crate::store::spill::SpillRow;
use crate::text::{counted, words};

/// Size of the sample: one byte in `SHARE`, at least `LEAST_BYTES`, but no more than is read in `LONGEST`.
const SHARE: u64 = 100;
const LEAST_BYTES: u64 = 4 << 20;
const LONGEST: Duration = Duration::from_secs(15);
/// Number of shards, spread over the input, that contribute to the sample.
const PLACES: u32 = 16;

/// Bytes on disk per document, and per character of a paragraph with its share of the other columns: intermediate and
/// final tables together. `NGRAM` is bytes per n-gram, with its share of the repeated n-grams. Measured on the archives
/// of `benches/README.md`.
const DOCUMENT: f64 = 1000.0;
const CHARACTER: f64 = 1.3;
const NGRAM: f64 = 17.6;
/// Bytes on disk per sampled shingle: its row, and its share of the pairs that are found by it. Measured as well.
const SAMPLE: f64 = 56.0;
/// Bytes of the hash of a word or shingle.
const HASH: f64 = size_of::<u64>() as f64;
/// Bytes of a band key in a sketch.
const BAND_KEY: f64 = size_of::<u32>() as f64;
/// Time of all other stages relative to the time of the sample: measured from 0.1 with language identification to 0.5
/// without.
const OTHER_STAGES: f64 = 0.25;

/// Counts of the records in a sample.
#[derive(Debug, Default)]
struct Sample {
    /// Compressed bytes of input.
    bytes: u64,
    records: u64,
    seconds: f64,
    pages: u64,
    /// Pages with a sketch.
    texts: u64,
    shingles: u64,
    /// Block keys written for the census.
    blocks: u64,
    /// Word keys written for the census.
    words: u64,
    /// Words of content paragraphs.
    text_words: u64,
    /// Characters of all paragraphs, boilerplate included.
    characters: u64,
}

/// The estimate as lines of text for a terminal.
pub fn estimate(job: &Job, threads: usize) -> Result<String> {
    let sample = take_sample(job)?;
    if sample.pages == 0 {
        return Ok("estimate: none, the sample of the input holds no page\n".into());
    }
    if sample.bytes == 0 {
        return Ok("estimate: none, since the records of the input share one compressed stream (gzip a file)\n".into());
    }
    // An index may have no lengths, or wrong ones, but each row of it is a record.
    let scale = match &job.plan.selection {
        Some(selection) => selection.records as f64 / sample.records.max(1) as f64,
        None => job.plan.bytes() as f64 / sample.bytes as f64,
    };
    let scale = scale.max(1.0);
    let files = files(job, &sample);
    let bytes = |n: f64| HumanBytes((n * scale) as u64).to_string();
    let total: f64 = files.iter().map(|(_, n)| n).sum();
    let documents = (sample.pages as f64 * scale) as u64;
    let mut out = String::new();
    let percent = (100.0 / scale).min(100.0);
    let _ = writeln!(out, "estimate from {percent:.1} % of the input ({:.1} s):", sample.seconds);
    let words = HumanCount((sample.text_words as f64 * scale) as u64);
    let _ = writeln!(out, "  {} documents, {words} words of text", HumanCount(documents));
    let parts: Vec<String> = files.iter().map(|(name, n)| format!("{name} {}", bytes(*n))).collect();
    let _ = writeln!(out, "  disk: {} ({})", bytes(total), parts.join(", "));
    let clustering = HumanBytes(memory::clustering(documents));
    let least = HumanBytes(memory::least(threads, &job.config, &job.plan));
    let (base, each) = (HumanBytes(memory::PROGRAM), HumanBytes(memory::USUAL_TASK));
    let _ = writeln!(
        out,
        "  memory: about {base} and {each} a thread, with the largest pages that [limits] allows {least} in all, which is \
         the least --memory; {clustering} for clustering, which alone grows with the input"
    );
    let seconds = sample.seconds * scale * (1.0 + OTHER_STAGES) / threads as f64;
    let time = HumanDuration(Duration::from_secs_f64(seconds));
    let _ = writeln!(out, "  time: about {time} with {}", counted(threads, "thread"));
    Ok(out)
}

/// Bytes of a spilled row.
fn width<R: SpillRow>() -> f64 {
    R::WIDTH as f64
}

/// Bytes that the sample will take on disk, by kind of file; kinds that the job does not write are left out.
fn files(job: &Job, sample: &Sample) -> Vec<(&'static str, f64)> {
    let (bands, signature) = Sketcher::new(&job.config).widths();
    let [pages, texts, shingles, text_words] =
        [sample.pages, sample.texts, sample.shingles, sample.text_words].map(|n| n as f64);
    let tables = pages * DOCUMENT + sample.characters as f64 * CHARACTER;
    let (bands, signature) = (bands as f64, signature as f64);
    let near = Sketch.tasks(job) > 0;
    let contained = near && job.config.containment.enabled;
    let (blocks, words) = (sample.blocks as f64 * width::<OccurrenceRow>(), sample.words as f64);
    let keys = texts * (width::<TextRow>() + bands * width::<BandRow>());
    let samples = shingles / job.config.containment.scale as f64;
    let rows = [
        (BEFORE_CENSUS.tasks(job), blocks + words * width::<WordRow>()),
        (BEFORE_BUCKET.tasks(job), keys + samples * width::<SampleRow>()),
        (BEFORE_OVERLAP.tasks(job), text_words * width::<NgramRow>()),
    ];
    let joined = rows.into_iter().filter(|&(tasks, _)| tasks > 0).map(|(_, bytes)| bytes).sum();
    let files = [
        ("word hashes", text_words * HASH, true),
        ("census", blocks + words * (width::<WordRow>() + width::<FrequencyRow>()), Census.tasks(job) > 0),
        ("sketches", texts * (sketches::FIXED as f64 + bands * BAND_KEY + signature) + shingles * HASH, near),
        ("keys", keys, near),
        ("samples", samples * SAMPLE, contained),
        ("n-grams", text_words * NGRAM, Ngrams.tasks(job) > 0),
        ("joined spills", joined, true),
    ];
    let files = files.into_iter().filter(|&(.., on)| on).map(|(name, bytes, _)| (name, bytes));
    let formats = job.config.output.formats.iter();
    let formats = formats.filter_map(|format| Some((format.name, text_words * format.bytes_per_word?)));
    [("tables", tables)].into_iter().chain(formats).chain(files).filter(|&(_, bytes)| bytes > 0.0).collect()
}

/// Reads the sample: the beginnings of shards spread over the input.
fn take_sample(job: &Job) -> Result<Sample> {
    let begun = Instant::now();
    let wanted = (job.plan.bytes() / SHARE).max(LEAST_BYTES);
    let shards = job.shard_count();
    let places = PLACES.min(shards).max(1);
    let mut sample = Sample::default();
    let sketcher = Sketcher::new(&job.config);
    for place in 0..places {
        let shard = (u64::from(place) * u64::from(shards) / u64::from(places)) as u32;
        let left = LONGEST.saturating_sub(begun.elapsed()) / (places - place);
        sample.add(job, shard, wanted / u64::from(places), left, &sketcher)?;
    }
    sample.seconds = begun.elapsed().as_secs_f64();
    Ok(sample)
}

impl Sample {
    /// Adds the beginning of a shard, up to `wanted` bytes or until `time` has passed.
    fn add(&mut self, job: &Job, shard: u32, wanted: u64, time: Duration, sketcher: &Sketcher) -> Result<()> {
        let begun = Instant::now();
        let (_, input) = job.shard(shard)?;
        let archive = job.archives.open_known(&input.location, input.bytes, &input.fingerprint)?;
        let (mut bytes, mut start) = (0, None);
        for event in Events::begin(job, shard, &archive, None)? {
            let Event::Record(record) = event? else { continue };
            self.records += 1;
            bytes = match job.plan.selection {
                Some(_) => bytes + record.length,
                // Bytes before the first record belong to the previous shard.
                None => (record.offset + record.length).saturating_sub(*start.get_or_insert(record.offset)),
            };
            if let Outcome::Page(page) = job.pipeline.read(&record) {
                self.pages += 1;
                self.blocks += page.census_keys.blocks.len() as u64;
                self.words += page.census_keys.words.len() as u64;
                self.characters += page.paragraphs.iter().map(|p| u64::from(p.characters)).sum::<u64>();
                let kept = page.document.drop_reason.is_none();
                let found =
                    if kept { sketcher.fingerprint(&page.paragraphs, &DocumentFrequencies::default()) } else { None };
                self.texts += u64::from(found.is_some());
                for paragraph in page.paragraphs.iter().filter(|p| !p.boilerplate) {
                    words::words(&paragraph.text, |_| self.text_words += 1);
                }
                self.shingles += found.map_or(0, |found| u64::from(found.sketch.header.size));
            }
            if bytes >= wanted || begun.elapsed() >= time {
                break;
            }
        }
        self.bytes += bytes;
        Ok(())
    }
}
