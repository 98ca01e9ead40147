//! The features of a block for the second stage: the scores that the first stage gave to it and to the blocks around
//! it.

use super::feature_columns::FeatureRow;
use super::feature_groups::FeatureGroup;
use super::page_context::{BlockSums, ContainerStats, PageContext, value_at};
use crate::clean::add_to_parents;
use crate::hash::{SeededMap, combine};
use crate::page::blocks::Container;

/// Score above which a block counts as content when distances to content are measured.
const CONTENT_SCORE: f32 = 0.5;
/// Feature values that mean "none": for a score, a number of blocks, a number of characters.
const NO_SCORE: f32 = -9.0;
const NO_BLOCKS: f32 = 99.0;
const NO_CHARACTERS: f32 = 9999.0;
/// Added to each block's length in means of scores, so that short ones count.
const SCORE_LENGTH_OFFSET: f32 = 5.0;
const STEPS: [isize; 8] = [-4, -3, -2, -1, 1, 2, 3, 4];
const WIDTHS: [usize; 2] = [3, 10];
/// Levels of containers with features; the first three also have the highest weight in them.
const LEVELS: usize = 5;
const BEST_LEVELS: usize = 3;

/// A sum over blocks weighted by their length.
#[derive(Debug, Clone, Copy, Default)]
struct WeightedSum {
    length: f32,
    /// Sum of weight times length; a weight is a score from 0 to 1.
    content: f32,
    /// Highest weight.
    most: f32,
    blocks: f32,
}

impl WeightedSum {
    fn add(&mut self, other: &WeightedSum) {
        self.length += other.length;
        self.content += other.content;
        self.blocks += other.blocks;
        self.most = self.most.max(other.most);
    }

    fn without(self, one: &WeightedSum) -> WeightedSum {
        WeightedSum {
            length: self.length - one.length,
            content: self.content - one.content,
            blocks: self.blocks - one.blocks,
            most: self.most,
        }
    }

    /// Mean weight; -1 for no blocks.
    fn share(&self) -> f32 {
        if self.blocks < 0.5 { -1.0 } else { self.content / self.length.max(1.0) }
    }
}

/// The blocks of a page with the scores of the first stage.
pub struct ScoreContext<'a> {
    page_context: &'a PageContext<'a>,
    /// Scores of the first stage.
    scores: &'a [f32],
    /// Sums of each block alone.
    blocks: Vec<WeightedSum>,
    /// Sum over all blocks.
    page: WeightedSum,
    /// Sums over each container.
    containers: Vec<WeightedSum>,
    /// Sums over containers of the same name, by key.
    by_name: SeededMap<u64, WeightedSum>,
    /// Two keys for each container: of its name with its parent's, and of its parent's with the next one's.
    keys: Vec<[u64; 2]>,
    /// For each block the sum over its section, and the score of the section's heading.
    sections: Vec<(WeightedSum, f32)>,
    /// Blocks and characters to the nearest content before and after each block.
    before: Vec<[f32; 2]>,
    after: Vec<[f32; 2]>,
    /// Weighted content before each block.
    content_before: Vec<f32>,
}

/// Names of the features, each with the group that reasons name it by. The first is the block's own score.
pub fn names() -> Vec<(String, FeatureGroup)> {
    let mut names = vec![(String::from("own"), FeatureGroup::Own)];
    let mut add = |name: String, group: FeatureGroup| names.push((name, group));
    STEPS.iter().for_each(|step| add(format!("s{step}"), FeatureGroup::Neighbours));
    for width in WIDTHS {
        ["before", "after"].iter().for_each(|name| add(format!("{name}{width}"), FeatureGroup::Neighbours));
    }
    for level in 0..LEVELS {
        add(format!("k{level}_share"), FeatureGroup::Container);
        add(format!("k{level}_part"), FeatureGroup::Container);
        if level < BEST_LEVELS {
            add(format!("k{level}_most"), FeatureGroup::Container);
        }
    }
    ["like0_share", "like0_n", "like1_share", "like1_n"]
        .iter()
        .for_each(|name| add((*name).into(), FeatureGroup::Alike));
    ["section", "section_length", "section_head"].iter().for_each(|name| add((*name).into(), FeatureGroup::Section));
    ["page_share", "page_good", "page_most"].iter().for_each(|name| add((*name).into(), FeatureGroup::Page));
    ["good_before", "good_after", "steps_before", "way_before", "steps_after", "way_after"]
        .iter()
        .for_each(|name| add((*name).into(), FeatureGroup::Position));
    names
}

