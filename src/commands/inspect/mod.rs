//! `inspect`: a page as the program saw it, as an HTML page that opens from disk.

mod evidence;
mod json;
mod view;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Exit, lookup, notify, open_corpus, refuse_inside, write_or_print};
use crate::archive::{self, Event, Limits, Record};
use crate::clean::Weights;
use crate::config::Config;
use crate::document::{Document, DropReason, Paragraph};
use crate::error::{Error, Result};
use crate::job::rules;
use crate::page::rules::SiteRules;
use crate::page::url;
use crate::pipeline::{DEEPEST, Outcome, PageSource, Pipeline};
use crate::stages::Job;
use crate::store::layout::Layout;
use crate::store::small_files;
use crate::text::words;
use evidence::Evidence;

pub const EXAMPLES: &str = "Examples:
  warcorpus inspect corpus http://example.org/page --out page.html
  warcorpus inspect --raw saved.html --rules site.toml --url http://example.org/page --out page.html";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A built corpus
    #[arg(required_unless_present = "raw")]
    corpus: Option<PathBuf>,
    /// Key (column `doc`), address or record id (`urn:uuid:…`) of a document
    #[arg(required_unless_present = "raw")]
    document: Option<String>,
    /// An HTML file that is in no archive, instead of a document
    #[arg(long, value_name = "FILE", conflicts_with_all = ["corpus", "document"])]
    raw: Option<PathBuf>,
    /// Address of the file, by which site rules are chosen
    #[arg(long, value_name = "URL", requires = "raw", conflicts_with_all = ["corpus", "document"], default_value = NO_ADDRESS)]
    url: String,
    /// Site rules to read the file by
    #[arg(long, value_name = "FILE", requires = "raw", conflicts_with_all = ["corpus", "document"])]
    rules: Vec<String>,
    /// Where to write the page; standard output by default
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The same as JSON
    #[arg(long)]
    json: bool,
}

/// The address of a file without `--url`. Rules of real sites do not apply to it.
const NO_ADDRESS: &str = "http://localhost/";

/// Most bytes of a file that is inspected.
const LONGEST: u64 = 64 << 20;

/// Bytes that the containers of all blocks of a page may take, and those of a block, however many there are. A page can be
/// written to have long names around each of many blocks.
const ALL_CONTAINERS: usize = 32 << 20;
const CONTAINERS: usize = 600;

/// All that is shown of a page.
#[derive(Debug, Serialize)]
pub struct Inspection {
    #[serde(serialize_with = "json::document")]
    document: Document,
    blocks: Vec<InspectedBlock>,
    /// What the values of the document were chosen from.
    evidence: Vec<Evidence>,
    /// Name of the site rule by which the page was read.
    rule: Option<String>,
    /// The document in whose favour this one was dropped, or marked.
    keeper: Option<Comparison>,
    /// Where the archive is gone: why there is neither markup nor evidence.
    without_markup: Option<String>,
    markup: String,
}

/// A block with its place in the markup.
#[derive(Debug, Serialize)]
pub struct InspectedBlock {
    #[serde(flatten, serialize_with = "json::paragraph")]
    row: Paragraph,
    /// The containers around it, outermost first; behind an ellipsis if there are more.
    containers: Vec<String>,
    /// Begin and end of its text in the markup, in bytes.
    source: (usize, usize),
    /// What weighed in the cleaner's decision, in log-odds; nothing where a site rule or the whole host decided.
    weights: Weights,
}

/// The document in whose favour this one was dropped, and how much content both share.
#[derive(Debug, Serialize)]
pub struct Comparison {
    doc: u64,
    url: String,
    /// Length of a shingle in words.
    shingle: usize,
    /// Distinct shingles of both documents together, and of both.
    union: usize,
    shared: usize,
    /// Some of the shared shingles.
    examples: Vec<String>,
    /// The content of that document, and of this one.
    text: String,
    other_text: String,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let inspection = match (&arguments.raw, &arguments.corpus, &arguments.document) {
        (Some(file), ..) => of_file(file, &arguments.url, &arguments.rules)?,
        (None, Some(corpus), Some(document)) => of_document(&open_corpus(corpus.clone())?, document)?,
        _ => return Err(Error::Usage("expected CORPUS and DOCUMENT, or --raw FILE".into()).into()),
    };
    if let (Some(corpus), Some(out)) = (&arguments.corpus, &arguments.out) {
        refuse_inside(out, &Layout::new(corpus))?;
    }
    let text = if arguments.json { serde_json::to_string(&inspection)? + "\n" } else { view::page(&inspection) };
    write_or_print(arguments.out.as_deref(), text)?;
    Ok(Exit::Done)
}

