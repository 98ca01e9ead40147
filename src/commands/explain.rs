//! `explain`: shows why a document and each of its paragraphs were kept or dropped.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use compact_str::CompactString;
use fxhash::FxHashMap;

use super::lookup::{self, fate_of_keeper};
use super::{Exit, open_corpus, print};
use crate::config::PiiMode;
use crate::document::{Document, DropReason, Paragraph, timestamp_of};
use crate::error::Result;
use crate::job::state;
use crate::key::{as_reference, parts};
use crate::pii;
use crate::quality::signals::Signals;
use crate::stages::content::ContentWords;
use crate::stages::ngrams::Pieces;
use crate::stages::overlap::{Overlap, Repeats};
use crate::stages::reference::Lookup;
use crate::stages::{Job, Stage};
use crate::store::tables;
use crate::text::segments::Segmenter;
use crate::text::{printable, shortened, words};

pub const EXAMPLES: &str = "Example:\n  warcorpus explain corpus http://example.org/page";

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A built corpus
    corpus: PathBuf,
    /// Key (column `doc`), address or record id (`urn:uuid:…`) of a document
    document: String,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    print(&explain(&open_corpus(arguments.corpus.clone())?, &arguments.document)?)?;
    Ok(Exit::Done)
}

/// Most characters of a paragraph, words of a repeated passage, and owners of repeated words that are shown.
const SHOWN_CHARACTERS: usize = 90;
const SHOWN_WORDS: usize = 8;
const SHOWN_OWNERS: usize = 3;
/// Most documents of one address that are listed.
const SHOWN_CAPTURES: usize = 100;

/// Explains the decisions about a document and its paragraphs, as text for a terminal.
fn explain(job: &Job, wanted: &str) -> Result<String> {
    let captures = lookup::find_all(&job.layout, wanted, SHOWN_CAPTURES)?;
    let mut out = String::new();
    let Some(document) = captures.first().cloned() else { return Ok(out) };
    if captures.len() > 1 {
        let _ = writeln!(
            out,
            "{} documents have this address or record id; the first is explained, the others by their key:",
            captures.len()
        );
        for document in &captures {
            let fate = if document.kept { "kept".into() } else { format!("dropped: {}", document.drop_reason) };
            let _ = writeln!(out, "  document {}, captured {}, {fate}", document.doc, captured(document));
        }
        out.push('\n');
    }
    about_document(job, &document, &mut out)?;
    let rows = lookup::paragraphs(&job.layout, document.doc)?;
    let origins = Origins::of(job, &document, &rows)?;
    let _ = writeln!(out, "\n{} paragraphs, {} kept:", rows.len(), rows.iter().filter(|row| row.kept).count());
    for row in &rows {
        about_paragraph(&document, row, &mut out);
        origins.write(job, row, &mut out)?;
    }
    if let Origins::Unknown(reason) = origins {
        let _ = writeln!(out, "\n{reason}, so the owners of repeated n-grams are unknown.");
    }
    Ok(out)
}

