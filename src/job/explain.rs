//! `explain`: why a document, and each of its paragraphs, stayed or went. `clusters`: the largest stars.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use fxhash::FxHashMap;

use super::cleaned::Words;
use super::earlier::Lookup;
use super::overlap::{Pieces, Repeats};
use super::{Job, Stage, show, state};
use crate::document::{Document, Drop, Paragraph, as_earlier, parts};
use crate::error::Result;
use crate::store::tables;
use crate::text::segments::Segmenter;
use crate::text::words;

/// Characters of a paragraph, words of a repeated stretch, and owners that are shown.
const SHOWN_CHARACTERS: usize = 90;
const SHOWN_WORDS: usize = 8;
const SHOWN_OWNERS: usize = 3;

/// All that is known of a document's fate, for people.
pub fn explain(job: &Job, wanted: &str) -> Result<String> {
    let document = show::find(&job.layout, wanted)?;
    let mut out = String::new();
    about_document(job, &document, &mut out)?;
    let rows = show::paragraphs(&job.layout, document.doc)?;
    let origins = Origins::of(job, &document, &rows)?;
    let _ = writeln!(out, "\n{} paragraphs, {} kept:", rows.len(), rows.iter().filter(|row| row.kept).count());
    for row in &rows {
        about_paragraph(&document, row, &mut out);
        origins.write(job, row, &mut out)?;
    }
    if let Origins::Lost = origins {
        out.push_str("\nwork/ was removed: which n-grams were seen where is no longer known.\n");
    }
    Ok(out)
}

fn about_document(job: &Job, document: &Document, out: &mut String) -> Result<()> {
    let _ = writeln!(out, "{}", document.url);
    let captured = document.captured.and_then(|t| jiff::Timestamp::from_microsecond(t).ok());
    let captured = captured.map_or("at an unknown time".to_string(), |time| time.to_string());
    let Document { doc, archive, offset, language, language_score, .. } = document;
    let _ = writeln!(out, "  document {doc}, captured {captured}, in {archive} at byte {offset}");
    let _ = writeln!(out, "  language {language} ({language_score:.2}), identity of the text {}", document.text_digest);
    let fate = match document.drop_reason.as_str() {
        "" => "kept".to_string(),
        reason => format!("dropped: {reason}"),
    };
    let _ = writeln!(out, "  {fate}");
    if let (Some(keeper), Some(similarity)) = (document.keeper, document.similarity) {
        let keeper = match (&document.keeper_corpus, &document.keeper_url) {
            (Some(corpus), url) => format!("document {keeper} of {corpus}, {}", url.as_deref().unwrap_or_default()),
            _ => named(job, keeper)?,
        };
        let _ = writeln!(out, "  in favour of {keeper}; similarity {similarity:.4}");
    }
    if document.cluster_size > 1 {
        let _ = writeln!(out, "  one of a star of {} documents", document.cluster_size);
    }
    if let (Some(container), Some(share)) = (document.contained_in, document.contained_share) {
        let _ = writeln!(out, "  {:.1} % of it stands in {}", share * 100.0, named(job, container)?);
    }
    if let Some(pages) = document.site_pages {
        let note =
            if document.repeated_page { "; nearly all of its text recurs on them, so none was taken out" } else { "" };
        let _ = writeln!(out, "  its host has {pages} distinct pages{note}");
    }
    Ok(())
}

fn named(job: &Job, doc: u64) -> Result<String> {
    let document = show::find(&job.layout, &doc.to_string())?;
    let fate = if document.kept { String::new() } else { format!(" (dropped itself: {})", document.drop_reason) };
    Ok(format!("document {doc}, {}{fate}", document.url))
}

fn about_paragraph(document: &Document, row: &Paragraph, out: &mut String) {
    let reason = match row.drop_reason.as_str() {
        "" if row.repeated => "kept, marked as repeated".to_string(),
        "" => "kept".to_string(),
        reason => reason.to_string(),
    };
    let alone =
        if row.class == row.context_free { String::new() } else { format!(" ({} by itself)", row.context_free) };
    let text: String = row.text.chars().take(SHOWN_CHARACTERS).collect();
    let more = if text.len() < row.text.len() { "…" } else { "" };
    let _ = writeln!(out, "{:4}  {reason}: {text}{more}", row.index);
    let score = row.score.map(|score| format!(" ({score:+.1})")).unwrap_or_default();
    let _ = writeln!(out, "      by {}{score}", row.reason);
    let _ = write!(out, "      {} of {} characters, class {}{alone}", row.kind, row.characters, row.class);
    let _ = write!(out, ", links {:.2}, stop words {:.2}", row.link_density, row.stopword_density);
    if let (Some(pages), Some(of)) = (row.site_pages, document.site_pages) {
        let _ = write!(out, ", on {pages} of {of} pages of the host");
    }
    if let Some(share) = row.seen_share.filter(|share| *share > 0.0) {
        let _ = write!(out, ", {:.0} % of its words seen before", share * 100.0);
    }
    out.push('\n');
}

