//! What stands around a block, once each block has been judged by itself: the second stage's features.

use fxhash::FxHashMap;

use super::reason::Group;
use super::row::Row;
use super::scene::{Scene, at};
use crate::hash::{combine, hash64};
use crate::page::blocks::Container;

/// Score from which a block counts as content when distances to such are measured.
const CONTENT: f32 = 0.5;
/// Stands for "none": a score, a number of blocks, a number of characters.
const NO_SCORE: f32 = -9.0;
const NO_STEPS: f32 = 99.0;
const NO_WAY: f32 = 9999.0;
/// Added to each block's length, so that short ones count.
const FLOOR: f32 = 5.0;
const STEPS: [isize; 8] = [-4, -3, -2, -1, 1, 2, 3, 4];
const WIDTHS: [usize; 2] = [3, 10];
/// Levels of containers; the first three also say what is best in them.
const LEVELS: usize = 5;
const BEST_LEVELS: usize = 3;

/// Blocks weighed by their length.
#[derive(Debug, Clone, Copy, Default)]
struct Weighed {
    length: f32,
    /// Sum of leaning times length.
    good: f32,
    most: f32,
    blocks: f32,
}

impl Weighed {
    fn join(&mut self, other: &Weighed) {
        self.length += other.length;
        self.good += other.good;
        self.blocks += other.blocks;
        self.most = self.most.max(other.most);
    }

    fn without(self, one: &Weighed) -> Weighed {
        Weighed {
            length: self.length - one.length,
            good: self.good - one.good,
            blocks: self.blocks - one.blocks,
            most: self.most,
        }
    }

    /// How much of it leans to content; -1 for nothing.
    fn share(&self) -> f32 {
        if self.blocks < 0.5 { -1.0 } else { self.good / self.length.max(1.0) }
    }
}

/// The blocks of a page as the first stage left them.
pub struct Context<'a> {
    scene: &'a Scene<'a>,
    scores: &'a [f32],
    blocks: Vec<Weighed>,
    page: Weighed,
    /// By container.
    places: Vec<Weighed>,
    /// By names of containers: each container with its parent, the parent with its own.
    kinds: FxHashMap<u64, Weighed>,
    keys: Vec<[u64; 2]>,
    /// For each block the section it stands in, and the score of the section's heading.
    sections: Vec<(Weighed, f32)>,
    /// Steps and characters to the nearest content before and after.
    before: Vec<[f32; 2]>,
    after: Vec<[f32; 2]>,
    /// Content before each block.
    good: Vec<f32>,
}

/// Names of the features and the groups that reasons call them by. The first is the block's own score.
pub fn names() -> Vec<(String, Group)> {
    let mut names = vec![(String::from("own"), Group::Own)];
    let mut add = |name: String, group: Group| names.push((name, group));
    STEPS.iter().for_each(|step| add(format!("s{step}"), Group::Neighbours));
    for width in WIDTHS {
        ["before", "after"].iter().for_each(|name| add(format!("{name}{width}"), Group::Neighbours));
    }
    for level in 0..LEVELS {
        add(format!("k{level}_share"), Group::Container);
        add(format!("k{level}_part"), Group::Container);
        if level < BEST_LEVELS {
            add(format!("k{level}_most"), Group::Container);
        }
    }
    ["like0_share", "like0_n", "like1_share", "like1_n"].iter().for_each(|name| add((*name).into(), Group::Alike));
    ["section", "section_length", "section_head"].iter().for_each(|name| add((*name).into(), Group::Section));
    ["page_share", "page_good", "page_most"].iter().for_each(|name| add((*name).into(), Group::Page));
    ["good_before", "good_after", "steps_before", "way_before", "steps_after", "way_after"]
        .iter()
        .for_each(|name| add((*name).into(), Group::Position));
    names
}

/// Score → leaning, 0 to 1. Linear: a logistic curve is not rounded the same on all machines.
fn lean(score: f32) -> f32 {
    (0.5 + score / 6.0).clamp(0.0, 1.0)
}

