//! `emit`: writes a finished corpus in further formats, from its tables alone.

mod export;
mod folder;
mod markers;
mod parts;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};

use super::{Exit, LogFormat, Threads, cancel_on_signal, open_corpus, refuse_inside, start_log, without_documents};
use crate::config::{Config, OutputSection};
use crate::emit::OutputFormat;
use crate::error::{Error, Result};
use crate::job::directory::saved_config;
use crate::job::directory_lock::{Access, DirectoryLock};
use crate::job::settings::warn_of_card;
use crate::language::Language;
use crate::select::expression::Expression;
use crate::select::sample::{Sample, share};
use crate::stages::Job;
use crate::stages::emit::tagger::Tagger;
use crate::stages::emit::token_counts::TokenCounts;
use crate::store::layout::Layout;
use crate::store::{atomic, document_values, incomplete};
use crate::threads::CancelToken;
use export::{Export, Exported, Selection};

pub const EXAMPLES: &str = "Examples:
  warcorpus emit corpus --format tei,conllu
  warcorpus emit corpus --format jsonl --set jsonl.fields=datatrove --out for-training
  warcorpus emit corpus --format vertical --set vertical.escape=xml --out for-cwb
  warcorpus emit corpus --format parquet --sample 0.01 --seed 7 --set output.shard_bytes=500M --out sample
  warcorpus emit corpus --format text --where 'year >= 2020 and words > 200' --out recent
  warcorpus emit corpus --format conllu --language ces --set emit.tagger='udpipe-tags {lang}' --out czech

Reads the tables alone: archives and work/ may be gone. Kept documents are written in corpus order, one file for each
shard, or files of output.shard_bytes bytes of text.";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A built corpus
    corpus: PathBuf,
    /// Formats, several with commas
    #[arg(long, short, required = true, value_delimiter = ',')]
    format: Vec<OutputFormat>,
    /// Directory to write, new or of earlier exports of this corpus; a folder for each format [default: the corpus]
    #[arg(long, short)]
    out: Option<PathBuf>,
    /// Write only documents in these languages (`warcorpus languages`)
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',', value_parser = Language::by_name)]
    language: Vec<Language>,
    /// Write only documents that the expression selects, for example "year >= 2020 and host like '%.cz'" (docs/usage.md)
    #[arg(long = "where", value_name = "EXPRESSION", value_parser = Expression::parse)]
    filter: Option<Expression>,
    /// Write only this share of the documents, chosen by a hash of the record: a smaller sample is part of a larger one
    #[arg(long, value_name = "SHARE", value_parser = share)]
    sample: Option<f64>,
    /// Another number chooses another sample
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "sample")]
    seed: u64,
    /// Set a key of vertical, tei, jsonl, text, parquet, segments or emit, or output.name, .shard_bytes, .gzip_level, .zstd_level or
    /// .tokenizer, for example vertical.escape=xml
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    threads: Threads,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    start_log(LogFormat::Text, false);
    let cancel = cancel_on_signal()?;
    let job = open_corpus(arguments.corpus.clone())?;
    let layout = job.layout.clone();
    let out = arguments.out.as_ref().map_or_else(|| layout.clone(), Layout::new);
    // Writing into a corpus excludes all other processes. One that is only read is kept as it is, and may be read-only.
    let into_corpus =
        fs::canonicalize(out.root()).is_ok_and(|out| fs::canonicalize(layout.root()).is_ok_and(|l| l == out));
    if !into_corpus {
        refuse_inside(out.root(), &layout)?;
    }
    let lock = match into_corpus {
        true => DirectoryLock::acquire(&layout, Access::Alone)?,
        false => DirectoryLock::keep(&layout)?,
    };
    lock.sweep(&layout)?;
    let saved = saved_config(&layout, &[])?;
    let config = saved_config(&layout, &arguments.set)?;
    refuse_without_effect(&config, &saved, &arguments.format)?;
    let tagger = tagger(&job, &saved, &config, arguments, &cancel)?;
    incomplete::refuse_half_labels(&layout)?;
    let filter = document_values::filter(&layout, !config.language.model.is_empty(), arguments.filter.as_ref())?;
    let selection = Selection {
        languages: &arguments.language,
        filter: filter.as_ref(),
        sample: arguments.sample.map(|share| Sample::new(share, arguments.seed)),
    };
    if into_corpus && !selection.is_everything() {
        refuse_part_of_job(&arguments.format, &saved)?;
    }
    let setting = if config.output.tokenizer == saved.output.tokenizer { "" } else { &config.output.tokenizer };
    let token_counts = TokenCounts::new(setting, &layout);
    token_counts.counter()?;
    let export = Export {
        corpus: &layout,
        config: &config,
        formats: &arguments.format,
        selection,
        tagger: tagger.as_ref(),
        token_counts: &token_counts,
        out: &out,
        cancel: &cancel,
    };
    let exported = write(&job, &saved, &export, into_corpus, arguments.threads.count())?;
    if config.hidden_tags(&arguments.format).is_none() {
        warn_of_tags(&exported, tagger.is_some());
    }
    warn_of_none(&exported, arguments);
    for format in &arguments.format {
        let folder = out.root().join(format.folder);
        writeln!(io::stdout(), "{} documents in {}", exported.documents, folder.display())?;
    }
    // A tagger that worked for no document is not what was asked for.
    let failed = tagger.is_some() && exported.documents > 0 && exported.tagged == 0;
    Ok(if failed { Exit::Unreadable } else { Exit::Done })
}

