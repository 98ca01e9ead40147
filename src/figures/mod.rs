//! Figures: how the values of documents and paragraphs are distributed, in a form of bounded size that can be added up.
//!
//! Every task gathers [`Figures`] of the rows that it writes. All of them are counts and samples with the smallest
//! hashes, so sums do not depend on how documents are distributed over tasks. The report shows them.

mod samples;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use samples::{EDGES, SAMPLES};
pub use samples::{Edge, Least, Sample};

use crate::document::{Document, DropReason, Paragraph, date_of_day, time_of_microsecond};
use crate::hash::{combine, hash64};

/// Counts by name.
pub type Counts = BTreeMap<String, u64>;
/// Counts by name for each bin of a number.
pub type CountsByBin = BTreeMap<i32, Counts>;
/// Counts by name for each value of a column.
pub type CountsByValue = BTreeMap<String, Counts>;

/// Name of the outcome of what is in the corpus.
pub const KEPT: &str = "kept";
/// Name of the outcome of what is not.
pub const DROPPED: &str = "dropped";

/// Name of the blocks that the cleaner lets pass.
pub const CONTENT: &str = "content";

/// Bins of the cleaner's score per unit. The score is a log-odds ratio, 0 is the decision.
pub const SCORE_BINS: f32 = 2.0;
/// Scores beyond this many units are counted in the outermost bins.
const SCORE_LIMIT: f32 = 8.0;
/// Bins of shares and similarities from 0 to 1.
pub const SHARE_BINS: f32 = 20.0;
/// Bins of the similarity of near duplicates.
pub const SIMILARITY_BINS: f32 = 100.0;
/// Earliest and latest year with a bin of its own; a page can name any year.
const YEARS: std::ops::RangeInclusive<i32> = 1980..=2100;

/// The distributions of one task, or of many.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Figures {
    /// Pages by encoding and by how it was found.
    pub charsets: CountsByValue,
    /// Documents by language and outcome: `kept` or the drop reason.
    pub outcomes: CountsByValue,
    /// Kept documents by year of publication and by the source of the date.
    pub published: CountsByBin,
    /// Kept documents by year of capture and by the source of their date of publication.
    pub captured: CountsByBin,
    /// Kept documents by size: bin `b` has those of 2^b to 2^(b+1) - 1 words.
    pub lengths: CountsByBin,
    /// Clusters of duplicates by size: bin `b` has those of 2^b to 2^(b+1) - 1 documents.
    pub clusters: CountsByBin,
    /// Near duplicates by similarity to their representative, in hundredths.
    pub similarities: CountsByBin,
    /// Blocks by the cleaner's score in halves, content and boilerplate.
    pub scores: CountsByBin,
    /// Content paragraphs by the share of their words that was seen before, in twentieths, kept and dropped.
    pub seen: CountsByBin,
    /// Paragraphs to judge by, for each outcome.
    pub samples: BTreeMap<String, Least<Sample>>,
    /// Pages with content whose best block is nearest to the cleaner's decision.
    pub barely_content: Least<Edge>,
    /// Pages without content whose best block is nearest to the cleaner's decision.
    pub barely_boilerplate: Least<Edge>,
}

