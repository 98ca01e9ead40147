//! A page as the cleaner looks at it: what each block's text is like, and what each container holds.

use fxhash::{FxHashMap, FxHashSet};

use super::lexicon::{Lexica, Lexicon, Weights};
use super::names::{self, Trait};
use super::surface::{Surface, surface};
use crate::hash::hash64;
use crate::page::blocks::{Block, BlockKind, Container, Page, Tag};
use crate::text::words;

/// How far up a name or an element is looked for; what is further counts as this far.
pub const FAR: u8 = 12;
/// Elements whose nearest is asked for.
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
const ASKED: usize = names::ALL.len() + ELEMENTS.len();
/// Words of a short block that are looked up.
const WORDS: usize = 14;
/// Characters from which a block is no longer short.
const SHORT: u32 = 120;

/// The value at a place; nothing beyond the end.
pub fn at<T: Copy + Default>(values: &[T], place: usize) -> T {
    values.get(place).copied().unwrap_or_default()
}

/// One for yes.
pub fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}

/// Sums over blocks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sums {
    pub blocks: f32,
    /// Characters, dense scripts weighed.
    pub length: f32,
    /// Those in links.
    pub linked: f32,
    /// Those of blocks that look like sentences, outside of links.
    pub prose: f32,
    pub words: f32,
    pub stopwords: f32,
}

impl Sums {
    pub fn add(&mut self, other: &Sums) {
        self.blocks += other.blocks;
        self.length += other.length;
        self.linked += other.linked;
        self.prose += other.prose;
        self.words += other.words;
        self.stopwords += other.stopwords;
    }

    pub fn link_density(&self) -> f32 {
        self.linked / self.length.max(1.0)
    }

    pub fn prose_density(&self) -> f32 {
        self.prose / self.length.max(1.0)
    }
}

/// What is known of a container.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub parent: Option<usize>,
    pub depth: u16,
    /// Steps up to the nearest container with each trait, then to each of [`ELEMENTS`]; 0 is this one.
    pub nearest: [u8; ASKED],
    /// Of all blocks inside.
    pub sums: Sums,
    /// How much its text speaks for it as the place of the main text.
    pub score: f32,
    /// Of the containers with the same parent, element and class.
    pub alike: Sums,
    /// What was learned about its names, and the lowest and highest weight up to the root.
    pub names: Weights,
    pub lowest: f32,
    pub highest: f32,
}

const NOTHING: Sums = Sums { blocks: 0.0, length: 0.0, linked: 0.0, prose: 0.0, words: 0.0, stopwords: 0.0 };

/// What is around the root.
static NOWHERE: Place = Place {
    parent: None,
    depth: 0,
    nearest: [FAR; ASKED],
    sums: NOTHING,
    score: 0.0,
    alike: NOTHING,
    names: Weights { mean: 0.0, low: 0.0, high: 0.0 },
    lowest: 0.0,
    highest: 0.0,
};

/// The page, with what is known of its blocks and containers.
pub struct Scene<'a> {
    pub page: &'a Page<'a>,
    pub surfaces: Vec<Surface>,
    /// Sums of each block alone.
    pub own: Vec<Sums>,
    pub places: Vec<Place>,
    /// The container that most of the text speaks for.
    pub best: usize,
    pub total: Sums,
    /// The first block that is an `h1`.
    pub first_heading: Option<usize>,
    /// What was learned about the words of short blocks.
    pub learned: Vec<Weights>,
    /// Share of their words that the page's title has, and of the title's words that they have.
    pub titled: Vec<(f32, f32)>,
    /// How often each block's text stands on the page, and how often before.
    pub repeats: Vec<(u16, u16)>,
}

