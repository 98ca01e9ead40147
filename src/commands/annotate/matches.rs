//! Which row of a file belongs to which document. Rows and documents meet sorted by the digest of their key, then the
//! matches are sorted by document: each of them is read once, and memory is that of the sorts. The values of the rows lie
//! in a file meanwhile.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Result;
use crate::document::labels::LabelValue;
use crate::error::Error;
use crate::hash::digest;
use crate::key;
use crate::store::spill::{self, MergeJoin, SortSpace, Writer, spill_row};
use crate::store::tables::labels::KnownValues;
use crate::store::{atomic, values};
use crate::threads::CancelToken;

spill_row! {
    /// A row of the file or a document of the corpus, by the digest of its key.
    struct KeyRow { digest: u128, owner: u64 }
}

spill_row! {
    /// A document and the row that belongs to it.
    struct MatchRow { doc: u64, row: u64 }
}

/// How many rows and documents were matched.
#[derive(Debug, Default)]
pub struct MatchCounts {
    /// Rows that belong to a document.
    pub rows: u64,
    /// Documents with a row.
    pub documents: u64,
    /// Rows whose key an earlier row has.
    pub repeated: u64,
}

/// The rows of a file, which are collected to be matched.
pub struct Rows {
    keys: Writer<KeyRow>,
    values: values::Writer<StoredValues>,
    count: u64,
    space: SortSpace,
    scratch: Scratch,
}

impl Rows {
    /// Collects rows in files beside the path `beside`.
    pub fn create(beside: &Path, space: &SortSpace) -> Result<Rows> {
        let scratch = Scratch::beside(beside);
        let keys = Writer::create(&scratch.rows, 1, space)?;
        let values = values::Writer::create(&scratch.values)?;
        Ok(Rows { keys, values, count: 0, space: space.clone(), scratch })
    }

    /// Adds the next row of the file.
    ///
    /// # Errors
    /// [`Error::Usage`] after [`u32::MAX`] rows, the most that a file of values has.
    pub fn push(&mut self, key: &str, values: KnownValues) -> Result<()> {
        let most = || Error::Usage(format!("a file has at most {} rows with a key; join it in parts", u32::MAX));
        let number = u32::try_from(self.count).ok().filter(|number| *number < u32::MAX).ok_or_else(most)?;
        self.count += 1;
        self.values.push(&stored(values))?;
        self.keys.push(0, KeyRow { digest: digest(key.as_bytes()), owner: key::key(0, number) })
    }

    /// Matches the rows with documents, each given with its key. Of several rows with one key, the first counts.
    pub fn matched(
        self,
        documents: impl Iterator<Item = Result<(u64, String)>>,
        cancel: &CancelToken,
    ) -> Result<(Matches, MatchCounts)> {
        let Rows { keys, values, space, scratch, .. } = self;
        keys.finish()?;
        values.finish()?;
        let mut keys = Writer::create(&scratch.documents, 1, &space)?;
        for document in documents {
            let (doc, key) = document?;
            keys.push(0, KeyRow { digest: digest(key.as_bytes()), owner: doc })?;
        }
        keys.finish()?;
        let counts = scratch.join(&space, cancel)?;
        let matches = spill::merge(std::slice::from_ref(&scratch.matches), 0, &space)?;
        let values = scratch.values.clone();
        let values = values::Values::new(move |_| values.clone());
        Ok((Matches { rows: MergeJoin::new(Some(matches), |row| row.doc), values, _scratch: scratch }, counts))
    }
}

/// The rows that belong to documents.
pub struct Matches {
    rows: MergeJoin<MatchRow>,
    values: values::Values<StoredValues>,
    _scratch: Scratch,
}

impl Matches {
    /// The known values of the row that belongs to a document. Documents must be asked for in ascending order.
    pub fn values_of(&mut self, doc: u64) -> Result<KnownValues> {
        let mut found = None;
        self.rows.rows_of(doc, |matched| found = Some(matched.row))?;
        found.map_or_else(|| Ok(Vec::new()), |row| self.values.get(row).map(known))
    }

    /// Reads the rest of the matches, whose checksum is compared at the end.
    pub fn finish(mut self) -> Result<()> {
        self.rows.finish()
    }
}

/// Files that are needed only while rows are matched. They have the names of unfinished files, which are swept away if the
/// process is killed.
struct Scratch {
    rows: PathBuf,
    values: PathBuf,
    documents: PathBuf,
    matches: PathBuf,
}

impl Scratch {
    fn beside(path: &Path) -> Scratch {
        let file = |name| atomic::temporary(&path.with_file_name(name));
        Scratch { rows: file("rows"), values: file("values"), documents: file("documents"), matches: file("matches") }
    }

    /// Writes the matches.
    fn join(&self, space: &SortSpace, cancel: &CancelToken) -> Result<MatchCounts> {
        let sorted = |path| spill::merge::<KeyRow>(std::slice::from_ref(path), 0, space);
        let mut documents = sorted(&self.documents)?.peekable();
        let mut matches = Writer::create(&self.matches, 1, space)?;
        let (mut counts, mut last) = (MatchCounts::default(), None);
        for row in sorted(&self.rows)? {
            let row = row?;
            cancel.check()?;
            if last.replace(row.digest) == Some(row.digest) {
                counts.repeated += 1;
                continue;
            }
            let before = counts.documents;
            let is_passed = |document: &Result<KeyRow>| document.as_ref().map_or(true, |it| it.digest <= row.digest);
            while let Some(document) = documents.next_if(is_passed).transpose()? {
                if document.digest == row.digest {
                    matches.push(0, MatchRow { doc: document.owner, row: row.owner })?;
                    counts.documents += 1;
                }
            }
            counts.rows += u64::from(counts.documents > before);
        }
        // The checksum is compared at the end.
        documents.try_for_each(|document| document.map(drop))?;
        matches.finish()?;
        Ok(counts)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A file that cannot be removed now is swept away like any unfinished file.
        for path in [&self.rows, &self.values, &self.documents, &self.matches] {
            let _ = atomic::remove(path);
        }
        // A folder that was made for them and has no other file.
        let _ = self.rows.parent().map(fs::remove_dir);
    }
}

/// A known value as it lies in a file.
#[derive(Serialize, Deserialize)]
enum StoredValue {
    Text(String),
    Number(f64),
}

type StoredValues = Vec<(usize, StoredValue)>;

fn stored(values: KnownValues) -> StoredValues {
    let stored = |(place, value)| match value {
        LabelValue::Text(text) => Some((place, StoredValue::Text(text?))),
        LabelValue::Number(number) => Some((place, StoredValue::Number(number?))),
    };
    values.into_iter().filter_map(stored).collect()
}

fn known(values: StoredValues) -> KnownValues {
    let known = |(place, value)| match value {
        StoredValue::Text(text) => (place, LabelValue::Text(Some(text))),
        StoredValue::Number(number) => (place, LabelValue::Number(Some(number))),
    };
    values.into_iter().map(known).collect()
}
