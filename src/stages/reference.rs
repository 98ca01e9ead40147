//! Reference corpora (`build --against`). An index has the keys of the documents of a finished corpus and the decisions
//! about them. In corpus order these documents come before those of the job, so they can be representatives and owners,
//! but the job never changes the decisions about them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::config::{Config, OverlapUnit};
use crate::dedup::method::Method;
use crate::error::{Error, Result};
use crate::hash::range_of;
use crate::key::{self, MAX_REFERENCES, as_reference, in_reference};
use crate::stages::Job;
use crate::stages::cluster::DroppedRow;
use crate::stages::join::{self, Spill};
use crate::stages::ngrams::{NgramRow, Owner};
use crate::stages::plan::ReferenceIndex;
use crate::stages::sketch::{BandRow, TextRow, stores_shingles};
use crate::store::layout::Index;
use crate::store::marker::Marker;
use crate::store::spill::{self, SpillPartition, SpillRow, merge_parts};
use crate::store::urls::DocumentUrls;

/// Version of the index format. It is incremented with every incompatible change.
pub const FORMAT: u32 = 5;

/// The header of an index: its corpus, and the settings that a job must share with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IndexHeader {
    /// Version of the format ([`FORMAT`]).
    pub format: u32,
    /// Version of warcorpus that made the index.
    pub version: String,
    /// Name of the corpus.
    pub name: String,
    /// Number of documents.
    pub documents: u64,
    /// Number of shards.
    pub shards: u32,
    /// Number of key ranges, which are the partitions of the index files.
    pub ranges: u32,
    /// Settings on which the keys in the index depend, with their values.
    pub settings: BTreeMap<String, String>,
}

