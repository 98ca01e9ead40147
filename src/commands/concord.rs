//! `concord`: prints a concordance of a corpus. Threads search shards in parallel; hits are printed in corpus order.

use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Exit, Threads, cancel_on_signal, finished, notify};
use crate::concord::{
    CollectError, Collector, Finder, Hit, HitDocument, HitGroups, Options, OrderedQueue, Printer, Query, SearchCounts,
    SearchedParagraph, SearchedToken, deliver, print_counts,
};
use crate::config::Config;
use crate::document::{Document, ParagraphProjection, language_or};
use crate::emit::document_text::is_visible;
use crate::error::{Error, Result};
use crate::page::charset::nfc;
use crate::select::documents::{DocumentColumn, DocumentFilter};
use crate::select::expression::Expression;
use crate::store::corpus::{self, CorpusReader};
use crate::store::document_values::{self, DocumentChoice, DocumentGroups};
use crate::store::layout::Layout;
use crate::text::in_one_line;
use crate::text::invisible::without_invisible;
use crate::threads::{self, CancelToken};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A built corpus
    corpus: PathBuf,
    #[command(flatten)]
    options: Options,
    /// Search only documents that the expression selects, for example "year >= 2020 and host like '%.cz'" (docs/usage.md)
    #[arg(long = "where", value_name = "EXPRESSION", value_parser = Expression::parse)]
    filter: Option<Expression>,
    #[command(flatten)]
    threads: Threads,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let (layout, config) = finished(&arguments.corpus)?;
    let (cancel, out) = (cancel_on_signal()?, io::stdout().lock());
    let filter = document_values::filter(&layout, !config.language.model.is_empty(), arguments.filter.as_ref())?;
    if arguments.options.by.is_some() && !arguments.options.language.is_empty() {
        let why = "--by counts the words of whole documents, and --language chooses paragraphs";
        return Err(Error::Usage(format!("{why}; choose documents: --where \"language = 'deu'\"")).into());
    }
    let by = document_values::column(&layout, "--by", arguments.options.by.as_deref())?;
    let corpus = Searched { layout: &layout, filter: filter.as_ref(), by: by.as_ref() };
    let options = &arguments.options;
    if (options.lemma.is_some() || options.tag.is_some()) && config.emit.tagger.is_empty() {
        return Err(untagged().into());
    }
    if options.lemma.is_some() {
        config.emit.lemma_column().map_err(|missing| Error::Usage(format!("--lemma: {missing}")))?;
    }
    let counts = concordance(corpus, &config, &arguments.options, arguments.threads.count(), &cancel, out)?;
    if counts.all_hits == 0 {
        notify(format_args!("0 hits in {} paragraphs", counts.paragraphs));
    }
    Ok(Exit::Done)
}

fn untagged() -> Error {
    Error::Usage("the corpus is not tagged; see emit.tagger".into())
}

/// The documents that are searched.
#[derive(Clone, Copy)]
struct Searched<'a> {
    layout: &'a Layout,
    filter: Option<&'a DocumentFilter>,
    /// The column whose values are counted apart.
    by: Option<&'a DocumentColumn>,
}

