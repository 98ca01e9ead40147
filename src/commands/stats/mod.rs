//! `stats`: computes sizes, frequency lists and keywords of a corpus.

mod quantiles;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::PathBuf;

use compact_str::CompactString;

use super::{Exit, Threads, cancel_on_signal, open_corpus};
use crate::config::Config;
use crate::document::Paragraph;
use crate::emit::document_text::{DocumentText, TokenizedParagraph, TokenizedSentence};
use crate::error::{Error, Result};
use crate::job::directory::saved_config;
use crate::select::documents::DocumentFilter;
use crate::stats::counted_words::DocumentWords;
use crate::stats::counter::{WordCounter, WordCounts};
use crate::stats::counts::{CorpusCounts, ShardCounter};
use crate::stats::keywords::ReferenceFrequencies;
use crate::stats::lists::{ListOptions, RankedLists, rank};
use crate::stats::options::StatsOptions;
use crate::stats::report::write_report;
use crate::stats::summary::CorpusStatistics;
use crate::stats::{SegmentedParagraph, files};
use crate::store::corpus::CorpusReader;
use crate::store::layout::Layout;
use crate::threads::{CancelToken, distribute};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    options: StatsOptions,
    /// Count only documents that the expression selects, for example "year >= 2020 and host like '%.cz'" (docs/usage.md)
    #[arg(long = "where", value_name = "EXPRESSION", value_parser = DocumentFilter::parse)]
    filter: Option<DocumentFilter>,
    #[command(flatten)]
    threads: Threads,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let Arguments { options, filter, threads } = arguments;
    let layout = open_corpus(options.corpus.clone())?.layout;
    if let Some(path) = &options.quantiles {
        quantiles::write(&layout, path, filter.as_ref(), &cancel_on_signal()?)?;
        return Ok(Exit::Done);
    }
    let config = saved_config(&layout, &[])?;
    let (figures, counts) =
        statistics(&layout, &config, options, filter.as_ref(), threads.count(), &cancel_on_signal()?)?;
    write_report(&figures, &counts, &mut io::stdout().lock())?;
    Ok(Exit::Done)
}

/// Bytes that the frequency tables of a thread hold before they are spilled to disk. A larger limit is slower, because
/// the tables exceed the processor's cache.
pub const MEMORY: usize = 64 << 20;

/// Counts the corpus, and writes the frequency lists if an output directory is given.
fn statistics(
    layout: &Layout,
    config: &Config,
    options: &StatsOptions,
    filter: Option<&DocumentFilter>,
    threads: usize,
    cancel: &CancelToken,
) -> Result<(CorpusStatistics, CorpusCounts)> {
    let references = references(options)?;
    let folder = options.out.clone().unwrap_or_else(std::env::temp_dir);
    let (segmenter, casing) = (config.segments.segmenter(), options.casing());
    let of_thread = |shards: &mut dyn Iterator<Item = u32>| -> Result<(CorpusCounts, WordCounts)> {
        let (mut counts, mut words) = (CorpusCounts::default(), DocumentWords::default());
        let mut counter = WordCounter::new(&folder, MEMORY, usize::from(options.ngrams));
        for number in shards {
            let mut shard = ShardCounter::default();
            let reader = CorpusReader::<Paragraph>::of_shard(layout, number)?;
            for page in reader.with_dropped().matching(filter) {
                let (document, rows) = page?;
                let text = DocumentText::tokenized(&document, &rows, &segmenter);
                let segmented = segmented(&text);
                words.read(&segmented, casing);
                shard.document(&document, &segmented, &words);
                if document.kept {
                    counter.document(document.language.code(), &words)?;
                }
                cancel.check()?;
            }
            counts.merge(shard.finish());
        }
        Ok((counts, counter.finish()?))
    };
    let mut counts = CorpusCounts::default();
    let mut counted = WordCounter::new(&folder, MEMORY, 1).finish()?;
    for (more, tallies) in distribute(layout.shards(), threads, of_thread)? {
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
        let tokens = |sentence: TokenizedSentence<'a>| sentence.tokens().map(|token| token.form).collect();
        SegmentedParagraph { text: &paragraph.row.text, sentences: text.sentences(paragraph).map(tokens).collect() }
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
