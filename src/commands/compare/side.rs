//! A snapshot: a corpus or an index, and the period whose captures count.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::compare::PageState;
use crate::document::{DocumentCapture, ParagraphText};
use crate::error::{Error, Result};
use crate::key::key;
use crate::stages::reference::IndexHeader;
use crate::store::corpus;
use crate::store::layout::{Index, Layout};
use crate::store::tables::{self, RowsOfDocuments};
use crate::store::values::{Values, Writer};
use crate::threads::{CancelToken, distribute};

/// Where the pages of a snapshot are read.
pub enum Source {
    Corpus { layout: Layout, shards: u32 },
    Index { index: Index, shards: u32 },
}

impl Source {
    /// Tells what a directory holds. Nothing is written for it, so that a wrong argument can be refused before.
    ///
    /// # Errors
    /// [`Error::Usage`] if it is neither a finished corpus nor an index that has what `compare` needs.
    pub fn find(path: &Path) -> Result<Source> {
        let layout = Layout::new(path);
        // One that is planned and not built is told as such.
        if layout.stats().exists() || layout.plan().exists() {
            let shards = corpus::shards(&layout)?;
            return Ok(Source::Corpus { layout, shards });
        }
        let index = Index::new(path);
        if !index.header().exists() {
            return Err(Error::Usage(format!("{} holds neither a finished corpus nor an index", path.display())));
        }
        let header = IndexHeader::read(&index)?;
        if !index.pages(0).exists() && header.documents > 0 {
            let version = header.version;
            return Err(Error::Usage(format!(
                "{}: version {version} wrote indexes without what `compare` needs; make it again: warcorpus index",
                path.display()
            )));
        }
        Ok(Source::Index { index, shards: header.shards })
    }
}

/// The pages of a corpus or an index.
pub struct Pages {
    /// Number of documents of each shard.
    pub documents: Vec<u64>,
    states: Values<PageState>,
    /// The corpus; `None` for an index, which has no texts.
    pub corpus: Option<Layout>,
}

impl Pages {
    /// Opens the pages of an index, or of a corpus, whose states are written to `folder` first.
    pub fn open(source: Source, folder: PathBuf, threads: usize, cancel: &CancelToken) -> Result<Pages> {
        let (layout, shards) = match source {
            Source::Corpus { layout, shards } => (layout, shards),
            Source::Index { index, shards } => {
                return Pages::of_files(shards, move |shard| index.pages(shard), None);
            }
        };
        fs::create_dir_all(&folder).map_err(Error::io("create folder", &folder))?;
        distribute(shards, threads, |next| {
            for shard in next {
                cancel.check()?;
                write_states(&layout, shard, &file(&folder, shard))?;
            }
            Ok::<(), Error>(())
        })?;
        Pages::of_files(shards, move |shard| file(&folder, shard), Some(layout))
    }

    fn of_files(
        shards: u32,
        path: impl Fn(u32) -> PathBuf + Send + Sync + 'static,
        corpus: Option<Layout>,
    ) -> Result<Pages> {
        let states = Values::new(path);
        let documents = (0..shards).map(|shard| states.count(shard)).collect::<Result<_>>()?;
        Ok(Pages { documents, states, corpus })
    }
}

fn file(folder: &Path, shard: u32) -> PathBuf {
    folder.join(format!("{shard:05}"))
}

/// Writes the state of each document of a shard.
pub fn write_states(layout: &Layout, shard: u32, path: &Path) -> Result<()> {
    let mut content = RowsOfDocuments::<ParagraphText>::open(&layout.paragraphs(shard))?;
    let boilerplate = layout.optional(layout.boilerplate(shard))?;
    let mut boilerplate = boilerplate.map(|path| RowsOfDocuments::<ParagraphText>::open(&path)).transpose()?;
    let mut writer = Writer::create(path)?;
    for document in tables::Reader::<DocumentCapture>::open(&layout.documents(shard))? {
        let document = document?;
        let content = content.of(document.doc, |_| true)?;
        let boilerplate = boilerplate.as_mut().map(|table| table.of(document.doc, |_| true)).transpose()?;
        writer.push(&PageState::new(document, &content, boilerplate.as_deref()))?;
    }
    writer.finish()
}

/// A snapshot.
#[derive(Clone)]
pub struct Side {
    pub pages: Arc<Pages>,
    /// Microseconds since 1970 in UTC between which captures count; `None` if all do.
    pub period: Option<Range<i64>>,
}

impl Side {
    /// The state of a document; `None` if its capture does not count.
    pub fn state(&self, doc: u64) -> Result<Option<PageState>> {
        let state = self.pages.states.get(doc)?;
        let counts = |period: &Range<i64>| state.captured.is_some_and(|captured| period.contains(&captured));
        Ok(self.period.as_ref().is_none_or(counts).then_some(state))
    }

    /// The keys of all documents in corpus order, whether they count or not.
    pub fn documents(&self) -> impl Iterator<Item = u64> {
        (0..)
            .zip(&self.pages.documents)
            .flat_map(|(shard, &count)| (0..count as u32).map(move |place| key(shard, place)))
    }
}
