//! The words of the short blocks of a page, which several features are made of.

use crate::page::blocks::Page;
use crate::text::words;

/// Characters below which a block is short.
const SHORT_BELOW: u32 = 60;

/// Hashes of the words of each short block; none for the other blocks.
#[derive(Debug, Default)]
pub struct ShortWords {
    hashes: Vec<u64>,
    /// Where the words of each block end.
    ends: Vec<usize>,
}

impl ShortWords {
    pub fn of(page: &Page<'_>) -> ShortWords {
        let mut all = ShortWords::default();
        for block in &page.blocks {
            if block.characters < SHORT_BELOW {
                words::hashes(&block.text, &mut all.hashes);
            }
            all.ends.push(all.hashes.len());
        }
        all
    }

    /// The words of each block of the page.
    pub fn blocks(&self) -> impl Iterator<Item = &[u64]> {
        let begins = [0].into_iter().chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, &end)| self.hashes.get(begin..end).unwrap_or_default())
    }
}
