//! `stats`: figures, frequency lists and keywords of a corpus. `stoplist`: the stop words of a language in it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use compact_str::CompactString;

use super::Stop;
use super::kept::Kept;
use crate::config::Config;
use crate::document::{Paragraph, Passage};
use crate::emit::document_text::{DocumentText, TokenizedParagraph, TokenizedSentence};
use crate::error::{Error, Result};
use crate::stats::counter::{WordCounter, WordCounts};
use crate::stats::counts::{CorpusCounts, ShardCounter};
use crate::stats::keywords::ReferenceFrequencies;
use crate::stats::lists::{ListOptions, RankedLists, rank};
use crate::stats::options::StatsOptions;
use crate::stats::summary::CorpusStatistics;
use crate::stats::words::DocumentWords;
use crate::stats::{SegmentedParagraph, files};
use crate::stoplist::options::StoplistOptions;
use crate::stoplist::recipe::{GeneratedList, make};
use crate::stoplist::sample::{FormSample, FormSampler, ReadTextError};
use crate::store::layout::Layout;

/// Bytes that the tables of a thread hold before they are sorted onto disk. More is slower: it does not fit into the
/// processor's cache.
const MEMORY: usize = 64 << 20;

/// Everything counted, and the files written if a directory is named.
pub fn statistics(
    layout: &Layout,
    config: &Config,
    options: &StatsOptions,
    threads: usize,
    stop: &Stop,
) -> Result<(CorpusStatistics, CorpusCounts)> {
    let references = references(options)?;
    let folder = options.out.clone().unwrap_or_else(std::env::temp_dir);
    let (segmenter, casing) = (config.segments.segmenter(), options.casing());
    let of_thread = |shards: &mut dyn Iterator<Item = u32>| -> Result<(CorpusCounts, WordCounts)> {
        let (mut counts, mut words) = (CorpusCounts::default(), DocumentWords::default());
        let mut counter = WordCounter::new(&folder, MEMORY, usize::from(options.ngrams));
        for number in shards {
            let mut shard = ShardCounter::default();
            for page in Kept::<Paragraph>::of_shard(layout, number)?.with_dropped() {
                let (document, rows) = page?;
                let text = DocumentText::tokenized(&document, &rows, &segmenter);
                let segmented = segmented(&text);
                words.read(&segmented, casing);
                shard.document(&document, &segmented, &words);
                if document.kept {
                    counter.document(&document.language, &words)?;
                }
                check(stop)?;
            }
            counts.merge(shard.finish());
        }
        Ok((counts, counter.finish()?))
    };
    let mut counts = CorpusCounts::default();
    let mut counted = WordCounter::new(&folder, MEMORY, 1).finish()?;
    for (more, tallies) in on_threads(layout, threads, of_thread)? {
        counts.merge(more);
        counted.merge(tallies);
    }
    let wanted = ListOptions {
        top: options.top,
        memory: MEMORY * threads,
        keywords: options.keywords,
        references: &references,
        smoothing: options.smoothing,
    };
    let lists: RankedLists = rank(counted, &wanted)?;
    let statistics = CorpusStatistics::new(&counts, &lists, casing);
    if let Some(folder) = &options.out {
        files::write(folder, &counts, lists, &statistics)?;
    }
    Ok((statistics, counts))
}

fn segmented<'a>(text: &'a DocumentText<'a>) -> Vec<SegmentedParagraph<'a>> {
    let paragraph = |paragraph: &'a TokenizedParagraph<'a>| {
        let tokens = |sentence: &'a TokenizedSentence<'a>| sentence.tokens.iter().map(|token| &*token.form).collect();
        SegmentedParagraph { text: &paragraph.row.text, sentences: paragraph.sentences.iter().map(tokens).collect() }
    };
    text.paragraphs.iter().map(paragraph).collect()
}

fn references(options: &StatsOptions) -> Result<BTreeMap<CompactString, ReferenceFrequencies>> {
    let read = |(language, path): &(String, PathBuf)| {
        let file = File::open(path).map_err(Error::io("open", path))?;
        let words = options.reference_words.iter().find(|(of, _)| of == language).map(|(_, words)| *words);
        let list = ReferenceFrequencies::read(BufReader::new(file), words, options.casing());
        let list = list.map_err(|error| Error::Usage(format!("--reference {}: {error}", path.display())))?;
        Ok((CompactString::from(language), list))
    };
    options.reference.iter().map(read).collect()
}

/// The list that the options ask for.
pub fn stop_words(options: &StoplistOptions, threads: usize, stop: &Stop) -> Result<GeneratedList> {
    let folder = std::env::temp_dir();
    let sample = match &options.corpus {
        Some(corpus) => sample_of_corpus(&Layout::new(corpus), options, &folder, threads, stop)?,
        None => sample_of_texts(&options.text, &folder)?,
    };
    make(sample, options.length())
}

fn sample_of_corpus(
    layout: &Layout,
    options: &StoplistOptions,
    folder: &Path,
    threads: usize,
    stop: &Stop,
) -> Result<FormSample> {
    let wanted = options.language.as_deref().unwrap_or_default();
    let of_thread = |shards: &mut dyn Iterator<Item = u32>| -> Result<FormSample> {
        let mut sampler = FormSampler::new(folder, MEMORY);
        for shard in shards {
            for page in Kept::<Passage>::of_shard(layout, shard)? {
                let (document, passages) = page?;
                check(stop)?;
                let language = |passage: &Passage| passage.language.as_deref() == Some(wanted);
                let own = passages.iter().filter(|passage| document.language == wanted && language(passage));
                own.into_iter().try_for_each(|passage| sampler.paragraph(&passage.text))?;
            }
        }
        sampler.finish()
    };
    let mut whole = FormSampler::new(folder, MEMORY).finish()?;
    on_threads(layout, threads, of_thread)?.into_iter().for_each(|part| whole.merge(part));
    Ok(whole)
}

fn sample_of_texts(texts: &[PathBuf], folder: &Path) -> Result<FormSample> {
    let mut sampler = FormSampler::new(folder, MEMORY);
    for path in texts {
        let reader: Box<dyn BufRead> = match path.to_str() {
            Some("-") => Box::new(BufReader::new(io::stdin())),
            _ => Box::new(BufReader::new(File::open(path).map_err(Error::io("open", path))?)),
        };
        sampler.lines(reader).map_err(|error| match error {
            ReadTextError::Other(error) => error,
            unreadable => Error::Usage(format!("{}: {unreadable}", path.display())),
        })?;
    }
    sampler.finish()
}

fn check(stop: &Stop) -> Result<()> {
    if stop.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
}

/// Each thread takes the next shard until there are none left.
fn on_threads<T: Send>(
    layout: &Layout,
    threads: usize,
    of_thread: impl Fn(&mut dyn Iterator<Item = u32>) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let (next, shards) = (AtomicU32::new(0), layout.shards());
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut mine =
                    std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)).filter(|shard| *shard < shards));
                let result = of_thread(&mut mine);
                results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(result);
            });
        }
    });
    results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).into_iter().collect()
}
