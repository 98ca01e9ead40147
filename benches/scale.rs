//! Near duplicates at scale: the stages `join-bucket`, `bucket` and `cluster` on synthetic texts of known clusters.
//! `cargo bench --bench scale -- 1000000 3000000 10000000 --dir /mnt/large --threads 2`
//! `cargo bench --bench scale -- 10000000 --shards 20000`
//! `cargo bench --bench scale -- 30000000 --signature`
//!
//! For each number of documents (rounded up to full thousands) a job is planned as for a crawl of 25 kB
//! a page, compressed; the files of the stage `sketch` are made (defaults, without containment, overlap
//! and sites); then a second process runs the stages and prints a line of a Markdown table.
//!
//! Of a thousand documents 700 are alone and 300 in clusters of 2 to 20, P(size ≥ k) about (2/k)². Texts
//! have 60 to 180 shingles; a member's is that of the first with a stretch of words replaced (J ≥ .80),
//! or a copy. The first is the longest, hence kept: the others go in its favour with the probability of
//! the S-curve (or of another that missed it). Shards hold the documents in a pseudo-random order.
//!
//! Bytes for each document: sketches 216 + 8 a shingle = 1,176 (216 with `--signature`); bands 14 × 24 = 336, texts 28,
//! both twice where there are groups of shards; samples 0; footers 48 × shards × ranges / documents; what the stages
//! write, about 30. Nothing empties the page cache after the making.
//!
//! `user s` is CPU time of the stages outside the kernel, `system s` inside, `µs/document` user CPU of a document, in
//! all and in the join; `peak` the most that the process held (`VmHWM`), `wrongly` drops across clusters (one is an
//! error), `recall` the share of those that should go that went, `S-curve` what it promises.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout, reason = "fails by panicking, prints")]

use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::Parser;
use rayon::prelude::*;
use warcorpus::config::Config;
use warcorpus::dedup::method::DocumentFrequencies;
use warcorpus::document::Paragraph;
use warcorpus::error::Result;
use warcorpus::hash::range_of;
use warcorpus::hash::{combine, hash64, mix};
use warcorpus::job::directory::{Request, open, plan};
use warcorpus::job::directory_lock::Access;
use warcorpus::job::run::{RunOptions, run_stage};
use warcorpus::key::{key, parts};
use warcorpus::stages::bucket::Bucket;
use warcorpus::stages::cluster::{Cluster, DocumentDecisions};
use warcorpus::stages::counters::Counters;
use warcorpus::stages::extract::Extract;
use warcorpus::stages::join::BEFORE_BUCKET;
use warcorpus::stages::sketch::{BandRow, DROPPED_IN_REFERENCE, SampleRow, Sketch, SketchedText, Sketcher, TextRow};
use warcorpus::stages::{Job, Stage};
use warcorpus::store::layout::Layout;
use warcorpus::store::marker::Marker;
use warcorpus::store::{sketches, spill};

/// Compressed bytes of a page.
const PAGE: u64 = 25_000;
/// Consecutive numbers of which the first 300 are in clusters.
const BLOCK: u64 = 1000;

