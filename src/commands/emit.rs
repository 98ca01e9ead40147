//! `emit`: writes a finished corpus in further formats, from its tables alone.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use rayon::prelude::*;

use super::{Exit, LogFormat, Threads, cancel_on_signal, open_corpus, start_log};
use crate::config::Config;
use crate::document::Paragraph;
use crate::emit::document_text::DocumentText;
use crate::emit::{CountsByFormat, OutputFormat, add_counts};
use crate::error::Result;
use crate::job::directory::{Access, DirectoryLock, saved_config};
use crate::stages::emit::format_files::{self, FormatFiles};
use crate::store::corpus::CorpusReader;
use crate::store::layout::Layout;
use crate::threads::{self, CancelToken};

pub const EXAMPLES: &str = "Examples:
  warcorpus emit corpus --format tei,conllu
  warcorpus emit corpus --format jsonl --set jsonl.fields=datatrove --out for-training
  warcorpus emit corpus --format vertical --set vertical.escape=xml --out for-cwb

Reads the tables alone: archives and work/ may be gone. Kept documents are written, one file for each shard.";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A built corpus
    corpus: PathBuf,
    /// Formats, several with commas
    #[arg(long, short, required = true, value_delimiter = ',')]
    format: Vec<OutputFormat>,
    /// Directory to write; a folder for each format [default: the corpus]
    #[arg(long, short)]
    out: Option<PathBuf>,
    /// Set one key, for example vertical.escape=xml
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    threads: Threads,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    start_log(LogFormat::Text, false);
    let cancel = cancel_on_signal()?;
    let layout = open_corpus(arguments.corpus.clone())?.layout;
    let config = saved_config(&layout, &arguments.set)?;
    let out = arguments.out.as_ref().map_or_else(|| layout.clone(), Layout::new);
    // Writing into a corpus excludes its other writers. A corpus that is only read may be read-only.
    let into_corpus =
        fs::canonicalize(out.root()).is_ok_and(|out| fs::canonicalize(layout.root()).is_ok_and(|l| l == out));
    let _lock = into_corpus.then(|| DirectoryLock::acquire(&layout, Access::Alone)).transpose()?;
    let exported = export(&layout, &config, &arguments.format, &out, arguments.threads.count(), &cancel)?;
    if exported.untagged > 0 {
        tracing::warn!(
            "{} documents were written without tags: their tokens differ from the tagged ones",
            exported.untagged
        );
    }
    for format in &arguments.format {
        let folder = out.root().join(format.name);
        writeln!(io::stdout(), "{} documents in {}", exported.documents, folder.display())?;
    }
    Ok(Exit::Done)
}

/// Counters of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Exported {
    documents: u64,
    /// Documents written without tags, because tokenization differs from the tagged tokens.
    untagged: u64,
    /// Counters of each format.
    formats: CountsByFormat,
}

/// Writes the kept documents of `corpus` below `out`, which may be the same directory, on `threads` threads.
fn export(
    corpus: &Layout,
    config: &Config,
    formats: &[OutputFormat],
    out: &Layout,
    threads: usize,
    cancel: &CancelToken,
) -> Result<Exported> {
    let shards = corpus.shards();
    let segmenter = config.segments.segmenter();
    let one = |shard: u32| -> Result<Exported> {
        let mut files = FormatFiles::create(config, formats, out, shard)?;
        let mut exported = Exported::default();
        for page in CorpusReader::<Paragraph>::of_shard(corpus, shard)? {
            let (document, rows) = page?;
            cancel.check()?;
            let tags = tags(&rows);
            let cut = files.need_tokens();
            let mut text = if cut {
                DocumentText::tokenized(&document, &rows, &segmenter)
            } else {
                DocumentText::untokenized(&document, &rows)
            };
            if cut && !tags.lines.is_empty() && (!tags.match_tokens(&text) || text.tag(&tags.lines).is_err()) {
                exported.untagged += 1;
            }
            files.write(&text)?;
            exported.documents += 1;
        }
        exported.formats = files.finish()?;
        Ok(exported)
    };
    let pool = threads::pool(threads)?;
    let parts = pool.install(|| (0..shards).into_par_iter().with_max_len(1).map(one).collect::<Result<Vec<_>>>())?;
    let mut total = Exported::default();
    for part in parts {
        total.documents += part.documents;
        total.untagged += part.untagged;
        add_counts(&mut total.formats, &part.formats);
    }
    format_files::write_job_files(config, formats, out, &total.formats)?;
    Ok(total)
}

/// The stored tagger output of a document: its words, and one line of tab-separated columns per word.
struct Tags<'a> {
    words: Vec<&'a str>,
    lines: String,
}

fn tags(rows: &[Paragraph]) -> Tags<'_> {
    let mut tags = Tags { words: Vec::new(), lines: String::new() };
    for (word, columns) in rows.iter().flat_map(|row| &row.tokens).filter_map(|token| token.split_once('\t')) {
        tags.words.push(word);
        tags.lines.push_str(columns);
        tags.lines.push('\n');
    }
    tags
}

impl Tags<'_> {
    /// Whether the tokens of the text are the tagged ones.
    fn match_tokens(&self, text: &DocumentText) -> bool {
        text.tokens().map(|token| token.form).eq(self.words.iter().copied())
    }
}
