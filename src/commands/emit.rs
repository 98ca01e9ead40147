//! `emit`: writes a finished corpus in further formats, from its tables alone.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use rayon::prelude::*;

use super::{Exit, LogFormat, Threads, cancel_on_signal, open_corpus, start_log};
use crate::config::Config;
use crate::document::{Document, Paragraph};
use crate::emit::document_text::DocumentText;
use crate::emit::{CountsByFormat, OutputFormat, add_counts};
use crate::error::{Error, Result};
use crate::job::directory::{Access, DirectoryLock, saved_config};
use crate::language::Language;
use crate::select::documents::DocumentFilter;
use crate::stages::counters::Counts;
use crate::stages::emit::format_files::{self, FormatFiles};
use crate::stages::emit::output::{self, BATCH_BYTES};
use crate::stages::emit::tagger::Tagger;
use crate::store::corpus::CorpusReader;
use crate::store::layout::Layout;
use crate::text::segments::Segmenter;
use crate::threads::{self, CancelToken};

pub const EXAMPLES: &str = "Examples:
  warcorpus emit corpus --format tei,conllu
  warcorpus emit corpus --format jsonl --set jsonl.fields=datatrove --out for-training
  warcorpus emit corpus --format vertical --set vertical.escape=xml --out for-cwb
  warcorpus emit corpus --format text --where 'year >= 2020 and words > 200' --out recent
  warcorpus emit corpus --format conllu --language ces --set emit.tagger='udpipe-tags {lang}' --out czech

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
    /// Write only documents in these languages (`warcorpus languages`)
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',', value_parser = Language::by_name)]
    language: Vec<Language>,
    /// Write only documents that the expression selects, for example "year >= 2020 and host like '%.cz'" (docs/usage.md)
    #[arg(long = "where", value_name = "EXPRESSION", value_parser = DocumentFilter::parse)]
    filter: Option<DocumentFilter>,
    /// Set a key of output, vertical, jsonl, text, segments or emit, for example vertical.escape=xml
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    threads: Threads,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    start_log(LogFormat::Text, false);
    let cancel = cancel_on_signal()?;
    let layout = open_corpus(arguments.corpus.clone())?.layout;
    let (saved, config) = (saved_config(&layout, &[])?, saved_config(&layout, &arguments.set)?);
    refuse_without_effect(&config, &saved)?;
    let tagger = Tagger::of(&config.emit).filter(|_| config.emit != saved.emit);
    if let Some(tagger) = &tagger {
        tagger.try_out(&config, &cancel)?;
    }
    let out = arguments.out.as_ref().map_or_else(|| layout.clone(), Layout::new);
    // Writing into a corpus excludes its other writers. A corpus that is only read may be read-only.
    let into_corpus =
        fs::canonicalize(out.root()).is_ok_and(|out| fs::canonicalize(layout.root()).is_ok_and(|l| l == out));
    if !into_corpus && (out.plan().exists() || out.lock().exists()) {
        let root = out.root().display();
        return Err(Error::Usage(format!("{root} is another corpus; choose another --out")).into());
    }
    if !into_corpus && out.root().exists() && (!arguments.language.is_empty() || arguments.filter.is_some()) {
        tracing::info!("files of an earlier export in {} are replaced", out.root().display());
    }
    let _lock = into_corpus.then(|| DirectoryLock::acquire(&layout, Access::Alone)).transpose()?;
    let export = Export {
        corpus: &layout,
        config: &config,
        formats: &arguments.format,
        languages: &arguments.language,
        filter: arguments.filter.as_ref(),
        tagger: tagger.as_ref(),
        out: &out,
        cancel: &cancel,
    };
    let exported = export.run(arguments.threads.count())?;
    if exported.untagged > 0 {
        tracing::warn!(
            "{} documents were written without tags{}",
            exported.untagged,
            match tagger {
                Some(_) => "",
                None => ": their tokens differ from the tagged ones",
            }
        );
    }
    if exported.documents == 0 {
        tracing::warn!("no document was written");
    }
    for format in &arguments.format {
        let folder = out.root().join(format.name);
        writeln!(io::stdout(), "{} documents in {}", exported.documents, folder.display())?;
    }
    // A tagger that worked for no document is not what was asked for.
    let failed = tagger.is_some() && exported.documents > 0 && exported.tagged == 0;
    Ok(if failed { Exit::Unreadable } else { Exit::Done })
}

