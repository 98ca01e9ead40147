//! `stoplist`: makes a stop list for a language from a corpus or from plain text.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::stats::MEMORY;
use super::{Exit, LogFormat, Threads, cancel_on_signal, finished, refuse_inside, start_log, write_or_print};
use crate::document::ParagraphProjection;
use crate::error::{Error, Result};
use crate::stoplist::options::StoplistOptions;
use crate::stoplist::recipe::{GeneratedList, make, write_list};
use crate::stoplist::sample::{FormSample, FormSampler, ReadTextError};
use crate::store::corpus::{self, CorpusReader};
use crate::store::layout::Layout;
use crate::threads::{CancelToken, distribute};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    options: StoplistOptions,
    #[command(flatten)]
    threads: Threads,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    start_log(LogFormat::Text, false);
    let options = &arguments.options;
    if let Some(corpus) = &options.corpus {
        let (layout, _) = finished(corpus)?;
        options.out.iter().try_for_each(|out| refuse_inside(out, &layout))?;
    }
    let made = stop_words(options, arguments.threads.count(), &cancel_on_signal()?)?;
    if made.forms.is_empty() {
        return Err(Error::Usage(format!("the list would be empty: {}", no_words(options))).into());
    }
    made.warnings.iter().for_each(|warning| tracing::warn!("the list {warning}"));
    let mut text = Vec::new();
    write_list(&made.forms, &mut text)?;
    write_or_print(options.out.as_deref(), text)?;
    Ok(Exit::Done)
}

/// Why there are no words to count.
fn no_words(options: &StoplistOptions) -> String {
    match (&options.corpus, options.language) {
        (Some(corpus), Some(language)) => {
            format!("{} has no word in {language}; `warcorpus stats {0}` tells its languages", corpus.display())
        }
        _ => "the text has no word with a letter".into(),
    }
}

/// Makes the list from the corpus or the texts that the options name.
fn stop_words(options: &StoplistOptions, threads: usize, cancel: &CancelToken) -> Result<GeneratedList> {
    let folder = std::env::temp_dir();
    let sample = match &options.corpus {
        Some(corpus) => sample_of_corpus(&Layout::new(corpus), options, &folder, threads, cancel)?,
        None => sample_of_texts(&options.text, &folder)?,
    };
    make(sample, options.length())
}

/// Counts the paragraphs that are in the wanted language, in documents that are too.
fn sample_of_corpus(
    layout: &Layout,
    options: &StoplistOptions,
    folder: &Path,
    threads: usize,
    cancel: &CancelToken,
) -> Result<FormSample> {
    let wanted = options.language;
    let of_thread = |shards: &mut dyn Iterator<Item = u32>| -> Result<FormSample> {
        let mut sampler = FormSampler::new(folder, MEMORY);
        for shard in shards {
            for page in CorpusReader::<ParagraphProjection>::of_shard(layout, shard)? {
                let (document, passages) = page?;
                cancel.check()?;
                let language = |passage: &ParagraphProjection| passage.language == wanted;
                let own = passages.iter().filter(|passage| Some(document.language) == wanted && language(passage));
                own.into_iter().try_for_each(|passage| sampler.paragraph(&passage.text))?;
            }
        }
        sampler.finish()
    };
    let mut whole = FormSampler::new(folder, MEMORY).finish()?;
    distribute(corpus::shards(layout)?, threads, of_thread)?.into_iter().for_each(|part| whole.merge(part));
    Ok(whole)
}

/// Counts plain text files; `-` is standard input.
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
