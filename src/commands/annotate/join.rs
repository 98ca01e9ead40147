//! The join: rows of a file in portions that fit into memory, each of which is looked up for the documents of all shards.

use std::path::{Path, PathBuf};

use fxhash::FxHashMap;

use super::label_file::LabelFile;
use super::{JoinKey, Result};
use crate::document::labels::{LabelColumn, LabelValue};
use crate::emit::label_names;
use crate::error::Error;
use crate::hash::{SeededSet, digest, hash64};
use crate::store::corpus;
use crate::store::layout::Layout;
use crate::store::marker::FileChecksum;
use crate::store::tables::labels::{self, Key, KnownValues, LabelRow, LabelWriter, LabelsOfDocuments};
use crate::store::tables::{Options, Reader};
use crate::table::table_row;
use crate::text::printable;
use crate::threads::CancelToken;

/// Bytes of the rows that are held at a time.
const PORTION: usize = 256 << 20;

table_row! {
    /// The columns of `documents` by which rows are joined.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Joinable in "documents" {
        pub doc: u64,
        pub record_id: String,
        pub url: String,
    }
}

/// A file to join to a corpus.
pub struct Annotation<'a> {
    pub layout: &'a Layout,
    pub options: Options,
    /// Names of columns that models have.
    pub models: Vec<&'a str>,
    pub from: &'a Path,
    pub key: JoinKey,
    /// The columns to join; all if there are none.
    pub chosen: &'a [String],
    pub cancel: &'a CancelToken,
}

/// What was joined.
#[derive(Debug, Default)]
pub struct Joined {
    pub columns: Vec<String>,
    pub rows: u64,
    /// Rows that belong to a document.
    pub matched: u64,
    /// Documents with a row.
    pub documents: u64,
    /// Rows whose key an earlier row has.
    pub repeated: u64,
    pub without_key: u64,
}

impl Joined {
    pub fn unmatched(&self) -> u64 {
        self.rows.saturating_sub(self.matched + self.repeated + self.without_key)
    }
}

/// Rows by the digest of their key.
#[derive(Default)]
struct Portion {
    rows: FxHashMap<u128, Held>,
    bytes: usize,
}

struct Held {
    values: KnownValues,
    found: Found,
}

/// Whether a row belongs to a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Not,
    Yes,
    /// The document has the values of an earlier row.
    Again,
}

impl Portion {
    /// Holds a row; false if an earlier one has its key.
    fn add(&mut self, key: &str, values: KnownValues) -> bool {
        let text = |(_, value): &(usize, LabelValue)| match value {
            LabelValue::Text(Some(text)) => text.len(),
            _ => 0,
        };
        let bytes = values.capacity() * size_of::<(usize, LabelValue)>() + values.iter().map(text).sum::<usize>();
        let entry = self.rows.entry(digest(key.as_bytes()));
        let std::collections::hash_map::Entry::Vacant(entry) = entry else { return false };
        entry.insert(Held { values, found: Found::Not });
        self.bytes += bytes + size_of::<(u128, Held)>();
        true
    }
}