/// Score → weight, 0 to 1. Linear: a logistic curve is not rounded the same on all machines.
fn score_to_weight(score: f32) -> f32 {
    (0.5 + score / 6.0).clamp(0.0, 1.0)
}

impl<'a> ScoreContext<'a> {
    /// Sums up the scores of the first stage.
    pub fn new(page_context: &'a PageContext<'a>, scores: &'a [f32]) -> ScoreContext<'a> {
        let weigh = |(sums, &score): (&BlockSums, &f32)| {
            let length = sums.length + SCORE_LENGTH_OFFSET;
            WeightedSum { length, content: length * score_to_weight(score), most: score_to_weight(score), blocks: 1.0 }
        };
        let blocks: Vec<WeightedSum> = page_context.block_sums.iter().zip(scores).map(weigh).collect();
        let content: Vec<bool> = scores.iter().map(|&score| score > CONTENT_SCORE).collect();
        let mut so_far = 0.0;
        let content_before = |block: &WeightedSum| {
            let before = so_far;
            so_far += block.content;
            before
        };
        let mut context = ScoreContext {
            page_context,
            scores,
            page: WeightedSum::default(),
            containers: vec![WeightedSum::default(); page_context.containers.len()],
            by_name: SeededMap::default(),
            keys: keys(page_context),
            sections: sections(page_context, scores, &blocks),
            before: distances(content.iter().zip(&blocks)),
            after: {
                let mut after = distances(content.iter().zip(&blocks).rev());
                after.reverse();
                after
            },
            content_before: blocks.iter().map(content_before).collect(),
            blocks,
        };
        context.sum_containers();
        context
    }

    /// Sums over containers and over their names.
    fn sum_containers(&mut self) {
        for (at_block, block) in self.blocks.iter().enumerate() {
            let container = self.page_context.container_of(at_block);
            self.page.add(block);
            if let Some(sum) = self.containers.get_mut(container) {
                sum.add(block);
            }
            for key in value_at(&self.keys, container) {
                self.by_name.entry(key).or_default().add(block);
            }
        }
        add_to_parents(&mut self.containers, &self.page_context.page.containers, WeightedSum::add);
    }

    /// Appends the features of a block, in the order of [`names()`].
    pub fn describe(&self, block: usize, row: &mut FeatureRow<'_>) {
        let content_before = value_at(&self.content_before, block);
        let own = value_at(&self.blocks, block);
        let score = |step: isize| block.checked_add_signed(step).and_then(|other| self.scores.get(other));
        row.push(value_at(self.scores, block));
        row.extend(STEPS.map(|step| score(step).copied().unwrap_or(NO_SCORE)));
        for width in WIDTHS {
            row.push(self.window(block.saturating_sub(width), block));
            row.push(self.window(block + 1, block + 1 + width));
        }
        let all_content = self.page.content.max(1.0);
        let container = self.page_context.container_of(block);
        let mut around = container;
        for level in 0..LEVELS {
            let sum = value_at(&self.containers, around);
            let others = sum.without(&own);
            row.extend([others.share(), others.content / all_content]);
            if level < BEST_LEVELS {
                row.push(sum.most);
            }
            around = self.page_context.ancestor(around, 1);
        }
        for key in value_at(&self.keys, container) {
            let others = self.by_name.get(&key).copied().unwrap_or_default().without(&own);
            row.extend([others.share(), others.blocks]);
        }
        let (section, heading_score) = value_at(&self.sections, block);
        row.extend([section.share(), section.length, heading_score]);
        row.extend([self.page.share(), self.page.content, self.page.most]);
        row.extend([content_before / all_content, (self.page.content - content_before) / all_content]);
        row.extend(value_at(&self.before, block));
        row.extend(value_at(&self.after, block));
    }

    /// Mean weight of a range of blocks.
    fn window(&self, from: usize, to: usize) -> f32 {
        let mut sum = WeightedSum::default();
        let to = to.min(self.blocks.len());
        self.blocks.get(from.min(to)..to).unwrap_or_default().iter().for_each(|block| sum.add(block));
        sum.share()
    }
}

/// The keys of each container in [`ScoreContext::by_name`].
fn keys(page_context: &PageContext<'_>) -> Vec<[u64; 2]> {
    let name = |(c, stats): (&Container<'_>, &ContainerStats)| combine(&[c.tag as u64, stats.class]);
    let names: Vec<u64> = page_context.page.containers.iter().zip(&page_context.containers).map(name).collect();
    let up = |container: usize| page_context.ancestor(container, 1);
    (0..names.len())
        .map(|own| {
            let (parent, around) = (value_at(&names, up(own)), value_at(&names, up(up(own))));
            [combine(&[0, value_at(&names, own), parent]), combine(&[1, parent, around])]
        })
        .collect()
}

/// For each block the sum over its section, which runs from heading to heading, and the score of the heading.
fn sections(page_context: &PageContext<'_>, scores: &[f32], blocks: &[WeightedSum]) -> Vec<(WeightedSum, f32)> {
    let mut all = Vec::with_capacity(blocks.len());
    let headed = |at: &usize| *at > 0 && page_context.page.blocks.get(*at).is_some_and(|b| b.kind.is_heading());
    let mut from = 0;
    while from < blocks.len() {
        let to = (from + 1..blocks.len()).find(headed).unwrap_or(blocks.len());
        let mut sum = WeightedSum::default();
        blocks.get(from..to).unwrap_or_default().iter().for_each(|block| sum.add(block));
        let heading_score = if from > 0 { value_at(scores, from) } else { NO_SCORE };
        all.resize(to, (sum, heading_score));
        from = to;
    }
    all
}

/// Blocks and characters since the last content, for each block.
fn distances<'b>(blocks: impl Iterator<Item = (&'b bool, &'b WeightedSum)>) -> Vec<[f32; 2]> {
    let mut since = [NO_BLOCKS, NO_CHARACTERS];
    blocks
        .map(|(&content, block)| {
            let here = since;
            since = if content { [0.0, 0.0] } else { [since[0] + 1.0, since[1] + block.length] };
            here
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::feature_columns::FeatureColumns;
    use super::super::lexicon::Lexica;
    use super::*;
    use crate::clean::PageProfile;
    use crate::page::blocks::{Options, page};

    #[test]
    fn every_feature_has_its_name() {
        let page = page("<h1>A</h1><p>Some text.<ul><li>x", &Options::default());
        let page_context = PageContext::new(&page, &PageProfile::of(&page), &[0.0; 3], &Lexica::default());
        let scores = [0.5, -1.0, 2.0];
        let context = ScoreContext::new(&page_context, &scores);
        for block in 0..scores.len() {
            let mut columns = FeatureColumns::default();
            let mut row = columns.row(0, 0);
            context.describe(block, &mut row);
            assert_eq!(row.features().len(), names().len());
        }
    }

    #[test]
    fn distances_count_from_the_last_content() {
        let blocks = [WeightedSum { length: 5.0, ..WeightedSum::default() }; 4];
        let far = distances([false, true, false, false].iter().zip(&blocks));
        assert_eq!(far, [[NO_BLOCKS, NO_CHARACTERS], [NO_BLOCKS + 1.0, NO_CHARACTERS + 5.0], [0.0, 0.0], [1.0, 5.0]]);
    }
}
