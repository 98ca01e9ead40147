//! Features of the blocks of a page, kept and dropped.

use memchr::{memchr2, memchr3};

use super::assessment_row::{AssessmentRow, share};
use super::word_groups::{GroupCounts, LABEL_PHRASES, NAMES, phrase_hash};
use crate::clean::main_content::threshold::PROBABILITY_LENGTH_OFFSET;
use crate::clean::{PageProfile, indicator};
use crate::page::blocks::{Block, BlockKind};
use crate::portable_math::logistic;

/// A block with the margin of the decision about it: log-odds that it is content, less the threshold of the page.
#[derive(Debug, Clone, Copy)]
pub struct Judged<'a> {
    pub block: &'a Block,
    pub kept: bool,
    /// None from cleaners that do not score.
    pub margin: Option<f32>,
    pub stopwords: f32,
}

/// Kinds whose number is a feature.
const KINDS: [BlockKind; 14] = [
    BlockKind::P,
    BlockKind::H1,
    BlockKind::H2,
    BlockKind::H3,
    BlockKind::H4,
    BlockKind::Li,
    BlockKind::Td,
    BlockKind::Th,
    BlockKind::Dt,
    BlockKind::Dd,
    BlockKind::Pre,
    BlockKind::Blockquote,
    BlockKind::Figcaption,
    BlockKind::Other,
];
/// Characters of blocks that may be labels, dates, prices.
const LABEL_BELOW: u32 = 40;
const DATE_BELOW: u32 = 80;
const PRICE_BELOW: u32 = 200;

/// Sums over some blocks.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    blocks: f32,
    characters: f32,
    linked: f32,
    links: f32,
    stopwords: f32,
    longest: f32,
    above_100: f32,
    above_300: f32,
    below_30: f32,
    prices: f32,
    dates: f32,
    questions: f32,
    headings: f32,
}

impl Sums {
    fn add(&mut self, judged: &Judged<'_>, marks: Marks) {
        let block = judged.block;
        let characters = block.characters as f32;
        self.blocks += 1.0;
        self.characters += characters;
        self.linked += block.link_characters as f32;
        self.links += block.links as f32;
        self.stopwords += characters * judged.stopwords;
        self.longest = self.longest.max(characters);
        self.above_100 += indicator(block.characters > 100);
        self.above_300 += indicator(block.characters > 300);
        self.below_30 += indicator(block.characters < 30);
        self.prices += indicator(marks.price);
        self.dates += indicator(marks.date);
        self.questions += indicator(marks.question);
        self.headings += indicator(block.heading);
    }

    fn push(&self, row: &mut AssessmentRow, of: &str) {
        let names = [
            "blocks",
            "characters",
            "links",
            "longest",
            "above_100",
            "above_300",
            "prices",
            "dates",
            "questions",
            "headings",
            "link_share",
            "stopwords",
            "mean",
            "short_share",
            "price_share",
            "date_share",
            "headings_share",
        ];
        let Sums { blocks, characters, .. } = *self;
        let values = [
            blocks,
            characters,
            self.links,
            self.longest,
            self.above_100,
            self.above_300,
            self.prices,
            self.dates,
            self.questions,
            self.headings,
            share(self.linked, characters),
            share(self.stopwords, characters),
            share(characters, blocks),
            share(self.below_30, blocks),
            share(self.prices, blocks),
            share(self.dates, blocks),
            share(self.headings, characters),
        ];
        row.all(of, names, &values);
    }
}

/// What a short block holds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Marks {
    price: bool,
    date: bool,
    question: bool,
}

impl Marks {
    fn of(block: &Block) -> Marks {
        Marks {
            price: block.characters < PRICE_BELOW && has_price(&block.text),
            date: block.characters < DATE_BELOW && has_year(block.text.as_bytes()),
            question: block.text.ends_with(['?', '？']),
        }
    }
}

