//! The join: the rows of a file are matched with the documents of all shards, whose tables `labels` are then written one
//! after the other.

use std::path::{Path, PathBuf};

use super::label_file::LabelFile;
use super::matches::{Matches, Rows};
use super::{JoinKey, Result};
use crate::document::labels::LabelColumn;
use crate::emit::label_names;
use crate::error::Error;
use crate::hash::{SeededSet, hash64};
use crate::store::layout::Layout;
use crate::store::marker::FileChecksum;
use crate::store::spill::SortSpace;
use crate::store::tables::labels::{self, Key, LabelRow, LabelWriter, LabelsOfDocuments};
use crate::store::tables::{Options, Reader};
use crate::store::{corpus, incomplete};
use crate::table::table_row;
use crate::text::printable;
use crate::threads::CancelToken;

table_row! {
    /// The columns of `documents` by which rows are joined.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Joinable in "documents" {
        pub doc: u64,
        pub record_id: String,
        pub url: String,
    }
}

table_row! {
    /// The key of a document.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct DocumentKey in "documents" {
        pub doc: u64,
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
    /// Memory for sorting.
    pub space: SortSpace,
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

impl Annotation<'_> {
    /// Writes the table `labels` of every shard.
    pub fn run(mut self) -> Result<Joined> {
        let reader = self.open()?;
        self.options.metadata.push((labels::DIGEST.into(), self.digest()?));
        let columns = reader.columns().to_vec();
        let mut joined = Joined { columns: columns.iter().map(|c| c.name.clone()).collect(), ..Joined::default() };
        let (mut rows, mut first) = (Rows::create(&self.layout.labels(0), &self.space)?, None);
        for row in reader {
            self.cancel.check()?;
            joined.rows += 1;
            match row? {
                LabelRow { key: Some(Key::Text(key)), values } if !key.is_empty() => {
                    rows.push(self.bare(&key), values)?;
                    first.get_or_insert(key);
                }
                _ => joined.without_key += 1,
            }
        }
        let shards = corpus::shards(self.layout)?;
        let documents = (0..shards).flat_map(|shard| self.documents(shard));
        let (mut matches, counts) = rows.matched(documents, self.cancel)?;
        (joined.matched, joined.documents, joined.repeated) = (counts.rows, counts.documents, counts.repeated);
        if joined.matched == 0 {
            return Err(self.nothing_joined(joined.rows, first.as_deref(), shards)?);
        }
        let new: SeededSet<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        // An interrupted run may have written the files of some shards. They have nothing else to lose.
        let has_earlier = labels::columns_of(self.layout)?.iter().any(|column| !new.contains(column.name.as_str()));
        incomplete::begin_labels(self.layout, &joined.columns)?;
        for shard in 0..shards {
            let path = self.layout.labels(shard);
            let table = (has_earlier || path.exists()).then_some(path);
            self.shard(shard, table, &columns, &mut matches)?;
        }
        matches.finish()?;
        incomplete::end_labels(self.layout)?;
        Ok(joined)
    }

    /// The error of a file whose rows belong to no document, as if it were of another corpus: its columns would replace those of
    /// the same names by nothing.
    fn nothing_joined(&self, rows: u64, first: Option<&str>, shards: u32) -> Result<Error> {
        let of_corpus = (0..shards).flat_map(|shard| self.documents(shard)).next().transpose()?.map(|(_, key)| key);
        let shown = |key: Option<&str>| key.map_or("none".into(), |key| format!("`{}`", printable(key)));
        Ok(Error::Usage(format!(
            "{}: none of {rows} rows belongs to a document, so the columns of the corpus stay as they were; the first `{}` of the \
             file is {}, that of the corpus {}",
            self.from.display(),
            self.key.name(),
            shown(first),
            shown(of_corpus.as_deref())
        )))
    }

    /// A key as `documents` has it. WARC writes record ids in angle brackets and as URNs; the table has them as they are
    /// between the brackets.
    fn bare<'k>(&self, key: &'k str) -> &'k str {
        let bare = key.strip_prefix('<').and_then(|key| key.strip_suffix('>'));
        bare.filter(|_| self.key == JoinKey::RecordId).unwrap_or(key)
    }

    /// The documents of a shard that have a key, each with its key.
    fn documents(&self, shard: u32) -> Box<dyn Iterator<Item = Result<(u64, String)>> + '_> {
        let rows = match Reader::<Joinable>::open(&self.layout.documents(shard)) {
            Ok(rows) => rows,
            Err(error) => return Box::new(std::iter::once(Err(error))),
        };
        let keyed = |row: Result<Joinable>| {
            self.cancel.check()?;
            let Joinable { doc, record_id, url } = row?;
            Ok((doc, if self.key == JoinKey::Url { url } else { record_id }))
        };
        Box::new(rows.map(keyed).filter(|keyed| keyed.as_ref().map_or(true, |(_, key)| !key.is_empty())))
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
            return refused("has no column of strings or numbers besides `doc`, `record_id` and `url`".into());
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

    /// Writes the table of a shard. The columns of earlier files stay.
    fn shard(&self, shard: u32, table: Option<PathBuf>, columns: &[LabelColumn], matches: &mut Matches) -> Result<()> {
        let new: SeededSet<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let mut earlier = LabelsOfDocuments::open(table, |name| !new.contains(name))?;
        let first = earlier.columns().len();
        let all: Vec<LabelColumn> = earlier.columns().iter().chain(columns).cloned().collect();
        let mut writer = LabelWriter::create(&self.layout.labels(shard), &all, &self.options)?;
        for document in Reader::<DocumentKey>::open(&self.layout.documents(shard))? {
            self.cancel.check()?;
            let DocumentKey { doc } = document?;
            // The new columns stand behind those of earlier files.
            let mut values = earlier.known_of(doc)?;
            values.extend(matches.values_of(doc)?.into_iter().map(|(place, value)| (first + place, value)));
            if !values.is_empty() {
                writer.push(doc, values)?;
            }
        }
        writer.finish()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::document::Document;
    use crate::document::labels::LabelValue;
    use crate::key::key;
    use crate::store::tables::Writer;

    const OPTIONS: Options = Options { zstd_level: 1, row_group_rows: 1000, metadata: Vec::new() };

    /// A corpus of two shards; documents are given by record id and address.
    fn corpus(folder: &Path, shards: [&[(&str, &str)]; 2]) -> Layout {
        let layout = Layout::new(folder);
        for (shard, documents) in (0..).zip(shards) {
            let mut writer = Writer::<Document>::create(&layout.documents(shard), &OPTIONS).unwrap();
            for (ordinal, (record_id, url)) in (0..).zip(documents) {
                let (doc, record_id, url) = (key(shard, ordinal), record_id.to_string(), url.to_string());
                writer.push(Document { doc, record_id, url, ..Document::default() }).unwrap();
            }
            writer.finish().unwrap();
        }
        fs::write(layout.stats(), "{\"shards\": 2}").unwrap();
        layout
    }

    fn join(layout: &Layout, key: JoinKey, csv: &str) -> Joined {
        try_join(layout, key, csv).unwrap()
    }

    fn try_join(layout: &Layout, key: JoinKey, csv: &str) -> Result<Joined> {
        let from = layout.root().join("labels.csv");
        fs::write(&from, csv).unwrap();
        let annotation = Annotation {
            layout,
            options: OPTIONS,
            models: Vec::new(),
            from: &from,
            key,
            chosen: &[],
            // Every two rows are a run, and every two runs are merged.
            space: SortSpace { run: 100, merge: 1, scratch: None },
            cancel: &CancelToken::default(),
        };
        annotation.run()
    }

    /// The values of the documents that have any.
    fn values(layout: &Layout, shard: u32) -> Vec<(u32, String)> {
        let mut labels = LabelsOfDocuments::open(Some(layout.labels(shard)), |_| true).unwrap();
        let shown = |values: Vec<LabelValue>| values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let all = (0..9).map(|ordinal| (ordinal, shown(labels.of(key(shard, ordinal)).unwrap())));
        all.filter(|(_, values)| values.chars().any(|c| c != ',')).collect()
    }

    #[test]
    fn rows_meet_the_documents_of_all_shards() {
        let folder = tempfile::tempdir().unwrap();
        let layout = corpus(
            folder.path(),
            [&[("a", "u"), ("b", "u"), ("x1", "y1"), ("x2", "y2")], &[("c", "v"), ("", ""), ("d", "w"), ("e", "u")]],
        );
        let joined = join(&layout, JoinKey::RecordId, "record_id,grade\nc,1\n<a>,2\nc,3\nnone,4\n,5\nb,\nd,6\n");
        let Joined { rows, matched, documents, repeated, without_key, .. } = joined;
        assert_eq!((rows, matched, documents, repeated, without_key, joined.unmatched()), (7, 4, 4, 1, 1, 1));
        let text = |list: &[(u32, &str)]| list.iter().map(|(doc, text)| (*doc, text.to_string())).collect::<Vec<_>>();
        assert_eq!(values(&layout, 0), text(&[(0, "2")]));
        assert_eq!(values(&layout, 1), text(&[(0, "1"), (2, "6")]));

        let joined = join(&layout, JoinKey::Url, "url,topic\nnone,z\nu,x\nu,z\n");
        assert_eq!((joined.matched, joined.documents, joined.repeated, joined.unmatched()), (1, 3, 1, 1));
        assert_eq!(values(&layout, 0), text(&[(0, "2,x"), (1, ",x")]));
        assert_eq!(values(&layout, 1), text(&[(0, "1,"), (2, "6,"), (3, ",x")]));

        join(&layout, JoinKey::RecordId, "record_id,grade\ne,8\n");
        assert_eq!(values(&layout, 0), text(&[(0, "x,"), (1, "x,")]));
        assert_eq!(values(&layout, 1), text(&[(3, "x,8")]));
        let before = values(&layout, 1);
        let refused = try_join(&layout, JoinKey::RecordId, "record_id,grade\n,1\n<zz>,9\n").unwrap_err();
        assert!(matches!(refused, Error::Usage(_)), "{refused}");
        let refused = refused.to_string();
        assert!(
            refused.contains("none of 2 rows") && refused.ends_with("file is `<zz>`, that of the corpus `a`"),
            "{refused}"
        );
        assert_eq!(values(&layout, 1), before);
        let kept = fs::read_dir(layout.labels(0).parent().unwrap()).unwrap().count();
        assert_eq!(kept, 2, "files of the join stayed");
    }
}