/// The settings on which a job and an index must agree, with their values.
pub fn settings(config: &Config) -> BTreeMap<String, String> {
    let (near, overlap) = (&config.near, &config.overlap);
    let banding = match near.method {
        Method::Bands => near.banding().to_string(),
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
    // A signature of another width has other minima. With bands, their number tells the width.
    let free_width = near.method.generator(near.banding()).permutations() == 0;
    let width = free_width.then(|| ("near.permutations", near.permutations.to_string()));
    values.into_iter().chain(width).map(|(key, value)| (key.to_string(), value.to_lowercase())).collect()
}

impl IndexHeader {
    /// Reads the header of a complete index. Checksums of the other files are verified when they are read.
    ///
    /// # Errors
    /// [`Error::Usage`] if the index is incomplete or has another format.
    pub fn read(index: &Index) -> Result<IndexHeader> {
        let root = index.root().display();
        let marker = Marker::<IndexHeader>::read(&index.header())?.ok_or_else(|| {
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

    /// Checks that a job computes its keys with the same settings as the index.
    ///
    /// # Errors
    /// [`Error::Usage`] with the settings that differ.
    fn refuse_other(&self, config: &Config, folder: &Path) -> Result<()> {
        if !config.near.enabled {
            return Err(Error::Usage(
                "near.enabled = false: nothing would be compared with the reference corpora".into(),
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

/// An opened index.
pub struct ReferenceCorpus {
    pub index: Index,
    pub header: IndexHeader,
}

/// Opens the indexes of a job, in the order in which they were named.
///
/// # Errors
/// [`Error::Usage`] if there are too many, if one has other settings than the job or was replaced since planning, or if
/// two have the same corpus name.
pub fn open(folders: &[ReferenceIndex], config: &Config) -> Result<Vec<ReferenceCorpus>> {
    if folders.len() > MAX_REFERENCES {
        return Err(Error::Usage(format!("{} reference corpora; the most is {MAX_REFERENCES}", folders.len())));
    }
    let open = |against: &ReferenceIndex| {
        let index = Index::new(&against.folder);
        let header = IndexHeader::read(&index)?;
        header.refuse_other(config, &against.folder)?;
        if ReferenceIndex::new(&against.folder)? != *against {
            let folder = against.folder.display();
            return Err(Error::Usage(format!("{folder} is another index than the one the job was planned with")));
        }
        Ok(ReferenceCorpus { index, header })
    };
    let all: Vec<ReferenceCorpus> = folders.iter().map(open).collect::<Result<_>>()?;
    for (i, one) in all.iter().enumerate() {
        if let Some(other) = all.iter().take(i).find(|other| other.header.name == one.header.name) {
            let [a, b] = [other, one].map(|corpus| corpus.index.root().display());
            return Err(Error::Usage(format!(
                "{a} and {b} are both of a corpus named {}: their documents could not be told apart; build one of \
                 them with another output.name",
                one.header.name
            )));
        }
    }
    Ok(all)
}

/// Rows of the job and of reference corpora, merged in sort order.
type Rows<'a, R> = Box<dyn Iterator<Item = Result<R>> + 'a>;

/// Text rows of a key range, of the job and of all reference corpora.
pub fn texts(job: &Job, range: u32) -> Result<Rows<'_, TextRow>> {
    let own = join::files(job, Spill::Texts);
    let adopt = |corpus, row: TextRow| TextRow { doc: in_reference(corpus, row.doc), ..row };
    let high = |row: &TextRow| (row.digest >> 64) as u64;
    merge_with_references(job, spill::merge(&own, range, &job.sort_space)?, Index::texts, Some((range, high)), adopt)
}

/// Band rows of a key range, of the job and of all reference corpora.
pub fn bands(job: &Job, range: u32) -> Result<Rows<'_, BandRow>> {
    let own = join::files(job, Spill::Bands);
    let adopt = |corpus, row: BandRow| BandRow { doc: in_reference(corpus, row.doc), order: 0, ..row };
    merge_with_references(
        job,
        spill::merge(&own, range, &job.sort_space)?,
        Index::bands,
        Some((range, |row: &BandRow| row.key)),
        adopt,
    )
}

/// N-gram rows of a key range, of the job and of all reference corpora.
pub fn ngrams(job: &Job, range: u32) -> Result<Rows<'_, NgramRow>> {
    let own = join::files(job, Spill::Ngrams);
    let adopt =
        |corpus, row: NgramRow| NgramRow { owner: Owner::Reference(in_reference(corpus, row.owner)).code(), ..row };
    merge_with_references(
        job,
        spill::merge(&own, range, &job.sort_space)?,
        Index::ngrams,
        Some((range, |row: &NgramRow| row.ngram)),
        adopt,
    )
}

/// Texts dropped as near duplicates, of the job and of all reference corpora.
pub fn dropped(job: &Job) -> Result<Rows<'_, DroppedRow>> {
    let own = spill::merge(&[job.layout.dropped()], 0, &job.sort_space)?;
    let adopt = |corpus, row: DroppedRow| DroppedRow {
        doc: in_reference(corpus, row.doc),
        keeper: in_reference(corpus, row.keeper),
        ..row
    };
    merge_with_references(job, own, Index::dropped, None::<(u32, RowKey<DroppedRow>)>, adopt)
}

/// Returns the key of a row that assigns it to a key range.
type RowKey<R> = fn(&R) -> u64;

/// Merges the rows `own` of the job with the rows of the same key range in all indexes.
///
/// `file` is the path of the file in an index. `range` has the number of the key range and the key of a row; it is
/// `None` for a file that is not partitioned. `adopt` replaces the document keys of a reference corpus, given by its
/// number, by their keys in this job.
fn merge_with_references<'a, R: SpillRow + 'a>(
    job: &'a Job,
    own: impl Iterator<Item = Result<R>> + 'a,
    file: fn(&Index) -> PathBuf,
    range: Option<(u32, RowKey<R>)>,
    adopt: impl Fn(usize, R) -> R + Copy + 'a,
) -> Result<Rows<'a, R>> {
    let mut all: Rows<'a, R> = Box::new(own);
    for (corpus, reference) in job.references.iter().enumerate() {
        let (path, partitions) = (file(&reference.index), reference.header.ranges);
        let wanted = match range {
            Some((range, _)) => overlapping_partitions(range, job.plan.ranges, partitions),
            None => 0..1,
        };
        let parts = wanted.map(|partition| SpillPartition { path: path.clone(), partition });
        let rows = merge_parts::<R>(parts, &job.layout.work().join("merge"), &job.sort_space)?;
        let ranges = job.plan.ranges;
        let is_in_range = move |row: &Result<R>| match (row, range) {
            (Ok(row), Some((range, key))) => range_of(key(row), ranges) == range,
            _ => true,
        };
        let rows = rows.filter(is_in_range).map(move |row| row.map(|row| adopt(corpus, row)));
        all = Box::new(Union { a: all.peekable(), b: rows.peekable() });
    }
    Ok(all)
}

/// The partitions of an index that can have keys of a key range of the job. `ranges` is the job's number of key ranges,
/// `partitions` that of the index.
fn overlapping_partitions(range: u32, ranges: u32, partitions: u32) -> std::ops::Range<u32> {
    let scaled = |part: u64| part * u64::from(partitions);
    let first = scaled(u64::from(range)) / u64::from(ranges.max(1));
    let end = scaled(u64::from(range) + 1).div_ceil(u64::from(ranges.max(1)));
    first as u32..end as u32
}

/// Merges two sorted sequences. Errors are passed on at once.
struct Union<A: Iterator, B: Iterator> {
    a: std::iter::Peekable<A>,
    b: std::iter::Peekable<B>,
}

impl<R: Ord, A: Iterator<Item = Result<R>>, B: Iterator<Item = Result<R>>> Iterator for Union<A, B> {
    type Item = Result<R>;

    fn next(&mut self) -> Option<Result<R>> {
        match (self.a.peek(), self.b.peek()) {
            (Some(Err(_)), _) => self.a.next(),
            (_, Some(Err(_))) | (None, _) => self.b.next(),
            (Some(Ok(a)), Some(Ok(b))) if b < a => self.b.next(),
            _ => self.a.next(),
        }
    }
}

/// Returns a function from the shard of a document to its file of sketches. The
/// document may belong to the job or to a reference corpus.
pub fn sketch_file(job: &Job) -> impl Fn(u32) -> PathBuf + Send + Sync + 'static {
    let layout = job.layout.clone();
    let indexes: Vec<Index> = job.references.iter().map(|reference| reference.index.clone()).collect();
    move |shard| match as_reference(key::key(shard, 0)) {
        None => layout.sketches(shard),
        Some((corpus, key)) => {
            let folder = indexes.get(corpus).cloned().unwrap_or_else(|| Index::new(Path::new("")));
            folder.sketches(key::parts(key).0)
        }
    }
}

/// A document of a reference corpus.
pub struct Found {
    /// Name of the corpus.
    pub corpus: String,
    /// Key of the document in that corpus.
    pub key: u64,
    pub url: String,
}

/// Finds documents of reference corpora by their keys in this job.
pub struct Lookup {
    /// For each reference corpus, its name and the URLs of its documents.
    corpora: Vec<(String, DocumentUrls)>,
}

impl Lookup {
    /// Opens the URLs of all reference corpora.
    pub fn new(job: &Job) -> Result<Lookup> {
        let open = |one: &ReferenceCorpus| Ok((one.header.name.clone(), DocumentUrls::open(&one.index.names())?));
        Ok(Lookup { corpora: job.references.iter().map(open).collect::<Result<_>>()? })
    }

    /// Finds a document. `None` for a document of the job itself.
    pub fn find(&self, doc: u64) -> Result<Option<Found>> {
        let Some((corpus, key)) = as_reference(doc) else { return Ok(None) };
        let Some((name, urls)) = self.corpora.get(corpus) else { return Ok(None) };
        Ok(Some(Found { corpus: name.clone(), key, url: urls.get(key)?.unwrap_or_default() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_cover_ranges() {
        assert_eq!(overlapping_partitions(0, 1, 4), 0..4);
        assert_eq!(overlapping_partitions(1, 4, 1), 0..1);
        assert_eq!(overlapping_partitions(1, 3, 4), 1..3);
        for (ranges, partitions) in [(1, 1), (3, 7), (7, 3), (64, 64)] {
            for hash in (0..1000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)) {
                let wanted = overlapping_partitions(range_of(hash, ranges), ranges, partitions);
                assert!(wanted.contains(&range_of(hash, partitions)));
            }
        }
    }

    #[test]
    fn the_width_of_signatures_is_compared_where_no_bands_tell_it() {
        let settings_of = |sets: &[&str]| {
            let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
            settings(&Config::load(None, &sets).unwrap())
        };
        let width = |method: &str, width: &str| {
            let banding = ["near.bands=10", "near.rows=5"].map(str::to_string);
            let sets = [format!("near.method={method}"), format!("near.permutations={width}")];
            settings_of(&sets.iter().chain(&banding).map(String::as_str).collect::<Vec<_>>())
        };
        assert_ne!(width("long_sent", "64"), width("long_sent", "256"));
        assert_eq!(width("bands", "64"), width("bands", "256"));
    }

    #[test]
    fn a_union_is_sorted() {
        let rows = |list: &'static [u32]| list.iter().map(|&n| Ok::<u32, Error>(n)).peekable();
        let all: Vec<u32> = Union { a: rows(&[1, 4, 4]), b: rows(&[0, 4, 9]) }.map(Result::unwrap).collect();
        assert_eq!(all, [0, 1, 4, 4, 4, 9]);
    }

    #[test]
    fn a_union_passes_errors_on_at_once() {
        let rows = || [1, 2].map(Ok::<u32, Error>).into_iter().peekable();
        let broken = || std::iter::once(Err::<u32, Error>(Error::Interrupted)).peekable();
        assert!(Union { a: rows(), b: broken() }.next().is_some_and(|row| row.is_err()));
        assert!(Union { a: broken(), b: rows() }.next().is_some_and(|row| row.is_err()));
    }
}