fn about_document(job: &Job, document: &Document, out: &mut String) -> Result<()> {
    let _ = writeln!(out, "{}", printable(&document.url));
    let captured = captured(document);
    let Document { doc, archive, offset, language, language_score, .. } = document;
    let _ = writeln!(out, "  document {doc}, captured {captured}, in {} at byte {offset}", printable(archive));
    let _ = writeln!(out, "  language {language} ({language_score:.2}), text digest {}", document.text_digest);
    let fate = match (document.drop_reason, &document.robots) {
        (DropReason::None, _) => "kept".to_string(),
        (reason @ DropReason::Robots, Some(directives)) => format!("dropped: {reason} ({})", printable(directives)),
        (reason @ DropReason::Quality, _) => match failed_rule(job, *doc)? {
            Some(rule) => format!("dropped: {reason} ({rule})"),
            None => format!("dropped: {reason}, since the recipe leaves no line of it"),
        },
        (reason, _) => format!("dropped: {reason}"),
    };
    let _ = writeln!(out, "  {fate}");
    if let (Some(keeper), Some(similarity)) = (document.keeper, document.similarity) {
        let keeper = match (&document.keeper_corpus, &document.keeper_url) {
            (Some(corpus), url) => {
                format!("document {keeper} of {corpus}, {}", printable(url.as_deref().unwrap_or_default()))
            }
            _ => named(job, keeper)?,
        };
        let relation = if document.drop_reason.is_none() { "a duplicate, only marked, of" } else { "in favour of" };
        let _ = writeln!(out, "  {relation} {keeper}; similarity {similarity:.4}");
    }
    if document.cluster_size > 1 {
        let _ = writeln!(out, "  in a cluster of {} documents", document.cluster_size);
    }
    if let (Some(container), Some(share)) = (document.contained_in, document.contained_share) {
        let _ = writeln!(out, "  {:.1} % of it is contained in {}", share * 100.0, named(job, container)?);
    }
    if let Some(pages) = document.site_pages {
        let note = if document.repeated_page {
            "; nearly all of its text recurs on them, so none was removed as template"
        } else {
            ""
        };
        let _ = writeln!(out, "  its host has {pages} distinct pages{note}");
    }
    Ok(())
}

/// The first rule of the quality recipe that a document fails.
fn failed_rule(job: &Job, doc: u64) -> Result<Option<CompactString>> {
    let shard = parts(doc).0;
    let Some(table) = job.layout.optional(job.layout.signals(shard))? else { return Ok(None) };
    let row = tables::Reader::<Signals>::open_at(&table, doc)?.next().transpose()?;
    Ok(row.filter(|row| row.doc == doc).and_then(|row| row.failed_rule))
}

/// Time of capture.
fn captured(document: &Document) -> String {
    timestamp_of(document.captured).map_or("at an unknown time".to_string(), |time| time.to_string())
}

fn named(job: &Job, doc: u64) -> Result<String> {
    let document = lookup::find(&job.layout, &doc.to_string())?;
    Ok(format!("document {doc}, {}{}", printable(&document.url), fate_of_keeper(&document)))
}

fn about_paragraph(document: &Document, row: &Paragraph, out: &mut String) {
    let reason = match row.drop_reason.name() {
        "" if row.repeated => "kept, marked as repeated".to_string(),
        "" => "kept".to_string(),
        reason => reason.to_string(),
    };
    let alone =
        if row.class == row.context_free { String::new() } else { format!(" ({} by itself)", row.context_free.name()) };
    let _ = writeln!(out, "{:4}  {reason}: {}", row.index, shortened(&row.text, SHOWN_CHARACTERS));
    let score = row.score.map(|score| format!(" ({score:+.1})")).unwrap_or_default();
    let _ = writeln!(out, "      by {}{score}", row.reason);
    let _ =
        write!(out, "      {} of {} characters, class {}{alone}", row.kind.name(), row.characters, row.class.name());
    let _ = write!(out, ", links {:.2}, stop words {:.2}", row.link_density, row.stopword_density);
    if let (Some(pages), Some(of)) = (row.site_pages, document.site_pages) {
        let _ = write!(out, ", on {pages} of {of} pages of the host");
    }
    if let Some(share) = row.seen_share.filter(|share| *share > 0.0) {
        let _ = write!(out, ", {:.0} % of its words seen before", share * 100.0);
    }
    out.push('\n');
}

