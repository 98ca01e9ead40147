//! `index`: what a later build needs to leave out what this corpus has. Texts, keys and sketches find
//! duplicates; n-grams find repeated paragraphs; names say what was found.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::cluster::{DroppedRow, StarRow};
use super::ledger::Ledger;
use super::overlap::{NgramRow, Owner};
use super::sketch::{BandRow, DROPPED_EARLIER, TextRow, stores_shingles};
use super::{Job, Stage};
use crate::config::{Config, OverlapUnit};
use crate::dedup::bucket::Bucket;
use crate::dedup::keepers::Bits;
use crate::dedup::method::Kind;
use crate::document::{Document, MOST_EARLIER_SHARDS, as_earlier};
use crate::error::{Error, Result};
use crate::store::atomic::{self, AtomicFile};
use crate::store::layout::Index;
use crate::store::marker::Marker;
use crate::store::names;
use crate::store::spill::{self, Writer};
use crate::store::tables;

/// Of the files of an index: counts incompatible changes.
const FORMAT: u32 = 1;

/// What an index is of, and what it can be compared with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub format: u32,
    /// Of the program that made it.
    pub version: String,
    /// Of the corpus.
    pub name: String,
    pub documents: u64,
    pub shards: u32,
    /// Partitions of its files.
    pub ranges: u32,
    /// Keys of the configuration that give its files their meaning.
    pub settings: BTreeMap<String, String>,
}

/// The settings on which two corpora must agree to be compared.
fn settings(config: &Config) -> BTreeMap<String, String> {
    let (near, overlap) = (&config.near, &config.overlap);
    let banding = match near.method {
        Kind::Bands => near.banding().to_string(),
        _ => "none".to_string(),
    };
    let pieces = match overlap.unit {
        _ if !overlap.enabled => "off".to_string(),
        OverlapUnit::Sentence => "sentence".to_string(),
        OverlapUnit::Ngram => format!("ngram {}", overlap.ngram),
    };
    let values = [
        ("near.method", near.method.name().to_string()),
        ("near.unit", format!("{:?}", near.unit)),
        ("near.shingle", near.shingle.to_string()),
        ("near.threshold", near.threshold.to_string()),
        ("near.family", format!("{:?}", near.family)),
        ("near.bands × near.rows", banding),
        ("shingles stored (near.verify = exact or grey, or containment.enabled)", stores_shingles(config).to_string()),
        ("overlap.unit", pieces),
    ];
    values.into_iter().map(|(key, value)| (key.to_string(), value.to_lowercase())).collect()
}

impl Header {
    /// That of a whole index; checksums of the files are looked at when they are read.
    pub fn read(index: &Index) -> Result<Header> {
        let root = index.root().display();
        let marker = Marker::<Header>::read(&index.header())?.ok_or_else(|| {
            Error::Usage(format!("{root} is no whole index; make one: warcorpus index CORPUS --out {root}"))
        })?;
        match marker.counts.format {
            FORMAT => Ok(marker.counts),
            other => Err(Error::Usage(format!(
                "{root} was made by version {} in format {other}; this version reads format {FORMAT}",
                marker.counts.version
            ))),
        }
    }

    /// Refuses a job whose keys would mean something else.
    pub fn refuse_other(&self, config: &Config, folder: &Path) -> Result<()> {
        if !config.near.enabled {
            return Err(Error::Usage(
                "near.enabled = false: nothing would be compared with the earlier corpora".into(),
            ));
        }
        let ours = settings(config);
        let differences: Vec<String> = ours
            .iter()
            .filter(|&(key, value)| self.settings.get(key) != Some(value))
            .map(|(key, value)| {
                let theirs = self.settings.get(key).map_or("nothing", String::as_str);
                format!("{key} is {value} here and {theirs} there")
            })
            .collect();
        if differences.is_empty() {
            return Ok(());
        }
        let folder = folder.display();
        Err(Error::Usage(format!("{folder}: made with other settings ({}); set the same here", differences.join("; "))))
    }
}

/// Writes the index of a finished job.
pub fn index(job: &Job, index: &Index) -> Result<Header> {
    refuse_unfit(job, index)?;
    let documents = job.counts_by_shard(Stage::Extract, |ledger| ledger.pages)?;
    let mut gone =
        Gone { dropped: Bits::new(documents.iter().copied()), elsewhere: Bits::new(documents.iter().copied()) };
    find_gone(job, &mut gone)?;
    texts(job, index, &gone)?;
    dropped_texts(job, index)?;
    bands(job, index, &gone)?;
    drop(gone);
    ngrams(job, index)?;
    names(job, index)?;
    for shard in job.shards() {
        link(&job.layout.sketches(shard), &index.sketches(shard))?;
    }
    let header = Header {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").into(),
        name: job.config.output.name.clone(),
        documents: documents.iter().sum(),
        shards: job.shard_count(),
        ranges: job.plan.ranges,
        settings: settings(&job.config),
    };
    // Most are files of the kind that a job only hands on.
    index.files(header.shards).iter().try_for_each(|file| atomic::sync(file))?;
    Marker::seal(index.root(), &index.files(header.shards), header.clone())?.write(&index.header())?;
    Ok(header)
}