impl<'a> Scene<'a> {
    /// Looks at a page; `stopwords` has each block's share of stop words.
    pub fn new(page: &'a Page<'a>, stopwords: &[f32], lexica: &Lexica) -> Scene<'a> {
        let surfaces: Vec<Surface> = page.blocks.iter().map(surface).collect();
        let (title, mut words) = (title_words(page), Vec::new());
        let of_words = |block| {
            short_words(block, &mut words);
            (lexica.words.of(&words), titled(&words, &title))
        };
        let (learned, titled) = page.blocks.iter().map(of_words).unzip();
        let own = page.blocks.iter().zip(&surfaces).zip(stopwords).map(|((b, s), &share)| sums(b, s, share)).collect();
        let mut scene = Scene {
            page,
            own,
            places: places(&page.containers, &lexica.names),
            best: 0,
            total: Sums::default(),
            first_heading: page.blocks.iter().position(|block| block.kind == BlockKind::H1),
            learned,
            titled,
            repeats: repeats(&page.blocks),
            surfaces,
        };
        scene.gather();
        scene.rank();
        scene.compare();
        scene
    }

    pub fn place(&self, at: usize) -> &Place {
        self.places.get(at).unwrap_or(&NOWHERE)
    }

    pub fn kind(&self, at: usize) -> BlockKind {
        self.page.blocks.get(at).map_or(BlockKind::Other, |block| block.kind)
    }

    pub fn home(&self, at: usize) -> usize {
        self.page.blocks.get(at).map_or(0, |block| block.container as usize)
    }

    /// The container so many levels up, or the root.
    pub fn up(&self, home: usize, levels: usize) -> usize {
        (0..levels).fold(home, |place, _| self.places.get(place).and_then(|p| p.parent).unwrap_or(place))
    }

    fn gather(&mut self) {
        for (block, own) in self.page.blocks.iter().zip(&self.own) {
            self.total.add(own);
            if let Some(place) = self.places.get_mut(block.container as usize) {
                place.sums.add(own);
            }
        }
        for child in (1..self.places.len()).rev() {
            let Place { parent, sums, .. } = *self.place(child);
            if let Some(place) = parent.and_then(|parent| self.places.get_mut(parent)) {
                place.sums.add(&sums);
            }
        }
    }

    /// Text speaks for the container it stands in, and less for those around it (the idea of Arc90's Readability).
    fn rank(&mut self) {
        for (block, surface) in self.page.blocks.iter().zip(&self.surfaces) {
            if surface.length < 25.0 || surface.links > 0.6 {
                continue;
            }
            let speaks = (1.0 + surface.commas + (surface.length / 100.0).min(4.0)) * (1.0 - surface.links);
            let home = block.container as usize;
            let paragraph = self
                .page
                .containers
                .get(home)
                .is_some_and(|c| matches!(c.tag, Tag::P | Tag::Li | Tag::Td | Tag::Pre | Tag::Blockquote));
            let mut next = if paragraph { self.place(home).parent } else { Some(home) };
            for share in [1.0, 0.6, 0.35, 0.2] {
                let Some(place) = next.and_then(|at| self.places.get_mut(at)) else { break };
                place.score += speaks * share;
                next = place.parent;
            }
        }
        let mut most = 0.0;
        for (at, place) in self.places.iter_mut().enumerate() {
            place.score *= 1.0 - place.sums.link_density();
            if place.score > most {
                (most, self.best) = (place.score, at);
            }
        }
    }

    fn compare(&mut self) {
        let mut groups: FxHashMap<(u32, Tag, u64), Sums> = FxHashMap::default();
        let key = |c: &Container<'_>| (c.parent.unwrap_or(u32::MAX), c.tag, hash64(c.class.as_bytes()));
        let keys: Vec<_> = self.page.containers.iter().map(key).collect();
        for (&key, place) in keys.iter().zip(&self.places) {
            groups.entry(key).or_default().add(&Sums { blocks: 1.0, ..place.sums });
        }
        for (key, place) in keys.iter().zip(&mut self.places) {
            place.alike = groups.get(key).copied().unwrap_or_default();
        }
    }

    /// Steps from a container up to one that also holds the best one, and from there down to it.
    pub fn to_best(&self, home: usize) -> (f32, f32) {
        let (mut from, mut to) = (home, self.best);
        let (mut up, mut down) = (0.0, 0.0);
        while from != to {
            let (a, b) = (self.place(from), self.place(to));
            let (side, steps, parent) =
                if a.depth >= b.depth { (&mut from, &mut up, a.parent) } else { (&mut to, &mut down, b.parent) };
            let Some(parent) = parent else { break };
            *side = parent;
            *steps += 1.0;
        }
        (up, down)
    }
}

