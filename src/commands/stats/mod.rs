//! `stats`: computes sizes, frequency lists and keywords of a corpus.

mod counting;
mod quantiles;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader, Write};

use compact_str::CompactString;

use self::counting::{Counted, Counters, GROUP_BY, Task};
use super::{Exit, Threads, cancel_on_signal, finished, notify, refuse_inside, without_documents};
use crate::config::Config;
use crate::document::Paragraph;
use crate::error::{Error, Result};
use crate::language::Language;
use crate::select::documents::DocumentFilter;
use crate::select::expression::{Condition, Expression, Literal, Test};
use crate::stats::collocations::{CollocationList, CollocationQuery};
use crate::stats::counts::ShardCounter;
use crate::stats::keywords::ReferenceFrequencies;
use crate::stats::lists::{ListOptions, RankedLists, rank};
use crate::stats::options::{CountedBy, StatsOptions};
use crate::stats::report::{write_collocations, write_report};
use crate::stats::summary::CorpusStatistics;
use crate::stats::{files, tables};
use crate::store::corpus::{self, CorpusReader};
use crate::store::document_values::{self, DocumentChoice, DocumentGroups};
use crate::store::layout::Layout;
use crate::threads::{CancelToken, distribute};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    options: StatsOptions,
    /// Count only documents in these languages, such as eng,German (`warcorpus languages`)
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',', value_parser = Language::by_name)]
    language: Vec<Language>,
    /// Count only documents that the expression selects, for example "year >= 2020 and host like '%.cz'" (docs/usage.md)
    #[arg(long = "where", value_name = "EXPRESSION", value_parser = Expression::parse)]
    filter: Option<Expression>,
    #[command(flatten)]
    threads: Threads,
}

impl Arguments {
    /// Which documents are counted: what `--language` and `--where` both select.
    fn filter(&self, layout: &Layout, config: &Config) -> Result<Option<DocumentFilter>> {
        let codes = self.language.iter().map(|language| Literal::Text(language.code().into())).collect();
        let of_languages = Expression::Test(Test { column: "language".into(), condition: Condition::In(codes) });
        let expression = match self.filter.clone() {
            other if self.language.is_empty() => other,
            Some(other) => Some(Expression::And(vec![of_languages, other])),
            None => Some(of_languages),
        };
        document_values::filter(layout, !config.language.model.is_empty(), expression.as_ref())
    }

