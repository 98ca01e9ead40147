//! `index`: writes the reference index by which a later build drops duplicates of this corpus. Text digests, band keys
//! and sketches find duplicate documents, n-grams find repeated paragraphs, and URLs name the originals.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::compare::write_states;
use super::{Exit, LogFormat, cancel_on_signal, refuse_inside, start_log};
use crate::dedup::bucket::CandidateBucket;
use crate::dedup::representatives::DocumentSet;
use crate::document::{DocumentName, DropReason};
use crate::error::{Error, Result};
use crate::job::directory::open;
use crate::job::directory_lock::{Access, DirectoryLock};
use crate::job::run::RunOptions;
use crate::job::shell;
use crate::key::{MAX_REFERENCE_SHARDS, as_reference};
use crate::stages::cluster::{DroppedRow, MemberRow};
use crate::stages::counters::Counters;
use crate::stages::extract::Extract;
use crate::stages::join::{self, Spill};
use crate::stages::ngrams::{NgramRow, Owner};
use crate::stages::reference::{FORMAT, IndexHeader, settings};
use crate::stages::sketch::{BandRow, DROPPED_IN_REFERENCE, TextRow};
use crate::stages::{Job, STAGES, report};
use crate::store::atomic;
use crate::store::layout::{Index, Layout};
use crate::store::marker::Marker;
use crate::store::new_folder::NewFolder;
use crate::store::spill::{self, Writer};
use crate::store::{tables, urls};

pub const EXAMPLES: &str = "Example: what is new in the second crawl
  warcorpus build crawl-1/ --out corpus-1 --set output.name=crawl1
  warcorpus index corpus-1 --out corpus-1.index
  warcorpus build crawl-2/ --out corpus-2 --set output.name=crawl2 --against corpus-1.index

Indexes for one build need corpora of different names (output.name). An index stays valid without its corpus.
Settings of [near] and [overlap] must be the same.";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A built corpus, with its work/
    corpus: PathBuf,
    /// Directory to write; new or empty
    #[arg(long, short)]
    out: PathBuf,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    start_log(LogFormat::Text, false);
    let options = RunOptions { cancel: cancel_on_signal()?, ..RunOptions::default() };
    // Archives keep finished corpora where nobody may write.
    let job = open(Layout::new(&arguments.corpus), &options, Access::ReadOnly)?.0;
    job.plan.check_format(&job.layout)?;
    let _lock = DirectoryLock::keep(&job.layout)?;
    let header = index(&job, &Index::new(&arguments.out))?;
    let (documents, name, out) = (header.documents, header.name, shell::argument(&arguments.out));
    writeln!(io::stdout(), "{documents} documents of {name}; next: warcorpus build … --against {out}")?;
    Ok(Exit::Done)
}

/// Writes the reference index of a finished job.
fn index(job: &Job, index: &Index) -> Result<IndexHeader> {
    refuse_unfit(job)?;
    warn_of_quality(job)?;
    let folder = begin(job, index)?;
    let documents = job.counts_by_task(&Extract, |counters| counters.pages)?;
    let mut duplicates = DroppedDocuments {
        dropped: DocumentSet::new(documents.iter().copied()),
        by_reference: DocumentSet::new(documents.iter().copied()),
    };
    find_dropped(job, &mut duplicates)?;
    texts(job, index, &duplicates)?;
    dropped_texts(job, index)?;
    bands(job, index, &duplicates)?;
    drop(duplicates);
    ngrams(job, index)?;
    names(job, index)?;
    for shard in job.shards() {
        job.check_stop()?;
        link(&job.layout.sketches(shard), &index.sketches(shard))?;
        write_states(&job.layout, shard, &index.pages(shard))?;
    }
    let header = IndexHeader {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").into(),
        name: job.config.output.name.clone(),
        documents: documents.iter().sum(),
        shards: job.shard_count(),
        ranges: job.plan.ranges,
        settings: settings(&job.config),
    };
    // Most of these files were written without a sync, as files between stages are; so is the header. The corpus, from which
    // they could be made again, may be removed now.
    index.files(header.shards).iter().try_for_each(|file| atomic::sync(file))?;
    Marker::of_files(index.root(), &index.files(header.shards), header.clone())?.write(&index.header())?;
    atomic::sync(&index.header())?;
    folder.finish()?;
    Ok(header)
}

/// Tells of documents that are in the index although the corpus does not have them.
fn warn_of_quality(job: &Job) -> Result<()> {
    let counters = report::of_corpus(&job.layout)?.unwrap_or_default();
    if let Some(dropped) = counters.documents.get(DropReason::Quality.name()) {
        tracing::warn!(
            "{dropped} documents that quality.action = \"drop\" took out are in the index: a later corpus drops what repeats them"
        );
    }
    Ok(())
}

/// Refuses jobs without near-duplicate detection or with a method that depends on the collection, and unfinished jobs.
fn refuse_unfit(job: &Job) -> Result<()> {
    let root = job.layout.root().display();
    let refuse = |message: String| Err(Error::Usage(message));
    if !job.config.near.enabled {
        return refuse(format!("{root}: near.enabled = false, so it has no sketches to index"));
    }
    if job.config.near.needs_statistics() {
        let method = job.config.near.method.name();
        return refuse(format!(
            "{root}: near.method = \"{method}\" depends on the whole collection; index another method"
        ));
    }
    if job.shard_count() >= MAX_REFERENCE_SHARDS {
        return refuse(format!("{root} has {} shards; an index has at most {MAX_REFERENCE_SHARDS}", job.shard_count()));
    }
    if job.layout.is_finished_without_work() {
        return refuse(format!("{root}: its work/ was removed, which an index needs; build it again with --restart"));
    }
    for stage in STAGES {
        for task in 0..stage.tasks(job) {
            job.check_stop()?;
            let wrong = match Marker::<Counters>::read(&job.layout.done(stage.name(), task))? {
                Some(marker) => marker.damage(job.layout.root())?,
                None => Some("is not finished".into()),
            };
            if let Some(wrong) = wrong {
                let stage = stage.name();
                return refuse(format!("{root}: {stage} {task}: {wrong}; run `warcorpus build --out {root}`"));
            }
        }
    }
    Ok(())
}

