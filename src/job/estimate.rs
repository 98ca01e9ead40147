//! What a job will take, from a sample of its input: documents, disk, memory, time.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount, HumanDuration};

use crate::archive::Event;
use crate::dedup::method::DocumentFrequencies;
use crate::error::Result;
use crate::job::memory;
use crate::pipeline::Outcome;
use crate::stages::census::Census;
use crate::stages::extract::events::Events;
use crate::stages::ngrams::Ngrams;
use crate::stages::sketch::{Sketch, Sketcher};
use crate::stages::{Job, Stage};
use crate::text::words;

/// One byte in so many is read, but so many at least, and no longer than this.
const SHARE: u64 = 100;
const LEAST_BYTES: u64 = 4 << 20;
const LONGEST: Duration = Duration::from_secs(15);
/// Places of the input where a part of the sample is taken.
const PLACES: u32 = 16;

/// Bytes of a document's rows, and of a character of a paragraph with its share of the other columns, in
/// the tables between stages and the final ones together; of an n-gram with its share of the repeated
/// ones. Measured on the archives of `benches/README.md`.
const DOCUMENT: f64 = 1000.0;
const CHARACTER: f64 = 1.3;
const NGRAM: f64 = 17.6;
/// Work of all other stages in relation to the sample's: from .1 with language identification to .5 without.
const OTHER_STAGES: f64 = 0.25;

/// Counts of a sample.
#[derive(Debug, Default)]
struct Sample {
    bytes: u64,
    seconds: f64,
    pages: u64,
    texts: u64,
    shingles: u64,
    blocks: u64,
    /// For the census.
    words: u64,
    /// Of the texts.
    text_words: u64,
    characters: u64,
}

/// Lines for people.
pub fn estimate(job: &Job, threads: usize) -> Result<String> {
    let sample = take(job)?;
    if sample.bytes == 0 || sample.pages == 0 {
        return Ok("estimate: none, the beginning of the input holds no page whose size is known\n".into());
    }
    let scale = (job.plan.bytes() as f64 / sample.bytes as f64).max(1.0);
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
    let (base, each) = (HumanBytes(memory::PROGRAM), HumanBytes(memory::USUAL_TASK));
    let _ = writeln!(
        out,
        "  memory: about {base} and {each} a thread; {clustering} for clustering, which alone grows with the input"
    );
    let seconds = sample.seconds * scale * (1.0 + OTHER_STAGES) / threads as f64;
    let time = HumanDuration(Duration::from_secs_f64(seconds));
    let _ = writeln!(out, "  time: about {time} with {threads} threads");
    Ok(out)
}

/// Bytes that a sample will have in the files of the job.
fn files(job: &Job, sample: &Sample) -> Vec<(&'static str, f64)> {
    let (slots, signature) = Sketcher::new(&job.config).widths();
    let [pages, texts, shingles, text_words] =
        [sample.pages, sample.texts, sample.shingles, sample.text_words].map(|n| n as f64);
    let tables = pages * DOCUMENT + sample.characters as f64 * CHARACTER;
    let (slots, signature) = (slots as f64, signature as f64);
    let near = Sketch.tasks(job) > 0;
    let contained = near && job.config.containment.enabled;
    let files = [
        ("census", sample.blocks as f64 * 36.0 + sample.words as f64 * 40.0, Census.tasks(job) > 0),
        ("sketches", texts * (48.0 + slots * 4.0 + signature) + shingles * 8.0, near),
        ("keys", texts * (28.0 + slots * 24.0), near),
        ("samples", shingles / job.config.containment.scale as f64 * 56.0, contained),
        ("n-grams", text_words * NGRAM, Ngrams.tasks(job) > 0),
    ];
    let files = files.into_iter().filter(|&(.., on)| on).map(|(name, bytes, _)| (name, bytes));
    let formats = job.config.output.formats.iter();
    let formats = formats.filter_map(|format| Some((format.name, text_words * format.bytes_per_word?)));
    [("tables", tables)].into_iter().chain(formats).chain(files).filter(|&(_, bytes)| bytes > 0.0).collect()
}

fn take(job: &Job) -> Result<Sample> {
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
    /// Reads the beginning of a shard.
    fn add(&mut self, job: &Job, shard: u32, wanted: u64, time: Duration, sketcher: &Sketcher) -> Result<()> {
        let begun = Instant::now();
        let (_, input) = job.shard(shard)?;
        let archive = job.archives.open_known(&input.location, input.bytes, &input.fingerprint)?;
        let (mut bytes, mut start) = (0, None);
        for event in Events::begin(job, shard, &archive, None)? {
            let Event::Record(record) = event? else { continue };
            bytes = match job.plan.selection {
                Some(_) => bytes + record.length,
                // What stands before the first record is of the shard before.
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
