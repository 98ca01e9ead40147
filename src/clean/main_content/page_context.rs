//! The page as a whole: the features of each block's text, and the statistics of each container.

use super::container_names::{self, ContainerTrait};
use super::lexicon::{Lexica, Lexicon, TokenWeights};
use super::text_features::{TextFeatures, has_blank_for_stop, text_features};
use crate::clean::add_to_parents;
use crate::clean::groups::Groups;
use crate::clean::page_profile::{PageProfile, Recurrence};
use crate::hash::SeededSet;
use crate::page::blocks::{Block, BlockKind, Container, Page, Tag};
use crate::text::words;

/// Levels up to which a name or an element is searched for; what is further away counts as this far.
pub const MAX_STEPS: u8 = 12;
/// Elements whose distance upwards is a feature.
pub const ELEMENTS: [Tag; 10] = [
    Tag::Article,
    Tag::Main,
    Tag::Aside,
    Tag::Nav,
    Tag::Footer,
    Tag::Header,
    Tag::Form,
    Tag::Table,
    Tag::Blockquote,
    Tag::Li,
];
/// Number of names and elements whose distance upwards is a feature.
const NEAREST: usize = container_names::ALL.len() + ELEMENTS.len();
/// Number of words of a short block that are looked up.
const MAX_WORDS: usize = 14;

/// The value at an index; the default beyond the end.
pub fn value_at<T: Copy + Default>(values: &[T], index: usize) -> T {
    values.get(index).copied().unwrap_or_default()
}

/// Sums over blocks, as numbers that features are made of.
#[derive(Debug, Clone, Copy, Default)]
pub struct BlockSums {
    /// Number of blocks.
    pub blocks: f32,
    /// Characters; those of dense scripts count more, as in [`TextFeatures::length`].
    pub length: f32,
    /// Length of text in links.
    pub linked: f32,
    /// Length of text outside of links in blocks that look like sentences.
    pub prose: f32,
    pub words: f32,
    pub stopwords: f32,
}

impl BlockSums {
    /// Adds the sums over other blocks.
    pub fn add(&mut self, other: &BlockSums) {
        self.blocks += other.blocks;
        self.length += other.length;
        self.linked += other.linked;
        self.prose += other.prose;
        self.words += other.words;
        self.stopwords += other.stopwords;
    }

    /// Share of the length that is in links.
    pub fn link_density(&self) -> f32 {
        self.linked / self.length.max(1.0)
    }

    /// Share of the length that is prose.
    pub fn prose_density(&self) -> f32 {
        self.prose / self.length.max(1.0)
    }
}

/// Statistics of a container.
#[derive(Debug, Clone, Copy)]
pub struct ContainerStats {
    pub parent: Option<usize>,
    /// Number of containers around it.
    pub depth: u16,
    /// Levels up to the nearest container with each name trait, then to each of [`ELEMENTS`]; 0 is this one.
    pub nearest: [u8; NEAREST],
    /// Sums over all blocks inside.
    pub sums: BlockSums,
    /// How probable its text makes it as the container of the main text; of no unit.
    pub score: f32,
    /// Sums over the containers with the same parent, element and class; `blocks` is their number.
    pub similar: BlockSums,
    /// Hash of its class.
    pub class: u64,
    /// Learned weights of its names.
    pub name_weights: TokenWeights,
    /// Lowest and highest weight of names from here to the root.
    pub lowest: f32,
    pub highest: f32,
}

const NO_SUMS: BlockSums = BlockSums { blocks: 0.0, length: 0.0, linked: 0.0, prose: 0.0, words: 0.0, stopwords: 0.0 };

/// The statistics of what is around the root.
static OUTSIDE: ContainerStats = ContainerStats {
    parent: None,
    depth: 0,
    nearest: [MAX_STEPS; NEAREST],
    sums: NO_SUMS,
    score: 0.0,
    similar: NO_SUMS,
    class: 0,
    name_weights: TokenWeights { mean: 0.0, low: 0.0, high: 0.0 },
    lowest: 0.0,
    highest: 0.0,
};

/// A page with the features of its blocks and the statistics of its containers.
pub struct PageContext<'a> {
    pub page: &'a Page<'a>,
    /// Features of each block's text.
    pub text_features: Vec<TextFeatures>,
    /// Sums of each block alone.
    pub block_sums: Vec<BlockSums>,
    /// Statistics of each container.
    pub containers: Vec<ContainerStats>,
    /// Index of the container with the highest score.
    pub main_container: usize,
    /// Sums over all blocks.
    pub total: BlockSums,
    /// Index of the first block that is an `h1`.
    pub first_heading: Option<usize>,
    /// Learned weights of each short block's words.
    pub word_weights: Vec<TokenWeights>,
    /// For each short block the share of its words that the page's title has, and of the title's words that it has.
    pub title_overlap: Vec<(f32, f32)>,
    /// How often each block's text stands on the page.
    pub recurrences: Vec<Recurrence>,
}

