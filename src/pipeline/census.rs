//! The keys that a page contributes to the census: its blocks and, for methods that weigh words, its words.

use crate::clean::justext::Class;
use crate::dedup::method::descriptive::relative_frequency;
use crate::dedup::sites;
use crate::document::{Document, Paragraph};
use crate::hash::{SeededMap, sequence_hash, text_hash};
use crate::page::url;
use crate::text::words;

/// Paragraph index of the key that counts the page as a whole.
pub const WHOLE_PAGE: u32 = u32::MAX;

/// Keys by which the census groups the pages of all shards.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CensusKeys {
    /// Hash of the page's normalised URL.
    pub url: u64,
    /// Hash of the block keys of the page's content, or of all its blocks if it has no content.
    pub text: u64,
    /// One key of host and block for each counted block, with the index of its paragraph, and one key of the host
    /// with [`WHOLE_PAGE`].
    pub blocks: Vec<(u64, u32)>,
    /// Hash of each distinct content word and its share of all content words, 0 to 1. Empty unless a method needs it.
    pub words: Vec<(u64, f32)>,
}

impl CensusKeys {
    /// Adds the keys of the page and of every block that could be content.
    pub fn add_blocks(&mut self, document: &Document, paragraphs: &[Paragraph]) {
        if document.host.is_empty() || paragraphs.is_empty() {
            return;
        }
        let host = sites::host_key(&document.host);
        let (mut keys, mut content) = (sites::BlockKeys::default(), Vec::new());
        // A block that is `Bad` without regard to its neighbours is boilerplate on every page.
        let counts = |p: &&Paragraph| !p.boilerplate || p.context_free != Class::Bad && p.characters < sites::SHORT;
        for paragraph in paragraphs.iter().filter(counts) {
            let Some(block) = keys.key(&paragraph.text) else { continue };
            // “Yes.” stands in many chapters of a novel.
            if paragraph.characters >= sites::SHORT || !sites::is_speech(&paragraph.text) {
                self.blocks.push((sequence_hash(&[host, block]), paragraph.index));
            }
            if !paragraph.boilerplate {
                content.push(block);
            }
        }
        self.blocks.push((sequence_hash(&[host]), WHOLE_PAGE));
        self.url = text_hash(url::identity(&document.url).as_bytes());
        // The key leaves out navigation because it may differ between copies of one article. A page without content
        // has nothing else.
        if content.is_empty() {
            content.extend(paragraphs.iter().filter_map(|p| keys.key(&p.text)));
        }
        self.text = sequence_hash(&content);
    }

    /// Adds every distinct word of the content with its relative frequency.
    pub fn add_words(&mut self, paragraphs: &[Paragraph]) {
        let mut hashes = Vec::new();
        paragraphs.iter().filter(|p| !p.boilerplate).for_each(|p| words::hashes(&p.text, &mut hashes));
        let mut counts: SeededMap<u64, u32> = SeededMap::default();
        hashes.iter().for_each(|&hash| *counts.entry(hash).or_default() += 1);
        self.words = counts.into_iter().map(|(word, n)| (word, relative_frequency(n, hashes.len()))).collect();
        self.words.sort_unstable_by_key(|(word, _)| *word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_boilerplate_is_counted_and_short_speech_is_not() {
        let block = |index: u32, text: &str, boilerplate: bool, context_free: Class| Paragraph {
            index,
            text: text.into(),
            characters: text.len() as u32,
            boilerplate,
            context_free,
            ..Paragraph::default()
        };
        let teaser = "The harbour wall held through the night, and by the morning the boats were out again.";
        let page = [
            block(0, "Home", true, Class::Bad),
            block(1, "Share this", true, Class::Short),
            block(2, teaser, true, Class::Short),
            block(3, teaser, false, Class::Good),
            block(4, "“Yes,” she said.", false, Class::Short),
            block(5, &format!("“{teaser}”"), false, Class::Good),
        ];
        let mut keys = CensusKeys::default();
        keys.add_blocks(&Document { host: "a.example".into(), ..Document::default() }, &page);
        let counted: Vec<u32> = keys.blocks.iter().map(|(_, index)| *index).collect();
        assert_eq!(counted, [1, 3, 5, WHOLE_PAGE]);
    }
}