/// Whether a sign of a currency stands beside a digit.
fn has_price(text: &str) -> bool {
    // The first bytes of the signs: most blocks have none of them.
    if memchr3(b'$', 0xc2, 0xe2, text.as_bytes()).is_none() {
        return false;
    }
    text.match_indices(['$', '€', '£', '¥', '₹']).any(|(at, sign)| {
        let before = text.get(..at).unwrap_or_default().trim_end_matches([' ', '\u{a0}']);
        let after = text.get(at + sign.len()..).unwrap_or_default().trim_start_matches([' ', '\u{a0}']);
        before.ends_with(|c: char| c.is_ascii_digit()) || after.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// Whether a number from 1900 to 2099 stands in a text.
fn has_year(bytes: &[u8]) -> bool {
    if memchr2(b'1', b'2', bytes).is_none() {
        return false;
    }
    let runs = bytes.split(|byte| !byte.is_ascii_digit());
    runs.into_iter().any(|run| run.len() == 4 && (run.starts_with(b"19") || run.starts_with(b"20")))
}

/// Appends the features of the blocks.
pub fn push(row: &mut AssessmentRow, blocks: &[Judged<'_>], profile: &PageProfile) {
    let (mut all, mut kept, mut kinds) = (Sums::default(), Sums::default(), [0.0; KINDS.len()]);
    let (mut labels, mut hidden, mut depth) = (GroupCounts::default(), 0.0, 0);
    for (judged, words) in blocks.iter().zip(profile.assessment_words()) {
        let (block, marks) = (judged.block, Marks::of(judged.block));
        all.add(judged, marks);
        if judged.kept {
            kept.add(judged, marks);
        }
        if let Some(place) = KINDS.iter().position(|kind| *kind == block.kind) {
            kinds.get_mut(place).into_iter().for_each(|count| *count += 1.0);
        }
        if block.characters < LABEL_BELOW {
            labels.add(LABEL_PHRASES.of_word(phrase_hash(words)));
        }
        hidden += indicator(block.hidden);
        depth = depth.max(block.list_depth);
    }
    all.push(row, "all");
    kept.push(row, "kept");
    row.push("kept_share", share(kept.blocks, all.blocks));
    row.push("kept_characters_share", share(kept.characters, all.characters));
    row.all("kind", KINDS.map(BlockKind::name), &kinds);
    row.all("kind_share", KINDS.map(BlockKind::name), &kinds.map(|count| share(count, all.blocks)));
    row.all("label", NAMES, &labels.0);
    row.push("hidden", hidden);
    row.push("list_depth", f32::from(depth));
    extent(row, blocks);
}

/// Where the kept blocks stand, and what was dropped between them.
fn extent(row: &mut AssessmentRow, blocks: &[Judged<'_>]) {
    let first = blocks.iter().position(|judged| judged.kept).unwrap_or(0);
    let end = blocks.iter().rposition(|judged| judged.kept).map_or(0, |last| last + 1);
    let inside = blocks.get(first..end).unwrap_or_default();
    let dropped = inside.iter().filter(|judged| !judged.kept);
    let (mut holes, mut hole_characters) = (0.0, 0.0);
    for judged in dropped {
        holes += 1.0;
        hole_characters += judged.block.characters as f32;
    }
    let starts = inside.windows(2).filter(|pair| matches!(pair, [a, b] if !a.kept && b.kept)).count();
    let (all, inside) = (blocks.len() as f32, inside.len() as f32);
    let names = ["first", "span", "runs", "density", "dropped", "behind"];
    let values = [
        share(first as f32, all),
        share(inside, all),
        starts as f32,
        share(inside - holes, inside),
        hole_characters,
        all - end as f32,
    ];
    row.all("extent", names, &values);
}

/// Appends what the margins tell of the quality of the decisions; zeros without margins.
pub fn push_margins(row: &mut AssessmentRow, blocks: &[Judged<'_>]) {
    let (mut expected, mut content, mut length, mut doubtful, mut missed) = (0.0f32, 0.0f32, 0.0f32, 0.0f32, 0.0f32);
    let (mut kept_margin, mut kept_blocks, mut lost_blocks) = (0.0f32, 0.0f32, 0.0f32);
    for judged in blocks {
        let Some(margin) = judged.margin else { continue };
        let (p, weight) = (logistic(margin), judged.block.characters as f32 + PROBABILITY_LENGTH_OFFSET);
        expected += p * weight;
        doubtful += if margin.abs() < 1.0 { weight } else { 0.0 };
        if judged.kept {
            content += p * weight;
            length += weight;
            kept_margin += margin.min(6.0) * weight;
            kept_blocks += p;
        } else {
            missed = missed.max(p * weight);
            lost_blocks += p;
        }
    }
    let names = ["precision", "recall", "f1", "doubtful", "margin", "missed", "kept", "lost", "length"];
    let values = [
        share(content, length),
        share(content, expected),
        share(2.0 * content, length + expected),
        share(doubtful, length),
        share(kept_margin, length),
        share(missed, length),
        kept_blocks,
        lost_blocks,
        length,
    ];
    row.all("margin", names, &values);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_and_years_are_seen() {
        assert!(has_price("from $ 9.99") && has_price("12,50 €") && has_price("€5"));
        assert!(!has_price("US$") && !has_price("12 EUR") && !has_price("a € b"));
        assert!(has_year(b"3 May 2019") && !has_year(b"12019") && !has_year(b"2100x1800"));
    }

    #[test]
    fn margins_tell_what_to_expect() {
        let block = |characters| Block { characters, ..Block::default() };
        let (long, short) = (block(980), block(30));
        let judged = |block, margin: f32| Judged { block, kept: margin > 0.0, margin: Some(margin), stopwords: 0.0 };
        let mut sure = AssessmentRow { names: Some(Vec::new()), ..AssessmentRow::default() };
        push_margins(&mut sure, &[judged(&long, 6.0), judged(&short, -6.0)]);
        let mut unsure = AssessmentRow::default();
        push_margins(&mut unsure, &[judged(&long, 0.1), judged(&long, -0.1)]);
        assert!(sure.values[2] > 0.99 && unsure.values[2] < 0.6, "{sure:?} {unsure:?}");
        let mut none = AssessmentRow::default();
        push_margins(&mut none, &[]);
        assert!(none.values.iter().all(|value| *value == 0.0) && sure.names.unwrap().len() == none.values.len());
    }
}