impl<'a> Context<'a> {
    /// Looks at what the first stage said of all blocks.
    pub fn new(scene: &'a Scene<'a>, scores: &'a [f32]) -> Context<'a> {
        let weigh = |(own, &score): (&super::scene::Sums, &f32)| {
            let length = own.length + FLOOR;
            Weighed { length, good: length * lean(score), most: lean(score), blocks: 1.0 }
        };
        let blocks: Vec<Weighed> = scene.own.iter().zip(scores).map(weigh).collect();
        let content: Vec<bool> = scores.iter().map(|&score| score > CONTENT).collect();
        let mut so_far = 0.0;
        let good_before = |block: &Weighed| {
            let before = so_far;
            so_far += block.good;
            before
        };
        let mut context = Context {
            scene,
            scores,
            page: Weighed::default(),
            places: vec![Weighed::default(); scene.places.len()],
            kinds: FxHashMap::default(),
            keys: keys(scene),
            sections: sections(scene, scores, &blocks),
            before: distances(content.iter().zip(&blocks)),
            after: {
                let mut after = distances(content.iter().zip(&blocks).rev());
                after.reverse();
                after
            },
            good: blocks.iter().map(good_before).collect(),
            blocks,
        };
        context.gather();
        context
    }

    fn gather(&mut self) {
        for (at_block, block) in self.blocks.iter().enumerate() {
            let home = self.scene.home(at_block);
            self.page.join(block);
            if let Some(place) = self.places.get_mut(home) {
                place.join(block);
            }
            for key in at(&self.keys, home) {
                self.kinds.entry(key).or_default().join(block);
            }
        }
        for child in (1..self.places.len()).rev() {
            let own = at(&self.places, child);
            if let Some(place) = self.scene.place(child).parent.and_then(|parent| self.places.get_mut(parent)) {
                place.join(&own);
            }
        }
    }

    /// Appends the features of a block, in the order of [`names()`].
    pub fn describe(&self, block: usize, row: &mut Row) {
        let good = at(&self.good, block);
        let own = at(&self.blocks, block);
        let score = |step: isize| block.checked_add_signed(step).and_then(|other| self.scores.get(other));
        row.push(at(self.scores, block));
        row.extend(STEPS.map(|step| score(step).copied().unwrap_or(NO_SCORE)));
        for width in WIDTHS {
            row.push(self.window(block.saturating_sub(width), block));
            row.push(self.window(block + 1, block + 1 + width));
        }
        let whole = self.page.good.max(1.0);
        let home = self.scene.home(block);
        let mut place = home;
        for level in 0..LEVELS {
            let sum = at(&self.places, place);
            let others = sum.without(&own);
            row.extend([others.share(), others.good / whole]);
            if level < BEST_LEVELS {
                row.push(sum.most);
            }
            place = self.scene.up(place, 1);
        }
        for key in at(&self.keys, home) {
            let others = self.kinds.get(&key).copied().unwrap_or_default().without(&own);
            row.extend([others.share(), others.blocks]);
        }
        let (section, head) = at(&self.sections, block);
        row.extend([section.share(), section.length, head]);
        row.extend([self.page.share(), self.page.good, self.page.most]);
        row.extend([good / whole, (self.page.good - good) / whole]);
        row.extend(at(&self.before, block));
        row.extend(at(&self.after, block));
    }

    fn window(&self, from: usize, to: usize) -> f32 {
        let mut sum = Weighed::default();
        let to = to.min(self.blocks.len());
        self.blocks.get(from.min(to)..to).unwrap_or_default().iter().for_each(|block| sum.join(block));
        sum.share()
    }
}

fn keys(scene: &Scene<'_>) -> Vec<[u64; 2]> {
    let name = |c: &Container<'_>| combine(&[c.tag as u64, hash64(c.class.as_bytes())]);
    let names: Vec<u64> = scene.page.containers.iter().map(name).collect();
    let up = |place: usize| scene.up(place, 1);
    (0..names.len())
        .map(|own| {
            let (parent, around) = (at(&names, up(own)), at(&names, up(up(own))));
            [combine(&[0, at(&names, own), parent]), combine(&[1, parent, around])]
        })
        .collect()
}

/// Sections run from heading to heading.
fn sections(scene: &Scene<'_>, scores: &[f32], blocks: &[Weighed]) -> Vec<(Weighed, f32)> {
    let mut all = Vec::with_capacity(blocks.len());
    let headed = |at: &usize| *at > 0 && scene.page.blocks.get(*at).is_some_and(|b| b.kind.is_heading());
    let mut from = 0;
    while from < blocks.len() {
        let to = (from + 1..blocks.len()).find(headed).unwrap_or(blocks.len());
        let mut sum = Weighed::default();
        blocks.get(from..to).unwrap_or_default().iter().for_each(|block| sum.join(block));
        let head = if from > 0 { at(scores, from) } else { NO_SCORE };
        all.resize(to, (sum, head));
        from = to;
    }
    all
}

/// Blocks and characters since the last content.
fn distances<'b>(blocks: impl Iterator<Item = (&'b bool, &'b Weighed)>) -> Vec<[f32; 2]> {
    let mut since = [NO_STEPS, NO_WAY];
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
    use super::super::lexicon::Lexica;
    use super::*;
    use crate::page::blocks::{Options, page};

    #[test]
    fn every_feature_has_its_name() {
        let page = page("<h1>A</h1><p>Some text.<ul><li>x", &Options::default());
        let scene = Scene::new(&page, &[0.0; 3], &Lexica::default());
        let scores = [0.5, -1.0, 2.0];
        let context = Context::new(&scene, &scores);
        for block in 0..scores.len() {
            let mut row = Row::default();
            context.describe(block, &mut row);
            assert_eq!(row.features().len(), names().len());
        }
    }

    #[test]
    fn distances_count_from_the_last_content() {
        let blocks = [Weighed { length: 5.0, ..Weighed::default() }; 4];
        let far = distances([false, true, false, false].iter().zip(&blocks));
        assert_eq!(far, [[NO_STEPS, NO_WAY], [NO_STEPS + 1.0, NO_WAY + 5.0], [0.0, 0.0], [1.0, 5.0]]);
    }
}