/// The tagger to run, after a trial. Without a word about it, the tags of the corpus are written.
fn tagger(
    job: &Job,
    saved: &Config,
    config: &Config,
    arguments: &Arguments,
    cancel: &CancelToken,
) -> Result<Option<Tagger>> {
    let is_named = arguments.set.iter().any(|set| sets_tagger(set));
    if config.emit == saved.emit && !is_named {
        return Ok(None);
    }
    if let Some(hidden) = config.hidden_tags(&arguments.format) {
        tracing::warn!("the tagger is not started: {hidden}");
        return Ok(None);
    }
    // Relative paths on the command line begin here, those of the job where it was planned.
    let here = env::current_dir().map_err(Error::io("find", Path::new(".")))?;
    let tagger = Tagger::of(&config.emit, if is_named { &here } else { &job.plan.directory });
    tagger.as_ref().map_or(Ok(()), |tagger| tagger.try_out(config, cancel))?;
    Ok(tagger)
}

/// Writes the formats, and notes as long that they are not whole.
fn write(job: &Job, saved: &Config, export: &Export<'_>, into_corpus: bool, threads: usize) -> Result<Exported> {
    let claimed = if into_corpus { None } else { Some(folder::claim(export.out, export.corpus, &kept_by(saved))?) };
    if claimed.as_ref().is_some_and(|claim| claim.had_files) && !export.selection.is_everything() {
        tracing::info!("files of an earlier export in {} are replaced", export.out.root().display());
    }
    let folders: Vec<&str> = export.formats.iter().map(|format| format.folder).collect();
    incomplete::begin(export.out, &folders)?;
    let exported = export.run(threads)?;
    if into_corpus {
        markers::renew(job, saved, export.config, export.formats)?;
    } else {
        // No marker has checksums of these files, by which a loss would show.
        let written = folders.iter().map(|folder| export.out.root().join(folder)).filter(|folder| folder.exists());
        atomic::sync_all_in(&written.collect::<Vec<_>>())?;
    }
    incomplete::end(export.out, &folders)?;
    if !into_corpus && folders.iter().any(|folder| ["texts", "jsonl"].contains(folder)) {
        warn_of_card(export.out);
    }
    Ok(exported)
}

/// Tells that no document was chosen, and by what.
fn warn_of_none(exported: &Exported, arguments: &Arguments) {
    if exported.documents == 0 {
        let (languages, filter) = (!arguments.language.is_empty(), arguments.filter.is_some());
        let options = [("--language", languages), ("--where", filter), ("--sample", arguments.sample.is_some())];
        tracing::warn!("no document was written: {}", without_documents(&options));
    }
}

/// Tells which documents have no tags.
fn warn_of_tags(exported: &Exported, is_tagger_run: bool) {
    if exported.untagged > 0 {
        let why = if is_tagger_run { "" } else { ": their tokens differ from the tagged ones" };
        tracing::warn!("{} documents were written without tags{why}", exported.untagged);
    }
    if exported.without_stored > 0 {
        tracing::warn!(
            "{} documents were written without tags: the tagger of the build failed at them; mend it and give it with --set \
             emit.tagger=…",
            exported.without_stored
        );
    }
}

/// Whether an assignment of the command line names a tagger, even if it is the one that the corpus was built with.
fn sets_tagger(set: &str) -> bool {
    set.split_once('=').is_some_and(|(key, value)| match key.trim() {
        "emit" => value.contains("tagger"),
        key => key == "emit.tagger",
    })
}

/// Refuses to replace files of the job by those of some of its documents.
fn refuse_part_of_job(formats: &[OutputFormat], saved: &Config) -> Result<()> {
    let Some(format) = formats.iter().find(|format| saved.output.formats.contains(format)) else { return Ok(()) };
    Err(Error::Usage(format!(
        "the corpus itself has the format {} of all documents; name another directory for some of them with --out",
        format.name
    )))
}

/// What identifies the settings that decide which documents and paragraphs a corpus has, and what is masked in them.
fn kept_by(saved: &Config) -> String {
    let form = without_form(saved);
    Config { output: OutputSection { formats: Config::default().output.formats, ..form.output }, ..form }.fingerprint()
}

/// A configuration without what says how a format looks.
fn without_form(config: &Config) -> Config {
    let before = config.before_emit();
    let zstd_level = Config::default().output.zstd_level;
    Config {
        output: OutputSection { formats: config.output.formats.clone(), zstd_level, ..before.output },
        near: config.near.clone(),
        quality: config.quality.clone(),
        pii: config.pii.clone(),
        ..before
    }
}

/// Refuses settings that decided about documents before emit.
fn refuse_without_effect(config: &Config, saved: &Config, formats: &[OutputFormat]) -> Result<()> {
    // The tables of a corpus that was built with a tagger have its tags.
    if saved.emit.tagger.is_empty() {
        config.check_tagged_columns(formats)?;
    }
    if config.output.formats != saved.output.formats {
        return Err(Error::Usage("emit does not read output.formats; name the formats with --format".into()));
    }
    let decided = without_form(config).differences(&without_form(saved));
    if decided.is_empty() {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "emit does not read {}; it writes what the corpus keeps (build a corpus with this setting, or choose documents with \
         --language or --where)",
        decided.join("; ")
    )))
}