/// A document of a corpus. Without its archive, what the tables say is shown.
fn of_document(job: &Job, wanted: &str) -> Result<Inspection> {
    let document = lookup::find_named(&job.layout, wanted)?;
    let rows = lookup::paragraphs(&job.layout, document.doc)?;
    let reading = job.config.reading();
    let record =
        lookup::open_archive(&job.layout, &document).and_then(|file| lookup::record(&file, &document, reading));
    let (source, without_markup) = match record {
        Ok(record) => (job.pipeline.source(&record), None),
        Err(error) => (None, Some(error.to_string())),
    };
    let keeper = keeper(job, &document, &rows)?;
    let rule = rows.iter().find(|row| row.reason.is_rule()).map(|row| row.reason.name().to_string());
    Ok(Inspection { keeper, without_markup, ..inspection(document, rows, source, rule) })
}

/// A file that is in no archive.
fn of_file(path: &Path, url: &str, patterns: &[String]) -> Result<Inspection> {
    if url.contains(['\r', '\n']) {
        return Err(Error::Usage("--url has more than one line".into()));
    }
    if url::site(url).is_none() {
        return Err(Error::Usage(format!("--url {url} is no web address; write all of it, such as {NO_ADDRESS}")));
    }
    let body = small_files::read(path, LONGEST)?;
    if small_files::is_gzip(&body) {
        return Err(Error::damaged(path, "is compressed with gzip; decompress it first: gunzip"));
    }
    let rules: SiteRules = rules::read(patterns)?;
    let pipeline = Pipeline::new(Config::default().pipeline_options(rules, None, None));
    let record = as_record(&body, url).ok_or_else(|| Error::damaged(path, "cannot be read as a page"))?;
    match pipeline.read(&record) {
        Outcome::Page(page) => {
            let mut document = page.document;
            document.kept = document.drop_reason.is_none();
            document.archive = fs::canonicalize(path).unwrap_or_else(|_| path.into()).display().to_string();
            let mut rows = page.paragraphs;
            rows.iter_mut().for_each(|row| row.settle(document.kept));
            if let Some(note) = note_of_rule(page.rule.as_ref(), url, patterns) {
                notify(note);
            }
            let rule = page.rule.map(|(name, _)| name);
            Ok(inspection(document, rows, pipeline.source(&record), rule))
        }
        Outcome::NotAPage(reason) | Outcome::Unreadable(reason) => {
            Err(Error::damaged(path, format!("is no page: {reason}")))
        }
    }
}

/// What a user is told whose rules change nothing; `rule` is the one that applies, with what its selectors matched.
fn note_of_rule(rule: Option<&(String, Vec<bool>)>, url: &str, patterns: &[String]) -> Option<String> {
    let files = patterns.join(", ");
    match rule {
        _ if patterns.is_empty() => None,
        None if url == NO_ADDRESS => Some(format!("no rule of {files} applies to {url}; give the address with --url")),
        None => Some(format!(
            "no rule of {files} applies to {url}; compare their `host` and `url` (rules with `from` or `until` apply to no file)"
        )),
        Some((name, matched)) if !matched.contains(&true) => {
            Some(format!("the rule {name} applies to {url}, but none of its selectors matches anything"))
        }
        Some(_) => None,
    }
}

/// The record that would hold a file.
fn as_record(body: &[u8], url: &str) -> Option<Record> {
    let length = body.len();
    let header = format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/html\r\nWARC-Target-URI: {url}\r\nContent-Length: {length}\r\n\r\n"
    );
    let bytes = [header.as_bytes(), body, b"\r\n\r\n"].concat();
    let events = archive::records(&bytes, 0..1, &Limits::default()).ok()?;
    events.flatten().find_map(|event| match event {
        Event::Record(record) => Some(record),
        Event::Damage(_) => None,
    })
}

