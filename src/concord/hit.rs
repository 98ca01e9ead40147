//! Hits: matches of a query with their context and the document they are from.

use std::fmt;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;

use compact_str::CompactString;
use xxhash_rust::xxh3::xxh3_64;

use super::contexts::{around, token_window, window};
use super::options::{HitContext, Options, Sort};
use super::query::{Match, Query, SearchedParagraph};
use super::sort_words::sort_words;
use crate::text::segments::Segmenter;

/// The document of a hit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HitDocument {
    /// Document number: column `doc`.
    pub doc: u64,
    /// Address of the page.
    pub url: String,
    /// When the page was captured: microseconds since 1970 in UTC.
    pub captured: Option<i64>,
    /// When the page was published: days since 1970.
    pub published: Option<i32>,
}

/// One occurrence of the query, with its context.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hit {
    /// The document, shared by its hits.
    pub document: Arc<HitDocument>,
    /// Number of the paragraph in the document: column `index`.
    pub paragraph: u32,
    /// Language of the paragraph, ISO 639-3; empty if unknown.
    pub language: CompactString,
    /// Byte offset of the hit in the paragraph.
    pub at: u32,
    /// The hit with its context: the sentence, or a number of characters or tokens on each side. Hits with the same context
    /// share it.
    pub text: Arc<str>,
    /// Byte range of the hit in `text`.
    pub range: Range<usize>,
    /// Hash of the sentence, to find equal ones; 0 unless `--unique`.
    pub sentence: u64,
    /// The words by which it is sorted ([`sort_words`]); empty unless `--sort`.
    pub sort_words: String,
}

impl Hit {
    /// The context before the hit.
    pub fn left(&self) -> &str {
        self.text.get(..self.range.start).unwrap_or_default()
    }

    /// The hit as it is written in the text.
    pub fn form(&self) -> &str {
        self.text.get(self.range.clone()).unwrap_or_default()
    }

    /// The context after the hit.
    pub fn right(&self) -> &str {
        self.text.get(self.range.end..).unwrap_or_default()
    }

    /// Range of the hit in `text`, in characters (Unicode scalar values).
    pub fn characters(&self) -> Range<usize> {
        let start = self.left().chars().count();
        start..start + self.form().chars().count()
    }

    /// Bytes of memory that it takes if it shares nothing.
    pub fn bytes(&self) -> usize {
        size_of::<Hit>() + self.text.len() + self.sort_words.len() + self.document.url.len()
    }

    /// Document, paragraph and byte offset: the key of corpus order.
    pub fn place(&self) -> (u64, u32, u32) {
        (self.document.doc, self.paragraph, self.at)
    }
}

/// Counts of a search. Those of several workers are added up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchCounts {
    /// Paragraphs searched.
    pub paragraphs: u64,
    /// Paragraphs without tokens, while the query needs them.
    pub untagged: u64,
    /// Hits of each form of the query, before `--unique` and `--limit`, and before `--max-per-doc`
    /// unless only the number is wanted: then at most that many of each form count.
    pub hits: Vec<u64>,
    /// Hits of all forms together, of which at most that many count.
    pub all_hits: u64,
}

impl SearchCounts {
    /// Adds the counts of another worker.
    pub fn add(&mut self, other: &SearchCounts) {
        self.paragraphs += other.paragraphs;
        self.untagged += other.untagged;
        self.hits.resize(self.hits.len().max(other.hits.len()), 0);
        self.hits.iter_mut().zip(&other.hits).for_each(|(sum, hits)| *sum += hits);
        self.all_hits += other.all_hits;
    }

    /// Whether the query asks for lemmas or tags and the corpus has none.
    pub fn is_untagged(&self) -> bool {
        self.paragraphs > 0 && self.untagged == self.paragraphs
    }
}

/// Finds the hits in paragraphs; each worker has its own.
pub struct Finder {
    query: Query,
    context: HitContext,
    unique: bool,
    sort: Option<Sort>,
    segmenter: Segmenter,
    /// Hits of a document that can be printed, and how many of them are left for the document that is searched.
    most_wanted: usize,
    wanted: usize,
    /// Hits of a document that are counted.
    most_counted: usize,
    /// How many of them are left for the document that is searched, of all forms and of each.
    countable: usize,
    countable_of: Vec<usize>,
    /// Counts of the paragraphs searched so far.
    pub counts: SearchCounts,
}

impl fmt::Debug for Finder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Finder").field("query", &self.query).field("counts", &self.counts).finish_non_exhaustive()
    }
}