/// Refuses settings that decided about documents before emit.
fn refuse_without_effect(config: &Config, saved: &Config) -> Result<()> {
    let decided = config.before_emit().differences(&saved.before_emit());
    if decided.is_empty() {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "emit does not read {}; it writes what the corpus keeps (build a corpus with this setting, or choose documents with \
         --language or --where)",
        decided.join("; ")
    )))
}

/// Counters of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Exported {
    documents: u64,
    /// Documents with the tags of this run's tagger.
    tagged: u64,
    /// Documents without tags, because the tagger failed or their tokens differ from the tagged ones of the corpus.
    untagged: u64,
    /// Counters of each format.
    formats: CountsByFormat,
}

/// What is written, and where.
struct Export<'a> {
    corpus: &'a Layout,
    config: &'a Config,
    formats: &'a [OutputFormat],
    /// Languages of the documents; all if empty.
    languages: &'a [Language],
    filter: Option<&'a DocumentFilter>,
    /// A tagger to run; otherwise the tags of the corpus are written.
    tagger: Option<&'a Tagger>,
    /// The directory to write, which may be that of the corpus.
    out: &'a Layout,
    cancel: &'a CancelToken,
}

type Page = (Document, Vec<Paragraph>);

impl Export<'_> {
    /// Writes the kept documents on `threads` threads.
    fn run(&self, threads: usize) -> Result<Exported> {
        let shards = 0..self.corpus.shards();
        let pool = threads::pool(threads)?;
        let all = || shards.into_par_iter().with_max_len(1).map(|shard| self.shard(shard)).collect::<Result<Vec<_>>>();
        let mut total = Exported::default();
        for part in pool.install(all)? {
            total.documents += part.documents;
            total.tagged += part.tagged;
            total.untagged += part.untagged;
            add_counts(&mut total.formats, &part.formats);
        }
        format_files::write_job_files(self.config, self.formats, self.out, &total.formats)?;
        Ok(total)
    }

    fn shard(&self, shard: u32) -> Result<Exported> {
        let mut files = FormatFiles::create(self.config, self.formats, self.out, shard)?;
        let mut exported = Exported::default();
        let (mut batch, mut bytes) = (Vec::new(), 0);
        for page in CorpusReader::<Paragraph>::of_shard(self.corpus, shard)?.matching(self.filter) {
            let (document, rows) = page?;
            self.cancel.check()?;
            if !self.languages.is_empty() && !self.languages.contains(&document.language) {
                continue;
            }
            bytes += rows.iter().map(|row| row.text.len()).sum::<usize>();
            batch.push((document, rows));
            // Only a tagger gains from more than one document at a time.
            if self.tagger.is_none() || bytes >= BATCH_BYTES {
                self.write(&batch, &mut files, &mut exported)?;
                batch.clear();
                bytes = 0;
            }
        }
        self.write(&batch, &mut files, &mut exported)?;
        exported.formats = files.finish()?;
        Ok(exported)
    }

    fn write(&self, pages: &[Page], files: &mut FormatFiles, exported: &mut Exported) -> Result<()> {
        let cut = files.need_tokens() || self.tagger.is_some();
        let segmenter = self.config.segments.segmenter();
        let texts: Vec<DocumentText> = pages.iter().map(|page| text(page, cut, &segmenter)).collect();
        let stored: Vec<Tags> = pages.iter().map(|(_, rows)| tags(rows)).collect();
        let answers = match self.tagger {
            Some(tagger) => {
                let mut failures = Counts::new();
                output::tag(tagger, &self.config.emit.tagger_languages, &texts, self.cancel, &mut failures)?
            }
            None => vec![None; texts.len()],
        };
        let mut texts = texts;
        for ((text, stored), answer) in texts.iter_mut().zip(&stored).zip(&answers) {
            if self.tagger.is_some() {
                let tagged = answer.as_ref().is_some_and(|tags| text.tag(tags).is_ok());
                exported.tagged += u64::from(tagged);
                exported.untagged += u64::from(!tagged);
            } else if cut && !stored.lines.is_empty() {
                let same = stored.match_tokens(text) && text.tag(&stored.lines).is_ok();
                exported.untagged += u64::from(!same);
            }
            files.write(text)?;
            exported.documents += 1;
        }
        Ok(())
    }
}

fn text<'a>((document, rows): &'a Page, cut: bool, segmenter: &Segmenter) -> DocumentText<'a> {
    match cut {
        true => DocumentText::tokenized(document, rows, segmenter),
        false => DocumentText::untokenized(document, rows),
    }
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
