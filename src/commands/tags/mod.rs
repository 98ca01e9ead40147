//! `tags`: the tag dictionary of a corpus's sites, and draft rules for them.

mod view;

use std::fmt::Write as _;
use std::path::PathBuf;

use super::{Exit, lookup, notify, open_corpus, refuse_inside, write_or_print};
use crate::document::{Document, Paragraph};
use crate::error::Result;
use crate::pipeline::DEEPEST;
use crate::stages::Job;
use crate::store::tables;
use crate::store::tables::RowsOfDocuments;
use crate::tags::{TagDictionary, TagFigures, suggest};
use crate::text::printable;

pub const EXAMPLES: &str = "Examples:
  warcorpus tags corpus --host www.example.org --out tags.html
  warcorpus tags corpus --host www.example.org --suggest-rule > example.toml
  warcorpus tags corpus --format tsv | sort -t$'\\t' -k6nr | head

The archives must be where they were when the corpus was built.";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A built corpus
    corpus: PathBuf,
    /// Only pages of this host
    #[arg(long)]
    host: Option<String>,
    /// Containers of a path at most
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=60))]
    depth: u16,
    /// Form of the output [default: html if --out ends in .html, else tsv]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Draft a site rule for each host instead (docs/rules.md)
    #[arg(long, conflicts_with = "format")]
    suggest_rule: bool,
    /// Where to write; standard output by default
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Form of the dictionary.
#[derive(Debug, Clone, Copy, PartialEq, clap::ValueEnum)]
enum Format {
    /// One line for each path and element
    Tsv,
    Json,
    /// A tree with bars
    Html,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let job = open_corpus(arguments.corpus.clone())?;
    arguments.out.iter().try_for_each(|out| refuse_inside(out, &job.layout))?;
    let dictionary = dictionary(&job, arguments.host.as_deref(), arguments.depth.into())?;
    if dictionary.hosts.is_empty() {
        let host = arguments.host.as_deref().unwrap_or_default();
        let of = if host.is_empty() { String::new() } else { format!(" of the host {host}") };
        notify(format_args!("the corpus has no documents{of}"));
    }
    if dictionary.left_out > 0 {
        notify(format_args!("{} occurrences of rare names are not listed; try --host", dictionary.left_out));
    }
    let html = arguments.out.as_ref().is_some_and(|path| path.extension().is_some_and(|ending| ending == "html"));
    let format = arguments.format.unwrap_or(if html { Format::Html } else { Format::Tsv });
    let text = match format {
        _ if arguments.suggest_rule => rules(&dictionary),
        Format::Tsv => tsv(&dictionary),
        Format::Json => serde_json::to_string(&dictionary)? + "\n",
        Format::Html => view::page(&dictionary),
    };
    write_or_print(arguments.out.as_deref(), text)?;
    Ok(Exit::Done)
}

/// Reads the pages again from their archives, and their verdicts from the tables.
fn dictionary(job: &Job, host: Option<&str>, depth: usize) -> Result<TagDictionary> {
    let mut dictionary = TagDictionary::new(depth);
    for shard in job.shards() {
        let mut documents = tables::Reader::<Document>::open(&job.layout.documents(shard))?
            .filter(|row| row.as_ref().map_or(true, |row| host.is_none_or(|host| row.host == host)))
            .peekable();
        if documents.peek().is_none() {
            continue;
        }
        let (_, input) = job.shard(shard)?;
        let archive = job.archives.open_known(&input.location, input.bytes, &input.fingerprint)?;
        let boilerplate = job.layout.optional(job.layout.boilerplate(shard))?;
        let mut tables = Vec::new();
        for path in [job.layout.paragraphs(shard)].into_iter().chain(boilerplate) {
            tables.push(RowsOfDocuments::<Paragraph>::open(&path)?);
        }
        for document in documents {
            let document = document?;
            let mut rows = Vec::new();
            for table in &mut tables {
                rows.extend(table.of(document.doc, |_| true)?);
            }
            let Some(source) = job.pipeline.source(&lookup::record(&archive, &document, job.config.reading())?) else {
                continue;
            };
            let path = |row: &Paragraph| {
                let block = source.blocks.get(row.index as usize)?;
                let mut path: Vec<&str> = source.containers(block).take(DEEPEST).collect();
                path.reverse();
                Some(path)
            };
            dictionary.page(&document, rows.iter().filter_map(|row| Some((row, path(row)?))));
        }
    }
    Ok(dictionary)
}

/// One line for each path and element: host, kind, name and figures.
fn tsv(dictionary: &TagDictionary) -> String {
    let mut out = String::from(
        "host\tkind\tname\tpages\tblocks\tcharacters\tcontent_characters\tcontent_share\tmean_score\tyears\texample\n",
    );
    for (host, tags) in &dictionary.hosts {
        let paths = tags.paths.iter().map(|(path, figures)| ("path", path.join(" > "), figures));
        let elements = tags.elements.iter().map(|(name, figures)| ("element", name.clone(), figures));
        for (kind, name, figures) in paths.chain(elements) {
            line(&mut out, host, kind, &name, figures);
        }
    }
    out
}

fn line(out: &mut String, host: &str, kind: &str, name: &str, figures: &TagFigures) {
    let TagFigures { pages, blocks, characters, content_characters, .. } = figures;
    let score = figures.mean_score().map(|score| format!("{score:.2}")).unwrap_or_default();
    let year = |(year, (all, content)): (&i16, &(u64, u64))| format!("{year}:{content}/{all}");
    let years: Vec<String> = figures.years.iter().map(year).collect();
    let example = figures.examples.first().map(|text| printable(text).into_owned()).unwrap_or_default();
    let (host, name, share) = (printable(host), printable(name), figures.content_share());
    let years = years.join(" ");
    let _ = writeln!(
        out,
        "{host}\t{kind}\t{name}\t{pages}\t{blocks}\t{characters}\t{content_characters}\t{share:.3}\t{score}\t{years}\t{example}"
    );
}

/// The draft rules of all hosts.
fn rules(dictionary: &TagDictionary) -> String {
    let drafts: Vec<String> = dictionary.hosts.iter().filter_map(|(host, tags)| suggest(host, tags)).collect();
    if drafts.is_empty() {
        return "# Nothing is clear enough for a rule.\n".into();
    }
    drafts.join("\n")
}