impl Finder {
    /// A finder for this query, with contexts as the options ask; sentences and tokens are those of a segmenter.
    pub fn new(query: &Query, options: &Options, segmenter: Segmenter) -> Finder {
        let counts = SearchCounts { hits: vec![0; query.forms().len()], ..SearchCounts::default() };
        let (context, unique, sort) = (options.context(), options.unique, options.sort);
        let most_counted = options.max_per_doc.filter(|_| options.count).map_or(usize::MAX, NonZeroUsize::get);
        let mut finder = Finder {
            query: query.clone(),
            context,
            unique,
            sort,
            segmenter,
            most_wanted: most_wanted(options),
            wanted: 0,
            most_counted,
            countable: 0,
            countable_of: vec![0; counts.hits.len()],
            counts,
        };
        finder.begin_document();
        finder
    }

    /// Begins another document.
    pub fn begin_document(&mut self) {
        self.wanted = self.most_wanted;
        self.countable = self.most_counted;
        self.countable_of.fill(self.most_counted);
    }

    /// Counts the hits of a paragraph without making [`Hit`]s.
    pub fn count(&mut self, paragraph: &SearchedParagraph<'_>) {
        self.matches(paragraph);
    }

    /// Gives the hits in a paragraph of `document` to `each`, one after another, until it returns false. Those that can
    /// never be printed are left out.
    pub fn find(
        &mut self,
        paragraph: &SearchedParagraph<'_>,
        document: &Arc<HitDocument>,
        mut each: impl FnMut(Hit) -> bool,
    ) {
        let mut matches = self.matches(paragraph);
        matches.truncate(self.wanted);
        self.wanted -= matches.len();
        if matches.is_empty() {
            return;
        }
        let cuts = self.unique || !matches!(self.context, HitContext::Characters(_));
        let cutter = self.segmenter.language(paragraph.rules);
        let sentences = if cuts { cutter.sentences(paragraph.lines) } else { Vec::new() };
        let mut tokens = Vec::new();
        if matches!(self.context, HitContext::Tokens(_)) {
            sentences.iter().for_each(|sentence| cutter.tokens(paragraph.lines, sentence.clone(), &mut tokens));
        }
        let text = |range: &Range<usize>| paragraph.text.get(range.clone()).unwrap_or_default();
        let (mut last, mut last_text) = (0..0, Arc::<str>::default());
        for Match { range, .. } in matches {
            let sentence = around(&sentences, &range);
            let shown = match self.context {
                HitContext::Characters(width) => window(paragraph.text, &range, width),
                HitContext::Tokens(width) => token_window(&tokens, &range, width),
                HitContext::Sentence => sentence.clone(),
            };
            if shown != last {
                (last, last_text) = (shown.clone(), text(&shown).into());
            }
            let goes_on = each(Hit {
                document: document.clone(),
                paragraph: paragraph.index,
                language: paragraph.language.into(),
                at: range.start as u32,
                text: last_text.clone(),
                range: range.start - shown.start..range.end - shown.start,
                sentence: if self.unique { xxh3_64(text(&sentence).as_bytes()) } else { 0 },
                sort_words: self.sort.map_or_else(String::new, |sort| sort_words(paragraph.text, &range, sort)),
            });
            if !goes_on {
                return;
            }
        }
    }

    /// The matches in a paragraph, which are counted.
    fn matches(&mut self, paragraph: &SearchedParagraph<'_>) -> Vec<Match> {
        self.counts.paragraphs += 1;
        self.counts.untagged += u64::from(self.query.needs_tokens() && paragraph.tokens.is_empty());
        let matches = self.query.find(paragraph);
        let counts = &mut self.counts;
        for found in &matches {
            take(&mut self.countable, &mut counts.all_hits);
            let of_form = self.countable_of.get_mut(found.form).zip(counts.hits.get_mut(found.form));
            of_form.into_iter().for_each(|(left, hits)| take(left, hits));
        }
        matches
    }
}

/// Hits of one document that can be printed: the first ones, unless `--unique` or `--sample` choose among all of them.
/// `--limit` counts in sorted order.
fn most_wanted(options: &Options) -> usize {
    if options.unique || options.sample.is_some() {
        return usize::MAX;
    }
    let limit = options.limit().filter(|_| options.sort.is_none());
    [options.max_per_doc, limit].into_iter().flatten().map(NonZeroUsize::get).min().unwrap_or(usize::MAX)
}

/// Counts a hit if one is left.
fn take(left: &mut usize, hits: &mut u64) {
    if let Some(fewer) = left.checked_sub(1) {
        *left = fewer;
        *hits += 1;
    }
}
