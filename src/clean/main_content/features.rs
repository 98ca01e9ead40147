//! The features of a block for the first stage: its text, its position, its containers, its neighbours.
//!
//! Rows have the order of [`names()`]; the model knows features by their index.

use std::ops::Range;

use super::container_names;
use super::feature_columns::{FeatureColumns, FeatureRow};
use super::feature_groups::FeatureGroup;
use super::page_context::{BlockSums, ContainerStats, ELEMENTS, PageContext, value_at};
use super::page_features::{self, page_features};
use crate::clean::indicator;
use crate::page::blocks::{Block, BlockKind};

/// Levels up at which the sums of containers are features.
const LEVELS: [usize; 4] = [0, 1, 2, 4];
/// Neighbours with features of their own, as distances in blocks.
const STEPS: [isize; 6] = [-3, -2, -1, 1, 2, 3];
/// Number of blocks on either side that are summed up.
const WINDOW: usize = 6;
/// Number of blocks before a block in which its heading is searched for.
const MAX_SECTION: usize = 30;
/// Number of features before those of the page.
const BEFORE_PAGE: usize = 29;
/// How often a text counts on a page, at most.
const MOST_RECURRENCES: u32 = 65_535;
const ELEMENT_NAMES: [&str; ELEMENTS.len()] =
    ["article", "main", "aside", "nav", "footer", "header", "form", "table", "quote", "li"];

/// Makes the features of a page's blocks one by one.
pub struct Features<'a> {
    page_context: &'a PageContext<'a>,
    page_features: Vec<f32>,
    /// Sums over all blocks before each block.
    before: Vec<BlockSums>,
    /// Index of the last heading before each block, and the number of blocks since.
    headings: Vec<Option<(usize, usize)>>,
}

impl<'a> Features<'a> {
    /// Prepares the features that need the whole page.
    pub fn new(page_context: &'a PageContext<'a>) -> Features<'a> {
        let mut sum = BlockSums::default();
        let so_far = |own: &BlockSums| {
            let before = sum;
            sum.add(own);
            before
        };
        let mut last: Option<usize> = None;
        let heading = |(at, block): (usize, &Block)| {
            let before = last.map(|heading| (heading, at - heading));
            last = if block.heading { Some(at) } else { last };
            before
        };
        Features {
            before: page_context.block_sums.iter().map(so_far).collect(),
            headings: page_context.page.blocks.iter().enumerate().map(heading).collect(),
            page_features: page_features(page_context),
            page_context,
        }
    }

    /// Sets the features of the page in all rows, which [`Features::describe`] leaves as they are.
    pub fn describe_page(&self, columns: &mut FeatureColumns) {
        columns.fill(BEFORE_PAGE, &self.page_features);
    }

    /// Appends the features of a block, in the order of [`names()`].
    pub fn describe(&self, block: usize, row: &mut FeatureRow<'_>) {
        text_of_block(self.page_context, block, row);
        position(self.page_context, block, &value_at(&self.before, block), row);
        row.skip(self.page_features.len());
        containers(self.page_context, block, value_at(&self.headings, block), row);
        neighbours(self.page_context, block, row);
    }
}

/// The features of the page, which are the same for all blocks.
pub fn of_page() -> Range<usize> {
    BEFORE_PAGE..BEFORE_PAGE + page_features::names().len()
}