/// Steps up to the nearest container with a trait.
pub fn steps(place: &Place, one: Trait) -> u8 {
    place.nearest.get(one as usize).copied().unwrap_or(FAR)
}

/// Steps up to the nearest of an element, which is one of [`ELEMENTS`].
pub fn steps_to_element(place: &Place, element: Tag) -> u8 {
    let at = ELEMENTS.iter().position(|&tag| tag == element);
    at.and_then(|at| place.nearest.get(names::ALL.len() + at)).copied().unwrap_or(FAR)
}

fn sums(block: &Block, s: &Surface, stopwords: f32) -> Sums {
    let prose = s.stops >= 1.0 && s.length > 40.0 && s.links < 0.5 && !block.hidden;
    Sums {
        blocks: 1.0,
        length: s.length,
        linked: s.length * s.links,
        prose: if prose { s.length * (1.0 - s.links) } else { 0.0 },
        words: s.words,
        stopwords: s.words * stopwords,
    }
}

fn places(containers: &[Container<'_>], lexicon: &Lexicon) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::with_capacity(containers.len());
    let mut tokens = Vec::new();
    for (at, container) in containers.iter().enumerate() {
        let parent = container.parent.map(|p| p as usize).filter(|&p| p < at);
        let around = *parent.and_then(|p| places.get(p)).unwrap_or(&NOWHERE);
        let (traits, names) = match container.tag {
            // What the body is called speaks of the page.
            Tag::Body => Default::default(),
            _ => (names::named(container, &mut tokens), lexicon.of(&tokens)),
        };
        let traits = traits.and(names::of_element(container.tag));
        let mut nearest = around.nearest;
        let own = names::ALL.iter().map(|&one| traits.has(one)).chain(ELEMENTS.iter().map(|&tag| tag == container.tag));
        for (steps, own) in nearest.iter_mut().zip(own) {
            *steps = if own { 0 } else { (*steps + 1).min(FAR) };
        }
        places.push(Place {
            parent,
            depth: around.depth.saturating_add(u16::from(parent.is_some())),
            nearest,
            names,
            lowest: around.lowest.min(names.low),
            highest: around.highest.max(names.high),
            ..NOWHERE
        });
    }
    places
}

/// Puts the hashes of the first words of a short block in place of others.
pub fn short_words(block: &Block, hashes: &mut Vec<u64>) {
    hashes.clear();
    if block.characters < SHORT {
        words::hashes(&block.text, hashes);
        hashes.truncate(WORDS);
    }
}

fn titled(words: &[u64], title: &FxHashSet<u64>) -> (f32, f32) {
    if words.is_empty() || title.is_empty() {
        return (0.0, 0.0);
    }
    let shared = words.iter().filter(|word| title.contains(word)).count() as f32;
    (shared / words.len() as f32, shared / title.len() as f32)
}

fn title_words(page: &Page<'_>) -> FxHashSet<u64> {
    let named = page.head.meta.iter().filter(|m| m.key == "og:title" || m.key == "twitter:title");
    let mut hashes = Vec::new();
    for title in named.map(|m| m.content.as_str()).chain([page.head.title.as_str()]) {
        words::hashes(title, &mut hashes);
    }
    hashes.into_iter().collect()
}

fn repeats(blocks: &[Block]) -> Vec<(u16, u16)> {
    let mut counts: FxHashMap<u64, u16> = FxHashMap::default();
    let mut count = |key: u64| {
        let count = counts.entry(key).or_default();
        *count = count.saturating_add(1);
        *count - 1
    };
    let keys: Vec<u64> = blocks.iter().map(|block| hash64(block.text.as_bytes())).collect();
    let before: Vec<u16> = keys.iter().map(|&key| count(key)).collect();
    keys.iter().zip(before).map(|(key, before)| (counts.get(key).copied().unwrap_or(1), before)).collect()
}
