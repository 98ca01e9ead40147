//! A block as numbers: what it says, where it stands, what its containers hold, what stands beside it.
//!
//! Rows have the order of [`names()`]; the model knows features by their place.

use super::names;
use super::reason::Group;
use super::row::Row;
use super::scene::{ELEMENTS, Place, Scene, Sums, at, flag};
use super::whole;
use crate::page::blocks::{Block, BlockKind};

/// Levels up at which containers are asked about their text.
const LEVELS: [usize; 4] = [0, 1, 2, 4];
/// Neighbours that are looked at one by one.
const STEPS: [isize; 6] = [-3, -2, -1, 1, 2, 3];
/// Blocks on either side that are summed up.
const WINDOW: usize = 6;
/// Blocks that a heading is looked for before.
const SECTION: usize = 30;
const ELEMENT_NAMES: [&str; ELEMENTS.len()] =
    ["article", "main", "aside", "nav", "footer", "header", "form", "table", "quote", "li"];

/// Describes the blocks of a page one by one.
pub struct Features<'a> {
    scene: &'a Scene<'a>,
    whole: Vec<f32>,
    /// Sums over all blocks before each.
    before: Vec<Sums>,
    /// The last heading before each block, and how many blocks ago it stands.
    headings: Vec<Option<(usize, usize)>>,
}

impl<'a> Features<'a> {
    /// Looks at the page.
    pub fn new(scene: &'a Scene<'a>) -> Features<'a> {
        let mut sum = Sums::default();
        let so_far = |own: &Sums| {
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
            before: scene.own.iter().map(so_far).collect(),
            headings: scene.page.blocks.iter().enumerate().map(heading).collect(),
            whole: whole::whole(scene),
            scene,
        }
    }

    /// Appends the features of a block, in the order of [`names()`].
    pub fn describe(&self, block: usize, row: &mut Row) {
        text(self.scene, block, row);
        position(self.scene, block, &at(&self.before, block), row);
        row.extend_from(&self.whole);
        place(self.scene, block, at(&self.headings, block), row);
        around(self.scene, block, row);
    }
}

/// Names of the features and the groups that reasons call them by.
pub fn names() -> Vec<(String, Group)> {
    let mut all = Vec::new();
    let mut group = |group: Group, names: &[&str]| all.extend(names.iter().map(|name| (String::from(*name), group)));
    group(Group::Length, &["length", "words"]);
    group(Group::Links, &["links", "links_per_word"]);
    group(Group::StopWords, &["stopwords"]);
    group(Group::Sentences, &["commas", "stops", "stops_per_word", "ending"]);
    group(Group::Form, &["capitals", "digits", "word_length", "separators"]);
    group(Group::Element, &["inline", "kind", "heading", "hidden"]);
    group(Group::Repetition, &["repeats", "repeated"]);
    group(Group::Title, &["title", "title_share"]);
    group(Group::Position, &["index", "from_end", "index_share", "text_before", "prose_share_before", "prose_before"]);
    group(Group::Position, &["prose_after", "after_h1"]);
    all.extend(whole::names().into_iter().map(|name| (name, Group::Page)));
    let mut own = |name: String, group: Group| all.push((name, group));
    names::ALL.iter().for_each(|one| own(format!("up_{one:?}"), Group::Names));
    ELEMENT_NAMES.iter().for_each(|name| own(format!("in_{name}"), Group::Container));
    ["depth", "list_depth", "row"].iter().for_each(|name| own((*name).into(), Group::Container));
    for level in 0..4 {
        ["mean", "low", "high"].iter().for_each(|name| own(format!("name{level}_{name}"), Group::Names));
    }
    ["name_lowest", "name_highest"].iter().for_each(|name| own((*name).into(), Group::Names));
    ["word", "word_low", "word_high"].iter().for_each(|name| own((*name).into(), Group::Words));
    ["head_word", "head_low", "head_high", "to_head"].iter().for_each(|name| own((*name).into(), Group::Section));
    for level in LEVELS {
        for name in ["blocks", "length", "links", "prose", "share", "own", "score"] {
            own(format!("c{level}_{name}"), Group::Container);
        }
    }
    ["best_up", "best_down"].iter().for_each(|name| own((*name).into(), Group::Container));
    for level in 0..3 {
        ["count", "length", "links", "prose"].iter().for_each(|name| own(format!("alike{level}_{name}"), Group::Alike));
    }
    for step in STEPS {
        for name in ["length", "links", "ending", "kind"] {
            own(format!("n{step}_{name}"), Group::Neighbours);
        }
    }
    ["prose_before", "prose_after", "links_before", "links_after"]
        .iter()
        .for_each(|name| own(format!("window_{name}"), Group::Neighbours));
    all
}