/// Names of the features, each with the group that reasons name it by.
pub fn names() -> Vec<(String, FeatureGroup)> {
    let mut all = Vec::new();
    let mut group =
        |group: FeatureGroup, names: &[&str]| all.extend(names.iter().map(|name| (String::from(*name), group)));
    group(FeatureGroup::Length, &["length", "words"]);
    group(FeatureGroup::Links, &["links", "links_per_word"]);
    group(FeatureGroup::StopWords, &["stopwords"]);
    group(FeatureGroup::Sentences, &["commas", "stops", "stops_per_word", "ending"]);
    group(FeatureGroup::Form, &["capitals", "digits", "word_length", "separators"]);
    group(FeatureGroup::Element, &["inline", "kind", "heading", "hidden"]);
    group(FeatureGroup::Repetition, &["repeats", "repeated"]);
    group(FeatureGroup::Title, &["title", "title_share"]);
    group(
        FeatureGroup::Position,
        &["index", "from_end", "index_share", "text_before", "prose_share_before", "prose_before"],
    );
    group(FeatureGroup::Position, &["prose_after", "after_h1"]);
    all.extend(page_features::names().into_iter().map(|name| (name, FeatureGroup::Page)));
    let mut own = |name: String, group: FeatureGroup| all.push((name, group));
    container_names::ALL.iter().for_each(|one| own(format!("up_{one:?}"), FeatureGroup::Names));
    ELEMENT_NAMES.iter().for_each(|name| own(format!("in_{name}"), FeatureGroup::Container));
    ["depth", "list_depth", "row"].iter().for_each(|name| own((*name).into(), FeatureGroup::Container));
    for level in 0..4 {
        ["mean", "low", "high"].iter().for_each(|name| own(format!("name{level}_{name}"), FeatureGroup::Names));
    }
    ["name_lowest", "name_highest"].iter().for_each(|name| own((*name).into(), FeatureGroup::Names));
    ["word", "word_low", "word_high"].iter().for_each(|name| own((*name).into(), FeatureGroup::Words));
    ["head_word", "head_low", "head_high", "to_head"]
        .iter()
        .for_each(|name| own((*name).into(), FeatureGroup::Section));
    for level in LEVELS {
        for name in ["blocks", "length", "links", "prose", "share", "own", "score"] {
            own(format!("c{level}_{name}"), FeatureGroup::Container);
        }
    }
    ["best_up", "best_down"].iter().for_each(|name| own((*name).into(), FeatureGroup::Container));
    for level in 0..3 {
        ["count", "length", "links", "prose"]
            .iter()
            .for_each(|name| own(format!("alike{level}_{name}"), FeatureGroup::Alike));
    }
    for step in STEPS {
        for name in ["length", "links", "ending", "kind"] {
            own(format!("n{step}_{name}"), FeatureGroup::Neighbours);
        }
    }
    ["prose_before", "prose_after", "links_before", "links_after"]
        .iter()
        .for_each(|name| own(format!("window_{name}"), FeatureGroup::Neighbours));
    all
}

fn text_of_block(page_context: &PageContext<'_>, block: usize, row: &mut FeatureRow<'_>) {
    let (Some(b), Some(s)) = (page_context.page.blocks.get(block), page_context.text_features.get(block)) else {
        return;
    };
    let per_word = |n: f32| n / s.words.max(1.0);
    let recurrence = value_at(&page_context.recurrences, block);
    let [repeats, repeated] = [recurrence.all, recurrence.before].map(|count| count.min(MOST_RECURRENCES) as f32);
    let (title, title_share) = value_at(&page_context.title_overlap, block);
    let own = value_at(&page_context.block_sums, block);
    row.extend([
        s.length,
        s.words,
        s.links,
        per_word(b.links as f32),
        own.stopwords / own.words.max(1.0),
        per_word(s.commas),
        s.stops,
        per_word(s.stops),
        s.ending,
        per_word(s.capitals),
        s.digits / b.characters.max(1) as f32,
        s.length / s.words.max(1.0),
        s.separators,
        per_word(b.inline_tags as f32),
        kind(b.kind),
        indicator(b.heading),
        indicator(b.hidden),
        repeats,
        repeated,
        title,
        title_share,
    ]);
}

fn position(page_context: &PageContext<'_>, block: usize, before: &BlockSums, row: &mut FeatureRow<'_>) {
    let (n, total) = (page_context.page.blocks.len() as f32, &page_context.total);
    let here = block as f32;
    row.extend([
        here,
        n - here,
        here / n,
        before.length / total.length.max(1.0),
        before.prose / total.prose.max(1.0),
        before.prose,
        total.prose - before.prose,
        page_context.first_heading.map_or(-999.0, |first| here - first as f32),
    ]);
}

