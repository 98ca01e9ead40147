//! The files of a comparison: `changes.parquet` (all pages), `paragraphs.jsonl` (what changed in them), `hosts.tsv`.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::compare::{ComparedParagraphs, CountsByStatus, PageChange, PageCounts, PageStatus, Summary};
use crate::document::timestamp_of;
use crate::error::{Error, Result};
use crate::figures::Least;
use crate::hash::hash64;
use crate::store::atomic::AtomicFile;
use crate::store::key_counts::{KeyCount, KeyCounter, MergedCounts, TopK};
use crate::store::tables;
use crate::table::{Code, Table as _};
use crate::text::printable;

/// Memory for counting hosts, in bytes.
const HOSTS_MEMORY: usize = 32 << 20;
/// Pages of a status, and hosts, that the report shows.
const SAMPLES: usize = 20;
const HOSTS: usize = 30;

/// A page for the report.
#[derive(Debug, Clone)]
pub struct SampledPage {
    pub row: PageChange,
    /// The contents, if they differ and are known.
    pub texts: Option<[String; 2]>,
}

/// What is known when all pages are written.
#[derive(Debug, Default)]
pub struct Written {
    pub summary: Summary,
    /// For each status, pages with the smallest hashes of their addresses.
    pub samples: [Least<SampledPage>; PageStatus::ALL.len()],
    /// The hosts with the most pages, most first.
    pub hosts: Vec<(String, CountsByStatus)>,
}

/// A line of `paragraphs.jsonl`: a page whose content differs. Places are among the content paragraphs, from 0.
#[derive(Serialize)]
struct ChangedPage<'a> {
    status: &'a str,
    doc_a: Option<u64>,
    doc_b: Option<u64>,
    url_a: Option<&'a str>,
    url_b: Option<&'a str>,
    similarity: Option<f32>,
    /// What stood and what stands between paragraphs that stayed.
    hunks: Vec<ChangedPlace<'a>>,
    moved: Vec<MovedParagraph<'a>>,
}

#[derive(Serialize)]
struct ChangedPlace<'a> {
    removed: Vec<PlacedText<'a>>,
    added: Vec<PlacedText<'a>>,
}

/// A paragraph; without a text where the snapshot is an index.
#[derive(Serialize)]
struct PlacedText<'a> {
    place: u32,
    text: Option<&'a str>,
}

#[derive(Serialize)]
struct MovedParagraph<'a> {
    from: u32,
    to: u32,
    text: Option<&'a str>,
}

/// The texts of the content paragraphs of both sides; `None` for an index.
type Texts<'a> = [Option<&'a [String]>; 2];

fn changed_page<'a>(row: &'a PageChange, paragraphs: &ComparedParagraphs, [old, new]: Texts<'a>) -> ChangedPage<'a> {
    let placed = |texts: Option<&'a [String]>, places: &[u32], own: &[u32]| -> Vec<PlacedText<'a>> {
        let places = own.iter().filter_map(|place| places.get(*place as usize).copied());
        places.map(|place| PlacedText { place, text: text(texts, place) }).collect()
    };
    let ComparedParagraphs { difference, places_a, places_b } = paragraphs;
    let hunk = |hunk: &crate::compare::Hunk| ChangedPlace {
        removed: placed(old, places_a, &hunk.removed),
        added: placed(new, places_b, &hunk.added),
    };
    let moved = |(from, to): &(u32, u32)| {
        let (from, to) = (*places_a.get(*from as usize)?, *places_b.get(*to as usize)?);
        Some(MovedParagraph { from, to, text: text(new, to) })
    };
    ChangedPage {
        status: row.status.name(),
        doc_a: row.doc_a,
        doc_b: row.doc_b,
        url_a: row.url_a.as_deref(),
        url_b: row.url_b.as_deref(),
        similarity: row.similarity,
        hunks: difference.hunks.iter().map(hunk).collect(),
        moved: difference.moved.iter().filter_map(moved).collect(),
    }
}

fn text(texts: Option<&[String]>, place: u32) -> Option<&str> {
    texts?.get(place as usize).map(String::as_str)
}

/// The files that all pages go to.
pub struct Files {
    folder: PathBuf,
    work: PathBuf,
    changes: tables::Writer<PageChange>,
    tsv: Option<AtomicFile>,
    paragraphs: AtomicFile,
    hosts: KeyCounter,
    written: Written,
}

impl Files {
    /// Files in `folder`; `work` is for temporary ones.
    pub fn create(folder: &Path, work: &Path, tsv: bool) -> Result<Files> {
        let mut tsv = tsv.then(|| AtomicFile::create(&folder.join("changes.tsv"))).transpose()?;
        if let Some(file) = &mut tsv {
            let heads = PageChange::columns().into_iter().map(|(name, ..)| name).collect::<Vec<_>>().join("\t") + "\n";
            file.put(heads.as_bytes())?;
        }
        let options = tables::Options {
            zstd_level: 3,
            row_group_rows: 100_000,
            metadata: vec![("warcorpus.version".into(), env!("CARGO_PKG_VERSION").into())],
        };
        Ok(Files {
            folder: folder.into(),
            work: work.into(),
            changes: tables::Writer::create(&folder.join("changes.parquet"), &options)?,
            tsv,
            paragraphs: AtomicFile::create(&folder.join("paragraphs.jsonl"))?,
            hosts: KeyCounter::new(work, HOSTS_MEMORY),
            written: Written::default(),
        })
    }

