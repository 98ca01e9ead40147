//! Brings the pages of both snapshots together, with their texts where these differ, and hands them to the [`Files`].

use std::path::{Path, PathBuf};

use super::files::{Files, Written};
use super::matching::{Matches, PairRow};
use super::side::Side;
use crate::compare::{MatchedBy, PageChange, PageStatus};
use crate::document::ParagraphText;
use crate::error::Result;
use crate::key::parts;
use crate::store::layout::Layout;
use crate::store::spill::{MergeJoin, SortSpace, Writer, merge, spill_row};
use crate::store::tables::RowsOfDocuments;
use crate::store::values::{self, Values};
use crate::threads::CancelToken;

spill_row! {
    /// A page of both snapshots, in the order of the older one.
    struct OlderRow {
        a: u64,
        b: u64,
        matched_by: u32,
    }
}

spill_row! {
    /// A page of both snapshots, in the order of the newer one, with the number of its older texts.
    struct NewerRow {
        b: u64,
        a: u64,
        matched_by: u32,
        /// Number of the texts of `a`; `u64::MAX` if they are not needed or not known.
        texts: u64,
    }
}

/// Two matched snapshots on their way to the files.
pub struct Output<'a> {
    pub sides: [&'a Side; 2],
    pub matches: &'a Matches,
    /// For files that are removed at the end.
    pub work: PathBuf,
    pub space: SortSpace,
    pub cancel: &'a CancelToken,
}

impl Output<'_> {
    /// Writes the files to a folder; with `tsv`, the rows of the table in that form, too.
    pub fn write(&self, folder: &Path, tsv: bool) -> Result<Written> {
        let pairs = self.older_texts()?;
        let mut files = Files::create(folder, &self.work, tsv)?;
        self.newer(&pairs, &mut files)?;
        self.gone(&mut files)?;
        files.finish()
    }

    /// Saves the older texts of pages whose content may differ; the pairs with the numbers of these texts.
    fn older_texts(&self) -> Result<PathBuf> {
        let older = self.work.join("older");
        let mut writer = Writer::create(&older, 1, &self.space)?;
        for row in merge::<PairRow>(std::slice::from_ref(&self.matches.pairs), 0, &self.space)? {
            let PairRow { b, a, matched_by } = row?;
            writer.push(0, OlderRow { a, b, matched_by })?;
        }
        writer.finish()?;
        let (newer, [a, b]) = (self.work.join("newer"), self.sides);
        let mut writer = Writer::create(&newer, 1, &self.space)?;
        let mut texts = values::Writer::<Vec<String>>::create(&self.texts())?;
        let mut count = 0u64;
        let mut of_older = ContentTexts::new(a);
        for row in merge::<OlderRow>(&[older], 0, &self.space)? {
            let OlderRow { a: doc_a, b: doc_b, matched_by } = row?;
            self.cancel.check()?;
            let mut row = NewerRow { b: doc_b, a: doc_a, matched_by, texts: u64::MAX };
            let (old, new) = (a.state(doc_a)?, b.state(doc_b)?);
            let differs = old.zip(new).is_some_and(|(old, new)| old.content() != new.content());
            if differs && let Some(found) = of_older.of(doc_a)? {
                texts.push(&found)?;
                row.texts = count;
                count += 1;
            }
            writer.push(0, row)?;
        }
        texts.finish()?;
        writer.finish()?;
        Ok(newer)
    }

    /// The file of older texts, which are reached by their numbers.
    fn texts(&self) -> PathBuf {
        self.work.join("texts")
    }

    /// Writes the pages of the newer snapshot.
    fn newer(&self, pairs: &Path, files: &mut Files) -> Result<()> {
        let [a, b] = self.sides;
        let [_, taken] = &self.matches.taken;
        let path = self.texts();
        let older_texts = Values::<Vec<String>>::new(move |_| path.clone());
        let mut pairs = MergeJoin::new(Some(merge::<NewerRow>(&[pairs.into()], 0, &self.space)?), |row| row.b);
        let mut of_newer = ContentTexts::new(b);
        for doc in b.documents() {
            self.cancel.check()?;
            let mut pair = None;
            pairs.rows_of(doc, |row| pair = Some(row))?;
            if pair.is_none() && taken.contains(doc) {
                continue;
            }
            let Some(new) = b.state(doc)? else { continue };
            let Some(pair) = pair else {
                files.add(PageChange::alone(PageStatus::New, doc, &new))?;
                continue;
            };
            let (Some(old), Some(matched_by)) = (a.state(pair.a)?, MatchedBy::of_number(pair.matched_by)) else {
                continue;
            };
            let (row, paragraphs) = PageChange::of_both(matched_by, (pair.a, &old), (doc, &new));
            if paragraphs.difference.is_empty() {
                files.add(row)?;
                continue;
            }
            let old_texts = match pair.texts {
                u64::MAX => None,
                // Texts are numbered across the shards of their file, of which there is one.
                number => Some(older_texts.get(number)?),
            };
            let new_texts = of_newer.of(doc)?;
            files.add_changed(row, &paragraphs, [old_texts.as_deref(), new_texts.as_deref()])?;
        }
        pairs.finish()
    }

    /// Writes the pages that only the older snapshot has.
    fn gone(&self, files: &mut Files) -> Result<()> {
        let ([a, _], [taken, _]) = (self.sides, &self.matches.taken);
        for doc in a.documents().filter(|doc| !taken.contains(*doc)) {
            self.cancel.check()?;
            if let Some(state) = a.state(doc)? {
                files.add(PageChange::alone(PageStatus::Gone, doc, &state))?;
            }
        }
        Ok(())
    }
}

/// Reads the content paragraphs of a snapshot's documents.
struct ContentTexts<'a> {
    /// `None` for an index, which has no texts.
    corpus: Option<&'a Layout>,
    /// The table of the shard that was asked last.
    table: Option<(u32, RowsOfDocuments<ParagraphText>)>,
}

impl<'a> ContentTexts<'a> {
    fn new(side: &'a Side) -> ContentTexts<'a> {
        ContentTexts { corpus: side.pages.corpus.as_ref(), table: None }
    }

    /// The texts of a document. Documents must be asked for in ascending order.
    fn of(&mut self, doc: u64) -> Result<Option<Vec<String>>> {
        let Some(corpus) = self.corpus else { return Ok(None) };
        let (shard, _) = parts(doc);
        let table = match self.table.take() {
            Some((of, table)) if of == shard => table,
            _ => RowsOfDocuments::open(&corpus.paragraphs(shard))?,
        };
        let (_, table) = self.table.insert((shard, table));
        Ok(Some(table.of(doc, |_| true)?.into_iter().map(|row| row.text).collect()))
    }
}