fn refuse_unfit(job: &Job, index: &Index) -> Result<()> {
    let root = job.layout.root().display();
    let refuse = |message: String| Err(Error::Usage(message));
    if !job.config.near.enabled {
        return refuse(format!("{root}: near.enabled = false: there is nothing to compare with"));
    }
    if job.config.near.needs_statistics() {
        let method = job.config.near.method.name();
        return refuse(format!(
            "{root}: near.method = \"{method}\" depends on the whole collection; index another method"
        ));
    }
    if job.shard_count() >= MOST_EARLIER_SHARDS {
        return refuse(format!("{root} has {} shards; an index has at most {MOST_EARLIER_SHARDS}", job.shard_count()));
    }
    for stage in Stage::ALL {
        for task in 0..stage.tasks(job) {
            let sound = match Marker::<Ledger>::read(&job.layout.done(stage.name(), task))? {
                Some(marker) => marker.damage(job.layout.root())?.is_none(),
                None => false,
            };
            if !sound {
                return refuse(format!(
                    "{root} is not finished, or files of {} {task} were removed or damaged; run `warcorpus build --out {root}`",
                    stage.name()
                ));
            }
        }
    }
    clear(job, index)
}

/// Documents that are duplicates, and those among them whose keeper is of a still earlier corpus: about
/// these only the index of that one says something.
struct Gone {
    dropped: Bits,
    elsewhere: Bits,
}

fn find_gone(job: &Job, gone: &mut Gone) -> Result<()> {
    for row in spill::merge::<StarRow>(&[job.layout.stars()], 0, &job.room)? {
        let StarRow { doc, keeper, .. } = row?;
        gone.dropped.set(doc);
        if as_earlier(keeper).is_some() {
            gone.elsewhere.set(doc);
        }
    }
    Ok(())
}

/// Removes what an interrupted run left, and only that.
fn clear(job: &Job, index: &Index) -> Result<()> {
    let folder = index.root();
    fs::create_dir_all(folder).map_err(Error::io("create folder", folder))?;
    let real = |path: &Path| fs::canonicalize(path).map_err(Error::io("find", path));
    if real(folder)?.starts_with(real(job.layout.root())?) {
        return Err(Error::Usage(format!("{} lies in the corpus; choose another --out", folder.display())));
    }
    let own = [index.files(1), vec![index.sketches(0).with_file_name("")]].concat();
    for entry in fs::read_dir(folder).map_err(Error::io("list", folder))? {
        let path = entry.map_err(Error::io("list", folder))?.path();
        if !own.iter().any(|own| own.file_name() == path.file_name()) && !atomic::is_temporary(&path) {
            return Err(Error::Usage(format!("{} is not empty; choose another --out", folder.display())));
        }
    }
    atomic::remove_folder(folder)
}

/// The first document of every text.
fn texts(job: &Job, index: &Index, gone: &Gone) -> Result<()> {
    let files: Vec<_> = job.shards().map(|shard| job.layout.texts(shard)).collect();
    let mut writer = Writer::create(&index.texts(), job.plan.ranges, &job.room)?;
    for range in 0..job.plan.ranges {
        let mut last = None;
        for row in spill::merge::<TextRow>(&files, range, &job.room)? {
            let row = row?;
            if last.replace(row.digest) != Some(row.digest) && !gone.elsewhere.get(row.doc) {
                job.check_stop()?;
                writer.push(range, TextRow { order: 0, ..row })?;
            }
        }
    }
    writer.finish().map(|_| ())
}

fn dropped_texts(job: &Job, index: &Index) -> Result<()> {
    let mut writer = Writer::create(&index.dropped(), 1, &job.room)?;
    for row in spill::merge::<DroppedRow>(&[job.layout.dropped()], 0, &job.room)? {
        let row = row?;
        if as_earlier(row.keeper).is_none() {
            writer.push(0, row)?;
        }
    }
    writer.finish().map(|_| ())
}

/// Of every bucket the documents that later ones would be compared with.
fn bands(job: &Job, index: &Index, gone: &Gone) -> Result<()> {
    let files: Vec<_> = job.shards().map(|shard| job.layout.bands(shard)).collect();
    let mut writer = Writer::create(&index.bands(), job.plan.ranges, &job.room)?;
    for range in 0..job.plan.ranges {
        let mut bucket = Bucket::default();
        let mut key = None;
        for row in spill::merge::<BandRow>(&files, range, &job.room)? {
            let row = row?;
            if key.replace(row.key) != Some(row.key) {
                job.check_stop()?;
                bucket.clear();
            }
            if bucket.find(row.text).is_none() && !bucket.is_full() {
                bucket.push(row.text, ());
                let flag = if gone.dropped.get(row.doc) { DROPPED_EARLIER } else { 0 };
                writer.push(range, BandRow { order: 0, text: row.text | flag, ..row })?;
            }
        }
    }
    writer.finish().map(|_| ())
}

/// Every n-gram with the document of this corpus that owns it.
fn ngrams(job: &Job, index: &Index) -> Result<()> {
    let mut writer = Writer::create(&index.ngrams(), job.plan.ranges, &job.room)?;
    if job.config.overlap.enabled {
        let files: Vec<_> = job.shards().map(|shard| job.layout.ngrams(shard)).collect();
        for range in 0..job.plan.ranges {
            let mut last = None;
            for row in spill::merge::<NgramRow>(&files, range, &job.room)? {
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

fn names(job: &Job, index: &Index) -> Result<()> {
    let mut writer = names::Writer::create(&index.names())?;
    for shard in job.shards() {
        writer.begin_shard();
        for document in tables::Reader::<Document>::open(&job.layout.documents(shard))? {
            job.check_stop()?;
            writer.push(&document?.url)?;
        }
    }
    writer.finish()
}

/// The same file under another name, which costs nothing; a copy where that cannot be.
fn link(from: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder).map_err(Error::io("create folder", folder))?;
    if fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    let mut copy = AtomicFile::create(to)?;
    let mut file = File::open(from).map_err(Error::io("open", from))?;
    io::copy(&mut file, &mut copy).map_err(Error::io("copy", from))?;
    copy.commit()
}