/// The owners of the n-grams that a document repeats.
enum Origins {
    /// The document repeats nothing.
    None,
    /// They cannot be told, for this reason.
    Unknown(&'static str),
    /// By paragraph index and owner: the number of repeated words, and the position of the first of them in the
    /// paragraph.
    Known {
        owners: BTreeMap<u32, BTreeMap<u64, (usize, usize)>>,
        /// `None` if none of the owners is in a reference corpus.
        references: Option<Lookup>,
    },
}

impl Origins {
    fn of(job: &Job, document: &Document, rows: &[Paragraph]) -> Result<Origins> {
        if rows.iter().all(|row| row.seen_share.is_none_or(|share| share == 0.0)) {
            return Ok(Origins::None);
        }
        if job.config.pii.mode == PiiMode::Mask && rows.iter().any(|row| is_masked(&row.text)) {
            return Ok(Origins::Unknown(
                "Personal data in this document are masked, and its n-grams are those of the text before",
            ));
        }
        for range in 0..Overlap.tasks(job) {
            if state::of(job, &Overlap, range, None)? != state::TaskState::Done {
                return Ok(Origins::Unknown("work/ has no complete results of the overlap stage"));
            }
        }
        let seen = Repeats::of_shard(job, parts(document.doc).0)?.of(document.doc)?;
        let overlap = &job.config.overlap;
        let pieces = Pieces::new(rows, ContentWords::of(rows), overlap, &Segmenter::default());
        let mut known: BTreeMap<u32, BTreeMap<u64, (usize, usize)>> = BTreeMap::new();
        let mut own = pieces.own_units();
        let hits = pieces.all().filter_map(|piece| {
            let again = !own.insert(piece.hash);
            let owner = seen.get(&piece.hash).copied().or(again.then_some(document.doc))?;
            Some((piece.words, owner))
        });
        let ends = word_ends(rows);
        let mut covered: FxHashMap<u64, usize> = FxHashMap::default();
        for (range, owner) in hits {
            let place = ends.partition_point(|&(_, end)| end < range.end);
            let Some(&(index, _)) = ends.get(place) else { continue };
            let begin = if place == 0 { 0 } else { ends.get(place - 1).map_or(0, |&(_, end)| end) };
            let from = covered.get(&owner).copied().unwrap_or(0).max(range.start).max(begin);
            let entry = known.entry(index).or_default().entry(owner).or_insert((0, range.start.max(begin) - begin));
            entry.0 += range.end.saturating_sub(from);
            covered.insert(owner, range.end);
        }
        let is_reference = known.values().flat_map(BTreeMap::keys).any(|owner| as_reference(*owner).is_some());
        let references = is_reference.then(|| Lookup::new(job)).transpose()?;
        Ok(Origins::Known { owners: known, references })
    }

    fn write(&self, job: &Job, row: &Paragraph, out: &mut String) -> Result<()> {
        let Origins::Known { owners, references } = self else { return Ok(()) };
        let Some(owners) = owners.get(&row.index) else { return Ok(()) };
        let mut owners: Vec<_> = owners.iter().collect();
        owners.sort_by_key(|&(owner, &(words, _))| (Reverse(words), owner));
        let mut all = Vec::new();
        words::words(&row.text, |word| all.push(word.to_string()));
        for &(&owner, &(count, first)) in owners.iter().take(SHOWN_OWNERS) {
            let sample: Vec<&str> = all.iter().skip(first).take(SHOWN_WORDS).map(String::as_str).collect();
            let place = match as_reference(owner) {
                Some(_) => match references.as_ref().map_or(Ok(None), |lookup| lookup.find(owner))? {
                    Some(found) => format!("document {} of {}, {}", found.key, found.corpus, printable(&found.url)),
                    None => "an earlier corpus".to_string(),
                },
                None if row.doc == owner => "this document, further up".to_string(),
                None => named(job, owner)?,
            };
            let _ = writeln!(out, "      {count} words in {place}: “{} …”", printable(&sample.join(" ")));
        }
        if owners.len() > SHOWN_OWNERS {
            let _ = writeln!(out, "      and in {} more documents", owners.len() - SHOWN_OWNERS);
        }
        Ok(())
    }
}

/// Whether something may stand in a text in the place of personal data.
fn is_masked(text: &str) -> bool {
    pii::Kind::ALL.iter().any(|kind| text.contains(kind.replacement()))
}

/// For each content paragraph, its index and the end of its words, counted over all content paragraphs.
fn word_ends(rows: &[Paragraph]) -> Vec<(u32, usize)> {
    let mut end = 0;
    let candidates = rows.iter().filter(|row| !row.boilerplate);
    candidates
        .map(|row| {
            words::words(&row.text, |_| end += 1);
            (row.index, end)
        })
        .collect()
}