/// Prints the hits or their number, and returns the counts of the search.
fn concordance(
    corpus: Searched<'_>,
    config: &Config,
    options: &Options,
    threads: usize,
    cancel: &CancelToken,
    out: impl Write,
) -> anyhow::Result<SearchCounts> {
    let mut options = options.clone();
    options.words.iter_mut().chain(&mut options.lemma).for_each(|word| *word = nfc(word).into_owned());
    let usage = |error: &dyn std::fmt::Display| Error::Usage(error.to_string());
    let query = Query::new(&options).map_err(|error| usage(&error))?;
    let collector = Collector::new(&options).map_err(|error| usage(&error))?;
    let shards = corpus::shards(corpus.layout)?;
    let queue = OrderedQueue::<Hit>::new(shards, threads, Hit::bytes);
    let (counts, failed) = (Mutex::new((SearchCounts::default(), HitGroups::default())), Mutex::new(None::<Error>));
    let search = || {
        let mut finder = Finder::new(&query, &options, config.segments.segmenter());
        let columns = query.needs_tokens().then(|| TaggerColumns::of(&config.emit.tagger_columns));
        let mut groups = HitGroups::default();
        let mut search = ShardSearch { corpus, options: &options, columns, finder: &mut finder, groups: &mut groups };
        while let Some(claim) = queue.claim() {
            let found = search.shard(claim.part(), |hits| !cancel.is_cancelled() && claim.push(hits));
            if let Err(error) = found {
                threads::lock(&failed).get_or_insert(error);
                queue.stop();
            }
        }
        let mut counts = threads::lock(&counts);
        counts.0.add(&finder.counts);
        counts.1.add(groups);
    };
    let print = || {
        if options.count {
            while queue.next().is_some() {}
            return Ok(Some(out));
        }
        let printed = deliver(&queue, collector, Printer::new(&query, &options, BufWriter::new(out)));
        queue.stop();
        printed.map(|_| None).map_err(|failure| match failure {
            // Write errors are returned unchanged, so that the caller recognises a closed pipe.
            CollectError::Write(error) => anyhow::Error::from(error),
            other => usage(&other).into(),
        })
    };
    let (_, printed) = threads::together(threads, search, print);
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error.into());
    }
    let for_counts = printed?;
    cancel.check()?;
    let (counts, groups) = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
    // The tagger may have failed at all of them.
    if counts.is_untagged() {
        return Err(untagged().into());
    }
    if let Some(mut out) = for_counts {
        match corpus.by {
            Some(_) => groups.print(&mut out)?,
            None => print_counts(&mut out, &query, &counts)?,
        }
    }
    Ok(counts)
}

/// Searches one shard after another.
struct ShardSearch<'a> {
    corpus: Searched<'a>,
    options: &'a Options,
    columns: Option<TaggerColumns>,
    finder: &'a mut Finder,
    groups: &'a mut HitGroups,
}

impl ShardSearch<'_> {
    /// Searches all kept paragraphs of a shard until `push` returns false.
    fn shard(&mut self, shard: u32, push: impl FnMut(Vec<Hit>) -> bool) -> Result<()> {
        let Searched { layout, filter, by } = self.corpus;
        let mut groups = by.map(|by| DocumentGroups::open(layout, shard, by)).transpose()?;
        let choice = DocumentChoice::open(layout, shard, filter)?;
        let mut batch = Batch { push, hits: Vec::new(), bytes: 0 };
        for page in CorpusReader::<ParagraphProjection>::of_shard(layout, shard)?.chosen(choice) {
            let (document, passages) = page?;
            self.finder.begin_document();
            let before = self.finder.counts.all_hits;
            let hit_document = Arc::new(hit_document(&document));
            for passage in &passages {
                // Soft hyphens and the like stand inside words and are no part of them. Hits go over the ends of lines,
                // sentences do not.
                let lines = without_invisible(&passage.text);
                let text = in_one_line(&lines);
                let tokens = self.columns.map_or(Vec::new(), |columns| columns.tokens(passage, &text));
                let paragraph = SearchedParagraph {
                    index: passage.index,
                    text: &text,
                    lines: &lines,
                    language: passage.language.unwrap_or(document.language).code(),
                    rules: language_or(passage.language, document.language).code(),
                    tokens: &tokens,
                };
                match self.options.count {
                    true => self.finder.count(&paragraph),
                    false => self.finder.find(&paragraph, &hit_document, |hit| batch.add(hit)),
                }
            }
            if let Some(groups) = &mut groups {
                let hits = self.finder.counts.all_hits - before;
                self.groups.document(groups.of(&document)?, hits, document.words)?;
            }
            if !batch.pass_on() {
                break;
            }
        }
        Ok(())
    }
}

/// Bytes of hits from which on they are passed on before their document ends. A page may have a million hits, each with
/// a long context.
const BATCH: usize = 256 << 10;

/// Hits that are passed on together.
struct Batch<P> {
    push: P,
    hits: Vec<Hit>,
    bytes: usize,
}

impl<P: FnMut(Vec<Hit>) -> bool> Batch<P> {
    /// Adds a hit; false if no more are needed.
    fn add(&mut self, hit: Hit) -> bool {
        self.bytes += hit.bytes();
        self.hits.push(hit);
        self.bytes < BATCH || self.pass_on()
    }

    /// Passes the hits on; false if no more are needed.
    fn pass_on(&mut self) -> bool {
        self.bytes = 0;
        (self.push)(std::mem::take(&mut self.hits))
    }
}

