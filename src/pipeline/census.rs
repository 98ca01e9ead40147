//! What the census counts of a page: keys of its blocks and, for methods that weigh words, its words.

use fxhash::FxHashMap;

use crate::clean::justext::Class;
use crate::dedup::method::descriptive::relative_frequency;
use crate::dedup::sites;
use crate::document::{Document, Paragraph};
use crate::hash::{combine, hash64};
use crate::page::url;
use crate::text::words;

/// Stands for the page as a whole where the index of a paragraph stands otherwise.
pub const WHOLE_PAGE: u32 = u32::MAX;

/// Keys under which pages of all shards meet in the census.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CensusKeys {
    /// Hash of the page's normalised address.
    pub url: u64,
    /// Hash of the block keys of its content; of all its blocks if there is no content.
    pub text: u64,
    /// Keys of host and block, and of the host, each with the index of the paragraph or [`WHOLE_PAGE`].
    pub blocks: Vec<(u64, u32)>,
    /// Hash of each word and its share of the page's words; empty unless a method needs it.
    pub words: Vec<(u64, f32)>,
}

impl CensusKeys {
    /// Adds the keys of the page and of those of its blocks that could be content.
    pub fn add_blocks(&mut self, document: &Document, paragraphs: &[Paragraph]) {
        if document.host.is_empty() || paragraphs.is_empty() {
            return;
        }
        let host = sites::host_key(&document.host);
        let mut content = Vec::new();
        // A block that is bad by itself is boilerplate on every page.
        let counts = |p: &&Paragraph| !p.boilerplate || p.context_free != Class::Bad;
        for paragraph in paragraphs.iter().filter(counts) {
            let Some(block) = sites::block_key(&paragraph.text) else { continue };
            self.blocks.push((combine(&[host, block]), paragraph.index));
            if !paragraph.boilerplate {
                content.push(block);
            }
        }
        self.blocks.push((combine(&[host]), WHOLE_PAGE));
        self.url = hash64(url::identity(&document.url).as_bytes());
        // Navigation may differ between copies of one article; a page without content is all navigation.
        if content.is_empty() {
            content.extend(paragraphs.iter().filter_map(|p| sites::block_key(&p.text)));
        }
        self.text = combine(&content);
    }

    /// Adds the words of the content.
    pub fn add_words(&mut self, paragraphs: &[Paragraph]) {
        let mut hashes = Vec::new();
        paragraphs.iter().filter(|p| !p.boilerplate).for_each(|p| words::hashes(&p.text, &mut hashes));
        let mut counts: FxHashMap<u64, u32> = FxHashMap::default();
        hashes.iter().for_each(|&hash| *counts.entry(hash).or_default() += 1);
        self.words = counts.into_iter().map(|(word, n)| (word, relative_frequency(n, hashes.len()))).collect();
    }
}