/// The documents that were dropped as duplicates.
struct DroppedDocuments {
    /// All dropped documents.
    dropped: DocumentSet,
    /// Documents whose representative is in a reference corpus; only the index of that corpus covers them.
    by_reference: DocumentSet,
}

fn find_dropped(job: &Job, duplicates: &mut DroppedDocuments) -> Result<()> {
    for row in spill::merge::<MemberRow>(&[job.layout.members()], 0, &job.sort_space)? {
        let MemberRow { doc, keeper, .. } = row?;
        duplicates.dropped.insert(doc);
        if as_reference(keeper).is_some() {
            duplicates.by_reference.insert(doc);
        }
    }
    Ok(())
}

/// Begins the directory of the index, which must not lie in the corpus.
fn begin(job: &Job, index: &Index) -> Result<NewFolder> {
    let folder = index.root();
    // Asked before the folder is made: a refused command leaves nothing in the corpus.
    refuse_inside(folder, &job.layout)?;
    let folders = [index.sketches(0), index.pages(0)];
    let folders = folders.iter().filter_map(|file| file.parent()).map(Path::to_path_buf).collect();
    NewFolder::begin(folder, &[index.files(0), folders].concat())
}

/// Writes the digest of every text with its first document.
fn texts(job: &Job, index: &Index, duplicates: &DroppedDocuments) -> Result<()> {
    let files = join::files(job, Spill::Texts);
    let mut writer = Writer::create(&index.texts(), job.plan.ranges, &job.sort_space)?;
    for range in 0..job.plan.ranges {
        let mut last = None;
        for row in spill::merge::<TextRow>(&files, range, &job.sort_space)? {
            let row = row?;
            if last.replace(row.digest) != Some(row.digest) && !duplicates.by_reference.contains(row.doc) {
                job.check_stop()?;
                writer.push(range, TextRow { order: 0, ..row })?;
            }
        }
    }
    writer.finish().map(|_| ())
}

/// Writes the dropped texts with their representatives, unless these are in a reference corpus.
fn dropped_texts(job: &Job, index: &Index) -> Result<()> {
    let mut writer = Writer::create(&index.dropped(), 1, &job.sort_space)?;
    for row in spill::merge::<DroppedRow>(&[job.layout.dropped()], 0, &job.sort_space)? {
        let row = row?;
        if as_reference(row.keeper).is_none() {
            writer.push(0, row)?;
        }
    }
    writer.finish().map(|_| ())
}

/// Writes the documents of every bucket with which later documents would be compared.
fn bands(job: &Job, index: &Index, duplicates: &DroppedDocuments) -> Result<()> {
    let files = join::files(job, Spill::Bands);
    let mut writer = Writer::create(&index.bands(), job.plan.ranges, &job.sort_space)?;
    for range in 0..job.plan.ranges {
        let mut bucket = CandidateBucket::default();
        let mut key = None;
        for row in spill::merge::<BandRow>(&files, range, &job.sort_space)? {
            let row = row?;
            if key.replace(row.key) != Some(row.key) {
                job.check_stop()?;
                bucket.clear();
            }
            if bucket.find(row.text).is_none() && !bucket.is_full() {
                bucket.push(row.text, ());
                let flag = if duplicates.dropped.contains(row.doc) { DROPPED_IN_REFERENCE } else { 0 };
                writer.push(range, BandRow { order: 0, text: row.text | flag, ..row })?;
            }
        }
    }
    writer.finish().map(|_| ())
}

/// Writes every n-gram with its owner in this corpus.
fn ngrams(job: &Job, index: &Index) -> Result<()> {
    let mut writer = Writer::create(&index.ngrams(), job.plan.ranges, &job.sort_space)?;
    if job.config.overlap.enabled {
        let files = join::files(job, Spill::Ngrams);
        for range in 0..job.plan.ranges {
            let mut last = None;
            for row in spill::merge::<NgramRow>(&files, range, &job.sort_space)? {
                let NgramRow { ngram, owner } = row?;
                if last.replace(ngram) == Some(ngram) {
                    continue;
                }
                job.check_stop()?;
                if let Owner::Own(owner) = Owner::of(owner) {
                    writer.push(range, NgramRow { ngram, owner })?;
                }
            }
        }
    }
    writer.finish().map(|_| ())
}

/// Writes the URLs of all documents.
fn names(job: &Job, index: &Index) -> Result<()> {
    let mut writer = urls::Writer::create(&index.names())?;
    for shard in job.shards() {
        writer.begin_shard();
        for name in tables::Reader::<DocumentName>::open(&job.layout.documents(shard))? {
            job.check_stop()?;
            writer.push(&name?.url)?;
        }
    }
    writer.finish()
}

/// Makes a hard link, or a copy where the file system does not support it.
fn link(from: &Path, to: &Path) -> Result<()> {
    atomic::create_folder(to.parent().unwrap_or(to))?;
    if fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    atomic::copy(from, to)?.commit()
}