fn containers(page_context: &PageContext<'_>, block: usize, heading: Option<(usize, usize)>, row: &mut FeatureRow<'_>) {
    let Some(b) = page_context.page.blocks.get(block) else { return };
    let container = b.container as usize;
    let nearest = page_context.container(container);
    row.extend(nearest.nearest.map(f32::from));
    row.extend([f32::from(nearest.depth), f32::from(b.list_depth), f32::from(b.cell.0)]);
    let around = page_context.levels(container);
    for stats in around.iter().take(4) {
        let weights = stats.name_weights;
        row.extend([weights.mean, weights.low, weights.high]);
    }
    row.extend([nearest.lowest, nearest.highest]);
    let words = value_at(&page_context.word_weights, block);
    row.extend([words.mean, words.low, words.high]);
    let head = heading.filter(|&(_, steps)| steps <= MAX_SECTION);
    let words = head.map(|(at_heading, _)| value_at(&page_context.word_weights, at_heading)).unwrap_or_default();
    row.extend([words.mean, words.low, words.high, head.map_or(99.0, |(_, steps)| steps as f32)]);
    let (own, best) = (
        value_at(&page_context.block_sums, block),
        page_context.container(page_context.main_container).score.max(1e-6),
    );
    for level in LEVELS {
        let Some(ContainerStats { sums, score, .. }) = around.get(level) else { continue };
        row.extend([
            sums.blocks,
            sums.length,
            sums.link_density(),
            sums.prose_density(),
            sums.prose / page_context.total.prose.max(1.0),
            own.length / sums.length.max(1.0),
            score / best,
        ]);
    }
    let (up, down) = page_context.path_to_main(container);
    row.extend([up, down]);
    for stats in around.iter().take(3) {
        let similar = stats.similar;
        let each = similar.length / similar.blocks.max(1.0);
        row.extend([similar.blocks, each, similar.link_density(), similar.prose_density()]);
    }
}

fn neighbours(page_context: &PageContext<'_>, block: usize, row: &mut FeatureRow<'_>) {
    let n = page_context.page.blocks.len();
    for step in STEPS {
        let other = block.checked_add_signed(step).filter(|&other| other < n);
        let Some((other, s)) = other.and_then(|other| Some((other, page_context.text_features.get(other)?))) else {
            row.extend([-1.0; 4]);
            continue;
        };
        row.extend([s.length, s.links, s.ending, kind(page_context.kind(other))]);
    }
    // Only what is asked for below.
    let window = |from: usize, to: usize| {
        let mut sums = BlockSums::default();
        for own in page_context.block_sums.get(from..to.min(n)).unwrap_or_default() {
            sums.length += own.length;
            sums.linked += own.linked;
            sums.prose += own.prose;
        }
        sums
    };
    let (before, after) = (window(block.saturating_sub(WINDOW), block), window(block + 1, block + 1 + WINDOW));
    row.extend([before.prose, after.prose, before.link_density(), after.link_density()]);
}

/// A kind of block as a number: text first, headings last.
fn kind(kind: BlockKind) -> f32 {
    f32::from(match kind {
        BlockKind::P => 0u8,
        BlockKind::Blockquote => 1,
        BlockKind::Pre => 2,
        BlockKind::Other => 3,
        BlockKind::Td => 4,
        BlockKind::Th => 5,
        BlockKind::Dd => 6,
        BlockKind::Dt => 7,
        BlockKind::Li => 8,
        BlockKind::Caption | BlockKind::Figcaption => 9,
        BlockKind::H1 => 10,
        BlockKind::H2 => 11,
        BlockKind::H3 => 12,
        BlockKind::H4 => 13,
        BlockKind::H5 => 14,
        BlockKind::H6 => 15,
        BlockKind::Summary | BlockKind::Legend | BlockKind::Address => 16,
    })
}

#[cfg(test)]
mod tests {
    use super::super::feature_columns::FeatureColumns;
    use super::super::lexicon::Lexica;
    use super::*;
    use crate::clean::PageProfile;
    use crate::page::blocks::{Options, page};

    #[test]
    fn the_features_of_the_page_have_their_place() {
        let places: Vec<usize> =
            (0..).zip(names()).filter(|(_, (_, group))| *group == FeatureGroup::Page).map(|(at, _)| at).collect();
        assert_eq!(places, of_page().collect::<Vec<_>>());
    }

    #[test]
    fn every_feature_has_its_name() {
        let page = page("<title>A b</title><h1>A</h1><p>Some text. More of it.<ul><li>x", &Options::default());
        let page_context = PageContext::new(&page, &PageProfile::of(&page), &[0.0; 3], &Lexica::default());
        let features = Features::new(&page_context);
        for block in 0..page.blocks.len() {
            let mut columns = FeatureColumns::default();
            features.describe_page(&mut columns);
            let mut row = columns.row(0, 0);
            features.describe(block, &mut row);
            assert_eq!(row.features().len(), names().len());
        }
    }
}