fn hit_document(document: &Document) -> HitDocument {
    HitDocument {
        doc: document.doc,
        url: document.url.clone(),
        captured: document.captured,
        published: document.published,
    }
}

/// Positions of tag and lemma among the tagger's columns; `None` if there is no such column.
#[derive(Debug, Clone, Copy)]
struct TaggerColumns {
    tag: Option<usize>,
    lemma: Option<usize>,
}

impl TaggerColumns {
    fn of(names: &[String]) -> TaggerColumns {
        let place = |wanted: &str| names.iter().position(|name| name == wanted);
        TaggerColumns { tag: place("tag").or_else(|| place("xpos")).or_else(|| place("upos")), lemma: place("lemma") }
    }

    /// The tokens of a tagged paragraph with their byte ranges in `text`, its text as it is searched.
    fn tokens<'a>(self, passage: &'a ParagraphProjection, text: &str) -> Vec<SearchedToken<'a>> {
        let mut at = 0;
        let mut tokens = Vec::with_capacity(passage.tokens.len());
        for token in &passage.tokens {
            let mut fields = token.split('\t');
            let form = fields.next().unwrap_or_default();
            let fields: Vec<&str> = fields.collect();
            let field = |place: Option<usize>| place.and_then(|place| fields.get(place)).copied().unwrap_or_default();
            let Some(range) = next_place(text, at, form) else { continue };
            at = range.end;
            tokens.push(SearchedToken { range, lemma: field(self.lemma), tag: field(self.tag) });
        }
        tokens
    }
}

/// Bytes in which a form is sought that is not the next one in the text, so that the time is linear in the text.
const REACH: usize = 256;

/// The place of the first form from `at` on. Forms are without the characters of the text that cannot be shown, such as
/// control characters.
fn next_place(text: &str, at: usize, form: &str) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let begin = rest.find(is_visible).unwrap_or(rest.len());
    let mut shown = rest.char_indices().filter(|(_, c)| is_visible(*c));
    let mut end = begin;
    let is_next = form.chars().filter(|c| is_visible(*c)).all(|wanted| match shown.next() {
        Some((place, c)) if c == wanted => {
            end = place + c.len_utf8();
            true
        }
        _ => false,
    });
    if is_next && end > begin {
        return Some(at + begin..at + end);
    }
    let near = rest.get(..rest.ceil_char_boundary(REACH + form.len()))?;
    near.find(form).map(|before| at + before..at + before + form.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_of_a_page_are_passed_on_in_batches() {
        let mut sizes = Vec::new();
        let push = |hits: Vec<Hit>| {
            sizes.push(hits.len());
            sizes.len() < 2
        };
        let mut batch = Batch { push, hits: Vec::new(), bytes: 0 };
        let hit = Hit { text: "x".repeat(BATCH / 2).into(), ..Hit::default() };
        let wanted: Vec<bool> = (0..4).map(|_| batch.add(hit.clone())).collect();
        assert_eq!(wanted, [true, true, true, false]);
        assert_eq!(sizes, [2, 2]);
    }

    #[test]
    fn a_character_that_is_not_shown_moves_no_other_token() {
        let text = "a\u{1}b c,  ab";
        let mut at = 0;
        let places = ["ab", "c", ",", "ab"].map(|form| {
            let place = next_place(text, at, form).unwrap();
            at = place.end;
            &text[place]
        });
        assert_eq!(places, ["a\u{1}b", "c", ",", "ab"]);
        assert_eq!(at, text.len());
        // A form that the text does not have is passed over, and those behind it are found.
        assert_eq!(next_place("one two", 0, "none"), None);
        assert_eq!(next_place("one two", 0, "two"), Some(4..7));
        assert_eq!(next_place("one", 3, "one"), None);
    }

    #[test]
    fn tokens_stand_where_their_forms_do() {
        let tokens = ["He\tPRP\the", "plays\tVBZ\tplay", ".\t.\t."].map(String::from).to_vec();
        let passage = ParagraphProjection { text: "He  plays.".into(), tokens, ..ParagraphProjection::default() };
        let found = TaggerColumns::of(&["tag".into(), "lemma".into()]).tokens(&passage, &passage.text);
        let shown: Vec<_> = found.iter().map(|t| (&passage.text[t.range.clone()], t.tag, t.lemma)).collect();
        assert_eq!(shown, [("He", "PRP", "he"), ("plays", "VBZ", "play"), (".", ".", ".")]);
    }
}
