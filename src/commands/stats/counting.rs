//! What one pass over a corpus counts, in each thread and together.

use std::path::Path;

use super::MEMORY;
use crate::document::{Document, Paragraph};
use crate::emit::document_text::{DocumentText, TokenizedParagraph, TokenizedSentence};
use crate::error::Result;
use crate::select::documents::{DocumentColumn, DocumentFilter};
use crate::stats::SegmentedParagraph;
use crate::stats::collocations::{CollocationCounter, CollocationCounts, CollocationQuery};
use crate::stats::counted_words::{Casing, DocumentWords};
use crate::stats::counter::{WordCounter, WordCounts};
use crate::stats::counts::{CorpusCounts, ShardCounter};
use crate::stats::grouped::{GroupedCounter, GroupedCounts};
use crate::stats::options::StatsOptions;
use crate::store::document_values::check_groups;
use crate::text::segments::Segmenter;
use crate::text::words::is_word;

use crate::commands::stored_tags::StoredTags;

/// What is counted, and how.
pub struct Task<'a> {
    pub options: &'a StatsOptions,
    pub segmenter: Segmenter,
    /// Position of the lemma among the tagger's columns, if lemmas are counted.
    pub lemma: Option<usize>,
    pub collocations: Option<CollocationQuery>,
    /// Folder of the temporary files.
    pub folder: &'a Path,
    /// Which documents are counted.
    pub filter: Option<DocumentFilter>,
    /// The column by whose values they are counted apart.
    pub group_by: Option<DocumentColumn>,
}

/// The option for [`Task::group_by`].
pub const GROUP_BY: &str = "--group-by";

/// The counters of a thread.
pub struct Counters<'a> {
    task: &'a Task<'a>,
    casing: Casing,
    counts: CorpusCounts,
    words: WordCounter,
    parts: Option<GroupedCounter>,
    years: Option<GroupedCounter>,
    collocations: Option<CollocationCounter<'a>>,
    untagged: u64,
    buffer: DocumentWords,
}

impl<'a> Counters<'a> {
    pub fn new(task: &'a Task<'a>) -> Counters<'a> {
        let (options, folder) = (task.options, task.folder);
        let grouped = |wanted: bool| wanted.then(|| GroupedCounter::new(folder, MEMORY));
        Counters {
            task,
            casing: options.casing(),
            counts: CorpusCounts::default(),
            words: WordCounter::new(folder, MEMORY, usize::from(options.ngrams)),
            parts: grouped(options.dispersion.is_some()),
            years: grouped(options.years.is_some()),
            collocations: task.collocations.as_ref().map(|query| CollocationCounter::new(query, folder, MEMORY)),
            untagged: 0,
            buffer: DocumentWords::default(),
        }
    }

    /// Counts a document of a shard; `group` is its value of [`Task::group_by`].
    pub fn document(
        &mut self,
        document: &Document,
        rows: &[Paragraph],
        group: Option<&str>,
        shard: &mut ShardCounter,
    ) -> Result<()> {
        let mut text = DocumentText::tokenized(document, rows, &self.task.segmenter);
        let tags = self.task.lemma.map(|_| StoredTags::of(rows));
        if let Some(tags) = &tags {
            let is_tagged = tags.match_tokens(&text) && text.tag(&tags.lines).is_ok();
            self.untagged += u64::from(document.kept && !is_tagged);
        }
        let segmented = segmented(&text, self.task.lemma);
        self.buffer.read(&segmented, self.casing.of_language(document.language.code()));
        shard.document(document, &segmented, &self.buffer, group);
        check_groups(GROUP_BY, shard.groups().len())?;
        if document.kept { self.kept(document, &segmented) } else { Ok(()) }
    }

    fn kept(&mut self, document: &Document, text: &[SegmentedParagraph]) -> Result<()> {
        let (options, language) = (self.task.options, document.language.code());
        self.words.document(language, &self.buffer)?;
        if let Some((counter, parts)) = self.parts.as_mut().zip(options.dispersion) {
            counter.document(language, options.parts.part(document, parts), &self.buffer, 1)?;
        }
        if let Some((counter, date)) = self.years.as_mut().zip(options.years) {
            counter.document(language, date.year(document), &self.buffer, options.ngrams)?;
        }
        match &mut self.collocations {
            Some(counter) => counter.document(language, text.iter().flat_map(|paragraph| &paragraph.sentences)),
            None => Ok(()),
        }
    }

    /// Ends a shard.
    pub fn end_shard(&mut self, shard: ShardCounter) -> Result<()> {
        self.counts.merge(shard.finish());
        check_groups(GROUP_BY, self.counts.groups.len())
    }

    pub fn finish(self) -> Result<Counted> {
        Ok(Counted {
            counts: self.counts,
            words: self.words.finish()?,
            parts: self.parts.map(GroupedCounter::finish).transpose()?,
            years: self.years.map(GroupedCounter::finish).transpose()?,
            collocations: self.collocations.map(CollocationCounter::finish).transpose()?,
            untagged: self.untagged,
        })
    }
}

/// The counts of one or more threads.
pub struct Counted {
    pub counts: CorpusCounts,
    pub words: WordCounts,
    pub parts: Option<GroupedCounts>,
    pub years: Option<GroupedCounts>,
    pub collocations: Option<CollocationCounts>,
    /// Kept documents whose words were counted because they have no lemmas.
    pub untagged: u64,
}

impl Counted {
    /// Adds the counts of another thread.
    pub fn merge(&mut self, other: Counted) {
        self.counts.merge(other.counts);
        self.words.merge(other.words);
        for (to, more) in [(&mut self.parts, other.parts), (&mut self.years, other.years)] {
            if let Some((to, more)) = to.as_mut().zip(more) {
                to.merge(more);
            }
        }
        if let Some((to, more)) = self.collocations.as_mut().zip(other.collocations) {
            to.merge(more);
        }
        self.untagged += other.untagged;
    }
}

/// What TreeTagger writes for a lemma that it does not know.
const NO_LEMMA: &str = "<unknown>";

/// What is counted for a token: its lemma, or its form if it has none, or none that is a word as the form is. Words and punctuation
/// are told apart by forms: a comma may have a word as its lemma.
fn counted<'a>(form: &'a str, lemma: Option<&'a str>) -> &'a str {
    lemma.filter(|lemma| *lemma != NO_LEMMA && is_word(lemma) && is_word(form)).unwrap_or(form)
}

/// The words, or the lemmas.
fn segmented<'a>(text: &'a DocumentText<'a>, lemma: Option<usize>) -> Vec<SegmentedParagraph<'a>> {
    let sentence = |sentence: TokenizedSentence<'a>| {
        let word = |form: &'a str, tags: &'a str| {
            let lemma = lemma.and_then(|lemma| tags.split('\t').nth(lemma));
            counted(form, lemma)
        };
        sentence.tokens().map(|token| word(token.form, token.tags)).collect()
    };
    let paragraph = |paragraph: &'a TokenizedParagraph<'a>| {
        let sentences = text.sentences(paragraph).map(sentence).collect();
        SegmentedParagraph { text: &paragraph.row.text, sentences }
    };
    text.paragraphs.iter().map(paragraph).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lemmas_that_are_words_are_counted() {
        for (form, lemma, want) in [
            ("went", Some("go"), "go"),
            ("went", None, "went"),
            ("went", Some(""), "went"),
            ("went", Some(NO_LEMMA), "went"),
            ("went", Some("-"), "went"),
            (",", Some("comma"), ","),
        ] {
            assert_eq!(counted(form, lemma), want);
        }
    }
}