impl<'a> PageContext<'a> {
    /// Collects features and statistics; `stopwords` has each block's share of stop words, 0 to 1.
    pub fn new(page: &'a Page<'a>, profile: &PageProfile, stopwords: &[f32], lexica: &Lexica) -> PageContext<'a> {
        let text_features: Vec<TextFeatures> = page.blocks.iter().map(text_features).collect();
        let title = title_words(page);
        let of_words = |words| (lexica.words.weights(words), title_overlap(words, &title));
        let (word_weights, title_overlap) = profile.cleaner_words().map(first_words).map(of_words).unzip();
        let block_sums =
            page.blocks.iter().zip(&text_features).zip(stopwords).map(|((b, s), &share)| sums(b, s, share)).collect();
        let mut page_context = PageContext {
            page,
            block_sums,
            containers: container_stats(&page.containers, profile, &lexica.names),
            main_container: 0,
            total: BlockSums::default(),
            first_heading: page.blocks.iter().position(|block| block.kind == BlockKind::H1),
            word_weights,
            title_overlap,
            recurrences: profile.recurrences().to_vec(),
            text_features,
        };
        page_context.sum_containers();
        page_context.score_containers();
        page_context.sum_similar_containers();
        page_context
    }

    /// The statistics of a container.
    pub fn container(&self, at: usize) -> &ContainerStats {
        self.containers.get(at).unwrap_or(&OUTSIDE)
    }

    /// The kind of a block.
    pub fn kind(&self, at: usize) -> BlockKind {
        self.page.blocks.get(at).map_or(BlockKind::Other, |block| block.kind)
    }

    /// The index of the container that a block is in.
    pub fn container_of(&self, at: usize) -> usize {
        self.page.blocks.get(at).map_or(0, |block| block.container as usize)
    }

    /// The index of the container `levels` above a container, or of the root.
    pub fn ancestor(&self, container: usize, levels: usize) -> usize {
        (0..levels).fold(container, |at, _| self.containers.get(at).and_then(|c| c.parent).unwrap_or(at))
    }

    /// The statistics of a container and of those around it, the root again where there are no more.
    pub fn levels(&self, container: usize) -> [&ContainerStats; 5] {
        let mut at = container;
        std::array::from_fn(|_| {
            let stats = self.container(at);
            at = stats.parent.unwrap_or(at);
            stats
        })
    }

    /// Sums over the blocks in each container.
    fn sum_containers(&mut self) {
        for (block, sums) in self.page.blocks.iter().zip(&self.block_sums) {
            self.total.add(sums);
            if let Some(container) = self.containers.get_mut(block.container as usize) {
                container.sums.add(sums);
            }
        }
        add_to_parents(&mut self.containers, &self.page.containers, |parent, child| parent.sums.add(&child.sums));
    }

    /// Text adds to the score of the container it is in, and less to those around it (the idea of Arc90's Readability).
    fn score_containers(&mut self) {
        for (block, features) in self.page.blocks.iter().zip(&self.text_features) {
            if features.length < 25.0 || features.links > 0.6 {
                continue;
            }
            let score = (1.0 + features.commas + (features.length / 100.0).min(4.0)) * (1.0 - features.links);
            let container = block.container as usize;
            let is_paragraph = self
                .page
                .containers
                .get(container)
                .is_some_and(|c| matches!(c.tag, Tag::P | Tag::Li | Tag::Td | Tag::Pre | Tag::Blockquote));
            let mut next = if is_paragraph { self.container(container).parent } else { Some(container) };
            for share in [1.0, 0.6, 0.35, 0.2] {
                let Some(container) = next.and_then(|at| self.containers.get_mut(at)) else { break };
                container.score += score * share;
                next = container.parent;
            }
        }
        let mut most = 0.0;
        for (at, container) in self.containers.iter_mut().enumerate() {
            container.score *= 1.0 - container.sums.link_density();
            if container.score > most {
                (most, self.main_container) = (container.score, at);
            }
        }
    }

    /// Sums over the containers with the same parent, element and class.
    fn sum_similar_containers(&mut self) {
        let mut groups: Groups<(u32, Tag, u64), BlockSums> = Groups::default();
        let place = |(container, stats): (&Container<'_>, &ContainerStats)| {
            let key = (container.parent.unwrap_or(u32::MAX), container.tag, stats.class);
            groups.update(key, |group| group.add(&BlockSums { blocks: 1.0, ..stats.sums }))
        };
        let places: Vec<usize> = self.page.containers.iter().zip(&self.containers).map(place).collect();
        for (place, container) in places.into_iter().zip(&mut self.containers) {
            container.similar = groups.values.get(place).copied().unwrap_or_default();
        }
    }

    /// Levels from a container up to the nearest one that also holds the main container, and from there down to it.
    pub fn path_to_main(&self, container: usize) -> (f32, f32) {
        let (mut from, mut to) = (container, self.main_container);
        let (mut up, mut down) = (0.0, 0.0);
        while from != to {
            let (a, b) = (self.container(from), self.container(to));
            let (side, steps, parent) =
                if a.depth >= b.depth { (&mut from, &mut up, a.parent) } else { (&mut to, &mut down, b.parent) };
            let Some(parent) = parent else { break };
            *side = parent;
            *steps += 1.0;
        }
        (up, down)
    }
}