#[derive(Parser)]
struct Arguments {
    #[arg(default_values_t = [1_000_000u64])]
    documents: Vec<u64>,
    /// Where there is room, if not where temporary files are.
    #[arg(long)]
    dir: Option<PathBuf>,
    #[arg(long)]
    threads: Option<usize>,
    /// Number of shards, if not one per 256 MB of crawl.
    #[arg(long)]
    shards: Option<u64>,
    /// Verify by signatures, so that sketches hold no shingles.
    #[arg(long)]
    signature: bool,
    /// Leave the files.
    #[arg(long)]
    keep: bool,
    /// The folder in which a second process runs the stages.
    #[arg(long, hide = true)]
    measure: Option<PathBuf>,
    /// Given by `cargo bench`, but not by `cargo test --all-targets`.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let threads = arguments.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    if arguments.measure.is_some() || !arguments.bench {
        return arguments.measure.map_or(Ok(()), |folder| measure(&folder, threads));
    }
    println!(
        "| documents | shards, groups, ranges | keys | spills GB | B/document | join s | bucket s | cluster s | user s \
         | system s | µs/document | join | peak MiB | pairs read | edges | dropped | wrongly | recall | S-curve |\n|{}",
        " --- |".repeat(19)
    );
    let dir = arguments.dir.clone().unwrap_or_else(std::env::temp_dir);
    for &documents in &arguments.documents {
        let mut folder = tempfile::Builder::new().prefix("warcorpus-scale-").tempdir_in(&dir)?;
        folder.disable_cleanup(arguments.keep);
        make(folder.path(), documents.max(1).next_multiple_of(BLOCK), &arguments)?;
        let mut second = std::process::Command::new(std::env::current_exe()?);
        second.args(["--threads", &threads.to_string(), "--measure"]).arg(folder.path());
        anyhow::ensure!(second.status()?.success(), "the stages failed for {documents} documents");
    }
    Ok(())
}

/// A job of which the stages before `bucket` are done; its archive is a hole of the right size.
fn make(folder: &Path, documents: u64, arguments: &Arguments) -> anyhow::Result<()> {
    let archive = folder.join("crawl.warc.gz");
    File::create(&archive)?.set_len(documents * PAGE)?;
    let mut settings = ["sites", "containment", "overlap"].map(|part| format!("{part}.enabled=false")).to_vec();
    settings.extend(arguments.shards.map(|n| format!("plan.shard_bytes={}", (documents * PAGE).div_ceil(n.max(1)))));
    settings.extend(arguments.signature.then(|| "near.verify=\"signature\"".to_string()));
    let config = Config::load(None, &settings)?;
    let (layout, inputs) = (Layout::new(folder.join("job")), vec![archive.display().to_string()]);
    let request = Request {
        layout: layout.clone(),
        config,
        inputs,
        against: vec![],
        threads: 1,
        memory: None,
        resumes: false,
        restart: false,
        keeps_finished: false,
    };
    drop(plan(request)?);
    let (job, _lock) = open(layout, &RunOptions::default(), Access::Alone)?;
    Ok(job.shards().into_par_iter().try_for_each(|shard| sketch(&job, shard))?)
}

/// What the stages `extract` and `sketch` leave, as `warcorpus::stages::sketch` does.
fn sketch(job: &Job, shard: u32) -> Result<()> {
    let (layout, ranges, sketcher) = (&job.layout, job.plan.ranges, Sketcher::new(&job.config));
    let (bands, signature) = sketcher.widths();
    let mut sketches = sketches::Writer::create(&layout.sketches(shard), bands, signature)?;
    let mut bands = spill::Writer::create(&layout.bands(shard), ranges, &job.sort_space)?;
    let mut texts = spill::Writer::create(&layout.texts(shard), ranges, &job.sort_space)?;
    let samples = spill::Writer::<SampleRow>::create(&layout.samples(shard), ranges, &job.sort_space)?;
    let pages = places(job, shard).count() as u64;
    for doc in (0..pages as u32).map(|ordinal| key(shard, ordinal)) {
        let paragraph = Paragraph { text: text(number(job, doc)), ..Paragraph::default() };
        let order = u32::MAX - paragraph.text.len() as u32;
        let SketchedText { sketch, keys } =
            sketcher.fingerprint(&[paragraph], &DocumentFrequencies::default()).unwrap();
        sketches.push(&sketch)?;
        let (digest, text) = (sketch.digest, sketch.digest as u32 & !DROPPED_IN_REFERENCE);
        texts.push(range_of((digest >> 64) as u64, ranges), TextRow { digest, order, doc })?;
        keys.into_iter().try_for_each(|key| bands.push(range_of(key, ranges), BandRow { key, order, doc, text }))?;
    }
    sketches.finish()?;
    let counts = [("texts", texts.finish()?), ("band_keys", bands.finish()?), ("samples", samples.finish()?)];
    let dedup = counts.map(|(name, n)| (name.to_string(), n)).into();
    let sketched = Sketch.outputs(job, shard);
    Marker::of_files(layout.root(), &[], Counters { pages, ..Counters::default() })?
        .write(&layout.done("extract", shard))?;
    Marker::of_files(layout.root(), &sketched, Counters { dedup, ..Counters::default() })?
        .write(&layout.done("sketch", shard))
}