    fn without_documents(&self) -> String {
        without_documents(&[("--language", !self.language.is_empty()), ("--where", self.filter.is_some())])
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let options = &arguments.options;
    let (layout, config) = finished(&options.corpus)?;
    options.out.iter().chain(&options.quantiles).try_for_each(|out| refuse_inside(out, &layout))?;
    if let Some(path) = &options.quantiles {
        let filter = arguments.filter(&layout, &config)?;
        let models: Vec<String> = config.quality.model.iter().map(|model| model.name.clone()).collect();
        if !quantiles::write(&layout, &models, path, filter.as_ref(), &cancel_on_signal()?)? {
            let why = arguments.without_documents();
            return Err(Error::Usage(format!("{why}; {} is not written", path.display())).into());
        }
        return Ok(Exit::Done);
    }
    statistics(&layout, &config, arguments, &cancel_on_signal()?, &mut io::stdout().lock())?;
    Ok(Exit::Done)
}

/// Bytes that the frequency tables of a thread hold before they are spilled to disk. A larger limit is slower, because
/// the tables exceed the processor's cache.
pub const MEMORY: usize = 64 << 20;

/// Counts the corpus, writes the lists if an output directory is given, and prints the summary.
fn statistics(
    layout: &Layout,
    config: &Config,
    arguments: &Arguments,
    cancel: &CancelToken,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let options = &arguments.options;
    let threads = arguments.threads.count();
    let references = references(options)?;
    let temporary = std::env::temp_dir();
    let wanted = &options.collocations;
    let query = || CollocationQuery::new(&wanted.collocations, options.casing(), wanted.window);
    let task = Task {
        options,
        segmenter: config.segments.segmenter(),
        lemma: lemma_column(config, options)?,
        collocations: (!wanted.collocations.is_empty()).then(query),
        folder: options.out.as_deref().unwrap_or(&temporary),
        filter: arguments.filter(layout, config)?,
        group_by: document_values::column(layout, GROUP_BY, options.group_by.as_deref())?,
    };
    let counted = count(layout, &task, threads, cancel)?;
    let documents = counted.counts.all().documents;
    if counted.untagged > 0 && counted.untagged == documents {
        return Err(Error::Usage("--by lemma: the corpus is not tagged; see emit.tagger".into()).into());
    }
    if counted.counts.yields.all().documents == 0 {
        notify(arguments.without_documents());
    }
    if counted.untagged > 0 {
        notify(format_args!("{} documents have no tags, so their words were counted as written", counted.untagged));
    }
    let list = ListOptions {
        top: options.top,
        memory: MEMORY * threads,
        keywords: options.keywords,
        references: &references,
        smoothing: options.smoothing,
    };
    let lists: RankedLists = rank(counted.words, &list)?;
    let statistics = CorpusStatistics::new(&counted.counts, &lists, options.casing());
    let list =
        CollocationList { most: wanted.collocates as usize, min_pairs: wanted.min_pairs, measure: wanted.measure };
    for language in references.keys().filter(|language| !lists.words.contains_key(*language)) {
        notify(format_args!("the corpus has no words in {language}, so there are no keywords against its --reference"));
    }
    let collocations = counted.collocations.map(|counts| counts.rank(&list)).transpose()?;
    if let Some(folder) = &options.out {
        if files::remove_earlier(folder)? {
            notify(format_args!("tables of an earlier run in {} are replaced", folder.display()));
        }
        collocations.iter().try_for_each(|lists| tables::write_collocations(folder, lists))?;
        counted.parts.map_or(Ok(()), |parts| tables::write_dispersion(folder, parts, options.top))?;
        counted.years.map_or(Ok(()), |years| tables::write_words_by_year(folder, years, options.top))?;
        files::write(folder, &counted.counts, lists, &statistics)?;
    }
    write_report(&statistics, &counted.counts, out)?;
    collocations.iter().try_for_each(|lists| write_collocations(lists, out))?;
    Ok(())
}

fn count(layout: &Layout, task: &Task<'_>, threads: usize, cancel: &CancelToken) -> Result<Counted> {
    let of_thread = |shards: &mut dyn Iterator<Item = u32>| -> Result<Counted> {
        let mut counters = Counters::new(task);
        for number in shards {
            let mut shard = ShardCounter::default();
            let choice = DocumentChoice::open(layout, number, task.filter.as_ref())?;
            let mut groups = task.group_by.as_ref().map(|by| DocumentGroups::open(layout, number, by)).transpose()?;
            let reader = CorpusReader::<Paragraph>::of_shard(layout, number)?;
            for page in reader.with_dropped().chosen(choice) {
                let (document, rows) = page?;
                let group = groups.as_mut().map(|groups| groups.of(&document)).transpose()?;
                counters.document(&document, &rows, group.as_deref(), &mut shard)?;
                cancel.check()?;
            }
            counters.end_shard(shard)?;
        }
        counters.finish()
    };
    let mut all = Counters::new(task).finish()?;
    distribute(corpus::shards(layout)?, threads, of_thread)?.into_iter().for_each(|counted| all.merge(counted));
    Ok(all)
}

/// Position of the lemma among the tagger's columns, if lemmas are to be counted.
fn lemma_column(config: &Config, options: &StatsOptions) -> Result<Option<usize>> {
    if options.by == CountedBy::Word {
        return Ok(None);
    }
    config.emit.lemma_column().map(Some).map_err(|missing| Error::Usage(format!("--by lemma: {missing}")))
}

fn references(options: &StatsOptions) -> Result<BTreeMap<CompactString, ReferenceFrequencies>> {
    let mut lists = BTreeMap::new();
    let mut words = BTreeMap::new();
    for (language, number) in &options.reference_words {
        if words.insert(language, *number).is_some() {
            return Err(Error::Usage(format!("--reference-words: {language} is given twice")));
        }
    }
    for (language, path) in &options.reference {
        let refused = |error: &dyn Display| Error::Usage(format!("--reference {}: {error}", path.display()));
        let file = File::open(path).map_err(|error| refused(&error))?;
        let casing = options.casing().of_language(language);
        let list = ReferenceFrequencies::read(BufReader::new(file), words.remove(language), casing);
        let list = list.map_err(|error| refused(&error))?;
        if lists.insert(CompactString::from(language), list).is_some() {
            return Err(Error::Usage(format!("--reference: {language} is given twice")));
        }
    }
    match words.into_keys().next() {
        Some(language) => Err(Error::Usage(format!("--reference-words: there is no --reference of {language}"))),
        None => Ok(lists),
    }
}