/// Levels from a container up to the nearest one with a name trait.
pub fn levels_to_name(container: &ContainerStats, one: ContainerTrait) -> u8 {
    container.nearest.get(one as usize).copied().unwrap_or(MAX_STEPS)
}

/// Levels from a container up to the nearest of an element, which is one of [`ELEMENTS`].
pub fn levels_to_element(container: &ContainerStats, element: Tag) -> u8 {
    let at = ELEMENTS.iter().position(|&tag| tag == element);
    at.and_then(|at| container.nearest.get(container_names::ALL.len() + at)).copied().unwrap_or(MAX_STEPS)
}

/// The sums of one block.
fn sums(block: &Block, s: &TextFeatures, stopwords: f32) -> BlockSums {
    let may_be_prose = s.length > 40.0 && s.links < 0.5 && !block.hidden;
    let prose = may_be_prose && (s.stops >= 1.0 || has_blank_for_stop(&block.text));
    BlockSums {
        blocks: 1.0,
        length: s.length,
        linked: s.length * s.links,
        prose: if prose { s.length * (1.0 - s.links) } else { 0.0 },
        words: s.words,
        stopwords: s.words * stopwords,
    }
}

/// The statistics of all containers that do not depend on blocks.
fn container_stats(containers: &[Container<'_>], profile: &PageProfile, lexicon: &Lexicon) -> Vec<ContainerStats> {
    let mut stats: Vec<ContainerStats> = Vec::with_capacity(containers.len());
    // Of the names of the containers so far.
    let mut weights: Vec<TokenWeights> = Vec::with_capacity(containers.len());
    for (at, (container, names)) in containers.iter().zip(profile.names()).enumerate() {
        let parent = container.parent.map(|p| p as usize).filter(|&p| p < at);
        let around = parent.and_then(|p| stats.get(p)).unwrap_or(&OUTSIDE);
        // Most names recur.
        let same = weights.get(container.same_names as usize).copied();
        let own = same.unwrap_or_else(|| lexicon.weights(profile.tokens(names)));
        weights.push(own);
        // The names of the body are about the page.
        let (traits, name_weights) = if container.tag == Tag::Body { Default::default() } else { (names.traits, own) };
        let traits = traits.union(container_names::traits_of_element(container.tag));
        let element = ELEMENTS.iter().position(|&tag| tag == container.tag);
        let mut nearest = around.nearest.map(|steps| (steps + 1).min(MAX_STEPS));
        for own in traits.indices().chain(element.map(|at| container_names::ALL.len() + at)) {
            nearest.get_mut(own).into_iter().for_each(|steps| *steps = 0);
        }
        stats.push(ContainerStats {
            parent,
            depth: around.depth.saturating_add(u16::from(parent.is_some())),
            nearest,
            class: names.class,
            name_weights,
            lowest: around.lowest.min(name_weights.low),
            highest: around.highest.max(name_weights.high),
            ..OUTSIDE
        });
    }
    stats
}

/// The first words of a short block, which are looked up.
pub fn first_words(words: &[u64]) -> &[u64] {
    words.get(..MAX_WORDS).unwrap_or(words)
}

/// Share of the words that the title has, and of the title's words that are among them.
fn title_overlap(words: &[u64], title: &SeededSet<u64>) -> (f32, f32) {
    if words.is_empty() || title.is_empty() {
        return (0.0, 0.0);
    }
    let shared = words.iter().filter(|word| title.contains(word)).count() as f32;
    (shared / words.len() as f32, shared / title.len() as f32)
}

/// Hashes of the words of the page's titles.
fn title_words(page: &Page<'_>) -> SeededSet<u64> {
    let named = page.head.meta.iter().filter(|m| m.key == "og:title" || m.key == "twitter:title");
    let mut hashes = Vec::new();
    for title in named.map(|m| m.content.as_str()).chain([page.head.title.as_str()]) {
        words::model_character_hashes(title, &mut hashes);
    }
    hashes.into_iter().collect()
}