impl Annotation<'_> {
    /// Writes the table `labels` of every shard.
    pub fn run(mut self) -> Result<Joined> {
        let mut reader = self.open()?;
        self.options.metadata.push((labels::DIGEST.into(), self.digest()?));
        let columns = reader.columns().to_vec();
        let mut joined = Joined { columns: columns.iter().map(|c| c.name.clone()).collect(), ..Joined::default() };
        let shards = corpus::shards(self.layout)?;
        let new: SeededSet<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let is_new = |name: &str| new.contains(name);
        // An interrupted run may have written the files of some shards. They have nothing else to lose.
        let has_earlier = labels::columns_of(self.layout)?.iter().any(|column| !is_new(&column.name));
        let mut is_first = true;
        loop {
            let mut portion = Portion::default();
            while portion.bytes < PORTION {
                let Some(row) = reader.next().transpose()? else { break };
                hold(row, self.key, &mut portion, &mut joined);
            }
            if portion.rows.is_empty() && !is_first {
                return Ok(joined);
            }
            for shard in 0..shards {
                self.cancel.check()?;
                let path = self.layout.labels(shard);
                let table = (has_earlier || path.exists()).then_some(path);
                self.shard(shard, table, &columns, is_first, &mut portion, &mut joined)?;
            }
            let count = |found| portion.rows.values().filter(|held| held.found == found).count() as u64;
            joined.matched += count(Found::Yes);
            joined.repeated += count(Found::Again);
            is_first = false;
        }
    }

    /// A digest of what the table will hold: of what was joined before, and of the file and what is taken from it.
    fn digest(&self) -> Result<String> {
        let earlier = labels::digest_of(self.layout)?;
        let FileChecksum { bytes, checksum, .. } = FileChecksum::new(Path::new(""), self.from)?;
        let parts = [earlier, bytes.to_string(), checksum, self.key.name().into(), self.chosen.join(",")];
        Ok(format!("{:016x}", hash64(parts.join("\n").as_bytes())))
    }

    /// Opens the file and checks its columns.
    fn open(&self) -> Result<LabelFile> {
        let is_chosen = |name: &str| self.chosen.is_empty() || self.chosen.iter().any(|chosen| chosen == name);
        let other = [JoinKey::RecordId.name(), JoinKey::Url.name(), "doc"];
        let wanted = |name: &str| is_chosen(name) && (!other.contains(&name) || !self.chosen.is_empty());
        let reader = LabelFile::open(self.from, self.key.name(), wanted)?;
        if !reader.skipped().is_empty() {
            let names = reader.skipped().join(", ");
            tracing::warn!("columns that hold neither strings nor numbers are not joined: {}", printable(&names));
        }
        let names: Vec<&str> = reader.columns().iter().map(|column| column.name.as_str()).collect();
        let refused = |what: String| Err(Error::Usage(format!("{}: {what}", self.from.display())));
        if let Some(missing) = self.chosen.iter().find(|chosen| !names.contains(&chosen.as_str())) {
            return refused(format!("has no column `{missing}` of strings or numbers"));
        }
        if names.is_empty() {
            return refused("has no column of strings or numbers besides its key".into());
        }
        let wrong = names.iter().find(|name| !label_names::is_free(name) || self.models.contains(name));
        match wrong {
            Some(name) => refused(format!(
                "column `{name}`: a name {}; rename it, or choose others with --columns",
                label_names::WANTED
            )),
            None => Ok(reader),
        }
    }

    /// Joins a portion to the documents of a shard with its table so far. The columns of earlier files stay, and with later
    /// portions those of earlier ones.
    fn shard(
        &self,
        shard: u32,
        table: Option<PathBuf>,
        columns: &[LabelColumn],
        is_first: bool,
        portion: &mut Portion,
        joined: &mut Joined,
    ) -> Result<()> {
        let new: SeededSet<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let is_new = |name: &str| new.contains(name);
        let mut earlier = LabelsOfDocuments::open(table.clone(), |name| !is_new(name))?;
        let mut before = LabelsOfDocuments::open(table, |name| is_new(name) && !is_first)?;
        let first = earlier.columns().len();
        let all: Vec<LabelColumn> = earlier.columns().iter().chain(columns).cloned().collect();
        let mut writer = LabelWriter::create(&self.layout.labels(shard), &all, &self.options)?;
        for document in Reader::<Joinable>::open(&self.layout.documents(shard))? {
            let document = document?;
            let key = match self.key {
                JoinKey::RecordId => &document.record_id,
                JoinKey::Url => &document.url,
            };
            let known = before.known_of(document.doc)?;
            let is_known = !known.is_empty();
            let held = portion.rows.get_mut(&digest(key.as_bytes())).filter(|_| !key.is_empty());
            let own = match held {
                Some(held) if !is_known => {
                    held.found = Found::Yes;
                    joined.documents += 1;
                    held.values.clone()
                }
                held => {
                    held.into_iter().filter(|held| held.found == Found::Not).for_each(|held| held.found = Found::Again);
                    known
                }
            };
            // The new columns stand behind those of earlier files.
            let mut values = earlier.known_of(document.doc)?;
            values.extend(own.into_iter().map(|(place, value)| (first + place, value)));
            if !values.is_empty() {
                writer.push(document.doc, values)?;
            }
        }
        writer.finish()
    }
}

fn hold(row: LabelRow, kind: JoinKey, portion: &mut Portion, joined: &mut Joined) {
    joined.rows += 1;
    let Some(Key::Text(key)) = row.key.filter(|key| *key != Key::Text(String::new())) else {
        joined.without_key += 1;
        return;
    };
    // WARC writes record ids in angle brackets and as URNs; the table has them as they are between the brackets.
    let bare = key.strip_prefix('<').and_then(|key| key.strip_suffix('>')).filter(|_| kind == JoinKey::RecordId);
    if !portion.add(bare.unwrap_or(&key), row.values) {
        joined.repeated += 1;
    }
}
