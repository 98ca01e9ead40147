//! `stats`: figures, frequency lists and keywords of a corpus.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::PathBuf;

use compact_str::CompactString;

use super::{Exit, Threads, cancel_on_signal, open_corpus};
use crate::config::Config;
use crate::document::Paragraph;
use crate::emit::text::Text;
use crate::error::{Error, Result};
use crate::job::directory::saved_config;
use crate::stats::counter::{Counted, Counter};
use crate::stats::counts::{Counts, Shard};
use crate::stats::keywords::Reference;
use crate::stats::lists::{Lists, Wanted, rank};
use crate::stats::options::StatsOptions;
use crate::stats::report::write_report;
use crate::stats::summary::Statistics;
use crate::stats::words::Words;
use crate::stats::{Segmented, files};
use crate::store::corpus::CorpusReader;
use crate::store::layout::Layout;
use crate::threads::{CancelToken, distribute};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    options: StatsOptions,
    #[command(flatten)]
    threads: Threads,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let options = &arguments.options;
    let layout = open_corpus(options.corpus.clone())?.layout;
    let config = saved_config(&layout, &[])?;
    let (figures, counts) = statistics(&layout, &config, options, arguments.threads.count(), &cancel_on_signal()?)?;
    write_report(&figures, &counts, &mut io::stdout().lock())?;
    Ok(Exit::Done)
}

/// Bytes that the tables of a thread hold before they are sorted onto disk. More is slower: it does not fit into the
/// processor's cache.
pub const MEMORY: usize = 64 << 20;

/// Everything counted, and the files written if a directory is named.
fn statistics(
    layout: &Layout,
    config: &Config,
    options: &StatsOptions,
    threads: usize,
    cancel: &CancelToken,
) -> Result<(Statistics, Counts)> {
    let references = references(options)?;
    let folder = options.out.clone().unwrap_or_else(std::env::temp_dir);
    let (segmenter, casing) = (config.segments.segmenter(), options.casing());
    let of_thread = |shards: &mut dyn Iterator<Item = u32>| -> Result<(Counts, Counted)> {
        let (mut counts, mut words) = (Counts::default(), Words::default());
        let mut counter = Counter::new(&folder, MEMORY, usize::from(options.ngrams));
        for number in shards {
            let mut shard = Shard::default();
            for page in CorpusReader::<Paragraph>::of_shard(layout, number)?.with_dropped() {
                let (document, rows) = page?;
                let text = Text::cut(&document, &rows, &segmenter);
                let segmented = segmented(&text);
                words.read(&segmented, casing);
                shard.document(&document, &segmented, &words);
                if document.kept {
                    counter.document(&document.language, &words)?;
                }
                cancel.check()?;
            }
            counts.merge(shard.finish());
        }
        Ok((counts, counter.finish()?))
    };
    let mut counts = Counts::default();
    let mut counted = Counter::new(&folder, MEMORY, 1).finish()?;
    for (more, tallies) in distribute(layout.shards(), threads, of_thread)? {
        counts.merge(more);
        counted.merge(tallies);
    }
    let wanted = Wanted {
        top: options.top,
        memory: MEMORY * threads,
        keywords: options.keywords,
        references: &references,
        smoothing: options.smoothing,
    };
    let lists: Lists = rank(counted, &wanted)?;
    let statistics = Statistics::new(&counts, &lists, casing);
    if let Some(folder) = &options.out {
        files::write(folder, &counts, lists, &statistics)?;
    }
    Ok((statistics, counts))
}

fn segmented<'a>(text: &'a Text<'a>) -> Vec<Segmented<'a>> {
    let paragraph = |paragraph: &'a crate::emit::text::Paragraph<'a>| {
        let words = |sentence: &'a crate::emit::text::Sentence<'a>| sentence.words.iter().map(|w| &*w.form).collect();
        Segmented { text: &paragraph.row.text, sentences: paragraph.sentences.iter().map(words).collect() }
    };
    text.paragraphs.iter().map(paragraph).collect()
}

fn references(options: &StatsOptions) -> Result<BTreeMap<CompactString, Reference>> {
    let read = |(language, path): &(String, PathBuf)| {
        let file = File::open(path).map_err(Error::io("open", path))?;
        let words = options.reference_words.iter().find(|(of, _)| of == language).map(|(_, words)| *words);
        let list = Reference::read(BufReader::new(file), words, options.casing());
        let list = list.map_err(|error| Error::Usage(format!("--reference {}: {error}", path.display())))?;
        Ok((CompactString::from(language), list))
    };
    options.reference.iter().map(read).collect()
}