/// Where what a document repeats was first.
enum Origins {
    /// The document did not go through overlap.
    None,
    /// The files that tell were removed.
    Lost,
    /// By paragraph and owner: words, and the place of the first of them among those of the paragraph.
    Known(BTreeMap<u32, BTreeMap<u64, (usize, usize)>>),
}

impl Origins {
    fn of(job: &Job, document: &Document, rows: &[Paragraph]) -> Result<Origins> {
        if rows.iter().all(|row| row.seen_share.is_none_or(|share| share == 0.0)) {
            return Ok(Origins::None);
        }
        for range in 0..Stage::Overlap.tasks(job) {
            if state::of(job, Stage::Overlap, range, None)? != state::State::Done {
                return Ok(Origins::Lost);
            }
        }
        let seen = Repeats::of_shard(job, parts(document.doc).0)?.of(document.doc)?;
        let overlap = &job.config.overlap;
        let pieces = Pieces::new(rows, Words::of(rows), overlap, &Segmenter::default());
        let mut known: BTreeMap<u32, BTreeMap<u64, (usize, usize)>> = BTreeMap::new();
        let mut own = fxhash::FxHashSet::default();
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
        Ok(Origins::Known(known))
    }

    fn write(&self, job: &Job, row: &Paragraph, out: &mut String) -> Result<()> {
        let Origins::Known(known) = self else { return Ok(()) };
        let Some(owners) = known.get(&row.index) else { return Ok(()) };
        let mut owners: Vec<_> = owners.iter().collect();
        owners.sort_by_key(|&(owner, &(words, _))| (Reverse(words), owner));
        let mut all = Vec::new();
        words::words(&row.text, |word| all.push(word.to_string()));
        for &(&owner, &(count, first)) in owners.iter().take(SHOWN_OWNERS) {
            let sample: Vec<&str> = all.iter().skip(first).take(SHOWN_WORDS).map(String::as_str).collect();
            let place = match as_earlier(owner) {
                Some(_) => match Lookup::new(job)?.find(owner)? {
                    Some(found) => format!("document {} of {}, {}", found.key, found.corpus, found.url),
                    None => "an earlier corpus".to_string(),
                },
                None if row.doc == owner => "this document, further up".to_string(),
                None => named(job, owner)?,
            };
            let _ = writeln!(out, "      {count} words in {place}: “{} …”", sample.join(" "));
        }
        if owners.len() > SHOWN_OWNERS {
            let _ = writeln!(out, "      and in {} more documents", owners.len() - SHOWN_OWNERS);
        }
        Ok(())
    }
}

/// Index of each paragraph that went through overlap, and where its words end among all.
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

/// A star: its size, the corpus of its keeper if that is an earlier one, and the keeper.
type Name = (Reverse<u32>, Option<String>, u64);

/// The `limit` largest stars, each with up to `members` of its dropped documents.
pub fn clusters(job: &Job, limit: usize, members: usize) -> Result<String> {
    let mut largest: BTreeSet<Name> = BTreeSet::new();
    for_each_document(job, |document| {
        if let Some(name) = star_of(document) {
            largest.insert(name);
            if largest.len() > limit {
                largest.pop_last();
            }
        }
    })?;
    let mut listed: BTreeMap<Name, (String, Vec<String>)> =
        largest.into_iter().map(|name| (name, (String::new(), Vec::new()))).collect();
    for_each_document(job, |document| {
        let Some((keeper, lines)) = star_of(document).and_then(|name| listed.get_mut(&name)) else { return };
        match (document.keeper, &document.keeper_url) {
            (None, _) => *keeper = document.url.clone(),
            (Some(_), url) => {
                url.iter().for_each(|url| *keeper = url.clone());
                if lines.len() < members {
                    let exact = document.drop_reason == Drop::ExactDuplicate.name();
                    let likeness =
                        if exact { "exact".into() } else { format!("{:.3}", document.similarity.unwrap_or(0.0)) };
                    lines.push(format!("{likeness:>14}  {} {}", document.doc, document.url));
                }
            }
        }
    })?;
    let mut out = String::new();
    for ((Reverse(size), corpus, doc), (url, lines)) in listed {
        let of = corpus.map(|corpus| format!(" of {corpus}")).unwrap_or_default();
        let _ = writeln!(out, "{size:>8} documents, keeper: {doc}{of} {url}");
        lines.iter().for_each(|line| out.extend([line.as_str(), "\n"]));
    }
    Ok(out)
}

fn star_of(document: &Document) -> Option<Name> {
    let keeper = document.keeper.unwrap_or(document.doc);
    (document.cluster_size > 1).then(|| (Reverse(document.cluster_size), document.keeper_corpus.clone(), keeper))
}

fn for_each_document(job: &Job, mut each: impl FnMut(&Document)) -> Result<()> {
    for shard in job.shards() {
        tables::Reader::<Document>::open(&job.layout.documents(shard))?
            .try_for_each(|row| row.map(|row| each(&row)))?;
    }
    Ok(())
}