impl Figures {
    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        *self == Figures::default()
    }

    /// Without the texts that are shown as samples.
    pub fn without_texts(self) -> Figures {
        let (samples, barely_content, barely_boilerplate) = Default::default();
        Figures { samples, barely_content, barely_boilerplate, ..self }
    }

    /// Counts a page as its cleaner left it, with all its blocks.
    pub fn page(&mut self, document: &Document, blocks: &[Paragraph]) {
        count(self.charsets.entry(document.charset.clone()).or_default(), document.charset_source.name());
        let hash = document_hash(document);
        let mut scores = [[0_u64; 2]; 2 * (SCORE_LIMIT * SCORE_BINS) as usize];
        for block in blocks {
            if let Some(score) = block.score {
                let bin = score_bin(score) + (SCORE_LIMIT * SCORE_BINS) as i32;
                let counts = usize::try_from(bin).ok().and_then(|bin| scores.get_mut(bin));
                if let Some([content, boilerplate]) = counts {
                    *(if block.boilerplate { boilerplate } else { content }) += 1;
                }
            }
        }
        // Until the texts of other pages are known, there is no other reason for a paragraph.
        let boilerplate = blocks.iter().filter(|block| block.boilerplate);
        self.sample(DropReason::Boilerplate.name(), hash, document, boilerplate);
        for (bin, [content, boilerplate]) in scores.into_iter().enumerate().filter(|(_, counts)| *counts != [0, 0]) {
            let counts = self.scores.entry(bin as i32 - (SCORE_LIMIT * SCORE_BINS) as i32).or_default();
            add(counts, CONTENT, content);
            add(counts, "boilerplate", boilerplate);
        }
        let best = blocks.iter().filter_map(|block| Some((block.score?, block))).max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((score, block)) = best {
            let edges = if blocks.iter().all(|block| block.boilerplate) {
                &mut self.barely_boilerplate
            } else {
                &mut self.barely_content
            };
            let thousandths = (score.abs() * 1e3) as u64;
            edges.offer((thousandths, hash), EDGES, || Edge::new(score, document, block));
        }
    }

    /// Counts a document and its content paragraphs, whose outcomes are final.
    pub fn document(&mut self, document: &Document, rows: &[Paragraph]) {
        let outcome = if document.kept { KEPT } else { document.drop_reason.name() };
        count(self.outcomes.entry(document.language.to_string()).or_default(), outcome);
        if document.kept {
            self.kept(document);
        }
        let hash = document_hash(document);
        for row in rows {
            if let Some(share) = row.seen_share {
                let bin = ((share * SHARE_BINS) as i32).min(SHARE_BINS as i32 - 1);
                count(self.seen.entry(bin).or_default(), if row.kept { KEPT } else { DROPPED });
            }
            // A paragraph of a dropped document is an example of the document's reason.
            let reason = match row.drop_reason {
                DropReason::None => KEPT,
                DropReason::Document => document.drop_reason.name(),
                reason => reason.name(),
            };
            self.sample(reason, hash, document, [row]);
        }
    }

    /// Counts a cluster of duplicates. The rows of documents do not tell all clusters: a representative may be in a
    /// reference corpus.
    pub fn cluster(&mut self, size: u32) {
        count(self.clusters.entry(binary_bin(size)).or_default(), "clusters");
    }

    /// Counts a near duplicate. The row of a document that is only marked does not tell it from an exact one.
    pub fn near_duplicate(&mut self, similarity: f32) {
        count(self.similarities.entry((similarity * SIMILARITY_BINS) as i32).or_default(), "documents");
    }

    fn kept(&mut self, document: &Document) {
        let source = document.published_source.map_or("none", |source| source.name());
        if let Some(day) = document.published.and_then(date_of_day) {
            count(self.published.entry(year_bin(day.year())).or_default(), source);
        }
        if let Some(time) = document.captured.and_then(time_of_microsecond) {
            count(self.captured.entry(year_bin(time.year())).or_default(), source);
        }
        count(self.lengths.entry(binary_bin(document.words)).or_default(), "documents");
    }

    fn sample<'r>(
        &mut self,
        outcome: &str,
        hash: u64,
        document: &Document,
        rows: impl IntoIterator<Item = &'r Paragraph>,
    ) {
        let mut rows = rows.into_iter().peekable();
        if rows.peek().is_some() && !self.samples.contains_key(outcome) {
            self.samples.insert(outcome.into(), Least::default());
        }
        let Some(samples) = self.samples.get_mut(outcome) else { return };
        for row in rows {
            let rank = (combine(&[hash, u64::from(row.index)]), 0);
            samples.offer(rank, SAMPLES, || Sample::new(document, row));
        }
    }

    /// Adds the figures of another task.
    pub fn add(&mut self, other: &Figures) {
        add_groups(&mut self.charsets, &other.charsets);
        add_groups(&mut self.outcomes, &other.outcomes);
        for (ours, theirs) in [
            (&mut self.published, &other.published),
            (&mut self.captured, &other.captured),
            (&mut self.lengths, &other.lengths),
            (&mut self.clusters, &other.clusters),
            (&mut self.similarities, &other.similarities),
            (&mut self.scores, &other.scores),
            (&mut self.seen, &other.seen),
        ] {
            add_groups(ours, theirs);
        }
        for (outcome, samples) in &other.samples {
            self.samples.entry(outcome.clone()).or_default().merge(samples, SAMPLES);
        }
        self.barely_content.merge(&other.barely_content, EDGES);
        self.barely_boilerplate.merge(&other.barely_boilerplate, EDGES);
    }
}

/// A hash of the address and the time of capture. It does not depend on the shard.
fn document_hash(document: &Document) -> u64 {
    combine(&[hash64(document.url.as_bytes()), document.captured.unwrap_or_default() as u64])
}

/// The bin of a score.
fn score_bin(score: f32) -> i32 {
    let last = SCORE_LIMIT * SCORE_BINS;
    (score * SCORE_BINS).floor().clamp(-last, last - 1.0) as i32
}

/// The exponent of the greatest power of two that is not above `n`; 0 for 0.
fn binary_bin(n: u32) -> i32 {
    n.checked_ilog2().unwrap_or(0) as i32
}

fn year_bin(year: i16) -> i32 {
    i32::from(year).clamp(*YEARS.start(), *YEARS.end())
}

/// Adds 1 to the count of a name.
pub fn count(counts: &mut Counts, name: &str) {
    add(counts, name, 1);
}

/// Adds to the count of a name.
pub fn add(counts: &mut Counts, name: &str, n: u64) {
    match counts.get_mut(name) {
        Some(sum) => *sum += n,
        None if n > 0 => drop(counts.insert(name.to_string(), n)),
        None => {}
    }
}