fn text(scene: &Scene<'_>, block: usize, row: &mut Row) {
    let (Some(b), Some(s)) = (scene.page.blocks.get(block), scene.surfaces.get(block)) else { return };
    let per_word = |n: f32| n / s.words.max(1.0);
    let (repeats, repeated) = scene.repeats.get(block).copied().unwrap_or_default();
    let (title, title_share) = at(&scene.titled, block);
    let own = at(&scene.own, block);
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
        flag(b.heading),
        flag(b.hidden),
        f32::from(repeats),
        f32::from(repeated),
        title,
        title_share,
    ]);
}

fn position(scene: &Scene<'_>, block: usize, before: &Sums, row: &mut Row) {
    let (n, total) = (scene.page.blocks.len() as f32, &scene.total);
    let here = block as f32;
    row.extend([
        here,
        n - here,
        here / n,
        before.length / total.length.max(1.0),
        before.prose / total.prose.max(1.0),
        before.prose,
        total.prose - before.prose,
        scene.first_heading.map_or(-999.0, |first| here - first as f32),
    ]);
}

fn place(scene: &Scene<'_>, block: usize, heading: Option<(usize, usize)>, row: &mut Row) {
    let Some(b) = scene.page.blocks.get(block) else { return };
    let home = b.container as usize;
    let nearest = scene.place(home);
    row.extend(nearest.nearest.map(f32::from));
    row.extend([f32::from(nearest.depth), f32::from(b.list_depth), f32::from(b.cell.0)]);
    for level in 0..4 {
        let weights = scene.place(scene.up(home, level)).names;
        row.extend([weights.mean, weights.low, weights.high]);
    }
    row.extend([nearest.lowest, nearest.highest]);
    let learned = at(&scene.learned, block);
    row.extend([learned.mean, learned.low, learned.high]);
    let head = heading.filter(|&(_, steps)| steps <= SECTION);
    let learned = head.map(|(at_heading, _)| at(&scene.learned, at_heading)).unwrap_or_default();
    row.extend([learned.mean, learned.low, learned.high, head.map_or(99.0, |(_, steps)| steps as f32)]);
    let (own, best) = (at(&scene.own, block), scene.place(scene.best).score.max(1e-6));
    for level in LEVELS {
        let Place { sums, score, .. } = *scene.place(scene.up(home, level));
        row.extend([
            sums.blocks,
            sums.length,
            sums.link_density(),
            sums.prose_density(),
            sums.prose / scene.total.prose.max(1.0),
            own.length / sums.length.max(1.0),
            score / best,
        ]);
    }
    let (up, down) = scene.to_best(home);
    row.extend([up, down]);
    for level in 0..3 {
        let alike = scene.place(scene.up(home, level)).alike;
        let each = alike.length / alike.blocks.max(1.0);
        row.extend([alike.blocks, each, alike.link_density(), alike.prose_density()]);
    }
}

fn around(scene: &Scene<'_>, block: usize, row: &mut Row) {
    let n = scene.page.blocks.len();
    for step in STEPS {
        let other = block.checked_add_signed(step).filter(|&other| other < n);
        let Some((other, s)) = other.and_then(|other| Some((other, scene.surfaces.get(other)?))) else {
            row.extend([-1.0; 4]);
            continue;
        };
        row.extend([s.length, s.links, s.ending, kind(scene.kind(other))]);
    }
    let window = |from: usize, to: usize| {
        let mut sums = Sums::default();
        scene.own.get(from..to.min(n)).unwrap_or_default().iter().for_each(|own| sums.add(own));
        sums
    };
    let (before, after) = (window(block.saturating_sub(WINDOW), block), window(block + 1, block + 1 + WINDOW));
    row.extend([before.prose, after.prose, before.link_density(), after.link_density()]);
}

/// Kinds as numbers: text first, headings last.
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
    use super::super::lexicon::Lexica;
    use super::*;
    use crate::page::blocks::{Options, page};

    #[test]
    fn every_feature_has_its_name() {
        let page = page("<title>A b</title><h1>A</h1><p>Some text. More of it.<ul><li>x", &Options::default());
        let scene = Scene::new(&page, &[0.0; 3], &Lexica::default());
        let features = Features::new(&scene);
        for block in 0..page.blocks.len() {
            let mut row = Row::default();
            features.describe(block, &mut row);
            assert_eq!(row.features().len(), names().len());
        }
    }
}