/// The pages that begin in a shard.
fn places(job: &Job, shard: u32) -> Range<u64> {
    let shard = &job.plan.shards[shard as usize];
    shard.start.div_ceil(PAGE)..shard.end.div_ceil(PAGE)
}

/// Which document has a key: a fixed permutation of the pages, by invertible steps on the least power of
/// two that holds them all, repeated for values beyond the last (cycle walking; Black & Rogaway 2002).
fn number(job: &Job, doc: u64) -> u64 {
    let (documents, (shard, ordinal)) = (job.plan.inputs[0].bytes / PAGE, parts(doc));
    let bits = u64::BITS - (documents - 1).leading_zeros();
    let mut x = places(job, shard).start + u64::from(ordinal);
    loop {
        for round in 1..=4u64 {
            x = x.wrapping_mul(mix(round) | 1).wrapping_add(mix(!round)) & ((1 << bits) - 1);
            x ^= x >> bits.div_ceil(2);
        }
        if x < documents {
            return x;
        }
    }
}

/// What is left to chance about a document.
fn draw(what: &str, number: u64) -> u64 {
    combine(&[hash64(what.as_bytes()), number])
}

/// The numbers of a document's cluster.
fn cluster(number: u64) -> Range<u64> {
    let mut first = number - number % BLOCK;
    let end = first + 300;
    if number >= end {
        return number..number + 1;
    }
    loop {
        let uniform = ((draw("cluster", first) >> 11) + 1) as f64 / (1u64 << 53) as f64;
        let next = first + ((2.0 / uniform.sqrt()) as u64).min(19);
        // Nobody stays alone at the end.
        let next = if next + 1 < end { next } else { end };
        if number < next {
            return first..next;
        }
        first = next;
    }
}

/// Words of a text, and how many in a row are not those of the first of its cluster. Each word begins one
/// of the shingles, but for the last 4; with w words replaced w + 4 shingles are, at most a ninth.
fn sizes(number: u64) -> (u64, u64) {
    let first = cluster(number).start;
    let shingles = 60 + draw("shingles", first) % 121;
    (shingles + 4, if number == first { 0 } else { draw("replaced", number) % (shingles / 9 - 3) })
}

/// Words that look like hashes; replaced ones are shorter, and not among the first or last 4.
fn text(number: u64) -> String {
    let (first, (words, replaced)) = (cluster(number).start, sizes(number));
    let place = 4 + draw("place", number) % (words - 7 - replaced);
    let word = |i: u64| match (place..place + replaced).contains(&i) {
        true => format!("{:09x} ", combine(&[number, i]) >> 28),
        false => format!("{:010x} ", combine(&[first, i]) >> 24),
    };
    (0..words).map(word).collect()
}