fn add_groups<K: Ord + Clone>(ours: &mut BTreeMap<K, Counts>, theirs: &BTreeMap<K, Counts>) {
    for (key, counts) in theirs {
        let sums = ours.entry(key.clone()).or_default();
        counts.iter().for_each(|(name, n)| add(sums, name, *n));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::page::metadata::PublishedSource;

    fn document(number: u32) -> Document {
        let kept = !number.is_multiple_of(3);
        Document {
            doc: u64::from(number),
            url: format!("http://h{}.example/{number}", number % 5),
            charset: if number.is_multiple_of(2) { "UTF-8".into() } else { "windows-1252".into() },
            captured: Some(1_700_000_000_000_000 + i64::from(number) * 86_400_000_000),
            published: (!number.is_multiple_of(4)).then_some(19_000 - number as i32 * 30),
            published_source: (!number.is_multiple_of(4)).then_some(PublishedSource::Meta),
            words: number * 37,
            cluster_size: 1 + number % 4,
            keeper: (!kept).then_some(1),
            similarity: (!kept).then_some(0.8 + number as f32 * 1e-3),
            drop_reason: if kept { DropReason::None } else { DropReason::NearDuplicate },
            kept,
            ..Document::default()
        }
    }

    fn rows(document: &Document, boilerplate: bool) -> Vec<Paragraph> {
        (0..6)
            .map(|index| Paragraph {
                doc: document.doc,
                index: 2 * index + u32::from(boilerplate),
                text: format!("Paragraph {index} of {}", document.url),
                boilerplate,
                score: Some((index as f32 - 2.5) * 1.7 + document.doc as f32 * 0.01),
                seen_share: (!boilerplate).then_some(index as f32 / 5.0),
                kept: document.kept && !boilerplate,
                drop_reason: match (boilerplate, document.kept) {
                    (true, _) => DropReason::Boilerplate,
                    (false, true) => DropReason::None,
                    (false, false) => DropReason::Document,
                },
                ..Paragraph::default()
            })
            .collect()
    }

    fn figures_of(numbers: &[u32]) -> Figures {
        let mut figures = Figures::default();
        for &number in numbers {
            let document = document(number);
            figures.page(&document, &[rows(&document, true), rows(&document, false)].concat());
            figures.document(&document, &rows(&document, false));
            figures.cluster(document.cluster_size);
            document.similarity.into_iter().for_each(|similarity| figures.near_duplicate(similarity));
        }
        figures
    }

    proptest! {
        #[test]
        fn sums_do_not_depend_on_the_tasks(bounds in prop::collection::vec(0..60u32, 0..6)) {
            let whole = figures_of(&(0..60).collect::<Vec<_>>());
            let mut bounds = bounds;
            bounds.extend([0, 60]);
            bounds.sort_unstable();
            let mut sum = Figures::default();
            for bounds in bounds.windows(2).rev() {
                sum.add(&figures_of(&(bounds[0]..bounds[1]).collect::<Vec<_>>()));
            }
            prop_assert_eq!(sum, whole);
        }
    }

    #[test]
    fn figures_count_what_is_there() {
        let figures = figures_of(&(0..60).collect::<Vec<_>>());
        let sum = |bins: &CountsByBin| bins.values().flat_map(BTreeMap::values).sum::<u64>();
        assert_eq!((sum(&figures.lengths), sum(&figures.captured), sum(&figures.published)), (40, 40, 30));
        assert_eq!((sum(&figures.scores), sum(&figures.seen), sum(&figures.similarities)), (720, 360, 20));
        let clusters: Vec<(i32, u64)> =
            figures.clusters.iter().map(|(bin, counts)| (*bin, counts["clusters"])).collect();
        assert_eq!(clusters, [(0, 15), (1, 30), (2, 15)]);
        assert_eq!(figures.outcomes["und"], BTreeMap::from([("kept".into(), 40), ("near_duplicate".into(), 20)]));
        assert_eq!(figures.charsets.len(), 2);
        let names: Vec<&str> = figures.samples.keys().map(String::as_str).collect();
        assert_eq!(names, ["boilerplate", "kept", "near_duplicate"]);
        assert!(figures.samples.values().all(|samples| samples.values().count() == SAMPLES));
        assert_eq!(figures.barely_content.values().count(), EDGES);
        let json = serde_json::to_string(&figures).unwrap();
        assert_eq!(serde_json::from_str::<Figures>(&json).unwrap(), figures);
    }

    #[test]
    fn odd_values_have_bins() {
        assert_eq!([f32::NEG_INFINITY, -0.1, 0.0, 0.49, 0.5, 1e9, f32::NAN].map(score_bin), [-16, -1, 0, 0, 1, 15, 0]);
        assert_eq!([0, 1, 2, 3, 4, u32::MAX].map(binary_bin), [0, 0, 1, 1, 2, 31]);
    }
}