fn inspection(
    document: Document,
    rows: Vec<Paragraph>,
    source: Option<PageSource>,
    rule: Option<String>,
) -> Inspection {
    let evidence = source.as_ref().map(|source| evidence::of(&document, &rows, &source.head)).unwrap_or_default();
    let bytes = (ALL_CONTAINERS / rows.len().max(1)).max(CONTAINERS);
    let block = |row: Paragraph| {
        let place = source.as_ref().and_then(|source| source.blocks.get(row.index as usize));
        InspectedBlock {
            containers: source
                .as_ref()
                .zip(place)
                .map_or(Vec::new(), |(page, block)| path(page.containers(block), bytes)),
            source: place.map_or((0, 0), |place| (place.range.start, place.range.end)),
            weights: place.filter(|_| row.score.is_some()).map(|place| place.weights.clone()).unwrap_or_default(),
            row,
        }
    };
    Inspection {
        blocks: rows.into_iter().map(block).collect(),
        document,
        evidence,
        rule,
        keeper: None,
        without_markup: None,
        markup: source.map(|source| source.markup).unwrap_or_default(),
    }
}

/// The path of containers that are given innermost first: so many of them as take at most so many bytes, and at least one.
/// An ellipsis stands for those around them.
fn path<'s>(containers: impl Iterator<Item = &'s str>, bytes: usize) -> Vec<String> {
    let (mut path, mut left) = (Vec::new(), bytes);
    for name in containers {
        let size = size_of::<String>() + name.len();
        if path.len() == DEEPEST || size > left && !path.is_empty() {
            path.push("…".into());
            break;
        }
        path.push(name.to_string());
        left = left.saturating_sub(size);
    }
    path.reverse();
    path
}

/// Shared shingles that are shown.
const EXAMPLES_SHOWN: usize = 12;

/// The comparison with the document that stands for this one; `None` if there is none in this corpus.
fn keeper(job: &Job, document: &Document, rows: &[Paragraph]) -> Result<Option<Comparison>> {
    let Some(keeper) = document.keeper.filter(|_| document.keeper_corpus.is_none()) else { return Ok(None) };
    let other = lookup::find(&job.layout, &keeper.to_string())?;
    let content = |rows: &[Paragraph]| {
        let own = rows.iter().filter(|row| !row.boilerplate && row.drop_reason != DropReason::Template);
        own.map(|row| row.text.as_str()).collect::<Vec<_>>().join("\n")
    };
    let (text, other_text) = (content(rows), content(&lookup::paragraphs(&job.layout, keeper)?));
    let length = job.config.near.shingle.max(1);
    let (ours, theirs) = (shingles(&text, length), shingles(&other_text, length));
    let [own, of_keeper] = [&ours, &theirs].map(|all| all.iter().collect::<BTreeSet<_>>());
    let mut seen = BTreeSet::new();
    let examples = ours.iter().filter(|shingle| of_keeper.contains(shingle) && seen.insert(*shingle));
    Ok(Some(Comparison {
        doc: keeper,
        url: other.url,
        shingle: length,
        union: own.union(&of_keeper).count(),
        shared: own.intersection(&of_keeper).count(),
        examples: examples.take(EXAMPLES_SHOWN).cloned().collect(),
        text: other_text,
        other_text: text,
    }))
}

/// The shingles of a text: all its sequences of so many words.
fn shingles(text: &str, length: usize) -> Vec<String> {
    let mut all = Vec::new();
    words::words(text, |word| all.push(word.to_string()));
    all.windows(length.min(all.len()).max(1)).map(|words| words.join(" ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_containers_are_shown() {
        let names = ["p", "div.text", "body", "html"];
        let shown = |bytes| path(names.into_iter(), bytes).join(" > ");
        assert_eq!(shown(CONTAINERS), "html > body > div.text > p");
        assert_eq!(shown(size_of::<String>() * 2 + 9), "… > div.text > p");
        assert_eq!(shown(0), "… > p");
        assert_eq!(path([&*"x".repeat(9999)].into_iter(), 0).concat().len(), 9999);
        let deep = path(std::iter::repeat_n("p", DEEPEST + 1), usize::MAX);
        assert_eq!((deep.len(), deep[0].as_str(), deep[1].as_str()), (DEEPEST + 1, "…", "p"));
    }
}