/// Runs the stages, prints a line of the table, and checks it.
fn measure(folder: &Path, threads: usize) -> anyhow::Result<()> {
    let (job, _lock) = open(Layout::new(folder.join("job")), &RunOptions::default(), Access::Alone)?;
    let documents = job.counted(&Extract, |task| task.pages)?;
    let keys = job.counted(&Sketch, |task| task.dedup["band_keys"])?;
    let files = job.shards().flat_map(|shard| Sketch.outputs(&job, shard));
    let spilled: u64 = files.map(|path| fs::metadata(path).unwrap().len()).sum();
    let begun = std::time::Instant::now();
    run_stage(&job, &BEFORE_BUCKET, 0..BEFORE_BUCKET.tasks(&job), threads)?;
    let (join, (user_join, ..)) = (begun.elapsed().as_secs_f64(), spent());
    let counters = run_stage(&job, &Bucket, 0..Bucket.tasks(&job), threads)?;
    let bucket = begun.elapsed().as_secs_f64() - join;
    run_stage(&job, &Cluster, 0..1, threads)?;
    let (cluster, (user, system, peak)) = (begun.elapsed().as_secs_f64() - bucket - join, spent());
    let [read, edges] = ["pairs_read", "edges"].map(|n| counters.iter().map(|task| task.dedup[n]).sum::<u64>());
    let (dropped, wrongly) = drops(&job)?;
    let (members, promised) = promised(&job, documents);
    let [each, micros, micros_join] = [spilled as f64, user * 1e6, user_join * 1e6].map(|sum| sum / documents as f64);
    let [recall, curve] = [(dropped - wrongly) as f64, promised].map(|sum| sum / members as f64);
    println!(
        "| {documents} | {}, {}, {} | {keys} | {:.2} | {each:.0} | {join:.1} | {bucket:.1} | {cluster:.1} | {user:.1} \
         | {system:.1} | {micros:.2} | {micros_join:.2} | {peak:.0} | {read} | {edges} | {dropped} | {wrongly} \
         | {recall:.4} | {curve:.4} |",
        job.shard_count(),
        job.plan.groups(),
        job.plan.ranges,
        spilled as f64 / 1e9
    );
    anyhow::ensure!(wrongly == 0, "{wrongly} documents were dropped in favour of one of another cluster");
    Ok(())
}

/// Documents that were dropped, and how many of them in favour of one of another cluster.
fn drops(job: &Job) -> Result<(u64, u64)> {
    let cluster_of = |doc| cluster(number(job, doc)).start;
    let (mut dropped, mut wrongly) = (0, 0);
    for (shard, documents) in job.shards().zip(job.counts_by_task(&Extract, |task| task.pages)?) {
        let mut decisions = DocumentDecisions::of_shard(job, shard)?;
        for doc in (0..documents as u32).map(|ordinal| key(shard, ordinal)) {
            let Some((keeper, ..)) = decisions.of(doc)?.keeper else { continue };
            dropped += 1;
            wrongly += u64::from(cluster_of(doc) != cluster_of(keeper));
        }
        decisions.finish()?;
    }
    Ok((dropped, wrongly))
}

/// Documents that should be dropped, all of a cluster but one, and how many the S-curve promises.
fn promised(job: &Job, documents: u64) -> (u64, f64) {
    let banding = job.config.near.banding();
    let others = (0..documents).into_par_iter().filter(|&number| cluster(number).start != number);
    let each = others.map(|number| {
        let (words, replaced) = sizes(number);
        let (shingles, new) = (words - 4, if replaced == 0 { 0 } else { replaced + 4 });
        (1, banding.probability((shingles - new) as f64 / (shingles + new) as f64))
    });
    each.reduce(|| (0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1))
}

/// Of this process: CPU seconds outside and inside the kernel, from Linux's ticks of 10 ms; most MiB of memory.
fn spent() -> (f64, f64, f64) {
    let [stat, status] = ["stat", "status"].map(|file| fs::read_to_string(format!("/proc/self/{file}")).unwrap());
    // The 14th and 15th field; the second, a name in brackets, may hold blanks.
    let mut ticks = stat.rsplit(')').next().unwrap().split_whitespace().skip(11).map(|n| n.parse::<f64>().unwrap());
    let [user, system] = [(); 2].map(|()| ticks.next().unwrap() / 100.0);
    let kib = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap().split_whitespace().next().unwrap();
    (user, system, kib.parse::<f64>().unwrap() / 1024.0)
}
