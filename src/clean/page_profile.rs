//! What the main cleaner and the assessment both ask of a page, read once: the names of its containers, and the words of
//! its short blocks.

use std::ops::Range;

use super::groups::Groups;
use super::main_content::container_names::{ContainerTraits, NameReader};
use crate::hash::hash64;
use crate::page::blocks::{Block, Container, Page};
use crate::text::words;

/// Characters below which the cleaner has learned the words of a block.
const CLEANER_BELOW: u32 = 120;
/// Characters below which the assessment has; fewer.
const ASSESSMENT_BELOW: u32 = 60;

/// The names and short words of a page, as hashes.
#[derive(Debug, Default)]
pub struct PageProfile {
    /// Of each container.
    names: Vec<Names>,
    /// The parts of all names.
    tokens: Vec<u64>,
    /// Of each block.
    short_blocks: Vec<ShortBlock>,
    /// The words of all short blocks.
    words: Vec<u64>,
    /// Of each block.
    recurrences: Vec<Recurrence>,
}

/// How often the text of a block stands on its page.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Recurrence {
    /// In all blocks, this one included.
    pub all: u32,
    /// In the blocks before it.
    pub before: u32,
}

/// What the names of a container say.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// Hash of the class.
    pub class: u64,
    pub traits: ContainerTraits,
    /// Where its tokens stand among those of the page.
    tokens: Range<usize>,
}

/// Where the words of a block stand among those of the page; nowhere if it is not short.
#[derive(Debug, Clone, Default)]
struct ShortBlock {
    /// With a word for each character of a script without spaces.
    characters: Range<usize>,
    /// As [`words::model_hashes`] has them.
    pieces: Range<usize>,
}

impl PageProfile {
    /// Reads the names and the short blocks of a page.
    pub fn of(page: &Page<'_>) -> PageProfile {
        let mut profile = PageProfile::default();
        profile.read_names(&page.containers);
        profile.short_blocks = page.blocks.iter().map(|block| short_block(block, &mut profile.words)).collect();
        profile.recurrences = recurrences(&page.blocks);
        profile
    }

    fn read_names(&mut self, containers: &[Container<'_>]) {
        let (mut reader, mut tokens) = (NameReader::default(), Vec::new());
        for (at, container) in containers.iter().enumerate() {
            // Most names recur.
            let same = self.names.get(container.same_names as usize).filter(|_| (container.same_names as usize) < at);
            let names = same.cloned().unwrap_or_else(|| {
                let traits = reader.traits_and_tokens(container, &mut tokens);
                let begin = self.tokens.len();
                self.tokens.extend_from_slice(&tokens);
                Names { class: hash64(container.class.as_bytes()), traits, tokens: begin..self.tokens.len() }
            });
            self.names.push(names);
        }
    }

    /// What the names of each container say.
    pub fn names(&self) -> &[Names] {
        &self.names
    }

    /// The parts of the names of a container, as [`NameReader::traits_and_tokens`] has them.
    pub fn tokens(&self, names: &Names) -> &[u64] {
        self.tokens.get(names.tokens.clone()).unwrap_or_default()
    }

    /// How often the text of each block stands on the page.
    pub fn recurrences(&self) -> &[Recurrence] {
        &self.recurrences
    }

    /// The words of each block of less than 120 characters, in scripts without spaces a word for each character; none for
    /// the other blocks.
    pub fn cleaner_words(&self) -> impl Iterator<Item = &[u64]> {
        self.short_blocks.iter().map(|block| self.words.get(block.characters.clone()).unwrap_or_default())
    }

    /// The words of each block of less than 60 characters, in scripts without spaces a word for some two letters; none for the
    /// other blocks.
    pub fn assessment_words(&self) -> impl Iterator<Item = &[u64]> {
        self.short_blocks.iter().map(|block| self.words.get(block.pieces.clone()).unwrap_or_default())
    }
}

fn recurrences(blocks: &[Block]) -> Vec<Recurrence> {
    let mut counts: Groups<u64, u32> = Groups::default();
    let mut count = |block: &Block| {
        let mut before = 0;
        let place = counts.update(hash64(block.text.as_bytes()), |count| {
            before = *count;
            *count = before.saturating_add(1);
        });
        (place, before)
    };
    let counted: Vec<(usize, u32)> = blocks.iter().map(&mut count).collect();
    let all = |place: usize| counts.values.get(place).copied().unwrap_or_default();
    counted.into_iter().map(|(place, before)| Recurrence { all: all(place), before }).collect()
}

/// Appends the words of a block to those of the page, if it is short.
fn short_block(block: &Block, all: &mut Vec<u64>) -> ShortBlock {
    let begin = all.len();
    if block.characters < CLEANER_BELOW {
        words::model_character_hashes(&block.text, all);
    }
    let characters = begin..all.len();
    let pieces = match block.characters < ASSESSMENT_BELOW {
        false => 0..0,
        true if block.text.is_ascii() || !block.text.chars().any(words::is_unspaced) => characters.clone(),
        true => {
            words::model_hashes(&block.text, all);
            characters.end..all.len()
        }
    };
    ShortBlock { characters, pieces }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::{Options, page};

    #[test]
    fn words_are_those_of_the_text() {
        let long = "word ".repeat(20);
        let texts = ["A label, not read twice", "les élèves", "船は港を出た", &long, &long.repeat(2)];
        let html: String = texts.iter().map(|text| format!("<p>{text}")).collect();
        let page = page(&html, &Options::default());
        let profile = PageProfile::of(&page);
        let hashes = |read: fn(&str, &mut Vec<u64>), text: &str| {
            let mut hashes = Vec::new();
            read(text, &mut hashes);
            hashes
        };
        let of = |read, most: usize| {
            texts.map(|text| if text.trim().chars().count() < most { hashes(read, text) } else { vec![] })
        };
        assert!(profile.cleaner_words().eq(of(words::model_character_hashes, 120)));
        assert!(profile.assessment_words().eq(of(words::model_hashes, 60)));
    }

    #[test]
    fn equal_texts_are_counted() {
        let page = page("<p>Share<p>One<p>Share<p>Share", &Options::default());
        let counts = [(3, 0), (1, 0), (3, 1), (3, 2)].map(|(all, before)| Recurrence { all, before });
        assert_eq!(PageProfile::of(&page).recurrences(), counts);
    }

    #[test]
    fn equal_names_say_the_same() {
        let html = "<div class=post-body><p>One</div><div class=menu><p>Two</div><div class=post-body><p>Three</div>";
        let page = page(html, &Options::default());
        let profile = PageProfile::of(&page);
        let [first, other, second] = ["One", "Two", "Three"].map(|text| {
            let block = page.blocks.iter().find(|block| block.text == text).unwrap();
            let paragraph = &page.containers[block.container as usize];
            let container = paragraph.parent.unwrap() as usize;
            (profile.names()[container].class, profile.tokens(&profile.names()[container]))
        });
        assert_eq!((first, first.1.len()), (second, 2));
        assert_ne!(first, other);
    }
}