    /// Adds a page whose content is the same or in one snapshot only.
    pub fn add(&mut self, row: PageChange) -> Result<()> {
        self.add_with_texts(row, [None; 2])
    }

    /// Adds a page whose content differs.
    pub fn add_changed(&mut self, row: PageChange, paragraphs: &ComparedParagraphs, texts: Texts) -> Result<()> {
        let path = self.paragraphs.path();
        let mut line =
            serde_json::to_vec(&changed_page(&row, paragraphs, texts)).map_err(|error| Error::damaged(path, error))?;
        line.push(b'\n');
        self.paragraphs.put(&line)?;
        self.add_with_texts(row, texts)
    }

    fn add_with_texts(&mut self, row: PageChange, [old, new]: Texts) -> Result<()> {
        self.written.summary.add(&row);
        self.count_host(&row)?;
        if let Some(sample) = self.written.samples.get_mut(row.status as usize) {
            let url = row.url_b.as_ref().or(row.url_a.as_ref()).map_or("", String::as_str);
            let rank = (hash64(url.as_bytes()), row.doc_b.or(row.doc_a).unwrap_or(0));
            sample.offer(rank, SAMPLES, || SampledPage {
                row: row.clone(),
                texts: old.zip(new).map(|(old, new)| [old, new].map(|texts| texts.join("\n"))),
            });
        }
        if let Some(file) = &mut self.tsv {
            file.put(tsv_line(&row).as_bytes())?;
        }
        self.changes.push(row)
    }

    /// ```text
    /// key = host, NUL, status (one byte), value (one byte)
    /// ```
    /// A host has no NUL, so that its values stand together.
    fn count_host(&mut self, row: &PageChange) -> Result<()> {
        let host: Vec<u8> = row.host.bytes().filter(|byte| *byte != 0).collect();
        let values = [(b'p', 1), (b'a', row.characters_a), (b'b', row.characters_b)];
        for (value, count) in values.into_iter().filter(|(_, count)| *count > 0) {
            let key = [host.as_slice(), &[0, row.status as u8, value]].concat();
            self.hosts.add(&key, KeyCount { count, documents: 0 });
        }
        self.hosts.spill_if_full()
    }

    /// Completes the files.
    pub fn finish(self) -> Result<Written> {
        let Files { folder, work, changes, tsv, paragraphs, hosts, mut written } = self;
        changes.finish()?;
        tsv.map_or(Ok(()), AtomicFile::commit)?;
        paragraphs.commit()?;
        let counts = MergedCounts::new(hosts.finish()?, &work)?;
        written.hosts = write_hosts(counts, &folder.join("hosts.tsv"))?;
        Ok(written)
    }
}

/// A line of `changes.tsv`; what is null is empty.
fn tsv_line(row: &PageChange) -> String {
    let cells = [
        row.status.name().to_string(),
        row.matched_by.map(Code::name).unwrap_or_default().into(),
        cell(row.doc_a),
        cell(row.doc_b),
        cell(row.url_a.as_deref()),
        cell(row.url_b.as_deref()),
        row.host.clone(),
        cell(row.title.as_deref()),
        row.language.to_string(),
        cell(timestamp_of(row.captured_a)),
        cell(timestamp_of(row.captured_b)),
        cell(row.similarity),
        row.characters_a.to_string(),
        row.characters_b.to_string(),
        row.paragraphs_same.to_string(),
        row.paragraphs_added.to_string(),
        row.paragraphs_removed.to_string(),
        row.paragraphs_moved.to_string(),
    ];
    cells.map(|cell| printable(&cell).into_owned()).join("\t") + "\n"
}

fn cell(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Writes a line for each host and status; the hosts with the most pages.
fn write_hosts(mut counts: MergedCounts, path: &Path) -> Result<Vec<(String, CountsByStatus)>> {
    let mut file = AtomicFile::create(path)?;
    let mut out = String::from("host\tstatus\tpages\tcharacters_a\tcharacters_b\n");
    let mut largest = TopK::new(HOSTS);
    let mut current = (Vec::new(), CountsByStatus::new());
    loop {
        let next = counts.advance()?;
        let next = next.and_then(|(key, count)| match key {
            [host @ .., 0, status, value] => Some((host, *PageStatus::ALL.get(usize::from(*status))?, *value, count)),
            _ => None,
        });
        if next.is_none_or(|(host, ..)| host != current.0) {
            let (host, by_status) = std::mem::take(&mut current);
            let host = String::from_utf8_lossy(&host).into_owned();
            lines(&mut out, &host, &by_status);
            file.put(out.as_bytes())?;
            out.clear();
            let pages: u64 = by_status.values().map(|counts| counts.pages).sum();
            if pages > 0 {
                largest.push((pages, Reverse(host), by_status));
            }
        }
        let Some((host, status, value, KeyCount { count, .. })) = next else { break };
        if current.1.is_empty() {
            current.0 = host.to_vec();
        }
        let counts: &mut PageCounts = current.1.entry(status).or_default();
        match value {
            b'p' => counts.pages += count,
            b'a' => counts.characters_a += count,
            _ => counts.characters_b += count,
        }
    }
    file.commit()?;
    Ok(largest.into_sorted().into_iter().map(|(_, Reverse(host), by_status)| (host, by_status)).collect())
}

fn lines(out: &mut String, name: &str, by_status: &CountsByStatus) {
    let name = printable(name);
    for (status, PageCounts { pages, characters_a, characters_b }) in by_status {
        let _ = writeln!(out, "{name}\t{}\t{pages}\t{characters_a}\t{characters_b}", status.name());
    }
}
